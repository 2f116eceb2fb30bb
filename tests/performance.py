#!/usr/bin/env python3
"""performance -- checks that bench/RESULTS.md has the table that bench/ writes, with every goal and consistent rows.

The times themselves are not tested. docs/performance.md must explain where the time of every goal goes.
"""
import os
import re
import sys
import xml.etree.ElementTree

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "bench"))
from goals import GOALS  # noqa: E402
from measure import Report  # noqa: E402
from write import BEGIN, END  # noqa: E402

UNITS = {"ms": 1e-3, "s": 1, "MB": 1, "B": 1}


def number(text):
    """Converts a figure with its unit to seconds, MB or B."""
    value, _, unit = text.partition(" ")
    return float(value.replace(",", "")) * UNITS.get(unit, 1)


def check_row(row):
    what, ours, floor, result, wanted, verdict = row
    assert what and (verdict in ("met", "NOT MET") or verdict.startswith("skipped: ")), row
    if verdict.startswith("skipped") or wanted == "the same":
        return
    sign, limit = wanted.split(" ", 1)
    if floor:
        value, limit = number(result.removesuffix(" x")), number(limit.removesuffix(" x"))
        ratio = number(floor) / number(ours) if sign == ">=" else number(ours) / number(floor)
        assert abs(ratio - value) <= .03 * max(1, value), f"{row}: not the ratio of its figures"
    else:
        value, limit = number(ours), number(limit)
    held = value >= limit if sign == ">=" else value <= limit
    close = abs(value - limit) <= .006 * max(1, limit)
    assert close or held == (verdict == "met"), f"{row}: the verdict says something else"


def main():
    with open(os.path.join(ROOT, "bench", "RESULTS.md")) as f:
        text = f.read()
    with open(os.path.join(ROOT, "docs", "performance.md")) as f:
        page = f.read()
    assert text.count(BEGIN) == text.count(END) == 1
    table = text.split(BEGIN)[1].split(END)[0]
    parts = re.split(r"^\*\*(\d+)\. (.*)\*\*$", table, flags=re.M)
    found = {int(n): (title, body) for n, title, body in zip(parts[1::3], parts[2::3], parts[3::3])}
    assert {n: title for n, (title, _) in found.items()} == GOALS, "other goals than bench/goals.py has"
    rows = 0
    for n, (_, body) in found.items():
        lines = [line for line in body.split("**Beside")[0].splitlines() if line.startswith("|")]
        assert lines[0] == "| " + " | ".join(Report.HEAD[1:]) + " |", f"goal {n}: another head"
        assert len(lines) > 2, f"goal {n} has no row"
        for line in lines[2:]:
            cells = [c.strip() for c in line.strip("|").split("|")]
            assert len(cells) == len(Report.HEAD) - 1, line
            check_row(cells)
            rows += 1
    costs = [line for line in page.splitlines() if re.match(r"\| \d+ \|", line)]
    assert {int(line.split("|")[1]) for line in costs} >= set(GOALS), "a goal has no line of costs"
    svg = xml.etree.ElementTree.parse(os.path.join(ROOT, "bench", "growth.svg")).getroot()
    curves = [e for e in svg.iter("{http://www.w3.org/2000/svg}path") if e.get("fill") == "none"]
    assert len(curves) >= 10 and "growth.svg" in text
    print(f"{rows} rows of {len(found)} goals, {len(curves)} curves")


if __name__ == "__main__":
    main()
