"""etcore: shows where an ExecuTorch model spends its time.

``Inspector`` replaces the class of ``executorch.devtools`` and does not need torch: change the import and keep the script.
Every command of the program is a function: ``etcore.analyze("run.etdump", by="module")``, ``etcore.diff``, ...;
``help(etcore.analyze)`` lists its options. No function prints, exits or installs signal handlers; queries of several
threads run in parallel.
"""
from __future__ import annotations

import importlib

from . import _library
from ._errors import Error, Note
from ._inspector import Inspector
from ._scale import TimeScale

TYPE_CHECKING = False  # importing typing takes longer than reading a small dump
if TYPE_CHECKING:
    from typing import List

    from ._arrow import Table
    from ._commands import *  # noqa: F403
    from ._events import Event, EventBlock, PerfData
    from ._questions import Function, Result

__version__ = _library.version()
__all__ = ["Error", "Event", "EventBlock", "Inspector", "Note", "PerfData", "Result", "Table", "TimeScale"]
__all__ += [question.function for question in _library.questions()]
_LATE = {"Event": "_events", "EventBlock": "_events", "PerfData": "_events",
         "Result": "_questions", "Table": "_arrow"}


def _found(name: str) -> Function:
    """Returns a function of the command table, or imports a class that few programs need."""
    if name in _LATE:
        return getattr(importlib.import_module("." + _LATE[name], __name__), name)  # type: ignore[no-any-return]
    meant = ""
    if not name.startswith("_"):
        from ._questions import function
        from ._speech import close

        found = function(name)
        if found is not None:
            return found
        meant = close(name, __all__)
    raise AttributeError(f"module 'etcore' has no attribute {name!r}{meant}")


if not TYPE_CHECKING:  # for type checkers _commands.pyi has the functions
    __getattr__ = _found


def __dir__() -> List[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
