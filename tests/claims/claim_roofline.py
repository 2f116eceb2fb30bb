"""Claims of `analyze --roofline`: the trial chooses peaks and times, and the claims about a row must follow from them."""
import os
import re
import sys

from etdump import Dump
from lab import DATA, ROOT, SILENT, TRUE, Skip, claim, lie

sys.path.append(os.path.join(ROOT, "tests", "tools"))
import make_work  # noqa: E402

SHARE = 0.1  # a row below this share of the roof counts as bound by overhead


def draw_call(rng):
    """Returns (a random operator call, its FLOPs, the bytes it moves)."""
    m, k, n = (rng.choice([1, 3, 8, 17, 64, 200]) for _ in range(3))
    operator = rng.choice(["mm", "add", "relu"])
    if operator == "mm":
        return make_work.Call("mm", [[m, k], [k, n]], [m, n], 0), 2 * m * k * n, 4 * (m * k + k * n + m * n)
    arguments = [[m, k]] * (2 if operator == "add" else 1)
    return make_work.Call(operator, arguments, [m, k], 0), m * k, 4 * m * k * (len(arguments) + 1)


def peaks_text(peaks):
    return ",".join(f"{k}={v}" for k, v in peaks.items())


def ask(lab, dump, peaks, *more):
    r = lab.etcore("analyze", dump, "--peak", peaks_text(peaks), "-o", "json", *more)
    if r.status:
        lie(r.err)
    return r.json()


def near(a, b):
    return a is not None and abs(a - b) <= 1e-9 * max(1, abs(b))


def judge(row, flops, moved, time, roof, memory):
    """Compares the claims about a row with the truth; raises Lie if one is false."""
    said = row["columns"]
    if said.get("flops") != flops or said.get("bytes_read", 0) + said.get("bytes_written", 0) != moved:
        lie(f"{row['key']}: {said}, but it has {flops} FLOPs and {moved} bytes")
    by = said["bound_by"]
    if (by == "wrong peak") != (roof > time * (1 + 1e-9)) and not near(roof, time):
        lie(f"{row['key']}: {by}, its roof is {roof} ns and its time {time}")
    if by == "wrong peak":
        if "roof_share" in said or "saved_ns" in said:
            lie(f"{row['key']}: a wrong peak, but {said}")
        return
    if not near(said["roof_share"], roof / time) or said["roof_share"] > 1:
        lie(f"{row['key']}: {said['roof_share']} of the roof, it is {roof / time}")
    if not near(said["saved_ns"], time - roof):
        lie(f"{row['key']}: saves {said['saved_ns']} at most, it is {time - roof}")
    if near(roof / time, SHARE):
        return
    want = "overhead" if roof < SHARE * time else "memory" if memory else "compute"
    if by != want:
        lie(f"{row['key']}: bound by {by}, it is {want}: roof {roof}, time {time}")


@claim("roofline")
def roofline(lab, rng):
    """Times are 0.3 to 30 times the roof. The claims are: what bounds a row, its share of the roof, the time that could be
    saved, wrong peaks."""
    peaks = {"gflops_fp32": rng.choice([0.5, 3, 40]), "gbps": rng.choice([0.25, 2, 15])}
    if rng.random() < .3:
        peaks.update(gbps_cache=peaks["gbps"] * 4, cache_bytes=rng.choice([300, 5000]))
    call, flops, moved = draw_call(rng)
    cached = moved <= peaks.get("cache_bytes", -1)
    compute = flops / peaks["gflops_fp32"]
    memory = moved / peaks["gbps_cache" if cached else "gbps"]
    roof = max(compute, memory)
    call.time = max(1, round(roof * rng.choice([.3, .9, 1, 1.001, 1.5, 5, 9.9, 10.1, 30])))
    if abs(compute - memory) < 1e-6 * roof:
        raise Skip
    make_work.write(lab.tmp, [call])
    answer = ask(lab, "run.etdump", peaks)
    row = next(r for r in answer["rows"] if r["key"].startswith(call.operator))
    judge(row, flops, moved, call.time, roof, memory > compute)
    wrong = any(n["code"] == "W1300" for n in answer["notes"])
    if wrong != (row["columns"]["bound_by"] == "wrong peak"):
        lie(f"W1300 {wrong}, the row is bound by {row['columns']['bound_by']}")
    return TRUE


@claim("roofline-unknown")
def unknown(lab, rng):
    """Shapes change, contradict each other or overflow, or an operator has no formula, or a type no peak: the
    answer must be "unknown", never a number."""
    call, _, _ = draw_call(rng)
    call.time = 1000
    lies = rng.choice(["dynamic", "shapes", "operator", "peak", "large"])
    peaks = {"gbps": 1000} if lies == "peak" else {"gflops_fp32": 1e6, "gbps": 1e6}
    if lies == "shapes":
        call = make_work.Call("mm", [[2, 3], [4, 5]], [2, 5], 1000)
    elif lies == "operator":
        call.operator = rng.choice(["topk", "nonzero", "unheard_of"])
    elif lies == "large":
        call = make_work.Call("mm", [[2 ** 30, 2 ** 30], [2 ** 30, 2 ** 30]], [2 ** 30, 2 ** 30], 1000)
    make_work.write(lab.tmp, [call], dynamic=lies == "dynamic")
    row = next(r for r in ask(lab, "run.etdump", peaks)["rows"] if r["key"].startswith(call.operator))
    said = row["columns"]
    if said["bound_by"] != "unknown" or not said.get("work_why") or "roof_share" in said or "saved_ns" in said:
        lie(f"{lies}: {said}")
    if lies != "peak" and ("flops" in said or "bytes_read" in said):
        lie(f"{lies}: {said}")
    whole = re.search(r"could be saved at most: [0-9].*", lab.etcore("analyze", "run.etdump", "--peak", peaks_text(peaks)).out)
    if whole:
        lie(f"{lies}: {whole[0]}, but a row is unknown")
    return TRUE


def judge_rates(answer, truth):
    """Checks that W1300 claims no rate above the true one of the row. Rates are printed with three digits."""
    rows = {row["key"]: row["columns"] for row in answer["rows"]}
    for note in answer["notes"]:
        if "nan" in note["text"]:
            lie(note["text"])
        least = re.search(r"(gbps|gflops_\w+): (.*) (?:moved|made) at least (\S+) G", note["text"])
        if note["code"] != "W1300" or not least:
            continue
        said, real = rows[least[2]], sum(truth[least[2]])
        work = said["bytes_read"] + said["bytes_written"] if least[1] == "gbps" else said["flops"]
        if float(least[3]) > 1.006 * work / real:
            lie(f"{note['text']}, but it was {work / real}")


@claim("roofline-clock")
def clock(lab, rng):
    """The true time of each XNNPACK event is up to a microsecond longer than its clock counted. The saving must still be an
    upper bound, a correct peak must not be called wrong, and no claimed rate may exceed the true one."""
    dump = Dump(os.path.join(DATA, "cases", "mlp_xnnpack", "run.etdump"))
    peaks = {"gflops_fp32": rng.choice([.01, .1, 1, 50]), "gbps": rng.choice([.02, .2, 2, 20])}
    truth = {}
    for run in dump.executes[1:]:
        for event in run.events:
            if event.delegate_text:
                whole = rng.randrange(1, 4) if rng.random() < .8 else 0
                event.end = event.start + 1000 * whole
        call, root = run.find("DELEGATE_CALL"), run.find("Method::execute")
        inner = [e for e in run.events if e.delegate_text]
        at = call.start
        for event in inner:
            length = event.duration
            event.start, event.end, at = at, at + length, at + length
        call.end = at + 1000 * len(inner)
        root.end = call.end + 500
    one = dump.executes[1]
    for event in one.events:  # every run has the times of the first
        if event.delegate_text:
            truth.setdefault(event.delegate_text.rsplit(" #", 1)[0], []).append(event.duration + rng.randrange(1000))
    path = dump.save(lab.path("run.etdump"), [one, one])
    answer = ask(lab, path, peaks, "-m", os.path.join(DATA, "cases", "mlp_xnnpack", "model.pte"), "--no-siblings")
    judge_rates(answer, truth)
    spoke = False
    for row in answer["rows"]:
        said, real = row["columns"], sum(truth.get(row["key"], []))
        if not real or "roof_ns" not in said:
            continue
        if said["bound_by"] == "wrong peak" and said["roof_ns"] <= real:
            lie(f"{row['key']}: a wrong peak, but it took {real} ns of at least {said['roof_ns']}")
        if "saved_ns" in said and said["saved_ns"] < real - said["roof_ns"] - 1e-6:
            lie(f"{row['key']}: saves {said['saved_ns']} at most, but {real - said['roof_ns']} could be")
        if said["bound_by"] == "overhead" and said["roof_ns"] >= SHARE * real:
            lie(f"{row['key']}: overhead, but the roof is {said['roof_ns'] / real} of its time")
        if said["bound_by"] in ("memory", "compute") and said["roof_ns"] < SHARE * real:
            lie(f"{row['key']}: {said['bound_by']}, but the roof is {said['roof_ns'] / real} of its time")
        spoke = spoke or said["bound_by"] != "clock"
    return TRUE if spoke else SILENT
