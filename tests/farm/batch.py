#!/usr/bin/env python3
"""batch.py [--etcore build/etcore] [--folder build] -- `etcore batch`: its rows must equal those of `analyze -o json`, and
each dump must count exactly once.

Tests killed and hanging workers, killed and interrupted batches, shards, later runs, two batches at once, copies of a dump,
and all kinds of names and files.
"""
import argparse
import bz2
import contextlib
import fcntl
import glob
import gzip
import hashlib
import io
import json
import lzma
import math
import os
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.parse
import warnings
import zipfile
from collections import Counter
from fractions import Fraction

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from share import SHARE, share, some  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(ROOT, "tests", "data")
TABLES = ("runs", "paths", "rows", "sketches", "notes", "errors")
MORE = ("samples", "events", "baselines")
# One process: with several, it depends on chance which of equal dumps is the first, and `runs` has the values of that.
# A share of the repetitions does without the many like dumps of arm/.
EVERYTHING = (*(d for d in sorted(glob.glob(os.path.join(DATA, "*"))) if os.path.isdir(d) and (SHARE == 1 or not d.endswith("arm"))), "--tables", ",".join(MORE), "--meta", "lab=\u00b5", "--jobs", "1")
SAMPLE = os.path.join(DATA, "cases", "linear_fp32", "run.etdump")


class Batch:
    def __init__(self, etcore, scratch):
        self.etcore, self.scratch, self.n = os.path.abspath(etcore), scratch, 0

    def folder(self):
        self.n += 1
        return os.path.join(self.scratch, f"out{self.n}")

    def start(self, *words, **more):
        return subprocess.Popen([self.etcore, "batch", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)

    def run(self, *words, status=0, **more):
        done = subprocess.run([self.etcore, "batch", *words], capture_output=True, timeout=120, **more)
        assert done.returncode == status, (words, done.returncode, done.stderr)
        return done.stdout.decode() + done.stderr.decode()


def parts(out, table):
    return sorted(glob.glob(os.path.join(out, table, "**", "part-*"), recursive=True))


def rows(out, table):
    found = []
    for path in parts(out, table):
        with open(path, encoding="utf-8") as f:
            found += [json.loads(line) for line in f]
    return found


def lines(path):
    with open(path, encoding="utf-8") as f:
        return f.read().splitlines()


def content(out, without=()):
    """Returns the lines of all tables, sorted because the order of workers is random, without the columns in `without`."""
    if without:
        return {t: sorted(json.dumps({k: v for k, v in row.items() if k not in without}) for row in rows(out, t)) for t in TABLES}
    return {t: sorted(line for path in parts(out, t) for line in lines(path)) for t in TABLES}


def copies(folder, count, parts=10):
    """Writes `count` copies of a dump with different bytes: data after the end of the dump is allowed."""
    with open(SAMPLE, "rb") as f:
        dump = f.read()
    for i in range(count):
        os.makedirs(os.path.join(folder, str(i % parts)), exist_ok=True)
        with open(os.path.join(folder, str(i % parts), f"{i:05}.etdump"), "wb") as f:
            f.write(dump + i.to_bytes(8, "little"))
    return folder


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as f:
            return [int(child) for child in f.read().split()]
    except OSError:
        return []


def enough(batch):
    """Returns how many dumps keep a batch busy for about a second, so that it can be disturbed; fewer under
    sanitizers. Measures processor time, on which other programs have little influence."""
    def used():
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        return now.ru_utime + now.ru_stime

    few, before = copies(os.path.join(batch.scratch, "enough"), 300), used()
    batch.run(few, "--out", batch.folder())
    return 3000 if used() - before < 0.45 else 1000


def workers(p, count):
    until = time.monotonic() + 20
    while len(children(p.pid)) < count and p.poll() is None and time.monotonic() < until:
        time.sleep(0.005)
    return children(p.pid)


def wait_for_end(pids):
    """Waits until the workers of a killed batch have ended; they hold its lock until then."""
    def runs(pid):
        try:
            with open(f"/proc/{pid}/stat", encoding="ascii") as f:
                return f.read().rsplit(")", 1)[1].split()[0] != "Z"
        except OSError:
            return False

    until = time.monotonic() + 20
    while any(map(runs, pids)) and time.monotonic() < until:
        time.sleep(0.005)


def counted_once(out, count):
    paths, errors = rows(out, "paths"), rows(out, "errors")
    assert len({p["path"] for p in paths}) == len(paths) == count, (len(paths), count)
    ran = [(r["analysis_id"], r["path"]) for r in rows(out, "runs")]
    assert len(set(ran)) == len(ran), "a run twice"
    for part in glob.glob(os.path.join(out, "**", "part-*"), recursive=True):
        name = os.path.basename(part)[5:].rsplit(".", 1)[0]
        assert os.path.exists(os.path.join(out, "_done", name)), part
    return paths, errors, {a for a, _ in ran}


# ---- the same as analyze ------------------------------------------------------------

def value(want, got):
    """Converts a value of `analyze` to the form of the farm's column, where a list is one text."""
    if isinstance(got, str) and not isinstance(want, str):
        return "; ".join(map(str, want)) if isinstance(want, list) else json.dumps(want)
    return want


def check_dump(batch, path, by_run, errors):
    done = subprocess.run([batch.etcore, "analyze", "--no-siblings", "-o", "json", path], capture_output=True, timeout=60)
    if done.returncode:
        assert path in errors, (path, done.stderr)
        said = done.stderr.decode(errors="replace")
        # If analyze fails, it looks for the cause as `doctor` does, so its code may be an E096x instead.
        assert errors[path]["code"] in said or "error[E096" in said, (path, errors[path], said)
        return 0
    want, got = json.loads(done.stdout), by_run[path]
    assert len(want["rows"]) == len(got["rows"]), path
    for a, b in zip(want["rows"], got["rows"]):
        others = json.loads(b["columns"] or "{}")
        for key, v in [*[(k, v) for k, v in a.items() if k != "columns"], *a["columns"].items()]:
            if key.endswith("_hex"):
                continue
            have = b[key] if key in b else others.get(key)
            assert value(v, have) == have, (path, key, v, have)
    notes = [(n["code"], n["text"]) for n in want["notes"]]
    assert sorted(notes) == sorted((n["code"], n["text"]) for n in got["notes"]), path
    paths = [(m["name"], p) for m in want["methods"] for p in m["paths"]]
    assert len(got["runs"]) == max(len(paths), 1), path
    for (method, p), b in zip(paths, got["runs"]):
        assert b["method"] == method
        for key, v in p.items():
            assert key == "samples_ns" or b[key] == v, (path, key, v, b[key])
    return len(want["rows"])


def test_same(batch, out):
    of = {p["path"]: p["run_id"] for p in rows(out, "paths")}
    assert "path_hex" not in rows(out, "paths")[0]
    by_id = {}
    for table in ("runs", "rows", "notes"):
        for row in rows(out, table):
            by_id.setdefault(row["run_id"], {t: [] for t in TABLES})[table].append(row)
    by_run = {path: by_id.get(run_id) for path, run_id in of.items()}
    by_error = {e["run_id"] or e["path"]: e for e in rows(out, "errors")}
    errors = {path: by_error[run_id] for path, run_id in of.items() if run_id in by_error}
    paths = share(sorted(p for p in of if "!/" not in p))  # analyze reads no archives; test_archives covers them
    count = sum(check_dump(batch, path, by_run, errors) for path in paths)
    assert count > 1000 // SHARE ** 2, count


def documented():
    """Returns the schema of docs/farm.md: {table: {column: type}}."""
    with open(os.path.join(ROOT, "docs", "farm.md"), encoding="utf-8") as f:
        text = re.search(r"columns of version \d+ of the tables:\n\n```text\n(.*?)```", f.read(), re.M | re.S)[1]
    return {t: dict(c.split() for c in columns.split(",")) for t, columns in re.findall(r"(\w+)\((.*?)\)", text, re.S)}


def test_schema(out):
    schema = documented()
    assert list(schema) == [*TABLES, *MORE]
    for table, columns in schema.items():
        found = rows(out, table)
        assert found and all([k for k in row if not k.endswith("_hex") and k != "lab"] == list(columns) for row in found), table
        for name, kind in columns.items():
            types = {"TEXT": str, "MAP": str, "INTEGER": int, "REAL": (int, float), "BOOLEAN": bool}[kind]
            wrong = [row[name] for row in found if row[name] is not None and (not isinstance(row[name], types) or isinstance(row[name], bool) != (kind == "BOOLEAN"))]
            assert not wrong, (table, name, wrong[:3])


def test_sqlite(batch, flat):
    """The databases must have the documented types and the same rows as NDJSON."""
    out = batch.folder()
    batch.run(*EVERYTHING, "--out", out, "-o", "sqlite", status=1)
    for table, columns in documented().items():
        found = []
        for path in glob.glob(os.path.join(out, table, "part-*.sqlite")):
            with contextlib.closing(sqlite3.connect(path)) as db:
                assert db.execute("pragma integrity_check").fetchall() == [("ok",)], path
                types = {name: kind for _, name, kind, *_ in db.execute(f"pragma table_info({table})")}
                types.pop("lab", None)
                assert types == columns, (table, types)
                got = db.execute(f"select * from {table}")
                names = [d[0] for d in got.description]
                found += [dict(zip(names, row)) for row in got]
        want = [{k: float(v) if v is not None and columns.get(k) == "REAL" else v for k, v in row.items() if not k.endswith("_hex")} for row in rows(flat, table)]
        assert sorted(map(json.dumps, found)) == sorted(json.dumps({k: int(v) if isinstance(v, bool) else v for k, v in row.items()}) for row in want), table
    broken = os.path.join(batch.scratch, "lib")
    os.makedirs(broken)
    with open(os.path.join(broken, "libsqlite3.so.0"), "wb"):
        pass
    said = batch.run(SAMPLE, "--out", batch.folder(), "-o", "sqlite", status=6, env=dict(os.environ, LD_LIBRARY_PATH=broken))
    assert "E1206" in said, said
    assert not glob.glob(os.path.join(batch.scratch, f"out{batch.n}", "*")), "nothing is written then"


def test_alone(out):
    """Column `alone` must be true exactly if no other row of the analysis has the same name."""
    found = rows(out, "rows")
    names = Counter((r["analysis_id"], r["name"]) for r in found)
    wrong = [r for r in found if r["alone"] != (names[r["analysis_id"], r["name"]] == 1)]
    assert not wrong, wrong[:3]
    assert {True, False} == {r["alone"] for r in found}


# ---- sketches ----------------------------------------------------------------------

def bucket(t):
    """Returns the bucket of a time in ns, as docs/farm.md defines it."""
    t = Fraction(t)
    if t < 1:
        return 0
    e = math.floor(t).bit_length() - 1
    return 64 * e + math.floor(64 * t / 2 ** e) - 63


def test_sketches(batch):
    """Buckets of paths must count the samples of `analyze`; quantiles may differ by less than 1 %."""
    out, seen = batch.folder(), 0
    cases = sorted(glob.glob(os.path.join(DATA, "cases", "*", "run.etdump")))
    batch.run(*cases, "--out", out, "--tables", "samples")
    samples = {}
    for s in rows(out, "samples"):
        samples.setdefault((s["run_id"], s["path"], s["row"]), []).append(s)
    ids = {p["path"]: p["run_id"] for p in rows(out, "paths")}
    sketches = rows(out, "sketches")
    selfs = {(r["run_id"], r["path"], r["row"]): r for r in rows(out, "rows")}
    for case in cases:
        done = subprocess.run([batch.etcore, "analyze", "--no-siblings", "-o", "json", case], capture_output=True, timeout=60)
        paths = [p for m in json.loads(done.stdout)["methods"] for p in m["paths"]] if done.returncode == 0 else []
        for p in paths:
            mine = [s for s in sketches if s["run_id"] == ids[case] and s["path"] == p["path"] and s["key"] is None]
            if "samples_ns" not in p:
                assert not mine, case
                continue
            assert [s["ns"] for s in samples[ids[case], p["path"], None]] == p["samples_ns"], case
            kept = p["samples_ns"][p["warmup"]:]
            assert {s["bucket"]: s["count"] for s in mine} == Counter(map(bucket, kept)), (case, p)
            exact = sorted(x for s in mine for x in [s["value_ns"]] * s["count"])
            assert all(abs(a - b) <= b / 100 for a, b in zip(exact, sorted(kept))), case
            seen += len(kept)
    assert seen > 100, seen
    sums = Counter()
    for s in sketches:
        assert s["value_ns"] == (Fraction(129 + 2 * ((s["bucket"] - 1) % 64), 128) * 2 ** ((s["bucket"] - 1) // 64) if s["bucket"] else 0), s
        if s["key"] is not None:
            sums[s["run_id"], s["path"], s["row"]] += Fraction(s["value_ns"]) * s["count"]
            row = selfs[s["run_id"], s["path"], s["row"]]
            assert (row["key"], row["backend"], row["detached"]) == (s["key"], s["backend"], False), (row, s)
    runs = {(r["run_id"], r["path"]): r["typical_runs"] for r in rows(out, "runs")}
    assert len(sums) > 50
    for key, total in sums.items():
        mean = total / runs[key[:2]]
        assert abs(mean - Fraction(selfs[key]["self_ns"])) <= 1 + mean / 100, (key, float(mean), selfs[key]["self_ns"])
        assert len(samples[key]) == runs[key[:2]] and {s["use"] for s in samples[key]} == {"typical"}, key
        exact = sum(map(Fraction, (s["ns"] for s in samples[key]))) / runs[key[:2]]
        assert abs(exact - Fraction(selfs[key]["self_ns"])) <= exact / 10 ** 12, key


# ---- failures of workers and batches ----

def test_killed_worker(batch, many, count, whole):
    for how in share((signal.SIGKILL, signal.SIGABRT)):  # sanitizers handle the other signals
        out = batch.folder()
        p = batch.start(many, "--out", out, "--jobs", "2")
        for worker in workers(p, 2)[:1]:
            time.sleep(0.15)
            os.kill(worker, how)
        p.communicate(timeout=60)
        _, errors, ran = counted_once(out, count) if p.returncode == 0 else settle_lost(out, count)
        assert len(ran) + len(errors) == count
        assert p.returncode == (1 if errors else 0)
        for e in errors:
            # A SIGABRT inside a plugin's hook is reported as the plugin's error.
            assert e["code"] == "E1204" and (how.name in e["message"] or (how == signal.SIGABRT and "status 9" in e["message"])), e


def settle_lost(out, count):
    """Like counted_once(), but a worker may be killed before it reports the hash of its dump: that dump has no row in
    `paths`."""
    errors = rows(out, "errors")
    return counted_once(out, count - sum(e["run_id"] is None for e in errors))


def test_hang(batch, many, count, whole):
    out = batch.folder()
    p = batch.start(many, "--out", out, "--jobs", "2", "--timeout", "1")
    for worker in workers(p, 2)[:1]:
        time.sleep(0.1)
        os.kill(worker, signal.SIGSTOP)
    p.communicate(timeout=60)
    _, errors, ran = settle_lost(out, count)
    assert p.returncode == 1 and [e["code"] for e in errors] == ["E1205"], (p.returncode, errors)
    assert len(ran) == count - 1


def processes_of(path):
    """Returns the processes with the path among their arguments."""
    found = []
    for name in glob.glob("/proc/[0-9]*/cmdline"):
        with contextlib.suppress(OSError), open(name, "rb") as f:
            if path.encode() in f.read().split(b"\0"):
                found.append(name)
    return found


def test_hanging_plugin(batch, folder):
    """A hanging plugin must cost only the dump on which it hangs; if it is isolated, only its answers about that dump."""
    plugin = os.path.join(batch.scratch, "trouble.so")
    shutil.copy(os.path.join(folder, "tests", "plugins", "isolate", "trouble.so"), plugin)
    few = copies(os.path.join(batch.scratch, "few"), 20)
    bad = os.path.join(few, "0", "bad.etdump")
    shutil.copy(os.path.join(DATA, "cases", "mlp_xnnpack", "run.etdump"), bad)
    words = [few, "--jobs", "2"]
    for key, v in (("plugin.trouble.library", plugin), ("etcore.plugins", "trouble"), ("plugin.trouble.how", "wait"),
                   ("plugin.trouble.where", "classify"), ("plugin.trouble.event", "Softmax (NC, F32) #1")):
        words += ["--set", f"{key}={v}"]
    out = batch.folder()
    batch.run(*words, "--out", out, "--timeout", "2", status=1)
    _, errors, ran = counted_once(out, 21)
    assert [(e["path"], e["code"]) for e in errors] == [(bad, "E1205")] and len(ran) == 20, errors[:3]
    out = batch.folder()
    batch.run(*words, "--out", out, "--set", "etcore.isolate=yes", "--set", "limits.max_hook_seconds=1")
    paths, errors, ran = counted_once(out, 21)
    assert not errors and len(ran) == 21
    run_id = next(p["run_id"] for p in paths if p["path"] == bad)
    hung = [n for n in rows(out, "notes") if "no answer within 1 s" in n["text"]]
    assert [n["run_id"] for n in hung] == [run_id], hung
    out = batch.folder()
    batch.run(*words, "--out", out, "--set", "etcore.isolate=yes", "--set", "limits.max_hook_seconds=1000", "--timeout", "2", status=1)
    assert [(e["path"], e["code"]) for e in counted_once(out, 21)[1]] == [(bad, "E1205")]
    until = time.monotonic() + 20
    while processes_of(plugin) and time.monotonic() < until:
        time.sleep(0.05)
    assert not processes_of(plugin)


def test_interrupted(batch, many, count):
    for how in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
        out = batch.folder()
        p = batch.start(many, "--out", out, "--jobs", "2", start_new_session=True)
        workers(p, 2)
        time.sleep(0.15)
        os.killpg(p.pid, how) if how != signal.SIGKILL else os.kill(p.pid, how)
        _, err = p.communicate(timeout=60)
        assert p.returncode == (128 + how if how != signal.SIGKILL else -9), (how, p.returncode, err)
        assert not os.path.exists(os.path.join(out, "_SUCCESS"))
        if how != signal.SIGKILL:
            assert "E1203" in err, err
            assert len(rows(out, "paths")) < count
            counted_once(out, len(rows(out, "paths")))
            batch.run(many, "--out", out, status=2)


def resumed(batch, many, count, whole):
    for how in share((signal.SIGINT, signal.SIGKILL)):
        out = batch.folder()
        p = batch.start(many, "--out", out, "--jobs", "2")
        pids = workers(p, 2)
        time.sleep(0.15)
        p.send_signal(how)
        p.communicate(timeout=60)
        wait_for_end(pids)
        before = len(rows(out, "paths")) if how == signal.SIGINT else 0
        # Add unfinished parts of killed runs, one of them from a shard that does not run again. `others` are files that
        # etcore did not write.
        for name in ("part-0-of-1-0000000000000000-0-0", "part-2-of-3-0000000000000000-0-0"):
            shutil.copy(glob.glob(os.path.join(whole, "rows", "*"))[0], os.path.join(out, "rows", name + ".ndjson"))
        others = [os.path.join(out, "rows", f"part-{name}.ndjson") for name in ("0", "2026-11-27", "1-of-", "1-of-2", "of-1-2", "1-of-x-2")]
        for path in others:
            with open(path, "w", encoding="ascii"):
                pass
        said = batch.run(many, "--out", out, "--resume")
        assert os.path.exists(os.path.join(out, "_SUCCESS"))
        assert content(out) == content(whole)
        for path in others:
            os.remove(path)  # etcore left the file in place
        assert how != signal.SIGINT or (before > 0 and f"; {before} done before" in said), (before, said)
        counted_once(out, count)


def test_resume(batch, many, count, whole):
    resumed(batch, many, count, whole)
    out = batch.folder()
    folder = copies(os.path.join(batch.scratch, "grows"), 20)
    batch.run(folder, "--out", out)
    assert "20 dumps" in batch.run(folder, "--out", batch.folder())
    assert "0 dumps" in batch.run(folder, "--out", out, "--resume")
    batch.run(folder, "--out", out, status=2)
    copies(os.path.join(folder, "more"), 25)  # 20 of them have the bytes of earlier dumps
    os.utime(os.path.join(folder, "1", "00001.etdump"), (1, 1))
    assert "26 dumps" in batch.run(folder, "--out", out, "--resume")
    assert len(rows(out, "paths")) == 46 and len({r["run_id"] for r in rows(out, "runs")}) == len(rows(out, "runs")) == 25
    assert "45 dumps" in batch.run(folder, "--out", out, "--resume", "--no-plugins")  # other settings require a new analysis
    assert len({r["analysis_id"] for r in rows(out, "runs")}) == 50


def test_shards(batch, many, count, whole):
    out, sizes = batch.folder(), []
    for i in range(3):
        one = batch.folder()
        batch.run(many, "--out", out, "--shard", f"{i}/3")
        batch.run(many, "--out", one, "--shard", f"{i}/3")
        sizes.append(len(rows(one, "paths")))
        assert os.path.exists(os.path.join(out, f"_SUCCESS-{i}-of-3"))
    assert content(out) == content(whole)
    assert min(sizes) > count / 5 and sum(sizes) == count
    moved = os.path.join(batch.scratch, "moved")
    os.symlink(many, moved)  # a link that the user named is followed
    batch.run(moved, "--out", batch.folder(), "--shard", "2/3")
    assert len(rows(os.path.join(batch.scratch, f"out{batch.n}"), "paths")) == sizes[2]


def test_two_at_once(batch, many, count, whole):
    out = batch.folder()
    both = [batch.start(many, "--out", out) for _ in range(2)]
    errs = [p.communicate(timeout=60)[1] for p in both]
    assert sorted(p.returncode for p in both) == [0, 2], errs
    assert any("E1202" in e or "E1201" in e for e in errs), errs
    assert content(out) == content(whole)
    out = batch.folder()
    os.makedirs(out)
    with open(os.path.join(out, "_lock"), "w", encoding="ascii") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        assert "E1202" in batch.run(many, "--out", out, status=2)
    out = batch.folder()
    shards = [batch.start(many, "--out", out, "--shard", f"{i}/2") for i in range(2)]
    for p in shards:
        p.communicate(timeout=60)
    assert [p.returncode for p in shards] == [0, 0]
    assert content(out) == content(whole)


# ---- inputs -----------------------------------------------------------------------------

def test_copies(batch):
    folder = os.path.join(batch.scratch, "links")
    os.makedirs(folder)
    for i in range(1000):
        (os.symlink if i % 2 else shutil.copy)(SAMPLE, os.path.join(folder, f"{i}.etdump"))
    out = batch.folder()
    batch.run(folder, "--out", out, "--jobs", "3")
    paths = rows(out, "paths")
    assert len(paths) == 1000 and len({p["run_id"] for p in paths}) == 1
    assert len(rows(out, "runs")) == 1
    assert len({p["path"] for p in paths}) == 1000


def test_odd_files(batch):
    folder = os.path.join(batch.scratch, "odd")
    os.makedirs(os.path.join(folder, "in.etdump"))
    shutil.copy(SAMPLE, os.path.join(folder, "in.etdump", "a.etdp"))
    shutil.copy(SAMPLE, os.path.join(folder, "in.etdump", "not a dump"))
    with open(SAMPLE, "rb") as f:
        dump = f.read()
    for name, text in ((b"empty.etdump", b""), (b"cut.etdump", dump[:700]), (b"name\xff\n.etdump", dump + b"x")):
        with open(os.path.join(os.fsencode(folder), name), "wb") as f:
            f.write(text)
    os.mkfifo(os.path.join(folder, "pipe.etdump"))
    os.symlink("/dev/zero", os.path.join(folder, "device.etdump"))
    os.symlink("nothing", os.path.join(folder, "dangling.etdump"))
    os.symlink(folder, os.path.join(folder, "loop"))
    os.symlink(folder, os.path.join(folder, "loop.etdump"))
    listed = "\n".join([os.path.join(folder, "vanished.etdump"), folder, ""])
    out = batch.folder()
    batch.run("--files-from", "-", "--out", out, status=1, input=listed.encode())
    names = {os.path.basename(e["path"]): e for e in rows(out, "errors")}
    assert {n: e["code"] for n, e in names.items()} == {
        "empty.etdump": names["empty.etdump"]["code"], "cut.etdump": names["cut.etdump"]["code"], "pipe.etdump": "E0901",
        "device.etdump": "E0901", "dangling.etdump": "E0901", "vanished.etdump": "E0901"}, names
    assert names["cut.etdump"]["run_id"] and names["empty.etdump"]["run_id"] and not names["pipe.etdump"]["run_id"]
    assert names["cut.etdump"]["code"].startswith("E02")
    paths = rows(out, "paths")
    assert len(paths) == 4, paths
    assert [bytes.fromhex(p["path_hex"]) for p in paths if "path_hex" in p] == [os.fsencode(folder) + b"/name\xff\n.etdump"]
    shown = batch.run("--files-from", "-", "--out", batch.folder(), input=os.fsencode(folder) + b"/name\xff\n.etdump\0")
    assert "1 dump in" in shown
    batch.run("--files-from", os.path.join(folder, "no list"), "--out", batch.folder(), status=3)
    without = os.path.join(batch.scratch, "without")
    os.mkdir(without)
    for operand, status, given in ((os.path.join(folder, "vanished"), 3, b""), (without, 2, b""), ("-", 2, b""), ("-", 2, dump)):
        out = batch.folder()
        batch.run(operand, "--out", out, status=status, input=given)
        assert not os.path.exists(out), "nothing is written then"
    if os.geteuid() != 0:
        os.chmod(os.path.join(folder, "in.etdump"), 0)
        out = batch.folder()
        batch.run(folder, "--out", out, status=1)
        os.chmod(os.path.join(folder, "in.etdump"), 0o700)
        assert any(e["path"].endswith("/in.etdump") for e in rows(out, "errors"))


def test_changing(batch):
    """Files appear, vanish, are truncated and rewritten while they are read. Each analysed file must be one complete
    dump; all others must be errors."""
    folder = os.path.join(batch.scratch, "changing")
    with open(SAMPLE, "rb") as f:
        dump = f.read()
    copies(folder, 1500)
    ids = {hashlib.sha256(dump + i.to_bytes(8, "little")).hexdigest() for i in range(1500)}
    out = batch.folder()
    p = batch.start(folder, "--out", out, "--jobs", "2")
    workers(p, 2)
    i = 0
    while p.poll() is None and i < 100000:
        path = os.path.join(folder, str(i % 10), f"{i * 7919 % 1500 // 10 * 10 + i % 10:05}.etdump")
        if i % 4 == 0:
            os.replace(path, path + ".etdump") if os.path.exists(path) else None
        elif os.path.exists(path):
            with open(path, "r+b") as f:
                f.truncate(len(dump) // 2 if i % 4 == 1 else 0)
                if i % 4 == 3:
                    f.write(dump + (i * 7919 % 1500).to_bytes(8, "little"))
                os.utime(path, (i, i))  # as if the clock had been set back
        i += 1
    _, err = p.communicate(timeout=60)
    assert p.returncode in (0, 1), err
    paths, errors = rows(out, "paths"), rows(out, "errors")
    good = {r["run_id"] for r in rows(out, "runs")}
    assert good <= ids and len({p["path"] for p in paths}) == len(paths), good - ids
    assert {p["run_id"] for p in paths} <= good | {e["run_id"] for e in errors}
    assert {e["code"] for e in errors if not e["run_id"]} <= {"E0901", "E0907"}, errors
    assert len(paths) + sum(not e["run_id"] for e in errors) == 1500, (len(paths), len(errors))


def test_emptied(batch):
    """A file with many names is emptied and rewritten repeatedly. It must be reported as changed, however much of
    it was read."""
    folder = os.path.join(batch.scratch, "emptied")
    os.makedirs(folder)
    first = os.path.join(folder, "0.etdump")
    shutil.copy(SAMPLE, first)
    with open(SAMPLE, "rb") as f:
        dump = f.read()
    for i in range(1, 3000):
        os.link(first, os.path.join(folder, f"{i}.etdump"))
    codes = set()
    # If this process gets little CPU time, the batch may never see the file empty: try again.
    for _ in range(30):
        out = batch.folder()
        p = batch.start(folder, "--out", out, "--jobs", "2")
        with open(first, "r+b", buffering=0) as f:
            while p.poll() is None:
                for _ in range(20):
                    f.truncate(0)
                    os.pwrite(f.fileno(), dump, 0)
        p.communicate(timeout=60)
        codes = {e["code"] for e in rows(out, "errors") if not e["run_id"]}
        if codes:
            break
    assert codes == {"E0907"}, codes


def test_large_files(batch):
    """Sparse files of 5 GB must be rejected because of their size; without that check their error would be E1205."""
    folder = os.path.join(batch.scratch, "large")
    os.makedirs(folder)
    for name in ("dump.etdump", "packed.zip", "packed.tar"):
        with open(os.path.join(folder, name), "wb") as f:
            f.truncate(5 << 30)
    shutil.copy(SAMPLE, folder)
    out = batch.folder()
    batch.run(folder, "--out", out, "--timeout", "600", status=1)
    errors = {os.path.basename(e["path"]): e for e in rows(out, "errors")}
    assert {name: e["code"] for name, e in errors.items()} == {"dump.etdump": "E1207", "packed.zip": "E1207", "packed.tar": "E1207"}, errors
    assert all("5368709120 bytes" in e["message"] and e["modified_ns"] and not e["run_id"] for e in errors.values()), errors
    assert len(rows(out, "runs")) == 1
    shutil.copy(SAMPLE, os.path.join(folder, "dump.etdump"))
    assert "2 dumps" not in batch.run(folder, "--out", out, "--resume", status=1)
    assert {os.path.basename(p["path"]) for p in rows(out, "paths")} == {"run.etdump", "dump.etdump"}


def test_memory(batch):
    out = batch.folder()
    batch.run(SAMPLE, "--out", out, "--set", "limits.max_memory=100000", status=1)
    assert [e["code"] for e in rows(out, "errors")] == ["E0904"] and not rows(out, "rows")


def test_little_memory(batch, many, count, whole):
    """If memory cannot hold the rows of all dumps, parts are written earlier: no dump may be lost, and none
    analysed twice."""
    def run(mb, *words):
        return subprocess.run([batch.etcore, "batch", *words, "--jobs", "2"], capture_output=True, text=True, timeout=120,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (mb << 20, mb << 20)))

    if "Sanitizer" in run(100, SAMPLE, "--out", batch.folder()).stderr:
        return  # a sanitizer reserves the whole address space
    least = next(mb for mb in range(8, 100) if run(mb, SAMPLE, "--out", batch.folder()).returncode == 0)
    out = batch.folder()
    done = run(least + 2, many, "--out", out)
    assert done.returncode == 0, (least, done)
    counted_once(out, count)
    assert content(out) == content(whole)


def test_gone(batch, many, count, whole):
    """The tables' folder is moved away during the batch, or replaced by a file. The batch must end with a
    code, and --resume must complete it."""
    for moved in (True, False):
        out = batch.folder()
        p = batch.start(many, "--out", out, "--jobs", "2")
        workers(p, 2)
        os.rename(out, out + ".moved")
        if not moved:
            with open(out, "w", encoding="ascii"):
                pass
        _, err = p.communicate(timeout=60)
        assert p.returncode == 3 and "E0903" in err, (p.returncode, err)
        assert os.path.isfile(out) != moved and not glob.glob(os.path.join(out + ".moved", "*", "*")), os.listdir(out + ".moved")
        os.replace(out + ".moved", out) if moved else os.remove(out)
        batch.run(many, "--out", out, "--resume")
        counted_once(out, count)
        assert content(out) == content(whole)


def test_meta(batch):
    folder = os.path.join(batch.scratch, "runs")
    for device in ("pixel", "note\"book"):
        os.makedirs(os.path.join(folder, device, "2026-11-24"))
        shutil.copy(SAMPLE, os.path.join(folder, device, "2026-11-24", "m1_4.etdump"))
    shutil.copy(SAMPLE, folder)
    out = batch.folder()
    batch.run(folder, "--out", out, "--meta", "lab=a=b", "--meta-pattern", "{device}/{date}/{model}_*.etdump")
    found = sorted((p["device"] or "", p["date"], p["model"], p["lab"]) for p in rows(out, "paths"))
    assert found == [("", None, None, "a=b"), ("note\"book", "2026-11-24", "m1", "a=b"), ("pixel", "2026-11-24", "m1", "a=b")], found
    assert rows(out, "runs")[0]["lab"] == "a=b"
    for wrong in (["--meta", "a"], ["--meta", "method=x"], ["--meta", "1a=b"], ["--meta", "a=1", "--meta", "a=2"], ["--meta-pattern", "{a"],
                  ["--meta", "part=x"], ["--meta", "Filename=x"], ["--meta-pattern", "{day}/*.etdump"], ["--meta", "spread_ppm=1"]):
        batch.run(folder, "--out", batch.folder(), *wrong, status=2)


def test_partitions(batch):
    """With partitions, all rows of a dump must be in the folder of its values, and the rows must equal those without
    partitions."""
    folder = os.path.join(batch.scratch, "devices")
    for i, device in enumerate(("pixel", "no te \u00b5%", "x" * 200, "a=b")):
        os.makedirs(os.path.join(folder, device))
        shutil.copy(sorted(set(glob.glob(os.path.join(DATA, "cases", "linear_*", "run.etdump"))) - {SAMPLE})[i], os.path.join(folder, device, f"m{i}_1.etdump"))
    shutil.copy(SAMPLE, folder)
    with open(os.path.join(folder, "pixel", "bad_1.etdump"), "wb") as f:
        f.write(b"no dump")
    words = ["--meta", "lab=b", "--meta-pattern", "{device}/{model}_*.etdump"]
    out, flat = batch.folder(), batch.folder()
    batch.run(folder, "--out", flat, *words, status=1)
    batch.run(folder, "--out", out, *words, "--partition-by", "lab,device", status=1)
    assert content(out) == content(flat)
    runs = {r["run_id"]: r["device"] for r in rows(out, "runs")}
    for table in TABLES:
        for part in glob.glob(os.path.join(out, table, "**", "part-*"), recursive=True):
            lab, device = os.path.relpath(part, os.path.join(out, table)).split("/")[:2]
            value = None if device.endswith("__HIVE_DEFAULT_PARTITION__") else urllib.parse.unquote(device[len("device="):])
            assert lab == "lab=b", part
            with open(part, encoding="utf-8") as f:
                for row in map(json.loads, f):
                    assert row.get("device", runs.get(row["run_id"], value)) == value, (part, row)
    assert {d for d in os.listdir(os.path.join(out, "runs", "lab=b"))} == {
        "device=pixel", "device=no%20te%20%C2%B5%25", "device=" + "x" * 200, "device=a%3Db", "device=__HIVE_DEFAULT_PARTITION__"}
    orphan = os.path.join(out, "rows", "lab=b", "device=pixel", "part-0-of-1-0000000000000000-0-0.ndjson")
    with open(orphan, "w", encoding="ascii") as f:
        f.write("no row")
    batch.run(folder, "--out", out, *words, "--partition-by", "lab,device", "--resume")
    assert not os.path.exists(orphan) and content(out) == content(flat)
    for wrong in ("date", "device,lab,x", ",device"):
        assert "E0501" in batch.run(folder, "--out", batch.folder(), *words, "--partition-by", wrong, status=2)


def test_partitions_at_once(batch):
    """Several workers and shards create the same folder at the same time."""
    folder = os.path.join(batch.scratch, "days")
    with open(SAMPLE, "rb") as f:
        dump = f.read()
    for i in range(80):
        at = os.path.join(folder, f"m{i % 4}", f"d{i % 10}", "2026-11-24")
        os.makedirs(at, exist_ok=True)
        with open(os.path.join(at, f"{i}.etdump"), "wb") as f:
            f.write(dump + i.to_bytes(8, "little"))
    words = [folder, "--meta-pattern", "{model}/{device}/{date}/*.etdump", "--partition-by", "date,device,model", "--jobs", "4"]
    for _ in share(range(20)):
        out = batch.folder()
        batch.run(*words, "--out", out)
        counted_once(out, 80)
    for _ in share(range(3)):
        out = batch.folder()
        shards = [batch.start(*words, "--out", out, "--shard", f"{i}/2") for i in range(2)]
        errs = [p.communicate(timeout=60)[1] for p in shards]
        assert [p.returncode for p in shards] == [0, 0], errs
        counted_once(out, 80)


def test_archives(batch):
    """Dumps in zip and tar archives must have the same rows as unpacked files; damaged archives and zip bombs must have
    their own errors."""
    folder, plain = (os.path.join(batch.scratch, name) for name in ("packed", "plain"))
    os.makedirs(folder)
    dumps = {os.path.basename(os.path.dirname(c)): c for c in sorted(glob.glob(os.path.join(DATA, "cases", "linear_*", "run.etdump")))}
    names = {key: "d" * 60 + "/" + "e" * 70 + f"/{key}.etdump" for key in dumps}
    for key, path in dumps.items():
        os.makedirs(os.path.join(plain, os.path.dirname(names[key])), exist_ok=True)
        shutil.copy(path, os.path.join(plain, names[key]))
    forms = {"pax.tar": tarfile.PAX_FORMAT, "gnu.tar": tarfile.GNU_FORMAT, "ustar.tar": tarfile.USTAR_FORMAT, "gnu.tgz": tarfile.GNU_FORMAT}
    for name, form in forms.items():
        with tarfile.open(os.path.join(folder, name), "w:gz" if name.endswith("gz") else "w", format=form) as tar:
            for key, path in dumps.items():
                tar.add(path, names[key])
            tar.add(__file__, "batch.py")
    for name, how in (("stored.zip", zipfile.ZIP_STORED), ("deflated.zip", zipfile.ZIP_DEFLATED)):
        with zipfile.ZipFile(os.path.join(folder, name), "w", how) as archive:
            for key, path in dumps.items():
                archive.write(path, names[key])
            archive.writestr("read.me", "no dump")
    out, want = batch.folder(), batch.folder()
    said = batch.run(folder, "--out", out)
    archives = len(os.listdir(folder))
    assert f"{archives * len(dumps)} dumps in" in said, said
    batch.run(plain, "--out", want)
    for table in ("runs", "rows", "sketches", "notes"):
        assert content(out, ("modified_ns",))[table] == content(want, ("modified_ns",))[table], table
    sizes = {os.path.basename(p["path"]): p["bytes"] for p in rows(want, "paths")}
    for p in rows(out, "paths"):
        archive, member = p["path"].split("!/")
        assert os.path.dirname(archive) == folder and member in names.values() and sizes[os.path.basename(member)] == p["bytes"], p
    assert "0 dumps" in batch.run(folder, "--out", out, "--resume")
    bad = os.path.join(batch.scratch, "bad archives")
    os.makedirs(bad)
    with open(os.path.join(folder, "gnu.tar"), "rb") as f:
        tar = f.read()
    zeros = bytes(20 << 20)
    with zipfile.ZipFile(os.path.join(bad, "bomb.zip"), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.etdump", zeros)
    for name, text in (("cut.tar", tar[:3000]), ("odd.tar", tar[:300]), ("changed.tar", tar[:20] + b"x" + tar[21:]), ("bad.zip", b"PK\3\4 no"),
                       ("bomb.tgz", gzip.compress(zeros)), ("cut.tar.gz", gzip.compress(tar)[:-100]), ("empty.tar", b""), ("zeros.tar", bytes(10240))):
        with open(os.path.join(bad, name), "wb") as f:
            f.write(text)
    out = batch.folder()
    batch.run(bad, os.path.join(folder, "gnu.tar!/none.etdump"), "--out", out, status=1)
    assert {os.path.basename(e["path"]): e["code"] for e in rows(out, "errors")} == {
        "a.etdump": "E0407", "cut.tar": "E0404", "odd.tar": "E0404", "changed.tar": "E0404", "bad.zip": "E0404", "bomb.tgz": "E0531", "cut.tar.gz": "E0532",
        "none.etdump": "E0901", "empty.tar": "E0404"}


def test_links_in_archives(batch):
    """A file with two names (hard link) in a tar must have rows under both; of two members with one name the last one
    counts."""
    folder = os.path.join(batch.scratch, "linked")
    long = "d" * 60 + "/" + "e" * 70 + "/"
    others = [c for c in sorted(glob.glob(os.path.join(DATA, "cases", "linear_*", "run.etdump"))) if c != SAMPLE]
    os.makedirs(folder)
    for form, kind in (("gnu", tarfile.GNU_FORMAT), ("pax", tarfile.PAX_FORMAT)):
        with tarfile.open(os.path.join(folder, form + ".tar"), "w", format=kind) as tar:
            for name, of in (("a", None), ("b", "a"), (long + "c", None), (long + "d", long + "c"), ("e", "nothing")):
                info = tarfile.TarInfo(name + ".etdump")
                if of:
                    info.type, info.linkname = tarfile.LNKTYPE, of + ".etdump"
                    tar.addfile(info)
                else:
                    tar.add(SAMPLE if name == "a" else others[0], name + ".etdump")
            tar.add(others[1], "twice.etdump")
            tar.add(others[2], "twice.etdump")
    with zipfile.ZipFile(os.path.join(folder, "twice.zip"), "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        archive.write(others[1], "twice.etdump")
        archive.write(others[2], "twice.etdump")
    for name in ("none.tar", "none.tgz"):
        tarfile.open(os.path.join(folder, name), "w:gz" if name.endswith("gz") else "w").close()
    zipfile.ZipFile(os.path.join(folder, "none.zip"), "w").close()
    out = batch.folder()
    batch.run(folder, "--out", out, status=1)
    nowhere = [(os.path.basename(e["path"]), e["code"]) for e in rows(out, "errors") if "nothing.etdump" in e["message"]]
    assert nowhere == [("e.etdump", "E0901")] * 2 and len(rows(out, "errors")) == 2, rows(out, "errors")
    ids = {}
    for path in (SAMPLE, *others[:3]):
        with open(path, "rb") as f:
            ids[path] = hashlib.sha256(f.read()).hexdigest()
    want = {f"{form}.tar!/{name}.etdump": ids[of] for form in ("gnu", "pax") for name, of in
            (("a", SAMPLE), ("b", SAMPLE), (long + "c", others[0]), (long + "d", others[0]), ("twice", others[2]))}
    want["twice.zip!/twice.etdump"] = ids[others[2]]
    assert {os.path.relpath(p["path"], folder): p["run_id"] for p in rows(out, "paths")} == want, rows(out, "paths")


def test_odd_members(batch):
    """Each member named like a dump must have rows or an error, whatever its type; a symbolic link stands for its
    target."""
    with open(SAMPLE, "rb") as f:
        dump = f.read()
    at = os.path.join(batch.scratch, "odd members.tar")
    links = {"a/before": "../b/./real.etdump", "a/same": "near.etdump", "twice": "a/same.etdump", "up": "../real.etdump", "root": "/etc/passwd",
             "round": "trip.etdump", "trip": "round.etdump", "gone": "x/y.etdump", "folder": "dir.etdump", "last": "late.etdump"}
    others = {"pipe": tarfile.FIFOTYPE, "device": tarfile.CHRTYPE, "strange": b"Z", "more": b"M"}
    with tarfile.open(at, "w", format=tarfile.PAX_FORMAT, pax_headers={"comment": "of all"}) as tar:
        def put(name, kind=tarfile.REGTYPE, data=b"", **more):
            info = tarfile.TarInfo(name + ".etdump")
            info.type, info.size = kind, len(data)
            for key, v in more.items():
                setattr(info, key, v)
            tar.addfile(info, io.BytesIO(data))

        for name, to in links.items():
            put(name, tarfile.SYMTYPE, linkname=to)
        for name, kind in others.items():
            put(name, kind)
        put("dir", tarfile.DIRTYPE)
        put("hard", tarfile.LNKTYPE, linkname="late.etdump")
        put("b/real", data=dump)
        put("a/near", data=dump + b"1")
        put("late", tarfile.CONTTYPE, data=dump + b"2")
        put("none")
        put("GNUSparseFile.0/sparse", data=dump + b"3", pax_headers={"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.name": "sparse.etdump"})
        put("linked", tarfile.LNKTYPE, linkname="a/same.etdump")
    with open(at, "r+b") as f:  # the link's header states a size, but no data follows
        head = bytearray(f.read(512 * 12))
        place = head.index(b"a/before.etdump")
        head[place + 124:place + 136] = b"00000017350\0"
        head[place + 148:place + 156] = b" " * 8
        head[place + 148:place + 156] = b"%06o\0 " % sum(head[place:place + 512])
        f.seek(0)
        f.write(head)
    out = batch.folder()
    batch.run(at, "--out", out, status=1)
    ids = {p["path"].split("!/")[1][:-len(".etdump")]: p["run_id"] for p in rows(out, "paths")}
    want = {"b/real": b"", "a/before": b"", "a/near": b"1", "a/same": b"1", "twice": b"1", "linked": b"1", "late": b"2", "last": b"2", "hard": b"2"}
    assert {k: v for k, v in ids.items() if k != "none"} == {k: hashlib.sha256(dump + v).hexdigest() for k, v in want.items()}, ids
    codes = {e["path"].split("!/")[1][:-len(".etdump")]: e["code"] for e in rows(out, "errors")}
    assert codes.pop("none").startswith("E02"), codes
    assert codes == {**dict.fromkeys(("up", "root", "round", "trip", "gone", "folder", *others), "E0901"), "sparse": "E0405"}, codes
    with tarfile.open(at, "w") as tar:  # as `tar -C DIR .` writes it: the folder "." is not matched by the pattern
        for name, to in (("./m/a", None), ("./m/b", "./m/a"), ("./c", "./m/./a")):
            info = tarfile.TarInfo(name + ".etdump")
            info.type, info.linkname, info.size = (tarfile.REGTYPE, "", len(dump)) if not to else ((tarfile.SYMTYPE if "c" in name else tarfile.LNKTYPE), to + ".etdump", 0)
            tar.addfile(info, io.BytesIO(dump))
    out = batch.folder()
    batch.run(at, "--out", out, "--meta-pattern", "{device}.tar!/{model}/*.etdump")
    assert sorted((p["path"].split("!/")[1], p["device"], p["model"]) for p in rows(out, "paths")) == [
        ("c.etdump", None, None), ("m/a.etdump", "odd members", "m"), ("m/b.etdump", "odd members", "m")], rows(out, "paths")
    # GNU's old sparse format stores the rest of its map between the header and the data
    rest, holes = bytes(504) + b"\1" + bytes(7) + bytes(512), bytearray(tarfile.TarInfo("holes.etdump").tobuf(tarfile.GNU_FORMAT))
    holes[156:157], holes[124:136], holes[482] = b"S", b"%011o\0" % 512, 1
    holes[148:156] = b" " * 8
    holes[148:156] = b"%06o\0 " % sum(holes)
    plain = tarfile.TarInfo("plain.etdump")
    plain.size = len(dump)
    with open(at, "wb") as f:
        f.write(bytes(holes) + rest + b"x" * 512 + plain.tobuf() + dump + bytes(-len(dump) % 512))
    out = batch.folder()
    batch.run(at, "--out", out, status=1)
    assert [(e["path"].split("!/")[1], e["code"]) for e in rows(out, "errors")] == [("holes.etdump", "E0405")], rows(out, "errors")
    assert [p["path"].split("!/")[1] for p in rows(out, "paths")] == ["plain.etdump"]


def test_packed(batch):
    """Files in a compression that etcore cannot unpack must get an error that says so, in a folder and in a tar, whatever
    their suffix is."""
    with open(SAMPLE, "rb") as f:
        dump = f.read()
    folder = os.path.join(batch.scratch, "packed files")
    os.mkdir(folder)
    names = {"a.etdump.xz": lzma.compress, "b.etdp.bz2": bz2.compress, "c.tar.xz": lzma.compress, "d.tbz2": bz2.compress, "e.etdump": bz2.compress}
    with tarfile.open(os.path.join(folder, "all.tar"), "w") as tar:
        for name, pack in names.items():
            with open(os.path.join(folder, name), "wb") as f:
                f.write(pack(dump))
            tar.add(os.path.join(folder, name), name)
        info = tarfile.TarInfo("out.etdump")
        info.type, info.linkname = tarfile.SYMTYPE, "../out.etdump"
        tar.addfile(info)
    with open(os.path.join(folder, "f.etdump.xz"), "wb") as f:  # recognised by its name alone
        f.write(dump)
    with open(os.path.join(folder, "g.txt.xz"), "wb") as f:
        f.write(dump)
    out = batch.folder()
    batch.run(folder, "--out", out, status=1)
    members = [name for name in names if "etd" in name]  # archives in archives are not opened
    errors = {os.path.relpath(e["path"], folder): (e["code"], e["message"]) for e in rows(out, "errors")}
    assert errors.pop("all.tar!/out.etdump") == ("E0901", "cannot open the file: a link to a file outside of the archive"), errors
    assert set(errors) == {*names, *("all.tar!/" + name for name in members)}, errors
    assert {code for code, _ in errors.values()} == {"E0965"}, errors
    assert [os.path.relpath(p["path"], folder) for p in rows(out, "paths") if p["path"].endswith("f.etdump.xz")] == ["f.etdump.xz"]


def test_odd_zips(batch):
    """Like test_odd_members for zip: a member that cannot be unpacked is an error; folders, 64-bit sizes and names that are
    not UTF-8 are accepted."""
    with open(SAMPLE, "rb") as f:
        dump = f.read()
    at = os.path.join(batch.scratch, "odd.zip")
    with zipfile.ZipFile(at, "w") as z:
        z.writestr(zipfile.ZipInfo("dir.etdump/"), b"")
        for name, how in (("bzip2", zipfile.ZIP_BZIP2), ("locked", zipfile.ZIP_STORED), ("n\u00ff", zipfile.ZIP_DEFLATED), ("none", zipfile.ZIP_STORED)):
            z.writestr(name + ".etdump", b"" if name == "none" else dump + name.encode(), how)
        with z.open("wide.etdump", "w", force_zip64=True) as f:
            f.write(dump)
        z.writestr("packed.etdump.gz", gzip.compress(dump))
        z.writestr("inner.zip", b"PK")
    with open(at, "rb") as f:
        data = bytearray(f.read())
    for name in (b"locked.etdump", "n\u00ff.etdump".encode()):  # encrypted; a name in Latin-1 of the same length
        for mark, flags, text in ((b"PK\3\4", 6, 30), (b"PK\1\2", 8, 46)):
            place = data.index(name, data.index(mark)) if mark == b"PK\3\4" else data.rindex(name)
            if name[:1] == b"l":
                data[place - text + flags] |= 1
            else:
                data[place:place + 3] = b"n\xff_"
    with open(at, "wb") as f:
        f.write(data)
    out = batch.folder()
    batch.run(at, "--out", out, status=1)
    names = {bytes.fromhex(p["path_hex"]).split(b"!/")[1] if "path_hex" in p else p["path"].split("!/")[1].encode(): p["run_id"] for p in rows(out, "paths")}
    assert set(names) == {b"n\xff_.etdump", b"none.etdump", b"wide.etdump", b"packed.etdump.gz"}, names
    errors = {e["path"].split("!/")[1]: e["code"] for e in rows(out, "errors")}
    assert errors.pop("none.etdump").startswith("E02") and errors == {"bzip2.etdump": "E0405", "locked.etdump": "E0405"}, errors
    assert len({r["run_id"] for r in rows(out, "runs")}) == 3


def test_few_descriptors(batch):
    """With few file descriptors the batch must run with fewer workers, or fail; it must not wait for workers that could not
    be started."""
    few = copies(os.path.join(batch.scratch, "few descriptors"), 30)
    for most in (8, 9, 10, 12, 40):
        out = batch.folder()
        p = batch.start(few, "--out", out, "--jobs", "64", preexec_fn=lambda most=most: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most)))
        _, err = p.communicate(timeout=60)
        assert p.returncode in (0, 3), (most, p.returncode, err)
        assert p.returncode == 0 or "Too many open files" in err, (most, err)
        if p.returncode == 0:
            counted_once(out, 30)
    assert p.returncode == 0


def test_clocks(batch):
    """Modification times beyond 64 bits of ns become the largest value; those before 1970 are unknown. --resume
    must recognise the files."""
    folder, out = os.path.join(batch.scratch, "clocks"), batch.folder()
    os.makedirs(folder)
    want = {}
    for seconds, ns in ((1, 10 ** 9), (9223372035, 9223372035 * 10 ** 9), (9223372036, 2 ** 63 - 1), (99999999999, 2 ** 63 - 1), (-5, None), (-99999999999, None)):
        path = os.path.join(folder, f"{seconds}.etdump")
        shutil.copy(SAMPLE, path)
        os.utime(path, (seconds, seconds))
        if os.stat(path).st_mtime == seconds:  # only if the file system can store that time
            want[path] = ns
    batch.run(*want, "--out", out)
    assert {p["path"]: p["modified_ns"] for p in rows(out, "paths")} == want, rows(out, "paths")
    assert f"{len(want)} done before" in batch.run(*want, "--out", out, "--resume")
    assert len(want) >= 3


def test_long_names_in_archives(batch):
    """A long path inside an archive with a long path must work. A name that no file can have must be an error and affect
    no other dump."""
    folder = os.path.join(batch.scratch, "d" * 240)
    os.makedirs(folder)
    with open(SAMPLE, "rb") as f:
        dump = f.read()
    sizes = (10, 4080, 4096, 20000, 20)
    with tarfile.open(os.path.join(folder, "long.tar"), "w", format=tarfile.PAX_FORMAT) as t:
        for n in sizes:
            info = tarfile.TarInfo("x" * (n - len(".etdump")) + ".etdump")
            info.size = len(dump) + 8
            t.addfile(info, io.BytesIO(dump + n.to_bytes(8, "little")))
    out = batch.folder()
    for words in ([], ["--resume"]):
        batch.run(folder, "--out", out, *words, status=1)
        paths, runs, errors = (rows(out, t) for t in ("paths", "runs", "errors"))
        assert sorted(len(p["path"].split("!/")[1]) for p in paths) == [10, 20, 4080], [len(p["path"]) for p in paths]
        assert len({r["run_id"] for r in runs}) == len(runs) == 3, len(runs)
        assert {(e["code"], "File name too long" in e["message"]) for e in errors} == {("E0901", True)} and len(errors) == (4 if words else 2), errors


def test_outputs(batch):
    """Links in place of outputs must be replaced, never followed."""
    out, else_ = batch.folder(), os.path.join(batch.scratch, "elsewhere")
    os.makedirs(out)
    os.makedirs(else_)
    for name in ("rows", "_done", "_SUCCESS"):
        os.symlink(else_, os.path.join(out, name))
    os.symlink(os.path.join(else_, "made"), os.path.join(out, "_lock"))
    batch.run(SAMPLE, "--out", out, status=3)
    os.unlink(os.path.join(out, "_lock"))
    batch.run(SAMPLE, "--out", out)
    assert os.listdir(else_) == []
    batch.run(SAMPLE, "--out", os.path.join(SAMPLE, "x"), status=3)
    if os.path.exists("/dev/full"):
        out = batch.folder()
        os.makedirs(out)
        done = subprocess.run(["sh", "-c", 'ulimit -f 8; exec "$@"', "sh", batch.etcore, "batch", f"{DATA}/cases", "--out", out], capture_output=True, text=True, timeout=60)
        assert done.returncode == 3 and "E0903" in done.stderr, done
        assert not glob.glob(os.path.join(out, "**", "part-*"), recursive=True)
        assert not glob.glob(os.path.join(out, "**", ".etcore-*"), recursive=True)
        # Files left behind by a killed batch.
        killed = os.path.join(out, "rows", ".etcore-0123456789abcdef.tmp")
        with open(killed, "wb") as f:
            f.write(b"{")
        batch.run(f"{DATA}/cases", "--out", out, "--resume")
        assert not os.path.exists(killed)


def test_lists(batch):
    """The list of finished dumps is a sparse file of 2 GB with invalid contents: it must not be read into memory, and must
    be ignored."""
    out = batch.folder()
    batch.run(SAMPLE, "--out", out)
    [made] = glob.glob(os.path.join(out, "_done", "*"))
    with open(made, "rb") as f:
        head = f.readline()
    for text in (b"", head, head + b"1 2 3\0", head + b"x" * 10000):
        with open(made, "wb") as f:
            f.write(text)
            f.truncate(2 << 30)
        pid = os.posix_spawn(batch.etcore, [batch.etcore, "batch", SAMPLE, "--out", out, "--resume", "--jobs", "1"], os.environ)
        _, status, used = os.wait4(pid, 0)
        assert status == 0 and used.ru_maxrss < 1 << 20, (text[:40], status, used.ru_maxrss)
        assert rows(out, "paths"), text[:40]
        for path in glob.glob(os.path.join(out, "*", "*")):
            if path != made:
                os.unlink(path)


def test_flat(batch, many, count, whole):
    """A worker's memory must not grow with the number of dumps; parts are written often here."""
    out = batch.folder()
    # AddressSanitizer keeps up to 256 MB of freed memory.
    environment = dict(os.environ, ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=8")
    p = batch.start(many, "--out", out, "--jobs", "1", env=environment)
    most = 0
    for worker in workers(p, 1):
        while p.poll() is None:
            try:
                with open(f"/proc/{worker}/status", encoding="ascii") as f:
                    found = [int(line.split()[1]) for line in f if line.startswith("VmHWM")]
                most = max([most, *found])
            except OSError:
                break
            time.sleep(0.02)
    p.communicate(timeout=60)
    assert 0 < most < 300 << 10, most


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--etcore", default="build/etcore")
    parser.add_argument("--folder", default="build", help="of the build, which has a plugin that hangs")
    a = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        batch = Batch(a.etcore, scratch)
        count = enough(batch)
        many = copies(os.path.join(scratch, "many"), count)
        whole = batch.folder()
        batch.run(many, "--out", whole)
        counted_once(whole, count)
        everything = batch.folder()
        batch.run(*EVERYTHING, "--out", everything, status=1)
        test_same(batch, everything)
        test_alone(everything)
        test_schema(everything)
        test_sqlite(batch, everything)
        for test in some((test_sketches, test_copies, test_odd_files, test_changing, test_emptied, test_large_files, test_memory,
                          test_meta, test_partitions, test_partitions_at_once, test_archives, test_links_in_archives, test_odd_members,
                          test_packed, test_odd_zips, test_long_names_in_archives, test_clocks, test_few_descriptors, test_outputs,
                          test_lists), 2):
            test(batch)
        test_hanging_plugin(batch, a.folder)
        test_interrupted(batch, many, count)
        for test in share((test_killed_worker, test_resume, test_shards, test_two_at_once, test_little_memory, test_gone, test_hang, test_flat)):
            test(batch, many, count, whole)
    return 0


sys.exit(main())
