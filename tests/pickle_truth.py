#!/usr/bin/env python3
"""pickle_truth.py RECORD_DUMP [FILE] -- compares the values that etcore and torch read from pickles.

tests/tools/make_pickles.py made FILE (tests/data/values/pickles.json). Each pickle is put into a record as its reference
outputs; RECORD_DUMP is the test program that prints a record as etcore reads it.
"""

import base64
import hashlib
import io
import json
import os
import subprocess
import sys
import tempfile
import zipfile

from share import share

STORAGES = {"0": bytes(range(24))}
WIDTH = {"float64": 8, "int64": 8, "uint64": 8, "complex64": 8, "float32": 4, "int32": 4, "uint32": 4, "float16": 2,
         "bfloat16": 2, "int16": 2, "uint16": 2}


def archive(pickle):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        z.writestr("archive/data.pkl", pickle)
        z.writestr("archive/version", "3\n")
        for key, data in STORAGES.items():
            z.writestr(f"archive/data/{key}", data)
    return out.getvalue()


def record(blob):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        z.writestr("ETRECORD_V0", "")
        z.writestr("debug_handle_map", "{}")
        z.writestr("reference_outputs", blob)
    return out.getvalue()


def elements(sizes, strides, at=0):
    if not sizes:
        yield at
        return
    for i in range(sizes[0]):
        yield from elements(sizes[1:], strides[1:], at + i * strides[0])


def tensor(v, file):
    _, dtype, sizes, strides, offset, key, at, length, flags = v
    count = 1
    for s in sizes:
        count *= s
    digest = None
    if key is not None and not any(flags[:2]) and not flags[3] and 0 < count <= 4096:
        width = WIDTH.get(dtype, 1)
        data = file[at:at + length]
        digest = hashlib.sha256(b"".join(data[e * width:e * width + width] for e in elements(sizes, strides))).hexdigest()[:16]
    return ["tensor", dtype, sizes, strides, offset] + [bool(f) for f in flags] + [digest]


def tree(v, file):
    kind = v[0]
    if kind == "none":
        return ["NoneType", "None"]
    if kind == "bool":
        return ["bool", str(bool(v[1]))]
    if kind == "int":
        return ["int", str(v[1])]
    if kind == "big":
        return ["int", str(int.from_bytes(bytes.fromhex(v[1]), "little", signed=True))]
    if kind in ("float", "complex"):
        return [kind] + [float.fromhex(x).hex() for x in v[1:]]
    if kind in ("list", "tuple", "torch.Size"):
        return [kind, [tree(x, file) for x in v[1]]]
    if kind == "set":
        return [kind, sorted(tree(x, file) for x in v[1])]
    if kind in ("dict", "OrderedDict", "Counter"):
        items = [tree(x, file) for x in v[1]]
        return [kind, [list(pair) for pair in zip(items[::2], items[1::2])]]
    if kind == "tensor":
        return tensor(v, file)
    if kind in ("other", "storage"):
        return ["other"]
    return v


def same(got, want):
    """Returns whether the values are equal. Values that contain themselves may be followed to different depths."""
    if want == ["itself"]:
        return True
    if isinstance(want, list) and isinstance(got, list) and len(got) == len(want):
        return all(same(g, w) for g, w in zip(got, want))
    return got == want


def read(tool, path, entry="reference_outputs"):
    run = subprocess.run([tool, path, "16"], capture_output=True, check=False)
    if run.returncode != 0:
        return {"state": f"status {run.returncode} {run.stderr.decode()}"}
    for line in run.stdout.decode().splitlines():
        if line.startswith(f'{{"values":"{entry}"'):
            return json.loads(line)
    return {"state": "missing"}


def blob(case, made):
    if "archive" in case:
        return base64.b64decode(case["archive"])
    pickle = bytearray(made[case.get("of") or case["name"]])
    if "of" in case:
        pickle[case["at"]] = case["byte"]
    return archive(bytes(pickle))


def differ(got, answer, data):
    wanted = "refused" if answer is False else "read"
    if got["state"] != wanted:
        return f"{got['state']} ({got.get('why')}), torch: {str(answer)[:200]}"
    if wanted == "read" and not same(tree(got["value"], data), answer):
        return f"got {tree(got['value'], data)}, torch {answer}"
    return None


def main():
    sys.setrecursionlimit(10000)
    source = sys.argv[2] if len(sys.argv) > 2 else "tests/data/values/pickles.json"
    with open(source, encoding="utf-8") as f:
        cases = json.load(f)["cases"]
    made = {c["name"]: base64.b64decode(c["pickle"]) for c in cases if "pickle" in c}
    bad = closed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "r.etrecord")
        for case in share(cases):
            if "record" in case:
                with open(case["record"], "rb") as f:
                    data = f.read()
                got = read(sys.argv[1], case["record"], case["entry"])
            else:
                data = record(blob(case, made))
                with open(path, "wb") as f:
                    f.write(data)
                got = read(sys.argv[1], path)
            if got["state"] == "closed":
                closed += 1
                continue
            problem = differ(got, case["answer"], data)
            if problem:
                bad += 1
                print({k: v for k, v in case.items() if k not in ("pickle", "archive", "answer")}, problem[:800])
    tried = len(share(cases))
    print(f"{tried - bad - closed} of {tried} pickles as torch reads them, {closed} not decided")
    return 1 if bad or closed * 20 > tried else 0


sys.exit(main())
