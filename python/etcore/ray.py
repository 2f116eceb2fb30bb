"""ETDumps in Ray Data, analysed by libetcore in Ray's workers.

    import etcore.ray

    rows = etcore.ray.read("runs/**/*.etdump")              # a ray.data.Dataset
    runs = etcore.ray.read("runs", "runs", meta="lab=berlin")

A dataset has the rows of a table of `etcore batch` (docs/farm.md). If copies of a dump are in two blocks, their rows occur
twice, with the same ``analysis_id``.
"""
from __future__ import annotations

from typing import Any

from . import _farm
from ._need import need

__all__ = ["read"]


def read(paths: _farm.Paths, table: str = "rows", **options: Any) -> Any:
    """Returns a table of dumps as ray.data.Dataset.

    Args:
        paths: a pattern, a folder, a file, or a list of them; workers open the files by the same paths.
        table: "runs", "paths", "rows", "notes", "errors", ...
        options: options of :func:`etcore.batch`: meta=, meta_pattern=, config=, set=, plugin=, no_plugins=.
    """
    data, pa = need("ray.data"), need("pyarrow")
    chosen = _farm.options(options)
    schema = _farm.schema(table, chosen)
    files = _farm.files(paths)

    def analyze(batch: Any) -> Any:
        made = list(_farm.read(batch.column("path").to_pylist(), table, chosen))
        return pa.concat_tables(made) if made else schema.empty_table()

    dumps = data.from_arrow(pa.table({"path": pa.array(files, pa.string())}))
    return dumps.repartition(max(1, min(len(files), len(files) // _farm.AT_ONCE + 16))).map_batches(
        analyze, batch_format="pyarrow", batch_size=_farm.AT_ONCE)
