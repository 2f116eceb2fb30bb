"""Claims of `analyze` about KleidiAI's kernels, compared with the functions that were observed to run
(tests/data/arm/kernels.json)."""
import json
import os
import re

from etdump import Dump
from lab import DATA, SILENT, TRUE, Skip, claim, lie

with open(os.path.join(DATA, "arm", "kernels.json"), encoding="utf-8") as kernels:
    NETS = json.load(kernels)
RUNS = [(net, cpu) for net, runs in sorted(NETS.items()) for cpu in runs
        if "kai_run" in runs[cpu] and os.path.exists(os.path.join(DATA, "arm", net, cpu, "run.etdump"))]
# {token in an event's name: prefix of KleidiAI's function names, output type and left-hand side type}
FAMILIES = {"PF32": "f32_f32", "PF16": "f16_f16", "QP8": "f32_qai8dxp", "PQS8": "qai8_qai8"}
MATRIX = re.compile(r"GEMM|Convolution|Deconvolution")


def renamed(rng, d):
    """Replaces a type in all events of one name by an unknown type of the same length; returns the new name."""
    names = sorted({e.label for r in d.runs for e in r.events if MATRIX.search(e.label) and "(NC" in e.label})
    if not names:
        raise Skip
    name = rng.choice(names).rsplit(" #", 1)[0].encode()
    token = re.search(rb"\((?:NC|NHWC), ([A-Z]+)(\d+)", name)
    if not token:
        raise Skip
    first = b"P" if len(token[1]) > 1 and rng.random() < 0.5 else b"Z"  # XNNPACK names packed types with P
    other = name.replace(token[1] + token[2], first + b"Z" * (len(token[1]) - 1) + token[2])
    d.bytes[:] = bytes(d.bytes).replace(name, other)
    return other.decode()


def rows(lab, path):
    r = lab.etcore("analyze", path, "--no-siblings", "-o", "json")
    if r.status:
        lie(f"status {r.status}: {r.err[:200]}")
    return [(row["name"], row["columns"].get("kernel_library_ran"), row["columns"].get("kernel_library_why") or "")
            for row in r.json()["rows"]]


def edited(lab, rng):
    """Edits a dump. Returns (net and processor, rows, KleidiAI matrix functions that ran, the invented event name or None)."""
    net, cpu = rng.choice(RUNS)
    d = Dump(os.path.join(DATA, "arm", net, cpu, "run.etdump"))
    made_up = renamed(rng, d) if rng.random() < 0.3 else None
    for run in d.runs:
        run.stretch(rng.choice((0.5, 1, 3)))
    order = rng.sample(d.runs, len(d.runs))
    path = d.save(lab.path("run.etdump"), order)
    ran = [k[len("matmul_clamp_"):] for k in NETS[net][cpu]["kai_run"] if k.startswith("matmul_clamp_")]
    return f"{net} on {cpu}", rows(lab, path), ran, made_up


@claim("kleidiai-yes")
def yes(lab, rng):
    """"yes" is true only if a function of that family ran, and never for an unknown type."""
    what, found, ran, made_up = edited(lab, rng)
    said = [(name, why) for name, verdict, why in found if verdict == "yes"]
    for name, why in said:
        if made_up and name.startswith(made_up):
            lie(f"{what}: yes of {name}")
        family = next((f for t, f in FAMILIES.items() if t in why.split() or t in why), None)
        if not any(k.startswith(family or "") for k in ran):
            lie(f"{what}: yes of {name} ({why}), ran {ran}")
    return TRUE if said else SILENT


@claim("kleidiai-no")
def no(lab, rng):
    """"no" for all matrix kernels is true only if no KleidiAI function ran; "no" is never true for an unknown type."""
    what, found, ran, made_up = edited(lab, rng)
    verdicts = [v for _, v, _ in found if v]
    if made_up:
        for name, verdict, why in found:
            if verdict == "no" and name.startswith(made_up):
                lie(f"{what}: no of {name} ({why})")
        return SILENT
    if "no" not in verdicts:
        return SILENT
    if set(verdicts) == {"no"} and ran:
        lie(f"{what}: no of all, ran {ran}")
    return TRUE


@claim("kleidiai-cannot-tell", power=0.03)
def cannot_tell(lab, rng):
    """"cannot tell" is right only for an unknown type, because for all names that XNNPACK logs the functions are known. On
    screen, the counts of yes, no and cannot tell must add up to all matrix kernels."""
    what, found, _, made_up = edited(lab, rng)
    said = [name for name, verdict, _ in found if verdict == "cannot tell"]
    for name in said:
        if not made_up or not name.startswith(made_up):
            lie(f"{what}: cannot tell of {name}")
    if made_up and any(name.startswith(made_up) and verdict is None for name, verdict, _ in found):
        lie(f"{what}: nothing is said of {made_up}")
    screen = re.search(r"KleidiAI  ([\d.]+) of ([\d.]+) matrix kernels(.*)", lab.etcore("analyze", lab.path("run.etdump")).out)
    if screen:
        parts = {k: sum(map(float, re.findall(r"(?:^|, )([\d.]+) ", v + " "))) for k, v in
                 re.findall(r"(?:^|; )(not|cannot tell): ([^;]*)", screen[3])}
        if abs(float(screen[1]) + sum(parts.values()) - float(screen[2])) > 1e-3:
            lie(f"{what}: {screen[0]}")
        if bool(said) != ("cannot tell" in parts):
            lie(f"{what}: {said}, {screen[0]}")
    return TRUE if said else SILENT
