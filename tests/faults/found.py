#!/usr/bin/env python3
"""found.py ETCORE FAULT.SO -- a file that etcore finds in a folder is replaced by a pipe before etcore opens it:
etcore must not block.

Each command below runs once for each file that it opens in its folder. Before that open, fault.c (open:N:fifo) replaces the
file by a pipe without a writer. The command must end with an error code or an answer. A pipe that the user names must still
be read.
"""

import json
import os
import shutil
import socket
import sys
import threading

import lab

sys.path.insert(0, os.path.join(lab.ROOT, "tests", "pipeline"))
sys.path.insert(0, os.path.join(lab.ROOT, "tests"))
os.chdir(lab.ROOT)

from kit_runs import load, unpack  # noqa: E402
from share import share  # noqa: E402

MLP, DEBUG = (os.path.join(lab.CASES, name) for name in ("mlp_xnnpack", "debug_portable"))
lab_ = lab.Lab(sys.argv[1], sys.argv[2])
runs = load()


def kit(name):
    """Returns a function that unpacks a recorded run into the folder `box`."""
    return lambda box: unpack(runs[name], box)


def traced(box):
    unpack(runs["trace/g3"], box)
    return unpack(runs["ab_cnn_f32/g3"], box)


def reported(box):
    run = unpack(runs["ab_cnn_f32/g1"], box)
    r = lab_.run(["pipeline", "report", run])
    lab_.expect("pipeline report", r, r.status == 0)
    return run


def copies(*files):
    """Returns a function that copies files, given as (source, name), into the folder `box`."""
    def fill(box):
        os.makedirs(box)
        for source, name in files:
            shutil.copy(source, os.path.join(box, name))
    return fill


def config(box):
    """Writes the configuration box.json, whose run folder is `box`, and a runner."""
    x = {"runs": 2, "warmup": 1, "runner_path": box + ".runner"}
    with open(box + ".json", "w", encoding="ascii") as f:
        json.dump({"model": os.path.join(MLP, "model.pte"), "output_root": box,
                   "experiments": [{"name": n, **x} for n in ("on", "off")]}, f)
    shutil.copy("tests/pipeline/replay_runner.py", box + ".runner")
    os.chmod(box + ".runner", 0o755)
    with open(box + ".runner.json", "w", encoding="ascii") as f:
        json.dump({"ms": [9.0, 1.0, 2.0], "dump": os.path.abspath("tests/data/arm/cnn_f32/sme2/run.etdump")}, f)


def measured(box):
    config(box)
    r = lab_.run(["pipeline", "run", "--config", box + ".json"])
    lab_.expect("pipeline run", r, r.status == 0)


def plugins(box):
    os.makedirs(box)
    shutil.copy(os.path.join(os.path.dirname(lab_.etcore), "plugins", "kleidiai.so"), box)


dump, record, program = (os.path.join(MLP, n) for n in ("run.etdump", "model.etrecord", "model.pte"))
debug_dump, buffer = (os.path.join(DEBUG, n) for n in ("run.etdump", "debug.bin"))
TWO = copies((dump, "a.etdump"), (dump, "b.etdump"), (record, "model.etrecord"), (program, "model.pte"))
BESIDE = copies((dump, "run.etdump"), (record, "model.etrecord"), (program, "model.pte"))
VALUES = copies((debug_dump, "run.etdump"), (buffer, "debug.bin"), (os.path.join(DEBUG, "model.etrecord"), "model.etrecord"))
STEMS = copies((dump, "model.etdump"), (record, "model.etrecord"), (program, "model.pte"))

# {name: (function that fills the folder, arguments, part of the paths to be replaced, least number of opens)}. "{box}" is
# the folder, "{run}" the value that the function returned.
COMMANDS = {
    "report": (kit("ab_cnn_f32/g1"), ["pipeline", "report", "{run}"], "{box}/", 4),
    "report, flat": (kit("ab_cnn_f32/g3"), ["pipeline", "report", "{run}"], "{box}/", 4),
    "report, traces": (traced, ["pipeline", "report", "{run}"], "{box}/", 6),
    "report, own": (measured, ["pipeline", "report", "{run}"], "{box}/", 4),
    "validate": (kit("ab_cnn_f32/g1"), ["pipeline", "validate", "{run}", "--level", "quality"], "{box}/", 6),
    "validate, flat": (kit("ab_cnn_f32/g3"), ["pipeline", "validate", "{run}"], "{box}/", 4),
    "validate, own": (measured, ["pipeline", "validate", "{run}"], "{box}/", 6),
    "compare": (reported, ["pipeline", "compare", "{run}", "--known-good", "{run}"], "{box}/", 4),
    "run": (config, ["pipeline", "run", "--config", "{box}.json"], "{box}/", 4),
    "run --kernel-trace": (config, ["pipeline", "run", "--config", "{box}.json", "--kernel-trace"], "{box}/", 5),
    "run, its model and runners": (config, ["pipeline", "run", "--config", "{box}.json"], "{box}.runner", 1),
    "run --resume": (measured, ["pipeline", "run", "--config", "{box}.json", "--resume"], "{box}/", 1),
    "doctor": (TWO, ["doctor", "{box}"], "{box}/", 4),
    "analyze": (TWO, ["analyze", "{box}"], "{box}/", 2),
    "analyze --by file": (TWO, ["analyze", "{box}", "--by", "file", "-o", "csv"], "{box}/", 2),
    "diff": (TWO, ["diff", "{box}", "--", dump], "{box}/", 2),
    "check": (TWO, ["check", dump, "--baseline", "{box}"], "{box}/", 2),
    "baseline": (TWO, ["baseline", "save", "{box}", "-o", "{box}.baseline"], "{box}/", 2),
    "what lies beside": (BESIDE, ["analyze", "{box}/run.etdump"], "{box}/model", 1),
    "what lies beside, doctor": (BESIDE, ["doctor", "{box}/run.etdump"], "{box}/model", 2),
    "what lies beside, values": (VALUES, ["numeric", "values", "{box}/run.etdump"], "{box}/debug", 1),
    "what lies beside, Inspector": (STEMS, ["inspector", "{box}/model.pte"], "{box}/model", 2),
    "the dump beside": (BESIDE, ["analyze", "{box}/model.etrecord"], "{box}/run", 1),
    "plugins": (plugins, ["plugins"], "{box}/", 1),
}


def command(item):
    name, (fill, words, meant, fewest) = item
    box = os.path.join(lab_.scratch, "".join(c if c.isalnum() else "_" for c in name), "box")
    env = {"ETCORE_FAULT_FILE": meant.replace("{box}", box)}
    if fill is plugins:
        env["ETCORE_PLUGIN_PATH"] = box

    def again(fault):
        shutil.rmtree(os.path.dirname(box), ignore_errors=True)
        os.makedirs(os.path.dirname(box))
        run = fill(box) or box
        return lab_.run([w.replace("{box}", box).replace("{run}", run) for w in words], fault, env=env)

    want = again("open:1000000:fifo")
    count = want.fired["open"][0]
    lab_.expect(f"{name}: {count} files opened", want, want.status in (0, 1, 11) and count >= fewest)
    for n in range(1, count + 1):
        r = again(f"open:{n}:fifo")
        # A file that exists must not be reported missing.
        lab_.expect(f"{name}: opening {n} of {count}", r, r.status in range(12) and r.fired["open"][1] == 1 and
                    b"there is no such file" not in r.out + r.err)


def named(words):
    """A pipe that the user names must be read."""
    pipe = os.path.join(lab_.scratch, "pipe_" + words[0])
    os.mkfifo(pipe)
    want = lab_.run([*words, dump])

    def write():
        with open(dump, "rb") as source, open(pipe, "wb") as f:
            f.write(source.read())

    writer = threading.Thread(target=write)
    writer.start()
    r = lab_.run([*words, pipe])
    # Releases a writer that still waits for a reader.
    os.close(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK))
    writer.join()
    lab_.expect(f"{words[0]} of a pipe", r, r.status == want.status == 0 and r.out.replace(pipe.encode(), dump.encode()) == want.out)


def lying(box):
    """doctor must report an entry that is named like a dump but is no regular file; other commands must not list it among
    the folder's files."""
    TWO(box)
    os.mkfifo(os.path.join(box, "pipe.etdump"))
    os.symlink("nowhere", os.path.join(box, "link.etdump"))
    os.mkdir(os.path.join(box, "folder.etdump"))
    r = lab_.run(["doctor", box, "-o", "json"])
    found = {(f["file"], f["code"]) for f in json.loads(r.out)["findings"] if f["severity"] == "error"}
    want = {(os.path.join(box, f"{n}.etdump"), c) for n, c in (("pipe", "E0901"), ("link", "E0963"), ("folder", "E0901"))}
    lab_.expect(f"doctor of a folder: {found}", r, r.status == 1 and found == want)
    lab_.expect("doctor of a folder", r, b"is a pipe or a device" in r.out and b"a link to nowhere" in r.out and b"is a directory" in r.out)
    r = lab_.run(["analyze", box])
    lab_.expect("analyze of a folder", r, r.status == 0)
    path = os.path.join(lab_.scratch, "socket")
    with socket.socket(socket.AF_UNIX) as s:
        s.bind(path)
        r = lab_.run(["doctor", path])
    lab_.expect("doctor of a socket", r, r.status == 1 and b"E0901" in r.out)


lab_.each(command, share(COMMANDS.items()))
for words_ in (["analyze", "--no-siblings"], ["dump"]):
    named(words_)
lying(os.path.join(lab_.scratch, "lying"))
sys.exit(lab_.end("found"))
