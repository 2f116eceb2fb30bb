#!/usr/bin/env python3
"""vgf.py VGF.so NXP.so -- compares the parsers of the plugins vgf and nxp with ExecuTorch's Python functions.

Like compare.py, but VGF's answers contain bytes, and columns may follow an answer."""
import base64
import binascii
import ctypes as C
import json
import random
import re
import sys

import compare

SCHEMA = "executorch.vgf.neural_statistics"

# ---- devtools/inspector/vgf_neural_statistics.py ---------------------------------


def b64decode(text):
    """Decodes base64 like Python 3.11 with validate=True; 3.13 rejects unnecessary padding."""
    if isinstance(text, str) and text.isascii():
        digits = text.rstrip("=")
        text = digits if digits and len(digits) % 4 == 0 else text
    return base64.b64decode(text, validate=True)


def decode_blob(blob):
    decoded = dict(blob)
    if not decoded.get("available", False):
        decoded.setdefault("raw_data", b"")
        return decoded
    if decoded.get("encoding") != "base64":
        raise ValueError("Unsupported VGF neural statistics blob encoding")
    try:
        decoded["raw_data"] = b64decode(decoded.get("data", ""))
    except (binascii.Error, TypeError) as e:
        raise ValueError("Malformed base64 data in VGF neural statistics blob") from e
    return decoded


def parse_one(metadata):
    payload = json.loads(metadata.decode("utf-8"))
    if payload.get("schema_version") != 1:
        raise ValueError("Unsupported VGF neural statistics metadata schema version")
    segments = []
    for segment in payload.get("segments", []):
        decoded = dict(segment)
        for key in ("debug_database", "statistics_info", "statistics_memory"):
            if isinstance(decoded.get(key), dict):
                decoded[key] = decode_blob(decoded[key])
        segments.append(decoded)
    return {**payload, "segments": segments}


def parse_vgf(metadatas):
    parsed = []
    for metadata in metadatas:
        if metadata is None or metadata == b"" or metadata == "":
            continue
        try:
            payload = json.loads(metadata.decode("utf-8"))
        except (UnicodeDecodeError, json.JSONDecodeError):
            if SCHEMA.encode() in metadata:
                raise
            continue
        if isinstance(payload, dict) and payload.get("schema") == SCHEMA:
            parsed.append(parse_one(metadata))
    return parsed


# ---- the plugin's answer -----------------------------------------------------------


class Sink(C.Structure):
    _fields_ = compare.Sink._fields_ + [("begin_columns", compare.LIST), ("json_bytes", compare.STR)]


def with_bytes(s):
    """Parses JSON in which b"<base64>" stands for bytes."""
    marked = re.sub(r'("(?:[^"\\]|\\.)*")|b"([^"]*)"',
                    lambda m: m[1] or json.dumps({"\0bytes": m[2]}), s)
    return json.loads(marked, object_hook=lambda o: base64.b64decode(o["\0bytes"]) if "\0bytes" in o else o)


class Answer(compare.Answer):
    def __init__(self):
        super().__init__()
        old, self.columns = self.sink, None
        self.sink = Sink(C.sizeof(Sink), 0, None, old.str, old.i64, old.f64, old.boolean, old.null, old.json,
                         old.begin_list, compare.LIST(self.begin_columns),
                         compare.STR(lambda h, n, v: self.take(n, with_bytes(compare.text(v)))))
        self.keep = old

    def begin_columns(self, handle):
        self.columns = {}
        return 0

    def take(self, name, value):
        if self.columns is None:
            return super().take(name, value)
        self.columns[compare.text(name)] = value
        return 0


def ask(plugin, blobs):
    answer, call = Answer(), compare.make_call(delegate_id=3, blobs=blobs)
    result = plugin.parse_metadata(None, C.byref(call), 0,
                                   C.cast(C.byref(answer.sink), C.POINTER(compare.Sink)))
    return (answer.value() if result == 0 else ("raised", result)), answer.columns


def python(function, blobs):
    given = [b if b else "" for b in blobs] if any(blobs) else []
    try:
        return function(given)
    except (ValueError, TypeError, AttributeError, RecursionError):
        return ("raised", -1)


# ---- inputs ----

DATA = ["", "QQ==", "QUI=", "QUJD", "QR==", "QUJD=", "QUJD==", "QUJD===", "=", "Q", "QQ", "QQ=", "QQ===", "QU=I", "QQ== ",
        "Q Q=", "QUJDRA", "QUJDRA==", "Q\u00e9==", "QQ==QQ==", "////", "++//", "-_-_", 5, None, [], True]


def blob(rng):
    out = {"available": rng.choice([True, True, True, False, 1, 0, 0.0, -0.0, "", "x", None, [], [0], {}, {"a": 1}]),
           "is_text": False, "vulkan_result": -3, "size": 2, "encoding": rng.choice(["base64"] * 50 + ["hex", None, 1]),
           "reason": "\u00e9 \"b\\\" b", "data": rng.choice(DATA[:6] * 40 + DATA)}
    for key in list(out):
        if rng.randrange(40) == 0:
            del out[key]
    if rng.randrange(10) == 0:
        out["raw_data"] = rng.choice(["old", 5, None])
    return rng.choice([out] * 12 + [None, "b", 5, [], {}])


def segment(rng):
    out = {"segment_id": rng.randrange(9), "is_data_graph_pipeline": True, "statistics_bind_point_reason": ""}
    for key in ("debug_database", "statistics_info", "statistics_memory"):
        if rng.randrange(8):
            out[key] = blob(rng)
    return rng.choice([out] * 150 + [{}, [], "", None, 5])


def payload(rng):
    out = {"schema": rng.choice([SCHEMA] * 60 + ["other", None]),
           "schema_version": rng.choice([1] * 90 + [1.0, True, 2, "1", None, 0, 10 ** 30]), "backend": "VgfBackend",
           "data_available": rng.choice([True, False]), "reason": rng.choice(["", "b\"x\"", "\u20ac", "\\"])}
    if rng.randrange(15):
        out["segments"] = rng.choice([[segment(rng) for _ in range(rng.randrange(4))]] * 80 + [{}, "", "x", None, 5])
    for key in list(out):
        if rng.randrange(150) == 0:
            del out[key]
    return out


def text(rng):
    s = json.dumps(payload(rng), ensure_ascii=rng.choice([True, False]),
                   separators=rng.choice([None, (",", ":")])).encode()
    how = rng.randrange(14)
    if how == 0:
        at = rng.randrange(len(s))
        return s[:at] + rng.randbytes(1) + s[at + 1:]
    if how == 1:
        return s[:rng.randrange(len(s))]
    return rng.choice([s] * 20 + [b"", b"{}", b"[]", b"5", b"\xef\xbb\xbf" + s, s.decode().encode("utf-16"), s + b" ", b"\xff",
                                  b'"' + SCHEMA.encode() + b'"', SCHEMA.encode(), s.replace(b"reason", b"\xed\xa0\x80")])


def one_bit(v):
    """Returns whether the value has half a surrogate pair, which is not UTF-8, so that no plugin can return it."""
    return "\\ud8" in json.dumps(v, default=repr)


def main():
    vgf, nxp = (compare.Plugin.in_dll(C.CDLL(path), "etcore_plugin_v1") for path in sys.argv[1:3])
    rng = random.Random(20)
    checked = raised = decoded = 0
    for _ in range(6000):
        blobs = [text(rng) for _ in range(rng.randrange(1, 3))]
        want, (got, columns) = python(parse_vgf, blobs), ask(vgf, blobs)
        if not compare.same(got, want) and not one_bit(want):
            sys.exit(f"vgf: {blobs}\n  plugin {got}\n  Python {want}")
        if isinstance(want, list) and want:
            sizes = [sum(len(s[k].get("raw_data", b"")) for s in want[0]["segments"]
                         if isinstance(s.get(k), dict) and isinstance(s[k].get("raw_data"), bytes))
                     for k in ("debug_database", "statistics_info", "statistics_memory")]
            if [columns[f"vgf_{k}"] for k in ("debug_database", "statistics_info", "statistics_memory")] != sizes or \
                    columns["vgf_segments"] != len(want[0]["segments"]):
                sys.exit(f"vgf: {blobs}\n  columns {columns}, not {sizes}")
            decoded += any(sizes)
        checked += 1
        raised += isinstance(want, tuple)
    for _ in range(2000):
        blobs = [rng.choice([b"", b"\0", rng.randbytes(1), rng.randbytes(1), rng.randbytes(2)]) for _ in range(rng.randrange(1, 4))]
        want, (got, columns) = python(compare.parse_neutron_function, blobs), ask(nxp, blobs)
        codes = {b for b in blobs if b}
        code = {"neutron_function_code": codes.pop()[0]} if len(codes) == 1 and len(max(codes)) == 1 else None
        if not compare.same(got, want) or columns != code:
            sys.exit(f"nxp: {blobs}\n  plugin {got} {columns}\n  Python {want} {code}")
        checked += 1
    if not (raised > 500 and decoded > 500):
        sys.exit(f"too few interesting cases: {raised} raise, {decoded} have bytes")
    print(f"{checked} answers as in Python, {raised} of them raise, {decoded} with bytes")


if __name__ == "__main__":
    main()
