#!/usr/bin/env python3
"""farm.py [ETCORE] [--dumps 100000] [--size 20000|200000] [--vary] [--format parquet] [--jobs N] [--folder DIR] -- measures
`etcore batch` over many dumps.

The dumps are real ones of tests/data near the given size, in turn; each gets 8 further bytes that make it a different file.
With --vary their times differ too: each dump is 1 to 3 times as long, and each of its runs up to 2 % shorter or longer.
Prints dumps per second of processor time, the resident memory of a worker at each twentieth of the run, and bytes per row
of each table. If the folder already has the dumps, they are used.
"""
import argparse
import glob
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "claims"))
from etdump import Dump  # noqa: E402

NEAR = {20000: (15000, 22000), 200000: (180000, 250000)}


def stretched(path, rng):
    """Returns the bytes of a dump with its times multiplied by random factors."""
    dump, factor = Dump(path), rng.uniform(1, 3)
    for run in dump.executes:
        run.stretch(factor * rng.uniform(0.98, 1.02))
    return bytes(dump.bytes)


def make(folder, count, size, vary):
    least, most = NEAR[size]
    paths = sorted(p for p in glob.glob(os.path.join(ROOT, "tests", "data", "**", "*.etdump"), recursive=True)
                   if least <= os.path.getsize(p) <= most)
    dumps = []
    for path in paths:
        with open(path, "rb") as f:
            dumps.append(f.read())
    rng, total = random.Random(1), 0
    for i in range(count):
        if i % 1000 == 0:
            os.makedirs(os.path.join(folder, f"{i // 1000:05}"), exist_ok=True)
        which = i % len(dumps)
        data = (stretched(paths[which], rng) if vary else dumps[which]) + i.to_bytes(8, "little")
        total += len(data)
        with open(os.path.join(folder, f"{i // 1000:05}", f"{i:07}.etdump"), "wb") as f:
            f.write(data)
    print(f"{count} dumps of {len(dumps)} real ones, {total / count:.0f} bytes each", flush=True)


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as f:
            return f.read().split()
    except OSError:
        return []


def memory(pid):
    """Returns the resident memory of the largest worker in bytes."""
    most = 0
    for child in children(pid):
        try:
            with open(f"/proc/{child}/statm", encoding="ascii") as f:
                most = max(most, int(f.read().split()[1]) * resource.getpagesize())
        except (OSError, IndexError):
            pass
    return most


def warm(folder):
    for path in glob.glob(os.path.join(folder, "*", "*.etdump")):
        with open(path, "rb") as f:
            f.read()


def batch(etcore, folder, out, words):
    p = subprocess.Popen([etcore, "batch", folder, "--out", out, *words], stdout=subprocess.DEVNULL)
    begun, seen = time.monotonic(), []
    while True:
        pid, status, used = os.wait4(p.pid, os.WNOHANG)
        if pid:
            break
        seen.append(memory(p.pid))
        time.sleep(0.2)
    p.returncode = os.waitstatus_to_exitcode(status)
    return p.returncode, time.monotonic() - begun, used.ru_utime + used.ru_stime, seen


def rows_of(etcore, path, form):
    if form == "ndjson":
        with open(path, "rb") as f:
            return sum(1 for _ in f)
    from pyarrow import parquet  # an independent reader

    return parquet.ParquetFile(path).metadata.num_rows


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("etcore", nargs="?", default=os.path.join(ROOT, "build", "etcore"))
    p.add_argument("--dumps", type=int, default=100000)
    p.add_argument("--size", type=int, choices=sorted(NEAR), default=20000)
    p.add_argument("--vary", action="store_true")
    p.add_argument("--format", default="parquet")
    p.add_argument("--jobs", default="1")
    p.add_argument("--folder")
    a = p.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = a.folder or os.path.join(scratch, "runs")
        if not os.path.isdir(folder):
            make(folder, a.dumps, a.size, a.vary)
        warm(folder)
        out = os.path.join(scratch, "tables")
        status, took, used, seen = batch(os.path.abspath(a.etcore), folder, out, ["-o", a.format, "--jobs", a.jobs])
        count = sum(len(names) for _, _, names in os.walk(folder))
        print(f"status {status}: {count} dumps, {used:.1f} s of processor time, {took:.1f} s, {count / used:.0f} dumps per second and processor")
        at = [max(seen[i * len(seen) // 20:(i + 1) * len(seen) // 20] or [0]) >> 20 for i in range(20)]
        print("MB of the largest worker:", *at)
        for table in sorted(os.listdir(out)):
            parts = glob.glob(os.path.join(out, table, "**", f"*.{a.format}"), recursive=True)
            if not parts:
                continue
            size = sum(map(os.path.getsize, parts))
            try:
                rows = sum(rows_of(a.etcore, part, a.format) for part in parts)
            except ImportError:
                print(f"{table}: {len(parts)} parts, {size} bytes (no pyarrow, which counts rows)")
                continue
            print(f"{table}: {len(parts)} parts, {size} bytes, {rows} rows, {size / max(rows, 1):.1f} bytes per row")
        shutil.rmtree(out)
    return status


if __name__ == "__main__":
    sys.exit(main())
