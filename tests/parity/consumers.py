#!/usr/bin/env python3
"""consumers.py [--etcore …] -- runs unchanged programs that use ExecuTorch's Inspector twice: with the real class, and
under `python -m etcore.shim`. Output and files must be equal byte for byte.

$ETCORE_CONSUMERS is a folder with the programs, in the layout of pytorch/executorch. Prints the programs that ran. A
program that fails here with the real class too is counted separately, with the reason.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.abspath(os.path.join(os.path.dirname(__file__), os.pardir, os.pardir))
MLP, XNN, DEBUG, COREML = (os.path.join(HERE, "tests/data", p) for p in (
    "cases/mlp_portable", "cases/mlp_xnnpack", "cases/debug_xnnpack", "backends/cases/coreml_basic"))

# The program under test is a module without a main function, so this script calls it.
CADENCE = """
import logging, sys
handler = logging.StreamHandler(sys.stdout)
handler.addFilter(lambda record: record.name == "root")  # its own messages, not those of the libraries
logging.basicConfig(level=logging.INFO, format="%(message)s", handlers=[handler])
sys.path.insert(0, {folder!r})
from etdump import CadenceETDump
dump = CadenceETDump(".")
print(dump.get_outputs())
dump.print_summary(1000, "link")
dump.print_event_block()
dump.dump_intermediate_tensors()
"""
# This script uses the part of Arm's provider for Model Explorer that calls the Inspector; the package is on PYTHONPATH.
PROVIDER = """
import dataclasses, json, sys
from pathlib import Path
from etdump_data_provider_model_explorer.profiling import load_runtime_overlay
found = load_runtime_overlay(Path(sys.argv[1]), Path(sys.argv[2]))
print(json.dumps({k: dataclasses.asdict(v) for k, v in found.items()}, indent=1))
"""
DRIVERS = {"cadence_etdump": CADENCE, "model_explorer_provider": PROVIDER}


def full(folder):
    out = ["--etdump_path", f"{folder}/run.etdump", "--etrecord_path", f"{folder}/model.etrecord"]
    return out + (["--debug_buffer_path", f"{folder}/debug.bin"] if os.path.exists(f"{folder}/debug.bin") else [])


def have(*pairs):
    """Returns a function that copies files of a case into the folder `there`, in which the program runs. `pairs`: (source,
    name)."""
    def put(there):
        for source, name in pairs:
            os.makedirs(os.path.dirname(os.path.join(there, name)), exist_ok=True)
            shutil.copy(source, os.path.join(there, name))
    return put


nothing = have()
CONSUMERS = [
    ("inspector_cli", "devtools/inspector/inspector_cli.py", [full(MLP) + ["--tsv_path", "t.tsv"], full(XNN), full(DEBUG),
     full(MLP) + ["--source_time_scale", "us", "--target_time_scale", "s"]], nothing),
    ("generate_profiling_csv", "devtools/scripts/generate_profiling_csv.py",
     [["--etdump_path", f"{c}/run.etdump", "--output", "p.csv"] for c in (MLP, XNN, COREML)], nothing),
    ("etdump_to_chrome_trace", "backends/arm/scripts/etdump_to_chrome_trace.py",
     [full(c)[:4] + ["--output", "t.json"] for c in (MLP, XNN)], nothing),
    ("etdump_summary", "examples/riscv/etdump_summary.py",
     [[f"{c}/run.etdump", "--json", "s.json"] for c in (MLP, XNN, DEBUG)], nothing),
    ("analyzing_with_inspector", "examples/nxp/analyzing_with_inspector.py", [[]],
     have((f"{XNN}/run.etdump", "etdump/trace.etdump"), (f"{XNN}/model.etrecord", "etrecord/etrecord.bin"))),
    ("coreml_inspector_cli", "examples/apple/coreml/scripts/inspector_cli.py",
     [["--etdump_path", f"{COREML}/run.etdump", "--etrecord_path", f"{COREML}/model.etrecord"]], nothing),
    ("cadence_etdump", None, [[]], have((f"{DEBUG}/run.etdump", "etdump.etdp"), (f"{DEBUG}/model.etrecord", "etrecord.bin"),
                                       (f"{DEBUG}/debug.bin", "debug_output.bin"))),
    ("devtools_tutorial", "docs/source/tutorials_source/devtools-integration-tutorial.py", [[]],
     have((os.path.join(HERE, "tests/data/executorch/tutorial.etdp"), "etdump.etdp"))),
    ("model_explorer_provider", None, [[f"{c}/model.etrecord", f"{c}/run.etdump"] for c in (MLP, XNN)], nothing),
]


def files(folder):
    out = {}
    for at, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(at, name), "rb") as f:
                out[os.path.relpath(os.path.join(at, name), folder)] = f.read()
    return out


def run(command, put, environment):
    with tempfile.TemporaryDirectory(prefix="etcore-consumer-") as there:
        put(there)
        began = time.monotonic()
        p = subprocess.run(command, cwd=there, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                           env=environment, timeout=900)
        took = time.monotonic() - began
        mask = lambda b: b.replace(there.encode(), b"$HERE")  # noqa: E731
        return p.returncode, mask(p.stdout), {k: mask(v) for k, v in files(there).items()}, p.stderr.decode("utf-8", "replace"), took


# The tutorial exports a net with random weights and prints addresses of its modules. So addresses in its output and the
# contents of its files are not compared.
RANDOM = {"devtools_tutorial"}


def stable(result):
    status, output, written, *rest = result
    return status, re.sub(rb"'[0-9]{12,}'", b"'ADDRESS'", output), sorted(written), *rest


def last(text):
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith(" ")]
    return lines[-1][:200] if lines else ""


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--etcore")
    p.add_argument("--only", default="")
    args = p.parse_args()
    root = os.environ.get("ETCORE_CONSUMERS")
    if not root:
        print("skipped: ETCORE_CONSUMERS names no folder with the programs")
        return 77
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([os.path.join(HERE, "python"), *filter(None, [os.environ.get("PYTHONPATH")])]),
                   "PYTHONDONTWRITEBYTECODE": "1", "MPLBACKEND": "agg"}
    ran, not_run, failed = [], [], []
    scratch = tempfile.mkdtemp(prefix="etcore-consumers-")
    for name, script, calls, put in CONSUMERS:
        if args.only not in name:
            continue
        if script is None:
            path = os.path.join(scratch, name + ".py")
            with open(path, "w", encoding="utf-8") as f:
                f.write(DRIVERS[name].replace("{folder!r}", repr(os.path.join(root, "backends/cadence/runtime"))))
        else:
            path = os.path.join(root, script)
            if not os.path.exists(path):
                not_run.append(f"{name}: no {script}")
                continue
        for words in calls:
            want = run([sys.executable, path, *words], put, environment)
            got = run([sys.executable, "-m", "etcore.shim", path, *words], put, environment)
            if name in RANDOM:
                want, got = stable(want), stable(got)
            if want[0] and got[0] == want[0] and last(want[3]) == last(got[3]) and "Error" in last(want[3]):
                not_run.append(f"{name}: fails with the real class as well: {last(want[3])}")
                break
            wrong = [w for w, a, b in zip(("status", "output", "files"), want, got) if a != b]
            if wrong:
                failed.append(name)
                at = next((i for i, (a, b) in enumerate(zip(want[1], got[1])) if a != b), 0)
                print(f"differs: {name} {' '.join(words)}: {wrong} at {at}: {want[1][at:at + 200]!r}, {got[1][at:at + 200]!r}\n  want {want[0]} {want[1][-300:]!r} {last(want[3])}\n"
                      f"  got  {got[0]} {got[1][-300:]!r} {got[3][-800:]}")
            else:
                print(f"same: {name} {' '.join(os.path.basename(w) for w in words)}: {want[4]:.1f} s, with etcore {got[4]:.1f} s", flush=True)
            ran.append(name)
    shutil.rmtree(scratch)
    for reason in not_run:
        print("not run:", reason)
    print(f"{len(set(ran))} programs ran, {len(ran)} calls, {len(failed)} differ, {len(not_run)} not run")
    return bool(failed) or not ran


if __name__ == "__main__":
    sys.exit(main())
