#!/usr/bin/env python3
"""allocations.py ETCORE -- compares allocation sums of `etcore memory`, for dumps alone and with the plan, with sums
computed here.

For each program a dump is made whose runs execute its instructions, with random allocations in between.
`etcore memory` must print the sums that follow from the events by the rule in commands/memory/allocated.h.
Standard library only.
"""

import collections
import json
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "tools"))
from make_dump import Builder, put_event  # noqa: E402

PROGRAMS = ["cnn_f16.pte", "debug_sizes.pte", "multi_method.pte", "models/three_memory_ids/model.pte",
            "models/mutable_buffers/model.pte", "models/delegates_segments/model.pte", "models/lists/model.pte",
            "models/multi_method_shared_buffers/model.pte", "bundled/several_methods/model.bpte"]
CALLS = {"KernelCall": "OPERATOR_CALL", "DelegateCall": "DELEGATE_CALL", "MoveCall": "MOVE_CALL", "FreeCall": "FREE_CALL"}
NAMES = ["planned", "temp", "", "kernel pool \u00e9"]  # allocators of a run, by id from 1


def ask(*arguments):
    run = subprocess.run([sys.argv[1], *arguments, "-o", "json"], capture_output=True, check=False)
    if run.returncode:
        raise ValueError(f"{arguments}: status {run.returncode}: {run.stderr.decode()}")
    return json.loads(run.stdout)


def draw_run(rng, instructions):
    """Draws the events of one run: ("alloc", id, bytes), ("call", step, name) or ("end",)."""
    events = []

    def some():
        for _ in range(rng.choice((0, 0, 1, 3))):
            events.append(("alloc", rng.randrange(0, 6), rng.choice((0, 1, 64, 4096, rng.randrange(1 << 40)))))

    for step, name in enumerate(instructions):
        some()
        if rng.random() < 0.3 and name == "DELEGATE_CALL":
            events.append(("delegate", step, "Convolution"))
            some()
        events.append(("call", step, name))
    some()
    events.append(("end",))
    some()
    return events


def write(path, runs):
    b, now = Builder(), 1000
    _, vector = b.table(4, ["i", "I"])
    for at, events in zip(b.vector(vector, len(runs)), runs):
        name, index, allocators, entries = b.table(at, ["I", "i", "I", "I"])
        b.text(name, "Execute")
        b.set(index, "i", -1)
        for place, text in zip(b.vector(allocators, len(NAMES)), NAMES):
            [field] = b.table(place, ["I"])
            b.text(field, text)
        start = now
        for place, event in zip(b.vector(entries, len(events)), events):
            if event[0] == "alloc":
                _, allocation, _ = b.table(place, ["", "I", ""])
                fields = b.table(allocation, ["i", "Q"])
                b.set(fields[0], "i", event[1])
                b.set(fields[1], "Q", event[2])
                continue
            now += 10
            if event[0] == "end":
                put_event(b, place, "Method::execute", -1, 0, start, now)
            elif event[0] == "call":
                put_event(b, place, event[2], 0, event[1], now - 10, now)
            else:
                put_delegate(b, place, event[2], event[1], now - 5, now)
        now += 100
    b.set(0, "I", len(b.b) - 4)
    with open(path, "wb") as f:
        f.write(b.b)


def put_delegate(b, at, name, instruction, start, end):
    profile, _, _ = b.table(at, ["I", "", ""])
    f = b.table(profile, ["", "i", "i", "i", "I", "", "Q", "Q"])
    b.text(f[4], name)
    for place, form, value in ((f[1], "i", 0), (f[2], "i", instruction), (f[3], "i", -1), (f[6], "Q", start), (f[7], "Q", end)):
        b.set(place, form, value)


def expect(runs):
    """Returns {allocator id: sums} for the runs of one method."""
    out = {}
    for number, events in enumerate(runs):
        taken, executions, step, execution = collections.Counter(), collections.Counter(), None, None
        for position, event in reversed(list(enumerate(events))):  # backwards, because the next event determines where an allocation belongs
            if event[0] == "alloc":
                _, allocator, size = event
                use = out.setdefault(allocator, {"allocations": 0, "bytes": 0, "max_run_bytes": 0, "largest_bytes": 0, "steps": {}})
                use["allocations"] += 1
                use["bytes"] += size
                use["largest_bytes"] = max(use["largest_bytes"], size)
                taken[allocator] += size
                executions[allocator, step, execution] += size
                use["steps"].setdefault(step, [0, 0])[0] += 1
            elif event[0] == "end":
                step, execution = None, None
            elif event[0] == "call":
                step, execution = event[1], position
        for allocator, size in taken.items():
            out[allocator]["max_run_bytes"] = max(out[allocator]["max_run_bytes"], size)
        for (allocator, at, _), size in executions.items():
            entry = out[allocator]["steps"][at]
            entry[1] = max(entry[1], size)
    return out


def planned_at(memories, step):
    total = 0
    for m in memories:
        points = [p for p in m["timeline"] if p["step"] <= step]
        total += points[-1]["bytes"] if points else 0
    return total


def with_plan(plan, uses):
    best = None
    for step in range(plan["steps"]):
        planned = planned_at(plan["memories"], step)
        allocated = sum(u["steps"].get(step, (0, 0))[1] for u in uses.values())
        if best is None or planned + allocated > best["planned_live_bytes"] + best["allocated_bytes"]:
            best = {"step": step, "planned_live_bytes": planned, "allocated_bytes": allocated}
    return best


def compare(place, uses, runs, plan):
    if place["runs"] != runs or len(place["allocators"]) != len(uses):
        return f"{place['runs']} runs and {len(place['allocators'])} allocators, expected {runs} and {len(uses)}"
    for got in place["allocators"]:
        want = uses.get(got["allocator_id"])
        name = NAMES[got["allocator_id"] - 1] if 1 <= got["allocator_id"] <= len(NAMES) else None
        if want is None or (got["allocator"] or None) != (name or None):
            return f"allocator {got['allocator_id']} '{got['allocator']}'"
        for key in ("allocations", "bytes", "max_run_bytes", "largest_bytes"):
            if got[key] != want[key]:
                return f"allocator {got['allocator_id']}: {key} {got[key]}, expected {want[key]}"
        steps = {s["step"]: [s["allocations"], s["max_bytes"]] for s in got["steps"]}
        if steps != want["steps"]:
            return f"allocator {got['allocator_id']}: steps {steps}, expected {want['steps']}"
    if plan is None:
        return None if place["with_plan"] is None else "a plan without a program"
    want, got = with_plan(plan, uses), place["with_plan"]
    totals = [w and w["planned_live_bytes"] + w["allocated_bytes"] for w in (want, got)]
    return None if totals[0] == totals[1] and want == got else f"with plan {got}, expected {want}"


def check(program, seed, folder):
    rng = random.Random(seed)
    methods = {}
    for m in ask("dump", program)["program"]["execution_plan"]:
        kinds = [i["instr_args_type"] for i in m["chains"][0]["instructions"]] if m["chains"] else []
        if kinds and all(k in CALLS for k in kinds):
            methods[m["name"]] = [CALLS[k] for k in kinds]
    plans = {m["method"]: m for m in ask("memory", program)["methods"]}
    runs = [(name, draw_run(rng, methods[name])) for name in sorted(methods) for _ in range(rng.randrange(1, 6))]
    rng.shuffle(runs)
    dump = os.path.join(folder, "run.etdump")
    write(dump, [events for _, events in runs])
    places = {p["method"]: p for p in ask("memory", dump, program)["allocations"]["places"]}
    distinct = len({tuple(names) for names in methods.values()}) == len(methods)
    for name in methods if distinct else ():
        mine = [events for method, events in runs if method == name]
        problem = compare(places[name], expect(mine), len(mine), plans[name])
        if problem:
            return f"{name}: {problem}"
    alone = [p for p in ask("memory", dump)["allocations"]["places"] if p["execute"]]
    if len(alone) != 1:
        return f"{len(alone)} places without a program"
    return compare(alone[0], expect([events for _, events in runs]), len(runs), None)


def main():
    checks = [(os.path.join("tests/data/pte", p), seed) for p in PROGRAMS for seed in range(4)]
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for program, seed in checks:
            problem = check(program, seed, folder)
            if problem:
                bad += 1
                print(f"{program} (seed {seed}): {problem}"[:600])
    print(f"{len(checks) - bad} of {len(checks)} dumps with allocations summed alike, alone and with the plan")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
