#!/usr/bin/env python3
"""arrow_live.py LIBRARY -- pyarrow, pandas, polars and DuckDB must read the tables of
libetcore through the Arrow C stream interface, and compute the same values as etcore.

ctypes makes the stream and passes its address; nothing else is shared.
"""
import ctypes
import gc
import os
import sys

import duckdb
import pandas
import polars
import pyarrow

sys.path.insert(0, sys.path[0])
from etcore_ctypes import EVENTS, FILES, PATHS, ROWS, RUNS, SAMPLES, Library, Query, Samples

lib = Library(sys.argv[1])
CASES = ["tests/data/cases/conv_net_xnnpack", "tests/data/cases/multi_method", "tests/data/backends/cases/coreml_basic"]
TYPES = {1: pyarrow.large_string(), 2: pyarrow.int64(), 3: pyarrow.uint64(), 4: pyarrow.float64(), 5: pyarrow.bool_()}
checks = 0


def check(ok, what):
    global checks
    checks += 1
    if not ok:
        sys.exit(f"arrow_live.py: {what}")


def reader(query, which):
    """Passes the stream to pyarrow, which releases it."""
    stream = query.arrow(which)
    return pyarrow.RecordBatchReader._import_from_c(ctypes.addressof(stream))


class Capsule:
    """A table with the method __arrow_c_stream__, which polars and DuckDB call."""

    def __init__(self, query, which):
        self.query, self.which = query, which

    def __arrow_c_stream__(self, requested_schema=None):
        return reader(self.query, self.which).__arrow_c_stream__(requested_schema)


for case in CASES:
    with Query(lib, "analyze", warmup="0") as q:
        q.add(f"{case}/run.etdump")
        q.run()
        tables = {}
        for which in (ROWS, PATHS, RUNS, EVENTS, SAMPLES, FILES):
            tables[which] = reader(q, which).read_all()
            tables[which].validate(full=True)
            cells = q.table(which)
            check(tables[which].column_names == list(cells), f"{case}: names of table {which}")
            for name in cells:
                values = tables[which][name].to_pylist()
                check(all(a == b or a == str(b) for a, b in zip(values, cells[name])) and
                      len(values) == len(cells[name]), f"{case}: column {name} of table {which}")
            infos = q.columns(which)
            for field in tables[which].schema:
                kind, unit, text, items = infos[field.name]
                meta = field.metadata or {}
                check(meta.get(b"unit", b"").decode() == unit and meta.get(b"help", b"").decode() == text,
                      f"{case}: unit and help of {field.name}: {meta}")
                check(which == SAMPLES or field.type == (pyarrow.large_list(TYPES[items]) if items else TYPES[kind]),
                      f"{case}: type of {field.name}: {field.type}")
        _, _, start, _ = next(q.samples())
        frame = polars.from_arrow(reader(q, EVENTS).read_all())
        check(frame.shape == (tables[EVENTS].num_rows, tables[EVENTS].num_columns), f"{case}: polars")
        series = polars.DataFrame(Capsule(q, SAMPLES))
        check(series["start"].to_list() == start, f"{case}: polars by __arrow_c_stream__")
    gc.collect()
    # The query was freed above; the columns that pyarrow has imported must stay valid.
    samples, events, runs, rows = tables[SAMPLES], tables[EVENTS], tables[RUNS], tables[ROWS]
    check(samples["start"].to_pylist() == start, f"{case}: samples after the query")

    # DuckDB finds the tables by the names of Python variables.
    sums = duckdb.sql("""
        SELECT event, count(*) AS n, sum(CAST("end" AS HUGEINT) - start) AS ticks
        FROM samples WHERE "end" >= start GROUP BY event ORDER BY event""").fetchall()
    names = events.to_pylist()
    check(len(sums) == len(names), f"{case}: events with samples")
    for event, n, ticks in sums:
        check(n == names[event]["samples"], f"{case}: samples of event {event}")
        average = names[event].get("avg_ns", names[event].get("avg"))
        check(average is not None and abs(float(ticks) / n - average) <= 1e-9 * max(average, 1),
              f"{case}: average of event {event}")
    joined = duckdb.sql("""
        SELECT r.use, count(*) FROM samples s JOIN (SELECT row_number() OVER () - 1 AS run, * FROM runs) r
        USING (run) GROUP BY r.use""").fetchall()
    check(sum(n for _, n in joined) == samples.num_rows, f"{case}: samples joined with runs")
    (total,), = duckdb.sql("SELECT sum(self_ns) FROM rows WHERE NOT detached AND unit = 'ns'").fetchall()
    pandas_rows = rows.to_pandas()
    check(isinstance(pandas_rows, pandas.DataFrame) and
          abs(pandas_rows[~pandas_rows.detached & (pandas_rows.unit == "ns")].self_ns.sum() - total) < 1e-6 * total,
          f"{case}: pandas and DuckDB disagree")

# A column's type must follow from its declaration, whether or not events have values.
with open("build/arrow.ini", "w", encoding="utf-8") as f:
    f.write("""[backend.CoreMLBackend]
owner = none
column.ns = /nothing : i64 : ns : sum
column.operators = name ~ ":(.*)" : str : set
column.lengths = name ~ "(conv|linear)" : "6" | name ~ "relu" : "4" : i64 : bytes : set
column.cost = name ~ "conv" : "0.25" | name ~ "relu" : "0.5" : f64 : mean
column.none = /nothing : bool : set
""")
with Query(lib, "analyze", config="build/arrow.ini", by="backend") as q:
    q.add("tests/data/backends/cases/coreml_basic/run.etdump")
    q.run()
    rows, events = (reader(q, which).read_all() for which in (ROWS, EVENTS))
    schema = {f.name: f for f in rows.schema}
    check([schema[n].type for n in ("ns", "operators", "lengths", "cost", "none")] ==
          [pyarrow.int64(), pyarrow.large_list(pyarrow.large_string()), pyarrow.large_list(pyarrow.int64()),
           pyarrow.float64(), pyarrow.large_list(pyarrow.bool_())], f"types of declared columns: {rows.schema}")
    check(schema["ns"].metadata[b"unit"] == b"ns" and schema["lengths"].metadata[b"unit"] == b"bytes", "units")
    check([events.schema.field(n).type for n in ("ns", "operators", "lengths", "cost", "none")] ==
          [pyarrow.int64(), pyarrow.large_string(), pyarrow.int64(), pyarrow.float64(), pyarrow.bool_()] and
          "metadata" not in events.column_names, f"types of events: {events.schema}")
    (lengths,) = [x for x in rows["lengths"].to_pylist() if x]
    check(sorted(lengths) == [4, 6] and rows["none"].null_count == rows.num_rows, f"lengths {lengths}")
    check(events["ns"].null_count == events.num_rows, "a column that nothing fills")
    ((unnested,),) = duckdb.sql("SELECT list(x ORDER BY x) FROM (SELECT unnest(lengths) AS x FROM rows)").fetchall()
    check(unnested == [4, 6], f"DuckDB: {unnested}")
    frame = polars.from_arrow(rows)
    check(frame["lengths"].dtype == polars.List(polars.Int64) and
          sorted(frame["lengths"].drop_nulls().explode().to_list()) == [4, 6], f"polars: {frame['lengths']}")
    cost = [x for x in rows.to_pandas()["cost"] if x == x]
    check(cost == [0.375], f"pandas: {cost}")

# No copy: the address of the column in pyarrow must be that in etcore.
with Query(lib, "analyze") as q:
    q.add(f"{CASES[0]}/run.etdump")
    q.run()
    batch = reader(q, SAMPLES).read_next_batch()
    part = Samples(size=ctypes.sizeof(Samples))
    check(q.lib.etcore_samples(q.q, 0, ctypes.byref(part)) == 1, "no samples")
    for name in ("event", "run", "start", "end"):
        ours = ctypes.cast(getattr(part, name), ctypes.c_void_p).value
        check(batch.column(name).buffers()[1].address == ours, f"column {name} was copied")

# The Python package: types of frames must follow from the tables' types, and a stream that is not used must not lose an
# exception.
os.environ["ETCORE_LIBRARY"] = os.path.abspath(sys.argv[1])
sys.path.insert(0, "python")
import etcore  # noqa: E402
from etcore import _arrow  # noqa: E402

PANDAS = {"large_string": str(pandas.Series(["x"]).dtype), "int64": "Int64", "uint64": "UInt64", "double": "float64", "bool": "boolean"}
for case in [*CASES, "tests/data/cases/no_runs"]:
    answer = etcore.analyze(f"{case}/run.etdump")
    for name in answer.tables():
        schema, frame = pyarrow.table(answer.arrow(name)).schema, answer.to_pandas(name)
        for field in schema:
            want = PANDAS.get(str(field.type), "object") if field.nullable else str(field.type)
            check(str(frame[field.name].dtype) == want,
                  f"{case}: {name}.{field.name} is {frame[field.name].dtype}, not {want}")
        cells = {k: [None if v is pandas.NA or v is None or v != v else v for v in frame[k]] for k in frame}
        check(cells == answer.arrow(name).to_pydict(), f"{case}: cells of the frame {name}")
for _ in range(20):
    try:
        pyarrow.table(answer.arrow("samples"), schema=pyarrow.schema([("event", pyarrow.int32())]))
    except (ValueError, pyarrow.ArrowException):
        pass
    else:
        check(False, "pyarrow took another schema")
_arrow._sweep()
check(len(_arrow._handed) <= 1, f"{len(_arrow._handed)} streams that nobody has")
run = f"{CASES[0]}/run.etdump"
for answer in (etcore.diff([run], [f"{CASES[1]}/run.etdump"]), etcore.check(run, baseline=run), etcore.memory("tests/data/pte/multi_method.pte"),
               etcore.numeric("values", "tests/data/cases/debug_portable/run.etdump"), etcore.what_if(run, row="name ~ GEMM", times=0.5)):
    rows = answer.json()
    rows = rows.get("rows") or next(v for v in rows.values() if isinstance(v, list))
    got = answer.arrow().to_pylist()
    check(0 < len(rows) == len(got) == len(answer.to_pandas()) == polars.DataFrame(answer).height, f"{answer!r}: rows")
    check(all(got[i][k] == v for i, row in enumerate(rows) for k, v in row.items() if isinstance(v, (str, int)) and not isinstance(got[i][k], float)),
          f"{answer!r}: cells")

print(f"{checks} checks: pyarrow {pyarrow.__version__}, duckdb {duckdb.__version__}, pandas {pandas.__version__}, "
      f"polars {polars.__version__} read {len(CASES)} analyses")
