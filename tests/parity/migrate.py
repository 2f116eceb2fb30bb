#!/usr/bin/env python3
"""docs/migrate.md: each piece of Python prints in the live Inspector what the command below it prints.

    migrate.py

Needs ExecuTorch: ETCORE_VENV names the venv; without it the test is skipped. tests/cli/run.py holds the commands to
what the page shows, so the page's output is what Python is compared with.
"""
import io
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "docs", "migrate.md")


def live():
    import logging
    import warnings

    import torch
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    out = io.StringIO()
    stdout, sys.stdout = sys.stdout, out  # before the import: print_data_tabular keeps the one it finds
    bad = done = 0
    with open(PAGE, encoding="utf-8") as f:
        blocks = re.findall(r"^```(python|console)[^\n]*\n(.*?)^```", f.read(), re.M | re.S)
    with tempfile.TemporaryDirectory() as tmp:
        names, python = {"TMP": tmp, "os": os}, None
        for kind, text in blocks:
            if kind == "python":
                out.truncate(0)
                out.seek(0)
                exec(compile(text, PAGE, "exec"), names)  # noqa: S102 -- our own page
                python = out.getvalue()
                continue
            shown = "".join(line for line in text.splitlines(True) if not line.startswith("$ "))
            if python:
                done += 1
                if python != shown:
                    bad += 1
                    print(f"FAILED\n--- the Inspector\n{python}--- the page\n{shown}", file=stdout)
            python = None
    print(f"{done} snippets, {bad} differ", file=stdout)
    return bad != 0 or done < 6


def main():
    if sys.argv[1:] == ["--live"]:
        return live()
    venv = os.environ.get("ETCORE_VENV")
    if not venv:
        print("ETCORE_VENV names no venv with ExecuTorch")
        return 77
    return subprocess.run([os.path.join(venv, "bin", "python"), __file__, "--live"], cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main())
