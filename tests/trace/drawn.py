#!/usr/bin/env python3
"""drawn.py --etcore PATH [--count N] [--seed N] -- runs forms.py over random dumps: events and runs that overlap, touch,
are equal or empty, or end before they begin, names with arbitrary characters, times up to 2^64 - 1, allocations. Standard
library only.
"""
import argparse
import concurrent.futures
import os
import random
import sys
import tempfile

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TESTS, "tools"), TESTS]
import forms  # noqa: E402
from share import share  # noqa: E402
import trace_file  # noqa: E402
from make_dump import Builder, put_event  # noqa: E402

NAMES = ["native_call_add.out", "native_call_mm.out", "a;b", "<b>&\"'", "\u202eright", "tab\there", "x" * 300, "\u00e9\u4e2d", "p q 12",
         "C:\\", "\\", "\"\\\\"]
KINDS = ["OPERATOR_CALL", "DELEGATE_CALL", "MOVE_CALL"]
XNNPACK = ["Fully Connected %s (NC, F32) GEMM #1", "Softmax %s (NC, F32) #2"]
DELEGATES = ["npu", "npu;", "gpu\nline"]


def put_delegate(b, at, name, instruction, start, end):
    profile, _, _ = b.table(at, ["I", "", ""])
    f = b.table(profile, ["", "i", "i", "i", "I", "", "Q", "Q"])
    b.text(f[4], name)
    for place, form, value in ((f[1], "i", 0), (f[2], "i", instruction), (f[3], "i", -1), (f[6], "Q", start), (f[7], "Q", end)):
        b.set(place, form, value)


def interval(rng, low, high):
    """Draws an interval: usually between `low` and `high`, often starting or ending there, seldom outside or reversed."""
    a, b = (rng.choice((low, high, rng.randint(low, high), rng.randint(low, high))) for _ in "ab")
    if rng.random() < 0.05:
        return a, b
    if rng.random() < 0.05:
        return max(0, low - rng.randint(0, 50)), min((1 << 64) - 1, high + rng.randint(0, 50))
    return min(a, b), max(a, b)


def draw_run(rng, template, begin, length):
    """Returns (kind, name, instruction, start, end) of each event; kinds and names come from `template`."""
    root = (begin, min(begin + length, (1 << 64) - 1))
    events, calls = [], {}
    for kind, name, instruction in template:
        if kind == "call":
            calls[instruction] = interval(rng, *root)
    for kind, name, instruction in template:
        inside = calls.get(instruction, root)
        at = calls[instruction] if kind == "call" else root if kind == "root" else \
            interval(rng, *sorted(inside)) if rng.random() < 0.95 else (rng.randint(0, 99), rng.randint(0, 99))
        events.append((kind, name, instruction, *at))
    return events


def draw_template(rng, number):
    """Draws events with different names, because `analyze` counts only the outermost of nested events with the same name."""
    template = []

    def own(name):
        mine = f"{number}.{len(template)}"
        return mine + name if name.endswith("\\") else name + mine

    for instruction in range(rng.randint(0, 4)):
        call = rng.choice(KINDS)
        for _ in range(rng.randint(0, 4)):
            if call == "DELEGATE_CALL":
                xnnpack = rng.random() < 0.5
                template.append(("delegate", rng.choice(XNNPACK) % own("") if xnnpack else own(rng.choice(DELEGATES)), instruction))
            else:
                template.append(("call_child", own(rng.choice(NAMES)), instruction))
            if rng.random() < 0.2:
                template.append(("alloc", rng.choice((0, 64, 1 << 40, (1 << 64) - 1)), rng.randint(0, 2)))
        template.append(("call", call, instruction))
    if rng.random() < 0.3:
        template.append(("other", own(rng.choice(NAMES)), None))
    template.append(("root", rng.choice(["Method::execute"] * 4 + ["Program::load_method"]), None))
    return template


def draw(rng):
    templates = [draw_template(rng, i) for i in range(rng.randint(1, 3))]
    begin = rng.choice((0, 1000, 1 << 40, (1 << 63) - 500, (1 << 64) - 900))
    length = rng.choice((0, 10, 100, 100, 1 << 40, 1 << 63))
    runs = []
    for _ in range(rng.randint(1, 6)):
        runs.append(draw_run(rng, rng.choice(templates), begin, length))
        begin = min((1 << 64) - 1, max(0, begin + rng.choice((0, length // 2, length, length, length + 10))))
    return runs


def save(path, runs):
    b = Builder()
    _, vector = b.table(4, ["i", "I"])
    for at, events in zip(b.vector(vector, len(runs)), runs):
        fields = b.table(at, ["I", "i", "I", "I"])
        b.text(fields[0], "Execute")
        b.set(fields[1], "i", -1)
        for place in b.vector(fields[2], 1):
            [field] = b.table(place, ["I"])
            b.text(field, "method_allocator")
        for place, (kind, name, instruction, start, end) in zip(b.vector(fields[3], len(events)), events):
            if kind == "alloc":
                _, allocation, _ = b.table(place, ["", "I", ""])
                f = b.table(allocation, ["i", "Q"])
                b.set(f[0], "i", instruction)
                b.set(f[1], "Q", name)
            elif kind == "delegate":
                put_delegate(b, place, name, instruction, start, end)
            elif kind in ("root", "other"):
                put_event(b, place, name, -1, 0, start, end)
            else:
                put_event(b, place, name, 0, instruction, start, end)
    b.set(0, "I", len(b.b) - 4)
    with open(path, "wb") as f:
        f.write(b.b)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--etcore", required=True)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    a = parser.parse_args()
    etcore, slices, bad = os.path.abspath(a.etcore), 0, 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {}
        for seed in share(range(a.seed, a.seed + a.count)):
            path = os.path.join(folder, f"{seed}.etdump")
            save(path, draw(random.Random(seed)))
            jobs[seed] = pool.submit(forms.one, etcore, path)
        for seed, job in jobs.items():
            try:
                slices += job.result()
            except (trace_file.Wrong, ValueError, KeyError, IndexError) as e:
                bad += 1
                if bad <= 10:
                    print(f"seed {seed}: {type(e).__name__} {e}")
    print(f"{len(jobs)} dumps drawn, {slices} slices; {bad} wrong")
    return 1 if bad or not slices else 0


if __name__ == "__main__":
    sys.exit(main())
