#!/usr/bin/env python3
"""Every command must print the same on a pseudo terminal as in a pipe.

    tests/cli/terminal.py ETCORE [--golden N]

Tests the commands that `etcore --help` lists, with the examples of their --help, in a folder with the files that the
examples name (FILES below). So a new command is tested without a line here, and it fails if its examples print nothing.
Each line runs on terminals of several widths, with and without colours, with and without UTF-8:

    status   the same as in a pipe
    text     the same except for escapes and line breaks, unless a line says what was left out
    width    no line is wider than the terminal unless a single word is; machine-readable formats and the Inspector's
             tables have the same bytes as in a pipe
    colour   none with NO_COLOR, TERM=dumb, no TERM, --no-color and --color never, before and after the command
    ASCII    nothing else if the terminal is not UTF-8

With --golden every Nth case of tests/cli/cases also runs on a terminal, which checks its status and line widths.
"""

import argparse
import errno
import fcntl
import itertools
import os
import re
import select
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unicodedata

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from share import SHARE, share  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(ROOT, "tests", "data")
WIDTHS = (40, 60, 80, 100, 120, 200)
ESCAPE = re.compile(r"\033\[[0-9;]*m")
SLOW = 1.0  # in seconds: a line that takes longer runs on only two terminals
MEASURE = r"^plugins check|^peaks|-c peaks\.ini"  # commands that measure for seconds, or read files of such commands: run only in a complete test

CASE = "cases/conv_net_xnnpack"
FILES = {
    "run.etdump": CASE + "/run.etdump", "model.etrecord": CASE + "/model.etrecord",
    "model.pte": "pte/models/control_flow/model.pte", "debug.bin": "cases/debug_portable/debug.bin",
    "fp32.pte": "pte/models/deep_residual/model.pte", "int8.pte": "pte/models/lists/model.pte",
    "before.etdump": "cases/linear_fp32/run.etdump", "after.etdump": "cases/linear_int8_dynamic/run.etdump",
    "run1.etdump": "cases/linear_fp32/run.etdump", "run2.etdump": "cases/mlp_xnnpack/run.etdump",
    "a/run.etdump": "cases/linear_fp32/run.etdump", "b/run.etdump": "cases/linear_fp16/run.etdump",
    "old/run.etdump": "cases/linear_fp32/run.etdump", "new/run.etdump": "cases/linear_fp16/run.etdump",
    "fp32/run.etdump": "cases/linear_fp32/run.etdump", "int8/run.etdump": "cases/linear_int8_dynamic/run.etdump",
    "runs/board/2026-11-24/run.etdump": "cases/linear_fp32/run.etdump", "etcore.ini": "../../conf/etcore.ini",
    "traced.etdump": "cases/conv_net_xnnpack/run.etdump", "plain.log": "advice/plain.log",
}
# Replaces DuckDB, which `etcore farm` starts: answers with a table that has all columns of the examples'
# questions.
DUCKDB = """#!/bin/sh
echo '[{"model": "mobilenet", "device": "a long name of a device", "day": "2026-11-24", "name": "Fully Connected (NC, F32) GEMM",
"dumps": 12, "typical_ns": 5012345, "self_ns": 591070}]'
"""
# Examples that are left out, because the files above do not suffice: they need dumps with and without
# kernels of KleidiAI, tables with baselines, a folder without a linux.ini, a dump next to a model, or several recordings
# of one model: with few events, with values, or of tokens.
UNFIT = {"overhead --on events.etdump --off whole-runs.etdump -o json",
         "overhead a1.etdump a2.etdump a3.etdump --off b1.etdump b2.etdump b3.etdump", "what-if run.etdump --to KleidiAI --ratios diff.json",
         "pipeline new linux", "inspector model.pte",
         "farm baseline tables --where 'model = mobilenet' --last 20 -o main.baseline",
         "tokens run1.etdump run2.etdump run3.etdump --stats runner.log", "numeric values run.etdump -o npz=values.npz"}
TEXTS = {"rules.ini": "[rule all]\nmethod = forward\nmax_regression = 5%\n"}
# Commands for cases that the examples lack: long names, KleidiAI, many delegates, values, a report.
MORE = [
    "analyze arm.etdump", "analyze arm.etdump --by kernel", "analyze arm.etdump --events", "analyze arm.etdump --by run",
    "analyze run.etdump --by module", "analyze run.etdump --tree", "analyze run.etdump --by category", "analyze cond.etdump",
    "diff arm.etdump -- arm2.etdump", "diff arm.etdump -- arm2.etdump --by module", "memory many.pte", "memory many.pte --top 0", "memory residual.pte", "memory model.pte",
    "numeric values values/run.etdump -b values/debug.bin", "numeric gap values/run.etdump", "dump model.etrecord",
    "dump many.pte", "dump model.etrecord --graph", "doctor a/run.etdump b/run.etdump model.etrecord many.pte",
    "check new/run.etdump --baseline old/", "explain", "explain 0301-0306", "plugins info kleidiai", "analyze missing.etdump",
]
MORE_FILES = {
    "arm.etdump": "arm/attn_i8d/sme2/run.etdump", "arm2.etdump": "arm/attn_i8d/nosme/run.etdump", "arm.etrecord": "arm/attn_i8d/model.etrecord",
    "cond.etdump": "cases/control_flow_cond/run.etdump", "many.pte": "pte/delegates_26.pte", "residual.pte": "pte/models/deep_residual/model.pte",
    "values/run.etdump": "cases/debug_portable/run.etdump", "values/debug.bin": "cases/debug_portable/debug.bin",
    "values/model.etrecord": "cases/debug_portable/model.etrecord",
}

failures = []
ran = 0


def fail(line, where, what, detail=""):
    failures.append((line, where))
    print(f"FAILED etcore {line}\n  {where}: {what}\n{detail}", flush=True)


def columns(text):
    """Returns the number of terminal columns that a text takes."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def on_terminal(argv, cwd, env, width, stdin=subprocess.DEVNULL, error=False):
    """Runs a process whose standard output (error: standard error) is a terminal of `width` columns. Returns (text, status, the other)."""
    main, side = os.openpty()
    settings = termios.tcgetattr(side)
    settings[1] &= ~termios.OPOST  # keeps the terminal from writing a carriage return before each line feed
    termios.tcsetattr(side, termios.TCSANOW, settings)
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    with tempfile.TemporaryFile() as err:
        p = subprocess.Popen(argv, cwd=cwd, env=env, stdin=stdin, stdout=err if error else side, stderr=side if error else err, close_fds=True)
        os.close(side)
        out = b""
        while True:
            try:
                select.select([main], [], [], 120)
                piece = os.read(main, 65536)
            except OSError as e:
                if e.errno != errno.EIO:
                    raise
                piece = b""
            if not piece:
                break
            out += piece
        os.close(main)
        p.wait(120)
        err.seek(0)
        return out, p.returncode, err.read().decode(errors="replace")


def environment(home, **more):
    keep = {k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")}
    return {**keep, "PATH": os.path.join(home, "bin") + ":/usr/bin:/bin", "HOME": home, "TERM": "xterm-256color", "LANG": "C.UTF-8", **more}


def too_wide(text, width):
    """Returns the lines that are wider than the terminal although they could be broken. Suggested commands are not
    broken, so that they can be copied."""
    return [s for s in text.split("\n")
            if columns(s) > width and " " in s.strip() and not s.startswith(("next: etcore ", "      etcore "))]


def words(text):
    """Returns the words of the text without line breaks (a list "a|b" may break behind a bar), bars (which
    depend on the width) and measured times."""
    text = re.sub(r"(?<=\S)\|\n\s+", "|", ESCAPE.sub("", text))
    return re.sub(r"[█·#.]{5,}|slowest: .*? on an ordinary event", "~", " ".join(text.split()))


def same_text(command, a, b):
    """Compares the words; `config` puts a comment above its key if it does not fit next to the key."""
    a, b = words(a), words(b)
    return a == b or (command == "config" and sorted(a.split()) == sorted(b.split()))


def is_cut(text, pipe):
    return "left out to fit" in " ".join(text.split()) or text.count("…") > pipe.count("…")


class Lines:
    def __init__(self, etcore, folder):
        self.etcore, self.folder = os.path.abspath(etcore), folder

    def anew(self):
        """Removes tables, so that each `batch` starts from scratch, and makes the folder of tables that `farm` reads."""
        shutil.rmtree(os.path.join(self.folder, "tables"), ignore_errors=True)
        os.makedirs(os.path.join(self.folder, "tables", "runs"))

    def pipe(self, words_, **env):
        self.anew()
        start = time.monotonic()
        p = subprocess.run([self.etcore, *words_], cwd=self.folder, env=environment(self.folder, **env),
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return p.stdout, p.returncode, time.monotonic() - start

    def show(self, words_, width, **env):
        global ran
        ran += 1
        self.anew()
        return on_terminal([self.etcore, *words_], self.folder, environment(self.folder, **env), width)

    def machine(self, words_):
        """Returns whether the output is machine-readable or the Inspector's."""
        for i, w in enumerate(words_):
            if w == "-o" and words_[i + 1].split("=")[0] != "text" and words_[0] != "baseline":
                return True
        return words_[0] == "inspector" or words_[:2] == ["pipeline", "new"]

    def check(self, line, example=False):
        """Checks one command line, which must succeed if it is an example; returns whether it printed anything."""
        argv = shlex.split(line)
        if any("*" in w for w in argv):  # expands the pattern as a shell would
            argv = subprocess.run(["sh", "-c", f"printf '%s\\n' {line}"], cwd=self.folder, check=True,
                                  stdout=subprocess.PIPE, text=True).stdout.split("\n")[:-1]
        out, status, took = self.pipe(argv)
        pipe = out.decode()
        if example and status in (2, 3) and line not in UNFIT:
            fail(line, "a pipe", f"an example that ends with status {status}")
        machine = self.machine(argv)
        parts = share(("widths", "colours", "ASCII"), ran) if not machine and took < SLOW else ["widths"]
        for width in share(WIDTHS if took < SLOW else (40, 80), ran) if "widths" in parts else ():
            shown, st, err = self.show(argv, width)
            text = shown.decode(errors="replace")
            plain = ESCAPE.sub("", text)
            if st != status:
                fail(line, f"{width} columns", f"status {st}, in a pipe {status}", err)
            if machine:
                if shown != out:
                    fail(line, f"{width} columns", "machine's form differs from the pipe's", text[:500])
                continue
            wide = too_wide(plain, width)
            if argv[0] in ("config", "peaks"):  # the output is an INI file: values and comments stay on their lines
                wide = [w for w in wide if not re.match(r"\S+ = |# ", w)]
            if wide:
                fail(line, f"{width} columns", f"{len(wide)} lines are wider", "\n".join(wide[:3]))
            if argv[0] == "memory" and width >= 60 and (torn := re.search(r"^.*\n    [0-9 ,]*\)$", plain, re.M)):
                fail(line, f"{width} columns", "a row of a table breaks", torn[0])
            if took < SLOW and not is_cut(plain, pipe) and not same_text(argv[0], plain, pipe):
                fail(line, f"{width} columns", "another text than in a pipe",
                     f"--- pipe\n{words(pipe)[:1500]}\n--- terminal\n{words(plain)[:1500]}")
        if took >= SLOW or machine:
            return bool(out)
        for env, before, behind in share((({"NO_COLOR": "1"}, [], []), ({"TERM": "dumb"}, [], []), ({"TERM": ""}, [], []), ({}, ["--no-color"], []),
                                    ({}, ["--color", "never"], []), ({}, ["--color=never"], []), ({}, [], ["--no-color"]),
                                    ({}, [], ["--color", "never"])), ran) if "colours" in parts else ():
            shown, st, err = self.show(before + argv[:1] + behind + argv[1:], 80, **env)
            if b"\033" in shown or st != status:
                fail(line, f"{env} {before} {behind}", f"colours, or status {st}, in a pipe {status}", err)
        for width in share((40, 80), ran) if "ASCII" in parts else ():
            shown, st, err = self.show(argv, width, LANG="C")
            if st != status or any(b > 0x7e for b in shown):
                fail(line, f"LANG=C, {width} columns", f"not ASCII, or status {st}", shown.decode(errors="replace")[:800])
            wide = too_wide(ESCAPE.sub("", shown.decode(errors="replace")), width)
            if wide and argv[0] != "config":
                fail(line, f"LANG=C, {width} columns", f"{len(wide)} lines are wider", "\n".join(wide[:3]))
        if "colours" not in parts:
            return bool(out)
        always = self.pipe(["--color", "always", *argv])
        if argv[0] != "config" and (always[1] != status or words(always[0].decode()) != words(pipe)):
            fail(line, "--color always in a pipe", "another text than without")
        return bool(out)


def files(lines):
    """A file must have the same bytes, whatever the terminal on which the command was run."""
    for line in ("report run1.etdump -o out.html", "report run1.etdump -- run2.etdump -o out.md", "memory model.pte -o out.txt",
                 "analyze run1.etdump --bars -o out.txt"):
        argv = shlex.split(line)
        path = os.path.join(lines.folder, argv[-1])
        made = []
        for show in (lambda: lines.pipe(argv), lambda: lines.show(argv, 60), lambda: lines.show(argv, 60, LANG="C"),
                     lambda: lines.pipe(["--color", "always", *argv])):
            show()
            with open(path, "rb") as f:
                made.append(f.read())
            os.unlink(path)
        if len(set(made)) != 1:
            fail(line, "files", "they depend on the terminal")


def make_files(folder, etcore):
    for name, source in {**FILES, **MORE_FILES}.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        shutil.copyfile(os.path.join(DATA, source), path)
    for name, text in TEXTS.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(text)
    os.mkdir(os.path.join(folder, "bin"))
    with open(os.path.join(folder, "bin", "duckdb"), "w", encoding="utf-8") as f:
        f.write(DUCKDB)
    os.chmod(f.name, 0o700)
    shutil.copytree(os.path.join(ROOT, "tests", "pipeline", "example"), os.path.join(folder, "configs"))
    shutil.copyfile(os.path.join(os.path.dirname(etcore), "plugins", "kleidiai.so"), os.path.join(folder, "acme.so"))
    for line in ("baseline save run1.etdump -o main.baseline", "baseline save run1.etdump -o today.baseline",
                 "pipeline new linux", "pipeline new mac configs/mac.json"):
        subprocess.run([etcore, *line.split()], cwd=folder, env=environment(folder), stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)


def commands(etcore):
    out = subprocess.run([etcore, "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return [m.group(1) for m in re.finditer(r"^  (\w[\w-]*) +\S", out, re.M)]


def examples(etcore, name):
    out = subprocess.run([etcore, name, "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return re.findall(r"^  etcore (.*)$", out.split("\nExamples\n")[1].split("\nOptions\n")[0], re.M)


def helps(lines, name):
    """--help must have the same words at every width."""
    argv = [name, "--help"] if name else ["--help"]
    pipe = lines.pipe(argv)[0].decode()
    for width, lang in share(itertools.product(WIDTHS, ("C.UTF-8", "C")), ran):
        shown, st, _ = lines.show(argv, width, LANG=lang)
        text = shown.decode(errors="replace")
        same = words(text) == words(pipe) or (lang == "C" and "…" in pipe)
        if st or not same or too_wide(text, width) or (lang == "C" and not text.isascii()):
            fail(" ".join(argv), f"{width} columns, {lang}", "another text, or wider",
                 "\n".join(too_wide(text, width)[:3]) or text[:600])


def files_apart(lines, folder):
    """With --by file at 80 columns, the columns that distinguish two dumps must be kept, and further statistics dropped."""
    paths = []
    for k, name in enumerate(("first", "second")):
        paths.append(os.path.join("measured", name, "run.etdump"))
        os.makedirs(os.path.dirname(os.path.join(folder, paths[k])))
        shutil.copyfile(os.path.join(folder, f"run{k + 1}.etdump"), os.path.join(folder, paths[k]))
    shown = lines.show(["analyze", *paths, "--by", "file"], 80)[0].decode(errors="replace")
    rows = {m.group() for m in re.finditer(r"measured/(first|second)(?=.*\d %)", ESCAPE.sub("", shown))}
    if len(rows) != 2:
        fail("analyze --by file", "80 columns", "the rows of two files look alike", shown[:1500])


def diagnostics(lines, folder):
    """Diagnostics must be wrapped on a terminal, and have a line each in a pipe."""
    for line in ("analyze missing.etdump", "analyze run.etdump -r arm.etrecord", "check run1.etdump --baseline a/run.etdump",
                 "analyze run.etdump --by operator", "analyse run.etdump"):
        argv, env = [lines.etcore, *line.split()], environment(folder, TERM="dumb")
        pipe = subprocess.run(argv, cwd=folder, env={**env, "COLUMNS": "40"}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True).stderr
        if not pipe or any(s.strip() and not re.match(r"etcore: |  (hint|see): ", s) for s in pipe.split("\n")):
            fail(line, "a pipe", "diagnostics of other lines", pipe)
        for width, lang in share(itertools.product((40, 72, 120), ("C.UTF-8", "C")), ran):
            shown = on_terminal(argv, folder, {**env, "LANG": lang}, width, error=True)[0].decode(errors="replace")
            if words(shown) != words(pipe) and lang != "C" or too_wide(shown, width) or lang == "C" and not shown.isascii():
                fail(line, f"standard error of {width} columns, {lang}", "another text, or wider", shown)


def golden(etcore, every):
    cases = os.path.join(ROOT, "tests", "cli", "cases")
    for i, name in enumerate(sorted(os.listdir(cases))[::every]):
        with open(os.path.join(cases, name, "cmd"), encoding="utf-8") as f:
            script = f.read()
        own = re.search(r"\bCOLUMNS=(\d+) etcore", script)
        width = int(own[1]) if own else WIDTHS[i % len(WIDTHS)]
        try:
            with open(os.path.join(cases, name, "status"), encoding="utf-8") as f:
                status = int(f.read())
        except FileNotFoundError:
            status = 0
        with tempfile.TemporaryDirectory() as home:
            env = environment(home, TMP=home, BUILD=os.path.dirname(etcore))
            env["PATH"] = os.path.dirname(etcore) + ":/usr/local/bin:/usr/bin:/bin"
            shown, st, err = on_terminal(["sh", "-c", script], ROOT, env, width)
        machine = re.search(r"-o *(?!text\b)\w|inspector|etcore config|pipeline new|plugins check|help --as|--output|printf|cat |\becho\b|sed|"
                            r"grep|diff -|\|", script)
        wide = [] if machine else too_wide(ESCAPE.sub("", shown.decode(errors="replace")), width)
        if st != status or wide:
            fail(f"case {name}", f"{width} columns", f"status {st} (recorded {status}), {len(wide)} wide lines",
                 "\n".join(wide[:3]) + err[:500])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("etcore")
    parser.add_argument("--golden", type=int, default=0)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    etcore = os.path.abspath(args.etcore)
    with tempfile.TemporaryDirectory() as folder:
        make_files(folder, etcore)
        lines = Lines(etcore, folder)
        if not args.only:
            helps(lines, "")
            diagnostics(lines, folder)
        for name in commands(etcore):
            if not name.startswith(args.only):
                continue
            helps(lines, name)
            wanted = [line for line in examples(etcore, name) if SHARE == 1 or not re.search(MEASURE, line)]
            if wanted and not any([lines.check(line, True) for line in wanted]):
                fail(name, "all", "no example of its --help prints anything: give FILES what they need")
        if "analyze".startswith(args.only):
            files_apart(lines, folder)
        if "report".startswith(args.only) and lines.show(["report", "run.etdump"], 80)[1] != 2:
            fail("report run.etdump", "80 columns", "HTML on a terminal")
        if not args.only:
            files(lines)
        for line in share(MORE):
            if line.startswith(args.only):
                lines.check(line)
    if args.golden:
        golden(etcore, args.golden * SHARE)
    print(f"{ran} answers on a terminal, {len(failures)} failures")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
