#!/usr/bin/env python3
"""adding.py -- the diffs of docs/adding.md must apply to this tree, one after the other, and the changed files must
compile."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COMPILE = [os.environ.get("CC", "cc"), "-fsyntax-only", "-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-format-truncation",
           "-I.", "-Icore", "-Isdk/include", '-DETCORE_VERSION="0"']


def changed(tree, diffs):
    """Returns the C files that the diffs change, and those that include a changed header or table."""
    paths = set(re.findall(r"^\+\+\+ b/(.*)", "\n".join(diffs), re.M))
    included = [os.path.basename(p) for p in paths if p.endswith((".h", ".def"))]
    for path in glob.glob("c*/**/*.c", root_dir=tree, recursive=True):
        with open(os.path.join(tree, path), encoding="utf-8") as f:
            text = f.read()
        if any(re.search(rf'#include "[^"]*/{t}"', text) for t in included):
            paths.add(path)
    return sorted(p for p in paths if p.endswith(".c"))


def main():
    if not shutil.which("git") or not shutil.which(COMPILE[0]):
        print("git or the compiler is missing")
        return 77
    with open(os.path.join(ROOT, "docs/adding.md"), encoding="utf-8") as f:
        diffs = re.findall(r"^```diff\n(.*?)^```", f.read(), re.M | re.S)
    wrong = []
    with tempfile.TemporaryDirectory() as tree:
        for folder in ("core", "commands", "library", "sdk", "docs"):
            shutil.copytree(os.path.join(ROOT, folder), os.path.join(tree, folder))
        steps = [(["git", "apply", "-"], d) for d in diffs]
        files = changed(tree, diffs)
        for words, text in steps + [([*COMPILE, p], "") for p in files]:
            done = subprocess.run(words, cwd=tree, input=text, text=True, capture_output=True, check=False)
            wrong += [done.stderr] * (done.returncode != 0)
    print("".join(wrong) + f"{len(diffs)} diffs, {len(files)} files compiled, {len(wrong)} errors")
    return bool(wrong) or not diffs


if __name__ == "__main__":
    sys.exit(main())
