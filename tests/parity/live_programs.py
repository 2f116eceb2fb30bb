"""Programs for live.py: `etcore dump -o json` must agree with ExecuTorch's own deserializers about a new .pte and a bundled
program with drawn test cases around it. The plan that `etcore memory` prints must lie within the planned memories.
"""

import dataclasses
import enum
import hashlib
import json
import os
import struct
import subprocess


def ask(etcore, *arguments):
    p = subprocess.run([etcore, *arguments, "-o", "json"], capture_output=True, stdin=subprocess.DEVNULL, timeout=120)
    if p.returncode:
        raise ValueError(f"etcore {' '.join(arguments)}: status {p.returncode} {p.stderr.decode()[:300]}")
    return json.loads(p.stdout)


def plain(v):
    """Converts ExecuTorch's dataclasses to JSON; each object gets its class name under the key ""."""
    if isinstance(v, enum.Enum):
        return v.name
    if dataclasses.is_dataclass(v):
        return {"": type(v).__name__, **{f.name: plain(getattr(v, f.name)) for f in dataclasses.fields(v)}}
    if isinstance(v, (bytes, bytearray)):
        return hashlib.sha256(v).hexdigest()
    return [plain(x) for x in v] if isinstance(v, (list, tuple)) else v


def digest(data, place):
    return hashlib.sha256(b"" if place["at"] is None else data[place["at"]:place["at"] + place["size"]]).hexdigest()


def differs(want, got, path):
    if isinstance(want, float) and isinstance(got, (int, float)):
        return None if struct.pack("<d", want) == struct.pack("<d", got) else f"{path}: {got!r}, want {want!r}"
    if isinstance(want, list) and isinstance(got, list):
        if len(want) != len(got):
            return f"{path}: {len(got)} items, want {len(want)}"
        return next(filter(None, (differs(w, g, f"{path}[{i}]") for i, (w, g) in enumerate(zip(want, got)))), None)
    return None if type(want) is type(got) and want == got else f"{path}: {got!r}, want {want!r}"[:300]


def both(path, *pairs):
    return next(filter(None, (differs(w, g, f"{path}.{name}") for name, w, g in pairs)), None)


def value(want, got, path):
    kind, val = want[""], got["val"]
    if kind != got["val_type"]:
        return f"{path}: {got['val_type']}, want {kind}"
    if kind == "Null":
        return None
    if kind != "Tensor":
        [inner] = [v for k, v in want.items() if k]
        return differs([bool(x) for x in inner] if kind == "BoolList" else bool(inner) if kind == "Bool" else inner, val, path)
    allocation, extra = want["allocation_info"], want["extra_tensor_info"]
    place = allocation and [allocation["memory_id"], allocation["memory_offset_low"] | allocation["memory_offset_high"] << 32]
    ours = val["allocation_info"] and [val["allocation_info"]["memory_id"], val["allocation_info"]["memory_offset"]]
    return both(path, *((k, want[k], val[k]) for k in ("scalar_type", "storage_offset", "sizes", "data_buffer_idx", "shape_dynamism")),
                ("dim_order", [int(x) for x in want["dim_order"] or ()], val["dim_order"]), ("allocation", place, ours),
                ("name", extra and extra["fully_qualified_name"],
                 val["extra_tensor_info"] and val["extra_tensor_info"]["fully_qualified_name"]))


def instruction(want, got, path):
    args = want["instr_args"]
    return differs(args[""], got["instr_args_type"], path) or both(path, *((k, v, got[k]) for k, v in args.items() if k))


def plan(want, got, data, blobs, path):
    problem = both(path, *((k, want[k], got[k]) for k in ("name", "inputs", "outputs", "non_const_buffer_sizes")),
                   ("values", len(want["values"]), len(got["values"])), ("chains", len(want["chains"]), len(got["chains"])),
                   ("operators", [[o["name"], o["overload"]] for o in want["operators"]],
                    [[o["name"], o["overload"]] for o in got["operators"]]),
                   ("delegates", [[d["id"], d["processed"]["location"], d["processed"]["index"], blobs(d["processed"])]
                                  for d in want["delegates"]],
                    [[d["id"], d["processed"]["location"], d["processed"]["index"], digest(data, d["processed"])]
                     for d in got["delegates"]]))
    checks = [lambda i=i, v=v: value(v["val"], got["values"][i], f"{path}.values[{i}]") for i, v in enumerate(want["values"])]
    for c, chain in enumerate(want["chains"]):
        ours = got["chains"][c]["instructions"]
        checks.append(lambda c=c, n=len(chain["instructions"]), m=len(ours): differs(n, m, f"{path}.chains[{c}]"))
        checks += [lambda i=i, n=n, ours=ours: instruction(n, ours[i], f"{path}[{i}]") for i, n in enumerate(chain["instructions"])]
    return problem or next(filter(None, (f() for f in checks)), None)


def program(data, got, base=0):
    """Describes the first difference between the deserializer's result and etcore's document of the program at byte `base`;
    None if there is none."""
    from executorch.exir._serialize._flatbuffer_program import _flatbuffer_to_program
    from executorch.exir._serialize._program import _get_extended_header

    inner = data[base:]
    header = _get_extended_header(inner)
    want = plain(_flatbuffer_to_program(inner[:header.program_size] if header else inner))
    segments = [[s["offset"], s["size"]] for s in want["segments"] or ()]

    def blob(processed):
        if processed["location"] == "INLINE":
            return want["backend_delegate_data"][processed["index"]]["data"]
        at, size = segments[processed["index"]]
        return hashlib.sha256(inner[header.segment_base_offset + at:header.segment_base_offset + at + size]).hexdigest()

    subsegments = want["constant_segment"]
    problem = both("program", ("version", want["version"], got["version"]),
                   ("segments", segments, [[s["offset"], s["size"]] for s in got["segments"]]),
                   ("constant_segment", subsegments and [subsegments["segment_index"], list(subsegments["offsets"] or ())],
                    got["constant_segment"] and [got["constant_segment"]["segment_index"], got["constant_segment"]["offsets"]]),
                   ("named_data", [[n["key"], n["segment_index"]] for n in want["named_data"] or ()],
                    [[n["key"], n["segment_index"]] for n in got["named_data"]]),
                   ("methods", len(want["execution_plan"]), len(got["execution_plan"])))
    return problem or next(filter(None, (plan(w, g, data, blob, f"program.{w['name']}")
                                         for w, g in zip(want["execution_plan"], got["execution_plan"]))), None)


def planned(etcore, path):
    """Checks that no storage ends beyond its memory and that no two storages that are live at the same time share bytes."""
    memory = ask(etcore, "memory", path)
    for method in memory["methods"]:
        for m in method["memories"]:
            if m["planned_size"] is None or m["max_extent"] > m["planned_size"] or m["peak_live_bytes"] > m["planned_size"]:
                return f"{method['method']}: {m['max_extent']} bytes used, {m['planned_size']} planned"
        if method["conflicts"]:
            return f"{method['method']}: conflicts {method['conflicts'][:2]}"
    return None


def drawn_bundle(rng, data):
    """Returns the bytes of a bundled program with random test values, written by ExecuTorch's own serializer."""
    import executorch.devtools.bundled_program.schema as schema
    from executorch.devtools.bundled_program.serialize import serialize_from_bundled_program_to_flatbuffer
    from executorch.exir.scalar_type import ScalarType

    def drawn():
        kind = rng.randrange(4)
        if kind == 0:
            sizes = [rng.randrange(1, 4) for _ in range(rng.randrange(3))]
            count = 4
            for s in sizes:
                count *= s
            val = schema.Tensor(scalar_type=ScalarType.FLOAT, sizes=sizes, data=rng.randbytes(count),
                                dim_order=list(range(len(sizes))))
            return schema.Value(val=val)
        return schema.Value(val=(schema.Int(rng.randrange(-2**63, 2**63)), schema.Bool(rng.random() < 0.5),
                                 schema.Double(rng.gauss(0, 1e9)))[kind - 1])

    suites = [schema.BundledMethodTestSuite(
        method_name=f"m{s}", test_cases=[schema.BundledMethodTestCase(
            inputs=[drawn() for _ in range(rng.randrange(4))], expected_outputs=[drawn() for _ in range(rng.randrange(3))])
            for _ in range(rng.randrange(3))]) for s in range(rng.randrange(1, 4))]
    bundle = schema.BundledProgram(version=0, method_test_suites=suites, program=data)

    class Bundle:
        def serialize_to_schema(self):
            return bundle

    return bytes(serialize_from_bundled_program_to_flatbuffer(Bundle()))


def bundled(data, got):
    from executorch.devtools.bundled_program.serialize import deserialize_from_flatbuffer_to_bundled_program

    want = deserialize_from_flatbuffer_to_bundled_program(data)

    def theirs(v):
        v = v.val
        if type(v).__name__ != "Tensor":
            return [type(v).__name__, next(iter(vars(v).values()))]
        return ["Tensor", v.scalar_type.name, list(v.sizes or ()), hashlib.sha256(bytes(v.data or b"")).hexdigest()]

    def ours(v):
        val = v["val"]
        return [v["val_type"], val] if v["val_type"] != "Tensor" else \
            ["Tensor", val["scalar_type"], val["sizes"], digest(data, val["data"])]

    suites = [[s.method_name, [[[theirs(v) for v in side] for side in (c.inputs, c.expected_outputs)] for c in s.test_cases]]
              for s in want.method_test_suites]
    found = [[s["method_name"], [[[ours(v) for v in c[side]] for side in ("inputs", "expected_outputs")] for c in s["test_cases"]]]
             for s in got["bundled_program"]["method_test_suites"]]
    return differs(suites, found, "suites") or program(data, got["program"], got["bundled_program"]["program"]["at"])


def compare(score, rng, folder):
    """Counts the checks "program", "plan" and "bundled" for model.pte in the folder, if there is one."""
    path = os.path.join(folder, "model.pte")
    if not os.path.exists(path):
        return
    with open(path, "rb") as f:
        data = f.read()
    bundle = os.path.join(folder, "drawn.bpte")
    with open(bundle, "wb") as f:
        f.write(drawn_bundle(rng, data))
    with open(bundle, "rb") as f:
        wrapped = f.read()
    for kind, question in (("program", lambda: program(data, ask(score.etcore, "dump", path)["program"])),
                           ("plan", lambda: planned(score.etcore, path)),
                           ("bundled", lambda: bundled(wrapped, ask(score.etcore, "dump", bundle)))):
        try:
            problem = question()
        except (ValueError, KeyError) as e:
            problem = f"{type(e).__name__}: {e}"
        score.count(kind, problem is None, f"{path}: {problem}")
