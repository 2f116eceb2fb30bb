#!/usr/bin/env python3
"""live.py --etcore PATH: tests `etcore tokens` with small Llama-shaped models with a KV cache, which are exported and run
here.

Static and dynamic shapes, two methods, XNNPACK and portable kernels, 256 tokens (models.py). etcore must distinguish
prefill from decode by what the model has; numbers of runs and tokens must be those that ran; times are recomputed from the
dump; and the runner's lines, which this process wrote, must agree. tests/parity/live.sh makes the environment.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "claims")]
from etdump import Dump  # noqa: E402

TOKENS, PROMPT, GENERATIONS = 256, 16, 3
SMALL = {"tokens": TOKENS, "prompt": PROMPT, "generations": GENERATIONS, "layers": 1, "width": 32}


def times(path):
    """Returns start and duration of each execution, in ns."""
    spans = [run.find("Method::execute") for run in Dump(path).executes]
    return numpy.array([e.start for e in spans], float), numpy.array([e.duration for e in spans], float)


def typical(took):
    """Returns the times near the median, by the rule of docs/analysis.md."""
    off = numpy.abs(took - numpy.median(took))
    return took[off <= 3 * 1.4826 * numpy.median(off)]


def median_slope(y, position, generation):
    """Returns the Theil-Sen slope of the medians of 24 blocks, per 1,000 tokens, from pairs within a generation."""
    slopes = []
    for g in sorted(set(generation)):
        mine = numpy.flatnonzero(generation == g)
        edges = [len(mine) * i // 24 for i in range(25)]
        blocks = [mine[a:b] for a, b in zip(edges, edges[1:])]
        x, v = [position[b].mean() for b in blocks], [numpy.median(y[b]) for b in blocks]
        slopes += [(v[j] - v[i]) / (x[j] - x[i]) for i in range(24) for j in range(i + 1, 24)]
    return numpy.median(slopes) * 1000


class Answer:
    def __init__(self, etcore, *words):
        p = subprocess.run([etcore, "tokens", *words, "-o", "json"], capture_output=True, text=True, timeout=120)
        assert p.returncode == 0, (words, p.stderr)
        self.rows, self.warned = json.loads(p.stdout)["rows"], p.stderr
        print("$ etcore tokens", *words, "\n", *(f"{r['kind']}: {r['measure']} {r['value']} {r['unit']} [{r['low']}, {r['high']}] {r['verdict'] or ''}\n"
                                                 for r in self.rows if not r["operator"]))

    def row(self, kind, measure):
        found = [r for r in self.rows if (r["kind"], r["measure"], r["operator"]) == (kind, measure, None)]
        assert len(found) == 1, (kind, measure, found)
        return found[0]

    def told(self):
        return self.rows[0]["measure"]


def near(got, want):
    assert abs(got - want) <= 1e-9 * max(abs(want), 1), (got, want)


def check(answer, path, prefill_runs, unit):
    """Checks an answer for generations of `prefill_runs` runs and then one token per run."""
    start, took = times(path)
    length = prefill_runs + TOKENS - PROMPT
    assert len(took) == GENERATIONS * length, (len(took), length)
    index, generation = numpy.arange(len(took)) % length, numpy.arange(len(took)) // length
    decode = index >= prefill_runs
    position = index if unit == "run" else numpy.where(decode, index + PROMPT - prefill_runs, index)
    near(answer.row("decode", "median")["value"], numpy.median(took[decode]))
    near(answer.row("decode", "p99")["value"], numpy.percentile(took[decode], 99))
    near(answer.row("decode", "rate")["value"], 1e9 / took[decode].mean())
    near(answer.row("decode", "slope")["value"], median_slope(took[decode], position[decode].astype(float), generation[decode]))
    ends = numpy.flatnonzero(index == prefill_runs - 1)
    near(answer.row("prefill", "time to first token")["value"], (start[ends] + took[ends] - start[index == 0]).mean())
    assert answer.row("prefill", "median")["count"] == GENERATIONS * prefill_runs
    operators = [r for r in answer.rows if r["kind"] == "decode" and r["measure"] == "self"]
    near(sum(r["value"] for r in operators), typical(took[decode]).mean())
    assert {r["count"] for r in operators} == {len(typical(took[decode]))}
    for kind in ("prefill", "decode"):
        near(sum(r["share"] or 0 for r in answer.rows if r["kind"] == kind and r["measure"] == "self"), 1)
    said = {r["measure"]: r["verdict"] for r in answer.rows if r["kind"] == "runner"}
    assert said["decode"] == said["prompt"] == said["load"] == said["generated tokens"] == "agrees", said
    assert "W1402" not in answer.warned


def static(etcore, models, folder, backend):
    out = os.path.join(folder, "static_" + backend)
    models.make("static", backend, out, **SMALL)
    answer = Answer(etcore, out + ".etdump", "--stats", out + ".log")
    assert answer.told() == "runner", answer.rows[0]
    check(answer, out + ".etdump", PROMPT, "token")
    assert answer.row("prefill", "tokens")["value"] == GENERATIONS * PROMPT
    # one token per run: prompt runs look like the others, so the kinds cannot be distinguished
    assert Answer(etcore, out + ".etdump").told() == "not"


def dynamic(etcore, models, folder, backend):
    out = os.path.join(folder, "dynamic_" + backend)
    models.make("dynamic", backend, out, **SMALL)
    assert Answer(etcore, out + ".etdump").told() == "not"
    length = str(1 + TOKENS - PROMPT)
    answer = Answer(etcore, out + ".etdump", "--prefill", "1", "--generation", length, "--stats", out + ".log")
    assert answer.told() == "option"
    check(answer, out + ".etdump", 1, "run")
    short = dict(SMALL, tokens=PROMPT + 8, debug=200_000_000)
    models.make("dynamic", backend, out, **short)
    answer = Answer(etcore, out + ".etdump", "--stats", out + ".log")
    assert answer.told() == "logged", answer.rows[0]
    assert answer.row("prefill", "tokens")["value"] == GENERATIONS * PROMPT
    assert answer.row("decode", "tokens")["value"] == answer.row("decode", "tokens")["count"] == GENERATIONS * 8
    assert answer.row("runner", "prompt tokens")["verdict"] == "agrees"


def two(etcore, models, folder, backend):
    """Methods with the same instructions must not be distinguished by their names."""
    out = os.path.join(folder, "two_" + backend)
    models.make("two", backend, out, **SMALL)
    answer = Answer(etcore, out + ".etdump", "--stats", out + ".log")
    p = subprocess.run([etcore, "analyze", out + ".etdump", "-o", "json"], capture_output=True, text=True, check=True)
    names = {m["name"] for m in json.loads(p.stdout)["methods"]}
    if names == {"prefill_forward", "kv_forward"}:
        assert answer.told() == "names"
        check(answer, out + ".etdump", 1, "run")
    else:
        assert answer.told() == "not", (names, answer.rows[0])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--etcore", required=True)
    etcore = os.path.abspath(parser.parse_args().etcore)
    import models

    with tempfile.TemporaryDirectory() as folder:
        for backend in ("xnnpack", "portable"):
            static(etcore, models, folder, backend)
            dynamic(etcore, models, folder, backend)
        two(etcore, models, folder, "portable")
    print("tokens of 7 live dumps are as they were run")


if __name__ == "__main__":
    main()
