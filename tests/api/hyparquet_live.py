"""hyparquet_live.py ETCORE FOLDER -- `etcore batch` writes the tables of all dumps of tests/data with -o parquet and with
-o ndjson. hyparquet, in node, must read the same values from the Parquet files as the NDJSON files have.

FOLDER has node_modules with hyparquet; hyparquet_live.sh makes it."""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(ROOT, "tests", "data")
ETCORE, FOLDER = (os.path.abspath(word) for word in sys.argv[1:3])
# 64-bit integers are printed as texts, because JavaScript's numbers are doubles.
SCRIPT = """
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
for (const path of process.argv.slice(2))
    for (const row of await parquetReadObjects({ file: await asyncBufferFromFile(path), compressors }))
        console.log(JSON.stringify(row, (key, value) => typeof value === 'bigint' ? value.toString() : value))
"""


def documented():
    """Returns {table: {column: type}} of docs/farm.md."""
    with open(os.path.join(ROOT, "docs", "farm.md"), encoding="utf-8") as f:
        text = re.search(r"columns of version \d+ of the tables:\n\n```text\n(.*?)```", f.read(), re.M | re.S)[1]
    return {t: dict(c.split() for c in columns.split(",")) for t, columns in re.findall(r"(\w+)\((.*?)\)", text, re.S)}


def text(v):
    if isinstance(v, list):
        return "; ".join(map(text, v))
    return v if isinstance(v, str) else json.dumps(v)


def plain(v, kind):
    """Converts a value from NDJSON or from node to the same form."""
    if v is None:
        return None
    if kind == "MAP":
        v = json.loads(v) if isinstance(v, str) else v
        return {k: text(x) for k, x in v.items()}
    if kind == "TEXT":
        return v.removeprefix("\ufeff")  # hyparquet removes a leading U+FEFF, which it takes for a byte order mark
    return {"INTEGER": int, "REAL": float}.get(kind, lambda x: x)(v)


def rows(lines, columns):
    found = [{k: plain(v, columns.get(k, "TEXT")) for k, v in json.loads(line).items() if not k.endswith("_hex")} for line in lines]
    return sorted(json.dumps(row, sort_keys=True) for row in found)


def main():
    count = 0
    with tempfile.TemporaryDirectory() as scratch:
        for form in ("parquet", "ndjson"):
            done = subprocess.run([ETCORE, "batch", DATA, "--out", os.path.join(scratch, form), "-o", form, "--tables", "samples,events,baselines", "--meta",
                                   "lab=\u00b5"], capture_output=True, check=False)
            assert done.returncode == 1, done.stderr
        script = os.path.join(FOLDER, "rows.mjs")
        with open(script, "w", encoding="utf-8") as f:
            f.write(SCRIPT)
        for table, columns in documented().items():
            parts = {form: sorted(glob.glob(os.path.join(scratch, form, table, "part-*"))) for form in ("parquet", "ndjson")}
            done = subprocess.run(["node", script, *parts["parquet"]], capture_output=True, check=False)
            assert done.returncode == 0, (table, done.stderr.decode())
            want = []
            for path in parts["ndjson"]:
                with open(path, "rb") as f:
                    want += f.read().splitlines()
            got, want = rows(done.stdout.splitlines(), columns), rows(want, columns)
            assert got == want and want, (table, len(got), len(want), [p for p in zip(got, want) if p[0] != p[1]][:1])
            count += len(want)
    print(f"hyparquet: {len(documented())} tables, {count} rows as in NDJSON")


main()
