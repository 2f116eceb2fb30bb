#!/usr/bin/env python3
"""loads.py --etcore PROGRAM --built FOLDER [--update] -- plugins built for ABI 1.1 must give the same answers as then.

Like ../abi1_frozen/loads.py, whose functions it uses, but for the additions of 1.1. A dump is made and analysed with the
plugin in this process, isolated, as an old host would, and with options that are out of range."""
import importlib.util
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path.insert(0, os.path.join(ROOT, "tests", "tools"))
import make_calls  # noqa: E402

spec = importlib.util.spec_from_file_location("frozen", os.path.join(HERE, "..", "abi1_frozen", "loads.py"))
frozen = importlib.util.module_from_spec(spec)
spec.loader.exec_module(frozen)

CONF = ["-c", os.path.join(HERE, "frozen.ini")]
COLUMNS = ("name,calls,self_ns,total_ns,share,backend,category,kernel,kernel_library,unit,clock,detached,why,kernel_library_ran,"
           "kernel_library_why,frozen_mean,frozen_min,frozen_max,frozen_time_mean,frozen_text")
QUESTIONS = [
    ["plugins", "info", "frozen"],
    ["plugins", "info", "frozen_notes"],
    ["analyze", "$RUN", "--no-siblings", "-o", "csv", "--columns", COLUMNS],
    ["analyze", "$RUN", "--no-siblings", "--isolate", "-o", "csv", "--columns", COLUMNS],
    ["analyze", "$RUN", "--no-siblings", "--events", "-o", "csv"],
    ["analyze", "$RUN", "--no-siblings", "--set", "plugin.frozen.lanes=9"],
    ["analyze", "$RUN", "--no-siblings", "--set", "plugin.frozen.mode=other"],
]
CHECKS = ["load", "ordinary", "metadata", "texts", "columns", "extension", "sinks", "sizes", "older", "repeat", "order",
          "instances"]
# Pairs of an event's letter and its time in hundreds, for three runs; the first run is set aside.
TABLES = (b"a\x09B\x01p\x02t\x01", b"a\x10B\x04p\x02t\x01", b"a\x12B\x06p\x04t\x01")


def runs():
    made = []
    for number, table in enumerate(TABLES):
        now = 100000 * number
        device = 200000 + 2 * (now + 2000 - 1000)
        made.append([("", "frozen graph", table, 0, device, device + 14000),
                     ("", "frozen engine", b"", 0, device, device + 12000),
                     ("DELEGATE_CALL", None, b"", 0, now + 1500, now + 9500),
                     ("Method::execute", None, b"", -1, now + 1000, now + 10000)])
    return made


def answers(etcore, folder):
    env = dict(os.environ, ETCORE_PLUGIN_PATH=folder)
    out = []
    with tempfile.TemporaryDirectory() as scratch:
        run = os.path.join(scratch, "run.etdump")
        with open(run, "wb") as f:
            f.write(make_calls.make(runs()))
        for words in QUESTIONS:
            done = subprocess.run([etcore, *(run if w == "$RUN" else w for w in words), *CONF], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, env=env, check=False)
            said = "".join(line + "\n" for line in done.stderr.splitlines() if line.startswith("etcore: "))
            answer = re.sub(r"^ *(path|from) .*\n", "", done.stdout, flags=re.M)
            text = f"$ etcore {' '.join(words)}\n{answer}{said}status {done.returncode}\n"
            out.append(text.replace(run, "$RUN").replace(HERE, "HERE"))
        for name in ("frozen", "frozen_notes"):
            done = subprocess.run([etcore, "plugins", "check", os.path.join(folder, name + ".so"), *CHECKS, "--sample", run,
                                   "-o", "tap", "--limit", "60", *CONF], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True, env=env, check=False)
            out.append(f"$ etcore plugins check {name}.so\n{done.stdout}status {done.returncode}\n")
    return "\n".join(out)


if __name__ == "__main__":
    frozen.HERE, frozen.answers, frozen.VERSION = HERE, answers, "1.1"
    sys.exit(frozen.main())
