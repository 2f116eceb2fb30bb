"""Claims of analyze about runs: typical runs, the first row, warm-up, two speeds, drift, noise."""
import math
import os
import re
import statistics

from etdump import Dump
from lab import SILENT, TRUE, Skip, claim, dumps, lie

MOST = 60  # most runs in a situation
SMALL = 400_000
LONG = []  # paths of dumps with enough runs, filled by long_dumps()


def long_dumps():
    """Returns dumps with at least ten runs after the warm-up; the generated files of edge/ and plugins/ are
    left out."""
    if not LONG:
        for path in dumps("/"):
            if "/edge/" in path or "/plugins/" in path or os.path.getsize(path) >= SMALL:
                continue
            try:
                dump = Dump(path)
                shapes = {tuple(e.label for e in r.events) for r in dump.executes}
                if len(dump.executes) >= 11 and len(shapes) == 1:
                    LONG.append(path)
            except (ValueError, IndexError, StopIteration):
                pass
    return LONG


class Situation:
    """At most MOST runs of a real dump, in some order. Times are in ticks; edits are made in memory."""

    def __init__(self, lab, rng, path=None):
        self.lab, self.rng = lab, rng
        self.path = path or rng.choice(long_dumps())
        self.dump = Dump(self.path)
        runs = self.dump.executes
        first = rng.randrange(max(1, len(runs) - MOST))
        self.runs = runs[first:first + MOST]
        self.others = [r for r in self.dump.runs if not r.executes]

    def time(self, run):
        return run.find("Method::execute").duration

    def scale(self, run, ticks):
        """Scales the run so that it takes `ticks`."""
        run.stretch(max(1, ticks) / max(1, self.time(run)))

    def even(self):
        """Makes all runs copies of one, so that only the generator makes them differ. Raises Skip if the dump cannot be
        edited."""
        model = self.rng.choice(self.runs[1:])
        times = [(e.start, e.end) for e in model.events]
        origin = min(a for a, _ in times)
        try:
            for run in self.runs:
                if len(run.events) != len(times):
                    raise Skip
                for event, (a, b) in zip(run.events, times):
                    # Times of a small dump are few ticks. Multiplied by 1000, they allow changes of a few per
                    # cent.
                    event.start, event.end = (origin + (t - origin) * 1000 for t in (a, b))
        except ValueError:
            raise Skip from None

    def ask(self, *arguments):
        name = self.lab.path("run.etdump")
        self.dump.save(name, self.others + self.runs)
        answer = self.lab.etcore("analyze", name, "--no-siblings", "-o", "json", *arguments)
        if answer.status:
            raise Skip
        self.answer = answer.json()
        paths = [p for m in self.answer["methods"] for p in m["paths"]]
        if len(paths) != 1 or paths[0]["runs"] != len(self.runs) or paths[0]["samples_ns"] is None:
            raise Skip
        self.numbers = paths[0]
        return self.numbers

    def notes(self, code):
        return [n["text"] for n in self.answer["notes"] if n["code"] == code]


def middle_two(v):
    v = sorted(v)
    return v[(len(v) - 1) // 2] + v[len(v) // 2]


def near_median(times):
    """Applies Hampel's rule as documented. Returns ([whether each time is typical], spread or None)."""
    if len(times) < 4:
        return [True] * len(times), None
    m2 = middle_two(times)
    away = [abs(2 * t - m2) for t in times]
    d2 = middle_two(away)
    return [20000 * a <= 44478 * d2 for a in away], 1.4826 * d2 / 2 / m2 if m2 else None


def preempt_some(s, share, low, high):
    """Interrupts a share of the runs once each, for `low` to `high` times the run's own time; returns these runs."""
    chosen = s.rng.sample(s.runs[1:], int(share * (len(s.runs) - 1)))
    try:
        for run in chosen:
            event = s.rng.choice([e for e in run.events if e.end > e.start])
            run.preempt(event, max(1, round(s.time(run) * s.rng.uniform(low, high))))
    except (ValueError, IndexError):
        raise Skip from None
    return chosen


def disturb_all(s, how):
    """Changes every run but the first by `how`: "drift", "two speeds" or "heavy tail" (preemptions, few of them long); ""
    changes nothing."""
    rng, apart = s.rng, s.rng.uniform(0.05, 0.5)
    try:
        for i, run in enumerate(dict.fromkeys(s.runs[1:])):
            if how == "drift":
                s.scale(run, round(s.time(run) * (1 + apart * i / len(s.runs))))
            elif how == "two speeds":
                s.scale(run, round(s.time(run) * (1 + apart * (rng.random() < 0.4))))
            elif how == "heavy tail":
                event = rng.choice([e for e in run.events if e.end > e.start])
                run.preempt(event, max(1, round(s.time(run) * min(50, 0.002 * rng.paretovariate(1)))))
    except (ValueError, IndexError):
        raise Skip from None


@claim("typical")
def typical(lab, rng):
    """Preempted runs (one, or up to a quarter, each by half its time or more) must not be typical and must not
    change the typical time. With a ramp, two speeds or a heavy tail, the typical time must follow Hampel's rule."""
    s = Situation(lab, rng)
    s.runs = s.runs[:rng.randint(11, MOST)]
    how = rng.choice(["", "", "", "drift", "two speeds", "heavy tail"])
    disturb_all(s, how)
    clean = [s.time(r) for r in s.runs[1:]]
    near, spread = near_median(clean)
    if not spread or (spread > 0.04 and not how):
        raise Skip
    truth = sum(t for t, n in zip(clean, near) if n) / sum(near)
    s.runs[1:] = rng.sample(s.runs[1:], len(s.runs) - 1)
    one = 1.01 / (len(s.runs) - 1)
    chosen = [] if how else preempt_some(s, rng.choice([0, one, 0.1, 0.2, 0.25]), 0.5, 20)
    p = s.ask()
    kept = [s.time(r) for r in s.runs[1:]]
    near, _ = near_median(kept)
    exact = sum(t for t, n in zip(kept, near) if n) / sum(near)
    rate = p["samples_ns"][1] / kept[0]
    if p["typical_runs"] != sum(near) or abs(p["typical_ns"] - exact * rate) > 1e-9 * p["typical_ns"]:
        lie(f"{s.path}: {p['typical_runs']} typical runs, {p['typical_ns']} ns; the rule says {sum(near)}, {exact * rate}")
    used = [r for r, n in zip(s.runs[1:], near) if n]
    if any(r in chosen for r in used):
        lie(f"{s.path}: a preempted run is typical")
    if abs(exact - truth) > max(0.03 * truth, 3 * spread * truth / len(clean) ** 0.5):
        return SILENT if s.notes("N0134") else lie(f"{s.path}: {exact} ticks typical, {truth} without the preemption")
    return TRUE


def first_rows(rows):
    return sorted((r for r in rows if not r["detached"] and r["self_ns"]), key=lambda r: -r["self_ns"])


def places(s, row):
    """Returns the positions of a row's events in a run."""
    return [i for i, e in enumerate(s.runs[1].events)
            if re.sub(r"^native_call_| #\d+$", "", e.label) == row["name"]]


def make_near(s):
    """Makes one of the next rows take nearly as long as the first. Returns the positions of both rows' events in
    a run."""
    s.ask()
    rows = [r for r in first_rows(s.answer["rows"]) if places(s, r)][:4]
    if len(rows) < 2:
        raise Skip
    first, second = rows[0], s.rng.choice(rows[1:])
    event = s.rng.choice(places(s, second))
    more = round(first["self_ns"] * s.rng.uniform(0.92, 1.08) - second["self_ns"])
    if not s.runs[1].events[event].name and not any(e.duration % 1000 for r in s.runs for e in delegated(r)):
        more -= more % 1000  # XNNPACK's clock counts whole microseconds
    try:
        for run in s.runs:
            if more > 0:
                run.preempt(run.events[event], more)
    except (ValueError, IndexError):
        raise Skip from None
    return places(s, first) + places(s, second)


@claim("ranked-first")
def ranked_first(lab, rng):
    """Rows have nearly equal times; runs are preempted, ramp, have two speeds or a heavy tail, are left out or count twice.
    If a row is claimed to be the first, it must be the first in the whole, undisturbed dump too."""
    s = Situation(lab, rng)
    whole = s.runs
    near = make_near(s) if rng.random() < 0.8 else []
    s.ask()
    truth = {r["key"]: r["self_ns"] for r in first_rows(s.answer["rows"])}
    if len(truth) < 2:
        raise Skip
    body = rng.sample(whole[1:], rng.randint(min(10, len(whole) - 1), len(whole) - 1))
    if rng.random() < 0.3:
        body = (body + rng.choices(body, k=len(body) // 3))[:len(whole) - 1]
    s.runs = whole[:1] + body
    if rng.random() < 0.5:  # makes runs vary so much that a preempted run is not recognised
        for run in dict.fromkeys(body):
            s.scale(run, round(s.time(run) * max(0.3, 1 + rng.choice([0.1, 0.3]) * rng.gauss(0, 1))))
    disturb_all(s, rng.choice(["", "", "drift", "two speeds", "heavy tail"]))
    distinct = list(dict.fromkeys(body))
    few = rng.sample(distinct, min(len(distinct), rng.choice([0, 1, 2, max(1, len(distinct) * 15 // 100),
                                                              max(1, len(distinct) // 4)])))
    site = rng.choice(near) if near and rng.random() < 0.7 else rng.randrange(len(whole[1].events))
    try:
        for run in few:
            event = run.events[site]
            if event.name == "Method::execute":
                raise Skip
            run.preempt(event, max(1, round(s.time(run) * rng.choice([0.05, 0.3, 0.8, 2, 10, 300]))))
    except (ValueError, IndexError):
        raise Skip from None
    s.ask()
    rows = first_rows(s.answer["rows"])
    if not rows:
        return SILENT
    shown = rows[0]
    if truth.get(shown["key"], 0) >= 0.95 * max(truth.values()):
        return TRUE
    word = {"OPERATOR_CALL": "operator dispatch"}.get(shown["name"], shown["name"])
    if any("ranked wrongly" in n and word in n for n in s.notes("N0134")):
        return SILENT
    return lie(f"{s.path}: {shown['key']} is ranked first with {shown['self_ns']} ns; of {truth}")


@claim("warm-up")
def warm_up(lab, rng):
    """Runs are reordered. The first run must be called a warm-up only if it is slower than a typical run."""
    s = Situation(lab, rng)
    rng.shuffle(s.runs)
    if rng.random() < 0.3:
        s.runs.sort(key=s.time, reverse=rng.random() < 0.5)
    elif rng.random() < 0.5:
        s.scale(s.runs[0], round(s.time(s.runs[0]) * rng.choice([0.5, 0.9, 0.97, 1.03, 1.5, 4])))
    p = s.ask()
    if not s.notes("N0120"):
        return SILENT
    first = p["samples_ns"][0]
    if first <= p["typical_ns"]:
        lie(f"{s.path}: the first run took {first} ns, a typical one {p['typical_ns']}")
    return TRUE


def draw_times(s, shape):
    """Draws a relative time for each run from a distribution with one mode."""
    rng, n = s.rng, len(s.runs)
    wide = rng.choice([0.002, 0.01, 0.03, 0.1])
    if shape == "gauss":
        return [1 + wide * rng.gauss(0, 1) for _ in range(n)]
    if shape == "skewed":
        return [1 + wide * rng.expovariate(1) for _ in range(n)]
    return [1 + wide * rng.random() for _ in range(n)]


def give_times(s, factors):
    base = s.time(s.runs[0])
    for run, f in zip(s.runs, factors):
        s.scale(run, round(base * max(0.05, f)))


def two_groups(s, how):
    """Draws a relative time for each run: "even" halves around two speeds, "exact" ones (two values), or "few" slow runs."""
    rng, n = s.rng, len(s.runs)
    apart = rng.uniform(0.1, 0.5) if how != "few" else rng.uniform(0.3, 0.5)
    slow = [rng.random() < 0.5 for _ in range(n)]
    if how == "few":
        slow = [i < max(4, n // 5) for i in range(n)]
    if how == "exact" or rng.random() < 0.5:
        rng.shuffle(slow) if rng.random() < 0.5 else slow.sort()
    noise = {"even": lambda: rng.gauss(0, 0.01), "exact": lambda: 0, "few": lambda: rng.uniform(-0.03, 0.03)}[how]
    return [(1 + noise()) * (1 + apart * x) for x in slow]


def coarsen(s):
    """Truncates all times to a clock with few ticks per run, whose neighbouring values must not be taken for two
    speeds. The tick need not be a whole number of units: a tick of 24 MHz is not a whole number of ns. Then readings are
    rounded."""
    tick = max(1, s.time(s.runs[0]) // s.rng.randint(2, 40))
    part = s.rng.choice([0, 0, 1 / 3, 2 / 3, s.rng.random()])
    for run in s.runs:
        for e in run.events:
            e.start, e.end = (math.floor((t // (tick + part)) * (tick + part)) for t in (e.start, e.end))


# The dip test has p < 0.01 for at most 1 % of samples with one mode (1 % if uniform, far fewer for others); a gap as wide
# as the test demands is in fewer than 0.3 %.
@claim("two-speeds", at_most=0.02)
def two_speeds(lab, rng):
    """Times have one mode (Gaussian, skewed or uniform), also on a coarse clock, or two speeds 10 to 50 % apart."""
    s = Situation(lab, rng)
    s.even()
    s.runs = s.runs[:rng.randint(11, MOST)]
    two = rng.choice(["even", "exact", "few"]) if rng.random() < 0.4 else ""
    factors = two_groups(s, two) if two else draw_times(s, rng.choice(["gauss", "skewed", "uniform"]))
    give_times(s, factors)
    if not two and rng.random() < 0.3:
        coarsen(s)
    s.ask()
    if not s.notes("N0153"):
        kept = [s.time(r) for r in s.runs[1:]]
        if two == "exact" and len(kept) >= 16 and min(kept.count(t) for t in set(kept)) >= max(4, len(kept) // 10):
            lie(f"{s.path}: two values, {sorted(set(kept))}, and no note")
        return SILENT
    return TRUE if two else lie(f"{s.path}: two speeds in times of one mode: {[round(f, 5) for f in sorted(factors)]}")


# Mann-Kendall's p is below 0.01 for 1 % of series without a trend; in addition the quarters must differ by 1 %.
@claim("drift", at_most=0.02)
def drift(lab, rng):
    """Times are in random order, or rise or fall by 5 to 50 %, or the machine changes its speed once."""
    s = Situation(lab, rng)
    s.even()
    factors = draw_times(s, rng.choice(["gauss", "skewed", "uniform"]))
    ramp = rng.uniform(0.05, 0.5) * rng.choice([-1, 1]) if rng.random() < 0.6 else 0
    step = rng.random() < 0.5 and rng.randint(1, len(s.runs))  # the run from which on the other speed holds
    if ramp:
        factors = [(1 + 0.01 * rng.gauss(0, 1)) * (1 + ramp * (i >= step if step else i / len(s.runs))) for i in range(len(s.runs))]
    give_times(s, factors)
    s.ask()
    said = s.notes("N0151")
    if not said:
        return SILENT
    if not ramp:
        lie(f"{s.path}: {said} of runs in an order by chance")
    if ("slower" in said[0]) != (ramp > 0):
        lie(f"{s.path}: {said} of a ramp of {ramp}")
    times = s.numbers["samples_ns"][1:]
    quarter = (len(times) + 3) // 4
    change = statistics.median(times[-quarter:]) / statistics.median(times[:quarter]) - 1
    shown = float(re.search(r"([\d.]+) %", said[0])[1]) / 100
    if abs(shown - abs(change)) > 0.00501 or ("slower" in said[0]) != (change > 0):
        lie(f"{s.path}: {said}, the last quarter takes {1 + change} of the first")
    return TRUE


def row_of(answer, name):
    return next((r for r in answer["rows"] if r["name"] == name and not r["detached"]), None)


@claim("noise")
def noise(lab, rng):
    """Each number of the verdict about noise must be right, and the verdict must be printed if the times require it."""
    s = Situation(lab, rng)
    s.runs = s.runs[:rng.randint(5, min(MOST, len(s.runs)))]
    kind = rng.choice(["as it is", "even", "wide", "preempted", "one row", "coarse"])
    if kind in ("even", "wide", "coarse"):
        s.even()
        wide = {"even": 0.01, "wide": 0.1, "coarse": 0}[kind]
        give_times(s, [(1 + wide * rng.gauss(0, 1)) * (2 if kind == "coarse" and rng.random() < 0.3 else 1) for _ in s.runs])
    elif kind == "preempted":
        preempt_some(s, rng.choice([0.1, 0.3, 0.4]), 0.1, 3)
    elif kind == "one row":
        preempt_some(s, 1.5 / len(s.runs), 0.01, 0.1)
    p = s.ask()
    kept = [s.time(r) for r in s.runs[1:]]
    near, spread = near_median(kept)
    typical_time = sum(t for t, n in zip(kept, near) if n) / sum(near)
    median = middle_two(kept) / 2
    causes = {"typical": bool(spread) and 4 * sum(near) < 3 * len(kept), "spread": (spread or 0) > 0.05,
              "differ": median > 0 and abs(typical_time - median) > 0.05 * median}
    said = "; ".join(s.notes("N0134"))
    where = f"{s.path}, {kind}, {len(kept)} runs: '{said}'"
    if len(kept) < 10:
        return lie(f"{where}: fewer than ten runs") if said else SILENT
    for word, pattern in (("typical", r"\d+ of \d+ runs are typical"), ("spread", r"spread \d+ %"), ("differ", r"differ by \d+ %")):
        if bool(re.search(pattern, said)) != causes[word]:
            lie(f"{where}: {word} is {causes[word]}")
    found = re.search(r"(\d+) of (\d+) runs are typical", said)
    if found and (int(found[1]), int(found[2])) != (sum(near), len(kept)):
        lie(f"{where}: {sum(near)} of {len(kept)}")
    found = re.search(r"spread (\d+) %", said)
    if found and abs(int(found[1]) - 100 * spread) > 0.51:
        lie(f"{where}: the spread is {spread}")
    found = re.search(r"(\d+) % of (.*?) hang on run (\d+)", said)
    if found:
        check_one_run(s, p, found, near, where)
    return TRUE if said else SILENT


def check_one_run(s, p, found, near, where):
    """Checks the row's mean without the named run, over the typical runs; etcore computes both with --stat mean."""
    number = int(found[3])
    used = [i for i, n in enumerate(near, 2) if n]  # numbered as in --by run, where the warm-up is run 1
    if number not in used:
        lie(f"{where}: that run is not typical")
    runs = s.runs
    keep = [runs[i - 1] for i in used]
    times = []
    for chosen in (keep, [r for r in keep if r is not runs[number - 1]]):
        s.runs = runs[:1] + chosen
        s.ask("--stat", "mean")
        row = row_of(s.answer, found[2])
        if row is None:
            return
        times.append(row["self_ns"])
    if times[0] <= 0 or abs(times[1] - times[0]) < 0.19 * times[0]:
        lie(f"{where}: {times[0]} ns with it, {times[1]} without")


@claim("mean-above")
def mean_above(lab, rng):
    """The mean must be called far above a typical run exactly if it exceeds twice the typical time; the factor must be
    right."""
    s = Situation(lab, rng)
    s.runs = s.runs[:rng.randint(2, MOST)]
    if rng.random() < 0.5:
        s.even()
    preempt_some(s, rng.choice([0, 0.1, 0.3, 0.6]), 0.5, rng.choice([2, 20, 200]))
    s.ask()
    kept = [s.time(r) for r in s.runs[1:]] or [s.time(s.runs[0])]
    near, _ = near_median(kept)
    usual, mean = sum(t for t, n in zip(kept, near) if n) / sum(near), sum(kept) / len(kept)
    said = s.notes("N0124")
    if bool(said) != (usual > 0 and mean > 2 * usual):
        lie(f"{s.path}: '{said}', the mean is {mean}, typical {usual}")
    if said and abs(float(re.search(r"([\d.]+) ×", said[0])[1]) - mean / usual) > 0.051:
        lie(f"{s.path}: '{said}', {mean / usual}")
    return TRUE if said else SILENT


def delegated(run):
    return [e for e in run.events if not e.name and (e.delegate_text or e.delegate_int >= 0)]


@claim("rounding")
def rounding(lab, rng):
    """The delegate's clock counts whole microseconds. N0301 must state the number of events that read 0 in all kept runs.
    The time that a row may hide must be right, at most one microsecond per event."""
    s = Situation(lab, rng, rng.choice([p for p in long_dumps() if b"XNN" in open(p, "rb").read() or "xnnpack" in p or "linear" in p]))
    s.runs = s.runs[:rng.randint(2, 20)]
    if any(e.duration % 1000 for r in s.runs for e in delegated(r)) or not delegated(s.runs[0]):
        raise Skip
    sites = range(len(delegated(s.runs[0])))
    shorter = rng.sample(sites, rng.randint(0, len(sites)))
    try:
        for run in s.runs:
            for k, e in enumerate(delegated(run)):
                if k in shorter and rng.random() < 0.9:
                    e.end = e.start
        if rng.random() < 0.5:  # one run in which no event reads 0
            for e in delegated(rng.choice(s.runs)):
                e.end = e.start + max(1000, e.duration)
    except ValueError:
        raise Skip from None
    s.ask()
    kept = s.runs[1:]
    zero = sum(all(not delegated(r)[k].duration for r in kept) for k in sites)
    said = s.notes("N0301")
    if bool(said) != bool(zero):
        lie(f"{s.path}: '{said}', {zero} of {len(sites)} events read 0")
    counted = re.search(r"(\d+) of (\d+) delegate events read 0 in (?:all )?(\d+) kept run", said[0]) if said else None
    if counted and tuple(map(int, counted.groups())) != (zero, len(sites), len(kept)):
        lie(f"{s.path}: '{said[0]}', {zero} of {len(sites)} in {len(kept)}")
    calls = {}
    for e in delegated(kept[0]):
        calls[e.label] = calls.get(e.label, 0) + 1
    for row in s.answer["rows"]:
        n = calls.get(row["name"])
        if n and not row["detached"] and abs(row["self_max_ns"] - row["self_ns"] - 1000 * n) > 1e-6:
            lie(f"{s.path}: {row['name']} hides {row['self_max_ns'] - row['self_ns']} ns in {n} calls")
    return TRUE if said else SILENT


@claim("spread")
def spread(lab, rng):
    """Checks the spread of a delegate's row over the typical runs, and the spread of the path over its kept runs."""
    s = Situation(lab, rng)
    s.runs = s.runs[:rng.randint(3, MOST)]
    kind = rng.choice(["as it is", "as it is", "preempted", "wide"])
    if kind == "preempted":
        preempt_some(s, rng.choice([0.1, 0.3]), 0.05, 2)
    elif kind == "wide":
        for run in dict.fromkeys(s.runs):
            s.scale(run, round(s.time(run) * max(0.3, 1 + 0.1 * rng.gauss(0, 1))))
    p = s.ask()
    kept = s.runs[1:]
    near, whole = near_median([s.time(r) for r in kept])
    if whole is not None and abs((p["spread"] or 0) - whole) > 1e-9:
        lie(f"{s.path}, {kind}: spread {p['spread']}, not {whole}")
    used, spoke = [r for r, n in zip(kept, near) if n], False
    for row in s.answer["rows"]:
        per_run = [[e.duration for e in delegated(r) if re.sub(r" #\d+$", "", e.label) == row["name"]] for r in used]
        if row["detached"] or not per_run[0] or row["self_spread"] is None:
            continue
        times = [sum(v) for v in per_run]
        m2 = middle_two(times)
        want = 1.4826 * middle_two([abs(2 * t - m2) for t in times]) / 2 / m2 if m2 else None
        if want is None or abs(row["self_spread"] - want) > 1e-9 * max(1, want):
            lie(f"{s.path}, {kind}: {row['name']} varies by {row['self_spread']}, not {want}")
        spoke = True
    return TRUE if spoke else SILENT


@claim("first-of-whole-us")
def first_of_whole_us(lab, rng):
    """Each XNNPACK event takes a fraction of a microsecond more than its clock counts. A row claimed to be the first must
    be the largest with these fractions."""
    s = Situation(lab, rng, rng.choice([p for p in long_dumps() if b"NC" in open(p, "rb").read()]))
    if any(e.duration % 1000 for r in s.runs for e in delegated(r)) or not delegated(s.runs[0]):
        raise Skip
    s.even()
    for run in s.runs:  # rounds the times to whole microseconds again
        for e in run.events:
            e.start, e.end = (run.events[0].start + (t - run.events[0].start) // 1000 for t in (e.start, e.end))
    if rng.random() < 0.8:
        make_near(s)
    s.ask()
    parts = [i for i, e in enumerate(s.runs[1].events) if e in delegated(s.runs[1])]
    hidden = {i: rng.randrange(1000) for i in parts}
    try:
        for run in s.runs:
            for i in parts:
                run.preempt(run.events[i], hidden[i])  # the call takes that time too
                run.events[i].end -= hidden[i]
    except (ValueError, IndexError):
        raise Skip from None
    s.ask()
    rows = first_rows(s.answer["rows"])
    if not rows:
        return SILENT
    truth = {r["key"]: r["self_ns"] + sum(hidden.get(i, 0) for i in places(s, r))
             for r in s.answer["rows"] if not r["detached"] and r["self_ns"] is not None}
    if truth[rows[0]["key"]] >= 0.95 * max(truth.values()):
        return TRUE
    said = s.notes("N0304") + s.notes("N0988")
    return SILENT if said else lie(f"{s.path}: {rows[0]['key']} is ranked first with {rows[0]['self_ns']} ns; of {truth}")
