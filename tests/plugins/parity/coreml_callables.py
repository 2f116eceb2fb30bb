"""coreml_callables.py -- extracts two Core ML callables from the installed executorch: parse_coreml_delegate_metadata and
convert_coreml_delegate_time. Their module cannot be imported without coremltools."""
import ast
import importlib.util
import json
import os
import typing

folder = os.path.dirname(importlib.util.find_spec("executorch.exir").origin)
path = os.path.join(folder, "../examples/apple/coreml/scripts/inspector_utils.py")
wanted = {"COREML_METADATA_KEYS", "parse_coreml_delegate_metadata", "convert_coreml_delegate_time"}
with open(path, encoding="utf-8") as f:
    tree = ast.parse(f.read())
tree.body = [node for node in tree.body
             if getattr(node, "name", getattr(getattr(node, "target", None), "id", None)) in wanted]
names = {"json": json, **vars(typing)}
exec(compile(tree, path, "exec"), names)
parse_coreml_delegate_metadata = names["parse_coreml_delegate_metadata"]
convert_coreml_delegate_time = names["convert_coreml_delegate_time"]
