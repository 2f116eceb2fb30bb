#!/usr/bin/env python3
"""inspect_py - compares `etcore inspector model.pte` with the recorded results of Arm's inspect.py.

    inspect_py.py --etcore build/etcore

The script of Arm's learning path derives the names model.etrecord and model.etdump from
model.pte, prints print_data_tabular(include_delegate_debug_data=True,
include_units=False) and saves save_data_to_tsv() as model.csv. Both are among
the recorded answers: table.units0_debug1.txt and tsv.units1_debug0.tsv. Here the
files get the names that the script expects. Standard library only.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
from recorded import read

CASES = ("mlp_xnnpack", "conv_net_xnnpack", "several_delegates", "linear_int8_dynamic")


def check(etcore, case, folder):
    """Returns a text that describes the first difference from the recorded answers; None if there is none."""
    for name, there in (("model.etrecord", "model.etrecord"), ("run.etdump", "model.etdump")):
        shutil.copy(os.path.join(case, name), os.path.join(folder, there))
    program = os.path.join(folder, "model.pte")
    done = subprocess.run([etcore, "inspector", program], capture_output=True, stdin=subprocess.DEVNULL, timeout=60,
                          env={"PATH": os.environ.get("PATH", "")}, check=False)
    if done.returncode:
        return f"status {done.returncode}: {done.stderr.decode('utf-8', 'replace')}"
    if done.stdout != read(os.path.join(case, "oracle", "table.units0_debug1.txt")):
        return "the table differs"
    if read(os.path.join(folder, "model.csv")) != read(os.path.join(case, "oracle", "tsv.units1_debug0.tsv")):
        return "model.csv differs"
    left = sorted(os.listdir(folder))
    return None if left == ["model.csv", "model.etdump", "model.etrecord"] else f"files left behind: {left}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--etcore", default="build/etcore")
    etcore = os.path.abspath(parser.parse_args().etcore)
    failed = 0
    for name in CASES:
        with tempfile.TemporaryDirectory() as folder:
            wrong = check(etcore, os.path.join("tests", "data", "cases", name), folder)
        failed += wrong is not None
        if wrong:
            print(f"differs: {name}: {wrong}", file=sys.stderr)
    print(f"inspect.py: {len(CASES) - failed} / {len(CASES)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
