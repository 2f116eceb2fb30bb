#!/usr/bin/env python3
"""program_truth.py ETCORE -- compares `etcore dump FILE -o json` of every program below tests/data/pte with the recorded
result of ExecuTorch's own deserializer (program.json, bundled.json), and `etcore dump` of .ptd files with that of its
FlatTensor reader (*.ptd.json). Standard library only.
"""

import glob
import hashlib
import json
import os
import subprocess
import sys

import recorded

DATA = "tests/data/pte"


def dump(path):
    run = subprocess.run([sys.argv[1], "dump", path, "-o", "json"], capture_output=True, check=False)
    if run.returncode:
        raise ValueError(f"status {run.returncode}: {run.stderr.decode()}")
    return json.loads(run.stdout)


def sha(data):
    return hashlib.sha256(data).hexdigest()


def span(data, at, size):
    """Returns `size` bytes at `at`; b"" if `at` is None."""
    return b"" if at is None else data[at:at + size]


def differ(want, got, where=""):
    if isinstance(want, dict) and isinstance(got, dict):
        for key in {**want, **got}:
            if key not in want or key not in got:
                return f"{where}.{key}: only in {'got' if key in got else 'expected'}"
            problem = differ(want[key], got[key], f"{where}.{key}")
            if problem:
                return problem
        return None
    if isinstance(want, list) and isinstance(got, list):
        if len(want) != len(got):
            return f"{where}: {len(got)} items, expected {len(want)}"
        return next((p for i, (a, b) in enumerate(zip(want, got)) if (p := differ(a, b, f"{where}[{i}]"))), None)
    return None if type(want) is type(got) and want == got else f"{where}: {got!r}, expected {want!r}"


def tensor(value, data, base):
    """Converts etcore's Tensor to the form of the reference."""
    val = value["val"]
    allocation, extra = val["allocation_info"], val["extra_tensor_info"]
    elements = 1
    for size in val["sizes"]:
        elements *= size
    out = {"type": "Tensor", "dtype": val["scalar_type"].lower(), "sizes": val["sizes"], "dim_order": val["dim_order"],
           "storage_offset": val["storage_offset"], "requires_grad": val["requires_grad"], "layout": val["layout"],
           "shape_dynamism": val["shape_dynamism"], "data_buffer_idx": val["data_buffer_idx"],
           "allocation": allocation and {"memory_id": allocation["memory_id"], "offset": allocation["memory_offset"]},
           "extra": extra and {**extra, "device_type": ("CPU", "CUDA")[extra["device_type"]]},
           "numel": elements, "nbytes": value["bytes"], "kind": value["kind"].replace(" ", "_")}
    place = value.get("data")
    if place:
        found = span(data, place["at"], value["bytes"])
        if "segment" in place:
            out["constant"] = {"where": "segment", "segment": place["segment"], "offset_in_segment": place["offset"],
                               "file_offset": place["at"] - base, "fits": True, "sha256": sha(found)}
        else:
            out["constant"] = {"where": "constant_buffer", "index": place["constant_buffer"], "sha256": sha(found)}
    return out


def one_value(index, value, data, base):
    kind = value["val_type"]
    if kind == "Tensor":
        return {"index": index, **tensor(value, data, base)}
    if kind == "Null":
        return {"index": index, "type": kind}
    return {"index": index, "type": kind, "items" if kind.endswith("List") else "value": value["val"]}


def instruction(index, ours):
    out = {"index": index, "type": ours["instr_args_type"]}
    rename = {"operator": "op", "backend": "delegate", "instr_args_type": None}
    out.update({rename.get(k, k): v for k, v in ours.items() if rename.get(k, k)})
    return out


def delegate(index, ours, data, base):
    place = ours["processed"]
    out = {"index": index, "id": ours["id"], "location": place["location"], "data_index": place["index"],
           "size": place["size"], "sha256": sha(span(data, place["at"], place["size"])),
           "compile_specs": [{"key": s["key"], "value_size": len(s["value"] or "") // 2,
                              "value_sha256": sha(bytes.fromhex(s["value"] or ""))} for s in ours["compile_specs"]]}
    if place["location"] == "SEGMENT" and place["size"]:
        out["file_offset"] = place["at"] - base
    return out


def chain(ours):
    out = {"inputs": ours["inputs"], "outputs": ours["outputs"],
           "instructions": [instruction(i, n) for i, n in enumerate(ours["instructions"])]}
    if ours["stacktrace"]:
        out["stacktrace"] = [[{**f, "filename": os.path.basename(f["filename"])} for f in frames]
                             for frames in ours["stacktrace"]]
    return out


def method(ours, data, base):
    container = ours["container_meta_type"]
    return {
        "name": ours["name"],
        "container_meta_type": None if container["encoded_inp_str"] is None else container,
        "inputs": ours["inputs"], "outputs": ours["outputs"],
        "memory": [{"memory_id": i, "size": s} for i, s in enumerate(ours["non_const_buffer_sizes"])],
        "memory_device": [{**d, "device_type": ("CPU", "CUDA")[d["device_type"]]}
                          for d in ours["non_const_buffer_device"]],
        "operators": [o["name"] + ("." + o["overload"] if o["overload"] else "") for o in ours["operators"]],
        "delegates": [delegate(i, d, data, base) for i, d in enumerate(ours["delegates"])],
        "values": [one_value(i, v, data, base) for i, v in enumerate(ours["values"])],
        "chains": [chain(c) for c in ours["chains"]],
    }


def blobs(ours, member, data):
    out = []
    for buffer in ours:
        place = buffer[member]
        out.append({"size": place["size"], "sha256": sha(span(data, place["at"], place["size"]))})
    return out


def program(ours, data, base):
    """Converts etcore's document to the form of the reference; `base`: position of the program in the file."""
    header = ours["extended_header"]
    segments = ours["segments"]
    return {
        "extended": header,
        "version": ours["version"],
        "constant_segment": ours["constant_segment"],
        "constant_buffer": blobs(ours["constant_buffer"], "storage", data),
        "mutable_data_segments": ours["mutable_data_segments"],
        "named_data": [{**n, "size": segments[n["segment_index"]]["size"]} for n in ours["named_data"]],
        "backend_delegate_data": blobs(ours["backend_delegate_data"], "data", data),
        "segments": [{"offset": s["offset"], "size": s["size"], "file_offset": s["at"] - base,
                      "sha256": sha(span(data, s["at"], s["size"]))} for s in segments],
        "methods": [method(m, data, base) for m in ours["execution_plan"]],
    }


def expected_program(answer):
    """Returns the reference without members that etcore's document lacks."""
    methods = []
    for m in answer["methods"]:
        values = []
        for v in m["values"]:
            v = {k: x for k, x in v.items() if k != "scalar_type"}
            constant = v.get("constant")
            if constant:
                v["constant"] = {k: x for k, x in constant.items() if k != "stored_bytes"}
            values.append(v)
        delegates = [{k: x for k, x in d.items() if k != "file_offset" or d["size"]} for d in m["delegates"]]
        methods.append({**m, "values": values, "delegates": delegates})
    header = answer["header"]["extended"]
    return {"extended": header, "version": answer["version"], "constant_segment": answer["constant_segment"],
            "constant_buffer": answer["constant_buffer"], "mutable_data_segments": answer["mutable_data_segments"],
            "named_data": answer["named_data"], "backend_delegate_data": answer["backend_delegate_data"],
            "segments": [{**{k: s[k] for k in ("offset", "size", "file_offset")},
                          "sha256": s["sha256"] or sha(b"")} for s in answer["segments"]],
            "methods": methods}


def check_program(path, answer):
    with open(path, "rb") as f:
        data = f.read()
    return differ(expected_program(answer), program(dump(path)["program"], data, 0))


def bundled_value(ours, data):
    val = ours["val"]
    if ours["val_type"] != "Tensor":
        return {"type": ours["val_type"], "value": val}
    found = span(data, val["data"]["at"], val["data"]["size"])
    return {"type": "Tensor", "dtype": val["scalar_type"].lower(), "sizes": val["sizes"],
            "dim_order": val["dim_order"], "data_size": len(found), "sha256": sha(found)}


def check_bundled(path, answer):
    with open(path, "rb") as f:
        data = f.read()
    ours = dump(path)
    bundle, inner = ours["bundled_program"], ours["bundled_program"]["program"]
    got = {"version": bundle["version"],
           "method_test_suites": [
               {**s, "test_cases": [{k: [bundled_value(v, data) for v in c[k]] for k in ("inputs", "expected_outputs")}
                                    for c in s["test_cases"]]} for s in bundle["method_test_suites"]],
           "program": {"size": inner["size"], "sha256": sha(span(data, inner["at"], inner["size"])),
                       "file_offset": inner["at"]},
           "dump": program(ours["program"], data, inner["at"])}
    added = ("scalar_type", "nbytes", "values_in_storage_order")
    suites = [{**s, "test_cases": [{side: [{k: x for k, x in v.items() if k not in added} for v in values]
                                    for side, values in c.items()} for c in s["test_cases"]]}
              for s in answer["method_test_suites"]]
    want = {"version": answer["version"], "method_test_suites": suites, "program": answer["program"],
            "dump": expected_program(answer["program_dump"]) if "program_dump" in answer else got["dump"]}
    return differ(want, got)


def check_tensor_file(path, answer):
    with open(path, "rb") as f:
        data = f.read()
    ours = dump(path)["flat_tensor"]
    got = {"header": ours["header"], "version": ours["version"],
           "segments": [{"offset": s["offset"], "size": s["size"], "file_offset": s["at"],
                         "sha256": sha(span(data, s["at"], s["size"]))} for s in ours["segments"]],
           "named_data": []}
    for n in ours["named_data"]:
        layout = n["tensor_layout"]
        got["named_data"].append({"key": n["key"], "segment_index": n["segment_index"],
                                  "dtype": layout and layout["scalar_type"].lower(),
                                  "sizes": layout and layout["sizes"], "dim_order": layout and layout["dim_order"]})
    return differ({k: answer[k] for k in got}, got)


def main():
    checks = []
    for answer in recorded.find(f"{DATA}/programs/*.bundled.json"):
        checks.append((check_bundled, answer[:-len(".bundled.json")] + ".bpte", answer))
    for answer in recorded.find(f"{DATA}/bundled/*/bundled.json"):
        checks.append((check_bundled, os.path.join(os.path.dirname(answer), "model.bpte"), answer))
    for answer in recorded.find(f"{DATA}/models/*/*.ptd.json"):
        checks.append((check_tensor_file, answer[:-len(".json")], answer))
    for answer in recorded.find(f"{DATA}/programs/*.program.json"):
        checks.append((check_program, answer[:-len(".program.json")] + ".pte", answer))
    for answer in recorded.find(f"{DATA}/models/*/program.json"):
        checks.append((check_program, os.path.join(os.path.dirname(answer), "model.pte"), answer))
    kinds = {check_program: "program", check_bundled: "bundled", check_tensor_file: "flat_tensor"}
    return recorded.judge(checks, "files as ExecuTorch reads them", kinds)


sys.exit(main())
