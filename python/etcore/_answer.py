"""The answer of a query "inspector" as rows of blocks and events."""
from __future__ import annotations

import json
from typing import Any, Dict, List, Optional

from ._errors import usage
from ._events import Converter, EventBlock, Parser, PerfData, TimeScale, lazy_block, lazy_event

_STATS = ("p10", "p50", "p90", "avg", "min", "max")
_FLOATS = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}


def _number(v: Any) -> Any:
    return _FLOATS[v] if isinstance(v, str) else v


class Answer:
    """Rows by number: `event_FIELD(row)` and `block_FIELD(index)` make a field that is read lazily."""

    def __init__(self, text: bytes, parser: Optional[Parser], converter: Optional[Converter]) -> None:
        self._parser, self._converter = parser, converter
        self._blocks: List[Any] = json.loads(text)["blocks"]
        self._rows = [e for b in self._blocks for e in b["events"]]

    def blocks(self) -> List[EventBlock]:
        """Inspector.event_blocks."""
        return [lazy_block(self, i, {
            "name": b["name"], "source_time_scale": TimeScale(b["source_time_scale"]),
            "target_time_scale": TimeScale(b["target_time_scale"]), "bundled_input_index": b["bundled_input_index"],
        }) for i, b in enumerate(self._blocks)]

    def block_events(self, i: int) -> List[Any]:
        first = sum(len(b["events"]) for b in self._blocks[:i])
        return [lazy_event(self, first + k, {
            "name": e["name"], "delegate_debug_identifier": e["delegate_debug_identifier"],
            "num_outputs": e["num_outputs"], "is_delegated_op": e["is_delegated_op"],
            "delegate_backend_name": e["delegate_backend_name"], "_instruction_id": e["instruction_id"],
            "_delegate_metadata_parser": self._parser, "_delegate_time_scale_converter": self._converter,
        }) for k, e in enumerate(self._blocks[i]["events"])]

    def block_run_output(self, i: int) -> Any:
        return self._values(self._blocks[i]["run_output"])

    def block_reference_output(self, i: int) -> Any:
        return self._values(self._blocks[i]["reference_output"])

    def event_perf_data(self, row: int) -> Optional[PerfData]:
        perf = self._rows[row]["perf_data"]
        if perf is None:
            return None
        return PerfData._of([_number(v) for v in perf["raw"]], [_number(perf[s]) for s in _STATS])

    def event_op_types(self, row: int) -> List[str]:
        return list(self._rows[row]["op_types"])

    def event_debug_handles(self, row: int) -> Any:
        return self._rows[row]["debug_handles"]

    def event_stack_traces(self, row: int) -> Dict[str, Any]:
        return dict(self._rows[row]["stack_traces"])

    def event_module_hierarchy(self, row: int) -> Dict[str, Any]:
        return {k: None if v is None else {m: tuple(p) for m, p in v.items()}
                for k, v in self._rows[row]["module_hierarchy"].items()}

    def event_delegate_debug_metadatas(self, row: int) -> List[Any]:
        return [bytes.fromhex(m) or "" for m in self._rows[row]["delegate_debug_metadatas"]]

    def event_start_time(self, row: int) -> Any:
        return self._rows[row]["start_time"]

    def event_debug_data(self, row: int) -> Any:
        return self._values(self._rows[row]["debug_data"])

    def _values(self, values: Any) -> Any:
        if values and any(isinstance(v, (dict, list)) for v in values):
            raise usage("tensors are not read yet")
        return values
