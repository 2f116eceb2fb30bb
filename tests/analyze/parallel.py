#!/usr/bin/env python3
"""parallel.py --etcore PROGRAM --plugin TIMED [--seed N] -- tests the share of a row of parallel events, on generated
dumps.

The share must be the time of the row's valid events divided by the time of the DELEGATE_CALLs that contain one, each call
counted once per run. It is computed here from the generated events, some of which are invalid in some runs. Parts of an
event are not subtracted from it; an event inside another event of the same row is counted with that one."""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "tools"))
import make_calls  # noqa: E402


def made(rnd):
    """Returns the runs of a dump, and {row name: share}."""
    calls = [[(rnd.choice("abc"), rnd.randrange(k) if k and rnd.random() < .4 else None) for k in range(rnd.randint(1, 5))]
             for _ in range(rnd.randint(1, 4))]
    runs, time, around = [], {}, {}
    for _ in range(rnd.choice((1, 3, 40))):
        events, now = [], 0
        for c, names in enumerate(calls):
            begin, now, seen, inside = now, now + rnd.randint(100, 1000), set(), []
            for name, parent in names:
                start = rnd.randint(1, 10**6)
                end = start - 1 if rnd.random() < .05 else start + rnd.randint(0, 500)
                part = "" if parent is None else f" in={parent}"
                events.append(("", f"{name} unit=ns dur=parallel{part}", b"", c, start, end))
                around_it = set() if parent is None else inside[parent]
                inside.append(around_it | ({name} if end >= start else set()))
                if end >= start:
                    time[name] = time.get(name, 0) + (0 if name in around_it else end - start)
                    seen.add(name)
            for name in seen:
                around[name] = around.get(name, 0) + now - begin
            events.append(("DELEGATE_CALL", None, b"", c, begin, now))
        events.append(("Method::execute", None, b"", -1, 0, now + 5))
        runs.append(events)
    return runs, {name: float(Fraction(time[name], around[name])) for name in time}


def shares(args, path, more):
    done = subprocess.run([args.etcore, "analyze", path, "--no-siblings", "--plugin", args.plugin, "--warmup", "0",
                           "-o", "json", *more], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=True)
    answer = json.loads(done.stdout)
    summed = [r["name"] for r in answer["rows"] if not r["detached"]]
    return summed, {r["name"]: r["share"] for r in answer["rows"] if r["columns"].get("why") == "in parallel"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--etcore", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.etdump")
        for seed in range(args.seed, args.seed + 12):
            runs, want = made(random.Random(seed))
            with open(path, "wb") as f:
                f.write(make_calls.make(runs))
            for more in (["--stat", "mean"], ["--stat", "mean", "--isolate"]):
                summed, got = shares(args, path, more)
                if got != want or set(summed) & set("abc"):
                    bad += 1
                    print(f"seed {seed} {' '.join(more)}: {got}, made for {want}; summed up: {summed}")
    print(f"24 answers, {bad} wrong")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
