"""PerfData, Event and EventBlock, as in executorch.devtools.inspector.

Users can construct all three. Objects of an Inspector read expensive fields from the library's answer on first access;
from then on the object holds the field, which can be changed.
"""
from __future__ import annotations

import dataclasses
import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

from . import _stats
from ._answer import Answer
from ._lazy import ABSENT, Field, Lazy, Once, own
from ._need import need
from ._scale import TimeScale

if TYPE_CHECKING:
    import pandas

Number = Union[int, float]
Parser = Callable[[List[Any]], Any]
Converter = Callable[[Union[int, str], Number], Number]

@dataclass(frozen=True)
class Ratio:
    """The default time converter of an Inspector: divides the time by `factor`."""

    factor: float

    def __call__(self, event_name: Union[int, str], input_time: Number) -> Number:
        return input_time / self.factor


class _Known:
    """Holds statistics that are already known, in a slot so that vars(perf_data) does not show them."""

    __slots__ = ("_known",)
    _known: Tuple[Tuple[Number, ...], Sequence[Number]]


@dataclass(eq=False)
class PerfData(_Known):
    """The times of an event, one for each run, and their statistics.

    Attributes:
        raw: the times in the unit of the target time scale, or as the user's converter returned them.
    """

    def __init__(self, raw: List[Number]) -> None:
        self.raw = raw

    @classmethod
    def _of(cls, raw: List[Number], stats: Sequence[Number]) -> PerfData:
        """A PerfData whose p10, p50, p90 and avg are known."""
        self = cls(raw)
        self._known = tuple(raw), stats
        return self

    def _stat(self, i: int, compute: Callable[[Sequence[Number]], Any]) -> Any:
        """Returns the known statistic number `i` if `raw` is unchanged, else computes it."""
        known = getattr(self, "_known", None)
        if known and len(self.raw) == len(known[0]) and all(map(operator.is_, self.raw, known[0])):
            return _stats.real(known[1][i])
        return compute(self.raw)

    def __eq__(self, other: object) -> bool:
        return list(self.raw) == list(other.raw) if isinstance(other, PerfData) else NotImplemented

    def __getstate__(self) -> Dict[str, Any]:
        return vars(self)

    __hash__ = None  # type: ignore[assignment]

    @property
    def p10(self) -> float:
        """10th percentile, linearly interpolated."""
        return self._stat(0, lambda raw: _stats.percentile(raw, 10))  # type: ignore[no-any-return]

    @property
    def p50(self) -> float:
        """Median."""
        return self._stat(1, lambda raw: _stats.percentile(raw, 50))  # type: ignore[no-any-return]

    @property
    def p90(self) -> float:
        """90th percentile, linearly interpolated."""
        return self._stat(2, lambda raw: _stats.percentile(raw, 90))  # type: ignore[no-any-return]

    @property
    def avg(self) -> float:
        """Arithmetic mean."""
        return self._stat(3, _stats.mean)  # type: ignore[no-any-return]

    @property
    def min(self) -> Number:
        """Shortest time."""
        return min(self.raw)

    @property
    def max(self) -> Number:
        """Longest time."""
        return max(self.raw)


def shown_ops(ops: List[str]) -> Any:
    """Returns operators in the form of a frame's cell: five or more are abbreviated."""
    return ops if len(ops) < 5 else f"['{ops[0]}', '{ops[1]}' ... '{ops[-1]}'] ({len(ops)} total)"


@dataclass
class Event(Lazy):
    """An event of the runtime: an operator, a delegate's step, or a part of the framework.

    Attributes:
        name: name of the event, or the delegate's identifier as text; "" if only values were logged.
        perf_data: times, one for each run of the block; None if the event has no times.
        op_types: operators of the graph nodes that the event executes.
        delegate_debug_identifier: the delegate's own identifier.
        debug_handles: handles of the nodes of the graph.
        num_outputs: number of outputs of the node.
        stack_traces: node name -> stack trace.
        module_hierarchy: node name -> module stack.
        is_delegated_op: whether a delegate logged the event.
        delegate_backend_name: the backend of the delegate.
        debug_data: logged values: tensors (torch.Tensor if torch is installed, else numpy.ndarray, else
            memoryview), lists of them, numbers.
    """

    _lazy = ("perf_data", "op_types", "debug_handles", "stack_traces", "module_hierarchy",
             "_delegate_debug_metadatas", "debug_data", "_delegate_time_scale_converter", "_start_time")

    name: str
    perf_data: Optional[PerfData] = None
    op_types: List[str] = dataclasses.field(default_factory=list)
    delegate_debug_identifier: Optional[Union[int, str]] = None
    debug_handles: Optional[Union[int, Sequence[int]]] = None
    num_outputs: int = 1
    stack_traces: Dict[str, str] = dataclasses.field(default_factory=dict)
    module_hierarchy: Dict[str, Dict[str, Any]] = dataclasses.field(default_factory=dict)
    is_delegated_op: Optional[bool] = None
    delegate_backend_name: Optional[str] = None
    _delegate_debug_metadatas: List[Any] = dataclasses.field(default_factory=list)

    debug_data: List[Any] = dataclasses.field(default_factory=list)
    _instruction_id: Optional[int] = None

    _delegate_metadata_parser: Optional[Parser] = None
    _delegate_time_scale_converter: Optional[Converter] = None
    _start_time: Optional[List[Number]] = None

    @Once
    def delegate_debug_metadatas(self) -> Any:
        """The parser's result for the delegate's metadata; without a parser a list of bytes ("" for a run without
        metadata)."""
        if not self.is_delegated_op or self._delegate_metadata_parser is None:
            return self._delegate_debug_metadatas
        return self._delegate_metadata_parser(self._delegate_debug_metadatas)

    @property
    def raw_delegate_debug_metadatas(self) -> List[Any]:
        """The delegate's metadata as logged, one item for each run, or an empty list."""
        return self._delegate_debug_metadatas

    @property
    def start_time(self) -> Optional[List[Number]]:
        """Time at which the event began, in raw clock ticks, one for each run."""
        return self._start_time

    def to_dataframe(self, _units: str = "") -> pandas.DataFrame:
        """Returns a pandas.DataFrame with one row."""
        return need("pandas").DataFrame(self.asdict(_units=_units))

    def asdict(self, _units: str = "") -> Dict[str, Any]:
        """Returns {column name: cell} for to_dataframe; a cell that is a list is wrapped in a list."""
        perf = self.perf_data
        return {
            "event_name": self.name,
            "raw": [perf.raw if perf else None],
            **{s + _units: getattr(perf, s) if perf else None for s in ("p10", "p50", "p90", "avg", "min", "max")},
            "op_types": [shown_ops(self.op_types)],
            "delegate_debug_identifier": self.delegate_debug_identifier,
            "stack_traces": [self.stack_traces],
            "module_hierarchy": [self.module_hierarchy],
            "is_delegated_op": self.is_delegated_op,
            "delegate_backend_name": self.delegate_backend_name,
            "debug_data": [self.debug_data],
            "start_time": [self._start_time],
        }


@dataclass
class EventBlock(Lazy):
    """The events of runs with the same event list: the load of a program, or one path through a method.

    Attributes:
        name: the name that the runtime logged, usually "Default" or "Execute".
        events: its events.
        source_time_scale: unit of the runtime's clock.
        target_time_scale: unit of PerfData.
        bundled_input_index: index of the bundled input; -1: none.
        run_output: the logged outputs of the program.
        reference_output: outputs that the ETRecord expects.
    """

    _lazy = ("events", "run_output", "reference_output")

    name: str
    events: List[Event] = dataclasses.field(default_factory=list)
    source_time_scale: TimeScale = TimeScale.NS
    target_time_scale: TimeScale = TimeScale.MS
    bundled_input_index: Optional[int] = None
    run_output: Optional[List[Any]] = None
    reference_output: Optional[List[Any]] = None

    def to_dataframe(
        self, include_units: bool = False, include_delegate_debug_data: bool = False
    ) -> pandas.DataFrame:
        """Returns a pandas.DataFrame with a row for each event.

        Args:
            include_units: append the unit to the names of time columns.
            include_delegate_debug_data: append columns with the delegates' metadata.
        """
        from ._frames import block_frame

        units = " (" + self.target_time_scale.value + ")" if include_units else ""
        return block_frame(self, units, include_delegate_debug_data)


for _cls, _kind in ((Event, "event_"), (EventBlock, "block_")):
    for _name in _cls._lazy:
        setattr(_cls, _name, Field(_name, getattr(Answer, _kind + _name.lstrip("_")), vars(_cls).get(_name, ABSENT)))


# ---- detection of changes by the user

#: (class, name, code) of the methods that make frames.
_CODE: List[Tuple[Any, str, Any]] = [(owner, name, vars(owner)[name]) for owner, names in (
    (EventBlock, ("to_dataframe",)), (Event, ("asdict",)),
    (PerfData, ("p10", "p50", "p90", "avg", "min", "max"))) for name in names]


def unpatched() -> bool:
    """Returns whether the methods that make frames are the original ones."""
    return all(vars(owner)[name] is code for owner, name, code in _CODE)


def same(a: Any, b: Any) -> bool:
    """Returns whether two values have equal types and are equal. Fields that no table shows are ignored."""
    if type(a) is not type(b):
        return False
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, PerfData):
        return same(a.raw, b.raw)
    if isinstance(a, EventBlock):
        return "to_dataframe" not in own(a) and same(
            [a.name, a.target_time_scale, a.events], [b.name, b.target_time_scale, b.events])
    if isinstance(a, Event):
        return "asdict" not in own(a) and same(_shown(a), _shown(b))
    return a is b or repr(a) == repr(b)


def _shown(e: Event) -> List[Any]:
    return [e.name, e.perf_data, e.op_types, e.is_delegated_op, e.delegate_backend_name, e._start_time,
            e._delegate_debug_metadatas, e._delegate_metadata_parser,
            own(e).get("delegate_debug_metadatas", e._delegate_debug_metadatas)]
