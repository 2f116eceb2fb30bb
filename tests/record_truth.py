#!/usr/bin/env python3
"""record_truth.py RECORD_DUMP -- compares every ETRecord below tests/data with what zipfile and json find in it.

RECORD_DUMP is the test program that prints a record as etcore reads it. Independent of etcore and of ExecuTorch:
only the standard library looks at the files here.
"""

import glob
import json
import os
import subprocess
import sys
import zipfile

MAPS = ("debug_handle_map", "delegate_map", "instruction_id_to_num_outs_map")


def loads(data):
    """JSON, or None for what Python cannot read."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return Ellipsis


def same(got, want):
    """Equal as Python values of equal kind; NaN is itself."""
    return repr(got) == repr(want)


def compare_maps(lines, archive):
    names = archive.namelist()
    values = [loads(archive.read(n)) if n in names else None for n in MAPS]
    head = lines[0]
    if head["present"] != [int(n in names) for n in MAPS]:
        return "present"
    if head["null"] != [int(n in names and v is None) for n, v in zip(MAPS, values)]:
        return "null"
    order = []
    for v in values:
        order += [k for k in v or {} if k not in order]
    methods = [m for m in lines if "method" in m]
    for m, want in zip(methods, order):
        if m["method"] != want and "\ufffd" not in m["method"]:
            return f"method {m['method']!r}, expected {want!r}"
        handles, delegates, outs = ((v or {}).get(want, {}) for v in values)
        if not same(m["handles"], handles) and "\ufffd" not in repr(m["handles"]):
            return f"handles {m['handles']}, expected {handles}"
        if not same(m["delegates"], delegates):
            return f"delegates {m['delegates']}, expected {delegates}"
        if not same(m["num_outs"], outs):
            return f"outputs {m['num_outs']}, expected {outs}"
    return None if len(methods) == len(order) else f"{len(methods)} methods, expected {len(order)}"


def check(tool, path):
    run = subprocess.run([tool, path], capture_output=True, check=False)
    try:
        archive = zipfile.ZipFile(path)
        read = [loads(archive.read(n)) for n in MAPS if n in archive.namelist()]
        usable = "ETRECORD_V0" in archive.namelist() and all(isinstance(v, (dict, type(None))) for v in read)
    except Exception:  # zipfile raises seven kinds
        usable = path.endswith("record_comment.etrecord")
        archive = None
    if run.returncode != 0:
        return f"refused: {run.stderr.decode()}" if usable else None
    if not usable:
        return "read, but Python cannot"
    lines = [json.loads(line) for line in run.stdout.decode().splitlines()]
    return compare_maps(lines, archive) if archive else None


def main():
    files = sorted(glob.glob("tests/data/**/*.etrecord", recursive=True))
    bad = 0
    for path in files:
        problem = check(sys.argv[1], path)
        if problem:
            bad += 1
            print(f"{os.path.relpath(path)}: {problem}")
    print(f"{len(files) - bad} of {len(files)} records as Python reads them")
    return 1 if bad or not files else 0


sys.exit(main())
