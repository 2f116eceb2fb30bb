#!/usr/bin/env python3
"""report.py --etcore PROGRAM - `pipeline report` on run folders that the kit's pipelines wrote: keys, tables, equality with
the kit's files, broken dumps."""
import argparse
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile

from kit_csv import compare, read
from kit_runs import load, unpack
import recorded

# Keys of the kit's analysis_summary.json (all versions), and keys of each dump's entry in it.
KEYS = {"run_dir", "model", "etrecord", "etdump_count", "category_totals_ms", "kernel_hints", "per_etdump", "csv_files",
        "operator_details", "experiments"}
DUMP_KEYS = {"etdump", "categories_ms", "rows", "csv_timeline", "csv_stats"}
V1 = {"Convolution", "GEMM", "Data Movement", "Elementwise", "Other"}
# {name of a run: folder of tests/data/arm with the ETRecord of its model}
RECORDS = {"ab_cnn_f32": "cnn_f32", "ab_conv_i8c": "conv_i8c", "ab_mm_f32": "mm_f32", "trace": "cnn_f32"}


class Test:
    def __init__(self, etcore, top):
        self.etcore, self.top, self.runs, self.bad, self.count, self.files = etcore, top, load(), 0, 0, 0

    def fresh(self, run="ab_cnn_f32/g1"):
        where = os.path.join(self.top, "x")
        shutil.rmtree(where, ignore_errors=True)
        return unpack(self.runs[run], where)

    def wrong(self, what):
        self.bad += 1
        print(what)

    def ask(self, command, folder, *words):
        out = subprocess.run([self.etcore, "pipeline", command, folder, *words], capture_output=True, text=True, timeout=120)
        return out.returncode, out.stdout, out.stderr

    def expect(self, what, folder, status, code, *words):
        got, out, err = self.ask("report", folder, *words)
        self.count += 1
        if got != status or (code and code not in err):
            self.wrong(f"{what}: exit {got}, not {status}; {code} expected\n{err}")
        return out


def identity(t, run, summary):
    for name, x in summary["experiments"].items():
        i = x["identity"]
        parts = sum(i[k] for k in ("leaves", "delegate_overhead", "operator_overhead", "framework"))
        if not i["holds"] or parts != i["end_to_end"]:
            t.wrong(f"{run}: {name}: {parts} of {i['end_to_end']} ns")
        unit = i["per_unit"] * 1e6 * x["executions"]
        for key in ("categories_ms", "categories_kit_v1_ms", "categories_kit_v2_ms"):
            if abs(sum(x[key].values()) * unit - i["leaves"]) > 1e-6 * i["leaves"] + 1:
                t.wrong(f"{run}: {name}: {key} are not the leaves")


def against_the_kit(t, run, folder, summary, before):
    """Compares files that the kit wrote into this folder with those that etcore has written over them."""
    for path, want in before.items():
        name = os.path.basename(path)
        if not path.startswith("runs/") or not name.endswith((".csv", "robust_stats.json", "kernel_view_gemm.md")):
            continue
        got = os.path.join(folder, path.split("/", 2)[2])
        ours = read(got)
        if name.endswith(".json"):  # the kit names some entries after the experiment, others after the input file
            want, ours = (json.dumps({k: v for k, v in json.loads(text).items() if k != "name"}) for text in (want, ours))
        if want != ours if name.startswith("kernel_view") else not compare(name, want, ours):
            t.wrong(f"{run}: {path} is not the kit's")
        t.files += 1
    old = json.loads(before[next(p for p in before if p.endswith("analysis_summary.json"))])
    if old["etdump_count"] != summary["etdump_count"]:
        t.wrong(f"{run}: {summary['etdump_count']} dumps")
    for a, b in zip(old["per_etdump"], summary["per_etdump"]):
        if a["rows"] != b["rows"] or list(a["categories_ms"]) != list(b["kit_categories_ms"]):
            t.wrong(f"{run}: {a['rows']} rows, {a['categories_ms']}: {b['rows']}, {b['kit_categories_ms']}")
        for key, ms in a["categories_ms"].items():
            if abs(ms - b["kit_categories_ms"].get(key, 0)) > 1e-12 * ms:
                t.wrong(f"{run}: {key} {ms}: {b['kit_categories_ms']}")


def golden(t):
    for run, before in t.runs.items():
        folder = t.fresh(run)
        with_analysis = any(p.endswith("analysis_summary.json") for p in before)
        words = []
        # The manifest of the layout G1 has the model's path, where the kit found the ETRecord.
        if run.split("/")[1] in ("g1", "g1g3") and with_analysis:
            kind = RECORDS.get(run.split("/")[0])
            if not kind:
                with_analysis = False
            else:
                record = f"tests/data/arm/{kind}/model.etrecord"
                words = ["--etrecord", record]
        t.expect(run, folder, 0, "", *words)
        with open(os.path.join(folder, "analysis_summary.json")) as f:
            summary = json.load(f)
        if not KEYS <= set(summary) or any(not DUMP_KEYS <= set(d) for d in summary["per_etdump"]):
            t.wrong(f"{run}: keys of analysis_summary.json: {list(summary)}")
        if not set(summary["category_totals_ms"]) <= V1:
            t.wrong(f"{run}: {summary['category_totals_ms']}")
        identity(t, run, summary)
        if with_analysis:
            against_the_kit(t, run, folder, summary, before)
        report = read(os.path.join(folder, "report.md"))
        for part in ("# Profiling Report", "## Metadata", "latency", "Operator categories", "## Generated Artifacts", "## Summary"):
            if part not in report:
                t.wrong(f"{run}: report.md has no {part}")
        if "crash" not in run:
            for command in ("validate", "compare"):
                status, out, err = t.ask(command, folder)
                if status:
                    t.wrong(f"{run}: {command} after report: {out}{err}")


def broken(t):
    folder = t.fresh()
    one = os.path.join(folder, "mac_sme2_on", "mac_sme2_on_t1.etdump")
    whole = open(one, "rb").read()
    for what, data in (("half a dump", whole[:4000]), ("a stub", b"dummy-etdump\n\n\n"), ("nothing", b"")):
        with open(one, "wb") as f:
            f.write(data)
        t.expect(what, folder, 0, "W1070")
        t.expect(what + ", strictly", folder, 1, "W1070", "--strict")
        with open(os.path.join(folder, "analysis_summary.json")) as f:
            summary = json.load(f)
        if "left_out" not in summary["per_etdump"][1] or summary["experiments"]["mac_sme2_off"]["executions"] != 8:
            t.wrong(f"{what}: {summary['per_etdump'][1]}")
    with open(os.path.join(folder, "mac_sme2_off", "mac_sme2_off_t1.etdump"), "wb") as f:
        f.write(b"x")
    t.expect("no dump that can be read", folder, 1, "E1055")
    page = os.path.join(t.top, "page.html")
    with open(page, "w") as f:
        f.write("the page of yesterday")
    t.expect("no dump that can be read, as a page", folder, 1, "E1055", "-o", page)
    if read(page) != "the page of yesterday":
        t.wrong(f"a page of {os.path.getsize(page)} bytes was written although no dump can be read")
    t.expect("no folder", os.path.join(t.top, "none"), 1, "E1051")
    empty = os.path.join(t.top, "empty")
    os.mkdir(empty)
    t.expect("no dump", empty, 1, "E1054")
    folder = t.fresh()
    shutil.copy("tests/data/edge/scalar_inf.etdump", os.path.join(folder, "z.etdump"))
    shutil.copy("tests/data/cases/no_runs/run.etdump", os.path.join(folder, "y.etdump"))
    os.symlink("nowhere", os.path.join(folder, "w.etdump"))
    os.mkfifo(os.path.join(folder, "v.etdump"))
    t.expect("odd dumps beside good ones", folder, 0, "W1070")
    folder = t.fresh()
    shutil.copy(raising(), os.path.join(folder, "mac_sme2_on", "mac_sme2_on_t1.etdump"))
    t.expect("a dump on which the Inspector raises", folder, 0, "W1071")
    t.expect("a record that is none", folder, 4, "E0964", "--etrecord", "tests/data/edge/text_file.etdump")
    folder = t.fresh()
    t.expect("a folder for its files that cannot be made", folder, 3, "E0903", "--into", "/dev/null/x")
    if os.geteuid() != 0:
        os.chmod(folder, stat.S_IRUSR | stat.S_IXUSR)
        t.expect("a folder that cannot be written", folder, 3, "E0903")
        os.chmod(folder, stat.S_IRWXU)


def copies(t):
    """A copy of a dump counts once wherever it lies; of a dump that both sides have, there is no verdict."""
    folder = t.fresh()
    before = json.loads(t.expect("two dumps", folder, 0, "", "-o", "json"))
    on, off = (os.path.join(folder, f"mac_sme2_{s}", f"mac_sme2_{s}_t1.etdump") for s in ("on", "off"))
    os.mkdir(os.path.join(folder, "a"))
    for name in ("mac_sme2_on/copy.etdump", "a/x_t1.etdump"):
        shutil.copy(on, os.path.join(folder, name))
    os.symlink(on, os.path.join(folder, "z_t2.etdump"))
    after = json.loads(t.expect("a dump and three copies", folder, 0, "N0180", "-v", "-o", "json"))
    for key in "experiments", "comparisons", "failed":
        if before[key] != after[key]:
            t.wrong(f"copies change {key}: {before[key]}: {after[key]}")
    if sum("left_out" in d for d in after["per_etdump"]) != 3:
        t.wrong(f"copies: {after['per_etdump']}")
    folder = t.fresh()
    shutil.copy(on, off)
    said = json.loads(t.expect("one dump for both", folder, 0, "N0141", "-v", "-o", "json"))["comparisons"][0]
    if said["verdict"] != "cannot tell" or said["why"] != "all recordings of one are also the other's":
        t.wrong(f"one dump for both: {said}")


def kernels(t):
    """Compares tables of micro-kernels from trace logs with the tables that the kit made from the same logs."""
    cases = recorded.read_json("tests/data/kit/kernel_cases.json")
    names = {"sme2_on": None, "sme2_off": None}
    folder = t.fresh("ab_cnn_f32/g3")

    def bytes_of(case):
        return case["log"].encode(case.get("log_encoding", "utf-8"))

    for name, case in cases["logs"].items():
        with open(os.path.join(folder, name + "_xnntrace.log"), "wb") as f:
            f.write(bytes_of(case))
    t.expect("logs of kernels", folder, 0, "")
    for name, case in cases["logs"].items():
        t.files += 1
        if case["csv"] != read(os.path.join(folder, name + "_kernels.csv")):
            t.wrong(f"{name}_kernels.csv is not the kit's")
    for view in cases["views"]:
        logs = [view[side].rsplit(".", 1)[0] for side in ("on", "off")]
        if view["filter"] != "gemm" or view["rc"] or not set(logs) <= set(cases["logs"]):
            continue
        folder = t.fresh("ab_cnn_f32/g3")
        for side, log in zip(names, logs):
            with open(os.path.join(folder, side + "_xnntrace.log"), "wb") as f:
                f.write(bytes_of(cases["logs"][log]))
        t.expect("a view of kernels", folder, 0, "")
        t.files += 1
        got = read(os.path.join(folder, "kernel_view_gemm.md")).split("\n", 1)[1]
        if got.strip() != view["stdout"].split("\n", 1)[1].strip():
            t.wrong(f"kernel_view_gemm.md of {logs} is not the kit's")
    folder = t.fresh("ab_cnn_f32/g3")
    os.symlink("nowhere", os.path.join(folder, "x_xnntrace.log"))
    os.mkfifo(os.path.join(folder, "y_xnntrace.log"))
    t.expect("logs that are none", folder, 0, "")


def raising():
    return "tests/data/edge/not_prefixed.etdump"


def options(t):
    folder = t.fresh()
    into = os.path.join(t.top, "elsewhere", "deep")
    before = sorted(os.walk(folder))
    out = t.expect("--into", folder, 0, "", "--into", into, "-o", "json")
    if sorted(os.walk(folder)) != before:
        t.wrong("--into writes into the run folder")
    if json.loads(out) != json.load(open(os.path.join(into, "analysis_summary.json"))):
        t.wrong("-o json is not analysis_summary.json")
    for profile, word in (("etcore", "convolution"), ("kit-v1", "Convolution"), ("kit-v2", "CONV")):
        t.expect(profile, folder, 0, "", "--categories", profile, "--into", into)
        if f"| {word} |" not in read(os.path.join(into, "report.md")):
            t.wrong(f"--categories {profile}: no {word}")
    # A configuration file can define how a backend's events are categorised.
    ini = os.path.join(t.top, "c.ini")
    with open(ini, "w") as f:
        f.write("[backend.XnnpackBackend]\nowner = none\nprobe = NHWC|NC|ND\ntime = interval\nclock = host\n"
                "category.attention = Fully\n")
    out = t.expect("categories of a file", folder, 0, "", "-c", ini, "--into", into, "-o", "json")
    mine = {o["name"]: o["category"] for o in json.loads(out)["operator_details"]}
    if not any("Fully" in name and category == "attention" for name, category in mine.items()):
        t.wrong(f"categories of a file: {mine}")
    # A second report must be equal byte for byte.
    t.expect("before", folder, 0, "", "--into", into)
    first = read(os.path.join(into, "analysis_summary.json"))
    t.expect("again", folder, 0, "", "--into", into)
    if read(os.path.join(into, "analysis_summary.json")) != first:
        t.wrong("two reports of one folder differ")


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--etcore", required=True)
    a = p.parse_args()
    with tempfile.TemporaryDirectory() as top:
        t = Test(os.path.abspath(a.etcore), top)
        for part in (golden, broken, options, kernels, copies):
            part(t)
    print(f"{t.count} reports, {t.files} of the kit's own files compared, {t.bad} wrong")
    return 1 if t.bad or t.count < 40 or t.files < 30 else 0


if __name__ == "__main__":
    sys.exit(main())
