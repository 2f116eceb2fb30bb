"""kit_runs - unpacks recorded run folders of Arm's kit (tests/data/kit/runs.json.gz) for tests."""
import base64
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import recorded

RUNS = "tests/data/kit/runs.json"


def load():
    """Returns {run, such as "ab_cnn_f32/g1": {path: text or {"base64": …}}}."""
    return recorded.read_json(RUNS)


def put(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(base64.b64decode(content["base64"]) if isinstance(content, dict) else content.encode())


def unpack(files, where):
    """Writes the files of a run below `where`; returns its run folder."""
    for name, content in files.items():
        put(os.path.join(where, name), content)
    for kind in ("mac", "android"):
        if os.path.isdir(os.path.join(where, "runs", kind)):
            return os.path.join(where, "runs", kind)
    return where
