#!/usr/bin/env python3
"""speed.py [--rows N] -- measures the processor time of each query of `etcore farm` in DuckDB over many rows.

Makes a farm of N rows (10,000,000; a tenth as many dumps, 20 models on 50 devices over 93 days) in a temporary folder, with
DuckDB itself. Prints for each query the smallest processor time of three (user and system), and its duration on two
processors.
"""
import argparse
import os
import resource
import tempfile
import time

import duckdb

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SQL = os.path.join(ROOT, "share", "sql")
QUESTIONS = ["trend", "regressions", "top", "slowest", "kleidiai", "fallbacks", "noise", "load", "memory", "errors"]
PARTS = 8


def sql(name):
    with open(os.path.join(SQL, name + ".sql"), encoding="utf-8") as f:
        return f.read()


def make(folder, dumps):
    c = duckdb.connect()
    for table in ("runs", "rows", "errors"):
        os.makedirs(os.path.join(folder, table))
    for p in range(PARTS):
        c.execute(f"""CREATE OR REPLACE TEMP TABLE d AS SELECT sha256(i::VARCHAR) run_id, sha256('a' || i) analysis_id, 'model' || (i % 20) model,
            'device' || ((i // 20) % 50) device, (1760000000 + i * 8000000 // {dumps}) * 1000000000 modified_ns, hash(i) % 7 noise,
            round(1e6 * (1 + i % 20) * (1 + (i // 20) % 50 / 50.0) * (0.97 + 0.06 * (hash(i) % 1000) / 1000.0)) typical_ns
            FROM range({p}, {dumps}, {PARTS}) t(i)""")
        c.execute(f"""COPY (SELECT run_id, analysis_id, '0.9.0' etcore, 17000 AS bytes, 'forward' AS method, typical_ns * 3 load_ns, 1 AS path,
            30 runs, 1 warmup, typical_ns, typical_ns * 1.01 p90_ns, 0.01 * noise spread, modified_ns, 1000.0 * noise allocated_bytes,
            1100.0 * noise allocated_max_bytes, device, model, strftime(to_timestamp(modified_ns // 1000000000), '%Y-%m-%d') date FROM d)
            TO '{folder}/runs/part-{p}.parquet' (COMPRESSION zstd, ROW_GROUP_SIZE 131072)""")
        c.execute(f"""COPY (SELECT run_id, analysis_id, 'op' || k AS key, 'op' || k AS name, 'forward' AS method, 1 AS path, k + 1.0 AS calls,
            round(typical_ns / (k + 2)) self_ns, CASE WHEN k < 7 THEN 'XnnpackBackend' END backend,
            ['gemm', 'activation', 'convolution'][k % 3 + 1] category, CASE WHEN k < 2 THEN 'yes' WHEN k = 3 THEN 'no' END kernel_library_ran,
            false AS detached, CASE WHEN k < 7 THEN 'XNNPACK' WHEN k < 9 THEN 'CPU' ELSE 'runtime' END place, true AS alone FROM d, range(10) r(k))
            TO '{folder}/rows/part-{p}.parquet' (COMPRESSION zstd, ROW_GROUP_SIZE 131072)""")
    c.execute(f"""COPY (SELECT 'x/' || i AS path, sha256(i::VARCHAR) run_id, 'E020' || i % 7 code, 'damaged' AS message, i AS "offset"
        FROM range({dumps // 100}) t(i)) TO '{folder}/errors/part-0.parquet' (COMPRESSION zstd)""")


def spent():
    u = resource.getrusage(resource.RUSAGE_SELF)
    return u.ru_utime + u.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=10000000)
    rows = parser.parse_args().rows
    with tempfile.TemporaryDirectory() as folder:
        make(folder, rows // 10)
        print(f"{rows} rows, {rows // 10} dumps; processor seconds / 2, with the prelude")
        for question in QUESTIONS:
            least, wall = float("inf"), float("inf")
            for _ in range(3):
                begin, at = spent(), time.monotonic()
                c = duckdb.connect(config={"threads": 2})
                c.execute(f"SET VARIABLE farm = '{folder}'")
                c.execute(sql("prelude-duckdb"))
                answer = c.execute(sql(question)).fetchall()
                c.close()
                least, wall = min(least, spent() - begin), min(wall, time.monotonic() - at)
            print(f"{question:12} {least / 2:.2f} s   elapsed {wall:.2f} s   {len(answer)} rows")


main()
