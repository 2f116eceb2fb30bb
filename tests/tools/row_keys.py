"""row_keys.py -- reads the rows of core/model/keys.def: the keys of --by."""
import collections
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
Key = collections.namedtuple("Key", "id word title detail offered places stored function")


def read():
    with open(os.path.join(ROOT, "core/model/keys.def"), encoding="utf-8") as f:
        rows = re.findall(r"^ETC_(EVENT_|RUN_|)KEY\((.*)\)$", f.read(), re.M)
    keys = []
    for kind, row in rows:
        cells = [c.strip().strip('"') for c in row.split(",")]
        cells += ["false", "NULL"] if kind == "RUN_" else []
        keys.append(Key(*cells if kind == "EVENT_" else cells[:6] + [None] + cells[6:]))
    return keys


def offered(*by):
    """Returns the keys that a command offers; `by` is "ANALYZE" or "COMPARE"."""
    return [k.word for k in read() if k.offered in (*by, "BOTH")]
