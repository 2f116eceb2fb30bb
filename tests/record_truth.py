#!/usr/bin/env python3
"""record_truth.py RECORD_DUMP -- compares every ETRecord below tests/data, as etcore reads it, with the contents that
zipfile and json read.

RECORD_DUMP is the test program that prints a record as etcore reads it. The test does not depend on etcore's or
ExecuTorch's readers: it reads the files with the standard library alone.
"""

import glob
import json
import os
import re
import subprocess
import sys
import zipfile

import recorded

compared = []  # counts events of recorded answers
MAPS = ("debug_handle_map", "delegate_map", "instruction_id_to_num_outs_map")


def loads(data):
    """Parses JSON; returns Ellipsis if Python cannot."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return Ellipsis


def same(got, want):
    """Returns whether the values are equal and of the same type; NaN equals NaN."""
    return repr(got) == repr(want)


def compare_maps(lines, archive):
    names = archive.namelist()
    values = [loads(archive.read(n)) if n in names else None for n in MAPS]
    head = lines[0]
    if head["present"] != [int(n in names) for n in MAPS]:
        return "present"
    if head["null"] != [int(n in names and v is None) for n, v in zip(MAPS, values)]:
        return "null"
    order = []
    for v in values:
        order += [k for k in v or {} if k not in order]
    methods = [m for m in lines if "method" in m]
    for m, want in zip(methods, order):
        if m["method"] != want and "\ufffd" not in m["method"]:
            return f"method {m['method']!r}, expected {want!r}"
        handles, delegates, outs = ((v or {}).get(want, {}) for v in values)
        if not same(m["handles"], handles) and "\ufffd" not in repr(m["handles"]):
            return f"handles {m['handles']}, expected {handles}"
        if not same(m["delegates"], delegates):
            return f"delegates {m['delegates']}, expected {delegates}"
        if not same(m["num_outs"], outs):
            return f"outputs {m['num_outs']}, expected {outs}"
    return None if len(methods) == len(order) else f"{len(methods)} methods, expected {len(order)}"


# --- graphs: the file's own JSON -----------------------------------------------------------

TORCH = re.compile(r"^torch/|-packages/torch/|/torch/nn/|^<eval_with_key>")
FRAME = re.compile(r'File "(.*?)", line (\d+)')
PREFIXES = ("executorch.exir.dialects.edge.ops.", "executorch.exir.dialects.backend.ops.")


def operator(target):
    """Returns the __name__ of the Python object that a target names."""
    for prefix in PREFIXES:
        if target.startswith(prefix):
            return target[len(prefix):]
    names = target.split(".")
    if target.startswith("torch.ops.") and names[2] != "higher_order":
        return ".".join(names[3:])
    return names[-1] if target.startswith(("torch.", "_operator.", "memory.", "executorch.exir.memory.")) else target


def modules(text):
    out = {}
    for item in text.split(";") if text else ():
        parts, depth = [""], 0
        for c in item:
            depth += (c in "[(") - (c in ")]")
            if c == "," and depth == 0:
                parts.append("")
            else:
                parts[-1] += c
        key, path, kind = (p.strip() for p in parts)
        out[key] = [path, kind]
    return [[k] + v for k, v in out.items()]


def only(union):
    """Returns the (name, value) of the union member that is set; old files write all members."""
    return next(((k, v) for k, v in union.items() if v is not None), (None, None))


def names_of(node):
    """Returns the names that the node may have: its own, and that of its only value."""
    outputs = [only(o) for o in node["outputs"]]
    names = {node.get("name")}
    if len(outputs) == 1 and outputs[0][0] == "as_tensor":
        names = {outputs[0][1]["name"]} | names
    return names - {None}


def compare_graph(name, got, graph):
    want = [n for n in graph["nodes"] if n["target"] != "memory.alloc"]
    if len(got) != len(want):
        return f"{name}: {len(got)} nodes, expected {len(want)}"
    for g, w in zip(got, want):
        meta = w["metadata"]
        trace = meta.get("stack_trace") or None
        frames = FRAME.findall(trace or "")
        frames = [f for f in frames if not TORCH.search(f[0])] or frames  # keeps the frames of the user's own code
        facts = {
            "op": operator(w["target"]), "target": w["target"], "stack_trace": trace,
            "debug_handle": int(meta["debug_handle"]) if meta.get("debug_handle") else None,
            "modules": modules(meta.get("nn_module_stack")),
            "file": frames[-1][0] if frames else "", "line": int(frames[-1][1]) if frames else 0,
        }
        g = dict(g, modules=g["modules"] or [])
        for key, value in facts.items():
            if g[key] != value:
                return f"{name}: {g['name']}: {key} {g[key]!r}, expected {value!r}"
        known = names_of(w)
        if known and g["name"] not in known and re.sub(r"_\d+$", "", g["name"]) != operator(w["target"]).replace(".", "_"):
            return f"{name}: name {g['name']}, expected one of {known}"
    return None


def compare_graphs(lines, archive):
    found = 0
    for name in archive.namelist():
        try:
            program = json.loads(archive.read(name))
            graph = program["graph_module"]["graph"]
        except Exception:  # this entry holds no program
            continue
        found += 1
        problem = compare_graph(name, [n for n in lines if n.get("graph") == name], graph)
        if problem:
            return problem
    return None if found else "no graph"


# --- graphs: the Inspector's answer ----------------------------------------------------------

def handles_of(event):
    handles = event["debug_handles"]
    return [handles] if isinstance(handles, int) else handles or []


def compare_answer(lines, answer):
    """The recorded answers about events must follow from the nodes of the edge graph."""
    nodes = {}
    for n in lines:
        if n.get("graph", "").startswith("edge_dialect_exported_program") and not n["foreign"]:
            nodes.setdefault(n["debug_handle"], []).append(n)
    for block in answer["blocks"]:
        for event in block["events"]:
            if event["name"] in ("Method::init", "Program::load_method", "Method::execute"):
                continue
            ops, traces, stacks = [], {}, {}
            for handle in handles_of(event):
                for n in nodes.get(handle, ()):
                    ops.append(n["op"])
                    traces.setdefault(n["name"] + "_", n["stack_trace"])
                    stacks.setdefault(n["name"] + "_", n["modules"])
            if ops != event["op_types"]:
                return f"event {event['name']}: {ops}, expected {event['op_types']}"
            for got, key, read in ((traces, "stack_traces", str), (stacks, "module_hierarchy", stack_of)):
                table = answer["module_stacks" if key == "module_hierarchy" else key]
                want = [(k, None if v is None else read(table[v])) for k, v in event[key].items()]
                if list(got.items()) != want:
                    return f"event {event['name']}: {key} {got}, expected {want}"
            compared.append(event["name"])
    return None


def stack_of(table):
    return [[key] + value["$tuple"] for key, value in table.items()]


def check(tool, path):
    run = subprocess.run([tool, path], capture_output=True, check=False)
    try:
        archive = zipfile.ZipFile(path)
        read = [loads(archive.read(n)) for n in MAPS if n in archive.namelist()]
        usable = "ETRECORD_V0" in archive.namelist() and all(isinstance(v, (dict, type(None))) for v in read)
    except Exception:  # zipfile raises exceptions of seven kinds
        usable = path.endswith("record_comment.etrecord")
        archive = None
    if run.returncode != 0:
        return f"refused: {run.stderr.decode()}" if usable else None
    if not usable:
        return "read, but Python cannot"
    lines = [json.loads(line) for line in run.stdout.decode().splitlines()]
    if not archive:
        return None
    answer = os.path.join(os.path.dirname(path), "oracle", "events.json")
    problem = compare_maps(lines, archive) or ("/edge/" not in path and compare_graphs(lines, archive))
    if not problem and recorded.exists(answer):
        problem = compare_answer(lines, recorded.read_json(answer))
    return problem or None


def main():
    files = sorted(glob.glob("tests/data/**/*.etrecord", recursive=True))
    bad = 0
    for path in files:
        problem = check(sys.argv[1], path)
        if problem:
            bad += 1
            print(f"{os.path.relpath(path)}: {problem}"[:2000])
    print(f"{len(files) - bad} of {len(files)} records as Python reads them, {len(compared)} events of recorded answers")
    return 1 if bad or not files or not compared else 0


sys.exit(main())
