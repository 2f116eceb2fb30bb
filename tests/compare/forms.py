#!/usr/bin/env python3
"""forms.py ETCORE -- readers of every output format of `etcore check` must accept it, and all formats must have the same
numbers."""

import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

ARM = "tests/data/arm/attn_i8d"
RULES = '[rule <"gemm" & more>]\ncategory = gemm\n[rule nothing]\nop = no | such\n'


# {column of PyTorch's table oss_ci_benchmark_v3: types of its members}; maps are from text to text.
V3 = {
    "benchmark": dict(name=str, mode=str, dtype=str, extra_info=dict),
    "model": dict(name=str, type=str, backend=str, origins=list, extra_info=dict),
    "metric": dict(name=str, benchmark_values=list, target_value=float, extra_info=dict),
}
DEPENDENCY = dict(repo=str, branch=str, sha=str, version=str, extra_info=dict)
RUNNER = dict(name=str, type=str, cpu_info=str, cpu_count=int, mem_info=str, avail_mem_in_gb=int, gpu_info=str,
              gpu_count=int, gpu_mem_info=str, avail_gpu_mem_in_gb=int, extra_info=dict)


def check_tuple(value, form):
    assert set(value) == set(form), (value, form)
    assert all(isinstance(value[k], t) for k, t in form.items()), value
    assert all(isinstance(v, str) for v in value["extra_info"].values()), value


def check_record(record):
    assert set(record) == {*V3, "inputs", "dependencies", "runners"}
    for name, form in V3.items():
        check_tuple(record[name], form)
    for value in record["dependencies"].values():
        check_tuple(value, DEPENDENCY)
    assert record["dependencies"]["etcore"]["version"] and len(record["runners"]) == 1
    check_tuple(record["runners"][0], RUNNER)


def check(etcore, form, now, before, rules, status):
    run = subprocess.run([etcore, "check", f"{ARM}/{now}/run.etdump", "--rules", rules, "-o", form,
                          "--baseline", f"{ARM}/{before}/run.etdump"], capture_output=True, check=False)
    assert run.returncode == status, (form, run.returncode, run.stderr.decode())
    return run.stdout.decode()


def check_json(etcore, now, before, rules, status, names):
    import jsonschema
    with open(os.path.join("docs", "check.schema.json"), encoding="utf-8") as f:
        schema = json.load(f)
    answer = json.loads(check(etcore, "json", now, before, rules, status))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(answer)
    lines = answer["lines"]
    assert [line["name"] for line in lines] == names
    for verdict, count in answer["verdicts"].items():
        assert count == sum(line["verdict"] == verdict for line in lines), verdict
    assert (answer["verdicts"]["regression"] > 0) == (status == 1)
    assert {note["code"] for note in answer["notes"]} >= {"W0174"}
    for line in lines:
        a, b = line["baseline"]["time"], line["now"]["time"]
        if None in (a, b) or line["difference"] is None:
            assert line["difference"] is None and line["p"] is None, line
            continue
        assert abs(line["difference"] - (b - a)) <= 1e-9 * max(a, b), line
        assert line["ratio"] is None or abs(line["ratio"] * a - b) <= 1e-9 * b, line
        assert line["p"] is None or 0 <= line["p"] <= line["p_adjusted"] <= 1, line
        if line["verdict"] == "regression":
            assert line["significant"] and line["ratio"] > 1 + line["limit"] == 1.05, line
    return {line["name"]: line["now"]["time"] for line in lines}


def look(etcore, now, before, rules, status):
    suite = ET.fromstring(check(etcore, "junit", now, before, rules, status)).find("testsuite")
    cases = suite.findall("testcase")
    assert int(suite.get("tests")) == len(cases) >= 3
    assert int(suite.get("failures")) == len(suite.findall("testcase/failure"))
    assert int(suite.get("skipped")) == len(suite.findall("testcase/skipped")) >= 1
    assert (int(suite.get("failures")) > 0) == (status == 1)
    assert any(c.get("name").startswith('<"gemm" & more>: ') for c in cases)

    smaller = json.loads(check(etcore, "benchmark-json", now, before, rules, status))
    assert all(set(b) <= {"name", "unit", "value", "range", "extra"} and b["unit"] == "ns" for b in smaller)
    values = {b["name"]: b["value"] for b in smaller}
    times = check_json(etcore, now, before, rules, status, [c.get("name") for c in cases])
    assert {name: time for name, time in times.items() if time is not None} == values
    assert len(values) == len(smaller) == len(cases) - 1

    bencher = json.loads(check(etcore, "bencher", now, before, rules, status))
    assert {n: m["latency"]["value"] for n, m in bencher.items()} == values
    for m in bencher.values():
        m = m["latency"]
        assert m.get("lower_value", m["value"]) <= m["value"] <= m.get("upper_value", m["value"])

    records = json.loads(check(etcore, "pytorch", now, before, rules, status))
    assert sorted(r["metric"]["benchmark_values"][0] for r in records) == sorted(values.values())
    for record in records:
        check_record(record)
    assert all(r["benchmark"]["name"] and r["model"]["name"] and r["metric"]["name"] for r in records)

    lines = check(etcore, "markdown", now, before, rules, status).splitlines()
    table = [line for line in lines if line.startswith("|")]
    tables = table.count("|---|---|---|")  # passing rows are in a separate, folded table
    assert 1 <= tables <= 2 and table.count("| verdict | what | change |") == tables
    assert len(table) == len(cases) + 2 * tables
    assert all(line.replace("\\|", "").count("|") == 4 for line in table)


def main():
    etcore = sys.argv[1]
    with tempfile.NamedTemporaryFile("w", suffix=".ini") as rules:
        rules.write(RULES)
        rules.flush()
        look(etcore, "sme2", "nosme", rules.name, 1)
        look(etcore, "nosme", "sme2", rules.name, 11)  # one of the rules matches no row


main()
