#!/usr/bin/env python3
"""names.py ETCORE [--share K] -- hostile names must be escaped in text for people, and exact in formats for programs.

Texts of real files (names of events, operators, delegates, methods, backends, tensors) are overwritten in place with escape
sequences, direction marks, C1 control characters, bytes that are not UTF-8, mark-up and formulas. The output of any command
must be UTF-8 without unprintable characters, except ends of lines (and tabs between fields). JSON must have each text
unchanged; if it is not UTF-8, a member NAME_hex next to NAME has its bytes. Python's csv must read the same texts from CSV
and TSV.
"""

import csv
import io
import itertools
import json
import os
import re
import sys
import unicodedata

import lab

TOKENS = [
    b"\x1b[31m", b"\x1b]0;x\x07", b"\r\n", b"\n", b"\t", b"\x08\x7f", "\u202e".encode(), "\u2066\u2069".encode(), "\u200f".encode(),
    "\u061c".encode(), "\u009b2J".encode(), "\u200b".encode(), b"\xff\xfe", b"\xc0\x80", b"\xed\xa0\x80", b"=1+1", b"-1,\"2", b"@x|y",
    b"<b>&", b"]]>", b"\"'`", b"\\u0041", b"\x9b", "\U000e0041".encode(), b"\x01\x02", b"\xf4\x90\x80\x80", b"*_#~", b"\x00a",
]
# Texts that the readers need: if another text replaced them, the file would be rejected early.
KEPT = (b"Method::", b"ETDUMP", b"XnnpackBackend", b"DELEGATE_CALL", b"OPERATOR_CALL", b"forward")
FILES = {
    "etdump": "tests/data/cases/mlp_xnnpack/run.etdump", "portable": "tests/data/cases/debug_portable/run.etdump",
    "metadata": "tests/data/backends/cases/metadata_columns/run.etdump", "qnn": "tests/data/backends/cases/qnn_htp_detailed/run.etdump",
    "vulkan": "tests/data/backends/cases/vulkan_two_parts/run.etdump", "pte": "tests/data/pte/models/mutable_buffers/model.pte",
    "bpte": "tests/data/pte/bundled/scalars/model.bpte", "ptd": "tests/data/pte/models/external_some/weights_a.ptd",
    "log": "tests/data/logs/runner.log",
}
DUMPS = ("etdump", "portable", "metadata", "qnn", "vulkan")
LONG = 100000


def hostile(data, turn, kept=False):
    """Replaces each text of a FlatBuffer, except KEPT words, by a text of the same length that ends in a token; with
    `kept`, replaces only those words."""
    out, n = bytearray(data), turn
    for m in re.finditer(rb"[\x20-\x7e]{5,}\x00", data):
        size = len(m[0]) - 1
        at = m.start()
        # In a FlatBuffer, a string's length precedes its bytes.
        if at < 4 or int.from_bytes(data[at - 4:at], "little") != size or any(k in m[0] for k in KEPT) != kept:
            continue
        token = TOKENS[n % len(TOKENS)]
        n += 1
        if len(token) + 2 <= size:
            out[m.end() - 1 - len(token):m.end() - 1] = token
    return bytes(out), n - turn


def commands(kind, path, kept=False):
    if kind in DUMPS and not kept:
        for form in ("text", "json", "ndjson", "markdown", "csv", "tsv"):
            yield form, ["analyze", path, "--no-siblings", "-o", form]
        yield "csv", ["analyze", path, "--no-siblings", "--events", "-o", "csv"]
        yield "text", ["analyze", path, "--events"]
        for by in ("kernel", "backend", "method", "delegate", "category"):
            yield "text", ["analyze", path, "--no-siblings", "--by", by]
        for words in (["--tree"], ["--bars"], ["--by", "op", "--bars", "--ascii"]):
            yield "text", ["analyze", path, "--no-siblings", *words]
        for form in ("text", "json", "markdown"):
            yield form, ["diff", path, "--", path, "--rounds", "100", "-o", form]
        for form in ("text", "json", "markdown", "junit", "pytorch"):
            yield form, ["check", path, "--rounds", "100", "-o", form, "--baseline", path]
        yield "text", ["check", path, "--rounds", "100", "-o", "github", "--by", "op", "--baseline", path]
        yield "text", ["analyze", path, "--method", "\x1b[31m\u202e"]
        for form in ("chrome", "speedscope", "folded"):
            yield "text" if form == "folded" else "json", ["trace", path, "--no-siblings", "-o", form]
        for form in ("text", "json", "markdown"):
            yield form, ["summary", path, "--no-siblings", "-o", form]
        for form in ("text", "json", "ndjson", "markdown", "csv", "tsv"):
            yield form, ["what-if", path, "--no-siblings", "--row", "name ~ .", "--times", "0.5", "-o", form]
        yield "json", ["numeric", "values", path, "-o", "json"]
        yield "text", ["numeric", "values", path]
        yield "text", ["memory", path]
        yield "text", ["report", path, "--no-siblings"]
        yield "markdown", ["report", path, "--no-siblings", "-o", "markdown"]
    if kind in DUMPS and kept:
        yield from (("text", ["analyze", path, "--events"]), ("json", ["analyze", path, "-o", "json"]))
        yield from (("text", ["tokens", path, "--no-siblings"]), ("json", ["tokens", path, "--no-siblings", "-o", "json"]))
    if kind in ("pte", "bpte") and not kept:
        for form in ("text", "json", "svg", "chrome"):
            yield form, ["memory", path, "-o", form]
    yield "text", ["dump", path]
    yield "json", ["dump", path, "-o", "json"]
    yield "text", ["doctor", path]
    yield "json", ["doctor", path, "-o", "json"]
    yield "text", ["analyze", path, "--diagnostics=json"]


def odd(text, tabs=False):
    """Returns the first character that must not be shown to people, such as "U+001B", or None."""
    for c in text:
        if c == "\n" or c == "\t" and tabs:
            continue
        if c != " " and (unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")) and c != "\ufeff":
            return f"U+{ord(c):04X}"
    return None


def members(value):
    """Yields (object, key, text) for each text in a JSON document."""
    if isinstance(value, dict):
        for k, v in value.items():
            if isinstance(v, str):
                yield value, k, v
            yield from members(v)
    elif isinstance(value, list):
        for v in value:
            yield from members(v)


def exact(document, data):
    """Describes the first text of the document that has U+FFFD but no NAME_hex member with the original bytes; "" if there
    is none."""
    for holder, key, text in members(document):
        if "\ufffd" not in text or key.endswith("_hex"):
            continue
        raw = bytes.fromhex(holder.get(key + "_hex", ""))
        if not raw:
            return f"{key} is lost: {text[:60]!r}"
        if raw not in data and not any(part in data for part in (raw.split(b"native_call_")[-1], raw.split(b".")[0])):
            return f"{key}_hex is not in the file: {raw[:60]!r}"
    return ""


def judge(lab_, kind, form, args, r, data):
    what = f"{kind}: {' '.join(a[:40] for a in args)}"
    if not lab_.expect(what, r, r.status in (0, 1, 2, 3, 4, 5, 6, 7, 11)):
        return
    try:
        out, err = r.out.decode(), r.err.decode()
    except UnicodeDecodeError as e:
        if form not in ("csv", "tsv"):
            lab_.wrong.append(f"{what}: not UTF-8: {e}")
            return
        out, err = r.out.decode("utf-8", "surrogateescape"), r.err.decode("utf-8", "replace")
    if odd(err):
        lab_.wrong.append(f"{what}: {odd(err)} on standard error: {err[:200]!r}")
    if form in ("csv", "tsv"):
        rows = list(csv.reader(io.StringIO(out, newline=""), delimiter="\t" if form == "tsv" else ","))
        if any(len(row) != len(rows[0]) for row in rows):
            lab_.wrong.append(f"{what}: rows of different lengths")
        return
    if odd(out):
        at = next(i for i, c in enumerate(out) if odd(c))
        lab_.wrong.append(f"{what}: {odd(out)} on standard output: {out[max(0, at - 40):at + 20]!r}")
    if form in ("json", "chrome", "pytorch") and out:
        try:
            lost = exact(json.loads(out), data)
        except ValueError as e:
            lost = f"no JSON: {e}"
        if lost and args[0] in ("dump", "analyze"):
            lab_.wrong.append(f"{what}: {lost}")
        elif lost.startswith("no JSON"):
            lab_.wrong.append(f"{what}: {lost}")


def terminal(lab_, path):
    """On a terminal, machine-readable formats and the Inspector's exact texts must not contain control sequences."""
    for args in (["inspector", "--etdump_path", path], ["inspector", "--etdump_path", path, "-o", "csv"], ["analyze", path, "-o", "csv"],
                 ["analyze", path], ["analyze", path, "--events", "-o", "tsv"]):
        plain = lab_.run(args)
        seen, status = on_terminal([lab_.etcore, *args])
        text = re.sub("\x1b\\[[0-9;]*m", "", seen.decode("utf-8", "replace").replace("\r\n", "\n"))
        lab_.tried += 1
        if status != plain.status or odd(text, True):
            lab_.wrong.append(f"{' '.join(args[:4])} on a terminal: {odd(text, True)}, status {status}: {seen[:200]!r}")


def on_terminal(argv):
    """Runs a program in a pseudo-terminal; returns its output and status."""
    import pty
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(lab.ROOT)
        os.execve(argv[0], argv, {"TERM": "xterm", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"})
    seen = b""
    while True:
        try:
            part = os.read(fd, 65536)
        except OSError:
            break
        if not part:
            break
        seen += part
    os.close(fd)
    return seen, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def long_name(lab_, folder):
    """Every format must accept a kernel name of 100 KB, and JSON must have it complete."""
    path = os.path.join(folder, "long.etdump")
    name = "x" * LONG
    import subprocess
    subprocess.run([sys.executable, os.path.join(lab.ROOT, "tests/tools/make_dump.py"), "--kernel", name, "--events", "2", path, "1000", "1010", "990"],
                   check=True)
    for form, args in commands("etdump", path):
        r = lab_.run(args)
        ok = r.status in (0, 1, 2, 11) and (form != "json" or args[0] != "analyze" or name.encode() in r.out)
        lab_.expect(f"a name of 100 KB: {' '.join(args[:1] + args[2:])}", r, ok)


def main():
    words = sys.argv[1:]
    share = int(words.pop(words.index("--share") + 1)) if "--share" in words else 1
    lab_ = lab.Lab([w for w in words if w != "--share"][0])
    work, changed = [], [0, 0]
    for turn in range(0, len(TOKENS), share):
        for (kind, source), kept in itertools.product(FILES.items(), (False, True)):
            with open(os.path.join(lab.ROOT, source), "rb") as f:
                data, n = hostile(f.read(), turn, kept)
            changed[kept] += n
            path = os.path.join(lab_.scratch, f"{kind}{turn}{'w' * kept}" + os.path.splitext(source)[1])
            with open(path, "wb") as f:
                f.write(data)
            work += [(kind, form, args, data) for form, args in commands(kind, path, kept)]
            if turn == 0 and kind == "etdump" and not kept:
                first = path

    def one(item):
        kind, form, args, data = item
        judge(lab_, kind, form, args, lab_.run(args), data)

    lab_.each(one, work)
    # `etcore inspector` rejects text that is not UTF-8, so these names are valid UTF-8.
    with open(first, "wb") as f, open(os.path.join(lab.ROOT, FILES["portable"]), "rb") as source:
        f.write(source.read().replace(b"native_call_add.out", b"native_call_\x1b[2J\xc2\x9b1")
                .replace(b"native_call_mul.out", "native_call_\u202e\x07\r12".encode()))
    terminal(lab_, first)
    long_name(lab_, lab_.scratch)
    if not all(changed):
        lab_.wrong.append("no text was changed")
    print(f"{len(TOKENS)} tokens, {sum(changed)} texts of {len(FILES)} files overwritten, {len(work)} answers looked at")
    return lab_.end("names")


if __name__ == "__main__":
    sys.exit(main())
