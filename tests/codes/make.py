#!/usr/bin/env python3
"""make.py KIND ARGUMENTS... -- files for tests/codes/setups.sh that are too odd to be had elsewhere.

    edit IN OUT ENTRY OLD NEW    an archive with a text of one entry replaced, as often as it occurs
    bomb OUT                     an ETRecord whose map inflates to a thousand times its size
    shared_program OUT           12 kB that describe a program of 10^9 instructions
    etdump OUT NAME:CHAIN:INSTRUCTION...  two runs of these events
    flip IN OUT AT               a bit of one byte changed; AT below 0 counts from the end
    references OUT NAME METADATA a safetensors file with one tensor
"""

import json
import os
import struct
import sys
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tools"))
from make_dump import Builder, put_event  # noqa: E402


def edit(source, out, entry, old, new):
    with zipfile.ZipFile(source) as z, zipfile.ZipFile(out, "w") as to:
        for info in z.infolist():
            data = z.read(info)
            if info.filename == entry:
                assert old.encode() in data, f"{entry} has no {old!r}"
                data = data.replace(old.encode(), new.encode())
            to.writestr(info, data)


def bomb(out):
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("ETRECORD_V0", "")
        z.writestr("debug_handle_map", b" " * (20 << 20))


def shared_program(out):
    """A thousand methods that are one, of a thousand chains that are one, of a thousand instructions that are one."""
    b = Builder()
    b.b = bytearray(struct.pack("<I4s", 0, b"ET12"))
    at = b.table(0, ["", "I"])[1]
    for fields, mine in ((["", "", "", "", "", "I"], 5), (["", "", "I"], 2), (["B", "I"], 0)):
        refs = b.vector(at, 1000)
        places = b.table(refs[0], fields)
        table = refs[0] + struct.unpack_from("<I", b.b, refs[0])[0]
        for ref in refs:
            struct.pack_into("<I", b.b, ref, table - ref)
        at = places[mine]
    with open(out, "wb") as f:
        f.write(b.b)


def etdump(out, *events):
    b, now = Builder(), 1000
    _, vector = b.table(4, ["i", "I"])
    for at in b.vector(vector, 2):
        name, index, _, entries = b.table(at, ["I", "i", "", "I"])
        b.text(name, "Execute")
        b.set(index, "i", -1)
        for place, event in zip(b.vector(entries, len(events)), events):
            text, chain, instruction = event.rsplit(":", 2)
            put_event(b, place, text, int(chain), int(instruction), now, now + 10)
            now += 20
    b.set(0, "I", len(b.b) - 4)
    with open(out, "wb") as f:
        f.write(b.b)


def flip(source, out, at):
    with open(source, "rb") as f:
        data = bytearray(f.read())
    data[int(at)] ^= 1
    with open(out, "wb") as f:
        f.write(data)


def references(out, name, metadata):
    header = {name: {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}
    if metadata:
        header["__metadata__"] = {"etcore.references": metadata}
    text = json.dumps(header).encode()
    with open(out, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + bytes(4))


if __name__ == "__main__":
    kinds = (edit, bomb, shared_program, etdump, flip, references)
    {kind.__name__: kind for kind in kinds}[sys.argv[1]](*sys.argv[2:])
