#!/usr/bin/env python3
"""examples.py [--etcore build/etcore] -- runs the examples of share/farm: the processes of the Kubernetes Job, one per
index, of which one is killed and restarted; the steps of the GitHub workflow; and merge.py. The shards must write together
the same rows as one run.

The workflow's reduce step is left out if duckdb is not installed.
"""
import argparse
import contextlib
import fcntl
import glob
import importlib.util
import json
import os
import re
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

import yaml

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CASES = os.path.join(ROOT, "tests", "data", "cases")
SHARE = os.path.join(ROOT, "share", "farm")


def load(name):
    with open(os.path.join(SHARE, name), encoding="utf-8") as f:
        return yaml.safe_load(f)


def rows(out):
    """Returns each table as sorted rows, because their order depends on shards and restarts."""
    found = {}
    for part in glob.glob(os.path.join(out, "*", "part-*")):
        with open(part, encoding="utf-8") as f:
            found.setdefault(os.path.basename(os.path.dirname(part)), []).extend(
                json.dumps(json.loads(line), sort_keys=True) for line in f)
    return {table: sorted(lines) for table, lines in found.items()}


def dumps(folder):
    """Copies dumps to one folder per device; one file is not a dump."""
    for n, path in enumerate(sorted(glob.glob(os.path.join(CASES, "*", "run.etdump")))):
        device = os.path.join(folder, f"phone-{n % 3}")
        os.makedirs(device, exist_ok=True)
        shutil.copy(path, os.path.join(device, f"{n:02}.etdump"))
    with open(os.path.join(folder, "phone-0", "cut.etdump"), "wb") as f:
        f.write(b"\0" * 100)
    return folder


def one_run(etcore, folder, out, *words, status=(1,)):
    done = subprocess.run([etcore, "batch", folder, "--out", out, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False, timeout=120)
    assert done.returncode in status, done.returncode
    return out


# ---- Kubernetes -----------------------------------------------------------------------


class Pod:
    """The container of one index: its command, with folders of this machine for the volumes, and its environment."""

    def __init__(self, job, index, volumes, path):
        [container] = job["spec"]["template"]["spec"]["containers"]
        mounted = {m["mountPath"]: volumes[m["name"]] for m in container["volumeMounts"]}
        self.words = [re.sub("|".join(map(re.escape, mounted)), lambda m: mounted[m.group()], word) for word in container["command"]]
        self.env = {"PATH": path + os.pathsep + os.environ["PATH"]}
        for variable in container["env"]:
            field = variable["valueFrom"]["fieldRef"]["fieldPath"]
            assert field == "metadata.annotations['batch.kubernetes.io/job-completion-index']", field
            self.env[variable["name"]] = str(index)

    def start(self):
        return subprocess.Popen(self.words, env=self.env, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def kubernetes(etcore, scratch):
    job = load("kubernetes.yaml")
    spec = job["spec"]
    assert (job["kind"], spec["completionMode"], spec["template"]["spec"]["restartPolicy"]) == ("Job", "Indexed", "Never")
    runs, tables = dumps(os.path.join(scratch, "runs")), os.path.join(scratch, "tables")
    os.mkdir(tables)
    pods = [Pod(job, i, {"runs": runs, "tables": tables}, os.path.dirname(etcore)) for i in range(spec["completions"])]
    running = [pod.start() for pod in pods]
    time.sleep(0.01)
    os.killpg(running[1].pid, signal.SIGKILL)  # ends the pod as if its node were lost
    for p in running:
        p.wait(timeout=120)
    assert [p.returncode for n, p in enumerate(running) if n != 1] == [0] * (len(pods) - 1), running
    again = pods[1].start()  # restarts the index, as backoffLimitPerIndex allows
    said = again.communicate(timeout=120)[0]
    assert again.returncode == 0, said
    want = rows(one_run(etcore, runs, os.path.join(scratch, "one"), "--meta-pattern", "{device}/*.etdump"))
    assert rows(tables) == want and want["errors"]
    done = {name for name in os.listdir(tables) if name.startswith("_SUCCESS")}
    assert done == {f"_SUCCESS-{i}-of-{len(pods)}" for i in range(len(pods))}, done
    return len(pods)


# ---- GitHub ---------------------------------------------------------------------------


class Workflow:
    def __init__(self, name, scratch, path):
        self.jobs, self.scratch, self.path, self.artifacts = load(name)["jobs"], scratch, path, os.path.join(scratch, "artifacts")

    def run(self, job, matrix):
        """Runs the steps of a job in its own folder; steps that install packages are skipped because they are installed
        here."""
        folder = tempfile.mkdtemp(dir=self.scratch)
        env = {"PATH": self.path + os.pathsep + os.environ["PATH"], "GITHUB_SHA": "0a1b", "HOME": folder,
               "GITHUB_STEP_SUMMARY": os.path.join(folder, "summary.md")}
        for step in self.jobs[job]["steps"]:
            if "uses" in step:
                self.artifact(step, folder, matrix)
            elif not step["run"].startswith("pip install"):
                more = {k: self.fill(v, matrix) for k, v in step.get("env", {}).items()}
                words = [sys.executable, "-c"] if step.get("shell") == "python" else ["bash", "-e", "-c"]
                done = subprocess.run([*words, step["run"]], cwd=folder, env={**env, **more}, capture_output=True, check=False,
                                      timeout=120)
                assert done.returncode == 0, (step, done.stderr)
        return folder

    @staticmethod
    def fill(text, matrix):
        return re.sub(r"\$\{\{ matrix\.(\w+) \}\}", lambda m: str(matrix[m.group(1)]), text)

    def artifact(self, step, folder, matrix):
        what, given = step["uses"].split("@")[0], step["with"]
        target = os.path.join(folder, given["path"])
        if what == "actions/upload-artifact":
            shutil.copytree(target, os.path.join(self.artifacts, self.fill(given["name"], matrix)))
            return
        assert what == "actions/download-artifact", what
        for found in sorted(glob.glob(os.path.join(self.artifacts, given["pattern"]))):
            merged = given.get("merge-multiple", False)
            shutil.copytree(found, target if merged else os.path.join(target, os.path.basename(found)), dirs_exist_ok=merged)


def github(etcore, scratch):
    flow = Workflow("workflow.yml", scratch, os.path.dirname(etcore))
    runs = dumps(os.path.join(scratch, "devices"))
    for device in os.listdir(runs):
        shutil.copytree(os.path.join(runs, device), os.path.join(flow.artifacts, f"etdump-{device}"))
    [(key, shards)] = flow.jobs["map"]["strategy"]["matrix"].items()
    for shard in shards:
        flow.run("map", {key: shard})
    folder = tempfile.mkdtemp(dir=scratch)
    flow.artifact(next(s for s in flow.jobs["reduce"]["steps"] if "uses" in s), folder, {})
    whole = os.path.join(scratch, "whole")
    for device in os.listdir(runs):
        shutil.copytree(os.path.join(runs, device), os.path.join(whole, "runs", f"etdump-{device}"))
    out = os.path.join(whole, "tables")
    done = subprocess.run([etcore, "batch", "runs", "--out", out, "--meta-pattern", "{device}/*.etdump", "--meta", "commit=0a1b"],
                          cwd=whole, capture_output=True, check=False, timeout=120)
    assert done.returncode == 1, done.stderr
    got, want = rows(os.path.join(folder, "tables")), rows(out)
    times = re.compile('"modified_ns": [0-9]+')
    assert {t: sorted(times.sub("", r) for r in lines) for t, lines in got.items()} == \
        {t: sorted(times.sub("", r) for r in lines) for t, lines in want.items()}
    if not importlib.util.find_spec("duckdb"):
        return "its reduce step was left out: duckdb is not installed"
    with open(os.path.join(flow.run("reduce", {}), "summary.md"), encoding="utf-8") as f:
        lines = f.read().splitlines()[2:]
    of = {}
    for row in map(json.loads, want["runs"]):
        of.setdefault(row["device"], []).append(row)
    assert len(lines) == len(of) == 3
    for line, (device, found) in zip(lines, sorted(of.items())):
        ms = statistics.median(r["typical_ns"] for r in found if r["typical_ns"] is not None) / 1e6
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        assert cells[:2] == [device, str(len({r["run_id"] for r in found}))] and abs(float(cells[2]) - ms) <= 0.0006, (line, ms)
    return "its page has the medians of the tables"


def merge(tables, out, status=0):
    done = subprocess.run([sys.executable, os.path.join(SHARE, "merge.py"), tables, out], capture_output=True, check=False, timeout=120)
    assert done.returncode == status, done.stderr
    return done.stderr.decode()


def values(row):
    """Converts booleans and integers of an NDJSON row to floats, because the database's rows are compared as floats."""
    return {k: float(v) if isinstance(v, (bool, int)) else v for k, v in json.loads(row).items()}


def ordered(row):
    return json.dumps(row, sort_keys=True)


def databases(etcore, scratch):
    """merge.py must put the rows of all parts into one database, including parts with other columns, and none of a killed
    batch."""
    runs = dumps(os.path.join(scratch, "devices"))
    lines, tables, out = (os.path.join(scratch, n) for n in ("lines", "tables", "it's all.sqlite"))
    words = ["--jobs", "2", "--meta-pattern", "{device}/*.etdump"]
    want = rows(one_run(etcore, runs, lines, *words))
    one_run(etcore, runs, tables, *words, "-o", "sqlite", "--partition-by", "device", "--shard", "0/2", status=(0, 1))
    one_run(etcore, runs, tables, *words, "-o", "sqlite", "--shard", "1/2", "--meta", "lab=x", status=(0, 1))
    part = glob.glob(os.path.join(tables, "rows", "**", "part-0-of-2-*"), recursive=True)[0]
    shutil.copy(part, os.path.join(tables, "rows", "part-0-of-2-0123456789abcdef-0-0.sqlite"))
    with open(os.path.join(tables, "_lock"), "rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)
        assert "a batch writes" in merge(tables, out, status=1) and not os.path.exists(out)
    for _ in range(2):
        merge(tables, out)
    with contextlib.closing(sqlite3.connect(out)) as db:
        for table, found in want.items():
            got = db.execute(f"select * from {table}")
            names = [d[0] for d in got.description]
            have = [{k: float(v) if isinstance(v, int) else v for k, v in zip(names, row) if k != "lab"} for row in got]
            assert sorted(map(ordered, have)) == sorted(map(ordered, map(values, found))), table
        labs = db.execute("select count(*), count(lab) from runs").fetchall()[0]
    assert 0 < labs[1] < labs[0], labs
    assert "no parts" in merge(lines, os.path.join(scratch, "none"), status=1)
    return sum(map(len, want.values()))


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--etcore", default=os.path.join(ROOT, "build", "etcore"))
    etcore = os.path.abspath(p.parse_args().etcore)
    with tempfile.TemporaryDirectory() as scratch:
        os.mkdir(os.path.join(scratch, "k"))
        os.mkdir(os.path.join(scratch, "g"))
        os.mkdir(os.path.join(scratch, "d"))
        pods = kubernetes(etcore, os.path.join(scratch, "k"))
        said = github(etcore, os.path.join(scratch, "g"))
        merged = databases(etcore, os.path.join(scratch, "d"))
    print(f"{pods} pods, one of them killed, write what one run writes; the workflow, too: {said}; {merged} rows in one database")


if __name__ == "__main__":
    main()
