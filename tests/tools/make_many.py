#!/usr/bin/env python3
"""make_many.py OUT COUNT -- writes an ETDump of one run whose one delegate call has COUNT events, each of them within
the next: event k, with k as its number and 16 bytes of metadata, begins at 0 and ends at 2 k + 2. Quick for a million."""
import struct
import sys

EVENT, PROFILE, METADATA = 8, 40, 24  # bytes of a table, a table, a vector with its length and padding


def make(count):
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
    inner = vtable(0, 4, 8, 12, 0, 16, 24, 32, size=PROFILE)
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
    vector, size = len(b), EVENT + PROFILE + METADATA
    b.extend(bytes(4 * (count + 2)))
    align()
    first = len(b)
    pack = struct.Struct("<iI iiiiII QQ I16s4x").pack
    tables = []
    for k in range(count + 2):
        at = first + size * k
        struct.pack_into("<I", b, vector + 4 * k, at - vector - 4 * k)
        call = k >= count
        tables.append(pack(at - event, 4, at + EVENT - (outer if call else inner), -1 if k > count else 0, 0, -1 if call else k,
                           0 if call else PROFILE - 16, 0, 0, 4 * count + 10 * (k > count) if call else 2 * k + 2, 16, bytes(16)))
    b.extend(b"".join(tables))
    for k, name in ((count, b"DELEGATE_CALL"), (count + 1, b"Method::execute")):
        text(first + size * k + EVENT + 16, name)
    struct.pack_into("<I", b, 0, len(b) - 4)
    return bytes(b)


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    with open(sys.argv[1], "wb") as f:
        f.write(make(int(sys.argv[2])))


if __name__ == "__main__":
    main()
