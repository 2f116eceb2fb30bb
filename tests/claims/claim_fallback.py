"""Claims of `analyze --by fallback`: the operators that ran outside of delegates, computed independently from dump and
program."""
import os
import re

from claim_screen import REAL, disturb
from lab import DATA, SILENT, TRUE, Skip, claim, lie

TYPES = {"FLOAT": "float32", "LONG": "int64", "INT": "int32", "BOOL": "bool", "HALF": "float16", "DOUBLE": "float64",
         "CHAR": "int8", "BYTE": "uint8", "SHORT": "int16"}
REFUSED = {"int64", "bool", "float64", "int16"}


def programs():
    """Returns {dump with OPERATOR_CALL events: its program}."""
    found = {os.path.join(DATA, "sample/run.etdump"): os.path.join(DATA, "sample/model.pte")}
    for dump in REAL:
        parts = os.path.relpath(dump, DATA).split(os.sep)
        name = "_".join(parts[:2] if parts[0] == "cases" else parts[:3])
        program = os.path.join(DATA, "pte/programs", name + ".pte")
        if os.path.exists(program):
            found[dump] = program
    return {dump: program for dump, program in found.items() if b"OPERATOR_CALL" in open(dump, "rb").read()}


PROGRAMS = programs()
CONTENTS = {}


def plans(lab, program):
    if program not in CONTENTS:
        r = lab.etcore("dump", program, "-o", "json")
        CONTENTS[program] = r.json()["program"]["execution_plan"] if r.status == 0 else []
    return CONTENTS[program]


def words(values, index, without=()):
    """Returns [(shape, type)] of a value's tensors, as texts."""
    value = values[index] if index >= 0 else {"val_type": None}
    if value["val_type"] in ("TensorList", "OptionalTensorList"):
        return [w for i in value["val"] if i not in without for w in words(values, i)]
    if value["val_type"] != "Tensor":
        return []
    t = value["val"]
    mark = {"STATIC": "", "DYNAMIC_BOUND": "<="}.get(t["shape_dynamism"])
    shape = "?" if mark is None else mark + ("x".join(map(str, t["sizes"])) or "scalar")
    return [(shape, TYPES.get(t["scalar_type"], t["scalar_type"].lower()))]


def same(given, want):
    """Returns whether two signatures agree. The record's graph has '?' for a size that is not fixed; the program has its
    upper bound."""
    if list(map(len, given)) != list(map(len, want)):
        return False
    for x, y in zip(*([w for side in words for w in side] for words in (given, want))):
        fixed = y != "?" and not y.startswith("<=")
        if x != y and (fixed or "?" not in x or y != "?" and not re.fullmatch(x.replace("?", "[0-9]+"), y[2:])):
            return False
    return True


def check_words(row, plan, chain, instruction, graph=False):
    call = plan["chains"][chain]["instructions"][instruction]
    args = call.get("args") or []
    given, seen = [], []
    for side in ("shapes", "types"):
        text = row.get(side)
        if text is None:
            return False
        left, _, right = text.partition("->")
        given.append(([w for w in left.strip().split(", ") if w], [w for w in right.strip().split(", ") if w]))
    last = args[-1]
    results = words(plan["values"], last)
    of_results = set(plan["values"][last]["val"]) if plan["values"][last]["val_type"] == "TensorList" else set()
    for a in args[:-1]:
        if a != last and a not in of_results:
            seen += words(plan["values"], a, of_results)
    for k in (0, 1):
        want = [w[k] for w in seen], [w[k] for w in results]
        if not (same(given[k], want) if graph else given[k] == want):
            lie(f"{row['key']}: {given[k]}, the program has {seen} -> {results}")
    reason = row.get("reason")
    if reason and not plan["delegates"] and reason == "the method has no delegate":
        return True
    if reason:
        kinds = {w[1] for w in seen} | ({results[0][1]} if len(results) == 1 else set())
        named = reason.removeprefix("XNNPACK takes no ")
        if named not in kinds & REFUSED or {d["id"] for d in plan["delegates"]} != {"XnnpackBackend"}:
            lie(f"{row['key']}: {reason}")
    return True


def operators(runs):
    """Returns {(chain, instruction) of an OPERATOR_CALL: time over all runs} and {(chain, instruction): its kernels}."""
    times, kernels = {}, {}
    for run in runs:
        for e in run.events:
            at = (e.chain, e.instruction)
            if e.name == "OPERATOR_CALL":
                times[at] = times.get(at, 0) + e.duration
            elif e.name and e.name.startswith("native_call_") and e.chain >= 0 and e.delegate_int < 0:
                kernels.setdefault(at, set()).add(e.name[len("native_call_"):])
    return times, kernels


@claim("fallback")
def fallback(lab, rng):
    """The rows must be all OPERATOR_CALLs of the dump with their times, and shapes and types of the program. In some trials
    the program is missing or belongs to another model."""
    path, dump = disturb(lab, rng)
    honest = rng.random() < 0.7
    source = rng.choice(sorted(PROGRAMS))
    if honest:
        dump = type(dump)(source)
        for run in dump.executes:
            if rng.random() < 0.5:
                try:
                    run.stretch(rng.choice((1.1, 2, 7)))
                except ValueError:
                    pass
        path = lab.path("run.etdump")
        dump.save(path)
    program = PROGRAMS[source]
    more = ["-m", program] if honest or rng.random() < 0.7 else []
    record = os.path.join(os.path.dirname(source), "model.etrecord")
    graph = honest and os.path.exists(record) and rng.random() < 0.5
    more = ["-r", record] if graph else more
    r = lab.etcore("analyze", path, "--no-siblings", "--by", "fallback", "--warmup", "0", "--stat", "total",
                   "-o", "json", *more)
    if r.status != 0:
        raise Skip
    report = r.json()
    paths = [p for m in report["methods"] for p in m["paths"]]
    if len(paths) != 1 or paths[0]["runs"] != len(dump.executes):
        raise Skip
    times, kernels = operators(dump.executes)
    spoke, found = False, set()
    for row in report["rows"]:
        m = re.match(r"(?:(\d+)\.)?(\d+): (.*)", row["key"])
        if row["key"] == "runtime" or not m:
            continue
        at = (int(m[1] or 0), int(m[2]))
        if at not in times:
            lie(f"{row['key']}: no OPERATOR_CALL of the dump")
        if kernels.get(at) and m[3] not in kernels[at]:
            lie(f"{row['key']}: there ran {kernels[at]}")
        if row["self_ns"] is not None and not row["detached"] and abs(row["self_ns"] - times[at]) > 1e-9 * times[at]:
            lie(f"{row['key']}: {row['self_ns']} ns, the dump has {times[at]}")
        found.add(at)
        spoke = spoke or not more
        columns = row.get("columns") or {}
        if "shapes" not in columns:
            continue
        if graph and "reason" in columns:
            lie(f"{row['key']}: a record says {columns['reason']}")
        fits = [p for p in plans(lab, program) if p["name"] == row["method"]] if more else []
        if len(fits) != 1:
            lie(f"{row['key']}: shapes of no program")
        spoke = check_words({"key": row["key"], **columns}, fits[0], *at, graph)
    if found != set(times):
        lie(f"missing: {sorted(set(times) - found)}")
    return TRUE if spoke else SILENT
