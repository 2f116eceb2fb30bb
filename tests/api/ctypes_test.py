#!/usr/bin/env python3
"""ctypes_test.py LIBRARY PROGRAM -- libetcore.so, called from Python without the package, must give
the same answers as the program, as text, cells, samples and Arrow."""
import json
import subprocess
import sys

sys.path.insert(0, sys.path[0])
from etcore_ctypes import EVENTS, FILES, PATHS, ROWS, RUNS, SAMPLES, Library, Query, Refused, read_arrow

lib, program = Library(sys.argv[1]), sys.argv[2]
CASES = ["tests/data/cases/mlp_xnnpack", "tests/data/cases/conv_net_xnnpack", "tests/data/cases/multi_method",
         "tests/data/cases/control_flow_cond", "tests/data/backends/cases/coreml_basic"]
checks = 0


def check(ok, what):
    global checks
    checks += 1
    if not ok:
        sys.exit(f"ctypes_test.py: {what}")


def run(*args):
    return subprocess.run([program, *args], capture_output=True, check=True).stdout


def same(a, b):
    return a == b or (isinstance(a, str) and a == str(b))


for case in CASES:
    dump = f"{case}/run.etdump"
    expected = json.loads(run("analyze", dump, "-o", "json"))
    with Query(lib, "analyze", output="json") as q:
        q.add(dump)
        check(q.run() == run("analyze", dump, "-o", "json"), f"{case}: another answer as json")
        check(q.write("csv") == run("analyze", dump, "-o", "csv"), f"{case}: another answer as csv")
        check({n["code"] for n in expected["notes"]} == {code for code, _ in q.notes()}, f"{case}: other notes")
        rows = q.table(ROWS)
        for name in ("name", "method", "path", "calls", "self_ns", "total_ns", "unit", "detached", "backend"):
            check(rows[name] == [r[name] for r in expected["rows"]], f"{case}: column {name}")
        paths = [p for m in expected["methods"] for p in m["paths"]]
        check(q.table(PATHS)["typical_ns"] == [p["typical_ns"] for p in paths], f"{case}: typical_ns")
        check(q.table(FILES)["path"] == [f["path"] for f in expected["files"]], f"{case}: files")
        for which in (ROWS, PATHS, RUNS, EVENTS, FILES, SAMPLES):
            cells, arrow = q.table(which), read_arrow(q.arrow(which))
            check(list(cells) == list(arrow), f"{case}: names of columns of table {which}")
            for name in cells:
                check(all(map(same, arrow[name], cells[name])) and len(arrow[name]) == len(cells[name]),
                      f"{case}: column {name} of table {which} through Arrow")
        event, run_of, start, end = (sum(x, []) for x in zip(*q.samples()))
        check(read_arrow(q.arrow(SAMPLES)) == {"event": event, "run": run_of, "start": start, "end": end},
              f"{case}: samples")
        # The samples must be those that `dump` lists.
        said = json.loads(run("dump", dump, "-o", "json"))
        profiles = [e for r in said["etdump"]["run_data"] for e in r["events"] if "profile_event" in e]
        check(start == [int(e["profile_event"]["start_time"]) for e in profiles], f"{case}: start times")
        check(end == [int(e["profile_event"]["end_time"]) for e in profiles], f"{case}: end times")
    # The Arrow stream stays valid after its query is freed.
    with Query(lib, "analyze") as q:
        q.add_memory("a dump in memory", open(dump, "rb").read())
        q.run()
        stream = q.arrow(SAMPLES)
    check(read_arrow(stream)["start"] == start, f"{case}: samples after the query is freed")

try:
    with Query(lib, "analyze", stat="average"):
        pass
    check(False, "an unknown statistic is taken")
except Refused as e:
    check(e.code == "E0505" and e.status == 2, f"another error: {e}")
check("analyze" in lib.questions() and "where" in lib.options("analyze"), "questions or options are missing")
print(f"{checks} checks: {len(CASES)} analyses as the program gives them")
