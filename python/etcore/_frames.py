"""DataFrames of events, column by column, with the types that pandas gives a concatenation of one frame per event."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Tuple

if TYPE_CHECKING:
    import pandas

    from ._events import Event, EventBlock


def _kind(value: Any) -> Tuple[Any, ...]:
    """What decides on the type of a column that has only this cell."""
    if isinstance(value, list):
        return (list, type(value[0]))
    return (type(value), type(value) is int and not -(2**63) <= value < 2**63, value != value)


def block_frame(block: EventBlock, units: str, metadata: bool) -> pandas.DataFrame:
    """EventBlock.to_dataframe."""
    import numpy
    import pandas

    frame = _events_frame(block.events, units)
    frame.insert(0, "event_block_name", numpy.asarray([block.name for _ in block.events]), allow_duplicates=True)
    if metadata:
        rows = [_metadata_row(event) for event in block.events]
        if any(not row.empty for row in rows):
            frame = pandas.concat([frame, pandas.DataFrame(rows)], axis=1)
    return frame


def _events_frame(events: List[Event], units: str) -> pandas.DataFrame:
    import pandas

    rows: List[Dict[str, Any]] = []
    samples: Dict[Any, Dict[str, Any]] = {}
    for event in events:
        row = event.asdict(_units=units)
        samples.setdefault(tuple(map(_kind, row.values())), row)
        rows.append(row)
    # pandas decides on the types: a row of each kind is enough.
    typed = pandas.concat([pandas.DataFrame(row) for row in samples.values()], ignore_index=True)
    columns: Dict[str, Any] = {}
    for name in typed.columns:
        cells = [row[name] for row in rows]
        if cells and isinstance(cells[0], list):
            cells = [cell[0] for cell in cells]
        columns[name] = _series(cells, typed[name].dtype)
    return pandas.DataFrame(columns)


def _series(cells: List[Any], dtype: Any) -> pandas.Series:
    import numpy
    import pandas

    if dtype == object:
        array = numpy.empty(len(cells), dtype=object)
        for i, cell in enumerate(cells):
            array[i] = float(cell) if isinstance(cell, numpy.floating) else cell
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
