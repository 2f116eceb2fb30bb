#!/usr/bin/env python3
"""live_test.py --etcore PATH: tests `etcore pipeline run` from end to end with the ExecuTorch runtime of this environment.

One model is exported twice, for XNNPACK and with portable kernels only. Two configurations of the runner make three units
(experiment and thread count), measured in the order ABBA. The test recomputes every number of metrics.json from the logs,
and with the Inspector from the dumps. tests/parity/live.sh makes the environment.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
RUNS, WARMUP = 9, 2  # measured in three blocks


def export(folder):
    import torch
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
    from executorch.exir import to_edge_transform_and_lower

    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Linear(128, 256), torch.nn.ReLU(), torch.nn.Linear(256, 64)).eval()
    exported = torch.export.export(model, (torch.ones(16, 128),))
    for name, partitioners in (("xnnpack", [XnnpackPartitioner()]), ("portable", [])):
        program = to_edge_transform_and_lower(exported, partitioner=partitioners).to_executorch()
        with open(os.path.join(folder, name + ".pte"), "wb") as f:
            f.write(program.buffer)


def etcore(program, folder, *words, status=0):
    p = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, timeout=560)
    print("$ etcore", *words, "\n" + p.stdout + p.stderr)
    assert p.returncode == status, f"status {p.returncode}, not {status}"
    return p.stdout


def execute_times(path):
    from executorch.devtools import Inspector

    for block in Inspector(etdump_path=path).event_blocks:
        for event in block.events:
            if event.name == "Method::execute":
                return event.perf_data.raw
    raise AssertionError(f"{path}: no Method::execute")


def check_unit(folder, m):
    lines, inspected = [], []
    for block in m["blocks"]:
        with open(os.path.join(folder, "runs", block["log_rel"])) as f:
            found = re.findall(r"Iteration \d+ of \d+: ([0-9.]+) ms", f.read())
        assert len(found) == RUNS // len(m["blocks"]) + WARMUP, found
        lines += [float(x) for x in found[WARMUP:]]
        inspected += execute_times(os.path.join(folder, "runs", block["etdump_rel"]))[WARMUP:]
    assert m["latency_ms"] == lines and m["latency_source"] == "iteration_log" and len(lines) == RUNS
    assert m["execute_ms"] == inspected, (m["execute_ms"], inspected)
    assert all(0 < e <= l for e, l in zip(inspected, lines))
    assert abs(m["median_ms"] - statistics.median(lines)) < 1e-12 and m["status"] == "ok"
    assert abs(m["mean_ms"] - statistics.fmean(lines)) < 1e-12
    assert abs(m["stdev_ms"] - statistics.stdev(lines)) < 1e-9


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--etcore", required=True)
    program = os.path.abspath(p.parse_args().etcore)
    with tempfile.TemporaryDirectory(prefix="etcore-live-") as folder:
        export(folder)
        runner = os.path.join(folder, "executor_runner")
        with open(os.path.join(HERE, "et_runner.py")) as f, open(runner, "w") as g:
            g.write(f"#!{sys.executable}\n" + f.read())
        os.chmod(runner, 0o755)
        common = {"runner_path": "executor_runner", "runs": RUNS, "warmup": WARMUP}
        with open(os.path.join(folder, "c.json"), "w") as f:
            json.dump({"model": "xnnpack.pte", "output_root": "runs", "experiments": [
                {"name": "xnnpack", "role": "candidate", "threads": [1, 2], "extra_args": ["--print_output", "none"], **common},
                {"name": "portable", "role": "baseline", "extra_args": ["--model_path", "portable.pte"], **common}]}, f)
        etcore(program, folder, "pipeline", "run", "--config", "c.json", "--kernel-trace")
        with open(os.path.join(folder, "runs", "metrics.json")) as f:
            units = [(r["experiment"], r["metrics"]) for r in json.load(f)["results"]]
        assert [(n, m["threads"]) for n, m in units] == [("xnnpack", 1), ("xnnpack", 2), ("portable", 1)]
        for _, m in units:
            check_unit(folder, m)
        assert "XNNPACK" in etcore(program, folder, "analyze", units[0][1]["etdump_rel"].join(["runs/", ""]))
        assert units[0][1]["kernel_evidence"] is not None
        etcore(program, folder, "pipeline", "validate", "runs")
        etcore(program, folder, "pipeline", "run", "--config", "c.json", "--resume")
    print(f"{len(units)} units of 2 configurations measured with the live runtime, every number computed again")


if __name__ == "__main__":
    main()
