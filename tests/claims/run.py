#!/usr/bin/env python3
"""Tries to make each claim of docs/claims.md false.

    tests/claims/run.py --etcore build/etcore [--share 0.1] [--seed N] [--keep] [CLAIM...]

Each claim has a generator in a claim_*.py in this folder (see lab.py). Prints one line per claim: the number of trials, and
how often the claim was true, not printed, or a lie. The exit status is 1 if a claim lied more often than its error rate
allows, or was printed too seldom for the trials to show anything. words.py checks that each claim has its generator.
"""
import argparse
import concurrent.futures
import math
import multiprocessing
import os
import signal
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import lab  # noqa: E402
from share import SHARE, share  # noqa: E402

MOST_SKIPS = 20  # most skipped seeds per ten trials


def one_trial(etcore, name, seed):
    """Runs one trial in a process of the pool, which has inherited the claims from its parent."""
    one = next(c for c in lab.CLAIMS if c.name == name)
    return (seed, *lab.trial(etcore, one, seed))


def run_claim(pool, etcore, one, share, seed):
    """Runs the required number of trials; a skipped seed is replaced by another. Returns [(seed, outcome, text)]."""
    wanted, results = max(10, round(one.trials * share)), []
    first, tried = seed, 0
    while len(results) < wanted and tried < wanted * MOST_SKIPS // 10 + wanted:
        batch = range(first, first + wanted - len(results))
        done = pool.map(one_trial, *zip(*((etcore, one.name, s) for s in batch)), chunksize=8)
        results += [r for r in done if r[1] != "skip"]
        first += len(batch)
        tried += len(batch)
    return results


def most_lies(n, rate, whole):
    """Returns the number of lies that n trials may have. If they are not all trials of the claim, chance may exceed n * rate;
    the limit is then exceeded in only one campaign in a hundred."""
    if whole:
        return rate * n
    k, beyond = 0, 1 - (1 - rate) ** n
    while beyond > 0.01:
        k += 1
        beyond -= math.comb(n, k) * rate ** k * (1 - rate) ** (n - k)
    return k


def least_true(n, rate, whole):
    """Returns how many of n trials must print the claim. If they are not all trials of the claim, chance alone may leave fewer
    than n * rate; fewer than the limit are then left in only one campaign in a hundred."""
    if whole:
        return rate * n
    k, fewer = 0, (1 - rate) ** n
    while fewer <= 0.01:
        k += 1
        fewer += math.comb(n, k) * rate ** k * (1 - rate) ** (n - k)
    return k


def judge(one, results):
    """Returns (the line to print, whether the claim holds)."""
    count = {k: sum(r[1] == k for r in results) for k in (lab.TRUE, lab.SILENT, "lie")}
    n = len(results)
    whole = n >= one.trials
    faults = []
    if count["lie"] > most_lies(n, one.at_most, whole):
        faults.append(f"{count['lie']} lies")
    if count[lab.TRUE] < least_true(n, one.power, whole) or n == 0:
        faults.append("speaks too seldom")
    line = f"{one.name:<28} {n:5d} trials {count[lab.TRUE]:5d} true {count[lab.SILENT]:5d} silent {count['lie']:5d} lies"
    return line + ("   FAIL: " + ", ".join(faults) if faults else ""), not faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--etcore", default="build/etcore")
    parser.add_argument("--share", type=float, default=1.0, help="of the trials (1)")
    parser.add_argument("--seed", type=int, default=0, help="the first seed (0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("claims", nargs="*", help="only these (all)")
    options = parser.parse_args()
    # A process started in the background ignores SIGINT, and so do its children; but generators send SIGINT to them.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    names = lab.load()
    bad = [f"two generators for {n}" for n in sorted({n for n in names if names.count(n) > 1})]
    bad += [f"unknown claim {n}" for n in options.claims if n not in names]
    good = 0
    fork = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(options.jobs, mp_context=fork) as pool:
        for one in [c for c in lab.CLAIMS if c.name in options.claims] if options.claims else share(lab.CLAIMS, 5):
            results = run_claim(pool, options.etcore, one, options.share / SHARE, options.seed)
            line, fine = judge(one, results)
            print(line, flush=True)
            good += fine
            bad += [] if fine else [one.name]
            for seed, _, text in [r for r in results if r[1] == "lie"][:5]:
                print(f"    seed {seed}: {text}")
    for text in bad:
        print(f"FAIL {text}")
    print(f"{good} claims stand, {len(bad)} do not")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
