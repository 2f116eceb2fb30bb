"""Many dumps as the tables of docs/farm.md, in this process: what etcore.spark and etcore.ray share."""
from __future__ import annotations

import glob
import os
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple, Union

from . import _library
from ._arrow import Table
from ._library import FLAG, LIST, Input, Query
from ._need import need
from ._speech import close, keyword

#: Options of `batch` that do not apply inside a worker of another engine: where to write, and the number of processes.
_NOT = {"out", "files_from", "jobs", "timeout", "shard", "resume", "output"}
_ENDINGS = (".etdump", ".etdp", ".etdump.gz", ".etdp.gz", ".zip", ".tar", ".tar.gz", ".tgz")  # dumps and archives of them
#: Dumps that one query analyses: plugins and configuration are opened once for them.
AT_ONCE = 64

Paths = Union[str, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]"]]]
Option = Tuple[str, Optional[str]]


def files(paths: Paths) -> List[str]:
    """The dumps of patterns, folders and names, sorted: as `etcore batch` finds them.

    A pattern may have ``**``. A name without one is in the list whether the file is there or not, so that it has a row in
    the table "errors". Raises FileNotFoundError where a pattern matches nothing.
    """
    found: List[str] = []
    for path in [paths] if isinstance(paths, (str, os.PathLike)) else paths:
        name = os.fsdecode(path)
        if name.startswith("file:"):
            name = "/" + name[5:].lstrip("/")
        elif "://" in name:
            raise ValueError(f"{name}: no path of a file; spark.read.format(\"binaryFile\") reads it, and "
                             "etcore.spark.tables() takes its rows")
        matched = sorted(glob.glob(name, recursive=True)) if glob.has_magic(name) and not os.path.exists(name) else [name]
        if not matched:
            raise FileNotFoundError(f"no file matches {name!r}")
        for match in matched:
            found += _below(match) if os.path.isdir(match) else [match]
    return found


def _below(folder: str) -> List[str]:
    """Links to folders are not followed, as in `etcore batch`."""
    return sorted(os.path.join(at, name) for at, _, names in os.walk(folder) for name in names if name.endswith(_ENDINGS))


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


def options(given: Mapping[str, Any]) -> List[Option]:
    """Options of the query "batch": ``meta_pattern``, ``metaPattern`` and ``meta-pattern`` are one.

    In a text several values of an option stand one a line; a flag is "true" or "false". Raises TypeError for an unknown
    name and ValueError for a flag with another value.
    """
    known = {_plain(o.name): o for o in _library.options("batch") if keyword(o.name) not in _NOT}
    out: List[Option] = []
    for name, value in given.items():
        option = known.get(_plain(name))
        if option is None:
            raise TypeError(f"unknown option {name!r}{close(_plain(name), list(known))}")
        if value is None:
            continue
        if option.kind == FLAG:
            word = str(value).lower()
            if word not in ("true", "false"):
                raise ValueError(f"{name} is true or false, not {value!r}")
            out += [(option.name, None)] * (word == "true")
        elif option.kind == LIST:
            values = value.splitlines() if isinstance(value, str) else value
            out += [(option.name, str(v)) for v in values]
        else:
            out.append((option.name, str(value)))
    return out


def _ask(dumps: Iterable[Any], chosen: List[Option]) -> Query:
    query = Query("batch")
    query.set("keep")
    for name, value in chosen:
        query.set(name, value)
    for dump in dumps:
        if isinstance(dump, tuple):
            Input(dump[1], dump[0]).hand(query, None)
        else:
            query.add(dump)
    query.run()
    return query


def _table(query: Query, name: str) -> Any:
    """As pyarrow.Table, with the text type that all engines have."""
    pa = need("pyarrow")
    names = list(query.tables())
    if name not in names:
        raise ValueError(f"no table {name!r}: there are {', '.join(names)}{close(name, names)}")
    table = pa.table(Table(query, name))

    def plain(kind: Any) -> Any:
        if pa.types.is_map(kind):
            return pa.map_(pa.string(), pa.string())
        return pa.string() if pa.types.is_large_string(kind) else kind

    return table.cast(pa.schema([pa.field(f.name, plain(f.type), metadata=f.metadata) for f in table.schema]))


def schema(table: str, chosen: List[Option]) -> Any:
    """The pyarrow.Schema of a table, which depends on the columns of `meta` and `meta_pattern`."""
    return _table(_ask([], chosen), table).schema


def read(dumps: Iterable[Any], table: str, chosen: List[Option]) -> Iterator[Any]:
    """pyarrow.Table for some dumps at a time, each a path or a pair of a name and bytes; a name or content twice in one
    call counts once.
    """
    chunk: Dict[str, Any] = {}
    for dump in dumps:
        chunk.setdefault(dump[0] if isinstance(dump, tuple) else dump, dump)
        if len(chunk) == AT_ONCE:
            yield _table(_ask(chunk.values(), chosen), table)
            chunk = {}
    if chunk:
        yield _table(_ask(chunk.values(), chosen), table)
