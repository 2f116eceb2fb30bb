"""Makes DataFrames of events column by column. Column types are those that pandas gives if one frame per event is
concatenated."""
from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Dict, List, Tuple

from ._need import need

if TYPE_CHECKING:
    import pandas

    from ._events import Event, EventBlock

#: Columns of times; columns whose cells are arbitrary Python objects.
TIMES = ("p10", "p50", "p90", "avg", "min", "max")
OBJECTS = ("raw", "op_types", "stack_traces", "module_hierarchy", "debug_data", "start_time")


def _kind(value: Any) -> Tuple[Any, ...]:
    """Returns the properties of a cell that determine pandas' type for a column of only this cell."""
    return (type(value), type(value) is int and not -(2**63) <= value < 2**63, value != value)


def block_frame(block: EventBlock, units: str, metadata: bool) -> pandas.DataFrame:
    """Returns the frame of EventBlock.to_dataframe."""
    pandas = need("pandas")
    frame = frame_of(block.name, _cells(block.events), units)
    if metadata:
        rows = [_metadata_row(event) for event in block.events]
        if any(not row.empty for row in rows):
            frame = pandas.concat([frame, pandas.DataFrame(rows)], axis=1)
    return frame


def _cells(events: List[Event]) -> Dict[str, List[Any]]:
    columns: Dict[str, List[Any]] = {}
    for event in events:
        for name, cell in event.asdict().items():
            one = isinstance(cell, list) and len(cell) == 1
            columns.setdefault(name, []).append(cell[0] if one else cell)
    return columns


def frame_of(name: str, cells: Dict[str, List[Any]], units: str) -> pandas.DataFrame:
    """Makes the frame of a block.

    Args:
        name: name of the block.
        cells: {column name: cells as in Event.asdict}; emptied by this function.
        units: suffix of the names of time columns.
    """
    import numpy
    import pandas

    types = _typed(cells).dtypes
    count = len(cells["event_name"])
    columns: Dict[str, Any] = {}
    for column in list(cells):
        columns[column + units if column in TIMES else column] = _series(cells.pop(column), types[column])
    frame = pandas.DataFrame(columns)
    frame.insert(0, "event_block_name", numpy.asarray([name] * count), allow_duplicates=True)
    return frame


def _typed(cells: Dict[str, List[Any]]) -> pandas.DataFrame:
    """Lets pandas choose the types of columns from a small frame with one row for each kind of cell."""
    import pandas

    kinds = [map(type if name in OBJECTS else _kind, column) for name, column in cells.items()
             if _is_mixed(column, name in OBJECTS)]
    rows = {kind: row for row, kind in enumerate(zip(*kinds))} if kinds else {(): 0} if cells else {}
    return pandas.concat([pandas.DataFrame({name: [column[row]] if name in OBJECTS else column[row]
                                            for name, column in cells.items()})
                          for row in rows.values()], ignore_index=True)


def _is_mixed(column: List[Any], objects: bool) -> bool:
    """Returns whether the column's cells can have different kinds (see _kind)."""
    types = set(map(type, column))
    if len(types) != 1 or objects:
        return len(types) != 1
    if types <= {int}:
        return bool(min(column) < -(2**63) or max(column) >= 2**63)
    return not types <= {str, bool, type(None)} and any(map(operator.ne, column, column))


def _series(cells: List[Any], dtype: Any) -> pandas.Series:
    import numpy
    import pandas

    if dtype == object:
        array = numpy.empty(len(cells), dtype=object)
        if any(issubclass(kind, numpy.floating) for kind in set(map(type, cells))):
            cells = [float(cell) if isinstance(cell, numpy.floating) else cell for cell in cells]
        for i, cell in enumerate(cells):
            array[i] = cell
        return pandas.Series(array, dtype=object)
    return pandas.Series(cells, dtype=dtype)


def _metadata_row(event: Event) -> pandas.Series:
    import pandas

    metadata = event.delegate_debug_metadatas
    if metadata is None or len(metadata) == 0:
        return pandas.Series()
    if isinstance(metadata, list):
        return pandas.Series([metadata], index=["delegate_debug_metadata"])
    if isinstance(metadata, dict):
        return pandas.Series(metadata)
    raise ValueError(f"Unexpected type for delegate_debug_metadata: {type(metadata)}")
