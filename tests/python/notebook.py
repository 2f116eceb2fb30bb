#!/usr/bin/env python3
"""notebook.py LIBRARY [--record] -- executes docs/python.ipynb and compares the outputs with those stored in it; --record
stores the new outputs. Needs nbclient, ipykernel, pandas and pyarrow: tests/api/arrow_live.sh makes their environment.
"""
import difflib
import os
import sys

import nbclient
import nbformat
import pandas

NAME = "docs/python.ipynb"


def text(value):
    """Returns an output without parts that vary, such as file names and lines of a traceback."""
    if isinstance(value, list):
        return [text(v) for v in value]
    if not isinstance(value, dict):
        return value
    value = {k: text(v) for k, v in sorted(value.items()) if k not in ("execution_count", "metadata")}
    if value.get("output_type") == "error":
        value["traceback"] = [f"{value['ename']}: {value['evalue']}"]
    return value


def lines(notebook):
    """Returns the sources and outputs of a notebook's cells as lines of text."""
    out = []
    for n, cell in enumerate(c for c in notebook.cells if c.cell_type == "code"):
        out += [f"cell {n + 1}:", *cell.source.splitlines()]
        for output in text(cell.outputs):
            out += [line for key, value in sorted(output.items()) for line in f"{key}: {value}".replace("\\n", "\n").splitlines()]
    return out


def main():
    if not pandas.__version__.startswith("3."):
        print(f"the outputs are those of pandas 3, this is {pandas.__version__}")
        sys.exit(77)
    os.environ["ETCORE_LIBRARY"] = os.path.abspath(sys.argv[1])
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    # warnings are disabled, because notes about the record name a temporary file of the kernel
    os.environ.update(PYTHONPATH=os.path.abspath("python"), PYTHONDONTWRITEBYTECODE="1", PYTHONWARNINGS="ignore",
                      IPYTHONDIR=os.path.abspath("build/ipython"))
    notebook = nbformat.read(NAME, as_version=4)
    want = lines(notebook)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": "docs"}}).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", ()):
            output.update(text([output])[0])
    if "--record" in sys.argv:
        notebook.metadata = {"language_info": {"name": "python"}}
        nbformat.validate(notebook)
        nbformat.write(notebook, NAME)
        return
    got = lines(notebook)
    if got != want:
        sys.exit("\n".join([f"{NAME}: other outputs than those stored; --record stores them",
                            *difflib.unified_diff(want, got, "stored", "now", lineterm="", n=1)]))
    cells = [c for c in notebook.cells if c.cell_type == "code"]
    print(f"{NAME}: {len(cells)} cells, {sum(len(c.outputs) for c in cells)} outputs as stored")


main()
