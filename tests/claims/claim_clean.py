"""Claims that a file is clean: `config` and `doctor` exit with status 0 and report nothing.

Each trial adds one defect to a real file. Status 0 without a message is then a lie.
"""
import io
import os
import re
import struct
import warnings
import zipfile

from etdump import Dump
from lab import DATA, SILENT, TRUE, Skip, claim, dumps, lie
from program import DELEGATE, KERNEL, Program

# {kind of key: (valid values, invalid values)}
VALUES = {
    "scale": (("ns", "us", "µs", "ms", "s", "cycles", "ticks"), ("nss", "min", "1", "n s", "µ", "ns,us")),
    "number": (("0", "1000000", "1e6", "2.5"), ("-1", "1e999", "nan", "inf", "1x", "0x", "1,5", "1 2", "--1")),
    "size": (("0", "64M", "1G", "100000000"), ("-1", "64Q", "1.2.3", "99999999999999999999G", "M", "1 M M", "0x10")),
    "bool": (("yes", "no"), ("yess", "2", "y n", "-", "maybe")),
    "color": (("auto", "always", "never"), ("sometimes", "auto always", "0")),
    "jobs": (("0", "1", "256"), ("257", "-1", "1.5", "many", "1e1")),
    "pattern": (("^conv", "a|b"), ("(", "[a", "a{2", "a\\")),
    "column": (("/a : f64 : ms : sum", "/a/b : str", "name : str"), ("/a", "/a : f65", "/a : f64 : parsec", "/a : f64 : ms : most", "a : f64", "/a : f64 : ms : sum : 1")),
    "metadata": (("hex", "none", "text", "json", "list", "u32le"), ("u32", "f16le", "hexx", "u8 i8", "json,text")),
    "time": (("auto", "interval", "value", "estimate"), ("point", "intervall", "1")),
    "bits": (("0", "32", "63"), ("64", "-1", "32.5", "thirty")),
}
KEYS = {
    ("etcore", "source_time_scale"): "scale", ("etcore", "target_time_scale"): "scale",
    ("etcore", "ticks_per_second"): "number", ("etcore", "color"): "color", ("etcore", "isolate"): "bool",
    ("etcore", "jobs"): "jobs", ("limits", "max_memory"): "size", ("limits", "max_visits"): "size",
    ("limits", "max_pipe"): "size", ("limits", "max_hook_seconds"): "number", ("limits", "max_hook_memory"): "size",
    ("backend.AcmeBackend", "metadata"): "metadata", ("backend.AcmeBackend", "source_time_scale"): "scale",
    ("backend.AcmeBackend", "ticks_per_second"): "number", ("backend.AcmeBackend", "time"): "time",
    ("backend.AcmeBackend", "counter_bits"): "bits", ("backend.AcmeBackend", "probe"): "pattern",
    ("backend.AcmeBackend", "column.cost"): "column", ("backend.AcmeBackend", "category.convolution"): "pattern",
}


def honest_lines(rng):
    lines = []
    for section in rng.sample(sorted({s for s, _ in KEYS}), rng.randint(1, 3)):
        keys = [k for k in KEYS if k[0] == section]
        lines.append(f"[{section}]")
        for key in rng.sample(keys, rng.randint(1, len(keys))):
            lines.append(f"{key[1]} = {rng.choice(VALUES[KEYS[key]][0])}{rng.choice(('', '', ' ; why'))}")
    return lines


def misspell(rng, word):
    at = rng.randrange(len(word))
    other = rng.choice([c for c in "abcdefghijklmnopqrstuvwxyz" if c != word[at].lower()])
    return rng.choice((word[:at] + word[at + 1:], word[:at] + other + word[at + 1:], word + other))


def plant(rng, lines):
    """Adds one defect; returns (what is wrong, the lines with the defect)."""
    keys = [i for i, text in enumerate(lines) if "=" in text]
    heads = [i for i, text in enumerate(lines) if text.startswith("[")]
    at, head = rng.choice(keys), rng.choice(heads)
    key, value = (part.strip() for part in lines[at].split("=", 1))
    section = next(lines[i][1:-1] for i in reversed(heads) if i < at)
    wrong = rng.choice(VALUES[KEYS[section, key]][1])
    what, new = rng.choice((
        ("wrong value", (at, f"{key} = {wrong}")), ("wrong value", (at, f"{key} = {wrong}")),
        ("wrong value", (at, f"{key} = {wrong}")), ("misspelled key", (at, f"{misspell(rng, key)} = {value}")),
        ("misspelled section", (head, f"[{misspell(rng, lines[head][1:-1].split('.')[0])}]")),
        ("no sign", (at, f"{key} {value.split(' ')[0]}")), ("no end of section", (head, lines[head][:-1])),
        ("indented", (at, f"  {key} = {value}")), ("NUL byte", (at, f"{key} = {value}\0")),
        ("not UTF-8", (at, f"{key} = {value}\udcff")), ("set twice", (at, f"{lines[at]}\n{lines[at]}")),
        ("too long", (at, f"{key} = {value}" + " " * 10 + "x" * 250)), ("no key", (at, f"= {value}")),
        ("another section's key", (at, f"{'max_pipe' if section != 'limits' else 'color'} = 0")),
        ("text behind a section", (head, f"{lines[head]} x"))))
    if what == "indented" and at - 1 in heads:
        raise Skip  # the line would continue the value above it, but the line above is a section's head
    if what == "misspelled key" and (section, new[1].split(" =")[0]) in KEYS:
        raise Skip
    if what == "misspelled key" and re.match(r"(column|category|unit|kind|level)\.\w", new[1]):
        raise Skip  # a name that the user chooses, so any is valid
    changed = list(lines)
    changed[new[0]] = new[1]
    return what, changed


@claim("config-clean", power=0.1)
def config_clean(lab, rng):
    """`config` must never accept a configuration with one defect without a message."""
    lines = honest_lines(rng)
    what = None
    if rng.random() < 0.8:
        what, lines = plant(rng, lines)
    path = lab.path("etcore.ini")
    with open(path, "wb") as f:
        f.write(("\n".join(lines) + "\n").encode("utf-8", "surrogateescape"))
    r = lab.etcore("config", "-c", path)
    if r.status or r.err:
        return SILENT
    return TRUE if what is None else lie(f"{what}: {lines}")


# ---- doctor ----------------------------------------------------------------------------------------

DUMPS = [p for p in dumps("/cases/", "/arm/") if os.path.getsize(p) < 200_000]


def below(ending, most=200_000):
    return sorted(os.path.join(folder, n) for folder, _, names in os.walk(DATA) for n in names
                  if n.endswith(ending) and os.path.getsize(os.path.join(folder, n)) < most and "/edge" not in folder)


RECORDS, PROGRAMS = below(".etrecord"), [p for p in below(".pte") if "/hostile" not in p]


def cut(rng, data):
    return bytes(data[:rng.randrange(8, len(data))])


def spoil_dump(rng, data, path):
    """Damages the dump in one place; returns (description of the defect, bytes)."""
    d = Dump(path)
    events = [e for r in d.runs for e in r.events]
    if not events:
        raise Skip
    e = rng.choice(events)
    what = rng.choice(("identifier", "size", "root", "count", "ends before it starts", "name not UTF-8", "vtable"))
    at = d.base
    if what == "identifier":
        d.bytes[at + 4] ^= 1
    elif what == "size":
        if not at:
            raise Skip
        struct.pack_into("<I", d.bytes, 0, len(d.bytes) + rng.choice((-8, 8, 100)))
    elif what == "root":
        struct.pack_into("<I", d.bytes, at, len(d.bytes) + rng.randrange(1 << 20))
    elif what == "count":
        struct.pack_into("<I", d.bytes, d.table(rng.choice(d.runs).at, 3), 1 << 29)
    elif what == "ends before it starts":
        if not e.start or not e._places[1]:
            raise Skip
        e.end = e.start - 1
    elif what == "name not UTF-8":
        name = (e.label or "").encode()
        place = bytes(d.bytes).find(name + b"\0") if len(name) > 2 else -1
        if place < 0 or e.label.isdigit():
            raise Skip
        d.bytes[place + 1] = 0xFF
    else:
        run = rng.choice(d.runs).at
        struct.pack_into("<i", d.bytes, run, -(1 << 30))
    return what, d.bytes


def spoil_program(rng, data, _):
    p = Program(data)
    what = rng.choice(("identifier", "root", "value", "operator", "input", "beyond its memory", "memory", "negative size", "count"))
    calls = [i for i, (kind, _) in enumerate(p.instructions) if kind in (KERNEL, DELEGATE) and p.args(i)]
    far = len(p.values) + rng.randrange(1000)
    if not calls or not p.planned:
        raise Skip
    step = rng.choice(calls)
    if what == "identifier":
        p.bytes[6] ^= 1
    elif what == "root":
        struct.pack_into("<I", p.bytes, 0, len(p.bytes) + 4)
    elif what == "value":
        p.put_arg(step, rng.randrange(len(p.args(step))), rng.choice((far, -7)))
    elif what == "operator":
        p.put(p.instructions[step][1], 0, "<i", 500 + far)
    elif what == "input":
        p.put_number(p.plan, 3, "i", 0, far)
    elif what == "beyond its memory":
        t = rng.choice([t for t in p.planned.values() if t.bytes] or [None])
        if t is None:
            raise Skip
        p.put_size(t.memory, t.offset + t.bytes - 1)
    elif what == "memory":
        rng.choice(list(p.planned.values())).place(77, 0)
    elif what == "negative size":
        t = rng.choice([t for t in p.tensors.values() if t.shape] or [None])
        if t is None:
            raise Skip
        p.put_number(t.at, 2, "i", 0, -3)
    else:
        struct.pack_into("<I", p.bytes, p.table(p.plan, 2), 1 << 28)
    return what, p.bytes


def spoil_record(rng, data, path):
    with zipfile.ZipFile(path) as z:
        entries = {n: z.read(n) for n in z.namelist()}
    texts = [n for n, v in entries.items() if v[:1] in (b"{", b"[")]
    what = rng.choice(("no marker", "JSON", "twice", "checksum"))
    other = None
    if what == "no marker":
        entries.pop(next(n for n in entries if n.endswith("ETRECORD_V0")))
    elif what == "JSON":
        name = rng.choice(texts)
        entries[name] = entries[name][:rng.randrange(1, len(entries[name]) - 1)]
    elif what == "twice":
        other = rng.choice(texts)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # hides zipfile's warning about the entry that is stored twice
        for n, v in [*entries.items(), *([(other, entries[other])] if other else [])]:
            z.writestr(n, v)
    out = bytearray(out.getvalue())
    if what == "checksum":
        n = rng.choice(texts)
        place = bytes(out).find(entries[n])
        out[place + rng.randrange(len(entries[n]))] ^= 1
    return what, out


@claim("doctor-clean", power=0.1)
def doctor_clean(lab, rng):
    """`doctor` must never report a file with one defect as clean, neither alone nor next to clean files."""
    kind, paths, spoil = rng.choice((("etdump", DUMPS, spoil_dump), ("pte", PROGRAMS, spoil_program),
                                     ("etrecord", RECORDS, spoil_record)))
    path = rng.choice(paths)
    with open(path, "rb") as f:
        data = f.read()
    if lab.etcore("doctor", path, "--no-siblings").status:
        raise Skip  # the unchanged file has a defect already
    what, out = None, data
    if rng.random() < 0.8:
        try:
            what, out = ("cut", cut(rng, data)) if rng.random() < 0.1 else spoil(rng, data, path)
        except (ValueError, IndexError):
            raise Skip from None
    name = lab.path("file." + kind)
    with open(name, "wb") as f:
        f.write(out)
    others = [p for p in (os.path.join(os.path.dirname(path), n) for n in ("model.pte", "model.etrecord", "run.etdump"))
              if os.path.exists(p) and not p.endswith(kind)]
    r = lab.etcore("doctor", name, *(others if rng.random() < 0.3 else []), "--no-siblings")
    if r.status:
        return SILENT
    return TRUE if what is None else lie(f"{what}: {os.path.relpath(path, DATA)}: {r.out}")
