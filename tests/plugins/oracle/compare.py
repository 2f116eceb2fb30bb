#!/usr/bin/env python3
"""compare.py FOLDER COREML.so -- compares the oracle plugins with the Python functions that they imitate.

Each shared object of FOLDER is opened with ctypes and gets the same input as the Python
function of that name: fixed and random metadata and times. Every
answer must be equal, and integers must stay integers. COREML.so is compared with the
pair coreml_json, ns_to_ms.
"""
import ctypes as C
import json
import os
import random
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
from share import SHARE  # noqa: E402

# ---- the functions, as they were given to the Inspector -----------------------

COREML_KEYS = (("operatorName", "coreml_operator"), ("estimatedCost", "coreml_estimated_cost"),
               ("preferredComputeUnit", "coreml_preferred_device"),
               ("supportedComputeUnits", "coreml_supported_devices"))


def parse_utf8(metadatas):
    return [m.decode("utf-8", "replace") if isinstance(m, bytes) else m for m in metadatas]


def parse_json(metadatas):
    for m in metadatas:
        try:
            value = json.loads(m)
        except (ValueError, TypeError):
            continue
        if isinstance(value, dict):
            return value
    return {}


def parse_summary(metadatas):
    return {"entries": len(metadatas), "bytes": sum(len(m) for m in metadatas)}


def parse_json_keys(metadatas):
    try:
        obj = json.loads(metadatas[0]) if metadatas else {}
    except ValueError:
        return {}
    return obj if isinstance(obj, dict) else {}


def parse_coreml_json(metadatas):
    if len(metadatas) == 0:
        return None
    try:
        obj = json.loads(metadatas[0])
        return {col: obj[key] for key, col in COREML_KEYS if obj.get(key) is not None}
    except ValueError:
        return {}


def parse_neutron_function(metadatas):
    out = []
    for m in metadatas:
        if len(m) != 1:
            out.append("Invalid metadata size")
        else:
            out.append("Profiling dump" if m[0] == 0 else "Neutron kernel " + str(m[0]))
    return out


def qnn_cycles(name, t):
    return t if name.endswith((" (us)", " (bytes)", " (count)")) else t / 1000


PARSERS = {"utf8": parse_utf8, "text_each": parse_utf8, "json": parse_json,
           "json_keys": parse_json_keys, "summary": parse_summary,
           "coreml_json": parse_coreml_json, "neutron_function": parse_neutron_function}
CONVERTERS = {
    "identity": lambda name, t: t,
    "half": lambda name, t: t // 2,
    "us_to_ms": lambda name, t: t / 1000,
    "ns_to_ms": lambda name, t: t / (1000 * 1000),
    "cycles_1ghz_to_ms": lambda name, t: t / 1e6,
    "qnn_suffix_to_ms": lambda name, t: t / 1000 if name.endswith(" (us)") else t,
    "qnn_cycles_1ghz_to_us": qnn_cycles,
    "vulkan_52_08": lambda name, t: t * 52.08 / 52 / 1e6 if name.startswith("{") else t / 1e6,
    "neutron_ticks_to_us": lambda name, t: t / 800.0,
}

# ---- etcore/plugin.h ------------------------------------------------------------

u32, i32, u64, i64, p = C.c_uint32, C.c_int32, C.c_uint64, C.c_int64, C.c_void_p


class Text(C.Structure):  # also used for etcore_bytes
    _fields_ = [("ptr", p), ("len", u64)]


class Event(C.Structure):
    _fields_ = [("size", u32), ("flags", u32), ("instruction_id", i64), ("delegate_id", i64),
                ("name", Text), ("delegate_name", Text), ("samples", u64), ("start", p), ("end", p),
                ("metadata", C.POINTER(Text)), ("facts", p)]


class Call(C.Structure):
    _fields_ = [("size", u32), ("count", u32), ("backend", Text), ("method", Text), ("block", Text),
                ("processed", Text), ("events", C.POINTER(C.POINTER(Event)))]


STR = C.CFUNCTYPE(i32, p, Text, Text)
I64 = C.CFUNCTYPE(i32, p, Text, i64)
F64 = C.CFUNCTYPE(i32, p, Text, C.c_double)
BOOL = C.CFUNCTYPE(i32, p, Text, i32)
NULL = C.CFUNCTYPE(i32, p, Text)
LIST = C.CFUNCTYPE(i32, p)
NUMBER_I64 = C.CFUNCTYPE(i32, p, i64)
NUMBER_F64 = C.CFUNCTYPE(i32, p, C.c_double)


class Sink(C.Structure):
    _fields_ = [("size", u32), ("reserved", u32), ("handle", p), ("str", STR), ("i64", I64),
                ("f64", F64), ("boolean", BOOL), ("null", NULL), ("json", STR), ("begin_list", LIST)]


class NumberSink(C.Structure):
    _fields_ = [("size", u32), ("reserved", u32), ("handle", p), ("i64", NUMBER_I64), ("f64", NUMBER_F64)]


PARSE = C.CFUNCTYPE(i32, p, C.POINTER(Call), u32, C.POINTER(Sink))
CONVERT = C.CFUNCTYPE(i32, p, C.POINTER(Call), u32, p, C.POINTER(u64), u64, C.POINTER(NumberSink))


class Plugin(C.Structure):
    _fields_ = [("size", u32), ("abi_major", u32), ("abi_minor", u32), ("role", u32), ("sees", u32),
                ("reserved", u32), ("name", C.c_char_p), ("version", C.c_char_p), ("vendor", C.c_char_p),
                ("description", C.c_char_p), ("backends", p), ("options", p), ("columns", p),
                ("open", p), ("close", p), ("probe", p), ("parse_metadata", PARSE),
                ("convert_time", CONVERT)]


def text(t):
    return C.string_at(t.ptr, t.len).decode("utf-8", "surrogatepass") if t.len else ""


class Answer:
    """Builds a Python value from the answer of a parse_metadata hook."""

    def __init__(self):
        self.items, self.names, self.is_list = [], [], False
        self.sink = Sink(C.sizeof(Sink), 0, None,
                         STR(lambda h, n, v: self.take(n, text(v))), I64(lambda h, n, v: self.take(n, v)),
                         F64(lambda h, n, v: self.take(n, v)), BOOL(lambda h, n, v: self.take(n, bool(v))),
                         NULL(lambda h, n: self.take(n, None)),
                         STR(lambda h, n, v: self.take(n, json.loads(text(v)))), LIST(self.begin))

    def take(self, name, value):
        self.names.append(text(name))
        self.items.append(value)
        return 0

    def begin(self, handle):
        self.is_list = True
        return 0

    def value(self):
        return self.items if self.is_list else dict(zip(self.names, self.items))


def make_call(name=b"", delegate_id=-1, blobs=()):
    texts = (Text * max(len(blobs), 1))(*[Text(C.cast(C.c_char_p(b), p), len(b)) for b in blobs])
    event = Event(size=C.sizeof(Event), flags=1, instruction_id=0, delegate_id=delegate_id,
                  delegate_name=Text(C.cast(C.c_char_p(name), p), len(name)), samples=len(blobs))
    if any(blobs):
        event.metadata = texts
    events = (C.POINTER(Event) * 1)(C.pointer(event))
    call = Call(size=C.sizeof(Call), count=1, events=events)
    call.keep = (texts, event, events, blobs, name)
    return call


def ask_parser(plugin, blobs):
    answer, call = Answer(), make_call(blobs=blobs)
    result = plugin.parse_metadata(None, C.byref(call), 0, C.byref(answer.sink))
    return answer.value() if result == 0 else ("raised", result)


def ask_converter(plugin, name, delegate_id, raw):
    out = []
    sink = NumberSink(C.sizeof(NumberSink), 0, None, NUMBER_I64(lambda h, v: out.append(v) or 0),
                      NUMBER_F64(lambda h, v: out.append(v) or 0))
    call = make_call(name=name, delegate_id=delegate_id)
    result = plugin.convert_time(None, C.byref(call), 0, None, (u64 * len(raw))(*raw), len(raw), C.byref(sink))
    return out if result == 0 else ("raised", result)


# ---- inputs ----

def python_parser(function, blobs):
    given = [b if b else "" for b in blobs] if any(blobs) else []
    try:
        return function(given) or {}
    except (AttributeError, RecursionError):
        return ("raised", -1)


def same(a, b):
    """Returns whether the values are equal in value and type; NaN equals NaN."""
    if type(a) is not type(b):
        return a in ({}, []) and b in ({}, [])  # both are empty, which the Inspector does not distinguish
    if isinstance(a, float):
        return struct.pack("d", a) == struct.pack("d", b) or (a != a and b != b)
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    return a == b


FIXED = [
    b"", b" ", b"{}", b"[]", b"null", b"5", b'"x"', b"NaN", b"{", b"}", b"[1,]", b'{"a":1,}', b'{"a" 1}', b"{,}",
    b'{"operatorName":"ios17.conv","estimatedCost":0.25,"preferredComputeUnit":"NE",'
    b'"supportedComputeUnits":["NE","CPU"],"outputNames":["x"]}',
    b'{"estimatedCost":1,"operatorName":null}', b'{"estimatedCost":-0,"operatorName":""}',
    b'{"estimatedCost":-0.0}', b'{"estimatedCost":1e400}', b'{"estimatedCost":NaN}',
    b'{"estimatedCost":-Infinity,"operatorName":false}', b'{"estimatedCost":123456789012345678901234567890}',
    b'{"estimatedCost":9223372036854775807,"operatorName":-9223372036854775808}',
    b'{"estimatedCost":9223372036854775808}', b'{"estimatedCost":5e-324}', b'{"estimatedCost":0.1e-7}',
    b'{"estimatedCost":01}', b'{"estimatedCost":1.}', b'{"estimatedCost":.5}', b'{"estimatedCost":+1}',
    b'{"estimatedCost":1e}', b'{"estimatedCost":-}', b'{"estimatedCost":-NaN}', b'{"estimatedCost":0x1}',
    b'{"operatorName":"a","operatorName":"b"}', b'{"operatorN\\u0061me":"x"}', b'{"a":1,"b":2,"a":3}',
    b'{"operatorName":"\\ud83d\\ude00 \\u00e9 \\n\\t\\"\\\\\\/"}', b'{"operatorName":"\\ud83d"}',
    b'{"operatorName":"\\ud83dx\\ude00"}', b'{"operatorName":"\\ud83d\\u0041"}', b'{"operatorName":"\\u12g4"}',
    b'{"operatorName":"\\x41"}', b'{"operatorName":"a\nb"}', b'{"operatorName":"a\x00b"}', b'{"operatorName":"\x7f"}',
    b'{"operatorName":"\xc3\xa9"}', b'{"operatorName":"\xc3"}', b'{"operatorName":"\xed\xa0\x80"}',
    b'{"operatorName":"\xf0\x9f\x98\x80"}', b'{"operatorName":"\xf5\x80\x80\x80"}', b'{"operatorName":"\xc0\x80"}',
    b'{"":1,"a":{"b":[1,{"c":null}]},"d":[true,false]}', b'{"event_name":"x"}', b'{1:2}', b'{"a":tru}', b'{"a":nul',
    b'{"a":"' + b"x" * 5000 + b'"}', b'{"a":' + b"1" * 4300 + b"}", b'{"a":' + b"1" * 4301 + b"}",
    b'{"a":-' + b"1" * 4300 + b"}", b'{"a":' + b"1" * 4301 + b".5}", b'{"a":' + b"[" * 300 + b"]" * 300 + b"}",
    b"[" * 100000, b'{"a":' * 100000, b'{"a":1}x', b'\t\r\n {"a":1}\t\r\n ', b'\x0b{"a":1}', b'\xef\xbb\xbf{"a":1}',
    b'\xef\xbb\xbf\xef\xbb\xbf{"a":1}', b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\x00\x00", b"\xef\xbb\xbf", b"\x00",
    b"\x00\x00", b"1\x00", b"\x001", b"1\x00\x00\x00", b"\x00\x00\x001", b"1\x00\x00", b"\x07", b"\xff", b"ab",
    b"\xe2\x82", b"\xe2\x28\xa1", b"\xf0\x90\x28\xbc", b"\xf0\x9f\x98", b"a\xed\xa0\x80b", b"\xf4\x90\x80\x80",
    b"\xe0\x80\x80", b"\xc2\xc2\xa9", b"\xf0\x80\x80\x80", b"\xfb\xbf\xbf\xbf\xbf", b"\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41",
]


def random_value(rng, depth=0):
    kind = rng.randrange(9 if depth < 4 else 6)
    if kind == 0:
        return rng.choice([None, True, False])
    if kind == 1:
        return rng.randrange(-10 ** rng.randrange(1, 25), 10 ** rng.randrange(1, 25))
    if kind in (2, 3):
        return rng.choice([rng.random(), rng.uniform(-1e300, 1e300), 10.0 ** rng.randrange(-320, 308), -0.0,
                           float("nan"), float("inf"), struct.unpack("d", rng.randbytes(8))[0]])
    if kind in (4, 5):
        return "".join(chr(rng.choice([rng.randrange(32, 127), rng.randrange(256), rng.randrange(0xd800),
                                       rng.randrange(0xe000, 0x110000)])) for _ in range(rng.randrange(6)))
    if kind == 6:
        return [random_value(rng, depth + 1) for _ in range(rng.randrange(4))]
    keys = [k for k, _ in COREML_KEYS] + ["a", "b", "\u00e9", "x" * 20]
    return {rng.choice(keys): random_value(rng, depth + 1) for _ in range(rng.randrange(6))}


def random_blob(rng):
    kind = rng.randrange(10)
    if kind == 0:
        return rng.randbytes(rng.randrange(12))
    value = random_value(rng) if kind == 1 else {k: random_value(rng, 1) for k in
                                                  rng.sample([k for k, _ in COREML_KEYS] + ["a", "b"], rng.randrange(7))}
    written = json.dumps(value, ensure_ascii=rng.random() < 0.5, indent=rng.choice([None, None, 1]))
    blob = written.encode(rng.choice(["utf-8"] * 6 + ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32",
                                                      "utf-32-be"]))
    if rng.random() < 0.4 and blob:  # damage it
        i = rng.randrange(len(blob))
        blob = rng.choice([blob[:i], blob[i:], blob[:i] + rng.randbytes(1) + blob[i + 1:],
                           blob[:i] + rng.choice([b",", b"}", b'"', b"\\", b"0", b" ", b"-"]) + blob[i:]])
    return blob


def check_parser(plugin, name, rng, rounds):
    function = PARSERS[name]
    questions = [[]] + [[b] for b in FIXED] + [[b"", b] for b in FIXED] + [[b, b""] for b in FIXED]
    questions += [[b"x", b"[1]", b'{"k":1}', b'{"k":2}'], [b"", b"", b""]]
    questions += [[random_blob(rng) for _ in range(rng.randrange(1, 4))] for _ in range(rounds)]
    for blobs in questions:
        want, got = python_parser(function, blobs), ask_parser(plugin, blobs)
        if not same(want, got):
            sys.exit(f"{plugin.name.decode()}: {[b[:200] for b in blobs]}\n  Python {want!r}\n  plugin {got!r}"[:3000])
    return len(questions)


NAMES = [(b"", -1), (b"x", -1), (b"RPC (us)", -1), (b"a (bytes)", -1), (b"b (count)", -1), (b"c (cycles)", -1),
         (b" (us)", -1), (b"(us)", -1), (b'{"kernel_name": "x"}', -1), (b"{", -1), (b"", 0), (b"", 12), (b"y (us)", 3)]


def check_converter(plugin, name, rng, rounds):
    function, asked = CONVERTERS[name], 0
    raw = [0, 1, 999, 1000, 2**31, 2**32 - 1, 2**53 - 1, 2**53, 2**53 + 1, 2**62, 2**63 - 1]
    raw += [rng.getrandbits(rng.randrange(1, 64)) for _ in range(rounds)]
    # Halfway between two doubles, one and two rounding steps can give different results.
    raw += [(2**53 + 2 * rng.getrandbits(50) + 1) * rng.choice([1, 2, 500, 1000]) % 2**63 for _ in range(rounds)]
    if name in ("half", "us_to_ms", "ns_to_ms", "cycles_1ghz_to_ms", "neutron_ticks_to_us", "vulkan_52_08"):
        raw += [2**63, 2**64 - 1, 2**64 - 2**10]  # other converters may return such a time as it is, which i64 cannot hold
    for delegate_name, delegate_id in NAMES:
        given = str(delegate_id) if delegate_id != -1 else delegate_name.decode()
        want = [function(given, t) for t in raw]
        got = ask_converter(plugin, delegate_name, delegate_id, raw)
        if not same(want, got):
            bad = [(t, w, g) for t, w, g in zip(raw, want, got) if not same(w, g)][:3]
            sys.exit(f"{plugin.name.decode()} of {given!r}: (ticks, Python, plugin) {bad}")
        asked += len(raw)
    return asked


def main():
    folder, coreml = sys.argv[1:3]
    rng = random.Random(20)
    files = sorted(os.path.join(folder, f) for f in os.listdir(folder) if f.endswith(".so"))
    asked, parsers, converters = 0, set(), set()
    for path in files + [coreml]:
        plugin = Plugin.in_dll(C.CDLL(path), "etcore_plugin_v1")
        name = plugin.name.decode()
        parser, converter = ("coreml_json", "ns_to_ms") if path == coreml else name.split("__")
        if path != coreml and name + ".so" != os.path.basename(path):
            sys.exit(f"{path} calls itself {name}")
        if bool(plugin.parse_metadata) != (parser != "none") or bool(plugin.convert_time) != (converter != "none"):
            sys.exit(f"{name} has not the hooks of its name")
        if parser != "none":
            asked += check_parser(plugin, parser, rng, 300 // min(SHARE, 4))
        if converter != "none":
            asked += check_converter(plugin, converter, rng, 60 // min(SHARE, 4))
        parsers.add(parser)
        converters.add(converter)
    missing = set(PARSERS) - parsers | set(CONVERTERS) - converters
    if missing:
        sys.exit(f"no plugin for {sorted(missing)}")
    print(f"{len(files) + 1} plugins, {asked} questions: equal")


if __name__ == "__main__":
    main()
