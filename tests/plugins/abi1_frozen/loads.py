#!/usr/bin/env python3
"""loads.py --etcore PROGRAM --built FOLDER [--update] -- plugins built for ABI 1.0 must give the same answers as then.

frozen.so and frozen_notes.so, built when the ABI was frozen (used on x86-64 only), and builds of the same sources today
(FOLDER; used everywhere), must give expected.txt. The commands name their columns, so that a new column makes no
difference. Use --update only after a deliberate change of etcore's output, never because a plugin's answer is missing."""
import argparse
import difflib
import hashlib
import os
import re
import subprocess
import sys

VERSION = "1.0"
HERE = os.path.dirname(os.path.abspath(__file__))
CASES = "tests/data/backends/cases/"
RUN, RECORD = [CASES + "coreml_basic/run.etdump"], ["-r", CASES + "coreml_basic/model.etrecord"]
LISTS, LISTS_RECORD = [CASES + "demo_int_ids/run.etdump"], ["-r", CASES + "demo_int_ids/model.etrecord"]
CONF = ["-c", os.path.join(HERE, "frozen.ini")]
FACTS = ("name,calls,self_ns,backend,category,kernel,kernel_library,unit,clock,why,kernel_library_ran,kernel_library_why,"
         "isa,variant,canonical,microkernel_inferred,frozen_operator,frozen_length,frozen_half,frozen_conv,frozen.json")
QUESTIONS = [
    ["plugins", "info", "frozen"],
    ["plugins", "info", "frozen_notes"],
    ["analyze", *RUN, *RECORD, "-o", "csv", "--columns", FACTS],
    ["analyze", *RUN, *RECORD, "--by", "module", "-o", "csv", "--columns", "name,calls,how"],
    ["analyze", *LISTS, *LISTS_RECORD, "-o", "csv", "--columns", "name,calls,backend,frozen_length"],
    ["inspector", "--etdump_path", *RUN, "--include-delegate-debug-data", "yes", "-o", "csv"],
    ["inspector", "--etdump_path", *LISTS, "--include-delegate-debug-data", "yes", "-o", "csv"],
]
CHECKS = ["load", "ordinary", "numbers", "names", "metadata", "texts", "columns", "answers", "sizes", "extension"]


def is_x86_64(program):
    """Returns whether the program is for x86-64. Reads the ELF header, because programs of another machine may run under an
    emulator."""
    with open(program, "rb") as f:
        head = f.read(20)
    return head[:4] == b"\x7fELF" and head[18:20] == b"\x3e\x00"


def changed():
    """Returns the names of frozen files that have changed."""
    out = []
    with open(os.path.join(HERE, "SHA256SUMS"), encoding="ascii") as f:
        for line in f:
            digest, name = line.split()
            with open(os.path.join(HERE, name), "rb") as frozen:
                if hashlib.sha256(frozen.read()).hexdigest() != digest:
                    out.append(name)
    return out


def answers(etcore, folder):
    env = dict(os.environ, ETCORE_PLUGIN_PATH=folder)
    out = []
    for words in QUESTIONS:
        # The inspector reads no environment variables, so its plugins are given by path.
        more = ["--plugin", os.path.join(folder, "frozen.so")] if words[0] == "inspector" else CONF
        done = subprocess.run([etcore, *words, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
        said = "".join(line + "\n" for line in done.stderr.splitlines() if line.startswith("etcore: ") and "W0555" not in line)
        answer = re.sub(r"^ *(path|from) .*\n", "", done.stdout, flags=re.M)
        out.append(f"$ etcore {' '.join(words)}\n{answer}{said}status {done.returncode}\n")
    for name in ("frozen", "frozen_notes"):
        done = subprocess.run([etcore, "plugins", "check", os.path.join(folder, name + ".so"), *CHECKS, "-o", "tap", "--limit",
                               "60"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        out.append(f"$ etcore plugins check {name}.so\n{done.stdout}status {done.returncode}\n")
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--etcore", required=True)
    parser.add_argument("--built", required=True)
    parser.add_argument("--update", action="store_true")
    args = parser.parse_args()
    here = is_x86_64(args.etcore)
    folders = {"built now": args.built}
    if here:
        folders["as committed"] = os.path.join(HERE, "x86-64")
    expected, wrong = os.path.join(HERE, "expected.txt"), len(changed())
    if wrong:
        print(f"frozen, and changed all the same: {changed()}")
    if args.update:
        with open(expected, "w", encoding="utf-8") as f:
            f.write(answers(args.etcore, args.built))
    with open(expected, encoding="utf-8") as f:
        want = f.read()
    for what, folder in folders.items():
        got = answers(args.etcore, folder)
        if got != want:
            wrong += 1
            print(f"{what}:", *difflib.unified_diff(want.splitlines(), got.splitlines(), "then", "now", lineterm=""),
                  sep="\n")
    print(f"plugins of ABI {VERSION}, {' and '.join(folders)}: {wrong} wrong" +
          ("" if here else "; the committed ones are for x86-64, and this etcore is not"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
