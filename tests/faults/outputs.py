#!/usr/bin/env python3
"""outputs.py ETCORE [FAULT.SO] -- full or failing disks, pipes without a reader, places that cannot be written.

An output file must appear complete or not at all, an existing file must stay until then, and no temporary file may be left.
The exit status must be 3, with the path, or 2 if the output is an input (E0909). With FAULT.SO, system calls fail too.
"""

import os
import signal
import stat
import subprocess
import sys
import threading

import lab

sys.path.insert(0, os.path.join(lab.ROOT, "tests"))
from share import share  # noqa: E402

DUMP = os.path.join(lab.CASES, "mlp_xnnpack", "run.etdump")
DEBUG = os.path.join(lab.CASES, "debug_portable")
OLD = b"what was there before\n"


def writers(lab_):
    """Yields (name, function of the output's path that returns the arguments)."""
    farm = lab_.farm()
    values = ["numeric", "values", DEBUG + "/run.etdump", "-b", DEBUG + "/debug.bin"]
    yield "analyze json", lambda p: ["analyze", DUMP, "-o", "json=" + p]
    yield "analyze two", lambda p: ["analyze", DUMP, "-o", "text", "-o", "csv=" + p]
    yield "analyze parquet", lambda p: ["analyze", DUMP, "--events", "-o", "parquet=" + p]
    yield "inspector tsv", lambda p: ["inspector", "--etdump_path", DUMP, "--tsv_path", p]
    yield "inspector csv", lambda p: ["inspector", "--etdump_path", DUMP, "-o", "csv=" + p]
    yield "config", lambda p: ["config", "-o", "text=" + p]
    yield "plugins", lambda p: ["plugins", "-o", "json=" + p]
    yield "dump", lambda p: ["dump", DUMP, "-o", "json=" + p]
    yield "dump dot", lambda p: ["dump", DEBUG + "/model.etrecord", "--graph", "--times", DEBUG + "/run.etdump", "-o", "dot=" + p]
    yield "doctor", lambda p: ["doctor", DUMP, "-o", "json=" + p]
    yield "tokens", lambda p: ["tokens", DUMP, "-o", "json=" + p]
    yield "memory svg", lambda p: ["memory", lab.PTE + "/models/mutable_buffers/model.pte", "-o", "svg=" + p]
    yield "trace perfetto", lambda p: ["trace", DUMP, "-o", "perfetto=" + p]
    yield "trace pprof", lambda p: ["trace", DUMP, "-o", "pprof=" + p]
    yield "summary", lambda p: ["summary", DUMP, "-o", "json=" + p]
    yield "overhead", lambda p: ["overhead", "--on", "tests/data/cases/conv_net_xnnpack/run.etdump", "--off", "tests/data/advice/plain.log", "--rounds", "200", "-o", "json=" + p]
    yield "what-if", lambda p: ["what-if", DUMP, "--row", "name ~ .", "--times", "0.5", "-o", "json=" + p]
    yield "diff", lambda p: ["diff", DUMP, "--", DUMP, "--rounds", "100", "-o", "markdown=" + p]
    yield "farm", lambda p: [*farm, "-o", "json=" + p]
    yield "page", lambda p: ["report", DUMP, "-o", "html=" + p]
    yield "values npz", lambda p: values + ["-o", "npz=" + p]
    yield "values safetensors", lambda p: values + ["-o", "safetensors=" + p]
    yield "baseline", lambda p: ["baseline", "save", DUMP, "-o", p]


def read(path):
    with open(path, "rb") as f:
        return f.read()


def left(folder):
    return [f for f in os.listdir(folder) if f.endswith(".tmp")]


def failing(lab_, name, args, folder):
    """Each system call for writing fails in different ways. Afterwards the output file must be the old one, or none."""
    path = os.path.join(folder, "out")
    for old in (None, OLD):
        for fault, status in (
                ("write:1:ENOSPC", 3), ("write:1:EIO", 3), ("write:1:EDQUOT", 3), ("write:1:EFBIG", 3), ("write:1+:short", 0),
                ("write:1+:storm", 0), ("close:1+:EIO", None), ("rename:1:EIO", 3), ("rename:1:ENOSPC", 3), ("rename:1:EROFS", 3),
                ("fsync:1:EIO", 3 if old else 0), ("fsync:1:ENOSPC", 3 if old else 0), ("fsync:1:EINTR", 0),
                ("open:1+:EINTR", None)):
            if fault.startswith("open"):
                fault = "open:1:EINTR"
            if os.path.exists(path):
                os.unlink(path)
            if old:
                with open(path, "wb") as f:
                    f.write(old)
            r = lab_.run(args(path), fault)
            what = f"{name}: {fault}{' over a file' if old else ''}"
            now = read(path) if os.path.exists(path) else None
            ok = r.status == status if status is not None else r.status in (0, 3)
            if r.status == 3:
                ok = ok and r.code == "E0903" and path.encode() in r.err and now == old
            elif r.code == "E1221":  # the fault is also active in the engine's process
                ok = name == "farm" and fault.startswith("write") and r.status == 4 and now == old
            elif r.status == 0:
                ok = ok and now is not None and now != old and len(now) > 100
            lab_.expect(what, r, ok)
            if left(folder):
                lab_.wrong.append(f"{what}: a temporary file stays")
                for f in left(folder):
                    os.unlink(os.path.join(folder, f))


def places(lab_, name, args, folder):
    """Tests places where an output is impossible, forbidden, or not a regular file."""
    path = lambda n: os.path.join(folder, n)
    os.mkdir(path("a folder"))
    r = lab_.run(args(path("a folder")))
    lab_.expect(f"{name}: a folder", r, r.status == 3 and r.code == "E0903" and not r.out)
    r = lab_.run(args(path("nowhere/out")))
    lab_.expect(f"{name}: no such folder", r, r.status == 3 and b"No such file" in r.err)
    r = lab_.run(args(path("x" * 300)))
    lab_.expect(f"{name}: too long a name", r, r.status == 3 and r.code == "E0903")
    long = path("y" * 255)
    r = lab_.run(args(long))
    lab_.expect(f"{name}: the longest name", r, r.status == 0 and os.path.exists(long))
    os.symlink("loop", path("loop"))
    r = lab_.run(args(path("loop")))
    lab_.expect(f"{name}: links in a ring", r, r.status == 3 and r.code == "E0903")
    r = lab_.run(args("/dev/full"))
    lab_.expect(f"{name}: /dev/full", r, r.status == 3 and r.code == "E0903")
    r = lab_.run(args("/dev/null"))
    lab_.expect(f"{name}: /dev/null", r, r.status == 0 and stat.S_ISCHR(os.stat("/dev/null").st_mode))
    r = lab_.run(args("/proc/nothing"))
    lab_.expect(f"{name}: /proc", r, r.status == 3 and r.code == "E0903")
    # If the output is a link, its target is written; a replaced file keeps its mode.
    os.symlink("target", path("link"))
    r = lab_.run(args(path("link")))
    lab_.expect(f"{name}: a link to nothing yet", r, r.status == 0 and os.path.islink(path("link")) and os.path.isfile(path("target")))
    os.chmod(path("target"), 0o640)
    r = lab_.run(args(path("link")))
    ok = r.status == 0 and os.path.islink(path("link")) and stat.S_IMODE(os.stat(path("target")).st_mode) == 0o640
    lab_.expect(f"{name}: a link to a file", r, ok)
    r = lab_.run(args(path("private")), umask=0o077)
    lab_.expect(f"{name}: umask", r, r.status == 0 and stat.S_IMODE(os.stat(path("private")).st_mode) == 0o600)
    fifo(lab_, name, args, path("fifo"), read(path("target")))
    if not name.startswith("analyze two") and not name.startswith("inspector") and not name.startswith("baseline"):
        with open(path("stdout"), "wb") as f:
            r = lab_.run(args("/dev/stdout"), stdout=f)
        lab_.expect(f"{name}: /dev/stdout is a file", r, r.status == 0 and len(read(path("stdout"))) > 100)
        r = lab_.run(args("/dev/stdout"))
        lab_.expect(f"{name}: /dev/stdout is a pipe", r, r.status == 0 and len(r.out) > 100)
        os.symlink("/dev/stdout", path("out"))
        r = lab_.run(args(path("out")))
        lab_.expect(f"{name}: a link to /dev/stdout", r, r.status == 0 and len(r.out) > 100 and os.path.islink(path("out")))
        os.unlink(path("out"))
    if left(folder):
        lab_.wrong.append(f"{name}: temporary files stay")


def fifo(lab_, name, args, path, want):
    os.mkfifo(path)
    got = []
    reader = threading.Thread(target=lambda: got.append(read(path)))
    reader.start()
    r = lab_.run(args(path))
    reader.join(lab.LONGEST)
    same = got and (len(got[0]) > 100 if "baseline" in name else got[0] == want)
    lab_.expect(f"{name}: a pipe with a name", r, r.status == 0 and same and stat.S_ISFIFO(os.stat(path).st_mode))


def read_only(lab_, name, args, folder):
    """Tests a folder and a file without write permission."""
    closed = os.path.join(folder, "closed")
    os.mkdir(closed, 0o555)
    r = lab_.run_bound(args(os.path.join(closed, "out")))
    if not r:
        return
    lab_.expect(f"{name}: a read-only folder", r, r.status == 3 and r.code == "E0903" and not os.listdir(closed))
    opened = os.path.join(folder, "open")
    os.mkdir(opened)
    kept = os.path.join(opened, "kept")
    with open(kept, "wb") as f:
        f.write(OLD)
    os.chmod(kept, 0o444)
    r = lab_.run_bound(args(kept))
    lab_.expect(f"{name}: a read-only file", r, r.status == 3 and r.code == "E0903" and read(kept) == OLD)


def inputs(lab_, name, args, folder):
    """The output is also an input: by the same name, another path, a symbolic link or a hard link."""
    mine = os.path.join(folder, "run.etdump")
    with open(mine, "wb") as f:
        f.write(read(DUMP))
    os.symlink("run.etdump", os.path.join(folder, "symbolic"))
    os.link(mine, os.path.join(folder, "hard"))
    before = [a for a in args("OUT")]
    if DUMP not in before:
        return
    for out in (mine, os.path.join(folder, ".", "run.etdump"), os.path.join(folder, "symbolic"), os.path.join(folder, "hard")):
        r = lab_.run([mine if a == DUMP else a for a in args(out)])
        lab_.expect(f"{name}: into its input {os.path.basename(out)}", r, r.status == 2 and r.code == "E0909" and not r.out)
        if read(mine) != read(DUMP):
            lab_.wrong.append(f"{name}: the input {out} was written to")
            return


def streams(lab_, folder):
    """The input is also the file of standard input or output; or two outputs are one file that does not exist yet."""
    mine, link, new = (os.path.join(folder, n) for n in ("streamed.etdump", "dangling", "new"))
    os.symlink("new", link)
    for what, words in (("standard input", '- -o json="$1" <"$1"'), ("standard input for both", '- -o json=/dev/fd/0 0<>"$1"'),
                        ("appended", '"$1" >>"$1"'), ("standard output", '"$1" 1<>"$1"'), ("JSON on standard output", '"$1" -o json 1<>"$1"'),
                        ("both", '- <"$1" >>"$1"')):
        for command in ("analyze", "dump", "doctor"):
            with open(mine, "wb") as f:
                f.write(read(DUMP))
            r = lab_.run(["-c", f'"$0" {command} {words}', lab_.etcore, mine], program="/bin/sh")
            lab_.expect(f"{command}: {what} is the input", r, r.status == 2 and r.code == "E0909" and read(mine) == read(DUMP))
    r = lab_.run(["-c", '"$0" baseline save "$1" -o - >>"$1"', lab_.etcore, mine], program="/bin/sh")
    lab_.expect("baseline save: standard output is the input", r, r.status == 2 and r.code == "E0909" and read(mine) == read(DUMP))
    r = lab_.run(["analyze", DUMP, "-o", "json=" + new, "-o", "csv=" + link])
    lab_.expect("a file and a link to it that leads to nothing yet", r, r.status == 2 and r.code == "E0501" and not os.path.exists(new))


def small_stacks(lab_, folder):
    """With a small stack (`ulimit -s 64`) the answers must be the same."""
    out, base = os.path.join(folder, "s.npz"), os.path.join(folder, "s.baseline")
    debug = os.path.join(DEBUG, "run.etdump")
    model = DUMP.replace("run.etdump", "model")
    for words in (["analyze", DUMP], ["analyze", DUMP, "--isolate"], ["diff", DUMP, "--", DUMP], ["check", DUMP, "--baseline", DUMP],
                  ["baseline", "save", DUMP, "-o", base], ["baseline", "show", base], ["dump", model + ".etrecord", "--graph"], ["memory", model + ".pte"],
                  ["trace", DUMP, "-o", "chrome"], ["report", DUMP], ["report", DUMP, "--", DUMP, "-o", "markdown"],
                  ["inspector", model + ".pte"], ["doctor", os.path.dirname(DUMP)], ["numeric", "values", debug, "-o", "npz=" + out],
                  ["numeric", "outputs", debug], ["numeric", "gap", debug, "--reference", debug], ["plugins"], ["config"], ["explain", "E0909"]):
        want, r = lab_.run(words), lab_.run(["--stack=65536", lab_.etcore, *words], program="prlimit")
        lab_.expect(f"{words[0]}: 64 KB of stack", r, (r.status, r.out) == (want.status, want.out) and r.status <= 11)


def standard_output(lab_, args):
    """Standard output is full, closed, or a pipe without a reader."""
    with open("/dev/full", "wb") as full:
        r = lab_.run(args, stdout=full)
    lab_.expect(f"{args[0]}: standard output on /dev/full", r, r.status == 3 and r.code == "E0903" and b"No space left" in r.err)
    closed = lab_.run(["-c", '"$0" "$@" >&-', lab_.etcore, *args], program="/bin/sh")
    lab_.expect(f"{args[0]}: closed standard output", closed, closed.status == 3 and closed.code == "E0903")
    for handler, status in ((signal.SIG_DFL, -signal.SIGPIPE), (signal.SIG_IGN, 3)):
        out, into = os.pipe()
        os.close(out)
        r = lab_.run(args, stdout=into, restore_signals=False, preexec_fn=lambda h=handler: signal.signal(signal.SIGPIPE, h))
        os.close(into)
        ok = r.status == status and (r.status == 3 or not r.err)
        lab_.tried += 1
        if not ok:
            lab_.wrong.append(f"{args[0]}: nobody reads: status {r.status} {r.err[:200]}")


def summaries(lab_, folder):
    """`check -o github` must append to the step summary if it can; the verdict must not depend on that."""
    words = ["check", DUMP, "--rounds", "100", "-o", "github", "--baseline", DUMP]
    path, link, mine = (os.path.join(folder, n) for n in ("summary", "summary.link", "summary.etdump"))
    os.symlink(mine, link)
    for place, old, code in ((path, None, ""), (path, OLD, ""), ("/dev/full", None, "E0903"), (folder, None, "E0903"), (path + "/x", OLD, "E0903"),
                             (link, OLD, "E0909"), (mine, OLD, "E0909")):
        for p, data in ((path, old), (mine, read(DUMP))):
            if data:
                with open(p, "wb") as f:
                    f.write(data)
        r = lab_.run([mine if w == DUMP else w for w in words], env={"GITHUB_STEP_SUMMARY": place})
        ok = r.status in ((3,) if code == "E0903" else (2,) if code else (0, 1, 11)) and r.code == (code or r.code) and read(mine) == read(DUMP)
        if code:
            ok = ok and not r.out and (not os.path.exists(path) or read(path) == (old or read(path)))
        else:
            ok = ok and read(path).startswith((old + b"\n" if old else b"") + b"### etcore check")
        lab_.expect(f"the step summary at {place}", r, ok)
    for fault in ("write:1:ENOSPC", "write:1:EIO", "close:1+:EIO") if lab_.faulty else ():
        r = lab_.run(words, fault, env={"GITHUB_STEP_SUMMARY": path})
        lab_.expect(f"the step summary: {fault}", r, r.status == 3 and r.code == "E0903" and not r.out or fault[0] == "c" and r.status in (0, 1, 11))


def closed_streams(lab_, folder):
    """With closed standard streams, opened files must not get the descriptors 0 to 2."""
    path = os.path.join(folder, "json")
    script = '"$0" analyze "$1" -o text -o json="$2" <&- >&- 2>&-'
    r = lab_.run(["-c", script, lab_.etcore, DUMP, path], program="/bin/sh")
    want = lab_.run(["analyze", DUMP, "-o", "json"]).out
    lab_.expect("all streams closed", r, r.status == 3 and (not os.path.exists(path) or read(path) == want))


def stdout_fails(lab_):
    want = lab_.run(["dump", DUMP, "-o", "json"])
    for fault in ("write:1+:short", "write:1+:storm", "write:1:EINTR"):
        r = lab_.run(["dump", DUMP, "-o", "json"], fault)
        lab_.expect(f"standard output: {fault}", r, r.status == 0 and r.out == want.out)
    for fault in ("write:1:ENOSPC", "write:1:EIO"):
        r = lab_.run(["dump", DUMP, "-o", "json"], fault)
        lab_.expect(f"standard output: {fault}", r, r.status == 3 and r.code == "E0903" and not r.out)


def batch(lab_):
    """If `etcore batch` cannot write parts, it must fail and none of them may count; --resume must complete the tables."""
    for fault in ("write:1:ENOSPC", "write:2:EIO", "write:4:EDQUOT", "write:1+:short", "write:1+:storm", "close:1+:EIO", "rename:1:EIO", "rename:3:ENOSPC",
                  "rename:6:EROFS", "fsync:1:EIO"):
        out = os.path.join(lab_.scratch, "batch " + fault)
        r = lab_.run(["batch", DUMP, "--out", out, "--jobs", "1"], fault)
        files = [os.path.join(folder, name) for folder, _, names in os.walk(out) for name in names]
        parts = [f for f in files if os.path.basename(f).startswith("part-")]
        listed = [f for f in files if os.path.basename(os.path.dirname(f)) == "_done"]
        whole = len(parts) in (0, 5) and len(listed) == bool(parts) and not [f for f in files if f.endswith(".tmp")]
        # With "write:1", the message of the worker, and after that of the main process, cannot be written.
        lab_.expect(f"batch: {fault}: {len(parts)} parts", r, whole and (r.status == 0 and parts or r.status == 3 and r.code == "E0903"))
        r = lab_.run(["batch", DUMP, "--out", out, "--resume"])
        again = [f for f in os.listdir(os.path.join(out, "runs")) if f.startswith("part-")] if r.status == 0 else []
        lab_.expect(f"batch: after {fault}", r, len(again) == 1)


def main():
    lab_ = lab.Lab(*sys.argv[1:])

    def one(writer):
        name, args = writer
        folder = os.path.join(lab_.scratch, name)
        for part in (failing, places, read_only, inputs):
            if part is failing and not lab_.faulty:
                continue
            os.makedirs(os.path.join(folder, part.__name__))
            part(lab_, name, args, os.path.join(folder, part.__name__))

    lab_.each(one, share(writers(lab_)))
    for args in (["analyze", DUMP], ["dump", DUMP, "-o", "json"], ["--help"], ["--version"], ["explain", "E0903"], ["help", "--as", "bash"]):
        standard_output(lab_, args)
    closed_streams(lab_, lab_.scratch)
    steps = os.path.join(lab_.scratch, "steps")  # no writer uses a folder of this name
    os.mkdir(steps)
    summaries(lab_, steps)
    streams(lab_, lab_.scratch)
    small_stacks(lab_, lab_.scratch)
    if lab_.faulty:
        stdout_fails(lab_)
        batch(lab_)
    return lab_.end("outputs")


if __name__ == "__main__":
    sys.exit(main())
