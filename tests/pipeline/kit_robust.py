#!/usr/bin/env python3
"""kit_robust.py TEST_PROGRAM - compares robust statistics with the kit's calculate_robust_statistics on recorded samples:
bit for bit, trimmed means within 1e-12 because they are summed in another order."""
import math
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import recorded


def flat(stats):
    out = {k: v for k, v in stats.items() if not isinstance(v, (dict, list)) and k != "count"}
    out.update(stats["percentiles"])
    out.update(stats["outliers"]["bounds"])
    out.update({"clean_" + k: v for k, v in stats["robust_stats"].items()})
    return out


def main():
    samples = []
    for s in recorded.read_json("tests/data/kit/robust.json")["samples"]:
        samples += [(s["id"], s[side], s["stats_" + side]) for side in "ab" if s.get("stats_" + side) and s.get(side)]
    text = "".join(" ".join(map(repr, v)) + "\n" for _, v, _ in samples)
    lines = subprocess.run([sys.argv[1], "-"], input=text, capture_output=True, text=True, check=True).stdout.splitlines()
    bad = numbers = exact = 0
    for (name, _, want), line in zip(samples, lines):
        words = line.split()
        got = dict(zip(words[::2], map(float, words[1::2])))
        for key, value in flat(want).items():
            numbers += 1
            exact += value == got[key]
            if value is None:
                same = math.isnan(got[key])
            else:
                same = abs(value - got[key]) <= 1e-12 * max(abs(value), abs(got[key]), 1e-9)
            if not same:
                bad += 1
                print(f"{name}: {key} {got[key]!r}, not {value!r}")
    print(f"{len(samples)} samples, {numbers} numbers, {exact} to the last bit, {bad} wrong")
    return 1 if bad or len(lines) != len(samples) or exact < 0.98 * numbers else 0


if __name__ == "__main__":
    sys.exit(main())
