#!/usr/bin/env python3
"""identity.py --etcore build/etcore -- checks, for every dump of tests/data, that analyze counts every nanosecond once.

For each method and path, self times of the attached rows + rounding + unattributed must equal the measured time, as
integers. The answer has sums divided by the number of runs; the sums are recovered and must be integers. This holds for
every --by and every selection of runs, except for medians, which do not add up. Standard library only.
"""
import argparse
import collections
import glob
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from share import share  # noqa: E402

ASKED = ([], ["--stat", "total"], ["--stat", "min"], ["--stat", "mean", "--by", "kernel"], ["--by", "backend"],
         ["--stat", "total", "--by", "category"], ["--stat", "total", "--no-plugins"])


def ask(etcore, path, options):
    """Returns the answer as JSON; None if etcore rejects the dump."""
    done = subprocess.run([etcore, "analyze", path, "--no-siblings", "-o", "json", *options], check=False,
                          env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "HOME": "/nonexistent"},
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    return json.loads(done.stdout) if done.returncode == 0 else None


class Sums:
    """Recovers the integer sums behind the printed means of one path."""

    def __init__(self, runs):
        self.runs, self.odd = runs, None

    def __call__(self, quotient):
        n = round(quotient * self.runs)
        if n / self.runs != quotient:  # n / runs must give exactly the double that was printed
            self.odd = self.odd or f"{quotient!r} is no sum of {self.runs} runs"
        return n


def check(answer, stat):
    rows = collections.defaultdict(list)
    for row in answer["rows"]:
        if not row["detached"]:
            if row["self_ns"] is None:
                return f"an attached row without a time: {row['name']}"
            rows[row["method"], row["path"]].append(row["self_ns"])
    for method in answer["methods"]:
        for path in method["paths"]:
            whole = Sums(1 if stat in ("total", "min") else path["typical_runs"])
            parts = sum(map(whole, rows.pop((method["name"], path["path"]), [])))
            foot = whole(path["rounding_ns"]) + whole(path["unattributed_ns"])
            if whole.odd:
                return f"path {path['path']}: {whole.odd}"
            if parts + foot != whole(path["typical_ns"]):
                return f"path {path['path']}: {parts} + {foot} of {whole(path['typical_ns'])}"
            if not 0 <= path["unattributed_delegate_ns"] <= path["unattributed_ns"]:
                return f"path {path['path']}: more unattributed inside delegates than in all"
        alone = rows.pop((method["name"], None), None)  # rows of a load in a path without an execution
        if alone is not None and sum(alone) != method["load_ns"]:
            return f"rows of the load: {sum(alone)} of {method['load_ns']}"
    return f"rows of no path: {sorted(rows, key=str)}" if rows else None


def one(work):
    etcore, path, options = work
    answer = ask(etcore, path, options)
    stat = options[options.index("--stat") + 1] if "--stat" in options else "typical"
    return path, options, "refused" if answer is None else check(answer, stat)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--etcore", default="build/etcore")
    p.add_argument("--data", default="tests/data")
    p.add_argument("--every", type=int, default=1, help="only every Nth dump: sanitizers are slow")
    args = p.parse_args()
    paths = sorted(glob.glob(os.path.join(args.data, "**", "*.etdump"), recursive=True))[::args.every]
    work = [(args.etcore, path, options) for turn, path in enumerate(paths) for options in share(ASKED, turn)]
    refused = holds = wrong = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, options, problem in pool.map(one, work):
            if problem == "refused":
                refused += "/edge/" not in path
                continue
            holds += problem is None
            if problem:
                wrong += 1
                print(f"{path} {' '.join(options)}: {problem}")
    print(f"the identity holds in {holds} of {holds + wrong} answers about {len(paths)} dumps; refused beside edge cases: {refused}")
    return bool(wrong or refused or not holds)


if __name__ == "__main__":
    sys.exit(main())
