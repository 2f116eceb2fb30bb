#!/usr/bin/env python3
"""names.py ETCORE PLUGIN.so [--full] -- texts of any input file must be escaped in output for people.

The texts of tests/faults/names.py are put into every string of inputs that are not FlatBuffers: baselines, the JSON, logs
and CSV of run folders, entries of ETRecords and their names, INI files, rules, headers of safetensors, texts of a plugin,
names of files and folders; and into the short strings of dumps and programs that tests/faults/names.py skips. Every command
that reads the file runs with every output format. Text, Markdown (standard output and files) and standard error must then
be UTF-8 without unprintable characters; no text may start a line; and Markdown must not have mark-up, HTML or a shell's $()
from a file. JSON must stay valid; a drawing must have only its nodes and edges, and GitHub's runner must find no commands
except annotations. Strings are changed one kind at a time (all with the same key), because invalid input is rejected early.
--full tests each text alone, otherwise a few are combined.
"""

import copy
import io
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "faults"), os.path.join(ROOT, "tests", "pipeline"), os.path.join(ROOT, "tests")]
os.chdir(ROOT)

import lab
import names
from kit_runs import load, unpack
from share import SHARE

LINE = b"FORGED"  # no line of the output may begin with it
ACTS = b"`$(id)` <b> [a](b) |c|"
TEXTS = [t.replace(b"\n", b"\n" + LINE) for t in names.TOKENS] + [ACTS]
# Texts for inputs that can hold several at once: JSON, INI and file names.
TOGETHER = [b"\x1b[31m\x1b]0;x\x07\xc2\x9b2J\x08\x7f\x01" + "\u202e\u2066\u061c\u200b\U000e0041".encode(), b"\r\n" + LINE + b"\t\0a",
            b"\xff\xfe\xc0\x80\xed\xa0\x80\x9b", ACTS]
DOT = re.compile(r'digraph "(?:[^"\\]|\\.)*" \{|  node \[shape=box, style=filled, fillcolor=white, fontname="Helvetica", fontsize=11\];|'
                 r'  n\d+ \[label="(?:[^"\\]|\\.)*"(?:, shape=ellipse)?(?:, fillcolor="#[0-9a-f]{6}")?\];|  n\d+ -> n\d+;|\}|'
                 r'|  label="\d+\.\d{3} \S+ per run, (?:< )?\d+ % of it on nodes";')
ANNOTATION = re.compile(r"::(error|warning|notice) title=(?:[^:,%]|%[0-9A-F]{2})*::(?:[^%]|%[0-9A-F]{2})*")
DUMP = "tests/data/cases/mlp_xnnpack/run.etdump"
RECORD = "tests/data/cases/mlp_xnnpack/model.etrecord"


def as_text(token):
    """Returns the token as part of a JSON text; None if no JSON text can hold it."""
    try:
        return token.decode()
    except UnicodeDecodeError:
        return None


def change(value, path, token, at=()):
    """Returns the document with the token appended to each string whose path is `path` (keys of objects are strings too)."""
    if isinstance(value, dict):
        return {(k + token if at + (k, "key") == path else k): change(v, path, token, at + (k,)) for k, v in value.items()}
    if isinstance(value, list):
        return [change(v, path, token, at + ("*",)) for v in value]
    return value + token if isinstance(value, str) and at == path else value


def paths(value, at=()):
    """Yields the paths of all strings; all items of a list share one path."""
    if isinstance(value, dict):
        for k, v in value.items():
            yield at + (k, "key")
            yield from paths(v, at + (k,))
    elif isinstance(value, list):
        for v in value:
            yield from paths(v, at + ("*",))
    elif isinstance(value, str):
        yield at


def json_variants(data, texts, most=10000):
    """Yields (description, bytes): a JSON document with a token in one of its strings."""
    document = json.loads(data)
    everywhere = list(dict.fromkeys(paths(document)))[:most]
    for token in texts:
        text = as_text(token)
        if text is None:
            yield "bytes that are no UTF-8", re.sub(rb'"([^"\\]{3,})"', lambda m: b'"' + m[1] + token + b'"', data)
            continue
        for path in everywhere:
            yield "/".join(path), json.dumps(change(document, path, text)).encode()
        # JSON allows some hostile characters without an escape, such as U+202E: write these as they are, too.
        if not any(c < 0x20 or c in b'"\\' for c in token):
            yield "everywhere, unescaped", re.sub(rb'("(?:name|experiment|label|why|op|method|path)": ?"[^"\\]*)"',
                                                  lambda m: m[1] + token + b'"', data)


def line_variants(data, texts):
    """Yields (description, bytes): the token at the end of each line, after its first word, or after each value."""
    for token in texts:
        for name, pattern, to in (("ends", rb"(?m)$", token), ("first words", rb"(?m)^(\S+)", rb"\1" + token.replace(b"\\", b"\\\\")),
                                  ("values", rb"(?m)([=:,])([^\n=:,]*)", rb"\1\2" + token.replace(b"\\", b"\\\\"))):
            yield name, re.sub(pattern, (lambda m, t=token: t) if name == "ends" else to, data)


def zip_variants(data, texts):
    """Yields (description, bytes): an ETRecord with a token in one of its JSON entries, or in the entries' names."""
    with zipfile.ZipFile(io.BytesIO(data)) as z:
        entries = [(i.filename, z.read(i)) for i in z.infolist()]

    def pack(changed):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as z:
            for name, content in changed:
                z.writestr(zipfile.ZipInfo(name), content)
        return out.getvalue()

    for i, (name, content) in enumerate(entries):
        try:
            small = bool(json.loads(content)) and len(content) < 200000
        except ValueError:
            continue
        for what, changed in json_variants(content, texts, 40) if small else ():
            yield f"{name}: {what}", pack(entries[:i] + [(name, changed)] + entries[i + 1:])
    for token in texts:
        text = as_text(token)
        if text is None or "\0" in text:
            continue
        yield "names of entries", pack([(n + text, c) for n, c in entries])
        yield "one more entry", pack(entries + [("x" + text, b"{}")])
        graphs = [(n, re.sub(rb'("(?:name|target|stack_trace|nn_module_stack)": ?"[^"]{1,200})"',
                             lambda m: m[1] + json.dumps(text)[1:-1].encode() + b'"', c) if c[:1] == b"{" else c) for n, c in entries]
        yield "names of nodes", pack(graphs)


def flat_variants(data, texts):
    """Yields (description, bytes): a FlatBuffer in which a token replaces the end of one string, wherever the string
    occurs; only for strings that are long enough."""
    for token in texts:
        found = {}
        for m in re.finditer(rb"[\x20-\x7e]{1,}\x00", data):
            size, at = len(m[0]) - 1, m.start()
            if at >= 4 and int.from_bytes(data[at - 4:at], "little") == size and size >= len(token):
                found.setdefault(m[0], []).append(m)
        for text, places in list(found.items())[:12]:
            out = bytearray(data)
            for m in places:
                out[m.end() - 1 - len(token):m.end() - 1] = token
            yield text.decode(), bytes(out)


class Test:
    def __init__(self, etcore, full):
        self.lab, self.full = lab.Lab(etcore), full
        self.texts = TEXTS if full else TOGETHER
        self.work, self.n = [], 0

    def file(self, data, suffix):
        self.n += 1
        path = os.path.join(self.lab.scratch, f"i{self.n}{suffix}")
        with open(path, "wb") as f:
            f.write(data)
        return path

    def ask(self, what, form, args, folder=None, env=None):
        self.work.append((what, form, args, folder, env))

    def one(self, item):
        what, form, args, folder, env = item
        r = self.lab.run([os.fsencode(a) for a in args], env=env)
        what = f"{what}: {' '.join(repr(a)[1:-1][-60:] for a in args)}"
        if not self.lab.expect(what, r, 0 <= r.status <= 11):
            return
        self.read(what + " (standard error)", "text", r.err)
        self.read(what, form, r.out)
        for here, _, files in os.walk(folder or ""):
            for name in files:
                if name.endswith(".md" if form != "nodes" else ".json"):
                    with open(os.path.join(here, name), "rb") as f:
                        self.read(f"{what} ({name})", "json" if form == "nodes" else "markdown", f.read())
        if folder:
            shutil.rmtree(folder, ignore_errors=form == "nodes")

    def read(self, what, form, data):
        wrong = self.lab.wrong
        if form in ("json", "ndjson"):
            try:
                for part in [data] if form == "json" else data.splitlines():
                    part and json.loads(part)
            except ValueError as e:
                wrong.append(f"{what}: no JSON: {e}")
        if form in ("csv", "tsv"):
            return
        try:
            text = data.decode()
        except UnicodeDecodeError as e:
            wrong.append(f"{what}: not UTF-8: {e}: {data[max(0, e.start - 60):e.start + 20]!r}")
            return
        if names.odd(text):
            at = next(i for i, c in enumerate(text) if names.odd(c))
            wrong.append(f"{what}: {names.odd(text)}: {text[max(0, at - 60):at + 20]!r}")
        if any(line.startswith(LINE.decode()) for line in text.split("\n")):
            wrong.append(f"{what}: a text begins a line: {text[max(0, text.index(LINE.decode()) - 60):][:90]!r}")
        if form == "dot" and text:
            wrong += [f"{what}: no line of a drawing: {line!r}" for line in text.split("\n") if not DOT.fullmatch(line)]
        if form == "github":
            wrong += [f"{what}: a command: {line!r}" for line in text.split("\n") if line.lstrip().startswith(("::", "##["))
                      and not ANNOTATION.fullmatch(line)]
        if form == "markdown":
            for act in (r"(?<!\\)\$\(id", r"(?<!\\)`\\?\$", r"<b>", r"(?<!\\)\[a", r"(?<!\\)\|c"):
                found = re.search(act, text)
                if found:
                    wrong.append(f"{what}: not quoted: {text[max(0, found.start() - 40):found.end() + 20]!r}")


def baselines(t):
    saved = os.path.join(t.lab.scratch, "saved.baseline")
    subprocess.run([t.lab.etcore, "baseline", "save", DUMP, "-r", RECORD, "-o", saved], check=True, capture_output=True)
    with open(saved, "rb") as f:
        data = f.read()
    for what, changed in json_variants(data, t.texts):
        path = t.file(changed, ".baseline")
        t.ask(what, "text", ["baseline", "show", path])
        for form in ("text", "markdown", "junit", "json")[:4 if t.full else 3]:
            t.ask(what, form, ["check", DUMP, "--no-siblings", "--by", "op", "--rounds", "0", "--baseline", path, "-o", form])
        t.ask(what, "text", ["diff", path, "--", DUMP, "--no-siblings", "--rounds", "0"])
        if t.full:
            t.ask(what, "markdown", ["diff", path, "--", DUMP, "--no-siblings", "--rounds", "0", "-o", "markdown"])
            t.ask(what, "text", ["doctor", path])
            t.ask(what, "text", ["baseline", "merge", path, "-o", path + "2"])


def folders(t):
    runs = load()
    for run in ("ab_cnn_f32/g1", "ab_cnn_f32/g3", "trace"):
        source = next((runs[r] for r in runs if r == run or r.startswith(run + "/")), None)
        if source is None:
            continue
        where = os.path.join(t.lab.scratch, "run-" + run.replace("/", "-"))
        top = unpack(source, where)
        files = [os.path.join(here, n) for here, _, found in os.walk(top) for n in found]
        for path in sorted(files):
            with open(path, "rb") as f:
                data = f.read()
            rel = os.path.relpath(path, top)
            known = os.path.basename(path) in ("manifest.json", "metrics.json", "analysis_summary.json") or "summary" in rel
            if path.endswith(".json") and known:
                variants = json_variants(data, t.texts, 10000 if t.full else 60)
            elif path.endswith((".log", ".csv")) and (t.full or "on_t1" in path or "xnntrace" in path):
                variants = line_variants(data[:20000], t.texts)
            else:
                continue
            for what, changed in variants:
                folder(t, f"{run}: {rel}: {what}", top, {rel: changed}, rel.endswith((".json", ".log")))
        for token in t.texts:
            name = token.replace(b"\0", b"").replace(b"/", b"")
            folder(t, f"{run}: names of files", top, {}, True, name)


def folder(t, what, top, changed, report, name=b""):
    t.n += 1
    copy_ = os.fsencode(os.path.join(t.lab.scratch, f"d{t.n}")) + name
    shutil.copytree(os.fsencode(top), copy_, copy_function=os.link)
    for rel, data in changed.items():
        path = os.path.join(copy_, os.fsencode(rel))
        os.unlink(path)
        with open(path, "wb") as f:
            f.write(data)
    if name:
        for here, sub, files in list(os.walk(copy_, topdown=False)):
            for n in files + sub:
                stem, dot, ending = n.partition(b"_t1") if b"_t1" in n else n.partition(b".")
                if b".json" not in n:
                    os.rename(os.path.join(here, n), os.path.join(here, stem + name + dot + ending))
    path = os.fsdecode(copy_)
    t.work.append((what, "several", [["pipeline", "validate", path], ["pipeline", "compare", path, "--known-good", os.fspath(top)]] +
                   ([["pipeline", "validate", path, "-o", "json"], ["doctor", path]] if t.full else []) +
                   ([["pipeline", "report", path]] if report else []), path, None))


def nodes(t, what, dump, record, program):
    """Tests the node data for Model Explorer."""
    t.n += 1
    folder = os.path.join(t.lab.scratch, f"nodes{t.n}")
    t.ask(what, "nodes", ["analyze", dump, "-r", record, "-m", program, "-o", "model-explorer=" + folder], folder)


def records(t):
    with open(RECORD, "rb") as f:
        data = f.read()
    for what, changed in zip_variants(data, t.texts):
        path = t.file(changed, ".etrecord")
        t.ask(what, "text", ["dump", path])
        t.ask(what, "text", ["analyze", DUMP, "-r", path, "--no-siblings", "--events"])
        for form in ("markdown", "json", "csv") if t.full else ("markdown",):
            t.ask(what, form, ["analyze", DUMP, "-r", path, "--no-siblings", "-o", form])
        t.ask(what, "markdown", ["analyze", DUMP, "-r", path, "--no-siblings", "--tree", "-o", "markdown"])
        t.ask(what, "text", ["analyze", DUMP, "-r", path, "--no-siblings", "--tree", "--bars"])
        t.ask(what, "dot", ["dump", path, "--graph", "-o", "dot", "--times", DUMP] if t.n % 2 else ["dump", path, "--graph", "-o", "dot"])
        nodes(t, what, DUMP, path, "tests/data/cases/mlp_xnnpack/model.pte")
        if t.full:
            t.ask(what, "text", ["doctor", path, DUMP])
            t.ask(what, "text", ["dump", path, "--", RECORD])
            t.ask(what, "text", ["numeric", "values", DUMP, "-r", path])


def flatbuffers(t):
    for source, suffix in ((DUMP, ".etdump"), ("tests/data/cases/mlp_xnnpack/model.pte", ".pte"), ("tests/data/cases/debug_portable/run.etdump", ".etdump")):
        with open(source, "rb") as f:
            data = f.read()
        short = [x for x in TEXTS if len(x) <= 12] if t.full else [b"\x1b[31m", "\u202e".encode(), b"\xff\xfe", b"\nFORGED", b"$(id)"]
        for what, changed in flat_variants(data, short):
            path = t.file(changed, suffix)
            if suffix == ".pte":
                t.ask(what, "text", ["dump", path])
                t.ask(what, "text", ["memory", path])
                nodes(t, what, DUMP, RECORD, path)
                for form in ("text", "markdown"):
                    t.ask(what, form, ["check", DUMP, "-m", path, "--rounds", "0", "--by", "op", "--baseline", DUMP, "-o", form])
                t.ask(what, "markdown", ["analyze", DUMP, "-m", path, "-o", "markdown"])
                t.ask(what, "markdown", ["analyze", DUMP, "-m", path, "--roofline", "-o", "markdown"])
                continue
            for form in ("text", "markdown"):
                t.ask(what, form, ["check", path, "--rounds", "0", "--by", "op", "--baseline", path, "-o", form])
                t.ask(what, form, ["diff", path, "--", DUMP, "--no-siblings", "--rounds", "0", "-o", form])
                t.ask(what, form, ["analyze", path, "--no-siblings", "-o", form])
                t.ask(what, form, ["summary", path, "--no-siblings", "-o", form])
                t.ask(what, form, ["what-if", path, "--no-siblings", "--row", "name ~ .", "--times", "0.5", "-o", form])
                t.ask(what, form, ["overhead", "--on", path, "--off", DUMP, "--rounds", "0", "-o", form])
                t.ask(what, form, ["overhead", "--on", DUMP, "--off", path, "--rounds", "0", "-o", form])
                t.ask(what, form, ["numeric", "values", path, "-o", form])
            for form in ("chrome", "speedscope", "folded"):
                t.ask(what, "text" if form == "folded" else "json", ["trace", path, "--no-siblings", "-o", form])
            t.ask(what, "github", ["check", path, "--rounds", "0", "--by", "op", "--max-regression", "0%", "--baseline", DUMP, "-o", "github"])
            nodes(t, what, path, RECORD, "tests/data/cases/mlp_xnnpack/model.pte")
            for form in ("html", "markdown"):
                t.ask(what, "text" if form == "html" else form, ["report", path, "--no-siblings", "-o", form])
            t.ask(what, "text", ["baseline", "save", path, "--no-siblings", "-o", path + ".baseline"])


def settings(t):
    rules = b"[rule gemm]\nop = gemm*\nmax_regression = 5 %\n[rule other]\nmethod = forward\ncategory = GEMM\nmetric = median\nmax_regression = 1 %\n"
    with open("conf/etcore.ini.example", "rb") if os.path.exists("conf/etcore.ini.example") else io.BytesIO(
            b"[etcore]\njobs = 2\nplugin_path = /nowhere\n[limits]\nmax_pipe = 1000\n[backend.XnnpackBackend]\ncategory = x\n") as f:
        ini = f.read()
    headed = json.dumps({"__metadata__": {"method": "forward", "note": "x"}, "w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}})
    for what, changed in line_variants(rules, t.texts):
        path = t.file(changed, ".ini")
        for form in ("text", "markdown", "junit"):
            t.ask("rules: " + what, form, ["check", DUMP, "--no-siblings", "--rounds", "0", "--rules", path, "--baseline", DUMP, "-o", form])
    for what, changed in line_variants(ini, t.texts):
        path = t.file(changed, ".ini")
        t.ask("INI: " + what, "text", ["config", "-c", path])
        t.ask("INI: " + what, "json", ["config", "-c", path, "-o", "json"])
        t.ask("INI: " + what, "text", ["analyze", DUMP, "--no-siblings", "-c", path])
    for what, changed in json_variants(headed.encode(), t.texts):
        path = t.file(struct.pack("<Q", len(changed)) + changed + bytes(4), ".safetensors")
        t.ask("safetensors: " + what, "text", ["dump", path])
        t.ask("safetensors: " + what, "text", ["numeric", "gap", DUMP, "--reference", path])
    with open("tests/data/logs/runner.log", "rb") as f:
        log = f.read()
    for what, changed in line_variants(log, t.texts):
        path = t.file(changed, ".log")
        t.ask("log: " + what, "text", ["dump", path])
        t.ask("log: " + what, "text", ["doctor", path])
        for form in ("text", "markdown", "json"):
            t.ask("log: " + what, form, ["overhead", "--on", DUMP, "--off", path, "--rounds", "0", "-o", form])
            t.ask("log: " + what, form, ["tokens", DUMP, "--stats", path, "-o", form])


def answers(t):
    """Tests JSON that etcore wrote and reads again."""
    plain, arm = "tests/data/advice/plain.log", ["tests/data/arm/attn_i8d/%s/run.etdump" % x for x in ("nosme", "sme2")]
    for args, use in ((["overhead", "--on", DUMP, "--off", plain, "--rounds", "0"], ["analyze", DUMP, "--no-siblings", "--subtract-overhead"]),
                      (["diff", arm[0], "--", arm[1], "--no-siblings", "--rounds", "0"], ["what-if", arm[0], "--no-siblings", "--to", "kleidiai", "--ratios"])):
        made = subprocess.run([t.lab.etcore, *args, "-o", "json"], check=True, capture_output=True).stdout
        for what, changed in json_variants(made, t.texts, 10000 if t.full else 40):
            path = t.file(changed, ".json")
            for form in ("text", "markdown", "json"):
                t.ask(f"{args[0]}: {what}", form, [*use, path, "-o", form])


def places(t):
    """Tests names of files and folders, on the command line and next to other files."""
    for token in t.texts:
        name = token.replace(b"\0", b"").replace(b"/", b"")
        t.n += 1
        top = os.path.join(os.fsencode(t.lab.scratch), b"p%d" % t.n + name)
        os.mkdir(top)
        for source, end in ((DUMP, b".etdump"), (RECORD, b".etrecord"), ("tests/data/cases/mlp_xnnpack/model.pte", b".pte")):
            shutil.copy(source, os.path.join(top, b"x" + name + end))
        dump, record, program = (os.fsdecode(os.path.join(top, b"x" + name + end)) for end in (b".etdump", b".etrecord", b".pte"))
        nothing = dump + "x"
        nodes(t, "path", dump, record, program)
        group = os.fsdecode(name).replace(",", "")
        t.ask("path", "github", ["check", dump, "--rounds", "0", "--by", "op", "--baseline", DUMP, "-o", "github", "--names", f"{group}a,{group}b"])
        t.ask("path", "dot", ["dump", record, "--graph", "-o", "dot", "--times", dump])
        for form in ("text", "markdown"):
            t.ask("path", form, ["analyze", dump, "-o", form])
            t.ask("path", form, ["check", dump, "--rounds", "0", "--baseline", DUMP, "-o", form])
            t.ask("path", form, ["check", DUMP, "--rounds", "0", "--baseline", dump, "-o", form])
            t.ask("path", form, ["diff", dump, "--", DUMP, "--rounds", "0", "-o", form])
            t.ask("path", form, ["numeric", "values", dump, "-o", form])
            t.ask("path", form, ["tokens", dump, "-m", program, "-o", form])
            t.ask("path", form, ["overhead", "--on", dump, "--off", DUMP, "--rounds", "0", "-o", form])
            t.ask("path", form, ["overhead", "--on", DUMP, "--off", dump, "--rounds", "0", "-o", form])
        for args in (["dump", dump], ["dump", record], ["dump", program], ["memory", program], ["doctor", dump, record, program],
                     ["doctor", os.fsdecode(top)], ["dump", dump, "--", DUMP], ["dump", nothing], ["analyze", nothing], ["config", "-c", nothing],
                     ["plugins", "info", nothing], ["plugins", "check", dump], ["plugins", "--plugin", dump], ["pipeline", "run", "--config", nothing],
                     ["pipeline", "new", "linux", dump + ".ini"], ["pipeline", "validate", nothing], ["pipeline", "report", os.fsdecode(top)],
                     ["baseline", "save", dump, "-o", dump + ".baseline"], ["baseline", "show", dump + ".baseline"], ["inspector", program],
                     ["analyze", dump, "--set", "etcore.jobs=" + os.fsdecode(name)], ["explain", os.fsdecode(b"E" + name)], [os.fsdecode(name)],
                     ["analyze", "--" + os.fsdecode(name)], ["analyze", dump, "--where", os.fsdecode(name) + " = 1"],
                     ["analyze", dump, "--sort", os.fsdecode(name)], ["analyze", dump, "--method", os.fsdecode(name)],
                     ["analyze", dump, "-o", os.fsdecode(name)], ["plugins", "new", os.fsdecode(name)], ["pipeline", "new", os.fsdecode(name)]):
            form = "text" if args[0] != "inspector" else "csv"  # the Inspector's own table has the bytes; on a terminal see tests/faults/names.py
            t.ask("path", form, args)


def plugins(t, library):
    """Replaces a plugin's texts about itself in the library file."""
    with open(library, "rb") as f:
        data = f.read()
    texts = [m for m in re.finditer(rb"(?<=\0)[\x20-\x7e]{12,}(?=\0)", data) if b" " in m[0]]
    for token in t.texts:
        token = token.replace(b"\0", b"")
        out = bytearray(data)
        for m in texts:
            if len(m[0]) >= len(token) + 4:
                out[m.end() - len(token):m.end()] = token
        path = t.file(bytes(out), ".so")
        os.chmod(path, 0o644)
        t.ask("plugin", "text", ["plugins", "info", path])
        t.ask("plugin", "json", ["plugins", "info", path, "-o", "json"])
        t.ask("plugin", "text", ["plugins", "--plugin", path])
        t.ask("plugin", "text", ["analyze", DUMP, "--no-siblings", "--plugin", path])
        t.ask("plugin", "text", ["config", "--plugin", path])


def main():
    words = sys.argv[1:]
    t = Test(words[0], "--full" in words)
    for kind in (baselines, folders, records, flatbuffers, settings, answers, places):
        kind(t)
    plugins(t, words[1])
    if SHARE > 1:
        t.work = random.Random(0).sample(t.work, len(t.work) // (4 * SHARE))

    def one(item):
        if item[1] != "several":
            return t.one(item)
        what, _, commands, folder_, env = item
        for i, args in enumerate(commands):
            t.one((what, "json" if "json" in args else "text", args, folder_ if i == len(commands) - 1 else None, env))

    t.lab.each(one, t.work)
    print(f"{len(t.texts)} texts, {t.n} files and folders, {t.lab.tried} answers looked at")
    return t.lab.end("names")


if __name__ == "__main__":
    sys.exit(main())
