"""Claims of `etcore memory` about a plan: planned, live, peak, beyond the memory, sharing bytes.

memory.json.gz holds programs of random nets with the storages of ExecuTorch's own planner (record_memory.py). The expected
answers are computed here from the program's bytes, step by step.
"""
import base64
import gzip
import json
import os
import re
import sys

from lab import DATA, ROOT, SILENT, TRUE, Skip, claim, lie
from program import DELEGATE, KERNEL, Program

sys.path.append(os.path.join(ROOT, "tests", "memory"))
import allocations  # noqa: E402

with gzip.open(os.path.join(DATA, "claims", "memory.json.gz"), "rb") as recorded:
    NETS = json.load(recorded)


class Storage:
    """One storage of the planner. It is live from step `first` to step `last`; -1: before the first step."""

    def __init__(self, net, steps, spec):
        self.memory, self.offset, self.bytes, begin, end, given = spec
        self.first = -1 if given else next((k for k, n in enumerate(net["calls"]) if n >= begin), steps)
        self.last = steps - 1 if end >= net["nodes"] - 1 else max([k for k, n in enumerate(net["calls"]) if n <= end], default=-1)
        self.values = []

    @property
    def told(self):
        return self.memory, self.offset, self.bytes, self.first, self.last

    def live(self, step):
        return self.first <= step <= self.last


class Plan:
    def __init__(self, rng):
        self.net = rng.choice(NETS)
        self.program = p = Program(base64.b64decode(self.net["pte"]))
        self.steps = len(p.instructions)
        if len(self.net["calls"]) != self.steps:
            raise Skip
        self.storages = [Storage(self.net, self.steps, s) for s in self.net["specs"]]
        self.what = f"net of seed {self.net['seed']}"

    def mentions(self):
        found = {}
        for step in range(self.steps):
            for v in self.program.mentioned(step):
                found.setdefault(v, []).append(step)
        return found

    def assign(self):
        """Assigns each value to its storage; raises Skip unless exactly one storage fits."""
        for v, steps in self.mentions().items():
            t = self.program.planned[v]
            own = [s for s in self.storages if (s.memory, s.offset, s.bytes) == (t.memory, t.offset, t.bytes)
                   and s.first <= steps[0] and steps[-1] <= s.last]
            if len(own) != 1:
                raise Skip
            own[0].values.append(v)

    def longer(self, rng):
        """Makes an instruction take a tensor whose life had ended. That tensor then lives until this step, and the replaced
        tensor may die earlier."""
        self.assign()
        p, before = self.program, self.mentions()
        step = rng.choice([i for i, (kind, _) in enumerate(p.instructions) if kind == KERNEL] or [None])
        if step is None:
            raise Skip
        places = [k for k, a in enumerate(p.args(step)[:-1]) if a in p.planned and len(before[a]) > 2]
        others = [v for v, steps in before.items() if steps[0] < step]
        if not places or not others:
            raise Skip
        p.put_arg(step, rng.choice(places), rng.choice(others))
        after = self.mentions()
        for s in self.storages:
            old, new = ([n for v in s.values for n in m.get(v, [])] for m in (before, after))
            if old and s.last == max(old) and not set(s.values) & set(p.outputs):
                s.last = max(new, default=s.first)
            s.last = max([s.last, *new])

    def move(self, rng):
        """Moves one storage, possibly to another memory. It may then share bytes with storages that are live at the same
        time."""
        self.assign()
        if not self.storages:
            raise Skip
        s = rng.choice(self.storages)
        here = {v for v, t in self.program.planned.items() if (t.memory, t.offset, t.bytes) == s.told[:3]}
        if not s.values or here - {v for o in self.storages for v in o.values}:
            raise Skip  # a value that no instruction mentions would keep its old place
        other = rng.choice(self.storages)
        s.memory = rng.choice((s.memory, s.memory, 2, 5))
        s.offset = max(1, rng.choice((other.offset + rng.choice((-8, 4, other.bytes)), rng.randrange(1, 5000))))
        if any(o is not s and (o.memory, o.offset, o.bytes) == (s.memory, s.offset, s.bytes) for o in self.storages):
            raise Skip  # views are recognised by equal places
        for v in s.values:
            self.program.planned[v].place(s.memory, s.offset)

    def resize(self, rng):
        """Increases or decreases the declared size of a memory."""
        ends = [s.offset + s.bytes for s in self.storages if s.memory == 1]
        self.program.put_size(1, rng.choice((0, 1, max(ends, default=8) + rng.choice((-1, 0, 1, 100)), 1 << 33)))

    def at(self, memory, step):
        return [s for s in self.storages if s.memory == memory and s.live(step)]

    def peak(self, memory):
        """Returns (most bytes that are live at one step, the first such step)."""
        total = [sum(s.bytes for s in self.at(memory, k)) for k in range(self.steps)]
        most = max(total, default=0)
        return most, total.index(most) if most else None


def edited(lab, rng, *edits):
    plan = Plan(rng)
    edit = rng.choice((None, *edits))
    try:
        if edit:
            getattr(plan, edit)(rng)
    except ValueError:
        raise Skip from None
    plan.what += f", {edit}"
    path = lab.path("model.pte")
    with open(path, "wb") as f:
        f.write(plan.program.bytes)
    return plan, path


def answer(lab, path):
    r = lab.etcore("memory", path, "-o", "json")
    if r.status:
        lie(f"status {r.status}: {r.err[:200]}")
    return r.json()["methods"][0]


@claim("memory-live", power=0.3)
def live(lab, rng):
    """The lifetime of each storage must be the planner's. If an instruction was changed to take another tensor, the
    tensor's last use decides."""
    plan, path = edited(lab, rng, "longer", "move")
    groups = sorted((g["memory_id"], g["offset"], g["bytes"], g["first"], g["last"]) for g in answer(lab, path)["groups"])
    truth = sorted(s.told for s in plan.storages)
    if groups != truth:
        lie(f"{plan.what}: {sorted(set(groups) - set(truth))} for {sorted(set(truth) - set(groups))}")
    return TRUE


@claim("memory-peak", power=0.3)
def peak(lab, rng):
    """The most bytes that are live at once, the step, and the storages that share bytes then must be right, on screen and
    in JSON."""
    plan, path = edited(lab, rng, "longer", "move")
    method = answer(lab, path)
    for m in method["memories"]:
        want = plan.peak(m["memory_id"])
        if (m["peak_live_bytes"], m["peak_step"]) != want:
            lie(f"{plan.what}: peak {m['peak_live_bytes']} at {m['peak_step']}, not {want}")
        for point in m["timeline"]:
            alive = plan.at(m["memory_id"], point["step"])
            covered = len(set().union(*(range(s.offset, s.offset + s.bytes) for s in alive)))
            if (point["live"], point["bytes"], point["covered"]) != (len(alive), sum(s.bytes for s in alive), covered):
                lie(f"{plan.what}: {point}, not {len(alive)} with {covered} bytes")
    shared = {tuple(sorted((a.told, b.told))) for a in plan.storages for b in plan.storages
              if a is not b and a.memory == b.memory and max(0, a.first, b.first) <= min(a.last, b.last)
              and a.offset < b.offset + b.bytes and b.offset < a.offset + a.bytes}
    told = [tuple(g[k] for k in ("memory_id", "offset", "bytes", "first", "last")) for g in method["groups"]]
    said = {tuple(sorted(told[i] for i in c["groups"])) for c in method["conflicts"]}
    if said != shared:
        lie(f"{plan.what}: {said} share bytes, not {shared}")
    screen = lab.etcore("memory", path).out
    for memory, most, step in re.findall(r"memory (\d+) .*live at most (\d+) at step (\d+)", screen):
        if (int(most), int(step)) != plan.peak(int(memory)):
            lie(f"{plan.what}: live at most {most} at step {step}")
    return TRUE


@claim("memory-planned", power=0.3)
def planned(lab, rng):
    """With a changed memory size or a moved storage, etcore's claims must be right: declared size, never used, beyond the
    memory."""
    plan, path = edited(lab, rng, "resize", "move")
    screen = lab.etcore("memory", path).out
    sizes = dict(enumerate(plan.program.sizes()))
    sizes.pop(0, None)
    lines = re.findall(r"\nmemory (\d+)   (\d+ bytes|not declared)(.*(?:\n  tensors end at byte \d+: beyond the memory)?)", screen)
    used = {s.memory for s in plan.storages}
    if {int(m) for m, _, _ in lines} != used | set(sizes):
        lie(f"{plan.what}: memories {[m for m, _, _ in lines]}, there are {sorted(used | set(sizes))}")
    for m, size, rest in lines:
        m, size = int(m), None if size == "not declared" else int(size.split()[0])
        end = max([s.offset + s.bytes for s in plan.storages if s.memory == m], default=0)
        beyond = re.search(r"end at byte (\d+)", rest)
        if size != sizes.get(m) or ("never used" in rest) != (not plan.peak(m)[0]):
            lie(f"{plan.what}: memory {m}: {size}{rest}")
        if bool(beyond) != (size is not None and end > size) or (beyond and int(beyond[1]) != end):
            lie(f"{plan.what}: memory {m} of {size} ends at {end}: {rest}")
        free = re.search(r"(\d+) free below byte (\d+)", rest)
        if free:
            alive = plan.at(m, plan.peak(m)[1])
            extent = max(s.offset + s.bytes for s in alive)
            covered = len(set().union(*(range(s.offset, s.offset + s.bytes) for s in alive)))
            if (int(free[1]), int(free[2])) != (extent - covered, extent):
                lie(f"{plan.what}: {free[0]}, not {extent - covered} below {extent}")
    return TRUE


@claim("memory-allocated", power=0.3)
def allocated(lab, rng):
    """The bytes that runs took from allocators, per instruction, and the peak of plan and allocations together must be
    right, with a dump of this program or of another one."""
    plan, path = edited(lab, rng, "longer", "move")
    kinds = {KERNEL: "OPERATOR_CALL", DELEGATE: "DELEGATE_CALL"}
    names = [kinds.get(kind) for kind, _ in plan.program.instructions]
    if None in names:
        raise Skip
    foreign = rng.random() < 0.3
    if foreign:
        names = names + ["OPERATOR_CALL"] * rng.randint(1, 3)
    runs = [allocations.draw_run(rng, names) for _ in range(rng.randint(1, 5))]
    dump = lab.path("run.etdump")
    allocations.write(dump, runs)
    r = lab.etcore("memory", path, dump, "-o", "json")
    if r.status:
        lie(f"status {r.status}: {r.err[:200]}")
    report = r.json()
    place = next(p for p in report["allocations"]["places"] if p["execute"])
    if foreign and place["with_plan"] is not None:
        lie(f"{plan.what}: a plan with the runs of another program")
    uses = allocations.expect(runs)
    memories = [{"timeline": [{"step": k, "bytes": sum(s.bytes for s in plan.at(m, k))} for k in range(plan.steps)]}
                for m in {s.memory for s in plan.storages}]
    problem = allocations.compare(place, uses, len(runs), None if foreign else {"steps": plan.steps, "memories": memories})
    if problem:
        lie(f"{plan.what}: {problem}")
    return SILENT if foreign else TRUE
