"""A function for each row of the command table: etcore.analyze, etcore.diff, ..."""
from __future__ import annotations

import html
import inspect
import json
import os
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

from . import _library
from ._arrow import TABLES, Table
from ._errors import Error, Note, usage
from ._library import COUNT, FILE, FLAG, LIST, Input, Option, Query, Question

if TYPE_CHECKING:
    import pandas


class Result:
    """The answer to a question.

    ``print(result)`` shows what the program prints; a notebook shows a table.

    Attributes:
        text: the screen.
        status: 0, 1 when a check found something, 11 when it could not tell.
        finding: what it found, or None.
        notes: warnings and notes, in order.
    """

    def __init__(self, ask: _Ask) -> None:
        self._ask = ask
        self._query, self.status, answer = ask(None)
        self.text = answer.decode("utf-8", "replace")
        self.finding: Optional[Note] = self._query.said if self.status else None
        self.notes: List[Note] = self._query.notes()
        self._forms: Dict[str, bytes] = {}

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<etcore.{self._ask.question}: {len(self.text.splitlines())} lines, status {self.status}>"

    def __bool__(self) -> bool:
        """Without a finding."""
        return self.status == 0

    def format(self, name: str) -> bytes:
        """The answer in another format, a word of the option ``output``: "json", "csv", "html", ..."""
        if name not in self._forms:
            self._forms[name] = self._ask(name)[2]
        return self._forms[name]

    def json(self) -> Any:
        """The answer as the JSON document of the command, parsed."""
        return json.loads(self.format("json"))

    def tables(self) -> List[str]:
        """Names of the tables that the answer has."""
        found = []
        for name, number in TABLES.items():
            try:
                self._query._do(_library.library.etcore_table, self._query._q, number, None, None)
            except Error:
                continue
            found.append(name)
        return found

    def arrow(self, table: Optional[str] = None) -> Table:
        """A table with ``__arrow_c_stream__``: polars, DuckDB, pyarrow and pandas take it without a copy.

        Args:
            table: one of :meth:`tables`; default: the first.
        """
        names = self.tables()
        if not names:
            raise usage(f"an answer of {self._ask.question!r} has no table", "see .json()")
        name = names[0] if table is None else table
        if name not in names:
            raise usage(f"no table {name!r}: the answer has {', '.join(names)}")
        return Table(self._query, name)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.arrow().__arrow_c_stream__(requested_schema)

    def to_pandas(self, table: Optional[str] = None) -> pandas.DataFrame:
        """A table as pandas.DataFrame; times in nanoseconds where a column's name ends in _ns."""
        return self.arrow(table).to_pandas()

    def _repr_html_(self) -> str:
        names = self.tables()
        if "rows" not in names:
            return f"<pre>{html.escape(self.text)}</pre>"
        columns = self.arrow("rows").to_pydict()
        shown = {k: v for k, v in columns.items() if any(cell is not None for cell in v)}
        head = "".join(f"<th>{html.escape(k)}</th>" for k in shown)
        rows = "".join("<tr>" + "".join(_cell(v) for v in row) + "</tr>" for row in zip(*shown.values()))
        notes = "".join(f"<li>{html.escape(str(n))}</li>" for n in self.notes)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>" + (notes and f"<ul>{notes}</ul>")


def _cell(value: Any) -> str:
    if value is None:
        return "<td></td>"
    if isinstance(value, list):
        value = "; ".join(map(str, value))
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    text = f"{value:.6g}" if isinstance(value, float) else str(value)
    return f'<td style="text-align:right">{text}</td>' if number else f"<td>{html.escape(text)}</td>"


class _Ask:
    """A question with its inputs and options, which can be asked in several formats."""

    def __init__(self, question: str, operands: Tuple[Any, ...], given: Dict[str, Any]) -> None:
        self.question = question
        self._options: List[Tuple[str, Optional[str]]] = []
        self._inputs: List[Tuple[Optional[str], Input]] = []
        self._operands: List[Any] = []
        known = {_keyword(o.name): o for o in _library.options(question)}
        for name, value in given.items():
            if name not in known:
                raise TypeError(f"{question}() got an unexpected keyword argument {name!r}")
            self._take(known[name], value)
        for k, operand in enumerate(operands):
            self._operands.append(operand if isinstance(operand, (str, os.PathLike))
                                  else Input(operand, f"input {k + 1}"))

    def _take(self, option: Option, value: Any) -> None:
        if value is None or value is False:
            return
        many = isinstance(value, (list, tuple))
        if option.kind == FLAG:
            self._options.append((option.name, None))
        elif option.kind == COUNT:
            self._options += [(option.name, None)] * int(value)
        elif option.kind == FILE and not isinstance(value, (str, os.PathLike)) and not many:
            self._inputs.append((option.name, Input(value, option.name)))
        elif many and option.kind in (LIST, FILE):
            self._options += [(option.name, _word(v)) for v in value]
        else:
            self._options.append((option.name, ",".join(map(_word, value)) if many else _word(value)))

    def __call__(self, form: Optional[str]) -> Tuple[Query, int, bytes]:
        query = Query(self.question)
        # As on the command line: what stands behind some options belongs to them.
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


def _word(value: Any) -> str:
    return "yes" if value is True else os.fsdecode(value) if isinstance(value, os.PathLike) else str(value)


def _keyword(name: str) -> str:
    """An option's name as an identifier."""
    return name.replace("-", "_")


class Function:
    """A question as a function: ``function(*files, **options) -> Result``."""

    def __init__(self, question: Question) -> None:
        self.__name__ = self.__qualname__ = question.name
        self.__module__ = "etcore"
        self._question = question

    def __call__(self, *operands: Any, **options: Any) -> Result:
        return Result(_Ask(self._question.name, operands, options))

    def __repr__(self) -> str:
        return f"<function etcore.{self.__name__}>"

    @property
    def __signature__(self) -> inspect.Signature:
        p = inspect.Parameter
        options = sorted({_keyword(o.name) for o in _library.options(self._question.name)})
        return inspect.Signature(
            [p("operands", p.VAR_POSITIONAL), *(p(n, p.KEYWORD_ONLY, default=None) for n in options if n.isidentifier())],
            return_annotation=Result)

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        q = self._question
        lines = [q.summary[:1].upper() + q.summary[1:] + ".", "", f"As the command: etcore {q.name} {q.usage}", "",
                 "Operands are paths, bytes, binary file objects, or words. Returns an etcore.Result; raises etcore.Error.",
                 "", "Options:"]
        for o in _library.options(q.name):
            kind = {FLAG: "True", COUNT: "a number", LIST: "a list, or one"}.get(o.kind, "")
            words = "|".join(o.choices) or o.argument or kind
            lines.append(f"    {_keyword(o.name)} ({words}): {o.help}")
        return "\n".join(lines)


_functions: Dict[str, Function] = {}


def function(name: str) -> Optional[Function]:
    """The function of a question, or None."""
    if not _functions:
        _functions.update((q.name, Function(q)) for q in _library.questions())
    return _functions.get(name)


def names() -> List[str]:
    """The questions."""
    return [q.name for q in _library.questions()]
