"""Claims of `etcore diff` and `etcore check` about recordings: differ, slower, faster, cannot tell, tails, verdicts.

A recording here has the runs of a real dump in random order. Each run is scaled by its own noise, and all runs by the
recording's level, which simulates the difference between processes. The claims may be wrong in at most 5 % of the trials;
in 7 % if levels vary by exactly the spread that --process-spread assumes.
"""
import functools
import math
import re
import shutil

from etdump import Dump
from lab import SILENT, TRUE, Skip, claim, dumps, lie

LEAST_RUNS, MOST_BYTES = 19, 3_000_000
CHANGES = ("faster", "slower")


@functools.lru_cache(maxsize=None)
def sources():
    """Returns dumps with many runs in which every time can be edited."""
    found = []
    for path in dumps("/cases/", "/arm/"):
        dump = Dump(path)
        runs = dump.executes
        if len(runs) < LEAST_RUNS or len(dump.bytes) > MOST_BYTES:
            continue
        if all(e.start and e.end for r in runs for e in r.events):
            found.append(path)
    return found


def two_speeds(rng):
    """Returns a function that draws for a recording how much slower its second speed is, and the share of runs at it:
    any share, or only few runs are not at the speed of the others."""
    apart, how = rng.uniform(0.05, 0.5), rng.choice(("any", "few"))

    def draw():
        share = rng.random() if how == "any" else rng.uniform(0.05, 0.2)
        return apart, share if rng.random() < 0.5 else 1 - share
    return draw


def record(lab, rng, source, name, level=1.0, ramp=0.0, slow=0.0, noise=0.03, speeds=(0, 0)):
    """Writes one recording: each run keeps the proportions of a run of the real dump, scaled to the median time, the level
    and noise. `speeds`: how much slower the second speed of the machine is, and the share of runs at it."""
    apart, share = speeds
    dump = Dump(source)
    runs = dump.executes
    times = sorted(r.find("Method::execute").duration for r in runs)
    middle = times[len(times) // 2]
    if middle < 20000 or len({tuple(e.label for e in r.events) for r in runs}) > 1:
        raise Skip
    order = runs[:]
    rng.shuffle(order)
    for i, run in enumerate(order):
        place = i / (len(order) - 1) - 0.5
        factor = level * (1 + ramp * place) * (1 + rng.gauss(0, noise)) * (5 if rng.random() < slow else 1)
        factor *= 1 + apart * (rng.random() < share)
        run.stretch(factor * middle / run.find("Method::execute").duration)
    return dump.save(lab.path(name), order)


def groups(lab, rng, count, shift=1.0, spread=0.05, draw=lambda: (0, 0), noise=0.03, **new):
    """Returns the paths of two groups of `count` recordings each. Levels vary with relative deviation `spread`, and `draw`
    draws the speeds of each recording."""
    if not sources():
        raise Skip
    source = rng.choice(sources())
    old = [record(lab, rng, source, f"a{i}.etdump", 1 + rng.gauss(0, spread), noise=noise, speeds=draw()) for i in range(count)]
    return old, [record(lab, rng, source, f"b{i}.etdump", shift * (1 + rng.gauss(0, spread)), noise=noise, speeds=draw(), **new)
                 for i in range(count)]


def end(lab, old, new, *options):
    """Returns (the answer, its line for the end-to-end time)."""
    r = lab.etcore("diff", *old, "--", *new, "--no-siblings", "--by", "method", "--rounds", "500", "-o", "json", *options)
    rows = r.json()["rows"] if r.status == 0 else lie(f"status {r.status}: {r.err[:200]}")
    return r, next(x for x in rows if x["level"] == "run")


def judged(line, shift):
    """Judges the claim of a line about the end-to-end time; the new program takes `shift` times as long."""
    if line["change"] not in CHANGES:
        return SILENT
    if (line["change"] == "slower") != (shift > 1) or shift == 1:
        lie(f"{line['change']} {line['ratio']:.3f}, and the program takes {shift} as long")
    return TRUE


@claim("one-recording", at_most=0.07, power=0.2)
def one_recording(lab, rng):
    shift = rng.choice((1, 1, 3, 1 / 3))
    return judged(end(lab, *groups(lab, rng, 1, shift))[1], shift)


@claim("slower-faster", at_most=0.07, power=0.2)
def slower_faster(lab, rng):
    shift = rng.choice((1, 1, 1.3, 1 / 1.3))
    speeds = {"draw": two_speeds(rng)} if rng.random() < 0.3 else {}
    return judged(end(lab, *groups(lab, rng, rng.choice((3, 5)), shift, **speeds))[1], shift)


@claim("recordings-differ", at_most=0.05, power=0.2)
def recordings_differ(lab, rng):
    """Two recordings of the same level must not differ significantly; with levels 8 % apart they may."""
    shift = rng.choice((1, 1.08))
    line = end(lab, *groups(lab, rng, 1, shift, spread=0))[1]
    if not line["significant"]:
        return SILENT
    if shift == 1:
        lie(f"{line['change']} {line['ratio']:.3f} of recordings of one level")
    return TRUE


@claim("no-change", at_most=0.05, power=0.2)
def no_change(lab, rng):
    """'No significant change' is a lie if its interval excludes 0, or if everything takes 1.3 times as long."""
    shift = rng.choice((1, 1.3))
    old, new = groups(lab, rng, 1, shift, spread=0)
    line = end(lab, old, new)[1]
    if line["change"] != "unclear":
        return SILENT
    screen = lab.etcore("diff", *old, "--", *new, "--no-siblings", "--by", "method", "--rounds", "500").out.splitlines()[0]
    shown = "CI" in screen
    if shown and line["difference_low_ns"] * line["difference_high_ns"] > 0:
        lie(f"an interval beside no change: {screen}")
    if shift != 1:
        lie("no change of 30 %")
    return TRUE


@claim("drift-as-large", at_most=0.01, power=0.2)
def drift_as_large(lab, rng):
    """A recording that ramps by 10 % and is 6 % longer allows no verdict. 'cannot tell' is a lie if nothing ramps."""
    ramp = rng.choice((0, 0.1))
    line = end(lab, *groups(lab, rng, 1, 1.06, spread=0, ramp=ramp))[1]
    if line["change"] in CHANGES:
        lie(f"{line['change']} with one recording, 6 % apart")
    if line["change"] != "cannot tell":
        return SILENT
    if not ramp:
        lie("cannot tell for a drift that is not there")
    return TRUE


@claim("speeds-explain", at_most=0.05, power=0.1)
def speeds_explain(lab, rng):
    """A machine with two speeds, at which each recording runs a share of its own: 'slower' and 'faster' are lies, and so is
    a second speed that explains the change (N0197) if there is none."""
    two = rng.random() < 0.7
    quiet = {"spread": 0.005, "noise": 0.005}
    old, new = groups(lab, rng, 1, 1 if two else 1.5, **({"draw": two_speeds(rng), **quiet} if two else {}))
    r, line = end(lab, old, new)
    if two:
        judged(line, 1)
    gate = lab.etcore("check", *new, "--baseline", *old, "--no-siblings", "--rounds", "500")
    if two and gate.status == 1:
        lie(gate.out.splitlines()[0])
    if (line["change"] == "cannot tell") != ("N0197" in r):
        lie(f"{line['change']}, and N0197 is{'' if 'N0197' in r else ' not'} said")
    if "N0197" not in r:
        return SILENT
    if gate.status != 11 or "N0197" not in gate:
        lie(f"check ends with status {gate.status}: {gate.out}")
    return TRUE if two else lie(f"two speeds: {line['ratio']:.3f}, and the program takes 1.5 times as long")


@claim("tails-differ", at_most=0.05, power=0.2)
def tails_differ(lab, rng):
    slow = rng.choice((0, 0.4))
    r, line = end(lab, *groups(lab, rng, 1, 1, spread=0, slow=slow))
    if "N0193" not in r:
        return SILENT
    if not slow:
        lie(f"tails, p {line['tail_p']}")
    return TRUE


@claim("gate", at_most=0.07, power=0.2)
def gate(lab, rng):
    """It is a lie to report a regression if nothing changed, or to pass if everything takes 1.5 times as long."""
    shift, count = rng.choice((1, 1.5)), rng.choice((1, 3, 5))
    speeds = {"draw": two_speeds(rng)} if rng.random() < 0.3 else {}
    old, new = groups(lab, rng, count, shift, spread=rng.choice((0.01, 0.05)), **speeds)
    r = lab.etcore("check", *new, "--no-siblings", "--rounds", "500", "--max-regression", "10%", "--baseline", *old)
    if r.status not in (0, 1, 11):
        lie(f"status {r.status}: {r.err[:200]}")
    if (r.status == 1) != r.out.startswith("REGRESSION") or (r.status == 11) != r.out.startswith("no verdict"):
        lie(f"status {r.status}: {r.out.splitlines()[0]}")
    for text in r.out.splitlines():
        if re.search(r"% (slower|faster)|no difference", text) and not re.match(r"regression|improved|  N0", text):
            lie(f"a word of certainty without the verdict: {text}")
    if r.status == 11:
        return SILENT
    if (r.status == 1) != (shift > 1):
        lie(f"status {r.status}, and the program takes {shift} as long: {r.out.splitlines()[3]}")
    return TRUE


@claim("process-unknown", power=0.1)
def process_unknown(lab, rng):
    """N0155 must be printed exactly if each group is one recording, possibly given twice or as a stored baseline; N0165
    exactly if only one group is."""
    source = rng.choice(sources())
    sides = []
    for side in "ab":
        count = rng.choice((1, 1, 2, 3))
        group = [record(lab, rng, source, f"{side}{i}.etdump") for i in range(count)]
        given = list(group)
        if rng.random() < 0.3:
            given.append(shutil.copy(rng.choice(group), lab.path(f"{side}copy.etdump")))
        if rng.random() < 0.3:
            stored = lab.path(f"{side}.baseline")
            if lab.etcore("baseline", "save", *given, "--no-siblings", "-o", stored).status:
                raise Skip
            given = [stored]
        rng.shuffle(given)
        sides.append((count, given))
    (n, old), (m, new) = sides
    r = lab.etcore("diff", *old, "--", *new, "--no-siblings", "--by", "method", "--rounds", "0")
    if r.status:
        lie(f"status {r.status}: {r.err[:200]}")
    for code, true in (("N0155", n == m == 1), ("N0165", (n == 1) != (m == 1))):
        if (code in r) != true:
            lie(f"{code} is{'' if code in r else ' not'} said of {n} and {m} recordings: {' '.join(r.command[1:])}")
    return TRUE if "N0155" in r else SILENT


@claim("no-chance", power=0.2)
def no_chance(lab, rng):
    """N0161 must be printed exactly if there are so few runs that even completely separated groups could not be
    significant."""
    source = rng.choice(sources())
    n, m = rng.randint(5, 9), rng.randint(5, 9)
    confidence = rng.choice(("95", "99", "99.9", "99.95", "99.99"))
    paths = []
    for name, runs, level in (("a.etdump", n, 1), ("b.etdump", m, rng.choice((1, 1.01, 3)))):
        path = record(lab, rng, source, name, level)
        dump = Dump(path)
        dump.save(path, rng.sample(dump.executes, runs + 1))  # plus one for the warm-up
        paths.append(path)
    r, line = end(lab, paths[:1], paths[1:], "--confidence", confidence)
    least = 2 / math.comb(n + m, n)  # two-sided p-value if all runs of one group are faster than all of the other
    never = least >= 1 - float(confidence) / 100
    if ("N0161" in r) != never:
        lie(f"N0161 is{'' if 'N0161' in r else ' not'} said of {n} and {m} runs at {confidence} %, p is at least {least}")
    if never and line["significant"]:
        lie(f"significant, p {line['p']}, and no p could be")
    if line["p"] is not None and line["p"] < 0.999 * least:
        lie(f"p {line['p']} is below {least}")
    return TRUE if never else SILENT
