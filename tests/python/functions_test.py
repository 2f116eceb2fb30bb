#!/usr/bin/env python3
"""functions_test.py ETCORE LIBRARY -- tests the functions of the package python/etcore from a user's view:
signals, files from memory, values of options, files that change, errors, help. Standard library only; tests that need
pandas and pyarrow are in tests/api/arrow_live.py.
"""
import collections
import contextlib
import copy
import errno
import functools
import gc
import glob
import html.parser
import inspect
import io
import json
import os
import pathlib
import pickle
import pydoc
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import unittest
import warnings

ETCORE, os.environ["ETCORE_LIBRARY"] = map(os.path.abspath, sys.argv[1:3])
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "python"))
os.chdir(ROOT)
warnings.simplefilter("ignore")

import etcore  # noqa: E402
from etcore import _arrow  # noqa: E402

RUN, OTHER = "tests/data/cases/mlp_xnnpack/run.etdump", "tests/data/cases/mlp_portable/run.etdump"
RECORD = "tests/data/cases/mlp_xnnpack/model.etrecord"
SAMPLE = "tests/data/sample/run.etdump"
LONG = "tests/data/cases/long_run/run.etdump"
with open(RUN, "rb") as opened:
    DATA = opened.read()


class Bool:
    """A boolean like numpy.bool_: neither a bool nor an int."""

    def __init__(self, value):
        self.value = value

    def __bool__(self):
        return self.value


Bool.__name__ = "bool_"


class OwnError(etcore.Error):
    pass


class Folder(unittest.TestCase):
    """A test with its own temporary folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.dump = shutil.copy(RUN, os.path.join(self.folder, "run.etdump"))


class Signals(unittest.TestCase):
    def test_what_a_handler_raises_is_never_lost(self):
        def handler(*_):
            raise KeyboardInterrupt

        before = signal.signal(signal.SIGALRM, handler)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        said = []
        self.addCleanup(setattr, sys, "unraisablehook", sys.unraisablehook)
        sys.unraisablehook = said.append
        start = time.perf_counter()
        whole = etcore.dump(LONG, output="json").text
        took = time.perf_counter() - start
        seen = collections.Counter()
        for k in range(30):
            fired = False
            try:
                signal.setitimer(signal.ITIMER_REAL, max(took * (k + 1) / 28, 1e-6))
                text = etcore.dump(LONG, output="json").text
                signal.setitimer(signal.ITIMER_REAL, 0)
            except KeyboardInterrupt:
                fired = True
            if not fired:
                self.assertEqual(text, whole)
            seen[fired] += 1
        # Python drops an exception in any finalizer (docs/python.md).
        self.assertEqual([u for u in said if "__del__" not in getattr(u.object, "__name__", "") + (u.err_msg or "")], [])
        self.assertGreater(seen[True], 5, seen)
        self.assertEqual(etcore.dump(LONG, output="json").text, whole)

    def test_other_exceptions_and_other_threads(self):
        class Mine(RuntimeError):
            pass

        def handler(*_):
            raise Mine

        before = signal.signal(signal.SIGALRM, handler)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        with self.assertRaises(Mine):
            signal.setitimer(signal.ITIMER_REAL, 0.001)
            for _ in range(1000):
                etcore.dump(LONG, output="json")
        texts = []
        thread = threading.Thread(target=lambda: texts.append(etcore.dump(RUN).text))
        thread.start()
        thread.join()
        self.assertEqual(texts, [etcore.dump(RUN).text])

    def test_a_stream_that_nobody_takes(self):
        """A capsule that no consumer took is freed while an exception is propagating; the exception must not be lost."""
        said = []
        self.addCleanup(setattr, sys, "unraisablehook", sys.unraisablehook)
        sys.unraisablehook = said.append
        answer = etcore.analyze(RUN)

        def refuse():
            capsule = answer.arrow("samples").__arrow_c_stream__()
            self.assertTrue(capsule)
            raise LookupError("refused")

        def hold(capsule):
            return [capsule, *map(int, ["x"])]  # C code frees the capsule while the ValueError is set

        for _ in range(20):
            with self.assertRaisesRegex(LookupError, "refused"):
                refuse()
            with self.assertRaisesRegex(ValueError, "invalid literal"):
                hold(answer.arrow("rows").__arrow_c_stream__())
        gc.collect()
        _arrow._sweep()
        self.assertEqual((said, len(_arrow._handed)), ([], 0))
        kept = answer.arrow("rows").__arrow_c_stream__()
        _arrow._sweep()
        self.assertEqual(len(_arrow._handed), 1)
        del kept
        _arrow._sweep()
        self.assertEqual(len(_arrow._handed), 0)


class Options(Folder):
    def test_files_from_memory_where_many_are_taken(self):
        want = etcore.check(RUN, baseline=RUN).json()["lines"]
        for given in (DATA, [DATA], [io.BytesIO(DATA)], io.BytesIO(DATA), (bytearray(DATA),), [memoryview(DATA)]):
            answer = etcore.check(DATA, baseline=given)
            self.assertEqual([line["verdict"] for line in answer.json()["lines"]], [line["verdict"] for line in want])
        self.assertEqual(etcore.check(RUN, baseline=[DATA, OTHER]).json()["baseline"]["dumps"], 2)
        with open(RECORD, "rb") as record:
            self.assertEqual(etcore.analyze(DATA, etrecord=record).json()["rows"],
                             etcore.analyze(RUN, etrecord=RECORD).json()["rows"])
        for options in ({"plugin": [DATA]}, {"config": DATA}, {"by": DATA}, {"where": [DATA]}, {"method": [b"x"]}):
            with self.subTest(options=list(options)), self.assertRaises(TypeError):
                etcore.analyze(RUN, **options)

    def test_flags(self):
        alone, with_siblings = (len(etcore.analyze(RUN, no_siblings=b).json()["files"]) for b in (True, False))
        self.assertLess(alone, with_siblings)
        for value in (True, 1, Bool(True)):
            self.assertEqual(len(etcore.analyze(RUN, no_siblings=value).json()["files"]), alone)
        for value in (False, 0, Bool(False), None):
            self.assertEqual(len(etcore.analyze(RUN, no_siblings=value).json()["files"]), with_siblings)
        for value in ("no", "", "yes", 2, 1.0, [], b"0"):
            with self.subTest(value=value), self.assertRaisesRegex(TypeError, "no_siblings= is True or False"):
                etcore.analyze(RUN, no_siblings=value)
        self.assertTrue(etcore.analyze(RUN, verbose=2).text)
        for error, value in ((TypeError, "2"), (TypeError, 1.5), (ValueError, -1)):
            with self.assertRaises(error):
                etcore.analyze(RUN, verbose=value)
        with self.assertRaisesRegex(TypeError, "warmup= takes N, not True"):
            etcore.analyze(RUN, warmup=True)

    def test_an_option_with_or_without_a_value(self):
        record = "tests/data/sample/model.etrecord"
        self.assertEqual(etcore.dump(record, graph=True).text,
                         etcore.dump(record, graph="edge_dialect_exported_program/forward").text)
        self.assertEqual(etcore.dump(record, graph=False).text, etcore.dump(record).text)

    def test_yes_and_no(self):
        for value, word in ((True, "yes"), (False, "no"), (Bool(False), "no")):
            self.assertEqual(etcore.inspector(etdump_path=RUN, include_units=value).text,
                             etcore.inspector(etdump_path=RUN, include_units=word).text)
        self.assertNotIn("(ms)", etcore.inspector(etdump_path=RUN, include_units=False).text)

    def test_groups(self):
        want = etcore.diff(RUN, "--", OTHER).text
        for operands in ((RUN, OTHER), ([RUN], [OTHER]), ([RUN], OTHER), (RUN, "--", [OTHER])):
            self.assertEqual(etcore.diff(*operands).text, want)
        self.assertEqual(etcore.diff([RUN, RUN], [OTHER]).text, etcore.diff(RUN, RUN, "--", OTHER).text)
        self.assertEqual(etcore.diff([RUN], [OTHER], [RUN]).text, etcore.diff(RUN, "--", OTHER, "--", RUN).text)
        self.assertEqual(etcore.report([RUN], [OTHER], output="markdown").text,
                         etcore.report(RUN, "--", OTHER, output="markdown").text)
        self.assertEqual(etcore.report(RUN, OTHER, output="markdown").text,
                         etcore.report([RUN, OTHER], output="markdown").text)
        self.assertEqual(etcore.analyze([RUN, OTHER]).text, etcore.analyze(RUN, OTHER).text)
        self.assertEqual(etcore.diff(DATA, io.BytesIO(DATA)).json()["schema"], "etcore.diff/1")

    def test_close_matches(self):
        for error, text, call in (
                (TypeError, "did you mean 'warmup'", lambda: etcore.analyze(RUN, warmpu=1)),
                (TypeError, "did you mean 'no_siblings'", lambda: etcore.analyze(RUN, no_sibling=1)),
                (AttributeError, "did you mean 'analyze'", lambda: etcore.analyse),
                (AttributeError, "did you mean 'Inspector'", lambda: etcore.Inspectr),
                (etcore.Error, "did you mean 'module'", lambda: etcore.analyze(RUN, by="modul")),
                (etcore.Error, "did you mean 'json'", lambda: etcore.analyze(RUN, output="jsn")),
                (etcore.Error, "did you mean 'samples'", lambda: etcore.analyze(RUN).arrow("sample"))):
            with self.subTest(text), self.assertRaisesRegex(error, text):
                call()
        with self.assertRaises(TypeError) as raised:
            etcore.analyze(RUN, zzzzzz=1)
        self.assertNotIn("mean", str(raised.exception))


class Files(Folder):
    def test_never_the_answer_of_another_file(self):
        for question in ("analyze", "dump", "doctor", "diff", "memory"):
            with self.subTest(question):
                shutil.copy(RUN, self.dump)
                operands = (self.dump, self.dump) if question == "diff" else (self.dump,)
                ask = getattr(etcore, question)
                want = ask(*operands).json()
                shutil.copy(RUN, self.dump)
                answer = ask(*operands)
                os.remove(self.dump)
                shutil.copy(OTHER, self.dump)
                self.same_or_refused(answer, want)
                os.remove(self.dump)
                self.same_or_refused(answer, want)

    def same_or_refused(self, answer, want):
        try:
            got = answer.json()
        except etcore.Error as e:
            self.assertIn("the file was changed since the answer", str(e))
            self.assertIn(self.dump, str(e))
        else:
            self.assertEqual(got, want)

    def test_analyze_and_inspector_read_once(self):
        answers = [etcore.analyze(self.dump), etcore.inspector(etdump_path=self.dump)]
        wants = [etcore.analyze(self.dump, output="json").text, etcore.inspector(etdump_path=self.dump, output="json").text]
        os.remove(self.dump)
        self.assertEqual([a.format("json").decode() for a in answers], wants)

    def test_a_file_beside_it_that_changed(self):
        record = shutil.copy(RECORD, os.path.join(self.folder, "model.etrecord"))
        answer = etcore.doctor(self.dump)
        answer.json()
        answer = etcore.doctor(self.dump)
        os.remove(record)
        with self.assertRaisesRegex(etcore.Error, "model.etrecord: the file was changed"):
            answer.json()

    @unittest.skipUnless(hasattr(os, "mkfifo"), "no pipes with names")
    def test_a_pipe_is_read_once(self):
        path = os.path.join(self.folder, "pipe")
        os.mkfifo(path)

        def feed():
            with open(path, "wb") as f:
                f.write(DATA)

        thread = threading.Thread(target=feed)
        thread.start()
        answer = etcore.dump(path)
        thread.join()
        with self.assertRaisesRegex(etcore.Error, "it can be read once only"):
            answer.json()

    def test_nothing_is_written_beside_the_input(self):
        before = sorted(os.listdir(self.folder))
        answer = etcore.trace(self.dump)
        self.assertTrue(answer.bytes)
        self.assertEqual(answer.bytes, answer.format("perfetto"))
        self.assertIn("see .bytes", answer.text)
        self.assertEqual(etcore.trace(self.dump, output="chrome").text.encode(), answer.format("chrome"))
        self.assertTrue(etcore.report(self.dump).text.startswith("<!doctype html>"))
        for ask in (etcore.analyze, etcore.dump, etcore.doctor, etcore.memory):
            ask(self.dump)._repr_html_()
        for form in ("model-explorer", "x.json", "json=" + self.folder + "/x", "/x"):
            with self.assertRaises((etcore.Error, ValueError)):
                etcore.dump(self.dump).format(form)
            with self.assertRaises((etcore.Error, ValueError)):
                etcore.analyze(self.dump).format(form)
        self.assertEqual(sorted(os.listdir(self.folder)), before)
        path = os.path.join(self.folder, "x.pftrace")
        etcore.trace(self.dump, output=path)
        with open(path, "rb") as f:
            self.assertEqual(f.read(), answer.bytes)

    def test_commands_without_json(self):
        saved = os.path.join(self.folder, "base")
        os.chdir(self.folder)
        self.addCleanup(os.chdir, ROOT)
        for answer, text in ((etcore.trace(self.dump), "'trace' has no JSON"), (etcore.report(self.dump), "'report' has no JSON"),
                             (etcore.baseline("save", self.dump, output=saved), "no other form")):
            with self.assertRaisesRegex(etcore.Error, text):
                answer.json()
        self.assertEqual(sorted(os.listdir(self.folder)), ["base", "run.etdump"])

    def test_what_is_done_once(self):
        os.chdir(self.folder)
        self.addCleanup(os.chdir, ROOT)
        answer = etcore.plugins("new", "acme")
        with self.assertRaisesRegex(etcore.Error, "is not done twice"):
            answer.format("text")


    def test_files_that_were_written(self):
        path = os.path.join(self.folder, "x.pftrace")
        for output in (path, "perfetto=" + path, ["chrome", path]):
            answer = etcore.trace(self.dump, output=output)
            self.assertEqual(answer.path, path)
        self.assertEqual(answer.bytes, answer.format("chrome"))
        answer = etcore.trace(self.dump, output=path)
        self.assertEqual(answer.bytes, etcore.trace(self.dump).bytes)
        self.assertEqual(repr(answer), f"<etcore.trace: {path!r} written, status 0>")
        self.assertIsNone(etcore.trace(self.dump).path)
        self.assertIsNone(etcore.analyze(self.dump, output="json").path)
        os.chdir(self.folder)
        self.addCleanup(os.chdir, ROOT)
        self.assertEqual(etcore.baseline("save", self.dump, output="base").path, "base")

    def test_a_cut_file(self):
        with open(SAMPLE, "rb") as f:
            data = f.read()
        path = os.path.join(self.folder, "cut.etdump")
        with open(path, "wb") as f:
            f.write(data[:-5000])
        for name in ("analyze", "dump", "inspector", "report", "trace"):
            operands = {} if name == "inspector" else {"no_siblings": True} if name in ("analyze", "report") else {}
            ask = functools.partial(etcore.inspector, etdump_path=path) if name == "inspector" else \
                functools.partial(getattr(etcore, name), path, **operands)
            with self.subTest(name):
                with self.assertRaises(etcore.Error) as raised:
                    ask()
                self.assertEqual(raised.exception.code, "E0202")
                answer = ask(salvage=True)
                self.assertEqual((answer.status, answer.finding.code, bool(answer)), (5, "W0226", False))
                self.assertTrue(answer.bytes)
                self.assertTrue(answer._repr_html_())
        answer = etcore.analyze(path, salvage=True, no_siblings=True)
        p = subprocess.run([ETCORE, "analyze", path, "--salvage", "--no-siblings"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.assertEqual((answer.text.encode(), answer.status), (p.stdout, p.returncode))
        self.assertEqual(len(answer.arrow("runs").to_pydict()["path"]), 19)
        self.assertEqual(len(answer.json()["rows"]), 22)
        self.assertEqual(etcore.dump(path, salvage=True).json(), json.loads(etcore.dump(path, salvage=True, output="json").text))
        with open(path, "wb") as f:
            f.write(data[:100])
        with self.assertRaises(etcore.Error):
            etcore.analyze(path, salvage=True)


class Page(html.parser.HTMLParser):
    """Parses HTML: text of the cells, all other text, and the elements with their attributes. Fails if elements do not
    nest."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.text, self.open, self.seen, self.attributes = [], "", [], set(), set()
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        if "style" in self.open:
            return
        if "td" in self.open or "th" in self.open:
            self.rows[-1][-1] += data
        else:
            self.text += data


class Notebook(Folder):
    KNOWN = {"style", "div", "p", "b", "br", "table", "thead", "tbody", "tr", "th", "td", "span", "ul", "li", "details",
             "summary", "pre", "code", "a"}

    def page(self, answer):
        page = Page(answer._repr_html_())
        self.assertLessEqual(page.seen, self.KNOWN)
        self.assertLessEqual(page.attributes, {"class", "style", "href"})
        return page

    def test_the_table_of_a_report(self):
        answer = etcore.analyze(SAMPLE)
        page = self.page(answer)
        self.assertEqual(page.rows[0][:6], ["#", "what", "calls", "per run", "cut off, up to", "share"])
        self.assertEqual(page.rows[2][1:6], ["Batch Matrix Multiply (NC, F32) GEMM", "2", "618.13 µs", "+2 µs", "12.3 %"])
        self.assertEqual([row[1] for row in page.rows[1:13]], answer.arrow().to_pydict()["name"][:12])
        self.assertIn('12.3 %<span class="share" style="width: 12.3%"></span></td>', answer._repr_html_())
        for text in ("forward, 20 runs, XNNPACK", "N0120 first run set aside"):
            self.assertIn(text, page.text)
        self.assertNotIn("cut off, up to", self.page(etcore.analyze(SAMPLE, by="module")).rows[0])
        self.assertIn("_to_dim_order_copy.out", [row[1] for row in page.rows])

    def test_every_command(self):
        program = "tests/data/sample/model.pte"
        pages = {name: self.page(getattr(etcore, name)(*operands)) for name, *operands in (
            ("diff", OTHER, RUN), ("memory", program), ("dump", RUN), ("doctor", RUN), ("plugins",), ("explain", "E0201"))}
        self.assertIn("permute_copy.out", [row[0] for row in pages["diff"].rows])
        self.assertTrue(self.page(etcore.check(RUN, baseline=OTHER)).rows)
        self.assertEqual(pages["memory"].text, etcore.memory(program).text)
        self.assertEqual(self.page(etcore.analyze(RUN, output="csv")).text, etcore.analyze(RUN, output="csv").text)
        self.assertNotIn("\x1b", self.page(etcore.explain("E0201", color="always")).text)
        report = etcore.report(RUN)
        self.assertIn("iframe", Page(report._repr_html_()).seen)
        self.assertEqual(dict(html_attributes(report._repr_html_()))["srcdoc"], report.text)
        self.assertEqual(dict(html_attributes(report._repr_html_()))["sandbox"], "allow-scripts")

    def test_names_that_are_html_and_markdown(self):
        with open(SAMPLE, "rb") as f:
            data = f.read()
        for name in ("<script>x</script>", "</td>`a`|\\|**b**&lt;", "[x](<http://a.b>)`", "<img onerror=a>&amp"):
            known = b"Softmax (NC, F32)"
            name = name[:len(known)].ljust(len(known), "!")
            with self.subTest(name):
                answer = etcore.analyze(data.replace(known, name.encode()))
                self.assertIn(name + " #1", answer.arrow().to_pydict()["name"])
                self.assertIn(name + " #1", [row[1] for row in self.page(answer).rows])

    def test_a_file_that_changed(self):
        answer = etcore.diff(self.dump, OTHER)
        os.remove(self.dump)
        self.assertEqual(self.page(answer).text, answer.text)


def html_attributes(text):
    found = []
    parser = html.parser.HTMLParser()
    parser.handle_starttag = lambda tag, attrs: found.extend(attrs)
    parser.feed(text)
    return found


class Errors(Folder):
    def test_system_errors(self):
        missing = os.path.join(self.folder, "nothing")
        for kind, number, call, name in (
                (FileNotFoundError, errno.ENOENT, lambda: etcore.analyze(missing), missing),
                (FileNotFoundError, errno.ENOENT, lambda: etcore.check(RUN, baseline=missing), missing),
                (NotADirectoryError, errno.ENOTDIR, lambda: etcore.dump(self.dump + "/x"), self.dump + "/x"),
                (FileNotFoundError, errno.ENOENT, lambda: etcore.analyze(RUN, output=missing + "/x.json"), missing + "/x.json")):
            with self.assertRaises(kind) as raised:
                call()
            e = raised.exception
            self.assertIsInstance(e, etcore.Error)
            self.assertEqual((e.errno, e.filename, e.strerror), (number, name, os.strerror(number)))
            again = pickle.loads(pickle.dumps(e))
            self.assertEqual((type(again), again.errno, again.filename, str(again)), (type(e), e.errno, e.filename, str(e)))

    def test_permission(self):
        etcore.analyze(self.dump)  # imports all modules first
        os.chmod(self.folder, 0o755)
        os.chmod(self.dump, 0)
        if os.geteuid() == 0:  # root may read every file
            os.seteuid(65534)
            self.addCleanup(os.seteuid, 0)
        with self.assertRaises(PermissionError):
            etcore.analyze(self.dump)

    def test_each_reason_has_its_class(self):
        for reason, number in _reasons().items():
            e = _errors().error(etcore.Note("E0901", "error", "cannot open the file: " + reason, "", "f", None, None, 3, 1))
            self.assertIs(type(e).__mro__[2], type(OSError(number, "")))
            self.assertEqual(e.errno, number)
        e = _errors().error(etcore.Note("E0902", "error", "cannot read the file", "", "f", None, None, 3, 1))
        self.assertIsInstance(e, OSError)

    def test_made_by_hand(self):
        self.assertEqual(str(etcore.Error("x")), "x")
        self.assertEqual((etcore.Error("x").code, etcore.Error().hint), ("", ""))
        again = pickle.loads(pickle.dumps(OwnError("x")))
        self.assertEqual((type(again), str(again)), (OwnError, "x"))
        self.assertEqual(str(copy.copy(OwnError("x"))), "x")

    def test_they_speak_python(self):
        for call, words, absent in (
                (lambda: etcore.analyze(RUN, by="modul"), ["by='modul'", "help(etcore.analyze)"], "--"),
                (lambda: etcore.analyze(RUN, warmup="x"), ["warmup='x'"], "--"),
                (lambda: etcore.analyze(RUN, method="fwd"), ["etrecord=", "pte="], "-r"),
                (lambda: etcore.analyze(), ['etcore.analyze("run.etdump")'], "command line"),
                (lambda: etcore.diff(RUN), ['etcore.diff(["A.etdump"], ["B.etdump"])'], "--"),
                (lambda: etcore.analyze(RUN, where="slf>1"), ['output="csv"', "did you mean 'self'"], "-o"),
                (lambda: etcore.analyze(RUN, where="--help"), ["not a condition '--help'"], "help(etcore"),
                (lambda: etcore.analyze(RUN, output=["json=/tmp/x.o", "csv=/tmp/x.o"]), ['output="json=/tmp/x.o" and'], '"json"'),
                (lambda: etcore.what_if(), ['etcore.what_if("run.etdump", row="name ~ GEMM"'], "what-if"),
                (lambda: etcore.what_if(RUN, row="name ~ nothing", times=0.5), ["row='name ~ nothing'"], "row= "),
                (lambda: etcore.what_if(RUN, row="name", times=0.5), ["'self>10us'"], "--"),
                (lambda: etcore.what_if(RUN, to="kleidiai"), ["to='kleidiai' needs", "ratios=FILE"], "to= "),
                (lambda: etcore.check(RUN, baseline=b"xx"), ["]: baseline 1: a text file"], tempfile.gettempdir()),
                (lambda: etcore.baseline("save", RUN), ["output=FILE"], "-o ")):
            with self.assertRaises(etcore.Error) as raised:
                call()
            for word in words:
                self.assertIn(word, str(raised.exception))
            self.assertNotIn(absent, str(raised.exception))
        for said, spoken in (
                ("sure; etcore diff BASELINE -- RUN tells where", 'sure; etcore.diff(["BASELINE"], ["RUN"]) tells where'),
                ("etcore analyze --by run lists them, from 1; --warmup 2", 'etcore.analyze(by="run") lists them, from 1; warmup=2'),
                ("etcore baseline save RUN.etdump -o FILE makes one; etcore baseline show FILE tells",
                 'etcore.baseline("save", "RUN.etdump", output="FILE") makes one; etcore.baseline("show", "FILE") tells'),
                ("is the name as etcore diff shows it? is the etcore program there", None)):
            self.assertEqual(sys.modules["etcore._speech"].speak(said, "analyze"), spoken or said)
        self.assertIn("warmup=0 keeps it", [n.hint for n in etcore.analyze(RUN).notes])
        from etcore import _speech

        self.assertEqual(_speech.speak("see `etcore plugins --level strict`, -x and a -- b", "analyze"),
                         "see `etcore plugins --level strict`, -x and a -- b")

    def test_inputs_from_memory_are_counted_without_separators(self):
        with open(RUN, "rb") as f:
            data = f.read()
        self.assertIn("the recordings of input 2 and input 1 are byte for byte equal", str(etcore.diff(data, "--", io.BytesIO(data))))
        with self.assertRaises(TypeError):
            etcore.analyze(RUN).format(None)

    def test_few_frames_of_the_package(self):
        try:
            etcore.analyze("no such file")
        except etcore.Error as e:
            self.assertLessEqual(len(traceback.extract_tb(e.__traceback__)), 4)
            self.assertIn("\netcore.Error: error[E0901]: no such file: ", traceback.format_exc())

    def test_results_are_not_pickled(self):
        answer = etcore.analyze(RUN)
        with self.assertRaisesRegex(TypeError, r"\.json\(\)"):
            pickle.dumps(answer)
        self.assertIs(copy.copy(answer), answer)
        self.assertIs(copy.deepcopy([answer])[0], answer)
        self.assertIs(pickle.loads(pickle.dumps(etcore.analyze)), etcore.analyze)


class Help(unittest.TestCase):
    def test_the_functions_are_listed(self):
        text = pydoc.render_doc(etcore, renderer=pydoc.plaintext)
        functions = text.partition("\nFUNCTIONS\n")[2].partition("\nDATA\n")[0]
        for name in ("analyze", "diff", "check", "trace", "doctor"):
            self.assertRegex("\n" + functions, rf"\n    {name}\(\s*\*operands")
            self.assertTrue(inspect.isfunction(getattr(etcore, name)))
        self.assertIn("CLASSES", text)

    def test_a_function(self):
        text = pydoc.render_doc(etcore.analyze, renderer=pydoc.plaintext)
        self.assertIn("no_siblings=False", text)
        self.assertIn('etcore.analyze("run.etdump", etrecord="model.etrecord", by="kernel")', text)
        self.assertIn('etcore.diff(["before.etdump"], ["after.etdump"])', etcore.diff.__doc__)
        self.assertEqual(inspect.signature(etcore.analyze).parameters["warmup"].kind, inspect.Parameter.KEYWORD_ONLY)

    def test_each_example_is_python(self):
        for name in set(etcore.__all__) - {"Result", "Table"}:
            doc = getattr(etcore, name).__doc__ or ""
            examples = doc.partition("Examples:\n")[2].partition("\n\n")[0]
            for line in examples.splitlines():
                compile(line.strip(), name, "eval")
                called = re.match(r"etcore\.(\w+)\(", line.strip())  # the page also shows calls of other commands
                options = eval(line.strip().replace(called.group(), "(lambda *a, **k: k)("))  # noqa: S307
                self.assertLessEqual(set(options), set(inspect.signature(getattr(etcore, called.group(1))).parameters), line)

    def test_the_page_of_the_package(self):
        with open("python/README.md", encoding="utf-8") as f:
            code = f.read().partition("```python\n")[2].partition("```")[0]
        with tempfile.TemporaryDirectory() as folder:
            for path, name in ((SAMPLE, "run.etdump"), ("tests/data/sample/model.etrecord", "model.etrecord"),
                               (OTHER, "before.etdump"), (RUN, "after.etdump")):
                shutil.copy(path, os.path.join(folder, name))
            os.chdir(folder)
            self.addCleanup(os.chdir, ROOT)
            with contextlib.redirect_stdout(io.StringIO()) as out:
                exec(compile(code, "README.md", "exec"), {})  # noqa: S102
        for text in ("native_call_cumsum.out 0.033014 ['aten.cumsum.default']", "attention", "permute_copy.out"):
            self.assertIn(text, out.getvalue())

    def test_names(self):
        names = dir(etcore)
        for name in ("List", "TYPE_CHECKING", "annotations", "version"):
            self.assertNotIn(name, names)
        for name in ("Error", "Inspector", "Result", "Table", "analyze", "__version__"):
            self.assertIn(name, names)
        space = {}
        exec("from etcore import *", space)  # noqa: S102
        self.assertLessEqual(set(etcore.__all__), set(space))


class TestBatch(unittest.TestCase):
    """Tests `etcore.batch` with tables in memory."""

    CASES = "tests/data/cases"

    @staticmethod
    def plain(row):
        """Converts a row to comparable text: NDJSON has maps as JSON text, and no difference between 1 and 1.0."""
        def text(v):
            return "; ".join(map(text, v)) if isinstance(v, list) else v if isinstance(v, str) else json.dumps(v)

        def cell(k, v):
            if k == "columns" and v is not None:
                return sorted((a, text(b)) for a, b in (json.loads(v) if isinstance(v, str) else v).items())
            return int(v) if isinstance(v, float) and v.is_integer() else v

        return repr(sorted((k, cell(k, v)) for k, v in row if not k.endswith("_hex")))

    def rows(self, answer, table):
        cells = answer.arrow(table).to_pydict()
        return sorted(self.plain(zip(cells, row)) for row in zip(*cells.values()))

    def written(self, folder, table):
        rows = []
        for part in glob.glob(os.path.join(folder, table, "part-*")):
            with open(part, encoding="utf-8") as f:
                rows += [json.loads(line) for line in f]
        return sorted(self.plain(row.items()) for row in rows)

    def test_the_tables_are_those_of_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            bad = os.path.join(folder, "cut.etdump")
            with open(bad, "wb") as f:
                f.write(DATA[:100])
            out = os.path.join(folder, "tables")
            other = os.path.join(folder, "other.etdump")
            with open(other, "wb") as f:
                f.write(b"no dump")
            words = [self.CASES, "tests/data/backends", RUN, bad, other]
            options = ["--meta", "lab=berlin", "--meta-pattern", "{case}/run.etdump"]
            subprocess.run([ETCORE, "batch", *words, *options, "--out", out], capture_output=True, check=False, timeout=60)
            answer = etcore.batch(*words, meta="lab=berlin", meta_pattern="{case}/run.etdump")
            self.assertEqual((answer.status, answer.finding.code), (1, "E1200"))
            self.assertEqual(answer.tables()[:5], ["runs", "paths", "rows", "notes", "errors"])
            for table in answer.tables():
                self.assertEqual(self.rows(answer, table), self.written(out, table), table)
            self.assertEqual(answer.arrow("errors").to_pydict()["path"][-2:], words[-2:])
            paths = answer.arrow("paths").to_pydict()["path"]
            self.assertEqual((paths.count(RUN), paths[-2:]), (2, words[-2:]))
            self.assertTrue(any(answer.arrow("rows").to_pydict()["columns"]))

    def test_dumps_from_memory(self):
        with open(OTHER, "rb") as f:
            answer = etcore.batch(DATA, f, DATA, b"no dump")
        self.assertEqual(answer.arrow("paths").to_pydict()["path"], ["input 1", "input 2", "input 3", "input 4"])
        from_files = etcore.batch(RUN, OTHER)
        for table in ("runs", "rows", "notes"):
            cells, want = answer.arrow(table).to_pydict(), from_files.arrow(table).to_pydict()
            for name in set(cells) - {"modified_ns"}:
                self.assertEqual(cells[name], want[name], (table, name))
        self.assertEqual(answer.arrow("errors").to_pydict()["path"], ["input 4"])

    def test_paths_of_any_iterable(self):
        paths = [RUN, OTHER]
        want = etcore.batch(*paths).text
        for some in (iter(paths), map(pathlib.Path, paths), dict.fromkeys(paths).keys(), set(paths)):
            self.assertEqual(etcore.batch(some).text, want)
        diff = etcore.diff(iter([RUN]), (p for p in [OTHER])).json()
        self.assertEqual(diff["rows"], etcore.diff(RUN, OTHER).json()["rows"])
        for wrong in (True, {RUN: 1}, 3.5, None, [None]):
            with self.assertRaises(TypeError):
                etcore.batch(wrong)
        with open(RUN, encoding="utf-8") as text, self.assertRaisesRegex(TypeError, "binary mode"):
            etcore.batch(text)

    def test_options_of_any_iterable(self):
        want = etcore.analyze(RUN, where="self>10us").text
        for wanted in (iter(["self>10us"]), {"self>10us"}, map(str, ["self>10us"])):
            self.assertEqual(etcore.analyze(RUN, where=wanted).text, want)

    def test_only_an_int_is_a_descriptor(self):
        class Index:
            """An integer like numpy.int64."""

            def __index__(self):
                return 1

        with self.assertRaisesRegex(TypeError, "not Index"):
            etcore.analyze(Index())
        os.fstat(1)  # still open

    def test_workers_of_other_engines_find_the_same_files(self):
        from etcore import _farm

        found = _farm.files("tests/data")
        self.assertEqual(found, sorted(found))
        self.assertEqual(etcore.batch(found).text, etcore.batch("tests/data").text)
        self.assertEqual(_farm.files("tests/data/cases/*/run.etdump"), _farm.files(["tests/data/cases"]))
        self.assertEqual(_farm.files(RUN), [RUN])
        for wrong, error in (("/none/*.etdump", FileNotFoundError), ("s3://lab/run.etdump", ValueError)):
            with self.assertRaises(error):
                _farm.files(wrong)
        self.assertEqual(_farm.options({"metaPattern": "{a}/*", "no-plugins": "true", "set": "a.b=1\nc.d=2"}),
                         [("meta-pattern", "{a}/*"), ("no-plugins", None), ("set", "a.b=1"), ("set", "c.d=2")])
        for wrong in ({"metaPatern": "x"}, {"out": "tables"}):
            with self.assertRaises(TypeError):
                _farm.options(wrong)

    def test_no_dump_and_no_folder(self):
        with self.assertRaises(etcore.Error) as raised:
            etcore.batch()
        self.assertEqual(raised.exception.code, "E0533")
        with self.assertRaises(etcore.Error) as raised:
            etcore.batch("none.etdump")
        self.assertEqual(raised.exception.code, "E0901")

    def test_tables_outlive_the_answer(self):
        table = etcore.batch(self.CASES).arrow("rows")
        gc.collect()
        self.assertEqual(len(table.to_pydict()["key"]), len(etcore.batch(self.CASES).arrow("rows").to_pydict()["key"]))

    def test_to_a_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "tables")
            answer = etcore.batch(RUN, out=out)
            self.assertEqual(answer.tables(), [])
            self.assertTrue(os.path.exists(os.path.join(out, "_SUCCESS")))
            with self.assertRaises(etcore.Error):
                etcore.batch(RUN, out=out)  # has parts


def _errors():
    return sys.modules["etcore._errors"]


def _reasons():
    return {r: n for r, n in _errors()._REASONS.items() if r != "it is a folder"}


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], warnings="ignore")
