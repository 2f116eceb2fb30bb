#!/usr/bin/env python3
"""values.py ETCORE -- compares the output and exports of `etcore numeric values` with the bytes of the debug buffers.

Expected values are computed here from the dump (`etcore dump -o json`) and the buffer: elements in row-major order
whatever the strides, extremes, mean, NaNs, XXH64 and SHA-256. .npy, .npz and safetensors are read by readers
in this file, and by numpy (and the safetensors package) if they are installed.
"""

import glob
import hashlib
import io
import json
import math
import os
import struct
import subprocess
import sys
import tempfile
import zipfile

try:
    import numpy
except ImportError:
    numpy = None
try:
    import safetensors
except ImportError:
    safetensors = None

ETCORE = sys.argv[1]
# name: format of struct, bits, torch's name, numpy's, safetensors'
TYPES = {
    "BYTE": ("B", 8, "uint8", "|u1", "U8"), "CHAR": ("b", 8, "int8", "|i1", "I8"),
    "SHORT": ("h", 16, "int16", "<i2", "I16"), "INT": ("i", 32, "int32", "<i4", "I32"),
    "LONG": ("q", 64, "int64", "<i8", "I64"), "HALF": ("e", 16, "float16", "<f2", "F16"),
    "FLOAT": ("f", 32, "float32", "<f4", "F32"), "DOUBLE": ("d", 64, "float64", "<f8", "F64"),
    "BOOL": ("?", 8, "bool", "|b1", "BOOL"), "QINT8": ("b", 8, "qint8", "|i1", "I8"),
    "QUINT8": ("B", 8, "quint8", "|u1", "U8"), "QINT32": ("i", 32, "qint32", "<i4", "I32"),
    "BFLOAT16": (None, 16, "bfloat16", None, "BF16"), "QUINT4X2": (None, 4, "quint4x2", None, None),
    "QUINT2X4": (None, 2, "quint2x4", None, None), "BITS16": ("H", 16, "bits16", "<u2", "U16"),
    "FLOAT8E5M2": (None, 8, "float8_e5m2", None, "F8_E5M2"),
    "FLOAT8E4M3FN": (None, 8, "float8_e4m3fn", None, "F8_E4M3"),
    "FLOAT8E5M2FNUZ": (None, 8, "float8_e5m2fnuz", None, "F8_E5M2FNUZ"),
    "FLOAT8E4M3FNUZ": (None, 8, "float8_e4m3fnuz", None, "F8_E4M3FNUZ"),
    "UINT16": ("H", 16, "uint16", "<u2", "U16"), "UINT32": ("I", 32, "uint32", "<u4", "U32"),
    "UINT64": ("Q", 64, "uint64", "<u8", "U64"),
}
SMALL = {"FLOAT8E5M2": (5, 2, 15, "ieee"), "FLOAT8E4M3FN": (4, 3, 7, "fn"), "FLOAT8E5M2FNUZ": (5, 2, 16, "fnuz"),
         "FLOAT8E4M3FNUZ": (4, 3, 8, "fnuz")}
M64 = (1 << 64) - 1
P = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
wrong = []


def etcore(*args, status=0):
    p = subprocess.run([ETCORE, *args], capture_output=True)
    if p.returncode != status:
        sys.exit(f"{' '.join(args)}: status {p.returncode}, not {status}\n{p.stderr.decode()}")
    return p


def turn(v, by):
    return (v << by | v >> 64 - by) & M64


def xxh64(data):
    def mix(lane, word):
        return turn(lane + word * P[1] & M64, 31) * P[0] & M64
    at, lanes = 0, [P[0] + P[1] & M64, P[1], 0, -P[0] & M64]
    v = P[4]
    if len(data) >= 32:
        while at + 32 <= len(data):
            lanes = [mix(a, w) for a, w in zip(lanes, struct.unpack_from("<4Q", data, at))]
            at += 32
        v = sum(turn(a, b) for a, b in zip(lanes, (1, 7, 12, 18))) & M64
        for lane in lanes:
            v = ((v ^ mix(0, lane)) * P[0] + P[3]) & M64
    v = v + len(data) & M64
    while at + 8 <= len(data):
        v = (turn(v ^ mix(0, struct.unpack_from("<Q", data, at)[0]), 27) * P[0] + P[3]) & M64
        at += 8
    if at + 4 <= len(data):
        v = (turn(v ^ struct.unpack_from("<I", data, at)[0] * P[0] & M64, 23) * P[1] + P[2]) & M64
        at += 4
    for byte in data[at:]:
        v = turn(v ^ byte * P[4] & M64, 11) * P[0] & M64
    v = (v ^ v >> 33) * P[1] & M64
    v = (v ^ v >> 29) * P[2] & M64
    return f"{v ^ v >> 32:016x}"


def places(sizes, strides, at=0):
    if not sizes:
        yield at
    else:
        for i in range(sizes[0]):
            yield from places(sizes[1:], strides[1:], at + i * strides[0])


def small(bits, exponent, mantissa, bias, ends):
    power, fraction, top = bits >> mantissa & (1 << exponent) - 1, bits & (1 << mantissa) - 1, (1 << exponent) - 1
    sign = -1.0 if bits >> exponent + mantissa else 1.0
    if ends == "fnuz" and bits == 0x80 or ends == "fn" and power == top and fraction == (1 << mantissa) - 1:
        return math.nan
    if ends == "ieee" and power == top:
        return math.nan if fraction else sign * math.inf
    return sign * math.ldexp(fraction + (1 << mantissa if power else 0), max(power, 1) - bias - mantissa)


def numbers(name, data, count):
    form, bits = TYPES[name][:2]
    if form:
        return list(struct.unpack(f"<{count}{form}", data))
    if name == "BFLOAT16":
        return [struct.unpack("<f", struct.pack("<I", h << 16))[0] for h in struct.unpack(f"<{count}H", data)]
    if bits < 8:
        return [data[i * bits // 8] >> i * bits % 8 & (1 << bits) - 1 for i in range(count)]
    return [small(b, *SMALL[name]) for b in data]


def logical(t, buffer):
    """Returns the bytes of the elements in row-major order, or None if the buffer does not have all of them."""
    bits, sizes, strides = TYPES[t["scalar_type"]][1], t["sizes"], t["strides"]
    if sizes is None:
        return None
    if not strides:  # row-major
        strides = [math.prod(sizes[i + 1:]) for i in range(len(sizes))]
    if min(sizes, default=1) < 0 or len(strides) != len(sizes) or t["offset"] < 0 and 0 not in sizes:
        return None
    count = math.prod(sizes)
    if bits < 8 or count == 0:
        return buffer[t["offset"]:t["offset"] + (count * bits + 7) // 8] if count else b""
    if count > 1 << 20 or t["offset"] + (sum((s - 1) * d for s, d in zip(sizes, strides)) + 1) * bits // 8 > len(buffer):
        return None
    width = bits // 8
    return b"".join(buffer[t["offset"] + p * width:][:width] for p in places(sizes, strides))


def expected(dump, buffer):
    """Returns one entry per row: (tensor, its bytes), or a scalar."""
    out = []
    for run in dump["run_data"]:
        for event in run["events"] or []:
            v = event.get("debug_event", {}).get("debug_entry")
            if "profile_event" in event or v is None:
                continue
            if v["val"] == "TensorList":
                out += [(t, logical(t, buffer)) for t in v["tensor_list"]["tensors"]]
            elif v["val"] == "Tensor":
                out.append((v["tensor"], logical(v["tensor"], buffer) if v["tensor"]["scalar_type"] in TYPES else None))
            else:
                out.append((None, v))
    return out


def members(pairs):
    if len(dict(pairs)) != len(pairs):
        wrong.append(f"an object has a member twice: {[key for key, _ in pairs]}")
    return dict(pairs)


def close(a, b, scale):
    return a == b or a is not None and abs(a - b) <= 1e-12 * scale


def check_row(where, row, t, data):
    name = t["scalar_type"]
    count = math.prod(t["sizes"])
    values = numbers(name, data, count)
    finite = [v for v in values if math.isfinite(v)]
    known = [v for v in values if not math.isnan(v)]
    text = {math.inf: "inf", -math.inf: "-inf"}
    want = {"dtype": TYPES[name][2], "shape": t["sizes"], "elements": count, "xxh64": xxh64(data),
            "sha256": hashlib.sha256(data).hexdigest(), "nan": len(values) - len(known), "inf": len(known) - len(finite),
            "min": min(known) if known else None, "max": max(known) if known else None}
    for key in ("min", "max"):
        want[key] = text.get(want[key], want[key])
    for key, v in want.items():
        if row[key] != v:
            wrong.append(f"{where}: {key} is {row[key]}, not {v}")
    if finite and not close(row["mean"], math.fsum(finite) / len(finite), math.fsum(map(abs, finite)) / len(finite)):
        wrong.append(f"{where}: mean is {row['mean']}, not {math.fsum(finite) / len(finite)}")
    if not finite and row["mean"] is not None:
        wrong.append(f"{where}: mean is {row['mean']} of nothing")


# ---- exports ---------------------------------------------------------------------------------------------------------


def read_npy(data):
    if data[:8] != b"\x93NUMPY\1\0" or (10 + struct.unpack_from("<H", data, 8)[0]) % 64:
        return None
    end = 10 + struct.unpack_from("<H", data, 8)[0]
    head = eval(data[10:end].decode(), {"__builtins__": {}})  # a dict of constants, which etcore itself wrote
    return head["descr"], list(head["shape"]), data[end:], head["fortran_order"]


def read_safetensors(data):
    size = struct.unpack_from("<Q", data)[0]
    head = json.loads(data[8:8 + size])
    return {k: (v["dtype"], v["shape"], data[8 + size:][slice(*v["data_offsets"])]) for k, v in head.items()}


def check_export(where, got, wanted):
    if set(got) != set(wanted):
        wrong.append(f"{where}: tensors {sorted(set(got) ^ set(wanted))}")
    for key in set(got) & set(wanted):
        if list(got[key])[:3] != list(wanted[key]):
            wrong.append(f"{where}: {key} is {got[key][0]} {got[key][1]}, not {wanted[key][0]} {wanted[key][1]}, or differs")


def scalar(v):
    kind = {"Int": ("q", "int_value", "int_val"), "Bool": ("?", "bool_value", "bool_val"),
            "Double": ("d", "double_value", "double_val"), "Float": ("d", "float_value", "float_val")}.get(v["val"])
    if not kind or v[kind[1]] is None:
        return None
    name = {"q": "LONG", "?": "BOOL", "d": "DOUBLE"}[kind[0]]
    return name, struct.pack("<" + kind[0], v[kind[1]][kind[2]])


def check_exports(path, rows, want, scratch):
    npy, st = {}, {}
    for row, (t, data) in zip(rows, want):
        name, sizes = t["scalar_type"] if t else None, t["sizes"] if t else []
        if t is None and scalar(data):
            name, data = scalar(data)
        elif t is None or data is None:
            continue
        if TYPES[name][3]:
            npy[row["key"]] = (TYPES[name][3], sizes, data)
        if TYPES[name][4]:
            st[row["key"]] = (TYPES[name][4], sizes, data)
    base = ["numeric", "values", path]
    plain = [f"type != {t}" for t in ("quint4x2", "quint2x4")]
    where = [w for p in plain for w in ("--where", p)]
    file = os.path.join(scratch, "out")
    if st:
        etcore(*base, *where, "-o", f"safetensors={file}.st")
        with open(f"{file}.st", "rb") as f:
            check_export(f"{path} safetensors", read_safetensors(f.read()), st)
        if safetensors:
            with safetensors.safe_open(f"{file}.st", framework="numpy") as f:
                if set(f.keys()) != set(st):
                    wrong.append(f"{path}: the safetensors package reads other tensors")
    for t in ("bfloat16", "float8_e5m2", "float8_e4m3fn", "float8_e5m2fnuz", "float8_e4m3fnuz"):
        where += ["--where", f"type != {t}"]
    if not npy:
        return
    folder = os.path.join(scratch, os.path.basename(os.path.dirname(path)) + os.path.basename(path))
    etcore(*base, *where, "-o", f"npz={file}.npz", "-o", f"npy={folder}")
    with zipfile.ZipFile(f"{file}.npz") as z:
        if z.testzip():
            wrong.append(f"{path} npz: bad CRC of {z.testzip()}")
        check_export(f"{path} npz", {n[:-4]: read_npy(z.read(n)) for n in z.namelist()}, npy)
    got = {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as f:
            got[name[:-4]] = read_npy(f.read())
    check_export(f"{path} npy", got, npy)
    if numpy:
        with numpy.load(f"{file}.npz", allow_pickle=False) as z:
            for key, (descr, sizes, data) in npy.items():
                a = z[key]
                if a.dtype.str != descr or list(a.shape) != sizes or a.tobytes() != data:
                    wrong.append(f"{path}: numpy reads {key} as {a.dtype.str} {a.shape}")


def main():
    rows_seen = 0
    dumps = glob.glob("tests/data/cases/*/run.etdump") + glob.glob("tests/data/edge/*.etdump") + \
        glob.glob("tests/data/values/*.etdump")
    with tempfile.TemporaryDirectory() as scratch:
        for path in sorted(dumps):
            stem = path[:-len(".etdump")]
            beside = [p for p in (stem + ".bin", stem + ".dbg", os.path.join(os.path.dirname(path), "debug.bin"))
                      if os.path.exists(p)]
            if not beside:
                continue
            with open(beside[0], "rb") as f:
                buffer = f.read()
            dump = subprocess.run([ETCORE, "dump", path, "-o", "json"], capture_output=True)
            if dump.returncode:
                continue
            want = expected(json.loads(dump.stdout)["etdump"], buffer)
            p = etcore("numeric", "values", path, "-b", beside[0], "-o", "json", "--sha256")
            rows = json.loads(p.stdout)["rows"]
            if len(rows) != len(want):
                wrong.append(f"{path}: {len(rows)} rows, not {len(want)}")
                continue
            for i, (row, (t, data)) in enumerate(zip(rows, want)):
                if t is not None and data is None:
                    if not row["problem"] or row["xxh64"]:
                        wrong.append(f"{path} {i}: {row['dtype']} cannot be read, but was")
                elif t is not None:
                    check_row(f"{path} {i}", row, t, data)
                    rows_seen += 1
                elif scalar(data) and row["min"] not in ("nan", "inf", "-inf"):
                    name, raw = scalar(data)
                    if row["min"] != numbers(name, raw, 1)[0]:
                        wrong.append(f"{path} {i}: {row['min']} is not {numbers(name, raw, 1)[0]}")
            lines = etcore("numeric", "values", path, "-b", beside[0], "-o", "ndjson", "--sha256").stdout.splitlines()
            if [dict(row, type="row") for row in rows] != [r for r in (json.loads(x, object_pairs_hook=members) for x in lines)
                                                           if r["type"] == "row"]:
                wrong.append(f"{path}: the lines of ndjson are not the rows of json")
            if len({r["key"] for r in rows}) != len(rows):
                wrong.append(f"{path}: keys are not unique")
            check_exports(path, rows, want, scratch)
    if rows_seen < 170:
        wrong.append(f"only {rows_seen} tensors were compared")
    print("\n".join(wrong[:40]))
    print(f"{rows_seen} tensors compared; numpy {'reads' if numpy else 'is not installed to read'} the exports, "
          f"safetensors {'does too' if safetensors else 'is not installed'}; {len(wrong)} wrong")
    return bool(wrong)


sys.exit(main())
