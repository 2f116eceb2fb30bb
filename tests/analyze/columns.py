#!/usr/bin/env python3
"""columns.py --etcore build/etcore --plugin build/tests/plugins/host/rolls/rolls.so -- tests columns of plugins and of INI
files.

The plugin gets made-up values for the events of a run. Each row must show what the definition of each roll-up in
docs/plugins/abi.md gives, computed here with exact fractions: in process and isolated, in JSON and in CSV, for every --by
that has a row of all these events. Types and columns must be the declared ones, whatever the values are.
"""

import argparse
import csv
import io
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests/tools"), os.path.join(ROOT, "tests")]
import make_dump as make  # noqa: E402
import row_keys  # noqa: E402
from share import some  # noqa: E402

DUMP = os.path.join(ROOT, "tests/data/backends/cases/coreml_basic/run.etdump")
ALL = row_keys.offered("ANALYZE")
WORDS = ("none", "first", "sum", "set", "mean", "min", "max", "time_mean")
NAMES = [f"{t}_{w}" for w in WORDS for t in "if"] + ["s_set", "b_set", "j_set", "never"]
LISTS = {"i_set", "f_set", "s_set", "b_set", "j_set"}
SPECIAL = (0.1, -0.0, 1e308, -1e308, 5e-324, 1e-310, 0.3, 2.5, 1e16, 3.0, 1e300, 2.0**63, math.nan, math.inf, -math.inf)


class Run:
    def __init__(self, args, folder):
        self.args, self.folder = args, folder
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("ETCORE_", "XDG_"))}
        self.environment["HOME"] = "/nowhere"

    def text(self, ini, *arguments, dump=DUMP):
        path = os.path.join(self.folder, "t.ini")
        with open(path, "w", encoding="utf-8") as f:
            f.write(ini)
        command = [self.args.etcore, "analyze", dump, "-c", path, "--stat", "mean", *arguments]
        p = subprocess.run(command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if p.returncode:
            sys.exit(f"{' '.join(command)}: status {p.returncode}\n{p.stderr.decode()}\n{ini}")
        return p.stdout.decode()

    def json(self, ini, *arguments, dump=DUMP):
        return json.loads(self.text(ini, "-o", "json", *arguments, dump=dump))

    def plugin(self, values, *arguments):
        """Returns the INI text that gives the plugin `values`, followed by further arguments of etcore."""
        all_ = [f"{i} {v}" for i, v in values.items()]
        said = "".join(f"values{k + 1} = {';'.join(all_[3 * k:3 * k + 3])}\n" for k in range(4))
        return (f"[plugin.coreml]\nenabled = no\n[plugin.rolls]\n{said}", "--plugin", self.args.plugin, *arguments)


def number(text, integer):
    """Converts a text to a value of an integer or double column; None if the column does not accept it."""
    whole = not any(c in text for c in ".en")
    if text == "null" or (integer and not whole):
        return None
    return int(text) if integer else float(text)


def nearest(x):
    try:
        return float(x)
    except OverflowError:
        return math.inf if x > 0 else -math.inf


def expect(word, pairs, integer):
    """Returns the row's expected value for (value, duration) pairs in file order; None: the cell is blank."""
    v = [x for x, _ in pairs]
    if word == "set":
        out = []
        for x in v:
            if not any(repr(x) == repr(y) for y in out):
                out.append(x)
        return out or None
    if not v:
        return None
    if word == "none":
        return v[0] if all(repr(x) == repr(v[0]) for x in v) else None
    if word == "first":
        return v[0]
    pairs = [(x, t) for x, t in pairs if not math.isnan(x)]
    v = [x for x, _ in pairs]
    if not v:
        return None
    endless = {x for x in v if math.isinf(x)}
    if endless and word not in ("min", "max"):
        return sum(endless)
    if word == "min":
        return min(v)
    if word == "max":
        return max(v)
    exact = sum((Fraction(x) for x in v), Fraction(0))
    if word == "sum" and integer:
        return int(exact) if -2**63 <= exact < 2**63 else None
    if word == "sum":
        return nearest(exact)
    if word == "mean":
        return nearest(exact / len(v))
    weight = sum(t for _, t in pairs)
    return nearest(sum((Fraction(x) * t for x, t in pairs), Fraction(0)) / weight) if weight else None


def same(a, b):
    if b is not None and isinstance(b, float) and not math.isfinite(b):
        return a is None  # JSON has no NaN and no infinity
    if isinstance(a, list) or isinstance(b, list):
        return isinstance(a, list) and isinstance(b, list) and len(a) == len(b) and all(map(same, a, b))
    return a == b and isinstance(a, bool) == isinstance(b, bool)


def expected(values, times, integer, word):
    pairs = [(number(v, integer), times[i]) for i, v in values.items()]
    pairs = [(x, t) for x, t in pairs if x is not None]
    if word == "time_mean":
        pairs = [(x, t) for x, t in pairs if t]
    return expect(word, pairs, integer)


def csv_text(x):
    if x is None:
        return ""
    if isinstance(x, list):
        return "; ".join(csv_text(y) for y in x)
    if isinstance(x, float) and not math.isfinite(x):
        return repr(x)
    return x if isinstance(x, str) else json.dumps(x)


def judge(row, cells, values, times, where):
    wrong = []
    for name in NAMES[:16]:
        word, integer = name[2:], name[0] == "i"
        want, have = expected(values, times, integer, word), row.get(name)
        if not same(have, want):
            wrong.append(f"{where}: {name} is {have!r}, not {want!r}")
        if cells is not None and not (isinstance(want, float) and not math.isfinite(want)):
            # JSON has no NaN and no infinity; CSV has.
            if cells[name] != csv_text(want if isinstance(want, list) else have):
                wrong.append(f"{where}: {name} is {cells[name]!r} in CSV, {have!r} in JSON")
    for name in LISTS:
        if name in row and not isinstance(row[name], list):
            wrong.append(f"{where}: {name} is no list: {row[name]!r}")
    return wrong


def events(run):
    """Returns {id of each delegate event, in file order: its duration summed over the kept runs}."""
    doc = run.json(*run.plugin({}), "--events")
    out = {}
    for e in doc["events"]:
        if e["delegate"]:
            average = e["avg_ns"] if e.get("avg_ns") is not None else e.get("avg_raw")
            out[e["delegate"]] = round(average * e["samples"])
    return out


def make_values(random_, ids):
    def one():
        r = random_.random()
        if r < 0.1:
            return "null"
        if r < 0.35:
            return str(random_.randint(-3, 3))
        if r < 0.45:
            return str(random_.choice((2**63 - 1, -2**63, 2**62, 2**53 + 1)))
        if r < 0.6:
            return repr(random_.choice(SPECIAL))
        return repr(random_.uniform(-1, 1))

    constant = one() if random_.random() < 0.15 else None
    return {i: constant or one() for i in ids if random_.random() < 0.8}


def trial(run, ids, values, number_):
    wrong = []
    for by in ("backend", "delegate", "method"):
        isolate = ("--isolate",) if number_ % 4 == 0 else ()
        doc = run.json(*run.plugin(values), "--by", by, *isolate)
        table = list(csv.DictReader(io.StringIO(run.text(*run.plugin(values), "--by", by, "-o", "csv"))))
        found = [(r["columns"], t) for r, t in zip(doc["rows"], table) if by != "backend" or r["detached"] or
                 any(n in r["columns"] for n in NAMES)]
        found = [x for x in found if any(n in x[0] for n in NAMES)] or found[:1]
        if len(found) != 1:
            wrong.append(f"--by {by}: {len(found)} rows have columns")
            continue
        wrong += judge(*found[0], values, ids, f"--by {by}, {values}")
    return wrong


def types(run, ids):
    """The columns and their order must not depend on the values, under every --by and for events."""
    wrong, seen = [], {}
    with open(os.path.join(ROOT, "core/model/own_columns.def"), encoding="utf-8") as f:
        own = f.read()
    one = next(iter(ids))
    for values in ({}, {one: "1"}, {one: "null"}, {i: "0.5" for i in ids}):
        for by in ALL:
            header = run.text(*run.plugin(values), "--by", by, "-o", "csv").split("\n", 1)[0].split(",")
            have = [c for c in header if c in NAMES]
            if have != NAMES:
                wrong.append(f"--by {by}, {values}: columns {have}")
            unlisted = [c for c in header if c not in NAMES and not c.startswith("family.") and f'"{c}"' not in own]
            if unlisted:
                wrong.append(f"--by {by}: core/model/own_columns.def lacks {unlisted}")
            seen.setdefault(by, set()).add(tuple(c for c in header if not c.startswith("family.")))
        header = run.text(*run.plugin(values), "--events", "-o", "csv").split("\n", 1)[0].split(",")
        if any(f'"{c}"' not in own for c in header if c not in NAMES and not c.startswith("family.")):
            wrong.append(f"--events: core/model/own_columns.def lacks some of {header}")
        if [c for c in header if c in NAMES] != NAMES or "metadata" in header:
            wrong.append(f"--events, {values}: columns {header}")
        run.text(*run.plugin(values), "--columns", "name,never", "--where", "never = ")
    wrong += [f"--by {by}: its columns depend on the values" for by, all_ in seen.items() if len(all_) != 1]
    doc = run.json(*run.plugin({i: "1" for i in ids}), "--events")
    for e in doc["events"]:
        if e["delegate"] and (e["i_set"] != 1 or e["f_set"] != 1.0 or e["s_set"] != "1" or e["b_set"] is not True):
            wrong.append(f"event {e['delegate']}: {e}")
    return wrong


def ini(run, ids):
    """An INI file alone declares the same roll-ups. A column with the name of one of etcore's own columns must be
    renamed with a warning."""
    wrong = []
    a, b = list(ids)[:2]
    rules = "[backend.CoreMLBackend]\nowner = none\n"
    for word in WORDS:
        rules += f'column.f_{word} = name ~ "^{a}$" : "0.1" | name ~ "^{b}$" : "0.7" : f64 : {word}\n'
        rules += f'column.i_{word} = name ~ "^{a}$" : "1" | name ~ "^{b}$" : "4" : i64 : bytes : {word}\n'
    rules += "column.samples = name : str\n"
    doc = run.json(rules, "--by", "delegate")
    row, = [r["columns"] for r in doc["rows"] if "f_first" in r["columns"]]
    for word in WORDS:
        for kind, values in (("f", {a: "0.1", b: "0.7"}), ("i", {a: "1", b: "4"})):
            want = expected(values, ids, kind == "i", word)
            if not same(row.get(f"{kind}_{word}"), want):
                wrong.append(f"INI: {kind}_{word} is {row.get(f'{kind}_{word}')!r}, not {want!r}")
    notes = [n["text"] for n in doc["notes"] if n["code"] == "N0996"]
    if len(notes) != 1 or "metadata.samples" not in notes[0]:
        wrong.append(f"INI: a column of a name of ours: {notes}")
    return wrong


def make_run(b, at, events_, start, call):
    """Writes a run with one delegate call that logs an event (id, ticks) for each of `events_`."""
    name, index, _, events = b.table(at, ["I", "i", "", "I"])
    b.text(name, "Execute")
    b.set(index, "i", -1)
    entries = b.vector(events, len(events_) + 2)
    for i, (id_, ticks) in enumerate(events_):
        profile, _, _ = b.table(entries[i], ["I", "", ""])
        f = b.table(profile, ["", "i", "i", "i", "I", "", "Q", "Q"])
        b.text(f[4], id_)
        for place, form, value in ((f[1], "i", 0), (f[2], "i", 0), (f[3], "i", -1), (f[6], "Q", start), (f[7], "Q", start + ticks)):
            b.set(place, form, value)
        start += ticks
    start = start - sum(t for _, t in events_)
    make.put_event(b, entries[-2], "DELEGATE_CALL", 0, 0, start, start + call)
    make.put_event(b, entries[-1], "Method::execute", -1, 0, start, start + call)


def make_dump(path, runs_):
    """Writes a dump. Each of `runs_` is (events of its delegate call, duration of the call)."""
    b = make.Builder()
    _, runs = b.table(4, ["i", "I"])
    for at, (events_, call), k in zip(b.vector(runs, len(runs_)), runs_, range(len(runs_))):
        make_run(b, at, events_, 1000 + 100000 * k, call)
    b.set(0, "I", len(b.b) - 4)
    with open(path, "wb") as f:
        f.write(b.b)


def limit(run):
    """A set has at most 4,096 values, the first ones. More distinct values must be reported; repeated values must
    not."""
    wrong = []
    path = os.path.join(run.folder, "many.etdump")
    rules = ('[backend.ManyBackend]\nprobe = ^layer_\ncolumn.layer = name : str : set\n'
             'column.number = name ~ "^layer_([0-9]+)$" : 1 : i64 : set\n')
    for count, repeats in ((4095, 0), (4096, 0), (4096, 4096), (4097, 0), (9000, 7)):
        ids = [f"layer_{i}" for i in range(count)] + ["layer_0"] * repeats
        make_dump(path, [([(i, 1) for i in ids], len(ids))])
        doc = run.json(rules, "--by", "backend", dump=path)
        rows = [r["columns"] for r in doc["rows"] if r["columns"].get("layer")]
        kept = range(min(count, 4096))
        if [(r["layer"], r["number"]) for r in rows] != [([f"layer_{i}" for i in kept], list(kept))]:
            wrong.append(f"{count} values and {repeats} repeats: not the first {len(kept)}")
        notes = [n["text"].partition(": ")[2] for n in doc["notes"] if n["code"] == "N0997"]
        if notes != ["2 lists of more than 4096 values: the first are kept"] * (count > 4096):
            wrong.append(f"{count} values and {repeats} repeats: {notes}")
    return wrong


def apart(run, random_):
    """If events fit into their call in some runs only, they form two rows. Each row must have the events' columns, and
    columns that depend on time must use the runs of that row."""
    wrong = []
    path = os.path.join(run.folder, "apart.etdump")
    rules = ('[backend.ManyBackend]\nprobe = ^layer_\ntime = value\nsource_time_scale = ns\ndisplay = name ~ "layer"\n'
             'column.id = name : str : set\ncolumn.n = name ~ "_(.*)" : 1 : i64 : sum\n'
             'column.mean = name ~ "_(.*)" : 1 : f64 : time_mean\n')
    for trial_ in some(range(60), 4):
        runs = [([(f"layer_{i}", random_.choice((0, random_.randint(1, 300)))) for i in range(3)], 400)
                for _ in range(random_.randint(1, 6))]
        make_dump(path, runs)
        isolate = ("--isolate",) if trial_ % 8 == 0 else ()
        doc = run.json(rules, "--warmup", "0", *isolate, dump=path)
        rows = {r["detached"]: r["columns"] for r in doc["rows"] if r["name"] == "layer"}
        for detached in (False, True):
            mine = [e for e, call in runs if (sum(t for _, t in e) > call) == detached]
            have = {k: v for k, v in rows.get(detached, {}).items() if k in ("id", "n", "mean")}
            times = [sum(e[i][1] for e in mine) for i in range(3)]
            want = {"id": ["layer_0", "layer_1", "layer_2"], "n": 3} if mine else {}
            mean = expect("time_mean", [(float(i), t) for i, t in enumerate(times) if t], False) if mine else None
            if mean is not None:
                want["mean"] = mean
            if have != want:
                wrong.append(f"apart: {runs}, detached {detached}: {have}, not {want}")
    return wrong


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--etcore", default="build/etcore")
    p.add_argument("--plugin", default="build/tests/plugins/host/rolls/rolls.so")
    p.add_argument("--trials", type=int, default=40)
    args = p.parse_args()
    args.etcore, args.plugin = os.path.abspath(args.etcore), os.path.abspath(args.plugin)
    with tempfile.TemporaryDirectory() as folder:
        run = Run(args, folder)
        ids = events(run)
        random_ = random.Random(5)
        wrong = types(run, ids) + ini(run, ids) + limit(run) + apart(run, random.Random(3))
        for n, values in some(enumerate([make_values(random_, ids) for _ in range(args.trials)]), 4):
            wrong += trial(run, ids, values, n)
    print("\n".join(wrong[:30]))
    print(f"{args.trials} sets of values for {len(ids)} events, {len(wrong)} wrong")
    return bool(wrong) or len(ids) < 5


if __name__ == "__main__":
    sys.exit(main())
