#!/usr/bin/env python3
"""make_dump.py [OPTIONS] OUT TIME... -- writes an ETDump whose runs take exactly these times.

    make_dump.py out.etdump 1000 1010 990            three runs of Method::execute, in ticks
    make_dump.py --noise 30:100000:500 out.etdump    thirty runs around 100000 with deviation 500 (seeded)
    make_dump.py --events 4 ...                      four kernels in each run that share its time
    make_dump.py --step 200 ...                      each run takes 200 more than the one before
    make_dump.py --kernel NAME ...                   the kernels are native_call_NAME
    make_dump.py --delegated NAME ...                a delegate also logs an event NAME in each run

It makes only what tests of comparisons need: no program, one event list.
"""

import argparse
import functools
import random
import struct

NONE = 0xFFFFFFFFFFFFFFFF


@functools.lru_cache(None)
def layout(fields):
    """Returns the bytes of the vtable, those of the table without its values, and the fields' offsets."""
    head, offsets, size = 4 + 2 * len(fields), [], 4
    for f in fields:
        width = struct.calcsize(f) if f else 0
        size += -size % width if width else 0
        offsets.append(size if width else 0)
        size += width
    return struct.pack(f"<HH{len(fields)}H", head, size, *offsets), struct.pack("<i", head) + bytes(size - 4), offsets


class Builder:
    """Builds a FlatBuffer front to back: a vtable is placed before its table."""

    def __init__(self):
        self.b = bytearray(struct.pack("<II4s", 0, 0, b"ED00"))

    def link(self, at):
        struct.pack_into("<I", self.b, at, len(self.b) - at)

    def table(self, at, fields):
        """Adds a table and sets the offset at `at` to it; `fields`: one format letter each, '' is absent. Returns the
        fields' positions."""
        vtable, zeroed, offsets = layout(tuple(fields))
        self.b += bytes(-(len(self.b) + len(vtable) - 4) % 8)  # 8-byte fields are aligned to 8 bytes in a file without size prefix
        self.b += vtable
        where = len(self.b)
        struct.pack_into("<I", self.b, at, where - at)
        self.b += zeroed
        return [where + o for o in offsets]

    def vector(self, at, count):
        self.pad()
        self.link(at)
        first = len(self.b) + 4
        self.b += struct.pack("<I", count) + bytes(4 * count)
        return [first + 4 * i for i in range(count)]

    def text(self, at, s):
        self.pad()
        self.link(at)
        data = s.encode()
        self.b += struct.pack("<I", len(data)) + data + b"\0"

    def pad(self):
        self.b += bytes(-len(self.b) % 4)

    def set(self, at, form, *values):
        struct.pack_into("<" + form, self.b, at, *values)


def put_event(b, at, name, chain, instruction, start, end, delegated=False):
    profile, _, _ = b.table(at, ["I", "", ""])
    f = b.table(profile, ["" if delegated else "I", "i", "i", "i", "I" if delegated else "", "", "Q", "Q"])
    b.text(f[4 if delegated else 0], name)
    b.set(f[1], "iii", chain, instruction, -1)
    b.set(f[6], "QQ", start, end)


def make(times, events, kernel, delegated=""):
    shares = events + bool(delegated)
    b, now = Builder(), 1000
    _, runs = b.table(4, ["i", "I"])
    for at, time in zip(b.vector(runs, len(times)), times):
        name, index, _, list_at = b.table(at, ["I", "i", "", "I"])
        b.text(name, "Execute")
        b.set(index, "i", -1)
        entries = b.vector(list_at, 2 * shares + 1)
        for i in range(shares):
            start, end = now + time * i // shares, now + time * (i + 1) // shares
            inside = i == events
            put_event(b, entries[2 * i], delegated if inside else f"native_call_{kernel}", 0, i, start, end, inside)
            put_event(b, entries[2 * i + 1], "DELEGATE_CALL" if inside else "OPERATOR_CALL", 0, i, start, end)
        put_event(b, entries[-1], "Method::execute", -1, 0, now, now + time)
        now += time + 100
    b.set(0, "I", len(b.b) - 4)
    return bytes(b.b)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--noise", help="COUNT:MEAN:SPREAD")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--events", type=int, default=0)
    p.add_argument("--step", type=int, default=0)
    p.add_argument("--kernel", default="add.out")
    p.add_argument("--delegated", default="")
    p.add_argument("out")
    p.add_argument("times", type=int, nargs="*")
    a = p.parse_args()
    times = a.times
    if a.noise:
        count, mean, spread = (int(v) for v in a.noise.split(":"))
        draw = random.Random(a.seed)
        times = times + [round(draw.gauss(mean, spread)) for _ in range(count)]
    times = [t + a.step * i for i, t in enumerate(times)]
    with open(a.out, "wb") as f:
        f.write(make(times, a.events, a.kernel, a.delegated))


if __name__ == "__main__":
    main()
