"""Claims of `etcore inspector` about edited files, compared with the recorded behaviour of the real Inspector."""
import json
import os
import re

import inspector_edits
from lab import DATA, SILENT, TRUE, Skip, claim, lie

with open(inspector_edits.ANSWERS, encoding="utf-8") as answers:
    ANSWERS = json.load(answers)


def edited(lab, rng):
    """Makes a random recorded edit. Returns (its number, source, [dump, record or None], "answer" or the Inspector's
    exception)."""
    n = rng.randrange(len(ANSWERS))
    source, digest, outcome = ANSWERS[n]
    paths, now = inspector_edits.make(n, os.path.join(DATA, source), lab.tmp)
    if now != digest:
        lie(f"edit {n} of {source} makes other files than were recorded: record anew (inspector_edits.py)")
    return n, source, paths, outcome


def asked(lab, rng):
    """Asks etcore about a random recorded edit. Returns (result, its error code or "", the Inspector's outcome,
    description)."""
    n, source, paths, outcome = edited(lab, rng)
    record = ["--etrecord_path", paths[1]] if paths[1] else []
    r = lab.etcore("inspector", "--etdump_path", paths[0], *record, "--no-plugins")
    codes = re.findall(r"error\[(E\d{4})\]", r.err)
    return r, codes[0] if codes else "", outcome, f"edit {n} of {source}"


@claim("inspector-raises")
def raises(lab, rng):
    """Status 10 must come with a code E08xx, and only if the Inspector raised."""
    r, code, outcome, what = asked(lab, rng)
    if (r.status == 10) != code.startswith("E08"):
        lie(f"{what}: status {r.status} with '{code}'")
    if r.status != 10:
        return SILENT
    if r.out:
        lie(f"{what}: {code}, and an answer")
    return TRUE if outcome != "answer" else lie(f"{what}: {code}, but the Inspector answers")


@claim("inspector-refuses", power=0.01)
def refuses(lab, rng):
    """doctor may report W0986 only for a record for which the Inspector raised."""
    for _ in range(20):
        n, source, paths, outcome = edited(lab, rng)
        if paths[1]:
            break
    else:
        raise Skip
    r = lab.etcore("doctor", paths[1], "--no-siblings")
    if "W0986" not in r.out:
        return SILENT
    return TRUE if outcome != "answer" else lie(f"edit {n} of {source}: the Inspector answers; {r.out}")
