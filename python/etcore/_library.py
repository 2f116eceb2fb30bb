"""Calls libetcore through ctypes. It uses only the functions of etcore/etcore.h.

ctypes releases the GIL during a call, so queries of several threads run in parallel.
"""
from __future__ import annotations

import _thread
import ctypes as c
import functools
import io
import os
import stat

from ._errors import FINDING, NO_VERDICT, SALVAGED, Error, Note, error, usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

U32, U64, I64, TEXT, POINTER = c.c_uint32, c.c_uint64, c.c_int64, c.c_char_p, c.c_void_p
FLAG, COUNT, TEXT_OPTION, LIST, CHOICE, OPTIONAL, FILE = range(7)
_SEVERITY = ("note", "warning", "error")
_WRITE = c.CFUNCTYPE(c.c_int, POINTER, POINTER, c.c_size_t)


class _Diagnostic(c.Structure):
    _fields_ = [("size", U32), ("status", c.c_int32), ("severity", U32), ("line", U32), ("offset", I64),
                ("count", U64), ("code", TEXT), ("hint", TEXT), ("see", c.c_char * 32), ("file", c.c_char * 1024),
                ("message", c.c_char * 1280)]


class _Question(c.Structure):
    _fields_ = [("size", U32), ("hidden", U32), ("name", TEXT), ("summary", TEXT), ("usage", TEXT),
                ("examples", TEXT), ("groups", U32), ("reserved", U32)]


class _Option(c.Structure):
    _fields_ = [("size", U32), ("kind", U32), ("hidden", U32), ("letter", U32), ("name", TEXT),
                ("argument", TEXT), ("choices", TEXT), ("help", TEXT), ("words", TEXT)]


class _TableInfo(c.Structure):
    _fields_ = [("size", U32), ("number", U32), ("name", TEXT)]


class Question:
    """A command of the command table."""

    def __init__(self, name: str, summary: str, usage: str, examples: str, groups: bool) -> None:
        self.name, self.summary, self.usage, self.examples, self.groups = name, summary, usage, examples, groups

    @property
    def function(self) -> str:
        """Name of the command's Python function."""
        return self.name.replace("-", "_")


class Option:
    """An option of a command."""

    def __init__(self, name: str, kind: int, argument: str, choices: Tuple[str, ...], help: str, letter: str) -> None:
        self.name, self.kind, self.argument = name, kind, argument
        self.choices, self.help, self.letter = choices, help, letter


def _text(b: Optional[bytes]) -> str:
    return b.decode("utf-8", "replace") if b else ""


def _candidates() -> Iterator[str]:
    if os.environ.get("ETCORE_LIBRARY"):
        yield os.environ["ETCORE_LIBRARY"]
        return
    here = os.path.dirname(os.path.abspath(__file__))
    own = os.path.join(here, "lib")
    if os.path.isdir(own):
        names = sorted((name for name in os.listdir(own) if name.startswith("libetcore.so")), key=len)
        yield from (os.path.join(own, name) for name in names)
    checkout = os.path.dirname(os.path.dirname(here))
    if os.path.exists(os.path.join(checkout, "sdk", "include", "etcore", "etcore.h")):
        yield os.path.join(checkout, "build", "libetcore.so.1")
    yield "libetcore.so.1"


def _load() -> c.CDLL:
    found = [p for p in _candidates() if os.sep not in p or os.path.exists(p)]
    for path in found:
        try:
            library = c.CDLL(path)
            break
        except OSError as e:
            failed = e
    else:
        raise ImportError(f"libetcore was not found: {failed if found else os.environ.get('ETCORE_LIBRARY')}")
    for name, arguments in _FUNCTIONS.items():
        function = getattr(library, name)
        function.argtypes = arguments
        function.restype = c.c_int
    library.etcore_query_free.restype = None
    library.etcore_map_files.restype = None
    library.etcore_version.restype = TEXT
    library.etcore_api_version.restype = U32
    return library


_FUNCTIONS: Dict[str, List[Any]] = {
    "etcore_api_version": [], "etcore_version": [],
    "etcore_question": [U32, POINTER], "etcore_option": [TEXT, U32, POINTER],
    "etcore_query_new": [TEXT, POINTER, POINTER], "etcore_query_free": [POINTER],
    "etcore_set": [POINTER, TEXT, TEXT, POINTER], "etcore_add": [POINTER, TEXT, POINTER],
    "etcore_map_files": [POINTER, c.c_int],
    "etcore_add_memory": [POINTER, TEXT, TEXT, POINTER, c.c_size_t, POINTER],
    "etcore_add_descriptor": [POINTER, TEXT, TEXT, c.c_int, POINTER],
    "etcore_run": [POINTER, POINTER, POINTER, POINTER], "etcore_note": [POINTER, U32, POINTER],
    "etcore_write": [POINTER, TEXT, POINTER, POINTER, POINTER],
    "etcore_answer_table": [POINTER, U32, POINTER],
    "etcore_table": [POINTER, U32, POINTER, POINTER, POINTER],
    "etcore_arrow": [POINTER, U32, POINTER, POINTER],
}
library = _load()


def version() -> str:
    """Returns the version of the loaded library."""
    return _text(library.etcore_version())


@functools.lru_cache(maxsize=None)
def questions() -> Tuple[Question, ...]:
    """Returns the command table, without hidden commands."""
    out, q = [], _Question(size=c.sizeof(_Question))
    i = 0
    while library.etcore_question(i, c.byref(q)):
        if not q.hidden:
            out.append(Question(_text(q.name), _text(q.summary), _text(q.usage), _text(q.examples), bool(q.groups)))
        i += 1
    return tuple(out)


@functools.lru_cache(maxsize=None)
def options(question: str) -> Tuple[Option, ...]:
    """Returns the options of a command, without hidden ones."""
    out, o = [], _Option(size=c.sizeof(_Option))
    i = 0
    while library.etcore_option(question.encode(), i, c.byref(o)):
        if not o.hidden:
            choices = tuple(_text(o.choices).split("|")) if o.choices else ()
            out.append(Option(_text(o.name), o.kind, _text(o.argument), choices, _text(o.help),
                              chr(o.letter) if o.letter else ""))
        i += 1
    return tuple(out)


def _note(d: _Diagnostic) -> Note:
    return Note(_text(d.code), _SEVERITY[min(d.severity, 2)], _text(d.message), _text(d.hint), _text(d.file),
                d.offset if d.offset >= 0 else None, d.line or None, d.status, d.count)


def _bytes(text: Any) -> bytes:
    b = os.fsencode(text)
    if b"\0" in b:
        raise ValueError("embedded null byte")
    return b


def _apart(work: Callable[[], int], stopped: List[bool]) -> int:
    """Calls `work` in another thread if this is the main thread, and returns its result. Python runs signal handlers in the
    main thread between any two instructions, even before the first line of a callback, where nothing can catch an exception
    that the handler raises. So the main thread only waits; an exception of a handler sets `stopped` and is raised here when
    `work` has ended.
    """
    import threading

    if threading.current_thread() is not threading.main_thread():
        return work()
    results: List[int] = []
    failed: List[BaseException] = []
    finished: List[bool] = []
    started: List[int] = []
    done = _thread.allocate_lock()
    done.acquire()

    def run() -> None:
        try:
            results.append(work())
        except BaseException as e:
            failed.append(e)
        finally:
            finished.append(True)
            done.release()

    interrupted: Optional[BaseException] = None
    try:
        # One call starts the thread and records it, so that no signal handler can run between the two steps.
        started.extend(map(_thread.start_new_thread, (run,), ((),)))
    except BaseException as e:
        if not started:
            if isinstance(e, RuntimeError) and e.__traceback__ and not e.__traceback__.tb_next:
                return work()  # no thread can be started, for example at interpreter exit
            raise
        interrupted = e
        stopped.append(True)
    while not finished:
        try:
            done.acquire()
        except BaseException as e:
            interrupted = e
            stopped.append(True)
    if interrupted is not None:
        raise interrupted
    if failed:
        try:
            raise failed[0]
        finally:
            failed.clear()  # breaks the reference cycle through the traceback
    return results[0]


class Query:
    """A query of libetcore: a command, its options and inputs. Deleting the object frees it."""

    def __init__(self, question: str) -> None:
        self._err = _Diagnostic(size=c.sizeof(_Diagnostic))
        self._q = c.c_void_p()
        self._kept: List[Any] = []
        self._do(library.etcore_query_new, question.encode(), c.byref(self._q))

    def __del__(self, _free: Callable[[Any], None] = library.etcore_query_free) -> None:
        q, self._q = self.__dict__.get("_q"), c.c_void_p()
        if q:
            _free(q)

    def _do(self, function: Callable[..., int], *arguments: Any, answers: Tuple[int, ...] = (0,)) -> int:
        status = function(*arguments, c.byref(self._err))
        if status not in answers and self._err.code != SALVAGED.encode():
            raise error(_note(self._err)._replace(severity="error", status=status))
        return status

    def set(self, option: str, value: Optional[str] = None) -> None:
        """Sets an option, by its name on the command line; a flag has no value."""
        self._do(library.etcore_set, self._q, option.encode(), None if value is None else _bytes(value))

    def add(self, operand: Any) -> None:
        """Adds an operand: a path, or a word."""
        self._do(library.etcore_add, self._q, _bytes(operand))

    def add_bytes(self, option: Optional[str], name: str, data: Any) -> None:
        """Adds an input from memory: bytes, bytearray, memoryview, mmap. Only bytes are used without a copy."""
        view = memoryview(data).cast("B")
        if not isinstance(data, bytes):
            view = memoryview(bytes(view))
        pointer = c.cast(c.c_char_p(view.obj if isinstance(view.obj, bytes) else bytes(view)), POINTER)
        self._kept.append(view)
        self._do(library.etcore_add_memory, self._q, option and option.encode(), _bytes(name), pointer, len(view))

    def add_descriptor(self, option: Optional[str], name: str, descriptor: int) -> None:
        """Adds an input from an open descriptor, which is read at once."""
        self._do(library.etcore_add_descriptor, self._q, option and option.encode(), _bytes(name), descriptor)

    def run(self) -> int:
        """Runs the query; its tables can be read afterwards. Returns the status if there is an answer: 0, a finding, no
        verdict, or a salvaged dump."""
        return self._do(library.etcore_run, self._q, None, None, answers=(0, FINDING, NO_VERDICT))

    def text(self) -> Tuple[int, bytes]:
        """Runs the query; returns its status and text."""
        return self._pieces(library.etcore_run, answers=(0, FINDING, NO_VERDICT))

    def tables(self) -> Dict[str, int]:
        """Returns {name of a table of the answer: its number}."""
        out: Dict[str, int] = {}
        t = _TableInfo(size=c.sizeof(_TableInfo))
        while library.etcore_answer_table(self._q, len(out), c.byref(t)):
            out[_text(t.name)] = t.number
        return out

    def write(self, form: str) -> bytes:
        """Returns the answer in another format, without reading a file again."""
        return self._pieces(library.etcore_write, form.encode())[1]

    def _pieces(self, function: Callable[..., int], *arguments: Any, answers: Tuple[int, ...] = (0,)) -> Tuple[int, bytes]:
        pieces: List[bytes] = []
        raised: List[BaseException] = []
        stopped: List[bool] = []

        def take(_: Any, data: int, size: int) -> int:
            try:
                pieces.append(c.string_at(data, size))
            except BaseException as e:  # ctypes would print the exception and continue
                raised.append(e)
            return 1 if raised or stopped else 0

        write = _WRITE(take)

        def work() -> int:
            return self._do(function, self._q, *arguments, c.cast(write, POINTER), None, answers=answers)

        try:
            status = _apart(work, stopped)
        except Error:
            if raised:
                raise raised[0] from None
            raise
        return status, b"".join(pieces)

    @property
    def said(self) -> Note:
        """Returns the diagnostic of the last call, for example the finding."""
        return _note(self._err)

    def notes(self) -> List[Note]:
        """Returns the warnings and notes of the last run, in order."""
        out: List[Note] = []
        d = _Diagnostic(size=c.sizeof(_Diagnostic))
        while library.etcore_note(self._q, len(out), c.byref(d)):
            out.append(_note(d))
        return out


class Input:
    """A file given as path, descriptor, bytes or file object, which can be added to several queries."""

    def __init__(self, given: Any, name: str, named: bool = False, keep: bool = False) -> None:
        """`named`: bytes are a path, as for open(). `keep`: keep the file open for contents()."""
        self._kept: Optional[int] = None
        self.path: Optional[str] = None
        self.data: Any = None
        self._stat: Optional[Tuple[int, int, int]] = None
        self.name = name
        if isinstance(given, (bytes, bytearray, memoryview)) and not named:
            self.data = given if isinstance(given, bytes) else bytes(given)
        elif hasattr(given, "read"):
            self.data = "" if isinstance(given, io.TextIOBase) else given.read()
            if isinstance(self.data, str):
                raise TypeError("a file object must be opened in binary mode")
        else:
            if not isinstance(given, (str, bytes, int, os.PathLike)):  # open() takes other integers for descriptors, and closes them
                raise TypeError(f"expected str, bytes or os.PathLike object, not {type(given).__name__}")
            with open(given, "rb") as f:  # raises the same exceptions as ExecuTorch's class
                st = os.fstat(f.fileno())
                if isinstance(given, int) or not stat.S_ISREG(st.st_mode):
                    self.data = f.read()
                else:
                    self.name = self.path = os.fsdecode(given)
                    self._stat = self._identity(st)
                    if keep:
                        try:
                            self._kept = os.dup(f.fileno())
                        except OSError:
                            pass  # too many open files

    def __del__(self) -> None:
        if getattr(self, "_kept", None) is not None:
            os.close(self._kept)  # type: ignore[arg-type]

    def __getstate__(self) -> Dict[str, Any]:
        return {**vars(self), "_kept": None}  # a descriptor belongs to this process and object

    @staticmethod
    def _identity(st: os.stat_result) -> Tuple[int, int, int]:
        return st.st_ino, st.st_size, st.st_mtime_ns

    def unchanged(self) -> bool:
        """Returns whether inode, size and modification time of the file are those at the first read."""
        if self.path is None:
            return True
        try:
            return self._identity(os.stat(self.path)) == self._stat
        except OSError:
            return False

    def contents(self) -> bytes:
        """Returns the bytes of the file as given, even if it was removed or replaced since."""
        if self.path is None:
            return bytes(self.data)
        fd = os.open(self.path, os.O_RDONLY) if self._kept is None else os.dup(self._kept)
        try:  # pread() with explicit offsets, because threads share the descriptor's position
            size, piece = os.fstat(fd).st_size, 1 << 30
            data = b"".join(os.pread(fd, piece, at) for at in range(0, size, piece))
            if self._identity(os.fstat(fd)) == self._stat:
                return data
        finally:
            os.close(fd)
        raise usage(f"{self.path}: the file was changed since it was read", "make a new Inspector")

    def hand(self, query: Query, option: Optional[str]) -> None:
        """Adds the file to a query as an input."""
        if self.path is None:
            query.add_bytes(option, self.name, self.data)
            return
        with open(self.path, "rb") as f:
            query.add_descriptor(option, self.name, f.fileno())


__all__ = ["Input", "Option", "Query", "Question", "options", "questions", "version"]
