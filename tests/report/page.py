#!/usr/bin/env python3
"""page.py ETCORE [--share K] -- the page of `etcore report`, as a file.

Of every ETDump of the data: `report` answers with the status of `analyze` (and has no page without events); the page has one style and two scripts (data and
program), no address of anything outside, and a policy that allows the style and the script by their hashes and nothing else; in
it the analyses are those of `analyze -o json` and `diff -o json`, member for member, and the runs those of `--by run -o csv`; a
slice of a timeline follows the one that encloses it and lies within it. Hostile texts (tests/faults/names.py) begin no element and end none. A page is smaller than 1 MB.
--share asks about one dump of K. Standard library only.
"""

import base64
import glob
import hashlib
import html.parser
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "faults"), os.path.join(ROOT, "tests", "pipeline")]
os.chdir(ROOT)
import kit_runs
import names

ETCORE = os.path.abspath(sys.argv[1]) if os.path.sep in sys.argv[1] else sys.argv[1]
SHARE = int(sys.argv[sys.argv.index("--share") + 1]) if "--share" in sys.argv else 1
MOST = 1 << 20
KEYS = ["op", "kernel", "module", "source", "category", "backend", "delegate", "fallback"]
wrong, counts = [], {"pages": 0, "analyses": 0, "slices": 0, "refused": 0, "largest": 0}


def etcore(*args):
    return subprocess.run([ETCORE, *args], capture_output=True, timeout=300)


class Page(html.parser.HTMLParser):
    """Elements, and the texts of those that matter."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.texts, self.open = [], {}, None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.elements.append((tag, attrs))
        self.open = None
        if tag in ("style", "script", "title", "h1"):
            self.open = tag + ("-data" if attrs.get("type") else "")
            self.texts.setdefault(self.open, []).append("")

    def handle_endtag(self, tag):
        self.open = None

    def handle_data(self, data):
        if self.open:
            self.texts[self.open][-1] += data


def source(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def structure(what, text):
    """The parts of a page; None: it is none."""
    page = Page(text)
    tags = [tag for tag, _ in page.elements]
    for tag, number in (("style", 1), ("script", 2), ("h1", 1), ("main", 1), ("title", 1)):
        if tags.count(tag) != number:
            wrong.append(f"{what}: {tags.count(tag)} elements {tag}")
            return None
    for tag, attrs in page.elements:
        for name, value in attrs.items():
            if name in ("src", "href", "action", "data", "srcset") and not value.startswith("#") or name.startswith("on") or name == "style":
                wrong.append(f"{what}: <{tag} {name}={value!r}>")
    policy = next((a["content"] for t, a in page.elements if a.get("http-equiv") == "Content-Security-Policy"), "")
    expected = (f"default-src 'none'; style-src {source(page.texts['style'][0])}; script-src {source(page.texts['script'][0])}; "
                "base-uri 'none'; form-action 'none'")
    if policy != expected:
        wrong.append(f"{what}: policy {policy!r}, not {expected!r}")
    return page


def timeline(what, t):
    depth = []
    for i, s in enumerate(t["slices"]):
        parent, start, length = s[0], s[1], s[2]
        counts["slices"] += 1
        if length < 0 or parent >= i:
            wrong.append(f"{what}: slice {i}: {s}")
            return
        depth.append(0 if parent < 0 else depth[parent] + 1)
        if parent >= 0:
            outer = t["slices"][parent]
            if start < outer[1] or start + length > outer[1] + outer[2]:
                wrong.append(f"{what}: slice {i} {s} is not within {outer}")
        for text in s[8:]:
            if text >= len(t["texts"]):
                wrong.append(f"{what}: slice {i} has text {text} of {len(t['texts'])}")


def without_hashes(answer):
    """Files by name only: the first answer has the hashes."""
    files = answer.get("files", []) + [f for g in answer.get("groups", []) for f in g["files"]]
    return {**answer, "files": [(f["path"], f["kind"]) for f in files], "groups": [
        {**g, "files": None} for g in answer.get("groups", [])]}


def same(what, name, have, args):
    """Is a part of the page what a command answers?"""
    r = etcore(*args)
    counts["analyses"] += 1
    if without_hashes(json.loads(r.stdout)) != without_hashes(have):
        wrong.append(f"{what}: {name} is not what etcore {' '.join(args)} says")


def judge(what, *dumps):
    """A page of one dump, or of two groups of one each."""
    two = len(dumps) > 1
    operands = [dumps[0], "--", dumps[1]] if two else [dumps[0]]
    first = etcore("diff" if two else "analyze", *operands, "-o", "json")
    r = etcore("report", *operands)
    if b"error[E0560]" in r.stderr:  # nothing to draw is an error here, and a warning there
        if (r.returncode, r.stdout) != (1, b"") or b"warning[W0203]" not in first.stderr:
            wrong.append(f"{what}: status {r.returncode} {r.stderr[:300]!r}, of analyze {first.stderr[:200]!r}")
        counts["refused"] += 1
        return
    if r.returncode != first.returncode:
        wrong.append(f"{what}: status {r.returncode} {r.stderr[:300]!r}, of {'diff' if two else 'analyze'} {first.returncode} {first.stderr[:200]!r}")
        return
    if r.returncode != 0:
        counts["refused"] += 1
        if r.stdout:
            wrong.append(f"{what}: status {r.returncode} with a page")
        return
    counts["pages"] += 1
    counts["largest"] = max(counts["largest"], len(r.stdout))
    if len(r.stdout) > MOST and "name_100k" not in what:  # a name of 100,000 characters stands in it often
        wrong.append(f"{what}: {len(r.stdout)} bytes")
    page = structure(what, r.stdout.decode())
    if not page:
        return
    data = json.loads(page.texts["script-data"][0])
    if data["schema"] != "etcore.report/1" or len(data["groups"]) != 1 + two:
        wrong.append(f"{what}: {data['schema']}, {len(data['groups'])} groups")
    if any(not f["sha256"] for g in data["groups"] for f in g["by"]["op"]["files"]):
        wrong.append(f"{what}: a file without its hash")
    left_out = "".join(n["text"] for n in data["notes"])
    for group, dump in zip(data["groups"], dumps):
        for by, analysis in group["by"].items():
            cut = ["--where", "share >= 0.1%"] if f"--by {by}:" in left_out else []
            same(what, by, analysis, ["analyze", dump, "--by", by, "-o", "json", *cut])
        runs = etcore("analyze", dump, "--by", "run", "-o", "csv", "--columns", "name,method,path,total_ns,use,file")
        if runs.stdout.decode() != group["runs"]:
            wrong.append(f"{what}: runs")
        for t in group["timelines"]:
            timeline(what, t)
    for by, comparison in data.get("changes", {}).items():
        same(what, f"changes by {by}", comparison, ["diff", *operands, "--by", by, "-o", "json"])
    if two and not set(data["changes"]) >= {"op", "kernel", "category", "backend"}:
        wrong.append(f"{what}: changes by {list(data['changes'])}")
    said = {n["code"] for group in data["groups"] for a in group["by"].values() for n in a["notes"]}
    if not said <= {c["code"] for list_ in data["codes"] for c in list_}:
        wrong.append(f"{what}: codes without a page: {said}")


def run_folder(folder):
    """`pipeline report -o html` is the page of the experiments' dumps."""
    kit_runs.unpack(kit_runs.load()["ab_cnn_f32/g1"], folder)
    r = etcore("pipeline", "report", folder, "-o", "html")
    page = structure("pipeline report", r.stdout.decode())
    if not page:
        return
    data = json.loads(page.texts["script-data"][0])
    groups = [(g["name"], [f["path"] for f in g["files"] if f["kind"] == "etdump"]) for g in data["changes"]["op"]["groups"]]
    counts["pages"] += 1
    if [n for n, _ in groups] != ["mac_sme2_off", "mac_sme2_on"] or not all(files for _, files in groups):
        wrong.append(f"pipeline report: groups {groups}")


def hostile(folder):
    """Names with markup: one page for each of the texts in turn."""
    for kind in names.DUMPS:
        with open(names.FILES[kind], "rb") as f:
            data = f.read()
        for turn in range(0, len(names.TOKENS)):
            path = os.path.join(folder, f"{kind}{turn}.etdump")
            changed, count = names.hostile(data, turn)
            with open(path, "wb") as f:
                f.write(changed)
            if count:
                judge(f"{kind}, text {turn}", path)
                r = etcore("report", path, "-o", "markdown")
                text = r.stdout.decode()
                if re.search(r"<(?!/?details|/?summary)\w", text.replace("\\<", "")) or names.odd(text):
                    wrong.append(f"{kind}, text {turn}: markdown: {re.search('<[^ds/].*', text)}")
            os.remove(path)


def main():
    dumps = sorted(p for pattern in ("cases/*", "arm/*/*", "backends/cases/*", "edge") for p in glob.glob(f"tests/data/{pattern}/*.etdump"))
    for i, dump in enumerate(dumps):
        if i % SHARE == 0:
            judge(dump, dump)
    folders = sorted(glob.glob("tests/data/arm/*"))
    for i, folder in enumerate(folders):
        if i % (2 * SHARE) == 0 and os.path.isdir(folder):
            judge(folder, f"{folder}/a53/run.etdump", f"{folder}/n1/run.etdump")
    with tempfile.TemporaryDirectory() as folder:
        hostile(folder)
        run_folder(os.path.join(folder, "kit"))
        path = os.path.join(folder, "<img src=x onerror=alert(1)> & \"'.etdump")
        with open(path, "wb") as f, open(names.FILES["etdump"], "rb") as g:
            f.write(g.read())
        judge("name of a file", path)
    print("\n".join(wrong[:40]))
    print(", ".join(f"{v} {k}" for k, v in counts.items()), f"; {len(wrong)} wrong")
    return 1 if wrong or not counts["pages"] else 0


if __name__ == "__main__":
    sys.exit(main())
