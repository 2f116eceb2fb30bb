#!/usr/bin/env python3
"""whatif.py ETCORE -- tests `etcore what-if` for every dump of the data. The JSON must follow docs/what-if.schema.json, its
lines must add up to the total, a factor of 1 must change nothing, and changing two rows at once must equal both changes."""
import glob
import json
import os
import subprocess
import sys
import tempfile

import jsonschema

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
from share import share  # noqa: E402

ETCORE = sys.argv[1]
ANY = "name ~ ."
KEYS = ("now_ns", "new_min_ns", "new_max_ns")
FAILED = ("E0572", "E0573")  # the row has no total, or there are no times
with open(os.path.join(ROOT, "docs", "what-if.schema.json"), encoding="utf-8") as schema_file:
    SCHEMA = jsonschema.Draft202012Validator(json.load(schema_file))


def ask(*words):
    r = subprocess.run([ETCORE, "what-if", *words, "-o", "json"], cwd=ROOT, capture_output=True, text=True, check=False)
    if r.returncode:
        assert any(f"[{code}]" in r.stderr for code in FAILED), (words, r.stderr)
        return None
    answer = json.loads(r.stdout)
    for error in SCHEMA.iter_errors(answer):
        sys.exit(f"{words}: {error.json_path}: {error.message[:200]}")
    return answer


def by_path(answer):
    paths = {}
    for row in answer["rows"]:
        paths.setdefault((row["file"], row["method"], row["path"]), []).append(row)
    return paths


def near(a, b, whole):
    return abs(a - b) <= 1e-9 * max(1.0, whole) + 1e-6


def check_sums(path, answer):
    for place, rows in by_path(answer).items():
        *parts, total = rows
        assert total["what"] == "total", place
        for key in KEYS:
            assert near(sum(p[key] for p in parts), total[key], total["now_ns"]), (path, place, key)
        assert total["new_min_ns"] <= total["new_max_ns"], (path, place)


def check_dump(path):
    half, same = ask(path, "--row", ANY, "--times", "0.5"), ask(path, "--row", ANY, "--times", "1")
    assert (half is None) == (same is None), path
    if half is None:
        return 0
    for answer in (half, same):
        check_sums(path, answer)
    for rows in by_path(same).values():
        assert all(near(row[key], row["now_ns"], row["now_ns"]) for row in rows for key in KEYS), path
    for rows in by_path(half).values():
        kept = sum(r["now_ns"] for r in rows if r["what"] in ("rows", "rounding", "unattributed"))
        changed = sum(r["now_ns"] for r in rows if r["what"] == "row")
        assert near(rows[-1]["new_max_ns"], kept + changed / 2, rows[-1]["now_ns"]), path
        assert rows[-1]["new_min_ns"] >= rows[-1]["now_ns"] / 2 - 1, path
    names = [r["name"] for r in half["rows"] if r["what"] == "row" and "'" not in r["name"]][:2]
    if len(names) == 2 and len(by_path(half)) == 1:
        check_two(path, names)
    return 1


def check_two(path, names):
    """If clocks hide no time, the saving of two changes at once must be the sum of both savings."""
    words = [("--row", f"name = {n}", "--times", "0.5") for n in names]
    one, two, both = ask(path, *words[0]), ask(path, *words[1]), ask(path, *words[0], *words[1])
    if not one or not two or not both:
        return
    saved = [a["rows"][-1]["now_ns"] - a["rows"][-1]["new_max_ns"] for a in (one, two, both)]
    assert near(saved[0] + saved[1], saved[2], both["rows"][-1]["now_ns"]), (path, saved)


def check_ratios():
    """--to kleidiai must use the ratios of the given comparison, and no others."""
    a, b = (os.path.join(ROOT, "tests/data/arm/attn_i8d", n, "run.etdump") for n in ("nosme", "sme2"))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "diff.json")
        subprocess.run([ETCORE, "diff", a, "--", b, "-o", "json=" + path], check=True)
        with open(path, encoding="utf-8") as f:
            measured = {r["base_name"]: r for r in json.load(f)["rows"] if r["match"] == "canonical"}
        assert measured
        rows = [r for r in ask(a, "--to", "kleidiai", "--ratios", path)["rows"] if r["what"] == "row"]
        assert {r["name"] for r in rows} == set(measured)
        for r in rows:
            of = measured[r["name"]]
            assert near(r["new_min_ns"], r["now_ns"] * of["ratio_low"], r["now_ns"]), r
            assert near(r["new_max_ns"], r["now_ns"] * of["ratio_high"], r["now_ns"]), r
        # exchanged, or with no kernels of the library
        for old, new in ((b, a), (a, a)):
            subprocess.run([ETCORE, "diff", old, "--", new, "-o", "json=" + path], check=True)
            r = subprocess.run([ETCORE, "what-if", a, "--to", "kleidiai", "--ratios", path], capture_output=True, text=True, check=False)
            assert r.returncode == 4 and "E0571" in r.stderr, r
        subprocess.run([ETCORE, "diff", a, "--", b, "-o", "json=" + path], check=True)
        # In the other direction the kernels are already the library's, so nothing can be replaced.
        assert ask(b, "--to", "kleidiai", "--ratios", path) is None


def check_salvaged():
    """For a salvaged dump, every command that uses `analyze` must print W0226 as a note and exit with status 5; with
    --strict W0226 must be the error, without an answer."""
    with tempfile.TemporaryDirectory() as folder:
        cut = os.path.join(folder, "cut.etdump")
        with open(os.path.join(ROOT, "tests/data/cases/conv_net_xnnpack/run.etdump"), "rb") as f, open(cut, "wb") as to:
            to.write(f.read(150_000))
        for words in (["what-if", cut, "--row", "name ~ Fully", "--times", "0.5", "-o", "json"], ["summary", cut, "-o", "json"], ["tokens", cut, "-o", "json"],
                      ["report", cut, "-o", "markdown"]):
            for strict in ([], ["--strict"]):
                r = subprocess.run([ETCORE, *words, "--salvage", *strict], capture_output=True, text=True, check=False)
                assert r.returncode == 5 and "W0226" in r.stderr, (words, r)
                assert ("W0226" in r.stdout) == (not strict) and bool(r.stdout) == (not strict), (words, r.stdout[:300])


def main():
    dumps = sorted(glob.glob(os.path.join(ROOT, "tests/data/**/*.etdump"), recursive=True))
    dumps = share([d for d in dumps if os.path.getsize(d) < 300_000 and "/edge/" not in d])
    answered = sum(check_dump(d) for d in dumps)
    assert answered > len(dumps) // 2, (answered, len(dumps))
    check_ratios()
    check_salvaged()
    print(f"{answered} of {len(dumps)} dumps answered")


main()
