#!/usr/bin/env python3
"""make_calls.py OUT [SPEC] -- writes an ETDump with the events that SPEC (default: standard input) lists.

One event per line, WHERE START END NAME; an empty line between two runs:

    0      0  90 [conv]     chain 0, instruction 0: an event of the delegate, its id as text
    0      0  90 [7]=0a0b   its id as a number, and its metadata in hexadecimal
    0      0 100 DELEGATE_CALL
    -      0 120 Method::execute

Text after the last `]=` is metadata; blanks within a name are part of it.
"""
import re
import sys

from make_dump import Builder

LINE = re.compile(r"\s*(-|\d+)\s+(\d+)\s+(\d+)\s+(?:\[(.*)\](?:=([0-9a-f]*))?|(\S.*?))\s*$")


def read(text):
    """Returns [(name, id, metadata, instruction, start, end)] for each run; instruction -1: outside of all instructions."""
    runs = [[]]
    for line in text.split("\n"):
        if not line.strip():
            runs.append([])
            continue
        m = LINE.match(line)
        if not m:
            raise SystemExit(f"make_calls.py: {line!r}")
        where, start, end, ident, metadata, name = m.groups()
        runs[-1].append((name, ident, bytes.fromhex(metadata or ""), -1 if where == "-" else int(where), int(start),
                         int(end)))
    return [r for r in runs if r]


def put_event(b, at, event):
    name, ident, metadata, instruction, start, end = event
    number = ident is not None and ident.isdigit()
    profile, _, _ = b.table(at, ["I", "", ""])
    f = b.table(profile, ["I" if name else "", "i", "i", "i", "I" if ident is not None and not number else "",
                          "I" if ident is not None else "", "Q", "Q"])
    if name:
        b.text(f[0], name)
    if ident is not None and not number:
        b.text(f[4], ident)
    if ident is not None:
        b.pad()
        b.link(f[5])
        b.b += len(metadata).to_bytes(4, "little") + metadata
    b.set(f[1], "i", -1 if instruction < 0 else 0)
    b.set(f[2], "i", max(instruction, 0))
    b.set(f[3], "i", int(ident) if number else -1)
    b.set(f[6], "Q", start)
    b.set(f[7], "Q", end)


def make(runs):
    b = Builder()
    _, list_at = b.table(4, ["i", "I"])
    for at, events in zip(b.vector(list_at, len(runs)), runs):
        name, index, _, events_at = b.table(at, ["I", "i", "", "I"])
        b.text(name, "Execute")
        b.set(index, "i", -1)
        for entry, event in zip(b.vector(events_at, len(events)), events):
            put_event(b, entry, event)
    b.set(0, "I", len(b.b) - 4)
    return bytes(b.b)


def main():
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    text = open(sys.argv[2], encoding="utf-8").read() if len(sys.argv) == 3 else sys.stdin.read()
    with open(sys.argv[1], "wb") as f:
        f.write(make(read(text)))


if __name__ == "__main__":
    main()
