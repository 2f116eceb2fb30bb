"""Claims of `etcore farm` about the history of a time."""
import json
import os
import stat

from lab import SILENT, TRUE, claim, lie

NEAR = 10  # days between the true step and the reported one that are tolerated


@claim("level-changed", at_most=0.05)
def level_changed(lab, rng):
    """A noisy series of days, some with coarse values or outliers, with or without a step: etcore must only report a true
    step. A file with the series replaces DuckDB."""
    days, sd, base = rng.randint(20, 365), rng.choice([0.002, 0.01, 0.03]), rng.choice([2e4, 1e6, 3e8])
    step = rng.choice([0, 0, rng.choice([-1, 1]) * sd * rng.uniform(2, 8)])
    at = rng.randint(8, days - 8)
    spikes, tick = rng.choice([0, 0.03]), rng.choice([1, round(base * sd / 2)])
    rows = []
    for i in range(days):
        value = base * (1 + sd * rng.gauss(0, 1)) * (1 + step * (i >= at)) * (1 + 0.2 * (rng.random() < spikes))
        rows.append({"model": "m", "device": "d", "method": None, "path": 1, "day": f"{i:04d}", "dumps": 1,
                     "typical_ns": max(1, round(value / tick) * tick)})
    os.makedirs(lab.path("tables", "runs"))
    os.mkdir(lab.path("bin"))
    with open(lab.path("rows.json"), "w", encoding="utf-8") as f:
        json.dump(rows, f)
    with open(lab.path("bin", "duckdb"), "w", encoding="utf-8") as f:
        f.write(f"#!/bin/sh\ncat '{lab.path('rows.json')}'\n")
    os.chmod(lab.path("bin", "duckdb"), stat.S_IRWXU)
    r = lab.etcore("farm", "changes", "tables", "-o", "json", env={"PATH": lab.path("bin") + ":/usr/bin:/bin"})
    if r.status:
        lie(f"status {r.status}: {r.err}")
    found = r.json()["rows"]
    for row in found:
        if not step or abs(int(row["day"]) - at) > NEAR:
            lie(f"{days} days, noise {sd}, step {step} on day {at}: {row}")
        if (row["change"] > 0) != (step > 0):
            lie(f"step {step}, and a change of {row['change']}")
    return TRUE if found else SILENT
