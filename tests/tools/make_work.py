#!/usr/bin/env python3
"""make_work.py [--runs N] FOLDER CALL... -- writes run.etdump and model.pte with operators of given shapes and times.

    make_work.py . mm:2x3,3x4:2x4:1000        a product that takes 1000 ns in each run
    make_work.py . add:8,8:8:50 relu:8:8:20   two operators

CALL is OPERATOR:SHAPE,...:SHAPE:NANOSECONDS; arguments and result are 32-bit floats. --dynamic: the shapes are upper
bounds. Used by tests of the roofline.
"""

import argparse
import os
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from make_dump import Builder, put_event  # noqa: E402
from make_program import Program  # noqa: E402

TENSOR, KERNEL, FLOAT, BOUND = 5, 1, 6, 1


class Call:
    """One operator: sizes of its arguments and result, and its time."""

    def __init__(self, operator, arguments, result, time):
        self.operator, self.arguments, self.result, self.time = operator, arguments, result, time


def parse(text):
    operator, arguments, result, time = text.split(":")

    def shape(word):
        return [int(v) for v in word.split("x")]

    return Call(operator, [shape(w) for w in arguments.split(",")], shape(result), int(time))


def put_tensor(p, at, sizes, dynamic):
    kind, value = p.table(at, ["B", "I"])
    p.set(kind, "B", TENSOR)
    fields = p.table(value, ["b", "", "I", "I", "", "", "", "", "b"])
    p.set(fields[0], "b", FLOAT)
    p.numbers(fields[2], "i", sizes)
    p.numbers(fields[3], "B", list(range(len(sizes))))
    p.set(fields[8], "b", BOUND if dynamic else 0)


def put_call(p, at, operator, arguments):
    kind, call = p.table(at, ["B", "I"])
    p.set(kind, "B", KERNEL)
    index, list_at = p.table(call, ["i", "I"])
    p.set(index, "i", operator)
    p.numbers(list_at, "i", arguments)


def make_program(calls, dynamic=False):
    p, tensors, arguments = Program(), [], []
    for call in calls:
        first = len(tensors)
        tensors += [*call.arguments, call.result]
        arguments.append([*range(first, len(tensors)), len(tensors) - 1])
    _, plans = p.table(0, ["I", "I"])
    [plan] = p.vector(plans, 1)
    fields = p.table(plan, ["I", "", "I", "I", "I", "I", "I", "I", "I"])
    p.text(fields[0], "forward")
    for at, sizes in zip(p.vector(fields[2], len(tensors)), tensors):
        put_tensor(p, at, sizes, dynamic)
    p.numbers(fields[3], "i", [])
    p.numbers(fields[4], "i", [])
    [chain] = p.vector(fields[5], 1)
    places = p.table(chain, ["I", "I", "I"])
    p.numbers(places[0], "i", [])
    p.numbers(places[1], "i", [])
    for i, at in enumerate(p.vector(places[2], len(calls))):
        put_call(p, at, i, arguments[i])
    for at, call in zip(p.vector(fields[6], len(calls)), calls):
        name, overload = p.table(at, ["I", "I"])
        p.text(name, "aten::" + call.operator)
        p.text(overload, "out")
    p.vector(fields[7], 0)
    p.numbers(fields[8], "q", [0])
    struct.pack_into("<Q", p.b, 16, len(p.b))
    return bytes(p.b)


def make_dump(calls, runs):
    b, now = Builder(), 1000
    _, list_at = b.table(4, ["i", "I"])
    for at in b.vector(list_at, runs):
        name, index, _, events = b.table(at, ["I", "i", "", "I"])
        b.text(name, "Execute")
        b.set(index, "i", -1)
        entries, begin = b.vector(events, 2 * len(calls) + 1), now
        for i, call in enumerate(calls):
            put_event(b, entries[2 * i], f"native_call_{call.operator}.out", 0, i, now, now + call.time)
            put_event(b, entries[2 * i + 1], "OPERATOR_CALL", 0, i, now, now + call.time)
            now += call.time
        put_event(b, entries[-1], "Method::execute", -1, 0, begin, now)
        now += 100
    b.set(0, "I", len(b.b) - 4)
    return bytes(b.b)


def write(folder, calls, runs=2, dynamic=False):
    with open(os.path.join(folder, "run.etdump"), "wb") as f:
        f.write(make_dump(calls, runs))
    with open(os.path.join(folder, "model.pte"), "wb") as f:
        f.write(make_program(calls, dynamic))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--runs", type=int, default=2)
    p.add_argument("--dynamic", action="store_true")
    p.add_argument("folder")
    p.add_argument("calls", nargs="+", type=parse)
    a = p.parse_args()
    write(a.folder, a.calls, a.runs, a.dynamic)


if __name__ == "__main__":
    main()
