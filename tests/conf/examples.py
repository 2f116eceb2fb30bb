#!/usr/bin/env python3
"""examples.py --etcore build/etcore -- conf/examples/*.ini must be equivalent to the plugins of the same name.

Runs of each backend are analysed with the plugin, and with the INI file and no plugins: the
rows must be equal, number by number. LEFT and LEFT_COLUMNS list what only code can express; nothing else may differ.
"""

import argparse
import glob
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CASES = os.path.join("tests", "data", "backends", "cases")

# {INI file: dumps}
RUNS = {
    "coreml": ["coreml_basic", "coreml_partial"],
    "nxp": ["neutron_int"],
    "qnn": ["qnn_htp_detailed"],
}

# These have no plugin to compare with; a golden case of docs/plugins/configuring.md covers them.
ALONE = {"dsp"}

# Core ML's plugin compares an operator's unit with the unit of most of the model ("conv on GPU (NE could)"), which an
# INI file cannot.
LEFT = {"coreml": lambda name: re.sub(r" on (NE|GPU|CPU)( \(.*\))?$", "", name)}

# For a record that is not one byte, NXP's plugin gives a text; an INI file gives its digits.
LEFT_COLUMNS = {"nxp": {"metadata"}}

# Columns whose values are added up when LEFT merges rows.
SUMS = ("self_ns", "self_max_ns", "total_ns", "calls", "self_raw", "share", "coreml_estimated_cost")


def analyze(etcore, dump, *arguments):
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("ETCORE_", "XDG_"))}
    environment["HOME"] = "/nowhere"
    command = [etcore, "analyze", dump, "-o", "json", *arguments]
    p = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if p.returncode:
        sys.exit(f"{' '.join(command)}: status {p.returncode}\n{p.stderr.decode()}")
    return json.loads(p.stdout)


def flat(row):
    return {**{k: v for k, v in row.items() if k != "columns"}, **row["columns"]}


def joined(column, values):
    """Combines a column of several rows with the same name: the sum of numbers, the set of other values."""
    if column in SUMS:
        return round(sum(values), 9) if values else None
    parts = sorted({part for v in values for part in (v if isinstance(v, list) else [v])}, key=str)
    return parts[0] if len(parts) == 1 else parts


def rows(answer, rename):
    out = {}
    for row in map(flat, answer["rows"]):
        name = rename(row["name"])
        row["name"] = row["key"] = name
        out.setdefault((row["method"], row["path"], name, row["unit"]), []).append(row)
    return {key: {column: joined(column, [r[column] for r in same if r.get(column) is not None])
                  for column in set().union(*same)} for key, same in out.items()}


def differences(want, have, left):
    for key in sorted(set(want) | set(have), key=str):
        if key not in want or key not in have:
            yield f"row {key} only {'of the plugin' if key in want else 'by the file'}"
            continue
        for column in sorted((set(want[key]) | set(have[key])) - left):
            if want[key].get(column) != have[key].get(column):
                yield f"row {key[2]}, {column}: {want[key].get(column)!r}, by the file {have[key].get(column)!r}"


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--etcore", default="build/etcore")
    args = p.parse_args()
    etcore, wrong, compared = os.path.abspath(args.etcore), [], 0
    files = sorted(glob.glob(os.path.join(ROOT, "conf", "examples", "*.ini")))
    names = [os.path.splitext(os.path.basename(f))[0] for f in files]
    if names != sorted(RUNS.keys() | ALONE):
        sys.exit(f"conf/examples has {names}, this test {sorted(RUNS.keys() | ALONE)}")
    for name, path in [(n, f) for n, f in zip(names, files) if n in RUNS]:
        rename, left = LEFT.get(name, lambda text: text), LEFT_COLUMNS.get(name, set())
        for case in RUNS[name]:
            for siblings in ([], ["--no-siblings"]):
                dump = os.path.join(CASES, case, "run.etdump")
                want = rows(analyze(etcore, dump, *siblings), rename)
                for plugins in ([], ["--no-plugins"]):
                    have = rows(analyze(etcore, dump, "-c", path, *siblings, *plugins), rename)
                    wrong += [f"{name}, {case} {' '.join(siblings + plugins)}: {d}" for d in differences(want, have, left)]
                    compared += len(want)
    print("\n".join(wrong))
    print(f"{compared} rows, {len(wrong)} differences")
    return bool(wrong) or compared == 0


if __name__ == "__main__":
    sys.exit(main())
