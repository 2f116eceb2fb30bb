#!/usr/bin/env python3
"""schema.py LIBRARY ETCORE [--update] -- checks that docs/farm.schema.json is the schema of the tables that `etcore batch`
writes.

Each table has a JSON Schema of its rows in `-o ndjson`; "x-type" is the type of a column in the other formats. Types come
from the declarations of `-o sqlite`, descriptions from the library. --update writes the file.
"""
import ctypes as c
import contextlib
import difflib
import glob
import json
import os
import sqlite3
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PATH = os.path.join(ROOT, "docs", "farm.schema.json")
DUMP = os.path.join(ROOT, "tests", "data", "cases", "linear_fp32", "run.etdump")
sys.path.insert(0, os.path.join(ROOT, "python"))
os.environ["ETCORE_LIBRARY"] = os.path.abspath(sys.argv[1])

from etcore import _library as lib  # noqa: E402

MORE = "samples,events,baselines"
JSON = {"TEXT": "string", "MAP": "string", "INTEGER": "integer", "REAL": "number", "BOOLEAN": "boolean"}


class ColumnInfo(c.Structure):
    """struct etcore_column_info of etcore/etcore.h, 1.2."""
    _fields_ = [("size", c.c_uint32), ("type", c.c_uint32), ("name", c.c_char_p), ("help", c.c_char_p), ("unit", c.c_char_p), ("items", c.c_uint32),
                ("reserved", c.c_uint32)]


def described():
    """Returns {table: {column: description}} from the library."""
    query = lib.Query("batch")
    query.set("keep")
    query.set("tables", MORE)
    query.add(DUMP)
    query.run()
    column = lib.library.etcore_column
    column.argtypes, column.restype = [c.c_void_p, c.c_uint32, c.c_uint32, c.POINTER(ColumnInfo)], c.c_int
    out = {}
    for name, number in query.tables().items():
        rows, columns = c.c_uint64(), c.c_uint32()
        lib.library.etcore_table(query._q, number, c.byref(rows), c.byref(columns), c.byref(query._err))
        info = ColumnInfo(size=c.sizeof(ColumnInfo))
        out[name] = {}
        for i in range(columns.value):
            assert column(query._q, number, i, c.byref(info)), (name, i)
            out[name][info.name.decode()] = info.help.decode()
    return out


def declared(etcore):
    """Returns {table: {column: type}} from the tables of a batch."""
    out = {}
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([etcore, "batch", DUMP, "--out", scratch, "--tables", MORE, "-o", "sqlite", "--jobs", "1"], check=True, capture_output=True)
        for path in glob.glob(os.path.join(scratch, "*", "part-*.sqlite")):
            table = os.path.basename(os.path.dirname(path))
            with contextlib.closing(sqlite3.connect(path)) as db:
                out[table] = {name: kind for _, name, kind, *_ in db.execute(f"pragma table_info({table})")}
    return out


def schema(etcore):
    help_, types = described(), declared(etcore)
    assert set(help_) == set(types), (set(help_), set(types))
    tables = {}
    for table, columns in help_.items():
        assert list(columns) == list(types[table]), table
        tables[table] = {"type": "object", "required": list(columns), "properties": {
            name: {"type": [JSON[types[table][name]], "null"], "x-type": types[table][name], "description": text} for name, text in columns.items()}}
    return json.dumps({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "etcore.tables/1",
        "description": "A row of each table that `etcore batch -o ndjson` writes. Columns of --meta are texts at the end of runs and paths; later versions add "
                       "tables, and columns at the end. A name that is not UTF-8 has a member path_hex beside it. docs/farm.md explains the columns; x-type "
                       "is their type there.",
        "$defs": tables}, indent=1, ensure_ascii=False) + "\n"


def main():
    want = schema(os.path.abspath(sys.argv[2]))
    if "--update" in sys.argv:
        with open(PATH, "w", encoding="utf-8") as f:
            f.write(want)
    with open(PATH, encoding="utf-8") as f:
        have = f.read()
    if have != want:
        print(*list(difflib.unified_diff(have.splitlines(), want.splitlines(), "docs/farm.schema.json", "the library", lineterm=""))[:40], sep="\n")
        return "docs/farm.schema.json is not that of the library: tests/farm/schema.py LIBRARY ETCORE --update"
    tables = json.loads(have)["$defs"]
    print(f"{len(tables)} tables, {sum(len(t['properties']) for t in tables.values())} columns")
    return 0


if __name__ == "__main__":
    sys.exit(main())
