"""peer - measures the live Inspector, duckdb and polars on the files of the goals.

As a script, in a Python with the needed packages, it is one process of a peer, which bench.py measures:

    peer.py inspector ETDUMP [ETRECORD]        the Inspector, constructed and printed
    peer.py columns JSON STEM                  `etcore inspector -o json` as STEM.parquet and STEM.arrow; not measured
    peer.py duckdb|polars STEM                 p10, p50, p90, mean, min, max of every group
"""
import json
import os
import subprocess
import sys
import warnings

INTERVALS = (.1, .5, .9)


def inspector(dump, record=None):
    import logging
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    from executorch.devtools import Inspector
    with open(os.devnull, "w") as f:
        Inspector(etdump_path=dump, etrecord=record).print_data_tabular(f)
    os._exit(0)  # exits at once: freeing a million objects is not part of the measured work


def columns(answer, stem):
    """Writes one row for each sample of each event; names and blocks are dictionary-encoded."""
    import pyarrow as pa
    import pyarrow.feather
    import pyarrow.parquet
    with open(answer) as f:
        blocks = json.load(f)["blocks"]
    rows = [(block["name"], e["instruction_id"], e["name"], i, e["perf_data"]["raw"])
            for block in blocks for i, e in enumerate(block["events"]) if e["perf_data"]]
    repeat = [len(r[4]) for r in rows]

    def column(k, kind):
        return pa.array([r[k] for r, n in zip(rows, repeat) for _ in range(n)], kind)
    table = pa.table({"block": column(0, None).dictionary_encode(), "instruction": column(1, pa.int32()),
                      "name": column(2, None).dictionary_encode(), "dur": pa.array([d for r in rows for d in r[4]], pa.float64())})
    pyarrow.parquet.write_table(table, stem + ".parquet")
    pyarrow.feather.write_feather(table, stem + ".arrow", compression="uncompressed")


def duckdb(stem):
    import duckdb as d
    d.sql("set threads=1")
    r = d.sql("select block, instruction, name, quantile_cont(dur, [0.1, 0.5, 0.9]) q, avg(dur) a, min(dur) b, max(dur) c "
              f"from '{stem}.parquet' group by all").to_arrow_table()
    print(r.num_rows)


def polars(stem):
    import polars as pl
    c = pl.col("dur")
    r = pl.scan_ipc(stem + ".arrow").group_by("block", "instruction", "name").agg(
        *(c.quantile(q, "linear").alias(str(q)) for q in INTERVALS), c.mean().alias("mean"), c.min().alias("min"),
        c.max().alias("max")).collect()
    print(r.height)


class Peers:
    """The rows that compare etcore with peers. If a Python is missing, its rows are skipped with the reason."""

    def __init__(self, b, inspector_python, columns_python, why):
        self.b, self.inspector_python, self.columns_python, self.why = b, inspector_python, columns_python, why
        os.environ["POLARS_MAX_THREADS"] = "1"

    def ask(self, goal, what, least, ours, dump, record=None, repetitions=None):
        """Compares etcore with the Inspector, which takes seconds and therefore runs fewer times."""
        if not self.inspector_python:
            self.b.report.skip(goal, what, self.why)
            return
        from measure import alternate
        peer = [self.inspector_python, __file__, "inspector", dump, *([record] if record else [])]
        commands = [ours, peer]
        few = alternate(commands, repetitions or 1)
        more = alternate([ours], self.b.repetitions)
        self.b.report.least(goal, what, min(few[0].cpu, more[0].cpu), few[1].cpu, least, "s" if few[1].cpu > 100 else "ms")

    def inspectors(self):
        b = self.b
        three = [b.etcore, "analyze", b.tiny, "-r", b.record, "--set", "etcore.plugins=xnnpack kleidiai coreml"]
        self.ask(1, "the Inspector takes, tiny dump + ETRecord", 1000, three, b.tiny, b.record, 3)
        sizes = [(10**6, b.many(), b.wide())]
        if not b.large:
            sizes = [(10**5, b.etdump("100000.etdump", 100, 1000), b.etdump("wide_100000.etdump", 10_000, 10))]
            for goal in (2, 3):
                b.report.skip(goal, "the Inspector takes, 10^6 events", "only with --large (minutes)")
        for n, many, wide in sizes:
            name = "10^6" if n == 10**6 else "10^5"
            self.ask(2 if n == 10**6 else None, f"the Inspector takes, {name} events of a small graph", 700, b.inspector(many), many)
            self.ask(3 if n == 10**6 else None, f"the Inspector takes, {name} events of a large graph", 1000, b.inspector(wide), wide)
        nodes = b.nodes()
        self.ask(9, "the Inspector takes, 30,000 nodes", 200, b.inspector(b.tiny, "--etrecord_path", nodes), b.tiny, nodes)

    def column_stores(self):
        b = self.b
        for what, dump in (("100 x 10,000", b.many()), ("100,000 x 10", b.wide())):
            whats = [f"{name}, 10^6 events, {what}" for name in ("duckdb from Parquet", "polars from Arrow")]
            if not self.columns_python:
                for name in whats:
                    b.report.skip(5, name, self.why)
                continue
            stem = dump.replace(".etdump", ".columns")
            if not os.path.exists(stem + ".arrow"):
                answer = stem + ".json"
                with open(answer, "wb") as f:
                    subprocess.run(b.inspector(dump, "-o", "json"), stdout=f, check=True)
                subprocess.run([self.columns_python, __file__, "columns", answer, stem], check=True)
                os.remove(answer)
            screen, *costs = b.turns(b.analyze(dump), *([self.columns_python, __file__, name, stem] for name in ("duckdb", "polars")))
            for name, cost in zip(whats, costs):
                b.report.least(5, f"{name}, beside analyze", screen.cpu, cost.cpu, 5)

    def all(self, only):
        if not only or 5 in only:
            self.column_stores()
        if not only or {1, 2, 3, 9} & set(only):
            self.inspectors()


if __name__ == "__main__":
    {"inspector": inspector, "columns": columns, "duckdb": duckdb, "polars": polars}[sys.argv[1]](*sys.argv[2:])
