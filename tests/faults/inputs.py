#!/usr/bin/env python3
"""inputs.py ETCORE [FAULT.SO] [--only PART] -- files that change while they are read, pipes, devices, folders, links, huge
files, unusual names.

Each must give an answer or a coded error (status 3, 4, 5, 7) within seconds. A file that is truncated while it is mapped
must give E0907, a file that is replaced W0908.
"""

import os
import resource
import subprocess
import sys
import threading
import zlib

import lab

CASE = os.path.join(lab.CASES, "mlp_xnnpack")
READERS = {
    "analyze": ["analyze"], "inspector": ["inspector", "--etdump_path"], "dump": ["dump"], "doctor": ["doctor"],
    "values": ["numeric", "values"], "diff": ["diff", os.path.join(CASE, "run.etdump"), "--"],
    "memory": ["memory"], "tokens": ["tokens"],
}
SOON = 10  # seconds of processor time


def read(path):
    with open(path, "rb") as f:
        return f.read()


def put(path, data=b""):
    with open(path, "wb") as f:
        f.write(data)
    return path


def changing(lab_, name, args, folder):
    """At the moment when the file is mapped, it is truncated or written to (E0907), or replaced or appended to (W0908)."""
    source = lab.PTE + "/models/mutable_buffers/model.pte" if name == "memory" else os.path.join(CASE, "run.etdump")
    data, path = read(source), os.path.join(folder, os.path.basename(source))
    meant, seen = {"ETCORE_FAULT_FILE": path}, set()
    want = lab_.run(args + [put(path, data)])
    for fault, code in (("mmap:1:cut", "E0907"), ("mmap:1:touch", "E0907"), ("mmap:1:EIO", "E0902"), ("mmap:1:ENOMEM", "E0902")):
        r = lab_.run(args + [put(path, data)], fault, env=meant)
        ok = r.status == 3 and r.code == code and path.encode() in r.err and not r.out
        ok = ok or name == "doctor" and code == "E0902" and r.status == 1 and b"E0902" in r.out
        lab_.expect(f"{name}: {fault}", r, ok)
        seen.add(r.code)
    r = lab_.run(args + [put(path, data), "--diagnostics=json"], "mmap:1:cut", env=meant)
    lab_.expect(f"{name}: cut, told as JSON", r, r.status == 3 and b'{"code":"E0907"' in r.err and r.err.count(b"\n") == 1)
    for fault in ("mmap:1:replace", "mmap:1:grow"):
        if name in ("doctor", "diff"):  # doctor does not print this warning; diff opens the file twice
            break
        r = lab_.run(args + [put(path, data)], fault, env=meant)
        lab_.expect(f"{name}: {fault}", r, r.status == want.status and "W0908" in r.warned)
        seen |= r.warned
        strict = lab_.run(args + [put(path, data), "--strict"], fault, env=meant)
        lab_.expect(f"{name}: {fault} --strict", strict, strict.status not in (0, want.status))
    if not lab_.wrong:
        assert seen >= ({"E0907"} if name in ("doctor", "diff") else {"E0907", "W0908"}), seen


def opens(path):
    try:
        os.close(os.open(path, os.O_RDONLY))
    except OSError:
        return False
    return True


def kinds(lab_, name, args, folder):
    """Tests inputs that are not regular files or cannot be read."""
    path = lambda n: os.path.join(folder, n)
    os.symlink("ring", path("ring"))
    os.mkdir(path("folder"))
    cases = [
        ("a folder", path("folder"), {2, 3}), ("nothing", path("nothing"), {3}), ("links in a ring", path("ring"), {3}), ("no name", "", {2, 3}),
        ("an empty file", put(path("empty.etdump")), {4}), ("/dev/null", "/dev/null", {4}), ("a name too long", "n" * 5000, {3}),
        ("a file of /proc", "/proc/self/maps", {4}),
    ]
    if os.access("/proc/kmsg", os.R_OK) and opens("/proc/kmsg"):
        cases.append(("a file of /proc that is waited for", "/proc/kmsg", {3}))  # with any number of messages waiting
    for what, it, status in cases:
        r = lab_.run(args + [it])
        lab_.expect(f"{name}: {what}", r, (r.status in status or name == "doctor" and r.status == 1) and (r.code or r.out))
    r = lab_.run(args + ["/dev/zero"], env={}, preexec_fn=small)
    lab_.expect(f"{name}: /dev/zero in little memory", r, r.status in (7, 8) or name == "doctor" and r.status in (1, 7, 8))
    if name != "inspector":
        r = lab_.run(args + ["/dev/zero", "--set", "limits.max_pipe=100000000"], preexec_fn=brief)
        ok = r.status == 7 and r.code == "E0906" or name == "doctor" and r.status == 1
        lab_.expect(f"{name}: /dev/zero", r, ok)


def brief():
    """Limits the processor time; a command that exceeds it ends with SIGXCPU."""
    resource.setrlimit(resource.RLIMIT_CPU, (SOON, SOON))


def small():
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))


def pipes(lab_, name, args, folder):
    """A named pipe and standard input must give the same status as the file, and an answer."""
    source = lab.PTE + "/models/mutable_buffers/model.pte" if name == "memory" else os.path.join(CASE, "run.etdump")
    plain = os.path.join(folder, "plain")
    want = lab_.run(args + [put(plain, read(source))])
    fifo = os.path.join(folder, "fifo")
    os.mkfifo(fifo)
    writer = threading.Thread(target=lambda: put(fifo, read(source)), daemon=True)
    writer.start()
    r = lab_.run(args + [fifo])
    os.close(os.open(fifo, os.O_RDONLY | os.O_NONBLOCK))  # releases a writer that waits because etcore did not open the pipe
    lab_.expect(f"{name}: a pipe with a name", r, r.status == want.status and len(r.out) > 20)
    writer.join(lab.LONGEST)
    for word in ("-", "/dev/stdin"):
        r = lab_.run(args + [word], stdin=read(source))
        lab_.expect(f"{name}: {word}", r, r.status == want.status and len(r.out) > 20)
    # A pipe has the name of a sibling that etcore looks for: etcore must not block on it.
    os.mkfifo(os.path.join(folder, "run.etrecord"))
    os.mkfifo(os.path.join(folder, "run.pte"))
    r = lab_.run(args + [put(os.path.join(folder, "run.etdump"), read(source))])
    lab_.expect(f"{name}: pipes beside it", r, r.status == want.status)


def calls(lab_, name, args, folder):
    """Tests system calls that are interrupted, return few bytes, or fail."""
    source = lab.PTE + "/models/mutable_buffers/model.pte" if name == "memory" else os.path.join(CASE, "run.etdump")
    want = lab_.run(args + ["-"], stdin=read(source))
    for fault in ("read:1+:short", "read:1+:storm", "read:1:EINTR", "read:3:EINTR"):
        r = lab_.run(args + ["-"], fault, stdin=read(source))
        lab_.expect(f"{name}: {fault}", r, r.status == want.status and r.out == want.out)
    r = lab_.run(args + ["-"], "read:1:EIO", stdin=read(source))
    lab_.expect(f"{name}: read:1:EIO", r, r.status == 3 and r.code == "E0902" or name == "doctor" and r.status == 1)
    want = lab_.run(args + [source])
    places = lab_.run(args + [source], "open:1000000:EIO").fired
    for call in ("open", "fstat"):
        for n in range(1, places[call][0] + 1):
            r = lab_.run(args + [source], f"{call}:{n}:EINTR")
            if call == "open":
                lab_.expect(f"{name}: {call}:{n}:EINTR", r, r.status == want.status and r.out == want.out)
            for why in ("EIO",) if n % 2 else ("EMFILE",):
                r = lab_.run(args + [source], f"{call}:{n}:{why}")
                told = r.code or r.warned or b"E090" in r.out or r.status == want.status and r.out == want.out
                lab_.expect(f"{name}: {call}:{n}:{why}", r, told and r.status in (0, 1, 2, 3, want.status))


def huge(lab_, folder):
    """Tests a sparse file of 5 GB, and an ETRecord whose data is beyond 4 GB."""
    path = os.path.join(folder, "sparse.etdump")
    with open(path, "wb") as f:
        f.truncate(5 << 30)
    for name, args in READERS.items():
        r = lab_.run(args + [path], preexec_fn=brief)
        lab_.expect(f"{name}: 5 GB of zeros", r, r.status in (1, 4, 5))
    with open(path, "r+b") as f:
        f.write(read(os.path.join(CASE, "run.etdump")))
    for name, args in READERS.items():
        r = lab_.run(args + [path], preexec_fn=brief)
        lab_.expect(f"{name}: an ETDump and 5 GB of zeros", r, r.status in range(8))
    os.unlink(path)
    record = os.path.join(folder, "huge.etrecord")
    far_record(record, os.path.join(CASE, "model.etrecord"))
    for args in (["analyze", os.path.join(CASE, "run.etdump"), "-r"], ["dump"], ["doctor"]):
        peak = []
        r = measured(lab_, args + [record], peak)
        # doctor reads every byte of the sparse file, whose checksum is wrong
        ok = r.status == 1 if args[0] == "doctor" else r.status == 0 and peak and peak[0] < 64 << 10
        lab_.expect(f"{args[0]}: an ETRecord of 4.5 GB in {peak} KiB", r, ok)
    os.unlink(record)


def measured(lab_, args, peak):
    """Runs the command; appends its peak resident memory in KiB to `peak`."""
    script = "import resource, subprocess, sys; s = subprocess.run(sys.argv[1:]).returncode; " \
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr); sys.exit(s)"
    r = lab_.run(["-c", script, lab_.etcore, *args], program=sys.executable)
    lines = r.err.split()
    if lines and lines[-1].isdigit():
        peak.append(int(lines[-1]))
    return r


def far_record(path, like):
    """Writes a record whose entries follow an entry of 4.5 GB, which is a hole in the file and never needed."""
    import struct
    import zipfile
    hole = (9 << 29) - 100
    entries = []
    with zipfile.ZipFile(like) as z, open(path, "wb") as f:
        def local(name, data, size, crc):
            at = f.tell()
            extra = struct.pack("<HHQQ", 1, 16, size, size)
            f.write(struct.pack("<IHHHHHIIIHH", 0x04034b50, 45, 0, 0, 0, 0x21, crc, 0xffffffff, 0xffffffff, len(name), len(extra)) + name + extra + data)
            entries.append((name, size, crc, at))
        local(b"a_hole", b"", hole, zeros_crc(hole))
        f.seek(hole, 1)
        for i in z.infolist():
            data = z.read(i)
            local(i.filename.encode(), data, len(data), zlib.crc32(data))
        start = f.tell()
        for name, size, crc, at in entries:
            extra = struct.pack("<HHQQQ", 1, 24, size, size, at)
            f.write(struct.pack("<IHHHHHHIIIHHHHHII", 0x02014b50, 45, 45, 0, 0, 0, 0x21, crc, 0xffffffff, 0xffffffff, len(name), len(extra),
                                0, 0, 0, 0, 0xffffffff) + name + extra)
        end = f.tell()
        f.write(struct.pack("<IQHHIIQQQQ", 0x06064b50, 44, 45, 45, 0, 0, len(entries), len(entries), end - start, start))
        f.write(struct.pack("<IIQI", 0x07064b50, 0, end, 1))
        f.write(struct.pack("<IHHHHIIH", 0x06054b50, 0, 0, 0xffff, 0xffff, 0xffffffff, 0xffffffff, 0))


def zeros_crc(_):
    return 0  # a wrong CRC; nothing reads the entry, so nothing checks it


def names(lab_, folder):
    """Arbitrary bytes in file names must be escaped on the screen."""
    for name in (b"a\x1b[2Jb", b"new\nline", b"tab\tbel\x07", b"\xff\xfe", b"\xe2\x80\xae gnirts", b"c1\xc2\x9b", b"-", b"--help", b"%s%n", b"'\"\\"):
        path = os.path.join(folder.encode(), name)
        put(path, read(os.path.join(CASE, "run.etdump")))
        for args in READERS.values():
            for bad in (path, path + b"x"):
                r = lab_.run([a.encode() for a in args] + [b"./" + name if bad == path else bad], cwd=folder)
                raw = r.out + r.err
                ok = not any(c < 32 and c != 10 or c == 127 for c in raw) and b"\xe2\x80\xae" not in raw and b"\xc2\x9b" not in raw
                ok = ok and not raw.decode("utf-8", "replace").count("\ufffd")
                lab_.expect(f"{args[0]}: the name {name!r}", r, ok and r.status in range(8), repr(raw[:200]))
        os.unlink(path)


def denied(lab_, name, args, folder):
    """Tests a file without read permission."""
    path = put(os.path.join(folder, "secret.etdump"), b"x")
    os.chmod(path, 0)
    r = lab_.run_bound(args + [path])
    if not r:
        return
    ok = r.status == 3 and r.code == "E0901" and b"Permission denied" in r.err or name == "doctor" and r.status == 1
    lab_.expect(f"{name}: a file that may not be read", r, ok)


def main():
    words = sys.argv[1:]
    only = words.pop(words.index("--only") + 1) if "--only" in words else ""
    lab_ = lab.Lab(*[w for w in words if w != "--only"])

    def one(reader):
        name, args = reader
        for part in (changing, calls, kinds, pipes, denied):
            if part in (changing, calls) and not lab_.faulty or not part.__name__.startswith(only):
                continue
            folder = os.path.join(lab_.scratch, name, part.__name__)
            os.makedirs(folder)
            part(lab_, name, args, folder)

    lab_.each(one, list(READERS.items()))
    for part in [part for part in (huge, names) if part.__name__.startswith(only)]:
        folder = os.path.join(lab_.scratch, part.__name__)
        os.mkdir(folder)
        part(lab_, folder)
    return lab_.end("inputs")


if __name__ == "__main__":
    sys.exit(main())
