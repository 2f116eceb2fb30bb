#!/usr/bin/env python3
"""types_test.py -- runs mypy --strict over the package and over scripts that use it: correct scripts must pass, a wrong
option must be found. Needs mypy: tests/api/arrow_live.sh makes its environment.
"""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RIGHT = '''
import gzip
import io
import mmap
import pathlib
from typing import List, Optional

import pandas

import etcore
from etcore import Event, Inspector, PerfData

path = "run.etdump"
frame: pandas.DataFrame = etcore.analyze(path, by="module").to_pandas()
answer: etcore.Result = etcore.analyze(pathlib.Path(path), b"", io.BytesIO(), warmup=1, where=["self_ns>5"], etrecord=b"", bars=True)
etcore.analyze(open(path, "rb"), gzip.open(path), mmap.mmap(-1, 1))
etcore.diff([path, path], [path], names=["a", "b"])
etcore.check(path, baseline=[path, b""], max_regression="5%")
etcore.dump(path, graph=True)
etcore.inspector(etdump_path=path, include_units=True, include_delegate_debug_data="no")
table: etcore.Table = answer.arrow("samples")
notes: List[str] = [note.code + note.hint for note in answer.notes]
data: bytes = answer.bytes
found: Optional[str] = answer.path
Inspector(pathlib.Path(path), debug_buffer_path=pathlib.Path(path))
Inspector(etdump_data=io.BytesIO()), Inspector(etdump_data=bytearray()), Inspector(etdump_data=mmap.mmap(-1, 1))
events: List[Event] = Inspector(path, etrecord="model.etrecord").event_blocks[0].events
perf: Optional[PerfData] = events[0].perf_data
'''
WRONG = {
    'etcore.analyze("x", bye="op")': "call-arg", 'etcore.analyze("x", by="modul")': "arg-type", 'etcore.analyse("x")': "attr-defined",
    'etcore.analyze("x", bars="yes")': "arg-type", 'etcore.analyze("x", verbose="2")': "arg-type",
    'etcore.analyze(open("x"))': "arg-type", 'etcore.analyze(3.5)': "arg-type", 'len(etcore.analyze("x").status)': "arg-type", 'etcore.Inspector(etdump="x")': "call-arg",
}


def mypy(*words):
    p = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--no-error-summary", *words],
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=dict(os.environ, MYPYPATH=os.path.join(ROOT, "python")))
    return p.returncode, p.stdout.decode()


def script(folder, text):
    path = os.path.join(folder, "script.py")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return mypy("--cache-dir", os.path.join(folder, "cache"), path)


def main():
    with tempfile.TemporaryDirectory() as folder:
        status, said = mypy("--cache-dir", os.path.join(folder, "cache"), os.path.join(ROOT, "python", "etcore"))
        if not status:
            status, said = script(folder, RIGHT)
        if status:
            sys.exit(said)
        _, said = script(folder, "import etcore\n" + "\n".join(WRONG) + "\n")
    found = {int(line): code for line, code in re.findall(r"^[^\n]*script\.py:(\d+): error: .*\[([a-z-]+)\]$", said, re.M)}
    want = {n + 2: code for n, code in enumerate(WRONG.values())}
    if found != want:
        sys.exit(f"{said}\nwant {want}")
    print(f"mypy --strict: the package and a script are clean, {len(WRONG)} mistakes found")


main()
