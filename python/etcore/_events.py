"""TimeScale, PerfData, Event and EventBlock, as in executorch.devtools.inspector.

All four can be constructed. Those of an Inspector read their costly fields from the answer of the library when they
are touched first; after that they are the object's own and can be changed.
"""
from __future__ import annotations

import dataclasses
import operator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Callable, ClassVar, Dict, List, Optional, Sequence, Tuple, Union

from . import _stats
from ._need import need

if TYPE_CHECKING:
    import pandas

Number = Union[int, float]
Parser = Callable[[List[Any]], Any]
Converter = Callable[[Union[int, str], Number], Number]


class TimeScale(Enum):
    """Unit of a clock. Equal to the same unit of executorch."""

    NS = "ns"
    US = "us"
    MS = "ms"
    S = "s"
    CYCLES = "cycles"

    def __eq__(self, other: object) -> bool:
        return self is other or isinstance(other, Enum) and (type(other).__name__, other.value) == (
            "TimeScale", self.value)

    __hash__ = Enum.__hash__


@dataclass(frozen=True)
class Ratio:
    """The converter of an Inspector that was given none."""

    factor: float

    def __call__(self, event_name: Union[int, str], input_time: Number) -> Number:
        return input_time / self.factor


class _Known:
    """Its statistics are no item of vars(perf_data)."""

    __slots__ = ("_known",)
    _known: Tuple[Tuple[Number, ...], Sequence[Number]]


@dataclass(eq=False)
class PerfData(_Known):
    """The times of an event, one for each run, and their statistics.

    Attributes:
        raw: the times in the unit of the target time scale; with a converter what it made of them.
    """

    def __init__(self, raw: List[Number]) -> None:
        self.raw = raw

    @classmethod
    def _of(cls, raw: List[Number], stats: Sequence[Number]) -> PerfData:
        """With p10, p50, p90 and avg of `raw` known."""
        self = cls(raw)
        self._known = tuple(raw), stats
        return self

    def _stat(self, i: int, compute: Callable[[Sequence[Number]], Any]) -> Any:
        """The known statistic while `raw` is as it was, else a new one."""
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
        """10th percentile, linear between neighbours."""
        return self._stat(0, lambda raw: _stats.percentile(raw, 10))  # type: ignore[no-any-return]

    @property
    def p50(self) -> float:
        """Median."""
        return self._stat(1, lambda raw: _stats.percentile(raw, 50))  # type: ignore[no-any-return]

    @property
    def p90(self) -> float:
        """90th percentile."""
        return self._stat(2, lambda raw: _stats.percentile(raw, 90))  # type: ignore[no-any-return]

    @property
    def avg(self) -> float:
        """Arithmetic mean."""
        return self._stat(3, _stats.mean)  # type: ignore[no-any-return]

    @property
    def min(self) -> Number:
        """Least time."""
        return min(self.raw)

    @property
    def max(self) -> Number:
        """Greatest time."""
        return max(self.raw)


class _Own:
    """Has the object's own dictionary, and where the rest is read."""

    __slots__ = ("__dict__", "_source")
    _source: Optional[Tuple[Any, int]]  # answer and row; None when all is read


_dictionary: Any = _Own.__dict__["__dict__"]
own: Callable[[Any], Dict[str, Any]] = _dictionary.__get__  #: The fields that were touched or changed.


class _Lazy(_Own):
    """Fields that are read from an answer when they are touched first."""

    __slots__ = ()
    _lazy: ClassVar[Tuple[str, ...]] = ()

    @property
    def __dict__(self) -> Dict[str, Any]:
        """All fields, in their order: vars() shows an object that was read at once."""
        if getattr(self, "_source", None) is not None:
            fields: Any = dataclasses.fields(self)  # type: ignore[arg-type]
            _dictionary.__set__(self, {**{f.name: getattr(self, f.name) for f in fields}, **own(self)})
            self._source = None
        return own(self)

    @__dict__.setter
    def __dict__(self, fields: Dict[str, Any]) -> None:
        _dictionary.__set__(self, fields)
        self._source = None

    def __delattr__(self, name: str) -> None:
        vars(self)  # what is deleted is not read again
        object.__delattr__(self, name)

    def __getstate__(self) -> Dict[str, Any]:
        return dict(self.__dict__)


class Field:
    """A lazy field, in the place of its default in the class."""

    def __init__(self, name: str, read: Callable[[Any, int], Any], default: Any) -> None:
        self._name, self._read, self._default = name, read, default

    def __get__(self, item: Any, owner: Any = None) -> Any:
        source = getattr(item, "_source", None)
        if source is not None:
            # The first of several threads: all have the same object.
            return own(item).setdefault(self._name, self._read(*source))
        if self._default is dataclasses.MISSING:
            raise AttributeError(f"{owner.__name__!r} object has no attribute {self._name!r}")
        return self._default


class Once(cached_property):  # type: ignore[type-arg]
    """A cached_property that does not read all lazy fields, and is one object for all threads."""

    def __get__(self, item: Any, owner: Any = None) -> Any:
        if item is None:
            return self
        fields = own(item) if isinstance(item, _Own) else vars(item)
        return fields.setdefault(self.func.__name__, self.func(item))


def shown_ops(ops: List[str]) -> Any:
    """Operators as a frame has them."""
    return ops if len(ops) < 5 else f"['{ops[0]}', '{ops[1]}' ... '{ops[-1]}'] ({len(ops)} total)"


@dataclass
class Event(_Lazy):
    """An event of the runtime: an operator, a delegate's step, or a part of the framework.

    Attributes:
        name: name of the event, or the delegate's identifier as text; "" when only values were logged.
        perf_data: times, one for each run of the block; None when the event was not timed.
        op_types: operators of the graph's nodes that it stands for.
        delegate_debug_identifier: the delegate's own identifier.
        debug_handles: handles of the nodes of the graph.
        num_outputs: number of outputs of the node.
        stack_traces: node name -> stack trace.
        module_hierarchy: node name -> module stack.
        is_delegated_op: does it come from a delegate?
        delegate_backend_name: the backend of the delegate.
        debug_data: values that were logged: tensors (torch.Tensor if torch is installed, else numpy.ndarray, else
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
        """The delegate's metadata: what the parser makes of it, else a list of bytes ("" where a run has none)."""
        if not self.is_delegated_op or self._delegate_metadata_parser is None:
            return self._delegate_debug_metadatas
        return self._delegate_metadata_parser(self._delegate_debug_metadatas)

    @property
    def raw_delegate_debug_metadatas(self) -> List[Any]:
        """The delegate's metadata as it was logged, one item for each run, or an empty list."""
        return self._delegate_debug_metadatas

    @property
    def start_time(self) -> Optional[List[Number]]:
        """Raw ticks of the clock at which the event began, one for each run."""
        return self._start_time

    def to_dataframe(self, _units: str = "") -> pandas.DataFrame:
        """A pandas.DataFrame of one row."""
        return need("pandas").DataFrame(self.asdict(_units=_units))

    def asdict(self, _units: str = "") -> Dict[str, Any]:
        """The row of to_dataframe: column name -> cell, lists in a list."""
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
class EventBlock(_Lazy):
    """The events of runs of one pattern: the loading of a program, or one path through a method.

    Attributes:
        name: "Default" or "Execute", or what the runtime called it.
        events: its events.
        source_time_scale: unit of the runtime's clock.
        target_time_scale: unit of PerfData.
        bundled_input_index: index of the bundled input; -1: none.
        run_output: outputs of the program, as far as they were logged.
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
        """A pandas.DataFrame with a row for each event.

        Args:
            include_units: name the unit in the columns of times.
            include_delegate_debug_data: columns of the delegates' metadata behind the others.
        """
        from ._frames import block_frame

        units = " (" + self.target_time_scale.value + ")" if include_units else ""
        return block_frame(self, units, include_delegate_debug_data)
