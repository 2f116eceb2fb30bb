"""Makes a function for each command of the command table: etcore.analyze, etcore.diff, ..."""
from __future__ import annotations

import inspect
import json
import operator
import os
import re
import stat
import tempfile
from typing import TYPE_CHECKING, Any, Callable, Dict, List, NoReturn, Optional, Tuple

from . import _library
from ._arrow import Table
from ._errors import Error, Note, usage
from ._library import COUNT, FILE, FLAG, LIST, OPTIONAL, Input, Option, Query, Question
from ._need import need
from ._speech import call, close, keyword, note, speak, spoken

if TYPE_CHECKING:
    import pandas


Bytes = bytes  # the built-in type, for use in classes that have a property named bytes


class Result:
    """The answer of a command.

    ``print(result)`` shows the same text as the program; a notebook shows a table.

    Attributes:
        text: the text that the program prints.
        path: the first file that was written (``output="run.pftrace"``), or None.
        status: 0, 1 if a check found something, 11 if it could not decide, 5 if only a part of a truncated file was read
            (``salvage=True``).
        finding: the diagnostic of a status other than 0, or None.
        notes: warnings and notes, in order.
    """

    def __init__(self, ask: _Ask) -> None:
        self._ask = ask
        self._query, self.status, answer = ask(None)
        self._bytes = answer
        self.path: Optional[str] = next(filter(None, map(ask.written, ask.outputs)), None)
        try:
            self.text = answer.decode("utf-8")
        except UnicodeDecodeError:
            shown = ask.question in _IN_MEMORY or any(ask.outputs)
            self.text = f"{len(answer)} bytes that are no text: see .bytes\n" if shown else answer.decode("utf-8", "replace")
        self.finding: Optional[Note] = note(self._query.said, ask.question) if self.status else None
        self.notes: List[Note] = [note(n, ask.question) for n in self._query.notes()]
        self._forms: Dict[str, bytes] = {}
        outputs = ask.outputs
        if len(outputs) == 1 and outputs[0] is not None and re.fullmatch("[a-z0-9]+", outputs[0]):
            self._forms[outputs[0]] = answer

    @property
    def bytes(self) -> Bytes:
        """The answer as bytes, for example in a binary format. If the answer was written to a file, the bytes of that file."""
        if self._bytes or self.path is None or os.path.isdir(self.path):
            return self._bytes
        with open(self.path, "rb") as f:
            return f.read()

    def __reduce__(self) -> NoReturn:
        raise TypeError("an etcore.Result cannot be pickled: it holds the library's answer; hand on .json() or .text")

    def __copy__(self) -> Result:
        return self

    def __deepcopy__(self, memo: Any) -> Result:
        return self

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        shown = f"{len(self.text.splitlines())} lines" if self.text or self.path is None else f"{self.path!r} written"
        return f"<etcore.{keyword(self._ask.question)}: {shown}, status {self.status}>"

    def __bool__(self) -> bool:
        """True if the status is 0."""
        return self.status == 0

    def format(self, name: str) -> Bytes:
        """Returns the answer in another format, a value of the option ``output``: "json", "csv", "html", ...

        The answer is about the same files. `analyze` and `inspector` do not read them again. Other commands do, and
        raise etcore.Error if a file has changed since.
        """
        if not isinstance(name, str):
            raise TypeError(f"a format is a word such as 'json', not {type(name).__name__}")
        if name not in self._forms:
            if self._ask.question in ("analyze", "inspector") and name != "model-explorer":
                try:
                    self._forms[name] = self._query.write(name)
                except Error as e:
                    raise spoken(e, self._ask.question) from None
            else:
                self._forms[name] = self._ask.again(name)
        return self._forms[name]

    def json(self) -> Any:
        """Returns the answer as the command's JSON document, parsed."""
        try:
            data = self.format("json")
        except Error as e:
            if e.code == "E0505":
                forms = e.note.message.partition("the formats are ")[2].partition(";")[0]
                raise usage(f"an answer of {self._ask.question!r} has no JSON",
                            f"its formats are {forms}" if forms else "see .text") from None
            raise
        return json.loads(data)

    def tables(self) -> List[str]:
        """Returns the names of the answer's tables."""
        return list(self._query.tables())

    def _rows(self, table: Optional[str]) -> List[Dict[str, Any]]:
        """Returns a list of the JSON document: the named one, else the only list, else "rows" or "lines"."""
        document = self.json()
        lists = [k for k, v in document.items() if isinstance(v, list) and all(isinstance(row, dict) for row in v)] \
            if isinstance(document, dict) else []
        usual = lists if len(lists) == 1 else ["rows", "lines"]
        names = [table] if table is not None else [n for n in usual if n in lists]
        if not names or names[0] not in lists:
            raise usage(f"an answer of {self._ask.question!r} has no table {'' if table is None else repr(table)}".rstrip(),
                        f"lists of its document are {', '.join(lists)}" if lists else "see .json()")
        return document[names[0]]  # type: ignore[no-any-return]

    def arrow(self, table: Optional[str] = None) -> Table:
        """Returns a table with ``__arrow_c_stream__``: polars, DuckDB, pyarrow and pandas read it without a copy.

        If the answer has no tables, this returns a pyarrow.Table of the list `table` of its JSON document (default: "rows"
        or "lines"), and needs pyarrow.

        Args:
            table: one of :meth:`tables`; default: the first.
        """
        names = self.tables()
        if not names:
            made: Any = need("pyarrow").Table.from_pylist(self._rows(table))
            return made  # type: ignore[no-any-return]
        name = names[0] if table is None else table
        if name not in names:
            raise usage(f"no table {name!r}: the answer has {', '.join(names)}{close(str(name), names)}")
        return Table(self._query, name)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.arrow().__arrow_c_stream__(requested_schema)

    def to_pandas(self, table: Optional[str] = None) -> pandas.DataFrame:
        """Returns a table as pandas.DataFrame; columns whose names end in _ns are times in nanoseconds.

        If the answer has no tables, this returns the list `table` of its JSON document (default: "rows" or "lines").
        """
        if self.tables():
            return self.arrow(table).to_pandas()
        return need("pandas").json_normalize(self._rows(table))

    def _repr_html_(self) -> str:
        """Returns the answer as HTML for a notebook: tables as in a report, an HTML report in a frame, other text as
        printed."""
        from . import _html

        if self.text.startswith("<!doctype html>"):
            return _html.frame(self.text)
        if not self._ask.outputs:
            try:
                return _html.page(self.format("markdown").decode("utf-8"))
            except Error:
                pass  # the command does not have this format, or a file was changed
        return _html.screen(self.text)


class _Ask:
    """A command with its inputs and options, which can be run for several formats."""

    def __init__(self, question: Question, operands: Tuple[Any, ...], given: Dict[str, Any]) -> None:
        self.question = question.name
        self._options: List[Tuple[str, Optional[str]]] = []
        self._inputs: List[Tuple[Optional[str], Input]] = []
        self._operands: List[Any] = []
        self._folder: Optional[tempfile.TemporaryDirectory[str]] = None  # holds inputs that the library accepts only as paths
        known = {keyword(o.name): o for o in _library.options(self.question)}
        self._output = known.get("output")
        for name, value in given.items():
            if name not in known:
                raise TypeError(f"{keyword(self.question)}() got an unexpected keyword argument {name!r}{close(name, known)}")
            self._take(known[name], value)
        if self.question in _KEPT and given.get(_KEPT[self.question]) is None:
            self._options.append(("keep", None))
        if self.question in _IN_MEMORY and not self.outputs:
            self._options.append(("output", _IN_MEMORY[self.question]))
        count = 0
        for operand in _grouped(question, operands):
            count += operand != "--" if isinstance(operand, str) else 1
            self._operands.append(operand if isinstance(operand, (str, os.PathLike)) else Input(operand, f"input {count}"))
        written = {os.path.abspath(path) for path in map(self.written, self.outputs) if path}
        seen = _look([o for o in self._operands if not isinstance(o, Input)]
                     + [v for name, v in self._options if v is not None and name != "output"])
        self._seen = {path: identity for path, identity in seen.items() if os.path.abspath(path) not in written}

    @property
    def outputs(self) -> List[Optional[str]]:
        """Returns the values of the option ``output``."""
        return [value for name, value in self._options if name == "output"]

    def written(self, output: Optional[str]) -> Optional[str]:
        """Returns the file that a value of the option ``output`` names (FORMAT=PATH, or PATH), or None."""
        if self._output is None or self._output.kind != LIST:
            return output
        form, given, path = (output or "").partition("=")
        if given and _FORMAT.fullmatch(form):
            return path
        return output if output and not _FORMAT.fullmatch(output) else None

    def _take(self, option: Option, value: Any) -> None:
        name = keyword(option.name)
        if value is None:
            return
        if option.kind == FLAG:
            if _truth(name, value):
                self._options.append((option.name, None))
            return
        if option.kind == COUNT:
            self._options += [(option.name, None)] * _count(name, value)
            return
        if option.kind == OPTIONAL and _is_bool(value):
            self._options += [(option.name, None)] * bool(value)
            return
        if not _is_bool(value):
            value = _many(value)
        listed = isinstance(value, (list, tuple))
        many = list(value) if listed else [value]
        if option.kind == FILE:
            for v in many:
                if isinstance(v, (str, os.PathLike)):
                    self._options.append((option.name, os.fsdecode(v)))
                else:
                    self._inputs.append((option.name, Input(v, option.name)))
        elif option.kind == LIST:
            self._options += [(option.name, self._path(option, v) if _is_data(v) else _word(option, v)) for v in many]
        else:
            self._options.append((option.name, ",".join(_word(option, v) for v in many) if listed else _word(option, value)))

    def _path(self, option: Option, value: Any) -> str:
        """Writes an input from memory to a temporary file; returns its path."""
        if "FILE" not in option.argument:
            raise TypeError(f"{keyword(option.name)}= takes {option.argument}, not {type(value).__name__}")
        data = Input(value, option.name).data
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="etcore-")
        path = os.path.join(self._folder.name, f"{option.name} {len(os.listdir(self._folder.name)) + 1}")
        with open(path, "wb") as f:
            f.write(data)
        return path

    def __call__(self, form: Optional[str]) -> Tuple[Query, int, bytes]:
        try:
            return self._answer(form)
        except Error as e:
            folder = self._folder.name + os.sep if self._folder else None  # the user does not know this temporary folder
            raise spoken(e, self.question, folder) from None  # hides frames of threads and callbacks

    def _answer(self, form: Optional[str]) -> Tuple[Query, int, bytes]:
        query = Query(self.question)
        # As on the command line, operands that follow some options belong to those options.
        for operand in self._operands:
            if isinstance(operand, Input):
                operand.hand(query, None)
            else:
                query.add(operand)
        for name, value in self._options:
            if form is None or name != "output":
                query.set(name, value)
        if form is not None:
            query.set("output", form)
        for option, given in self._inputs:
            given.hand(query, option)
        status, text = query.text()
        return query, status, text

    def again(self, form: str) -> bytes:
        """Runs the command again, on the same files, for another format."""
        what = f"etcore.{keyword(self.question)}(...)"
        if self._output is None or self._output.kind != LIST:
            raise usage(f"an answer of {self.question!r} has no other form than its text", f"see {what}.text")
        if not _FORMAT.fullmatch(form):
            raise ValueError(f"a format is a word such as 'json', not {form!r}; {what[:-1]}, output=\"FORMAT=PATH\") "
                             "writes a file")
        words = [o for o in self._operands if isinstance(o, str)]
        if words and words[0] in _ONCE.get(self.question, ()):
            raise usage(f"{self.question!r} with {words[0]!r} does something, and is not done twice: ask for the format "
                        f"at once, output={form!r}")
        if form == "model-explorer":
            raise usage("model-explorer is written to files", 'see output="model-explorer=DIR"')
        self._same()
        try:
            answer = self(form)[2]
        except Error:
            self._same()
            raise
        self._same()
        return answer

    def _same(self) -> None:
        """Raises etcore.Error if a file has changed since the answer was made."""
        for path, identity in self._seen.items():
            if identity is _PASSING or identity != _identity(path):
                why = "it can be read once only" if identity is _PASSING else "the file was changed since the answer"
                raise usage(f"{path}: {why}", f"call etcore.{keyword(self.question)} again, with output= for this format")


_PASSING = "a pipe, or the like"
_FORMAT = re.compile("[a-z0-9-]+")
# The format to use in memory for a command that would otherwise write a file next to its input.
_IN_MEMORY = {"trace": "perfetto"}
# The option that names the tables' folder; without it the tables stay in memory.
_KEPT = {"batch": "out"}
# Subcommands that write or measure, and so must not run again for another format.
_ONCE = {"pipeline": ("run", "new", "report"), "plugins": ("new", "check")}
_SIBLINGS = (".etrecord", ".pte", ".bpte", ".ptd", ".bin", ".etdump", ".etdp", ".txt", ".log", ".gz", ".ini", ".json", ".npz")


def _identity(path: str) -> Any:
    """Returns stat fields that change when the file changes; None if it does not exist."""
    if path == "-":
        return _PASSING
    try:
        st = os.stat(path)
    except (OSError, ValueError):
        return None
    if stat.S_ISDIR(st.st_mode):
        return "a folder"
    return (st.st_dev, st.st_ino, st.st_size, st.st_mtime_ns) if stat.S_ISREG(st.st_mode) else _PASSING


def _look(words: List[Any]) -> Dict[str, Any]:
    """Returns {path: identity} of the named files, of files in named folders, and of files beside them that a command may
    read."""
    seen: Dict[str, Any] = {}
    for word in words:
        path = os.fsdecode(word)
        identity = _identity(path)
        if identity is None:
            continue
        seen[path] = identity
        if identity is _PASSING:
            continue
        folder = path if identity == "a folder" else os.path.dirname(path) or os.curdir
        try:
            found = [e.path for e in os.scandir(folder) if e.name.lower().endswith(_SIBLINGS)]
        except OSError:
            continue
        seen.update((p, _identity(p)) for p in found)
    return seen


def _many(operand: Any) -> Any:
    """Converts an iterable of inputs or values (generator, set, pandas.Series, numpy.ndarray) to a list; returns anything
    else unchanged."""
    if _is_bool(operand):
        raise TypeError(f"expected str, bytes or os.PathLike object, not {type(operand).__name__}")  # True would otherwise be taken for descriptor 1
    one = isinstance(operand, (str, os.PathLike, dict)) or _is_data(operand) or not hasattr(operand, "__iter__")
    return operand if one or isinstance(operand, (list, tuple)) else list(operand)


def _grouped(question: Question, operands: Tuple[Any, ...]) -> List[Any]:
    """Flattens the operands and puts "--" between groups. A list is a group; if the command needs two groups, so is each of
    two files."""
    operands = tuple(map(_many, operands))
    listed = [isinstance(o, (list, tuple)) for o in operands]
    needed = re.sub(r"\[.*?\]", "", question.usage).count(" -- ")
    apart = (question.groups and not any(isinstance(o, str) and o == "--" for o in operands)
             and (any(listed) or (needed > 0 and len(operands) == needed + 1)))
    out: List[Any] = []
    for operand, many in zip(operands, listed):
        out += (["--"] if apart and out else []) + (list(operand) if many else [operand])
    return out


def _is_bool(value: Any) -> bool:
    """Returns whether the value is a bool or a numpy.bool_."""
    return type(value).__name__ in ("bool", "bool_")


def _truth(name: str, value: Any) -> bool:
    if _is_bool(value) or (isinstance(value, int) and value in (0, 1)):
        return bool(value)
    raise TypeError(f"{name}= is True or False, not {value!r}")


def _count(name: str, value: Any) -> int:
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{name}= is a number, not {value!r}")
    count = operator.index(value)
    if not 0 <= count < 100:
        raise ValueError(f"{name}= is a number from 0 to 99, not {value!r}")
    return count


def _is_data(value: Any) -> bool:
    return isinstance(value, (bytes, bytearray, memoryview)) or hasattr(value, "read")


def _word(option: Option, value: Any) -> str:
    name = keyword(option.name)
    if _is_bool(value):
        if set(option.choices) == {"yes", "no"}:
            return "yes" if value else "no"
        raise TypeError(f"{name}= takes {'|'.join(option.choices) or option.argument}, not {value!r}")
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    if _is_data(value) or value is None or isinstance(value, (dict, set, list, tuple)):
        raise TypeError(f"{name}= takes {'|'.join(option.choices) or option.argument}, not {type(value).__name__}")
    return str(value)


Function = Callable[..., Result]


def _make(question: Question) -> Function:
    """Makes the Python function of a command: ``function(*files, **options) -> Result``."""

    def function(*operands: Any, **options: Any) -> Result:
        return Result(_Ask(question, operands, options))

    function.__name__ = function.__qualname__ = question.function
    function.__module__ = "etcore"
    function.__doc__ = _help(question)
    function.__signature__ = _signature(question)  # type: ignore[attr-defined]
    return function


def _signature(question: Question) -> inspect.Signature:
    p = inspect.Parameter
    options = sorted((keyword(o.name), False if o.kind == FLAG else 0 if o.kind == COUNT else None)
                     for o in _library.options(question.name) if keyword(o.name).isidentifier())
    return inspect.Signature(
        [p("operands", p.VAR_POSITIONAL), *(p(n, p.KEYWORD_ONLY, default=d) for n, d in options)], return_annotation=Result)


def _help(q: Question) -> str:
    examples = [f"    {made}" for made in map(call, q.examples.splitlines()) if made and "*" not in made]  # no shell expands *
    lines = [q.summary[:1].upper() + q.summary[1:] + ".", "", f"As the command: etcore {q.name} {q.usage}", "",
             "Operands are paths, bytes, binary file objects, or words" + ("; lists of them are groups." if q.groups else ".")
             + " Returns an etcore.Result; raises etcore.Error.", "", *(["Examples:", *examples, ""] if examples else []),
             "Options:"]
    for o in _library.options(q.name):
        kind = {FLAG: "True", COUNT: "a number", LIST: "a list, or one"}.get(o.kind, "")
        words = "|".join(o.choices) or o.argument or kind
        text = speak(o.help, q.name)
        if o.name == "output" and q.name in _IN_MEMORY:
            text = text.partition("; else")[0] + f"; else {_IN_MEMORY[q.name]} in memory, see Result.bytes)"
        lines.append(f"    {keyword(o.name)} ({words}): {text}")
    return "\n".join(lines)


_functions: Dict[str, Function] = {}


def function(name: str) -> Optional[Function]:
    """Returns the function of a command, or None if there is no such command."""
    if name not in _functions:
        for question in _library.questions():
            if question.function == name:
                return _functions.setdefault(name, _make(question))
        return None
    return _functions[name]
