#!/usr/bin/env python3
"""page.py ETCORE -- tests the page of `etcore report` as a file.

For every ETDump of the data, `report` must exit with the status of `analyze` (and make no page without events). The page
must have one style and two scripts (data and program), no external address, and a policy that allows only that style and
script by their hashes. Its analyses must equal `analyze -o json` and `diff -o json`, member for member, and its runs `--by
run -o csv`. A slice of a timeline must follow the slice that encloses it, and lie within it. Of many rows the largest must
be on the page, and the sums of the others must be right. Hostile texts (tests/faults/names.py) must not start or end an
element. A page must be smaller than 1 MB. Standard library only.
"""

import base64
import csv
import glob
import hashlib
import html.parser
import io
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "faults"), os.path.join(ROOT, "tests", "pipeline"), os.path.join(ROOT, "tests")]
os.chdir(ROOT)
import kit_runs
import names
from share import SHARE, share, some

ETCORE = os.path.abspath(sys.argv[1]) if os.path.sep in sys.argv[1] else sys.argv[1]
MOST = 1 << 20
KEYS = ["op", "kernel", "module", "source", "category", "backend", "delegate", "fallback"]
wrong, counts = [], {"pages": 0, "analyses": 0, "slices": 0, "refused": 0, "largest": 0, "left out": 0, "numbered": 0}


def etcore(*args):
    return subprocess.run([ETCORE, *args], capture_output=True, timeout=300)


class Page(html.parser.HTMLParser):
    """Parses a page: the list of its elements, and the texts of those that the test reads."""

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
    """Returns the parts of a page; None if the text is not a page of a report."""
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


def of_run(what, t, rows):
    """Checks that the timeline is the run of `analyze --by run` that it names. `rows`: {name: row}."""
    if t["run"] is None:
        return
    row = rows.get(f"run {t['run']}", {})
    roots = [s[3] / t["den"] for s in t["slices"] if s[5] == 0]
    counts["numbered"] += 1
    if row.get("file", t["file"]) != t["file"] or not any(abs(r - float(row.get("total_ns") or row.get("total_raw") or -2)) <= 1 for r in roots):
        wrong.append(f"{what}: timeline of run {t['run']}: {roots}, not {row}")


def path_of(row):
    """Returns what identifies the path of a row, in an answer and in the page's entry for omitted rows."""
    return tuple(row.get(k) for k in ("method", "path", "base", "group")) + (row.get("file") or (row.get("columns") or {}).get("file"),)


def same(what, name, have, left, args, first=()):
    """Checks that a part of the page equals a command's answer. Of too many rows it must have the largest, and the sums of
    the others. Notes in `first`, the answer by op, need not be repeated."""
    r = etcore(*args)
    counts["analyses"] += 1
    answer = json.loads(r.stdout)
    notes = [n for n in answer["notes"] if n in have["notes"] or n in first]
    if {**answer, "rows": None} != {**have, "rows": None, "notes": notes} or any(n not in notes for n in have["notes"]):
        wrong.append(f"{what}: {name} is not what etcore {' '.join(args)} says")
    kept, others = iter(have["rows"]), {}
    row = next(kept, None)
    for a in answer["rows"]:
        if a == row:
            row = next(kept, None)
        else:
            others.setdefault(path_of(a), []).append(a)
    if row is not None:
        wrong.append(f"{what}: {name} has a row {row} that etcore {' '.join(args)} has not")
    if set(others) != {path_of(l) for l in left} or len(others) != len(left):
        wrong.append(f"{what}: {name} leaves out rows of {list(others)}, and says {left}")
        return
    for l in left:
        rows = [a for a in others[path_of(l)] if not a["detached"]]
        if (l["rows"], l["detached"]) != (len(rows), len(others[path_of(l)]) - len(rows)):
            wrong.append(f"{what}: {name} leaves out {len(rows)} rows, and says {l}")
        for key in ("self_ns", "share", "base_ns", "difference_ns"):
            sums = [a[key] for a in rows if a.get(key) is not None]
            if not math.isclose(sum(sums), l.get(key, 0), rel_tol=1e-9, abs_tol=1e-6):
                wrong.append(f"{what}: {name} leaves out {sum(sums)} of {key}, and says {l}")
        shown = [a for a in have["rows"] if path_of(a) == path_of(l) and not a["detached"]]
        if rows and not shown:
            wrong.append(f"{what}: {name} has no row of {path_of(l)}")
        if "share" in l and shown and min(a["share"] for a in shown) < max(a["share"] for a in rows):
            wrong.append(f"{what}: {name} leaves out a larger row than one it has")
    counts["left out"] += sum(map(len, others.values()))


def judge(what, *dumps):
    """Checks the page of one dump, or of two groups of one dump each."""
    two = len(dumps) > 1
    operands = [dumps[0], "--", dumps[1]] if two else [dumps[0]]
    first = etcore("diff" if two else "analyze", *operands, "-o", "json")
    r = etcore("report", *operands)
    if b"error[E0560]" in r.stderr:  # a dump with nothing to draw is an error here, but a warning of analyze
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
    if len(r.stdout) > MOST and "name_100k" not in what:  # a name of 100,000 characters occurs in it several times
        wrong.append(f"{what}: {len(r.stdout)} bytes")
    page = structure(what, r.stdout.decode())
    if not page:
        return
    data = json.loads(page.texts["script-data"][0])
    if data["schema"] != "etcore.report/1" or len(data["groups"]) != 1 + two:
        wrong.append(f"{what}: {data['schema']}, {len(data['groups'])} groups")
    for g in data["groups"]:
        for by, a in g["by"].items():
            if any(not f["sha256"] for f in a["files"]):
                wrong.append(f"{what}: --by {by}: a file without its hash")
    if two and set(data["groups"][0]["by"]) < {"op", "kernel", "category", "backend", "delegate", "fallback"}:
        wrong.append(f"{what}: groups by {list(data['groups'][0]['by'])}")
    for group, dump in zip(data["groups"], dumps):
        for by, analysis in group["by"].items():
            same(what, by, analysis, group["left"].get(by, []), ["analyze", dump, "--by", by, "-o", "json"],
                 group["by"]["op"]["notes"])
        parts = etcore("analyze", dump).stdout.decode().split("\n\n")
        if group["heads"] != [head for head, table in zip(parts, parts[1:]) if table.lstrip().startswith("#  ")]:
            wrong.append(f"{what}: the lines above tables")
        runs = etcore("analyze", dump, "--by", "run", "-o", "csv", "--columns", "name,method,path,total_ns,use,file,total_raw")
        if runs.stdout.decode() != group["runs"]:
            wrong.append(f"{what}: runs")
        rows = {row["name"]: row for row in csv.DictReader(io.StringIO(group["runs"]))}
        for t in group["timelines"]:
            timeline(what, t)
            of_run(what, t, rows)
    for by, comparison in data.get("changes", {}).items():
        same(what, f"changes by {by}", comparison, data["left"].get(by, []), ["diff", *operands, "--by", by, "-o", "json"])
    if two and not set(data["changes"]) >= {"op", "kernel", "category", "backend"}:
        wrong.append(f"{what}: changes by {list(data['changes'])}")
    said = {n["code"] for group in data["groups"] for a in group["by"].values() for n in a["notes"]}
    if not said <= {c["code"] for list_ in data["codes"] for c in list_}:
        wrong.append(f"{what}: codes without a page: {said}")


def run_folder(folder):
    """`pipeline report -o html` must be the page of the experiments' dumps."""
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


def page_of(*operands):
    """Returns the parsed document and the data of a page."""
    page = structure(" ".join(operands), etcore("report", *operands).stdout.decode())
    return page, json.loads(page.texts["script-data"][0])


def many_rows(folder):
    """With 900 and 3,000 kernels the page must keep its size limit, and count and sum the omitted rows."""
    for count in some((900, 3000), 2):
        path = os.path.join(folder, f"many{count}.etdump")
        subprocess.run([sys.executable, "tests/tools/make_dump.py", "--noise", "3:90000000:1000", "--events", str(count), path], check=True)
        before = counts["left out"]
        judge(f"{count} kernels", path)
        judge(f"{count} kernels, twice", path, path)
        if counts["left out"] == before:
            wrong.append(f"{count} kernels: nothing is left out")
        _, data = page_of(path)
        for by, a in data["groups"][0]["by"].items():
            if by == "fallback":
                continue
            left = data["groups"][0]["left"].get(by, [])
            share = sum(r["share"] for r in a["rows"]) + sum(l["share"] for l in left)
            p = a["methods"][0]["paths"][0]
            share += (p["rounding_ns"] + p["unattributed_ns"]) / p["typical_ns"]
            if not math.isclose(share, 1, rel_tol=1e-6):
                wrong.append(f"{count} kernels by {by}: {share} of the time")


def serial_log():
    """For a serial log, rows in cycles must have totals, and the hash must be the log's."""
    path = "tests/data/logs/runner.log"
    _, data = page_of(path)
    group = data["groups"][0]
    with open(path, "rb") as f:
        if group["logs"] != [{"path": path, "sha256": hashlib.sha256(f.read()).hexdigest()}]:
            wrong.append(f"{path}: {group['logs']}")
    p = group["by"]["op"]["methods"][0]["paths"][0]
    rows = sum(r["columns"]["self_raw"] for r in group["by"]["op"]["rows"])
    if (p["unit"], p["typical_raw"]) != ("cycles", 2985) or rows + p["rounding_raw"] + p["unattributed_raw"] != 2985:
        wrong.append(f"{path}: {p}, rows {rows}")
    if ",2985" not in group["runs"] or "fallback" not in group["by"]:
        wrong.append(f"{path}: runs {group['runs']}, by {list(group['by'])}")


def titles(folder):
    """The title must describe the page in one line, with all files and groups."""
    a, b = "tests/data/arm/attn_i8d/a53/run.etdump", "tests/data/arm/attn_i8d/n1/run.etdump"
    broken = os.path.join(folder, "two\nlines" + "x" * 150 + ".etdump")
    shutil.copy(a, broken)
    for operands, title in (([a, b], f"2 files: {a} …"), ([a, "--", b], f"{a} against {b}"), ([a, "--", b, "--names", "old,new"], "old against new")):
        page, data = page_of(*operands)
        if page.texts["title"][0] != f"{title} – etcore report" or page.texts["h1"][0] != title:
            wrong.append(f"title of {operands}: {page.texts['title'][0]}")
        heading = etcore("report", *operands, "-o", "markdown").stdout.decode().split("\n")[0].replace("\\", "")
        if not all(word.strip("…") in heading for word in title.split()):
            wrong.append(f"heading of {operands}: {heading}")
    page, _ = page_of(broken)
    if "\n" in page.texts["title"][0] or len(page.texts["title"][0]) > 230:
        wrong.append(f"title of a file name with two lines: {page.texts['title'][0]!r}")
    _, data = page_of(a, "--", b, "--", "tests/data/arm/attn_i8d/sme2/run.etdump")
    text = etcore("diff", a, "--", b, "--", "tests/data/arm/attn_i8d/sme2/run.etdump").stdout.decode()
    if data["screen"].split("\n")[:2] != text.split("\n")[:2] or "sme2 is slower" not in data["screen"]:
        wrong.append(f"three groups: {data['screen'][:300]}")


def hostile(folder):
    """Names with markup: checks one page for each of the texts."""
    for kind in names.DUMPS:
        with open(names.FILES[kind], "rb") as f:
            data = f.read()
        for turn in share(range(len(names.TOKENS))):
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


def roofline():
    """The page must show the same column titles of --roofline as the terminal, and define none of its own."""
    peak = ["tests/data/cases/conv_net_xnnpack/run.etdump", "--peak", "gflops_fp32=150,gbps=20"]
    page, data = page_of(*peak)
    screen = etcore("analyze", *peak, "--roofline").stdout.decode()
    titles = data["groups"][0].get("titles", {})
    for title in ("% of roof", "bound by", "at most saved", "GFLOP/s"):
        if title not in titles.values() or title not in screen:
            wrong.append(f"roofline: '{title}' is no title of the page or the terminal: {titles}")
    for title in titles.values():
        if f'"{title}"' in page.texts["script"][0] and title not in ("type", "why", "roof"):
            wrong.append(f"roofline: page.js has a title of its own: {title}")


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
        many_rows(folder)
        serial_log()
        titles(folder)
        roofline()
        path = os.path.join(folder, "<img src=x onerror=alert(1)> & \"'.etdump")
        with open(path, "wb") as f, open(names.FILES["etdump"], "rb") as g:
            f.write(g.read())
        judge("name of a file", path)
    print("\n".join(wrong[:40]))
    print(", ".join(f"{v} {k}" for k, v in counts.items()), f"; {len(wrong)} wrong")
    return 1 if wrong or not counts["pages"] else 0


if __name__ == "__main__":
    sys.exit(main())
