"""Inspector: the class of executorch.devtools.inspector, implemented with libetcore instead of torch."""
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
    """The events of a model's runs, from an ETDump, joined with the ETRecord of the model's export.

    Args:
        etdump_path: path of the ETDump. Either this or `etdump_data` is given.
        etdump_data: the ETDump itself: bytes, or a binary file object.
        etrecord: path of the ETRecord, an ``ETRecord`` object of executorch, or a binary file object.
        source_time_scale: unit of the runtime's clock.
        target_time_scale: unit of the times in the answer. Cycles can only be converted to cycles.
        debug_buffer_path: file with the tensors that the run logged. Without it logged tensors are zeros.
        delegate_metadata_parser: called with the list of metadata of a delegated event (bytes, one for each run);
            returns a list, or a dict whose items become columns. Called when the metadata is accessed.
        delegate_time_scale_converter: called with the name of a delegated event and its start, then its end, in
            raw ticks; returns the time in the unit of the answer. Called by the constructor; default: the ratio of the
            two scales.
        enable_module_hierarchy: order the nodes of the graph by module.
        reference_graph_name: graph of the record from which names are taken.

    Raises:
        FileNotFoundError and other OSError: a file cannot be read.
        etcore.Error: a file is damaged or too new, or executorch's class raises as well.

    Attributes:
        event_blocks: list of :class:`EventBlock`. Can be changed; tables and frames show the change.
    """

    _answer: Optional[Answer] = None  # None if a subclass sets event_blocks and does not call __init__
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
                graphs[reference_graph_name]  # raises KeyError, or TypeError if the name is not hashable
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
        if type(self).event_blocks is not Inspector.event_blocks:  # a subclass defines a property of this name
            self.event_blocks = self._answer.blocks()

    def _query(self) -> Query:
        query = Query("inspector")
        for name, value in self._options.items():
            query.set(name, value)
        names = [given.name for _, given in self._inputs]
        for option, given in self._inputs:
            if names.count(given.name) > 1:  # one file is given for two inputs: the library distinguishes inputs by name
                given.name = f"{given.name} ({option})"
            if option == "etdump_path" and given.path == given.name:
                # The library opens the file itself, so that it can free pages that it no longer needs.
                query.set(option, "./-" if given.path == "-" else given.path)
            else:
                given.hand(query, option)
        return query

    @Once
    def event_blocks(self) -> List[EventBlock]:
        """The blocks of the dump, in the dump's order."""
        if self._answer is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute 'event_blocks'")
        return self._answer.blocks()

    def __getstate__(self) -> Dict[str, Any]:
        """Returns the state for pickle: the blocks, which replace the library's answer."""
        return {"event_blocks": self.event_blocks, **vars(self)}

    # ---- tables

    def to_dataframe(
        self,
        include_units: bool = True,
        include_delegate_debug_data: bool = False,
    ) -> pandas.DataFrame:
        """Returns a pandas.DataFrame with a row for each event of each block.

        Args:
            include_units: append the unit to the names of time columns.
            include_delegate_debug_data: append columns with the delegates' metadata.
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
        """Returns the frame with only the rows and columns that are printed."""
        frame = self.to_dataframe(include_units, include_delegate_debug_data)
        frame = frame.drop(columns=EXCLUDED_COLUMNS_WHEN_PRINTING)
        for name in EXCLUDED_EVENTS_WHEN_PRINTING:
            frame = frame[~frame["event_name"].str.contains(name)]
        frame.reset_index(drop=True, inplace=True)
        return frame

    def _untouched(self) -> bool:
        """Returns whether the blocks were never accessed and the methods that make frames are the original ones."""
        from ._events import unpatched

        return "event_blocks" not in vars(self) and type(self).event_blocks is Inspector.event_blocks and unpatched()

    def _as_read(self) -> bool:
        """Returns whether the library's table still shows the events: nothing was changed and no callable is used."""
        from ._events import same, unpatched

        if self._answer is None or any(self._callables) or not unpatched():
            return False
        if any(getattr(type(self), name) is not code or name in vars(self) for name, code in _METHODS.items()):
            return False
        return self._untouched() or same(self.event_blocks, self._answer.blocks())

    def _printed(self, form: str, units: bool, metadata: bool) -> Optional[str]:
        """Returns the table in the library's format `form`. Returns None if the library's table would be wrong, because
        events, methods or files were changed or a callable is used."""
        if not self._as_read():
            return None
        assert self._answer
        if units and not metadata:  # the default: the existing answer can be written
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
            include_units: append the unit to the names of time columns.
            include_delegate_debug_data: append columns with the delegates' metadata.
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
        """Writes the printed table as tab-separated values.

        Args:
            file: a path, or an open text file.
            include_units: append the unit to the names of time columns.
            include_delegate_debug_data: append columns with the delegates' metadata.
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
                raise OSError(f"Cannot save file into a non-existent directory: '{folder}'")  # as pandas does
            with open(file, "w", encoding="utf-8", newline="") as f:
                f.write(text)
        else:
            file.write(text)

    def find_total_for_module(self, module_name: str) -> float:
        """Returns the sum of the average times of the operators in a module, in the unit of the answer.

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
        """Returns an empty dict, because executorch does not implement this method either."""
        return {}

    def write_tensorboard_artifact(self, path: str) -> None:
        """Does nothing, because executorch does not implement this method either."""

    def get_vgf_neural_statistics(self) -> List[Dict[str, Any]]:
        """Returns the VGF backend's statistics records from the metadata of all events, with blobs as ``raw_data`` bytes."""
        from .vgf import parse_vgf_neural_statistics_delegate_metadata

        return [record for block in self.event_blocks for event in block.events
                for record in parse_vgf_neural_statistics_delegate_metadata(event.raw_delegate_debug_metadatas)]

    # ---- methods that need ExecuTorch and torch

    @property
    def _etrecord(self) -> Any:
        """Returns ExecuTorch's ETRecord object, parsed on first use, or None without a record."""
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
        """Returns a graph of the ETRecord as torch.export.ExportedProgram. Needs executorch and torch.

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
        """Compares the values of the graph's nodes with the values that the runtime logged.

        torch runs the graph on the representative inputs of the ETRecord. This needs executorch and torch, unless
        `reference_values` is given.

        Args:
            distance: "L1", "MSE", "SNR", or a comparator of etcore.numerical_comparator or executorch.
            disable_debug_handle_valdiation: continue if nodes of the exported graph have no counterpart.
            reference_graph: graph to run: "exported_program", "edge_dialect_exported_program", or another name
                of the record; default: the first of these two that can be used.
            reference_values: values of the nodes as recorded by sdk/python/record_references.py: a path, bytes or a
                binary file object. `distance` must then be a name.

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
    """Converts a time scale to etcore's TimeScale; executorch's own TimeScale is accepted too."""
    if not isinstance(scale, Enum):
        raise KeyError(scale)
    return TimeScale(scale.value)


def _adapted(distance: Any, inspector: Inspector) -> Any:
    """Wraps etcore's comparator in one of executorch's class; returns other distances unchanged."""
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
    """Calls executorch's compare_results, which needs torch: prints or plots the differences between outputs."""
    return executorch("executorch.devtools.inspector._inspector_utils", "compare_results")(*arguments, **options)


_COMPRESSED = {".gz", ".bz2", ".zip", ".xz", ".zst", ".tar"}


def _contents(data: Any) -> Any:
    """Returns the bytes of an object with a buffer; returns a file object unchanged."""
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
    """Makes an Input from the ETRecord, given as a path, an ETRecord object or a file object."""
    if isinstance(etrecord, str):
        return Input(etrecord, "etrecord", keep=True)
    if hasattr(etrecord, "_debug_handle_map") and hasattr(etrecord, "save"):
        file = io.BytesIO()
        etrecord.save(file)
        return Input(file.getvalue(), "etrecord")
    if hasattr(etrecord, "read"):
        return Input(etrecord, "etrecord")
    raise TypeError("Unsupported ETRecord type")


#: The methods that make frames. If a subclass or object replaces one, tables must show the result of the replacement.
_METHODS = {name: vars(Inspector)[name] for name in ("to_dataframe", "_prepare_dataframe")}
