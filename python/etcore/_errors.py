"""Errors and notes of libetcore as Python objects."""
from __future__ import annotations

import errno
import importlib
from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, NamedTuple, Optional, Tuple, Type, Union

FINDING, NO_VERDICT = 1, 11  # statuses with which a query also returns an answer
IO, CORRUPT, NO_MEMORY = 3, 5, 8
SALVAGED = "W0226"  # status CORRUPT returns an answer only with this code

if TYPE_CHECKING:
    class _Fields(NamedTuple):
        code: str  #: for example "W0551"; ``etcore explain W0551`` describes it
        severity: str  #: "note", "warning" or "error"
        message: str  #: the finding
        hint: str  #: what the user can do, or ""
        file: str  #: name of the input that it is about, or ""
        offset: Optional[int]  #: byte offset in the file
        line: Optional[int]  #: line of a text file, from 1
        status: int  #: exit status of the command-line program for this diagnostic
        times: int  #: how often it occurred
else:
    _Fields = namedtuple("_Fields", "code severity message hint file offset line status times")


class Note(_Fields):
    """A warning or a remark about an answer."""

    __slots__ = ()

    @property
    def place(self) -> str:
        """Returns the location, for example ``"run.etdump: byte 28"``; unknown parts are left out."""
        if self.line is not None:
            return f"{self.file}:{self.line}" if self.file else f"line {self.line}"
        at = "" if self.offset is None else f"byte {self.offset}"
        return ": ".join(filter(None, (self.file, at)))

    def __str__(self) -> str:
        head = f"{self.severity}[{self.code}]: " if self.code else ""
        place = f"{self.place}: " if self.place else ""
        return head + place + self.message + (f"\n  hint: {self.hint}" if self.hint else "")


class Error(Exception):
    """etcore refuses a request; the error has the reason. Where ExecuTorch's class raises a built-in exception, the error
    is also an instance of that exception: ``except ValueError`` continues to work.

    Attributes:
        code: ``"E0201"``; "" for an error of the Python package itself.
        status: the exit status of the program for this error (2 usage, 3 system, 4 format, 5 damage, 6 too new, 7 limit,
            8 memory, 9 plugin, 10 ExecuTorch's Inspector raises here too).
        place: file and byte offset, as far as they are known.
        hint: what to do about it.
    """

    def __init__(self, note: Union[Note, str] = "") -> None:
        if not isinstance(note, Note):
            note = Note("", "error", str(note), "", "", None, None, 2, 1)
        Exception.__init__(self, note.message)  # built-in base classes may require other arguments
        self.note = note
        self.code, self.status, self.place, self.hint = note.code, note.status, note.place, note.hint

    def __str__(self) -> str:
        return str(self.note)

    def __reduce__(self) -> Tuple[Any, Tuple[Note]]:
        return type(self) if type(self) not in (Error, *_classes.values()) else error, (self.note,)


Error.__module__ = "etcore"  # tracebacks then show etcore.Error, not etcore._errors.Error

# {code of etcore: exceptions that ExecuTorch's class raises in that situation}. If there are several, the error is an
# instance of each.
_RAISES: Dict[str, Tuple[str, ...]] = {
    "E0404": ("zipfile.BadZipFile",), "E0405": ("NotImplementedError",), "E0406": ("json.decoder.JSONDecodeError", "TypeError"),
    "E0801": ("ValueError",), "E0802": ("TypeError",), "E0804": ("json.decoder.JSONDecodeError",), "E0805": ("ValueError",),
    "E0806": ("RuntimeError",), "E0807": ("AssertionError",), "E0808": ("AssertionError",), "E0809": ("ValueError",),
    "E0810": ("KeyError",), "E0811": ("AttributeError",), "E0812": ("TypeError",), "E0813": ("KeyError", "AssertionError"),
    "E0814": ("TypeError", "ValueError"), "E0815": ("AttributeError",), "E0816": ("RuntimeError", "IndexError"),
    "E0817": ("RuntimeError", "ValueError"), "E0818": ("RuntimeError",),
    "E0820": ("pickle.UnpicklingError", "zipfile.BadZipFile"), "E0821": ("ValueError", "RuntimeError"),
    "E0822": ("zipfile.BadZipFile", "NotImplementedError"), "E0824": ("TypeError",), "E0825": ("ValueError",),
    "E0895": ("ValueError",), "E0896": ("KeyError",), "E0897": ("ValueError",),
    **dict.fromkeys("E0401 E0402 E0403 E0961 E0962 E0963 E0964 E0965 E0966 E0967 E0968".split(), ("RuntimeError",)),
}
# replaced in a message about a truncated dump: (words for the command line, words for Python)
_SALVAGE = "--salvage of analyze", "salvage=True of the functions analyze"
_STATUS: Dict[int, Tuple[str, ...]] = {IO: ("OSError",), NO_MEMORY: ("MemoryError",)}
_classes: Dict[Tuple[str, ...], Type[Error]] = {}


# {system error text of the C library at the end of a message: errno}
_REASONS = {
    "Operation not permitted": errno.EPERM, "No such file or directory": errno.ENOENT, "Input/output error": errno.EIO,
    "No such device or address": errno.ENXIO, "Permission denied": errno.EACCES, "File exists": errno.EEXIST,
    "Not a directory": errno.ENOTDIR, "Is a directory": errno.EISDIR, "Too many open files in system": errno.ENFILE,
    "Too many open files": errno.EMFILE, "File too large": errno.EFBIG, "No space left on device": errno.ENOSPC,
    "Read-only file system": errno.EROFS, "Broken pipe": errno.EPIPE, "File name too long": errno.ENAMETOOLONG,
    "Too many levels of symbolic links": errno.ELOOP, "Disk quota exceeded": errno.EDQUOT, "Text file busy": errno.ETXTBSY,
    "Stale file handle": errno.ESTALE, "Device or resource busy": errno.EBUSY, "it is a folder": errno.EISDIR,
}


def error(note: Note) -> Error:
    """Returns the exception for a diagnostic."""
    if _SALVAGE[0] in note.message:
        note = note._replace(message=note.message.replace(*_SALVAGE).replace("what-if", "what_if"))
    names = _RAISES.get(note.code) or _STATUS.get(note.status, ())
    reason = next((r for r in _REASONS if note.message.endswith(r)), None) if names == ("OSError",) else None
    if reason is not None:
        names = (type(OSError(_REASONS[reason], reason)).__name__,)  # FileNotFoundError, ...
    if not names:
        return Error(note)
    if names not in _classes:
        bases = (getattr(importlib.import_module(n.rpartition(".")[0] or "builtins"), n.rpartition(".")[2]) for n in names)
        _classes[names] = type("Error", (Error, *bases), {"__module__": Error.__module__, "__doc__": Error.__doc__})
    made = _classes[names](note)
    if isinstance(made, OSError) and reason is not None:
        made.errno, made.strerror, made.filename = _REASONS[reason], reason, note.file or None
    if "json.decoder.JSONDecodeError" in names:
        vars(made).update(msg=note.message, doc="", pos=note.offset or 0, lineno=1, colno=1 + (note.offset or 0))
    import re

    key = re.search("'(.*?)'(?:[;:]|$)", note.message) if names == ("KeyError",) else None
    if key is not None:
        made.args = key.groups()
    return made


def usage(message: str, hint: str = "") -> Error:
    """Returns an error of this Python package, which has no code."""
    return Error(Note("", "error", message, hint, "", None, None, 2, 1))
