#!/usr/bin/env python3
"""record_references.py MODEL.etrecord -o references.safetensors [--graph NAME] [--method NAME] [--inputs FILE]

Runs a graph of an ETRecord with torch, and writes the value of each of its debug handles and of each node of the
edge program: the reference for `etcore numeric gap --reference` and `etcore inspector --numeric_gap`, which then need no torch.

    --graph NAME    exported_program (default if the record has it and its debug handles can be found),
                    edge_dialect_exported_program, or the name of another graph of the record
    --method NAME   the method whose graph is run (forward)
    --inputs FILE   a file of torch.save with the list of inputs (default: the record's representative inputs)

The file is in the safetensors format. Tensors are named METHOD/HANDLE, or METHOD/HANDLE/INDEX if a node has
several outputs; the metadata "etcore.references" is JSON:

    {"version": 1, "methods": {METHOD: {"graph": NAME, "values": [
        {"handle": [3], "kind": "tensor", "ops": [["linear", "File ..."]]}, ...], "nodes": [
        {"handle": [3], "kind": "tensor", "ops": [["aten.linear.default", null]]}, ...]}}}

"kind" is tensor, list (of "count" tensors), number or none; "ops" are the graph's nodes with this handle and their
stack traces. Values are in the order in which they were computed; of several nodes with one handle the last counts.
"nodes" are the nodes of the edge program in its order, each with its operator; the tensors of the node at index N are
METHOD/nodes/N, or METHOD/nodes/N/INDEX.

Needs executorch 1.1 or later and its dependencies, and no library for safetensors.
"""
import argparse
import json
import struct
import sys

import torch
from executorch.devtools.etrecord import parse_etrecord
from executorch.devtools.inspector import _inspector_utils as utils
from executorch.devtools.inspector._intermediate_output_capturer import IntermediateOutputCapturer

NAMES = {
    torch.float64: "F64", torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16", torch.int64: "I64",
    torch.int32: "I32", torch.int16: "I16", torch.int8: "I8", torch.uint8: "U8", torch.bool: "BOOL",
    torch.uint16: "U16", torch.uint32: "U32", torch.uint64: "U64", torch.float8_e5m2: "F8_E5M2",
    torch.float8_e4m3fn: "F8_E4M3", torch.float8_e5m2fnuz: "F8_E5M2FNUZ", torch.float8_e4m3fnuz: "F8_E4M3FNUZ",
}


def raw(tensor):
    """Returns the bytes of the elements in row-major order."""
    if tensor.numel() == 0:
        return b""
    return tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()


def write(path, tensors, metadata):
    """Returns a .safetensors file with the tensors {name: tensor} and the metadata {key: text}."""
    header, at = {"__metadata__": metadata}, 0
    for name, t in tensors.items():
        size = t.numel() * t.element_size()
        header[name] = {"dtype": NAMES[t.dtype], "shape": list(t.shape), "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text)
        for t in tensors.values():
            f.write(raw(t))


def edge_program(record, method):
    edge = record.edge_dialect_program
    return edge[method] if isinstance(edge, dict) else edge


def choose(record, name, method):
    """Returns the program to run, and its name in the record."""
    edge = edge_program(record, method)
    if name in (None, "exported_program"):
        exported = record.exported_program
        exported = exported[method] if isinstance(exported, dict) else exported
        try:
            if exported is not None and utils.propagate_back_debug_handle(exported, record.export_graph_id, edge):
                return exported, "exported_program"
        except KeyError:
            pass  # the graph has control flow
        if name:
            sys.exit("the record has no exported program, or its debug handles cannot be found: "
                     "--graph edge_dialect_exported_program")
        return edge, "edge_dialect_exported_program"
    if name == "edge_dialect_exported_program":
        return edge, name
    key = name if "/" in name else f"{name}/{method}"
    if key not in (record.graph_map or {}):
        sys.exit(f"the record has no graph '{key}'; it has {', '.join(record.graph_map or {}) or 'none besides'}")
    return record.graph_map[key], name


def describe(key, ops, value, name, tensors):
    """Returns the entry of one value, and adds its tensors to `tensors`."""
    entry = {"handle": list(key), "kind": "none", "ops": ops}
    if isinstance(value, torch.Tensor) and value.dtype in NAMES:
        entry["kind"] = "tensor"
        tensors[name] = value
    elif isinstance(value, (list, tuple)) and all(isinstance(v, torch.Tensor) and v.dtype in NAMES for v in value):
        entry.update(kind="list", count=len(value))
        tensors.update({f"{name}/{i}": v for i, v in enumerate(value)})
    elif isinstance(value, (bool, int, float)):
        entry["kind"] = "number"
        tensors[name] = torch.tensor(value, dtype=torch.float64 if isinstance(value, float) else torch.int64)
    return entry


def stack_traces(graph):
    """Returns {(handle, ...): [[name, stack trace]]} for the nodes whose values are compared."""
    found = {}
    counts = utils.NodeFilter("debug_handle", "call_function", exclude_ops=["getitem"])
    for node in graph.graph.nodes:
        if counts.matches(node):
            handle = node.meta["debug_handle"]
            key = (handle,) if isinstance(handle, int) else tuple(handle)
            found.setdefault(key, []).append([node.name, node.meta.get("stack_trace")])
    return found


class Nodes(torch.fx.Interpreter):
    """Runs a graph; `entries` and `tensors` describe every node that has a debug handle."""

    def __init__(self, module, prefix, tensors):
        super().__init__(module)
        self.prefix, self.tensors, self.entries = prefix, tensors, []
        self.counts = utils.NodeFilter("debug_handle", "call_function", exclude_ops=["getitem"])

    def run_node(self, node):
        value = super().run_node(node)
        if self.counts.matches(node):
            handle = node.meta["debug_handle"]
            target = node.target  # an operator of the edge dialect has torch's as a member
            op = str(target if isinstance(target, torch._ops.OpOverload) else getattr(target, "_op", target))
            kept = torch.utils._pytree.tree_map_only(torch.Tensor, lambda t: t.detach().clone(), value)
            name = f"{self.prefix}/{len(self.entries)}"
            key = (handle,) if isinstance(handle, int) else handle
            self.entries.append(describe(key, [[op, None]], kept, name, self.tensors))
        return value


def values_of_nodes(record, method, inputs, tensors):
    """Returns the entries of the edge program's nodes; an empty list if torch cannot run the program."""
    nodes = Nodes(edge_program(record, method).module(), f"{method}/nodes", tensors)
    try:
        nodes.run(*inputs)
    except Exception as e:  # an operator that has no kernel here
        print(f"without the values of single nodes: {e}", file=sys.stderr)
        return []
    return nodes.entries


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[1])
    parser.add_argument("etrecord")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--graph")
    parser.add_argument("--method", default="forward")
    parser.add_argument("--inputs", metavar="FILE", help="the list of inputs of the run, as torch.save writes it (default: the record's)")
    args = parser.parse_args(arguments)

    record = parse_etrecord(args.etrecord)
    program, name = choose(record, args.graph, args.method)
    module = program.module()
    inputs = torch.load(args.inputs, weights_only=True) if args.inputs else record._representative_inputs
    if inputs is None:
        sys.exit("the record has no representative inputs: write those of the run with torch.save(inputs, FILE), a list, and give --inputs FILE")
    captured = IntermediateOutputCapturer(module).run_and_capture(inputs)
    ops, tensors, values = stack_traces(module), {}, []
    for key, value in captured.items():
        handle = ",".join(str(h) for h in key)
        values.append(describe(key, ops.get(key, []), value, f"{args.method}/{handle}", tensors))
    nodes = values_of_nodes(record, args.method, inputs, tensors)
    document = {"version": 1, "methods": {args.method: {"graph": name, "values": values, "nodes": nodes}}}
    write(args.output, tensors, {"etcore.references": json.dumps(document)})
    print(f"{args.output}: {len(values)} values of {name}, {len(nodes)} of nodes")


if __name__ == "__main__":
    main()
