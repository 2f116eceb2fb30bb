#!/usr/bin/env python3
"""threads.py ETCORE FAULT -- a query must use one thread, for any size of dump and any value of --jobs.

The large dump is a small dump, extended by a hole.
"""

import os
import struct
import sys

from lab import CASES, Lab

SMALL = os.path.join(CASES, "long_run", "run.etdump")
ANSWERS = {
    "inspector": ["inspector", "--etdump_path"],
    "csv": ["inspector", "-o", "csv", "--etdump_path"],
    "analyze": ["analyze", "--no-siblings"],
    "events": ["analyze", "--events", "-o", "csv", "--no-siblings"],
    "dump": ["dump", "-o", "json"],
}
COUNT = "thread:0:EAGAIN"  # counts thread creations, and fails none


def with_hole(path, size):
    """Copies the small dump and extends it to `size` bytes by a hole; returns the path."""
    with open(SMALL, "rb") as f:
        dump = f.read()
    with open(path, "wb") as f:
        f.write(struct.pack("<I", size - 4) + dump[4:])
        f.truncate(size)
    return path


def main():
    lab = Lab(*sys.argv[1:])
    large = with_hole(os.path.join(lab.scratch, "large.etdump"), (64 << 20) + 4)
    for name, words in ANSWERS.items():
        one = lab.run([*words, large], COUNT)
        many = lab.run([*words, large, "--jobs", "3"], COUNT)
        for r in (one, many):
            lab.expect(f"{name}, threads", r, r.status in (0, 1) and r.out and r.fired.get("thread", (0, 0))[0] == 0,
                       f"threads: {r.fired.get('thread')}")
        # --jobs adds the note N0644 to the default screen of analyze.
        lab.expect(f"{name}, --jobs 3", many, name == "analyze" or many.out == one.out, "another answer")
    # A dump that is truncated while it is read must be reported.
    for name in ("inspector", "analyze"):
        dump = with_hole(os.path.join(lab.scratch, f"cut-{name}.etdump"), (64 << 20) + 4)
        r = lab.run([*ANSWERS[name], dump], "mmap:1:cut", env={"ETCORE_FAULT_FILE": f"cut-{name}"})
        cut = r.status == 3 and r.code == "E0907" and not r.out
        lab.expect(f"{name}, cut while it is read", r, cut)
        lab.faults += cut  # if etcore ends with E0907, its count of faults is lost, so it is added here
    return lab.end("threads")


if __name__ == "__main__":
    sys.exit(main())
