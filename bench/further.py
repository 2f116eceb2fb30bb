"""further - the rows of the table that belong to no goal: comparisons, programs, logged numbers."""
import os
import shutil
import subprocess
import sys

from goals import floor
from measure import MB


def program(b):
    """A program is mapped into memory, so 100 MB more must cost neither time nor memory."""
    small, large = (os.path.join(b.folder, name) for name in ("model.pte", "model.pte.100mb"))
    shutil.copy(b.program, small)
    shutil.copy(b.program, large)
    os.truncate(large, os.path.getsize(large) + (100 << 20))
    plain, fat = b.turns(*([b.etcore, "analyze", b.tiny, "-r", b.record, "-m", pte, "--by", "source"] for pte in (small, large)),
                         times=10)
    b.report.most(None, "--by source with a program of 100 MB / 30 KB", fat.cpu, plain.cpu, 1.2)
    b.report.most(None, "  peak memory", fat.rss, plain.rss, 1.2, "MB")


def source_lines(b):
    """Compares the time that --by source adds to the screen with the time that the record itself adds."""
    dump = b.etdump("large.etdump", 30_000, 10)
    known = b.analyze(dump, "-r", b.nodes())
    without, screen, lines = b.turns(b.analyze(dump), known, [*known, "--by", "source"])
    b.report.most(None, "--by source, 30,000 nodes, above the screen", lines.cpu - screen.cpu, screen.cpu - without.cpu, 1)


def difference(b, what, before, after):
    """Compares two dumps of 10^6 events (10,000 bootstrap draws for each of up to 100 rows); the floor is the analysis of
    both."""
    compare = [b.etcore, "diff", before, "--", after]
    one, two, named, single, json = b.turns(b.analyze(before), b.analyze(after), compare, [*compare, "--by", "event", "--top", "100"],
                                            [*compare, "--by", "event", "-o", "json"])
    both = one.cpu + two.cpu
    b.report.most(None, f"diff of two dumps of 10^6 events, {what}, by op", named.cpu, both, 3)
    b.report.most(None, "  by event: 100 rows", single.cpu, both, 3)
    b.report.most(None, "  by event, -o json", json.cpu, both, 3)
    allowed = 1.5 * (os.path.getsize(before) + os.path.getsize(after)) / MB + 64
    b.report.most(None, "  peak memory by event", single.rss, allowed, 1, "MB")


def differences(b):
    def again(name, events, runs, *arguments):
        return b.etdump(name, events, runs, "--again", 1, *arguments)
    difference(b, "10^4 runs", b.many(), again("1000000_again.etdump", 100, 10_000))
    difference(b, "10 runs", b.wide(), again("wide_again.etdump", 100_000, 10))
    for what, (before, after) in {"constant": ("constant", "constant"), "two values": ("two", "two"),
                                  "rising / falling": ("rising", "falling")}.items():
        difference(b, f"times {what}", b.etdump(f"times_{before}_0.etdump", 100, 10_000, "--times", before),
                   again(f"times_{after}_1.etdump", 100, 10_000, "--times", after))


def plans(b):
    """Generated programs: constants must not be read, and the time to compute lifetimes must grow only with the number of
    tensors."""
    def made(name, *arguments):
        path = os.path.join(b.folder, name)
        if not os.path.exists(path):
            subprocess.run([sys.executable, "tests/tools/make_program.py", *arguments, path], check=True)
        return path
    small, large = (made(f"program_{n}mb.pte", "--megabytes", str(n)) for n in (1, 450))
    for command in ("dump", "memory"):
        light, heavy = b.turns(*([b.etcore, command, path] for path in (small, large)), times=20)
        b.report.below(None, f"{command} of a program of 450 MB above one of 1 MB", max(0.0, heavy.cpu - light.cpu), .005, "ms")
    many = made("program_10000.pte", "--tensors", "10000")
    few, all_of_them = b.turns(*([b.etcore, "memory", path] for path in (small, many)), times=20)
    b.report.below(None, "lifetimes and peak of 10,000 tensors above 100", all_of_them.cpu - few.cpu, .010, "ms")


def values(b):
    """Statistics and hash of every logged number; the floor is reading the buffer once with read(2)."""
    for name, mb in (("float32", 1024), ("float16", 256), ("int8", 256)):
        dump = b.make(f"values_{name}.etdump", "values", "--type", name, "--mb", mb)
        buffer = dump.replace(".etdump", ".bin")
        read, ours = b.turns(floor("read", buffer), [b.etcore, "numeric", "values", dump, "-b", buffer, "-o", "csv"])
        b.report.most(None, f"values of {mb} MB {name}, beside reading them once", ours.cpu, read.cpu, 3)
        if mb >= 1024:
            b.report.below(None, "  memory beyond the map", ours.rss - mb, 64, "MB")


def gaps(b):
    """Compares a dump with itself, which reads every value of both buffers; the floor is reading both with read(2)."""
    mb = 256
    for name in ("float32", "float16"):
        dump = b.make(f"values_{name}_{mb}.etdump", "values", "--type", name, "--mb", mb)
        buffer = dump.replace(".etdump", ".bin")
        read, ours = b.turns(floor("read", buffer), [b.etcore, "numeric", "gap", dump, "-b", buffer, "--reference", dump,
                                                     "--reference-buffer", buffer, "--no-siblings", "-o", "csv"])
        b.report.most(None, f"gap of two buffers of {mb} MB {name}, beside reading both", ours.cpu, 2 * read.cpu, 3)
        if name == "float32":
            b.report.below(None, "  memory beyond the maps", ours.rss - 2 * mb, 64, "MB")


def all_further(b):
    for part in (program, source_lines, differences, plans, values, gaps):
        part(b)
