#!/usr/bin/env python3
"""words.py -- checks that words.txt, docs/claims.md and the generators agree.

Each note and warning of core/base/codes.def, and each word that docs/*.schema.json allow as a verdict, needs a line in
words.txt. The line names claims, or says why the word is no claim. Each named claim needs a generator and a row in
docs/claims.md, each generator needs both, and each row of docs/claims.md must name existing generators.
"""
import glob
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import lab  # noqa: E402


def lines(*path):
    with open(os.path.join(lab.ROOT, *path), encoding="utf-8") as f:
        return f.read().splitlines()


def rows():
    """Returns [(claim as printed, its generators)] of docs/claims.md."""
    table = [line.split("|") for line in lines("docs", "claims.md") if line.startswith("| ") and "generator |" not in line]
    return [(row[1].strip(), re.findall(r"`([^`]+)`", row[-2])) for row in table]


def choices(node):
    """Yields the words that a schema allows."""
    if isinstance(node, dict):
        yield from (v for v in node.get("enum", ()) if isinstance(v, str))
    for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from choices(child)


def printed():
    """Returns all words that need a line: codes of notes and warnings, and words of schemas."""
    codes = {m[1] + m[2] for m in (re.match(r"X\(([NW]), (\d+),", line) for line in lines("core", "base", "codes.def")) if m}
    schemas = sorted(glob.glob(os.path.join(lab.ROOT, "docs", "*.schema.json")))
    return codes | {word for path in schemas for word in choices(json.loads("\n".join(lines(path))))}


def main():
    ours = [line.split("\t") for line in lines("tests", "claims", "words.txt") if line and not line.startswith("#")]
    words, made, ledger, said = [w[0] for w in ours], set(lab.load()), rows(), printed()
    named = {name for _, what in ours if not what.startswith("- ") for name in what.split(", ")}
    told = {name for _, names in ledger for name in names}
    bad = [f"words.txt has {w} twice" for w in sorted({w for w in words if words.count(w) > 1})]
    bad += [f"words.txt has no line for {w}" for w in sorted(said - set(words))]
    bad += [f"words.txt has {w}, which codes.def has not" for w in words if re.fullmatch(r"[NW]\d{4}", w) and w not in said]
    bad += [f"{name} has no generator" for name in sorted((named | told) - made)]
    bad += [f"{name} has no row in docs/claims.md" for name in sorted((named | made) - told)]
    bad += [f"the row '{claim}' of docs/claims.md names no generator" for claim, names in ledger if not names]
    for text in bad:
        print(f"FAIL {text}")
    print(f"{len(words)} words, {len(ledger)} rows, {len(made)} generators")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
