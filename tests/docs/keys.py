#!/usr/bin/env python3
"""keys.py [--update] -- the JSON schemas, docs/analysis.md and docs/diff.md must have each key of core/model/keys.def.

--update writes the schemas; the description of a new key's rows must be written by hand."""
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests/tools"))
import row_keys  # noqa: E402

HEX = {"type": "string", "pattern": "^([0-9a-f]{2})*$"}


def by(words):
    """Returns a change of a schema: the words of "by" become `words`; present words keep their order."""
    def change(schema):
        known = schema["properties"]["by"]["enum"]
        known[:] = [w for w in known if w in words] + [w for w in words if w not in known]
    return change


def stored(members):
    """Returns a change of a schema: an event of a baseline gets `members`, and members for bytes of texts that are not
    UTF-8."""
    def change(schema):
        event = schema["$defs"]["event"]["properties"]
        for name in members:
            event.setdefault(name, {"type": "string"})
            event.setdefault(name + "_hex", HEX)
        for name in [n for n in event if n.startswith("by_") and n.removesuffix("_hex") not in members]:
            del event[name]
    return change


def main():
    keys, wrong = row_keys.read(), []
    for name, change in (("analyze", by(row_keys.offered("ANALYZE"))), ("diff", by(row_keys.offered("COMPARE"))),
                         ("baseline", stored([k.stored for k in keys if k.stored]))):
        path = f"docs/{name}.schema.json"
        with open(os.path.join(ROOT, path), encoding="utf-8") as f:
            text = f.read()
        schema = json.loads(text)
        change(schema)
        now = json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
        if now == text:
            continue
        if "--update" not in sys.argv:
            wrong.append(f"{path} differs from core/model/keys.def: tests/docs/keys.py --update")
            continue
        with open(os.path.join(ROOT, path), "w", encoding="utf-8") as f:
            f.write(now)
    for page, start, end, words in (("docs/analysis.md", "| key | a row is |", "\n\n", row_keys.offered("ANALYZE")),
                                    ("docs/diff.md", "| `row` | one row of the table, of the kind that `--by` chooses", "\n", row_keys.offered("COMPARE"))):
        with open(os.path.join(ROOT, page), encoding="utf-8") as f:
            table = f.read().partition(start)[2].partition(end)[0]
        wrong += [f"{page}: '{start}' lacks {w}" for w in words if not re.search(rf"\b{w}\b", table)]
    print("\n".join(wrong + [f"{len(keys)} keys"]))
    return bool(wrong) or len(keys) < 12


if __name__ == "__main__":
    sys.exit(main())
