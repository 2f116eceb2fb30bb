"""Runs `etcore batch` over all dumps of tests/data; the tables of other engines are compared with its tables."""
import glob
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(ROOT, "tests", "data")
_done = []


def check(ok, what):
    _done.append(what)
    if not ok:
        sys.exit(f"wrong: {what}")


def checks():
    return len(_done)


def _plain(row):
    """Converts a row to comparable text. A map is JSON text in NDJSON and pairs in Arrow; here it becomes an object of
    texts."""
    out = {}
    for name, value in row.items():
        if isinstance(value, str) and name == "columns":
            value = json.loads(value)
        if isinstance(value, list) and value and isinstance(value[0], (tuple, list)):
            value = dict(value)
        if isinstance(value, float) and value.is_integer():
            value = int(value)  # JSON has no 1.0
        if isinstance(value, dict):
            value = {k: _text(v) for k, v in value.items()}
        out[name] = value
    return json.dumps(out, sort_keys=True)


def _text(v):
    if isinstance(v, list):
        return "; ".join(map(_text, v))
    return v if isinstance(v, str) else json.dumps(v)


class Farm:
    def __init__(self, etcore, scratch):
        out = os.path.join(scratch, "tables")
        subprocess.run([etcore, "batch", DATA, "--out", out, "--meta", "lab=berlin"], capture_output=True, check=False,
                       timeout=300)
        self.tables = sorted(name for name in os.listdir(out) if not name.startswith("_"))
        self.rows = {table: self._read(os.path.join(out, table)) for table in self.tables}
        self.paths = [row["path"] for row in self.rows["paths"]] + [row["path"] for row in self.rows["errors"] if not row["run_id"]]

    @staticmethod
    def _read(folder):
        rows = []
        for part in glob.glob(os.path.join(folder, "part-*")):
            with open(part, encoding="utf-8") as f:
                rows += [json.loads(line) for line in f]
        return rows

    def same(self, table, rows, only=lambda row: True):
        """Returns whether `rows` equal a table of the batch. If a dump has two names, either may have been read first,
        so path and time of the dump are ignored."""
        loose = {"runs": ("modified_ns",), "errors": ("path",)}.get(table, ())
        left, right = (sorted(_plain({k: v for k, v in row.items() if k not in loose and not k.endswith("_hex")}) for row in some)
                       for some in (filter(only, self.rows[table]), rows))
        for a, b in zip(left, right):
            if a != b:
                print("want", a, "\ngot ", b)
                return False
        if len(left) != len(right):
            print(f"{table}: {len(left)} rows wanted, {len(right)} got")
        return bool(left) and len(left) == len(right)
