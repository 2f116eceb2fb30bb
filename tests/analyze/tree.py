#!/usr/bin/env python3
"""tree.py --etcore build/etcore -- checks that `analyze --tree` adds up, for every dump of tests/data that has an ETRecord.

The rows of `--by module -o json` are added up here, each at its module and all modules above it (a row of several modules
at the module that contains them all). The tree on screen must have these total and own times, and together with the lines
below it the whole run. Standard library only.
"""
import argparse
import collections
import glob
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NUMBER = r"\d+\.\d+"
LINE = re.compile(rf"^( *)(\S.*?)  .*?({NUMBER}) +({NUMBER}) %(?: +({NUMBER})(?!\S))?")
NS = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}


def ask(etcore, dump, *options):
    done = subprocess.run([etcore, "analyze", dump, *options], check=False, stdin=subprocess.DEVNULL, capture_output=True, timeout=120,
                          env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"})
    return done.stdout.decode() if done.returncode == 0 else None


def module_of(names):
    """Returns the path of the innermost module that contains all modules of a row; None if the row belongs to no module."""
    if names[0].startswith("("):
        return () if names[0] == "(root)" or len(names) > 1 else None
    paths = [() if n.startswith("(") else tuple(n.split(".")) for n in names]
    return os.path.commonprefix(paths)


def expected(answer):
    """Returns {(method, path of the dump): {module: [own, total]}}, computed from the rows in JSON."""
    out = collections.defaultdict(lambda: collections.defaultdict(lambda: [None, 0.0]))
    for row in answer["rows"]:
        if row["detached"]:
            continue
        names = row["modules"] if row.get("modules") else row["key"].split(", ")
        tree = out[row["method"], row["path"]]
        module = module_of(names)
        if module is None:
            module = (row["key"],)
            tree[module][1] += row["self_ns"]
            tree[module][0] = (tree[module][0] or 0) + row["self_ns"]
            continue
        if len(names) == 1:
            tree[module][0] = (tree[module][0] or 0) + row["self_ns"]
        for n in range(len(module) + 1):
            tree[module[:n]][1] += row["self_ns"]
    return out


def shown(screen):
    """Yields for each tree on the screen {module: (own, total)}, the sum of its first level, and half a unit of its last
    digit."""
    for block in screen.split("\n\n"):
        lines = block.split("\n")
        head = re.match(r"module .*total (\S+) ", lines[0])
        if not head:
            continue
        unit, tree, stack, whole = NS[head[1]], {}, [], 0.0
        for line in lines[1:]:
            m = LINE.match(line)
            assert m, line
            depth, name, total = len(m[1]) // 2, m[2], float(m[3]) * unit
            digits = len(m[3].split(".")[1])
            stack[depth:] = [name]
            whole += total if depth == 0 else 0
            if ", " in name or " more" in name or ":" in name:
                continue
            path = tuple(p for s in stack[1:] for p in s.split(".")) if stack[0] == "(root)" else (name,)
            tree[path] = (float(m[5]) * unit if m[5] else None, total)
        yield tree, whole, 0.51 * unit / 10 ** digits


def check(etcore, dump):
    """Checks one dump; returns how many modules were compared."""
    answer, screen = ask(etcore, dump, "--by", "module", "-o", "json"), ask(etcore, dump, "--tree", "--top", "0")
    if not answer or not screen:
        assert not answer and not screen, dump
        return 0
    answer, count = json.loads(answer), 0
    want = expected(answer)
    paths = {(m["name"], p["path"]): p for m in answer["methods"] for p in m["paths"]}
    for tree, whole, half in shown(screen) if paths else ():
        fits = [k for k, v in want.items() if k in paths and len(v) and
                abs(paths[k]["typical_ns"] - whole) <= half * 2 * (len(tree) + 6)]
        same = [k for k in fits if all(abs(want[k][m][1] - total) <= half and (own is None or abs((want[k][m][0] or 0) - own) <= half)
                                       for m, (own, total) in tree.items())]
        assert same, f"{dump}: no path has these times: {tree}"
        count += len(tree)
    return count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--etcore", required=True)
    etcore = os.path.abspath(parser.parse_args().etcore)
    os.chdir(ROOT)
    dumps = sorted(glob.glob("tests/data/cases/*/run.etdump") + glob.glob("tests/data/arm/*/x86/run.etdump"))
    count = sum(check(etcore, d) for d in dumps)
    print(f"{count} modules of {len(dumps)} dumps")
    return count < 100


if __name__ == "__main__":
    sys.exit(main())
