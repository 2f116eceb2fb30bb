#!/usr/bin/env python3
"""A runner that executes nothing: it takes executor_runner's flags, prints executor_runner's log lines and writes a
stored ETDump. Used by tests of `etcore pipeline run` on machines without ExecuTorch.

A file next to the runner configures it, NAME.json, where NAME is the runner's file name: {"dump": path, "ms": [times],
"do": fault, "calls": true, "sleep": seconds}. Successive executions take the times of "ms" in turn. "do" names one of the
functions below. With "calls", each call is appended to NAME.calls.
"""

import argparse
import json
import os
import shutil
import signal
import sys
import time

FLAGS = {
    "model_path": str, "data_path": str, "inputs": str, "output_file": str, "print_output": str, "method_name": str,
    "etdump_path": str, "num_executions": int, "cpu_threads": int,
}


def crash(_):
    os.kill(os.getpid(), signal.SIGSEGV)


def fail(_):
    print("no kernel for aten::frobnicate", file=sys.stderr)
    sys.exit(3)


def hang(_):
    time.sleep(600)


def hang_once(config):
    """Hangs unless a marker file exists; tests use it to interrupt a run."""
    if not os.path.exists(config["flag"]):
        open(config["flag"] + ".reached", "w").close()
        time.sleep(600)


def no_tracer(_):
    print("ERROR: unknown command line flag 'etdump_path'", file=sys.stderr)
    sys.exit(1)


def flood(_):
    line = b"x" * 65535 + b"\n"
    for _ in range(16 * 300):
        os.write(1, line)
    time.sleep(600)


STORED = {"stub": b"dummy-etdump\n\n\n", "empty": b"", "text": b"not an ETDump " * 20}
EARLY = {"crash": crash, "fail": fail, "hang": hang, "hang_once": hang_once, "no_tracer": no_tracer, "flood": flood}


def main():
    me = os.path.abspath(sys.argv[0])
    with open(me + ".json") as f:
        config = json.load(f)
    if config.get("calls"):
        with open(me + ".calls", "a") as f:
            json.dump({"argv": sys.argv[1:], "env": {k: v for k, v in os.environ.items() if k.startswith(("XNN", "TEST"))},
                       "cpus": sorted(os.sched_getaffinity(0))}, f)
            f.write("\n")
    if config.get("dump"):
        config["dump"] = os.path.join(os.path.dirname(me), config["dump"])
    p = argparse.ArgumentParser(allow_abbrev=False)
    for name, kind in FLAGS.items():
        p.add_argument("-" + name, "--" + name, dest=name, type=kind)
    a, _ = p.parse_known_args()
    do = config.get("do", "")
    log(f"Resetting threadpool with num threads = {config.get('threads', a.cpu_threads)}")
    if "trace" in config:
        print(config["trace"], file=sys.stderr)
    if do in EARLY:
        EARLY[do](config)
    time.sleep(config.get("sleep", 0))
    log("Model loaded in 2.500000 ms.")
    n = config.get("executions", a.num_executions)
    times = [config["ms"][i % len(config["ms"])] for i in range(n)]
    for i, ms in enumerate(times):
        if do not in ("quiet", "total_only"):
            log(f"Iteration {i + 1} of {n}: {ms:f} ms")
    if do != "quiet":
        log(f"Model executed successfully {n} time(s) in {sum(times):f} ms.")
    if do == "nan":
        print("OutputX 0: tensor(sizes=[2], [0., nan])")
    if do in STORED:
        with open(a.etdump_path, "wb") as f:
            f.write(STORED[do])
    elif do == "cut":
        with open(config["dump"], "rb") as f, open(a.etdump_path, "wb") as g:
            g.write(f.read()[:-500])
    elif do != "no_dump" and a.etdump_path and config.get("dump"):
        shutil.copyfile(config["dump"], a.etdump_path)
        log(f"ETDump written to file '{a.etdump_path}'.")


def log(message):
    print(f"I 00:00:00.000100 executorch:executor_runner.cpp:1] {message}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
