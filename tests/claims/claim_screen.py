"""Claims of a screen: sums, shares, rounded numbers, and the rows that --where keeps."""
import csv
import io
import re

from etdump import Dump
from lab import SILENT, TRUE, Skip, claim, dumps, lie

REAL = [p for p in dumps("/cases/", "/arm/", "/backends/", "/sample/") if "/edge/" not in p]


def disturb(lab, rng):
    """Copies a real dump, with some runs stretched or preempted. Returns (path, the dump)."""
    source = rng.choice(REAL)
    try:
        dump = Dump(source)
    except (IndexError, ValueError, OverflowError):
        raise Skip from None
    for run in dump.executes:
        try:
            if rng.random() < 0.3:
                run.stretch(rng.choice((1.01, 1.5, 2, 10)))
            elif rng.random() < 0.2 and run.events:
                run.preempt(rng.choice(run.events), rng.randrange(1, 10 ** 7))
        except ValueError:
            pass  # an event without a field for its time cannot be edited
    path = lab.path("run.etdump")
    dump.save(path)
    return path, dump


def answer(lab, path, *more):
    r = lab.etcore("analyze", path, "--no-siblings", "-o", "json", *more)
    if r.status != 0:
        raise Skip
    return r.json()


@claim("adds-up")
def adds_up(lab, rng):
    """For each path, self times of attached rows + rounding + unattributed must equal the typical time; shares must add up
    too."""
    path, _ = disturb(lab, rng)
    report = answer(lab, path, "--by", rng.choice(("op", "op", "kernel", "category", "backend", "delegate")),
                    "--stat", rng.choice(("typical", "typical", "mean", "min", "total")))
    spoke = False
    for method in report["methods"]:
        for p in method["paths"]:
            rows = [r for r in report["rows"] if r["method"] == method["name"] and r["path"] == p["path"]
                    and not r["detached"]]
            whole = p.get("typical_ns")
            if not whole or any(r["self_ns"] is None for r in rows):
                continue
            foot = p["rounding_ns"] + p["unattributed_ns"]
            total = sum(r["self_ns"] for r in rows) + foot
            if abs(total - whole) > 1e-9 * whole:
                lie(f"rows and foot are {total}, the path {whole}")
            if abs(sum(r["share"] for r in rows) + foot / whole - 1) > 1e-9:
                lie("shares do not add up to 1")
            spoke = True
    return TRUE if spoke else SILENT


def typical(times):
    """Applies Hampel's rule of docs/analysis.md in integers; returns the typical ones of `times`, pairs (time, run)."""
    if len(times) < 4:
        return times
    ordered = sorted(t for t, _ in times)
    n = len(ordered)
    twice = ordered[(n - 1) // 2] + ordered[n // 2]
    away = sorted(abs(2 * t - twice) for t in ordered)
    spread = away[(n - 1) // 2] + away[n // 2]
    return [(t, r) for t, r in times if 20000 * abs(2 * t - twice) <= 44478 * spread]


@claim("delegated")
def delegated(lab, rng):
    """The percentage in `delegated 92 %` must be the share of DELEGATE_CALL in the typical runs, recomputed from the dump's
    bytes."""
    path, dump = disturb(lab, rng)
    runs = dump.executes

    def shape(run):
        return [(e.name, e.chain, e.instruction) for e in run.events if e.name]

    if len(runs) < 2 or any(shape(r) != shape(runs[0]) for r in runs):
        raise Skip  # the dump has several paths
    execute = [(r.find("Method::execute").duration, r) for r in runs][1:]
    if any(t <= 0 or e.duration < 0 for t, r in execute for e in r.events):
        raise Skip
    chosen = typical(execute)
    inside = sum(e.duration for _, r in chosen for e in r.events if e.name == "DELEGATE_CALL")
    share = 100 * inside / sum(t for t, _ in chosen)
    r = lab.etcore("analyze", path, "--no-siblings")
    said = re.search(r"delegated (< 1|> 99|\d+) %", r.out)
    if r.status != 0 or not said:
        return SILENT
    if said[1] == "< 1":
        return TRUE if 0 < share < 0.5 + 1e-9 else lie(f"delegated < 1 %, and it is {share}")
    if said[1] == "> 99":
        return TRUE if 99.5 - 1e-9 <= share < 100 else lie(f"delegated > 99 %, and it is {share}")
    if abs(share - int(said[1])) > 0.5 + 1e-9 or (said[1] in ("0", "100") and abs(share - int(said[1])) > 1e-9):
        lie(f"delegated {said[1]} %, and it is {share}")
    return TRUE


UNITS = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}


@claim("shown-number")
def shown_number(lab, rng):
    """A number on the screen must differ from the JSON's by at most half of its last digit."""
    path, _ = disturb(lab, rng)
    unit = rng.choice(("", "", "ns", "us", "ms", "s"))
    forced = ["--target-time-scale", unit] if unit else []
    rows = [r for r in answer(lab, path)["rows"] if not r["detached"]]
    screen = lab.etcore("analyze", path, "--no-siblings", "--top", "0", "--columns", "self_ns,share", *forced)
    lines = screen.out.split("\n")
    heads = [i for i, line in enumerate(lines) if re.fullmatch(r"\s*self_ns \S+\s+share", line)]
    if len(heads) != 1 or not rows or any(r["self_ns"] is None for r in rows):
        return SILENT
    scale = UNITS[lines[heads[0]].split()[1]]
    for row, line in zip(rows, lines[heads[0] + 1:]):
        time, share, sign = line.split()
        for shown, real in ((time, row["self_ns"] / scale), (share, row["share"] * 100)):
            digits = len(shown.partition(".")[2])
            if sign != "%" or abs(float(shown) - real) > 0.5 * 10 ** -digits * (1 + 1e-9) + 1e-12 * abs(real):
                lie(f"{line!r} stands for {real}")
    return TRUE


def table(lab, path, *more):
    columns = "what,name,on,backend,kind,KleidiAI,kernel_library_ran,calls,share,self_ns,detached"
    r = lab.etcore("analyze", path, "--no-siblings", "-o", "csv", "--columns", columns, *more)
    if r.status != 0:
        return None, r
    return list(csv.DictReader(io.StringIO(r.out))), r


ALSO = {"what": "name", "on": "backend", "KleidiAI": "kernel_library_ran"}


@claim("where")
def where(lab, rng):
    """--where must find exactly the rows for which the condition is true, judged by the values that the screen or the CSV
    shows."""
    path, _ = disturb(lab, rng)
    rows, _ = table(lab, path)
    if not rows:
        raise Skip
    row, column = rng.choice(rows), rng.choice(("what", "on", "kind", "KleidiAI", "share", "share", "calls"))
    if column in ("share", "calls"):
        if not row[column]:
            raise Skip
        factor = 100 if column == "share" else 1
        value = f"{float(row[column]) * factor:.1f}"
        sign = rng.choice(("<", "<=", ">", ">=") + (("=", "!=") if column == "share" else ()))

        def holds(r):
            if not r[column]:
                return sign == "!="
            x, v = float(r[column]) * factor, float(value)
            same = v - 0.05 <= x < v + 0.05
            return {"<": x < v, "<=": x <= v, ">": x > v, ">=": x >= v, "=": same, "!=": not same}[sign]

        if any(r[column] and min(abs(float(r[column]) * factor - float(value) - d) for d in (0, 0.05, -0.05)) < 1e-9
               for r in rows):
            raise Skip  # the two roundings may differ here
        condition = f"{column} {sign} {value}" + (" %" if column == "share" else "")
    else:
        value = rng.choice((row[column], row[column], row[ALSO.get(column, column)], "no such thing"))
        sign = rng.choice(("=", "!="))
        if not value:
            raise Skip

        def holds(r):
            texts = {r[column], r[ALSO.get(column, column)]} - {""}
            return (value in texts) == (sign == "=")

        condition = f"{column} {sign} {value}"
    found, r = table(lab, path, "--where", condition)
    if found is None:
        return lie(f"--where '{condition}': {r.err}")
    if found != [r for r in rows if holds(r)]:
        lie(f"{path} --where '{condition}': {len(found)} rows, {sum(map(holds, rows))} fit")
    return TRUE
