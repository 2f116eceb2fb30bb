#!/usr/bin/env python3
"""run_test.py --etcore PATH [NAME...]: `etcore pipeline run` with runners that replay, fail, crash and hang, and
with an adb whose device is a folder. Each function test_* is a case that runs in its own empty folder."""

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "tests"))
from share import some  # noqa: E402
DUMP = os.path.join(ROOT, "tests/data/arm/cnn_f32/%s/run.etdump")
ETCORE = ""


def place(script, path):
    """Copies a Python script of this folder; it will run in this interpreter without looking for packages, which starts sooner."""
    with open(os.path.join(HERE, script), encoding="utf-8") as f:
        text = f.read()
    with open(path, "w", encoding="utf-8") as f:
        f.write(f"#!{sys.executable} -ES\n" + text.split("\n", 1)[1])
    os.chmod(path, 0o755)


class Case:
    """The folder of a case, with a model and runners; etcore is started in it."""

    def __init__(self, folder):
        self.folder = folder
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("XNN", "LD_DEBUG", "FAKE"))}
        with open(self.path("model.pte"), "wb") as f:
            f.write(b"a program")

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def runner(self, name, kind="sme2", **config):
        config.setdefault("ms", [9.0, 1.0, 2.0, 3.0, 4.0])
        config.setdefault("dump", DUMP % kind)
        config["calls"] = True
        place("replay_runner.py", self.path(name))
        with open(self.path(name + ".json"), "w") as f:
            json.dump(config, f)
        return self.path(name)

    def calls(self, name):
        with open(self.path(name + ".calls")) as f:
            return [json.loads(line) for line in f]

    def config(self, *experiments, **more):
        for e in experiments:
            e.setdefault("runner_path", self.path(e["name"]))
        more.setdefault("schedule", {}).setdefault("blocks", 2)
        c = {"model": self.path("model.pte"), "output_root": self.path("runs"), "experiments": list(experiments), **more}
        with open(self.path("c.json"), "w") as f:
            json.dump(c, f)

    def run(self, *words, status=0, config="c.json"):
        p = subprocess.run([ETCORE, "pipeline", "run", "--config", config, *words], cwd=self.folder, env=self.env,
                           stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)
        assert p.returncode == status, f"status {p.returncode}, not {status}\n{p.stdout}{p.stderr}"
        return p.stdout + p.stderr

    def read(self, name):
        with open(self.path("runs", name)) as f:
            return json.load(f, parse_constant=lambda c: sys.exit(f"{name}: {c} is no JSON"))

    def metrics(self, experiment, threads=1):
        found = [r["metrics"] for r in self.read("metrics.json")["results"]
                 if r["experiment"] == experiment and r["metrics"]["threads"] == threads]
        assert len(found) == 1, found
        return found[0]

    def jobs(self):
        return [(j["experiment"], j["threads"], j["block"], j["status"]) for j in self.read("manifest.json")["jobs"]]


def has(text, *codes):
    for code in codes:
        assert f"[{code}]" in text, f"no {code} in\n{text}"


# ------------------------------------------------------------------------------ measurements


def test_writes_every_key_of_the_kit_and_its_own(c):
    c.runner("mac_sme2_on")
    c.runner("mac_sme2_off", "nosme")
    c.config({"name": "mac_sme2_on", "runs": 8, "warmup": 1}, {"name": "mac_sme2_off", "runs": 8, "warmup": 1})
    said = c.run()
    assert "W1018" in said  # the stored dump has 8 executions, not 5
    m = c.metrics("mac_sme2_on")
    kept = [1.0, 2.0, 3.0, 4.0] * 2
    assert m["latency_ms"] == kept and m["latency_source"] == "iteration_log" and m["warmup_dropped"] == 1, m
    assert m["runs"] == 8 and m["threads"] == 1 and m["measured"] == 8 and m["unit"] == "ms"
    assert m["median_ms"] == m["p50_ms"] == statistics.median(kept) and m["mean_ms"] == 2.5
    assert m["min_ms"] == 1 and m["max_ms"] == 4 and abs(m["stdev_ms"] - statistics.stdev(kept)) < 1e-12
    assert abs(m["cv_percent"] - statistics.stdev(kept) / 2.5 * 100) < 1e-9
    cuts = statistics.quantiles(kept, n=100, method="inclusive")
    for p in (90, 95, 99):
        assert abs(m[f"p{p}_ms"] - cuts[p - 1]) < 1e-12, p
    for kind in ("etdump", "log"):
        rel = m[kind + "_rel"]
        assert rel == f"mac_sme2_on/mac_sme2_on_t1.{kind}" and m[kind] == c.path("runs", rel) and os.path.isfile(m[kind])
    assert [b["etdump_rel"] for b in m["blocks"]][1] == "mac_sme2_on/mac_sme2_on_t1_b2.etdump"
    with open(m["etdump"], "rb") as f, open(DUMP % "sme2", "rb") as g:
        assert f.read() == g.read()
    manifest = c.read("manifest.json")
    for key in ("generated_at", "config", "model", "executorch", "run_root", "results", "environment", "experiments",
                "schedule", "jobs", "model_sha256"):
        assert key in manifest, key
    assert manifest["executorch"]["present"] is False and manifest["status"] == "ok"
    assert manifest["config"] == c.path("c.json") and manifest["model"] == c.path("model.pte")
    assert len(manifest["model_sha256"]) == 64 and len(manifest["experiments"][0]["runner_sha256"]) == 64
    assert manifest["results"] == c.read("metrics.json")["results"]
    assert manifest["compare_pairs"][0]["baseline"] == {"experiment": "mac_sme2_off", "threads": 1}
    assert manifest["environment"]["cpu"]["online"] > 0 and manifest["environment"]["system"] == "Linux"
    left = [f for _, _, files in os.walk(c.path("runs")) for f in files if not f.endswith((".etdump", ".log", ".json"))]
    assert not left, left


def test_interleaves_abba_and_gives_the_runner_its_flags(c):
    for name in "ab":
        c.runner(name)
    c.config({"name": "a", "runs": 5, "warmup": 2, "threads": [1, 2], "extra_args": ["--print_output", "none"],
              "env": {"TEST_X": "1 2"}, "inputs": ["i0", "i1"], "method": "forward"},
             {"name": "b", "runs": 4, "warmup": 0})
    plan = c.run("--dry-run")
    order = [line.split(":")[0].split(maxsplit=1)[1] for line in plan.splitlines() if " block " in line]
    assert order == ["a, 1 thread, block 1 of 2", "a, 2 threads, block 1 of 2", "b, 1 thread, block 1 of 2",
                     "b, 1 thread, block 2 of 2", "a, 2 threads, block 2 of 2", "a, 1 thread, block 2 of 2"], order
    assert not os.path.exists(c.path("runs"))
    c.run()
    started = {(j["experiment"], j["threads"], j["block"]): j["started_at"] for j in c.read("manifest.json")["jobs"]}
    assert [k for k, _ in sorted(started.items(), key=lambda i: i[1])] == [
        ("a", 1, 1), ("a", 2, 1), ("b", 1, 1), ("b", 1, 2), ("a", 2, 2), ("a", 1, 2)]
    first = c.calls("a")[0]
    assert first["env"] == {"TEST_X": "1 2", "XNN_LOG_LEVEL": "0"}, first
    assert first["argv"] == ["--model_path", c.path("model.pte"), "--num_executions", "5", "--cpu_threads", "1",
                             "--etdump_path", c.path("runs/a/a_t1.etdump.part"), "--inputs", "i0,i1",
                             "--method_name", "forward", "--print_output", "none"], first
    assert [len(b["latency_ms"]) for b in c.metrics("a", 2)["blocks"]] == [3, 2]


def test_orders_sequentially_when_asked_and_alone(c):
    c.runner("a")
    c.runner("b")
    c.config({"name": "a", "runs": 7, "warmup": 1}, {"name": "b", "runs": 7, "warmup": 1}, schedule={"order": "sequential"})
    c.run()
    assert len(c.calls("a")) == 1 and c.jobs() == [("a", 1, 1, "ok"), ("b", 1, 1, "ok")]
    # the order "sequential" measures each experiment in a single block
    assert c.read("manifest.json")["schedule"]["blocks"] == 1
    judged(c, "validate", 0)
    assert "3 processes" in c.run("--force", "--dry-run", "--set", "schedule.order=interleave", "--set", "b.runs=1")


def test_divides_the_runs_of_a_single_experiment(c):
    """The processes of a single experiment show how much its recordings vary, which a comparison with another folder
    needs."""
    c.runner("a")
    c.config({"name": "a", "runs": 21, "warmup": 1}, schedule={"blocks": 3})
    c.run()
    assert c.jobs() == [("a", 1, b, "ok") for b in (1, 2, 3)] and len(c.calls("a")) == 3
    assert c.read("manifest.json")["schedule"]["blocks"] == 3
    judged(c, "validate", 0)
    c.run("--force", "--set", "a.runs=2")
    assert c.jobs() == [("a", 1, b, "ok") for b in (1, 2)] and c.read("manifest.json")["schedule"]["blocks"] == 2


def test_takes_latencies_from_where_they_are(c):
    c.runner("quiet", do="quiet")
    c.runner("total", do="total_only")
    c.config({"name": "quiet", "runs": 7, "warmup": 1}, schedule={"blocks": 1})
    c.run()
    m = c.metrics("quiet")
    assert m["latency_source"] == "etdump" and len(m["latency_ms"]) == 7 and m["latency_ms"] == m["execute_ms"]
    c.config({"name": "total", "runs": 5, "warmup": 0, "etdump": False}, schedule={"blocks": 1})
    c.run("--force")
    m = c.metrics("total")
    assert m["latency_source"] == "total" and m["latency_ms"] == [3.8] and m["etdump"] is None, m
    assert m["stdev_ms"] is None and "/dev/null" in c.calls("total")[0]["argv"]


def test_pins_to_processors(c):
    cpu = min(os.sched_getaffinity(0))
    c.runner("a")
    c.runner("b")
    c.config({"name": "a", "runs": 2, "warmup": 0, "cpu_affinity": hex(1 << cpu)},
             {"name": "b", "runs": 2, "warmup": 0, "cpu_affinity": "1023"})
    has(c.run(status=1), "W1026")
    assert c.calls("a")[0]["cpus"] == [cpu]
    assert os.path.exists(c.metrics("a")["etdump"]) and c.metrics("b")["status"] == "failed"


def test_reads_the_checkout_of_executorch(c):
    c.runner("a")
    git = c.path("executorch", ".git")
    os.makedirs(os.path.join(git, "refs", "heads"))
    sha = "0123456789abcdef0123456789abcdef01234567"
    for name, text in (("HEAD", "ref: refs/heads/main\n"), ("packed-refs", f"# pack-refs\n{sha} refs/heads/main\n")):
        with open(os.path.join(git, name), "w") as f:
            f.write(text)
    c.config({"name": "a", "runs": 2, "warmup": 0})
    c.run()
    e = c.read("manifest.json")["executorch"]
    assert e["present"] is True and e["sha"] == sha and e["dirty"] is None, e
    if not shutil.which("git"):
        return
    shutil.rmtree(git)
    work = c.path("executorch")
    with open(os.path.join(work, "x"), "w") as f:
        f.write("1")
    for words in (["init", "-q"], ["add", "x"], ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "x"]):
        subprocess.run(["git", "-C", work, *words], check=True)
    head = subprocess.run(["git", "-C", work, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout
    c.run("--force")
    e = c.read("manifest.json")["executorch"]
    assert e["sha"] == head.strip() and e["dirty"] is False, e
    with open(os.path.join(work, "x"), "w") as f:
        f.write("2")
    c.run("--force")
    assert c.read("manifest.json")["executorch"]["dirty"] is True


# ------------------------------------------------------------------------------ failures


def test_goes_on_when_runners_are_broken(c):
    for name in ("good", "crash", "fail", "hang", "stub", "empty", "text", "no_dump", "no_tracer", "cut", "nan"):
        c.runner(name, do=name)
    with open(c.path("arm"), "wb") as f:  # an ELF file for another machine: AArch64, or x86-64 if this is AArch64
        machine = 62 if os.uname().machine == "aarch64" else 183
        f.write(b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x02\x00" + bytes([machine, 0]) + bytes(44))
    with open(c.path("words"), "w") as f:
        f.write("just words")
    with open(c.path("lost"), "w") as f:
        f.write("#!/nowhere/python9\n")
    for name in ("arm", "words", "lost"):
        os.chmod(c.path(name), 0o755)
    c.runner("plain")
    os.chmod(c.path("plain"), 0o644)
    names = ["good", "crash", "fail", "hang", "stub", "empty", "text", "no_dump", "no_tracer", "cut", "nan", "arm",
             "words", "lost", "plain", "missing"]
    c.config(*({"name": n, "runs": 2, "warmup": 0, "timeout_s": 2 if n == "hang" else 60} for n in names),
             schedule={"order": "sequential"})
    said = c.run(status=1)
    has(said, "E1005", "W1010", "W1011", "W1012", "W1013", "W1014", "W1015", "W1016", "W1017", "W1022")
    assert "SIGSEGV" in said and "exit status 3" in said and "EVENT_TRACER" in said
    assert f"ELF machine {machine}" in said and "/nowhere/python9" in said and "chmod +x" in said
    by_name = {j["experiment"]: j for j in c.read("manifest.json")["jobs"]}
    want = {"good": None, "nan": None, "crash": "W1012", "fail": "W1013", "hang": "W1014", "stub": "W1016", "empty": "W1016",
            "text": "W1016", "no_dump": "W1015", "no_tracer": "W1013", "cut": "W1017", "arm": "W1011", "words": "W1011",
            "lost": "W1011", "plain": "W1011", "missing": "W1010"}
    assert {n: j["code"] for n, j in by_name.items()} == want
    assert by_name["crash"]["signal"] == signal.SIGSEGV and by_name["fail"]["exit_status"] == 3
    assert 1900 < by_name["hang"]["wall_ms"] < 20000
    good = c.metrics("good")
    assert good["status"] == "ok" and os.path.isfile(good["etdump"])
    stub = c.metrics("stub")  # latencies of a runner that writes only a stub dump are still recorded
    assert stub["status"] == "failed" and stub["etdump"] is None and stub["latency_ms"] == [9.0, 1.0]
    dumps = [f for _, _, files in os.walk(c.path("runs")) for f in files if f.endswith(".etdump")]
    assert sorted(dumps) == ["good_t1.etdump", "nan_t1.etdump"], dumps
    assert os.path.getsize(c.path("runs/stub/stub_t1.etdump.refused")) == 15


def test_says_that_a_dump_cannot_get_its_name(c):
    c.runner("a")
    c.runner("b", do="cut")
    for name in ("a/a_t1.etdump", "b/b_t1.etdump.refused"):  # a folder that is not empty cannot be replaced
        os.makedirs(c.path("runs", name, "x"))
    c.config(*({"name": n, "runs": 4, "warmup": 1} for n in "ab"), schedule={"blocks": 1})
    said = c.run(status=1)
    for name in ("a/a_t1.etdump", "b/b_t1.etdump.refused"):
        assert f"cannot be renamed to {c.path('runs', name)}: Is a directory" in said, said
    assert [j["code"] for j in c.read("manifest.json")["jobs"]] == ["W1017"] * 2


def test_kills_a_runner_that_prints_without_end(c):
    c.runner("flood", do="flood")
    c.config({"name": "flood", "runs": 2, "warmup": 0})
    has(c.run(status=1), "W1021")


def test_says_when_a_runner_does_something_else(c):
    c.runner("few", executions=3)
    c.runner("pool", threads=7)
    c.runner("slow", ms=[100000.0])
    c.runner("mute", do="quiet")
    c.runner("other")
    c.config({"name": "few", "runs": 7, "warmup": 0}, {"name": "pool", "runs": 8, "warmup": 0},
             {"name": "slow", "runs": 8, "warmup": 0}, {"name": "mute", "runs": 8, "warmup": 0, "etdump": False},
             {"name": "other", "runs": 8, "warmup": 0, "expect_sha256": "0" * 64}, schedule={"blocks": 1})
    said = c.run(status=1)
    has(said, "W1018", "W1024", "W1020", "W1019", "W1028")


def test_a_log_must_agree_with_itself_and_with_the_dump(c):
    """The stored dump has 8 executions."""
    def printed(*ms, executed=None, runs=7):
        lines = [f"Iteration {i + 1} of {len(ms)}: {t}" for i, t in enumerate(ms)]
        lines += [f"Model executed successfully {executed} time(s) in 16 ms"] if executed else []
        c.runner("a", do="quiet", trace="\n".join(lines))
        c.config({"name": "a", "runs": runs, "warmup": 1}, schedule={"blocks": 1})
        return c.run("--force")

    eight = [f"{n} ms" for n in range(1, 9)]
    holds(printed("1.1 ms", "9.2 ms", executed=2), "[W1018]", "the log has 2, not 8")
    holds(judged(c, "validate", 1), "E1059  a, 1 thread, block 1: its ETDump has 8 executions, its log 2")
    holds(printed(*eight[:4], executed=4, runs=3), "[W1018]", "the ETDump has 8, not 4")
    holds(judged(c, "validate", 1), "E1059  a, 1 thread, block 1: its ETDump has 8 executions, its log 4")
    holds(printed(*eight, executed=5), "[W1018]", "the log says 5, not 8")
    holds(judged(c, "validate", 1), "E1059  a, 1 thread, block 1: its log has the times of 8 executions, and says 5")
    holds(printed(*eight[:2], "1300 us", *eight[3:]), "[W1018]", "the log has 7, not 8; no time in ms: Iteration 3 of 8: 1300 us")
    holds(printed(*eight, executed=8), "[W1020]", "the log has executions of 36 ms, and says 16 ms for all")
    holds(judged(c, "validate", 0), "W1020  a, 1 thread, block 1: its log has executions of 36 ms, and says 16 ms for all")
    lines = [f"Iteration {i + 1} of 100000000000000000000: {t}" for i, t in enumerate(eight)]
    c.runner("a", do="quiet", trace="\n".join(["Resetting threadpool with num threads = 100000000000000000000", *lines]))
    holds(c.run("--force"), "[W1024]")
    said = judged(c, "validate", 1)
    holds(said, "E1059  a, 1 thread, block 1: its log has the times of 8 executions of 1e+20")
    holds(said, "E1059  a, 1 thread, block 1: its log says more than 2147483646 threads")
    holds(printed(executed=4), "[W1018]", "the log says 4, not 8")
    holds(judged(c, "validate", 1), "E1059  a, 1 thread, block 1: its ETDump has 8 executions, its log 4")
    holds(printed(*eight, executed=8, runs=3), "[W1018]", "the log has 8, not 4")
    holds(judged(c, "validate", 0), "W1018  a, 1 thread, block 1: its log has 8, not 4")
    holds(printed(runs=3), "[W1018]", "the ETDump has 8, not 4")
    holds(judged(c, "validate", 0), "W1018  a, 1 thread, block 1: its ETDump has 8, not 4")
    assert "W1018" not in printed(*eight, executed=8)
    assert "W1018" not in judged(c, "validate", 0)


def test_loses_no_dumps_without_a_manifest(c):
    c.runner("a")
    c.config({"name": "a", "runs": 8, "warmup": 0}, schedule={"blocks": 1})
    c.run()
    os.remove(c.path("runs", "manifest.json"))
    for words in ((), ("--resume",)):
        holds(c.run(*words, status=2), "[E1006]", "without manifest.json: a/a_t1.etdump")
    os.remove(c.path("runs", "a", "a_t1.etdump"))
    holds(c.run(status=2), "[E1006]", "without manifest.json: a/a_t1.log")
    c.run("--force")


def test_finds_a_dump_of_another_program(c):
    """One runner measures another model than that of --model_path."""
    shutil.copy(os.path.join(ROOT, "tests/data/arm/cnn_f32/model.pte"), c.path("model.pte"))
    c.runner("a")
    c.runner("b", dump=os.path.join(ROOT, "tests/data/arm/conv_i8c/sme2/run.etdump"))
    c.config({"name": "a", "runs": 7, "warmup": 1}, {"name": "b", "runs": 7, "warmup": 1}, schedule={"blocks": 1})
    said = c.run()
    holds(said, "warning[W1079]: an ETDump is of another program than the model: b with 1 thread: ")
    assert "model: a with" not in said, said
    holds(judged(c, "validate", 1), "E1059  b, 1 thread, block 1: its ETDump is not of the model: ")
    said = judged(c, "report", 0)
    holds(said, "[W1070]: b/b_t1.etdump: a dump was left out of the report: W1079: ", "[W1076]")
    assert "b  7 runs" not in said, said
    with open(c.path("model.pte"), "ab") as f:  # a model that has changed since proves nothing
        f.write(b"x")
    holds(judged(c, "validate", 1), "E1060")
    assert "not of the model" not in judged(c, "validate", 1)


def test_lets_the_runner_load_another_model(c):
    """With --model_path among its arguments, the model that an experiment ran is not known."""
    shutil.copy(os.path.join(ROOT, "tests/data/arm/cnn_f32/model.pte"), c.path("model.pte"))
    c.runner("a", dump=os.path.join(ROOT, "tests/data/arm/conv_i8c/sme2/run.etdump"))
    c.config({"name": "a", "runs": 7, "warmup": 1, "extra_args": ["--model_path", "other.pte"]}, schedule={"blocks": 1})
    assert "W1079" not in c.run()
    assert "not of the model" not in judged(c, "validate", 0)
    holds(judged(c, "report", 0), "a  7 runs")


def test_is_valid_without_a_dump_where_none_was_asked_for(c):
    c.runner("a")
    c.config({"name": "a", "runs": 7, "warmup": 1, "etdump": False}, schedule={"blocks": 1})
    c.run()
    judged(c, "validate", 0)
    holds(judged(c, "report", 1), "error[E1054]", "none was recorded, as the configuration says")
    c.config({"name": "a", "runs": 7, "warmup": 1}, schedule={"blocks": 1})
    c.run("--force")
    os.remove(c.path("runs/a/a_t1.etdump"))
    holds(judged(c, "validate", 1), "E1054")


def test_takes_no_source_that_has_only_warm_up(c):
    c.runner("a", do="quiet", trace="Iteration 1 of 8: 1.1 ms")
    c.config({"name": "a", "runs": 7, "warmup": 1}, schedule={"blocks": 1})
    has(c.run(), "W1018")
    m = c.metrics("a")
    assert m["latency_source"] == "etdump" and len(m["latency_ms"]) == 7 and m["median_ms"], m
    has(c.run("--force", "--set", "a.warmup=8", status=1), "W1019")
    assert "no execution after the warm-up" in c.read("manifest.json")["jobs"][0]["why"]


def test_refuses_what_is_no_configuration(c):
    c.runner("a")
    for text, code in (("", "E1001"), ("[]", "E1001"), ("{", "E1001"), ('{"model": "m"} x', "E1001"), ("[nonsense]\n", "E1001"),
                       ('{"model": 3}', "E1002"), ('{"experiments": []}', "E1002"), ('{"model": ""}', "E1002"),
                       ('{"model": "m"}', "E1004"), ('{"model": "m", "experiments": []}', "E1004"),
                       ('{"model": "m", "experiments": {}}', "E1002"), ('{"model": "m", "experiments": ["a"]}', "E1002"),
                       ('{"model": "m", "experiments": [{"name": "a", "mode": "xtrace"}]}', "E1002"),
                       ('{"model": "m", "experiments": [{"name": "a", "runs": 0}]}', "E1002"),
                       ('{"model": "m", "experiments": [{"name": "a", "threads": []}]}', "E1002"),
                       ('{"model": "m", "experiments": [{"name": "../a"}]}', "E1002"),
                       ('{"model": "m", "experiments": [{"name": "a", "extra_args": "--x \'y"}]}', "E1002"),
                       ('{"model": "m", "experiments": [{"name": "a"}, {"name": "a"}]}', "E1002"),
                       ('{"model": "m", "experiments": [{"name": "a", "cpu_affinity": "x"}]}', "E1002"),
                       ('{"model": "m", "experiments": [{"name": "a", "target": "ssh:x"}]}', "E1002")):
        with open(c.path("c.json"), "w") as f:
            f.write(text)
        has(c.run("--dry-run", status=2), code)
    for side in "zz@1", "a@2":
        c.config({"name": "a"}, {"name": "b"}, analysis={"compare_pairs": [{"baseline": side, "candidate": "b@1"}]})
        said = c.run("--dry-run", status=2)
        assert "[E1002]" in said and f"a pair has '{side}'" in said, said
    for pairs, text in (["a@1 a@1"], "compares 'a@1' with itself"), (["a@1 b@1", "a@1 b@1"], "pair 2 is pair 1 again"):
        c.config({"name": "a"}, {"name": "b"}, analysis={"compare_pairs": [dict(zip(("baseline", "candidate"), p.split())) for p in pairs]})
        holds(c.run("--dry-run", status=2), "[E1002]", text)
    for key, value in (("name", "metrics.json"), ("expect_sha256", "abc"), ("expect_sha256", "g" * 64)):
        c.config({"name": "a", "runner_path": "a", key: value})
        holds(c.run("--dry-run", status=2), "[E1002]", value)
    c.config({"name": "a", "expect_sha256": "A" * 64})
    c.run("--dry-run")
    c.config({"name": "alpha", "runner_path": c.path("a"), "num_runs": 5, "num_threads": 4})
    said = c.run("--dry-run")
    has(said, "W1003")
    assert "warning[W1003]: --set: " in c.run("--dry-run", "--set", "nonsense=1")
    assert "did you mean 'runs'" in said and "did you mean 'threads'" in said
    assert "did you mean 'alpha'" in c.run("--only", "Alpha", status=2)
    has(c.run("--only", "nobody", status=2), "E1004")
    has(c.run("--set", "model=none.pte", status=3), "E0901")
    has(c.run("--set", "none.runs=1", status=2), "E1002")


# ------------------------------------------------------------------------------ --resume


def test_a_dry_run_names_missing_files(c):
    c.runner("a")
    c.config({"name": "a", "runs": 2, "warmup": 0}, {"name": "b", "runs": 2, "warmup": 0})
    said = c.run("--dry-run", "--set", "model=none.pte")
    assert "missing: the model " in said and "none.pte" in said, said
    assert "missing: the runner " in said and " of b" in said and " of a" not in said, said
    c.runner("b")
    assert "missing" not in c.run("--dry-run")


def test_names_the_checkout_of_the_measurements(c):
    def checkout(sha):
        os.makedirs(c.path("executorch", ".git"), exist_ok=True)
        with open(c.path("executorch", ".git", "HEAD"), "w") as f:
            f.write(sha + "\n")

    old, new = "0" * 39 + "1", "0" * 39 + "2"
    c.runner("a")
    c.runner("b", do="fail")
    c.config({"name": "a", "runs": 2, "warmup": 0}, {"name": "b", "runs": 2, "warmup": 0})
    checkout(old)
    c.run(status=1)
    checkout(new)
    c.run("--only", "a", "--resume")  # nothing is measured
    assert c.read("manifest.json")["executorch"]["sha"] == old
    c.runner("b")
    c.run("--resume")  # b is measured with another checkout than a
    assert c.read("manifest.json")["executorch"]["sha"] is None
    c.run("--force")
    assert c.read("manifest.json")["executorch"]["sha"] == new


def test_resumes_what_is_missing_and_nothing_else(c):
    c.runner("a")
    c.runner("b", do="fail")
    c.config({"name": "a", "runs": 4, "warmup": 1}, {"name": "b", "runs": 4, "warmup": 1})
    c.run(status=1)
    before = c.metrics("a")
    assert c.metrics("b")["status"] == "failed" and len(c.calls("a")) == 2
    has(c.run(status=2), "E1006")
    c.runner("b")
    c.run("--resume")
    assert len(c.calls("a")) == 2 and c.metrics("a") == before and c.metrics("b")["status"] == "ok"
    os.remove(before["etdump"])  # one of the run's files is missing
    has(c.run("--resume"), "W1027")
    assert len(c.calls("a")) == 3 and os.path.isfile(before["etdump"])
    has(c.run("--resume", "--set", "a.runs=6"), "W1027")
    assert len(c.calls("a")) == 5 and c.metrics("a")["measured"] == 6
    has(c.run("--resume", "--set", "a.runs=6", "--set", "a.expect_sha256=" + "0" * 64, status=1), "W1027", "W1028")
    assert len(c.calls("a")) == 5 and c.metrics("a")["status"] == "failed"
    with open(c.path("runs", "manifest.json"), "w") as f:
        f.write('{"jobs": [')
    has(c.run("--resume", status=4), "E1031")


def test_measures_again_what_an_edited_manifest_says(c):
    """--resume must not give a manifest that was edited a new seal (the hash that shows edits)."""
    c.runner("a")
    c.config({"name": "a", "runs": 7, "warmup": 1}, schedule={"blocks": 1})
    c.run()
    manifest = c.read("manifest.json")
    manifest["jobs"][0].update(wall_ms=1e-3)
    with open(c.path("runs/manifest.json"), "w") as f:
        json.dump(manifest, f)
    said = c.run("--resume")
    assert "[W1027]" in said and "the manifest was edited" in said, said
    assert len(c.calls("a")) == 2 and c.read("manifest.json")["jobs"][0]["wall_ms"] > 1e-3
    judged(c, "validate", 0)


def test_measures_some_and_keeps_the_others(c):
    for name in "abd":
        c.runner(name)
    c.config(*({"name": n, "runs": 4, "warmup": 1} for n in "abd"))
    c.run("--only", "a", "d")
    assert c.jobs() == [("a", 1, 1, "ok"), ("a", 1, 2, "ok"), ("b", 1, 1, "pending"), ("b", 1, 2, "pending"),
                        ("d", 1, 1, "ok"), ("d", 1, 2, "ok")]
    assert c.read("manifest.json")["status"] == "partial"
    c.run("--only", "b")
    assert [j[3] for j in c.jobs()] == ["ok"] * 6 and len(c.calls("a")) == 2
    assert [r["experiment"] for r in c.read("metrics.json")["results"]] == ["a", "b", "d"]
    has(c.run("--only=a,b", status=2), "E1006")
    c.run("--only=a,b", "--force")
    assert len(c.calls("a")) == 4 and len(c.calls("d")) == 2


def test_only_loses_no_results_of_others(c):
    """--only keeps the results of the other experiments; it must say so if the settings of an experiment changed
    meanwhile."""
    c.runner("a")
    c.runner("b")
    c.config({"name": "a", "runs": 7, "warmup": 1}, {"name": "b", "runs": 7, "warmup": 1}, schedule={"blocks": 1})
    c.run()
    before = c.read("manifest.json")
    for words in [], ["--resume"]:
        said = c.run("--only", "a", *words, "--set", "b.runs=6", status=2)
        assert "[E1006]" in said and "--only would lose b with 1 thread: model, runner or settings are others" in said, said
    assert c.read("manifest.json") == before and len(c.calls("a")) == 1
    judged(c, "validate", 0)
    holds(c.run("--only", "a", "--force", "--set", "b.runs=6"), "[W1072]", "b with 1 thread: model, runner or settings")
    assert c.jobs() == [("a", 1, 1, "ok"), ("b", 1, 1, "pending")]
    said = judged(c, "validate", 0)  # nothing of b remains that no manifest names
    assert "W1072  partial: 1 of 2" in said and not os.listdir(c.path("runs/b")), said


def test_overwrites_nothing_of_others(c):
    c.runner("a")
    c.config({"name": "a", "runs": 4, "warmup": 1})
    os.makedirs(c.path("runs"))
    with open(c.path("runs", "manifest.json"), "w") as f:  # a manifest in the kit's format
        json.dump({"model": "m", "executorch": {"present": False}, "results": [{"experiment": "a", "metrics": {}}]}, f)
    for words in ([], ["--resume"]):
        has(c.run(*words, status=2), "E1006")
    c.run("--force")


def test_puts_results_where_the_kit_does(c):
    c.runner("a")
    for model, want in (("out_x/artifacts/m.pte", "out_x/results"), ("artifacts/m.pte", "results"),
                        ("out_x/out_y/m.pte", "out_x/results"), ("models/m.pte", "models/results"),
                        ("out_x/artifacts/z/m.pte", "out_x/results"), ("out_z/m.pte", "out_z/results")):
        c.config({"name": "a"}, model=model, output_root=None)
        assert f"into {c.path(want)}: " in c.run("--dry-run"), model
    c.config({"name": "android_a", "runner_path": "a"}, model="models/m.pte", output_root="")
    assert f"into {c.path('models/android')}: " in c.run("--dry-run")


def test_tells_how_it_goes_on(c):
    c.runner("a")
    c.runner("b")
    c.config({"name": "a", "runs": 4, "warmup": 1}, {"name": "b", "runs": 4, "warmup": 1})
    said = c.run("-v")
    assert "[1/4] a, 1 thread, block 1 of 2: 0 s" in said and "[4/4] a, 1 thread, block 2 of 2: 0 s, about " in said, said
    assert "[1/4]" not in c.run("--force")


def test_ends_in_good_order_when_interrupted(c):
    for number in (signal.SIGINT, signal.SIGTERM):
        flag = c.path(f"flag{number}")
        c.runner("a")
        c.runner("b", do="hang_once", flag=flag)
        c.config({"name": "a", "runs": 4, "warmup": 1}, {"name": "b", "runs": 4, "warmup": 1}, schedule={"order": "sequential"})
        p = subprocess.Popen([ETCORE, "pipeline", "run", "--force", "--config", "c.json"], cwd=c.folder, env=c.env,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        until = time.time() + 60
        while not os.path.exists(flag + ".reached") and time.time() < until:
            time.sleep(0.05)
        p.send_signal(number)
        said = p.communicate(timeout=60)[0]
        assert p.returncode == 128 + number, (p.returncode, said)
        has(said, "E1007")
        assert c.read("manifest.json")["status"] == "interrupted"
        assert c.jobs() == [("a", 1, 1, "ok"), ("b", 1, 1, "interrupted")], c.jobs()
        assert [r["experiment"] for r in c.read("metrics.json")["results"]] == ["a"]
        assert sorted(os.listdir(c.path("runs", "b"))) == ["b_t1.log"]
        holds(judged(c, "validate", 1), "E1068", "1 of 2 processes are measured")
        count = len(c.calls("a"))
        open(flag, "w").close()
        c.run("--resume")
        assert len(c.calls("a")) == count and c.metrics("b")["status"] == "ok"


def test_compares_a_run_that_was_interrupted_between_blocks(c):
    c.runner("a")
    c.runner("b", do="hang_once", flag=c.path("flag"))
    c.config({"name": "a", "runs": 4, "warmup": 1}, {"name": "b", "runs": 4, "warmup": 1})
    p = subprocess.Popen([ETCORE, "pipeline", "run", "--config", "c.json"], cwd=c.folder, env=c.env, stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL)
    wait_for(c.path("flag.reached"))
    p.send_signal(signal.SIGINT)
    p.wait(60)
    assert c.metrics("a")["status"] == "partial"
    holds(judged(c, "compare", 0), "ETDump of each experiment")


def test_says_that_a_measurement_is_from_the_future(c):
    c.runner("a")
    c.config({"name": "a", "runs": 4, "warmup": 1})
    c.run()
    with open(c.path("runs", "manifest.json")) as f:
        text = f.read()
    with open(c.path("runs", "manifest.json"), "w") as f:
        f.write(text.replace('"finished_at": "2', '"finished_at": "3'))
    has(c.run("--resume"), "W1020")
    for wrong in ("2026-13-01T00", "2026-11-32T00", "2026-11-01T25"):  # a month, a day and an hour that do not exist
        with open(c.path("runs/manifest.json"), "w") as f:
            f.write(re.sub(r'("finished_at": ").{13}', r"\g<1>" + wrong, text))
        said = c.run("--resume")
        assert "[W1020]" in said and "at no time that exists" in said, said


def gone(pid):
    """Returns whether the process has ended; waits up to 5 s for it."""
    for _ in range(100):
        if not os.path.exists(f"/proc/{pid}") or open(f"/proc/{pid}/stat").read().split()[2] == "Z":
            return True
        time.sleep(0.05)
    return False


def wait_for(path):
    until = time.time() + 60
    while not os.path.exists(path) and time.time() < until:
        time.sleep(0.05)
    with open(path) as f:
        return f.read()


def hanging(c):
    """Starts a pipeline whose runner starts a child process and waits; both write their process ids to files."""
    with open(c.path("a"), "w") as f:
        f.write(f"#!/bin/sh\nsleep 600 &\necho $! >{c.path('grandchild')}.x\n"
                f"mv {c.path('grandchild')}.x {c.path('grandchild')}\necho $$ >{c.path('child')}\nwait\n")
    os.chmod(c.path("a"), 0o755)
    c.config({"name": "a", "runs": 4, "warmup": 1})
    return subprocess.Popen([ETCORE, "pipeline", "run", "--config", "c.json"], cwd=c.folder, env=c.env,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def test_leaves_no_runner_behind_when_it_is_killed(c):
    for number in (signal.SIGKILL, signal.SIGSEGV):
        p = hanging(c)
        pids = [int(wait_for(c.path(n))) for n in ("grandchild", "child")]
        p.send_signal(number)
        p.wait(60)
        assert all(gone(pid) for pid in pids), pids
        assert c.read("manifest.json")["status"] == "running"
        shutil.rmtree(c.path("runs"))
        for name in ("grandchild", "child"):
            os.remove(c.path(name))


def test_measures_one_at_a_time_into_a_folder(c):
    p = hanging(c)
    wait_for(c.path("child"))
    for words in ([], ["--resume"], ["--force"]):
        has(c.run(*words, status=2), "E1032")
    c.run("--resume", "--dry-run")
    p.send_signal(signal.SIGTERM)
    p.wait(60)
    assert not [n for n in os.listdir(c.path("runs")) if "lock" in n]
    place("replay_runner.py", c.path("a"))
    c.runner("a")
    c.run("--resume")


def test_tells_in_which_order_it_measured(c):
    for name in "ab":
        c.runner(name)
    c.config({"name": "a", "runs": 4, "warmup": 1}, {"name": "b", "runs": 4, "warmup": 1})
    c.run("--only", "b")
    c.run("--resume")
    order = {(j["experiment"], j["block"]): j["order"] for j in c.read("manifest.json")["jobs"]}
    assert order == {("b", 1): 1, ("b", 2): 2, ("a", 1): 3, ("a", 2): 4}, order
    c.run("--force")
    order = {(j["experiment"], j["block"]): j["order"] for j in c.read("manifest.json")["jobs"]}
    assert order == {("a", 1): 1, ("b", 1): 2, ("b", 2): 3, ("a", 2): 4}, order


def test_keeps_what_it_knows_of_a_process(c):
    c.runner("a")
    c.runner("b", do="fail")
    c.runner("d")
    c.config(*({"name": n, "runs": 4, "warmup": 1} for n in "abd"))
    has(c.run("--only", "a", "b", status=1), "W1013")
    before = {(j["experiment"], j["block"]): j for j in c.read("manifest.json")["jobs"]}
    c.run("--only", "d")
    after = {(j["experiment"], j["block"]): j for j in c.read("manifest.json")["jobs"]}
    for key in before:
        if key[0] != "d":
            assert before[key] == after[key], (before[key], after[key])
    assert before["b", 1]["code"] == "W1013" and before["a", 1]["peak_rss_kib"] > 0
    assert c.metrics("b")["blocks"][0]["error"]["code"] == "W1013"


def test_reads_the_times_that_the_kit_reads(c):
    sys.path.insert(0, os.path.join(HERE, ".."))
    import recorded
    cases, want = recorded.read_json(os.path.join(ROOT, "tests/data/kit/runner_log_cases.json")), {}
    for i, case in enumerate(cases):
        c.runner(f"r{i}", do="quiet", trace=case["log"].replace("\0", ""), dump=None)
        average, total, first = case["g3_avg_s"], case["g3_total_s"], case["g1_mac_ms"]
        want[f"r{i}"] = (average * 1000 if average is not None else total * 1000 if total is not None else first)
        if "Iteration" in case["log"]:
            want[f"r{i}"] = 3.0
        if "successfully 0 time(s)" in case["log"] or "successfully and\n" in case["log"]:
            want[f"r{i}"] = None  # nothing was executed, so there is no latency
    c.config(*({"name": n, "runs": 1, "warmup": 0, "etdump": False} for n in want), schedule={"order": "sequential"})
    has(c.run(status=1), "W1019")
    for name, ms in want.items():
        got = c.metrics(name)["latency_ms"][:1]
        assert (got == [] if ms is None else got and abs(got[0] - ms) <= 1e-9 * ms), (name, ms, got, cases[int(name[1:])])


def test_reads_no_number_with_a_comma(c):
    """A comma separates thousands or decimals, depending on the runner's locale. (The kit reads the digits behind it.)"""
    for i, told in enumerate(("average 1,500 us", "average 2,5 ms")):
        c.runner(f"r{i}", do="quiet", trace=told, dump=None)
    c.runner("csv", do="quiet", trace="average,5 ms", dump=None)
    c.config(*({"name": n, "runs": 1, "warmup": 0, "etdump": False} for n in ("r0", "r1", "csv")))
    has(c.run(status=1), "W1019")
    assert [c.metrics(n)["latency_ms"] for n in ("r0", "r1", "csv")] == [[], [], [5.0]]


# ------------------------------------------------------------------------------ failed experiments in a report


def test_a_gate_needs_both_sides(c):
    c.runner("a")
    c.runner("b", do="fail")
    for gates, status in ({}, 0), ({"regression_pct": 5}, 1):
        c.config({"name": "a", "runs": 12, "warmup": 2, "role": "baseline"},
                 {"name": "b", "runs": 4, "warmup": 1, "role": "candidate"}, gates=gates)
        c.run("--force", status=1)
        p = subprocess.run([ETCORE, "pipeline", "report", "runs"], cwd=c.folder, capture_output=True, text=True, timeout=100)
        assert p.returncode == status and ("E1073" in p.stderr) == bool(status), (p.returncode, p.stderr)


def test_compares_candidates_with_baselines_only(c):
    c.runner("a", executions=8)
    c.runner("b", "nosme", executions=8)
    for a, b, pair in (("candidate", "none", ("b", "a")), ("candidate", "other", None), ("baseline", "baseline", None),
                       ("none", "candidate", ("a", "b")), ("other", "other", None), ("none", "none", ("a", "b"))):
        c.config({"name": "a", "runs": 7, "warmup": 1, "role": a}, {"name": "b", "runs": 7, "warmup": 1, "role": b}, schedule={"blocks": 1})
        c.run("--force")
        judged(c, "report", 0)
        compared = [(x["baseline"], x["candidate"]) for x in answer(c)["comparisons"]]
        assert compared == ([pair] if pair else []), (a, b, compared)


def test_the_log_of_a_trace_is_found(c):
    c.runner("a")
    c.config({"name": "a", "mode": "xnntrace"}, {"name": "b", "runner_path": "a", "runs": 7, "warmup": 1}, schedule={"blocks": 1})
    c.run()
    judged(c, "validate", 0)


def test_gates_hold_as_they_are_written(c):
    c.runner("off", "nosme", executions=8)
    c.runner("on", executions=8)
    c.config({"name": "off", "runs": 7, "warmup": 1}, {"name": "on", "runs": 7, "warmup": 1}, schedule={"blocks": 1},
             gates={"cv_max_pct": 0, "alpha": 0.5})
    c.run()
    holds(judged(c, "validate", 1, "--level", "quality"), "cv_max_pct is 0\n")
    judged(c, "report", 0)
    with open(c.path("runs", "report.md")) as f:
        holds(f.read(), "its 50 % interval")


def test_a_lost_dump_is_named(c):
    c.runner("a")
    c.runner("b")
    c.config({"name": "a", "runs": 4, "warmup": 1}, {"name": "b", "runs": 4, "warmup": 1})
    c.run()
    lost = c.metrics("b")["blocks"][1]["etdump_rel"]
    os.unlink(c.path("runs", lost))
    failed = answer(c)["failed"]
    assert [(f["text"], f.get("block")) for f in failed] == [(f"its ETDump {lost} is missing", 2)], failed


def test_reports_what_failed_and_compares_what_is_declared(c):
    c.runner("a")
    c.runner("b", do="fail")

    def side(name, threads):
        return {"experiment": name, "threads": threads}
    two = {"baseline": side("a", 1), "candidate": side("a", 2)}
    lacking = {"baseline": side("a", 1), "candidate": side("b", 1)}

    def report(status, *pairs):
        c.config({"name": "a", "runs": 12, "warmup": 2, "threads": [1, 2]}, {"name": "b", "runs": 4, "warmup": 1},
                 analysis={"compare_pairs": list(pairs)})
        has(c.run("--force", status=1), "W1013")
        p = subprocess.run([ETCORE, "pipeline", "report", "runs", "-o", "json"], cwd=c.folder, capture_output=True, text=True,
                           timeout=100)
        assert p.returncode == status, (p.returncode, p.stderr)
        with open(c.path("runs", "report.md")) as f:
            return json.loads(p.stdout), f.read(), p.stderr

    answer, text, _ = report(0)  # two thread counts of one experiment do not form a comparison
    assert answer["comparisons"] == [] and [f["code"] for f in answer["failed"]] == ["W1013"] * 2, answer["failed"]
    assert "## Failed" in text and "| b | 1 | 2 | W1013 exit status 3" in text, text
    answer, text, _ = report(0, two)
    assert [(x["baseline"], x["candidate"]) for x in answer["comparisons"]] == [("a_t1", "a_t2")]
    answer, text, said = report(1, two, lacking)
    has(said, "E1073")
    assert len(answer["comparisons"]) == 1 and answer["not_compared"][0]["candidate"]["measured"] is False
    assert "cannot be compared: the candidate was not measured" in text


# ------------------------------------------------------------------------------ report


def holds(text, *words):
    for word in words:
        assert word in text, f"no {word} in\n{text}"


def judged(c, command, status, *words):
    p = subprocess.run([ETCORE, "pipeline", command, c.path("runs"), *words], cwd=c.folder, env=c.env, capture_output=True,
                       text=True, timeout=100)
    assert p.returncode == status, f"status {p.returncode}, not {status}\n{p.stdout}{p.stderr}"
    return p.stdout + p.stderr


def answer(c):
    """Returns what `report -o json` says, which must succeed."""
    p = subprocess.run([ETCORE, "pipeline", "report", "runs", "-o", "json"], cwd=c.folder, env=c.env, capture_output=True,
                       text=True, timeout=100)
    assert p.returncode == 0, p.stderr
    return json.loads(p.stdout)


def test_counts_a_recording_once(c):
    """Both runners write the same dump in each process. The copies in an experiment count once; the one that both
    experiments have is compared with itself."""
    c.runner("off", "nosme")
    c.runner("on")
    c.config({"name": "off", "runs": 7, "warmup": 1}, {"name": "on", "runs": 7, "warmup": 1})
    c.run()
    holds(judged(c, "report", 0), "N0180  the same dump twice: on/on_t1_b2.etdump: it is on/on_t1.etdump")
    said = answer(c)
    assert said["comparisons"][0]["recordings"] == [1, 1], said["comparisons"]
    assert said["experiments"]["on"]["etdumps"] == 1 and said["failed"] == [], said
    assert [d.get("left_out", {}).get("code") for d in said["per_etdump"]] == [None, "N0180"] * 2
    c.runner("on", "nosme")
    c.run("--force")
    holds(judged(c, "report", 0), "N0141  two recordings are byte for byte equal: off/off_t1.etdump and on/on_t1.etdump", "cannot tell whether it differs")
    said = answer(c)["comparisons"][0]
    assert (said["verdict"], said["why"]) == ("cannot tell", "all recordings of one are also the other's"), said
    assert said["shared"] == "off/off_t1.etdump"


def test_shows_no_interval_that_excludes_what_cannot_be_told(c):
    """One recording each: the assumed spread between processes is part of the interval that is shown."""
    c.runner("off", dump=(DUMP % "nosme").replace("cnn_f32", "attn_i8d"))
    c.runner("on", dump=(DUMP % "sme2").replace("cnn_f32", "attn_i8d"))
    c.config({"name": "off", "runs": 7, "warmup": 1}, {"name": "on", "runs": 7, "warmup": 1}, schedule={"blocks": 1})
    c.run()
    text = judged(c, "report", 0, "--process-spread", "50%")
    runs = answer(c)["comparisons"][0]["speedup_interval"]
    assert not runs[0] < 1 < runs[1], runs
    low, high = re.search(r"cannot tell whether it differs from off, speedup [0-9.]+x \(([0-9.]+) to ([0-9.]+)\)", text).groups()
    assert float(low) < 1 < float(high), text


def test_compares_no_other_number_of_threads(c):
    c.runner("off", "nosme")
    c.runner("on", threads=7)
    c.config({"name": "off", "runs": 7, "warmup": 1}, {"name": "on", "runs": 7, "warmup": 1}, schedule={"blocks": 1})
    has(c.run(), "W1024")
    holds(judged(c, "validate", 1), "E1059", "its log says 7 threads")
    holds(judged(c, "report", 0), "warning[W1024]: on/on_t1.log", "on with 1 thread: 7, not 1",
          "cannot tell whether it differs from off", "a log tells another number of threads than the run")
    assert answer(c)["comparisons"][0]["verdict"] == "cannot tell"
    assert answer(c)["experiments"]["on"]["threads_in_log"] == 7
    with open(c.path("runs", "report.md")) as f:
        holds(f.read(), "| on | 1 (its log: 7) |")


def test_leaves_out_a_dump_that_was_replaced(c):
    c.runner("off", "nosme")
    c.runner("on")
    c.config({"name": "off", "runs": 7, "warmup": 1}, {"name": "on", "runs": 7, "warmup": 1}, schedule={"blocks": 1})
    c.run()
    shutil.copy(c.path("runs/off/off_t1.etdump"), c.path("runs/on/on_t1.etdump"))
    holds(judged(c, "report", 0), "warning[W1070]: on/on_t1.etdump", "E1060: it is not the dump that the process wrote",
          "on with 1 thread, block 1 failed: E1060")
    assert answer(c)["comparisons"] == []


def test_reports_a_run_of_which_everything_failed(c):
    for name in "ab":
        with open(c.path(name), "w") as f:
            f.write("#!/bin/sh\nexit 3\n")
        os.chmod(c.path(name), 0o755)
    c.config({"name": "a", "runs": 4}, {"name": "b", "runs": 4})
    c.run(status=1)
    holds(judged(c, "report", 1), "error[E1054]", "a with 1 thread, block 1 failed: W1013", "b with 1 thread, block 2 failed: W1013")
    with open(c.path("runs", "report.md")) as f:
        text = f.read()
    holds(text, "## Failed", "| a | 1 | 2 | W1013 exit status 3")
    assert len(c.read("analysis_summary.json")["failed"]) == 4


def test_forgets_the_blocks_that_it_does_not_measure_any_more(c):
    for name in "ab":
        c.runner(name, executions=8)
    both = {"name": "a", "runs": 8, "warmup": 1}, {"name": "b", "runs": 8, "warmup": 1, "threads": [1, 2]}
    c.config(*both, schedule={"blocks": 4})
    c.run()
    assert os.path.exists(c.path("runs/b/b_t2_b4.etdump"))
    both[1]["threads"] = [1]
    c.config(*both, schedule={"blocks": 2})
    c.run("--force")
    left = sorted(os.listdir(c.path("runs/a")) + os.listdir(c.path("runs/b")))
    assert left == sorted(f"{n}_t1{b}.{e}" for n in "ab" for e in ("etdump", "log") for b in ("", "_b2")), left
    assert "not valid" not in judged(c, "validate", 0)
    judged(c, "report", 0)
    assert c.read("analysis_summary.json")["etdump_count"] == 4


def test_forgets_the_experiments_that_the_configuration_lost(c):
    for name in "ab":
        c.runner(name, executions=8)
    a, b = ({"name": n, "runs": 14, "warmup": 1} for n in "ab")
    renamed = {**b, "name": "z", "runner_path": c.path("b")}
    for words in ["--force"], ["--resume"]:
        c.config(a, b)
        c.run("--force")
        c.config(a, renamed)
        has(c.run(status=2), "E1006")
        c.run("--only", "a", "--force")
        assert os.listdir(c.path("runs/b")) == [], os.listdir(c.path("runs/b"))
        c.run(*words)
        judged(c, "validate", 0)
    c.config(renamed)
    has(c.run(status=2), "E1006")  # nothing of the configuration was measured under another name
    manifest = c.read("manifest.json")
    manifest["jobs"][0]["experiment"] = "../victim"
    sealed(c, manifest)
    with open(c.path("victim_t1.etdump"), "w") as f:
        f.write("of somebody else")
    os.mkdir(c.path("victim"))
    shutil.copy(c.path("victim_t1.etdump"), c.path("victim/victim_t1.etdump"))
    c.run("--force")
    assert os.path.exists(c.path("victim_t1.etdump")) and os.path.exists(c.path("victim/victim_t1.etdump"))


def test_leaves_out_of_the_report_what_the_run_did_not_write(c):
    for name in "ab":
        c.runner(name)
    c.config({"name": "a", "runs": 8, "warmup": 1}, {"name": "b", "runs": 8, "warmup": 1})
    c.run()
    os.mkdir(c.path("runs/old"))
    for name in ("a/a_t1_b7.etdump", "a/x.etdump", "old/a_t1.etdump"):
        shutil.copy(DUMP % "sme2", c.path("runs", name))
    holds(judged(c, "report", 0), "warning[W1070]", "no process of the run wrote it")
    assert c.read("analysis_summary.json")["etdump_count"] == 4


def test_reads_nothing_that_a_strangers_manifest_names(c):
    """A foreign manifest must not make etcore read other files: experiment names lead out of the folder, and the model is a
    sparse file of 500 GB."""
    c.runner("a")
    c.config({"name": "a", "runs": 8, "warmup": 1})
    c.run()
    shutil.copy(DUMP % "sme2", c.path("victim_t1.etdump"))
    with open(c.path("victim_t1.log"), "w") as f:
        f.write("not to be read")
    manifest, whole = c.path("runs/manifest.json"), c.read("manifest.json")
    for name in "../victim", c.path("victim"), "..":
        with open(manifest, "w") as f:
            f.write(json.dumps(whole).replace('"a"', json.dumps(name)))
        said = judged(c, "validate", 1)
        holds(said, "E1053", "cannot have files in the run folder")
        assert "victim_t1" not in said, said
    os.truncate(whole["model"], 500 << 30)
    for size, code in ((None, "E1060"), (500 << 30, "W1075")):
        with open(manifest, "w") as f:
            json.dump({**whole, "model_bytes": size or whole["model_bytes"]}, f)
        holds(judged(c, "validate", 1), code, f"it has {500 << 30} bytes")


def sealed(c, manifest):
    """Writes the manifest with the seal that belongs to it."""
    text = json.dumps({k: v for k, v in manifest.items() if k != "seal"})[:-1]
    with open(c.path("runs/manifest.json"), "w") as f:
        f.write(f'{text}, "seal": "{hashlib.sha256(text.encode()).hexdigest()}"}}')


def test_notices_how_a_process_ended_and_when_it_started(c):
    c.runner("a")
    c.runner("b")
    c.config({"name": "a", "runs": 7, "warmup": 1}, {"name": "b", "runs": 7, "warmup": 1}, schedule={"blocks": 1})
    c.run()
    whole = c.read("manifest.json")
    sealed(c, whole)
    judged(c, "validate", 0)
    for key, value, code, text in (("exit_status", 1, "E1058", "exit status 1 and signal 0"), ("signal", 11, "E1058", "signal 11"),
                                   ("order", 1, "E1059", "number 1 in the order of start")):
        edited = json.loads(json.dumps(whole))
        edited["jobs"][1][key] = value
        sealed(c, edited)
        holds(judged(c, "validate", 1), code, text)


def test_notices_times_and_targets_that_cannot_be(c):
    """The elapsed time of a process, its limit and its target must agree with each other and with the dates, even if the
    seal was made anew."""
    c.runner("a")
    c.config({"name": "a", "runs": 7, "warmup": 1, "timeout_s": 60}, schedule={"blocks": 1})
    c.run()
    whole = c.read("manifest.json")
    for change, code, text, status in (
            (lambda m: m["jobs"][0].update(wall_ms=3600e3), "W1061", "it took 3600 s, but", 1),
            (lambda m: m["jobs"][0].update(wall_ms=66e3), "E1059", "it took 66 s; timeout_s is 60", 1),
            (lambda m: m["jobs"][0].update(wall_ms=30e3), "W1061", "it took 30 s, but", 0),
            (lambda m: m["jobs"][0].update(code="W1014"), "E1059", "it was killed as too slow after", 1),
            (lambda m: m["experiments"][0].update(timeout_s=-1), "E1053", "'timeout_s' is no number from 0", 1),
            (lambda m: m["experiments"][0].update(timeout_s="60"), "E1053", "'timeout_s' is no number from 0", 1),
            (lambda m: m["experiments"][0].pop("timeout_s"), "E1053", "'timeout_s' is no number from 0", 1),
            (lambda m: m["experiments"][0].update(target="locla"), "E1053", "'target' is 'locla'", 1),
            (lambda m: m["experiments"][0].update(target="adbx"), "E1053", "'target' is 'adbx'", 1),
            (lambda m: m["experiments"][0].update(target=None), "E1053", "'target' is ''", 1),
            (lambda m: m["experiments"][0].update(target="adb:X"), "E1060", "measured with other settings", 1)):
        edited = json.loads(json.dumps(whole))
        change(edited)
        sealed(c, edited)
        holds(judged(c, "validate", status), code, text)
    sealed(c, whole)
    judged(c, "validate", 0)


def test_any_limit_of_time_is_one(c):
    """A limit below a millisecond is not taken for none."""
    c.runner("hang")
    c.config({"name": "hang", "runs": 2, "timeout_s": 1e-9})
    holds(c.run(status=1), "W1014", "timeout_s is 1e-09")
    judged(c, "validate", 1)


def test_a_report_says_that_the_folder_was_edited(c):
    """The values that a report takes from the manifest must agree with the logs and dumps, even if the seal was
    made again after an edit."""
    c.runner("off", "nosme")
    c.runner("on")
    c.config({"name": "off", "runs": 7, "warmup": 1}, {"name": "on", "runs": 7, "warmup": 1}, schedule={"blocks": 1})
    c.run()
    assert "W1076" not in judged(c, "report", 0) and answer(c)["contradictions"] == 0
    whole = c.read("manifest.json")

    def edited(change, code, text, status=1, report=0):
        manifest = json.loads(json.dumps(whole))
        change(manifest)
        sealed(c, manifest)
        holds(judged(c, "validate", status), code, text)
        return judged(c, "report", report)

    for change, text in (
            (lambda m: m["results"][1]["metrics"]["blocks"][0].update(warmup_dropped=4), "warmup_dropped is 4"),
            (lambda m: m["jobs"][1].update(order=1), "number 1 in the order of start"),
            (lambda m: m["jobs"][1].update(exit_status=3), "exit status 3"),
            (lambda m: m["experiments"][1].update(role="baseline"), "role")):
        holds(edited(change, "E105", text), "warning[W1076]", "in all")
        assert answer(c)["contradictions"] > 0
        with open(c.path("runs", "report.md")) as f:
            assert "- W1076 the run folder is not as it was written: " in f.read()
    holds(edited(lambda m: m["experiments"][1].update(expect_sha256="0" * 64), "E1060", "expect_sha256 is 000000000000"), "warning[W1076]")
    pair = {"label": "", "baseline": {"experiment": "of", "threads": 1}, "candidate": {"experiment": "on", "threads": 1}, "by_name": False}
    holds(edited(lambda m: m["compare_pairs"].append(pair), "E1053", "the baseline is 'of@1'; no experiment is that", report=1), "E1073")
    edited(lambda m: [j.update(order=3 - j["order"]) for j in m["jobs"]], "W1061", "process number 2 started before number 1", 0)
    edited(lambda m: (m["schedule"].update(max_temp_c=60), m["jobs"][1].update(temperature_c=61)), "W1077", "on, 1 thread, block 1: 61", 0)
    for key, value in (("alpha", -1), ("alpha", 0.9), ("alpha", 1e-5), ("cv_max_pct", 1001), ("alpha", True), ("min_effect_pct", "2"), ("cv_max_pct", -1), ("regression_pct", -5)):
        holds(edited(lambda m: m["gates"].update({key: value}), "E1053", f"gates: '{key}'"), "warning[W1076]")
        with open(c.path("runs", "report.md")) as f:
            assert "95 %" in f.read(), (key, value)  # as by default
    edited(lambda m: m["jobs"][0].update(finished_at=None), "E1053", "must be dates and times")
    edited(lambda m: m["jobs"][0].update(finished_at="2020-01-01T00:00:00Z"), "W1061", "ended before it started", 0)
    os.truncate(c.path("runs/manifest.json"), 500)
    holds(judged(c, "report", 0), "warning[W1076]", "manifest.json: byte ")
    os.remove(c.path("runs/manifest.json"))
    holds(judged(c, "report", 0), "warning[W1076]", "manifest.json is missing")


def test_a_run_without_its_seal_is_not_valid(c):
    """A consistent change of a manifest is only noticed by its seal."""
    c.runner("a")
    c.config({"name": "a", "runs": 7, "warmup": 1}, schedule={"blocks": 1})
    c.run()
    said = judged(c, "validate", 0)
    assert ": valid  (etcore" in said, said
    whole = c.read("manifest.json")
    for lost in (("seal",), ("seal", "etcore"), ("seal", "jobs"), ("etcore", "jobs")):
        with open(c.path("runs/manifest.json"), "w") as f:
            json.dump({k: v for k, v in whole.items() if k not in lost}, f)
        holds(judged(c, "validate", 1), "E1053  manifest.json: 'seal' is missing" if "seal" in lost else "E1060  manifest.json: ")
    for e in whole["experiments"]:
        del e["etdump"]
    whole["jobs"][0]["wall_ms"] *= 2
    with open(c.path("runs/manifest.json"), "w") as f:
        json.dump({k: v for k, v in whole.items() if k != "seal"}, f)
    holds(judged(c, "validate", 1), "'seal' is missing", "experiment a: 'etdump' is nothing")
    holds(c.run("--resume"), "[W1027]", "the manifest was edited")


def test_says_that_an_experiment_is_a_link(c):
    c.runner("a")
    c.runner("b")
    c.config({"name": "a", "runs": 7, "warmup": 1}, {"name": "b", "runs": 7, "warmup": 1}, schedule={"blocks": 1})
    c.run()
    os.rename(c.path("runs/a"), c.path("elsewhere"))
    os.symlink(c.path("elsewhere"), c.path("runs/a"))
    said = judged(c, "validate", 1)
    holds(said, "E1051  a, 1 thread, block 1: a/a_t1.etdump is not read: a is a symbolic link to a folder", "a/a_t1.log is not read")
    assert "is missing" not in said, said
    judged(c, "report", 0)
    failed = answer(c)["failed"]
    assert [x["text"] for x in failed] == ["its ETDump a/a_t1.etdump is not read: a is a symbolic link to a folder"], failed
    has(c.run("--only", "b", "--force", status=0), "W1072")
    c.run("--only", "a")
    judged(c, "validate", 0)
    os.rename(c.path("runs/a"), c.path("again"))
    os.symlink(c.path("again"), c.path("runs/a"))
    holds(c.run("--resume"), "[W1027]", "a with 1 thread: its folder is a symbolic link")
    judged(c, "validate", 0)
    assert not os.path.islink(c.path("runs/a"))
    os.rename(c.path("runs/a"), c.path("third"))
    os.symlink(c.path("third"), c.path("runs/a"))
    os.remove(c.path("third/a_t1.etdump"))
    holds(judged(c, "validate", 1), "a/a_t1.etdump is missing", "a/a_t1.log is not read")
    os.remove(c.path("runs/a"))
    os.symlink("a", c.path("runs/a"))
    holds(judged(c, "validate", 1), "a/a_t1.etdump is not read: Too many levels of symbolic links")


def test_warns_of_few_runs_in_a_process(c):
    c.runner("a")
    c.runner("b")
    c.runner("traced")
    c.config({"name": "a", "runs": 11, "warmup": 1, "threads": [1, 2]}, {"name": "b", "runs": 12, "warmup": 1},
             {"name": "traced", "mode": "xnntrace"}, schedule={"blocks": 3})
    said = c.run("--dry-run")
    assert said.count("[W1062]") == 1 and "a: 11 runs in 3 processes" in said and "runs = 12 is enough, or fewer blocks" in said, said
    assert "W1062" not in c.run("--dry-run", "--only", "b") and "W1062" in c.run()
    holds(c.run("--dry-run", "--set", "a.runs=2"), "a: 2 runs in 2 processes", "runs = 12 is enough")
    holds(c.run("--dry-run", "--set", "runs=3", "--set", "schedule.order=sequential"), "a: 3 runs in 1 process: ", "b: 3 runs",
          "runs = 4 is enough\n")
    assert "W1062" not in c.run("--dry-run", "--set", "runs=4", "--set", "schedule.order=sequential")


def test_notices_a_repeated_key_and_a_foreign_dump(c):
    c.runner("a")
    c.runner("mute")
    c.config({"name": "a", "runs": 7, "warmup": 1}, {"name": "mute", "runs": 7, "warmup": 1, "etdump": False},
             schedule={"blocks": 1})
    c.run()
    judged(c, "validate", 0)
    metrics = c.path("runs/metrics.json")
    with open(metrics) as f:
        text = f.read()
    with open(metrics, "w") as f:
        f.write(text.replace('"measured"', '"measured": 99, "measured"', 1))
    holds(judged(c, "validate", 1), "E1053  metrics.json: line 9: 'measured' occurs twice in an object")
    holds(judged(c, "report", 0), "warning[W1076]", "'measured' occurs twice in an object")
    with open(metrics, "w") as f:
        f.write(text)
    for name in "a/a_t1_b2.etdump.gz", "x.etdp", "y/y_t1.etdp.gz", "mute/mute_t1.etdump":
        os.makedirs(os.path.dirname(c.path("runs", name)), exist_ok=True)
        shutil.copy(DUMP % "sme2", c.path("runs", name))
        holds(judged(c, "validate", 1), f"E1059  {name}: no process of the run wrote it")
        os.remove(c.path("runs", name))
    judged(c, "validate", 0)


def test_interrupted_before_the_first_process_ended(c):
    c.runner("a", do="hang")
    c.config({"name": "a", "runs": 4, "warmup": 1})
    p = subprocess.Popen([ETCORE, "pipeline", "run", "--config", "c.json"], cwd=c.folder, env=c.env, stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL)
    until = time.time() + 60
    while not os.path.exists(c.path("runs/manifest.json")) and time.time() < until:
        time.sleep(0.05)
    p.send_signal(signal.SIGINT)
    p.wait(timeout=60)
    said = judged(c, "validate", 1)
    holds(said, "E1068", "0 of ")
    assert "no experiment is named" not in said, said


# ------------------------------------------------------------------------------ kernels


def test_notices_an_edited_log_of_kernels(c):
    c.runner("a")
    c.config({"name": "a", "runs": 7, "warmup": 1}, schedule={"blocks": 1})
    c.run("--kernel-trace")
    judged(c, "validate", 0)
    log = c.path("runs/a/a_t1_kernels.log")
    with open(log, "a") as f:
        f.write("Note (XNNPACK): Using gemm microkernel 'xnn_pf16_gemm_minmax_ukernel_32x32c2__neonsme2'.\n")
    holds(judged(c, "validate", 1), "E1060", "a/a_t1_kernels.log")
    os.remove(log)
    holds(judged(c, "validate", 1), "E1051", "a/a_t1_kernels.log")



LINES = """Note (XNNPACK): Using gemm microkernel 'xnn_pf16_gemm_minmax_ukernel_32x32c2__neonsme2'.
Note (XNNPACK): Using igemm microkernel 'xnn_pf16_f16_igemm_minmax_fp16_ukernel_32x32c2__neonsme'.
Note (XNNPACK): Using gemm microkernel 'xnn_qp8_f32_qc4w_gemm_minmax_ukernel_16x64c4__neonsme2'."""


def test_reads_the_kernels_that_xnnpack_names(c):
    c.runner("a")
    c.runner("trace", trace=LINES)
    c.config({"name": "a", "runs": 4, "warmup": 1}, {"name": "trace", "mode": "xnntrace"})
    has(c.run("--kernel-trace"), "W1025")  # a shell script calls no kernels
    seen = c.metrics("trace")["kernel_evidence"]["kernels"]
    assert [(k["cat"], k["dtype"], k["op"], k["tile"], k["arch"], k["count"], k["source"]) for k in seen] == [
        ("gemm", "pf16", "gemm", "32x32c2", "neonsme2", 1, "xnnpack_log"),
        ("igemm", "pf16_f16", "igemm", "32x32c2", "neonsme", 1, "xnnpack_log"),
        ("gemm", "qp8_f32_qc4w", "gemm", "16x64c4", "neonsme2", 1, "xnnpack_log")], seen
    assert c.calls("trace")[0]["env"]["XNN_LOG_LEVEL"] == "5" and c.metrics("trace")["latency_ms"] == []
    assert c.metrics("a")["kernel_evidence"]["kernels"] == [] and c.metrics("a")["kernel_evidence"]["why_none"]


def test_reads_the_functions_that_the_loader_binds(c):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        return
    with open(c.path("lib.c"), "w") as f:
        f.write("int kai_run_matmul_clamp_f32(int a) { return a; }\nint xnn_f32_gemm_minmax_ukernel_4x8__scalar(int a)"
                " { return a; }\nint kai_get_m_step(int a) { return a; }\nint kai_run_never(int a) { return a; }\n")
    with open(c.path("main.c"), "w") as f:
        f.write("int kai_run_matmul_clamp_f32(int); int xnn_f32_gemm_minmax_ukernel_4x8__scalar(int); int kai_get_m_step(int);\n"
                "int kai_run_never(int);\nint main(int n, char **v) { (void)v; if (n > 1000) kai_run_never(1);\n"
                "return kai_run_matmul_clamp_f32(0) + xnn_f32_gemm_minmax_ukernel_4x8__scalar(0) + kai_get_m_step(0); }\n")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", "libkernels.so", "lib.c"], cwd=c.folder, check=True)
    subprocess.run([compiler, "-o", "runner", "main.c", "-L.", "-lkernels", "-Wl,-rpath," + c.folder, "-Wl,-z,lazy", "-fPIE",
                    "-pie"], cwd=c.folder, check=True)
    c.runner("a")
    with open(c.path("a"), "a") as f:  # appends a call of a program with kernels to the replay runner
        f.write(f"\nimport subprocess\nsubprocess.run(['{c.path('runner')}'])\n")
    c.config({"name": "a", "runs": 7, "warmup": 1}, schedule={"blocks": 1})
    c.run("--kernel-trace")
    seen = c.metrics("a")["kernel_evidence"]["kernels"]
    assert sorted((k["kernel"], k["source"]) for k in seen) == [
        ("kai_run_matmul_clamp_f32", "ld_debug_bindings"),
        ("xnn_f32_gemm_minmax_ukernel_4x8__scalar", "ld_debug_bindings")], seen
    assert sorted(os.listdir(c.path("runs", "a"))) == ["a_t1.etdump", "a_t1.log", "a_t1_kernels.log"]
    subprocess.run([ETCORE, "pipeline", "report", "runs"], cwd=c.folder, check=True, capture_output=True, timeout=100)
    with open(c.path("runs", "report.md")) as f:
        assert "| kai_run_matmul_clamp_f32 |  |  |  |  |  | called |" in f.read()
    assert c.read("analysis_summary.json")["kernel_evidence"] == [
        {"experiment": "a", "threads": 1, "called": sorted(k["kernel"] for k in seen), "chosen": [], "bound_at_load": 0}]
    c.env["LD_BIND_NOW"] = "1"  # the loader then binds all symbols at start, so a binding does not prove a call
    has(c.run("--kernel-trace", "--force"), "W1025")
    evidence = c.metrics("a")["kernel_evidence"]
    assert evidence["kernels"] == [] and evidence["bound_at_load"] == 3 and "loaded" in evidence["why_none"], evidence


# ------------------------------------------------------------------------------ Android


def phone(c):
    os.makedirs(c.path("bin"))
    place("fake_adb.py", c.path("bin", "adb"))
    c.env.update(PATH=c.path("bin") + ":" + c.env["PATH"], FAKE_ADB_ROOT=c.path("phone"), FAKE_ADB_LOG=c.path("adb.jsonl"))
    for name in os.listdir(c.folder):  # copies the runner's configuration files next to it on the phone
        if name.endswith(".json") and name != "c.json":
            os.makedirs(c.path("phone/data/local/tmp/etcore"), exist_ok=True)
            shutil.copy(c.path(name), c.path("phone/data/local/tmp/etcore/executor_runner_" + name))


def adb_calls(c):
    with open(c.path("adb.jsonl")) as f:
        return [json.loads(line) for line in f]


def test_measures_on_a_phone(c):
    c.runner("android_sme2_on")
    c.runner("android_sme2_off", "nosme")
    open(c.path("libc++_shared.so"), "w").close()
    phone(c)
    c.config({"name": "android_sme2_on", "runs": 4, "warmup": 1, "threads": [1, 2], "cpu_affinity": "0x1",
              "extra_args": ["--x", "it's $HOME; rm -rf *"]},
             {"name": "android_sme2_off", "runs": 4, "warmup": 1})
    c.run("--serial", "TEST0001")
    m = c.metrics("android_sme2_on", 2)
    assert m["status"] == "ok" and m["latency_source"] == "iteration_log" and m["latency_ms"] == [1.0, 2.0] * 2, m
    device = c.read("manifest.json")["device"]
    assert (device["serial"], device["model"], device["abi"], device["soc"]) == ("TEST0001", "Test Phone", "arm64-v8a", "TEST1")
    calls = adb_calls(c)
    c.run("--serial", "TEST0001", "--resume")
    assert len(adb_calls(c)) == len(calls) and c.read("manifest.json")["device"] == device  # nothing was measured
    assert all(a[:2] == ["-s", "TEST0001"] for a in calls)
    calls = [a[2:] for a in calls]
    assert calls[0] == ["shell", "mkdir", "-p", "/data/local/tmp/etcore"]
    pushed = [a[2] for a in calls if a[0] == "push"]
    assert sorted(pushed) == sorted("/data/local/tmp/etcore/" + n for n in (
        "model.pte", "executor_runner_android_sme2_on", "executor_runner_android_sme2_off", "libc++_shared.so",
        "libc++_shared.so")), pushed  # each file must be pushed only once
    line = [a[1] for a in calls if a[0] == "shell" and "exec " in a[1]][0]
    assert "exec taskset 0x1 ./executor_runner_android_sme2_on --model_path model.pte --num_executions 3 " in line, line
    assert line.endswith("--x 'it'\\''s $HOME; rm -rf *'"), line
    got = json.loads(open(c.path("phone/data/local/tmp/etcore/executor_runner_android_sme2_on.calls")).readline())
    assert got["argv"][-1] == "it's $HOME; rm -rf *"
    assert not [f for f in os.listdir(c.path("phone/data/local/tmp/etcore")) if f.endswith(".etdump")]


def test_tells_every_phone(c):
    c.runner("a")
    c.runner("b")
    phone(c)
    c.env["FAKE_ADB_DEVICES"] = "P1 P2"
    c.config({"name": "a", "runs": 7, "warmup": 1, "target": "adb:P1"}, {"name": "b", "runs": 7, "warmup": 1, "target": "adb:P2"},
             schedule={"blocks": 1})
    c.run()
    m = c.read("manifest.json")
    assert [(d["serial"], d["model"]) for d in m["devices"]] == [("P1", "Test Phone"), ("P2", "Test Phone")] and "device" not in m
    c.run("--resume")
    assert c.read("manifest.json")["devices"] == m["devices"]


def test_says_what_adb_says(c):
    c.runner("a")
    c.runner("b", do="fail")
    c.runner("d", do="no_dump")
    phone(c)
    c.config({"name": "a", "runs": 4, "warmup": 1}, {"name": "b", "runs": 4, "warmup": 1}, {"name": "d", "runs": 4},
             schedule={"blocks": 1}, device={"target": "adb"})
    said = c.run(status=1)
    has(said, "W1013", "W1015")
    assert c.metrics("a")["status"] == "ok" and "failed to stat remote object" in said
    said = c.run("--force", "--target", "adb:NOBODY", status=1)
    has(said, "W1023")
    assert "device 'NOBODY' not found" in said
    c.env["PATH"] = "/nowhere"
    assert "no adb on PATH" in c.run("--force", status=1)


def test_takes_a_hanging_runner_off_the_phone(c):
    c.runner("android_a", do="hang")
    phone(c)
    c.config({"name": "android_a", "runs": 4, "timeout_s": 3})
    has(c.run("-v", status=1), "W1014", "N1030")
    with open(c.path("phone/data/local/tmp/etcore/etcore.pid")) as f:
        pid = int(f.read())
    for _ in range(50):
        if not os.path.exists(f"/proc/{pid}") or open(f"/proc/{pid}/stat").read().split()[2] == "Z":
            return
        time.sleep(0.1)
    raise AssertionError("it still runs")


# ------------------------------------------------------------------------------ INI


def test_takes_ini_with_the_same_meaning(c):
    c.runner("mac_sme2_on")
    c.runner("mac_sme2_off")
    pair = {"baseline": {"experiment": "mac_sme2_off", "threads": 1}, "candidate": {"experiment": "mac_sme2_on", "threads": 1}}
    c.config({"name": "mac_sme2_on", "runs": 4, "warmup": 1, "threads": [1, 2], "extra_args": ["--print_output", "a b"]},
             {"name": "mac_sme2_off", "runs": 4, "warmup": 1}, analysis={"compare_pairs": [pair]})
    with open(c.path("c.ini"), "w") as f:
        f.write(f"""; the same
[pipeline]
model = {c.path('model.pte')}
output_root = {c.path('runs')}
[experiment "mac_sme2_on"]
runner_path = {c.path('mac_sme2_on')}
runs = 4
warmup = 1
threads = 1, 2
extra_args = --print_output "a b"
[experiment mac_sme2_off]
runner_path = {c.path('mac_sme2_off')}
runs = 4
warmup = 1
[schedule]
blocks = 2
[compare ""]
baseline = mac_sme2_off@1
candidate = mac_sme2_on@1
""".replace('[compare ""]', "[compare pair]"))
    assert c.run("--dry-run") == c.run("--dry-run", config="c.ini")
    c.run(config="c.ini")
    assert c.read("manifest.json")["compare_pairs"][0]["candidate"] == pair["candidate"]
    c.run("--resume")  # --resume with the JSON file continues the run of the INI file: nothing is measured again
    assert len(c.calls("mac_sme2_on")) == 4


def test_loads_every_template_that_it_writes(c):
    for kind in ("mac", "android", "linux"):
        subprocess.run([ETCORE, "pipeline", "new", kind], cwd=c.folder, check=True, capture_output=True)
        assert "6 processes, abba" in c.run("--dry-run", config=kind + ".ini"), kind
        with open(c.path(kind + ".ini")) as f:
            on = f.read().replace("\n# ", "\n").split("[", 1)
        with open(c.path("all.ini"), "w") as f:  # uncommenting all keys of a template must give a valid file
            f.write("[" + "\n".join(line for line in on[1].splitlines() if "=" in line or line.startswith("[") or "]" in line))
        said = c.run("--dry-run", config="all.ini")
        assert "W1003" not in said, said


def main():
    global ETCORE
    p = argparse.ArgumentParser()
    p.add_argument("--etcore", required=True)
    p.add_argument("names", nargs="*")
    a = p.parse_args()
    ETCORE = os.path.abspath(a.etcore)
    cases = [(n, f) for n, f in sorted(globals().items()) if n.startswith("test_") and
             (not a.names or any(w in n for w in a.names))]
    cases = cases if a.names else some(cases, 6)

    def one(case):
        with tempfile.TemporaryDirectory(prefix="etcore-pipeline-") as folder:
            try:
                case[1](Case(os.path.realpath(folder)))
            except Exception:
                return f"{case[0]}\n{traceback.format_exc()}"
        return None

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        wrong = [w for w in pool.map(one, cases) if w]
    print("\n".join(wrong))
    print(f"{len(cases) - len(wrong)} passed, {len(wrong)} failed")
    return bool(wrong) or not cases


sys.exit(main())
