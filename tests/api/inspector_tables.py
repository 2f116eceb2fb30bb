#!/usr/bin/env python3
"""inspector_tables.py LIBRARY PLUGINS -- the tables of a query "inspector", read by cell and by
Arrow, must equal `inspector -o json`: for every dump of tests/data with and without its other
files, and for dumps of backends with the plugins in the folder PLUGINS, which convert times."""
import glob
import hashlib
import json
import os
import sys
from collections import Counter

sys.path.insert(0, "tests")
from etcore_ctypes import BLOCKS, INSPECTED, INSPECTED_SAMPLES, VALUES, Library, Query, Refused, read_arrow
from share import SHARE, some

lib = Library(sys.argv[1])
plugins = sorted(glob.glob(os.path.join(sys.argv[2], "*.so")))
STATISTICS = ("p10", "p50", "p90", "avg", "min", "max")
checks = integers = 0
seen = Counter()


def check(ok, what):
    global checks
    checks += 1
    if not ok:
        sys.exit(f"inspector_tables.py: {what}")


def number(v):
    """Converts a number of the JSON, where NaN and infinities are texts, to a float."""
    return float(v) if isinstance(v, str) else v


def same(a, b):
    """Returns whether two values are equal in type and bits: 1 differs from 1.0, and NaN equals NaN."""
    return type(a) is type(b) and repr(a) == repr(b)


def as_in_json(v):
    """Replaces NaN and infinities of an exporter's JSON by the texts that standard JSON needs."""
    if isinstance(v, float) and (v != v or v in (float("inf"), float("-inf"))):
        return str(v)
    if isinstance(v, list):
        return [as_in_json(x) for x in v]
    return {k: as_in_json(x) for k, x in v.items()} if isinstance(v, dict) else v


def rows(columns):
    return [dict(zip(columns, values)) for values in zip(*columns.values())]


def check_event(row, event, block, runs, sample, what):
    perf, odd = event["perf_data"], as_in_json(json.loads(row["as_json"] or "{}"))
    kind = row["debug_handles_kind"]
    handles = {None: None, "list": row["debug_handles"] or [], "json": odd.get("debug_handles"),
               "int": (row["debug_handles"] or [None])[0]}[kind]
    identifier = row["delegate_debug_identifier_int"]
    if identifier is None:
        identifier = row["delegate_debug_identifier_str"]
    for name, got in (
            ("name", row["name"]), ("op_types", row["op_types"] or []), ("delegate_debug_identifier", identifier),
            ("debug_handles", handles), ("is_delegated_op", row["is_delegated_op"]),
            ("num_outputs", odd["num_outputs"] if row["num_outputs"] is None else row["num_outputs"]),
            ("stack_traces", json.loads(row["stack_traces"] or "{}")),
            ("module_hierarchy", json.loads(row["module_hierarchy"] or "{}")),
            ("delegate_backend_name", odd.get("delegate_backend_name", row["delegate_backend_name"])),
            ("instruction_id", row["instruction_id"])):
        check(same(got, event[name]), f"{what}: {name} {got!r}, not {event[name]!r}")
    check(row["block"] == block and row["first_sample"] == sample, f"{what}: its place")
    check(row["timed"] == (perf is not None) and row["samples"] == (runs if perf else 0), f"{what}: timed")
    for name in STATISTICS:
        v = row[name]
        if row.get(name + "_is_int"):
            v = int(v)
        check(same(v, number(perf[name]) if perf else None), f"{what}: {name} {v!r}")


def check_samples(rows, event, what):
    """Compares the sample rows of an event with its values in each run."""
    global integers
    integers += sum(r["value_int"] is not None for r in rows)
    raw = [r["value"] if r["value_int"] is None else r["value_int"] for r in rows]
    check(same(raw, [number(v) for v in event["perf_data"]["raw"]]), f"{what}: raw {raw}")
    check(all(r["value_int"] is None or r["value"] == float(r["value_int"]) for r in rows), f"{what}: value_int")
    check(same([r["start_time"] for r in rows], event["start_time"]), f"{what}: start_time")
    blobs = [bytes.fromhex(x) for x in event["delegate_debug_metadatas"]]
    check(same([r["metadata"] for r in rows], blobs or [None] * len(rows)), f"{what}: metadata")


def end_times(dump):
    """Counts how often each (start, end) pair occurs among all profile events of a dump."""
    with Query(lib, "dump", output="json") as q:
        q.add(dump)
        profiles = [e["profile_event"] for r in json.loads(q.run())["etdump"]["run_data"] or [] for e in r["events"] or []
                    if e.get("profile_event")]
    return Counter((int(e["start_time"]), int(e["end_time"])) for e in profiles)


def value(values, row):
    """Converts a row of the table of values to the form of the JSON; checks its owner and the owners of its items."""
    v = values[row]
    seen[v["owner"] + " " + v["kind"]] += 1
    if v["kind"] == "list":
        items = range(v["first_item"], v["first_item"] + v["items"])
        check(all(values[i]["parent"] == row and values[i]["owner"] == v["owner"] and
                  values[i]["index"] == v["index"] for i in items), f"items of value {row}")
        return [value(values, i) for i in items]
    if v["kind"] == "tensor":
        data = bytes(v["bytes"]) if v["zeros"] else v["data"]
        check(data is None or len(data) == v["bytes"], f"bytes of value {row}")
        return {"dtype": v["dtype"], "shape": v["shape"] or [],
                "sha256": data if data is None else hashlib.sha256(data).hexdigest()}
    number = {"int": v["int"], "bool": v["int"] == 1, "float": v["real"], "str": v["text"]}.get(v["kind"])
    return as_in_json(number)


def check_values(values, owner, index, first, count, expected, what):
    check(all(values[i]["owner"] == owner and values[i]["index"] == index and values[i]["parent"] is None
              for i in range(first, first + count)), f"{what}: owner")
    check(same([value(values, i) for i in range(first, first + count)], expected), f"{what}: {owner}")


def check_answer(document, q, what):
    blocks, events, samples, values = (rows(q.table(t)) for t in (BLOCKS, INSPECTED, INSPECTED_SAMPLES, VALUES))
    check(len(blocks) == len(document["blocks"]), f"{what}: number of blocks")
    at = sample = 0
    for i, (row, block) in enumerate(zip(blocks, document["blocks"])):
        for name in ("name", "source_time_scale", "target_time_scale", "bundled_input_index"):
            check(same(row[name], block[name]), f"{what}: {name} of block {i}")
        check(row["first_event"] == at and row["events"] == len(block["events"]), f"{what}: place of block {i}")
        check_values(values, "run_output", i, row["first_output"], row["outputs"], block["run_output"], what)
        reference = row["reference_output"]
        if reference is None:
            check(block["reference_output"] is None, f"{what}: reference_output of block {i}")
        else:
            check_values(values, "reference_output", i, reference, 1, [block["reference_output"]], what)
        for k, event in enumerate(block["events"]):
            check_values(values, "event", at, events[at]["first_value"], events[at]["values"], event["debug_data"], what)
            runs = len(event["perf_data"]["raw"]) if event["perf_data"] else row["runs"]
            check(runs == row["runs"], f"{what}: runs of block {i}")
            check_event(events[at], event, i, runs, sample, f"{what}: block {i}, event {k}")
            if event["perf_data"]:
                check_samples(samples[sample:sample + runs], event, f"{what}: block {i}, event {k}")
                sample += runs
            at += 1
    check(len(events) == at and len(samples) == sample, f"{what}: number of events or samples")
    return Counter((s["start_time"], s["end_time"]) for s in samples)


def check_arrow(q, which, what):
    cells, arrow = q.table(which), read_arrow(q.arrow(which))
    check(list(cells) == list(arrow), f"{what}: names of columns of table {which}")
    for name, column in cells.items():
        check(len(column) == len(arrow[name]) and all(map(same, column, arrow[name])),
              f"{what}: column {name} of table {which} through Arrow")


def inputs():
    for folder, _, files in sorted(os.walk("tests/data")):
        for dump in sorted(f for f in files if f.endswith((".etdump", ".etdp"))):
            path = os.path.join(folder, dump)
            yield {"etdump_path": path}
            beside = {"etrecord_path": "model.etrecord", "debug_buffer_path": "debug.bin"}
            found = {k: os.path.join(folder, v) for k, v in beside.items() if v in files}
            if found:
                yield {"etdump_path": path, **found}
                if "backends" in folder:
                    yield {"etdump_path": path, **found, "plugin": plugins}
            if len(found) == 2:
                yield {"etdump_path": path, "etrecord_path": found["etrecord_path"]}


answers = refused = 0
for options in some(inputs(), 8):
    what = " ".join(map(str, options.values()))
    with Query(lib, "inspector", output="json", **options) as q, Query(lib, "inspector", **options) as silent:
        try:
            text = q.run()
        except Refused as e:
            refused += 1
            try:
                silent.run_silently()
                check(False, f"{what}: is not refused without a text")
            except Refused as other:
                check(str(e) == str(other), f"{what}: {e}, without a text {other}")
            continue
        document = json.loads(text)
        answers += 1
        check_answer(document, q, what)
        silent.run_silently()
        times = check_answer(document, silent, what)
        if len(options) == 1 and len(text) < 1 << 20:
            check(times <= end_times(options["etdump_path"]), f"{what}: end times")
        for table in (BLOCKS, INSPECTED, INSPECTED_SAMPLES, VALUES):
            check_arrow(silent, table, what)
        check(silent.write("json") == text, f"{what}: another text afterwards")
check(answers > 300 // SHARE and refused > 10 // SHARE and (integers > 10 or SHARE > 1),
      f"only {answers} answers with {integers} integers, {refused} refused")

check(all(seen[f"{owner} tensor"] > 10 // SHARE for owner in ("event", "run_output", "reference_output")) and
      seen["reference_output list"] > 10 // SHARE and (SHARE > 1 or seen["event int"]), f"only {seen}")

# Each command has tables that the other lacks: asking for such a table must fail.
for question, table in (("inspector", 0), ("analyze", BLOCKS), ("inspector", 1000)):
    with Query(lib, question, **({"etdump_path": "tests/data/cases/mlp_xnnpack/run.etdump"} if question == "inspector" else {})) as q:
        if question == "analyze":
            q.add("tests/data/cases/mlp_xnnpack/run.etdump")
        q.run_silently()
        try:
            q.table(table)
            check(False, f"{question} has table {table}")
        except Refused as e:
            check(e.code == "E0991" and e.status == 2, f"{question}: {e}")

# The Arrow stream stays valid after its query is freed.
with Query(lib, "inspector", etdump_path="tests/data/cases/mlp_xnnpack/run.etdump") as q:
    q.run_silently()
    names, stream = q.table(INSPECTED)["name"], q.arrow(INSPECTED)
check(read_arrow(stream)["name"] == names, "names after the query is freed")
print(f"{checks} checks: {answers} answers, {refused} dumps refused")
