#!/usr/bin/env python3
"""dump_record_truth.py ETCORE -- compares `etcore dump` of every ETRecord below tests/data, and of every graph in it, with
the contents that zipfile and json read: entries, maps, nodes and their arguments.
"""

import glob
import json
import os
import subprocess
import sys
import zipfile
import zlib

MAPS = ("debug_handle_map", "delegate_map", "instruction_id_to_num_outs_map")
SCALAR_TYPES = (None, "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "complex32", "complex64",
                "complex128", "bool", "bfloat16", "uint16")
LAYOUTS = {7: "strided"}
counts = {"entries": 0, "maps": 0, "graphs": 0, "nodes": 0, "arguments": 0}


def dump(path, *options):
    run = subprocess.run([sys.argv[1], "dump", path, "-o", "json", *options], capture_output=True, check=False)
    return json.loads(run.stdout, parse_constant=lambda name: sys.exit(f"{path}: {name} is no JSON")) if not run.returncode \
        else None


def plain(value, key=None):
    """Returns whether every value of a map has the form that the exporter writes; the dump shows other values in another
    form."""
    if isinstance(value, dict):
        return all(plain(v, k) for k, v in value.items())
    if isinstance(value, list):
        return all(type(v) is int and abs(v) < 1 << 63 for v in value)
    return value is None or key == "name" and isinstance(value, str) or type(value) is int and abs(value) < 1 << 63


def compare_archive(record, archive):
    last = {}
    for i in archive.infolist():
        last[i.filename] = i
    want = [(n, i.file_size, i.compress_size, {0: "stored", 8: "deflated"}.get(i.compress_type), i.CRC)
            for n, i in last.items()]
    got = [(e["name"], e["bytes"], e["packed"], e["method"], int(e["crc32"], 16)) for e in record["entries"]]
    if got != want:
        return f"entries {got}, expected {want}"
    counts["entries"] += len(got)
    for e in record["entries"]:
        if e["method"] and zlib.crc32(archive.read(e["name"])) != int(e["crc32"], 16):
            return f"crc of {e['name']}"
    for name in MAPS:
        if (name in record["maps"]) != (name in last):
            return f"{name} present: {name in record['maps']}"
        if name not in last:
            continue
        want = json.loads(archive.read(name))
        if isinstance(want, (dict, type(None))) and plain(want):
            counts["maps"] += 1
            if "\\ud" not in json.dumps(want) and record["maps"][name] != want:
                return f"{name}: {record['maps'][name]}, expected {want}"
    return None


# --- graphs -----------------------------------------------------------------------------------


def only(union):
    return next(((k, v) for k, v in union.items() if v is not None), ("as_none", []))


def text_of(kind, value):
    if kind == "as_none":
        return "None"
    if isinstance(value, list):
        return "[" + ", ".join(text_of(kind, v) for v in value) + "]"
    if isinstance(value, dict):
        if "name" in value or value.get("as_name") is not None:
            return value.get("name", value.get("as_name"))
        if "type" in value:
            return value["type"] + (f":{value['index']}" if value.get("index") is not None else "")
        return text_of(*only(value))
    if kind == "as_scalar_type":
        return f"torch.{SCALAR_TYPES[value]}"
    if kind == "as_layout":
        return f"torch.{LAYOUTS[value]}"
    return json.dumps(value) if isinstance(value, str) else str(value)


def compare_graph(got, graph):
    inputs = [n["name"] for n in got if n["op"] == "placeholder"]
    want = [text_of(*only(i)) for i in graph["inputs"]]
    if inputs != want:
        return f"placeholders {inputs}, expected {want}"
    calls = [n for n in got if n["op"] == "call_function" and n["target"] != "_operator.getitem"]
    if [n["target"] for n in calls] != [n["target"] for n in graph["nodes"]]:
        return "targets"
    # Python usually names a node after its value; otherwise the arguments show which value it is.
    values = {n: n for n in want}
    for g, w in zip(calls, graph["nodes"]):
        outputs = [only(o) for o in w["outputs"]]
        mine = [a["text"] for a in g["arguments"]]
        theirs = [text_of(*only(i["arg"])) for i in w["inputs"]]
        if w["target"].endswith("executorch_call_delegate") and theirs:  # the lowered module: its name, not its contents
            theirs[0] = w["inputs"][0]["name"]
        if mine != [values.get(t, t) for t in theirs]:
            return f"{g['name']}: {mine}, expected {theirs}"
        counts["arguments"] += len(mine)
        if len(outputs) == 1 and isinstance(outputs[0][1], dict):
            values[text_of(*outputs[0])] = g["name"]
    out = [a["text"] for n in got if n["op"] == "output" for a in n["arguments"]]
    theirs = [text_of(*only(o)) for o in graph["outputs"]]
    if out != [values.get(t, t) for t in theirs]:
        return f"outputs {out}, expected {theirs}"
    counts["graphs"] += 1
    counts["nodes"] += len(calls)
    return None


def compare_graphs(path, record, archive):
    for g in record["graphs"]:
        if g["truncated"]:
            continue
        graph = json.loads(archive.read(g["name"]))["graph_module"]["graph"]
        problem = compare_graph(dump(path, f"--graph={g['name']}")["graph"]["nodes"], graph)
        if problem:
            return f"{g['name']}: {problem}"
    return None


def main():
    files = sorted(glob.glob("tests/data/**/*.etrecord", recursive=True))
    bad = refused = 0
    for path in files:
        document = dump(path)
        if not document:
            # record_truth.py checks that rejected files are damaged.
            refused += 1
            continue
        if path.endswith("record_comment.etrecord"):  # zipfile does not find the end of this archive
            continue
        with zipfile.ZipFile(path) as archive:
            record = document["etrecord"]
            problem = compare_archive(record, archive) or compare_graphs(path, record, archive)
        if problem:
            bad += 1
            print(f"{os.path.relpath(path)}: {problem}"[:600])
    print(f"{len(files) - bad} of {len(files)} records, {refused} refused; " + ", ".join(f"{v} {k}" for k, v in counts.items()))
    return 1 if bad or not all(counts.values()) or refused > len(files) // 4 else 0


sys.exit(main())
