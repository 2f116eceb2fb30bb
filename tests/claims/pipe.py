"""Makes a run of `etcore pipeline run` from given numbers: its runners are shell scripts that print logs and copy dumps."""
import json
import os
import stat

from etdump import Dump
from lab import DATA, Skip

SHELL = """#!/bin/sh
while [ $# -gt 0 ]; do
	case $1 in --etdump_path) e=$2 ;; --cpu_threads) t=$2 ;; esac
	shift
done
n=$(cat "$0.$t.n" 2>/dev/null || echo 0)
echo $((n + 1)) >"$0.$t.n"
[ -f "$0.$t.$n.sh" ] && . "$0.$t.$n.sh"
cat "$0.$t.$n.log"
[ -f "$0.$t.$n.etdump" ] && cat "$0.$t.$n.etdump" >"$e"
exit 0
"""

SOURCES = [os.path.join(DATA, "arm", model, kind, "run.etdump") for model in ("cnn_f32", "mm_f32", "conv_i8c")
           for kind in ("sme2", "nosme")]


def log_of(threads, times, form="iterations"):
    lines = [f"Resetting threadpool with num threads = {threads}", "Model loaded in 2.500000 ms."]
    if form == "iterations":
        lines += [f"Iteration {i + 1} of {len(times)}: {ms:f} ms" for i, ms in enumerate(times)]
    if form != "quiet":
        lines.append(f"Model executed successfully {len(times)} time(s) in {sum(times):f} ms.")
    return "".join(f"I 00:00:00.{i:06d} executorch:executor_runner.cpp:{i}] {line}\n" for i, line in enumerate(lines))


class Pipe:
    """Runs experiments {name: {threads: [block, ...]}}. A block is a list of times in ms, or a text: a shell command that
    fails. `told` computes the times in the log from those in the dump."""

    def __init__(self, lab, experiments, warmup=1, form="iterations", source=None, dumps=True, told=None, **config):
        self.lab, self.root = lab, lab.path("runs")
        with open(lab.path("model.pte"), "wb") as f:
            f.write(b"a program")
        entries = []
        for name, units in experiments.items():
            runner = lab.path("runner_" + name)
            with open(runner, "w") as f:
                f.write(SHELL)
            os.chmod(runner, stat.S_IRWXU)
            runs = 1
            for threads, blocks in units.items():
                for i, times in enumerate(blocks):
                    prefix = f"{runner}.{threads}.{i}"
                    if isinstance(times, str):
                        with open(prefix + ".sh", "w") as f:
                            f.write(times + "\n")
                        times = [1.0] * (warmup + 1)
                    runs = max(runs, sum(4 if isinstance(b, str) else len(b) - warmup for b in blocks))
                    with open(prefix + ".log", "w") as f:
                        f.write(log_of(threads, told(times) if told else times, form))
                    if dumps:
                        write_dump(prefix + ".etdump", source or SOURCES[0], times)
            entries.append({"name": name, "runner_path": runner, "runs": runs, "warmup": warmup,
                            "threads": sorted(units), "etdump": dumps, **config.pop(name, {})})
        blocks = max(len(b) for units in experiments.values() for b in units.values())
        schedule = {"blocks": blocks, **config.pop("schedule", {})}
        with open(lab.path("c.json"), "w") as f:
            json.dump({"model": lab.path("model.pte"), "output_root": self.root, "experiments": entries,
                       "schedule": schedule, **config}, f)

    def run(self, *words):
        return self.lab.etcore("pipeline", "run", "--config", "c.json", *words)

    def ask(self, command, *words):
        return self.lab.etcore("pipeline", command, "runs", *words)


def write_dump(path, source, times_ms):
    """Writes a copy of the dump `source` that has one execution per time and takes these times."""
    dump = Dump(source)
    kept = dump.executes[:len(times_ms)]
    if len(kept) < len(times_ms):
        raise Skip
    for run, ms in zip(kept, times_ms):
        run.stretch(ms * 1e6 / max(1, run.find("Method::execute").duration))
    dump.save(path, [r for r in dump.runs if not r.executes or r in kept])
