#!/usr/bin/env python3
"""rates.py --etcore build/etcore -- ticks of any rate must be converted to nanoseconds without rounding errors.

A dump in ns is analysed as it is, and with its numbers interpreted as ticks of several rates. Every time must then be the
double nearest to number * 10^9 / rate, and so must the sums to which rows add up.
"""

import argparse
import json
import os
import subprocess
import sys
from fractions import Fraction

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DUMPS = [os.path.join("tests", "data", "cases", name, "run.etdump")
         for name in ("mlp_portable", "debug_portable", "control_flow_cond", "nan_output", "no_runs")]
# The last but one is not a whole number of kHz; a tick of the last is a whole number of ns.
RATES = (1_200_000_000, 3_000_000_000, 19_200_000, 2_457_600_000, 32_768, 1_190_476_190, 25_000_000)
TIMES = ("typical_ns", "median_ns", "mean_ns", "p90_ns", "max_ns", "unattributed_ns", "delegated_ns")


def analyze(etcore, dump, *arguments):
    command = [etcore, "analyze", dump, "--no-plugins", "--no-siblings", "-o", "json", *arguments]
    p = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if p.returncode:
        sys.exit(f"{' '.join(command)}: status {p.returncode}\n{p.stderr.decode()}")
    return json.loads(p.stdout)


def exact(value, per):
    """Returns the exact fraction behind a mean over `per` runs; a p90 is a multiple of a tenth."""
    return Fraction(value).limit_denominator(10 * max(per, 1))


def compare(base, have, rate, per_run, where):
    if base is None or have is None:
        return [f"{where}: {base} became {have}"] if base != have else []
    want = float(exact(base, per_run) * 10**9 / rate)
    return [f"{where}: {base} ticks are {want!r} ns, not {have!r}"] if want != have else []


def check(etcore, dump, rate):
    base = analyze(etcore, dump)
    have = analyze(etcore, dump, "--source-time-scale", "cycles", "--ticks-per-second", str(rate))
    wrong, count, runs = [], 0, {}
    for a, b in zip(base["methods"], have["methods"]):
        for x, y in zip([a["load_ns"], *a["loads_ns"]], [b["load_ns"], *b["loads_ns"]]):
            wrong += compare(x, y, rate, 1, "load_ns")
        for p, q in zip(a["paths"], b["paths"]):
            runs[a["name"], p["path"]] = p["typical_runs"]
            for key in TIMES:
                wrong += compare(p[key], q[key], rate, p["typical_runs"], key)
                count += 1
            for x, y in zip(p["samples_ns"], q["samples_ns"]):
                wrong += compare(x, y, rate, 1, "samples_ns")
                count += 1
    rows = {(r["key"], r["method"], r["path"], r["detached"]): r for r in have["rows"]}
    for r in base["rows"]:
        same = rows.pop((r["key"], r["method"], r["path"], r["detached"]), None)
        if not same:
            wrong.append(f"no row {r['name']}")
            continue
        for key in ("self_ns", "total_ns"):
            wrong += compare(r[key], same[key], rate, runs.get((r["method"], r["path"]), 1), f"{r['name']}, {key}")
            count += 1
        if r["share"] != same["share"] or same["unit"] != "ns":
            wrong.append(f"{r['name']}: share {r['share']} became {same['share']} in {same['unit']}")
    return wrong + [f"further row {key}" for key in rows], count


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--etcore", default="build/etcore")
    args = p.parse_args()
    wrong, numbers = [], 0
    for dump in DUMPS:
        for rate in RATES:
            problems, count = check(os.path.abspath(args.etcore), dump, rate)
            wrong += [f"{dump} at {rate} Hz: {text}" for text in problems]
            numbers += count
    print("\n".join(wrong[:40]))
    print(f"{numbers} numbers, {len(wrong)} wrong")
    return bool(wrong) or not numbers


if __name__ == "__main__":
    sys.exit(main())
