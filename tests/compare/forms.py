#!/usr/bin/env python3
"""forms.py ETCORE -- every form of `etcore check` is what its readers take, and all tell the same numbers."""

import json
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

ARM = "tests/data/arm/attn_i8d"
RULES = '[rule <"gemm" & more>]\ncategory = gemm\n[rule nothing]\nop = no | such\n'


def check(etcore, form, now, before, rules, status):
    run = subprocess.run([etcore, "check", f"{ARM}/{now}/run.etdump", "--rules", rules, "-o", form,
                          "--baseline", f"{ARM}/{before}/run.etdump"], capture_output=True, check=False)
    assert run.returncode == status, (form, run.returncode, run.stderr.decode())
    return run.stdout.decode()


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
    assert len(values) == len(smaller) == len(cases) - 1

    bencher = json.loads(check(etcore, "bencher", now, before, rules, status))
    assert {n: m["latency"]["value"] for n, m in bencher.items()} == values
    for m in bencher.values():
        m = m["latency"]
        assert m.get("lower_value", m["value"]) <= m["value"] <= m.get("upper_value", m["value"])

    records = json.loads(check(etcore, "pytorch", now, before, rules, status))
    assert sorted(r["metric"]["benchmark_values"][0] for r in records) == sorted(values.values())
    assert all(r["benchmark"]["name"] and r["model"]["name"] and r["metric"]["name"] for r in records)

    lines = check(etcore, "markdown", now, before, rules, status).splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert len(table) == len(cases) + 2
    assert all(line.replace("\\|", "").count("|") == 4 for line in table)


def main():
    etcore = sys.argv[1]
    with tempfile.NamedTemporaryFile("w", suffix=".ini") as rules:
        rules.write(RULES)
        rules.flush()
        look(etcore, "sme2", "nosme", rules.name, 1)
        look(etcore, "nosme", "sme2", rules.name, 0)


main()
