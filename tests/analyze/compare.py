#!/usr/bin/env python3
"""compare - compares `etcore analyze -o json` with the recorded answers of tests/data/analyze.

    compare.py --etcore build/etcore [--data tests/data] [--only TEXT] [--show N]

Dumps of `backends` are analysed without plugins, `cases` and `arm` with only the xnnpack
plugin; sibling files are never used. Every number must be equal as a double, and rows must have
the same order. The recorded answers lack what a plugin names (name, category, kernel).
The identity self + rounding + unattributed = typical is checked on
etcore's own numbers. Standard library only.
"""
import argparse
import glob
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROW = ("calls", "self_ns", "self_max_ns", "total_ns", "share", "unit", "clock", "detached", "path", "method")
PATH = ("path", "runs", "warmup", "typical_ns", "median_ns", "mean_ns", "p90_ns", "max_ns", "samples_ns",
        "rounding_ns", "unattributed_ns", "unattributed_delegate_ns")


def dumps(data):
    """Yields (kind, name, dump, path of the recorded answer)."""
    for path in sorted(glob.glob(os.path.join(data, "analyze", "*", "*.json"))):
        kind, name = os.path.basename(os.path.dirname(path)), os.path.basename(path)[:-len(".json")]
        where = {"cases": ("cases", name), "backends": ("backends", "cases", name)}.get(kind) or \
            ("arm", *name.rsplit(".", 1))
        folder = os.path.join(data, *where)
        if not os.path.isdir(folder):  # the name joins nested folders with dots
            folder = os.path.join(data, kind, *name.split("."))
        dump = os.path.join(folder, "run.etdump")
        yield kind, name, dump, path


def equal(want, got):
    if isinstance(want, list) and isinstance(got, list):
        return len(want) == len(got) and all(map(equal, want, got))
    if isinstance(want, bool) or isinstance(got, bool) or want is None or got is None:
        return want is got
    if isinstance(want, (int, float)) and isinstance(got, (int, float)):
        return want == got
    return want == got


def members(want, got, names, where):
    for n in names:
        if n not in got:
            return f"{where}: no member {n}"
        if not equal(want[n], got[n]):
            return f"{where}.{n}: want {want[n]!r} got {got[n]!r}"
    return None


def identity(answer):
    for m in answer["methods"]:
        for p in m["paths"]:
            total = p["rounding_ns"] + p["unattributed_ns"] + sum(
                r["self_ns"] for r in answer["rows"]
                if r["path"] == p["path"] and r["method"] == m["name"] and not r["detached"])
            if abs(total - p["typical_ns"]) > 1e-9 * max(1.0, p["typical_ns"]):
                return f"identity: path {p['path']}: {total!r} != {p['typical_ns']!r}"
    return None


def differs(want, got):
    if want.get("schema") != got.get("schema"):
        return f"schema {got.get('schema')!r}"
    if not equal([f["sha256"] for f in want["files"]], [f["sha256"] for f in got["files"] if f["kind"] == "etdump"]):
        return "sha256 of the file"
    if len(want["methods"]) != len(got["methods"]):
        return f"{len(want['methods'])} methods expected, {len(got['methods'])} found"
    for i, (a, b) in enumerate(zip(want["methods"], got["methods"])):
        wrong = members(a, b, ("name", "load_ns", "loads_ns"), f"methods[{i}]")
        if not wrong and len(a["paths"]) != len(b["paths"]):
            wrong = f"methods[{i}]: {len(a['paths'])} paths expected, {len(b['paths'])} found"
        if wrong:
            return wrong
        for k, (p, q) in enumerate(zip(a["paths"], b["paths"])):
            wrong = members(p, q, PATH, f"methods[{i}].paths[{k}]")
            if wrong:
                return wrong
    if len(want["rows"]) != len(got["rows"]):
        return f"{len(want['rows'])} rows expected, {len(got['rows'])} found"
    for i, (a, b) in enumerate(zip(want["rows"], got["rows"])):
        wrong = members(a, b, ROW, f"rows[{i}] ({a['key']!r} / {b['key']!r})")
        if not wrong and a["backend"] is None and a["key"] != b["key"] and not b["backend"]:
            wrong = f"rows[{i}].key: want {a['key']!r} got {b['key']!r}"
        if wrong:
            return wrong
    return identity(got)


def ask(etcore, xnnpack, kind, dump):
    plugins = ["--no-plugins"] if kind == "backends" else ["--plugin", xnnpack]
    environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "HOME": "/nonexistent"}
    done = subprocess.run([etcore, "analyze", dump, "--no-siblings", *plugins, "-o", "json"], env=environment,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


def check(job, etcore, xnnpack):
    kind, name, dump, path = job
    with open(path, encoding="utf-8") as f:
        want = json.load(f)
    if not os.path.exists(dump):
        return kind, name, "no such dump"
    status, out, err = ask(etcore, xnnpack, kind, dump)
    if status != want.get("status", 0):
        return kind, name, f"status {status}: {err.strip()[:300]}"
    if status:
        return kind, name, None
    try:
        return kind, name, differs(want, json.loads(out))
    except (ValueError, KeyError, TypeError) as e:
        return kind, name, f"{type(e).__name__}: {e}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--etcore", default="build/etcore")
    parser.add_argument("--data", default="tests/data")
    parser.add_argument("--only")
    parser.add_argument("--show", type=int, default=20)
    options = parser.parse_args()
    etcore = os.path.abspath(options.etcore)
    xnnpack = os.path.join(os.path.dirname(etcore), "plugins", "xnnpack.so")
    jobs = [j for j in dumps(options.data) if not options.only or options.only in f"{j[0]}/{j[1]}"]
    totals, wrong = {}, []
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for kind, name, problem in pool.map(lambda j: check(j, etcore, xnnpack), jobs):
            row = totals.setdefault(kind, [0, 0])
            row[0] += problem is None
            row[1] += 1
            if problem:
                wrong.append(f"{kind}/{name}: {problem}")
    for kind, (good, total) in totals.items():
        print(f"analyze {kind:<10} {good} / {total}")
    for line in wrong[:options.show]:
        print(f"differs: {line}", file=sys.stderr)
    return 1 if wrong or not totals else 0


if __name__ == "__main__":
    sys.exit(main())
