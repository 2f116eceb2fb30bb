#!/usr/bin/env python3
"""microkernels.py --etcore ETCORE -- compares KleidiAI's inferred micro-kernels with the functions that were observed to
run.

tests/data/arm/kernels.json names these functions for every net on four processors. Without the program, analyze may name
both candidates, and the one that ran must be among them; with it (tests/data/pte/<net>.pte) exactly the one that ran.
"""
import argparse
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(ROOT, "tests", "data")
PREFIX = "matmul_clamp_"
PROCESSORS = {"sme2": "sme2", "sme": "sme", "nosme": "i8mm", "n1": "dotprod"}


def inferred(etcore, dump, cpu, program):
    """Returns the distinct answers of all rows, each as the set of candidates that it names."""
    run = subprocess.run([etcore, "analyze", dump, "--no-siblings", "-o", "json", "--set", f"plugin.kleidiai.cpu={cpu}",
                          *(["-m", program] if program else [])], capture_output=True, check=True)
    texts = {part for row in json.loads(run.stdout)["rows"]
             for part in row["columns"].get("microkernel_inferred", "").split("; ") if part}
    return [set(text.split(" or ")) for text in texts]


def judge(answers, ran, exact):
    if set().union(*answers) - ran if exact else any(not a & ran for a in answers):
        return f"inferred {sorted(map(sorted, answers))}, ran {sorted(ran)}"
    missing = ran - set().union(*answers)
    return f"ran and not inferred: {sorted(missing)}" if missing else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--etcore", required=True)
    etcore = parser.parse_args().etcore
    passed = failed = 0
    with open(os.path.join(DATA, "arm", "kernels.json"), encoding="utf-8") as f:
        nets = json.load(f)
    for net, runs in sorted(nets.items()):
        program = os.path.join(DATA, "pte", net + ".pte")
        for processor, cpu in PROCESSORS.items():
            dump = os.path.join(DATA, "arm", net, processor, "run.etdump")
            if processor not in runs or not os.path.exists(dump):
                continue
            ran = {k[len(PREFIX):] for k in runs[processor].get("kai_run", []) if k.startswith(PREFIX)}
            for pte in (None, program) if os.path.exists(program) else (None,):
                problem = judge(inferred(etcore, dump, cpu, pte), ran, pte is not None)
                passed += problem is None
                failed += problem is not None
                if problem:
                    print(f"{net} on {processor}{' with its program' if pte else ''}: {problem}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0 or passed == 0)


if __name__ == "__main__":
    main()
