"""Inspector: the class of executorch.devtools.inspector, answered by libetcore, without torch."""
from __future__ import annotations

import io
import os
import warnings
from enum import Enum
from functools import cached_property

from ._answer import Answer
from ._errors import Note, usage
from ._lazy import Once
from ._library import Input, Query
from ._need import executorch, need
from ._scale import TimeScale

TYPE_CHECKING = False
if TYPE_CHECKING:
    import array
    import mmap
    from typing import IO, Any, Dict, List, Optional, Tuple, Union

    import pandas

    from ._events import Converter, Event, EventBlock, Parser
    from .numerical_comparator import NumericalComparatorBase

    _Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
    _Data = Union[bytes, bytearray, memoryview, IO[bytes], "mmap.mmap", "array.array[int]"]
FORWARD = "forward"
EDGE_DIALECT_GRAPH_KEY = "edge_dialect_graph_module"
RESERVED_FRAMEWORK_EVENT_NAMES = ["Method::init", "Program::load_method", "Method::execute"]
EXCLUDED_COLUMNS_WHEN_PRINTING = ["raw", "delegate_debug_identifier", "stack_traces", "module_hierarchy", "debug_data"]
EXCLUDED_EVENTS_WHEN_PRINTING = {"OPERATOR_CALL"}


class Inspector:
    """What a run of a model did, from its ETDump, joined with the ETRecord of its export.

    Args:
        etdump_path: path of the ETDump. Either this or `etdump_data` is given.
        etdump_data: the ETDump itself: bytes, or a binary file object.
        etrecord: path of the ETRecord, an ``ETRecord`` object of executorch, or a binary file object.
        source_time_scale: unit of the runtime's clock.
        target_time_scale: unit of the times in the answer. Cycles go with cycles only.
        debug_buffer_path: file with the tensors that the run logged. Without it logged tensors are zeros.
        delegate_metadata_parser: called with the list of metadata of a delegated event (bytes, one for each run);
            returns a list, or a dict whose items become columns. Called when the metadata is touched.
        delegate_time_scale_converter: called with the name of a delegated event and its start, then its end, in
            raw ticks; returns them in the unit of the answer. Called by the constructor; default: the ratio of the
            two scales.
        enable_module_hierarchy: order the nodes of the graph by module.
        reference_graph_name: graph of the record that gives names.

    Raises:
        FileNotFoundError and other OSError: a file cannot be read.
        etcore.Error: a file is damaged, too new, or one where executorch's class raises as well.

    Attributes:
        event_blocks: list of :class:`EventBlock`. Can be changed; tables and frames show the change.
    """

    _answer: Optional[Answer] = None  # a subclass may set event_blocks itself
    _callables: Tuple[Any, ...] = ()

    def __init__(
        self,
        etdump_path: Optional[_Path] = None,
        etdump_data: Optional[_Data] = None,
        etrecord: Optional[Any] = None,
        source_time_scale: TimeScale = TimeScale.NS,
        target_time_scale: TimeScale = TimeScale.MS,
        debug_buffer_path: Optional[_Path] = None,
        delegate_metadata_parser: Optional[Parser] = None,
        delegate_time_scale_converter: Optional[Converter] = None,
        enable_module_hierarchy: bool = False,
        reference_graph_name: str = EDGE_DIALECT_GRAPH_KEY,
    ) -> None:
        source_time_scale, target_time_scale = _scale(source_time_scale), _scale(target_time_scale)
        if (source_time_scale == TimeScale.CYCLES) ^ (target_time_scale == TimeScale.CYCLES):
            raise RuntimeError(
                "For TimeScale in cycles both the source and target time scale have to be in cycles."
            )
        self._source_time_scale = source_time_scale
        self._target_time_scale = target_time_scale
        self._inputs: List[Tuple[str, Input]] = []
        self._etrecord_given = etrecord
        if etrecord is not None:
            self._inputs.append(("etrecord_path", _record_input(etrecord)))
        if (etdump_path is None) == (etdump_data is None):
            raise ValueError("Expecting exactly one of etdump_path or etdump_data to be specified.")
        if etdump_data is None:
            dump = Input(etdump_path, "etdump", named=True)
        else:
            dump = Input(_contents(etdump_data), "etdump_data")
        self._inputs.append(("etdump_path", dump))
        if debug_buffer_path is not None:
            self._inputs.append(("debug_buffer_path", Input(debug_buffer_path, "debug_buffer", named=True)))
        else:
            warnings.warn("Output Buffer not found. Tensor Debug Data will not be available.", stacklevel=1)
        self._options: Dict[str, Optional[str]] = {
            "source_time_scale": source_time_scale.value,
            "target_time_scale": target_time_scale.value,
        }
        if etrecord is not None:
            if not isinstance(reference_graph_name, str) or "\0" in reference_graph_name:
                graphs: Dict[Any, Any] = {}
                graphs[reference_graph_name]  # KeyError, or TypeError of what has no hash
            self._options["reference_graph"] = reference_graph_name
        if enable_module_hierarchy:
            self._options["enable_module_hierarchy"] = None
        self._enable_module_hierarchy = enable_module_hierarchy
        self._callables = delegate_metadata_parser, delegate_time_scale_converter
        query = self._query()
        query.run()
        #: Warnings and notes about the files.
        self.notes: List[Note] = query.notes()
        self._answer = Answer(query, *self._callables)
        if type(self).event_blocks is not Inspector.event_blocks:  # a property that a subclass defines
            self.event_blocks = self._answer.blocks()

    def _query(self) -> Query:
        query = Query("inspector")
        for name, value in self._options.items():
            query.set(name, value)
        names = [given.name for _, given in self._inputs]
        for option, given in self._inputs:
            if names.count(given.name) > 1:  # one file for two inputs: the library tells them apart by name
                given.name = f"{given.name} ({option})"
            if option == "etdump_path" and given.path == given.name:
                # The answer opens it itself: it frees the memory of what is not needed any more.
                query.set(option, "./-" if given.path == "-" else given.path)
            else:
                given.hand(query, option)
        return query

    @Once
    def event_blocks(self) -> List[EventBlock]:
        """The blocks of the dump, in its order."""
        if self._answer is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute 'event_blocks'")
        return self._answer.blocks()

    def __getstate__(self) -> Dict[str, Any]:
        """A pickle has the blocks, but no answer of the library."""
        return {"event_blocks": self.event_blocks, **vars(self)}

    # ---- tables

    def to_dataframe(
        self,
        include_units: bool = True,
        include_delegate_debug_data: bool = False,
    ) -> pandas.DataFrame:
        """A pandas.DataFrame with a row for each event of each block.

        Args:
            include_units: name the unit in the columns of times.
            include_delegate_debug_data: columns of the delegates' metadata behind the others.
        """
        pandas = need("pandas")
        frames: Optional[List[Any]] = None
        if self._answer and self._untouched() and not include_delegate_debug_data:
            frames = self._answer.frames(" (" + self._target_time_scale.value + ")" if include_units else "")
        if frames is None:
            frames = [b.to_dataframe(include_units=include_units,
                                     include_delegate_debug_data=include_delegate_debug_data)
                      for b in self.event_blocks]
        return pandas.concat(frames, ignore_index=True)

    def _prepare_dataframe(
        self, include_units: bool = True, include_delegate_debug_data: bool = False
    ) -> pandas.DataFrame:
        """The rows and columns that are printed."""
        frame = self.to_dataframe(include_units, include_delegate_debug_data)
        frame = frame.drop(columns=EXCLUDED_COLUMNS_WHEN_PRINTING)
        for name in EXCLUDED_EVENTS_WHEN_PRINTING:
            frame = frame[~frame["event_name"].str.contains(name)]
        frame.reset_index(drop=True, inplace=True)
        return frame

    def _untouched(self) -> bool:
        """Has nobody touched the blocks, or the code that makes frames of them?"""
        from ._events import unpatched

        return "event_blocks" not in vars(self) and type(self).event_blocks is Inspector.event_blocks and unpatched()

    def _as_read(self) -> bool:
        """Does the table still show the files' values unchanged?"""
        from ._events import same, unpatched

        if self._answer is None or any(self._callables) or not unpatched():
            return False
        if any(getattr(type(self), name) is not code or name in vars(self) for name, code in _METHODS.items()):
            return False
        return self._untouched() or same(self.event_blocks, self._answer.blocks())

    def _printed(self, form: str, units: bool, metadata: bool) -> Optional[str]:
        """The table as the library prints it; None if events or files were changed, so that the library's table would
        differ."""
        if not self._as_read():
            return None
        assert self._answer
        if units and not metadata:  # as by default: the answer that is there
            return self._answer._query.write(form).decode("utf-8")
        if not all(i.unchanged() for _, i in self._inputs):
            return None
        query = self._query()
        query.set("output", form)
        query.set("include-units", "yes" if units else "no")
        query.set("include-delegate-debug-data", "yes" if metadata else "no")
        return query.text()[1].decode("utf-8")

    def print_data_tabular(
        self,
        file: Optional[IO[str]] = None,
        include_units: bool = True,
        include_delegate_debug_data: bool = False,
    ) -> None:
        """Prints a table with a row for each event, without OPERATOR_CALL.

        Args:
            file: where to print; default: standard output.
            include_units: name the unit in the columns of times.
            include_delegate_debug_data: columns of the delegates' metadata behind the others.
        """
        text = self._printed("table", include_units, include_delegate_debug_data)
        if text is None:
            frame = self._prepare_dataframe(include_units, include_delegate_debug_data)
            text = need("tabulate").tabulate(frame, headers="keys", tablefmt="fancy_grid") + "\n"
        print(text[:-1], file=file)

    def save_data_to_tsv(
        self,
        file: Any,
        include_units: bool = True,
        include_delegate_debug_data: bool = False,
    ) -> None:
        """Writes the printed table with tabs between the cells.

        Args:
            file: a path, or an open text file.
            include_units: name the unit in the columns of times.
            include_delegate_debug_data: columns of the delegates' metadata behind the others.
        """
        path = isinstance(file, (str, os.PathLike))
        plain = path and "://" not in str(file) and os.path.splitext(os.fspath(file))[1].lower() not in _COMPRESSED
        by_pandas = not (plain or isinstance(file, io.TextIOBase))
        text = None if by_pandas else self._printed("tsv", include_units, include_delegate_debug_data)
        if text is None:
            frame = self._prepare_dataframe(include_units, include_delegate_debug_data)
            frame.to_csv(file, sep="\t")
            return
        if path:
            file = os.path.expanduser(file)
            folder = os.path.dirname(file) or "."
            if not os.path.isdir(folder):
                raise OSError(f"Cannot save file into a non-existent directory: '{folder}'")  # as pandas
            with open(file, "w", encoding="utf-8", newline="") as f:
                f.write(text)
        else:
            file.write(text)

    def find_total_for_module(self, module_name: str) -> float:
        """Sum of the average times of the operators in a module, in the unit of the answer.

        Args:
            module_name: part of the module's name.
        """
        total = 0.0
        for block in self.event_blocks:
            for event in block.events:
                if event.name == "OPERATOR_CALL":
                    continue
                for stack in event.module_hierarchy.values():
                    if stack and any(module_name in key for key in stack):
                        if event.perf_data is not None:
                            total += event.perf_data.avg
                        break
        return total

    def get_op_list(
        self, event_block: str, show_delegated_ops: Optional[bool] = True
    ) -> Dict[str, List[Event]]:
        """Empty, as in executorch, where it is not implemented."""
        return {}

    def write_tensorboard_artifact(self, path: str) -> None:
        """Nothing, as in executorch, where it is not implemented."""

    def get_vgf_neural_statistics(self) -> List[Dict[str, Any]]:
        """The records of the VGF backend among the metadata of all events, with their blobs as ``raw_data`` bytes."""
        from .vgf import parse_vgf_neural_statistics_delegate_metadata

        return [record for block in self.event_blocks for event in block.events
                for record in parse_vgf_neural_statistics_delegate_metadata(event.raw_delegate_debug_metadatas)]

    # ---- what needs ExecuTorch and torch

    @property
    def _etrecord(self) -> Any:
        """ExecuTorch's ETRecord object, or None."""
        given = self._etrecord_given
        if isinstance(given, str) or hasattr(given, "read"):
            parse = executorch("executorch.devtools.etrecord", "parse_etrecord")
            read = dict(self._inputs)["etrecord_path"]
            given = self._etrecord_given = parse(io.BytesIO(read.contents()))
        return given

    @_etrecord.setter
    def _etrecord(self, record: Any) -> None:
        self._etrecord_given = record

    @cached_property
    def op_graph_dict(self) -> Optional[Dict[str, Any]]:
        """The graphs of the ETRecord as executorch's OperatorGraph, by name; None without a record. Needs executorch."""
        if self._etrecord_given is None:
            return None
        graphs = executorch("executorch.devtools.inspector._inspector_utils", "gen_graphs_from_etrecord")
        return graphs(  # type: ignore[no-any-return]
            etrecord=self._etrecord, enable_module_hierarchy=self._enable_module_hierarchy)

    def get_exported_program(self, graph: Optional[str] = None) -> Any:
        """A graph of the ETRecord as torch.export.ExportedProgram. Needs executorch and torch.

        Args:
            graph: its name; default: the edge dialect program.
        """
        if self._etrecord_given is None:
            import logging

            logging.getLogger(__name__).warning(
                "Exported program is only available when a valid etrecord_path was provided at the time of "
                "Inspector construction")
            return None
        record = self._etrecord
        return record.edge_dialect_program if graph is None else record.graph_map.get(graph)

    def calculate_numeric_gap(
        self,
        distance: Union[str, NumericalComparatorBase],
        disable_debug_handle_valdiation: bool = False,
        reference_graph: Optional[str] = None,
        *,
        reference_values: Optional[Any] = None,
    ) -> pandas.DataFrame:
        """Compares the values that the graph's nodes give with those that the runtime logged.

        The graph is run by torch on the representative inputs of the ETRecord, so executorch and torch are needed;
        without them give `reference_values`.

        Args:
            distance: "L1", "MSE", "SNR", or a comparator of etcore.numerical_comparator or executorch.
            disable_debug_handle_valdiation: go on when nodes of the exported graph have no counterpart.
            reference_graph: graph that is run: "exported_program", "edge_dialect_exported_program", or another name
                of the record; default: the first of these two that can be used.
            reference_values: values of the nodes as recorded by sdk/python/record_references.py: a path, bytes or a
                binary file object. With it `distance` is a word.

        Returns:
            a pandas.DataFrame with a row for each pair of values; its last columns are "gap" and "stacktraces".
        """
        if reference_values is not None:
            return self._recorded_gap(distance, reference_values)
        real = executorch("executorch.devtools.inspector._inspector", "Inspector")
        peer = real.__new__(real)
        peer.__dict__.update(event_blocks=self.event_blocks, _etrecord=self._etrecord)
        return peer.calculate_numeric_gap(
            _adapted(distance, self), disable_debug_handle_valdiation, reference_graph)

    def _recorded_gap(self, distance: Any, values: Any) -> pandas.DataFrame:
        import json

        if not all(given.unchanged() for _, given in self._inputs):
            raise usage("a file was changed since it was read", "make a new Inspector")
        query = self._query()
        query.set("numeric_gap", str(distance).strip().upper())
        Input(values, "reference_values").hand(query, "reference_values")
        query.set("output", "json")
        return need("pandas").DataFrame(json.loads(query.text()[1])["rows"])


def _scale(scale: Any) -> TimeScale:
    """executorch's own TimeScale is taken, too."""
    if not isinstance(scale, Enum):
        raise KeyError(scale)
    return TimeScale(scale.value)


def _adapted(distance: Any, inspector: Inspector) -> Any:
    """A comparator as one of executorch's; a word as it is."""
    from .numerical_comparator import NumericalComparatorBase

    if getattr(distance, "inspector", inspector) is None:
        distance.inspector = inspector
    if not isinstance(distance, NumericalComparatorBase):
        return distance
    base: Any = executorch("executorch.devtools.inspector.numerical_comparator", "NumericalComparatorBase")

    class Adapted(base):  # type: ignore[misc]
        def element_compare(self, a: Any, b: Any) -> float:
            return distance.element_compare(a, b)  # type: ignore[no-any-return]

        def compare(self, *arguments: Any) -> Any:
            return distance.compare(*arguments)

    return Adapted(inspector)


def compare_results(*arguments: Any, **options: Any) -> Any:
    """executorch's compare_results, which needs torch: prints or plots how far outputs are apart."""
    return executorch("executorch.devtools.inspector._inspector_utils", "compare_results")(*arguments, **options)


_COMPRESSED = {".gz", ".bz2", ".zip", ".xz", ".zst", ".tar"}


def _contents(data: Any) -> Any:
    """The bytes of an object that has a buffer, or of a file object."""
    try:
        view = memoryview(data)
        if not view.c_contiguous:
            raise BufferError("memoryview: underlying buffer is not C-contiguous")
        return view.tobytes()
    except TypeError:
        if hasattr(data, "read"):
            return data
        raise TypeError(f"a bytes-like object is required, not {type(data).__name__!r}") from None


def _record_input(etrecord: Any) -> Input:
    """The ETRecord as a file, from a path, an object or a file object."""
    if isinstance(etrecord, str):
        return Input(etrecord, "etrecord", keep=True)
    if hasattr(etrecord, "_debug_handle_map") and hasattr(etrecord, "save"):
        file = io.BytesIO()
        etrecord.save(file)
        return Input(file.getvalue(), "etrecord")
    if hasattr(etrecord, "read"):
        return Input(etrecord, "etrecord")
    raise TypeError("Unsupported ETRecord type")


#: What makes frames: a table shows what a replaced one makes.
_METHODS = {name: vars(Inspector)[name] for name in ("to_dataframe", "_prepare_dataframe")}
