"""TimeScale, as in executorch.devtools.inspector."""
from __future__ import annotations

from enum import Enum


class TimeScale(Enum):
    """Unit of a clock. A member compares equal to executorch's member of the same unit."""

    NS = "ns"
    US = "us"
    MS = "ms"
    S = "s"
    CYCLES = "cycles"

    def __eq__(self, other: object) -> bool:
        return self is other or isinstance(other, Enum) and (type(other).__name__, other.value) == (
            "TimeScale", self.value)

    __hash__ = Enum.__hash__
