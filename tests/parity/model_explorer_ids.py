#!/usr/bin/env python3
"""model_explorer_ids.py FOLDER CASES... > tests/data/model_explorer/ids.json -- records the node ids that Arm's adapters
make.

FOLDER has the packages etrecord_adapter_model_explorer and pte_adapter_model_explorer (unpacked wheels of PyPI, 0.2.0
each). Run it with a Python that has executorch. CASES are folders with run.etdump, model.etrecord and model.pte. Model
Explorer's own graph builder, a large package, is replaced by a few lines here: it only stores what the adapters put into
it.
"""
import dataclasses
import json
import os
import sys
import types


def record(**fields):
    return [(name, object, dataclasses.field(default_factory=default)) for name, default in fields.items()]


def install():
    gb = types.ModuleType("model_explorer.graph_builder")
    shapes = {
        "KeyValue": record(key=str, value=str), "MetadataItem": record(id=str, attrs=list),
        "IncomingEdge": record(sourceNodeId=str, sourceNodeOutputId=lambda: "0", targetNodeInputId=lambda: "0"),
        "GraphNode": record(id=str, label=str, namespace=str, subgraphIds=list, attrs=list, incomingEdges=list, inputsMetadata=list,
                            outputsMetadata=list),
        "GroupNodeConfig": record(namespaceRegex=str, layoutDirection=int),
        "Graph": record(id=str, nodes=list, groupNodeAttributes=dict, groupNodeConfigs=list),
        "GraphCollection": record(label=str, graphs=list),
    }
    for name, fields in shapes.items():
        setattr(gb, name, dataclasses.make_dataclass(name, fields))
    me = types.ModuleType("model_explorer")
    me.graph_builder = gb
    me.Adapter = type("Adapter", (), {"__init__": lambda self: None})
    me.AdapterMetadata = dataclasses.make_dataclass("AdapterMetadata", record(id=str, name=str, description=str, fileExts=list))
    me.ModelExplorerGraphs = dict
    sys.modules.update({"model_explorer": me, "model_explorer.graph_builder": gb})
    # The packages also import adapters for files of other backends; no case has such files, so empty modules replace them.
    for name, what in (("tosa", "TosaFlatbufferAdapter"), ("vgf", "VGFAdapter")):
        for module in (f"{name}_adapter_model_explorer", f"{name}_adapter_model_explorer.main"):
            sys.modules[module] = types.ModuleType(module)
            setattr(sys.modules[module], what, None)


def ids(collections):
    return {g.id: [n.id for n in g.nodes] for c in collections for g in c.graphs}


def main():
    install()
    sys.path.insert(0, sys.argv[1])
    from etrecord_adapter_model_explorer.builder.builder import ETRecordGraphBuilder
    from pte_adapter_model_explorer.builder.builder import PteGraphBuilder
    from pathlib import Path
    out = {}
    for case in sys.argv[2:]:
        entry = out[os.path.basename(case.rstrip("/"))] = {}
        for name, builder, of in (("etrecord", ETRecordGraphBuilder, lambda b: b.build()), ("pte", PteGraphBuilder, lambda b: b.graph_collections)):
            path = Path(case, "model." + name)
            try:
                entry[name] = ids(of(builder(path, {})))
            except Exception as e:  # the exception's message is recorded as the answer
                entry[name] = None
                entry[name + "_error"] = f"{type(e).__name__}: {e}"[:200] if path.exists() else "no such file"
            print(case, name, {k: len(v) for k, v in (entry[name] or {}).items()} or entry[name + "_error"], file=sys.stderr)
    json.dump(out, sys.stdout, indent=0, separators=(",", ":"))
    print()


if __name__ == "__main__":
    main()
