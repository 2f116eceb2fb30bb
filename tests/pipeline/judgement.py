#!/usr/bin/env python3
"""judgement.py --etcore PROGRAM - `pipeline report` must judge a run as `etcore diff` judges its dumps: it respects the
order of recording, needs three recordings for a verdict, and takes the spread between processes into account."""
import argparse
import os
import random
import sys

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TESTS, "claims"), TESTS]
from lab import Lab  # noqa: E402
from pipe import Pipe  # noqa: E402
from share import some  # noqa: E402

WRONG = []


def noisy(rng, ms, n=7, share=0.01):
    """Returns times of a warm-up and n - 1 runs in milliseconds, normally distributed around `ms` with relative deviation
    `share`."""
    return [round(ms * rng.gauss(1, share), 6) for _ in range(n)]


def turns(blocks):
    """Returns the positions of off's and on's processes in the order ABBA, and the number of positions."""
    places = {"off": [], "on": []}
    at = 0
    for i in range(blocks):
        for name in ("off", "on") if i % 2 == 0 else ("on", "off"):
            places[name].append(at)
            at += 1
    return places, at


def measured(lab, rng, blocks, factor, drift=0.0, apart=0.0, **config):
    """Runs a pipeline whose candidate takes `factor` times as long, on a simulated machine whose speed drifts from process
    to process."""
    places, count = turns(blocks)
    units = {name: {1: [noisy(rng, 10 * f * (1 + drift * at / count) * rng.gauss(1, apart)) for at in places[name]]}
             for name, f in (("off", 1), ("on", factor))}
    pipe = Pipe(lab, units, **config)
    r = pipe.run()
    assert r.status == 0, r.err
    return pipe


def report(pipe, *words):
    r = pipe.ask("report", "-o", "json", *words)
    assert r.status == 0, r.err
    return r.json()["comparisons"][0]


def expect(what, got, want):
    if got != want:
        WRONG.append(f"{what}: {got}, not {want}")


def in_turns(lab, rng):
    """The runs alternate while the machine drifts by 30 %. If the order were ignored, the drift would hide the change of 10
    %."""
    said = report(measured(lab, rng, 3, 1.10, drift=0.3))
    expect("in turns, a drift, +10 %", (said["verdict"], said["in_order"], said["process_spread"]), ("slower", True, None))
    expect("in turns, its size", abs(1 / said["speedup"] - 1.10) < 0.03, True)


def clear(lab, rng):
    """A p below 0.0001 is not written as 0."""
    pipe = measured(lab, rng, 5, 2.0)
    expect("twice as long", report(pipe)["p"] < 0.0001, True)
    with open(os.path.join(pipe.root, "report.md"), encoding="utf-8") as f:
        expect("a p below 0.0001", "| &lt; 0.0001 | slower |" in f.read(), True)


def one_after_the_other(lab, rng):
    """With --only, off is measured first, then on. The drift between them looks like a slowdown, so there must be no
    verdict."""
    units = {name: {1: [noisy(rng, 10 * (1 + 0.05 * (3 * k + i))) for i in range(3)]} for k, name in enumerate(("off", "on"))}
    pipe = Pipe(lab, units)
    for name in ("off", "on"):
        r = pipe.run("--only", name, *(["--resume"] if name == "on" else []))
        assert r.status == 0, r.err
    expect("one after the other, a drift", report(pipe)["verdict"], "cannot tell")


def few(blocks):
    """Returns a case: with fewer than three recordings per side there is no verdict, and the report says how many to
    record."""
    def case(lab, rng):
        pipe = measured(lab, rng, blocks, 1.08)
        said = report(pipe)
        expect(f"{blocks} recordings each, +8 %", said["verdict"], "slower" if blocks == 3 else "cannot tell")
        expect("recordings", said["recordings"], [blocks, blocks])
        low, high = said["speedup_interval"]
        expect(f"{blocks} recordings, an interval without 1", high < 1, blocks == 3)
        text = pipe.ask("report").out
        expect(f"what {blocks} recordings are told to record",
               f"{blocks} recording" in text and "--set schedule.blocks=3" in text, blocks < 3)
    return case


def spread(lab, rng):
    """If the spread between processes cannot be measured, --process-spread supplies it, or the runs' own if that is larger."""
    pipe = measured(lab, rng, 1, 1.20)
    for words, verdict in (([], "slower"), (["--process-spread", "1%"], "slower"), (["--process-spread", "15%"], "cannot tell")):
        said = report(pipe, *words)
        expect(f"1 recording each, +20 %, {words}", said["verdict"], verdict)
        assumed = float(words[1][:-1]) / 100 if words else 0.05
        expect("spread", assumed <= said["process_spread"] < max(assumed, 0.05) + 1e-9, True)
    r = pipe.ask("report", "--process-spread", "0.05")
    expect("a bare number below 1", (r.status, "E0550" in r.err), (2, True))
    expect("the spread is named", "more than an assumed spread of 5 % between processes explains" in pipe.ask("report").out, True)


def gated(lab, rng):
    """A slowdown beyond regression_pct fails, even if min_effect_pct makes it negligible."""
    r = measured(lab, rng, 3, 1.2, gates={"regression_pct": 5, "min_effect_pct": 1000}).ask("report")
    expect("a gate of 5 %, +20 %, called negligible", (r.status, "E1074" in r, "min_effect_pct" in r), (1, True, True))


def told(ms, of, want):
    """Returns a case: times in the log that contradict those in the dump are reported by run, validate and report; time
    that the runner takes beside the execution is not."""
    def case(lab, rng):
        pipe = Pipe(lab, {"on": {1: [noisy(rng, ms, 8, 0.03)]}}, told=lambda times: [of(t, rng) for t in times])
        for r in (pipe.run(), pipe.ask("validate"), pipe.ask("report")):
            assert r.status == 0, r.err
            expect(f"{ms} ms, {want}, W1020", "W1020" in r, bool(want))
            expect(f"{ms} ms, {want}", want in r, True)
    return case


TOLD = [told(1, lambda t, _: 1.5 * t, "by the same factor"), told(0.03, lambda t, _: 1.5 * t, "by the same factor"),
        told(1, lambda t, _: 0.9 * t, "encloses"), told(1, lambda t, r: t + 0.5 + 0.01 * r.random(), "outside"),
        told(0.1, lambda t, _: t + 0.15, ""), told(0.03, lambda t, r: t + 0.1 * r.random(), ""),
        told(0.1, lambda t, _: t, "")]


def alike(lab, rng):
    """p and ratio must equal those of `etcore diff` on the same dumps in the same order."""
    blocks, factor = rng.choice((1, 2, 3, 4)), rng.choice((1, 1.02, 1.1, 0.8, 3))
    pipe = measured(lab, rng, blocks, factor, drift=rng.choice((0, 0.1)), apart=rng.choice((0, 0.03)))
    said = report(pipe)
    dumps = {n: [lab.path("runs", n, f"{n}_t1{'_b%d' % (i + 1) if i else ''}.etdump") for i in range(blocks)] for n in ("off", "on")}
    order = "".join("AB"[n == "on"] for i in range(2 * blocks) for n in ("off", "on") if i in turns(blocks)[0][n])
    r = lab.etcore("diff", *dumps["off"], "--", *dumps["on"], "--order", order, "-o", "csv", "--by", "method")
    assert r.status == 0, r.err
    head, row = (line.split(",") for line in r.out.splitlines()[:2])
    row = dict(zip(head, row))
    for mine, theirs in ((said["p"], row["p"]), (1 / said["speedup"], row["ratio"])):
        if abs(mine - float(theirs)) > 1e-6 * max(1e-3, abs(mine)):
            WRONG.append(f"{blocks} blocks, {factor}: {mine}, diff says {theirs}")
    claimed = row["change"] in ("faster", "slower")
    if claimed != (said["verdict"] in ("faster", "slower", "negligible")):
        WRONG.append(f"{blocks} blocks, {factor}: {said['verdict']}, diff says {row['change']}")
    return claimed


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--etcore", required=True)
    p.add_argument("--trials", type=int, default=25)
    a = p.parse_args()
    claimed = 0
    cases = list(enumerate([in_turns, clear, one_after_the_other, few(1), few(2), few(3), spread, gated] + TOLD + [alike] * a.trials))
    for seed, case in cases[:-a.trials] + some(cases[-a.trials:], 3):
        lab = Lab(a.etcore)
        try:
            claimed += bool(case(lab, random.Random(seed)))
        finally:
            lab.close()
    print("\n".join(WRONG) or f"all as etcore diff, {claimed} of {a.trials} claimed")
    return bool(WRONG) or not 0 < claimed < a.trials


if __name__ == "__main__":
    sys.exit(main())
