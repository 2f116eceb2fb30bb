"""Runs an unchanged script with executorch.devtools.Inspector replaced by etcore's.

    python -m etcore.shim script.py [arguments]
    python -m etcore.shim -m module [arguments]

ExecuTorch and torch are imported only if the script uses other parts of them. So a script that uses only the Inspector
also runs without ExecuTorch.
"""
from __future__ import annotations

import builtins
import importlib
import importlib.abc
import importlib.machinery
import os
import runpy
import sys
import zipfile
from types import ModuleType
from typing import Any, Dict, List, Optional, Sequence

import etcore
from etcore import _inspector, numerical_comparator, vgf

_CLASSES = {n: getattr(etcore, n) for n in ("Event", "EventBlock", "Inspector", "PerfData", "TimeScale")}
_DEVTOOLS = "executorch.devtools"
_REPLACED: Dict[str, Dict[str, Any]] = {
    _DEVTOOLS: {"Inspector": etcore.Inspector},
    _DEVTOOLS + ".inspector": {
        **_CLASSES, "compare_results": _inspector.compare_results,
        "parse_vgf_neural_statistics_metadata": vgf.parse_vgf_neural_statistics_metadata,
        "parse_vgf_neural_statistics_delegate_metadata": vgf.parse_vgf_neural_statistics_delegate_metadata},
    _DEVTOOLS + ".inspector._inspector": _CLASSES,
    _DEVTOOLS + ".inspector._inspector_utils": {
        "TimeScale": etcore.TimeScale, **{n: getattr(_inspector, n) for n in (
            "FORWARD", "EDGE_DIALECT_GRAPH_KEY", "RESERVED_FRAMEWORK_EVENT_NAMES", "EXCLUDED_COLUMNS_WHEN_PRINTING",
            "EXCLUDED_EVENTS_WHEN_PRINTING")}},
    _DEVTOOLS + ".inspector.numerical_comparator": {
        n: getattr(numerical_comparator, n) for n in numerical_comparator.__all__},
}
_originals: Dict[str, Dict[str, Any]] = {}


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the modules of _REPLACED, until the script needs more of ExecuTorch than these modules have."""

    def __init__(self) -> None:
        self.light = True

    def find_spec(
        self, name: str, path: Optional[Sequence[str]], target: Optional[ModuleType] = None
    ) -> Optional[importlib.machinery.ModuleSpec]:
        if not self.light or not (name == "executorch" or name.startswith("executorch.")):
            return None
        if name == "executorch":
            real = importlib.machinery.PathFinder.find_spec(name, path)
            return real or importlib.machinery.ModuleSpec(name, self, is_package=True)
        if name in _REPLACED:
            real = importlib.machinery.PathFinder.find_spec(name, path)
            spec = importlib.machinery.ModuleSpec(name, self, origin=real.origin if real else None, is_package=True)
            spec.has_location = real is not None  # gives the module a __file__
            if real is not None:
                spec.submodule_search_locations = real.submodule_search_locations or []
            return spec
        if name.startswith(_DEVTOOLS + "."):
            self.real()
            parent = sys.modules[name.rpartition(".")[0]]
            return importlib.machinery.PathFinder.find_spec(name, parent.__path__)
        return None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> Optional[ModuleType]:
        return None

    def exec_module(self, module: ModuleType) -> None:
        name = module.__name__
        module.__dict__.update(_REPLACED.get(name, {}))

        def more(attribute: str) -> Any:
            if attribute == "__all__" and self.light and not module.__spec__.has_location:  # type: ignore[union-attr]
                return list(_REPLACED[name])
            if attribute.startswith("__") and attribute != "__all__" or name == "executorch":
                raise AttributeError(f"module {name!r} has no attribute {attribute!r}")
            below = f"{name}.{attribute}"
            if self.light and below in _REPLACED:
                return importlib.import_module(below)
            self.real()
            return getattr(sys.modules[name], attribute)

        module.__dict__["__getattr__"] = more

    def real(self) -> None:
        """Imports ExecuTorch's own modules and replaces their Inspector."""
        if not self.light:
            return
        self.light = False
        for name in [n for n in sys.modules if n in _REPLACED]:
            del sys.modules[name]
        try:
            for name, names in _REPLACED.items():
                module = importlib.import_module(name)
                _originals[name] = {n: getattr(module, n) for n in names if hasattr(module, n)}
        except ImportError as e:
            raise ImportError(f"the script needs more of ExecuTorch than its Inspector: pip install executorch torch ({e})",
                              name="executorch") from e
        for name, names in _REPLACED.items():
            sys.modules[name].__dict__.update(names)


_finder = _Finder()


def _original(module: str, name: str) -> Any:
    """Returns ExecuTorch's own object, even if it was replaced."""
    if _finder in sys.meta_path:
        _finder.real()
    return _originals.get(module, {}).get(name) or getattr(importlib.import_module(module), name)


def install() -> None:
    """Replaces the Inspector for all later imports in this process."""
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
        if any(n in sys.modules for n in _REPLACED):
            _finder.real()


class _Arguments(List[str]):
    """sys.argv that also replaces the Inspector in child processes: multiprocessing unpickles it there before anything
    else."""

    def __reduce__(self) -> Any:
        return _child, (list(self),)


def _child(arguments: List[str]) -> _Arguments:
    install()
    return _Arguments(arguments)


def _preload_nothing() -> None:
    """Keeps the server of forkserver (the default since Python 3.14) from importing the script. It would do so before
    sys.argv is unpickled; now each child imports the script itself, after sys.argv.
    """
    try:
        from multiprocessing.forkserver import set_forkserver_preload
    except ImportError:
        return  # this platform has no forkserver
    set_forkserver_preload([])


def _run(script: str) -> int:
    """Runs a script as `python script` does: with the same __file__ and __loader__, and no frames of the shim in
    tracebacks."""
    path = os.path.abspath(script)
    loader = importlib.machinery.SourceFileLoader("__main__", path)
    try:
        source = loader.get_data(path)
    except OSError as e:
        sys.stderr.write(f"{sys.executable}: can't open file {path!r}: [Errno {e.errno}] {e.strerror}\n")
        return 2
    module = ModuleType("__main__")
    module.__dict__.update(__file__=path, __loader__=loader, __builtins__=builtins, __cached__=None, __annotations__={})
    sys.modules["__main__"] = module
    try:
        exec(compile(source, path, "exec"), module.__dict__)
    except Exception as e:
        frames = e.__traceback__ and e.__traceback__.tb_next
        sys.excepthook(type(e), e.with_traceback(frames), frames)
        return 1
    return 0


def main(arguments: List[str]) -> int:
    """Runs the script or module that the arguments name; returns the exit status."""
    if not arguments or arguments[0] in ("-h", "--help") or arguments == ["-m"]:
        sys.stdout.write(__doc__ or "")
        return 0 if arguments[:1] in (["-h"], ["--help"]) else 2
    install()
    _preload_nothing()
    if sys.path[:1] == [os.getcwd()] != [os.path.dirname(etcore.__path__[0])]:
        del sys.path[0]  # the entry that `python -m etcore.shim` added
    if arguments[0] == "-m":
        sys.argv = _Arguments(arguments[1:])
        sys.path.insert(0, os.getcwd())
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        return 0
    sys.argv = _Arguments(arguments)
    if os.path.isdir(arguments[0]) or zipfile.is_zipfile(arguments[0]):
        runpy.run_path(os.path.abspath(arguments[0]), run_name="__main__")
        return 0
    sys.path.insert(0, os.path.dirname(os.path.realpath(arguments[0])))
    return _run(arguments[0])


if __name__ == "__main__":
    from etcore.shim import main as _main  # imported as etcore.shim, because the script becomes the module __main__

    sys.exit(_main(sys.argv[1:]))
