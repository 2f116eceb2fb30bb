#!/usr/bin/env python3
"""recorded.py --tool PROGRAM: compares statistics_tool with recorded results of scipy for seeded pairs of samples.

against_scipy.py --record wrote tests/data/stats/scipy.json; the samples come from samples.py.
"""

import argparse
import json
import os
import sys

from agreement import Agreement, ask
from samples import pair

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "stats", "scipy.json")
TOLERANCE = {"asymptotic": 1e-10, "auto": 1e-10, "mk_p": 1e-10, "lag1": 1e-9, "effective": 1e-7}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    o = parser.parse_args()
    with open(DATA, encoding="utf-8") as f:
        recorded = json.load(f)
    agreement = Agreement(TOLERANCE)
    pairs = [pair(r["seed"]) for r in recorded]
    lines = [[len(a), len(b), *a, *b] for _, a, b in pairs]
    for (kind, a, b), want, got in zip(pairs, recorded, ask(o.tool, ["--rounds", "0"], lines)):
        agreement.pair(f"{kind} {want['seed']}", got, want, a, b)
    # Empty samples, on one side or both.
    empty = [[0, 0], [0, 2, 1.0, 2.0], [1, 0, 3.0]]
    for line, got in zip(empty, ask(o.tool, [], empty)):
        for stat in ("typical", "mean", "median"):
            if got[stat]["difference"] is not None or got[stat]["significant"] or got[stat]["p"] != 1:
                agreement.wrong.append(f"{line}: {got[stat]}")
    return agreement.report(f"{len(recorded)} recorded pairs of samples")


if __name__ == "__main__":
    sys.exit(main())
