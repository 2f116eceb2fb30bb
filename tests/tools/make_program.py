#!/usr/bin/env python3
"""make_program.py [--tensors N] [--megabytes N] [--back N] OUT -- writes a program (.pte) of any size.

It has one method, `forward`: a chain of N kernels, each of which reads the previous tensor and writes its own. Tensors
alternate between three places in memory. --back N adds N jumps back to the start, as loops have. --megabytes of constants
in a segment are a hole of the file, so that they use no disk space. It has only what tests and the benchmark need.
"""

import argparse
import os
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from make_dump import Builder  # noqa: E402

TENSOR, KERNEL, JUMP = 5, 1, 4  # tags of the FlatBuffer unions
SIDE = 16                       # tensors are SIDE x SIDE floats
HEADER = 32


class Program(Builder):
    def __init__(self):
        super().__init__()
        self.b = bytearray(struct.pack("<I4s4sIQQQ", 0, b"ET12", b"eh00", HEADER, 0, 0, 0))

    def numbers(self, at, form, values):
        while (len(self.b) + 4) % 8:
            self.b.append(0)
        self.link(at)
        self.b += struct.pack(f"<I{len(values)}{form}", len(values), *values)


def put_tensor(p, at, constant, offset):
    kind, value = p.table(at, ["B", "I"])
    p.set(kind, "B", TENSOR)
    fields = p.table(value, ["b", "", "I", "I", "", "I", "" if constant else "I"])
    p.set(fields[0], "b", 6)  # scalar type FLOAT
    p.numbers(fields[2], "i", [SIDE, SIDE])
    p.numbers(fields[3], "B", [0, 1])
    p.set(fields[5], "I", 1 if constant else 0)
    if not constant:
        memory, low = p.table(fields[6], ["I", "I"])
        p.set(memory, "I", 1)
        p.set(low, "I", offset)


def put_instruction(p, at, args):
    kind, call = p.table(at, ["B", "I"])
    if args is None:
        p.set(kind, "B", JUMP)
        p.table(call, ["i", "i"])  # condition value 0, destination 0
        return
    p.set(kind, "B", KERNEL)
    operator, list_at = p.table(call, ["i", "I"])
    p.set(operator, "i", 0)
    p.numbers(list_at, "i", args)


def make(tensors, megabytes, back):
    """Returns the bytes of the file before the constants."""
    p, size = Program(), SIDE * SIDE * 4
    _, plans, _, _, segments, constants = p.table(0, ["I", "I", "", "", "I", "I"])
    [plan] = p.vector(plans, 1)
    fields = p.table(plan, ["I", "", "I", "I", "I", "I", "I", "I", "I"])
    p.text(fields[0], "forward")
    for i, at in enumerate(p.vector(fields[2], tensors + 2)):
        put_tensor(p, at, i == tensors + 1, i % 3 * size)
    p.numbers(fields[3], "i", [0])
    p.numbers(fields[4], "i", [tensors])
    [chain] = p.vector(fields[5], 1)
    places = p.table(chain, ["I", "I", "I"])
    p.numbers(places[0], "i", [])
    p.numbers(places[1], "i", [])
    for i, at in enumerate(p.vector(places[2], tensors + back)):
        put_instruction(p, at, [i, tensors + 1, i + 1] if i < tensors else None)
    [operator] = p.vector(fields[6], 1)
    name, overload = p.table(operator, ["I", "I"])
    p.text(name, "aten::add")
    p.text(overload, "out")
    p.vector(fields[7], 0)
    p.numbers(fields[8], "q", [0, 3 * size])
    [segment] = p.vector(segments, 1)
    offset, bytes_at = p.table(segment, ["Q", "Q"])
    data = max(size, megabytes << 20)
    p.set(offset, "Q", 0)
    p.set(bytes_at, "Q", data)
    index, offsets = p.table(constants, ["I", "I"])
    p.set(index, "I", 0)
    p.numbers(offsets, "Q", [0, 0])
    used = len(p.b)
    while len(p.b) % 4096:
        p.b.append(0)
    struct.pack_into("<QQQ", p.b, 16, used, len(p.b), data)
    return bytes(p.b), data


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("tensors", 100), ("megabytes", 0), ("back", 0)):
        parser.add_argument("--" + name, type=int, default=default)
    parser.add_argument("out")
    o = parser.parse_args()
    tables, data = make(o.tensors, o.megabytes, o.back)
    with open(o.out, "wb") as f:
        f.write(tables)
        f.truncate(len(tables) + data)


if __name__ == "__main__":
    main()
