"""Comparators of Inspector.calculate_numeric_gap: L1, MSE, SNR, and a base class for your own.

Values are tensors of torch if it is installed, numpy arrays otherwise.
"""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

from ._need import need

if TYPE_CHECKING:
    import pandas

    from ._inspector import Inspector

DebugHandle = Tuple[int, ...]
IntermediateOutputMapping = Dict[Tuple[DebugHandle, Any], Tuple[DebugHandle, Any]]

__all__ = ["DebugHandle", "IntermediateOutputMapping", "L1Comparator", "MSEComparator", "NumericalComparatorBase",
           "SNRComparator"]


def _handle(handle: Any) -> bool:
    return isinstance(handle, tuple) and all(isinstance(x, int) for x in handle)


class NumericalComparatorBase(ABC):
    """Compares values of a graph's nodes with values that the runtime logged.

    A subclass defines :meth:`element_compare`, and may define :meth:`preprocessing`.

    Attributes:
        inspector: the Inspector; set by calculate_numeric_gap if it is None.
    """

    def __init__(self, inspector: Optional[Inspector] = None) -> None:
        self._inspector = inspector

    @property
    def inspector(self) -> Optional[Inspector]:
        """The Inspector that uses the comparator."""
        return self._inspector

    @inspector.setter
    def inspector(self, value: Optional[Inspector]) -> None:
        self._inspector = value

    def preprocessing(self, mapping: IntermediateOutputMapping) -> IntermediateOutputMapping:
        """Changes the values before they are compared, for example dequantizes or transposes them.

        Args:
            mapping: (handles, value of the graph) -> (handles, value of the runtime).
        """
        return mapping

    @abstractmethod
    def element_compare(self, a: Any, b: Any) -> float:
        """Returns the distance of two values.

        Args:
            a: value of the graph.
            b: value of the runtime.
        """

    @staticmethod
    def _validate_preprocessing_output(processed_mapping: IntermediateOutputMapping) -> None:
        if not isinstance(processed_mapping, dict):
            raise TypeError(f"preprocessing() must return a dict, got {type(processed_mapping).__name__}. "
                            "Expected format: Dict[Tuple[DebugHandle, Any], Tuple[DebugHandle, Any]]")
        for item in processed_mapping.items():
            for part, what, side in zip(item, ("key", "value"), ("AOT", "runtime")):
                if not isinstance(part, tuple) or len(part) != 2:
                    raise ValueError(f"Invalid {what} format in preprocessed mapping: {part}. "
                                     "Expected Tuple[DebugHandle, Any] where DebugHandle is Tuple[int, ...]")
                if not _handle(part[0]):
                    raise ValueError(f"Invalid {side} debug handle in {what}: {part[0]}. Expected Tuple[int, ...]")

    def _compare_intermediate_outputs(self, a: Any, b: Any) -> List[float]:
        if isinstance(a, Sequence) != isinstance(b, Sequence):
            raise ValueError(f"Both inputs 'a' ({a}) and 'b' ({b}) must be sequences or both must be non-sequences.")
        if not isinstance(a, Sequence):
            return [self.element_compare(a, b)]
        if len(a) != len(b):
            raise ValueError(f"Sequences 'a' ({a}) and 'b' ({b}) must have the same length "
                             f"for comparison. len(a): {len(a)} len(b): {len(b)}.")
        return [self.element_compare(x, y) for x, y in zip(a, b)]

    def compare(
        self,
        mapping: IntermediateOutputMapping,
        aot_debug_handle_to_op_names: Dict[DebugHandle, List[str]],
        runtime_debug_handle_to_op_names: Dict[DebugHandle, List[str]],
    ) -> pandas.DataFrame:
        """Returns a pandas.DataFrame with a row for each pair of values that can be compared.

        Args:
            mapping: (handles, value of the graph) -> (handles, value of the runtime).
            aot_debug_handle_to_op_names: handles -> names of the graph's nodes.
            runtime_debug_handle_to_op_names: handles -> names of the events.
        """
        processed = self.preprocessing(mapping)
        self._validate_preprocessing_output(processed)

        def names(handle: DebugHandle, known: Dict[DebugHandle, List[str]]) -> List[str]:
            wanted = set(handle)
            return [name for key, ops in known.items() if wanted.issuperset(key) for name in ops]

        rows = [{
            "aot_debug_handle": aot, "aot_ops": names(aot, aot_debug_handle_to_op_names), "aot_intermediate_output": a,
            "runtime_ops": names(runtime, runtime_debug_handle_to_op_names), "runtime_debug_handle": runtime,
            "runtime_intermediate_output": b, "gap": self._compare_intermediate_outputs(a, b),
        } for (aot, a), (runtime, b) in processed.items()
            if a is not None and b is not None and not (isinstance(a, Sequence) and len(a) > 1)]
        return need("pandas").DataFrame(rows)


def _floats(value: Any) -> Tuple[Any, Any]:
    """Returns (the module torch or numpy, the value as its array of doubles). If the value has a NaN, NaN becomes 0 and
    infinity the largest double."""
    assert not isinstance(value, Sequence)
    try:
        import torch
    except ImportError:
        np = need("numpy")
        try:
            array = np.asarray(value, dtype=np.float64)
        except Exception as e:
            raise ValueError(f"Cannot convert value of type {type(value)} to a tensor: {e}") from e
        return np, np.nan_to_num(array) if np.isnan(array).any() else array
    try:
        t = torch.as_tensor(value, dtype=torch.float64)
    except Exception as e:
        raise ValueError(f"Cannot convert value of type {type(value)} to a tensor: {e}") from e
    t = t.detach().cpu().double()
    return torch, torch.nan_to_num(t) if torch.isnan(t).any() else t


class L1Comparator(NumericalComparatorBase):
    """Sum of absolute differences."""

    def element_compare(self, a: Any, b: Any) -> float:
        """sum(\\|a - b\\|)."""
        (lib, x), (_, y) = _floats(a), _floats(b)
        try:
            return lib.abs(x - y).sum().item()  # type: ignore[no-any-return]
        except Exception as e:
            raise ValueError(f"Error computing L1 difference between tensors: {e}") from e


class MSEComparator(NumericalComparatorBase):
    """Mean squared error."""

    def element_compare(self, a: Any, b: Any) -> float:
        """mean((a - b)²)."""
        (lib, x), (_, y) = _floats(a), _floats(b)
        try:
            return float(lib.mean(lib.square(x - y)))
        except Exception as e:
            raise ValueError(f"Error computing MSE difference between tensors: {e}") from e


class SNRComparator(NumericalComparatorBase):
    """Signal-to-noise ratio in decibels: higher is better, infinite where the values are equal."""

    def element_compare(self, a: Any, b: Any) -> float:
        """10 log10(mean(a²) / mean((a - b)²))."""
        (lib, x), (_, y) = _floats(a), _floats(b)
        signal = lib.mean(x ** 2)
        try:
            noise = lib.mean((x - y) ** 2)
        except Exception as e:
            raise ValueError(f"Error computing SNR difference between tensors: {e}") from e
        if lib.__name__ == "numpy":
            with lib.errstate(divide="ignore", invalid="ignore"):
                return (10 * lib.log10(signal / noise)).item()  # type: ignore[no-any-return]
        return (10 * lib.log10(signal / noise)).item()  # type: ignore[no-any-return]
