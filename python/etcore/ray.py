"""ETDumps in Ray Data, analysed by libetcore in Ray's workers.

    import etcore.ray

    rows = etcore.ray.read("runs/**/*.etdump")              # a ray.data.Dataset
    runs = etcore.ray.read("runs", "runs", meta="lab=berlin")

The tables are those of `etcore batch` (docs/farm.md), row by row. Copies of a dump in two blocks have their rows twice, with
one ``analysis_id``.
"""
from __future__ import annotations

from typing import Any

from . import _farm
from ._need import need

__all__ = ["read"]


def read(paths: _farm.Paths, table: str = "rows", **options: Any) -> Any:
    """A table of dumps as ray.data.Dataset.

    Args:
        paths: a pattern, a folder, a file, or a list of them; workers open the files by the same paths.
        table: "runs", "paths", "rows", "notes", "errors", ...
        options: as of :func:`etcore.batch`: meta=, meta_pattern=, config=, set=, plugin=, no_plugins=.
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
