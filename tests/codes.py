#!/usr/bin/env python3
"""codes.py [--update] -- the table of diagnostics (core/base/codes.def) against code, tests and documents.

Every code must be raised somewhere in core/, be named in a test, and stand in docs/codes.md, which is made from
the table: --update writes it.
"""

import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLE = "core/base/codes.def"
PAGE = "docs/codes.md"

GROUPS = {
    "01": "Runs and statistics", "02": "ETDump", "03": "Time and backends", "04": "ETRecord and join",
    "05": "Configuration and command line", "06": "Plugins", "07": "Debug buffer",
    "08": "The Inspector raises here", "09": "System", "10": "Pipeline", "11": "Values and gaps",
}
ROW = re.compile(r'^X\(([EWN]), (\d{4}), (\w+),\s*"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"\)', re.M)
STATUS = re.compile(r'X\((\w+),\s*(\d+), "([^"]*)"\)')


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as f:
        return f.read()


def texts(folder, skip=()):
    """All text files below a folder, but data."""
    out = []
    for where, folders, files in os.walk(os.path.join(ROOT, folder)):
        folders[:] = [f for f in folders if f not in skip]
        for name in files:
            out.append(read(os.path.relpath(os.path.join(where, name), ROOT)))
    return "\n".join(out)


def plain(text):
    return text.replace('\\"', '"').replace("\\\\", "\\")


def page(rows, statuses):
    out = ["# Diagnostic codes", "",
           "Made from `core/base/codes.def` by `tests/codes.py --update`. `etcore explain CODE` shows one row.", "",
           "The letter says how grave it is: an error (E) ends the command with the status shown; a warning (W) is said on",
           "standard error, and becomes that status with `--strict`; a note (N) is part of the answer.", "",
           "| status | meaning |", "|---|---|"]
    out += [f"| {number} | {text} |" for _, number, text in statuses]
    group = None
    for letter, number, status, title, hint in rows:
        if number[:2] != group:
            group = number[:2]
            out += ["", f"## {group}xx {GROUPS[group]}", "", "| code | what | status | what to do |", "|---|---|---|---|"]
        cells = [f"{letter}{number}", plain(title), dict((s[0], s[1]) for s in statuses)[status], plain(hint)]
        out.append("| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |")
    return "\n".join(out) + "\n"


def main():
    update = "--update" in sys.argv[1:]
    source = read(TABLE)
    rows = ROW.findall(source)
    if len(rows) != len(re.findall(r"^X\(", source, re.M)):
        sys.exit(f"{TABLE}: a row has another form than X(letter, number, STATUS, \"title\", \"hint\") on one line")
    statuses = STATUS.findall(read("core/base/error.h"))
    wanted = page(rows, statuses)
    if update:
        with open(os.path.join(ROOT, PAGE), "w", encoding="utf-8") as f:
            f.write(wanted)

    wrong = []
    core = texts("core").replace(source, "")
    tests = texts("tests", skip=("data",))
    for letter, number, *_ in rows:
        name = letter + number
        if not re.search(rf"\b{name}\b", core):
            wrong.append(f"{name} is never raised in core/")
        if not re.search(rf"\b{name}\b", tests):
            wrong.append(f"{name} is in no test")
    numbers = [number for _, number, *_ in rows]
    if numbers != sorted(set(numbers)):
        wrong.append(f"{TABLE}: not sorted, or a number twice")
    if not os.path.exists(os.path.join(ROOT, PAGE)) or read(PAGE) != wanted:
        wrong.append(f"{PAGE} is not what {TABLE} says: tests/codes.py --update")
    print("\n".join(wrong) if wrong else f"{len(rows)} codes raised, tested and documented")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
