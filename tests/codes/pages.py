#!/usr/bin/env python3
"""Triggers each diagnostic, and checks that the example of its page shows the output.

    tests/codes/pages.py [--etcore build/etcore] [--update] [CODE...]

A page of docs/codes/NN.md has a heading "## CODE: title", the cause, one ```console block, and the remedy. The shell
function named CODE of setups.sh puts files into an empty folder, then the commands of the block run there. Their output
must be what the block shows: "..." stands for any lines, and the lines "  hint: " and "  see:  " are left out of both. The
code must be in the output, and if it is the error, the exit status must be that of codes.def. In the block, the empty
folder is called /home/me, and the folder of the program's own plugins is shown as installed. --update writes the current
output into the blocks; read the diff.

A code that no command can be made to print has a block ```text and a line "CODE FILE" in units.txt, which names the unit
test that asserts it.
"""

import argparse
import concurrent.futures
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "tests", "cli"), os.path.join(ROOT, "tests")]
from run import Runner, commands, difference, fits  # noqa: E402
from share import share  # noqa: E402

FOLDER = os.path.join(ROOT, "docs", "codes")
PAGE = re.compile(r"^## ([EWN]\d{4}): ([^\n]*)\n(.*?)(?=^## |\Z)", re.M | re.S)
BLOCK = re.compile(r"^```(console|text)\n(.*?)^```[ ]*$", re.M | re.S)
ROW = re.compile(r'^X\(([EWN]), (\d{4}), (\w+),', re.M)
PLACES = {"$TMP": "/home/me", "$BUILD/plugins": "/usr/lib/etcore/plugins/1"}
# Parts of an output that differ between runs, or depend on a file that does not belong to the page.
VARIES = ((re.compile(r"the process took [0-9.]+ ms"), "the process took 250.000 ms"),
          (re.compile(r"\bafter [0-9.]+ s\b"), "after 0.1 s"),
          (re.compile(r"(\./a is )[0-9a-f]{64}"), r"\g<1>" + "35232a69" * 8))
OTHER_STATUS = {"E1007": 130}  # the shell's status for a command that SIGINT ended
EXIT = re.compile(r"X\((\w+),\s*(\d+), \"")


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as f:
        return f.read()


def pages():
    """Returns {code: (file, title, text)} of all pages."""
    found = {}
    for name in sorted(os.listdir(FOLDER)):
        for code, title, text in PAGE.findall(read(FOLDER, name)):
            found[code] = (os.path.join(FOLDER, name), title, text)
    return found


def units():
    """Returns {code: file} of units.txt."""
    lines = [line.split() for line in read(HERE, "units.txt").splitlines()]
    return {line[0]: line[1] for line in lines if line and line[0] != "#"}


def statuses():
    """Returns {code: exit status} of codes.def."""
    exits = dict(EXIT.findall(read("core/base/error.h")))
    return {letter + number: int(exits[status])
            for letter, number, status in ROW.findall(read("core/base/codes.def"))}


def quiet(lines):
    return [line for line in lines if not line.startswith(("  hint: ", "  see:  "))]


def excerpt(code, lines):
    """Returns the first line that contains the code (a diagnostic if there is one), with "..." for the other lines."""
    lines = quiet(lines)
    found = [n for n, line in enumerate(lines) if f"[{code}]" in line] or \
            [n for n, line in enumerate(lines) if re.search(rf"\b{code}\b", line)]
    out = []
    for n, line in enumerate(lines):
        keep = line if n in found[:1] else "..."
        if keep != "..." or not out or out[-1] != "...":
            out.append(keep)
    return out


def run(runner, code, command):
    script = "\n".join([f'cd "$TMP"; ROOT="{ROOT}" DATA="{ROOT}/tests/data"; . "{HERE}/setups.sh"',
                        f"{code} >setup.log 2>&1 || {{ cat setup.log; exit 99; }}; rm setup.log", *command])
    out, _, status = runner.run(script, merged=True)
    text = out.decode("utf-8", "backslashreplace")
    for place, name in PLACES.items():
        text = text.replace(place, name)
    for pattern, instead in VARIES:
        text = pattern.sub(instead, text)
    return [line.rstrip() for line in text.splitlines()], status


def check(runner, code, text, exits):
    """Returns (what is wrong, the block with the current output)."""
    block = BLOCK.search(text)
    if not block or block[1] == "text":
        return [], None
    wrong, new, seen = [], [], False
    parts = commands(block[2])
    for command, shown in parts:
        lines, status = run(runner, code, command)
        shown = quiet(shown)
        new += ["$ " + command[0], *command[1:]]
        if fits(shown, quiet(lines)) and (code in block[2] or "..." not in shown):
            new += shown
        else:
            wrong.append(difference(f"{code}: $ {command[0]}", "\n".join(shown).encode(),
                                    "\n".join(quiet(lines)).encode()))
            new += excerpt(code, lines)
        seen = seen or any(re.search(rf"\b{code}\b", line) for line in quiet(lines))
        if any(line.startswith(f"etcore: error[{code}]") for line in lines) and status != OTHER_STATUS.get(code, exits[code]):
            wrong.append(f"{code}: $ {command[0]}\nexit status {status}, not {exits[code]}")
        if status in (-1, 99):
            wrong.append(f"{code}: the setup failed, or no end:\n" + "\n".join(lines[-5:]))
    if not seen:
        wrong.append(f"{code}: is not in what its example prints")
    return wrong, "\n".join(["```console", *new, "```"])


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--etcore", default=os.path.join(ROOT, "build", "etcore"))
    p.add_argument("--wrapper", default="")
    p.add_argument("--update", action="store_true")
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("codes", nargs="*", help="codes, or how they begin: W02")
    args = p.parse_args()

    exits, asserted = statuses(), units()
    work = [(code, page) for code, page in sorted(pages().items(), key=lambda item: item[0][1:])
            if not args.codes or code.startswith(tuple(args.codes))]
    work = work if args.codes or args.update else share(work)
    failed = 0
    with tempfile.TemporaryDirectory(prefix="etcore-codes-") as scratch:
        runner = Runner(args.etcore, args.wrapper, scratch)
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            results = list(pool.map(lambda w: check(runner, w[0], w[1][2], exits), work))
    for (code, (path, title, text)), (wrong, block) in zip(work, results):
        failed += bool(wrong)
        for message in wrong:
            print(message + "\n")
        if args.update and wrong and block:
            whole = read(path)
            old = f"## {code}: {title}\n{text}"
            with open(path, "w", encoding="utf-8") as f:
                f.write(whole.replace(old, BLOCK.sub(lambda _: block, old, count=1)))
    run_here = sum(1 for code, _ in work if code not in asserted)
    print(f"{run_here} codes triggered by a command as their pages show, {len(work) - run_here} by unit tests; "
          f"{failed} wrong")
    return failed > 0 or not work


if __name__ == "__main__":
    sys.exit(main())
