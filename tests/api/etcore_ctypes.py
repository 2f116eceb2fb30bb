"""Calls libetcore through ctypes, as an example of a binding for another language.

It uses only etcore/etcore.h, and the C structs of Arrow.
"""
import ctypes as c

U32, U64, I64, TEXT = c.c_uint32, c.c_uint64, c.c_int64, c.c_char_p
ROWS, PATHS, RUNS, EVENTS, SAMPLES, ALLOCATIONS, FILES, BLOCKS, INSPECTED, INSPECTED_SAMPLES, VALUES = range(11)
WRITE = c.CFUNCTYPE(c.c_int, c.c_void_p, c.POINTER(c.c_char), c.c_size_t)


class Diagnostic(c.Structure):
    _fields_ = [("size", U32), ("status", c.c_int32), ("severity", U32), ("line", U32), ("offset", I64),
                ("count", U64), ("code", TEXT), ("hint", TEXT), ("see", c.c_char * 32), ("file", c.c_char * 1024),
                ("message", c.c_char * 1280)]


class Question(c.Structure):
    _fields_ = [("size", U32), ("hidden", U32), ("name", TEXT), ("summary", TEXT), ("usage", TEXT),
                ("examples", TEXT)]


class Option(c.Structure):
    _fields_ = [("size", U32), ("kind", U32), ("hidden", U32), ("letter", U32), ("name", TEXT),
                ("argument", TEXT), ("choices", TEXT), ("help", TEXT)]


class Column(c.Structure):
    _fields_ = [("size", U32), ("type", U32), ("name", TEXT), ("help", TEXT), ("unit", TEXT), ("items", U32),
                ("reserved", U32)]


class Cell(c.Structure):
    _fields_ = [("size", U32), ("kind", U32), ("i", I64), ("u", U64), ("f", c.c_double),
                ("text", c.POINTER(c.c_char)), ("length", c.c_size_t)]


class Samples(c.Structure):
    _fields_ = [("size", U32), ("reserved", U32), ("count", U64), ("event", c.POINTER(U32)),
                ("run", c.POINTER(U32)), ("start", c.POINTER(U64)), ("end", c.POINTER(U64))]


class ArrowSchema(c.Structure):
    pass


class ArrowArray(c.Structure):
    pass


class ArrowArrayStream(c.Structure):
    pass


ArrowSchema._fields_ = [
    ("format", TEXT), ("name", TEXT), ("metadata", TEXT), ("flags", I64), ("n_children", I64),
    ("children", c.POINTER(c.POINTER(ArrowSchema))), ("dictionary", c.POINTER(ArrowSchema)),
    ("release", c.CFUNCTYPE(None, c.POINTER(ArrowSchema))), ("private_data", c.c_void_p)]
ArrowArray._fields_ = [
    ("length", I64), ("null_count", I64), ("offset", I64), ("n_buffers", I64), ("n_children", I64),
    ("buffers", c.POINTER(c.c_void_p)), ("children", c.POINTER(c.POINTER(ArrowArray))),
    ("dictionary", c.POINTER(ArrowArray)), ("release", c.CFUNCTYPE(None, c.POINTER(ArrowArray))),
    ("private_data", c.c_void_p)]
ArrowArrayStream._fields_ = [
    ("get_schema", c.CFUNCTYPE(c.c_int, c.POINTER(ArrowArrayStream), c.POINTER(ArrowSchema))),
    ("get_next", c.CFUNCTYPE(c.c_int, c.POINTER(ArrowArrayStream), c.POINTER(ArrowArray))),
    ("get_last_error", c.CFUNCTYPE(TEXT, c.POINTER(ArrowArrayStream))),
    ("release", c.CFUNCTYPE(None, c.POINTER(ArrowArrayStream))), ("private_data", c.c_void_p)]


class Refused(Exception):
    def __init__(self, d):
        super().__init__(f"{d.code.decode()} {d.message.decode()}")
        self.code, self.status = d.code.decode(), d.status


class Library:
    def __init__(self, path):
        self.c = c.CDLL(path)
        self.c.etcore_version.restype = TEXT
        self.c.etcore_query_free.argtypes = [c.c_void_p]
        for name in ("etcore_set", "etcore_add", "etcore_add_memory", "etcore_run", "etcore_note", "etcore_write",
                     "etcore_table", "etcore_column", "etcore_cell", "etcore_item", "etcore_samples", "etcore_arrow"):
            getattr(self.c, name).restype = c.c_int
        self.c.etcore_cell.argtypes = [c.c_void_p, U32, U64, U32, c.c_void_p]
        self.c.etcore_item.argtypes = [c.c_void_p, U32, U64, U32, U32, c.c_void_p]

    def questions(self):
        i, q = 0, Question(size=c.sizeof(Question))
        while self.c.etcore_question(i, c.byref(q)):
            yield q.name.decode()
            i += 1

    def options(self, question):
        i, o = 0, Option(size=c.sizeof(Option))
        while self.c.etcore_option(question.encode(), i, c.byref(o)):
            yield o.name.decode()
            i += 1


class Query:
    """Usage: with Query(library, "analyze", stat="median") as q: q.add(path); q.run()"""

    def __init__(self, library, question, **options):
        self.lib, self.err = library.c, Diagnostic(size=c.sizeof(Diagnostic))
        self.q, self.kept = c.c_void_p(), []
        self._do("etcore_query_new", question.encode(), c.byref(self.q))
        for name, values in options.items():
            for value in values if isinstance(values, (list, tuple)) else [values]:
                self._do("etcore_set", self.q, name.encode(), None if value is True else str(value).encode())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.free()

    def free(self):
        self.lib.etcore_query_free(self.q)
        self.q = c.c_void_p()

    def _do(self, name, *args):
        if getattr(self.lib, name)(*args, c.byref(self.err)):
            raise Refused(self.err)

    def add(self, path):
        self._do("etcore_add", self.q, path.encode())

    def add_memory(self, name, data, option=None):
        self.kept.append(data)
        self._do("etcore_add_memory", self.q, option and option.encode(), name.encode(), c.c_char_p(data),
                 c.c_size_t(len(data)))

    def _text(self, name, *args):
        pieces = []

        def take(_arg, data, size):
            pieces.append(c.string_at(data, size))
            return 0

        self._do(name, *args, WRITE(take), None)
        return b"".join(pieces)

    def run(self):
        return self._text("etcore_run", self.q)

    def run_silently(self):
        """Runs the query without writing its text; the tables can then be read."""
        self._do("etcore_run", self.q, None, None)

    def write(self, form):
        return self._text("etcore_write", self.q, form.encode())

    def notes(self):
        i, d = 0, Diagnostic(size=c.sizeof(Diagnostic))
        while self.lib.etcore_note(self.q, i, c.byref(d)):
            yield d.code.decode(), d.message.decode()
            i += 1

    def _value(self, cell):
        return [lambda: None, lambda: c.string_at(cell.text, cell.length).decode("utf-8", "replace"),
                lambda: cell.i, lambda: cell.u, lambda: cell.f, lambda: bool(cell.i),
                lambda: c.string_at(cell.text, cell.length)][cell.kind]()

    def _items(self, which, r, k):
        """Returns the items of a list cell; None if there are none."""
        out, cell = [], Cell(size=c.sizeof(Cell))
        while self.lib.etcore_item(self.q, which, r, k, len(out), c.byref(cell)) == 1:
            out.append(self._value(cell))
        return out or None

    def columns(self, which):
        """Returns {column name: (type, unit, help, type of the items)}."""
        self._do("etcore_table", self.q, which, None, None)
        out, info = {}, Column(size=c.sizeof(Column))
        while self.lib.etcore_column(self.q, which, len(out), c.byref(info)) == 1:
            out[info.name.decode()] = (info.type, info.unit.decode(), info.help.decode(), info.items)
        return out

    def table(self, which):
        """Returns {column name: list of cells}; a list cell is a list."""
        rows, columns = U64(), U32()
        self._do("etcore_table", self.q, which, c.byref(rows), c.byref(columns))
        out, info, cell = {}, Column(size=c.sizeof(Column)), Cell(size=c.sizeof(Cell))
        for k in range(columns.value):
            assert self.lib.etcore_column(self.q, which, k, c.byref(info)) == 1
            values = out[info.name.decode()] = []
            for r in range(rows.value):
                assert self.lib.etcore_cell(self.q, which, r, k, c.byref(cell)) == 1
                values.append(self._items(which, r, k) if info.items else self._value(cell))
        return out

    def samples(self):
        part, s = 0, Samples(size=c.sizeof(Samples))
        self._do("etcore_table", self.q, SAMPLES, None, None)
        while self.lib.etcore_samples(self.q, part, c.byref(s)):
            n = s.count
            yield s.event[:n], s.run[:n], s.start[:n], s.end[:n]
            part += 1

    def arrow(self, which):
        """Returns a struct ArrowArrayStream, which the caller imports, or reads and releases."""
        stream = ArrowArrayStream()
        self._do("etcore_arrow", self.q, which, c.byref(stream))
        return stream


def read_arrow(stream):
    """Reads all batches of a stream. Returns {column name: list of cells}; releases everything."""
    schema, out = ArrowSchema(), {}
    assert stream.get_schema(c.byref(stream), c.byref(schema)) == 0
    fields = []
    for i in range(schema.n_children):
        f = schema.children[i][0]
        fields.append((f.name.decode(), (f.format, f.children[0][0].format) if f.n_children else f.format))
    schema.release(c.byref(schema))
    for name, _ in fields:
        out[name] = []
    while True:
        batch = ArrowArray()
        assert stream.get_next(c.byref(stream), c.byref(batch)) == 0
        if not batch.release:
            break
        for i, (name, form) in enumerate(fields):
            out[name] += _values(batch.children[i][0], form)
        batch.release(c.byref(batch))
    stream.release(c.byref(stream))
    return out


def _values(a, form):
    n = a.length
    data = [a.buffers[i] for i in range(a.n_buffers)]
    if isinstance(form, tuple):
        items, at = _values(a.children[0][0], form[1]), c.cast(data[1], c.POINTER(I64))
        v = [items[at[i]:at[i + 1]] for i in range(n)]
    elif form == b"U":
        at = c.cast(data[1], c.POINTER(I64))
        v = [c.string_at(data[2] + at[i], at[i + 1] - at[i]).decode() for i in range(n)]
    elif form == b"Z":
        at = c.cast(data[1], c.POINTER(I64))
        v = [c.string_at(data[2] + at[i], at[i + 1] - at[i]) for i in range(n)]
    elif form == b"b":
        bits = c.cast(data[1], c.POINTER(c.c_uint8))
        v = [bool(bits[i // 8] >> i % 8 & 1) for i in range(n)]
    else:
        v = c.cast(data[1], c.POINTER({b"I": U32, b"L": U64, b"l": I64, b"g": c.c_double}[form]))[:n]
    if data[0]:
        valid = c.cast(data[0], c.POINTER(c.c_uint8))
        v = [x if valid[i // 8] >> i % 8 & 1 else None for i, x in enumerate(v)]
    return v
