#!/usr/bin/env python3
"""folder_cases.py --etcore PROGRAM - `pipeline validate` and `compare` on run folders that the kit's own scripts have
judged.

For each folder, the exit status and the codes of etcore must agree with the kit's recorded complaints. The table DIFFERENT
lists the folders for which the verdicts may differ, with the reason.
"""
import argparse
import base64
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import recorded

# (pattern of a message of the kit, code of etcore for the same complaint)
CODES = [
    (r"missing run dir", "E1051"), (r"(manifest|metrics)\.json missing", "E1051"), (r"no \.etdump found", "E1054"),
    (r"manifest JSON parse error: (string indices|argument of type)", "E1053"), (r"manifest JSON parse error", "E1052"),
    (r"manifest missing (model field|results\[\])", "E1053"), (r"missing run \w+\.json", "E1051"),
    (r"missing field", "E1053"), (r"must be a non-empty list", "E1053"), (r"experiment set mismatch", "E1064"),
    (r"missing etdump path", "E1053"), (r"missing etdump file", "E1051"), (r"analysis_summary missing key", "E1053"),
    (r"category set mismatch", "E1065"), (r"JSONDecodeError", "E1052"), (r"AttributeError|TypeError", "E1053"),
]
# {case: (etcore's exit status, reason)} of verdicts that may differ from the kit's; there are none.
DIFFERENT = {}


def build(recipe, where):
    """Creates the folder of a recipe at `where`."""
    if recipe.get("missing"):
        return
    os.makedirs(where)
    for name, content in recipe.get("files", {}).items():
        path = os.path.join(where, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if isinstance(content, dict):
            data = base64.b64decode(content["base64"])
        else:
            data = content.replace("<RUN>", where).encode()
        with open(path, "wb") as f:
            f.write(data)
    for name in recipe.get("dirs", []):
        os.makedirs(os.path.join(where, name))
    for name, target in recipe.get("links", {}).items():
        os.symlink(target, os.path.join(where, name))


def ask(etcore, *words):
    out = subprocess.run([etcore, "pipeline", *words, "-o", "json"], capture_output=True, text=True, timeout=60)
    answer = json.loads(out.stdout) if out.stdout else {"findings": [], "passed": []}
    return out.returncode, answer, out.stderr


def complaints(case):
    """Returns etcore's codes for the kit's recorded complaints about a case."""
    lines = [line for line in case.get("stdout", []) if "✅" not in line and "does not match known-good" not in line]
    found = []
    for line in lines + [case.get("dies_with") or ""]:
        codes = [code for pattern, code in CODES if re.search(pattern, line)]
        if line and not codes:
            sys.exit(f"no code for: {line}")
        found += codes[:1]
    return found


def judge(kind, case, status, answer, stderr, show):
    got = [f["code"] for f in answer["findings"] if f["fails"]]
    want = 1 if case["rc"] else 0
    wrong = []
    if status != DIFFERENT.get(case["name"], (want, ""))[0]:
        wrong.append(f"exit status {status}")
    wrong += [f"no {code}" for code in complaints(case) if code not in got]
    if not want and got:
        wrong.append(f"findings {got}")
    if (status == 1) != bool(got):
        wrong.append("status and findings disagree")
    if show or wrong:
        print(f"{kind:9}{case['name']:34} kit {case['rc']}  we {status} {' '.join(got)}  {'; '.join(wrong)}")
        if wrong:
            print(stderr)
    return bool(wrong)


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--etcore", required=True)
    p.add_argument("--show", action="store_true", help="print a line for every folder")
    a = p.parse_args()
    etcore = os.path.abspath(a.etcore)
    bad = count = 0
    with tempfile.TemporaryDirectory() as top:
        cases = recorded.read_json("tests/data/kit/validate_cases.json")["cases"]
        for case in cases:
            where = os.path.join(top, "v", case["name"])
            build(case["recipe"], where)
            bad += judge("validate", case, *ask(etcore, "validate", where), a.show)
            # --level content is strict: it rejects stub files.
            status, answer, _ = ask(etcore, "validate", where, "--level", "content")
            if status != 1:
                bad += 1
                print(f"{case['name']}: --level content lets it pass: {answer}")
            count += 1
        cases = recorded.read_json("tests/data/kit/compare_cases.json")["cases"]
        good = os.path.join(top, "known good")
        build(next(c for c in cases if c["name"] == "same_as_fixture")["recipe"], good)
        for case in cases:
            where = os.path.join(top, "c", case["name"])
            build(case["recipe"], where)
            bad += judge("compare", case, *ask(etcore, "compare", where, "--known-good", good), a.show)
            # Without a known-good run, etcore cannot report differences from it (E1064, E1065); all other checks are the same.
            status, answer, _ = ask(etcore, "compare", where)
            want = bool([c for c in complaints(case) if c not in ("E1064", "E1065")])
            if status != want:
                bad += 1
                print(f"{case['name']}: compare without --known-good: {status}: {answer['findings']}")
            count += 1
    print(f"{count} folders, {bad} wrong answers")
    return 1 if bad or count < 54 else 0


if __name__ == "__main__":
    sys.exit(main())
