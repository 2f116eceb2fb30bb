"""What what-if, overhead and summary say: the new total, what an event of the tracer costs, and sentences."""
import math
import os
import re

from etdump import Dump
from lab import SILENT, TRUE, Skip, claim, dumps, lie

RECORDED = [p for p in dumps("/cases/", "/arm/") if os.path.getsize(p) < 300_000]
HIDDEN_NS = 999  # what a clock of whole microseconds hides of an event at most


def leaves(run):
    """{name as analyze has it: its events} of events that enclose nothing, inside delegates and kernels outside."""
    found = {}
    for e in run.events:
        name = e.name[12:] if e.name and e.name.startswith("native_call_") else None if e.name else e.delegate_text
        if name:
            found.setdefault(re.sub(r" #\d+$", "", name), []).append(e)
    return found


def gap(run):
    """What the events of the run's only DELEGATE_CALL leave of it, or 0: then nothing is hidden."""
    calls = [e for e in run.events if e.name == "DELEGATE_CALL"]
    inside = [e for e in run.events if not e.name]
    return max(0, calls[0].duration - sum(e.duration for e in inside)) if len(calls) == 1 else 0


@claim("what-if-total")
def total(lab, rng):
    """The rows' events take another time, and what a coarse clock hides of them does, too: the time of the run is then
    within the interval, and the lines add up to it."""
    path = rng.choice(RECORDED)
    runs = [r for r in Dump(path).runs if r.executes]
    if not runs or any(e.duration < 0 for r in runs for e in r.events) or \
            len({tuple(e.label for e in r.events) for r in runs}) != 1:
        raise Skip
    names = sorted(leaves(runs[0]))
    if not names:
        raise Skip
    chosen = rng.sample(names, min(len(names), rng.randint(1, 3)))
    factors = [rng.choice((0, 0.25, 0.5, 0.9, 1, 1.5, 3)) for _ in chosen]
    words = [w for n, f in zip(chosen, factors) for w in ("--row", f"name = {n}", "--times", f)]
    r = lab.etcore("what-if", path, "--stat", "mean", "--warmup", "0", "-o", "json", *words)
    if r.status:
        return SILENT
    answer = r.json()
    if any(n["code"] in ("N0690", "N0691", "N0126") for n in answer["notes"]):
        return SILENT
    by_kind = {}
    for row in answer["rows"]:
        by_kind.setdefault(row["what"], []).append(row)
    last, = by_kind["total"]
    if {row["name"] for row in by_kind["row"]} != set(chosen):
        raise Skip  # a plugin gives the events other names
    hidden = rng.choice((0, 0, rng.random(), 1))
    truth = 0
    for run in runs:
        truth += run.find("Method::execute").duration
        left = hidden * gap(run)
        of = leaves(run)
        for name, factor in sorted(zip(chosen, factors), key=lambda x: rng.random()):
            events = of[name]
            truncated = not events[0].name and all(e.duration % 1000 == 0 for e in events)
            more = min(left, HIDDEN_NS * len(events) * hidden) if truncated else 0
            left -= more
            truth += (factor - 1) * (sum(e.duration for e in events) + more)
    truth /= len(runs)
    slack = 1e-6 * last["now_ns"] + 1
    if not last["new_min_ns"] - slack <= truth <= last["new_max_ns"] + slack:
        lie(f"{path}: {words}: {last['new_min_ns']} to {last['new_max_ns']}, but it is {truth}")
    for key in ("now_ns", "new_min_ns", "new_max_ns"):
        parts = sum(row[key] for row in answer["rows"] if row["what"] != "total")
        if abs(parts - last[key]) > slack:
            lie(f"{path}: {words}: the lines of {key} add up to {parts}, not to {last[key]}")
    return TRUE


@claim("overhead-cost", at_most=0.05)
def overhead(lab, rng):
    """A runner's log of the same runs without what the events cost, in another process: that is what is found, or nothing."""
    path = rng.choice(RECORDED)
    runs = [r for r in Dump(path).runs if r.executes]
    times = [r.find("Method::execute").duration for r in runs][1:]
    events = [len(r.events) for r in runs][1:]
    if len(times) < 4 or min(times) <= 0 or len({tuple(e.label for e in r.events) for r in runs}) != 1:
        raise Skip
    typical = sorted(times)[len(times) // 2]
    cost = rng.choice((0, 0, 0, 0.1, 0.3, 0.6)) * typical
    process = math.exp(rng.gauss(0, 0.05))
    plain = [max(1, (rng.choice(times) - cost) * process) for _ in range(rng.randint(10, 40))]
    log = lab.path("plain.log")
    with open(log, "w", encoding="utf-8") as f:
        for i, ns in enumerate([3 * plain[0], *plain]):
            f.write(f"I executor_runner.cpp:1] Iteration {i + 1} of {len(plain) + 1}: {ns / 1e6:.9f} ms\n")
    r = lab.etcore("overhead", "--on", path, "--off", log, "--rounds", "500", "-o", "json")
    if r.status:
        return SILENT
    rows = {row["what"]: row for row in r.json()["rows"]}
    if not rows["run"]["certain"]:
        return SILENT
    if not cost:
        lie(f"{path}: {rows['run']['time_ns']} ns, but it costs nothing")
    if abs(rows["event"]["time_ns"] * events[0] - rows["run"]["time_ns"]) > 1e-6 * rows["run"]["time_ns"]:
        lie(f"{path}: {rows['event']['time_ns']} ns for each of {events[0]} events, {rows['run']['time_ns']} for all")
    return TRUE
