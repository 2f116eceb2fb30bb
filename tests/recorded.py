"""recorded - reads the recorded answers of tests/data: plain, or gzip'ed beside it as NAME.gz where they are large.

Paths are always those of the plain file.
"""
import glob
import gzip
import json
import os

PACKED = ".gz"


def exists(path):
    return os.path.exists(path) or os.path.exists(path + PACKED)


def find(pattern):
    """Sorted paths that match, packed or not."""
    packed = (path[:-len(PACKED)] for path in glob.glob(pattern + PACKED))
    return sorted({*glob.glob(pattern), *packed})


def read(path):
    """The file's bytes."""
    if os.path.exists(path):
        with open(path, "rb") as f:
            return f.read()
    with gzip.open(path + PACKED, "rb") as f:
        return f.read()


def read_json(path):
    return json.loads(read(path))


def judge(checks, what, kinds=None, exceptions=()):
    """Runs (check, path, answer) of each, where check(path, answer's JSON) tells what differs or None; 1 if one does.

    `kinds`: what the answers of a check are called; each has a line `kind  identical / total`. `exceptions`: lines that
    say what was left out of the comparison, and why.
    """
    bad, tally = 0, {}
    for check, path, answer in checks:
        try:
            problem = check(path, read_json(answer))
        except ValueError as e:
            problem = str(e)
        row = tally.setdefault((kinds or {}).get(check, what), [0, 0])
        row[0] += not problem
        row[1] += 1
        if problem:
            bad += 1
            print(f"{path}: {problem}"[:600])
    for kind, (same, total) in tally.items() if kinds else ():
        print(f"{kind:12} {same:6} / {total}")
    for line in exceptions:
        print(f"not compared: {line}")
    print(f"{len(checks) - bad} of {len(checks)} {what}")
    return 1 if bad or not checks else 0
