#!/usr/bin/env python3
"""ticks.py --etcore build/etcore --plugin timed.so -- times of devices whose ticks are no whole nanoseconds must be exact.

Random dumps have events of several clocks, which the plugin describes (tests/plugins/host/timed.c). The expected values
of the rows, of the sums of the path, of N0303 and of the stacks of `trace` are computed here as fractions, and rounded
only for the comparison.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests"), os.path.join(ROOT, "tests", "tools")]
from make_calls import make, read  # noqa: E402
from share import share  # noqa: E402

# 4 GHz, 1.6 GHz, 800 MHz, 1.4 GHz, 19.2 MHz, 3 GHz, 1 GHz, 32768 Hz
TICKS = [Fraction(t) for t in ("1/4", "5/8", "5/4", "5/7", "625/12", "1/3", "1", "1953125/64")]
SUMS = ("typical_ns", "delegated_ns", "unattributed_ns", "unattributed_delegate_ns")


class Event:
    """An event of a device. `parent` is the event that contains it; None: the delegate's call."""

    def __init__(self, name, tick, parent):
        self.name, self.tick, self.parent, self.children = name, tick, parent, []
        if parent:
            parent.children.append(self)


def shape(rng):
    """Returns the events of one call, children before their parents."""
    ticks = rng.sample(TICKS, rng.randint(1, 3))
    events = []
    for _ in range(rng.randint(1, 5)):
        top = Event(f"top{rng.randint(0, 2)}", rng.choice(ticks), None)
        for _ in range(rng.choice((0, 0, 1, 3))):
            middle = Event(f"mid{rng.randint(0, 2)}", rng.choice(ticks), top)
            events += [Event(f"low{rng.randint(0, 2)}", rng.choice(ticks), middle) for _ in range(rng.choice((0, 0, 2)))]
            events.append(middle)
        events.append(top)
    return events


def draw(rng, events):
    """Returns the ticks of each event. Often the children of an event fill it exactly, or exceed it by one tick."""
    took = {}
    for e in events:
        inner = sum(took[c] * c.tick for c in e.children)
        fill = -(-inner // e.tick)  # the first number of ticks that is long enough
        took[e] = max(0, rng.choice((fill, fill, fill - 1, fill + rng.randint(0, 50)))) if e.children else rng.randint(0, 9)
    inner = sum(took[e] * e.tick for e in events if not e.parent)
    fill = -(-inner // 1)
    return took, max(0, rng.choice((fill, fill, fill - 1, fill + rng.randint(0, 50))))


def text_of(calls, runs):
    """Returns the dump as make_calls.py reads it."""
    out = []
    for run in runs:
        at = 1000
        for i, (events, (took, call)) in enumerate(zip(calls, run)):
            for e in events:
                inside = f"in={events.index(e.parent)} " if e.parent else ""
                out.append(f"{i} 5000 {5000 + took[e]} [{e.name} {inside}ns={e.tick} unit=cycles]")
            out.append(f"{i} {at} {at + call} DELEGATE_CALL")
            at += call + 7
        out += [f"- 900 {at + 50} Method::execute", ""]
    return "\n".join(out)


class Want:
    """The expected answer."""

    def __init__(self, calls, runs):
        self.rows, self.sums, self.most = {}, dict.fromkeys(SUMS, Fraction(0)), Fraction(0)
        self.stacks = {}
        for run in runs:
            self.excess = Fraction(0)
            whole = 1000 - 900 + 50 + sum(call + 7 for _, call in run)
            self.sums["typical_ns"] += whole
            self.sums["unattributed_ns"] += whole - sum(call for _, call in run)
            for events, (took, call) in zip(calls, run):
                self.sums["delegated_ns"] += call
                if self.add([e for e in events if not e.parent], took, Fraction(call), "execute;DELEGATE_CALL"):
                    rest = call - sum(took[e] * e.tick for e in events if not e.parent)
                    self.sums["unattributed_delegate_ns"] += rest
                    self.sums["unattributed_ns"] += rest
            self.most = max(self.most, self.excess)
        for key in SUMS:
            self.sums[key] /= len(runs)
        for row in self.rows.values():
            row[:] = [v / len(runs) for v in row]

    def add(self, events, took, room, stack):
        """Adds siblings and all events below them. `stack` names the events that contain the siblings; None: the
        siblings are detached. `room` is the time of their parent. Returns whether their times are part of it."""
        length = sum(took[e] * e.tick for e in events)
        self.excess += max(length - room, 0)
        attached = stack is not None and length <= room
        if stack is not None:
            self.stacks[stack] = self.stacks.get(stack, 0) + room - (length if attached else 0)
        for e in events:
            time = took[e] * e.tick
            inner = sum(took[c] * c.tick for c in e.children)
            row = self.rows.setdefault((e.name, not attached), [Fraction(0), Fraction(0)])
            row[0] += time - inner if inner <= time else time
            row[1] += time
            self.add(e.children, took, time, f"{stack};{e.name}" if attached else None)
        return attached


def excess_of(ns):
    """Returns N0303's words for the longest time by which children exceed their parents."""
    return f"by up to {float(ns):.4g} ns per run" if ns < 1000 else f"by up to {float(ns / 1000):.2f} \u00b5s per run"


def ask(args, spec, command, path, *more):
    words = [args.etcore, command, path, "--no-siblings", "--plugin", args.plugin, "--warmup", "0", *more]
    p = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if p.returncode:
        sys.exit(f"{spec}\n{' '.join(words)}: status {p.returncode}\n{p.stderr.decode()}")
    return p.stdout.decode()


def check(args, rng, folder):
    calls = [shape(rng) for _ in range(rng.randint(1, 3))]
    runs = [[draw(rng, events) for events in calls] for _ in range(rng.randint(1, 5))]
    spec, path = text_of(calls, runs), os.path.join(folder, "x.etdump")
    with open(path, "wb") as f:
        f.write(make(read(spec)))
    answer, want, wrong = json.loads(ask(args, spec, "analyze", path, "--stat", "mean", "-o", "json")), Want(calls, runs), []
    have = answer["methods"][0]["paths"][0]
    for key in SUMS:
        if have[key] != float(want.sums[key]):
            wrong.append(f"{key}: {have[key]}, not {float(want.sums[key])}")
    rows = {(r["name"], r["detached"]): [r["self_ns"], r["total_ns"]] for r in answer["rows"] if r["name"][:3] in ("top", "mid", "low")}
    for key, row in want.rows.items():
        if rows.get(key) != [float(v) for v in row]:
            wrong.append(f"{key}: {rows.get(key)}, not {[float(v) for v in row]}")
    wrong += [f"row {key} of nothing" for key in rows if key not in want.rows]
    notes = " ".join(n["text"] for n in answer["notes"] if n["code"] == "N0303")
    if ("exceed" in notes) != (want.most > 0) or (want.most and excess_of(want.most) not in notes):
        wrong.append(f"N0303: {notes!r}, not {excess_of(want.most)!r}")
    lines = ask(args, spec, "trace", path, "--runs", "all", "-o", "folded=-").splitlines()
    stacks = {name: int(ns) for name, ns in (line.rsplit(" ", 1) for line in lines) if ";" in name}
    for name in sorted({*stacks, *want.stacks}):
        if abs(stacks.get(name, 0) - want.stacks.get(name, 0)) >= 1:
            wrong.append(f"{name}: {stacks.get(name)} ns, not {want.stacks.get(name)}")
    if len(lines) != len(stacks) + 1 or sum(int(line.rsplit(" ", 1)[1]) for line in lines) != want.sums["typical_ns"] * len(runs):
        wrong.append("the stacks come to another time than the runs")
    return [spec, *wrong] if wrong else []


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--etcore", default="build/etcore")
    p.add_argument("--plugin", required=True)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--count", type=int, default=400)
    args = p.parse_args()
    args.etcore, args.plugin = os.path.abspath(args.etcore), os.path.abspath(args.plugin)
    numbers, bad = share(range(args.count)), 0
    with tempfile.TemporaryDirectory() as folder:
        for i in numbers:
            wrong = check(args, random.Random(args.seed * 1000003 + i), folder)
            bad += bool(wrong)
            if wrong and bad <= 3:
                print("\n".join([f"dump {i}:", *wrong]))
    print(f"{len(numbers)} dumps, {bad} wrong")
    return bool(bad) or not numbers


if __name__ == "__main__":
    sys.exit(main())
