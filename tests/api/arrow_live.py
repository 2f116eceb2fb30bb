#!/usr/bin/env python3
"""arrow_live.py LIBRARY -- pyarrow, pandas, polars and DuckDB read the tables of
libetcore through the Arrow C stream interface, and compute what etcore computes.

ctypes makes the stream; the import takes its address: nothing else is shared.
"""
import ctypes
import gc
import sys

import duckdb
import pandas
import polars
import pyarrow

sys.path.insert(0, sys.path[0])
from etcore_ctypes import EVENTS, FILES, PATHS, ROWS, RUNS, SAMPLES, Library, Query, Samples

lib = Library(sys.argv[1])
CASES = ["tests/data/cases/conv_net_xnnpack", "tests/data/cases/multi_method", "tests/data/backends/cases/coreml_basic"]
checks = 0


def check(ok, what):
    global checks
    checks += 1
    if not ok:
        sys.exit(f"arrow_live.py: {what}")


def reader(query, which):
    """The stream is moved into pyarrow, which releases it."""
    stream = query.arrow(which)
    return pyarrow.RecordBatchReader._import_from_c(ctypes.addressof(stream))


class Capsule:
    """A table by the protocol that polars and DuckDB know: __arrow_c_stream__."""

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
        _, _, start, _ = next(q.samples())
        frame = polars.from_arrow(reader(q, EVENTS).read_all())
        check(frame.shape == (tables[EVENTS].num_rows, tables[EVENTS].num_columns), f"{case}: polars")
        series = polars.DataFrame(Capsule(q, SAMPLES))
        check(series["start"].to_list() == start, f"{case}: polars by __arrow_c_stream__")
    gc.collect()
    # The query is gone, its columns are not.
    samples, events, runs, rows = tables[SAMPLES], tables[EVENTS], tables[RUNS], tables[ROWS]
    check(samples["start"].to_pylist() == start, f"{case}: samples after the query")

    # DuckDB finds the tables by their Python names.
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

# Zero copy: the address of the column in pyarrow is that of etcore.
with Query(lib, "analyze") as q:
    q.add(f"{CASES[0]}/run.etdump")
    q.run()
    batch = reader(q, SAMPLES).read_next_batch()
    part = Samples(size=ctypes.sizeof(Samples))
    check(q.lib.etcore_samples(q.q, 0, ctypes.byref(part)) == 1, "no samples")
    for name in ("event", "run", "start", "end"):
        ours = ctypes.cast(getattr(part, name), ctypes.c_void_p).value
        check(batch.column(name).buffers()[1].address == ours, f"column {name} was copied")

print(f"{checks} checks: pyarrow {pyarrow.__version__}, duckdb {duckdb.__version__}, pandas {pandas.__version__}, "
      f"polars {polars.__version__} read {len(CASES)} analyses")
