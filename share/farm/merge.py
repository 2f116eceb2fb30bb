#!/usr/bin/env python3
"""merge.py TABLES OUT -- merges the parts that `etcore batch` wrote into the folder TABLES to one file per table.

Parts in Parquet become OUT/TABLE/part-0.parquet (with the package duckdb), which DuckDB and `etcore farm` read like the
parts. Parts of -o sqlite become the database OUT, with all tables. TABLES is not changed. No batch may write into it
meanwhile.
"""
import contextlib
import fcntl
import glob
import os
import re
import sqlite3
import sys


def quoted(text, mark="'"):
    return mark + text.replace(mark, mark + mark) + mark


def parts_of(tables, form):
    """Returns {table: parts that count}. A killed batch leaves parts that no list in _done names; these do not count."""
    found = {}
    for path in sorted(glob.glob(os.path.join(glob.escape(tables), "*", "**", "part-*." + form), recursive=True)):
        stem = os.path.basename(path)[len("part-"):-len(form) - 1]
        if os.path.exists(os.path.join(tables, "_done", stem)) or not re.match(r"\d+-of-\d+-", stem):
            found.setdefault(os.path.relpath(path, tables).split(os.sep)[0], []).append(path)
    return found


def to_parquet(parts, out):
    import duckdb

    for table, paths in parts.items():
        os.makedirs(os.path.join(out, table), exist_ok=True)
        path = os.path.join(out, table, "part-0.parquet")
        files = ", ".join(quoted(re.sub(r"([*?[])", r"[\1]", p)) for p in paths)
        duckdb.connect().execute(f"COPY (FROM read_parquet([{files}], union_by_name = true, hive_partitioning = false)) "
                                 f"TO {quoted(path + '.tmp')} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 131072)")
        os.replace(path + ".tmp", path)


def columns(db, schema, table):
    return {name: kind for _, name, kind, *_ in db.execute(f"PRAGMA {schema}.table_info({quoted(table)})")}


def to_sqlite(parts, out):
    with contextlib.suppress(FileNotFoundError):
        os.remove(out + ".tmp")
    with contextlib.closing(sqlite3.connect(out + ".tmp", isolation_level=None)) as db:
        db.execute("PRAGMA main.journal_mode = OFF")
        for table, paths in parts.items():
            name = quoted(table, '"')
            for path in paths:
                db.execute("ATTACH ? AS part", (path,))
                names, have = columns(db, "part", table), columns(db, "main", table)
                typed = {n: quoted(n, '"') + " " + kind for n, kind in names.items()}
                if not have:
                    db.execute(f"CREATE TABLE main.{name} ({', '.join(typed.values())})")
                for n in [n for n in names if have and n not in have]:
                    db.execute(f"ALTER TABLE main.{name} ADD COLUMN {typed[n]}")
                listed = ", ".join(quoted(n, '"') for n in names)
                db.execute("BEGIN")
                db.execute(f"INSERT INTO main.{name} ({listed}) SELECT {listed} FROM part.{name}")
                db.execute("COMMIT")
                db.execute("DETACH part")
    os.replace(out + ".tmp", out)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    tables, out = sys.argv[1:]
    with open(os.path.join(tables, "_lock"), "rb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(f"a batch writes into {tables}")
        for form, merge in (("parquet", to_parquet), ("sqlite", to_sqlite)):
            parts = parts_of(tables, form)
            if parts:
                merge(parts, out)
                print(f"{sum(map(len, parts.values()))} parts of {len(parts)} tables in {out}")
                return
    sys.exit(f"no parts in Parquet or SQLite in {tables}")


main()
