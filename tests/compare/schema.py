#!/usr/bin/env python3
"""schema.py ETCORE -- checks the JSON of `etcore diff` against docs/diff.schema.json, and its numbers against each other.

Covers pairs of dumps of the data with every --by and --stat, and ndjson line by line. For any dumps, rows and rests must
add up to the end-to-end line (except medians, quantiles and minima), differences and ratios must match the numbers next to
them, a claim needs a p below 1 - confidence, and A against B must mirror B against A.
"""

import glob
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import jsonschema

sys.path[:0] = ["tests/tools", "tests"]
import row_keys  # noqa: E402
from share import some  # noqa: E402

WAYS = [["--by", by] for by in row_keys.offered("COMPARE")] + \
    [["--stat", stat] for stat in ("mean", "median", "p90", "p95", "p99", "min")] + [["--warmup", "0", "--confidence", "90"]]
LISTS = {"group": "groups", "row": "rows", "note": "notes"}


def run(etcore, a, b, *options):
    out = subprocess.run([etcore, "diff", a, "--", b, "--names", "A,B", "--rounds", "200", *options],
                         capture_output=True, text=True)
    if out.returncode:
        raise ValueError(f"status {out.returncode}: {out.stderr[:300]}")
    return out.stdout


def near(x, y, scale):
    return abs(x - y) <= 1e-9 * max(1.0, abs(scale))


def check_row(row, confidence):
    a, b, d = row["base_ns"], row["self_ns"], row["difference_ns"]
    if None not in (a, b, d) and not near(d, b - a, max(a, b)):
        return f"difference {d} of {a} and {b}"
    if row["ratio"] is not None and None not in (a, b) and not near(row["ratio"] * a, b, b):
        return f"ratio {row['ratio']} of {a} and {b}"
    if row["significant"] and not row["p_adjusted"] < 1 - confidence:
        return f"significant with p {row['p_adjusted']}"
    if row["p"] is not None and row["p_adjusted"] < row["p"]:
        return "p_adjusted is below p"
    if row["difference_low_ns"] is not None and not row["difference_low_ns"] <= row["difference_high_ns"]:
        return "an interval is upside down"
    if row["unit"] != "ns" and row["difference_ns"] is not None:
        return f"a difference of {row['unit']} in ns"
    return None


def check_sums(rows):
    """The rows and the rest must add up to the end-to-end line, per path and side."""
    for side in ("base_ns", "self_ns"):
        sums = {}
        for row in rows:
            key = (row["method"], row["path"])
            if row["level"] == "run":
                sums[key] = [row[side], 0.0]
            elif not row["detached"] and row[side] is not None and key in sums:
                sums[key][1] += row[side]
        for key, (end, total) in sums.items():
            if end is not None and not near(end, total, end):
                return f"{key}: {side} of rows add up to {total}, not {end}"
    return None


def mirror(forth, back):
    """A -- B and B -- A must give mirrored end-to-end results."""
    there = {(r["method"], r["base_ns"], r["self_ns"]): r for r in forth if r["level"] == "run"}
    for row in back:
        if row["level"] != "run":
            continue
        other = there.get((row["method"], row["self_ns"], row["base_ns"]))
        if other is None:
            return f"{row['method']}: no mirror image"
        if other["p"] != row["p"] and abs(other["p"] - row["p"]) > 1e-12:
            return f"p {row['p']} against {other['p']}"
        if other["cliffs_delta"] is not None and not near(other["cliffs_delta"], -row["cliffs_delta"], 1):
            return "delta is not mirrored"
    return None


def main():
    etcore = sys.argv[1]
    with open("docs/diff.schema.json", encoding="utf-8") as f:
        schema = json.load(f)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    case = "tests/data/cases/{}/run.etdump".format
    pairs = [(case(a), case(b)) for a, b in (
        ("linear_fp32", "linear_int8_dynamic"), ("mlp_portable", "mlp_xnnpack"), ("multi_method", "multi_method_forward"),
        ("control_flow_cond", "control_flow_cond"), ("conv_net_xnnpack", "several_delegates"), ("no_runs", "mlp_xnnpack"))]
    pairs += [(a, a) for a in sorted(glob.glob("tests/data/backends/cases/*/run.etdump"))]
    pairs += [("tests/data/logs/runner.log", case("mlp_xnnpack"))]
    pairs += [(n + "nosme/run.etdump", n + "sme2/run.etdump") for n in sorted(glob.glob("tests/data/arm/*_i8*/"))
              if glob.glob(n + "sme2/run.etdump")]
    jobs = some(((a, b, way) for a, b in pairs for way in WAYS), 19)

    def ask(job):
        a, b, way = job
        try:
            doc = json.loads(run(etcore, a, b, "-o", "json", *way))
            for error in validator.iter_errors(doc):
                return f"{error.json_path}: {error.message[:200]}"
            for row in doc["rows"]:
                problem = check_row(row, doc["confidence"])
                if problem:
                    return f"{row['key']}: {problem}"
            if not {"median", "p90", "p95", "p99", "min"} & set(way) and "method" not in way:
                problem = check_sums(doc["rows"])
                if problem:
                    return problem
            if way != WAYS[0]:
                return None
            for line in run(etcore, a, b, "-o", "ndjson").splitlines():
                item = json.loads(line)
                kind = item.pop("type")
                if kind != "diff":
                    jsonschema.validate(item, schema["properties"][LISTS[kind]]["items"])
            return mirror(doc["rows"], json.loads(run(etcore, b, a, "-o", "json"))["rows"])
        except (ValueError, jsonschema.ValidationError) as e:
            return str(e)[:300]

    failed = 0
    with ThreadPoolExecutor(2) as pool:
        for job, problem in zip(jobs, pool.map(ask, jobs)):
            failed += problem is not None
            if problem:
                print(*job, problem, sep="  ")
    print(f"{len(jobs) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
