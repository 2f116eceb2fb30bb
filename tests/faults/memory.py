#!/usr/bin/env python3
"""memory.py ETCORE [FAULT.SO] [--share K] [--only COMMAND] -- makes every memory allocation fail once.

Each command is run with its first allocation failing, then its second, until no allocation fails; and again with all
allocations failing from the Nth on. Each run must end with status 8 and E0904 or E0905, without standard output or
output file, or give the same answer as with memory. A plugin whose allocation fails may be left out with a warning.
Then [limits] max_memory is increased step by step: the error must name it. --share K: test only every Kth allocation.
"""

import json
import os
import shutil
import sys

import lab
sys.path.insert(0, os.path.join(lab.ROOT, "tests", "pipeline"))
sys.path.insert(0, os.path.join(lab.ROOT, "tests"))
import kit_runs

# Warnings that are allowed because plugins allocate memory themselves; each names its plugin.
OF_PLUGINS = {"W0610", "W0612", "W0615", "W0640"}
STATUS = {"E0904": 8, "E0905": 7}


def commands(lab_):
    """Yields (name, arguments, output file or None)."""
    scratch = lab_.scratch
    c = lambda case, name: os.path.join("tests/data/cases", case, name)
    dump, record = c("mlp_xnnpack", "run.etdump"), c("mlp_xnnpack", "model.etrecord")
    debug, debug_record, buffer = (c("debug_portable", n) for n in ("run.etdump", "model.etrecord", "debug.bin"))
    other = "tests/data/arm/linear_f32_m1/nosme/run.etdump"
    pte = "tests/data/pte/models/mutable_buffers/model.pte"
    inspector = ["inspector", "--etdump_path", dump, "--etrecord_path", record]

    def out(name):  # each command has its own folder, so that commands running in parallel do not see each other's temporary files
        folder = os.path.join(scratch, "of-" + name.split("/")[0])
        os.makedirs(folder, exist_ok=True)
        return os.path.join(folder, name)

    baseline = out("kept.baseline")
    yield "baseline save", ["baseline", "save", dump, "-o", baseline], baseline
    yield "analyze", ["analyze", dump], None
    yield "analyze json", ["analyze", dump, "-r", record, "-o", "json"], None
    yield "analyze csv", ["analyze", dump, "--events", "-o", "csv"], None
    yield "analyze parquet", ["analyze", dump, "--events", "-o", "parquet=" + out("e.parquet")], out("e.parquet")
    yield "rows parquet", ["analyze", "tests/data/backends/cases/vulkan_two_parts/run.etdump", "-o", "parquet"], None
    yield "rows arrow", ["analyze", "tests/data/backends/cases/vulkan_two_parts/run.etdump", "-o", "arrow"], None
    yield "analyze files", ["analyze", dump, "-o", "text", "-o", "json=" + out("a.json")], out("a.json")
    yield "analyze where", ["analyze", dump, "--where", "name ~ Conv|Fully", "--no-plugins"], None
    yield "analyze equal methods", ["analyze", "tests/data/pte/equal_methods.etdump", "--by", "module"], None
    yield "analyze cycles", ["analyze", "tests/data/backends/cases/ethosu_cycles/run.etdump", "--source-time-scale", "cycles",
                             "--columns", "what,cycles per run"], None
    for backend in ("coreml_partial", "qnn_htp_detailed", "vulkan_two_parts", "metadata_columns"):
        yield "backend " + backend, ["analyze", f"tests/data/backends/cases/{backend}/run.etdump", "-o", "json"], None
    yield "analyze log", ["analyze", "tests/data/logs/runner.log"], None
    yield "analyze tree", ["analyze", dump, "-r", record, "--tree", "--bars"], None
    yield "node data", ["analyze", dump, "-o", "model-explorer=" + out("nodes")], out("nodes/run.etrecord.json")
    yield "inspector", inspector, None
    yield "inspector tsv", inspector + ["--tsv_path", out("i.tsv")], out("i.tsv")
    yield "inspector csv", inspector + ["-o", "csv"], None
    yield "inspector json", inspector + ["-o", "json"], None
    yield "diff", ["diff", dump, "--", dump, "--rounds", "200"], None
    yield "diff json", ["diff", dump, "--", other, "--rounds", "200", "-o", "json"], None
    yield "diff markdown", ["diff", dump, "--", other, "--rounds", "200", "-o", "markdown"], None
    for form in ("markdown", "github"):
        yield "check " + form, ["check", dump, "--rounds", "200", "--by", "op", "--baseline", baseline, "-o", form], None
    yield "check", ["check", dump, "--rounds", "200", "--max-regression", "900%", "--baseline", baseline], None
    yield "trace", ["trace", dump, "--runs", "all", "-o", "perfetto"], None
    yield "trace file", ["trace", "tests/data/backends/cases/qnn_htp_detailed/run.etdump", "-o", out("t.json")], out("t.json")
    yield "trace stacks", ["trace", dump, "-r", record, "-o", "pprof"], None
    yield "trace speedscope", ["trace", debug, "-r", debug_record, "-o", "speedscope"], None
    yield "summary", ["summary", dump, "-r", record], None
    yield "summary json", ["summary", dump, "-o", "json=" + out("s.json")], out("s.json")
    yield "overhead", ["overhead", "--on", "tests/data/cases/conv_net_xnnpack/run.etdump", "--off", "tests/data/advice/plain.log", "--rounds", "200"], None
    with open(out("overhead.json"), "w", encoding="utf-8") as f:
        f.write('{"schema": "etcore.overhead/1", "files": [], "rows": [{"what": "on", "method": "forward", '
                '"tick_ns": 1}, {"what": "event", "time_ns": 90, "low_ns": 50, "high_ns": 120, "certain": true}]}')
    yield "subtract", ["analyze", dump, "--subtract-overhead", out("overhead.json")], None
    yield "what-if", ["what-if", dump, "--row", "name ~ Conv|Fully", "--times", "0.5"], None
    yield "roofline", ["analyze", dump, "-m", pte, "--peak", "gflops_fp32=10,gbps=5"], None
    sizes = os.path.join("tests/data/work/dynamic_sizes", "run.etdump")
    yield "roofline of sizes", ["analyze", sizes, "--warmup", "0", "--roofline"], None
    yield "roofline of a delegate", ["analyze", "tests/data/work/dynamic_delegate/run.etdump", "--warmup", "0", "--roofline"], None
    yield "roofline of events", ["analyze", sizes, "--warmup", "0", "--roofline", "--events"], None
    yield "memory", ["memory", pte], None
    yield "page", ["report", dump, "-o", out("page.html")], out("page.html")
    yield "page of two", ["report", dump, "--", other, "--rounds", "200", "-o", "markdown"], None
    yield "memory svg", ["memory", pte, "-o", "svg=" + out("m.svg")], out("m.svg")
    yield "values", ["numeric", "values", debug, "-b", buffer], None
    yield "values npz", ["numeric", "values", debug, "-b", buffer, "-o", "npz=" + out("v.npz")], out("v.npz")
    yield "outputs", ["numeric", "outputs", debug, "-r", debug_record, "-b", buffer], None
    yield "outputs differ", ["numeric", "outputs", debug, "-r", debug_record, "-b", buffer, "--atol", "0", "--rtol", "0"], None
    yield "gap", ["numeric", "gap", "tests/data/cases/debug_xnnpack/run.etdump", "--reference",
                   "tests/data/numeric/debug_xnnpack.safetensors"], None
    yield "dump", ["dump", debug], None
    yield "dump json", ["dump", dump, "-o", "json"], None
    yield "dump record", ["dump", debug_record], None
    yield "dump graph", ["dump", record, "--graph"], None
    yield "dump dot", ["dump", record, "--graph", "--times", dump, "-o", "dot=" + out("g.dot")], out("g.dot")
    yield "dump program", ["dump", pte], None
    yield "dump bundled", ["dump", "tests/data/pte/bundled/scalars/model.bpte"], None
    yield "doctor", ["doctor", dump, record], None
    yield "tokens", ["tokens", "tests/data/tokens/static/run.etdump.gz", "--stats", "tests/data/tokens/static/runner.log"], None
    yield "doctor json", ["doctor", debug, "-o", "json"], None
    kit_runs.unpack(kit_runs.load()["ab_cnn_f32/g1"], out("kit"))
    yield "validate", ["pipeline", "validate", out("kit")], None
    yield "report", ["pipeline", "report", out("kit"), "-o", "json"], None
    yield "compare", ["pipeline", "compare", out("kit"), "-o", "json"], None
    yield "template", ["pipeline", "new", "linux", "-"], None
    yield "farm", lab_.farm() + ["--where", "typical > 5ms"], None
    yield "farm json", lab_.farm() + ["-o", "json=" + out("farm.json")], out("farm.json")
    yield "plugins info", ["plugins", "info", "xnnpack"], None
    yield "config", ["config"], None
    yield "explain", ["explain", "E0904"], None
    yield "help", ["help", "--as", "man", "etcore-analyze.1"], None


def is_fair(r, want, path, before):
    """Returns whether the run ended correctly: with an error and no output, or with the right answer."""
    if r.status in (7, 8):
        return STATUS.get(r.code) == r.status and not r.out and (content(path) in (before, want.file))
    if r.warned & OF_PLUGINS or b"E0606" in r.out:
        return r.status in (0, 1, want.status) or r.code == "E0580"  # without that plugin the answer has no times
    if r.code == "E1221":  # the fault is also active in the engine's process
        return r.status == 4 and not r.out and content(path) == before
    return r.status == want.status and r.out == want.out and (not path or content(path) is not None)


def content(path):
    if not path or not os.path.exists(path):
        return None
    with open(path, "rb") as f:
        return f.read()


def remove(path):
    if path and os.path.isdir(path):
        shutil.rmtree(path)
    elif path and os.path.exists(path):
        os.unlink(path)


def sweep(lab_, name, args, path, share):
    """Makes one allocation fail, or all from one on; returns the number of allocations."""
    keep = path and path.endswith(".baseline")
    want = lab_.run(args)
    want.file = content(path)  # of two outputs, the first may exist, complete, when the second fails
    if not lab_.expect(f"{name} with memory", want, want.status in (0, 1, 10, 11)):
        return 0
    sites = lab_.run(args, "alloc:1000000000:ENOMEM").fired["alloc"][0]
    for mode in ("", "+"):
        for n in range(1, sites + 1, share):
            if not keep:
                remove(path)
            before = content(path) if keep else None
            r = lab_.run(args, f"alloc:{n}{mode}:ENOMEM")
            # The C library works without some of its own allocations.
            lab_.expect(f"{name}: request {n}{mode} of {sites}", r, is_fair(r, want, path, before))
            if path and [f for f in os.listdir(os.path.dirname(path)) if f.endswith(".tmp")] and not r.crashed:
                lab_.wrong.append(f"{name}: request {n}{mode}: a temporary file stays")
    return sites


def tables(out):
    """Returns {table: rows} of the complete parts; None if a part is incomplete or a temporary file was left."""
    found = {}
    for folder, _, names in os.walk(out):
        for name in names:
            path = os.path.join(folder, name)
            if name.endswith(".tmp"):
                return None
            if not name.startswith("part-"):
                continue
            if not os.path.exists(os.path.join(out, "_done", name[len("part-"):].rsplit(".", 1)[0])):
                return None
            try:
                found.setdefault(os.path.basename(folder), []).extend(map(json.loads, content(path).decode().splitlines()))
            except ValueError:
                return None
    return found


def batch(lab_, share):
    """Tests `etcore batch`: a dump must have the same rows as with memory, or a row in `errors`, or the command must fail.
    --resume must then complete the tables."""
    dump = os.path.join(lab.CASES, "mlp_xnnpack", "run.etdump")
    forks = {"ETCORE_FAULT_FORKS": "1"}

    def run(out, fault="", env=None, *more):
        return lab_.run(["batch", dump, "--out", out, "--jobs", "1", *more], fault, env=env)

    # returns {table: number of rows}; values are not compared, because those of a plugin without memory are missing
    def told(rows):
        return {t: len(r) for t, r in rows.items() if t != "notes"}

    out = os.path.join(lab_.scratch, "batch")
    lab_.expect("batch with memory", r := run(out), r.status == 0)
    want = told(tables(out))
    remove(out)
    sites = run(out, "alloc:1000000000:ENOMEM", forks).fired["alloc"][0]

    def one(at):
        n, mode = at
        out = os.path.join(lab_.scratch, f"batch-{n}{mode}")
        r = run(out, f"alloc:{n}{mode}:ENOMEM")
        rows = tables(out)
        codes = [e["code"] for e in (rows or {}).get("errors", [])]
        whole = rows is not None and not codes and told(rows) == want
        lost = rows is not None and len(codes) == 1 and not (rows.keys() & {"runs", "rows", "sketches"}) and codes[0] in ("E0904", "E0905", "E1204", "E0901")
        none = not rows or whole  # the command failed before or after it wrote its parts
        ok = whole if r.status == 0 else lost if r.status == 1 else none and (r.status == 8 and r.code == "E0904" or r.status == 3 and r.code in ("E0902", "E0903"))
        lab_.expect(f"batch: request {n}{mode} of {sites}: {codes}", r, ok)
        again = run(out, "", None, "--resume")
        # If a plugin was left out, the dump was analysed with other settings, so --resume analyses it again.
        runs = (tables(out) or {}).get("runs", [])
        lab_.expect(f"batch: after request {n}{mode}", again, again.status == 0 and (lost and not runs or len({a["analysis_id"] for a in runs}) == len(runs) > 0))
        remove(out)

    lab_.each(one, [(n, mode) for n in range(1, sites + 1, share) for mode in ("", "+")])
    return sites


def budgets(lab_, name, args, share):
    """Increases max_memory from 1 KiB until the command succeeds."""
    if args[0] in ("inspector", "explain", "help") or name == "template":
        return
    want = lab_.run(args)
    budget = 1024
    while budget < 1 << 26:
        r = lab_.run(args + ["--set", f"limits.max_memory={budget}"])
        if r.status == want.status:
            return  # the answer names the budget, so it differs from the reference
        ok = (r.code, r.status) == ("E0905", 7) and not r.out and b"max_memory" in r.err and b"budget of" in r.err
        lab_.expect(f"{name}: a budget of {budget} bytes", r, ok)
        budget = budget * (9 + share) // 8
    lab_.wrong.append(f"{name}: 64 MiB are not enough")


def main():
    words = sys.argv[1:]
    share = int(words.pop(words.index("--share") + 1)) if "--share" in words else 1
    words = [w for w in words if w != "--share"]
    only = words.pop(words.index("--only") + 1) if "--only" in words else ""
    words = [w for w in words if w != "--only"]
    lab_ = lab.Lab(*words)
    every = list(commands(lab_))
    every = every[:1] + [e for e in every[1:] if e[0].startswith(only)]
    sites = sweep(lab_, *every[0], share)  # `check` reads the file that this command writes
    sites += sum(lab_.each(lambda e: sweep(lab_, *e, share), every[1:]))
    if "batch".startswith(only):
        sites += batch(lab_, share)
    tried = lab_.tried
    lab_.each(lambda e: budgets(lab_, e[0], e[1], share), every)
    print(f"{len(every)} commands, {sites} requests for memory, every {share}. refused alone and with all after it; "
          f"{lab_.tried - tried} runs with budgets")
    return lab_.end("memory")


if __name__ == "__main__":
    sys.exit(main())
