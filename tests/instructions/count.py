#!/usr/bin/env python3
"""count - counts instructions of etcore's own code for five small inputs, and compares them with the recorded baseline of
this compiler.

    count.py ETCORE COMPILER [--update]

ETCORE is what `./dev build` makes. callgrind counts, with ETCORE_SEED=1, only instructions of the program, its library and
its plugins; libc, simdjson, ld.so and our CRC are left out because they select code by processor. More than +3 % above
tests/instructions/COMPILER.baseline is a failure. Without that file the test prints "no baseline" and is skipped (status
77). --update writes it.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = 1.03
# Functions that select code by processor.
BY_PROCESSOR = re.compile("crc32|simdjson")
CASES = "tests/data/cases"
COMMANDS = {
    "analyze conv_net_xnnpack": ["analyze", f"{CASES}/conv_net_xnnpack/run.etdump", "--no-siblings"],
    "inspector conv_net_xnnpack with its ETRecord": ["inspector", "--etdump_path", f"{CASES}/conv_net_xnnpack/run.etdump",
                                                     "--etrecord_path", f"{CASES}/conv_net_xnnpack/model.etrecord"],
    "diff mlp_xnnpack with itself": ["diff", f"{CASES}/mlp_xnnpack/run.etdump", "--", f"{CASES}/mlp_xnnpack/run.etdump"],
    "analyze mlp_portable with its ETRecord alone, roofline": ["analyze", f"{CASES}/mlp_portable/run.etdump", "-r",
                                                               f"{CASES}/mlp_portable/model.etrecord", "--no-siblings", "--roofline",
                                                               "--peak", "gflops_fp32=150,gbps=20"],
    "analyze conv_net_xnnpack by source": ["analyze", f"{CASES}/conv_net_xnnpack/run.etdump", "-r",
                                           f"{CASES}/conv_net_xnnpack/model.etrecord", "--no-siblings", "--by", "source"],
}


def compiler(path):
    """Returns the name of a baseline, such as gcc-12.2.0-x86_64."""
    def say(*arguments):
        return subprocess.run([path, *arguments], capture_output=True, text=True, check=True).stdout
    kind = "clang" if "clang" in say("--version") else "gcc"
    version = re.search(r"\d+\.\d+(\.\d+)?", say("-dumpfullversion" if kind == "gcc" else "-dumpversion")).group(0)
    return f"{kind}-{version}-{say('-dumpmachine').split('-')[0].strip()}"


def parse(lines, folder):
    """Returns the instructions of each function in objects below the folder. Cost lines belong to the function named last;
    cost lines after calls= belong to called functions."""
    names, now, called, sums = {}, {}, False, {}
    for line in lines:
        kind, equals, rest = line.strip().partition("=")
        if equals and kind in ("ob", "cob", "fn", "cfn"):
            number, _, name = rest.partition(" ")
            if name:
                names[kind[-2:], number] = name
            now[kind] = names[kind[-2:], number]
        elif line.startswith("calls="):
            called = True
        elif line[:1].isdigit() or line[:1] in "+-*":
            if not called and now.get("ob", "").startswith(folder) and not BY_PROCESSOR.search(now["fn"]):
                sums[now["fn"]] = sums.get(now["fn"], 0) + int(line.split()[1])
            called = False
    return sums


def count(etcore, command):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "callgrind.out")
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "ETCORE_SEED": "1", "HOME": "/nonexistent"}
        r = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", etcore, *command, "--set",
                            "etcore.plugins=xnnpack kleidiai coreml"], env=environment, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if r.returncode:
            sys.exit(f"instructions: {' '.join(command)}: status {r.returncode}\n{r.stderr[-2000:]}")
        with open(out) as f:
            sums = parse(f, os.path.dirname(os.path.realpath(etcore)) + "/")
    if not sums:
        sys.exit("instructions: callgrind names none of our functions")
    return sums


def read(path):
    with open(path) as f:
        return {name: int(n) for n, name in (line.rstrip("\n").split(" ", 1) for line in f if not line.startswith("#"))}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("etcore")
    p.add_argument("compiler")
    p.add_argument("--update", action="store_true")
    p.add_argument("--functions", action="store_true", help="also the functions that cost most")
    a = p.parse_args()
    root = os.path.realpath(os.path.join(HERE, "..", ".."))
    name = compiler(a.compiler)
    baseline = os.path.join(HERE, f"{name}.baseline")
    if not a.update and not os.path.exists(baseline):
        print(f"no baseline for {name}: ./dev check instructions --update writes one")
        sys.exit(77)
    sums = {case: count(a.etcore, command) for case, command in COMMANDS.items()}
    now = {case: sum(s.values()) for case, s in sums.items()}
    if a.update:
        with open(baseline, "w") as f:
            f.write("# instructions of our own code, by callgrind; tests/instructions/count.py --update writes this\n")
            f.writelines(f"{n} {case}\n" for case, n in now.items())
    before = read(baseline)
    worst = 0.0
    for case, n in now.items():
        ratio = n / before[case] if before.get(case) else float("inf")
        worst = max(worst, ratio)
        print(f"{n:>12,} {100 * (ratio - 1):+6.2f} %  {case}{'' if ratio <= LIMIT else '   MORE THAN ALLOWED'}")
        if a.functions or ratio > LIMIT:
            for function, k in sorted(sums[case].items(), key=lambda x: -x[1])[:12]:
                print(f"{'':>12} {k:>12,}  {function}")
    if worst > LIMIT:
        print(f"more instructions than {os.path.relpath(baseline, root)} allows; if they are worth it: ./dev check instructions --update")
        sys.exit(1)
    print(f"{len(now)} counts of instructions within 3 % of those of {name}")


if __name__ == "__main__":
    main()
