"""The answer of a query "inspector": converts its tables to the fields of blocks and events.

A table is read when one of its fields is first accessed.
"""
from __future__ import annotations

from functools import cached_property

from ._arrow import Columns
from ._errors import usage
from ._lazy import own
from ._library import Query
from ._scale import TimeScale
from ._values import tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

    from ._events import Converter, Event, EventBlock, Number, Parser, PerfData, Ratio


def _parsed(text: str) -> Any:
    """Parses JSON. json is imported here because few dumps need it and the import takes as long as reading a small dump."""
    import json

    return json.loads(text)


_STATS = ("p10", "p50", "p90", "avg")
_PLACE = {"int": "int", "float": "real", "str": "text"}
_PER_SECOND = {"ns": 10**9, "us": 10**6, "ms": 1000, "s": 1, "cycles": 1}
_MAX_32 = 2**32 - 1


class Answer:
    """Computes the lazily read fields: `event_FIELD(row)` for an event, `block_FIELD(index)` for a block."""

    def __init__(self, query: Query, parser: Optional[Parser], converter: Optional[Converter]) -> None:
        self._query, self._parser, self._converter = query, parser, converter
        self._converted: Dict[int, List[Number]] = self._convert() if converter is not None else {}

    def __deepcopy__(self, memo: Any) -> Answer:
        """An Answer is immutable: a deep copy is the object itself."""
        return self

    def __reduce__(self) -> Tuple[Any, ...]:
        """An Answer refers to memory of the library, which cannot be pickled: it is pickled as None."""
        return type(None), ()

    @cached_property
    def _objects(self) -> Any:
        """Returns the module _events. It is imported late because the import takes longer than reading a small dump."""
        from . import _events

        return _events

    @cached_property
    def _blocks(self) -> Columns:
        return Columns(self._query, "blocks")

    @cached_property
    def _events(self) -> Columns:
        return Columns(self._query, "inspected")

    @cached_property
    def _samples(self) -> Columns:
        return Columns(self._query, "inspected_samples")

    @cached_property
    def _stats(self) -> List[Sequence[Any]]:
        return [self._events[name].numbers() for name in _STATS]

    @cached_property
    def _timed(self) -> List[bool]:
        return self._events["timed"].tolist()

    @cached_property
    def _place(self) -> Tuple[Sequence[int], Sequence[int]]:
        return self._events["first_sample"].numbers(), self._events["samples"].numbers()

    def _rows_of(self, row: int) -> Tuple[int, int]:
        """Returns the row of an event's first sample, and the row after its last sample."""
        firsts, counts = self._place
        first = firsts[row]
        return first, first + counts[row]

    # ---- the converter of delegated times

    def _convert(self) -> Dict[int, List[Number]]:
        """Returns {row of each delegated event with times: its converted times}. The converter is called in the same order
        as by ExecuTorch's class."""
        out: Dict[int, List[Number]] = {}
        for row, (delegated, timed) in enumerate(zip(
                self._events["is_delegated_op"].tolist(), self._timed)):
            if delegated and timed:
                a, b = self._rows_of(row)
                out[row] = [self._elapsed(self._events["name"][row], start, end) for start, end in zip(
                    self._samples["start_time"].slice(a, b), self._samples["end_time"].slice(a, b))]
        return out

    def _elapsed(self, name: str, start: int, end: int) -> Number:
        assert self._converter is not None
        a, b = self._converter(name, start), self._converter(name, end)
        if a > b:
            if a > _MAX_32 or b > _MAX_32:
                raise ValueError(f"Expected start_time ({a}) and end_time ({b}) to be less than {_MAX_32} for cases "
                                 "where there is wrap-around of time values.")
            return (_MAX_32 - a) + b
        return b - a

    # ---- blocks

    def blocks(self) -> List[EventBlock]:
        """Returns new EventBlock objects for all blocks, as Inspector.event_blocks."""
        make, out = self._objects.EventBlock, []
        for i, (name, source, target, index) in enumerate(zip(*(self._blocks[n].tolist() for n in (
                "name", "source_time_scale", "target_time_scale", "bundled_input_index")))):
            block = make.__new__(make)
            block._source = self, i
            own(block).update(name=name, source_time_scale=TimeScale(source), target_time_scale=TimeScale(target),
                              bundled_input_index=index)
            out.append(block)
        return out

    def block_events(self, i: int) -> List[Event]:
        a: int = self._blocks["first_event"][i]
        b = a + self._blocks["events"][i]
        make, out = self._objects.Event, []
        for row, fields in enumerate(zip(*(column[a:b] for column in self._eager)), a):
            # Only the fields that differ from the class's defaults are set, as there may be millions of events.
            event = make.__new__(make)
            event._source = self, row
            event.name, number, text, outputs, event.is_delegated_op, backend, event._instruction_id = fields
            if number is not None or text is not None:
                event.delegate_debug_identifier = text if number is None else number
            if outputs != 1:
                event.num_outputs = outputs
            if backend is not None:
                event.delegate_backend_name = backend
            if self._parser is not None:
                event._delegate_metadata_parser = self._parser
            if row in self._odd:  # iterating over an empty dict would be enough, but CPython 3.11 crashes if allocating the iterator fails
                for name, value in self._odd[row].items():
                    setattr(event, name, value)
            out.append(event)
        return out

    def frames(self, units: str) -> Optional[List[Any]]:
        """Makes the frame of each block, as EventBlock.to_dataframe, without making events. Returns None if cells need a
        callable or odd fields, which only events have."""
        from ._frames import frame_of

        if self._parser is not None or self._converter is not None:
            return None
        source: Any = Answer(self._query, None, None)  # a separate Answer, so that the tables it reads are freed with it
        if source._odd:
            return None
        source._samples.drop("value_int", "end_time", "metadata")
        source._events.drop("block", "min", "max", "instruction_id", "num_outputs")
        names, out = source._blocks["name"].tolist(), []
        for i, name in enumerate(names):
            last = i == len(names) - 1
            cells = source._cells(i, last)
            if last:
                source = None
            out.append(frame_of(name, cells, units))
        return out

    def _cells(self, i: int, last: bool) -> Dict[str, List[Any]]:
        """Returns {column: cells} of a block's frame, in the form of Event.asdict. `last`: this is the last block, so
        samples can be freed."""
        a: int = self._blocks["first_event"][i]
        b = a + self._blocks["events"][i]
        rows = range(a, b)
        if not rows:
            return {}
        raw = self._of_samples("value", rows)
        if last:
            self._samples.drop("value")
        starts = self._of_samples("start_time", rows)
        if last:
            self._samples.drop("start_time")
        names, numbers, texts, delegated, backends = (column[a:b] for column in self._shown)
        cells: Dict[str, List[Any]] = {"event_name": names, "raw": raw}
        for name, column in zip(_STATS, self._stats):
            cells[name] = list(column[a:b])
        cells["min"] = [None if times is None else min(times) for times in raw]
        cells["max"] = [None if times is None else max(times) for times in raw]
        cells["op_types"] = [self._objects.shown_ops(ops) for ops in self._made("op_types", rows, list)]
        cells["delegate_debug_identifier"] = [t if n is None else n for n, t in zip(numbers, texts)]
        cells["stack_traces"] = self._made("stack_traces", rows, dict)
        cells["module_hierarchy"] = self._made("module_hierarchy", rows, dict)
        cells["is_delegated_op"], cells["delegate_backend_name"] = delegated, backends
        cells["debug_data"] = [self.event_debug_data(row) for row in rows]
        cells["start_time"] = starts
        return cells

    @cached_property
    def _shown(self) -> List[List[Any]]:
        return [self._events[name].tolist() for name in (
            "name", "delegate_debug_identifier_int", "delegate_debug_identifier_str", "is_delegated_op",
            "delegate_backend_name")]

    def _made(self, name: str, rows: Sequence[int], empty: Callable[[], Any]) -> List[Any]:
        if self._events[name].is_blank():
            return [empty() for _ in rows]
        make = getattr(self, "event_" + name)
        return [make(row) for row in rows]

    def _of_samples(self, name: str, rows: Sequence[int]) -> List[Optional[List[Any]]]:
        firsts, counts = self._place
        column, timed = self._samples[name], self._timed
        return [column.slice(firsts[r], firsts[r] + counts[r]) if timed[r] else None for r in rows]

    @cached_property
    def _eager(self) -> List[List[Any]]:
        return [self._events[name].tolist() for name in (
            "name", "delegate_debug_identifier_int", "delegate_debug_identifier_str", "num_outputs", "is_delegated_op",
            "delegate_backend_name", "instruction_id")]

    @cached_property
    def _odd(self) -> Dict[int, Dict[str, Any]]:
        """Returns {row: fields} for events whose fields have values that no exporter writes into a record; they are read as
        JSON."""
        return {row: _parsed(text) for row, text in enumerate(self._events["as_json"].tolist()) if text}

    def block_run_output(self, i: int) -> List[Any]:
        first: int = self._blocks["first_output"][i]
        return [self._value(r) for r in range(first, first + self._blocks["outputs"][i])]

    def block_reference_output(self, i: int) -> Any:
        row = self._blocks["reference_output"][i]
        return None if row is None else self._value(row)

    # ---- events

    def event_perf_data(self, row: int) -> Optional[PerfData]:
        if not self._timed[row]:
            return None
        if row in self._converted:
            return self._objects.PerfData(list(self._converted[row]))  # type: ignore[no-any-return]
        a, b = self._rows_of(row)
        return self._objects.PerfData._of(self._samples["value"].slice(a, b), [s[row] for s in self._stats])  # type: ignore[no-any-return]

    def event_op_types(self, row: int) -> List[str]:
        return self._events["op_types"][row] or []

    def event_debug_handles(self, row: int) -> Any:
        kind = self._events["debug_handles_kind"][row]
        if kind is None:
            return None
        if kind == "json":
            return self._odd[row]["debug_handles"]
        handles = self._events["debug_handles"][row] or []
        return handles[0] if kind == "int" else handles

    def event_stack_traces(self, row: int) -> Dict[str, Any]:
        text = self._events["stack_traces"][row]
        return _parsed(text) if text else {}

    def event_module_hierarchy(self, row: int) -> Dict[str, Any]:
        text = self._events["module_hierarchy"][row]
        nodes = _parsed(text) if text else {}
        return {k: None if v is None else {m: tuple(p) for m, p in v.items()} for k, v in nodes.items()}

    def event_delegate_debug_metadatas(self, row: int) -> List[Any]:
        a, b = self._rows_of(row)
        column = self._samples["metadata"]
        return [] if a == b or column.blank(a) else [m or "" for m in column.slice(a, b)]

    def event_start_time(self, row: int) -> Optional[List[int]]:
        a, b = self._rows_of(row)
        return self._samples["start_time"].slice(a, b) if self._timed[row] else None

    def event_delegate_time_scale_converter(self, row: int) -> Converter:
        return self._converter or self._ratio

    @cached_property
    def _ratio(self) -> Ratio:
        source, target = (_PER_SECOND[self._blocks[s + "_time_scale"][0]] for s in ("source", "target"))
        return self._objects.Ratio(source / target)  # type: ignore[no-any-return]

    def event_debug_data(self, row: int) -> List[Any]:
        count: int = self._events["values"][row]
        first: int = self._events["first_value"][row] if count else 0
        return [self._value(r) for r in range(first, first + count)]

    # ---- logged values

    @cached_property
    def _values(self) -> Columns:
        return Columns(self._query, "values")

    def _value(self, row: int) -> Any:
        v = self._values
        kind: str = v["kind"][row]
        if kind == "tensor":
            return tensor(v["dtype"][row], v["shape"][row] or [],
                          None if v["data"].blank(row) and v["zeros"][row] else self._data(row),
                          v["requires_grad"][row])
        if kind == "list":
            first: int = v["first_item"][row]
            return [self._value(r) for r in range(first, first + v["items"][row])]
        if kind == "bool":
            return v["int"][row] == 1
        return None if kind == "none" else v[_PLACE[kind]][row] if kind in _PLACE else self._data(row)

    def _data(self, row: int) -> memoryview:
        column = self._values["data"]
        if column.blank(row):
            raise usage("a value of the ETRecord is not readable without torch")
        return column.view(row)
