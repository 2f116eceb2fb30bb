"""numeric - compare_results and calculate_numeric_gap of recorded cases, for parity.py.

The recorded values of the graph (aot.json, aot.bin) are converted to a safetensors file. Its stack traces are taken from
the recorded rows; a node that no row shows has none.
"""
import glob
import json
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
import recorded

TYPES = {"float32": "F32", "float64": "F64", "float16": "F16", "bfloat16": "BF16", "int64": "I64", "int32": "I32",
         "int16": "I16", "int8": "I8", "uint8": "U8", "bool": "BOOL"}


def plain(v):
    """Converts a recorded value to the form that etcore writes."""
    if isinstance(v, list):
        return [plain(x) for x in v]
    if not isinstance(v, dict):
        return v
    if "$tuple" in v:
        return [plain(x) for x in v["$tuple"]]
    if "$float" in v:
        return float(v["hex"]) if v["hex"] in ("nan", "inf", "-inf") else float.fromhex(v["hex"])
    if "$tensor" in v:
        return {k: x for k, x in v["$tensor"].items() if k != "values"}
    return {k: plain(x) for k, x in v.items()}


def entry_of(output, traces, data, header, blob):
    """Returns the metadata of one graph value; appends its tensors to `blob` and their entries to `header`."""
    handle = ",".join(str(h) for h in output["debug_handle"])
    value = output["value"]
    items = value if isinstance(value, list) else [value]
    entry = {"handle": output["debug_handle"], "kind": "list" if isinstance(value, list) else "tensor",
             "ops": [[name, traces.get(name)] for name in output["ops"]]}
    if isinstance(value, list):
        entry["count"] = len(value)
    for i, item in enumerate(items):
        if item.get("value", 0) is None:
            entry["kind"] = "none"
            continue
        if "dtype" in item:
            raw, dtype, shape = data[item["offset"]:item["offset"] + item["nbytes"]], TYPES[item["dtype"]], item["shape"]
        else:
            entry["kind"], shape = "number", []
            number = plain(item["value"])
            dtype = "F64" if isinstance(number, float) else "I64"
            raw = struct.pack("<d" if isinstance(number, float) else "<q", number)
        name = f"forward/{handle}" + (f"/{i}" if isinstance(value, list) else "")
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(blob), len(blob) + len(raw)]}
        blob += raw
    return entry


def references(folder, rows, path):
    """Writes the values of aot.json as a safetensors file; returns the name of the reference graph."""
    aot = recorded.read_json(os.path.join(folder, "aot.json"))
    data = recorded.read(os.path.join(folder, "aot.bin"))
    traces = {name: trace for row in rows for name, trace in row["stacktraces"].items()}
    header, blob = {}, bytearray()
    values = [entry_of(o, traces, data, header, blob) for o in aot["outputs"]]
    document = {"version": 1, "methods": {"forward": {"graph": aot["reference_graph"], "values": values}}}
    header["__metadata__"] = {"etcore.references": json.dumps(document)}
    text = json.dumps(header).encode()
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + blob)
    return aot["reference_graph"]


def near(a, b):
    return a == b or (a != a and b != b) or abs(a - b) <= 1e-12 * abs(b)


def same_rows(want):
    """Returns a check: every column must be equal. Gaps may differ by the error of torch, which uses another logarithm and
    several threads."""
    def check(status, out, err):
        if status:
            return f"status {status}: {err[:200]}"
        rows = json.loads(out)["rows"]
        if len(rows) != len(want):
            return f"{len(rows)} rows, not {len(want)}"
        for i, (ours, theirs) in enumerate(zip(rows, want)):
            for key in theirs:
                same = ours.get(key) == theirs[key]
                if key == "gap":
                    same = len(ours[key]) == len(theirs[key]) and all(
                        near(float(a), float(b)) for a, b in zip(ours[key], theirs[key]))
                if not same:
                    return f"row {i}, {key}: {ours.get(key)} instead of {theirs[key]}"
        return None
    return check


def files_of(folder):
    return ["--etdump_path", os.path.join(folder, "run.etdump"), "--etrecord_path",
            os.path.join(folder, "model.etrecord"), "--debug_buffer_path", os.path.join(folder, "debug.bin")]


def ends_with(want):
    """Returns a check: after the table, the output must be exactly `want`."""
    def check(status, out, err):
        if status:
            return f"status {status}: {err[:200]}"
        end = out.rfind("╛\n".encode()) + len("╛\n".encode())
        return None if out[end:] == want else f"{out[end:][:200]!r} instead of {want[:200]!r}"
    return check


def add(tally, data, scratch):
    compare = os.path.join(data, "pte", "compare")
    for path in sorted(glob.glob(os.path.join(compare, "cases_*.txt"))):
        case = os.path.basename(path)[len("cases_"):].split(".")[0]
        with open(path, "rb") as f:
            tally.add("compare", case, files_of(os.path.join(data, "cases", case)) + ["--compare_results"],
                      ends_with(f.read()))
    for path in recorded.find(os.path.join(data, "cases", "*", "oracle", "numeric.json")):
        folder = os.path.dirname(path)
        case = os.path.basename(os.path.dirname(folder))
        if not recorded.exists(os.path.join(folder, "aot.json")):
            tally.skip("numeric gap: the graph's values were not recorded")
            continue
        asked = recorded.read_json(path)
        default = [q for q in asked if q["reference_graph"] is None and "rows" in q]
        file = os.path.join(scratch, case + ".safetensors")
        graph = references(folder, [r for q in default for r in q["rows"]], file)
        for q in asked:
            if q["reference_graph"] not in (None, graph) or "rows" not in q:
                tally.skip("numeric gap: of another graph, whose values were not recorded")
                continue
            tally.add("numeric gap", f"{case}/{q['reference_graph']}/{q['distance']}",
                      files_of(os.path.dirname(folder)) + ["--numeric_gap", q["distance"], "--reference_values", file,
                                                           "-o", "json"],
                      same_rows([plain(r) for r in q["rows"]]))
