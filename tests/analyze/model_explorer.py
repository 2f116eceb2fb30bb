#!/usr/bin/env python3
"""model_explorer.py --etcore build/etcore -- tests `analyze -o model-explorer` with the ids that Arm's adapters made
(tests/data/model_explorer).

    named  a method that cannot be determined (several fit, or the program is another one) has no file, with a reason
    ids    every graph and node must be one of the adapter's; every graph of the adapter whose method ran must be there
    form   Model Explorer's node data format: results with numbers, a gradient from 0 to 1
    sums   with the program's graph: the times of all nodes and the time between instructions add up to the run; the nodes
           of a partition take no longer than its call; those of all partitions take no longer than the time that
           `analyze` gives to delegates. With the ETRecord's graph: the times of the nodes add up to the modules of
           `--by module`
Standard library only.
"""
import argparse
import collections
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HERE = "tests/data/model_explorer"


def program_of(case, tmp):
    """Copies a case's program (from its folder or tests/data/pte/programs) to the name that is part of the ids; returns the
    path."""
    paths = f"{HERE}/{case}/model.pte", f"tests/data/pte/programs/cases_{case}.pte"
    os.makedirs(f"{tmp}/{case}.program", exist_ok=True)
    return shutil.copy(next(filter(os.path.exists, paths)), f"{tmp}/{case}.program/model.pte")


def ask(etcore, *words, status=0):
    done = subprocess.run([etcore, *words], check=False, stdin=subprocess.DEVNULL, capture_output=True, timeout=120,
                          env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"})
    assert done.returncode == status, (words, done.returncode, done.stderr.decode())
    return done.stdout.decode()


def near(a, b):
    return abs(a - b) <= 1e-6 + 1e-9 * abs(b)


def values(graph):
    assert set(graph) == {"name", "results", "gradient"} and graph["results"] and "% of it on nodes" in graph["name"]
    assert [g["stop"] for g in graph["gradient"]] == [0, 1]
    out = {k: v["value"] for k, v in graph["results"].items()}
    assert all(isinstance(v, float) and v >= 0 for v in out.values()), out
    return out


def check_ids(data, recorded, what):
    for graph, entry in data.items():
        assert graph in recorded, f"{what}: no graph '{graph}', the adapter has {list(recorded)}"
        for node in values(entry):
            assert node in recorded[graph], f"{what}: no node '{node}' in graph '{graph}'"


def check_plan(plans, method, path, delegate_rows):
    """Checks the times of a plan's instructions, and of the partitions in it."""
    nodes = values(plans[method or "forward"])
    between = path["unattributed_ns"] - path["unattributed_delegate_ns"]
    assert near(sum(nodes.values()) * 1e3 + between, path["typical_ns"]), (sum(nodes.values()), path)
    inside = 0.0
    for graph, entry in plans.items():
        if graph.startswith(f"model.pte::{method or 'forward'}_"):
            total = sum(values(entry).values())
            assert total <= nodes[graph.split("::")[1]] + 1e-6, graph
            inside += total * 1e3
    for row in delegate_rows:
        where = row["key"].removeprefix("delegate at instruction ").split(" of chain ")
        node = f"{method or 'forward'}_{where[1] if len(where) > 1 else 0}_{where[0]}"
        assert near(nodes[node] * 1e3, row["self_ns"]), (node, row)
    return inside


def check_modules(etcore, record, data, rows, tmp):
    """Compares the sum of a module's nodes with its row of `--by module`, for modules that share no row with another one."""
    for graph, entry in data.items():
        answer = json.loads(ask(etcore, "dump", record, "-o", "json", "--graph", *([] if graph == "forward" else [graph])))
        nodes = answer.get("graph", answer.get("etrecord", {}).get("graph"))["nodes"]
        module = {n["name"] + "_": ((n.get("modules") or [{}])[-1].get("path") or "(root)") for n in nodes}
        sums, want = collections.Counter(), collections.Counter()
        for node, value in values(entry).items():
            sums[module[node]] += value * 1e3
        alone = {r["key"] for r in rows if r.get("modules") and len(r["modules"]) == 1 and not r["detached"]}
        for r in rows:
            if r["key"] in alone and not r["detached"]:
                want[r["key"]] += r["self_ns"]
        shared = {m for r in rows if r.get("modules") and len(r["modules"]) > 1 for m in r["modules"]}
        for m in alone - shared:
            assert near(sums[m], want[m]), (graph, m, sums[m], want[m])
    return len(data)


def check(etcore, case, recorded, tmp):
    """Checks one case; returns how many graphs have times."""
    dump, program = f"tests/data/cases/{case}/run.etdump", program_of(case, tmp)
    words = ["analyze", dump, "-m", program]
    folder = os.path.join(tmp, case)
    if case == "no_runs":
        ask(etcore, *words, "-o", f"model-explorer={folder}", status=6)
        assert not os.path.exists(folder)
        return 0
    listed = ask(etcore, *words, "-o", f"model-explorer={folder}").split()
    files = sorted(glob.glob(folder + "/*"))
    assert sorted(listed) == files and files, listed
    by_module, by_delegate = (json.loads(ask(etcore, *words, "--by", by, "-o", "json")) for by in ("module", "delegate"))
    nth = collections.Counter()
    count = 0
    for method in by_module["methods"]:
        for path in method["paths"]:
            stem = os.path.join(folder, "run" + (f".path{nth[method['name']] + 1}" if nth[method["name"]] else ""))
            nth[method["name"]] += 1
            with open(stem + ".pte.json", encoding="utf-8") as f:
                plans = json.load(f)
            check_ids(plans, recorded["pte"], f"{case} pte")
            mine = [r for r in by_delegate["rows"] if (r["method"], r["path"]) == (method["name"], path["path"]) and
                    r["key"].startswith("delegate at") and not r["detached"]]
            inside = check_plan(plans, method["name"], path, mine)
            rows = [r for r in by_module["rows"] if (r["method"], r["path"]) == (method["name"], path["path"])]
            told = sum(r["self_ns"] for r in rows if r["backend"] == "XnnpackBackend" and not r["detached"])
            assert inside <= told + 1e-3, (case, inside, told)
            count += len(plans)
            if not recorded["etrecord"]:
                continue
            with open(stem + ".etrecord.json", encoding="utf-8") as f:
                data = json.load(f)
            check_ids(data, recorded["etrecord"], f"{case} etrecord")
            if len(by_module["methods"]) == 1:
                count += check_modules(etcore, f"tests/data/cases/{case}/model.etrecord", data, rows, tmp)
            else:
                count += len(data)
    return count


def check_guesses(etcore, tmp):
    equal, other = "tests/data/pte/equal_methods", "tests/data/pte/programs/cases_conv_net_xnnpack.pte"
    dump = "tests/data/cases/mlp_xnnpack/run.etdump"
    for words, reason in ((["-m", equal + ".pte", "-r", equal + ".etrecord"], "several methods fit"), (["-m", equal + ".pte"], "several methods fit"),
                          ([], "several methods fit"), (None, "no method of the program fits")):
        words = [dump, "--no-siblings", "-m", other] if words is None else [equal + ".etdump", *words]
        done = subprocess.run([etcore, "analyze", *words, "-o", f"model-explorer={tmp}/guess"], check=False, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"})
        assert done.returncode == 6 and "E0580" in done.stderr and f"path 1: {reason}" in done.stderr and not done.stdout, (words, done)
        assert not os.path.exists(f"{tmp}/guess"), words


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--etcore", required=True)
    etcore = os.path.abspath(parser.parse_args().etcore)
    os.chdir(ROOT)
    with open(f"{HERE}/ids.json", encoding="utf-8") as f:
        ids = json.load(f)
    with tempfile.TemporaryDirectory() as tmp:
        failed, count = 0, 0
        check_guesses(etcore, tmp)
        for case, recorded in ids.items():
            try:
                count += check(etcore, case, recorded, tmp)
            except AssertionError as e:
                print(f"{case}: {e}")
                failed += 1
    print(f"{count} graphs of {len(ids)} cases, {failed} wrong")
    return failed > 0 or count < 60


if __name__ == "__main__":
    sys.exit(main())
