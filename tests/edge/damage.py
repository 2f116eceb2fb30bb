#!/usr/bin/env python3
"""damage - runs etcore on damaged files.

    damage.py --etcore build/etcore [--samples N]

Truncates files of every kind, flips bits, and makes random changes, N times each (the program tests/damage makes
millions inside of one process). Each process must end within 10 seconds of processor time and
2 GiB of address space, with a status that docs/codes.md lists: 0 and an answer, or another status and a
coded error. A truncated ETDump or ETRecord must never get an answer. Standard library only.
"""
import argparse
import os
import random
import re
import resource
import subprocess
import sys
import tempfile

DATA = "tests/data/"
RECORD = DATA + "edge/record_good.etrecord"
DUMP = DATA + "edge/record.etdump"
BUFFER = DATA + "cases/debug_portable/debug.bin"
VALUES = DATA + "cases/debug_portable/run.etdump"

# (file, arguments with the placeholder FILE, whether truncated files must be rejected)
SUBJECTS = [
    (DATA + "executorch/tutorial.etdp", ["analyze", "--no-siblings", "FILE"], True),
    (DATA + "cases/mlp_xnnpack/run.etdump", ["analyze", "--no-siblings", "FILE", "-o", "json", "--events"], True),
    (DATA + "cases/debug_scalars/run.etdump", ["dump", "-o", "json", "FILE"], True),
    (DATA + "executorch/tutorial.etdp", ["inspector", "--etdump_path", "FILE"], True),
    (DATA + "executorch/tutorial.etdp", ["doctor", "FILE"], True),
    (VALUES, ["numeric", "values", "FILE", "-b", BUFFER], True),
    (RECORD, ["analyze", "--no-siblings", DUMP, "-r", "FILE"], True),
    (RECORD, ["dump", "FILE"], True),
    (DATA + "pte/multi_method.pte", ["memory", "FILE"], True),
    (DATA + "pte/long_run.pte", ["dump", "FILE"], True),
    (BUFFER, ["numeric", "values", VALUES, "-b", "FILE"], False),
    ("conf/etcore.ini", ["analyze", "--no-siblings", DUMP, "-c", "FILE"], False),
]


def statuses():
    with open("docs/codes.md", encoding="utf-8") as f:
        return {int(n) for n in re.findall(r"^\| (\d+) \| ", f.read(), re.M)}


def run(etcore, words, bounded):
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (10, 10) if bounded else (60, 60))
        if bounded:
            resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))

    done = subprocess.run([etcore, *words], env={"LC_ALL": "C", "HOME": "/nonexistent"}, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=300, check=False, preexec_fn=limit)
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


def damaged(whole, how, r):
    """Returns a damaged copy of the file's bytes."""
    b = bytearray(whole)
    if how == "cut":
        return bytes(b[:r.randrange(len(b))])
    for _ in range(1 if how == "flip" else r.randint(2, 5)):
        at = r.randrange(len(b))
        if how == "flip":
            b[at] ^= r.choice([1, 128, 255, 1 << r.randrange(8)])
        else:
            n = r.randint(1, 8)
            b[at:at + n] = r.choice([b"\0" * n, b"\xff" * n, r.randbytes(n), bytes(b[:n])])
    return bytes(b)


def judge(status, out, err, known, must_refuse):
    if status < 0 or status >= 128:
        return f"ended by a signal or crash: {status}: {err[-200:]!r}"
    if status not in known:
        return f"status {status} is in no document"
    if status == 0 and not out:
        return "status 0 without an answer"
    # A finding of doctor counts as an answer; every other status needs an error with a code.
    if status and not re.search(r"error\[E\d{4}\]|[EW]\d{4}", err or out.decode("utf-8", "replace")):
        return f"status {status} without a code: {err[:200]!r}"
    if must_refuse and status == 0:
        return "answered, though its end is missing"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--etcore", default="build/etcore")
    parser.add_argument("--samples", type=int, default=4)
    parser.add_argument("--sanitized", action="store_true")
    options = parser.parse_args()
    etcore, known, good, bad = os.path.abspath(options.etcore), statuses(), 0, 0
    counts = {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "damaged")
        for file, words, refused in SUBJECTS:
            with open(file, "rb") as f:
                whole = f.read()
            r = random.Random(file + words[0])
            for how in ("cut", "flip", "random"):
                for _ in range(options.samples):
                    with open(path, "wb") as f:
                        f.write(damaged(whole, how, r))
                    status, out, err = run(etcore, [path if w == "FILE" else w for w in words], not options.sanitized)
                    problem = judge(status, out, err, known, refused and how == "cut")
                    counts[status] = counts.get(status, 0) + 1
                    good += problem is None
                    if problem:
                        bad += 1
                        keep = os.path.join(tempfile.gettempdir(), f"etcore-damaged-{bad}")
                        os.replace(path, keep)
                        print(f"wrong: {how} of {file}, {' '.join(words)}: {problem}; kept: {keep}", file=sys.stderr)
    print(f"damage: {good} right, {bad} wrong; statuses " + ", ".join(f"{s}: {n}" for s, n in sorted(counts.items())))
    return 1 if bad or not good else 0


if __name__ == "__main__":
    sys.exit(main())
