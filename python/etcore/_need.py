"""Imports packages that only some functions need."""
from __future__ import annotations

import importlib
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PIP = {"executorch": "executorch torch"}


def need(name: str) -> Any:
    """Imports a package. If it is absent, the ImportError says what to install."""
    try:
        return importlib.import_module(name)
    except ImportError as e:
        root = name.partition(".")[0]
        raise ImportError(f"this needs {root}: pip install {_PIP.get(root, root)}", name=root) from e


def executorch(module: str, name: str) -> Any:
    """Returns ExecuTorch's own object, even if etcore.shim has replaced it."""
    shim = sys.modules.get("etcore.shim")
    original = getattr(shim, "_original", None)
    return original(module, name) if original else getattr(need(module), name)
