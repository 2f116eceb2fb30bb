#!/usr/bin/env python3
"""overhead.py ETCORE -- tests `etcore overhead` with a runner's log and with dumps that have fewer events. The JSON must
follow docs/overhead.schema.json, a group's typical time must be that of analyze, and the cost per event times the number of
events must be the cost per run."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

import jsonschema

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ETCORE = sys.argv[1]
DATA = os.path.join(ROOT, "tests", "data")
ON = os.path.join(DATA, "cases/conv_net_xnnpack/run.etdump")
with open(os.path.join(ROOT, "docs", "overhead.schema.json"), encoding="utf-8") as schema_file:
    SCHEMA = jsonschema.Draft202012Validator(json.load(schema_file))


def ask(command, *words):
    r = subprocess.run([ETCORE, command, *words, "-o", "json"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert r.returncode == 0, (words, r.stderr)
    return json.loads(r.stdout)


def check(on, off):
    answer = ask("overhead", "--on", on, "--off", *off, "--rounds", "500")
    for error in SCHEMA.iter_errors(answer):
        sys.exit(f"{off}: {error.json_path}: {error.message[:200]}")
    rows = {row["what"]: row for row in answer["rows"]}
    more = rows["on"]["events"] - rows["off"]["events"]
    assert rows["run"]["events"] == more > 0 and rows["off"]["recordings"] == len(off)
    for key in ("time_ns", "low_ns", "high_ns"):
        if key != "time_ns" and rows["event"][key] is None:  # the interval would be too wide, so etcore prints none
            assert rows["run"]["low_ns"] is None and rows["run"]["high_ns"] is None and len(off) > 1, (off, rows)
            continue
        assert abs(rows["event"][key] * more - rows["run"][key]) < 1e-6 * abs(rows["run"][key]) + 1e-6, (off, key)
    assert abs(rows["on"]["time_ns"] - rows["off"]["time_ns"] - rows["run"]["time_ns"]) < 1e-3
    path = ask("analyze", on)["methods"][0]["paths"][0]
    assert abs(path["typical_ns"] - rows["on"]["time_ns"]) < 1e-3 and path["runs"] - path["warmup"] == rows["on"]["runs"]
    return rows


def check_other():
    """A dump of another program must be rejected, whatever its events cost, and in either group."""
    other = os.path.join(DATA, "cases/linear_fp32/run.etdump")
    log = os.path.join(DATA, "advice/plain.log")
    for words in ([ON, "--off", other], [ON, other, "--off", log], [other, ON, "--off", log]):
        r = subprocess.run([ETCORE, "overhead", *words], capture_output=True, text=True, check=False)
        assert r.returncode == 2 and "E0576" in r.stderr, (words, r.stderr)


def check_notes(folder):
    """A note that all dumps have must be printed once, and one that a single dump has must name this dump."""
    dumps = [os.path.join(folder, f"noted{i}.etdump") for i in range(3)]
    for i, dump in enumerate(dumps):
        subprocess.run([sys.executable, os.path.join(ROOT, "tests/tools/make_dump.py"), dump, "--noise", f"{30 * i or 1}:1300000:{500 + i}",
                        "--events", "20"], check=True)
    words = ["overhead", *dumps, "--off", os.path.join(DATA, "advice", "plain.log")]
    notes = ask(*words)["notes"]
    assert [(n["text"], n["place"]) for n in notes if n["code"] == "N0423"] == [("no ETRecord", None)], notes
    assert [n["place"] for n in notes if n["code"] == "N0121"] == dumps[:1], notes
    shown = subprocess.run([ETCORE, *words], capture_output=True, text=True, check=True).stdout
    assert "N0423  no ETRecord (3 times)\n" in shown, shown


def check_twice(log):
    """A recording that is given several times, or as a copy, must count once, and so must its runs."""
    with tempfile.TemporaryDirectory() as folder:
        copies = [shutil.copy(f, os.path.join(folder, os.path.basename(f))) for f in (ON, log)]
        once = ask("overhead", "--on", ON, "--off", log, "--rounds", "500")
        thrice = ask("overhead", ON, ON, copies[0], "--off", log, copies[1], log, "--rounds", "500")
    assert once["rows"] == thrice["rows"], thrice["rows"]
    assert [n["code"] for n in thrice["notes"]].count("N0180") == 4 and once["files"] == thrice["files"]


def check_limits(folder):
    """The precision of the log must limit the result; 0 ms is not a valid time; and the tracer alone cannot account for
    most of a run."""
    log = os.path.join(folder, "limits.log")

    def with_times(form, ms, on=ON):
        with open(log, "w", encoding="utf-8") as f:
            f.writelines(f"Iteration {i + 1} of 30: {form % ms} ms\n" for i in range(30))
        return check(on, [log])["run"]

    fine, coarse = with_times("%.6f", 0.06), with_times("%.2f", 0.06)
    assert fine["certain"] and coarse["certain"]
    for end, more in (("low_ns", -5000 + 0.5), ("high_ns", 5000 - 0.5)):
        assert abs(coarse[end] - fine[end] - more) < 1e-3, (end, fine, coarse)
    slow = os.path.join(folder, "slow.etdump")
    make = os.path.join(ROOT, "tests/tools/make_dump.py")
    subprocess.run([sys.executable, make, slow, "--noise", "30:1300000:500", "--events", "20"], check=True)
    assert with_times("%.6f", 1, slow)["certain"] and not with_times("%.0f", 1, slow)["certain"]
    assert not with_times("%.6f", 0.03)["certain"], "more than half of a run"
    with open(log, "a", encoding="utf-8") as f:
        f.write("Iteration 31 of 31: 0 ms\n")
    r = subprocess.run([ETCORE, "overhead", "--on", ON, "--off", log], capture_output=True, text=True, check=False)
    assert r.returncode == 4 and "E0574" in r.stderr and "iteration 31" in r.stderr, r.stderr


def check_subtract(folder):
    """--subtract-overhead must accept the document of `etcore overhead` and reject others, and every output format must
    state what was subtracted."""
    document = os.path.join(folder, "overhead.json")
    log = os.path.join(DATA, "advice", "plain.log")
    overhead = ask("overhead", "--on", ON, "--off", log)
    with open(document, "w", encoding="utf-8") as f:
        json.dump(overhead, f)
    event = {row["what"]: row for row in overhead["rows"]}["event"]
    before, after = (ask("analyze", ON, *more)["methods"][0]["paths"][0] for more in ([], ["--subtract-overhead", document]))
    assert after["measured_ns"] == before["typical_ns"] and after["logged_events"] == 85 and after["samples_ns"] is after["spread"] is None
    assert after["subtracted_low_ns"] < after["subtracted_ns"] < after["subtracted_high_ns"]
    assert 0.9 < after["subtracted_ns"] / (85 * event["time_ns"]) <= 1
    for form in ("text", "markdown", "csv", "ndjson"):
        for columns in ([], ["--columns", "name,self_ns"]):
            r = subprocess.run([ETCORE, "analyze", ON, "--subtract-overhead", document, "-o", form, *columns], capture_output=True, text=True, check=True)
            assert "subtracted" in r.stdout, (form, r.stdout[:300])
    refused = [(["--subtract-overhead", log], "E0578"), (["--subtract-overhead", "120"], "E0505"), (["--subtract-overhead", "0ns"], "E0505"),
               (["--subtract-overhead", "5ns", "--source-time-scale", "cycles"], "E0577")]
    refused += [(["--subtract-overhead", "5ns", *more], "E0501") for more in (
        ["--events"], ["--by", "delegate"], ["--by", "fallback"], ["--by", "run"], ["--stat", "median"], ["--stat", "min"], ["--roofline"],
        ["--by", "module", "--tree"], ["-o", "model-explorer=" + folder])]
    changes = (("rows", 0, "method", "backward", "E0577"), ("rows", 0, "tick_ns", 2, "E0577"), ("files", 1, "kind", "program", None),
               ("rows", 3, "high_ns", 1, "E0578"), ("rows", 3, "what", "run", "E0578"), ("rows", 3, "time_ns", 1e300, "E0578"))
    for i, (name, at, key, value, code) in enumerate(changes):
        changed = json.loads(json.dumps(overhead))
        changed[name][at][key] = value
        path = os.path.join(folder, f"changed{i}.json")
        with open(path, "w", encoding="utf-8") as f:
            json.dump(changed, f)
        refused.append((["--subtract-overhead", path], code))
    for words, code in refused:
        r = subprocess.run([ETCORE, "analyze", ON, *words], capture_output=True, text=True, check=False)
        assert (r.returncode == 0 if code is None else code in r.stderr and not r.stdout), (words, code, r.stderr)
    pte = os.path.join(DATA, "pte", "conv_net_xnnpack.pte")
    r = subprocess.run([ETCORE, "analyze", ON, "-m", pte, "--subtract-overhead", os.path.join(folder, "changed2.json")], capture_output=True, text=True,
                       check=False)
    assert "E0577" in r.stderr and "another program" in r.stderr, r.stderr


def main():
    with tempfile.TemporaryDirectory() as folder:
        logs = []
        for name, ms in (("same", 0.0796), ("faster", 0.04)):
            logs.append(os.path.join(folder, name + ".log"))
            with open(logs[-1], "w", encoding="utf-8") as f:
                f.writelines(f"Iteration {i + 1} of 30: {ms + i % 7 * 0.0002:.6f} ms\n" for i in range(30))
        same, faster = check(ON, logs[:1]), check(ON, logs[1:])
        assert not same["run"]["certain"] and faster["run"]["certain"]
        assert faster["off"]["runs"] == 29 and same["off"]["events"] == 0
        check(ON, logs)
        check_notes(folder)
        check_twice(logs[1])
        check_limits(folder)
        check_subtract(folder)
        on, off = (os.path.join(folder, n + ".etdump") for n in ("events", "whole"))
        make = os.path.join(ROOT, "tests/tools/make_dump.py")
        subprocess.run([sys.executable, make, on, "--noise", "30:103000:500", "--events", "20"], check=True)
        subprocess.run([sys.executable, make, off, "--noise", "30:60000:500"], check=True)
        fewer = check(on, [off])
        assert 0 < fewer["off"]["events"] < fewer["on"]["events"] and fewer["run"]["certain"]
    check_other()
    print("4 comparisons")


main()
