#!/usr/bin/env python3
"""parity - compares every recorded answer of ExecuTorch's Inspector with `etcore inspector`.

    parity.py --etcore build/etcore [--plugins build/tests/plugins/oracle] [--data tests/data]
              [--only TEXT] [--show N]

Prints `identical / total` per kind of answer, and `not compared: N (why)` for recorded answers that cannot be
compared. The exit status is 1 unless all compared answers are identical. Standard library only.
"""
import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
import numeric
import recorded
from share import some
from answers import (asked_blocks, differs, expected_document, our_blocks, plain, raises, refused, same_bytes, same_csv,
                     same_digest, same_document, strip_parsed)


class Runner:
    """Runs etcore, and caches its answers because several checks use the same one."""

    def __init__(self, etcore, plugins, coreml):
        self.etcore, self.plugins, self.coreml = etcore, plugins, coreml
        self.environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"}

    def ask(self, arguments):
        done = subprocess.run([self.etcore, "inspector", *arguments], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment,
                              timeout=120, check=False)
        return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")

    def plugin(self, parser, converter):
        """Returns the arguments that load a plugin equivalent to the two Python callables of a recording."""
        if not parser and not converter:
            return []
        if parser == "coreml_json" and converter in ("ns_to_ms", None):
            return ["--plugin", self.coreml]
        return ["--plugin", os.path.join(self.plugins, f"{parser or 'none'}__{converter or 'none'}.so")]


class Tally:
    def __init__(self, only):
        self.kinds, self.skipped, self.failures, self.only = {}, {}, [], only
        self.jobs = []

    def add(self, kind, name, arguments, check):
        """Adds a question to etcore: `check(status, stdout, stderr)` returns None or a description of the difference."""
        if self.only and self.only not in f"{kind}/{name}":
            return
        self.jobs.append((kind, name, arguments, check))

    def skip(self, why, count=1):
        self.skipped[why] = self.skipped.get(why, 0) + count

    def run(self, runner):
        def one(job):
            kind, name, arguments, check = job
            status, out, err = runner.ask(arguments)
            try:
                wrong = check(status, out, err)
            except (ValueError, KeyError, IndexError, TypeError) as e:
                wrong = f"{type(e).__name__}: {e} (status {status}: {err[:200]})"
            return kind, name, arguments, wrong
        with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
            for kind, name, arguments, wrong in pool.map(one, some(self.jobs, 3)):
                row = self.kinds.setdefault(kind, [0, 0])
                row[1] += 1
                if wrong is None:
                    row[0] += 1
                else:
                    self.failures.append((kind, name, arguments, wrong))


# ---- recorded answers ----

COMBOS = [(u, d) for u in (0, 1) for d in (0, 1)]


def switches(units, data):
    return ["--include-units", "yes" if units else "no", "--include-delegate-debug-data", "yes" if data else "no"]


def oracle_arguments(folder, options, runner):
    """Converts the options of a recorded answer. Returns (arguments of `etcore inspector`, whether the recording used a
    metadata parser)."""
    given = {"--etdump": os.path.join(folder, "run.etdump"), "--etrecord": os.path.join(folder, "model.etrecord"),
             "--debug-buffer": os.path.join(folder, "debug.bin")}
    given = {k: v for k, v in given.items() if os.path.exists(v)}
    flags, i = [], 0
    while i < len(options):
        if options[i] == "--enable-module-hierarchy":
            flags.append(options[i])
            i += 1
            continue
        name, value = options[i], options[i + 1]
        if name in ("--etdump", "--etrecord", "--debug-buffer") and value:
            value = os.path.join(folder, os.path.basename(value))
        given[name] = value
        i += 2
    parser, converter = given.get("--delegate-metadata-parser"), given.get("--time-scale-converter")
    out = runner.plugin(parser, converter) + (["--enable_module_hierarchy"] if flags else [])
    for theirs, ours in (("--etdump", "--etdump_path"), ("--etrecord", "--etrecord_path"),
                         ("--debug-buffer", "--debug_buffer_path"), ("--source-time-scale", "--source_time_scale"),
                         ("--target-time-scale", "--target_time_scale")):
        if given.get(theirs):
            out += [ours, given[theirs]]
    return out, bool(parser)


def add_cases(tally, runner, data):
    for case in sorted(glob.glob(os.path.join(data, "cases", "*", "case.json"))):
        folder = os.path.dirname(case)
        with open(case, encoding="utf-8") as f:
            oracles = json.load(f)["oracles"]
        for oracle, options in oracles.items():
            name = f"{os.path.basename(folder)}/{oracle}"
            where = os.path.join(folder, oracle)
            if not os.path.isdir(where):
                tally.skip("the recorded answer is not part of tests/data")
                continue
            base, parsed = oracle_arguments(folder, options, runner)
            error = os.path.join(where, "error.json")
            if recorded.exists(error):
                tally.add("error", name, base, raises(recorded.read_json(error)["type"]))
                continue
            add_oracle(tally, name, where, base, parsed)


def add_oracle(tally, name, where, base, parsed):
    oracle = recorded.read_json(os.path.join(where, "events.json"))
    tally.add("events", name, base + ["-o", "json"], same_document(expected_document(oracle, parsed), strip_parsed))
    values = [plain(e["debug_data"]) for b in oracle["blocks"] for e in b["events"]]
    for units, debug in COMBOS:
        combo = f"units{units}_debug{debug}"
        for kind, suffix, form in (("table", "txt", "table"), ("tsv", "tsv", "tsv"), ("csv", "csv", "csv")):
            path = os.path.join(where, f"{kind}.{combo}.{suffix}")
            if not recorded.exists(path):
                tally.skip(f"no {kind} recorded for a combination")
                continue
            want = recorded.read(path)
            check = same_csv(want, values) if kind == "csv" else same_bytes(want)
            tally.add(kind, f"{name}/{combo}", base + ["-o", form] + switches(units, debug), check)
    path = os.path.join(where, "modules.json")
    for m in recorded.read_json(path) if recorded.exists(path) else []:
        if "$error" in str(m["total"]):
            tally.add("module", f"{name}/{m['name']}", base + ["--module", m["name"]], raises("module"))
            continue
        total = m["total"]["$float"] if isinstance(m["total"], dict) else str(m["total"])
        tally.add("module", f"{name}/{m['name']}", base + ["--module", m["name"]],
                  same_bytes((total + "\n").encode()))


def add_asked(tally, kind, name, answer, base):
    """Adds the checks for the answer in an oracle.json: blocks, two tables, two TSVs."""
    if all(isinstance(b["events"], list) for b in answer["blocks"]):
        tally.add(f"{kind} events", name, base + ["-o", "json"], same_document(asked_blocks(answer), our_blocks))
    else:  # of a big file, only the numbers of events were recorded
        counts = [b["events"] for b in answer["blocks"]]
        tally.add(f"{kind} events", name, base + ["-o", "json"],
                  same_document(counts, lambda d: [len(b["events"]) for b in d["blocks"]]))
    for part, form in (("tables", "table"), ("tsv", "tsv")):
        both = answer.get(part)
        if both is None:
            continue
        if "type" in both or "error" in both:
            tally.add(f"{kind} {form}", name, base + ["-o", form], raises(str(both)[:60]))
            continue
        for which, debug in (("plain", 0), ("delegate", 1)):
            want = both[which]
            arguments = base + ["-o", form] + switches(1, debug)
            if isinstance(want, dict) and "chars" in want:
                check = same_digest(want["chars"], want["sha256"])
            elif isinstance(want, dict):
                check = raises(str(want)[:60])
            else:
                check = same_bytes(want.encode("utf-8", "surrogatepass"))
            tally.add(f"{kind} {form}", f"{name}/{which}", arguments, check)


def add_backends(tally, runner, data):
    for path in recorded.find(os.path.join(data, "backends", "cases", "*", "oracle.json")):
        folder = os.path.dirname(path)
        answer = recorded.read_json(path)
        q = answer["question"]
        base = ["--etdump_path", os.path.join(folder, "run.etdump"), "--source_time_scale", q["source"],
                "--target_time_scale", q["target"], *runner.plugin(q["parser"], q["converter"])]
        if q["etrecord"]:
            base += ["--etrecord_path", os.path.join(folder, "model.etrecord")]
        if q["debug_buffer"]:
            base += ["--debug_buffer_path", os.path.join(folder, "debug.bin")]
        if "blocks" not in answer:
            tally.add("backends error", os.path.basename(folder), base, raises(answer["error"]["type"]))
            continue
        add_asked(tally, "backends", os.path.basename(folder), answer, base)


def add_arm(tally, data):
    for path in recorded.find(os.path.join(data, "arm", "*", "*", "table.txt")):
        folder = os.path.dirname(path)
        tally.add("arm table", os.path.relpath(folder, os.path.join(data, "arm")),
                  ["--etdump_path", os.path.join(folder, "run.etdump"), "--etrecord_path",
                   os.path.join(os.path.dirname(folder), "model.etrecord")], same_bytes(recorded.read(path)))


def edge_arguments(folder, entry):
    is_record = entry["file"].endswith(".etrecord")
    dump = os.path.join(folder, entry.get("etdump", "record.etdump") if is_record else entry["file"])
    out = ["--etdump_path", dump]
    if is_record:
        out += ["--etrecord_path", os.path.join(folder, entry["file"])]
    if entry.get("debug_buffer"):
        out += ["--debug_buffer_path", os.path.join(folder, entry["debug_buffer"])]
    return out


def add_edge(tally, data):
    folder = os.path.join(data, "edge")
    with open(os.path.join(folder, "index.json"), encoding="utf-8") as f:
        files = json.load(f)["files"]
    for name, entry in sorted(files.items()):
        if not entry.get("stored", True):
            tally.skip("the file is made by a generator")
            continue
        base = edge_arguments(folder, entry)
        said = entry["inspector"]
        answer = os.path.join(folder, "answers", name + ".json")
        if entry["verdict"] == "reject":
            tally.add("edge refused", name, base, refused(str(said)[:80]))
        elif said == "answer" or (isinstance(said, dict) and "answer, but" in said):
            if not recorded.exists(answer):
                tally.skip("the Inspector answered, the answer was not recorded")
                continue
            add_asked(tally, "edge", name, recorded.read_json(answer), base)
        elif entry["verdict"] == "either" or entry["file"].endswith(".etrecord") and "garbage" in name:
            tally.skip("either outcome is right (blobs that never reach the answer, judgement calls)")
        else:
            tally.add("edge raises", name, base, raises(said["type"]))


def add_old(tally, data):
    """Adds the checks for the recordings in old/1.5.1: tables of four variants in one text file, blocks in JSON."""
    for path in recorded.find(os.path.join(data, "old", "1.5.1", "*", "inspector.txt")):
        folder = os.path.dirname(path)
        parts = recorded.read(path).decode("utf-8").split("== ")[1:]
        record = ["--etrecord_path", os.path.join(folder, "model.etrecord")]
        variants = {"dump": [], "record": record, "record+hierarchy": record + ["--enable_module_hierarchy"],
                    "record+debug": record + ["--debug_buffer_path", os.path.join(folder, "debug.bin")]}
        for part in parts:
            title, _, text = part.partition("\n")
            if title not in variants:
                tally.skip("old: a part that is no table")
                continue
            end = text.find("╛\n")
            if end < 0:
                tally.skip("old: a part that is no table")
                continue
            tally.add("old table", f"{os.path.basename(folder)}/{title}",
                      ["--etdump_path", os.path.join(folder, "run.etdump"), *variants[title]],
                      same_bytes(text[:end + 2].encode()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--etcore", default="build/etcore")
    parser.add_argument("--plugins", help="folder of the oracle plugins (default: beside etcore)")
    parser.add_argument("--data", default="tests/data")
    parser.add_argument("--only", help="compare only answers whose kind/name contains this")
    parser.add_argument("--show", type=int, default=20, help="differences to show")
    options = parser.parse_args()
    beside = os.path.dirname(os.path.abspath(options.etcore))
    runner = Runner(os.path.abspath(options.etcore),
                    options.plugins or os.path.join(beside, "tests", "plugins", "oracle"),
                    os.path.join(beside, "plugins", "coreml.so"))
    tally = Tally(options.only)
    add_cases(tally, runner, options.data)
    add_backends(tally, runner, options.data)
    add_arm(tally, options.data)
    add_edge(tally, options.data)
    add_old(tally, options.data)
    with tempfile.TemporaryDirectory() as scratch:
        numeric.add(tally, options.data, scratch)
        tally.run(runner)
    for kind, (good, total) in tally.kinds.items():
        print(f"{kind:<18} {good} / {total}")
    for why, count in sorted(tally.skipped.items()):
        print(f"not compared: {count} ({why})")
    for kind, name, arguments, wrong in tally.failures[:options.show]:
        print(f"differs: {kind} {name}\n  {wrong}\n  etcore inspector {' '.join(arguments)}", file=sys.stderr)
    good = sum(g for g, _ in tally.kinds.values())
    total = sum(t for _, t in tally.kinds.values())
    print(f"identical: {good} of {total} ({'100 %' if good == total else f'{100 * good / max(total, 1):.2f} %'})")
    return 0 if total and good == total else 1


if __name__ == "__main__":
    sys.exit(main())
