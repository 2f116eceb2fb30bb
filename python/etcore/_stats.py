"""numpy.percentile and numpy.mean of a list; computed here with bit-identical results if numpy is absent."""
from __future__ import annotations

import math
from typing import Any, Callable, Optional, Sequence

_real: Optional[Callable[[float], Any]] = None


def real(value: float) -> Any:
    """Converts a float to the type that numpy returns: numpy.float64 if numpy is installed, else float."""
    global _real
    if _real is None:
        try:
            from numpy import float64
            _real = float64
        except ImportError:
            _real = float
    return _real(value)


def percentile(values: Sequence[float], q: float) -> Any:
    """Returns numpy.percentile(values, q), linearly interpolated."""
    try:
        import numpy
        return numpy.percentile(values, q)
    except ImportError:
        pass
    if not values:
        raise IndexError("index -1 is out of bounds for axis 0 with size 0")
    ordered = sorted(map(float, values))
    if any(map(math.isnan, ordered)):
        return math.nan
    at = (q / 100) * (len(ordered) - 1)
    i = math.floor(at)
    t, a, b = at - i, ordered[i], ordered[min(i + 1, len(ordered) - 1)]
    return a + (b - a) * t if t < 0.5 else b - (b - a) * (1 - t)


def mean(values: Sequence[float]) -> Any:
    """Returns numpy.mean(values)."""
    try:
        import numpy
        return numpy.mean(values)
    except ImportError:
        return (0.0 + _pairwise([float(v) for v in values])) / len(values) if values else math.nan


def _pairwise(v: Sequence[float]) -> float:
    """Adds numbers in the same order as numpy (pairwise summation), so that the sum has the same bits."""
    n = len(v)
    if n < 8:
        total = -0.0
        for x in v:
            total += x
        return total
    if n <= 128:
        r = list(v[:8])
        whole = n - n % 8
        for i in range(8, whole, 8):
            for k in range(8):
                r[k] += v[i + k]
        total = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]))
        for x in v[whole:]:
            total += x
        return total
    half = n // 2
    half -= half % 8
    return _pairwise(v[:half]) + _pairwise(v[half:])
