#!/usr/bin/env python3
"""forms.py --etcore PATH [DUMP...] -- compares every output format of `etcore trace` with `analyze`, for all recorded
dumps.

With --runs all: the slices must be the profile events of the dump. Per name, their lengths plus the time that was cut off
must equal total_ns of `analyze --stat total --warmup 0` to the nanosecond. Slices must nest on each track, the formats must
agree, and the stacks of a flame graph must add up to the time of the runs. Standard library only.
"""
import argparse
import collections
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import trace_file
from trace_file import need

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from share import share  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
REFUSED = {1: "E0560"}  # a dump without times; for other statuses `analyze` fails too
ROOTS = ("Method::execute", "Program::load_method")


def shown(text):
    """Escapes a name as etcore does on screen."""
    return "".join(c if c.isprintable() else {"\n": "\\n", "\t": "\\t", "\r": "\\r"}.get(c, f"\\u{ord(c):04x}") for c in text)


def shown_bytes(name):
    """Escapes a name, given as the bytes of the file, as etcore does on screen."""
    return "".join(f"\\x{ord(c) - 0xdc00:02x}" if 0xdc80 <= ord(c) < 0xdd00 else shown(c) for c in name.decode("utf-8", "surrogateescape"))


def totals(etcore, dump):
    """Returns ({name: total_ns} of rows with times, whether runs were executed, whether runs without one execute event were
    left out); the first is None if `analyze` fails. Loads have rows only if no run was executed, and then only the first
    load."""
    run = subprocess.run([etcore, "analyze", dump, "--stat", "total", "--warmup", "0", "-o", "json"], capture_output=True, check=False)
    if run.returncode:
        return None, False, False
    sums, unknown = collections.Counter(), set()
    document = json.loads(run.stdout)
    rows = document["rows"]
    for row in rows:
        name = shown_bytes(bytes.fromhex(row["name_hex"])) if "name_hex" in row else shown(row["name"])
        # A DELEGATE_CALL has a row only for runs in which none of the events inside it has a time.
        if row["total_ns"] is None or name == "DELEGATE_CALL":
            unknown.add(name)
        else:
            sums[name] += row["total_ns"]
    return {k: v for k, v in sums.items() if k not in unknown}, any(row["path"] is not None for row in rows), \
        any(note["code"] == "N0126" for note in document["notes"])


def check_perfetto(data, want, executed, left_out):
    p = trace_file.Perfetto(data)
    p.check_nesting()
    sums = collections.Counter()
    for s in p.slices:
        track = p.tracks[s["track"]]["name"]
        load = track.startswith(("load: ", "load ("))
        if not (load and executed) and not (left_out and track.endswith(" outside of runs")):
            sums[s["name"]] += s["length"] + int(s["args"].get("cut_ns", 0))
    if sum(s["category"] == "method" for s in p.slices) > 1 and not executed:
        return p  # only the first of several loads has rows
    for name, total in want.items():
        exact = isinstance(total, int)
        need(sums[name] == total if exact else abs(sums[name] - total) <= total * 1e-9,
             f"{name}: {sums[name]} ns, analyze has {total}")
    return p


def check_forms(p, folder, stacks):
    def read(name):
        with open(os.path.join(folder, name), "rb") as f:
            return f.read()

    def drawn(slices):
        return collections.Counter((s["track"], s["name"], s["at"], s["length"], *s["above"]) for s in slices)

    events, slices = trace_file.chrome(read("t.json"))
    need(drawn(p.slices) == drawn(slices), "chrome: other slices or parents")
    need(len(p.flows) == sum(e["ph"] == "s" for e in events), "chrome: other flows")
    need(len(p.counts) == sum(e["ph"] == "C" for e in events), "chrome: other counts")
    profiles = trace_file.speedscope(read("t.speedscope.json"))
    runs = [s for s in p.slices if s["category"] == "method"]
    roots = sum(s["length"] + int(s["args"].get("cut_ns", 0)) for s in runs)
    whole = not any("cut_ns" in s["args"] for s in runs)
    # otherwise a run has a second slice with the name of a root
    if whole and all(s["category"] == "method" for s in p.slices if s["name"] in ROOTS):
        need(sum(n for _, sums in profiles for k, n in sums.items() if k in ROOTS) == roots, "speedscope: other runs")
    if not stacks:
        need(roots == 0, "no stacks of measured runs")
        return profiles
    folded = trace_file.folded(read("t.folded"))
    whole = trace_file.pprof(read("t.pb.gz"))
    need({tuple(n.replace(";", ":") for n in k): v for k, (_, v) in whole.items() if v} == folded, "pprof and folded differ")
    if roots < 1 << 63:  # the largest int64
        need(sum(folded.values()) == roots, f"stacks add up to {sum(folded.values())} ns, the runs took {roots}")
    return profiles


def profile_events(etcore, dump):
    """Returns the number of profile events in the file."""
    run = subprocess.run([etcore, "dump", dump, "-o", "json"], capture_output=True, check=False)
    need(run.returncode == 0, "dump:", run.stderr.decode())
    return sum(e.get("profile_event") is not None for r in json.loads(run.stdout)["etdump"]["run_data"] or []
               for e in r["events"] or [])


def one(etcore, dump):
    with tempfile.TemporaryDirectory() as folder:
        def trace(*names):
            out = [f"-o{os.path.join(folder, n)}" for n in names]
            return subprocess.run([etcore, "trace", dump, "--runs", "all", *out], capture_output=True, check=False)

        run, stacks = trace("t.pftrace", "t.json", "t.speedscope.json"), trace("t.folded", "t.pb.gz")
        want, executed, left_out = totals(etcore, dump)
        if run.returncode:
            need(want is None or REFUSED.get(run.returncode, "?") in run.stderr.decode(), "refused:", run.stderr.decode())
            return 0
        with open(os.path.join(folder, "t.pftrace"), "rb") as f:
            p = check_perfetto(f.read(), want or {}, executed, left_out)
        need(stacks.returncode == 0 or "E0560" in stacks.stderr.decode(), "stacks:", stacks.stderr.decode())
        check_runs(etcore, dump, p, check_forms(p, folder, stacks.returncode == 0))
        need(len(p.slices) == profile_events(etcore, dump), "not every event is a slice")
        return len(p.slices)


def check_runs(etcore, dump, p, profiles):
    """A run must have the same number in `analyze --by run`, in slices, in speedscope's titles and in --runs N."""
    rows = subprocess.run([etcore, "analyze", dump, "--by", "run", "-o", "json"], capture_output=True, check=False)
    if rows.returncode:
        return
    times = {int(r["name"].split()[1]): r["total_ns"] for r in json.loads(rows.stdout)["rows"] if r["name"].startswith("run ")}

    def numbered(t):
        return {s["args"]["run"]: s["length"] + int(s["args"].get("cut_ns", 0)) for s in t.slices
                if s["category"] == "method" and "run" in s["args"]}

    def wrong(found):
        return [(n, time, times.get(n)) for n, time in found.items() if n not in times or abs(time - (times[n] or time)) > 1]

    slices = numbered(p)
    need(not wrong(slices), "runs have other numbers than --by run:", wrong(slices)[:4])
    for title, sums in profiles:
        n = re.search(r", run (\d+)(?: \(\S+\))?$", title)
        if n and int(n[1]) in slices and sums.keys() & set(ROOTS):
            longest = max(sums.get(r, 0) for r in ROOTS)
            need(longest <= slices[int(n[1])] + 1, "speedscope: another run:", title, longest, slices[int(n[1])])
    for n in {min(slices), max(slices)} if slices else ():
        one = subprocess.run([etcore, "trace", dump, "--runs", str(n), "-o", "perfetto"], capture_output=True, check=True).stdout
        need(numbered(trace_file.Perfetto(one)) == {n: slices[n]}, "--runs", n, "is another run")


def several(etcore):
    """Two dumps in one trace: each must have the same slices as alone, on tracks named after the dump, in the dumps'
    order."""
    dumps = [os.path.join(ROOT, "tests/data/cases", d, "run.etdump") for d in ("several_delegates", "mlp_xnnpack")]

    def drawn(*names):
        out = subprocess.run([etcore, "trace", *names, "--runs", "all", "-o", "perfetto"], capture_output=True, check=True).stdout
        return trace_file.Perfetto(out)

    def slices(p, before=""):
        return [(before + p.tracks[s["track"]]["name"], s["name"], s["at"], s["length"]) for s in p.slices]

    both = drawn(*dumps)
    ranked = sorted((t for t in both.tracks.values() if "parent" in t), key=lambda t: t["rank"])
    try:
        need(slices(both) == [s for d in dumps for s in slices(drawn(d), f"{d}: ")], "of several dumps: other slices")
        need([t["name"].startswith(dumps[0]) for t in ranked] == sorted((t["name"].startswith(dumps[0]) for t in ranked), reverse=True),
             "of several dumps: other order")
    except trace_file.Wrong as e:
        print(e)
        return 1
    return 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--etcore", required=True)
    parser.add_argument("dumps", nargs="*")
    a = parser.parse_args()
    etcore = os.path.abspath(a.etcore)
    dumps = a.dumps or share(sorted(glob.glob(os.path.join(ROOT, "tests/data/**/*.etd*"), recursive=True), key=os.path.getsize))
    slices = bad = drawn = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {d: pool.submit(one, etcore, d) for d in dumps}
        for dump, job in jobs.items():
            try:
                n = job.result()
                slices += n
                drawn += n > 0
            except (trace_file.Wrong, ValueError, KeyError, IndexError) as e:
                bad += 1
                print(f"{os.path.relpath(dump, ROOT)}: {type(e).__name__} {e}")
    if not a.dumps:
        bad += several(etcore)
    print(f"{drawn} of {len(dumps)} dumps drawn, {slices} slices; {bad} wrong")
    return 1 if bad or not drawn else 0


if __name__ == "__main__":
    sys.exit(main())
