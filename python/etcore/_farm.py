"""Analyses many dumps into the tables of docs/farm.md, in this process; used by etcore.spark and etcore.ray."""
from __future__ import annotations

import glob
import os
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple, Union

from . import _library
from ._arrow import Table
from ._library import FLAG, LIST, Input, Query
from ._need import need
from ._speech import close, keyword

#: Options of `batch` that do not apply in a worker of another engine: output location, processes, time limit.
_NOT = {"out", "files_from", "jobs", "timeout", "shard", "resume", "output"}
_ENDINGS = (".etdump", ".etdp", ".etdump.gz", ".etdp.gz", ".zip", ".tar", ".tar.gz", ".tgz")  # file name extensions of dumps and of archives of dumps
#: Number of dumps per query. Plugins and configuration are loaded once per query.
AT_ONCE = 64

Paths = Union[str, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]"]]]
Option = Tuple[str, Optional[str]]


def files(paths: Paths) -> List[str]:
    """Returns the sorted paths of the dumps that patterns, folders and names match, as `etcore batch` finds them.

    A pattern may have ``**``. A name that is no pattern is in the list even if the file does not exist, so that it gets a
    row in the table "errors". Raises FileNotFoundError if a pattern matches nothing.
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
    """Returns the dumps and archives below a folder. Links to folders are not followed, as in `etcore batch`."""
    return sorted(os.path.join(at, name) for at, _, names in os.walk(folder) for name in names if name.endswith(_ENDINGS))


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


def options(given: Mapping[str, Any]) -> List[Option]:
    """Converts Python options to options of the query "batch". ``meta_pattern``, ``metaPattern`` and ``meta-pattern`` are
    equivalent.

    A text may have several values of an option, one per line; a flag is "true" or "false". Raises TypeError for an unknown
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
    """Returns a table as pyarrow.Table, with pyarrow.string() for text because all engines support it."""
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
    """Returns the pyarrow.Schema of a table; it includes the columns that the options `meta` and `meta_pattern` add."""
    return _table(_ask([], chosen), table).schema


def read(dumps: Iterable[Any], table: str, chosen: List[Option]) -> Iterator[Any]:
    """Yields one pyarrow.Table per AT_ONCE dumps. A dump is a path or a pair (name, bytes). Within one query,
    a name or content that occurs twice counts once.
    """
    chunk: Dict[str, Any] = {}
    for dump in dumps:
        chunk.setdefault(dump[0] if isinstance(dump, tuple) else dump, dump)
        if len(chunk) == AT_ONCE:
            yield _table(_ask(chunk.values(), chosen), table)
            chunk = {}
    if chunk:
        yield _table(_ask(chunk.values(), chosen), table)
