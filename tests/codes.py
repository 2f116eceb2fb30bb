#!/usr/bin/env python3
"""codes.py [--update] -- checks the table of diagnostics (core/base/codes.def) against code, tests and documents.

Every code must be raised somewhere in core/, commands/, library/ or cli/ and have a page in docs/codes/ with cause, example
and remedy. It must be triggered by a setup in tests/codes/setups.sh, or asserted by the test that tests/codes/units.txt
names. It must be listed in docs/codes.md, which is generated from the table: --update writes it and the titles of the
pages. tests/codes/pages.py runs the examples.
"""

import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLE = "core/base/codes.def"
PAGE = "docs/codes.md"
PAGES = "docs/codes"

GROUPS = {
    "01": "Runs and statistics", "02": "ETDump", "03": "Time and backends", "04": "ETRecord and join",
    "05": "Configuration and command line", "06": "Plugins", "07": "Debug buffer",
    "08": "The Inspector raises here", "09": "System", "10": "Pipeline", "11": "Values and gaps",
    "12": "Batch",
    "13": "Roofline",
    "14": "Tokens",
}
ROW = re.compile(r'^X\(([EWN]), (\d{4}), (\w+),\s*"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"\)', re.M)
STATUS = re.compile(r'X\((\w+),\s*(\d+), "([^"]*)"\)')


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as f:
        return f.read()


def texts(folder):
    """Returns the contents of all files below a folder as one text."""
    out = []
    for where, _, files in os.walk(os.path.join(ROOT, folder)):
        for name in files:
            out.append(read(os.path.relpath(os.path.join(where, name), ROOT)))
    return "\n".join(out)


def plain(text):
    return text.replace('\\"', '"').replace("\\\\", "\\")


def anchor(code, title):
    """Returns the anchor that GitHub makes from a heading."""
    return re.sub(r"[^\w\- ]", "", f"{code}: {title}".lower()).replace(" ", "-")


def judge_page(name, title, text):
    """Lists what is missing on a code's page."""
    blocks = re.findall(r"^```(console|text)\n(.*?)^```[ ]*$", text, re.M | re.S)
    if len(blocks) != 1:
        return [f"{name}: its page needs one block ```console, as tests/codes/pages.py says"]
    cause, remedy = re.split(r"^```.*?^```[ ]*$", text, flags=re.M | re.S)
    wrong = []
    if len(cause.split()) < 12 or not remedy.strip():
        wrong.append(f"{name}: its page needs a cause before the example and a remedy behind it")
    if name not in blocks[0][1]:
        wrong.append(f"{name}: the example of its page does not show it")
    if max(map(len, text.splitlines())) > 100 and max(map(len, (cause + remedy).splitlines())) > 100:
        wrong.append(f"{name}: a line of its page is longer than 100 characters")
    setup = re.search(rf"^{name}\(\)", read("tests/codes/setups.sh"), re.M)
    unit = re.search(rf"^{name} (\S+)$", read("tests/codes/units.txt"), re.M)
    if bool(setup) == bool(unit):
        wrong.append(f"{name}: one of tests/codes/setups.sh and tests/codes/units.txt must trigger it")
    if unit and not re.search(rf"(assert\w*|expect)\([^;]*\b{name}\b|\b{name}\b[^;]*\b(assert|expect)", read(unit[1])):
        wrong.append(f"{name}: {unit[1]} does not assert it")
    if bool(unit) != (blocks[0][0] == "text"):
        wrong.append(f"{name}: an example that runs is a block ```console, one of a unit test ```text")
    return wrong


def judge_pages(rows, update):
    wrong = []
    rest = {letter + number: plain(title) for letter, number, _, title, _ in rows}
    for file in sorted(os.listdir(os.path.join(ROOT, PAGES))):
        name = f"{PAGES}/{file}"
        whole = read(name)
        found = re.findall(r"^## ([EWN](\d{4})): ([^\n]*)\n(.*?)(?=^## |\Z)", whole, re.M | re.S)
        for code, number, title, text in found:
            if code not in rest:
                wrong.append(f"{name}: {code} is not in {TABLE}, or has two pages")
                continue
            if number[:2] + ".md" != file:
                wrong.append(f"{name}: {code} belongs into {number[:2]}.md")
            if title != rest[code]:
                wrong.append(f"{name}: {code} is '{rest[code]}' in {TABLE}, not '{title}'")
                whole = whole.replace(f"## {code}: {title}\n", f"## {code}: {rest[code]}\n")
            wrong += judge_page(code, title, text)
            del rest[code]
        if [f[1] for f in found] != sorted(f[1] for f in found):
            wrong.append(f"{name}: the pages are not in the order of their numbers")
        if update and whole != read(name):
            with open(os.path.join(ROOT, name), "w", encoding="utf-8") as f:
                f.write(whole)
    return wrong + [f"{code} has no page in {PAGES}/{code[1:3]}.md" for code in rest]


def page(rows, statuses):
    out = ["# Diagnostic codes", "",
           "This page lists all diagnostics of etcore. Each code links to its page: the cause, an example, and what to do.",
           "`etcore explain CODE` shows the same page; `etcore explain 02` lists a group. `tests/codes.py --update` makes this list",
           "from `core/base/codes.def`.", "",
           "The letter says how grave the finding is. An error (E) ends the command with the exit status shown. A warning (W) is",
           "printed on standard error; with `--strict`, the exit status becomes that of the warning. A note (N) is part of the",
           "answer and does not change the exit status.", "",
           "| exit status | meaning |", "|---|---|"]
    out += [f"| {number} | {text} |" for _, number, text in statuses]
    group = None
    for letter, number, status, title, hint in rows:
        if number[:2] != group:
            group = number[:2]
            out += ["", f"## {group}xx {GROUPS[group]}", "", "| code | finding | exit status | what it means, or what to do |", "|---|---|---|---|"]
        cells = [f"[{letter}{number}](codes/{number[:2]}.md#{anchor(letter + number, plain(title))})", plain(title), "" if letter == "N" else dict((s[0], s[1]) for s in statuses)[status], plain(hint)]
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
    raised = set(re.findall(r"\b[EWN]\d{4}\b", "".join(texts(f) for f in ("core", "commands", "library", "cli")).replace(source, "")))
    for letter, number, *_ in rows:
        name = letter + number
        if name not in raised:
            wrong.append(f"{name} is never raised")
    wrong += judge_pages(rows, update)
    numbers = [number for _, number, *_ in rows]
    if numbers != sorted(set(numbers)):
        wrong.append(f"{TABLE}: not sorted, or a number twice")
    if not os.path.exists(os.path.join(ROOT, PAGE)) or read(PAGE) != wanted:
        wrong.append(f"{PAGE} is not what {TABLE} says: tests/codes.py --update")
    print("\n".join(wrong) if wrong else f"{len(rows)} codes raised, tested and documented")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
