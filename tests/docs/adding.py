#!/usr/bin/env python3
"""adding.py -- the diffs of docs/adding.md apply to this tree."""
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def main():
    if not shutil.which("git"):
        print("git is missing")
        return 77
    with open(os.path.join(ROOT, "docs/adding.md"), encoding="utf-8") as f:
        diffs = re.findall(r"^```diff\n(.*?)^```", f.read(), re.M | re.S)
    wrong = [p.stderr for p in (subprocess.run(["git", "apply", "--check", "-"], cwd=ROOT, input=d, text=True,
                                               capture_output=True, check=False) for d in diffs) if p.returncode]
    print("".join(wrong) + f"{len(diffs)} diffs, {len(wrong)} do not apply")
    return bool(wrong) or not diffs


if __name__ == "__main__":
    sys.exit(main())
