#!/usr/bin/env python3
"""make_schema.py OUT -- records which changes of a graph's JSON the Inspector's reader accepts.

Needs executorch (the answers in tests/data/values are from 1.5.1). Each place in the edge graph of one record gets an
additional member, loses each of its members, or becomes another value; tests/schema_truth.py makes the same changes for
etcore.
"""

import copy
import json
import logging
import os
import sys
import tempfile
import warnings
import zipfile

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)

from executorch.devtools.etrecord._etrecord import parse_etrecord  # noqa: E402

RECORD = "tests/data/cases/control_flow_cond/model.etrecord"
TABLES = {"tensor_values", "sym_int_values", "sym_bool_values", "custom_obj_values", "range_constraints", "opset_version", "metadata"}
VALUES = {"null": None, "[]": [], "[1]": [1], "{}": {}, "text": "x", "1": 1}


def places(v, path=(), kind=()):
    yield path, kind, v
    if isinstance(v, dict):
        for k, x in v.items():
            yield from places(x, path + (k,), kind + ("" if path and path[-1] in TABLES else k,))
    elif isinstance(v, list):
        for i, x in enumerate(v):
            yield from places(x, path + (i,), kind + ("",))


def changes(path, v):
    if isinstance(v, dict):
        yield "+"
        if not path or path[-1] not in TABLES:
            yield from (f"-{k}" for k in v)
    if path:
        yield from (f"={k}" for k in VALUES)


def apply(root, path, what):
    root = copy.deepcopy(root)
    place = root
    for p in path[:-1]:
        place = place[p]
    if what[0] == "=":
        place[path[-1]] = VALUES[what[1:]]
        return root
    place = place[path[-1]] if path else root
    if what[0] == "+":
        place["zzz"] = 1
    else:
        del place[what[1:]]
    return root


def main():
    with zipfile.ZipFile(RECORD) as z:
        entries = {n: z.read(n) for n in z.namelist()}
    entry = next(n for n in entries if n.startswith("edge_dialect_exported_program") and not n.endswith(("_dict", "_constants", "_inputs")))
    root = json.loads(entries[entry])
    rows, seen = [], set()
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "r.etrecord")
        for path, kind, v in places(root):
            if kind in seen or kind.count("as_graph") > 1 or ("as_graph" in kind and "tensor_values" in kind):
                continue
            seen.add(kind)
            row = {"path": list(path), "takes": [], "refuses": []}
            for what in changes(path, v):
                with zipfile.ZipFile(file, "w") as z:
                    for name, data in {**entries, entry: json.dumps(apply(root, path, what)).encode()}.items():
                        z.writestr(name, data)
                try:
                    parse_etrecord(file)
                    row["takes"].append(what)
                except Exception:  # any exception of the reader is an answer
                    row["refuses"].append(what)
            rows.append(row)
    with open(sys.argv[1], "w", encoding="utf-8") as f:
        f.write(json.dumps({"record": RECORD, "entry": entry})[:-1] + ', "places": [\n' + ",\n".join(map(json.dumps, rows)) + "\n]}\n")


main()
