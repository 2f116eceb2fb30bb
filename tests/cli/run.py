#!/usr/bin/env python3
"""Runs the golden command-line cases and compares them with the recorded output.

    tests/cli/run.py [--etcore build/etcore] [--update] [NAME...]

cases/NAME/cmd is a shell script that runs in the repository's root with a clean environment. The files stdout, stderr
and status next to it have the expected results (a missing file: nothing, and 0). The commands in ```console
blocks of README.md and docs/ are cases too: each line that begins with "$ " is run, and the lines after it
must be its output. A line "..." stands for any lines; ```console status=2 marks a command that fails.

Paths that differ between machines are replaced by $BUILD (folder of etcore), $ROOT and $TMP (an empty folder for the
case, also its HOME). A script may use $TMP and $BUILD. The commands in lines `next:` are run too, and must succeed. --update records the current output; read the diff.
"""

import argparse
import concurrent.futures
import difflib
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from share import share  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CASES = os.path.join(ROOT, "tests", "cli", "cases")
LONGEST = 300  # time limit of one script in seconds
# These cases take half of the processor time of all cases. The "tables" ones run no more commands than others, but
# start isolated plugins.
LONG = ("analyze-many-small-events", "analyze-tables-of-a-million-children", "analyze-tables-that-cannot-be", "plugins-check-tables")
WRAPPED = 5  # factor on the time limit under an emulator
KEEP = ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "QEMU_LD_PREFIX")


class Runner:
    """Runs scripts with `etcore` first in PATH and without the user's environment."""

    def __init__(self, etcore, wrapper, scratch):
        self.build = os.path.dirname(os.path.abspath(etcore))
        self.scratch = scratch
        self.longest = LONGEST * (WRAPPED if wrapper else 1)
        self.tried = set()  # suggested commands that succeeded
        self.bin = os.path.join(scratch, "bin")
        os.mkdir(self.bin)
        if not wrapper:
            os.symlink(os.path.abspath(etcore), os.path.join(self.bin, "etcore"))
            return
        with open(os.path.join(self.bin, "etcore"), "w") as f:
            f.write(f'#!/bin/sh\nexec {wrapper} "{os.path.abspath(etcore)}" "$@"\n')
        os.chmod(os.path.join(self.bin, "etcore"), 0o755)

    def run(self, script, merged=False):
        """Returns (stdout, stderr, status), with paths replaced by $ROOT, $TMP, $BUILD. merged: stderr is part of stdout."""
        if '$BUILD/etcore"' in script or "$BUILD/etcore " in script:  # calling the program by its path would bypass the emulator
            return b"", b"a script calls etcore by its name\n", -1
        tmp = tempfile.mkdtemp(dir=self.scratch)
        env = {k: os.environ[k] for k in KEEP if k in os.environ}
        env.update(PATH=f"{self.bin}:/usr/local/bin:/usr/bin:/bin", HOME=tmp, TMP=tmp, BUILD=self.build)
        try:
            p = subprocess.run(
                ["sh", "-c", script], cwd=ROOT, env=env, stdin=subprocess.DEVNULL, timeout=self.longest,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT if merged else subprocess.PIPE)
            status = p.returncode
            streams = [p.stdout, p.stderr or b""]
        except subprocess.TimeoutExpired:
            status, streams = -1, [b"", f"no end within {self.longest} s\n".encode()]
        streams[0] += b"".join(self.try_next(c, env, tmp) for c in suggested(streams[0].decode("utf-8", "replace")))
        shutil.rmtree(tmp, ignore_errors=True)
        for path, name in ((tmp, b"$TMP"), (self.build, b"$BUILD"), (ROOT, b"$ROOT")):
            for written in (path, path.replace("_", r"\_")):  # as it is, and escaped for Markdown
                streams = [s.replace(written.encode(), name) for s in streams]
        return streams[0], streams[1], status


    def try_next(self, command, env, tmp):
        """Runs a command that a screen suggests; returns a text if it fails. Scripts may have changed to $TMP."""
        if command in self.tried:
            return b""
        for folder in (ROOT, tmp, *glob.glob(os.path.join(tmp, "*", ""))):
            p = subprocess.run(["sh", "-c", command], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                               timeout=self.longest, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            if p.returncode == 0 or (p.returncode == 5 and " --salvage " in command):
                if tmp not in command:
                    self.tried.add(command)
                return b""
        return f"the suggested command fails with status {p.returncode}: {command}\n".encode() + p.stderr


NEXT = re.compile(r"^next: (etcore .*(?:\n      etcore .*)*)", re.M)


def suggested(text):
    """Returns the commands in the lines `next:` of screens."""
    return [line.strip() for block in NEXT.findall(text) for line in block.split("\n")]


def read(path):
    try:
        with open(path, "rb") as f:
            return f.read()
    except FileNotFoundError:
        return b""


def write(path, data):
    if data:
        with open(path, "wb") as f:
            f.write(data)
    elif os.path.exists(path):
        os.unlink(path)


def difference(name, want, got):
    lines = [s.decode("utf-8", "backslashreplace").splitlines() for s in (want, got)]
    diff = difflib.unified_diff(*lines, f"{name} (recorded)", f"{name} (now)", lineterm="")
    text = "\n".join(line if len(line) < 300 else line[:300] + " ..." for line in list(diff)[:60])
    return text or f"{name}: only line ends differ"


# ------------------------------------------------------------------------ golden folders


def check_folder(runner, name, update):
    folder = os.path.join(CASES, name)
    script = read(os.path.join(folder, "cmd")).decode()
    if not script.strip():
        return [f"{name}: no cmd"]
    stdout, stderr, status = runner.run(script)
    now = {"stdout": stdout, "stderr": stderr, "status": b"" if status == 0 else b"%d\n" % status}
    wrong = []
    for kind, got in now.items():
        path = os.path.join(folder, kind)
        want = read(path)
        if update:
            write(path, got)
        elif got != want:
            wrong.append(difference(f"cases/{name}/{kind}", want, got))
    return wrong


# ------------------------------------------------------------------------------ documents


FENCE = re.compile(r"^```console(?: status=(\d+))?[ ]*\n(.*?)^```[ ]*$", re.M | re.S)


def commands(block):
    """Returns the (command, expected lines) pairs of a console block."""
    out = []
    lines = block.splitlines()
    at = 0
    while at < len(lines):
        if not lines[at].startswith("$ "):
            raise ValueError(f"a console block must begin with '$ ': {lines[at]!r}")
        command = [lines[at][2:]]
        at += 1
        while command[-1].endswith("\\") and at < len(lines):
            command.append(lines[at].removeprefix("> "))
            at += 1
        shown = []
        while at < len(lines) and not lines[at].startswith("$ "):
            shown.append(lines[at])
            at += 1
        out.append((command, shown))
    return out


def fits(shown, got):
    """Returns whether the lines `got` match the lines `shown`, where "..." stands for any lines."""
    if "..." not in shown:
        return shown == got
    cut = shown.index("...")
    if got[:cut] != shown[:cut]:
        return False
    rest = shown[cut + 1:]
    return any(fits(rest, got[at:]) for at in range(cut, len(got) + 1))


def check_document(runner, name, update):
    path = os.path.join(ROOT, name)
    text = read(path).decode()
    wrong = []

    def check(match):
        want = int(match[1] or 0)
        out = []
        for command, shown in commands(match[2]):
            got, _, status = runner.run("\n".join(command), merged=True)
            lines = [line.rstrip() for line in got.decode("utf-8", "backslashreplace").splitlines()]
            out += ["$ " + command[0], *command[1:]]
            if status != want:
                wrong.append(f"{name}: $ {command[0]}\nexit status {status}, not {want}\n" + "\n".join(lines[-5:]))
            elif not fits(shown, lines) and not update:
                wrong.append(difference(f"{name}: $ {command[0]}", "\n".join(shown).encode(), "\n".join(lines).encode()))
            out += shown if fits(shown, lines) else lines
        head = "```console" + (f" status={match[1]}" if match[1] else "")
        return "\n".join([head, *out, "```"])

    new = FENCE.sub(check, text)
    if update and new != text:
        with open(path, "w", encoding="utf-8") as f:
            f.write(new)
    return wrong


def documents():
    found = ["README.md", *sorted(f"docs/{f}" for f in glob.glob("*.md", root_dir=os.path.join(ROOT, "docs"))
                                  + glob.glob("plugins/*.md", root_dir=os.path.join(ROOT, "docs")))]
    return [f for f in found if FENCE.search(read(os.path.join(ROOT, f)).decode())]


def scripts(check, name):
    """Returns all scripts of a case or document as one text."""
    if check == check_folder:
        return read(os.path.join(CASES, name, "cmd")).decode()
    blocks = FENCE.findall(read(os.path.join(ROOT, name)).decode())
    return "\n".join(line for _, block in blocks for command, _ in commands(block) for line in command)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--etcore", default=os.path.join(ROOT, "build", "etcore"))
    p.add_argument("--wrapper", default="", help="what runs it: qemu-aarch64 -L ...")
    p.add_argument("--update", action="store_true")
    p.add_argument("--every", type=int, default=1, metavar="N", help="each Nth of them")
    p.add_argument("--without", default="", metavar="REGEX", help="not those whose name has this")
    p.add_argument("--part", choices=("short", "long"), help="without those that take long, or only these")
    p.add_argument("--share", action="store_true", help="as many as ETCORE_SHARE says (tests/share.py)")
    p.add_argument("--using", default="", metavar="TEXT", help="only those whose commands have this")
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("names", nargs="*", help="cases and documents whose name contains one of these")
    args = p.parse_args()

    work = [(check_folder, n) for n in sorted(os.listdir(CASES))] + [(check_document, n) for n in documents()]
    work = [w for w in work if not args.names or any(n in w[1] for n in args.names)]
    work = [w for w in work if args.using in scripts(*w)]
    work = [w for w in work if not args.part or (w[1] in LONG) == (args.part == "long")]
    work = share(work) if args.share else work
    work = [w for w in work if not args.without or not re.search(args.without, w[1])][::args.every]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="etcore-cli-") as scratch:
        runner = Runner(args.etcore, args.wrapper, scratch)
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            results = pool.map(lambda w: w[0](runner, w[1], args.update), work)
            for (_, name), wrong in zip(work, results):
                failed += bool(wrong)
                for text in wrong:
                    print(text + "\n")
    if failed and not args.update:
        print("if this is meant: tests/cli/run.py --etcore BUILD/etcore --update, then read the diff")
    print(f"{len(work) - failed} passed, {failed} failed")
    return failed > 0 or not work


if __name__ == "__main__":
    sys.exit(main())
