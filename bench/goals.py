"""goals - the rows of the table that belong to the project's performance goals, each compared with
a floor: what a reference program needs for the same file."""
import os
import shutil
import subprocess
import zipfile

from measure import MB, TOOLS, alternate, counted, make, printed

# {number of a goal: its meaning}; rows with the same number are its parts.
GOALS = {
    1: "a tiny dump with its ETRecord and three plugins, to the default screen",
    2: "10^6 events, 100 events x 10,000 runs",
    3: "10^6 events, 100,000 events x 10 runs",
    4: "`doctor`: every offset, string and vtable checked",
    5: "statistics straight from the ETDump, beside column stores that have the events as columns",
    6: "memory",
    7: "growth per decade, 10^5, 10^6, 10^7 events",
    8: "ETRecord with weights",
    9: "ETRecord graph of 30,000 nodes",
    11: "plugins at 10^6 delegate events",
    12: "inputs that are hard on the algorithms",
    13: "drawings of 10^6 events: a timeline of every run, and the page of a report",
    14: "the Python package beside ExecuTorch's class, in one Python, from its start; its memory",
}


class Bench:
    """Shared state of all rows: programs, inputs, repetitions, the report."""

    def __init__(self, o, report):
        self.etcore, self.folder, self.repetitions, self.large = o.etcore, o.folder, o.repetitions, o.large
        self.report, self.series = report, {}
        case = os.path.join("tests/data/cases/mlp_xnnpack")
        self.tiny, self.record = os.path.join(case, "run.etdump"), os.path.join(case, "model.etrecord")
        self.program = os.path.join(case, "model.pte")

    def make(self, name, kind, *arguments):
        return make(self.folder, name, kind, *arguments)

    def etdump(self, name, events, runs, *arguments):
        return self.make(name, "etdump", "--events", events, "--runs", runs, *arguments)

    def many(self):
        return self.etdump("1000000.etdump", 100, 10_000)

    def wide(self):
        return self.etdump("wide.etdump", 100_000, 10)

    def nodes(self):
        return self.make("nodes.etrecord", "etrecord", self.record, "--nodes", 30_000)

    def analyze(self, dump, *more):
        return [self.etcore, "analyze", dump, "--no-siblings", *more]

    def inspector(self, dump, *more):
        return [self.etcore, "inspector", "--etdump_path", dump, *more]

    def turns(self, *commands, times=1, statuses=(0,)):
        return alternate(commands, self.repetitions * times, statuses)


def floor(mode, path):
    return [TOOLS["floor"], mode, path]


def start_up(b):
    """A tiny dump is analysed in a millisecond, so the command is repeated many times."""
    every = [b.etcore, "analyze", b.tiny, "-r", b.record]
    three = [*every, "--set", "etcore.plugins=xnnpack kleidiai coreml"]
    nop, few, all_ = b.turns(floor("nop", b.tiny), three, every, times=40)
    b.report.most(1, "CPU beside a program that opens the file and leaves", few.cpu, nop.cpu, 4)
    files = (os.path.getsize(b.tiny) + os.path.getsize(b.record) + os.path.getsize(b.program)) / MB
    b.report.below(1, "peak RSS above the files", few.rss - files, 6, "MB")
    b.report.most(None, "tiny dump, every plugin of the folder", all_.cpu, nop.cpu, 4)


def many_runs(b):
    dump = b.many()
    stats, table, screen = b.turns(floor("stats", dump), b.inspector(dump), b.analyze(dump))
    b.report.most(2, "inspector, table of 102 rows", table.cpu, stats.cpu, .5)
    b.report.most(2, "analyze, default screen", screen.cpu, stats.cpu, .5)
    memory(b, "100 x 10,000", dump, {"inspector": table, "analyze": screen})


def many_rows(b):
    dump = b.wide()
    stats, table, json, events, screen = b.turns(floor("stats", dump), b.inspector(dump), b.inspector(dump, "-o", "json"),
                                                 b.analyze(dump, "--events", "-o", "json"), b.analyze(dump))
    b.report.most(3, "inspector, table of 100,002 rows", table.cpu, stats.cpu, .5)
    b.report.most(3, "inspector -o json, all events and samples", json.cpu, stats.cpu, 1)
    b.report.most(3, "analyze --events -o json, all events", events.cpu, stats.cpu, 1)
    b.report.most(None, "analyze, default screen, 100,000 x 10", screen.cpu, stats.cpu, .5)
    memory(b, "100,000 x 10", dump, {"inspector": table, "analyze": screen, "inspector -o json": json,
                                     "analyze --events -o json": events})


def memory(b, what, dump, costs):
    size = os.path.getsize(dump) / MB
    for name, cost in costs.items():
        b.report.most(6, f"{name}, {what}: peak RSS beside 1.3 x file + 8 MB", cost.rss, 1.3 * size + 8, 1, "MB")
    for name, command in (("inspector", b.inspector(dump)), ("analyze", b.analyze(dump))):
        peak, _ = counted(command, b.folder)
        b.report.below(6, f"{name}, {what}: heap per event", peak / 1e6, 32, "B")


def doctor(b):
    for what, dump in (("100 x 10,000", b.many()), ("100,000 x 10", b.wide())):
        check, ours, noting = b.turns(floor("check", dump), [b.etcore, "doctor", dump], [b.etcore, "doctor", "-v", dump])
        b.report.most(4, f"10^6 events, {what}", ours.cpu, check.cpu, 1.3)
        b.report.most(None, f"doctor -v, which looks for what notes tell, too, {what}", noting.cpu, check.cpu, 1.3)
    what = "3 x 10^7 events, 2.1 GB"
    free, room = shutil.disk_usage(b.folder).free, os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if not b.large:
        b.report.skip(4, what, "only with --large")
    elif min(free, room) < 4 << 30:
        b.report.skip(4, what, f"needs 4 GB of disk and of memory, has {free >> 30} and {room >> 30}")
    else:
        dump = b.etdump("30000000.etdump", 100, 295_000)
        check, ours = b.turns(floor("check", dump), [b.etcore, "doctor", dump])
        b.report.most(4, what, ours.cpu, check.cpu, 1.3)


def growth(b):
    """Measures the CPU time without start-up for each power of ten of events; the points are also plotted."""
    shapes = [("10^3 names, 1 run", 1000, 1), ("10^3 names, 10^3 runs", 1000, 1000), ("10^3 names, 10^5 runs", 1000, 100_000),
              ("1 name, 10 runs", 1, 10), ("10^5 names, 10 runs", 100_000, 10)]
    sizes = (10**5, 10**6, 10**7)
    for what, names, runs in shapes:
        dumps = [b.make(f"flat_{n}_{runs}_{names}.etdump", "flat", "--events", n, "--runs", runs, "--names", names)
                 for n in sizes]
        for name, command in (("inspector", b.inspector), ("analyze", b.analyze)):
            start, *costs = b.turns(command(b.tiny), *map(command, dumps))
            points = [max(1e-6, c.cpu - start.cpu) for c in costs]
            b.series[f"{name}, {what}"] = list(zip(sizes, points))
            for k, step in enumerate(("10^5 -> 10^6", "10^6 -> 10^7")):
                b.report.most(7, f"{name}, {what}, {step}", points[k + 1], points[k], 13)
        if not b.large:
            os.remove(dumps[-1])


def weights(b):
    sizes = {"1 MB": 1, "500 MB": 500, "5 GB": 5000}
    records = [b.make(f"weights_{mb}.etrecord", "etrecord", b.record, "--weights-mb", mb) for mb in sizes.values()]
    for name, command in (("inspector", lambda r: b.inspector(b.tiny, "--etrecord_path", r)),
                          ("analyze", lambda r: [b.etcore, "analyze", b.tiny, "-r", r])):
        light, *heavy = b.turns(*map(command, records), times=10)
        for what, cost in zip(list(sizes)[1:], heavy):
            b.report.below(8, f"{name}, {what} above 1 MB: CPU", max(0, cost.cpu - light.cpu), .002, "ms")
            b.report.below(8, f"{name}, {what} above 1 MB: RSS", max(0, cost.rss - light.rss), 2, "MB")


def graph(b):
    nodes = b.nodes()
    json = os.path.join(b.folder, "nodes.json")
    if not os.path.exists(json):
        with zipfile.ZipFile(nodes) as z, z.open("edge_dialect_exported_program/forward") as f, open(json, "wb") as out:
            shutil.copyfileobj(f, out)
    first = float("inf")
    commands = [b.inspector(b.tiny, "--etrecord_path", nodes), [b.etcore, "analyze", b.tiny, "-r", nodes]]
    costs = None
    for _ in range(b.repetitions):
        first = min(first, printed([TOOLS["floor_json"], json]))
        now = alternate(commands, 1)
        costs = now if costs is None else [min(a, c, key=lambda x: x.cpu) for a, c in zip(costs, now)]
    mb = os.path.getsize(json) / 1e6
    for name, cost in zip(("inspector", "analyze"), costs):
        b.report.most(9, f"{name}, {mb:.1f} MB of JSON, beside simdjson's first parse", cost.cpu, first, 1)


def hooks(b):
    """Measures an owner and an annotator plugin, in process and isolated."""
    for what, events, runs in (("10^3 runs", 1_011, 1_000), ("10 runs", 101_001, 10)):
        command = b.analyze(b.etdump(f"xnnpack_{runs}.etdump", events, runs, "--delegate-events", 100, "--xnnpack"))
        asked = [*command, "--set", "etcore.plugins=xnnpack kleidiai"]
        plain, here, there = b.turns([*command, "--no-plugins"], asked, [*asked, "--isolate"])
        b.report.most(11, f"owner + annotator, {what}, beside the same without", here.cpu, plain.cpu, 1.5)
        b.report.most(11, f"isolated, {what}", there.cpu, plain.cpu, 5)


def hard_times(b):
    """Measures samples that are expensive to sort, compared with random ones."""
    dumps = {times: b.etdump(f"times_{times}_0.etdump", 100, 10_000, "--times", times)
             for times in ("noise", "constant", "two", "rising", "falling")}
    for name, command in (("inspector", b.inspector), ("analyze", b.analyze)):
        usual, *costs = b.turns(*map(command, dumps.values()))
        for times, cost in zip(list(dumps)[1:], costs):
            b.report.most(12, f"{name}, samples {times}, beside noise", cost.cpu, usual.cpu, 1.3)


def hard_shapes(b):
    """Measures inputs that are expensive for tables of names and for columns, compared with usual inputs and with a tenth
    of their size."""
    def flat(events, runs, names):
        return b.make(f"flat_{events}_{runs}_{names}.etdump", "flat", "--events", events, "--runs", runs, "--names", names)
    whats = {1: "all names equal", 10**5: "10^5 names"}
    for name, command in (("inspector", b.inspector), ("analyze", b.analyze)):
        usual, *costs = b.turns(*(command(flat(10**6, 10, names)) for names in (1000, *whats)))
        for kind, cost in zip(whats, costs):
            b.report.most(12, f"{name}, 10^6 events, {whats[kind]}, beside 10^3 names", cost.cpu, usual.cpu, 2)
    # The colliding names are 2^16 texts of 272 bytes: the file is four times as large and has 65 times as many rows as
    # with 10^3 names. So it is compared with equally many and long names that do not collide. The Inspector rejects
    # the file, because the names are not UTF-8.
    usual, collide = b.turns(*(b.analyze(flat(10**6, 10, names)) for names in ("long", "collide")))
    b.report.most(12, "analyze, 10^6 events, names made to collide, beside as many and as long", collide.cpu, usual.cpu, 2)
    for what, small, large in (("10^5 -> 10^6 one-sample events", (10**5, 1), (10**6, 1)),
                               ("one event of 10^6 -> 10^7 samples", (10**6, 10**6), (10**7, 10**7))):
        for name, command in (("inspector", b.inspector), ("analyze", b.analyze)):
            start, few, more = b.turns(command(b.tiny), command(flat(*small, 1000)), command(flat(*large, 1000)))
            b.report.most(12, f"{name}, {what}", more.cpu - start.cpu, few.cpu - start.cpu, 13)


def drawings(b):
    """Writes every slice to a file, compared with writing the file's bytes and with the analysis; and the report's page,
    compared with the analysis as JSON."""
    shapes = {"100 x 10,000": b.many(), "100,000 x 10": b.wide(), "1,000,000 x 1": b.etdump("one.etdump", 1_000_000, 1)}
    for what, dump in shapes.items():
        drawn, chrome, page = (os.path.join(b.folder, name) for name in ("drawn.pftrace", "drawn.json", "drawn.html"))
        trace = [b.etcore, "trace", dump, "--no-siblings", "--runs", "all"]
        subprocess.run([*trace, "-o", f"chrome={chrome}"], check=True, stderr=subprocess.DEVNULL)
        subprocess.run([*trace, "-o", f"perfetto={drawn}"], check=True, stderr=subprocess.DEVNULL)
        write, ours, screen, json, report = b.turns(floor("write", drawn), [*trace, "-o", f"perfetto={drawn}"], b.analyze(dump),
                                                    b.analyze(dump, "-o", "json"),
                                                    [b.etcore, "report", dump, "--no-siblings", "-o", page])
        b.report.most(13, f"trace, {what}, beside writing its bytes", ours.cpu, write.cpu, 3)
        b.report.most(13, f"trace, {what}, beside analyze", ours.cpu, screen.cpu, 1.5)
        b.report.most(13, f"trace, {what}: bytes beside Chrome JSON", os.path.getsize(drawn) / MB, os.path.getsize(chrome) / MB, .34, "MB")
        b.report.most(13, f"report, {what}, beside analyze -o json", report.cpu, json.cpu, 2)
        room = 1.3 * os.path.getsize(dump) / MB + 32
        b.report.most(13, f"report, {what}: peak RSS beside 1.3 x file + 32 MB", report.rss, room, 1, "MB")
    load(b)


def load(b):
    """Measures how long Perfetto's trace_processor takes to load both files of 10^5 events."""
    what = "trace_processor loads it, 100 x 1,000, beside Chrome JSON"
    python, dump = "build/venv-viewers/bin/python", b.etdump("100000.etdump", 100, 1000)
    if not os.path.exists(python):
        b.report.skip(13, what, "needs the environment of tests/trace/viewers.sh")
        return
    drawn, chrome = os.path.join(b.folder, "load.pftrace"), os.path.join(b.folder, "load.json")
    subprocess.run([b.etcore, "trace", dump, "--no-siblings", "--runs", "all", "-o", f"perfetto={drawn}", "-o", f"chrome={chrome}"],
                   check=True, stderr=subprocess.DEVNULL)
    b.report.most(13, what, printed([python, "bench/load.py", drawn]), printed([python, "bench/load.py", chrome]), .5)


PARTS = {start_up: (1,), many_runs: (2, 6), many_rows: (3, 6), doctor: (4,), growth: (7,), weights: (8,), graph: (9,),
         hooks: (11,), hard_times: (12,), hard_shapes: (12,), drawings: (13,)}


def all_goals(b, only):
    for part, numbers in PARTS.items():
        if not only or set(only) & set(numbers):
            part(b)
