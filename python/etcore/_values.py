"""Makes logged tensors: torch.Tensor if torch is installed, else numpy.ndarray, else memoryview."""
from __future__ import annotations

import math
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional

_CODES = {"uint8": "B", "int8": "b", "bool": "?", "uint16": "H", "int16": "h", "int32": "i", "float32": "f",
          "float64": "d", "int64": "q", "uint32": "I", "uint64": "Q"}


@lru_cache(maxsize=None)
def _installed(name: str) -> bool:
    import importlib.util

    return importlib.util.find_spec(name) is not None


def tensor(dtype: str, shape: List[int], data: Optional[memoryview], requires_grad: bool) -> Any:
    """Makes a tensor that owns its memory.

    Args:
        dtype: name of the element type in numpy and torch.
        shape: sizes of the dimensions; [] for a scalar.
        data: its elements, contiguous; None: zeros.
        requires_grad: property of a torch.Tensor; ignored without torch.
    """
    if _installed("torch"):
        import torch

        kind = getattr(torch, dtype)
        made = torch.frombuffer(bytearray(data), dtype=kind).view(shape) if data else torch.zeros(shape, dtype=kind)
        return made.requires_grad_(requires_grad)
    if _installed("numpy"):
        import numpy

        return numpy.frombuffer(bytearray(data), dtype=dtype).reshape(shape) if data else numpy.zeros(shape, dtype)
    code: Any = _CODES.get(dtype, "B")
    width = memoryview(b"").cast(code).itemsize
    elements = memoryview(bytearray(data) if data else bytearray(width * math.prod(shape)))
    if 0 in shape or dtype not in _CODES:
        return elements.cast(code)  # a memoryview cannot have a shape with a 0
    return elements.cast(code, shape)
