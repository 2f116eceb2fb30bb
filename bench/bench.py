#!/usr/bin/env python3
"""bench - measures speed and memory of etcore, compared with the floor: small reference programs that
read the same files.

    bench.py ETCORE TOOLS FOLDER [--repetitions N] [--large] [--only N...] [--write MARKDOWN]
             [--peer] [--inspector PYTHON] [--columns PYTHON]

The commands of a row run alternately. The figure is the CPU time (user and system,
children included) of the fastest of N repetitions, so a busy machine has little influence.
Prints ratios and a verdict per goal; the exit status is always 0, because a time is a
measurement, not a test. --write puts the table between the marks in MARKDOWN and
the growth curves into growth.svg next to it.
"""
import argparse
import os

import goals
from further import all_further
from machine import machine
from measure import TOOLS, Report
from package import Package
from peer import Peers
from plot import plot
from write import write


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("etcore")
    parser.add_argument("tools", help="folder of once, floor, floor_json and count.so")
    parser.add_argument("folder", help="where the inputs are made and kept")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--large", action="store_true", help="also what takes minutes and gigabytes")
    parser.add_argument("--only", type=int, nargs="*", help="these goals, nothing else")
    parser.add_argument("--peer", action="store_true", help="also the Inspector, duckdb and polars")
    parser.add_argument("--inspector", help="Python that has executorch")
    parser.add_argument("--columns", help="Python that has duckdb, polars and pyarrow")
    parser.add_argument("--write", metavar="MARKDOWN")
    o = parser.parse_args()
    os.makedirs(o.folder, exist_ok=True)
    TOOLS.update({name: os.path.join(o.tools, name) for name in ("once", "floor", "floor_json", "count.so")})
    report = Report()
    b = goals.Bench(o, report)
    goals.all_goals(b, o.only)
    why = "the packages could not be installed" if o.peer else "only with --peer"
    peers = Peers(b, o.inspector if o.peer else None, o.columns if o.peer else None, why)
    peers.all(o.only)
    if not o.only or 14 in o.only:
        Package(b, o.inspector if o.peer else None, why).all()
    if not o.only:
        all_further(b)
    missed = [r for r in report.rows if r[0] and r[-1] == "NOT MET"]
    print(f"{sum(r[-1] == 'met' for r in report.rows if r[0])} rows of goals met, {len(missed)} not met, "
          f"{sum(r[-1].startswith('skipped') for r in report.rows)} skipped")
    if o.write:
        write(o.write, report, machine(o.etcore), o.repetitions)
        if b.series:
            plot(os.path.join(os.path.dirname(o.write), "growth.svg"), b.series)


if __name__ == "__main__":
    main()
