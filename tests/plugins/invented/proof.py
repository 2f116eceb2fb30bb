#!/usr/bin/env python3
"""proof.py --etcore PROGRAM --plugins FOLDER -- recomputes what `analyze` prints for the invented backends.

The runs come from dumps.py. Expected values are computed from its numbers and the definitions of docs/analysis.md and
docs/plugins/abi.md, with integers and fractions: typical runs, nesting, rows, shares, columns, starts. Tested are the
plugins in process and isolated, which must print the same bytes, and conf/examples/dsp.ini in place of the DSP's plugin."""
import argparse
import csv
import io
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction

import dumps
import notes

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
from share import SHARE, some  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
DSP_INI = os.path.join(ROOT, "conf", "examples", "dsp.ini")
TICK = {"npu": Fraction(5, 6), "dsp": Fraction(5, 4), "gpu": Fraction(625, 12)}  # ns per tick
BY = ("op", "category", "backend", "delegate", "kernel", "fallback", "method", "file", "run")


def median(values):
    values, n = sorted(values), len(values)
    return Fraction(values[(n - 1) // 2] + values[n // 2], 2)


def typical(runs):
    """Applies Hampel's rule to all runs but the first; returns the typical runs."""
    kept = runs[1:]
    took = [run[-1][5] - run[-1][4] for run in kept]
    middle = median(took)
    far = 3 * Fraction(14826, 10000) * median([abs(t - middle) for t in took])
    return [run for run, t in zip(kept, took) if abs(t - middle) <= far]


# ---- events of each backend: name, category, index of the parent (None: the call), columns ----


def values(meta):
    return dict(word.split("=", 1) for word in meta.decode().split())


class Npu:
    WORDS = {"conv2d": "convolution", "matmul": "gemm"}

    @staticmethod
    def name(event):
        return event[1].split(":")[1].split("#")[0]

    def category(self, event):
        return self.WORDS[re.match(r"\w+", self.name(event))[0]]

    @staticmethod
    def parent(run, i):
        ids = {e[1]: k for k, e in enumerate(run) if e[1]}
        path = run[i][1].split("/")
        return ids["/".join(path[:-1])] if len(path) > 1 else None

    @staticmethod
    def columns(samples):
        said = [values(e[2]) for e in samples]
        out = {"layer": samples[0][1].split(":")[0], "engine": said[0].get("engine")}
        for key, name in (("busy", "cycles"), ("stall", "stall_cycles"), ("permille", "utilization")):
            if key in said[0]:
                out[name] = sum(int(s[key]) for s in said) // len(said)
        out["utilization"] = out["utilization"] / 1000
        return out

    ROLLUP = {"layer": "set", "engine": "set", "cycles": "sum", "stall_cycles": "sum", "utilization": "time_mean"}


class Dsp:
    KERNELS = {1: ("conv", "convolution"), 2: ("gemm", "gemm"), 3: ("pool", "pooling"), 11: ("mac array", None),
               12: ("store", "data movement")}

    @staticmethod
    def read(event):
        return struct.unpack("<HHIQf", event[2])

    def name(self, event):
        return self.KERNELS.get(self.read(event)[0], (event[1],))[0]

    def category(self, event):
        return self.KERNELS.get(self.read(event)[0], (None, None))[1]

    def parent(self, run, i):
        level = self.read(run[i])[1]
        return max(k for k in range(i) if run[k][1] and self.read(run[k])[1] == 1) if level == 2 else None

    def columns(self, samples):
        return dict(zip(("tiles", "macs", "utilization"), self.read(samples[0])[2:]))

    ROLLUP = {"tiles": "sum", "macs": "sum", "utilization": "time_mean"}


class Gpu:
    @staticmethod
    def name(event):
        kind, rest = event[1].split(":")
        return rest.split("/")[1] if "/" in rest else event[1] if kind == "queue" else rest

    def category(self, event):
        name = self.name(event)
        return "gemm" if name.startswith("gemm") else "data movement" if name == "upload" else None

    @staticmethod
    def parent(run, i):
        event = run[i]
        return next(k for k, e in enumerate(run) if e[3] == event[3] and e[1] == event[1].split("/")[0]) \
            if "/" in event[1] else None

    @staticmethod
    def columns(samples):
        said = [values(e[2]) for e in samples]
        out = {}
        for key, name in (("queue", "queue"), ("dispatch", "dispatch"), ("read", "dram_read_bytes"), ("permille", "utilization")):
            if key in said[0]:
                out[name] = sum(int(s[key]) for s in said) // len(said)
        if "utilization" in out:
            out["utilization"] = out["utilization"] / 1000
        return out

    ROLLUP = {"queue": "set", "dispatch": "set", "dram_read_bytes": "sum", "utilization": "time_mean"}


# ---- times of each event: whole nanoseconds, its children, its self time ----


class Times:
    """The times of one run: for each event `ns`, its `parent` (index or None), whether it is `parallel`, and `own`: ns
    without its children."""

    def __init__(self, backend, tick, run):
        self.run, self.parent, self.ns = run, [None] * len(run), [0] * len(run)
        calls = {e[3]: k for k, e in enumerate(run) if e[0] in ("DELEGATE_CALL", "OPERATOR_CALL")}
        device = [e[1] is not None and not e[1].startswith("host:") for e in run]
        for i, event in enumerate(run):
            if event[1] is None:
                self.parent[i] = calls[event[3]] if event[0].startswith("native_call") else None
                self.parent[i] = len(run) - 1 if event[0] in ("DELEGATE_CALL", "OPERATOR_CALL") else self.parent[i]
            else:
                up = backend.parent(run, i)
                self.parent[i] = calls[event[3]] if up is None else up
            self.ns[i] = (event[5] - event[4]) * (tick if device[i] else 1)
        self.parallel = [e[1] is not None and e[1].startswith("queue:") for e in run]
        self.own = list(self.ns)
        for i, up in enumerate(self.parent):
            if up is not None and (not self.parallel[i] or self.parallel[up]):
                self.own[up] -= self.ns[i]

    def outside(self, name_of, i):
        """Returns whether no ancestor of the event has the same name."""
        up, name = self.parent[i], name_of(i)
        while up is not None and name_of(up) != name:
            up = self.parent[up]
        return up is None


def key_of(backend, event, by):
    """Returns the key of the event's row; None if the event is in no row."""
    if event[0] in ("Method::execute", "DELEGATE_CALL"):
        return None
    if by == "op":
        return backend.name(event) if event[1] is not None else event[0].replace("native_call_", "")
    if event[0]:
        return "quantize" if event[0].startswith("native_call") else "runtime"
    return backend.category(event) or "uncategorized delegate events"


def roll(word, pairs):
    """Combines (value, time) pairs to one value by the roll-up `word`."""
    if not pairs:
        return None
    if word == "set":
        out = []
        for v, _ in pairs:
            if v not in out:
                out.append(v)
        return out
    if word == "sum":
        return sum(v for v, _ in pairs)
    weight = sum(t for _, t in pairs)
    return float(sum(Fraction(v) * t for v, t in pairs) / weight)


def expected(name, runs, by):
    """Returns ({key: row}, the foot)."""
    backend = {"npu": Npu, "dsp": Dsp, "gpu": Gpu}[name]()
    made = [Times(backend, TICK[name], run) for run in typical(runs)]
    n, first = len(made), made[0]
    execute = sum(t.ns[-1] for t in made)
    rows, around = {}, {}
    for i, event in enumerate(first.run):
        key = key_of(backend, event, by)
        if key is None and event[1] is None:
            continue
        row = rows.setdefault((key, first.parallel[i]), {"calls": 0, "self": 0, "total": 0, "events": []})
        row["calls"] += 1
        row["self"] += sum(t.own[i] for t in made)
        if first.outside(lambda k: (key_of(backend, first.run[k], by), first.parallel[k]), i):
            row["total"] += sum(t.ns[i] for t in made)
        if event[1] is not None:
            row["events"].append(i)
            call = next(k for k, e in enumerate(first.run) if e[0] == "DELEGATE_CALL" and e[3] == event[3])
            around.setdefault((key, first.parallel[i]), set()).add(call)
    out = {}
    for at, row in rows.items():
        whole = sum(t.ns[c] for t in made for c in around[at]) if at[1] else execute
        kept = row["total"] if at[1] else row["self"]  # children are not subtracted from the time of an event that runs in parallel
        columns = {}
        for column, word in backend.ROLLUP.items():
            pairs = []
            for i in row["events"]:
                value = backend.columns([t.run[i] for t in made]).get(column)
                if value is not None:
                    pairs.append((value, sum(t.ns[i] for t in made)))
            columns[column] = roll(word, pairs)
        out[at] = {"calls": row["calls"], "self_ns": float(Fraction(kept, n)),
                   "total_ns": float(Fraction(row["total"], n)), "share": float(Fraction(kept, whole)),
                   **{k: v for k, v in columns.items() if v is not None}}
    calls = [i for i, e in enumerate(first.run) if e[0] == "DELEGATE_CALL"]
    foot = {"typical_runs": n, "typical_ns": execute, "delegated_ns": sum(t.ns[i] for t in made for i in calls),
            "unattributed_delegate_ns": sum(t.own[i] for t in made for i in calls),
            "unattributed_ns": sum(t.own[i] for t in made for i in [*calls, len(first.run) - 1])}
    return out, {k: v if k == "typical_runs" else float(Fraction(v, n)) for k, v in foot.items()}


# ---- the comparison ---------------------------------------------------------------------------------------------------


class Asker:
    def __init__(self, args, folder):
        self.args, self.folder, self.wrong, self.done = args, folder, [], 0
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("ETCORE_", "XDG_"))}
        self.environment["HOME"] = "/nowhere"

    def text(self, *words):
        p = subprocess.run([self.args.etcore, *words], env=self.environment, cwd=self.folder, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, check=False)
        if p.returncode or p.stderr:
            self.wrong.append(f"{' '.join(words)}: status {p.returncode}, {p.stderr.decode()}")
        return p.stdout.decode()

    def analyze(self, name, *words):
        return self.text("analyze", name + ".etdump", "--no-siblings", *words)

    def plugin(self, name):
        return ("--plugin", os.path.join(self.args.plugins, name + ".so"))

    def same(self, have, want, what):
        self.done += 1
        if have != want or isinstance(have, bool) != isinstance(want, bool):
            self.wrong.append(f"{what}: {repr(have)[:300]}, not {repr(want)[:300]}")


def rows_of(answer):
    return {(r["name"], r["detached"]): {**r, **r["columns"]} for r in answer["rows"]}


def check_rows(ask, name, runs, by):
    answer = json.loads(ask.analyze(name, *ask.plugin(name), "--by", by, "-o", "json"))
    have, (want, foot) = rows_of(answer), expected(name, runs, by)
    path, = answer["methods"][0]["paths"]
    for key, value in foot.items():
        ask.same(path[key], value, f"{name} --by {by}: {key}")
    ask.same(sorted(have), sorted(want), f"{name} --by {by}: its rows")
    for key, row in want.items():
        for column, value in row.items():
            ask.same(have.get(key, {}).get(column), value, f"{name} --by {by}: {key[0]}, {column}")
    summed = sum(Fraction(r["self_ns"]).limit_denominator(1000) for r in have.values() if not r["detached"])
    summed += Fraction(path["unattributed_ns"]).limit_denominator(1000)
    ask.same(summed, Fraction(path["typical_ns"]).limit_denominator(1000), f"{name} --by {by}: what the rows come to")
    for r in have.values():
        ask.same(0 <= r["self_ns"] <= r["total_ns"], True, f"{name} --by {by}: {r['name']}: self within total")


def check_events(ask, name, runs):
    """Compares each event's times in all runs but the first, and its start."""
    table = csv.DictReader(io.StringIO(ask.analyze(name, *ask.plugin(name), "--events", "-o", "csv")))
    kept, chosen = runs[1:], typical(runs)
    for i, row in enumerate(table):
        logged = kept[0][i]
        tick = Fraction(1) if logged[1] is None or logged[1].startswith("host:") else TICK[name]
        took = [(run[i][5] - run[i][4]) * tick for run in kept]
        where = f"{name} --events: {i}"
        ask.same((row["name"], row["delegate"]), (logged[0], logged[1] or ""), where)
        ask.same(row["samples"], str(len(kept)), f"{where}, samples")
        for column, value in (("avg_ns", sum(took) / len(took)), ("min_ns", min(took)), ("max_ns", max(took)),
                              ("p50_ns", median(took))):
            ask.same(float(row[column]), float(value), f"{where}, {column}")
        if name == "gpu":
            ask.same(row["start_by"], "clock" if tick == 1 else "readings", f"{where}, start_by")
            at, host = (int(v) for v in values(kept[0][0][2])["sync"].split("/"))
            after = [(host + (run[i][4] - at) * tick if tick != 1 else run[i][4]) - run[-1][4] for run in chosen]
            ask.same(float(row["start_ns"]), float(median(after)), f"{where}, start_ns")
    ask.same(i + 1, len(kept[0]), f"{name}: events")


def check_delegate(ask, name, runs):
    answer = json.loads(ask.analyze(name, *ask.plugin(name), "--by", "delegate", "-o", "json"))
    chosen = typical(runs)
    calls = [i for i, e in enumerate(chosen[0]) if e[0] == "DELEGATE_CALL"]
    have = [r["self_ns"] for r in answer["rows"] if r["backend"] and r["total_ns"]]
    ask.same(sorted(have), sorted(float(Fraction(sum(r[i][5] - r[i][4] for r in chosen), len(chosen))) for i in calls),
             f"{name} --by delegate")


def check_isolated(ask, name):
    for words in [("--by", by, "-o", form) for by in BY for form in ("csv", "json")] + [
            (), ("--events",), ("--events", "-o", "json"), ("--stat", "median", "-o", "csv")]:
        apart, here = (notes.without_suggestions(ask.analyze(name, *ask.plugin(name), *how, *words)) for how in (("--isolate",), ()))
        ask.same(notes.without("N0642", apart), here, f"{name} {' '.join(words)}: isolated")
    words = ("inspector", "--etdump_path", name + ".etdump", "--include-delegate-debug-data", "yes", "-o", "json")
    ask.same(ask.text(*words, *ask.plugin(name), "--isolate"), ask.text(*words, *ask.plugin(name)), f"{name}: inspector, isolated")


def check_ini(ask, dump):
    """The plugin in C and the INI file alone must give the same answer."""
    words = [("--by", by, "-o", form) for by in BY for form in ("csv", "json")]
    words += [(), ("--events", "-o", "csv"), ("--stat", "total", "-o", "csv")]
    for more in words:
        plugin, ini = (re.sub(r'(?s)"config_origin".*', "", notes.without_suggestions(ask.analyze(dump, *how, *more)))
                       for how in (ask.plugin("dsp"), ("--no-plugins", "-c", DSP_INI)))
        ask.same(ini, plugin, f"{dump} {' '.join(more)}: by conf/examples/dsp.ini")
    for scale in ("ns", "us", "ms", "s"):
        common = ("inspector", "--etdump_path", dump + ".etdump", "--include-delegate-debug-data", "yes",
                  "--target_time_scale", scale, "-o", "json")
        ask.same(ask.text(*common, "-c", DSP_INI), ask.text(*common, *ask.plugin("dsp")), f"{dump}: inspector in {scale}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--etcore", required=True)
    parser.add_argument("--plugins", required=True)
    args = parser.parse_args()
    args.etcore, args.plugins = os.path.abspath(args.etcore), os.path.abspath(args.plugins)
    with tempfile.TemporaryDirectory() as folder:
        ask = Asker(args, folder)
        for name, make in dumps.BACKENDS.items():
            dumps.write(name, os.path.join(folder, name + ".etdump"))
            for by in some(("op", "category"), 2):
                check_rows(ask, name, make(), by)
            check_events(ask, name, make())
            check_delegate(ask, name, make())
            check_isolated(ask, name)
        os.symlink(os.path.join(ROOT, "tests", "data", "plugins", "dsp_packed.etdump"), os.path.join(folder, "packed.etdump"))
        for dump in ("dsp", "packed"):
            check_ini(ask, dump)
    print("\n".join(ask.wrong[:40]))
    print(f"{ask.done} comparisons, {len(ask.wrong)} wrong")
    return bool(ask.wrong) or ask.done < 500 // min(SHARE, 2)


if __name__ == "__main__":
    sys.exit(main())
