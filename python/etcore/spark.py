"""ETDumps in Apache Spark (4.0 and later), analysed by libetcore in the Python workers.

    import etcore.spark

    etcore.spark.register(spark)
    rows = spark.read.format("etdump").load("runs/**/*.etdump")
    runs = spark.read.format("etdump").option("table", "runs").option("metaPattern",
    "{device}/{date}/*.etdump").load("runs")

A DataFrame has the rows of a table of `etcore batch` (docs/farm.md). The option ``table`` names the table (default "rows"),
``partitions`` is the number of tasks; the others are options of ``etcore.batch``: ``meta``, ``metaPattern``, ``config``,
``set``, ``plugin``, ``noPlugins``. The driver resolves patterns; executors open the files by the same paths. If files are
in an object store, Spark reads them, and :func:`tables` analyses their contents:

    dumps = spark.read.format("binaryFile").load("s3a://lab/runs/*/*.etdump")
    rows = etcore.spark.tables(dumps, "rows")

A task that is repeated, or run twice by speculation, makes the same rows with the same ``analysis_id``, and Spark keeps the
rows of one attempt. If copies of a dump are in two tasks, their rows occur twice; :func:`once` removes the duplicates.

Executors need the packages etcore, pyarrow and pandas.
"""
from __future__ import annotations

import json
import math
from typing import Any, Dict, Iterator, List

from . import _farm
from ._need import need

_source: Any = need("pyspark.sql.datasource")
_TASK_MOST, _TASKS_LEAST = 1000, 8  # most dumps per task; least number of tasks, if there are as many dumps

__all__ = ["EtdumpDataSource", "once", "register", "tables"]


class _Part(_source.InputPartition):  # type: ignore[misc]
    """The dumps of one task."""


class _Reader(_source.DataSourceReader):  # type: ignore[misc]
    def __init__(self, files: List[str], tasks: int, table: str, chosen: List[_farm.Option]) -> None:
        self._files, self._tasks, self._table, self._chosen = files, tasks, table, chosen

    def partitions(self) -> List[Any]:
        n, k = len(self._files), self._tasks
        return [_Part(self._files[i * n // k:(i + 1) * n // k]) for i in range(k)]

    def read(self, partition: Any) -> Iterator[Any]:
        for table in _farm.read(partition.value, self._table, self._chosen):
            yield from table.to_batches()


class EtdumpDataSource(_source.DataSource):  # type: ignore[misc]
    """The data source of ``spark.read.format("etdump")``."""

    def __init__(self, options: Dict[str, str]) -> None:
        super().__init__(options)
        given = dict(options)
        listed = given.pop("paths", None)  # paths of load([...]), as JSON
        self._paths = json.loads(listed) if listed else given.pop("path", None)
        self._table = given.pop("table", "rows")
        self._tasks = given.pop("partitions", None)
        self._chosen = _farm.options(given)

    @classmethod
    def name(cls) -> str:
        return "etdump"

    def schema(self) -> Any:
        return _spark_schema(_farm.schema(self._table, self._chosen))

    def reader(self, schema: Any) -> Any:
        if not self._paths:
            raise ValueError('which dumps? .load("runs/**/*.etdump")')
        files = _farm.files(self._paths)
        tasks = max(math.ceil(len(files) / _TASK_MOST), min(len(files), _TASKS_LEAST), 1)
        return _Reader(files, int(self._tasks) if self._tasks else tasks, self._table, self._chosen)


def _spark_schema(schema: Any) -> Any:
    return need("pyspark.sql.pandas.types").from_arrow_schema(schema)


def register(spark: Any) -> None:
    """Registers the format "etdump" with a SparkSession."""
    spark.dataSource.register(EtdumpDataSource)


def tables(dumps: Any, table: str = "rows", **options: Any) -> Any:
    """Analyses dumps that are rows of a Spark DataFrame, with ``mapInArrow``.

    Args:
        dumps: a DataFrame with columns ``path`` and ``content`` (the bytes), as the format "binaryFile" returns; or only
            ``path``, which executors open.
        table: "runs", "paths", "rows", "notes", "errors", ...
        options: options of :func:`etcore.batch`: meta=, meta_pattern=, config=, set=, plugin=, no_plugins=.

    Returns:
        a DataFrame with the rows of the table.
    """
    chosen = _farm.options(options)
    names = [name for name in ("path", "content") if name in dumps.columns]
    if "path" not in names:
        raise ValueError(f"dumps need a column 'path'; there are {', '.join(dumps.columns)}")

    def analyze(batches: Iterator[Any]) -> Iterator[Any]:
        found = (dump for batch in batches for dump in zip(*(batch.column(name).to_pylist() for name in names)))
        for made in _farm.read((dump if len(dump) > 1 else dump[0] for dump in found), table, chosen):
            yield from made.to_batches()

    return dumps.select(*names).mapInArrow(analyze, _spark_schema(_farm.schema(table, chosen)))


def once(rows: Any) -> Any:
    """Removes duplicate rows, which occur if two tasks had copies of one dump: the duplicates are equal in all columns,
    ``analysis_id`` included. Map columns are not compared.
    """
    kinds = {field.name: field.dataType.typeName() for field in rows.schema}
    return rows.dropDuplicates([name for name, kind in kinds.items() if kind != "map"])
