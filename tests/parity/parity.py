#!/usr/bin/env python3
"""parity - compares every recorded answer of ExecuTorch's Inspector with `etcore inspector`.

    parity.py --etcore build/etcore [--plugins build/tests/plugins/oracle] [--data tests/data]
              [--only TEXT] [--show N]

Prints `identical / total` per kind of answer. What is recorded but cannot be
compared is printed as `not compared: N (why)`. Exit status 1 unless all that
was compared is identical. Standard library only.
"""
import argparse
import csv
import glob
import hashlib
import io
import json
import math
import os
import struct
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

STATS = ("p10", "p50", "p90", "avg", "min", "max")


class Runner:
    """Calls etcore; remembers what it answered (the same question is asked for several kinds)."""

    def __init__(self, etcore, plugins, coreml):
        self.etcore, self.plugins, self.coreml = etcore, plugins, coreml
        self.environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"}

    def ask(self, arguments):
        done = subprocess.run([self.etcore, "inspector", *arguments], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment,
                              timeout=120, check=False)
        return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")

    def plugin(self, parser, converter):
        """Arguments that stand for the two Python callables of an answer."""
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
        """A question: `check(status, stdout, stderr)` returns None or what differs."""
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
            for kind, name, arguments, wrong in pool.map(one, self.jobs):
                row = self.kinds.setdefault(kind, [0, 0])
                row[1] += 1
                if wrong is None:
                    row[0] += 1
                else:
                    self.failures.append((kind, name, arguments, wrong))


# ---- checks ----------------------------------------------------------------------------------

def first_difference(want, got):
    a, b = want.splitlines(), got.splitlines()
    for i, (x, y) in enumerate(zip(a, b)):
        if x != y:
            at = next((k for k, (p, q) in enumerate(zip(x, y)) if p != q), min(len(x), len(y)))
            return (f"line {i + 1} byte {at}: want {x[max(0, at - 40):at + 40]!r} "
                    f"got {y[max(0, at - 40):at + 40]!r}")
    return f"{len(a)} lines expected, {len(b)} found ({len(want)} and {len(got)} bytes)"


def same_bytes(want):
    def check(status, out, err):
        if status != 0:
            return f"status {status}: {err.strip()[:300]}"
        return None if out == want else first_difference(want, out)
    return check


def same_digest(chars, sha256):
    def check(status, out, err):
        if status != 0:
            return f"status {status}: {err.strip()[:300]}"
        if hashlib.sha256(out).hexdigest() != sha256:
            return f"other bytes ({chars} characters expected, {len(out.decode('utf-8', 'replace'))} found)"
        return None
    return check


def raises(want):
    """The Inspector raises: status 10 with a code 08xx, nothing on stdout."""
    def check(status, out, err):
        if status != 10:
            return f"status {status} where the Inspector raises {want}: {err.strip()[:200]}"
        if out:
            return "status 10 with output"
        return None if "error[E08" in err else f"no code 08xx: {err.strip()[:200]}"
    return check


def refused(want):
    """A damaged file: any coded error, nothing on stdout."""
    def check(status, out, err):
        if status in (0, 1, 2) or out:
            return f"status {status}, {len(out)} bytes of output where it must be refused ({want})"
        return None if "error[E" in err else f"no code: {err.strip()[:200]}"
    return check


def differs(want, got, where=""):
    """First difference of two JSON values, or None. Doubles by their bits."""
    if isinstance(want, float) or isinstance(got, float):
        if not (isinstance(want, float) and isinstance(got, float)):
            return f"{where}: want {want!r} got {got!r}"
        same = struct.pack("<d", want) == struct.pack("<d", got) or (math.isnan(want) and math.isnan(got))
        return None if same else f"{where}: want {want!r} got {got!r}"
    if isinstance(want, bool) or isinstance(got, bool) or type(want) is not type(got):
        return None if type(want) is type(got) and want == got else f"{where}: want {want!r} got {got!r}"[:400]
    if isinstance(want, dict):
        if list(want) != list(got):
            return f"{where}: members {list(want)} expected, {list(got)} found"
        return next((d for k in want if (d := differs(want[k], got[k], f"{where}.{k}"))), None)
    if isinstance(want, list):
        if len(want) != len(got):
            return f"{where}: {len(want)} items expected, {len(got)} found"
        return next((d for i, (a, b) in enumerate(zip(want, got)) if (d := differs(a, b, f"{where}[{i}]"))), None)
    return None if want == got else f"{where}: want {want!r} got {got!r}"[:400]


def same_document(want, project=lambda document: document):
    def check(status, out, err):
        if status != 0:
            return f"status {status}: {err.strip()[:300]}"
        return differs(want, project(json.loads(out)), "")
    return check


def same_csv(want, values):
    """Cells of debug_data with tensors are `dtype[shape] sha256` of ours, torch's print of the oracle."""
    def check(status, out, err):
        if status != 0:
            return f"status {status}: {err.strip()[:300]}"
        ours = list(csv.reader(io.StringIO(out.decode("utf-8"), newline="")))
        theirs = list(csv.reader(io.StringIO(want.decode("utf-8"), newline="")))
        place = theirs[0].index("debug_data")
        if len(ours) != len(theirs):
            return f"{len(theirs)} lines expected, {len(ours)} found"
        for r in range(1, len(theirs)):
            hashes = [t["sha256"] for t in tensors(values[r - 1])]
            if not hashes:
                continue
            if any(h not in ours[r][place] for h in hashes):
                return f"line {r + 1}: debug_data lacks a hash: {ours[r][place][:200]!r}"
            ours[r][place] = theirs[r][place] = ""
        return differs(theirs, ours, "csv") or same_quoting(want, out, theirs, place, values)
    return check


def same_quoting(want, out, cells, place, values):
    if any(tensors(v) for v in values):
        return None
    return None if want == out else first_difference(want, out)


def tensors(value):
    if isinstance(value, dict):
        return [value] if "sha256" in value else []
    return [t for v in value for t in tensors(v)] if isinstance(value, list) else []


# ---- the oracle's JSON as the document of `-o json` ------------------------------------------

def number(value):
    """A double as `etcore inspector -o json` writes it, after json.loads."""
    if math.isnan(value):
        return "nan"
    return value if math.isfinite(value) else ("inf" if value > 0 else "-inf")


def plain(value):
    """ORACLE.md's forms to plain JSON."""
    if isinstance(value, dict):
        if "$float" in value:
            return number(float.fromhex(value["hex"]))
        if "$tensor" in value:
            t = value["$tensor"]
            return {"dtype": t["dtype"], "shape": t["shape"], "sha256": t["sha256"]}
        if "$bytes" in value:
            return value["$bytes"]
        if "$tuple" in value:
            return [plain(v) for v in value["$tuple"]]
        if "$array" in value:
            return [plain(v) for v in value["$array"]]
        if "$dict" in value:
            return {str(k): plain(v) for k, v in value["$dict"]}
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, list):
        return [plain(v) for v in value]
    return value


def expected_event(e, traces, stacks, parsed):
    perf = e["perf_data"]
    out = {
        "name": e["name"],
        "perf_data": perf and {k: plain(perf[k]) for k in ("raw", *STATS)},
        "op_types": e["op_types"],
        "delegate_debug_identifier": e["delegate_debug_identifier"],
        "debug_handles": plain(e["debug_handles"]),
        "num_outputs": e["num_outputs"],
        "stack_traces": {n: None if i is None else traces[i] for n, i in e["stack_traces"].items()},
        "module_hierarchy": {n: None if i is None else plain(stacks[i]) for n, i in e["module_hierarchy"].items()},
        "is_delegated_op": e["is_delegated_op"],
        "delegate_backend_name": e["delegate_backend_name"],
        "delegate_debug_metadatas": plain(e["_delegate_debug_metadatas"]),
        "start_time": e["start_time"],
        "instruction_id": e["_instruction_id"],
        "debug_data": plain(e["debug_data"]),
    }
    if parsed and e["is_delegated_op"]:
        out["delegate_metadata_parsed"] = plain(e["delegate_debug_metadatas"])
    return out


def expected_document(oracle, parsed):
    blocks = []
    for b in oracle["blocks"]:
        block = {k: b[k] for k in ("name", "source_time_scale", "target_time_scale", "bundled_input_index")}
        block["run_output"] = plain(b["run_output"])
        block["events"] = [expected_event(e, oracle["stack_traces"], oracle["module_stacks"], parsed)
                           for e in b["events"]]
        blocks.append(block)
    return {"schema": "etcore.inspector/1", "blocks": blocks}


def strip_parsed(document):
    """Events that are not delegated, or have no parser, carry no parsed member: both forms are fine."""
    for block in document["blocks"]:
        for e in block["events"]:
            if e.get("delegate_metadata_parsed", 0) is None:
                del e["delegate_metadata_parsed"]
    return document


def hexed(value):
    """ask.py's forms: doubles as hex text, tensors, bytes."""
    if isinstance(value, str):
        if value.startswith(("0x", "-0x")):
            return number(float.fromhex(value))
        return value
    if isinstance(value, dict):
        if "tensor" in value and isinstance(value["tensor"], dict):
            t = value["tensor"]
            return {"dtype": t["dtype"].replace("torch.", ""), "shape": t["sizes"], "sha256": t["sha256"]}
        if list(value) == ["hex"]:
            return value["hex"]
        if list(value) == ["chars", "sha256"]:
            return value
        return {k: hexed(v) for k, v in value.items()}
    return [hexed(v) for v in value] if isinstance(value, list) else value


def asked_blocks(answer):
    """Blocks of ask.py reduced to what both sides have, in our names."""
    out = []
    for b in answer["blocks"]:
        events = []
        for e in b["events"]:
            stats = e["stats"]
            events.append({
                "name": e["name"], "raw": hexed(e["raw"]),
                "stats": stats and {k: hexed(stats[k]) for k in STATS},
                "start_time": e["start_time"], "instruction_id": e["instruction_id"],
                "is_delegated_op": e["is_delegated_op"],
                "delegate_debug_identifier": e["delegate_debug_identifier"],
                "delegate_backend_name": e["delegate_backend_name"],
                "debug_handles": hexed(e["debug_handles"]), "num_outputs": e["num_outputs"],
                "op_types": e["op_types"], "module_hierarchy": e["module_hierarchy"],
                "stack_trace_nodes": e["stack_trace_nodes"], "metadata_raw": hexed(e["metadata_raw"]),
                "debug_data": hexed(e["debug_data"])})
        out.append({"name": b["name"], "bundled_input_index": b["bundled_input_index"],
                    "run_output": hexed(b["run_output"]), "events": events})
    return out


def our_blocks(document):
    """The document of `-o json` in the same reduced form."""
    out = []
    for b in document["blocks"]:
        events = []
        for e in b["events"]:
            perf = e["perf_data"]
            events.append({
                "name": digest(e["name"]), "raw": perf and perf["raw"],
                "stats": perf and {k: float(perf[k]) if isinstance(perf[k], int) else perf[k] for k in STATS},
                "start_time": e["start_time"], "instruction_id": e["instruction_id"],
                "is_delegated_op": e["is_delegated_op"],
                "delegate_debug_identifier": digest(e["delegate_debug_identifier"]),
                "delegate_backend_name": e["delegate_backend_name"],
                "debug_handles": finite(e["debug_handles"]), "num_outputs": e["num_outputs"],
                "op_types": e["op_types"],
                "module_hierarchy": {k: v for k, v in e["module_hierarchy"].items()},
                "stack_trace_nodes": list(e["stack_traces"]),
                "metadata_raw": e["delegate_debug_metadatas"], "debug_data": e["debug_data"]})
        out.append({"name": b["name"], "bundled_input_index": b["bundled_input_index"],
                    "run_output": b["run_output"], "events": events})
    return out


def finite(value):
    """NaN of a record's map stays bare in our JSON, as in the record."""
    if isinstance(value, list):
        return [finite(v) for v in value]
    return number(value) if isinstance(value, float) else value


def digest(text):
    """ask.py keeps length and hash of very long texts."""
    if isinstance(text, str) and len(text) > 4000:
        raw = text.encode("utf-8", "surrogatepass")
        return {"chars": len(text), "sha256": hashlib.sha256(raw).hexdigest()}
    return text


# ---- what is recorded ------------------------------------------------------------------------

COMBOS = [(u, d) for u in (0, 1) for d in (0, 1)]


def switches(units, data):
    return ["--include-units", "yes" if units else "no", "--include-delegate-debug-data", "yes" if data else "no"]


def oracle_arguments(folder, options, runner):
    """inspector's arguments for the options of one oracle of a case, or None if it names no dump."""
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
            if os.path.exists(os.path.join(where, "error.json")):
                with open(os.path.join(where, "error.json"), encoding="utf-8") as f:
                    tally.add("error", name, base, raises(json.load(f)["type"]))
                continue
            add_oracle(tally, name, where, base, parsed)


def add_oracle(tally, name, where, base, parsed):
    with open(os.path.join(where, "events.json"), encoding="utf-8") as f:
        oracle = json.load(f)
    tally.add("events", name, base + ["-o", "json"], same_document(expected_document(oracle, parsed), strip_parsed))
    values = [plain(e["debug_data"]) for b in oracle["blocks"] for e in b["events"]]
    for units, debug in COMBOS:
        combo = f"units{units}_debug{debug}"
        for kind, suffix, form in (("table", "txt", "table"), ("tsv", "tsv", "tsv"), ("csv", "csv", "csv")):
            path = os.path.join(where, f"{kind}.{combo}.{suffix}")
            if not os.path.exists(path):
                tally.skip(f"no {kind} recorded for a combination")
                continue
            with open(path, "rb") as f:
                want = f.read()
            check = same_csv(want, values) if kind == "csv" else same_bytes(want)
            tally.add(kind, f"{name}/{combo}", base + ["-o", form] + switches(units, debug), check)
    path = os.path.join(where, "modules.json")
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as f:
        for m in json.load(f):
            if "$error" in str(m["total"]):
                tally.add("module", f"{name}/{m['name']}", base + ["--module", m["name"]], raises("module"))
                continue
            total = m["total"]["$float"] if isinstance(m["total"], dict) else str(m["total"])
            tally.add("module", f"{name}/{m['name']}", base + ["--module", m["name"]],
                      same_bytes((total + "\n").encode()))


def add_asked(tally, kind, name, answer, base):
    """An answer of ask.py: blocks, two tables, two TSVs."""
    if all(isinstance(b["events"], list) for b in answer["blocks"]):
        tally.add(f"{kind} events", name, base + ["-o", "json"], same_document(asked_blocks(answer), our_blocks))
    else:                       # of a big file only counts were recorded
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
    for path in sorted(glob.glob(os.path.join(data, "backends", "cases", "*", "oracle.json"))):
        folder = os.path.dirname(path)
        with open(path, encoding="utf-8") as f:
            answer = json.load(f)
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
    for path in sorted(glob.glob(os.path.join(data, "arm", "*", "*", "table.txt"))):
        folder = os.path.dirname(path)
        with open(path, "rb") as f:
            want = f.read()
        tally.add("arm table", os.path.relpath(folder, os.path.join(data, "arm")),
                  ["--etdump_path", os.path.join(folder, "run.etdump"), "--etrecord_path",
                   os.path.join(os.path.dirname(folder), "model.etrecord")], same_bytes(want))


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
        recorded = os.path.join(folder, "answers", name + ".json")
        if entry["verdict"] == "reject":
            tally.add("edge refused", name, base, refused(str(said)[:80]))
        elif said == "answer" or (isinstance(said, dict) and "answer, but" in said):
            if not os.path.exists(recorded):
                tally.skip("the Inspector answered, the answer was not recorded")
                continue
            with open(recorded, encoding="utf-8") as f:
                add_asked(tally, "edge", name, json.load(f), base)
        elif entry["verdict"] == "either" or entry["file"].endswith(".etrecord") and "garbage" in name:
            tally.skip("either outcome is right (blobs that never reach the answer, judgement calls)")
        else:
            tally.add("edge raises", name, base, raises(said["type"]))


def add_old(tally, data):
    """old/1.5.1: tables of four variants in one text file, blocks in JSON."""
    for path in sorted(glob.glob(os.path.join(data, "old", "1.5.1", "*", "inspector.txt"))):
        folder = os.path.dirname(path)
        with open(path, encoding="utf-8") as f:
            parts = f.read().split("== ")[1:]
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
