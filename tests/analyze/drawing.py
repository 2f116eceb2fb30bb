#!/usr/bin/env python3
"""drawing.py --etcore build/etcore -- tests `dump --graph -o dot|svg`, with and without times, for every ETRecord of
tests/data/cases.

The drawing must have one node per call, input and output, edges for the arguments of `-o json`, and the times of the node
data for Model Explorer; the longest time is the reddest node. -o svg runs `dot` of PATH, which is a script here; without it
the error is E0581. If graphviz is installed, it must draw each graph of each ETRecord without a message, as XML with the
nodes, edges and texts of the drawing, hostile names included. Standard library only.
"""
import argparse
import base64
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
import zipfile

import model_explorer

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from share import share  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NODE = re.compile(r'  n(\d+) \[label="((?:[^"\\]|\\.)*)"(.*)\];')
EDGE = re.compile(r"  n(\d+) -> n(\d+);")
FAKE = '#!/bin/sh\n[ "$1" = -Tsvg ] || exit 3\necho "<svg>"\n/bin/cat\necho "</svg>"\n'


def ask(etcore, *words, status=0, path="/usr/bin:/bin"):
    done = subprocess.run([etcore, *words], check=False, stdin=subprocess.DEVNULL, capture_output=True, timeout=120,
                          env={"PATH": path, "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"})
    assert done.returncode == status, (words, done.returncode, done.stderr.decode())
    return done.stdout.decode() if status == 0 else done.stderr.decode()


def unquoted(label):
    """Returns the lines of a label: decodes escapes of dot, then entities of graphviz."""
    lines = re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], label).split("\n")
    return [line.replace("&amp;", "&") for line in lines]


def check_svg(drawing, svg):
    """Compares graphviz's SVG with the drawing: nodes, edges and texts."""
    SVG = "{http://www.w3.org/2000/svg}"
    groups = xml.etree.ElementTree.fromstring(svg).iter(SVG + "g")
    drawn = {"node": {}, "edge": []}
    for g in groups:
        title = g.findtext(SVG + "title")
        if g.get("class") == "node":
            drawn["node"][title] = [t.text for t in g.iter(SVG + "text")]
        elif g.get("class") == "edge":
            drawn["edge"].append(title)
    lines = drawing.split("\n")
    assert drawn["node"] == {"n" + m[1]: unquoted(m[2]) for m in map(NODE.fullmatch, lines) if m}, drawn["node"]
    assert sorted(drawn["edge"]) == sorted(f"n{m[1]}->n{m[2]}" for m in map(EDGE.fullmatch, lines) if m)
    return len(drawn["node"])


def hostile(path, tmp):
    """Writes an ETRecord whose operators have names with special characters of dot, XML or graphviz; returns its path and
    those names."""
    names = {b"aten.addmm.default": "a&lt;b\\\\N&#65;", b"aten.permute_copy.default": "<i>\\\"\u00e9\u6f22&x",
             b"aten._softmax.default": "]]>;\\l{|}'`%s-->&amp;"}
    changed = f"{tmp}/hostile.etrecord"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(changed, "w") as new:
        for info in old.infolist():
            data = old.read(info)
            for name, to in names.items() if data[:1] == b"{" else ():
                data = data.replace(b"edge.ops." + name, b"edge.ops." + json.dumps(to)[1:-1].encode())
            new.writestr(zipfile.ZipInfo(info.filename), data)
    return changed, list(names.values())


def check_graphviz(etcore, tmp):
    """Lets graphviz draw every graph of every ETRecord; returns the number of nodes drawn."""
    count = 0
    for record in share(sorted(glob.glob("tests/data/**/*.etrecord", recursive=True))):
        listed = subprocess.run([etcore, "dump", record, "-o", "json"], capture_output=True, check=False)
        answer = json.loads(listed.stdout)["etrecord"] if listed.returncode == 0 else {"graphs": []}
        for graph in answer["graphs"]:
            words = ["dump", record, "--graph", graph["name"]]
            made = subprocess.run([etcore, *words, "-o", "dot"], capture_output=True, check=False)
            if made.returncode:
                assert b"error[E" in made.stderr, (words, made)
                continue
            drawn = subprocess.run(["dot", "-Tsvg"], input=made.stdout, capture_output=True, check=False)
            assert (drawn.returncode, drawn.stderr) == (0, b""), (words, drawn.stderr)
            assert drawn.stdout.decode() == ask(etcore, *words, "-o", "svg"), words
            count += check_svg(made.stdout.decode(), drawn.stdout)
    changed, names = hostile("tests/data/cases/mlp_portable/model.etrecord", tmp)
    drawing = ask(etcore, "dump", changed, "--graph", "-o", "dot")
    shown = [line for m in map(NODE.fullmatch, drawing.split("\n")) if m for line in unquoted(m[2])]
    assert all(any(n in line for line in shown) for n in names), shown
    check_svg(drawing, ask(etcore, "dump", changed, "--graph", "-o", "svg").encode())
    return count


def is_weight(node):
    return node["op"] == "placeholder" and re.match(r"[pbc]_.", node["name"])


def check(etcore, case, tmp):
    record, dump = f"tests/data/cases/{case}/model.etrecord", f"tests/data/cases/{case}/run.etdump"
    program = model_explorer.program_of(case, tmp)
    graphs = [""]
    if case.startswith("multi_method"):
        graphs = ["decode"]
    count = 0
    for graph in graphs:
        words = ["dump", record, "--graph", *([graph] if graph else [])]
        want = json.loads(ask(etcore, *words, "-o", "json"))["graph"]["nodes"]
        plain = ask(etcore, *words, "-o", "dot")
        lines = plain.split("\n")
        nodes = {int(m[1]): m for m in map(NODE.fullmatch, lines) if m}
        assert sorted(nodes) == [i for i, n in enumerate(want) if not is_weight(n)]
        names = {n["name"]: i for i, n in enumerate(want)}
        edges = sorted((int(m[1]), int(m[2])) for m in map(EDGE.fullmatch, lines) if m)
        texts = [(re.sub(r"'(?:[^'\\]|\\.)*'", "", a["text"]), i) for i, n in enumerate(want) for a in n["arguments"]]
        expected = sorted((names[w], i) for t, i in texts for w in re.findall(r"[\w.]+", t) if w in names and names[w] < i and
                          not is_weight(want[names[w]]))
        assert edges == expected, (edges, expected)
        assert "fillcolor=\"#" not in plain
        if case == "no_runs":
            assert "E0580" in ask(etcore, *words, "-o", "dot", "--times", dump, status=6)
            continue
        timed = ask(etcore, *words, "-o", "dot", "--times", dump, "-m", program)
        ask(etcore, "analyze", dump, "-m", program, "-r", record, "-o", f"model-explorer={tmp}/{case}")
        with open(f"{tmp}/{case}/run.etrecord.json", encoding="utf-8") as f:
            data = json.load(f)
        data = next(v for k, v in data.items() if len(data) == 1 or k == (graph or "forward"))["results"]
        times, colors = {}, {}
        for m in map(NODE.fullmatch, timed.split("\n")):
            t = m and re.search(r"\\n(\d+\.\d+) µs \(", m[2])
            if t:
                name = m[2].split("\\n")[0] + "_"
                times[name] = float(t[1])
                colors[name] = re.search(r'fillcolor="#(..)(..)(..)"', m[3])[2]
        assert set(times) == set(data) and all(abs(times[n] - data[n]["value"]) <= 0.0006 for n in data), (times, data)
        order = sorted(times, key=times.get)
        assert all(int(colors[a], 16) >= int(colors[b], 16) for a, b in zip(order, order[1:])), colors
        count += len(times)
    return count


def check_log(etcore, tmp):
    """Times of a serial log must be in the log's clock unit, as for `analyze`."""
    with open("tests/data/cases/mlp_portable/run.etdump", "rb") as f:
        text = base64.b64encode(f.read()).decode()
    with open(f"{tmp}/run.log", "w") as f:
        f.write(f'# Writing etdump.bin [base64]\necho "{text}" | base64 -d >etdump.bin\n')
    words = ["tests/data/cases/mlp_portable/model.etrecord", "--graph", "-o", "dot", "--times", f"{tmp}/run.log"]
    drawn = ask(etcore, "dump", *words)
    assert re.search(r"\\n\d+\.\d+ cycles \(", drawn) and "µs" not in drawn, drawn


def check_long(etcore, tmp):
    """No string of the drawing may be longer than 16,384 bytes, which is dot's limit."""
    changed = f"{tmp}/long.etrecord"
    count = 0
    with zipfile.ZipFile("tests/data/cases/mlp_xnnpack/model.etrecord") as old, zipfile.ZipFile(changed, "w") as new:
        for info in old.infolist():
            data = old.read(info.filename)
            count += data.count(b"aten_relu_default")
            data = data.replace(b"aten_relu_default", b"aten_relu_default" + b"x" * 20000)
            new.writestr(zipfile.ZipInfo(info.filename), data)
    assert count, "no name was made longer"
    drawn = ask(etcore, "dump", changed, "--graph", "-o", "dot")
    labels = re.findall(r'label="([^"]*)"', drawn)
    assert any(re.search("x{100}\u2026", label) for label in labels) and all(len(label) < 450 for label in labels), max(map(len, labels))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--etcore", required=True)
    etcore = os.path.abspath(parser.parse_args().etcore)
    os.chdir(ROOT)
    with tempfile.TemporaryDirectory() as tmp:
        cases = sorted(f.split("/")[-2] for f in glob.glob("tests/data/cases/*/model.etrecord"))
        cases = [c for c in cases if c != "etrecord_made_by_hand"]  # this record's graph is one of three, selected by name
        count = sum(check(etcore, c, tmp) for c in cases)
        words = ["dump", "tests/data/cases/mlp_xnnpack/model.etrecord", "--graph"]
        assert "E0581" in ask(etcore, *words, "-o", "svg", status=6, path=tmp)
        for text, status in ((FAKE, 0), ("#!/bin/sh\nexit 1\n", 6), ("#!/bin/sh\nkill -9 $$\n", 6), ("#!/bin/sh\n:\n", 6)):
            with open(f"{tmp}/dot", "w") as f:
                f.write(text)
            os.chmod(f"{tmp}/dot", 0o755)
            said = ask(etcore, *words, "-o", "svg", status=status, path=tmp)
            assert said == "<svg>\n" + ask(etcore, *words, "-o", "dot") + "</svg>\n" if status == 0 else "E0581" in said and "apt" not in said, said
        assert "E0501" in ask(etcore, *words[:2], "-o", "dot", status=2)
        assert "E0501" in ask(etcore, *words, "--times", "tests/data/cases/mlp_xnnpack/run.etdump", status=2)
        check_log(etcore, tmp)
        check_long(etcore, tmp)
        real = shutil.which("dot")
        drawn = check_graphviz(etcore, tmp) if real else 0
    print(f"{count} times on {len(cases)} graphs; graphviz {f'drew {drawn} nodes' if real else 'is not here'}")
    return count < 50


if __name__ == "__main__":
    sys.exit(main())
