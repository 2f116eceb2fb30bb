#!/usr/bin/env python3
"""kit_categories.py TEST_PROGRAM - compares the categories of 2,022 operator names with the recorded results of the kit's
two categorisers."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import recorded


def main():
    want = recorded.read_json("tests/data/kit/categories.json")
    names = list(want)
    text = "".join((name.encode("utf-8", "surrogatepass").hex() or "-") + "\n" for name in names)
    out = subprocess.run([sys.argv[1], "-"], input=text, capture_output=True, text=True, check=True).stdout.splitlines()
    bad = [(name, want[name], line) for name, line in zip(names, out) if line.split("\t") != want[name]]
    for row in bad[:20]:
        print(*row)
    print(f"{len(names) - len(bad)} of {len(names)} names")
    return 1 if bad or len(out) != len(names) else 0


if __name__ == "__main__":
    sys.exit(main())
