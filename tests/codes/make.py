#!/usr/bin/env python3
"""make.py KIND ARGUMENTS... -- makes unusual files for tests/codes/setups.sh.

    edit IN OUT ENTRY OLD NEW    an archive with all occurrences of a text in one entry replaced
    bomb OUT MIB                 an ETRecord whose map inflates to MIB, a thousand times its size
    shared_program OUT           12 kB that describe a program of 10^9 instructions
    etdump OUT NAME:CHAIN:INSTRUCTION...  two runs of these events
    flip IN OUT AT               a bit of one byte changed; a negative AT counts from the end
    references OUT NAME METADATA a safetensors file with one tensor
    pipeline KEYS RUNNER         config.json with one experiment, and its runner (members of JSON objects)
    run_folder RUN OUT           a run folder that the kit wrote
    example OUT                  the kit's own example of a run folder
    change FILE CODE             executes CODE on the JSON document d
"""

import json
import os
import shutil
import struct
import sys
import zipfile

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [TESTS, os.path.join(TESTS, "tools"), os.path.join(TESTS, "pipeline")]
import folder_cases  # noqa: E402
import kit_runs  # noqa: E402
import recorded  # noqa: E402
from make_dump import Builder, put_event  # noqa: E402


def edit(source, out, entry, old, new):
    with zipfile.ZipFile(source) as z, zipfile.ZipFile(out, "w") as to:
        for info in z.infolist():
            data = z.read(info)
            if info.filename == entry:
                assert old.encode() in data, f"{entry} has no {old!r}"
                data = data.replace(old.encode(), new.encode())
            to.writestr(info, data)


def bomb(out, mib):
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("ETRECORD_V0", "")
        z.writestr("debug_handle_map", b" " * (int(mib) << 20))


def shared_program(out):
    """Writes a program of a thousand methods that share one plan, whose thousand chains are the same table, as are their
    thousand instructions."""
    b = Builder()
    b.b = bytearray(struct.pack("<I4s", 0, b"ET12"))
    at = b.table(0, ["", "I"])[1]
    for fields, mine in ((["", "", "", "", "", "I"], 5), (["", "", "I"], 2), (["B", "I"], 0)):
        refs = b.vector(at, 1000)
        places = b.table(refs[0], fields)
        table = refs[0] + struct.unpack_from("<I", b.b, refs[0])[0]
        for ref in refs:
            struct.pack_into("<I", b.b, ref, table - ref)
        at = places[mine]
    with open(out, "wb") as f:
        f.write(b.b)


def etdump(out, *events):
    b, now = Builder(), 1000
    _, vector = b.table(4, ["i", "I"])
    for at in b.vector(vector, 2):
        name, index, _, entries = b.table(at, ["I", "i", "", "I"])
        b.text(name, "Execute")
        b.set(index, "i", -1)
        for place, event in zip(b.vector(entries, len(events)), events):
            text, chain, instruction = event.rsplit(":", 2)
            put_event(b, place, text, int(chain), int(instruction), now, now + 10)
            now += 20
    b.set(0, "I", len(b.b) - 4)
    with open(out, "wb") as f:
        f.write(b.b)


def flip(source, out, at):
    with open(source, "rb") as f:
        data = bytearray(f.read())
    data[int(at)] ^= 1
    with open(out, "wb") as f:
        f.write(data)


def references(out, name, metadata):
    header = {name: {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}
    if metadata:
        header["__metadata__"] = {"etcore.references": metadata}
    text = json.dumps(header).encode()
    with open(out, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + bytes(4))


def pipeline(keys, runner):
    experiment = {"name": "a", "runner_path": "./a", "runs": 4, "warmup": 0, **json.loads(f"{{{keys}}}")}
    replay = {"ms": [1.5], "dump": os.path.join(TESTS, "data/cases/mlp_xnnpack/run.etdump"), **json.loads(f"{{{runner}}}")}
    shutil.copy(os.path.join(TESTS, "pipeline/replay_runner.py"), "a")
    os.chmod("a", 0o755)
    for name, document in (("a.json", replay), ("config.json", {
            "model": "model.pte", "output_root": "runs", "experiments": [experiment], "schedule": {"blocks": 1}})):
        with open(name, "w") as f:
            json.dump(document, f)
    with open("model.pte", "wb") as f:
        f.write(b"a program")


def measured(experiments, more="{}"):
    """Writes c.json and its runners, as tests/claims/pipe.py does."""
    sys.path.insert(0, os.path.join(TESTS, "claims"))
    from pipe import Pipe

    class Here:
        @staticmethod
        def path(*names):
            return os.path.join(os.getcwd(), *names)

    units = {n: {int(t): b for t, b in u.items()} for n, u in json.loads(experiments).items()}
    Pipe(Here, units, **json.loads(more))


def run_folder(name, out):
    out = os.path.abspath(out)
    os.chdir(os.path.dirname(TESTS))  # paths of recorded data are relative to that folder
    shutil.move(kit_runs.unpack(kit_runs.load()[name], out + ".all"), out)


def example(out):
    out = os.path.abspath(out)
    os.chdir(os.path.dirname(TESTS))
    recipe = recorded.read_json("tests/data/kit/compare_cases.json")["cases"][0]["recipe"]
    folder_cases.build(recipe, out)


def change(path, code):
    with open(path) as f:
        d = json.load(f)
    exec(code, {"d": d})
    with open(path, "w") as f:
        json.dump(d, f)


if __name__ == "__main__":
    kinds = (edit, bomb, shared_program, etdump, flip, references, pipeline, measured, run_folder, example, change)
    {kind.__name__: kind for kind in kinds}[sys.argv[1]](*sys.argv[2:])
