#!/usr/bin/env python3
"""memory_test.py ETCORE LIBRARY -- tests the memory use of the package: peaks without imports must stay near the size of
the file, freed memory must not be needed any more, and each failed allocation must raise an exception. Standard library
only; pandas is used if it is installed.
"""
import gc
import os
import resource
import subprocess
import sys
import tempfile
import unittest
import warnings

ETCORE, os.environ["ETCORE_LIBRARY"] = map(os.path.abspath, sys.argv[1:3])
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "python"), os.path.join(ROOT, "tests"), os.path.join(ROOT, "tests", "tools"), os.path.join(ROOT, "bench")]
warnings.simplefilter("ignore")

import etcore  # noqa: E402
import make_dump  # noqa: E402
import steps  # noqa: E402
from etcore import _arrow  # noqa: E402
from share import some  # noqa: E402

ROOM = steps.MB  # allowance in MB for memory that does not depend on the file
REFUSED, WRONG = 10, 99


def tables(inspector):
    """Returns the streams of the tables, as another library would receive them."""
    return [_arrow.Table(inspector._answer._query, name).__arrow_c_stream__()
            for name in ("blocks", "inspected", "inspected_samples", "values")]


def forked(work):
    """Runs `work` in a forked process; returns its exit status."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(work())
        except BaseException as e:
            os.write(2, f"{type(e).__name__}: {e}\n".encode()[:500])
            os._exit(WRONG)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def peak(work):
    """Returns the peak memory of `work` in bytes, minus the memory before it."""
    read, write = os.pipe()

    def measured():
        with open("/proc/self/clear_refs", "w") as f:
            f.write("5")  # resets the peak
        before, kept = steps.status("VmRSS"), work()
        os.write(write, b"%d" % int((steps.status("VmHWM") - before) * steps.MB))
        return 0 if kept else WRONG
    assert forked(measured) == 0
    found = int(os.read(read, 100))
    os.close(read), os.close(write)
    return found


class Memory(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.dumps = []
        for name, times, kernels in (("runs", [1000] * 1500, 50), ("events", [10**6] * 10, 7500)):
            cls.dumps.append(os.path.join(cls.folder.name, name + ".etdump"))
            with open(cls.dumps[-1], "wb") as f:
                f.write(make_dump.make(times, kernels, "add.out"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def at_most(self, most, dump, work):
        size = os.path.getsize(dump)
        found = peak(lambda: work(etcore.Inspector(dump))) - ROOM
        self.assertLess(found, most * size, f"{os.path.basename(dump)}: {found / size:.2f} x the file")

    def test_peaks(self):
        for dump in some(self.dumps, 2, 1):
            self.at_most(1.45, dump, lambda i: (i, tables(i)))

    def test_the_file_does_not_stay(self):
        """An open Inspector must keep less than 0.6 times the file's size in memory: names, times and rows."""
        for dump in some(self.dumps, 2, 1):
            def kept(_, dump=dump):
                before = steps.status("VmRSS")
                inspector = etcore.Inspector(dump)
                self.assertLess((steps.status("VmRSS") - before) * steps.MB - ROOM, .6 * os.path.getsize(dump))
                return inspector
            self.at_most(3, dump, kept)

    def test_what_was_given_back_is_not_needed(self):
        for dump in some(self.dumps, 2, 1):
            i = etcore.Inspector(dump)
            for form in ("json", "csv", "table"):
                want = subprocess.run([ETCORE, "inspector", "--etdump_path", dump, "-o", form], stdout=subprocess.PIPE).stdout
                self.assertTrue(i._answer._query.write(form) == want, (dump, form))
            self.assertEqual({e.name for e in i.event_blocks[0].events},
                             {"native_call_add.out", "OPERATOR_CALL", "Method::execute"})
            twice = etcore.Inspector(dump, debug_buffer_path=dump)  # one file for two inputs
            self.assertEqual(twice.event_blocks[0].events[0].name, "native_call_add.out")

    def test_events_are_made_when_they_are_asked_for(self):
        def events():
            return sum(type(o) is etcore.Event for o in gc.get_objects())

        before = events()
        blocks = etcore.Inspector(self.dumps[1]).event_blocks
        self.assertEqual((len(blocks), events()), (1, before))
        self.assertEqual((len(blocks[0].events), events()), (15001, before + 15001))

    def test_a_frame_needs_its_cells_and_the_file(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("no pandas")
        etcore.Inspector(os.path.join(ROOT, "tests/data/cases/mlp_portable/run.etdump")).to_dataframe()
        for dump in some(self.dumps, 2, 1):
            cells = steps.contents(etcore.Inspector(dump).to_dataframe()) * steps.MB
            size = os.path.getsize(dump)
            found = peak(lambda: etcore.Inspector(dump).to_dataframe() is not None) - 8 * ROOM
            self.assertLess(found, cells + size, f"{os.path.basename(dump)}: {found / steps.MB:.1f} MB, "
                            f"cells {cells / steps.MB:.1f}, file {size / steps.MB:.1f}")

    def test_refused_memory_is_an_exception(self):
        """Runs in a separate process, where no freed memory is left for reuse."""
        p = subprocess.run([sys.executable, "-B", os.path.abspath(__file__), *sys.argv[1:3], "--sweep", self.dumps[1]],
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual((p.returncode, p.stdout.decode()), (0, "opening, tables, events, done\n"))


def sweep(dump):
    """Lowers the limit of the address space step by step; prints the phases in which an allocation failed."""
    phases = ("opening", "tables", "events", "done")
    seen = set()
    for step in some(range(0, 160, 3), 4):
        def limited():
            most = int((steps.status("VmSize") + step) * steps.MB)
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
            phase = 0
            try:
                i = etcore.Inspector(dump)
                phase = 1
                streams = tables(i)
                phase = 2
                count = sum(len(e.perf_data.raw) for e in i.event_blocks[0].events)
                return REFUSED + 3 if streams and count else WRONG
            except MemoryError as e:
                return WRONG if isinstance(e, etcore.Error) and e.code not in ("E0904", "E0905") else REFUSED + phase
        status = forked(limited)
        if not REFUSED <= status < REFUSED + len(phases):
            print(f"{step} MB: status {status}")
        seen.add(status - REFUSED)
    print(", ".join(phases[n] for n in sorted(seen) if 0 <= n < len(phases)))


if __name__ == "__main__":
    if sys.argv[3:4] == ["--sweep"]:
        sys.exit(sweep(sys.argv[4]))
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], warnings="ignore")
