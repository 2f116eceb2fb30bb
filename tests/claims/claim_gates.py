"""Claims of comparisons about their dumps: their number, and whether a dump is compared with itself."""
import json
import os
import re
import shutil
from decimal import Decimal

from etdump import Dump
from lab import SILENT, TRUE, Skip, claim, dumps, lie

SMALL = [p for p in dumps("/cases/") if os.path.getsize(p) < 60_000]
FAST = ("--rounds", "0", "--by", "method", "--no-siblings")


def recordings(lab, rng, count):
    """Writes `count` dumps of one program, each with one time changed by some ticks: nearly equal, but not copies."""
    source = rng.choice(SMALL)
    out = []
    for i in range(count):
        dump = Dump(source)
        events = [e for r in dump.executes for e in r.events if e._places[1]]
        if not events:
            raise Skip
        rng.choice(events).end += i * 7 + 1
        out.append(dump.save(lab.path(f"{i}.etdump")))
    if len({open(p, "rb").read() for p in out}) != count:
        raise Skip
    return out


RUNS = [p for p in dumps("/cases/", "/layers/") if os.path.getsize(p) < 150_000]


def work(path):
    """Returns {operator: (its events per run, their share of the time of all kernels and delegate events)}."""
    runs, found = Dump(path).executes, {}
    for e in (e for r in runs for e in r.events):
        name = e.delegate_text if not e.name else e.name[12:] if e.name.startswith("native_call_") else None
        if name:
            n, t = found.get(name.split(" #")[0].split()[-1], (0, 0))
            found[name.split(" #")[0].split()[-1]] = n + 1 / len(runs), t + max(0, e.duration)
    whole = sum(t for _, t in found.values())
    return {k: (n, t / whole if whole else 0) for k, (n, t) in found.items()}


@claim("gate-same-program")
def same_program(lab, rng):
    """The baseline is another model, which may share operators with the checked one, or the same model with another file
    name. check must give no verdict that the run passed if little of the baseline's work is in the run, and must not call a
    run of the same model another program."""
    base = rng.choice(RUNS)
    same = rng.random() < 0.3
    run = shutil.copy(base, lab.path("renamed.etdump")) if same else rng.choice(RUNS)
    if same:
        dump = Dump(run)
        for r in dump.executes:
            try:
                r.stretch(rng.uniform(0.5, 0.9))
            except (ValueError, IndexError, ZeroDivisionError) as e:
                raise Skip from e
        dump.save(run)
    answer = lab.etcore("check", run, "--baseline", base, "--no-siblings", "--process-spread", "0", "-o", "json")
    if not answer.out:
        raise Skip
    lines = json.loads(answer.out)["lines"]
    said = any("another program" in (line["why"] or "") for line in lines)
    if same:
        return lie(f"{base}: a copy is another program") if said else TRUE
    if not any(line["verdict"] in ("pass", "improved") for line in lines):
        return TRUE if said else SILENT
    a, b = work(base), work(run)
    common = sum(t * min(1, b.get(k, (0, 0))[0] / n) for k, (n, t) in a.items())
    if a and b and common < 0.3:
        lie(f"{run} against {base}: {[line['verdict'] for line in lines]}, {common:.0%} of the work in common")
    return TRUE


def again(lab, rng, path, n):
    """Gives the recording at `path` again: by its path, as a copy, a link or a stored baseline. Returns the new path."""
    how = rng.choice(("path", "dot", "copy", "symbolic", "hard", "baseline"))
    to = lab.path(f"again{n}.etdump")
    if how == "path":
        return path
    if how == "dot":
        return os.path.join(lab.tmp, ".", os.path.basename(path))
    if how == "copy":
        return shutil.copy(path, to)
    if how == "symbolic":
        os.symlink(path, to)
        return to
    if how == "hard":
        os.link(path, to)
        return to
    lab.etcore("baseline", "save", path, "--no-siblings", "-o", lab.path(f"again{n}.baseline"))
    return lab.path(f"again{n}.baseline")


def counted(answer, key="now"):
    return json.loads(answer.out)[key]["dumps"]


@claim("counted-once")
def counted_once(lab, rng):
    """A group has copies among its dumps, or only nearly equal dumps. Each recording must count once, and N0180 must be
    printed only for copies."""
    own = recordings(lab, rng, rng.randint(2, 4))
    base, mine = own[:1], own[1:]
    copies = [again(lab, rng, rng.choice(mine), n) for n in range(rng.choice((0, 1, 1, 2)))]
    given = mine + copies
    rng.shuffle(given)
    if rng.random() < 0.5:
        answer = lab.etcore("check", *given, "--baseline", *base, *FAST, "-o", "json", "--max-regression", "50%")
        if not answer.out:
            raise Skip
        n = counted(answer)
        said = any(note["code"] == "N0180" for note in json.loads(answer.out)["notes"])
    else:
        answer = lab.etcore("baseline", "save", *[p for p in given if not p.endswith(".baseline")], "--no-siblings",
                            "-o", lab.path("all.baseline"))
        if answer.status:
            raise Skip
        copies = [p for p in copies if not p.endswith(".baseline")]
        n = int(re.search(r": (\d+) dump", answer.out)[1])
        said = "N0180" in answer
    if n != len(mine):
        lie(f"{n} dumps, and {len(mine)} were recorded: {' '.join(answer.command)}")
    if said != bool(copies):
        lie(f"{len(copies)} copies, and N0180 is{'' if said else ' not'} said: {' '.join(answer.command)}")
    return TRUE if said else SILENT


@claim("compared-with-itself")
def compared_with_itself(lab, rng):
    """Compares two groups with all, some or no equal dumps, or a group with one that contains it. etcore must report equal
    dumps, and not nearly equal ones."""
    own = recordings(lab, rng, rng.randint(2, 4))
    kind = rng.choice(("itself", "contained", "some", "none"))
    half = len(own) // 2
    a, b = own[:half], own[half:]
    if kind == "itself":
        b = [again(lab, rng, p, n) for n, p in enumerate(a)]
    elif kind == "contained":
        b = [again(lab, rng, p, n) for n, p in enumerate(a)] + b
        if rng.random() < 0.5:
            a, b = b, a
    elif kind == "some":
        b = b + [again(lab, rng, rng.choice(a), 0)]
    rng.shuffle(b)
    diff = lab.etcore("diff", *a, "--", *b, *FAST, "--names", "a,b")
    check = lab.etcore("check", *b, "--baseline", *a, *FAST, "-o", "json", "--max-regression", "900", "--process-spread", "0")
    if diff.status or not check.out:
        raise Skip
    said = "N0140" in diff or "N0141" in diff
    if said != (kind != "none"):
        lie(f"{kind} of the dumps on both sides, and N0140 or N0141 is{'' if said else ' not'} said: {' '.join(diff.command)}")
    one_file = any(os.path.samefile(p, q) for p in a for q in b)
    if one_file != ("N0140" in diff):
        lie(f"one file on both sides: {one_file}, and N0140 says otherwise: {' '.join(diff.command)}")
    first = diff.out.split("\n", 1)[0]
    headline = "is compared with itself" in first or "are byte for byte equal" in first
    if headline != (kind == "itself"):
        lie(f"{kind} of the dumps on both sides: {diff.out.splitlines()[0]}")
    verdicts = {line["verdict"] for line in json.loads(check.out)["lines"]}
    if kind in ("itself", "contained") and verdicts & {"pass", "regression", "improved"}:
        lie(f"a verdict on a dump against itself: {verdicts}")
    return TRUE if said else SILENT


@claim("limit")
def limit(lab, rng):
    """A percentage in any spelling: the limit must be the number as written, or the option must be rejected."""
    whole, point = rng.choice("0123456789"), rng.choice(("", ".", ".5", ".05", ".25", ".0", ".00"))
    number = rng.choice((whole, f"{rng.randint(1, 1100)}")) + point
    sign = rng.choice(("", "", "%", " %"))
    value = Decimal(number.rstrip(".") or "0")
    share = not sign and 0 < value < 1
    path = SMALL[0]
    answer = lab.etcore("check", path, "--baseline", path, "--no-siblings", "-o", "json", f"--max-regression={number}{sign}")
    if not answer.out.startswith("{"):
        wanted = "E0550" if share else "E0505"
        if wanted not in answer or (wanted == "E0505" and value <= 1000 and not number.endswith(".")):
            lie(f"'{number}{sign}': {answer.err.splitlines()[:1]}")
        return SILENT
    told = json.loads(answer.out)["lines"][0]["limit"]
    if share or value > 1000 or abs(told - float(value) / 100) > 1e-12:
        lie(f"'{number}{sign}' is a limit of {told}")
    return TRUE
