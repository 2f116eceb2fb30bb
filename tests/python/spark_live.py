#!/usr/bin/env python3
"""spark_live.py ETCORE LIBRARY -- runs etcore.spark on local clusters: tables by the data source and by mapInArrow must
equal those of `etcore batch`, row by row; a killed worker, or a task that runs twice, must not duplicate rows.

Needs pyspark, pyarrow, pandas and Java: tests/python/farm_live.sh.
"""
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

from farm_tables import DATA, Farm, check, checks

ETCORE, LIBRARY = map(os.path.abspath, sys.argv[1:3])
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.environ.update(ETCORE_LIBRARY=LIBRARY, SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable,
                  PYTHONPATH=os.pathsep.join((os.path.join(ROOT, "python"), os.path.join(ROOT, "tests", "python"))))
sys.path.insert(0, os.path.join(ROOT, "python"))

import pyspark  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402

import etcore.spark  # noqa: E402


def session(master, **settings):
    builder = SparkSession.builder.master(master)
    for key, value in {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1", "spark.ui.enabled": "false",
                       "spark.ui.showConsoleProgress": "false", "spark.sql.shuffle.partitions": "2", **settings}.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def rows(frame):
    return [row.asDict() for row in frame.collect()]


class Killed(etcore.spark.EtdumpDataSource):
    """A data source whose first attempt of the first task kills its worker after its first rows."""

    @classmethod
    def name(cls):
        return "killed"

    def reader(self, schema):
        reader, read = super().reader(schema), type(super().reader(schema)).read
        first = reader.partitions()[0].value

        class Reader(type(reader)):
            def read(self, partition):
                for n, batch in enumerate(read(self, partition)):
                    yield batch
                    if partition.value == first and n == 0 and once(os.environ["ETCORE_MARK"]):
                        os.kill(os.getpid(), signal.SIGKILL)

        reader.__class__ = Reader
        return reader


def once(path):
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True


def tables(farm, spark):
    for name in farm.tables:
        check(farm.same(name, rows(etcore.spark.once(
            spark.read.format("etdump").option("table", name).option("meta", "lab=berlin").load(DATA)))),
            f"data source: table {name}")
    files = spark.createDataFrame([(path,) for path in farm.paths], "path string").repartition(3)
    for name in ("rows", "errors"):
        check(farm.same(name, rows(etcore.spark.once(etcore.spark.tables(files, name)))), f"mapInArrow: table {name}")
    dumps = spark.read.format("binaryFile").load(os.path.join(DATA, "cases", "*", "run.etdump"))
    want = {(r["run_id"], r["path"]) for r in farm.rows["paths"] if r["path"].startswith(os.path.join(DATA, "cases") + os.sep)
            and r["path"].endswith("/run.etdump") and r["path"].count("/") == DATA.count("/") + 3}
    got = rows(etcore.spark.tables(dumps, "paths"))
    check({(r["run_id"], r["path"].replace("file:", "")) for r in got} == want and len(got) == len(want), "binaryFile")


def mistakes(spark):
    for options, said in (({"table": "rowz"}, "did you mean 'rows'"), ({"metaPatern": "x"}, "did you mean 'metapattern'"),
                          ({"noPlugins": "maybe"}, "true or false"), ({"config": "/none.ini"}, "/none.ini")):
        try:
            spark.read.format("etdump").options(**options).load(DATA).count()
        except Exception as e:
            check(said in str(e), f"{options}: {e}")
        else:
            check(False, f"{options} is accepted")
    try:
        spark.read.format("etdump").load("/none/*.etdump").count()
    except Exception as e:
        check("no file matches" in str(e), str(e))
    else:
        check(False, "no file matches")


def killed(farm, spark, scratch):
    spark.dataSource.register(Killed)
    os.environ["ETCORE_MARK"] = os.path.join(scratch, "mark")
    frame = spark.read.format("killed").option("partitions", "3").load(os.path.join(DATA, "backends"))
    out = os.path.join(scratch, "parquet")
    frame.write.parquet(out)
    check(os.path.exists(os.environ["ETCORE_MARK"]), "a worker was killed")
    below = os.path.join(DATA, "backends") + os.sep
    ids = {r["run_id"] for r in farm.rows["paths"] if r["path"].startswith(below)}
    check(farm.same("rows", rows(etcore.spark.once(spark.read.parquet(out))), lambda r: r["run_id"] in ids), "after a kill")
    count = len(rows(spark.read.format("etdump").option("partitions", "3").load(os.path.join(DATA, "backends"))))
    check(spark.read.parquet(out).count() == count, "as many rows as without a kill")


@contextlib.contextmanager
def cluster(scratch):
    """Starts a master and two workers with different addresses, because Spark does not run two attempts of a task on one
    host."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = str(s.getsockname()[1])
    home = os.path.dirname(pyspark.__file__)
    master = f"spark://127.0.0.1:{port}"
    started = []

    def start(name, host, *words):
        with open(os.path.join(scratch, f"{name}-{host}.log"), "w", encoding="ascii") as log:
            started.append(subprocess.Popen(
                [os.path.join(home, "bin", "spark-class"), f"org.apache.spark.deploy.{name}", "--host", host, "--webui-port", "0", *words],
                env={**os.environ, "SPARK_HOME": home, "SPARK_LOCAL_IP": host}, stdout=log, stderr=log, start_new_session=True))

    try:
        start("master.Master", "127.0.0.1", "--port", port)
        for host in ("127.0.0.1", "127.0.0.2"):
            start("worker.Worker", host, "--cores", "1", "--memory", "1g", "--work-dir", os.path.join(scratch, host), master)
        yield master
    finally:
        for p in started:
            os.killpg(p.pid, signal.SIGTERM)
        for p in started:
            p.wait(timeout=60)


def twice(spark, scratch):
    """Speculation runs a second attempt of a task that does not end; its rows must not be duplicated."""
    log = os.path.join(scratch, "attempts")
    paths = sorted(os.path.join(DATA, "cases", case, "run.etdump") for case in os.listdir(os.path.join(DATA, "cases")))
    files = spark.createDataFrame([(path,) for path in paths], "path string").repartition(4).cache()
    schema = etcore.spark.tables(files).schema

    def analyze(batches):
        from pyspark import TaskContext

        from etcore import _farm
        context = TaskContext.get()
        with open(log, "a", encoding="ascii") as f:
            f.write(f"{context.partitionId()} {context.attemptNumber()}\n")
        for made in _farm.read((p for batch in batches for p in batch.column("path").to_pylist()), "rows", []):
            yield from made.to_batches()
        if context.partitionId() == 0 and context.attemptNumber() == 0:
            for _ in range(3000):  # waits until the other attempt has ended
                time.sleep(0.1)

    out = os.path.join(scratch, "twice")
    files.mapInArrow(analyze, schema).write.parquet(out)
    with open(log, encoding="ascii") as f:
        attempts = f.read().split("\n")
    check("0 0" in attempts and "0 1" in attempts, f"a speculative attempt ran: {attempts}")
    want = sorted(json.dumps(r, sort_keys=True) for r in rows(etcore.spark.tables(files)))
    check(sorted(json.dumps(r, sort_keys=True) for r in rows(spark.read.parquet(out))) == want, "rows of one attempt each")


def main():
    with tempfile.TemporaryDirectory() as scratch:
        farm = Farm(ETCORE, scratch)
        os.environ["ETCORE_MARK"] = os.path.join(scratch, "mark")
        spark = session("local[2,4]")
        etcore.spark.register(spark)
        tables(farm, spark)
        mistakes(spark)
        killed(farm, spark, scratch)
        spark.stop()
        with cluster(scratch) as master:
            spark = session(master, **{
                "spark.speculation": "true", "spark.speculation.interval": "100ms", "spark.speculation.minTaskRuntime": "100ms",
                "spark.speculation.quantile": "0.3", "spark.speculation.multiplier": "1.1", "spark.executor.memory": "1g",
                "spark.speculation.efficiency.enabled": "false", "spark.executorEnv.PYTHONPATH": os.environ["PYTHONPATH"],
                "spark.executorEnv.ETCORE_LIBRARY": LIBRARY})
            twice(spark, scratch)
            spark.stop()
    print(f"{checks()} checks: tables of Spark {pyspark.__version__} are those of etcore batch, also after a kill and with speculation")


if __name__ == "__main__":
    main()
