#!/usr/bin/env python3
"""schema.py --etcore ETCORE [--data tests/data] -- checks the JSON of `etcore analyze` against docs/analyze.schema.json.

Covers every dump of the data with every --by and --stat, golden cases that print JSON, and ndjson line by line. If a
document's times should add up, the identity is checked on the printed numbers. No row may have less inclusive time than
self time.
"""
import argparse
import glob
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import jsonschema

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests/tools"), os.path.join(ROOT, "tests")]
import row_keys  # noqa: E402
from share import share  # noqa: E402

ROOFLINE = ["--roofline", "--peak", "gflops_fp32=150,gbps=20"]
WAYS = [[], ["--events"], ROOFLINE, ["--events", *ROOFLINE], ["--stat", "mean"], ["--stat", "median"], ["--stat", "min"], ["--stat", "total"]] + \
    [["--by", by] for by in row_keys.offered("ANALYZE") if by not in ("op", "fallback")] + \
    [["--subtract-overhead", "90ns"], ["--subtract-overhead", "7us", "--by", "module"]]  # times by fallback do not add up
PARTS = {"file": "files", "method": "methods", "row": "rows", "event": "events", "allocation": "allocations",
         "note": "notes"}


def identity(doc):
    for method in doc["methods"]:
        for path in method["paths"]:
            if path["typical_ns"] is None:
                continue
            rows = [r["self_ns"] for r in doc["rows"]
                    if r["path"] == path["path"] and r["method"] == method["name"] and not r["detached"]]
            total = sum(x for x in rows if x is not None) + path["rounding_ns"] + path["unattributed_ns"]
            if abs(total - path["typical_ns"]) > 1e-9 * max(1.0, path["typical_ns"]):
                return f"identity: {total!r} != {path['typical_ns']!r}"
    for r in doc["rows"]:
        if not r["detached"] and (r["total_ns"] or 0) < (r["self_ns"] or 0) * (1 - 1e-9):
            return f"'{r['name'][:60]}' alone, {r['self_ns']!r}, is more than with what it encloses, {r['total_ns']!r}"
    return None


def check(validator, text, adds_up):
    try:
        doc = json.loads(text, parse_constant=lambda c: sys.exit(f"{c} is no JSON"))
    except ValueError as e:
        return str(e)
    for error in validator.iter_errors(doc):
        return f"{error.json_path}: {error.message[:200]}"
    return identity(doc) if adds_up else None


def check_lines(schema, text):
    for line in text.splitlines():
        item = json.loads(line)
        kind = item.pop("type")
        if kind != "analysis":
            jsonschema.validate(item, schema["properties"][PARTS[kind]]["items"])
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--etcore", required=True)
    parser.add_argument("--data", default=os.path.join(ROOT, "tests", "data"))
    options = parser.parse_args()
    with open(os.path.join(ROOT, "docs", "analyze.schema.json"), encoding="utf-8") as f:
        schema = json.load(f)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    dumps = sorted(glob.glob(os.path.join(options.data, "cases", "*", "run.etdump")) +
                   glob.glob(os.path.join(options.data, "backends", "cases", "*", "run.etdump")) +
                   glob.glob(os.path.join(options.data, "arm", "*", "sme2", "run.etdump")) +
                   glob.glob(os.path.join(options.data, "old", "**", "*.etdump"), recursive=True) +
                   glob.glob(os.path.join(options.data, "edge", "utf8_*.etdump")))
    jobs = [(d, way) for d in dumps for way in WAYS] + [(d, None) for d in dumps]
    jobs = share(jobs)
    passed, failed = 0, 0

    def ask(job):
        dump, way = job
        arguments = ["-o", "ndjson"] if way is None else ["-o", "json", *way]
        run = subprocess.run([options.etcore, "analyze", dump, *arguments], capture_output=True)
        if b"E0577" in run.stderr and "--subtract-overhead" in (way or []):
            return None  # its times are not in ns
        if run.returncode != 0:
            return f"status {run.returncode}: {run.stderr.decode()[:200]}"
        if way is None:
            return check_lines(schema, run.stdout.decode())
        return check(validator, run.stdout.decode(), not {"median", "method", "file", "run"} & set(way))

    with ThreadPoolExecutor(2) as pool:
        for (dump, way), problem in zip(jobs, pool.map(ask, jobs)):
            passed += problem is None
            failed += problem is not None
            if problem:
                print(f"{os.path.relpath(dump, options.data)} {way}: {problem}")
    for path in sorted(p for kind in ("analyze", "roofline") for p in glob.glob(os.path.join(ROOT, "tests", "cli", "cases", kind + "-*", "stdout"))):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        if not text.startswith('{"schema": "etcore.analyze/1"') or not text.endswith("}\n"):
            continue
        problem = check(validator, text, False)
        passed += problem is None
        failed += problem is not None
        if problem:
            print(f"{path}: {problem}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0 or passed == 0)


if __name__ == "__main__":
    main()
