"""Claims of summary: each sentence is compared with the dump's events, or with analyze if another claim covers
the value."""
import os
import shlex
import sys

from claim_runs import near_median
from etdump import Dump
from lab import ROOT, SILENT, TRUE, Skip, claim, dumps, lie

sys.path.insert(0, os.path.join(ROOT, "tests", "tools"))
from make_calls import make  # noqa: E402

SMALL = 300_000
PLAIN = [p for p in dumps("/cases/", "/arm/", "/backends/") if os.path.getsize(p) < SMALL]
CASES = [p for p in PLAIN if "/cases/" in p and "/backends/" not in p]
DEVICES = [p for p in dumps("/backends/") if os.path.getsize(p) < SMALL]
ODD = PLAIN + [p for p in dumps("/edge/") if os.path.getsize(p) < SMALL]


class Situation:
    """A real dump, unchanged or with changed times, order or number of runs, or in half of the cases, if `paths` is a
    function, the dump that it makes; and the answer of summary."""

    def __init__(self, lab, rng, paths=None):
        self.lab, self.rng = lab, rng
        made = callable(paths) and rng.random() < 0.5
        self.path = paths(lab, rng) if made else rng.choice(PLAIN if callable(paths) else paths or PLAIN)
        self.words = rng.choice(([], ["--warmup", "0"], ["--no-siblings"]))
        if not made and paths is not ODD and rng.random() < 0.7:
            self.edit()
        self.summary = self.ask("summary")
        self.said = {s["id"]: s for s in self.summary["sentences"]} if self.summary else {}
        self.runs = []

    def edit(self):
        rng, dump = self.rng, Dump(self.path)
        runs = list(dump.runs)
        try:
            for run in runs:
                if rng.random() < 0.3:
                    run.stretch(rng.choice((2, 3, 1000)))
                events = [e for e in run.events if e.end > e.start]
                if events and rng.random() < 0.3:
                    run.preempt(rng.choice(events), rng.choice((1000, 50_000, 1_000_000)))
        except (ValueError, IndexError) as e:
            raise Skip from e
        if not runs:
            raise Skip
        if rng.random() < 0.5:
            rng.shuffle(runs)
        if rng.random() < 0.3:
            runs = runs[:rng.randint(1, len(runs))]
        self.path = dump.save(self.lab.path("run.etdump"), runs)

    def ask(self, command, *more):
        r = self.lab.etcore(command, self.path, *self.words, *more, "-o", "json")
        return None if r.status else r.json()

    def analyzed(self, *more):
        """Runs analyze. Returns (attached rows of the summarised path, the path, the answer)."""
        answer = self.ask("analyze", *more)
        same = [(m["name"], p) for m in answer["methods"] for p in m["paths"] if p["path"] == self.summary["path"]]
        method, path = same[0]
        rows = [r for r in answer["rows"] if (r["method"], r["path"]) == (method, path["path"]) and not r["detached"]]
        return rows, path, answer

    def typical(self):
        """Computes from the file (the typical runs, the number of kept runs, their spread). Returns None if the runs have
        different events or no times."""
        runs = [r for r in Dump(self.path).runs if r.executes]
        if not runs or any(e.duration < 0 for r in runs for e in r.events) or len({tuple((e.label, e.instruction) for e in r.events) for r in runs}) != 1:
            return None
        kept = runs[1:] if self.words[:1] != ["--warmup"] and len(runs) > 1 else runs
        if any(sum(e.name == "Method::execute" for e in r.events) != 1 for r in kept):
            return None
        near, spread = near_median([r.find("Method::execute").duration for r in kept])
        return [r for r, n in zip(kept, near) if n], len(kept), spread


def numbers(sentence):
    return {n["name"]: n["value"] for n in sentence["numbers"]}


def close(a, b):
    return abs(a - b) <= 1e-9 * max(1.0, abs(a), abs(b))


def checks(s, **want):
    """Compares numbers of the sentence with `want`; raises Lie if one differs."""
    have = numbers(s.sentence)
    for key, value in want.items():
        if have[key] is None or not close(have[key], value):
            lie(f"{s.path} {s.words}: {s.sentence['text']}: {key} is {value}, not {have[key]}")
    return TRUE


def sentence(name, paths=None):
    """Registers a check f(situation) for the sentence `name`; it is called if summary prints the sentence."""
    def register(function):
        def generator(lab, rng):
            s = Situation(lab, rng, paths)
            s.sentence = s.said.get(name)
            if not s.sentence:
                return SILENT
            for note in s.sentence["codes"]:
                if note not in [n["code"] for n in s.ask("analyze")["notes"]]:
                    lie(f"{s.path}: {s.sentence['text']}: {note} is no note of analyze")
            if bool(s.sentence["rows"]) != (s.sentence["rests_on"] == "rows"):
                lie(f"{s.path}: {s.sentence['text']}: rests on {s.sentence['rests_on']}: {s.sentence['rows']}")
            return function(s)
        claim("summary-" + name)(generator)
        return function
    return register


@sentence("time")
def time(s):
    if s.sentence["cannot_say"]:
        paths = [p for m in s.ask("analyze")["methods"] for p in m["paths"]]
        if any(p["typical_ns"] is not None for p in paths):
            lie(f"{s.path}: there is a time")
        return TRUE
    truth = s.typical()
    if not truth:
        return SILENT
    runs, kept, _ = truth
    return checks(s, typical_ns=sum(r.find("Method::execute").duration for r in runs) / len(runs), typical_runs=len(runs), kept_runs=kept)


@sentence("first")
def first(s):
    rows, path, answer = s.analyzed()
    codes = {n["code"] for n in answer["notes"]}
    top = max(rows, key=lambda r: r["self_ns"] or 0)
    others = [r for r in rows if r is not top]
    hidden = any(r["self_max_ns"] is None or r["self_max_ns"] >= top["self_ns"] for r in others if r["self_ns"] is not None)
    if s.sentence["cannot_say"]:
        rival = [r for r in others if r["name"] in s.sentence["rows"][1:] and " differ by less " in s.sentence["text"]]
        if rival and max(top["self_ns"] - r["self_ns"] for r in rival) > 3 * (top["self_spread"] * top["self_ns"] + max(r["self_spread"] * r["self_ns"] for r in rival)):
            lie(f"{s.path}: {s.sentence['text']}: the rows do not vary as much")
        if not hidden and not rival and "N0134" not in codes:
            lie(f"{s.path}: {s.sentence['text']}: {top['name']} is")
        return TRUE
    if hidden or "N0134" in codes or s.sentence["rows"] != [top["name"]]:
        lie(f"{s.path}: {s.sentence['text']}: {top['name']}, hidden {hidden}")
    if (" dominates " in s.sentence["text"]) != (top["self_ns"] >= path["typical_ns"] / 2):
        lie(f"{s.path}: {s.sentence['text']}: {top['self_ns']} of {path['typical_ns']}")
    return checks(s, self_ns=top["self_ns"], share=top["self_ns"] / path["typical_ns"], calls=top["calls"])


@claim("summary-rival", at_most=0.01)
def rival(lab, rng):
    """Two rows take nearly the same time, with noise, or each at one of two speeds in each run: fast where the other one is
    slow. summary must name the larger one, or none."""
    means = sorted(rng.uniform(55_000, 65_000) for _ in range(2))
    if rng.random() < 0.5:  # one is clearly larger
        means[1] *= 1.3
    apart, slow = rng.choice((0, rng.uniform(500, 8000))), rng.uniform(0.3, 0.7)
    if apart:  # row 1 is slow in this share of the runs
        middle = sum(means) / 2
        means = [middle + apart * (1 - 2 * slow), middle - apart * (1 - 2 * slow)]
    noise, now, runs, names = rng.choice((0.005, 0.01, 0.02)), 10**9, [], ["a.out", "b.out"]
    rng.shuffle(names)
    for _ in range(rng.randint(11, 40)):
        start, events = now, []
        sign = 1 if rng.random() < slow else -1
        for name, mean, way in zip(names, means, (-1, 1)):
            took = round(middle + sign * way * apart) if apart else max(1, round(rng.gauss(mean, noise * mean)))
            events += [("native_call_" + name, None, b"", 0, now, now + took), ("OPERATOR_CALL", None, b"", 0, now, now + took)]
            now += took
        runs.append([*events, ("Method::execute", None, b"", -1, start, now)])
        now += 1000
    with open(lab.path("x.etdump"), "wb") as f:
        f.write(make(runs))
    said = next(s for s in lab.etcore("summary", lab.path("x.etdump"), "--no-siblings", "-o", "json").json()["sentences"] if s["id"] == "first")
    if said["cannot_say"]:
        return SILENT
    larger = names[means[1] > means[0]]
    return TRUE if said["rows"] == [larger] else lie(f"{said['text']}: {larger} is larger, {means}")


@sentence("kinds")
def kinds(s):
    rows, path, _ = s.analyzed("--by", "category")
    want = [r for r in rows if r["self_ns"] and r["self_ns"] >= 0.05 * path["typical_ns"]][:4]
    if [r["name"] for r in want] != s.sentence["rows"]:
        lie(f"{s.path}: {s.sentence['text']}: {[r['name'] for r in want]}")
    for have, r in zip(s.sentence["numbers"], want):
        if not close(have["value"], r["self_ns"] / path["typical_ns"]):
            lie(f"{s.path}: {s.sentence['text']}: {r['name']}")
    return TRUE


@sentence("delegated")
def delegated(s):
    truth = s.typical()
    if not truth:
        return SILENT
    calls = [e for r in truth[0] for e in r.events if e.name == "DELEGATE_CALL"]
    whole = sum(r.find("Method::execute").duration for r in truth[0])
    if s.sentence["text"].startswith("No ") and any(e.duration for e in calls):
        lie(f"{s.path}: {s.sentence['text']}")
    backends = {r["name"] for r in s.analyzed("--by", "backend")[0]} - {"runtime", "portable kernels"}
    if not s.sentence["text"].startswith("No ") and set(s.sentence["rows"]) != backends:
        lie(f"{s.path}: {s.sentence['text']}: {s.sentence['rows']} of {backends}")
    return checks(s, delegated_ns=sum(e.duration for e in calls) / len(truth[0]), share=sum(e.duration for e in calls) / whole if whole else 0)


@sentence("outside", CASES)
def outside(s):
    truth = s.typical()
    if not truth:
        return SILENT
    calls = [e for r in truth[0] for e in r.events if e.name == "OPERATOR_CALL"]
    return checks(s, calls=len(calls) / len(truth[0]), total_ns=sum(e.duration for e in calls) / len(truth[0]))


@sentence("library")
def library(s):
    rows, _, _ = s.analyzed()
    calls = {w: sum(r["calls"] for r in rows if r["columns"].get("kernel_library_ran") == w) for w in ("yes", "no", "cannot tell")}
    if s.sentence["rows"] != [r["name"] for r in rows if r["columns"].get("kernel_library_ran")]:
        lie(f"{s.path}: {s.sentence['text']}: {s.sentence['rows']}")
    return checks(s, yes=calls["yes"], no=calls["no"], cannot_tell=calls["cannot tell"])


@sentence("rounding", CASES)
def rounding(s):
    """The printed rounding must be at most the part of the calls' time that no delegate event covers."""
    _, path, _ = s.analyzed()
    truth = s.typical()
    if truth and sum(1 for e in truth[0][0].events if e.name == "DELEGATE_CALL") == 1:
        left = sum(e.duration for r in truth[0] for e in r.events if e.name == "DELEGATE_CALL") - \
            sum(e.duration for r in truth[0] for e in r.events if not e.name)
        if path["rounding_ns"] * len(truth[0]) > max(0, left) + 1:
            lie(f"{s.path}: {s.sentence['text']}: the calls leave {left}")
    return checks(s, rounding_ns=path["rounding_ns"], share=path["rounding_ns"] / path["typical_ns"])


@sentence("free")
def free(s):
    rows, path, _ = s.analyzed()
    outside, _, _ = s.analyzed("--by", "fallback")
    between = path["typical_ns"] - path["delegated_ns"] - sum(r["self_ns"] for r in outside)
    inside = path["unattributed_ns"] - between
    if "unattributed_delegate_ns" in numbers(s.sentence):
        checks(s, unattributed_delegate_ns=inside)
    elif inside > 1:
        lie(f"{s.path}: {s.sentence['text']}: {inside} ns of it are inside delegates")
    return checks(s, unattributed_ns=path["typical_ns"] - path["rounding_ns"] - sum(r["self_ns"] or 0 for r in rows))


@sentence("detached", DEVICES)
def detached(s):
    rows = [r for r in s.ask("analyze")["rows"] if r["detached"] and r["path"] == s.summary["path"]]
    if not rows:
        lie(f"{s.path}: {s.sentence['text']}: no row is")
    reasons = ", ".join(dict.fromkeys(r["columns"]["why"] for r in rows))
    if not s.sentence["text"].endswith(f": {reasons}."):
        lie(f"{s.path}: {s.sentence['text']}: the reasons are {reasons}")
    return TRUE


@sentence("half")
def half(s):
    if s.sentence["command"] == "what-if":
        return SILENT
    answer = s.ask(*shlex.split(s.sentence["command"]))
    total = [r for r in answer["rows"] if r["what"] == "total" and r["path"] == s.summary["path"]][0]
    others = [r for r in answer["rows"] if r["what"] == "row" and r["path"] == s.summary["path"]]
    if len(others) != 1:
        return SILENT  # another row has the same name
    have = numbers(s.sentence)
    if not close(have["new_min_ns"], total["new_min_ns"]) or not close(have["new_max_ns"], total["new_max_ns"]):
        lie(f"{s.path}: {s.sentence['text']}: {total['new_min_ns']} to {total['new_max_ns']}")
    return TRUE


@sentence("switch")
def switch(s):
    rows, _, _ = s.analyzed()
    return checks(s, no=sum(r["calls"] for r in rows if r["columns"].get("kernel_library_ran") == "no"))


@sentence("places")
def places(s):
    if any(f["kind"] == "etrecord" for f in s.summary["files"]):
        lie(f"{s.path}: there is a record")
    return TRUE


def nearly_quiet(lab, rng):
    """Runs that vary by up to 5 %, of which up to 30 % are much slower."""
    now, runs = 10**9, []
    noise, slow = rng.uniform(0, 0.05), rng.uniform(0, 0.3)
    for _ in range(rng.randint(9, 200)):
        took = max(1, round(rng.gauss(50_000, noise * 50_000) * (rng.uniform(1.3, 2) if rng.random() < slow else 1)))
        runs.append([("native_call_a.out", None, b"", 0, now, now + took), ("Method::execute", None, b"", -1, now, now + took)])
        now += took + 1000
    path = lab.path("made.etdump")
    with open(path, "wb") as f:
        f.write(make(runs))
    return path


@sentence("runs", nearly_quiet)
def runs(s):
    _, path, answer = s.analyzed()
    bad = {"N0134", "N0151", "N0153"} & {n["code"] for n in answer["notes"]}
    if not s.sentence["cannot_say"] and (bad or path["runs"] - path["warmup"] < 10):
        lie(f"{s.path}: {s.sentence['text']}: {bad}")
    if "noise" in s.sentence["text"]:  # no test finds that there is none
        lie(f"{s.path}: {s.sentence['text']}")
    return checks(s, kept_runs=path["runs"] - path["warmup"], **({} if s.sentence["cannot_say"] else {"typical_runs": path["typical_runs"]}))


@sentence("recordings")
def recordings(s):
    if sum(f["kind"] == "etdump" for f in s.summary["files"]) != 1:
        lie(f"{s.path}: {s.sentence['text']}")
    return TRUE


@sentence("others", [p for p in PLAIN if "multi" in p or "control" in p] or None)
def others(s):
    paths = [p for m in s.ask("analyze")["methods"] for p in m["paths"]]
    return checks(s, paths=len(paths) - 1)


@sentence("warnings", ODD)
def warnings(s):
    want = sorted({n["code"] for n in s.ask("analyze")["notes"] if n["code"].startswith("W")})
    if not set(s.sentence["codes"]) <= set(want) or not s.sentence["codes"]:
        lie(f"{s.path}: {s.sentence['text']}: {want}")
    return TRUE
