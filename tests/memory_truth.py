#!/usr/bin/env python3
"""memory_truth.py ETCORE -- compares `etcore memory FILE -o json` of every program below tests/data/pte with the
lifetimes, timelines and peaks of memory.json (made by another implementation of the same rules, which agrees with
ExecuTorch's planner), and its sizes with those of ExecuTorch's size analysis tool (size.json). Standard library only.

That tool counts the contents of the exported program: equal constants, which the file stores once, count each time, and so
do buffers that have no data in the file.
"""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree

import recorded

DATA = "tests/data/pte"
GROUP = ("values", "memory_id", "offset", "bytes", "first", "last", "kind", "mentions")


# Models with a planned buffer that has no data in the file, and the buffer's size.
NO_DATA = {"mutable_uninitialised": 160, "multi_method_shared_buffers": 192}


def memory(path, command="memory"):
    run = subprocess.run([sys.argv[1], command, path, "-o", "json"], capture_output=True, check=False)
    if run.returncode:
        raise ValueError(f"status {run.returncode}: {run.stderr.decode()}")
    return json.loads(run.stdout)


def ours_at(memories, step):
    """Returns {memory id: bytes, extent, covered} of the memories with live groups at a step."""
    out = {}
    for m in memories:
        points = [p for p in m["timeline"] if p["step"] <= step]
        if points and points[-1]["live"]:
            out[str(m["memory_id"])] = {k: points[-1][k] for k in ("bytes", "extent", "covered")}
    return out


def compare_method(want, got):
    if (want["method"], want["steps"]) != (got["method"], got["steps"]):
        return f"method {got['method']}, {got['steps']} steps"
    if len(want["groups"]) != len(got["groups"]):
        return f"{len(got['groups'])} groups, expected {len(want['groups'])}"
    for i, (w, g) in enumerate(zip(want["groups"], got["groups"])):
        if any(w[k] != g[k] for k in GROUP):
            return f"group {i}: {g}, expected {w}"
    for step in want["timeline"]:
        found = ours_at(got["memories"], step["step"])
        if found != step["memory"]:
            return f"step {step['step']}: {found}, expected {step['memory']}"
        live = [i for i, g in enumerate(got["groups"]) if g["first"] <= step["step"] <= g["last"]]
        if live != step["live"]:
            return f"step {step['step']}: {live} live, expected {step['live']}"
    peaks = [{k: m[k] for k in ("memory_id", "planned_size", "peak_live_bytes", "peak_step", "max_extent")}
             for m in got["memories"]]
    if peaks != want["peak"]:
        return f"peaks {peaks}, expected {want['peak']}"
    if got["conflicts"] or want["conflicts"]:
        return f"conflicts {got['conflicts']}, expected {want['conflicts']}"
    if got["delegate_outputs_assumed"] != len(want["delegate_outputs_assumed"]):
        return f"{got['delegate_outputs_assumed']} outputs of delegates assumed"
    if sorted(got["unmentioned"]) != sorted(unmentioned(want)):
        return f"unmentioned {got['unmentioned']}"
    return None


def unmentioned(want):
    return [v for note in want["notes"] for v in json.loads(note[note.index("["):note.index("]") + 1])]


def check_memory(path, answer):
    got, want = memory(path)["methods"], answer["methods"]
    if len(got) != len(want):
        return f"{len(got)} methods, expected {len(want)}"
    return next((p for w, g in zip(want, got) if (p := compare_method(w, g))), None)


def check_sizes(path, answer):
    """Compares sizes. etcore counts distinct bytes; the sum per tensor, as the tool counts, is computed from the values."""
    sizes, tool = memory(path)["sizes"], answer["overview"]
    distinct, each = {}, {}
    for method in memory(path, "dump")["program"]["execution_plan"]:
        for index, value in enumerate(method["values"]):
            if value["val_type"] != "Tensor" or value["kind"] in ("planned", "unplanned"):
                continue
            name = (value["val"]["extra_tensor_info"] or {}).get("fully_qualified_name")
            place = (value.get("data") or {}).get("at", name)
            distinct[place] = value["bytes"]
            each[place, value["val"]["scalar_type"], name or index] = value["bytes"]
    stored = sizes["constants"] + sizes["initial_states"] + sizes["external"]
    model = os.path.basename(os.path.dirname(path))
    ours = memory(path)["methods"]
    blobs = sorted((d["backend"], d["bytes"]) for m in ours for d in m["delegates"])
    theirs = sorted((d["backend_id"], d["num_bytes"]) for d in answer["delegate_blob_data"])
    if len(ours) == 1 and blobs != theirs:
        return f"delegates {blobs}, expected {theirs}"
    want = (sum(distinct.values()), tool["total_tensor_data_size"], tool["total_delegate_blob_data_size"],
            tool["model_size"])
    got = (stored, sum(each.values()) + NO_DATA.get(model, 0), sizes["delegate_blobs"], sizes["file"])
    return None if want == got else f"{got}, expected {want}"


def ask(path, form):
    return subprocess.run([sys.argv[1], "memory", path, "-o", form], capture_output=True, check=True).stdout


def check_pictures(path, answer):
    """The picture must be XML with a box per group, the trace JSON with a slice per group and an event for every change
    of live bytes."""
    groups = sum(len(m["groups"]) for m in answer["methods"])
    boxes = [e for e in xml.etree.ElementTree.fromstring(ask(path, "svg")).iter() if "box" in e.get("class", "").split()]
    if len(boxes) != groups or any(float(b.get(k)) < 0 for b in boxes for k in ("width", "height")):
        return f"{len(boxes)} boxes, expected {groups}"
    if len({"".join(b.itertext()) for b in boxes}) != groups:
        return "two boxes of one text"
    events = json.loads(ask(path, "chrome"))["traceEvents"]
    begun, ended = ([(e["pid"], e["id"]) for e in events if e["ph"] == phase] for phase in "be")
    if len(begun) != groups or sorted(begun) != sorted(ended):
        return f"{len(begun)} slices, expected {groups}"
    counted = [(e["pid"], e["tid"], e["ts"], e["args"]["bytes"]) for e in events if e["ph"] == "C"]
    want = [(i, m["memory_id"], p["step"], p["bytes"]) for i, method in enumerate(memory(path)["methods"])
            for m in method["memories"] for p in m["timeline"]]
    return None if counted == want else "counters are not the timeline"


def main():
    checks = []
    for answer in recorded.find(f"{DATA}/models/*/memory.json"):
        checks.append((check_pictures, os.path.join(os.path.dirname(answer), "model.pte"), answer))
    for answer in recorded.find(f"{DATA}/models/*/size*.json"):
        checks.append((check_sizes, os.path.join(os.path.dirname(answer), "model.pte"), answer))
    for answer in recorded.find(f"{DATA}/programs/*memory.json"):
        bundled = answer.endswith(".bundled_memory.json")
        stem = answer[:-len(".bundled_memory.json" if bundled else ".memory.json")]
        checks.append((check_memory, stem + (".bpte" if bundled else ".pte"), answer))
    for answer in recorded.find(f"{DATA}/models/*/memory.json"):
        checks.append((check_memory, os.path.join(os.path.dirname(answer), "model.pte"), answer))
    kinds = {check_memory: "memory", check_sizes: "sizes", check_pictures: "pictures"}
    left_out = [f"{model}: {size} bytes of buffers that have no data in the file; the size analysis tool counts them"
                for model, size in NO_DATA.items()]
    return recorded.judge(checks, "plans, sizes and pictures as recorded", kinds, left_out)


sys.exit(main())
