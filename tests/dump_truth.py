#!/usr/bin/env python3
"""dump_truth.py ETCORE [--flatc SCHEMA] -- compares `etcore dump FILE -o json` with every ETDump below tests/data, field
by field.

This program decodes the files by the rules of FlatBuffers and a copy of the tables of etdump_schema_flatcc.fbs (SCHEMA
below). With --flatc it uses the program flatc and the schema file (in the Python package executorch, devtools/etdump);
flatc does not check its input and cannot write every number as JSON, so damaged files are then not compared. Files that
etcore rejects must be damaged for the decoder here too.
"""

import glob
import json
import os
import struct
import subprocess
import sys
import tempfile
from math import isfinite

from share import share

SCALARS = dict(zip(
    [0, 1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 14, 15, 16, 17, 22, 23, 24, 25, 26, 27, 28, 29],
    "BYTE CHAR SHORT INT LONG HALF FLOAT DOUBLE BOOL QINT8 QUINT8 QINT32 BFLOAT16 QUINT4X2 QUINT2X4 BITS16 FLOAT8E5M2 "
    "FLOAT8E4M3FN FLOAT8E5M2FNUZ FLOAT8E4M3FNUZ UINT16 UINT32 UINT64".split()))
VALUES = dict(enumerate("Null Int Bool Float Double Tensor TensorList String".split()))

# {table: its fields in the order of the schema, as (name, type, default)}. "[X]" is a vector; another capitalised type is a
# table.
SCHEMA = {
    "ETDump": [("version", "I", 0), ("run_data", "[RunData]", None)],
    "RunData": [("name", "str", None), ("bundled_input_index", "i", -1), ("allocators", "[Allocator]", None),
                ("events", "[Event]", None)],
    "Allocator": [("name", "str", None)],
    "Event": [("profile_event", "ProfileEvent", None), ("allocation_event", "AllocationEvent", None),
              ("debug_event", "DebugEvent", None)],
    "ProfileEvent": [("name", "str", None), ("chain_index", "i", 0), ("instruction_id", "i", -1),
                     ("delegate_debug_id_int", "i", -1), ("delegate_debug_id_str", "str", None),
                     ("delegate_debug_metadata", "bytes", None), ("start_time", "Q", 0), ("end_time", "Q", 0)],
    "AllocationEvent": [("allocator_id", "i", 0), ("allocation_size", "Q", 0)],
    "DebugEvent": [("chain_index", "Q", 0), ("instruction_id", "i", -1), ("debug_entry", "Value", None),
                   ("delegate_debug_id_int", "i", -1), ("delegate_debug_id_str", "str", None), ("name", "str", None)],
    "Value": [("val", "ValueType", 0), ("tensor", "Tensor", None), ("tensor_list", "TensorList", None),
              ("int_value", "Int", None), ("float_value", "Float", None), ("double_value", "Double", None),
              ("bool_value", "Bool", None), ("output", "Bool", None)],
    "Tensor": [("scalar_type", "ScalarType", 0), ("sizes", "[q]", None), ("strides", "[q]", None), ("offset", "q", 0)],
    "TensorList": [("tensors", "[Tensor]", None)],
    "Int": [("int_val", "q", 0)], "Float": [("float_val", "f", 0.0)], "Double": [("double_val", "d", 0.0)],
    "Bool": [("bool_val", "?", False)],
}
ENUMS = {"ValueType": VALUES, "ScalarType": SCALARS}


FLATC = sys.argv[sys.argv.index("--flatc") + 1] if "--flatc" in sys.argv else None


class Damaged(Exception):
    pass


class Decoder:
    def __init__(self, data):
        self.data = data
        self.tables = 0
        self.layouts = {}

    def get(self, form, at):
        if at < 0 or at + struct.calcsize("<" + form) > len(self.data):
            raise Damaged(f"byte {at}")
        return struct.unpack_from("<" + form, self.data, at)[0]

    def chunk(self, at, size):
        if at < 0 or at + size > len(self.data):
            raise Damaged(f"byte {at}")
        return self.data[at:at + size]

    def follow(self, at):
        step = self.get("I", at)
        if step == 0:
            raise Damaged(f"byte {at}")
        return at + step

    def field(self, kind, at):
        if kind in SCHEMA:
            return self.table(kind, self.follow(at))
        if kind in ENUMS:
            return self.get("b", at)
        if kind in ("str", "bytes") or kind[0] == "[":
            at = self.follow(at)
            count = self.get("I", at)
            if kind == "str":
                self.chunk(at + 4, count + 1)
                return self.chunk(at + 4, count)
            if kind == "bytes":
                return self.chunk(at + 4, count).hex()
            if kind == "[q]":
                return list(struct.unpack(f"<{count}q", self.chunk(at + 4, 8 * count)))
            self.chunk(at + 4, 4 * count)
            return [self.table(kind[1:-1], self.follow(at + 4 + 4 * i)) for i in range(count)]
        return self.get(kind, at)

    def fields(self, kind, vtable):
        """Returns the fields of a table with this vtable: (name, type, slot's offset or 0)."""
        size = self.get("H", vtable) if vtable is not None else 0
        if vtable is not None and (size < 4 or size % 2 or self.get("H", vtable + 2) < 4):
            raise Damaged(f"vtable at {vtable}")
        slots = [self.get("H", vtable + 4 + 2 * i) if 6 + 2 * i <= size else 0 for i in range(len(SCHEMA[kind]))]
        if vtable is not None:
            self.chunk(vtable, size)
        return [(name, form, slot) for slot, (name, form, _) in zip(slots, SCHEMA[kind])]

    def table(self, kind, at):
        self.tables += 1
        if self.tables > max(1 << 20, len(self.data)):
            raise Damaged("tables without end")
        back = self.get("i", at)
        key = kind, at - back if back else None
        if key not in self.layouts:
            self.layouts[key] = self.fields(*key)
        return complete(kind, {name: self.field(form, at + slot) for name, form, slot in self.layouts[key] if slot})


def complete(kind, value):
    """Adds defaults for absent scalars and names for enum numbers; converts texts to JSON texts."""
    out = {}
    for name, form, absent in SCHEMA[kind]:
        v = value.get(name, absent)
        if form in ENUMS:
            v = ENUMS[form].get(v, v)
        if isinstance(v, bytes):
            text = v.decode("utf-8", "replace")
            if text.encode() != v:
                out[f"{name}_hex"] = v.hex()
            v = text
        if v is not None:
            out[name] = v
    return out


def decode(data):
    for at, size_prefix in ((8, struct.unpack_from("<I", data)[0] if len(data) >= 4 else None), (4, None)):
        if data[at:at + 4] == b"ED00":
            decoder = Decoder(data)
            out = decoder.table("ETDump", decoder.follow(at - 4))
            return dict(identifier="ED00", size_prefix=size_prefix, **out)
    raise Damaged("identifier")


def decode_flatc(data, schema):
    """Returns the same structure from flatc's JSON, which leaves out absent fields."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.bin")
        with open(path, "wb") as f:
            f.write(data)
        prefixed = data[8:12] == b"ED00"
        run = subprocess.run(
            ["flatc", "--json", "--strict-json", "--defaults-json", "--raw-binary", "--allow-non-utf8", "-o", folder]
            + ["--size-prefixed"] * prefixed + [schema, "--", path], capture_output=True, check=False)
        if run.returncode:
            raise Damaged(run.stdout.decode()[:200])
        if not os.path.exists(os.path.join(folder, "x.json")):
            raise Damaged("flatc writes nothing")
        with open(os.path.join(folder, "x.json"), "rb") as f:
            text = f.read().decode("utf-8", "replace")
    try:
        root = from_flatc("ETDump", json.loads(text, strict=False))
    except ValueError as e:  # inf, nan
        raise Damaged("no JSON") from e
    return dict(identifier="ED00", size_prefix=struct.unpack_from("<I", data)[0] if prefixed else None, **root)


def from_flatc(kind, value):
    for name, form, _ in SCHEMA[kind]:
        if name not in value:
            continue
        if form in SCHEMA:
            value[name] = from_flatc(form, value[name])
        elif form[0] == "[" and form[1:-1] in SCHEMA:
            value[name] = [from_flatc(form[1:-1], v) for v in value[name]]
        elif form == "bytes":
            value[name] = bytes(value[name]).hex()
    return complete(kind, value)


def differ(want, got, where=""):
    """Describes the first place where two values differ; None if they are equal."""
    if isinstance(want, dict) and isinstance(got, dict) and list(sorted(want)) == list(sorted(got)):
        return next((p for k in want if (p := differ(want[k], got[k], f"{where}.{k}"))), None)
    if isinstance(want, list) and isinstance(got, list) and len(want) == len(got):
        return next((p for i, (w, g) in enumerate(zip(want, got)) if (p := differ(w, g, f"{where}[{i}]"))), None)
    if isinstance(want, float) and isinstance(got, (float, str)):
        got = float(got)
        # flatc prints only six or twelve decimals.
        close = abs(want - got) <= 1e-6 * (abs(want) + 1) if FLATC and isfinite(want) else repr(want) == repr(got)
        return None if close else f"{where}: {got!r}, expected {want!r}"
    return None if type(want) is type(got) and want == got else f"{where}: {got!r}, expected {want!r}"


def only_present(pairs):
    """Returns an object without null members and without "bytes", which is not a field of the schema."""
    return {k: v for k, v in pairs if v is not None and k != "bytes"}


def fields(value):
    if isinstance(value, dict):
        return sum(fields(v) for v in value.values())
    if isinstance(value, list):
        return 1 + sum(fields(v) for v in value)
    return value is not None


def not_json(name):
    raise ValueError(f"{name} is no JSON")


def main():
    bad = refused = compared = 0
    files = sorted((p for end in ("etdump", "etdp") for p in glob.glob(f"tests/data/**/*.{end}", recursive=True)), key=os.path.getsize)
    files = share(files)  # of all sizes
    for path in files:
        with open(path, "rb") as f:
            data = f.read()
        try:
            want = decode_flatc(data, FLATC) if FLATC else decode(data)
        except Damaged:
            want = None
        run = subprocess.run([sys.argv[1], "dump", path, "-o", "json"], capture_output=True, check=False)
        if run.returncode:
            refused += 1
            problem = f"refused: {run.stderr.decode()}" if run.stdout or (want is not None and not FLATC) else None
        elif want is None:
            problem = None if FLATC else "shown, but it cannot be decoded"
            refused += 1
        else:
            got = json.loads(run.stdout, parse_constant=not_json, object_pairs_hook=only_present)["etdump"]
            want = only_present(want.items())
            problem = None if want == got else differ(want, got)
            compared += fields(want)
        if problem:
            bad += 1
            print(f"{path}: {problem}"[:500])
    print(f"{len(files) - bad} of {len(files)} dumps, {compared} fields, {refused} not decoded")
    return 1 if bad or not compared else 0


sys.exit(main())
