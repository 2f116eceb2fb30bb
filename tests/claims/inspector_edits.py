"""inspector_edits - edits recorded ETDumps and ETRecords, and records how the real Inspector handles each edit.

Edit `n` of a dump makes the same files on every machine. With the venv of tests/parity/live.sh:

    inspector_edits.py COUNT      writes tests/data/claims/inspector.json: the Inspector's outcome for edits 0 to COUNT - 1
    inspector_edits.py --live     asks the Inspector again, and compares with the recording

Each entry: [dump, first digits of the edited files' SHA-256, "answer" or the exception's type].
"""
import hashlib
import json
import os
import random
import struct
import sys
import tempfile
import zipfile

from etdump import Dump
from lab import DATA, dumps

ANSWERS = os.path.join(DATA, "claims", "inspector.json")
LARGEST = 60_000  # in bytes; flatc's JSON of larger dumps takes too long


def sources():
    return [p for p in dumps("/cases/", "/backends/", "/old/", "/edge/") if 100 < os.path.getsize(p) < LARGEST]


def record_of(dump):
    path = os.path.join(os.path.dirname(dump), "model.etrecord")
    return path if os.path.exists(path) and os.path.getsize(path) < 2_000_000 else None


# ---- dumps --------------------------------------------------------------------------------------

def a_run(rng, d):
    return rng.choice([r for r in d.runs if r.events] or [None])


def an_event(rng, d):
    run = a_run(rng, d)
    return run and rng.choice(run.events)


def profile(d, event):
    """Returns the position of the ProfileEvent table of an event that an_event() returned."""
    for run in d.runs:
        for e, at in zip(run.events, (p for v in d.vector(run.at, 3) if (p := d.table(v, 0)))):
            if e is event:
                return at
    raise LookupError


def stretched(rng, d):
    for run in d.runs:
        run.stretch(rng.choice((0.5, 2, 3.7)))


def text_emptied(rng, d):
    slot = rng.choice((0, 0, 4))
    at = d.table(profile(d, an_event(rng, d)), slot)
    if at:
        struct.pack_into("<I", d.bytes, at, 0)


def text_changed(rng, d):
    at = d.table(profile(d, an_event(rng, d)), rng.choice((0, 4)))
    if at and struct.unpack_from("<I", d.bytes, at)[0]:
        d.bytes[at + 4] = rng.choice(b"abcXYZ09;[")


def field_removed(rng, d):
    """Removes a field from all events that share a vtable."""
    at = profile(d, an_event(rng, d))
    vtable = at - struct.unpack_from("<i", d.bytes, at)[0]
    slots = (struct.unpack_from("<H", d.bytes, vtable)[0] - 4) // 2
    if slots:
        struct.pack_into("<H", d.bytes, vtable + 4 + 2 * rng.randrange(slots), 0)


def number_changed(rng, d):
    place = d.field(profile(d, an_event(rng, d)), rng.choice((1, 2, 3)))
    if place:
        struct.pack_into("<i", d.bytes, place, rng.choice((-1, 0, 1, 7, 1 << 20)))


def time_changed(rng, d):
    event = an_event(rng, d)
    try:
        event.start, event.end = rng.choice(((5, 2), (0, 0), (event.end, event.start), (0, 1 << 62), (1 << 32, 5)))
    except ValueError:
        pass


def run_name_emptied(rng, d):
    run = a_run(rng, d)
    at = run and d.table(run.at, 0)
    if at:
        struct.pack_into("<I", d.bytes, at, 0)


def nothing(rng, d):
    del rng, d


DUMP_EDITS = (stretched, text_emptied, text_changed, field_removed, number_changed, time_changed, run_name_emptied, nothing)


# ---- records ------------------------------------------------------------------------------------

def edit_json(rng, value):
    """Renames, removes or replaces one member or item at a random place inside the value."""
    while isinstance(value, (dict, list)) and value:
        key = rng.choice(list(value)) if isinstance(value, dict) else rng.randrange(len(value))
        if isinstance(value[key], (dict, list)) and value[key] and rng.random() < 0.7:
            value = value[key]
            continue
        how = rng.randrange(4)
        if how == 0 and isinstance(value, dict):
            value[key + "x"] = value.pop(key)
        elif how == 1:
            del value[key]
        else:
            value[key] = rng.choice((None, [], {}, 3, -1, "text", [1, 2], {"1": "a;b"}))
        return


def edit_record(rng, source, target):
    with zipfile.ZipFile(source) as z:
        entries = [(i.filename, z.read(i)) for i in z.infolist()]
    how = rng.randrange(5)
    maps = [i for i, (name, _) in enumerate(entries) if name in
            ("debug_handle_map", "delegate_map", "instruction_id_to_num_outs_map")]
    if how == 0:
        del entries[rng.randrange(len(entries))]
    elif how == 1:
        rng.shuffle(entries)
    elif how <= 3 and maps:
        at = rng.choice(maps)
        value = json.loads(entries[at][1])
        edit_json(rng, value)
        entries[at] = (entries[at][0], json.dumps(value).encode())
    with zipfile.ZipFile(target, "w") as z:
        for name, data in entries:
            z.writestr(zipfile.ZipInfo(name), data)


# ---- one edit -----------------------------------------------------------------------------------

def make(n, source, folder):
    """Writes edit n of `source` into `folder`. Returns ((dump, record or None), digest of the files)."""
    rng = random.Random(f"inspector/{n}")
    record = record_of(source) if rng.random() < 0.7 else None
    paths = [os.path.join(folder, "run.etdump"), os.path.join(folder, "model.etrecord") if record else None]
    try:
        d = Dump(source)
        edit = rng.choice(DUMP_EDITS[-1:] * 8 + DUMP_EDITS) if record else rng.choice(DUMP_EDITS)
        edit(rng, d)
        order = rng.sample(d.runs, rng.randint(1, len(d.runs))) if d.runs and rng.random() < 0.2 else None
        d.save(paths[0], order)
    except (LookupError, ValueError, struct.error, TypeError, AttributeError):
        with open(source, "rb") as f, open(paths[0], "wb") as to:
            to.write(f.read())
    if record:
        edit_record(rng, record, paths[1])
    digest = hashlib.sha256()
    for path in filter(None, paths):
        with open(path, "rb") as f:
            digest.update(f.read())
    return paths, digest.hexdigest()[:12]


def ask(paths):
    """Calls print_data_tabular() of the real Inspector; returns "answer" or the type of the exception."""
    import io

    from executorch.devtools import Inspector
    try:
        inspector = Inspector(etdump_path=paths[0], etrecord=paths[1])
        inspector.print_data_tabular(file=io.StringIO())
        return "answer"
    except Exception as e:  # the exception's type is the recorded outcome
        return type(e).__name__


def answer(n, source):
    """Returns [digest of the edited files, outcome of the real Inspector]."""
    with tempfile.TemporaryDirectory() as folder:
        paths, digest = make(n, source, folder)
        return [digest, ask(paths)]


def compare():
    with open(ANSWERS, encoding="utf-8") as f:
        recorded = json.load(f)
    wrong = 0
    for n, (source, *before) in enumerate(recorded):
        now = answer(n, os.path.join(DATA, source))
        wrong += now != before
        if now != before:
            print(f"edit {n} of {source}: recorded {before}, now {now}")
    print(f"edited files: {len(recorded) - wrong} / {len(recorded)} as recorded")
    return wrong != 0


def main():
    import logging

    import torch
    logging.disable(logging.CRITICAL)
    torch.set_num_threads(1)
    if sys.argv[1] == "--live":
        return compare()
    answers, paths_of = [], sources()
    for n in range(int(sys.argv[1])):
        source = random.Random(f"source/{n}").choice(paths_of)
        answers.append([os.path.relpath(source, DATA), *answer(n, source)])
    os.makedirs(os.path.dirname(ANSWERS), exist_ok=True)
    with open(ANSWERS, "w", encoding="utf-8") as f:
        f.write("[\n" + ",\n".join(map(json.dumps, answers)) + "\n]\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
