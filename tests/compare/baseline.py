#!/usr/bin/env python3
"""baseline.py ETCORE [all] -- a stored baseline must be equivalent to the dumps from which it was made.

Saves, merges and compares groups of dumps of the data. `etcore diff` and `etcore check` must print the same bytes with the
baseline as with the dumps, except for the list of files. Saving must be deterministic, merging a baseline alone, or all of
its parts, must give the same baseline, and the file must follow docs/baseline.schema.json. With `all` more pairs are
tested.
"""

import glob
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import jsonschema

sys.path.insert(0, "tests/tools")
import row_keys  # noqa: E402

WAYS = row_keys.offered("COMPARE")
FORMS = ("text", "markdown", "junit", "benchmark-json", "bencher", "pytorch")
ROUNDS = ("--rounds", "100")


def run(etcore, *args, status=(0,)):
    done = subprocess.run([etcore, *args], capture_output=True)
    if done.returncode not in status:
        raise ValueError(f"{' '.join(args)[:200]}: status {done.returncode}: {done.stderr.decode()[:300]}")
    return done.stdout


def without_baselines(text):
    """Returns the JSON of diff without the entries of stored baselines. Also without the notes about equal groups:
    N0140 (one dump is in both groups) and N0141 (one is a copy of the other), because a baseline does not store which of the
    two it is."""
    answer = json.loads(text)
    for group in answer["groups"]:
        group["files"] = [f for f in group["files"] if f["kind"] != "baseline"]
    notes = [n for n in answer["notes"] if n["code"] not in ("N0140", "N0141")]
    if notes != answer["notes"]:
        answer["notes"], answer["headline"] = notes, None
    return answer


def save(etcore, dumps, path, *options):
    run(etcore, "baseline", "save", *dumps, *options, "-o", path)
    return path


def check_file(etcore, path, dumps, folder, schema):
    text = open(path, "rb").read()
    jsonschema.Draft202012Validator(schema).validate(json.loads(text))
    if run(etcore, "baseline", "save", *dumps, "-o", "-") != text:
        return "two saves differ"
    if run(etcore, "baseline", "merge", path, "-o", "-") != text:
        return "merging it alone changes it"
    parts = [save(etcore, [dump], os.path.join(folder, f"part{i}")) for i, dump in enumerate(dumps)]
    if run(etcore, "baseline", "merge", *parts, "-o", "-") != text:
        return "merging its parts gives another file"
    shuffled = os.path.join(folder, "sorted")
    with open(shuffled, "w") as f:
        json.dump({**json.loads(text), "unknown": [{"x": [1, 2]}, None]}, f, sort_keys=True)
    if run(etcore, "baseline", "merge", shuffled, "-o", "-") != text:
        return "another order of members gives another baseline"
    return None


def pair(etcore, a, b, ways, schema):
    names = ("--names", "A,B", *ROUNDS)
    with tempfile.TemporaryDirectory() as folder:
        stored_a = save(etcore, a, os.path.join(folder, "a.baseline"))
        stored_b = save(etcore, b, os.path.join(folder, "b.baseline"))
        wrong = check_file(etcore, stored_a, a, folder, schema)
        if wrong:
            return f"{a}: {wrong}"
        for way in ways:
            options = (*names, "--by", way)
            expected = without_baselines(run(etcore, "diff", *a, "--", *b, *options, "-o", "json"))
            for x, y in (([stored_a], b), (a, [stored_b]), ([stored_a], [stored_b])):
                if without_baselines(run(etcore, "diff", *x, "--", *y, *options, "-o", "json")) != expected:
                    return f"diff {x} -- {y} --by {way} differs"
        if a == b:
            return None  # the screens differ in the notes that without_baselines() removes
        if run(etcore, "diff", *a, "--", *b, *names) != run(etcore, "diff", stored_a, "--", stored_b, *names):
            return f"the screens of diff {a} -- {b} differ"
        for form in FORMS:
            check = ("--names", "A,B", *ROUNDS, "-o", form)
            expected = run(etcore, "check", *b, "--baseline", *a, *check, status=(0, 1, 11))
            for x, y in ((b, [stored_a]), ([stored_b], [stored_a])):
                if run(etcore, "check", *x, "--baseline", *y, *check, status=(0, 1, 11)) != expected:
                    return f"check {x} --baseline {y} -o {form} differs"
    return None


def main():
    etcore, every = sys.argv[1], len(sys.argv) > 2
    with open("docs/baseline.schema.json") as f:
        schema = json.load(f)
    arm = sorted(glob.glob("tests/data/arm/*/"))
    jobs = []
    for net in arm if every else arm[1:4:2]:
        dumps = sorted(glob.glob(net + "*/run.etdump"))
        if len(dumps) < 3:
            continue
        jobs += [((dumps[0],), (dumps[-1],)), (dumps[:2], dumps[2:])]
    cases = sorted(glob.glob("tests/data/cases/*/run.etdump")) + sorted(glob.glob("tests/data/backends/cases/*/run.etdump"))
    jobs += [((case,), (cases[0],)) for case in (cases if every else cases[::9])]
    with ThreadPoolExecutor(2) as pool:
        found = [w for w in pool.map(lambda j: pair(etcore, *map(list, j), WAYS if every else WAYS[::3], schema), jobs) if w]
    for wrong in found:
        print(wrong)
    print(f"{len(jobs)} pairs of groups, {len(found)} wrong")
    return 1 if found or not jobs else 0


sys.exit(main())
