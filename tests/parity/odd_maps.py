#!/usr/bin/env python3
"""The maps of an ETRecord, each value replaced by everything that JSON has: what the Inspector makes of it.

    odd_maps.py --etcore build/etcore     compares with odd_maps.json
    odd_maps.py --record                  asks the installed Inspector and writes odd_maps.json

A variant is one value of one map of CASE put in another's place. The answer is what the maps decide of every
event, as a checksum, or the type of the exception that the Inspector raises.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
CASE = os.path.join(os.path.dirname(HERE), "data", "backends", "cases", "coreml_partial")
ANSWERS = os.path.join(HERE, "odd_maps.json")
MEMBERS = ("name", "debug_handles", "num_outputs", "delegate_backend_name", "op_types")

# What stands in a value's place. Text "1" and "cast" occur in the keys and identifiers of the case.
VALUES = ['null', 'true', 'false', '0', '1', '-7', '2.0', '2.5', 'NaN', '""', '"1"', '"forward"', '[]', '["1"]', '["1", "0"]',
          '[5]', '[5, 5.0, true]', '[[5]]', '[null]', '["5"]', '{}', '{"1": 5}', '{"5": 1}', '12345678901234567890']
# Where: the map and the path of the value in it.
PLACES = [
    ("debug_handle_map", ()), ("debug_handle_map", ("forward",)), ("debug_handle_map", ("forward", "1")),
    ("debug_handle_map", ("forward", "2")), ("debug_handle_map", ("forward", "0")),
    ("delegate_map", ()), ("delegate_map", ("forward",)), ("delegate_map", ("forward", "0")),
    ("delegate_map", ("forward", "0", "name")), ("delegate_map", ("forward", "0", "delegate_map")),
    ("delegate_map", ("forward", "0", "delegate_map", "aten_relu_default_cast_fp16:relu")),
    ("instruction_id_to_num_outs_map", ()), ("instruction_id_to_num_outs_map", ("forward",)),
    ("instruction_id_to_num_outs_map", ("forward", "0")),
]


class Raw:
    """JSON text that stands for itself in dump()."""

    def __init__(self, text):
        self.text = text


def dump(value):
    if isinstance(value, Raw):
        return value.text
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)}: {dump(v)}" for k, v in value.items()) + "}"
    return json.dumps(value)


def replaced(value, path, text):
    if not path:
        return Raw(text)
    return {k: replaced(v, path[1:], text) if k == path[0] else v for k, v in value.items()}


def compared(where, text):
    """What etcore does not keep: the name of a backend that is neither text nor null."""
    return where[-1:] != ("name",) or text[0] in 'n"'


def variants(folder):
    """(name, path of the record) of each variant, one file at a time."""
    with zipfile.ZipFile(os.path.join(CASE, "model.etrecord")) as z:
        entries = [(i.filename, z.read(i)) for i in z.infolist()]
    path = os.path.join(folder, "odd.etrecord")
    for entry, where in PLACES:
        for text in (t for t in VALUES if compared(where, t)):
            with zipfile.ZipFile(path, "w") as z:
                for name, data in entries:
                    z.writestr(name, dump(replaced(json.loads(data), where, text)) if name == entry else data)
            yield f"{'/'.join((entry, *where))} = {text}", path


def checksum(events):
    return hashlib.sha256(json.dumps(events).encode()).hexdigest()[:16]


# ------------------------------------------------------------------------ the Inspector


def odd_float(v):
    """As etcore writes what JSON has no number for."""
    if isinstance(v, list):
        return [odd_float(x) for x in v]
    return "nan" if v != v else v


def ask(path):
    from executorch.devtools import Inspector

    try:
        inspector = Inspector(etdump_path=os.path.join(CASE, "run.etdump"), etrecord=path)
    except Exception as error:
        return type(error).__name__
    return checksum([[odd_float(getattr(e, m)) for m in MEMBERS] for b in inspector.event_blocks for e in b.events])


def record():
    import logging

    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as folder:
        answers = {name: ask(path) for name, path in variants(folder)}
    with open(ANSWERS, "w") as f:
        json.dump(answers, f, indent=0)
        f.write("\n")
    print(f"{len(answers)} variants, {sum(len(a) != 16 for a in answers.values())} raise")


# ------------------------------------------------------------------------------- etcore


def etcore_says(etcore, path):
    p = subprocess.run([etcore, "inspector", "--etdump_path", os.path.join(CASE, "run.etdump"), "--etrecord_path", path, "-o", "json"],
                       capture_output=True, stdin=subprocess.DEVNULL, timeout=60)
    if p.returncode == 0:
        events = [e for b in json.loads(p.stdout)["blocks"] for e in b["events"]]
        return checksum([[e[m] for m in MEMBERS] for e in events]), ""
    said = p.stderr.decode("utf-8", "replace").splitlines()
    refused = p.returncode == 10 and not p.stdout and said and "error[E08" in said[0]
    return "refused" if refused else f"status {p.returncode}", said[0] if said else ""


def compare(etcore):
    with open(ANSWERS) as f:
        answers = json.load(f)
    identical = total = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, path in variants(folder):
            got, said = etcore_says(etcore, path)
            total += 1
            if (got == answers[name]) if len(answers[name]) == 16 else (got == "refused"):
                identical += 1
            else:
                print(f"{name}: the Inspector {answers[name]}, etcore {got} {said}")
    if total != len(answers):
        print(f"{ANSWERS} has {len(answers)} answers")
    left_out = len(PLACES) * len(VALUES) - total
    print(f"odd maps: {identical} / {total}; not compared: {left_out} (the name of a backend is no text)")
    return identical != total or total != len(answers) or not total


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--etcore", default="build/etcore")
    p.add_argument("--record", action="store_true")
    args = p.parse_args()
    return record() if args.record else compare(args.etcore)


if __name__ == "__main__":
    sys.exit(main())
