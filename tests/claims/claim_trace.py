"""Claims of trace about slices: their start, length and run, and the time that was cut off."""
import collections
import os
import re
import sys

from etdump import Dump
from lab import ROOT, SILENT, TRUE, Skip, claim, dumps, lie

sys.path.insert(0, os.path.join(ROOT, "tests", "trace"))
import forms  # noqa: E402
import trace_file  # noqa: E402

MEASURED = ("method", "operator", "framework")  # events of these categories have start and end on the runtime's clock
RECORDED = [p for p in dumps("/cases/", "/backends/", "/arm/") if os.path.getsize(p) < 300_000]


def drawn(lab, *words):
    """Writes a trace and returns it parsed; None if the command fails."""
    path = lab.path("t.pftrace")
    r = lab.etcore("trace", *words, "-o", path)
    if r.status:
        return None
    with open(path, "rb") as f:
        return trace_file.Perfetto(f.read())


def whole(slice_):
    return slice_["length"] + int(slice_["args"].get("cut_ns", 0))


def edited(lab, rng, longer=0.3):
    """Copies a real dump with some times and the order of its runs changed. Returns (dump, path, runs that execute, in file
    order).
    `longer`: probability that an event inside another is made longer than it."""
    dump = Dump(rng.choice(RECORDED))
    if not dump.executes:
        raise Skip
    try:
        for run in dump.runs:
            if rng.random() < 0.5:
                run.stretch(rng.choice((1, 2, 3, 1000)))
            inner = [e for e in run.events if not e.name or e.name.startswith("native_call_")]
            if inner and rng.random() < longer:
                rng.choice(inner).end += rng.choice((1, 7, 1000, 100_000))
    except ValueError as e:
        raise Skip from e
    runs = list(dump.runs)
    if rng.random() < 0.5:
        rng.shuffle(runs)
    if rng.random() < 0.3:
        runs = runs[:rng.randint(1, len(runs))]
    return dump, dump.save(lab.path("run.etdump"), runs), [r for r in runs if r.executes]


@claim("trace-measured")
def measured(lab, rng):
    """A slice on the runtime's clock that is not cut must have the start and length of an event of the dump."""
    dump, path, runs = edited(lab, rng)
    trace = drawn(lab, path, "--runs", "all")
    roots = [s for s in trace.slices if s["category"] == "method"] if trace else []
    if not roots or not runs:
        return SILENT
    one = rng.choice([s for s in roots if s["args"].get("run")] or [None])
    if not one or one["args"]["run"] > len(runs):
        return SILENT
    zero = runs[one["args"]["run"] - 1].find("Method::execute").start - one["at"]
    events = collections.Counter((e.start - zero, e.duration) for r in dump.runs for e in r.events)
    slices = [s for s in trace.slices if s["category"] in MEASURED and "cut_ns" not in s["args"]]
    wrong = collections.Counter((s["at"], s["length"]) for s in slices) - events
    if wrong:
        lie(f"{path}: slices that are no events: {list(wrong)[:3]}")
    return TRUE


@claim("trace-times")
def times(lab, rng):
    """For each name, the lengths of the slices plus the time that was cut off must equal analyze's total."""
    _, path, _ = edited(lab, rng)
    want, *runs = forms.totals(lab.program, path)
    trace = drawn(lab, path, "--runs", "all")
    if not trace or not want:
        return SILENT
    with open(lab.path("t.pftrace"), "rb") as f:
        try:
            forms.check_perfetto(f.read(), want, *runs)
        except trace_file.Wrong as e:
            lie(str(e))
    return TRUE


@claim("trace-run")
def run(lab, rng):
    """Run N of a slice and of --runs N must be the N-th run of the file that executes a method."""
    _, path, runs = edited(lab, rng)
    n = rng.randint(1, len(runs) + 1) if runs else 1
    trace = drawn(lab, path, "--runs", "all" if rng.random() < 0.5 else n)
    if not trace:
        return SILENT
    said = 0
    for s in trace.slices:
        number = s["args"].get("run")
        if s["category"] != "method" or number is None:
            continue
        said += 1
        if number > len(runs) or whole(s) != runs[number - 1].find("Method::execute").duration:
            lie(f"{path}: run {number} takes {whole(s)}")
    return TRUE if said else SILENT


@claim("trace-cut")
def cut(lab, rng):
    """N0660 must state the number of slices that are shorter than their events, and the sum of the missing time."""
    dump, path, runs = edited(lab, rng, 1)
    answer = lab.etcore("trace", path, "--runs", "all")
    note = re.search(r"N0660  .*?: (\d+) of (\d+), by ([\d.]+) \u00b5s in all", answer.out)
    if answer.status or not note:
        return SILENT
    trace = drawn(lab, path, "--runs", "all")
    short = [int(s["args"]["cut_ns"]) for s in trace.slices if "cut_ns" in s["args"]]
    if (int(note[1]), int(note[2]), note[3]) != (len(short), len(trace.slices), f"{sum(short) // 1000}.{sum(short) % 1000:03d}"):
        lie(f"{path}: {note[0]}, but {len(short)} slices are cut, by {sum(short)} ns")
    lengths = collections.Counter(e.duration for r in dump.runs for e in r.events)
    for s in trace.slices:
        if "cut_ns" in s["args"] and s["category"] in MEASURED and not lengths[whole(s)]:
            lie(f"{path}: {s['name']}: {s['length']} and {s['args']['cut_ns']} are of no event")
    return TRUE if runs else SILENT
