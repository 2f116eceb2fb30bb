"""Claims of what-if, overhead, analyze --subtract-overhead and summary: the predicted total, the cost of one traced event,
times without that cost, and the sentences of summary."""
import json
import math
import os
import re

from etdump import Dump
from lab import SILENT, TRUE, Skip, claim, dumps, lie

RECORDED = [p for p in dumps("/cases/", "/arm/") if os.path.getsize(p) < 300_000]
HIDDEN_NS = 999  # a clock of whole microseconds can hide up to this much time per event


def leaves(run):
    """Returns {row name as in analyze: its events} for delegates' events and for kernels outside of delegates. None of
    these events contains another."""
    found = {}
    for e in run.events:
        name = e.name[12:] if e.name and e.name.startswith("native_call_") else None if e.name else e.delegate_text
        if name:
            found.setdefault(re.sub(r" #\d+$", "", name), []).append(e)
    return found


def gap(run):
    """Returns the part of the run's only DELEGATE_CALL that no delegate event covers; 0 if the run does not have exactly
    one call."""
    calls = [e for e in run.events if e.name == "DELEGATE_CALL"]
    inside = [e for e in run.events if not e.name]
    return max(0, calls[0].duration - sum(e.duration for e in inside)) if len(calls) == 1 else 0


@claim("what-if-total")
def total(lab, rng):
    """Changes the times of some rows' events, including the time that a coarse clock hides. The run's true time must
    lie in the interval that what-if prints, and the lines must add up to the total."""
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


def library_ran(lab, path):
    """Returns {name of a row of the dump: whether it ran a kernel of the library: "yes", "no", "cannot tell" or None}."""
    rows = lab.etcore("analyze", path, "--no-siblings", "-o", "json").json()["rows"]
    return {r["name"]: r["columns"].get("kernel_library_ran") for r in rows}


@claim("what-if-ratios")
def ratios(lab, rng):
    """Any two recordings of a model are compared, also in the wrong direction, or two without kernels of the library.
    what-if must use only ratios of rows that did not run such a kernel in the base, and did in the other group."""
    path = rng.choice([p for p in dumps("/arm/") if "/nosme/" in p or "/sme2/" in p])
    folder = os.path.dirname(os.path.dirname(path))
    a, b = (os.path.join(folder, rng.choice(os.listdir(folder)), "run.etdump") for _ in range(2))
    if not os.path.exists(a) or not os.path.exists(b):
        raise Skip
    document = lab.path("diff.json")
    lab.etcore("diff", a, "--", b, "--no-siblings", "-o", "json=" + document)
    r = lab.etcore("what-if", path, "--no-siblings", "--to", "kleidiai", "--ratios", document, "-o", "json")
    if r.status:
        return SILENT if "E0571" in r or "E0572" in r else lie(f"{a}, {b}: status {r.status}: {r.err[:200]}")
    before, after = library_ran(lab, a), library_ran(lab, b)
    with open(document, encoding="utf-8") as f:
        measured = {row["base_name"]: row for row in json.load(f)["rows"] if row["level"] == "row"}
    for row in r.json()["rows"]:
        if row["what"] != "row":
            continue
        of = measured[row["name"]]
        if before[of["base_name"]] != "no" or after[of["name"]] != "yes":
            lie(f"{path}: {row['change']}, of {of['base_name']} in {a} and {of['name']} in {b}")
        if abs(row["new_min_ns"] - row["now_ns"] * of["ratio_low"]) > 1e-6 * row["now_ns"] or abs(row["new_max_ns"] - row["now_ns"] * of["ratio_high"]) > 1e-6 * row["now_ns"]:
            lie(f"{path}: {row}, measured {of['ratio_low']} to {of['ratio_high']}")
    return TRUE


@claim("overhead-cost", at_most=0.05, power=0.01)
def overhead(lab, rng):
    """Writes a runner's log with the times that the same runs take without the tracer, as if measured in another
    process. etcore must report the true cost, or none."""
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


def trace(run, cost):
    """Adds the tracer's cost per event to a run recorded without it. The runtime logs an event when the event ends; a
    delegate logs the events of a call before the call ends. Returns the number of events that were logged in
    Method::execute."""
    host = sorted((e for e in run.events if e.name), key=lambda e: (e.end, -e.start))
    calls = [e for e in host if e.name == "DELEGATE_CALL"]
    logged = [(e.end, e) for e in host] + [(calls[0].end, None) for e in run.events if not e.name]
    root = run.find("Method::execute")

    def moved(at, own):
        """Returns time `at` plus the cost of all events logged before it. `own`: the event that ends at that time."""
        inside = [e is None or (e.start >= own.start and e.duration < own.duration) for end, e in logged if own and end == at and e is not own]
        return at + cost * (sum(1 for end, _ in logged if end < at) + sum(inside))

    times = [(e, moved(e.start, None), moved(e.end, e)) for e in host]
    for e, start, end in times:
        e.start, e.end = start, end
    return sum(1 for end, e in logged if e is not root)


@claim("tracer-subtracted")
def subtracted(lab, rng):
    """The tracer's cost is added to runs where a real tracer adds it. With --subtract-overhead, each row must have its
    original time again."""
    path = rng.choice(RECORDED)
    dump = Dump(path)
    runs = dump.executes
    one = runs[0].events if runs else []
    starts = [e.start for e in one if e.name]
    if not one or len(runs) > 200 or len(one) > 400 or len({tuple(e.label for e in r.events) for r in runs}) != 1 or \
            sum(e.name == "DELEGATE_CALL" for e in one) > 1 or any(e.duration < 0 for r in runs for e in r.events) or \
            (any(not e.name for e in one) and not any(e.name == "DELEGATE_CALL" for e in one)) or not starts or min(starts) == 0:
        raise Skip
    words = ["--stat", "mean", "--warmup", "0", "--no-siblings", "-o", "json", "--by", rng.choice(("op", "category", "kernel"))]
    before = lab.etcore("analyze", path, *words).json()
    cost = rng.choice((1, 7, 120, 2500))
    try:
        events = {trace(r, cost) for r in dump.runs if r.executes}
    except ValueError as e:
        raise Skip from e
    traced = dump.save(lab.path("traced.etdump"))
    r = lab.etcore("analyze", traced, *words, "--subtract-overhead", f"{cost}ns")
    if r.status:
        lie(f"{path}: {r.err}")
    after = r.json()
    if any(row["detached"] for row in before["rows"]) or "N0699" in {n["code"] for n in after["notes"]}:
        return SILENT
    (old,), (new,) = (a["methods"][0]["paths"] for a in (before, after))
    slack = 1e-6 * old["typical_ns"] + 1e-3
    if {round(new["logged_events"])} != events:
        lie(f"{path}: {new['logged_events']} events, not {events}")
    if abs(new["subtracted_ns"] - cost * new["logged_events"]) > slack or abs(new["measured_ns"] - new["typical_ns"] - new["subtracted_ns"]) > slack:
        lie(f"{path}: {new['subtracted_ns']} of {new['measured_ns']} ns")
    for name, a, b in [("typical", old["typical_ns"], new["typical_ns"]), ("delegated", old["delegated_ns"], new["delegated_ns"]),
                       ("rest", *(p["rounding_ns"] + p["unattributed_ns"] for p in (old, new)))]:
        if abs(a - b) > slack:
            lie(f"{path}: {name} {b} ns, but without the tracer {a}")
    rows = {(row["key"], row["method"]): row for row in after["rows"]}
    for row in before["rows"]:
        for key in ("self_ns", "total_ns"):
            value = rows[row["key"], row["method"]][key]
            if abs(value - row[key]) > slack:
                lie(f"{path}: {row['key']}: {key} {value}, but without the tracer {row[key]}")
    return TRUE


@claim("tracer-proven")
def proven(lab, rng):
    """analyze must subtract only a cost that the document of `overhead` proves, and never for another method or clock."""
    path = rng.choice(RECORDED)
    plain = lab.etcore("analyze", path, "-o", "json").json()
    paths = [p for m in plain["methods"] for p in m["paths"]]
    if len(paths) != 1 or not paths[0]["typical_ns"]:
        raise Skip
    method = plain["methods"][0]["name"]
    ns = rng.choice((3, 80, 900))
    low = ns - rng.choice((0.1, 0.5, 0.9, 1.1, 3)) * ns
    event = {"what": "event", "time_ns": ns, "low_ns": low, "high_ns": 2 * ns - low, "certain": rng.random() < 0.7}
    on = {"what": "on", "method": rng.choice((method, method, None, "another")), "tick_ns": rng.choice((1, 1, None, 2.5))}
    files = [{"kind": "program", "path": "model.pte", "sha256": "0" * 64}] if rng.random() < 0.2 else []
    document = lab.path("overhead.json")
    with open(document, "w", encoding="utf-8") as f:
        json.dump({"schema": "etcore.overhead/1", "files": files, "rows": [on, event], "notes": []}, f)
    r = lab.etcore("analyze", path, "--subtract-overhead", document, "-o", "json")
    other = (method and on["method"] == "another") or on["tick_ns"] == 2.5 or \
        (files and any(f["kind"] == "program" for f in plain["files"]))
    if other:
        if r.status == 0:
            lie(f"{path}: subtracted what is of another method, clock or program: {on}")
        return SILENT
    if r.status:
        return SILENT
    answer = r.json()
    new, = (p for m in answer["methods"] for p in m["paths"])
    codes = {n["code"] for n in answer["notes"]}
    if not event["certain"] or low <= 0:
        if new["subtracted_ns"] or "N0697" not in codes or new["typical_ns"] != paths[0]["typical_ns"]:
            lie(f"{path}: subtracted {new['subtracted_ns']} ns, but {event} proves nothing")
        return TRUE
    if "N0696" not in codes or not new["subtracted_low_ns"] <= new["subtracted_ns"] <= new["subtracted_high_ns"]:
        lie(f"{path}: {new['subtracted_low_ns']} … {new['subtracted_ns']} … {new['subtracted_high_ns']}")
    for row in answer["rows"]:
        if row["self_ns"] is not None and row["self_ns"] < 0:
            lie(f"{path}: {row}")
    return TRUE
