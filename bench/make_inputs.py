#!/usr/bin/env python3
"""make_inputs - makes ETDumps and ETRecords of any size for the benchmark.

    make_inputs.py etdump OUT [--events N] [--runs N] [--delegate-events N] [--xnnpack] [--seed N] [--again N]
                          [--times noise|constant|two|rising|falling] [--names drawn|equal|different]
    make_inputs.py etrecord TEMPLATE OUT [--weights-mb N] [--nodes N]
    make_inputs.py flat OUT [--events N] [--runs N] [--names N|collide] [--seed N]      (make_flat.py)
    make_inputs.py values OUT [--type float32|float16|int8] [--mb N]

An ETDump has the runtime's layout: one Default run, then RUNS runs of one
event list with EVENTS profile events each: native_call_<op> inside OPERATOR_CALL,
a delegate's events inside a DELEGATE_CALL, Method::execute last. Delegates alternate between XNNPACK (with names) and
one with numeric ids and metadata; with --xnnpack all are XNNPACK. All tables of a kind
share a vtable, every event has its own strings. --again makes another recording of the same program. --times determines how
the runs differ, --names whether kernel names are drawn from a list, all equal or all different. An ETRecord is the template
with enlarged weight entries, or with graphs of N nodes, one for each
instruction, every node with its own module and source line. Values are a
dump of logged tensors of 16 MB each, and its debug buffer (OUT with ".bin" for ".etdump")
of normally distributed numbers. The same options give the same bytes. Needs numpy.
"""
import argparse
import io
import json
import os
import shutil
import struct
import sys
import tempfile
import zipfile

import numpy as np

from make_flat import make_flat

# {table: (size, offset of each slot)}
VTABLES = {
    "ETDump": (8, [0, 4]),
    "RunData": (12, [4, 0, 0, 8]),
    "Event": (8, [4]),
    "framework": (32, [28, 20, 24, 0, 0, 0, 4, 12]),
    "named": (28, [24, 0, 20, 0, 0, 0, 4, 12]),
    "delegate": (32, [0, 0, 20, 0, 24, 28, 4, 12]),
    "numbered": (32, [0, 0, 20, 24, 0, 28, 4, 12]),
}
NAMES = list(VTABLES)
OPERATORS = ("convolution.out add.out mul.out addmm.out bmm.out gelu.out _softmax.out native_layer_norm.out "
             "permute_copy.out view_copy.out cat.out mean.out slice_copy.Tensor_out sigmoid.out").split()
KERNELS = ("Convolution (NHWC, F32) IGEMM", "Fully Connected (NC, F32) GEMM", "Transpose (ND, X32)", "Add (ND)",
           "Softmax (NC, F32)", "Convolution (NHWC, F32) DWConv", "Multiply (ND)")


def plan(events, delegate_events, xnnpack, rng):
    """Plans one run. Returns (kind, instruction, text or (id, metadata), first and last segment) of each event in file
    order, and the mean length of each segment in ns."""
    rows, segments, calls, left, delegates = [], [100.0], 0, events - 1, 0
    while left > 0:
        begin, instruction = len(segments) - 1, calls
        calls += 1
        segments.append(150.0)
        if (xnnpack or calls % 10 == 1) and left > delegate_events:
            seen, delegates = {}, delegates + 1
            for number in range(delegate_events):
                kernel = KERNELS[int(rng.integers(len(KERNELS)))]
                seen[kernel] = seen.get(kernel, 0) + 1
                segments.append(float(rng.lognormal(9, 1.3)))
                what = (("delegate", instruction, f"{kernel} #{seen[kernel]}") if xnnpack or delegates % 2 else
                        ("numbered", instruction, (number, f'{{"shader": "k{number}", "wg": [64, {number}, 1]}}')))
                rows.append((*what, len(segments) - 2, len(segments) - 1))
            rows.append(("named", instruction, "DELEGATE_CALL", begin, len(segments) - 1))
            left -= delegate_events + 1
        elif left >= 2:
            segments.append(float(rng.lognormal(9.5, 1.5)))
            op = OPERATORS[int(rng.integers(len(OPERATORS)))]
            rows.append(("named", instruction, "native_call_" + op, len(segments) - 2, len(segments) - 1))
            segments.append(120.0)
            rows.append(("named", instruction, "OPERATOR_CALL", begin, len(segments) - 1))
            left -= 2
        else:
            rows.append(("named", instruction, "MOVE_CALL", begin, len(segments) - 1))
            left -= 1
    rows.append(("framework", 0, "Method::execute", 0, len(segments) - 1))
    return rows, np.array(segments)


class Image:
    """The bytes of one run. Tables point to vtables elsewhere in the file, so place() patches their offsets."""

    def __init__(self, name, rows):
        self.bytes, self.tables, self.times = bytearray(4), [], []
        vector = self.table("RunData", 8)
        events = len(self.bytes)
        self.pack("<I", len(rows))
        self.bytes += bytes(4 * len(rows))
        self.offset(vector + 8, events)
        while len(self.bytes) % 8 != 4:
            self.bytes += bytes(4)
        for i, (kind, instruction, text, _, _) in reversed(list(enumerate(rows))):
            self.offset(events + 4 + 4 * i, len(self.bytes))
            at = self.table("Event", 4)
            self.offset(at + 4, len(self.bytes))
            self.event(kind, instruction, text)
        self.times.reverse()
        self.offset(vector + 4, self.string(name))
        while len(self.bytes) % 8:
            self.bytes += bytes(1)
        self.array = np.frombuffer(bytes(self.bytes), np.uint8)
        self.where = np.array([p for p, _ in self.tables])
        self.vtable = np.array([NAMES.index(v) for _, v in self.tables])
        self.start = np.array(self.times) // 8

    def pack(self, form, *values):
        self.bytes += struct.pack(form, *values)

    def offset(self, at, to):
        struct.pack_into("<I", self.bytes, at, to - at)

    def table(self, name, size):
        at = len(self.bytes)
        self.tables.append((at, name))
        self.bytes += bytes(4 + size)
        return at

    def string(self, text):
        at = len(self.bytes)
        self.pack("<I", len(text))
        self.bytes += text.encode() + bytes(1)
        self.bytes += bytes(-len(self.bytes) % 4)
        return at

    def event(self, kind, instruction, text):
        size = VTABLES[kind][0]
        at = self.table(kind, size - 4)
        self.times.append(at + 4)
        if kind == "framework":
            struct.pack_into("<iI", self.bytes, at + 20, -1, instruction)
            self.offset(at + 28, self.string(text))
        elif kind == "named":
            struct.pack_into("<I", self.bytes, at + 20, instruction)
            self.offset(at + 24, self.string(text))
        elif kind == "delegate":
            struct.pack_into("<I", self.bytes, at + 20, instruction)
            self.offset(at + 28, len(self.bytes))
            self.pack("<I", 0)
            self.offset(at + 24, self.string(text))
        else:
            number, metadata = text
            struct.pack_into("<II", self.bytes, at + 20, instruction, number)
            self.offset(at + 28, self.string(metadata))
        while len(self.bytes) % 8 != 4:
            self.bytes += bytes(4)

    def place(self, out, at, vtables, start, end):
        """Writes one copy of the run per row of the times `start` and `end`."""
        rows = len(start)
        a = np.tile(self.array, (rows, 1))
        tables = at + len(self.array) * np.arange(rows)[:, None] + self.where[None, :]
        a.view("<i4")[:, self.where // 4] = tables - vtables[self.vtable][None, :]
        v = a.view("<u8")
        v[:, self.start], v[:, self.start + 1] = start, end
        a.tofile(out)


def factors(times, rng, done, count, runs, width):
    """Returns the factors on the mean length of each segment, for `count` runs from run `done` on."""
    slope = .9 + .2 * np.arange(done, done + count)[:, None] / max(1, runs - 1)
    if times == "noise":
        return rng.gamma(100, .01, (count, width))
    if times == "two":
        return 1 + .1 * rng.integers(0, 2, (count, width))
    return np.ones((count, 1)) if times == "constant" else slope if times == "rising" else 2 - slope


def rename(rows, names):
    """Yields the rows with kernel names replaced according to `names`."""
    for i, (kind, instruction, text, *segments) in enumerate(rows):
        if isinstance(text, str) and text.startswith("native_call_") and names != "drawn":
            text = "native_call_same.out" if names == "equal" else f"native_call_op{i}.out"
        yield (kind, instruction, text, *segments)


def make_etdump(path, events, runs, delegate_events, xnnpack, seed, again, times, names):
    rng = np.random.default_rng(seed)
    rows, segments = plan(events, delegate_events, xnnpack, rng)
    rows = list(rename(rows, names))
    rng = np.random.default_rng([seed, again]) if again else rng
    image = Image("Execute", rows)
    load = Image("Default", [("framework", 0, "Method::init", 0, 0), ("framework", 0, "Program::load_method", 0, 0)])
    head = 24 + 4 + 4 * (runs + 1)
    head += -head % 8
    end = head + len(load.array) + runs * len(image.array)
    packed, where = b"", []
    for size, slots in VTABLES.values():
        where.append(end + len(packed))
        packed += struct.pack(f"<{2 + len(slots)}H", 4 + 2 * len(slots), size, *slots)
    vtables, total = np.array(where, np.int64), end + len(packed)
    if total >= 1 << 31:
        sys.exit("make_inputs: a FlatBuffers file ends at 2 GiB")
    header = np.zeros(head // 4, "<u4")
    header[:8] = [total - 4, 12, struct.unpack("<I", b"ED00")[0], 0, (16 - where[0]) & 0xFFFFFFFF, 4, runs + 1, 0]
    roots = head + 4 + np.concatenate([[0], len(load.array) + len(image.array) * np.arange(runs)])
    header[7:7 + runs + 1] = roots - 4 * (7 + np.arange(runs + 1))
    first, last = (np.array([r[k] for r in rows]) for k in (3, 4))
    delegated = np.array([r[0] == "delegate" for r in rows])  # marks XNNPACK's events
    with open(path, "wb") as out:
        header.tofile(out)
        load.place(out, head, vtables, np.array([[2000900, 2000000]], np.uint64), np.array([[2407875, 2409790]], np.uint64))
        at, clock, batch = head + len(load.array), 3_000_000, max(1, (64 << 20) // len(image.array))
        for done in range(0, runs, batch):
            n = min(batch, runs - done)
            line = np.cumsum((segments * factors(times, rng, done, n, runs, len(segments))).astype(np.int64), axis=1)
            line += clock + np.concatenate([[0], np.cumsum(line[:-1, -1] + 5000)])[:, None]
            clock = int(line[-1, -1]) + 5000
            begin, finish = line[:, first], line[:, last]
            whole = (finish - begin) // 1000 * 1000          # XNNPACK counts whole microseconds
            finish = np.where(delegated[None, :], begin + whole, finish)
            image.place(out, at, vtables, begin.astype(np.uint64), finish.astype(np.uint64))
            at += n * len(image.array)
        out.write(packed)


def grow_graph(data, nodes):
    """Returns the graph extended to `nodes` nodes by copies, each of which uses the node before it."""
    program = json.loads(data)
    graph = program["graph_module"]["graph"]
    kinds = [n for n in graph["nodes"] if n["metadata"].get("debug_handle")] or graph["nodes"]
    for i in range(len(graph["nodes"]), nodes):
        node = json.loads(json.dumps(kinds[i % len(kinds)]))
        name = node["name"] = f"{node['name']}_{i}"
        node["outputs"] = [{"as_tensor": {"name": name}}]
        graph["tensor_values"][name] = next(iter(graph["tensor_values"].values()))
        node["metadata"]["debug_handle"] = str(i)
        node["metadata"]["stack_trace"] = "".join(
            f'  File "model/part_{frame}.py", line {i}, in forward\n    x = self.layer_{i}(x)\n' for frame in range(3))
        node["metadata"]["nn_module_stack"] = f"L__self__,,__main__.Net;L__self__layers.{i},layers.{i},__main__.Layer"
        graph["nodes"].append(node)
    return json.dumps(program).encode()


def grow_maps(name, data, nodes):
    if name == "debug_handle_map":
        return json.dumps({"forward": {str(i): i for i in range(nodes)}}).encode()
    if name == "delegate_map":
        return json.dumps({"forward": {str(i): {"name": "XnnpackBackend", "delegate_map": {}}
                                       for i in range(nodes)}}).encode()
    if name == "instruction_id_to_num_outs_map":
        return json.dumps({"forward": {str(i): 1 for i in range(nodes)}}).encode()
    return data


class Sparse(io.FileIO):
    """A file in which blocks of zeros are written as holes, which use no disk space."""

    def write(self, data):
        if len(data) >= 1 << 16 and not np.frombuffer(data, np.uint8).any():
            self.truncate(max(self.tell() + len(data), os.fstat(self.fileno()).st_size))
            self.seek(len(data), os.SEEK_CUR)
            return len(data)
        return super().write(data)


def add_weights(data, halves, entry):
    """Returns the torch archive with an additional, unreferenced storage of `halves` times 0.5 MB."""
    with tempfile.TemporaryDirectory() as folder, Sparse(os.path.join(folder, "weights"), "w+") as room:
        room.write(data)
        with zipfile.ZipFile(room, "a") as archive:
            top = archive.namelist()[0].split("/")[0]
            info = zipfile.ZipInfo(f"{top}/data/weights", (1980, 1, 1, 0, 0, 0))
            with archive.open(info, "w", force_zip64=True) as storage:
                for _ in range(halves):
                    storage.write(bytes(1 << 19))
        room.seek(0)
        shutil.copyfileobj(room, entry, 1 << 20)


def make_etrecord(template, path, megabytes, nodes):
    with zipfile.ZipFile(template) as source, Sparse(path, "w+") as file, zipfile.ZipFile(file, "w") as out:
        for name in source.namelist():
            data = source.read(name)
            if nodes and name in ("exported_program", "edge_dialect_exported_program/forward"):
                data = grow_graph(data, nodes)
            elif nodes:
                data = grow_maps(name, data, nodes)
            with out.open(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), "w", force_zip64=True) as entry:
                if megabytes and name.endswith("_state_dict"):
                    add_weights(data, megabytes, entry)
                else:
                    entry.write(data)


SCALAR_TYPES = {"float32": 6, "float16": 5, "int8": 1}


def make_values(out, name, mb):
    """Writes tensors of 16 MB and their dump; each has the elements of one random block, rotated by its index."""
    sys.path.insert(0, "tests/tools")
    from make_dump import Builder, put_event
    block = np.random.default_rng(1).standard_normal(1 << 22, dtype=np.float32)
    block = (block * 40).clip(-128, 127).astype(np.int8) if name == "int8" else block.astype(name)
    count = (16 << 20) // block.itemsize
    block = np.resize(block, count)
    with open(out.replace(".etdump", ".bin"), "wb") as f:
        for i in range(mb // 16):
            f.write(np.roll(block, i).tobytes())
    b = Builder()
    _, runs = b.table(4, ["i", "I"])
    run, index, _, events = b.table(b.vector(runs, 1)[0], ["I", "i", "", "I"])
    b.text(run, "Execute")
    b.set(index, "i", -1)
    entries = b.vector(events, mb // 16 + 1)
    put_event(b, entries.pop(), "Method::execute", -1, 0, 1000, 2000)
    for i, at in enumerate(entries):
        _, _, debug = b.table(at, ["", "", "I"])
        chain, instruction, entry = b.table(debug, ["Q", "i", "I"])
        b.set(chain, "Q", 0)
        b.set(instruction, "i", i)
        tag, tensor = b.table(entry, ["b", "I"])
        b.set(tag, "b", 5)
        kind, sizes, strides, offset = b.table(tensor, ["b", "I", "I", "Q"])
        b.set(kind, "b", SCALAR_TYPES[name])
        b.set(offset, "Q", i * (16 << 20))
        for place, numbers in ((sizes, (count // 1024, 1024)), (strides, (1024, 1))):
            while (len(b.b) + 4 - 4) % 8:
                b.b.append(0)
            b.link(place)
            b.b += struct.pack("<I2q", 2, *numbers)
    b.set(0, "I", len(b.b) - 4)
    with open(out, "wb") as f:
        f.write(b.b)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(dest="kind", required=True)
    dump = kinds.add_parser("etdump")
    dump.add_argument("out")
    for name, default in (("events", 60), ("runs", 3), ("delegate-events", 8), ("seed", 0), ("again", 0)):
        dump.add_argument("--" + name, type=int, default=default)
    dump.add_argument("--xnnpack", action="store_true")
    dump.add_argument("--times", choices=("noise", "constant", "two", "rising", "falling"), default="noise")
    dump.add_argument("--names", choices=("drawn", "equal", "different"), default="drawn")
    record = kinds.add_parser("etrecord")
    record.add_argument("template")
    record.add_argument("out")
    record.add_argument("--weights-mb", type=int, default=0)
    record.add_argument("--nodes", type=int, default=0)
    values = kinds.add_parser("values")
    values.add_argument("out")
    values.add_argument("--type", choices=SCALAR_TYPES, default="float32")
    values.add_argument("--mb", type=int, default=1024)
    flat = kinds.add_parser("flat")
    flat.add_argument("out")
    for name, default in (("events", "1000"), ("runs", "10"), ("names", "100"), ("seed", "0")):
        flat.add_argument("--" + name, default=default)
    o = parser.parse_args()
    if o.kind == "flat":
        make_flat(o.out, int(o.events), int(o.runs), o.names, int(o.seed))
    elif o.kind == "values":
        make_values(o.out, o.type, o.mb)
    elif o.kind == "etdump":
        make_etdump(o.out, o.events, o.runs, o.delegate_events, o.xnnpack, o.seed, o.again, o.times, o.names)
    else:
        make_etrecord(o.template, o.out, o.weights_mb, o.nodes)


if __name__ == "__main__":
    main()
