#!/usr/bin/env python3
"""bombs - makes small files that need much time or memory, and runs etcore on them.

    bombs.py --etcore build/etcore [--data tests/data] [--sanitized] [--only TEXT]

Each must end with an answer or a coded error, as the table below says, within 10 seconds and
within the memory that its size justifies: an analysis may use 64 MiB plus 40 bytes per
byte of input, in addition to the mapped file. The files
are in a temporary folder and are not kept. Standard library only.
"""
import argparse
import io
import json
import os
import re
import resource
import struct
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from share import some  # noqa: E402

MIB = 1 << 20
SECONDS = 10
PROGRAM = 40 * MIB  # memory of the program, its libraries and plugins


# ---- ETDumps ------------------------------------------------------------------------


class Dump:
    """Builds a FlatBuffer from front to back: a table precedes the tables it points to, and follows its vtable."""

    FIELDS = {"dump": [4, 4], "run": [4, 4, 4, 4], "event": [4, 4, 4], "profile": [4, 4, 4, 4, 4, 4, 8, 8],
              "debug": [8, 4, 4, 4, 4, 4], "value": [1, 4, 4, 4, 4, 4, 4, 4], "tensor": [1, 4, 4, 8]}

    def __init__(self):
        self.b = bytearray(12)
        self.b[8:12] = b"ED00"
        self.layouts = {}

    def table(self, name, **fields):
        """Adds a table. Fields f0=… are scalars, or None for an offset that link() fills. Returns (position, positions of
        the fields)."""
        widths, key = self.FIELDS[name], (name, tuple(sorted(fields)))
        if key not in self.layouts:
            at, slots = 4, []
            for i, width in enumerate(widths):
                slots.append(at if f"f{i}" in fields else 0)
                at += width if f"f{i}" in fields else 0
            self.layouts[key] = (len(self.b), at, slots)
            self.b += struct.pack(f"<{2 + len(slots)}H", 4 + 2 * len(slots), at, *slots)
        vtable, size, slots = self.layouts[key]
        t = len(self.b)
        self.b += struct.pack("<i", t - vtable) + bytes(size - 4)
        for f, v in fields.items():
            i = int(f[1:])
            if v is not None:
                self.b[t + slots[i]:t + slots[i] + widths[i]] = int(v).to_bytes(widths[i], "little", signed=v < 0)
        return t, {int(f[1:]): t + slots[int(f[1:])] for f in fields}

    def link(self, place, to=None):
        struct.pack_into("<I", self.b, place, (len(self.b) if to is None else to) - place)

    def string(self, place, text):
        self.link(place)
        self.b += struct.pack("<I", len(text)) + text + b"\0"

    def vector(self, place, count):
        self.link(place)
        self.b += struct.pack("<I", count)
        at = len(self.b)
        self.b += bytes(4 * count)
        return at

    def longs(self, place, values):
        self.link(place)
        self.b += struct.pack(f"<I{len(values)}q", len(values), *values)

    def begin(self, runs):
        self.b += bytes(4)  # four more bytes, so that the root's offset, which is unsigned, points forward
        root, at = self.table("dump", f1=None)
        struct.pack_into("<I", self.b, 4, root - 4)
        return self.vector(at[1], runs)

    def run(self, place, events, name=b"forward"):
        run, at = self.table("run", f0=None, f3=None)
        self.link(place, run)
        self.string(at[0], name)
        return self.vector(at[3], events)

    def event(self, place, name, start=1, end=2):
        event, at = self.table("event", f0=None)
        self.link(place, event)
        profile, inner = self.table("profile", f0=None, f2=0, f6=start, f7=end)
        self.link(at[0], profile)
        self.string(inner[0], name)
        return event

    def finish(self):
        struct.pack_into("<I", self.b, 0, len(self.b) - 4)
        return bytes(self.b)


def share(d, vector, count, to):
    struct.pack_into(f"<{count}I", d.b, vector, *[to - (vector + 4 * i) for i in range(count)])


def many_names(n=100_000):
    d = Dump()
    events = d.run(d.begin(1), n)
    for i in range(n):
        d.event(events + 4 * i, b"%06d_a_name_of_its_own" % i, i, i + 1)
    return d.finish()


def detached_names(n):
    """Makes n events inside of the run and n after its end, which are detached; each has a name of its own."""
    d = Dump()
    events = d.run(d.begin(1), 2 * n + 1)
    d.event(events, b"Method::execute", 0, 2 * n)
    for i in range(2 * n):
        start = 2 * i + (i >= n)
        d.event(events + 4 * (1 + i), b"%06d" % i, start, start + 1)
    return d.finish()


def one_event(n):
    """Makes a run with n events that are all the same table."""
    d = Dump()
    events = d.run(d.begin(1), n)
    share_to = d.event(events, b"Method::execute")
    # Offsets only point forward, so the event is placed after the vector.
    share(d, events, n, share_to)
    return d.finish()


def one_run(runs, n):
    """Makes runs that share one table, with events that share one table."""
    d = Dump()
    vector = d.begin(runs)
    events = d.run(vector, n)
    run = vector + struct.unpack_from("<I", d.b, vector)[0]
    share(d, vector, runs, run)
    share(d, events, n, d.event(events, b"Method::execute"))
    return d.finish()


def one_target(n, field, target, **others):
    """Makes n separate events that share one text or metadata vector: field number `field` of their profile."""
    d = Dump()
    events = d.run(d.begin(1), n)
    places = []
    for i in range(n):
        event, at = d.table("event", f0=None)
        d.link(events + 4 * i, event)
        profile, inner = d.table("profile", **{f"f{field}": None}, **others, f6=1, f7=2)
        d.link(at[0], profile)
        if "f0" in others:
            d.string(inner[0], b"e%d" % (i % 3))
        places.append(inner[field])
    there = len(d.b)
    d.b += struct.pack("<I", len(target)) + target + b"\0"
    for p in places:
        d.link(p, there)
    return d.finish()


def one_name(n, length):
    return one_target(n, 0, b"n" * length)


def one_metadata(n, length):
    return one_target(n, 5, bytes(length), f0=None)


def tensor(sizes, strides, offset=0):
    d = Dump()
    events = d.run(d.begin(1), 2)
    d.event(events, b"Method::execute")
    event, at = d.table("event", f2=None)
    d.link(events + 4, event)
    debug, inner = d.table("debug", f0=0, f1=1, f2=None, f5=None)
    d.link(at[2], debug)
    d.string(inner[5], b"logged")
    value, of_value = d.table("value", f0=5, f1=None)
    d.link(inner[2], value)
    t, of_tensor = d.table("tensor", f0=6, f1=None, f2=None, f3=offset)
    d.link(of_value[1], t)
    d.longs(of_tensor[1], sizes)
    d.longs(of_tensor[2], strides)
    return d.finish()


def event_count(count):
    d = Dump()
    events = d.run(d.begin(1), 1)
    d.event(events, b"Method::execute")
    out = bytearray(d.finish())
    struct.pack_into("<I", out, events - 4, count)
    return bytes(out)


# ---- archives -----------------------------------------------------------------------


class Zip:
    def __init__(self):
        self.b, self.directory, self.count = bytearray(), bytearray(), 0

    def put(self, name, packed, size=None, crc=None, method=0, at=None):
        """Adds an entry. `at`: position of an earlier entry whose bytes this entry shares."""
        size = len(packed) if size is None else size
        crc = zlib.crc32(packed) if crc is None else crc
        common = struct.pack("<HHHHHIIIHH", 20, 0, method, 0, 33, crc, len(packed), size, len(name), 0)
        if at is None:
            at = len(self.b)
            self.b += b"PK\3\4" + common + name + packed
        self.directory += b"PK\1\2\x14\0" + common + struct.pack("<HHHII", 0, 0, 0, 0, at) + name
        self.count += 1
        return at

    def finish(self):
        at, count = len(self.b), self.count
        self.b += self.directory
        if count > 0xfffe:
            end = len(self.b)
            self.b += b"PK\6\6" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, count, count, len(self.directory), at)
            self.b += b"PK\6\7" + struct.pack("<IQI", 0, end, 1)
            count = 0xffff
        self.b += b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, count, count, len(self.directory), at, 0)
        return bytes(self.b)


def deflated(byte, size):
    """Deflates `size` bytes of one value to a thousandth, by repeating a compressed piece of 16 MiB. Returns (packed bytes,
    size, crc)."""
    piece = byte * min(size, 16 * MIB)
    z = zlib.compressobj(9, zlib.DEFLATED, -15)
    first = z.compress(piece) + z.flush(zlib.Z_FULL_FLUSH)
    times, crc = size // len(piece), 0
    for _ in range(times):
        crc = zlib.crc32(piece, crc)
    end = zlib.compressobj(9, zlib.DEFLATED, -15)
    return first * times + end.flush(), times * len(piece), crc


MAPS = {b"debug_handle_map": b'{"forward": {"0": 1}}', b"delegate_map": b"{}",
        b"instruction_id_to_num_outs_map": b'{"forward": {"0": 1}}'}


def record(**bombs):
    """Makes a record with the maps; `bombs` {name: (packed, size, crc)} replaces or adds entries."""
    z = Zip()
    z.put(b"ETRECORD_V0", b"")
    for name, text in MAPS.items():
        if name.decode() not in bombs:
            z.put(name, text)
    for name, (packed, size, crc) in bombs.items():
        z.put(name.encode(), packed, size, crc, 8)
    return z.finish()


def many_entries(n):
    z = Zip()
    z.put(b"ETRECORD_V0", b"")
    for name, text in MAPS.items():
        z.put(name, text)
    for i in range(n):
        z.put(b"e%d" % i, b"")
    return z.finish()


def overlapping(n):
    """Makes a record with n graphs that all refer to the same deflated megabyte."""
    z = Zip()
    z.put(b"ETRECORD_V0", b"")
    for name, text in MAPS.items():
        z.put(name, text)
    packed, size, crc = deflated(b" ", MIB)
    at = z.put(b"edge_dialect_exported_program/m00000", packed, size, crc, 8)
    for i in range(1, n):
        z.put(b"edge_dialect_exported_program/m%05d" % i, packed, size, crc, 8, at)
    return z.finish()


def many_graphs(n):
    """Makes a record with n separate graphs, each of which packs to a thousandth of its size."""
    z = Zip()
    z.put(b"ETRECORD_V0", b"")
    for name, text in MAPS.items():
        z.put(name, text)
    packed, size, crc = deflated(b" ", 16 * MIB)
    for i in range(n):
        z.put(b"edge_dialect_exported_program/m%05d" % i, packed, size, crc, 8)
    return z.finish()


def lying(size):
    return record(debug_handle_map=(zlib.compress(b'{"forward": {}}', 9)[2:-4], size, 0))


def deep(depth, inside=b""):
    text = b"[" * depth + inside + b"]" * depth
    z = Zip()
    z.put(b"ETRECORD_V0", b"")
    for name, t in MAPS.items():
        z.put(name, b'{"forward": {"0": ' + text + b"}}" if name == b"debug_handle_map" else t)
    return z.finish()


def deep_graph(depth):
    z = Zip()
    z.put(b"ETRECORD_V0", b"")
    for name, t in MAPS.items():
        z.put(name, t)
    z.put(b"edge_dialect_exported_program/forward", b'{"graph_module": {"graph": {"nodes": ' + b'[{"inputs":' * depth)
    return z.finish()


def torch_archive(pickle):
    z = Zip()
    z.put(b"archive/data.pkl", pickle)
    z.put(b"archive/version", b"3\n")
    return z.finish()


def values(pickle):
    z = Zip()
    z.put(b"ETRECORD_V0", b"")
    for name, t in MAPS.items():
        z.put(name, t)
    z.put(b"reference_outputs", torch_archive(pickle))
    return z.finish()


DYNAMIC = os.path.join("tests", "data", "work", "dynamic_sizes")


def program_of_inputs(n):
    """A real program whose method lists its first input n times, at the end of the FlatBuffer."""
    with open(os.path.join(DYNAMIC, "model.pte"), "rb") as f:
        d = bytearray(f.read())
    segments = struct.unpack_from("<Q", d, 24)[0]

    def at(place):
        return place + struct.unpack_from("<I", d, place)[0]

    def field(table, number):
        names = table - struct.unpack_from("<i", d, table)[0]
        return table + struct.unpack_from("<H", d, names + 4 + 2 * number)[0]

    inputs = field(at(at(field(at(0), 1)) + 4), 3)
    first = d[at(inputs) + 4:at(inputs) + 8]
    head = d[:struct.unpack_from("<Q", d, 16)[0]]
    head += bytes(-len(head) % 8)
    struct.pack_into("<I", head, inputs, len(head) - inputs)
    head += struct.pack("<I", n) + first * n
    head += bytes(-len(head) % 64)
    struct.pack_into("<QQ", head, 16, len(head), len(head))
    return bytes(head + d[segments:])


def record_of_inputs(n, expression):
    """A real record that lists its first input n times; its dynamic size is the expression."""
    out = io.BytesIO()
    with zipfile.ZipFile(os.path.join(DYNAMIC, "model.etrecord")) as a, zipfile.ZipFile(out, "w") as b:
        for name in a.namelist():
            text = a.read(name)
            if name == "edge_dialect_exported_program/forward":
                whole = json.loads(text)
                specs = whole["graph_module"]["signature"]["input_specs"]
                one = next(s for s in specs if "user_input" in s)
                specs += [one] * (n - 1)
                tensor_name = one["user_input"]["arg"]["as_tensor"]["name"]
                for size in whole["graph_module"]["graph"]["tensor_values"][tensor_name]["sizes"]:
                    if "as_expr" in size:
                        size["as_expr"]["expr_str"] = expression
                text = json.dumps(whole)
            b.writestr(name, text)
    return out.getvalue()


def doubling(times):
    """Makes a pickle of a list that contains the previous list twice, and so on: 2^times values in a few bytes."""
    out = b"\x80\x02]q\0"
    for i in range(times):
        out += b"]q" + bytes([i + 1]) + b"(h" + bytes([i]) + b"h" + bytes([i]) + b"e"
    return out + b"."


# ---- table of the files, commands and expected results ----

ANSWER, EITHER = "answer", "either"


def bombs():
    """Yields (name, {file: function that makes it}, arguments, expected result: a code, "coded", ANSWER or EITHER)."""
    def good():
        return tensor([2], [1])

    def bomb(**entries):
        return lambda: record(**{name: deflated(b" ", 1 << 30) for name in entries})

    analyze, dump = ["analyze", "--no-siblings"], ["dump", "-o", "json"]
    yield "names_1e5", {"a.etdump": many_names}, [*analyze, "a.etdump"], ANSWER
    yield "names_3e4_of_detached_events", {"a.etdump": lambda: detached_names(30_000)}, ["summary", "--no-siblings", "a.etdump"], ANSWER
    yield "events_1e6_are_one", {"a.etdump": lambda: one_event(1_000_000)}, [*analyze, "a.etdump"], EITHER
    yield "events_2e6_are_one", {"a.etdump": lambda: one_event(2_000_000)}, [*analyze, "a.etdump"], "E0206"
    shared = lambda: one_run(100_000, 100_000)  # noqa: E731
    yield "runs_1e5_x_1e5_are_one", {"a.etdump": shared}, [*analyze, "a.etdump"], "E0206"
    yield "runs_1e5_x_1e5_dump", {"a.etdump": shared}, [*dump, "a.etdump"], "E0206"
    yield "runs_1e3_x_1e3_are_one", {"a.etdump": lambda: one_run(1000, 1000)}, [*analyze, "a.etdump"], EITHER
    yield "names_1e5_are_one_megabyte", {"a.etdump": lambda: one_name(100_000, MIB)}, [*analyze, "a.etdump"], "E0206"
    yield "metadata_1e5_are_one_megabyte", {"a.etdump": lambda: one_metadata(100_000, MIB)}, [*analyze, "a.etdump"], EITHER
    yield "metadata_1e5_dump", {"a.etdump": lambda: one_metadata(100_000, MIB)}, [*dump, "a.etdump"], "E0206"
    yield "event_count_4e9", {"a.etdump": lambda: event_count(0xffffffff)}, [*analyze, "a.etdump"], "E0205"
    huge = lambda: tensor([1 << 40], [0])  # noqa: E731
    for more in (["numeric", "values"], ["numeric", "values", "--sha256"], ["numeric", "values", "--contents", "9"],
                 ["inspector", "--etdump_path"]):
        words = [*more, "a.etdump"] if more[0] == "inspector" else [*more, "a.etdump", "-b", "a.dbg"]
        yield f"tensor_2^40_in_4_bytes {' '.join(more)}", {"a.etdump": huge, "a.dbg": lambda: bytes(8)}, words, EITHER
    yield "tensor_rank_1e5", {"a.etdump": lambda: tensor([1] * 100_000, [1] * 100_000), "a.dbg": lambda: bytes(8)}, \
        ["numeric", "values", "a.etdump", "-b", "a.dbg"], EITHER
    joined = [*analyze, "a.etdump", "-r", "a.etrecord"]
    yield "record_map_of_1_GB", {"a.etdump": good, "a.etrecord": bomb(debug_handle_map=1)}, \
        joined, "E0407"
    yield "record_unread_entry_of_1_GB", {"a.etdump": good, "a.etrecord": bomb(exported_program=1)}, \
        joined, ANSWER
    for n in (1000, 70_000):
        yield f"record_of_{n}_entries", {"a.etdump": good, "a.etrecord": lambda n=n: many_entries(n)}, joined, ANSWER
    for words, what in ((joined, EITHER), (["dump", "a.etrecord"], EITHER)):
        yield f"record_of_5000_graphs_in_one_place {words[0]}", \
            {"a.etdump": good, "a.etrecord": lambda: overlapping(5000)}, words, what
        yield f"record_of_500_graphs_of_16_MB {words[0]}", \
            {"a.etdump": good, "a.etrecord": lambda: many_graphs(500)}, words, what
    for size in (0xfffffffe, 1 << 31, 100):
        yield f"record_map_said_to_have_{size}", {"a.etdump": good, "a.etrecord": lambda size=size: lying(size)}, joined, "coded"
    yield "record_map_1e6_deep", {"a.etdump": good, "a.etrecord": lambda: deep(1_000_000)}, joined, "E0408"
    yield "record_graph_1e6_deep", {"a.etdump": good, "a.etrecord": lambda: deep_graph(1_000_000)}, [*joined, "--by", "op"], EITHER
    yield "pickle_1e6_deep", {"a.etrecord": lambda: values(b"\x80\x02" + b"(" * 10 + b")" + b"\x85" * 1_000_000 + b".")}, \
        ["dump", "a.etrecord"], EITHER
    yield "pickle_2^40_values", {"a.etrecord": lambda: values(doubling(40))}, ["dump", "a.etrecord"], EITHER
    yield "pickle_2^40_values_json", {"a.etrecord": lambda: values(doubling(40))}, ["dump", "-o", "json", "a.etrecord"], EITHER
    ini = lambda: b"[etcore]\n" + b"; a comment that goes on and on\n" * (100 * MIB // 32)  # noqa: E731
    yield "ini_of_100_MB", {"a.ini": ini, "a.etdump": good}, [*analyze, "a.etdump", "-c", "a.ini"], "E0520"
    yield "ini_line_of_900_KB", {"a.ini": lambda: b"[etcore]\nplugins = " + b"a" * 900_000, "a.etdump": good}, \
        [*analyze, "a.etdump", "-c", "a.ini"], "coded"
    yield "ini_of_1e5_sections", {"a.ini": lambda: b"".join(b"[plugin.p%d]\n" % i for i in range(60_000)), "a.etdump": good}, \
        [*analyze, "a.etdump", "-c", "a.ini"], EITHER
    yield "log_of_100_MB", {"a.log": lambda: b"I 00:00:00.000000 executorch:x.cpp:1] nothing\n" * (100 * MIB // 46)}, \
        [*analyze, "a.log"], "coded"
    yield "inputs_3e4_of_an_expression_of_3e4_terms", \
        {"m.pte": lambda: program_of_inputs(30_000), "m.etrecord": lambda: record_of_inputs(30_000, "s77" + "+0*s77" * 30_000)}, \
        ["doctor", "m.pte", "m.etrecord"], ANSWER
    yield "pattern", {"a.etdump": good}, [*analyze, "a.etdump", "--where", "name ~ ((((a{255}){255}){255}){255})"], EITHER


def make(folder, files):
    """Makes the files in a separate process, because the memory of this process would count as its children's peak.
    Returns the number of bytes."""
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            for name, content in files.items():
                with open(os.path.join(folder, name), "wb") as o:
                    o.write(content())
            status = 0
        finally:
            os._exit(status)
    if os.waitpid(pid, 0)[1]:
        raise SystemExit("bombs: a file could not be made")
    return sum(os.path.getsize(os.path.join(folder, f)) for f in files)


def usage(etcore, arguments, folder, bounded):
    """Runs etcore. Returns (status, stdout, stderr, seconds, peak bytes)."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
        if bounded:
            resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))

    out, err = os.path.join(folder, ".out"), os.path.join(folder, ".err")
    start = time.monotonic()
    with open(out, "wb") as o, open(err, "wb") as e:
        p = subprocess.Popen([etcore, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=o, stderr=e,
                             env={"LC_ALL": "C", "HOME": "/nonexistent"}, preexec_fn=limit)
        _, status, used = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.monotonic() - start
    cpu = used.ru_utime + used.ru_stime
    with open(out, "rb") as o, open(err, "rb") as e:
        said = e.read().decode("utf-8", "replace")
        answer = os.fstat(o.fileno()).st_size
    return p.returncode, answer, said, min(seconds, cpu + 0.1), used.ru_maxrss * 1024


def judge(want, status, answer, err, seconds, peak, size, sanitized):
    coded = re.search(r"error\[(E\d{4})\]", err)
    if status < 0 or status >= 128:
        return f"ended by signal or crash: status {status}: {err[-300:]}"
    if status == 0 and not answer:
        return "status 0 without an answer"
    if status and not coded:
        return f"status {status} without a code: {err[:200]!r}"
    if want == ANSWER and status:
        return f"refused: {err[:200]!r}"
    if want == "coded" and not status:
        return "was answered"
    if want.startswith("E") and not (coded and coded.group(1) == want):
        return f"{want} was due: status {status}, {err[:200]!r}"
    if status == 7 and not re.search(r"\d", err.split("\n")[0].split("]: ", 1)[-1]):
        return f"does not state the limit: {err[:200]!r}"
    if sanitized:
        return None
    if seconds > SECONDS:
        return f"took {seconds:.1f} s"
    # allows for the mapped files, the budget of an analysis, and the program
    if peak > PROGRAM + size + 64 * MIB + 8 * size + min(32 * size, 2048 * MIB):
        return f"took {peak / MIB:.0f} MiB for {size / MIB:.1f} MiB of files"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--etcore", default="build/etcore")
    parser.add_argument("--sanitized", action="store_true", help="neither time nor memory are those of etcore")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--only")
    options = parser.parse_args()
    etcore, good, bad, slowest, largest = os.path.abspath(options.etcore), 0, 0, (0, ""), (0, "")
    for name, files, arguments, want in [b for b in bombs() if options.only in b[0]] if options.only else some(bombs(), 6):
        with tempfile.TemporaryDirectory() as folder:
            size = make(folder, files)
            result = usage(etcore, arguments, folder, not options.sanitized)
        problem = judge(want, *result, size, options.sanitized)
        status, answer, err, seconds, peak = result
        slowest, largest = max(slowest, (seconds, name)), max(largest, (peak, name))
        if options.verbose or problem:
            first = err.strip().split("\n")[0][:150]
            print(f"{name}: {size / MIB:.1f} MiB, status {status}, {seconds:.2f} s, {peak / MIB:.0f} MiB, {first}")
        if problem:
            print(f"wrong: {name}: {problem}", file=sys.stderr)
        bad += problem is not None
        good += problem is None
    print(f"bombs: {good} right, {bad} wrong; slowest {slowest[0]:.1f} s ({slowest[1]}), "
          f"largest {largest[0] / MIB:.0f} MiB ({largest[1]})")
    return 1 if bad or not good else 0


if __name__ == "__main__":
    sys.exit(main())
