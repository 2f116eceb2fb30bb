#!/usr/bin/env python3
"""kit_csv.py --etcore PROGRAM - compares the tables of `pipeline report` with those that the kit's tools wrote for the same
dumps.

Timelines and operator statistics must be equal byte for byte, except for the order of rows with equal totals, which the kit
does not define. Numbers that the kit computes from a timeline must be equal within 1e-12.
"""
import argparse
import csv
import io
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import recorded

CLOSE = 1e-12


def same_number(a, b):
    try:
        x, y = float(a), float(b)
    except ValueError:
        return a == b
    return a == b or (math.isnan(x) and math.isnan(y)) or abs(x - y) <= CLOSE * max(abs(x), abs(y))


def same_json(a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        return list(a) == list(b) and all(same_json(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same_json, a, b))
    if isinstance(a, float) and math.isnan(a):
        return b is None  # etcore writes null, because JSON has no NaN
    if isinstance(a, str) and "infx" in a:
        return True
    return same_number(str(a), str(b)) if isinstance(a, (int, float)) and not isinstance(a, bool) else a == b


def rows(text):
    return list(csv.reader(io.StringIO(text, newline="")))


def same_rows(a, b):
    return len(a) == len(b) and all(len(x) == len(y) and all(map(same_number, x, y)) for x, y in zip(a, b))


def by_total(text):
    """Returns the rows of an ops_stats file, with rows of equal totals sorted by name."""
    head, *body = rows(text)
    return [head] + sorted(body, key=lambda r: (-float(r[5]), r[2], r[3]))


def compare(name, want, got):
    """Compares a file of the kit with etcore's. Returns "bytes" or "numbers" for what is equal, None if they differ."""
    if want == got:
        return "bytes"
    if name.endswith(".json"):
        return "numbers" if same_json(json.loads(want), json.loads(got)) else None
    if name.endswith("_ops_stats.csv"):
        return "bytes" if sorted(want.split("\r\n")) == sorted(got.split("\r\n")) and by_total(want) == by_total(got) else None
    if name.endswith("timeline.csv"):
        return None
    if not name.endswith("_comparison.csv"):  # in *_comparison.csv the order of rows with equal averages is undefined
        a, b = rows(want), rows(got)
        key = lambda r: r[:2]
        if a[:1] == b[:1] and [r[3] for r in a] != [r[3] for r in b]:
            return "numbers" if same_rows(sorted(a, key=key), sorted(b, key=key)) else None
    return "numbers" if same_rows(rows(want), rows(got)) else None


def read(path):
    with open(path, newline="", encoding="utf-8") as f:
        return f.read()


def report(etcore, folder, *words):
    out = subprocess.run([etcore, "pipeline", "report", folder, *words], capture_output=True, text=True, timeout=120)
    return out.returncode, out.stderr


class Test:
    def __init__(self, etcore):
        self.etcore, self.counts, self.bad = etcore, {"bytes": 0, "numbers": 0}, 0

    def check(self, where, name, want, path):
        how = compare(name, want, read(path)) if os.path.exists(path) else None
        if how:
            self.counts[how] += 1
        else:
            self.bad += 1
            print(f"{where}: {name} differs" if os.path.exists(path) else f"{where}: {name} is missing")

    def dump(self, top, name, case):
        source = "tests/" + case["etdump"].split(",")[0]
        folder = os.path.join(top, name)
        os.mkdir(folder)
        shutil.copy(source, os.path.join(folder, name + ".etdump"))
        status, stderr = report(self.etcore, folder)
        # A dump without executions has no times to report: etcore writes only the kit's three tables and exits with status
        # 1.
        if status not in ((0,) if name != "no_runs" else (1,)):
            self.bad += 1
            print(f"{name}: exit {status}\n{stderr}")
        if name == "no_runs":
            return
        for path, want in case["files"].items():
            if "/" not in path or path.startswith("all_runs/"):
                self.check(name, path, want, os.path.join(folder, os.path.basename(path)))
        with_record = {p: w for p, w in case["files"].items() if p.startswith("etrecord/")}
        if with_record:
            record = os.path.join(os.path.dirname(source), "model.etrecord")
            if not os.path.exists(record):
                record = os.path.join(os.path.dirname(os.path.dirname(source)), "model.etrecord")
            into = os.path.join(top, name + " with record")
            status, stderr = report(self.etcore, folder, "--etrecord", record, "--into", into)
            for path, want in with_record.items():
                self.check(name, path, want, os.path.join(into, os.path.basename(path)))

    def pair(self, top, name, files):
        """Compares two dumps as the experiments on and off of one run."""
        on, off = (name.split("_vs_") if "_vs_" in name else (name + "_sme2", name + "_nosme"))
        cases = recorded.read_json("tests/data/kit/csv.json")
        folder = os.path.join(top, "pair " + name)
        os.mkdir(folder)
        for stem, role in ((on, "on"), (off, "off")):
            if stem not in cases:
                return
            shutil.copy("tests/" + cases[stem]["etdump"].split(",")[0], os.path.join(folder, stem + ".etdump"))
        names = {on: on, off: off} if "_vs_" in name else {on: "sme2_on", off: "sme2_off"}
        results = [{"experiment": names[stem], "metrics": {"etdump_rel": stem + ".etdump", "threads": 1}}
                   for stem in (on, off)]
        roles = [{"name": names[off], "role": "baseline"}]
        with open(os.path.join(folder, "manifest.json"), "w") as f:
            json.dump({"model": "m.pte", "experiments": roles, "results": results}, f)
        report(self.etcore, folder)
        names = {"_comparison.csv": on + "_comparison.csv", "_robust_comparison.json": f"{off}_vs_{on}_robust_comparison.json"}
        for path, want in files.items():
            for end, ours in names.items():
                if path.endswith(end) and not (end == "_comparison.csv" and path.endswith(".json")):
                    self.check(name, path, want, os.path.join(folder, ours))


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--etcore", required=True)
    a = p.parse_args()
    t = Test(os.path.abspath(a.etcore))
    with tempfile.TemporaryDirectory() as top:
        for name, case in recorded.read_json("tests/data/kit/csv.json").items():
            t.dump(top, name, case)
        for name, files in recorded.read_json("tests/data/kit/ab.json").items():
            t.pair(top, name, files)
    print(f"{t.counts['bytes']} files byte for byte, {t.counts['numbers']} number for number, {t.bad} differ")
    return 1 if t.bad or t.counts["bytes"] < 150 else 0


if __name__ == "__main__":
    sys.exit(main())
