#!/usr/bin/env python3
"""pipeline - measures `etcore pipeline validate` and `report` on a run of 1,000 ETDumps of 200 KB, next to Arm's profiling
kit.

    pipeline.py ETCORE [--dumps N] [--kit KIT/model_profiling --python PYTHON] [--sample K]

The kit (ArmDeveloperEcosystem/sme-executorch-profiling) starts a process per dump and takes seconds for each. So it
is measured with 1 and with K dumps, and its time for N is extrapolated linearly. --python has executorch,
pandas and scipy. The time of the kit's functions inside one process, without imports, is measured too. All times are CPU
seconds, user and system, of the processes and their children.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap

DUMP = "tests/data/cases/conv_net_xnnpack/run.etdump"

IN_PROCESS = textwrap.dedent("""
    import contextlib, io, sys, time
    kit, folder = sys.argv[1:3]
    sys.path[:0] = [kit + "/tools", kit + "/scripts"]
    import etdump_to_csv, analyze_results
    from pathlib import Path
    dumps = sorted(Path(folder).glob("**/*.etdump"))
    def one(d):
        with contextlib.redirect_stdout(io.StringIO()):
            etdump_to_csv.run(str(d), None, str(d.parent), None, False, model_id=d.stem, all_runs=True)
            analyze_results._analyze_etdump(d, None)
    one(dumps[0])
    start = time.process_time()
    for d in dumps:
        one(d)
    print((time.process_time() - start) / len(dumps))
""")


def make(folder, count):
    """Makes a run of `count` experiments in the kit's layout G1."""
    results = []
    for i in range(count):
        name = f"e{i:04}"
        os.makedirs(os.path.join(folder, name))
        shutil.copy(DUMP, os.path.join(folder, name, f"{name}_t1.etdump"))
        results.append({"experiment": name, "metrics": {"threads": 1, "etdump_rel": f"{name}/{name}_t1.etdump"}})
    for name in ("manifest.json", "metrics.json"):
        with open(os.path.join(folder, name), "w") as f:
            json.dump({"model": "m.pte", "results": results}, f)


def cpu(command):
    """Runs a command. Returns CPU seconds and peak RSS in MB, children included."""
    pid = os.posix_spawnp(command[0], command, os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0), (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0)])
    _, status, usage = os.wait4(pid, 0)
    if status:
        sys.exit(f"pipeline: status {status}: {' '.join(command)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def kit_seconds(a, top, count):
    folder = os.path.join(top, f"kit{count}")
    make(folder, count)
    return sum(cpu([a.python, os.path.join(a.kit, "scripts", script), option, folder])[0]
               for script, option in (("validate_results.py", "--results"), ("analyze_results.py", "--run-dir")))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("etcore")
    p.add_argument("--dumps", type=int, default=1000)
    p.add_argument("--kit", help="model_profiling of a checkout of the kit")
    p.add_argument("--python", default=sys.executable)
    p.add_argument("--sample", type=int, default=3)
    a = p.parse_args()
    with tempfile.TemporaryDirectory() as top:
        folder = os.path.join(top, "run")
        make(folder, a.dumps)
        validate, rss = cpu([a.etcore, "pipeline", "validate", folder])
        report, rss2 = cpu([a.etcore, "pipeline", "report", folder])
        ours = validate + report
        print(f"{a.dumps} ETDumps of {os.path.getsize(DUMP)} bytes: etcore validate {validate:.2f} s, report {report:.2f} s, "
              f"{1e3 * ours / a.dumps:.2f} ms each; peak {max(rss, rss2):.0f} MB")
        if not a.kit:
            print("the kit: not asked (--kit)")
            return
        first, last = kit_seconds(a, top, 1), kit_seconds(a, top, a.sample)
        each = (last - first) / (a.sample - 1)
        whole = first + each * (a.dumps - 1)
        print(f"the kit, as it is run: {each:.2f} s each, {whole:.0f} s for all: {whole / ours:.0f} x the time of etcore")
        inside = float(subprocess.run([a.python, "-c", IN_PROCESS, a.kit, os.path.join(top, f"kit{a.sample}")],
                                      capture_output=True, text=True, check=True).stdout)
        print(f"its functions in one process, imports left out: {inside:.3f} s each: {inside * a.dumps / ours:.0f} x")


if __name__ == "__main__":
    main()
