"""Random ETDumps for live.py: valid files with contents that no model would log.

They have repeated ids, several chains, absent and empty names, numeric and wide names, times that run backward or wrap, all
kinds of values with and without a debug buffer, metadata, and outputs that differ between runs. Half of the dumps get an
ETRecord: a real graph with random maps. Written with the package flatbuffers, which ExecuTorch depends on.
"""

import json
import math
import os
import zipfile

import flatbuffers
from live_models import recipe

NAMES = ["native_call_add.out", "OPERATOR_CALL", "DELEGATE_CALL", "Method::execute", "Method::init", "", "5", "1.50", "1e3",
         "nan", "True", "None", "0x10", "1,000", "名前", "é", "tab\there", "line\nbreak", "quote'\"", "back\\slash",
         "\x1b[31mred", "native_call_mul.Tensor_out", "MY_OPERATOR_CALL_2", " padded ", "\u200bzero", "👍🏽", "inf", "-0",
         "cr\rhere", "a,b", "\x00nul", "\x7f", "\u00ad", "\ufeffbom", "1_000", "٣"]
IDS = ["Add (ND) #1", "Add (ND) #2", "12", "1", "", "0", "kernel", "ker", "{\"operator\": 1}", "1.5"]
DTYPES = {0: 1, 1: 1, 2: 2, 3: 4, 4: 8, 5: 2, 6: 4, 7: 8, 11: 1, 22: 2, 27: 2}


class Dump:
    """Builds one ETDump. Slots are the field numbers of etdump_schema_flatcc.fbs."""

    def __init__(self, rng):
        self.rng, self.b, self.data = rng, flatbuffers.Builder(1024), bytearray()
        self.b.ForceDefaults(False)

    def text(self, s):
        return None if s is None else self.b.CreateString(s.encode())

    def vector(self, items, width):
        self.b.StartVector(width, len(items), width)
        for x in reversed(items):
            (self.b.PrependUOffsetTRelative if width == 4 else self.b.PrependInt64)(x)
        return self.b.EndVector()

    def table(self, slots, *fields):
        """Writes a FlatBuffers table of `slots` fields. Each of `fields` is (slot, kind, value, default); value None:
        absent."""
        self.b.StartObject(slots)
        for slot, kind, value, default in fields:
            if value is None:
                continue
            if kind == "offset":
                self.b.PrependUOffsetTRelativeSlot(slot, value, 0)
            else:
                getattr(self.b, f"Prepend{kind}Slot")(slot, value, default)
        return self.b.EndObject()

    def tensor(self, rng):
        code = rng.choice(list(DTYPES))
        sizes = [rng.randint(0 if rng.random() < .1 else 1, 4) for _ in range(rng.randint(0, 3))]
        count, strides, step = 1, [], 1
        for s in sizes:
            count *= s
        for s in reversed(sizes):
            strides.insert(0, step)
            step *= max(s, 1)
        offset = len(self.data)
        if count:
            raw = bytes(rng.randrange(256) if code not in (11, 5, 6, 7) else rng.randrange(2)
                        for _ in range(count * DTYPES[code]))
            self.data += raw
        elif rng.random() < .5:
            offset = -1
        return self.table(4, (0, "Int8", code, 0), (1, "offset", self.vector(sizes, 8), 0),
                          (2, "offset", self.vector(strides, 8), 0), (3, "Int64", offset, 0))

    def value(self, rng, output):
        fields = []
        tag = rng.choice([1, 2, 3, 4, 5, 5, 5, 6, 0])
        if tag == 1:
            fields.append((3, "offset", self.table(1, (0, "Int64", rng.choice([0, 7, -1, 2**63 - 1, -2**63]), 0)), 0))
        elif tag == 2:
            fields.append((6, "offset", self.table(1, (0, "Bool", rng.random() < .5, 0)), 0))
        elif tag == 3:
            fields.append((4, "offset", self.table(1, (0, "Float32", rng.choice([.1, 1e-7, 3.5, 1e30, -2.25]), 0)), 0))
        elif tag == 4:
            number = rng.choice([.1, 1e-13, 3.125 / 3, 1e22, -0.0, 123456.789, math.inf if rng.random() < .05 else 5e-324])
            fields.append((5, "offset", self.table(1, (0, "Float64", number, 0)), 0))
        elif tag == 5:
            fields.append((1, "offset", self.tensor(rng), 0))
        elif tag == 6:
            items = [self.tensor(rng) for _ in range(rng.randint(0, 3))]
            fields.append((2, "offset", self.table(1, (0, "offset", self.vector(items, 4), 0)), 0))
        if output:
            fields.append((7, "offset", self.table(1, (0, "Bool", rng.random() < .9, 0)), 0))
        return self.table(8, (0, "Int8", tag, 0), *fields)

    def event(self, plan, clock, content):
        kind, name, chain, instruction, number, ident, spread, metadata, output = plan
        if kind == "debug":
            value, name, ident = self.value(content, output), self.text(name), self.text(ident)
            inner = self.table(6, (0, "Uint64", chain & (2**64 - 1), 0), (1, "Int32", instruction, -1), (2, "offset", value, 0),
                               (3, "Int32", number, -1), (4, "offset", ident, 0), (5, "offset", name, 0))
            return self.table(3, (2, "offset", inner, 0))
        start = max(0, clock + self.rng.randint(-50, 50))
        end = max(0, start + int(spread * self.rng.uniform(.5, 1.5)))
        name, ident = self.text(name), self.text(ident)
        blob = None if metadata is None else self.b.CreateByteVector(
            bytes(content.randrange(256) for _ in range(content.randrange(metadata + 1))))
        inner = self.table(8, (0, "offset", name, 0), (1, "Int32", chain, 0), (2, "Int32", instruction, -1),
                           (3, "Int32", number, -1), (4, "offset", ident, 0), (5, "offset", blob, 0),
                           (6, "Uint64", start, 0), (7, "Uint64", end, 0))
        return self.table(3, (0, "offset", inner, 0))

    def run(self, name, plans, clock, content, index):
        events = [self.event(p, clock + 1000 * i, content) for i, p in enumerate(plans)]
        name, events = self.text(name), self.vector(events, 4)
        return self.table(4, (0, "offset", name, 0), (1, "Int32", index, -1), (3, "offset", events, 0))

    def finish(self, runs):
        self.b.FinishSizePrefixed(self.table(2, (1, "offset", self.vector(runs, 4), 0)), b"ED00")
        return bytes(self.b.Output())


def plan_event(rng, odd, debug):
    """Draws the properties of an event that are the same in every run of its pattern."""
    kind = "debug" if debug and rng.random() < .4 else "profile"
    delegated = rng.random() < .4
    name = rng.choice(NAMES[:3] + ["native_call_relu.out"]) if not odd else rng.choice([*NAMES, None])
    number = rng.choice([-1, 0, 1, 2, 12, 112]) if delegated and rng.random() < .5 else -1
    ident = rng.choice(IDS if odd else IDS[:4]) if delegated and number == -1 else None
    spread = rng.choice([0, 100, 5000, 123457, 9_999_999]) if not odd or rng.random() < .9 else rng.choice([-500, 2**33])
    return (kind, None if delegated and rng.random() < .9 else name, rng.choice([0, 0, 0, -1, 1]), rng.choice([-1, 0, 0, 1, 2, 3, 12]),
            number, ident, spread, rng.choice([None, None, 0, 9]), kind == "debug" and rng.random() < .3)


def random_record(rng, template, path):
    """Writes a copy of the ETRecord `template` with random maps to `path`."""
    def handles():
        return rng.choice([rng.randint(0, 8), [rng.randint(0, 8) for _ in range(rng.randint(0, 4))], None])

    keys = rng.sample(["0", "1", "2", "3", "12", "-1", "7"], rng.randint(0, 6))
    ids = ["1", "2", "12", "0", "ker", "Add (ND) #1", ""]
    maps = {
        "debug_handle_map": {"forward": {k: handles() for k in keys}},
        "delegate_map": {"forward": {k: {"name": rng.choice(["XnnpackBackend", "", "Other"]), "delegate_map": rng.choice(
            [None, {}, {i: rng.choice([[3], [1, 2], 4, []]) for i in rng.sample(ids, rng.randint(1, 5))}])}
            for k in rng.sample(keys, rng.randint(0, len(keys)))}},
        "instruction_id_to_num_outs_map": {"forward": {k: rng.randint(0, 3) for k in rng.sample(keys, rng.randint(0, len(keys)))}},
    }
    if rng.random() < .1:
        maps[rng.choice(list(maps))] = rng.choice([None, {}, {"other": {}}])
    with zipfile.ZipFile(template) as source, zipfile.ZipFile(path, "w") as out:
        for name in source.namelist():
            out.writestr(name, json.dumps(maps[name]) if name in maps else source.read(name))


@recipe("a random dump, its record and debug buffer")
def random_dump(rng, folder):
    """Writes run.etdump with 1 to 130 runs, each drawn from one to three patterns of events; most runs of a pattern have
    equal contents."""
    odd, debug = rng.random() < .5, rng.random() < .5
    dump, runs = Dump(rng), []
    patterns = [[plan_event(rng, odd, debug) for _ in range(rng.randint(0 if odd else 1, 12))] for _ in range(rng.randint(1, 3))]
    names = [rng.choice(["Execute", "Default", "块", ""] if odd else ["Execute"]) for _ in patterns]
    same_content = rng.random() < .8
    for i in range(rng.choice([1, 2, 7, 8, 9, 30, 130])):
        k = rng.randrange(len(patterns))
        plans = patterns[k]
        if odd and rng.random() < .1 and plans:
            plans = plans[:-1]
        content = type(rng)(k if same_content else i)
        runs.append(dump.run(names[k], plans, rng.choice([0, 10**6, 2**32 - 2000]) if odd else 10**6 + i * 10**5, content,
                             rng.choice([-1, 0, 1]) if odd and rng.random() < .2 else -1))
    with open(os.path.join(folder, "run.etdump"), "wb") as f:
        f.write(dump.finish(runs))
    if dump.data and rng.random() < .8:
        with open(os.path.join(folder, "debug.bin"), "wb") as f:
            f.write(dump.data)
    if rng.random() < .5:
        template = os.path.join(os.path.dirname(__file__), "..", "data", "cases", "debug_mlp", "model.etrecord")
        random_record(rng, template, os.path.join(folder, "model.etrecord"))


NUMBERS = [0, 1, -1, 255, 256, 65535, 65536, 2**24 + 1, 2**31, 2**53 + 1, .1, .5, 65504., 65519., 65520., 1e-7, 2.**24, 3e38, math.inf, math.nan]


class Mixed(Dump):
    """Builds a dump whose logged values are drawn from a few numbers, as tensors of every type and as scalars."""

    def tensor(self, rng):
        import torch
        types = {0: torch.uint8, 1: torch.int8, 2: torch.int16, 3: torch.int32, 4: torch.int64, 5: torch.float16, 6: torch.float32,
                 7: torch.float64, 11: torch.bool, 22: torch.uint16, 27: torch.uint16}
        code, sizes = rng.choice(list(types)), rng.choice([[], [1], [1, 1], [1], [2], [0]])
        values, offset = torch.full(sizes, float(rng.choice(self.drawn)), dtype=torch.float64).to(types[code]), len(self.data)
        self.data += values.numpy().tobytes()
        return self.table(4, (0, "Int8", code, 0), (1, "offset", self.vector(sizes, 8), 0),
                          (2, "offset", self.vector(list(values.stride()), 8), 0), (3, "Int64", offset, 0))

    def value(self, rng, output):
        tag, number = rng.choice([1, 2, 3, 4, 5, 5, 5, 6, 0]), rng.choice(self.drawn)
        slot, kind, value = {1: (3, "Int64", int(number) if math.isfinite(number) and abs(number) < 2**63 else 7), 2: (6, "Bool", bool(number)),
                             3: (4, "Float32", number), 4: (5, "Float64", number)}.get(tag, (None, None, None))
        if tag == 5:
            fields = [(1, "offset", self.tensor(rng), 0)]
        elif tag == 6:
            items = self.vector([self.tensor(rng) for _ in range(rng.randint(0, 2))], 4)
            fields = [(2, "offset", self.table(1, (0, "offset", items, 0)), 0)]
        else:
            fields = [(slot, "offset", self.table(1, (0, kind, value, 0)), 0)] if tag else []
        if output:
            fields.append((7, "offset", self.table(1, (0, "Bool", True, 0)), 0))
        return self.table(8, (0, "Int8", tag, 0), *fields)


@recipe("one event that logs a number of two types in two runs")
def mixed_values(rng, folder):
    dump = Mixed(rng)
    dump.drawn = rng.sample(NUMBERS, rng.choice([1, 1, 2]))
    plan = ("debug", "native_call_add.out", 0, 0, -1, None, 0, None, rng.random() < .4)
    runs = [dump.run("Execute", [plan], 10**6, rng, -1) for _ in range(2)]
    with open(os.path.join(folder, "run.etdump"), "wb") as f:
        f.write(dump.finish(runs))
    if dump.data and rng.random() < .9:
        with open(os.path.join(folder, "debug.bin"), "wb") as f:
            f.write(dump.data)
