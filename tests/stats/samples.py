"""samples.py -- makes pairs of samples from a seed: the same on every machine and with every Python 3.

It uses only sums and products of random.random(), so that no library influences the last bit.
"""

import random

NAN, INFINITE = float("nan"), float("inf")


def normal(r):
    return sum(r.random() for _ in range(12)) - 6


def series(r, n, draw):
    return [draw(r, i, n) for i in range(n)]


def autocorrelated(r, n, part):
    out, last = [], 0.0
    for _ in range(n):
        last = part * last + normal(r)
        out.append(100 + last)
    return out


def spiked(r, i, n):
    return (100 + normal(r)) * (20 if r.random() < 0.03 else 1)


# {kind: function that draws a sample (generator, size)}
KINDS = {
    "normal": lambda r, n: series(r, n, lambda r, i, n: 100 + normal(r)),
    "ticks": lambda r, n: series(r, n, lambda r, i, n: float(int(1000000 + 30000 * normal(r)))),
    "microseconds": lambda r, n: series(r, n, lambda r, i, n: 1000.0 * int(20 + 3 * normal(r))),
    "heavy_ties": lambda r, n: series(r, n, lambda r, i, n: float(r.randrange(4))),
    "skewed": lambda r, n: series(r, n, lambda r, i, n: 1 / (0.05 + r.random())),
    "spikes": lambda r, n: series(r, n, spiked),
    "bimodal": lambda r, n: series(r, n, lambda r, i, n: 100 + normal(r) + (12 if r.random() < 0.4 else 0)),
    "drift": lambda r, n: series(r, n, lambda r, i, n: 100 + 5 * i / n + normal(r)),
    "autocorrelated": lambda r, n: autocorrelated(r, n, 0.7),
    "alternating": lambda r, n: autocorrelated(r, n, -0.5),
    "tiny": lambda r, n: series(r, n, lambda r, i, n: 1e-9 * (100 + normal(r))),
    "huge": lambda r, n: series(r, n, lambda r, i, n: float(int(1e15 + 1e13 * normal(r)))),
    "signed": lambda r, n: series(r, n, lambda r, i, n: normal(r)),
    "two_values": lambda r, n: series(r, n, lambda r, i, n: 7.0 if r.random() < 0.9 else 8.0),
    "constant": lambda r, n: [42.0] * n,
    "zero": lambda r, n: [0.0] * n,
    "not_finite": lambda r, n: [r.choice((NAN, INFINITE, -INFINITE, 5.0)) for _ in range(n - 1)] + [NAN],
}
NAMES = list(KINDS)


def size(r, most):
    """Draws a size from 1 to `most`; small sizes are as likely as large ones."""
    n = 1
    while n < most and r.random() < 0.82:
        n *= 2
    return min(most, n + r.randrange(n))


def pair(seed, most=2000):
    """Returns (kind, A, B). B is of the same kind as A, shifted, or of another kind."""
    r = random.Random(seed)
    kind = NAMES[seed % len(NAMES)]
    a, b = (KINDS[kind](r, size(r, most)) for _ in range(2))
    chance = r.random()
    if chance < 0.25:
        b = [x * 1.05 for x in b]
    elif chance < 0.35:
        b = KINDS[r.choice(NAMES[:-1])](r, len(b))
    return kind, a, b
