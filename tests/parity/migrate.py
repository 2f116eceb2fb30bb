#!/usr/bin/env python3
"""Runs each piece of Python in docs/migrate.md with the live Inspector and, with only the import changed, with etcore's
class. Both must print the output that the page shows below the etcore command that follows the piece.

tests/live.py runs live(), with ExecuTorch. `migrate.py --etcore LIBRARY` runs etcore's class alone, in any Python; a piece
that needs an absent package is left out.

tests/cli/run.py checks that the commands print the page's output, so this test compares the Python pieces with the page.
"""
import io
import os
import re
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "docs", "migrate.md")

# receives what the pieces print. It replaces sys.stdout before the import, because print_data_tabular keeps the stream
# that it finds then.
OUT = io.StringIO()
IMPORTS = "from executorch.devtools import Inspector", "from etcore import Inspector"


def live():
    import logging

    os.chdir(ROOT)
    logging.disable(logging.CRITICAL)
    return pieces(lambda text: text) or ("ETCORE_LIBRARY" in os.environ and changed())


def changed():
    """Runs the pieces with the import changed. ExecuTorch is hidden unless a piece asks for a graph."""
    sys.path.insert(0, os.path.join(ROOT, "python"))
    return pieces(lambda text: text.replace(*IMPORTS), ", of etcore")


def pieces(change, whose=""):
    import warnings

    warnings.simplefilter("ignore")
    stdout, sys.stdout = sys.stdout, OUT
    bad = done = 0
    absent = []
    with open(PAGE, encoding="utf-8") as f:
        blocks = re.findall(r"^```(python|console)[^\n]*\n(.*?)^```", f.read(), re.M | re.S)
    with tempfile.TemporaryDirectory() as tmp:
        names, python = {"TMP": tmp, "os": os}, None
        for kind, text in blocks:
            if kind == "python":
                OUT.truncate(0)
                OUT.seek(0)
                try:
                    exec(compile(change(text), PAGE, "exec"), names)  # noqa: S102 -- our own page
                except ImportError as e:
                    if not whose or "pip install" not in str(e):
                        raise
                    absent.append(e.name)
                python = OUT.getvalue()
                continue
            shown = "".join(line for line in text.splitlines(True) if not line.startswith("$ "))
            if python:
                done += 1
                if python != shown:
                    bad += 1
                    print(f"FAILED{whose}\n--- the Inspector\n{python}--- the page\n{shown}", file=stdout)
            python = None
    sys.stdout = stdout
    print(f"{done} snippets{whose}, {bad} differ" + (f"; {len(absent)} need {', '.join(absent)}" if absent else ""))
    return bad != 0 or done + len(absent) < 6


def main():
    os.environ["ETCORE_LIBRARY"] = os.path.abspath(sys.argv[2])
    os.chdir(ROOT)
    return changed()


if __name__ == "__main__":
    sys.exit(main())
