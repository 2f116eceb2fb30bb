#!/usr/bin/env python3
"""Replaces values in the maps of an ETRecord by JSON values of every type, and compares how etcore and the Inspector handle
them.

    odd_maps.py --etcore build/etcore     compares with odd_maps.json
    odd_maps.py --record                  asks the installed Inspector and writes odd_maps.json

A variant replaces one value of one map of CASE. Its recorded answer is a checksum of the event fields that depend on the
maps, or the type of the exception that the Inspector raises. A delegate's name is also a cell of the tables, so its
variants have a second answer: the table and the TSV.
"""

import argparse
import hashlib
import io
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

# JSON texts that replace a value. "1" and "cast" occur in the keys and identifiers of the case.
VALUES = ['null', 'true', 'false', '0', '1', '-7', '2.0', '2.5', 'NaN', '""', '"1"', '"forward"', '[]', '["1"]', '["1", "0"]',
          '[5]', '[5, 5.0, true]', '[[5]]', '[null]', '["5"]', '{}', '{"1": 5}', '{"5": 1}', '12345678901234567890']
# A delegate's name is also replaced by lists, objects and numbers for which pandas makes a text.
NAMES = ['["XnnpackBackend"]', '[true]', '[2.5]', '[NaN]', '[-Infinity]', '[{"a": 1}]', '["a\\nb"]', '[""]', '["a", "b"]', '[{}, {}]',
         '{"0": "x"}', '1e400', '-0.0', '1e16', '0.1', 'Infinity', '"a\\tb"']
# Values that are replaced: (map, path of the value in it).
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
    """JSON text that dump() writes unchanged."""

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


def variants(folder):
    """Writes one variant after the other to the same file; yields (name, path of the record, whether it replaces a
    delegate's name)."""
    with zipfile.ZipFile(os.path.join(CASE, "model.etrecord")) as z:
        entries = [(i.filename, z.read(i)) for i in z.infolist()]
    path = os.path.join(folder, "odd.etrecord")
    for entry, where in PLACES:
        for text in VALUES + NAMES * (where[-1:] == ("name",)):
            with zipfile.ZipFile(path, "w") as z:
                for name, data in entries:
                    z.writestr(name, dump(replaced(json.loads(data), where, text)) if name == entry else data)
            yield f"{'/'.join((entry, *where))} = {text}", path, where[-1:] == ("name",)


def checksum(events):
    return hashlib.sha256(json.dumps(events).encode()).hexdigest()[:16]


def odd_float(v):
    """Returns NaN and infinities as the texts that etcore writes, because JSON has no such numbers."""
    if isinstance(v, list):
        return [odd_float(x) for x in v]
    return str(v) if isinstance(v, float) and (v != v or v in (float("inf"), float("-inf"))) else v


# ------------------------------------------------------------------------ the Inspector


def ask(path, tables):
    from executorch.devtools import Inspector

    try:
        inspector = Inspector(etdump_path=os.path.join(CASE, "run.etdump"), etrecord=path)
    except Exception as error:
        return type(error).__name__
    events = checksum([[odd_float(getattr(e, m)) for m in MEMBERS] for b in inspector.event_blocks for e in b.events])
    return [events, ask_tables(inspector)] if tables else events


def ask_tables(inspector):
    table, tsv = io.StringIO(), io.StringIO()
    try:
        inspector.print_data_tabular(table)
        inspector.save_data_to_tsv(tsv)
    except Exception as error:
        return type(error).__name__
    return checksum([table.getvalue(), tsv.getvalue()])


def record():
    import logging

    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as folder:
        answers = {name: ask(path, tables) for name, path, tables in variants(folder)}
    with open(ANSWERS, "w") as f:
        json.dump(answers, f, indent=0)
        f.write("\n")
    print(f"{len(answers)} variants, {sum(len(a) not in (16, 2) for a in answers.values())} raise")


# ------------------------------------------------------------------------------- etcore


def run(etcore, path, form):
    """Returns (stdout, verdict, first error line). The verdict is "" for success, "refused" for status 10 with a code E08xx
    and no stdout, else "status N"."""
    p = subprocess.run([etcore, "inspector", "--etdump_path", os.path.join(CASE, "run.etdump"), "--etrecord_path", path, "-o", form],
                       capture_output=True, stdin=subprocess.DEVNULL, timeout=60)
    said = [line for line in p.stderr.decode("utf-8", "replace").splitlines() if "error[" in line]
    refused = p.returncode == 10 and not p.stdout and said and "error[E08" in said[0]
    return p.stdout.decode(), "" if p.returncode == 0 else "refused" if refused else f"status {p.returncode}", said[0] if said else ""


def etcore_says(etcore, path):
    out, refused, said = run(etcore, path, "json")
    if refused:
        return refused, said
    events = [e for b in json.loads(out)["blocks"] for e in b["events"]]
    return checksum([[odd_float(e[m]) for m in MEMBERS] for e in events]), ""


def etcore_shows(etcore, path):
    shown = [run(etcore, path, form) for form in ("table", "tsv")]
    refused, said = shown[0][1:]
    return (refused, said) if refused == shown[1][1] != "" else (checksum([s[0] for s in shown]), "")


def same(got, answer):
    return got == answer if len(answer) == 16 else got == "refused"


def compare(etcore):
    with open(ANSWERS) as f:
        answers = json.load(f)
    identical = total = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, path, tables in variants(folder):
            asked = [etcore_says, etcore_shows] if tables else [etcore_says]
            for ask_etcore, answer in zip(asked, answers[name] if tables else [answers[name]]):
                got, said = ask_etcore(etcore, path)
                total += 1
                identical += same(got, answer)
                if not same(got, answer):
                    print(f"{name}: the Inspector {answer}, etcore {got} {said}")
    if total != sum(2 if isinstance(a, list) else 1 for a in answers.values()):
        print(f"{ANSWERS} has other answers")
        return True
    print(f"odd maps: {identical} / {total}")
    return identical != total or not total


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--etcore", default="build/etcore")
    p.add_argument("--record", action="store_true")
    args = p.parse_args()
    return record() if args.record else compare(args.etcore)


if __name__ == "__main__":
    sys.exit(main())
