#!/usr/bin/env python3
"""make_many.py OUT COUNT [small] -- writes an ETDump of one run whose only delegate call has COUNT events, each inside the
next: event k has the numeric id k and 16 bytes of metadata, begins at 0 and ends at 2 k + 2. Fast enough for a million.
small: no metadata, 44 bytes of the file per event."""
import struct
import sys

EVENT, PROFILE, METADATA = 8, 40, 24  # bytes of a table, a table, a vector with its length and padding
SMALL = 32  # bytes of a table with a number, an instruction, start and end


def make(count, small=False):
    b = bytearray(struct.pack("<II4s", 0, 0, b"ED00"))

    def align():
        b.extend(bytes(-(len(b) - 4) % 8))

    def vtable(*offsets, size):
        align()
        b.extend(struct.pack(f"<{len(offsets) + 2}H", 2 * len(offsets) + 4, size, *offsets))
        return len(b) - 2 * len(offsets) - 4

    def link(at):
        struct.pack_into("<I", b, at, len(b) - at)

    def text(at, value):
        align()
        link(at)
        b.extend(struct.pack("<I", len(value)) + value + b"\0")

    event = vtable(4, size=EVENT)
    # Name, chain, instruction, numeric id, textual id, metadata, start, end.
    inner = vtable(0, 0, 24, 4, 0, 0, 8, 16, size=SMALL) if small else vtable(0, 4, 8, 12, 0, 16, 24, 32, size=PROFILE)
    outer = vtable(16, 4, 8, 12, 0, 0, 24, 32, size=PROFILE)
    run_table, root_table = vtable(4, 8, 0, 12, size=16), vtable(4, 8, size=12)
    align()
    root = len(b)
    link(4)
    struct.pack_into("<I", b, 4, root - 4)
    b.extend(struct.pack("<iiI", root - root_table, 0, 0))
    link(root + 8)
    b.extend(struct.pack("<II", 1, 4))
    run = len(b)
    b.extend(struct.pack("<iIiI", run - run_table, 0, -1, 0))
    text(run + 4, b"Execute")
    align()
    link(run + 12)
    b.extend(struct.pack("<I", count + 2))
    vector = len(b)
    b.extend(bytes(4 * (count + 2)))
    align()
    at, tables, calls = len(b), [], []
    pack, pack_small = struct.Struct("<iI iiiiII QQ I16s4x").pack, struct.Struct("<iI iiQQi4x").pack
    for k in range(count + 2):
        struct.pack_into("<I", b, vector + 4 * k, at - vector - 4 * k)
        call = k >= count
        calls += [at] if call else []
        if small and not call:
            tables.append(pack_small(at - event, 4, at + EVENT - inner, k, 0, 2 * k + 2, 0))
        else:
            tables.append(pack(at - event, 4, at + EVENT - (outer if call else inner), -1 if k > count else 0, 0, -1 if call else k,
                           0 if call else PROFILE - 16, 0, 0, 4 * count + 10 * (k > count) if call else 2 * k + 2, 16, bytes(16)))
        at += len(tables[-1])
    b.extend(b"".join(tables))
    for at, name in zip(calls, (b"DELEGATE_CALL", b"Method::execute")):
        text(at + EVENT + 16, name)
    struct.pack_into("<I", b, 0, len(b) - 4)
    return bytes(b)


def main():
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ["small"]):
        raise SystemExit(__doc__)
    with open(sys.argv[1], "wb") as f:
        f.write(make(int(sys.argv[2]), len(sys.argv) == 4))


if __name__ == "__main__":
    main()
