#!/usr/bin/env python3
"""summary.py ETCORE -- tests `etcore summary` for every dump of the data. The JSON must follow docs/summary.schema.json;
text and markdown must have the same sentences, each with its command and codes; a sentence must have rows or name its
basis; and each command must run.

tests/claims tests whether the sentences are true."""
import glob
import json
import os
import shlex
import subprocess
import sys

import jsonschema

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
from share import share  # noqa: E402

ETCORE = sys.argv[1]
TEMPLATES = ("diff", "diff, what-if --to", "what-if")  # the commands of these sentences need another file, so they are not run
with open(os.path.join(ROOT, "docs", "summary.schema.json"), encoding="utf-8") as schema_file:
    SCHEMA = jsonschema.Draft202012Validator(json.load(schema_file))


def ask(*words):
    return subprocess.run([ETCORE, *words], cwd=ROOT, capture_output=True, text=True, check=False)


def check_dump(path):
    r = ask("summary", path, "-o", "json")
    if r.returncode:
        assert r.stderr.startswith("etcore: error[E"), (path, r.stderr)
        return set()
    answer = json.loads(r.stdout)
    for error in SCHEMA.iter_errors(answer):
        sys.exit(f"{path}: {error.json_path}: {error.message[:200]}")
    times = {p["path"]: (p["mean_ns"] or 0) * (p["runs"] - p["warmup"]) for m in json.loads(ask("analyze", path, "-o", "json").stdout)["methods"] for p in m["paths"]}
    assert answer["path"] is None or times[answer["path"]] >= (1 - 1e-9) * max(times.values()), (path, answer["path"], times)
    text, markdown = ask("summary", path).stdout, ask("summary", path, "-o", "markdown").stdout
    for s in answer["sentences"]:
        assert s["codes"] or s["command"], (path, s)
        assert bool(s["rows"]) == (s["rests_on"] == "rows"), (path, s)
        evidence = ", ".join([s["command"]] * bool(s["command"]) + s["codes"])
        assert all(c.isprintable() for c in text.rstrip("\n")), path
        if s["text"].isprintable() and evidence.isprintable():
            assert f"{s['text']} [{evidence}]" in text, (path, s)
        assert all(code in markdown for code in s["codes"]), (path, s)
        assert s["cannot_say"] == s["text"].startswith("Cannot say"), (path, s)
        if s["command"] and s["command"] not in TEMPLATES:
            name, *words = shlex.split(s["command"])
            shown = ask(name, path, *words)
            assert shown.returncode == 0 or shown.stderr.startswith("etcore: error[E0573]"), (path, s, shown.stderr)
    return {s["id"] for s in answer["sentences"]}


def main():
    dumps = sorted(glob.glob(os.path.join(ROOT, "tests/data/**/*.etdump"), recursive=True))
    dumps = share([d for d in dumps if os.path.getsize(d) < 300_000]) + [os.path.join(ROOT, "tests/data/advice/branch.etdump.gz")]
    said = set().union(*(check_dump(d) for d in dumps))
    missing = set(SCHEMA.schema["properties"]["sentences"]["items"]["properties"]["id"]["enum"]) - said
    assert not missing or len(dumps) < 100, f"no dump has {missing}"
    print(f"{len(dumps)} dumps, {len(said)} kinds of sentences")


main()
