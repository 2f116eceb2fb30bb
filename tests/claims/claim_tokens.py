"""Claims of tokens about runs in a loop: which runs are prefill, whether the time grows, its confidence interval, and the
runner's own numbers."""
import gzip
import json
import math
import os
import struct
import sys

from etdump import Dump
from lab import ROOT, SILENT, TRUE, claim, lie

sys.path.insert(0, os.path.join(ROOT, "tests", "tools"))
from make_calls import make  # noqa: E402

TOKENS = os.path.join(ROOT, "tests", "data", "tokens")
BASE = 1_000_000   # time of a run in ns
NOISE = 20_000


def plain(lab, name):
    """Unpacks a recorded dump; returns its path."""
    path = lab.path(name + ".etdump")
    with gzip.open(os.path.join(TOKENS, name, "run.etdump.gz"), "rb") as f, open(path, "wb") as out:
        out.write(f.read())
    return path


def rows(result, **want):
    return [r for r in result.json()["rows"] if all(r[k] == v for k, v in want.items())]


# ---- which runs are prefill ---------------------------------------------------------------------


@claim("tokens-told")
def told(lab, rng):
    """Recorded runs in another order must keep their kinds (prefill or decode). No kind may be claimed without
    shapes, without a decode run, or if the four rows of the embedding may be a batch."""
    name = rng.choice(["dynamic", "dynamic", "static", "two"])
    dump = Dump(plain(lab, name))
    runs = dump.executes
    prefills = {run.at for run in runs[::9]}  # each generation of `dynamic` is one run of four tokens, then eight runs of one token
    batch = name == "dynamic" and rng.random() < 0.3
    if batch:  # sizes [1, 4, 8] become [4, 1, 8] or [4, 8]: a batch of four, or ambiguous
        new = rng.choice([(3, 4, 1, 8), (2, 4, 8, 8)])
        dump.bytes[:] = dump.bytes.replace(struct.pack("<I3q", 3, 1, 4, 8), struct.pack("<I3q", *new))
    rng.shuffle(runs)
    if rng.random() < 0.2:
        runs.sort(key=lambda run: run.at not in prefills)
    runs = runs[:rng.randrange(1, len(runs) + 1)]
    args = ["tokens", dump.save(lab.path("x.etdump"), runs), "--no-siblings", "-o", "json"]
    if name != "dynamic" and rng.random() < 0.7:
        with open(os.path.join(TOKENS, name, "model.pte"), "rb") as f, open(lab.path("model.pte"), "wb") as out:
            program = f.read()  # a program that takes [1, 1] may be changed to take a batch of four
            out.write(program.replace(struct.pack("<I2i", 2, 1, 1), struct.pack("<I2i", 2, rng.choice([1, 4]), 1)))
        args += ["-m", lab.path("model.pte")]
    r = lab.etcore(*args)
    kinds = {row["kind"] for row in rows(r) if row["measure"] != "logged"} & {"prefill", "decode"}
    if name != "dynamic":  # `two` has methods with the same events; in `static` prompt tokens run like all others
        return lie(f"{name}: {kinds}") if kinds else SILENT
    long = sum(run.at in prefills for run in runs)
    said = sum(row["count"] for row in rows(r, kind="prefill", measure="tokens"))
    if batch or long in (0, len(runs)):
        return lie(f"{kinds} of {long} in {len(runs)}, batch {batch}") if "prefill" in kinds else SILENT
    if said != long or rows(r, kind="prefill", measure="tokens")[0]["value"] != 4 * long:
        return lie(f"{long} runs of four tokens, {said} prefill")
    return TRUE


# ---- made runs of known growth --------------------------------------------------------------------


def disturb(rng, n):
    """Returns the noise of n runs in ns, its name, and its expected value."""
    kind, mean = rng.choice(["normal", "skewed", "outliers", "autocorrelated", "interrupted", "all"]), 0
    if kind in ("autocorrelated", "all"):
        phi, last, v = rng.choice([0.5, 0.8]), rng.gauss(0, NOISE), []
        for _ in range(n):
            last = phi * last + rng.gauss(0, NOISE * math.sqrt(1 - phi * phi))
            v.append(last)
    elif kind == "skewed":
        v = [NOISE * (rng.lognormvariate(0, 0.6) - 1) for _ in range(n)]
        mean += NOISE * (math.exp(0.18) - 1)
    else:
        v = [rng.gauss(0, NOISE) for _ in range(n)]
    if kind in ("outliers", "all"):
        v = [x + (rng.expovariate(1 / BASE) if rng.random() < 0.03 else 0) for x in v]
        mean += 0.03 * BASE
    if kind in ("interrupted", "all"):
        mean += max(1, n // 120) * 6.5 * BASE / n
        for _ in range(max(1, n // 120)):
            at, more = rng.randrange(n), rng.expovariate(1 / BASE)
            for i in range(at, min(n, at + rng.randrange(2, 12))):
                v[i] += more
    return v, kind, mean


def write_runs(lab, rng, lengths, time_of, operator=True):
    """Writes generations of the given numbers of runs with one token each. time_of(generation, position, start) is the time of
    a run in ns. Without `operator`, runs have no events of an operator, so they fit every program. Returns the path."""
    now, runs = 10**9, []
    for generation, length in enumerate(lengths):
        for position in range(length):
            took = max(1000, round(time_of(generation, position, now - 10**9)))
            inner = [("native_call_bmm.out", None, b"", 0, now + 100, now + took - 200), ("OPERATOR_CALL", None, b"", 0, now + 50, now + took - 100)]
            runs.append([*(inner if operator else []), ("Method::execute", None, b"", -1, now, now + took)])
            now += took + 50_000
        now += rng.randrange(1, 3) * 10**8
    with open(lab.path("x.etdump"), "wb") as f:
        f.write(make(runs))
    return lab.path("x.etdump")


def record(lab, rng, generations, length, growth, drift, step=0):
    """Writes generations of `length` runs with one token each; growth in ns per token, drift in ns per ns, step in ns from
    each generation to the next. Returns the path, the kind of noise, and the expected time of a run in ns."""
    noise, kind, mean = disturb(rng, generations * length)
    more = iter(noise)
    path = write_runs(lab, rng, [length] * generations, lambda g, i, start: BASE + growth * i + drift * start + step * g + next(more))
    return path, kind, BASE + growth * (length - 1) / 2 + mean


def ask(lab, path, length):
    return lab.etcore("tokens", path, "--no-siblings", "--generation", str(length), "-o", "json")


@claim("tokens-interval", trials=1000, at_most=0.07, power=0.9)
def interval(lab, rng):
    """The interval of the slope must contain the true slope."""
    generations, length = rng.choice([(1, 240), (1, 1000), (2, 240), (4, 120)])
    growth = rng.choice([0, 50, 300, -100])
    path, kind, _ = record(lab, rng, generations, length, growth, 0)
    row = rows(ask(lab, path, length), kind="run", measure="slope", operator=None)[0]
    low, high = (row[k] if row[k] is not None else v for k, v in (("low", -math.inf), ("high", math.inf)))
    if not low <= growth * 1000 <= high:
        return lie(f"{kind}, {generations} x {length}: {low} ... {high}, put in {growth * 1000}")
    return TRUE if math.isfinite(low) and math.isfinite(high) else SILENT


@claim("tokens-rate", trials=1000, at_most=0.05, power=0.5)
def rate(lab, rng):
    """The interval of runs/s must contain the true rate. The dump does not show the number of tokens, so the unit must not
    be tokens/s."""
    generations, length = rng.choice([(1, 240), (1, 1000), (4, 120)])
    path, kind, mean = record(lab, rng, generations, length, rng.choice([0, 100]), 0)
    row = rows(ask(lab, path, length), kind="run", measure="rate", operator=None)[0]
    if row["unit"] != "runs/s":
        return lie(f"the tokens are not known, but the unit is {row['unit']}")
    low, high = row["low"], row["high"] if row["high"] is not None else math.inf
    if low is None:
        return SILENT
    return TRUE if low <= 1e9 / mean <= high else lie(f"{kind}, {generations} x {length}: {low} ... {high}, made at {1e9 / mean}")


@claim("tokens-grows", trials=500, at_most=0.07, power=0.1)
def grows(lab, rng):
    """The time grows with the tokens, drifts, does both or neither, or changes in steps between generations, which is a
    drift but no growth; each word that is printed must be true."""
    generations, length = rng.choice([(1, 240), (2, 120), (6, 120), (10, 60)])
    growth, drift = rng.choice([(0, 0), (0, 2e-4), (400, 0), (400, 1e-4), (-300, 0)])
    step = rng.choice([0, BASE // 8, -BASE // 8]) if not drift else 0
    path, kind, _ = record(lab, rng, generations, length, growth, drift, step)
    parts = rng.random() < 0.2
    if parts:  # each generation gets its own dump, and their clocks happen to ascend
        dump = Dump(path)
        runs = dump.executes
        paths = [dump.save(lab.path(f"{g}.etdump"), runs[g * length:(g + 1) * length]) for g in range(generations)]
        r = lab.etcore("tokens", *paths, "--no-siblings", "-o", "json")
    else:
        r = ask(lab, path, length)
    said = [(m, rows(r, kind="run", measure=m, operator=None)[0]["verdict"], true) for m, true in (("growth", growth), ("drift", drift or step))]
    for measure, verdict, true in said:
        up, down = ("grows", "shrinks") if measure == "growth" else ("drifts up", "drifts down")
        if (generations < 3 or parts) and verdict != "cannot tell":
            return lie(f"{measure} {verdict} with {generations} generations, in dumps of their own: {parts}")
        if verdict == up and true <= 0 or verdict == down and true >= 0:
            return lie(f"{kind}, {generations} x {length}: {verdict}, put in {true}")
    return TRUE if any(v in ("grows", "shrinks", "drifts up", "drifts down") for _, v, _ in said) else SILENT


@claim("tokens-same-position", trials=500, at_most=0.07, power=0.2)
def same_position(lab, rng):
    """Generations become longer, as the answers in a chat, and the time grows in a step or a curve; or it drifts instead.
    The drift must be that at one position: longer generations are no drift."""
    generations, length = rng.choice([(4, 60), (6, 40), (10, 30)])
    lengths = [length + 2 * length * g // generations + rng.randrange(9) for g in range(generations)]
    if rng.random() < 0.3:
        lengths[rng.randrange(generations)] = 3  # hides no position that the others have
    more, kind, _ = disturb(rng, sum(lengths))
    more, at, drift = iter(more), rng.randrange(length // 6, length), rng.choice([0, 0, 3e-4])
    grown = rng.choice([lambda i: BASE // 8 * (i >= at), lambda i: -BASE // 8 * (i >= at), lambda i: 10 * i * i])
    path = write_runs(lab, rng, lengths, lambda g, i, start: BASE + (drift * start if drift else grown(i)) + next(more), operator=False)
    with open(lab.path("runner.log"), "w", encoding="utf-8") as f:
        f.writelines(f'PyTorchObserver {{"prompt_tokens":1,"generated_tokens":{n - 1}}}\n' for n in lengths)
    r = lab.etcore("tokens", path, "-m", os.path.join(TOKENS, "static", "model.pte"), "--no-siblings", "--stats", lab.path("runner.log"), "-o", "json")
    verdict = rows(r, kind="decode", measure="drift", operator=None)[0]["verdict"]
    if verdict == "drifts down" or verdict == "drifts up" and not drift:
        return lie(f"{kind}, {lengths}: {verdict}, put in {drift}")
    return TRUE if verdict == "drifts up" else SILENT


# ---- the runner ---------------------------------------------------------------------------------------


@claim("tokens-runner")
def runner(lab, rng):
    """The runner's log is right, or one time stamp or number is wrong. etcore must report exactly the wrong measure, and
    the inference time that depends on it."""
    with open(os.path.join(TOKENS, "dynamic", "runner.log"), encoding="utf-8") as f:
        lines = [json.loads(line.split(" ", 1)[1]) for line in f]
    dump = Dump(plain(lab, "dynamic"))
    # The process may be interrupted after each prefill run, before or after the runner reads the clock.
    pauses = [rng.choice([0, 0, 30_000_000]) for _ in lines]
    for i, run in enumerate(dump.executes):
        for event in run.events:
            later = sum(pauses[:i // 9]) + (pauses[i // 9] if i % 9 else 0)
            event.start, event.end = event.start + later, event.end + later
    starts = [run.find("Method::execute").start for run in dump.executes]
    ends = [run.find("Method::execute").end for run in dump.executes]
    false = None
    for g, line in enumerate(lines):  # the runner's clock may count microseconds
        first, prompt, last = starts[9 * g], ends[9 * g], ends[9 * g + 8]
        line.update(SCALING_FACTOR_UNITS_PER_SECOND=1_000_000, inference_start_ms=first // 1000 - rng.randrange(3),
                    prompt_eval_end_ms=prompt // 1000 + 1 + rng.randrange(pauses[g] // 1000 + 1), inference_end_ms=last // 1000 + 2 + rng.randrange(50))
    g, what = rng.randrange(len(lines)), rng.choice(["", "", "decode", "prompt", "generated tokens", "prompt tokens"])
    line = lines[g]
    if what == "decode":
        false, line["inference_end_ms"] = what, line["prompt_eval_end_ms"] + 1 + rng.randrange(3)
    elif what == "prompt":
        false, line["prompt_eval_end_ms"] = what, line["inference_start_ms"] + 1
    elif what:
        false, line[what.replace(" ", "_")] = what, 10 + rng.randrange(100)
    with open(lab.path("runner.log"), "w", encoding="utf-8") as f:
        f.writelines("I 00:00:01 executorch:stats.h:108] PyTorchObserver " + json.dumps(line) + "\n" for line in lines)
    r = lab.etcore("tokens", dump.save(lab.path("x.etdump"), dump.executes), "--no-siblings", "--stats", lab.path("runner.log"), "-o", "json")
    said = {row["measure"]: row["verdict"] for row in rows(r, kind="runner")}
    if false and said[false] != "disagrees":
        return lie(f"{false}: {said[false]}")
    others = {m for m, v in said.items() if v == "disagrees"} - {false} - ({"inference"} if false in ("decode", "prompt") else set())
    return lie(f"disagrees: {others}, edited {false}") if others else TRUE
