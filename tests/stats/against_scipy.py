#!/usr/bin/env python3
"""against_scipy.py --tool PROGRAM [--samples N] [--intervals N] [--record FILE]

Compares every statistic of core/stats with scipy (diptest for the dip test) on N seeded pairs of samples (samples.py) with
ties, 1 to 2,000 values, constants, zeros, NaN and infinities, through statistics_tool. Prints the largest deviation of each
statistic. Needs numpy, scipy and diptest.

--record writes scipy's results for the smaller pairs; recorded.py compares with them without scipy.
"""

import argparse
import json
import math
import subprocess
import sys
import warnings

import numpy as np
from diptest import dipstat, diptest
from scipy import special, stats

from agreement import Agreement, ask
from samples import pair

warnings.simplefilter("ignore")

# {statistic: largest accepted relative deviation}. Both sides round, and a p-value far in the tail is computed from a
# difference of logarithms.
TOLERANCE = {"t_quantile": 1e-9, "t_two_sided": 1e-10, "asymptotic": 1e-10, "auto": 1e-10, "mk_p": 1e-10,
             "lag1": 1e-9, "effective": 1e-7, "bca": 1e-9, "welch": 1e-8}


def typical(x, axis=-1):
    """Returns the mean of each row's values within 3 x 1.4826 median absolute deviations of the median; of all values if
    there are at most three."""
    x = np.sort(np.moveaxis(np.asarray(x, dtype=float), axis, -1))  # sorted, so that the order of the values does not change the last bits of the sum
    n = x.shape[-1]
    if n < 4:
        return np.mean(x, axis=-1)

    def middle_two(v):
        v = np.partition(v, [(n - 1) // 2, n // 2], axis=-1)
        return v[..., (n - 1) // 2, None] + v[..., n // 2, None]
    away = np.abs(2 * x - middle_two(x))
    return np.mean(x, axis=-1, where=20000 * away <= 44478 * middle_two(away))


STATS = {"typical": typical, "mean": np.mean, "median": np.median}


def dependence(x, lags):
    """Returns 1 + 2 sum of r_k over Geyer's initial positive sequence; None if the sequence does not end before lag `lags`."""
    n, d = len(x), x - x.mean()
    total, k = 1 + float(d[:-1] @ d[1:]) / float(d @ d), 2
    while k + 1 < n:
        both = float(d[:n - k] @ d[k:] + d[:n - k - 1] @ d[k + 1:]) / float(d @ d)
        if both <= 0:
            break
        if k >= lags:
            return None
        total, k = total + both, k + 2
    return max(1.0, 2 * total - 1)


def effective(x):
    n, d = len(x), x - x.mean()
    time = dependence(x, 64 if n > 512 else n)
    if time is None:
        width = -(-n // 512)
        means = x[:n // width * width].reshape(-1, width).mean(axis=1)
        time = max(1.0, dependence(means, n) * width * means.var() / x.var())
    r = float(d[:-1] @ d[1:]) / float(d @ d)
    r += (1 + 4 * r) / n
    bound = n * max(0.0, 1 - r) / (1 + r) if r > 0 else n
    return max(1.0, min(bound, n / time))


def of_one(x):
    if len(x) == 0 or not np.isfinite(x).all():
        return {}
    n = len(x)
    constant = n == 0 or x.min() == x.max()
    want = {"typical": float(typical(x)), "mean": float(np.mean(x)), "median": float(np.median(x))}
    if n >= 4 and not constant:
        d = x - x.mean()
        want["lag1"] = float(d[:-1] @ d[1:]) / float(d @ d)
        want["effective"] = effective(x)
        want["dip"] = float(dipstat(x))
        want["dip_p"] = float(diptest(x)[1])
    if n >= 3 and not constant:
        s = sum(float(np.sign(x[k:] - x[:n - k]).sum()) for k in range(1, n))
        tau = stats.kendalltau(np.arange(n), x, method="asymptotic")
        _, counts = np.unique(x, return_counts=True)
        ties = sum(int(c) * (int(c) - 1) * (2 * int(c) + 5) for c in counts)
        variance = (n * (n - 1) * (2 * n + 5) - ties) / 18
        want["mk_s"], want["mk_variance"] = s, variance
        want["mk_z"] = (s - math.copysign(1, s)) / math.sqrt(variance) if s else 0.0
        want["mk_p"] = float(2 * stats.norm.sf(abs(want["mk_z"])))
        # scipy's Kendall test has the same S and variance, but no continuity correction.
        assert abs(2 * stats.norm.sf(abs(s) / math.sqrt(variance)) - tau.pvalue) < 1e-9
    if 2 <= n <= 2000:
        line = stats.theilslopes(x)
        want["slope"] = float(line.slope)
    return want


def u_rank(m, n):
    """Returns the rank of the ends of Moses's interval, from scipy's exact distribution of U or its normal approximation."""
    if not (min(m, n) <= 8 or max(m, n) <= 50):
        return max(0, math.floor(m * n / 2 + special.ndtri(0.025) * math.sqrt(m * n * (m + n + 1) / 12)))
    ways = np.array([1.0])
    few, many = min(m, n), max(m, n)
    for i in range(1, few + 1):  # Gaussian binomial coefficients, in floating point: long division
        top = np.zeros(many + i + 1)
        top[0], top[-1] = 1, -1
        ways = np.convolve(ways, top)
        out = np.zeros(len(ways) - i)
        for k in range(len(out)):
            out[k] = ways[k] + (out[k - i] if k >= i else 0)
        ways = np.round(out)
    return int(np.searchsorted(np.cumsum(ways / math.comb(m + n, few)), 0.025, side="right"))


def of_pair(a, b):
    if not (len(a) and len(b) and np.isfinite(a).all() and np.isfinite(b).all()):
        return {}
    m, n = len(a), len(b)
    both = np.concatenate([a, b])
    ties = len(np.unique(both)) < m + n
    auto = stats.mannwhitneyu(b, a)
    want = {"u": float(auto.statistic), "auto": min(1.0, float(auto.pvalue)),
            "asymptotic": min(1.0, float(stats.mannwhitneyu(b, a, method="asymptotic").pvalue))}
    if not ties and m * n <= 2500 and math.comb(m + n, m) < 2 ** 63:
        want["exact"] = float(stats.mannwhitneyu(b, a, method="exact").pvalue)
    if min(m, n) >= 2 and m + n <= 50 and math.comb(m + n, m) <= 3000:
        every = stats.PermutationMethod(n_resamples=10 ** 6)
        want["permutation"] = float(stats.mannwhitneyu(b, a, method=every).pvalue)
    d = np.subtract.outer(b, a).ravel()
    d.sort()
    want["shift"] = float(np.median(d))
    if m + n <= 110 or min(m, n) > 50:
        k = u_rank(m, n)
        want["k"] = float(k)
        if k:
            want["shift_low"], want["shift_high"] = float(d[k - 1]), float(d[len(d) - k])
    return want


def compare_pairs(tool, count, agreement, record):
    recorded = []
    for first in range(0, count, 500):
        pairs = [pair(seed) for seed in range(first, min(count, first + 500))]
        answers = ask(tool, ["--rounds", "0"], [[len(a), len(b), *a, *b] for _, a, b in pairs])
        for seed, ((kind, a, b), got) in enumerate(zip(pairs, answers), first):
            want = {"a": of_one(np.array(a)), "b": of_one(np.array(b)), "pair": of_pair(np.array(a), np.array(b))}
            agreement.pair(f"{kind} {seed}", got, want, a, b)
            if record and len(a) + len(b) <= 3000 and len(recorded) < record:
                recorded.append({"seed": seed, **want})
    return recorded


def compare_distributions(tool, agreement):
    r = np.random.default_rng(1)
    lines = [[r.uniform(1e-12, 1 - 1e-12) ** r.choice([1, 8]), r.choice([0.5, 1, 1.5, 3, 7.3, 30, 400, 5000]) * r.uniform(1, 2),
              r.uniform(0, 9), r.uniform(0, 1)] for _ in range(2000)]
    for (p, a, b, x), got in zip(lines, ask(tool, ["--distribution"], lines)):
        want = {"normal_quantile": special.ndtri(p), "normal_cdf": special.ndtr(b), "t_quantile": stats.t.ppf(p, a),
                "t_two_sided": 2 * stats.t.sf(b, a)}
        for name, value in want.items():
            if abs(value) > 1e-100 or got[name] > 1e-100:
                agreement.number(name, f"{p} {a} {b} {x}", got[name], float(value))


def compare_holm(tool, agreement):
    r = np.random.default_rng(2)
    lines = [np.round(r.uniform(0, 1, r.integers(1, 60)) ** r.choice([1, 6]), 5) for _ in range(300)]
    for p, got in zip(lines, ask(tool, ["--holm"], [[len(p), *p] for p in lines])):
        order, least = np.argsort(p, kind="stable"), 0.0
        for rank, i in enumerate(order):
            least = max(least, min(1.0, float(p[i]) * (len(p) - rank)))
            agreement.number("holm", str(p), got[i], least)


def compare_bca(tool, agreement):
    """Compares the BCa formula: scipy's interval with ours, computed from scipy's bootstrap replicates."""
    r = np.random.default_rng(3)
    for which, name in enumerate(STATS):
        stat = STATS[name]
        for _ in range(25):
            a, b = (r.lognormal(0, 0.3, r.integers(3, 40)) for _ in range(2))
            have = stats.bootstrap((a, b), lambda x, y, axis=-1: stat(y, axis=axis) - stat(x, axis=axis), n_resamples=999,
                                   method="BCa", rng=np.random.default_rng(r.integers(1 << 30)))
            got = ask(tool, ["--bca"], [[which, 999, len(a), len(b), *have.bootstrap_distribution, *a, *b]])[0]
            interval = have.confidence_interval
            if np.isfinite(interval.low) and np.isfinite(interval.high):
                agreement.number("bca", f"{name} {a} {b}", got["low"], interval.low)
                agreement.number("bca", f"{name} {a} {b}", got["high"], interval.high)


def compare_intervals(tool, count, agreement):
    """Compares intervals with our own random draws. The ends depend on the seed, so their distance is measured in standard
    errors; the limit is 6 times scipy's own spread."""
    r = np.random.default_rng(4)
    cases = []
    for i in range(count):
        m, n = (int(x) for x in r.choice([8, 12, 20, 35, 60, 100, 250, 399, 401, 600, 1000, 2000], 2))
        draw = [lambda n: r.lognormal(3, 0.05, n), lambda n: r.lognormal(3, 0.6, n), lambda n: np.floor(r.normal(40, 4, n)),
                lambda n: r.normal(100, 2, n) * (1 + 3 * (r.uniform(size=n) < 0.02))][i % 4]
        cases.append((draw(m), draw(n)))
    answers = ask(tool, ["--rounds", "10000"], [[len(a), len(b), *a, *b] for a, b in cases])
    for (a, b), got in zip(cases, answers):
        for name, stat in STATS.items():
            if got[name]["method"] != 1:  # our interval was widened because of chance autocorrelation, which scipy does not do
                continue
            for low, high, of in (("low", "high", lambda x, y, axis=-1: stat(y, axis=axis) - stat(x, axis=axis)),
                                  ("ratio_low", "ratio_high", lambda x, y, axis=-1: stat(y, axis=axis) / stat(x, axis=axis))):
                ends = []
                for seed in range(3):
                    have = stats.bootstrap((a, b), of, n_resamples=9999, method="BCa", batch=500, rng=np.random.default_rng(seed))
                    ends.append(have.confidence_interval)
                ends = np.array(ends)
                if not np.isfinite(ends).all():  # all jackknife values are equal, so scipy divides zero by zero
                    continue
                step = 0.5 * np.ptp(np.unique(np.round(have.bootstrap_distribution, 12))[:2]) if name == "median" else 0
                for k, end in enumerate((low, high)):
                    mean, sd = ends[:, k].mean(), ends[:, k].std(ddof=1)
                    allowed = 6 * max(sd, 0.035 * have.standard_error) + 4 * step
                    agreement.bounded(f"BCa ends, {name}", f"{len(a)} {len(b)}", abs(got[name][end] - mean) / have.standard_error,
                                      allowed / have.standard_error)


def compare_dumps(tool, agreement):
    """For dumps of equal size, the interval of means must be Welch's interval of the dumps' means, if these differ enough.
    A group of two dumps uses the spread of the other group if that has three or more."""
    r = np.random.default_rng(5)
    for _ in range(200):
        j, k, n = r.integers(2, 7), r.integers(2, 7), 30
        a = [r.normal(100 + r.normal(0, 5), 1, n) for _ in range(j)]
        b = [r.normal(100 + r.normal(0, 5), 1, n) for _ in range(k)]
        got = ask(tool, ["--dumps"], [[j, k, *[n] * (j + k), *np.concatenate(a + b)]])[0]
        x, y = [np.mean(v) for v in b], [np.mean(v) for v in a]
        between = [np.var(v, ddof=1) / len(v) for v in (x, y)]
        within = [np.var(np.concatenate(v), ddof=1) / (len(v) * n) for v in (b, a)]
        if any(w > v for v, w in zip(between, within)):
            continue
        if (j < 3) != (k < 3):
            # Two dumps do not measure a spread: the other group's spread is used.
            one = max(np.var(v, ddof=1) for v in (y, x) if len(v) >= 3)
            means = [max(one / len(v), b) for v, b in zip((x, y), between)]
            freedom, sd = max(j, k) - 1, np.sqrt(sum(means))
            difference, by = np.mean(x) - np.mean(y), stats.t.ppf(0.975, freedom) * sd
            p, low, high = 2 * stats.t.sf(abs(difference) / sd, freedom), difference - by, difference + by
        else:
            welch = stats.ttest_ind(x, y, equal_var=False)
            interval = welch.confidence_interval(0.95)
            p, low, high = welch.pvalue, interval.low, interval.high
        low = max(low, -np.mean(y))  # a time cannot fall by more than all of it
        for name, value, want in (("welch", got["p"], p), ("welch", got["low"], low), ("welch", got["high"], high)):
            agreement.number(name, f"{x} {y}", value, float(want))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("--samples", type=int, default=10000)
    parser.add_argument("--intervals", type=int, default=40)
    parser.add_argument("--record")
    parser.add_argument("--recorded", type=int, default=0, help="how many pairs to record")
    o = parser.parse_args()
    agreement = Agreement(TOLERANCE)
    recorded = compare_pairs(o.tool, o.samples, agreement, o.recorded if o.record else 0)
    if o.record:
        with open(o.record, "w", encoding="utf-8") as f:
            json.dump(recorded, f, separators=(",", ":"))
        return 0
    compare_distributions(o.tool, agreement)
    compare_holm(o.tool, agreement)
    compare_bca(o.tool, agreement)
    compare_dumps(o.tool, agreement)
    compare_intervals(o.tool, o.intervals, agreement)
    return agreement.report(f"{o.samples} pairs of samples")


if __name__ == "__main__":
    sys.exit(main())
