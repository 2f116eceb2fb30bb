#!/usr/bin/env python3
"""machine_paths.py -- no file of tests/data may contain a folder of the machine that made it (tests/tools/pack_records.py)."""
import gzip
import io
import os
import re
import sys
import zipfile
import zlib

from share import share

FOLDER = re.compile(rb"(?<![\w.])/(?:root|home|tmp|work|opt|mnt|srv|var|usr|Users)/(?:[\w.+-]+/)*[\w.+-]+\.py\b")


def inside(content):
    """Returns what is packed in the content; archives that tests damaged may have none."""
    try:
        if content[:2] == b"PK":
            with zipfile.ZipFile(io.BytesIO(content)) as z:
                return [z.read(entry) for entry in z.infolist()]
        return [gzip.decompress(content)] if content[:2] == b"\x1f\x8b" else []
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError, NotImplementedError, ValueError):
        return []


def found(content):
    return FOLDER.findall(content) + [path for part in inside(content) for path in found(part)]


def main():
    files = bad = 0
    for path in share(sorted(os.path.join(folder, name) for folder, _, names in os.walk("tests/data") for name in names)):
        with open(path, "rb") as f:
            paths = found(f.read())
        files, bad = files + 1, bad + bool(paths)
        if paths:
            print(f"{path}: {paths[0].decode()}", file=sys.stderr)
    print(f"{files} files, {bad} with a folder of the machine that made them")
    return 1 if bad else 0


sys.exit(main())
