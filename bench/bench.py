#!/usr/bin/env python3
"""bench - speed and memory of etcore against the machine's floor, side by side.

    bench.py ETCORE FLOOR FOLDER [--repetitions N]

Every pair of commands runs alternately in one run; the figure is CPU time (user
and system) of the fastest of N repetitions, so a busy machine changes little.
Prints ratios and a verdict per goal; the exit status is always 0: a time is a
measurement, not a test.
"""
import argparse
import os
import shutil
import subprocess
import sys

DATA = "tests/data"


def once(command):
    """CPU seconds and peak RSS in MB of one run."""
    pid = os.posix_spawnp(command[0], command, dict(os.environ, ETCORE_PLUGIN_PATH=""), file_actions=[
        (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
    _, status, usage = os.wait4(pid, 0)
    if status:
        sys.exit(f"bench: status {status}: {' '.join(command)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def alternate(commands, repetitions):
    """Fastest CPU time and largest RSS of each command."""
    best = [(1e9, 0.0)] * len(commands)
    for _ in range(repetitions):
        for i, command in enumerate(commands):
            cpu, rss = once(command)
            best[i] = min(best[i][0], cpu), max(best[i][1], rss)
    return best


def make(folder, name, *arguments):
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        subprocess.run([sys.executable, os.path.join(os.path.dirname(__file__), "make_inputs.py"), *arguments[:1],
                        *(arguments[1:2] if arguments[0] == "etrecord" else ()), path,
                        *arguments[2 if arguments[0] == "etrecord" else 1:]], check=True)
    return path


class Report:
    def __init__(self):
        print(f"{'what':<52} {'etcore':>9} {'floor':>9} {'ratio':>8} {'goal':>8}  verdict")

    def row(self, what, ours, floor, goal, unit="ms"):
        scale = 1e3 if unit == "ms" else 1
        ratio = ours / floor if floor else float("inf")
        print(f"{what:<52} {ours * scale:7.2f}{unit} {floor * scale:7.2f}{unit} {ratio:7.2f}x {goal:7.2f}x  "
              f"{'met' if ratio <= goal else 'MISSED'}")


def start_up(report, etcore, floor, tiny, record, repetitions):
    """A tiny dump is over in a millisecond: many calls, fastest."""
    every = [etcore, "analyze", tiny, "-r", record]
    three = [*every, "--set", "etcore.plugins=xnnpack kleidiai coreml"]
    (nop, _), (few, _), (ours, _) = alternate([[floor, "nop", tiny], three, every], repetitions * 40)
    report.row("tiny dump + record + 3 plugins to the screen", few, nop, 4)
    report.row("  with every plugin of the folder", ours, nop, 4)


def million(report, etcore, floor, what, many, repetitions):
    inspector = [etcore, "inspector", "--etdump_path", many]
    analyze = [etcore, "analyze", many, "--no-siblings"]
    stats, table, screen = alternate([[floor, "stats", many], inspector, analyze], repetitions)
    report.row(f"{what} to inspector's table", table[0], stats[0], 0.5)
    report.row(f"{what} to analyze's screen", screen[0], stats[0], 0.5)
    allowed = 1.3 * os.path.getsize(many) / 2**20 + 8
    report.row("  peak memory of inspector", table[1], allowed, 1, "MB")
    report.row("  peak memory of analyze", screen[1], allowed, 1, "MB")


def weights(report, etcore, light, heavy, record, repetitions):
    def command(r):
        return [etcore, "inspector", "--etdump_path", light, "--etrecord_path", r]
    plain, fat = alternate([command(record), command(heavy)], repetitions * 10)
    report.row("ETRecord with 500 MB of weights / without", fat[0], plain[0], 1.2)
    report.row("  peak memory", fat[1], plain[1], 1.2, "MB")


def program(report, etcore, dump, record, small, repetitions):
    """A program is mapped: 100 MB more of it cost neither time nor memory."""
    large = small + ".100mb"
    with open(small, "rb") as f, open(large, "wb") as out:
        out.write(f.read())
        out.truncate(out.tell() + (100 << 20))
    commands = [[etcore, "analyze", dump, "-r", record, "-m", pte, "--by", "source"] for pte in (small, large)]
    plain, fat = alternate(commands, repetitions * 10)
    report.row("--by source with a program of 100 MB / 30 KB", fat[0], plain[0], 1.2)
    report.row("  peak memory", fat[1], plain[1], 1.2, "MB")


def source_lines(report, etcore, dump, record, repetitions):
    """What --by source adds to the screen is held against what the record itself adds."""
    bare = [etcore, "analyze", dump, "--no-siblings"]
    known = [etcore, "analyze", dump, "--no-siblings", "-r", record]
    (without, _), (screen, _), (lines, _) = alternate([bare, known, [*known, "--by", "source"]], repetitions)
    report.row("--by source, 30,000 nodes, above the screen", lines - screen, screen - without, 1)


def hooks(report, etcore, what, dump, repetitions):
    """What an owner and an annotator cost, here and in processes of their own, beside the analysis without them."""
    command = [etcore, "analyze", dump, "--no-siblings"]
    asked = [*command, "--set", "etcore.plugins=xnnpack kleidiai"]
    plain, here, there = alternate([[*command, "--no-plugins"], asked, [*asked, "--isolate"]], repetitions)
    report.row(f"10^6 delegate events, {what}: owner + annotator", here[0], plain[0], 1.5)
    report.row("  isolated", there[0], plain[0], 5)


def differences(report, etcore, what, before, after, repetitions):
    """Two dumps of 10^6 events, 10,000 draws for each of up to 100 rows, beside the analysis of both."""
    one, two, named, single = alternate([[etcore, "analyze", before, "--no-siblings"], [etcore, "analyze", after, "--no-siblings"],
                                         [etcore, "diff", before, "--", after],
                                         [etcore, "diff", before, "--", after, "--by", "event", "--top", "100"]], repetitions)
    allowed = 1.5 * (os.path.getsize(before) + os.path.getsize(after)) / 2**20 + 64
    report.row(f"diff of two dumps of 10^6 events, {what}, by op", named[0], one[0] + two[0], 3)
    report.row("  by event: 100 rows", single[0], one[0] + two[0], 3)
    report.row("  peak memory of that", single[1], allowed, 1, "MB")


def bad_times(report, etcore, inputs, repetitions):
    """Samples that are hard on sorting and counting: beside the same with noise."""
    many = inputs("noise", 0)
    for what, (before, after) in {"constant": ("constant", "constant"), "two values": ("two", "two"),
                                  "rising / falling": ("rising", "falling")}.items():
        a, b = inputs(before, 0), inputs(after, 1)
        usual, worst = alternate([[etcore, "analyze", many, "--no-siblings"], [etcore, "analyze", a, "--no-siblings"]], repetitions)
        report.row(f"analyze, times {what}, beside noise", worst[0], usual[0], 1.3)
        differences(report, etcore, f"times {what}", a, b, repetitions)


def bad_shapes(report, etcore, folder, many, repetitions):
    """What is hard on tables of names and on columns: beside usual names, and ten times as much beside ten times as little."""
    def shape(events, runs, names):
        return make(folder, f"shape_{events}_{runs}_{names}.etdump", "etdump", "--events", str(events), "--runs", str(runs),
                    "--names", names)

    def analyze(dump):
        return [etcore, "analyze", dump, "--no-siblings"]
    for names in ("equal", "different"):
        usual, ours = alternate([analyze(many), analyze(shape(100, 10_000, names))], repetitions)
        report.row(f"analyze, 10^6 events, names all {names}, beside usual", ours[0], usual[0], 1.3)
    for what, small, large in (("10^4 -> 10^5 events of one run, all different", (10_000, 1, "different"), (100_000, 1, "different")),
                               ("10^4 -> 10^5 events of 10 runs, all different", (10_000, 10, "different"), (100_000, 10, "different")),
                               ("10^4 -> 10^5 events of 10 runs, all equal", (10_000, 10, "equal"), (100_000, 10, "equal")),
                               ("one event, 10^5 -> 10^6 runs", (1, 100_000, "drawn"), (1, 1_000_000, "drawn")),
                               ("one event, 10^6 -> 10^7 runs", (1, 1_000_000, "drawn"), (1, 10_000_000, "drawn"))):
        (few, _), (more, _) = alternate([analyze(shape(*small)), analyze(shape(*large))], repetitions)
        report.row(f"growth of analyze, {what}", more / 10, few, 1.3)


def plans(report, etcore, folder, repetitions):
    """Programs made here: their constants are never touched, lifetimes grow with the tensors alone."""
    def made(name, *arguments):
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            subprocess.run([sys.executable, "tests/tools/make_program.py", *arguments, path], check=True)
        return path
    small, large = (made(f"program_{n}mb.pte", "--megabytes", str(n)) for n in (1, 450))
    for command in ("dump", "memory"):
        (light, _), (heavy, _) = alternate([[etcore, command, path] for path in (small, large)], repetitions * 20)
        report.row(f"{command} of a program of 450 MB above one of 1 MB", max(0.0, heavy - light), 0.005, 1)
    many = made("program_10000.pte", "--tensors", "10000")
    (few, _), (all_of_them, _) = alternate([[etcore, "memory", path] for path in (small, many)], repetitions * 20)
    report.row("lifetimes and peak of 10,000 tensors above 100", all_of_them - few, 0.010, 1)


def values(report, etcore, floor, folder, repetitions):
    """Every logged number and a hash of it, beside reading the buffer once with read(2)."""
    for name, mb, goal in (("float32", 1024, 3), ("float16", 256, 3), ("int8", 256, 3)):
        dump = make(folder, f"values_{name}.etdump", "values", "--type", name, "--mb", str(mb))
        buffer = dump.replace(".etdump", ".bin")
        read, ours = alternate([[floor, "read", buffer], [etcore, "numeric", "values", dump, "-b", buffer, "-o", "csv"]],
                               repetitions)
        report.row(f"values of {mb} MB {name}, beside reading them once", ours[0], read[0], goal)
        if mb >= 1024:
            report.row("  memory beyond the map", ours[1] - mb, 64, 1, "MB")


def gaps(report, etcore, floor, folder, repetitions):
    """A dump against itself: every value of both buffers is read, beside reading both with read(2)."""
    mb = 256
    for name in ("float32", "float16"):
        dump = make(folder, f"gap_{name}.etdump", "values", "--type", name, "--mb", str(mb))
        buffer = dump.replace(".etdump", ".bin")
        read, ours = alternate([[floor, "read", buffer],
                                [etcore, "numeric", "gap", dump, "-b", buffer, "--reference", dump, "--reference-buffer",
                                 buffer, "--no-siblings", "-o", "csv"]], repetitions)
        report.row(f"gap of two buffers of {mb} MB {name}, beside reading both", ours[0], 2 * read[0], 3)
        if name == "float32":
            report.row("  memory beyond the maps", ours[1] - 2 * mb, 64, 1, "MB")


def growth(report, etcore, sizes, repetitions):
    """CPU per event may not rise with the number of events."""
    for what, command in (("inspector", ["inspector", "--etdump_path"]), ("analyze", ["analyze", "--no-siblings"])):
        times = alternate([[etcore, *command, path] for path in sizes], repetitions)
        for (small, _), (large, _), step in zip(times, times[1:], ("10^4 -> 10^5", "10^5 -> 10^6")):
            report.row(f"growth of {what}, {step} events, per event", large / 10, small, 1.3)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("etcore")
    parser.add_argument("floor")
    parser.add_argument("folder", help="where the inputs are made and kept")
    parser.add_argument("--repetitions", type=int, default=5)
    o = parser.parse_args()
    os.makedirs(o.folder, exist_ok=True)
    case = os.path.join(DATA, "cases", "mlp_xnnpack")
    record, dump = os.path.join(case, "model.etrecord"), os.path.join(case, "run.etdump")
    sizes = [make(o.folder, f"{n}.etdump", "etdump", "--events", "100", "--runs", str(n // 100))
             for n in (10_000, 100_000, 1_000_000)]
    wide = make(o.folder, "wide.etdump", "etdump", "--events", "100000", "--runs", "10")
    heavy = make(o.folder, "heavy.etrecord", "etrecord", record, "--weights-mb", "500")
    report = Report()
    start_up(report, o.etcore, o.floor, dump, record, o.repetitions)
    million(report, o.etcore, o.floor, "10^6 events, 10^4 runs,", sizes[-1], o.repetitions)
    million(report, o.etcore, o.floor, "10^6 events, 10 runs,", wide, o.repetitions)
    weights(report, o.etcore, dump, heavy, record, o.repetitions)
    small = os.path.join(o.folder, "model.pte")
    shutil.copy(os.path.join(case, "model.pte"), small)
    program(report, o.etcore, dump, record, small, o.repetitions)
    large = make(o.folder, "large.etdump", "etdump", "--events", "30000", "--runs", "10")
    nodes = make(o.folder, "nodes.etrecord", "etrecord", record, "--nodes", "30000")
    source_lines(report, o.etcore, large, nodes, o.repetitions)
    for what, events, runs in (("10^3 runs", 1_011, 1_000), ("10 runs", 101_001, 10)):
        hooks(report, o.etcore, what, make(o.folder, f"xnnpack_{runs}.etdump", "etdump", "--events", str(events), "--runs",
                                           str(runs), "--delegate-events", "100", "--xnnpack"), o.repetitions)
    again = make(o.folder, "1000000_again.etdump", "etdump", "--events", "100", "--runs", "10000", "--again", "1")
    wide_again = make(o.folder, "wide_again.etdump", "etdump", "--events", "100000", "--runs", "10", "--again", "1")
    differences(report, o.etcore, "10^4 runs", sizes[-1], again, o.repetitions)
    differences(report, o.etcore, "10 runs", wide, wide_again, o.repetitions)
    bad_times(report, o.etcore, lambda times, seed: make(
        o.folder, f"times_{times}_{seed}.etdump", "etdump", "--events", "100", "--runs", "10000", "--times", times, "--again", str(seed)),
        o.repetitions)
    bad_shapes(report, o.etcore, o.folder, sizes[-1], o.repetitions)
    plans(report, o.etcore, o.folder, o.repetitions)
    values(report, o.etcore, o.floor, o.folder, o.repetitions)
    gaps(report, o.etcore, o.floor, o.folder, o.repetitions)
    growth(report, o.etcore, sizes, o.repetitions)


if __name__ == "__main__":
    main()
