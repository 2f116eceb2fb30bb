#!/usr/bin/env python3
"""With --strict each warning must end its command: runs every golden case that warns, and the example of each warning's
page in docs/codes, again with that option.

    tests/cli/strict.py --etcore build/etcore [NAME...]

Each `etcore COMMAND` in them gets --strict. A command that prints warning[W...] must exit with the status of that code
in codes.def (9 if a plugin's hook fails, 1 for commands that judge), and print no answer, unless its
answer is a judgement. A case with a warning must have a command that failed.
"""

import argparse
import concurrent.futures
import os
import re
import shlex
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, os.pardir), os.path.join(HERE, os.pardir, "codes")]
import pages  # noqa: E402
from run import CASES, ROOT, Runner, commands, read  # noqa: E402
from share import share  # noqa: E402

ROW = re.compile(r"^X\(W, (\d{4}), (\w+),", re.M)
STATUS = re.compile(r"X\((\w+),\s*(\d+), \"")
# The answer of these commands is a judgement, which is printed even with an error status.
JUDGES = ("doctor", "check", "plugins", "pipeline")
NOT = ("explain", "help", "--help", "-h", "--version", "completion")


def statuses():
    with open(os.path.join(ROOT, "core/base/error.h"), encoding="utf-8") as f:
        of = dict(STATUS.findall(f.read()))
    with open(os.path.join(ROOT, "core/base/codes.def"), encoding="utf-8") as f:
        return {f"W{code}": int(of[status]) for code, status in ROW.findall(f.read())}


class Strict(Runner):
    """A Runner that inserts --strict after `etcore COMMAND` and logs the messages."""

    def __init__(self, etcore, scratch):
        super().__init__(etcore, "", scratch)
        self.log = os.path.join(scratch, "log")
        os.mkdir(self.log)
        os.remove(os.path.join(self.bin, "etcore"))  # a link to the program
        with open(os.path.join(self.bin, "etcore"), "w", encoding="utf-8") as f:
            f.write(f"""#!/bin/sh
[ "$STRICT" ] || exec {shlex.quote(os.path.abspath(etcore))} "$@"
case "$1" in {"|".join(NOT)}|"") exec {shlex.quote(os.path.abspath(etcore))} "$@";; esac
to=$(mktemp -d {self.log}/XXXXXXXX)
echo "$TMP $1" >"$to/command"
command=$1; shift
{shlex.quote(os.path.abspath(etcore))} "$command" --strict "$@" 2>"$to/stderr" >"$to/stdout"
status=$?
echo $status >"$to/status"
cat "$to/stdout"; cat "$to/stderr" >&2
exit $status
""")
        os.chmod(os.path.join(self.bin, "etcore"), 0o755)


def judge(entry, of):
    """Returns (what is wrong with one executed command, or None; whether it warned)."""
    word = read(os.path.join(entry, "command")).decode().split()[1]
    said = read(os.path.join(entry, "stderr")).decode("utf-8", "replace")
    status = int(read(os.path.join(entry, "status")) or 0)
    codes = set(re.findall(r"(?:warning|error)\[(W\d{4})\]", said)) | set(re.findall(r'"code":"(W\d{4})"', said))
    if word in JUDGES:
        codes |= set(re.findall(r"\bW\d{4}\b", read(os.path.join(entry, "stdout")).decode("utf-8", "replace"))) & set(of)
    if not codes:
        return None, False
    allowed = {of[c] for c in codes} | {9} | ({1} if word in JUDGES else set())
    errors = re.search(r"error\[E|\"code\":\"E", said)
    if not status:
        return f"{word}: {sorted(codes)} and status 0", True
    if not errors and status not in allowed:
        return f"{word}: {sorted(codes)} and status {status}, expected one of {sorted(allowed)}", True
    if word not in JUDGES and read(os.path.join(entry, "stdout")):
        return f"{word}: {sorted(codes)} and an answer", True
    return None, True


def script_of(name):
    """Returns the script for a golden case, or for the page of a code."""
    if not re.fullmatch(r"W\d{4}", name):
        return "export STRICT=1\n" + read(os.path.join(CASES, name, "cmd")).decode()
    block = pages.BLOCK.search(pages.pages()[name][2])
    lines = [line for command, _ in commands(block[2]) for line in command]
    setup = os.path.join(pages.HERE, "setups.sh")
    return "\n".join([f'cd "$TMP"; ROOT="{ROOT}" DATA="{ROOT}/tests/data"; . "{setup}"',
                      f"{name} >setup.log 2>&1; export STRICT=1", *lines])


def check(runner, name, of):
    runner.run(script_of(name))
    results = [judge(os.path.join(runner.log, e), of) for e in sorted(os.listdir(runner.log))]
    wrong = [f"{name}: {text}" for text, _ in results if text]
    if not any(warned for _, warned in results):
        wrong.append(f"{name}: no command warned")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--etcore", required=True)
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    of = statuses()
    paged = [c for c, (_, _, text) in sorted(pages.pages().items())
             if c[0] == "W" and c not in pages.units() and pages.BLOCK.search(text)[1] == "console"]
    names = args.names or share([n for n in sorted(os.listdir(CASES))
                           if re.search(rb"warning\[W|\"W\d{4}\"", read(os.path.join(CASES, n, "stderr")))] + paged)
    with tempfile.TemporaryDirectory(prefix="etcore-strict-") as scratch, concurrent.futures.ThreadPoolExecutor(2) as pool:
        # Every wrapper is written before a thread forks: a file that a child holds open for writing cannot be executed.
        runners = [Strict(args.etcore, tempfile.mkdtemp(dir=scratch)) for _ in names]
        wrong = [w for found in pool.map(lambda r, n: check(r, n, of), runners, names) for w in found]
    print("\n".join(wrong))
    print(f"{len(names)} cases and pages that warn, {len(wrong)} wrong")
    return 1 if wrong or not names else 0


if __name__ == "__main__":
    sys.exit(main())
