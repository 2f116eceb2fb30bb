"""Tables of an answer: exported to other packages by the Arrow C stream interface (__arrow_c_stream__), and read here."""
from __future__ import annotations

import ctypes as c
import sys

from ._library import Query, library
from ._need import need

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

    import pandas

I64, TEXT = c.c_int64, c.c_char_p


class _Schema(c.Structure):
    pass


class _Array(c.Structure):
    pass


class _Stream(c.Structure):
    pass


_Schema._fields_ = [
    ("format", TEXT), ("name", TEXT), ("metadata", c.c_void_p), ("flags", I64), ("n_children", I64),
    ("children", c.POINTER(c.POINTER(_Schema))), ("dictionary", c.POINTER(_Schema)),
    ("release", c.CFUNCTYPE(None, c.POINTER(_Schema))), ("private_data", c.c_void_p)]
_Array._fields_ = [
    ("length", I64), ("null_count", I64), ("offset", I64), ("n_buffers", I64), ("n_children", I64),
    ("buffers", c.POINTER(c.c_void_p)), ("children", c.POINTER(c.POINTER(_Array))),
    ("dictionary", c.POINTER(_Array)), ("release", c.CFUNCTYPE(None, c.POINTER(_Array))),
    ("private_data", c.c_void_p)]
_Stream._fields_ = [
    ("get_schema", c.CFUNCTYPE(c.c_int, c.POINTER(_Stream), c.POINTER(_Schema))),
    ("get_next", c.CFUNCTYPE(c.c_int, c.POINTER(_Stream), c.POINTER(_Array))),
    ("get_last_error", c.CFUNCTYPE(TEXT, c.POINTER(_Stream))),
    ("release", c.CFUNCTYPE(None, c.POINTER(_Stream))), ("private_data", c.c_void_p)]

_PLAIN = {b"g": "float64", b"l": "int64", b"L": "uint64", b"i": "int32", b"I": "uint32", b"b": "bool"}
_NULLABLE = {b"g": "float64", b"l": "Int64", b"L": "UInt64", b"i": "Int32", b"I": "UInt32", b"b": "boolean"}
_NUMBERS = {b"l": "q", b"L": "Q", b"g": "d", b"I": "I", b"i": "i"}


def _open(query: Query, table: str) -> _Stream:
    _sweep()
    stream = _Stream()
    query._do(library.etcore_arrow, query._q, query.tables()[table], c.byref(stream))
    return stream


# ---- export to other packages

_new_capsule = c.pythonapi.PyCapsule_New
_new_capsule.restype, _new_capsule.argtypes = c.py_object, [c.c_void_p, c.c_char_p, c.c_void_p]
_NAME = b"arrow_array_stream"
_handed: Dict[int, Tuple[Any, _Stream]] = {}


def _uses(entry: Tuple[Any, _Stream]) -> int:
    return sys.getrefcount(entry[0])


_UNUSED = _uses((object(), _Stream()))


def _sweep(handed: Dict[int, Tuple[Any, _Stream]] = _handed, uses: Any = _uses, unused: int = _UNUSED,
           ref: Any = c.byref) -> None:
    """Frees each stream whose capsule is no longer referenced; releases it first if no consumer has taken it over.

    The capsules have no destructor, because a destructor in Python could run while an exception is being raised, and would
    lose the exception.
    """
    for address in list(handed):
        entry = handed.get(address)
        if entry is not None and uses(entry) <= unused and handed.pop(address, None) is not None:
            stream = entry[1]
            if stream.release:
                stream.release(ref(stream))


class Table:
    """A table of an answer, for polars, DuckDB, pyarrow and pandas: ``pyarrow.table(t)``, ``polars.DataFrame(t)``.

    The columns are passed through the Arrow C stream interface, without a copy in Python.
    """

    def __init__(self, query: Query, name: str) -> None:
        self._query, self.name = query, name

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Returns a PyCapsule with a new ArrowArrayStream; `requested_schema` is ignored."""
        stream = _open(self._query, self.name)
        address = c.addressof(stream)
        capsule = _new_capsule(address, _NAME, None)
        _handed[address] = capsule, stream
        return capsule

    def __del__(self, sweep: Any = _sweep) -> None:
        sweep()

    def to_pydict(self) -> Dict[str, List[Any]]:
        """Returns {column name: list of cells}; a blank cell is None."""
        return {name: column.tolist() for name, column in Columns(self._query, self.name).items()}

    def to_pandas(self) -> pandas.DataFrame:
        """Returns a pandas.DataFrame. The types of its columns depend only on the table's schema, not on the cells:
        integers and booleans that can be blank are Int64, UInt64 and boolean; text has pandas' default type for text.
        """
        pandas = need("pandas")
        columns = Columns(self._query, self.name)
        text = pandas.Series(["text"]).dtype
        series = {}
        for name, column in columns.items():
            form, nullable = columns.types[name]
            kind = text if form in (b"U", b"u") else (_NULLABLE if nullable else _PLAIN).get(form, object)
            series[name] = pandas.Series(column.tolist(), dtype=kind)
        return pandas.DataFrame(series)

    def __repr__(self) -> str:
        return f"<etcore table {self.name!r}>"


# ---- reading in this package


class Column:
    """A column of one Arrow batch."""

    def __init__(self, array: _Array, form: bytes, items: Optional[bytes], owner: Any) -> None:
        self._owner = owner  # keeps the buffers alive
        self._form, self._length, self._blanks = form, array.length, array.null_count
        at = [array.buffers[i] for i in range(array.n_buffers)]
        self._valid = self._memory(at[0], (array.length + 7) // 8, "B") if at[0] and array.null_count else None
        self._bits = self._numbers = self._offsets = None
        self._items: Any = None  # the child Column of a list, or the entries of a map
        self._bytes = 0
        if form == b"b":
            self._bits = self._memory(at[1], (array.length + 7) // 8, "B")
        elif form in _NUMBERS:
            self._numbers = self._memory(at[1], array.length, _NUMBERS[form])
        else:
            self._offsets = self._memory(at[1], array.length + 1, "q" if form in (b"U", b"Z", b"+L") else "i")
            if form == b"+m":
                self._items = _Entries(array.children[0][0], owner)
            elif items is not None:
                self._items = Column(array.children[0][0], items, None, owner)
            else:
                self._bytes = at[2] or 0

    @staticmethod
    def _memory(address: Optional[int], count: int, code: str) -> memoryview:
        size = count * {"B": 1, "i": 4, "I": 4}.get(code, 8)
        return memoryview((c.c_char * size).from_address(address) if address and size else b"").cast("B").cast(code)  # type: ignore[call-overload,no-any-return]

    def __len__(self) -> int:
        return self._length  # type: ignore[no-any-return]

    def blank(self, i: int) -> bool:
        """Returns whether cell `i` is blank."""
        return self._valid is not None and not self._valid[i // 8] >> i % 8 & 1

    def is_blank(self) -> bool:
        """Returns whether all cells are blank."""
        return bool(self._blanks == self._length)

    def __getitem__(self, i: int) -> Any:
        if self._valid is not None and not self._valid[i >> 3] >> (i & 7) & 1:
            return None
        if self._numbers is not None:
            return self._numbers[i]
        if self._bits is not None:
            return bool(self._bits[i // 8] >> i % 8 & 1)
        assert self._offsets is not None
        a, b = self._offsets[i], self._offsets[i + 1]
        if self._items is not None:
            items = [self._items[k] for k in range(a, b)]
            return dict(items) if self._form == b"+m" else items
        data = c.string_at(self._bytes + a, b - a) if b > a else b""
        return data.decode("utf-8", "replace") if self._form in (b"U", b"u") else data

    def slice(self, a: int, b: int) -> List[Any]:
        """Returns cells a to b - 1."""
        if self._numbers is not None and self._valid is None:
            return self._numbers[a:b].tolist()
        return [self[i] for i in range(a, b)]

    def view(self, i: int) -> memoryview:
        """Returns a read-only view of the bytes of a cell, without a copy."""
        assert self._offsets is not None
        a, b = self._offsets[i], self._offsets[i + 1]
        array = (c.c_char * (b - a)).from_address(self._bytes + a) if b > a else (c.c_char * 0)()
        array._owner = self._owner  # type: ignore[attr-defined]
        return memoryview(array).cast("B").toreadonly()

    def tolist(self) -> List[Any]:
        """Returns all cells as a list."""
        n = self._length
        if self.is_blank():
            return [None] * n
        if self._form in (b"U", b"u"):
            return self._texts()
        if self._numbers is not None:
            cells: List[Any] = self._numbers.tolist()
        elif self._bits is not None:
            cells = [bool(byte >> k & 1) for byte in self._bits for k in range(8)][:n]
        else:
            return [self[i] for i in range(n)]
        if self._valid is not None:
            return [v if self._valid[i >> 3] >> (i & 7) & 1 else None for i, v in enumerate(cells)]
        return cells

    def numbers(self) -> Sequence[Any]:
        """Returns all cells. If no cell is blank, the result is not a copy and is valid only as long as the table."""
        return self._numbers if self._numbers is not None and self._valid is None else self.tolist()

    def _texts(self) -> List[Any]:
        """Returns the texts of all cells; equal texts share one object."""
        assert self._offsets is not None
        at = self._offsets.tolist()
        data = c.string_at(self._bytes, at[-1]) if at[-1] else b""
        known: Dict[bytes, str] = {}
        out: List[Any] = []
        a = at[0]
        for b in at[1:]:
            raw = data[a:b]
            text = known.get(raw)
            if text is None:
                text = known[raw] = raw.decode("utf-8", "replace")
            out.append(text)
            a = b
        if self._valid is not None:
            return [None if self.blank(i) else t for i, t in enumerate(out)]
        return out


class _Entries(Column):
    """The entries of a map column: pairs (key, value) of texts."""

    def __init__(self, array: _Array, owner: Any) -> None:
        self._keys, self._values = (Column(array.children[i][0], b"U", None, owner) for i in range(2))

    def __getitem__(self, i: int) -> Tuple[Any, Any]:
        return self._keys[i], self._values[i]


class _Batch:
    """An Arrow array that is released when this object is deleted."""

    def __init__(self) -> None:
        self.array = _Array()

    def __del__(self, ref: Any = c.byref) -> None:
        if self.array.release:
            self.array.release(ref(self.array))


class Columns:
    """Reads the columns of a table and finds them by name."""

    def __init__(self, query: Query, name: str) -> None:
        stream = _open(query, name)
        try:
            self._read(stream)
        finally:
            stream.release(c.byref(stream))

    def _read(self, stream: _Stream) -> None:
        schema = _Schema()
        self._check(stream.get_schema(c.byref(stream), c.byref(schema)))
        fields: List[Tuple[str, bytes, Optional[bytes]]] = []
        #: {column name: (format of the Arrow type, whether cells can be blank)}
        self.types: Dict[str, Tuple[bytes, bool]] = {}
        for i in range(schema.n_children):
            f = schema.children[i][0]
            self.types[f.name.decode()] = f.format, bool(f.flags & 2)
            fields.append((f.name.decode(), f.format, f.children[0][0].format if f.n_children else None))
        schema.release(c.byref(schema))
        self._batches: List[_Batch] = []
        while True:
            batch = _Batch()
            self._check(stream.get_next(c.byref(stream), c.byref(batch.array)))
            if not batch.array.release:
                break
            self._batches.append(batch)
        self._columns: Dict[str, Column] = {}
        for i, (name, form, items) in enumerate(fields):
            parts = [Column(b.array.children[i][0], form, items, b) for b in self._batches]
            self._columns[name] = parts[0] if len(parts) == 1 else _Joined(parts)

    @staticmethod
    def _check(failed: int) -> None:
        if failed:
            raise MemoryError()

    def __getitem__(self, name: str) -> Column:
        return self._columns[name]

    def __contains__(self, name: str) -> bool:
        return name in self._columns

    def drop(self, *names: str) -> None:
        """Frees the memory of the named columns."""
        at = list(self.types)
        for name in names:
            del self._columns[name]
            for batch in self._batches:
                child = batch.array.children[at.index(name)]
                child[0].release(child)  # releasing the batch later frees only the other columns

    def items(self) -> Iterator[Tuple[str, Column]]:
        """Returns pairs (name, column), in the order of the table."""
        return iter(self._columns.items())

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()))) if self._columns else 0


class _Joined(Column):
    """A column that consists of the columns of several batches, or of none."""

    def __init__(self, parts: List[Column]) -> None:
        self._parts = parts

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    def blank(self, i: int) -> bool:
        return self[i] is None

    def is_blank(self) -> bool:
        return all(part.is_blank() for part in self._parts)

    def _find(self, i: int) -> Tuple[Column, int]:
        for part in self._parts:
            if i < len(part):
                return part, i
            i -= len(part)
        raise IndexError(i)

    def __getitem__(self, i: int) -> Any:
        part, i = self._find(i)
        return part[i]

    def slice(self, a: int, b: int) -> List[Any]:
        return [self[i] for i in range(a, b)]

    def numbers(self) -> Sequence[Any]:
        return self.tolist()

    def view(self, i: int) -> memoryview:
        part, i = self._find(i)
        return part.view(i)

    def tolist(self) -> List[Any]:
        return [cell for part in self._parts for cell in part.tolist()]
