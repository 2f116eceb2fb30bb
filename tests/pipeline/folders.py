#!/usr/bin/env python3
"""folders.py --etcore PROGRAM - `pipeline validate` and `compare` on complete and damaged run folders that the kit's
pipelines wrote."""
import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from folder_cases import ask, build
from kit_runs import load, unpack
import recorded

# {run: codes that it must get}. In crash/*, the kit's pipeline aborted; in g3_again, it reported a broken experiment as
# good.
BROKEN = {
    "crash/g1": {"E1051", "E1053"}, "crash/g3": {"E1051", "E1053", "E1058"}, "crash/g3_again": {"E1051", "E1058"},
}


class Test:
    def __init__(self, etcore, top):
        self.etcore, self.top, self.runs, self.bad, self.count = etcore, top, load(), 0, 0

    def fresh(self, run="ab_cnn_f32/g1"):
        where = os.path.join(self.top, "x")
        shutil.rmtree(where, ignore_errors=True)
        return unpack(self.runs[run], where)

    def expect(self, what, folder, codes, *words, command="validate", status=None, warned=()):
        got_status, answer, stderr = ask(self.etcore, command, folder, *words)
        got = {f["code"] for f in answer["findings"] if f["fails"]}
        warnings = {f["code"] for f in answer["findings"] if not f["fails"]}
        want = status if status is not None else int(bool(codes))
        self.count += 1
        if got_status != want or got != set(codes) or not set(warned) <= warnings:
            self.bad += 1
            print(f"{what}: exit {got_status}, not {want}; {sorted(got)}, not {sorted(codes)}; {sorted(warnings)}\n{stderr}")

    def edit(self, folder, name, change):
        path = os.path.join(folder, name)
        with open(path) as f:
            document = json.load(f)
        change(document)
        with open(path, "w") as f:
            json.dump(document, f)


def whole(t):
    for run in t.runs:
        folder = t.fresh(run)
        t.expect(run, folder, BROKEN.get(run, ()))
        if run not in BROKEN:
            # G3's analysis lacks a key that the kit's rules require, so the kit rejects it too.
            codes = () if run.endswith("/g1") else {"E1053"}
            t.expect(run + " compared with itself", folder, codes, "--known-good", folder, command="compare")


def dumps(t):
    dump = "mac_sme2_on/mac_sme2_on_t1.etdump"

    def put(data):
        folder = t.fresh()
        path = os.path.join(folder, dump)
        os.remove(path)
        if data is not None:
            with open(path, "wb") as f:
                f.write(data)
        return folder, path

    with open(os.path.join(t.fresh(), dump), "rb") as f:
        good = f.read()
    with open("tests/data/cases/no_runs/run.etdump", "rb") as f:
        no_runs = f.read()
    for what, data in (("a stub of 15 bytes", b"dummy-etdump\n\n\n"), ("nothing", b""), ("half", good[:len(good) // 2]),
                       ("zeros", bytes(4096)), ("its offsets wild", good[:8] + b"\xff" * (len(good) - 8))):
        t.expect(what, put(data)[0], {"E1055"})
    t.expect("no execution", put(no_runs)[0], {"E1057"})
    t.expect("gone", put(None)[0], {"E1051"})
    folder, path = put(None)
    os.symlink("nowhere", path)
    t.expect("a link to nowhere", folder, {"E1055"})
    folder, path = put(None)
    os.mkdir(path)
    t.expect("a folder", folder, {"E1055"})
    t.expect("a folder, compared", folder, {"E1051"}, command="compare")
    folder, path = put(None)
    os.mkfifo(path)
    t.expect("a pipe that nobody writes to", folder, {"E1055"})
    folder, path = put(None)
    os.symlink(os.path.abspath("tests/data/cases/mlp_xnnpack/run.etdump"), path)
    t.expect("a link to a dump", folder, ())
    folder = t.fresh()
    os.symlink(".", os.path.join(folder, "loop"))
    t.expect("a link in a circle", folder, ())
    summary = "cnn_f32_pipeline_summary.json"
    folder = t.fresh("ab_cnn_f32/g3")
    t.edit(folder, summary, lambda d: d["runs"][0].update(runs=7, paths={**d["runs"][0]["paths"], "latency_log": ""}))
    t.expect("one execution more than asked for", folder, {"E1059"})
    folder = t.fresh("ab_cnn_f32/g3")
    t.edit(folder, summary, lambda d: d["runs"][0].update(runs=9))
    t.expect("one execution less than asked for", folder, {"E1057", "E1059"})  # E1059: the log has another number of executions


def keys(t):
    def metrics(**change):
        return lambda d: d["results"][0]["metrics"].update(change)

    for what, change, codes in (
            ("a latency of nan", metrics(latency_ms=[1.0, float("nan"), 2.0]), {"E1059"}),
            ("a negative latency", metrics(latency_ms=[-1.0, 1.0, 2.0]), {"E1059"}),
            ("a median that is none", metrics(median_ms=1e6), {"E1059"}),
            ("latencies that are text", metrics(latency_ms="12.3"), {"E1053", "E1059"}),  # E1059: metrics.json has other numbers
            ("an experiment that failed", metrics(status="failed"), {"E1058", "E1059"}),
            ("a log that is gone", metrics(log_rel="mac_sme2_on/none.log"), {"E1051", "E1059"}),
            ("an experiment without name", lambda d: d["results"][0].update(experiment=3), {"E1053", "E1059"}),
            ("an experiment that metrics.json has not", lambda d: d["results"][0].update(experiment="z"), {"E1059"}),
            ("no model", lambda d: d.update(model=None), {"E1053"}),
            ("a time that is none", lambda d: d.update(generated_at="yesterday"), {"E1053"})):
        folder = t.fresh()
        t.edit(folder, "manifest.json", change)
        t.expect(what, folder, codes)
    folder = t.fresh()
    t.edit(folder, "manifest.json", lambda d: d.update(generated_at="2199-01-01T00:00:00Z"))
    t.expect("written in the future", folder, (), warned=["W1061"])
    t.expect("the same, strictly", folder, {"W1061"}, "--strict")
    model = os.path.join(t.top, "model.pte")
    with open(model, "wb") as f:
        f.write(b"a program")
    for text, codes in ((b"a program", ()), (b"another", {"E1060"})):
        folder = t.fresh()
        digest = hashlib.sha256(text).hexdigest()
        t.edit(folder, "manifest.json", lambda d, h=digest: d.update(model=model, model_sha256=h))
        t.expect("the model's hash", folder, codes)


def impossible(t):
    """Members that no run of the kit can have, in its two generations: numbers beyond a double, text for a count."""
    both = ("manifest.json", "metrics.json")
    summary = "cnn_f32_pipeline_summary.json"

    def expect(run, files, key, raw, code, place=()):
        folder = t.fresh(run)
        for name in files:
            def change(d):
                for step in place:
                    d = d[step]
                d[key] = "@"
            t.edit(folder, name, change)
            path = os.path.join(folder, name)
            with open(path) as f:
                text = f.read()
            with open(path, "w") as f:
                f.write(text.replace('"@"', raw))
        t.expect(f"{run}: {key} {raw}", folder, {code})

    for raw in ("1e400", "-1e400", "Infinity", "1e-400", "1e99999999999", f"1{'0' * 400}", f"0.{'0' * 400}1"):
        for key in ("median_ms", "stdev_ms"):
            expect("ab_cnn_f32/g1", both, key, raw, "E1059", ("results", 0, "metrics"))
        expect("ab_cnn_f32/g3", [summary], "cv_percent", raw, "E1059", ("runs", 0, "metrics"))
    for run, files, place in (("ab_cnn_f32/g1", both, ("results", 0, "metrics")), ("ab_cnn_f32/g3", [summary], ("runs", 0))):
        for key, raw in (("threads", "0"), ("threads", "-1"), ("threads", '"x"'), ("runs", "-1"), ("runs", '"x"'), ("runs", "0"),
                         ("runs", "8.5"), ("runs", "8.0"), ("threads", "true"), ("warmup_dropped", "1.5"),
                         ("status", "false"), ("status", "null"), ("warmup", "-5")):
            expect(run, files, key, raw, "E1053", place)
        expect(run, files, "experiment", '""', "E1053", place[:2])
        for raw in ("null", "1"):
            expect(run, files[:1], "generated_at", raw, "E1053")
    expect("ab_cnn_f32/g3", [summary], "metrics", "null", "E1053", ("runs", 0))
    for raw in ('""', "3", "null", '"Timing"'):
        expect("ab_cnn_f32/g3", [summary], "mode", raw, "E1053", ("runs", 0))
    folder = t.fresh()
    for name in both:
        t.edit(folder, name, lambda d: d["results"][0]["metrics"].update(runs=True))
    r = subprocess.run([t.etcore, "pipeline", "report", folder], capture_output=True, text=True)
    t.count += 1
    if "warning[W1076]" not in r.stderr or "'runs' is true; expected a whole number from 1" not in r.stderr:
        t.bad += 1
        print(f"a report of runs: true: {r.stderr}")


def of_etcore(t):
    """A list of jobs does not turn a folder of the kit into one of etcore. Folders of etcore are tested in
    run_test.py."""
    folder = t.fresh()
    t.edit(folder, "manifest.json", lambda d: d.update(jobs=[{"experiment": "mac_sme2_on", "threads": 1, "block": 1}]))
    t.expect("with jobs", folder, {"E1053"})


def words(t):
    """The answer says what was checked: a folder of the kit has no seal, and of a folder with stub dumps only the
    layout can be checked."""
    fixture = os.path.join(t.top, "stubs")
    build(next(c for c in recorded.read_json("tests/data/kit/validate_cases.json")["cases"] if not c["rc"])["recipe"], fixture)
    for what, folder, words, said in (
            ("a run of the kit", t.fresh(), ["validate"], "valid, but without a seal: "),
            ("a layout", t.fresh(), ["validate", "--level", "schema"], "valid layout, contents not checked"),
            ("an example", fixture, ["validate"], "valid layout, contents not checked"),
            ("compared with nothing", t.fresh(), ["compare"], "valid layout, contents not checked"),
            ("compared", t.fresh(), ["compare", "--known-good", t.fresh()], f"like {t.fresh()}")):
        r = subprocess.run([t.etcore, "pipeline", words[0], folder, *words[1:]], capture_output=True, text=True)
        t.count += 1
        if f"{folder}: {said}" not in r.stdout:
            t.bad += 1
            print(f"{what}: no '{said}' in\n{r.stdout}{r.stderr}")


def failures(t):
    """If `validate` does not count a job as successful, `report` must not either."""
    for run, name, place in (("ab_cnn_f32/g1", "manifest.json", ("results", 0, "metrics")), ("ab_cnn_f32/g3", "cnn_f32_pipeline_summary.json", ("runs", 0))):
        for status in ("failed", "timeout", "pending"):
            folder = t.fresh(run)

            def change(d):
                for step in place:
                    d = d[step]
                d["status"] = status
            t.edit(folder, name, change)
            _, answer, _ = ask(t.etcore, "report", folder)
            t.count += 1
            if [f["text"] for f in answer["failed"]] != [status]:
                t.bad += 1
                print(f"{run}: a report of status {status}: {answer['failed']}")


def logs(t):
    log = "mac_sme2_on/mac_sme2_on_t1.log"
    for what, text, codes in (("a crash", "Command failed with exit code 139\n", {"E1058"}),
                              ("an output of nan", "OutputX 0: tensor(sizes=[2], [0., nan])\n", {"E1059"}),
                              ("a nan in a further line of an output",
                               "OutputX 0: tensor(sizes=[1, 2], [\n  0.5, nan,\n])\n", {"E1059"}),
                              ("a nan far into a line", f"OutputX 0: tensor(sizes=[90], [{'0.5, ' * 90}-nan])\n", {"E1059"}),
                              ("a nan behind a logger's words", "I 00:00:00.1 executorch:x.cpp:1] Output 0: nan\n",
                               {"E1059"}),
                              ("a folder called nan", "I 00:00:00.1 executorch:x.cpp:1] Model file /tmp/nan/m.pte\n", ()),
                              ("nan in another word", "OutputX 0: banana\nnan\n", ())):
        folder = t.fresh()
        with open(os.path.join(folder, log), "a") as f:
            f.write(text)
        t.expect(what, folder, codes)


def summaries(t):
    """The kit's package appends a summary to each log; an output before it may have the same words."""
    log = "mac_sme2_on_t1_latency.log"
    decoy = "OutputX 0: 1\nPERFORMANCE SUMMARY\nCPU Threads: 1\nExecution Iterations: 8\n"
    for what, before, change, codes in (
            ("a summary in an output", decoy.replace(": 1\nE", ": 9\nE"), lambda s: s, ()),
            ("other threads below such an output", decoy, lambda s: s.replace("CPU Threads:             1", "CPU Threads: 9"), {"E1059"}),
            ("threads that are no number", "", lambda s: s.replace("CPU Threads:             1", "CPU Threads: one"), {"E1059"}),
            ("other iterations", "", lambda s: s.replace("Execution Iterations:    8", "Execution Iterations: 80"), {"E1059"}),
            ("other executions, without their times", "", lambda s: re.sub(
                r"(executed successfully )\d+", r"\g<1>100000000000000000000", re.sub(r".*Iteration \d.*\n", "", s)), {"E1059"}),
            ("times of more executions", "", lambda s: re.sub(r"(Iteration \d+ of )8", r"\g<1>100000000000000000000", s), {"E1059"}),
            ("another total", "", lambda s: s.replace("Execution Total Runner:  ", "Execution Total Runner: 1"), {"E1059"}),
            ("an experiment that is called like a line", "",
             lambda s: s.replace("Experiment: ", "Experiment: CPU Threads: 9 "), ())):
        folder = t.fresh("ab_cnn_f32/g3")
        path = os.path.join(folder, "cnn_f32_" + log)
        with open(path) as f:
            text = f.read()
        with open(path, "w") as f:
            f.write(before + change(text))
        if not before and change(text) == text:
            t.bad += 1
            print(f"{what}: nothing to edit")
        t.expect(what, folder, codes)


def several(t):
    """If a folder has several summaries, validate and report say which one they take."""
    folder = t.fresh("ab_cnn_f32/g3")
    shutil.copy(os.path.join(folder, "cnn_f32_pipeline_summary.json"), os.path.join(folder, "b_pipeline_summary.json"))
    t.expect("two summaries", folder, (), warned={"W1078"})
    p = subprocess.run([t.etcore, "pipeline", "report", folder], capture_output=True, text=True, timeout=100)
    if "[W1078]: several summaries in the run folder: b_pipeline_summary.json, the first of 2 by name" not in p.stderr:
        t.bad += 1
        print("two summaries: report says", p.stderr)


def hostile(t):
    for what, text, codes in (
            ("100,000 lists in each other", "[" * 100000, {"E1052"}),
            ("a number of 5,000 digits", '{"model": ' + "1" * 5000 + "}", {"E1052"}),
            ("two million values", '{"model": "m", "results": [' + "0," * (1 << 21) + "0]}", {"E1067"}),
            ("a byte order mark", "\ufeff{}", {"E1052"}),
            ("text after the end", "{} {}", {"E1052"})):
        folder = t.fresh()
        with open(os.path.join(folder, "manifest.json"), "w", encoding="utf-8") as f:
            f.write(text)
        t.expect(what, folder, codes | {"E1053"})
    folder = t.fresh()
    deep = os.path.join(folder, *["d"] * 70)
    os.makedirs(deep)
    t.expect("70 folders in each other", folder, (), status=7)
    for command in "validate", "compare", "report":
        for path, why in (("/dev/null", "it is no folder"), (os.path.join(t.top, "none"), "there is no such folder"),
                          (t.top + "/x" * 3000, "File name too long")):
            r = subprocess.run([t.etcore, "pipeline", command, path], capture_output=True, text=True)
            t.count += 1
            if why not in r.stdout + r.stderr or r.returncode != 1:
                t.bad += 1
                print(f"{command} {path[:80]}: {r.returncode}, no '{why}' in {r.stdout}{r.stderr}")
    folder = t.fresh()
    t.expect("a control character in a name", os.path.join(folder, "\x1b[2J"), {"E1051", "E1053", "E1054"})


def compared(t):
    good = unpack(t.runs["ab_cnn_f32/g1"], os.path.join(t.top, "good"))
    folder = t.fresh()
    os.remove(os.path.join(folder, "analysis_summary.json"))
    t.expect("not analysed: made on demand", folder, (), "--known-good", good, command="compare")
    t.expect("another model's categories", t.fresh("ab_mm_f32/g1"), {"E1065"}, "--known-good", good, command="compare")
    t.expect("a folder of G3", t.fresh("ab_cnn_f32/g3"), {"E1053", "E1065"}, "--known-good", good, command="compare")
    # status 2: the arguments are wrong; status 1 would be a finding about the run
    t.expect("no known-good folder", folder, (), "--known-good", os.path.join(t.top, "none"), command="compare", status=2)
    with open(os.path.join(good, "manifest.json"), "w") as f:
        f.write("{")
    t.expect("a broken known-good folder", folder, (), "--known-good", good, command="compare", status=2)
    fixture = os.path.join(t.top, "fixture")
    build(next(c for c in recorded.read_json("tests/data/kit/compare_cases.json")["cases"])["recipe"], fixture)
    t.expect("the kit's fixture as known good", t.fresh("real_aa/g1"), (), "--known-good", fixture, command="compare")
    t.expect("the fixture is an example", fixture, (), warned=["W1056"])


def quality(t):
    # One dump of G1 has 3 latencies but one execution; one of G3 has 8 noisy latencies from an emulator.
    t.expect("one execution", t.fresh("real_aa/g1"), {"W1062"}, "--level", "quality")
    t.expect("noisy", t.fresh("ab_cnn_f32/g3"), {"W1062"}, "--level", "quality")


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--etcore", required=True)
    a = p.parse_args()
    with tempfile.TemporaryDirectory() as top:
        t = Test(os.path.abspath(a.etcore), top)
        for part in (whole, dumps, keys, impossible, of_etcore, words, failures, logs, summaries, several, hostile, compared, quality):
            part(t)
    print(f"{t.count - t.bad} of {t.count} folders")
    return 1 if t.bad or t.count < 60 else 0


if __name__ == "__main__":
    sys.exit(main())
