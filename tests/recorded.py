"""recorded - reads recorded answers of tests/data: plain files, or large ones that are compressed as NAME.gz.

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
    """Returns the sorted paths that match a pattern, compressed or not."""
    packed = (path[:-len(PACKED)] for path in glob.glob(pattern + PACKED))
    return sorted({*glob.glob(pattern), *packed})


def read(path):
    """Returns the file's bytes, decompressed."""
    if os.path.exists(path):
        with open(path, "rb") as f:
            return f.read()
    with gzip.open(path + PACKED, "rb") as f:
        return f.read()


def read_json(path):
    return json.loads(read(path))


def judge(checks, what, kinds=None, exceptions=()):
    """Runs each of (check, path, answer): check(path, JSON of the answer) returns a difference or None. Returns 1 if any
    differs.

    `kinds`: {check: name of its kind of answers}; each kind is printed as `kind  identical / total`. `exceptions`: lines
    that
    say what was not compared, and why.
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
