#!/usr/bin/env python3
"""parquet_live.py LIBRARY -- pyarrow, DuckDB, polars and pandas must read etcore's Parquet files identically, and pyarrow
and polars its Arrow files. Every cell must equal the same answer as Arrow or CSV, or a table of
tests/unit/core/table/test_parquet.c. The program and the unit test are next to LIBRARY.
"""
import csv
import ctypes
import glob
import io
import json
import math
import os
import struct
import subprocess
import sys
import tempfile

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.parquet as parquet

sys.path.insert(0, sys.path[0])
from etcore_ctypes import EVENTS, ROWS, Library, Query  # noqa: E402

lib, build = Library(sys.argv[1]), os.path.dirname(sys.argv[1]) or "."
ETCORE = os.path.join(build, "etcore")
CASES = ["tests/data/cases/conv_net_xnnpack", "tests/data/cases/multi_method", "tests/data/backends/cases/coreml_basic",
         "tests/data/backends/cases/metadata_columns", "tests/data/cases/no_runs"]
COMMANDS = [
    ["analyze", "tests/data/sample/run.etdump"],
    ["analyze", "tests/data/sample/run.etdump", "--by", "run"],
    ["analyze", "tests/data/sample/run.etdump", "--events"],
    ["analyze", "tests/data/backends/cases/vulkan_two_parts/run.etdump"],
    ["analyze", "tests/data/backends/cases/vulkan_two_parts/run.etdump", "--events"],
    ["analyze", "tests/data/sample/run.etdump", "--where", "name = nothing"],
    ["analyze", "tests/data/sample/run.etdump", "--columns", "name,self_ns,calls"],
    ["diff", "tests/data/arm/attn_i8d/a53/run.etdump", "--", "tests/data/arm/attn_i8d/x86/run.etdump", "--rounds", "200"],
    ["diff", "tests/data/cases/mlp_xnnpack/run.etdump", "--", "tests/data/cases/mlp_xnnpack/run.etdump", "--rounds", "200"],
    ["numeric", "values", "tests/data/cases/debug_portable/run.etdump", "--contents", "3"],
    ["numeric", "values", "tests/data/values/types.etdump"],
    ["numeric", "outputs", "tests/data/cases/debug_portable/run.etdump"],
    ["numeric", "gap", "tests/data/numeric/int8/run.etdump", "--reference", "tests/data/numeric/portable/run.etdump"],
]
checks = files = 0


def check(ok, what):
    global checks
    checks += 1
    if not ok:
        sys.exit(f"parquet_live.py: {what}")


def plain(v):
    """Converts a cell for comparison: NaN equals itself, -0.0 differs from 0.0, and 1 from True and 1.0."""
    if isinstance(v, float):
        return "NaN" if math.isnan(v) else ("float", struct.pack(">d", v))
    if isinstance(v, dict):  # a map, or an entry of one
        v = [v["key"], v["value"]] if set(v) == {"key", "value"} else list(v.items())
    if isinstance(v, (list, tuple)):
        return [plain(x) for x in v]
    return (type(v).__name__, v)


def columns(names, rows):
    return {n: [plain(r[i]) for r in rows] for i, n in enumerate(names)}


def of_pandas(frame):
    """Returns {column: cells}. pandas uses NaN for null in object and float columns; Arrow types, used here, distinguish
    the two."""
    return {n: [plain(None if v is pandas.NA else v.tolist() if hasattr(v, "tolist") else v) for v in frame[n].array] for n in frame.columns}


def read(path, what):
    """Returns the table, after checking that all four readers read the same cells from the file."""
    global files
    files += 1
    file = parquet.ParquetFile(path)
    table = file.read()
    table.validate(full=True)
    cells = columns_of(table)
    check(len(cells) == table.num_columns, f"{what}: two columns of one name")
    relation = duckdb.sql(f"FROM read_parquet('{path}')")
    ducks = columns(relation.columns, relation.fetchall())
    frame = polars.read_parquet(path)
    bears = {n: [plain(v) for v in frame[n].to_list()] for n in frame.columns}
    lazy = polars.scan_parquet(path).collect()
    pandas_cells = of_pandas(pandas.read_parquet(path, dtype_backend="pyarrow"))
    for reader, got in (("DuckDB", ducks), ("polars", bears), ("pandas", pandas_cells)):
        check(list(got) == list(cells), f"{what}: columns of {reader}: {list(got)}")
        for name in cells:
            wrong = [(i, a, b) for i, (a, b) in enumerate(zip(got[name], cells[name])) if a != b]
            check(not wrong and len(got[name]) == len(cells[name]), f"{what}: {reader}, column {name}: {wrong[:3]}")
    check(lazy.equals(frame, null_equal=True), f"{what}: polars, lazily")
    statistics(file, table, what)
    if os.path.exists(arrow_of(path)):
        same_arrow(arrow_of(path), table, what)
    return table


def arrow_of(path):
    return path.replace("parquet", "arrow")


def same_arrow(path, table, what):
    """The output of -o arrow must be the same table."""
    with open(path, "rb") as f:
        whole = f.read()
    got = pyarrow.ipc.open_file(whole).read_all()
    got.validate(full=True)
    check(got.schema.equals(table.schema), f"{what}: Arrow has {got.schema}")
    check(columns_of(got) == columns_of(table), f"{what}: Arrow has other cells")
    frame = polars.read_ipc(io.BytesIO(whole))
    check({n: [plain(v) for v in frame[n].to_list()] for n in frame.columns} == columns_of(table), f"{what}: Arrow, by polars")


def columns_of(table):
    return {n: [plain(v) for v in table[n].to_pylist()] for n in table.column_names}


def statistics(file, table, what):
    """Minimum, maximum and null count of each row group must match its rows."""
    at, meta = 0, file.metadata
    for g in range(meta.num_row_groups):
        group = meta.row_group(g)
        rows = table.slice(at, group.num_rows)
        at += group.num_rows
        check(group.num_rows <= 131072 and (group.num_rows == 131072 or at == table.num_rows), f"{what}: rows of group {g}")
        for k in range(group.num_columns):
            chunk = group.column(k)
            check(chunk.compression == "ZSTD", f"{what}: {chunk.path_in_schema} is not compressed")
            if "." in chunk.path_in_schema:
                continue
            values = [v for v in rows[chunk.path_in_schema].to_pylist() if v is not None]
            s = chunk.statistics
            check(s.null_count == len(rows) - len(values), f"{what}: nulls of {chunk.path_in_schema}")
            long = any(isinstance(v, str) and len(v.encode()) > 64 for v in values)
            ends = bool(values) and not any(v != v for v in values) and not long
            # A column with texts above 64 bytes may lack minimum and maximum: they are left out if such a text is one of
            # them.
            check(s.has_min_max == ends or long, f"{what}: ends of {chunk.path_in_schema}")
            if s.has_min_max:
                key = (lambda v: v.encode()) if isinstance(values[0], str) else None
                check((s.min, s.max) == (min(values, key=key), max(values, key=key)),
                      f"{what}: {chunk.path_in_schema} is from {s.min} to {s.max}")
    check(at == table.num_rows, f"{what}: rows of all groups")


def expect(table, name, want):
    got = [plain(v) for v in table[name].to_pylist()]
    wrong = [(i, a, b) for i, (a, b) in enumerate(zip(got, map(plain, want))) if a != b]
    check(not wrong and len(got) == len(want), f"column {name}: {wrong[:3]}")


def made(folder):
    """Checks the tables of test_parquet.c."""
    subprocess.run([os.path.join(build, "tests", "test_parquet"), folder], check=True)
    inf, nan, top = math.inf, math.nan, 1 << 63
    texts, ints, reals = ["a", "", "µ 名前", None], [-top, None, -1, top - 1], [nan, inf, 7.0, -0.0]
    kinds = {
        "text": [None, "µ 名前 🎉", "", "\ufffd x \ufffd", "14.5", "a\0b", "true"],
        "int": [None, -top, top - 1, 0, None, -top, None],
        "uint": [None, 2 * top - 1, top, 0, None, top, None],
        "real": [None, nan, inf, -inf, 7.0, -0.0, None],
        "bool": [None, True, False, True, None, None, None],
        "texts": [None, texts, [], None, texts, None, texts],
        "ints": [None, ints, [None], None, ints, [], ints],
        "reals": [None, reals, [], None, reals, None, reals],
        "json": [None, "[1, 2]", "{}", "3", None, "null", ""],
        "µ \"name\"": [None, 1, 2, 3, None, None, None],
        "blank": [None] * 7,
        "zero": [0.0] * 7,
    }
    table, empty, blank = (read(f"{folder}/{name}.parquet", name) for name in ("kinds", "empty", "blank"))
    check(table.column_names == list(kinds), f"names: {table.column_names}")
    for name, want in kinds.items():
        expect(table, name, want)
        expect(blank, name, want[:1])
        expect(empty, name, [])
    check(table.schema.equals(empty.schema) and table.schema.equals(blank.schema), "types depend on rows")
    types = ["string", "int64", "uint64", "double", "bool", "list<element: string>", "list<element: int64>", "list<element: double>",
             "string", "int64", "bool", "double"]
    check([str(f.type) for f in table.schema] == types, f"types: {table.schema}")
    n = range(300001)
    table = read(f"{folder}/long.parquet", "long")
    check(parquet.ParquetFile(f"{folder}/long.parquet").metadata.num_row_groups == 3, "groups")
    expect(table, "row", [-r for r in n])
    expect(table, "few", [f"name {r % 7}" for r in n])
    expect(table, "unique", [f"row {r}" if r % 11 else None for r in n])
    expect(table, "high", [top + r for r in n])
    expect(table, "real", [r / 3 if r % 10 else None for r in n])
    expect(table, "share", [r % 5 / 8 for r in n])
    expect(table, "odd", [r % 2 == 1 for r in n])
    expect(table, "late", [r // 1000 if r >= 200000 else None for r in n])
    expect(table, "list", [[None if i == 3 else r + i for i in range(r % 5)] or None for r in n])
    # A reader that skips row groups by their statistics must find the same rows as a query in memory.
    rows = duckdb.connect()
    rows.register("t", table)
    for where in ("high > 9223372036855050000", "row < -290000", "few = 'name 3'", "late IS NULL", "\"real\" >= 99000.5", "share = 0", "NOT odd"):
        ((got,),) = duckdb.sql(f"SELECT count(*) FROM '{folder}/long.parquet' WHERE {where}").fetchall()
        ((want,),) = duckdb.sql(f"SELECT count(*) FROM t WHERE {where}", connection=rows).fetchall()
        check(got == want, f"WHERE {where}: {got}, not {want}")


def arrow(query, which):
    stream = query.arrow(which)
    return pyarrow.RecordBatchReader._import_from_c(ctypes.addressof(stream)).read_all()


def narrow(t):
    """Maps types that Parquet lacks to those it has: one type of text and one of list."""
    if pyarrow.types.is_large_list(t):
        return pyarrow.list_(pyarrow.field("element", narrow(t.value_type)))
    return pyarrow.string() if pyarrow.types.is_large_string(t) else t


def answers(folder):
    """A table of libetcore must have the same types and cells through Parquet and through Arrow."""
    for case in CASES:
        for which, options in ((ROWS, {}), (EVENTS, {"events": True})):
            with Query(lib, "analyze", **options) as q:
                q.add(f"{case}/run.etdump")
                q.run()
                path = f"{folder}/answer.parquet"
                with open(path, "wb") as f:
                    f.write(q.write("parquet"))
                got, want = read(path, f"{case} {which}"), arrow(q, which)
            check(got.column_names == [n for n in want.column_names if n in got.column_names], f"{case}: columns {got.column_names}")
            check(which == EVENTS or got.column_names == want.column_names, f"{case}: columns {got.column_names}")
            for name in got.column_names:
                check(got.schema.field(name).type == narrow(want.schema.field(name).type),
                      f"{case}: type of {name}: {got.schema.field(name).type}, not {want.schema.field(name).type}")
                expect(got, name, want[name].to_pylist())


def field(v):
    """Returns the cell as CSV writes it; numbers stay numbers."""
    return "" if v is None else ("true" if v else "false") if isinstance(v, bool) else v if isinstance(v, str) else float(v)


def commands(folder):
    for args in COMMANDS:
        path, what = f"{folder}/command.parquet", " ".join(args[:3])
        run = subprocess.run([ETCORE, *args, "-o", "csv", "-o", f"parquet={path}", "-o", f"arrow={arrow_of(path)}"], capture_output=True)
        check(run.returncode in (0, 1), f"{what}: {run.stderr.decode()}")
        table = read(path, what)
        head, *rows = csv.reader(io.StringIO(run.stdout.decode(errors="replace"), newline=""))
        check(table.column_names == head and table.num_rows == len(rows), f"{what}: {table.num_rows} rows, {table.column_names}")
        for i, name in enumerate(head):
            items = str(table.schema.field(name).type).startswith("list")
            for r, v in enumerate(table[name].to_pylist()):
                text = rows[r][i]
                if items:
                    same = text == "; ".join(str(x) for x in v or [])
                else:
                    number = isinstance(field(v), float)
                    same = plain(float(text) if number and text else text) == plain(field(v))
                check(same, f"{what}: {name} of row {r} is {v!r}, in CSV {text!r}")


def in_map(v):
    return v if isinstance(v, str) else "; ".join(map(in_map, v)) if isinstance(v, list) else json.dumps(v)


def farm(folder):
    """The tables of `batch` in Parquet and Arrow must have the same rows as its NDJSON."""
    dumps = ["tests/data"]
    for form in ("ndjson", "parquet", "arrow"):
        run = subprocess.run([ETCORE, "batch", *dumps, "--out", f"{folder}/{form}", "-o", form, "--jobs", "1", "--meta", "lab=µ", "--tables", "samples,events"], capture_output=True)
        check(run.returncode in (0, 1), run.stderr.decode())
    tables = [t for t in os.listdir(f"{folder}/ndjson") if not t.startswith("_")]
    check(len(tables) > 5, f"tables: {tables}")
    for name in tables:
        want = []
        for path in sorted(glob.glob(f"{folder}/ndjson/{name}/*")):
            with open(path, encoding="utf-8") as f:
                want += [json.loads(line) for line in f]
        for row in want:
            if row.get("columns"):
                row["columns"] = [(k, in_map(v)) for k, v in json.loads(row["columns"]).items()]
        check(want, f"{name}: no rows")
        table = pyarrow.concat_tables(read(path, name) for path in sorted(glob.glob(f"{folder}/parquet/{name}/*")))
        check(table.column_names == [k for k in want[0] if not k.endswith("_hex")], f"{name}: {table.column_names}")
        for column in table.schema:
            real = column.type == pyarrow.float64()
            expect(table, column.name, [float(r[column.name]) if real and r[column.name] is not None else r[column.name] for r in want])


def fuzz(folder, count):
    """Random tables in Parquet and Arrow must have the same cells as in NDJSON, where a map is a text."""
    for seed in range(count):
        subprocess.run([os.path.join(build, "tests", "test_parquet"), folder, str(seed)], check=True)
        table = parquet.ParquetFile(f"{folder}/random.parquet").read()
        table.validate(full=True)
        same_arrow(f"{folder}/random.arrow", table, f"seed {seed}")
        with open(f"{folder}/random.ndjson", encoding="utf-8") as f:
            want = [json.loads(line) for line in f]
        check(len(want) == table.num_rows, f"seed {seed}: {table.num_rows} rows")
        for column in table.schema:
            if str(column.type).startswith("map"):
                check([v is None for v in table[column.name].to_pylist()] == [r[column.name] is None for r in want], f"seed {seed}: maps")
                continue
            real, reals = column.type == pyarrow.float64(), "double" in str(column.type)
            expect(table, column.name, [[float(x) for x in v] if reals and not real and v is not None else float(v) if real and v is not None else v
                                        for v in (r[column.name] for r in want)])


with tempfile.TemporaryDirectory() as scratch:
    fuzz(scratch, 300)
    made(scratch)
    answers(scratch)
    commands(scratch)
    farm(scratch)
print(f"{checks} checks: pyarrow {pyarrow.__version__}, duckdb {duckdb.__version__}, pandas {pandas.__version__}, "
      f"polars {polars.__version__} read {files} Parquet files")
