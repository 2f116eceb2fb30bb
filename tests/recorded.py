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
