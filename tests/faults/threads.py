#!/usr/bin/env python3
"""threads.py ETCORE [FAULT] -- several threads give the answer of one, and only a large dump has them.

A dump is large from 64 MB on: here one with a hole behind what it says. Without the library of faults, as under
ThreadSanitizer, only answers are compared.
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
    "events": ["analyze", "--events", "-o", "json", "--no-siblings"],
    "dump": ["dump", "-o", "json"],
}
COUNT = "thread:0:EAGAIN"  # counts, and refuses none


def with_hole(path, size):
    """The small dump, `size` bytes long."""
    with open(SMALL, "rb") as f:
        dump = f.read()
    with open(path, "wb") as f:
        f.write(struct.pack("<I", size - 4) + dump[4:])
        f.truncate(size)
    return path


def started(r):
    return r.fired.get("thread", (0, 0))[0]


def answers(lab, name, words, large):
    one = lab.run([*words, large, "--jobs", "1"])
    lab.expect(f"{name}, one job", one, one.status in (0, 1) and one.out)
    tries = [(jobs, "") for jobs in ("2", "3", "16")]
    if lab.library:
        tries += [("4", fault) for fault in ("thread:1:EAGAIN", "thread:1+:EAGAIN", "thread:2+:EAGAIN")]
    for jobs, fault in tries:
        many = lab.run([*words, large, "--jobs", jobs], fault)
        lab.expect(f"{name}, {jobs} jobs, {fault}", many, (many.status, many.out, many.err) == (one.status, one.out, one.err),
                   "another answer")


def counts(lab, name, words, large, largest_small):
    for jobs, path, least, most in (("1", large, 0, 0), ("3", large, 2, 999), ("4", largest_small, 0, 0)):
        r = lab.run([*words, path, "--jobs", jobs], COUNT)
        lab.expect(f"{name}, {jobs} jobs, {os.path.basename(path)}", r, least <= started(r) <= most, f"{started(r)} threads")


def main():
    lab = Lab(*sys.argv[1:])
    large = with_hole(os.path.join(lab.scratch, "large.etdump"), (64 << 20) + 4)
    largest_small = with_hole(os.path.join(lab.scratch, "small.etdump"), 64 << 20)
    for name, words in ANSWERS.items():
        answers(lab, name, words, large)
        if lab.library:
            counts(lab, name, words, large, largest_small)
    # Whoever reads where the file ends no more tells of it, thread or not.
    for name in ("inspector", "analyze") if lab.library else ():
        dump = with_hole(os.path.join(lab.scratch, f"cut-{name}.etdump"), (64 << 20) + 4)
        r = lab.run([*ANSWERS[name], dump, "--jobs", "4"], "mmap:1:cut", env={"ETCORE_FAULT_FILE": f"cut-{name}"})
        lab.expect(f"{name}, cut while it is read", r, r.status == 3 and r.code == "E0907" and not r.out)
    return lab.end("threads")


if __name__ == "__main__":
    sys.exit(main())
