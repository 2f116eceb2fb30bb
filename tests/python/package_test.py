#!/usr/bin/env python3
"""package_test.py ETCORE LIBRARY -- tests the package python/etcore with the library of the build. Compares each attribute
of each event of every case of tests/data with `etcore inspector -o json`, and tables with the program's; tests the
functions of the command table, and exceptions. Standard library only; numpy and pandas are used if they are installed.
"""
import array
import concurrent.futures
import contextlib
import copy
import dataclasses
import enum
import glob
import hashlib
import io
import json
import math
import multiprocessing
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import unittest.mock
import warnings
import zipfile

ETCORE, os.environ["ETCORE_LIBRARY"] = map(os.path.abspath, sys.argv[1:3])
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "python"))
os.chdir(ROOT)
warnings.simplefilter("ignore")

import etcore  # noqa: E402
from etcore import _stats  # noqa: E402

CASES = [os.path.dirname(p) for p in sorted(
    glob.glob("tests/data/cases/*/run.etdump") + glob.glob("tests/data/backends/cases/*/run.etdump"))]
MLP, RUN = "tests/data/cases/mlp_portable/", "tests/data/cases/mlp_portable/run.etdump"
DEBUG = "tests/data/cases/debug_xnnpack/"


def files(folder):
    """Returns (arguments of the constructor, arguments of the program) for the files of a case."""
    found = [(o, os.path.join(folder, n)) for o, n in
             (("etdump_path", "run.etdump"), ("etrecord", "model.etrecord"), ("debug_buffer_path", "debug.bin"))
             if os.path.exists(os.path.join(folder, n))]
    words = [w for o, p in found for w in (f"--{'etrecord_path' if o == 'etrecord' else o}", p)]
    return dict(found), words


def program(*words):
    p = subprocess.run([ETCORE, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    return p.returncode, p.stdout.decode(), p.stderr.decode()


def value(v):
    """Converts a logged value to the form of the program's JSON."""
    if isinstance(v, (list, tuple)):
        return [value(x) for x in v]
    if hasattr(v, "shape"):  # torch, numpy or memoryview
        if type(v).__module__ == "torch":
            v = v.detach().numpy()
        dtype = {"?": "bool", "B": "uint8", "b": "int8", "H": "uint16", "h": "int16", "e": "float16", "i": "int32",
                 "f": "float32", "d": "float64", "q": "int64", "l": "int64"}[v.format] if isinstance(v, memoryview) else str(v.dtype)
        return {"dtype": dtype, "shape": list(v.shape), "sha256": hashlib.sha256(v.tobytes()).hexdigest()}
    return number(v)


def number(v):
    if isinstance(v, float) and not math.isfinite(v):
        return "nan" if math.isnan(v) else "inf" if v > 0 else "-inf"
    return float(v) if isinstance(v, float) else v


def event(e):
    perf = e.perf_data and {"raw": [number(v) for v in e.perf_data.raw],
                            **{s: number(getattr(e.perf_data, s)) for s in ("p10", "p50", "p90", "avg", "min", "max")}}
    return {
        "name": e.name, "perf_data": perf, "op_types": e.op_types,
        "delegate_debug_identifier": e.delegate_debug_identifier, "debug_handles": e.debug_handles,
        "num_outputs": e.num_outputs, "stack_traces": e.stack_traces,
        "module_hierarchy": {k: v and {m: list(p) for m, p in v.items()} for k, v in e.module_hierarchy.items()},
        "is_delegated_op": e.is_delegated_op, "delegate_backend_name": e.delegate_backend_name,
        "delegate_debug_metadatas": [m and m.hex() for m in e.raw_delegate_debug_metadatas],
        "start_time": e.start_time, "instruction_id": e._instruction_id, "debug_data": value(e.debug_data),
    }


def document(inspector):
    return [{"name": b.name, "source_time_scale": b.source_time_scale.value,
             "target_time_scale": b.target_time_scale.value, "bundled_input_index": b.bundled_input_index,
             "run_output": value(b.run_output), "reference_output": value(b.reference_output),
             "events": [event(e) for e in b.events]} for b in inspector.event_blocks]


class Files(unittest.TestCase):
    def test_every_attribute_of_every_event(self):
        events = 0
        for folder in CASES:
            options, words = files(folder)
            status, out, _ = program("inspector", *words, "-o", "json")
            with self.subTest(folder):
                if status:
                    with self.assertRaises(etcore.Error) as raised:
                        etcore.Inspector(**options)
                    self.assertEqual(raised.exception.status, status)
                    continue
                want = json.loads(out)["blocks"]
                for block in want:
                    for e in block["events"]:
                        e.pop("delegate_metadata_parsed", None)
                got = document(etcore.Inspector(**options))
                self.assertEqual(repr(got), repr(want))  # repr() also compares the order of members, and distinguishes int from float
                events += sum(len(b["events"]) for b in want)
        self.assertGreater(events, 400)

    def test_tables_are_those_of_the_program(self):
        for folder in CASES:
            options, words = files(folder)
            for units, data in ((True, False), (False, True)):
                switches = ["--include-units", "yes" if units else "no", "--include-delegate-debug-data",
                            "yes" if data else "no"]
                for kind, method in (("table", "print_data_tabular"), ("tsv", "save_data_to_tsv")):
                    status, out, _ = program("inspector", *words, "-o", kind, *switches)
                    if status:
                        continue
                    with self.subTest(folder, kind=kind, units=units):
                        f = io.StringIO()
                        getattr(etcore.Inspector(**options), method)(f, units, data)
                        self.assertEqual(f.getvalue(), out)

    def test_touched_events_print_the_same(self):
        i = etcore.Inspector(RUN)
        a, b = io.StringIO(), io.StringIO()
        i.print_data_tabular(a)
        self.assertTrue(all(e.perf_data.p50 >= 0 for block in i.event_blocks for e in block.events))
        i.print_data_tabular(b)
        self.assertEqual(a.getvalue(), b.getvalue())
        with contextlib.redirect_stdout(io.StringIO()) as out:
            i.print_data_tabular()
        self.assertEqual(out.getvalue(), a.getvalue())
        with tempfile.TemporaryDirectory() as d:
            i.save_data_to_tsv(os.path.join(d, "x.tsv"))
            f = io.StringIO()
            i.save_data_to_tsv(f)
            with open(os.path.join(d, "x.tsv"), encoding="utf-8", newline="") as g:
                self.assertEqual(g.read(), f.getvalue())

    def test_frames_need_no_events(self):
        """json, logging, numpy and pandas must not be imported before they are needed. The frame of untouched blocks must
        be made without events, and equal the frame of their events."""
        run = "import sys, etcore; print(*{'json', 'logging', 'numpy', 'pandas'} & set(sys.modules))"
        env = {**os.environ, "PYTHONPATH": os.path.join(ROOT, "python")}
        self.assertEqual(subprocess.run([sys.executable, "-c", run], env=env, stdout=subprocess.PIPE).stdout, b"\n")
        try:
            import pandas
        except ImportError:
            self.skipTest("no pandas")
        compared = 0
        for case in CASES:
            try:
                i = etcore.Inspector(**files(case)[0])
            except etcore.Error:  # the real class raises too
                continue
            with unittest.mock.patch("etcore._answer.Answer.block_events", side_effect=AssertionError("events")):
                untouched = i.to_dataframe()
            touched = pandas.concat([b.to_dataframe(include_units=True) for b in i.event_blocks], ignore_index=True)
            with contextlib.suppress(RuntimeError, ValueError):  # pandas cannot compare tensors
                pandas.testing.assert_frame_equal(untouched, touched, check_exact=True)
                compared += 1
        self.assertGreater(compared, len(CASES) // 2)

    def test_changed_events_are_printed_changed(self):
        i = etcore.Inspector(RUN)
        i.event_blocks[1].events[0].name = "another name"
        out = io.StringIO()
        try:
            i.print_data_tabular(out)
        except ImportError as e:
            # without tabulate the call fails; it must not print the file's stored table instead
            self.assertIn("pip install", str(e))
        else:
            self.assertIn("another name", out.getvalue())

    def test_the_table_of_a_file_that_is_gone(self):
        with tempfile.TemporaryDirectory() as folder:
            path = shutil.copy(RUN, folder)
            wants = [io.StringIO(), io.StringIO()]
            for want, write in zip(wants, (etcore.Inspector(path).print_data_tabular, etcore.Inspector(path).save_data_to_tsv)):
                write(want)
            i = etcore.Inspector(path)
            os.remove(path)
            for want, write in zip(wants, (i.print_data_tabular, i.save_data_to_tsv)):
                got = io.StringIO()
                with unittest.mock.patch.object(etcore._inspector.Query, "__init__", side_effect=AssertionError("asked again")):
                    write(got)
                self.assertEqual(got.getvalue(), want.getvalue())

    def test_bytes_and_file_objects(self):
        options, _ = files(MLP)
        want = document(etcore.Inspector(**options))
        with open(RUN, "rb") as dump, open(MLP + "model.etrecord", "rb") as record:
            data = dump.read()
            dump.seek(0)
            self.assertEqual(document(etcore.Inspector(etdump_data=dump, etrecord=record)), want)
        for given in (data, bytearray(data), memoryview(data)):
            i = etcore.Inspector(etdump_data=given, etrecord=MLP + "model.etrecord")
            self.assertEqual(document(i), want)
            f = io.StringIO()
            i.print_data_tabular(f)
            self.assertIn("Method::execute", f.getvalue())

        class Record:  # looks like executorch's ETRecord
            _debug_handle_map = {}

            def save(self, to):
                with open(MLP + "model.etrecord", "rb") as f:
                    to.write(f.read())

        self.assertEqual(document(etcore.Inspector(RUN, etrecord=Record())), want)

    def test_what_is_taken_for_a_path_and_for_bytes(self):
        def count(**given):
            return [len(b.events) for b in etcore.Inspector(**given).event_blocks]

        with open(RUN, "rb") as f:
            data = f.read()
        self.assertEqual(count(etdump_path=os.fsencode(RUN)), count(etdump_path=RUN))
        self.assertEqual(count(etdump_data=array.array("B", data)), count(etdump_path=RUN))
        for wrong in (RUN, 3, []):
            with self.assertRaisesRegex(TypeError, "a bytes-like object is required, not"):
                etcore.Inspector(etdump_data=wrong)
        with self.assertRaises(etcore.Error) as caught:
            etcore.Inspector(etdump_path=RUN, etrecord=RUN)
        self.assertNotIn("two inputs", str(caught.exception))
        self.assertTrue(etcore.Inspector(etdump_path=RUN, debug_buffer_path=RUN).event_blocks)

    def test_graphs_without_a_record_blocks_that_are_none_and_deep_copies(self):
        for name in (None, 3, "no graph"):
            self.assertTrue(etcore.Inspector(etdump_path=RUN, reference_graph_name=name).event_blocks)
        with self.assertRaises(KeyError) as caught:
            etcore.Inspector(etdump_path=RUN, etrecord=MLP + "model.etrecord", reference_graph_name=3)
        self.assertEqual(caught.exception.args, (3,))
        inspector = etcore.Inspector(etdump_path=RUN)
        out = io.StringIO()
        copy.deepcopy(inspector).print_data_tabular(out)
        self.assertIn("Method::execute", out.getvalue())
        inspector.event_blocks = None
        self.assertFalse(inspector._as_read())

    def test_a_replaced_method_is_no_table_of_the_library(self):
        class Own(etcore.Inspector):
            def to_dataframe(self, *arguments, **options):
                raise AssertionError("asked")

        class Bare(etcore.Inspector):
            def __init__(self, blocks):
                self.event_blocks = blocks

        for inspector in (Own(RUN), Bare(etcore.Inspector(RUN).event_blocks)):
            self.assertFalse(inspector._as_read())
        with self.assertRaises(AttributeError):
            etcore.Inspector.__new__(etcore.Inspector).event_blocks
        for owner, name in ((etcore.Event, "asdict"), (etcore.EventBlock, "to_dataframe"), (etcore.PerfData, "avg")):
            with unittest.mock.patch.object(owner, name):
                self.assertFalse(etcore.Inspector(RUN)._as_read())

    def test_threads_touch_the_same_objects(self):
        for _ in range(20):
            inspector, barrier, seen = etcore.Inspector(RUN), threading.Barrier(6), []

            def touch():
                barrier.wait()
                event = inspector.event_blocks[1].events[1]
                seen.append((inspector.event_blocks, event, event.perf_data, event.op_types))
            threads = [threading.Thread(target=touch) for _ in range(6)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(len({tuple(map(id, objects)) for objects in seen}), 1)

    def test_pickles_and_deleted_fields(self):
        event = pickle.loads(pickle.dumps(etcore.Inspector(RUN))).event_blocks[1].events[1]
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            self.assertEqual(pickle.loads(pickle.dumps(event.perf_data, protocol)), event.perf_data)
        event = etcore.Inspector(RUN).event_blocks[1].events[1]
        del event.perf_data
        self.assertIsNone(event.perf_data)
        event.__dict__ = {"name": "q"}
        self.assertEqual((event.name, event.is_delegated_op), ("q", None))

    def test_a_record_that_is_replaced_or_written_to(self):
        with tempfile.TemporaryDirectory() as d:
            path = shutil.copy(MLP + "model.etrecord", d)
            with open(path, "rb") as f:
                data = f.read()
            inspector = etcore.Inspector(RUN, etrecord=path)
            read = dict(inspector._inputs)["etrecord_path"]
            os.remove(path)
            with open(path, "wb") as f:
                f.write(b"another")
            self.assertEqual(read.contents(), data)
            self.assertIsNone(pickle.loads(pickle.dumps(read))._kept)
            read = dict(etcore.Inspector(RUN, etrecord=shutil.copy(MLP + "model.etrecord", path))._inputs)["etrecord_path"]
            with open(path, "r+b") as f:
                f.write(b"12345678")
            os.utime(path, ns=(1, 1))
            with self.assertRaisesRegex(etcore.Error, "changed since it was read"):
                read.contents()

    def test_changed_metadata_is_printed(self):
        inspector = etcore.Inspector(etdump_path="tests/data/cases/mlp_xnnpack/run.etdump")
        event = next(e for b in inspector.event_blocks for e in b.events if e.is_delegated_op)
        self.assertTrue(event.delegate_debug_metadatas is not None and inspector._as_read())
        event.delegate_debug_metadatas = {"kk": 5}
        self.assertFalse(inspector._as_read())

    def test_a_file_that_changed_is_not_printed_anew(self):
        with tempfile.TemporaryDirectory() as d:
            path = os.path.join(d, "run.etdump")
            with open(RUN, "rb") as f, open(path, "wb") as g:
                g.write(f.read())
            i = etcore.Inspector(path)
            with open(DEBUG + "run.etdump", "rb") as f, open(path, "wb") as g:
                g.write(f.read())
            out = io.StringIO()
            try:
                i.print_data_tabular(out)
            except ImportError:
                pass
            self.assertNotIn("DELEGATE_CALL", out.getvalue())


class Wrong(unittest.TestCase):
    def test_arguments(self):
        for error, text, options in (
                (ValueError, "Expecting exactly one of etdump_path or etdump_data to be specified.", {}),
                (ValueError, "Expecting exactly one of", {"etdump_path": RUN, "etdump_data": b""}),
                (FileNotFoundError, "No such file", {"etdump_path": "no such file"}),
                (FileNotFoundError, "No such file", {"etdump_path": RUN, "etrecord": "no such file"}),
                (FileNotFoundError, "No such file", {"etdump_path": RUN, "debug_buffer_path": "no such file"}),
                (TypeError, "Unsupported ETRecord type", {"etdump_path": RUN, "etrecord": 5}),
                (RuntimeError, "For TimeScale in cycles both", {"etdump_path": RUN, "source_time_scale": etcore.TimeScale.CYCLES}),
                (TypeError, "unexpected keyword", {"no_such": 1})):
            with self.subTest(text), self.assertRaisesRegex(error, text):
                etcore.Inspector(**options)

    def test_the_warning_of_the_real_class(self):
        with self.assertWarnsRegex(UserWarning, "Output Buffer not found. Tensor Debug Data will not be available."):
            etcore.Inspector(RUN)

    def test_where_the_real_class_raises(self):
        for name, kind, code in (("multi_method", KeyError, "E0810"), ("multi_method_forward", AttributeError, "E0811")):
            with self.assertRaises(kind) as raised:
                etcore.Inspector(**files(f"tests/data/cases/{name}")[0])
            self.assertIsInstance(raised.exception, etcore.Error)
            self.assertEqual(raised.exception.code, code)

    def test_damaged_records_raise_what_the_real_class_raises(self):
        with open(MLP + "model.etrecord", "rb") as f:
            whole = f.read()

        def packed(**changed):
            out = io.BytesIO()
            with zipfile.ZipFile(io.BytesIO(whole)) as z, zipfile.ZipFile(out, "w") as w:
                for name in z.namelist():
                    data = changed.get(name.replace("/", "_"), z.read(name))
                    if data is not None:
                        w.writestr(name, data)
            return out.getvalue()

        bad = bytearray(packed())
        bad[bad.index(b'{"') + 40] ^= 1
        state = next(n for n in zipfile.ZipFile(io.BytesIO(whole)).namelist() if n.endswith("_state_dict")).replace("/", "_")
        for kind, data in (
                (RuntimeError, b""), (RuntimeError, b"hello, world"), (RuntimeError, b"{}"), (RuntimeError, whole[:-1]),
                (RuntimeError, whole[:5000]), (RuntimeError, packed(ETRECORD_V0=None)), (zipfile.BadZipFile, bytes(bad)),
                (ValueError, packed(debug_handle_map=b"{oops")), (TypeError, packed(debug_handle_map=b"null")),
                (TypeError, packed(exported_program=b"[]")), (KeyError, packed(**{state: None})),
                (pickle.UnpicklingError, packed(**{state: b"{oops"})), (KeyError, packed(debug_handle_map=b"{}"))):
            with self.assertRaises(kind) as raised:
                etcore.Inspector(RUN, etrecord=io.BytesIO(data))
            self.assertIsInstance(raised.exception, etcore.Error)
            again = pickle.loads(pickle.dumps(raised.exception))
            self.assertEqual((type(again), again.args), (type(raised.exception), raised.exception.args))
        self.assertEqual(raised.exception.args, ("forward",))
        with self.assertRaises(KeyError) as raised:
            etcore.Inspector(RUN, etrecord=MLP + "model.etrecord", reference_graph_name="no such")
        self.assertEqual(raised.exception.args, ("no such",))

    def test_the_exceptions_of_a_code(self):
        for code, *kinds in (("E0405", RuntimeError), ("E0814", TypeError, ValueError), ("E0815", AttributeError), ("E0895", ValueError),
                             ("E0402", RuntimeError), ("E0822", zipfile.BadZipFile, RuntimeError)):
            made = etcore._errors.error(etcore.Note(code, "error", "it is 'a': b", "", "", None, None, 10, 1))
            for kind in kinds:
                self.assertIsInstance(made, kind)
            self.assertEqual(made.args, ("it is 'a': b",))

    def test_a_debug_buffer_that_is_too_small(self):
        with tempfile.TemporaryDirectory() as d:
            path = os.path.join(d, "debug.bin")
            with open(path, "wb"):
                pass
            for kind in (ValueError, RuntimeError):
                with self.assertRaises(kind):
                    etcore.Inspector(DEBUG + "run.etdump", debug_buffer_path=path)

    def test_tables_into_a_folder_that_does_not_exist(self):
        with tempfile.TemporaryDirectory() as d:
            with self.assertRaisesRegex(OSError, "Cannot save file into a non-existent directory: '.*x'") as raised:
                etcore.Inspector(RUN).save_data_to_tsv(os.path.join(d, "x", "y.tsv"))
            self.assertIs(type(raised.exception), OSError)
            with unittest.mock.patch.dict(os.environ, HOME=d):
                etcore.Inspector(RUN).save_data_to_tsv("~/y.tsv")
            self.assertTrue(os.path.exists(os.path.join(d, "y.tsv")))

    def test_no_option_of_the_program_for_a_dump_that_is_cut(self):
        with open(RUN, "rb") as f:
            data = f.read()
        with self.assertRaisesRegex(etcore.Error, "salvage=True of the functions analyze, dump, .* trace or what_if shows them"):
            etcore.Inspector(etdump_data=data[:-1])

    def test_warned_once_where_the_class_is(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("default")
            for _ in range(3):
                etcore.Inspector(RUN)
            etcore.Inspector(RUN)
        self.assertEqual([os.path.basename(w.filename) for w in caught], ["_inspector.py"])

    def test_graphs_need_a_record(self):
        self.assertIsNone(etcore.Inspector(RUN).op_graph_dict)

    def test_errors_say_what_where_and_why(self):
        with open(RUN, "rb") as f:
            data = f.read()
        for n in range(0, len(data), 41):
            try:
                etcore.Inspector(etdump_data=data[:n])
            except etcore.Error as e:
                self.assertRegex(e.code, "^E[0-9]{4}$")
                self.assertIn(e.code, str(e))
                self.assertIn(e.status, (4, 5, 10))
                again = pickle.loads(pickle.dumps(e))
                self.assertEqual((str(again), again.note), (str(e), e.note))
        with self.assertRaises(OSError) as raised:
            etcore.analyze("no such file")
        self.assertEqual((raised.exception.code, raised.exception.place), ("E0901", "no such file"))


class Objects(unittest.TestCase):
    def test_constructed_by_hand(self):
        self.assertEqual([f.name for f in dataclasses.fields(etcore.Event)], [
            "name", "perf_data", "op_types", "delegate_debug_identifier", "debug_handles", "num_outputs", "stack_traces",
            "module_hierarchy", "is_delegated_op", "delegate_backend_name", "_delegate_debug_metadatas", "debug_data",
            "_instruction_id", "_delegate_metadata_parser", "_delegate_time_scale_converter", "_start_time"])
        e = etcore.Event("op", etcore.PerfData([4.0, 2.0, 2.0]), is_delegated_op=True,
                         _delegate_debug_metadatas=[b"1"], _delegate_metadata_parser=lambda m: {"n": len(m)})
        self.assertEqual((e.perf_data.min, e.perf_data.max, e.perf_data.p50, e.num_outputs), (2.0, 4.0, 2.0, 1))
        self.assertEqual((e.delegate_debug_metadatas, e.start_time, e.debug_data), ({"n": 1}, None, []))
        b = etcore.EventBlock("Execute", [e])
        self.assertEqual((b.events, b.run_output, b.target_time_scale), ([e], None, etcore.TimeScale.MS))
        self.assertEqual(dataclasses.replace(e, name="x").perf_data, e.perf_data)
        with self.assertRaises(AttributeError):
            e.no_such_attribute

    def test_statistics_follow_a_changed_list(self):
        perf = etcore.Inspector("tests/data/cases/mlp_xnnpack/run.etdump").event_blocks[1].events[0].perf_data
        before = perf.avg
        perf.raw.append(1e9)
        self.assertGreater(perf.avg, before)
        self.assertEqual(perf.max, 1e9)

    def test_copied_and_pickled(self):
        e = etcore.Inspector(**files(MLP)[0]).event_blocks[1].events[1]
        for other in (pickle.loads(pickle.dumps(e)), copy.deepcopy(e)):
            self.assertEqual(event(other), event(e))

    def test_variables_are_all_fields_in_order(self):
        for folder in (MLP, DEBUG):
            block = etcore.Inspector(**files(folder)[0]).event_blocks[-1]
            e = block.events[-1]
            self.assertEqual(list(vars(block)), [f.name for f in dataclasses.fields(block)])
            self.assertIsInstance(e.delegate_debug_metadatas, list)  # reads the field for the first time
            e.more = 5
            self.assertEqual(list(vars(e)), [f.name for f in dataclasses.fields(e)] + ["delegate_debug_metadatas", "more"])
            other = etcore.Inspector(**files(folder)[0]).event_blocks[-1].events[-1]
            other.delegate_debug_metadatas, other.more = [], 5
            self.assertEqual(event(other), event(e))
            vars(e)["name"] = "another"
            self.assertEqual(e.name, "another")
        if e.perf_data is not None:
            self.assertEqual(list(vars(e.perf_data)), ["raw"])
        self.assertEqual(list(vars(etcore.Event("x"))), [f.name for f in dataclasses.fields(etcore.Event)])

    def test_attributes_of_the_classes(self):
        self.assertIsNone(etcore.Event.perf_data)
        self.assertIsNone(etcore.EventBlock.run_output)
        self.assertFalse(hasattr(etcore.Event, "op_types"))  # the default is created for each object
        for event in (etcore.Inspector(RUN).event_blocks[0].events[0], etcore.Event):
            double = unittest.mock.MagicMock(spec=event)
            self.assertIsNotNone(double.perf_data.p50)
            with self.assertRaises(AttributeError):
                double.no_such
        with self.assertRaisesRegex(AttributeError, "'Event' object has no attribute 'op_types'"):
            etcore.Event.__new__(etcore.Event).op_types

    def test_the_converter_of_an_inspector_that_was_given_none(self):
        for options, factor in (({}, 10**6), ({"source_time_scale": etcore.TimeScale.S}, 1e-3)):
            event = etcore.Inspector(RUN, **options).event_blocks[0].events[0]
            for e in (event, pickle.loads(pickle.dumps(event)), copy.copy(event)):
                self.assertEqual(e._delegate_time_scale_converter("x", 3), 3 / factor)
        own = lambda name, t: t  # noqa: E731
        self.assertIs(etcore.Inspector(RUN, delegate_time_scale_converter=own).event_blocks[0].events[0]._delegate_time_scale_converter, own)

    def test_scales_of_executorch(self):
        class TimeScale(enum.Enum):
            NS, MS = "ns", "ms"

        self.assertEqual({TimeScale.NS: 1}[etcore.TimeScale.NS], 1)
        self.assertNotEqual(TimeScale.MS, etcore.TimeScale.NS)
        self.assertNotEqual(etcore.TimeScale.NS, "ns")
        self.assertEqual(pickle.loads(pickle.dumps(etcore.TimeScale.NS)), etcore.TimeScale.NS)

    def test_statistics_without_numpy(self):
        blocked = dict.fromkeys(["numpy"])  # `import numpy` raises ImportError
        for folder in CASES:
            try:
                inspector = etcore.Inspector(**files(folder)[0])
            except etcore.Error:
                continue
            for block in inspector.event_blocks:
                for e in block.events:
                    if e.perf_data is None or not all(math.isfinite(v) for v in e.perf_data.raw):
                        continue
                    saved = sys.modules.get("numpy")
                    try:
                        sys.modules.update(blocked)
                        own = [_stats.percentile(e.perf_data.raw, q) for q in (10, 50, 90)] + [_stats.mean(e.perf_data.raw)]
                    finally:
                        sys.modules.pop("numpy")
                        if saved:
                            sys.modules["numpy"] = saved
                    perf = e.perf_data
                    self.assertEqual(own, [perf.p10, perf.p50, perf.p90, perf.avg], (folder, e.name))


SCRIPT = """
import multiprocessing, sys
from executorch.devtools import Inspector
import executorch.devtools.inspector as devtools
def work(_):
    return Inspector.__module__, sys.argv[1:]
if __name__ == "__main__":
    for how in sys.argv[2:]:
        with multiprocessing.get_context(how).Pool(1) as pool:
            assert pool.map(work, [1]) == [("etcore._inspector", sys.argv[1:])], how
    from executorch.devtools.inspector import *
    assert Event.__module__ == "etcore._events"
    assert {"Event", "Inspector", "TimeScale"} <= set(devtools.__all__)
    assert getattr(devtools, "__file__", "/inspector/__init__.py").endswith("/inspector/__init__.py")
    print("passed")
"""


class Shim(unittest.TestCase):
    def test_processes_and_names_of_the_replaced_modules(self):
        with tempfile.TemporaryDirectory() as d:
            path = os.path.join(d, "script.py")
            with open(path, "w") as f:
                f.write(SCRIPT)
            p = subprocess.run([sys.executable, "-m", "etcore.shim", path, "word", *multiprocessing.get_all_start_methods()],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env={**os.environ, "PYTHONPATH": os.path.join(ROOT, "python")})
        self.assertEqual((p.returncode, p.stdout), (0, b"passed\n"), p.stderr.decode())


    def test_a_script_runs_as_python_runs_it(self):
        with tempfile.TemporaryDirectory() as d:
            os.mkdir(os.path.join(d, "sub"))
            for name, text in (("sub/show.py", SHOW), ("sub/other.py", "print(__file__)"), ("wrong.py", "x = = 2")):
                with open(os.path.join(d, name), "w", encoding="latin-1") as f:
                    f.write(text)
            os.symlink("sub/show.py", os.path.join(d, "link.py"))
            for words in (["sub/show.py"], ["sub/show.py", "raise"], ["sub/show.py", "exit"], ["link.py"], ["wrong.py"], ["absent.py"]):
                want, got = (subprocess.run([sys.executable, *shim, *words], cwd=d, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                            env={**os.environ, "PYTHONPATH": os.path.join(ROOT, "python")})
                             for shim in ([], ["-m", "etcore.shim"]))
                self.assertEqual((got.returncode, got.stdout, got.stderr), (want.returncode, want.stdout, want.stderr))


SHOW = """# -*- coding: latin-1 -*-
'\u00e9'
import os, sys
import other
print(ascii((__doc__, __file__, __name__, type(__loader__).__name__, __spec__, __package__, sys.argv, sys.path[:2])))
assert sys.modules["__main__"].__file__ == __file__
def fail():
    raise ValueError("as it was")
if "exit" in sys.argv:
    sys.exit(7)
if "raise" in sys.argv:
    fail()
"""


class Questions(unittest.TestCase):
    def test_each_command_is_a_function(self):
        _, text, _ = program("help")
        names = [line.split()[0] for line in text.splitlines() if line.startswith("  ") and line[2:3].islower()]
        self.assertIn("analyze", names)
        for name in (name.replace("-", "_") for name in names):
            function = getattr(etcore, name)
            self.assertIn("Options:", function.__doc__)
            self.assertIn(name, dir(etcore))
        with self.assertRaises(AttributeError):
            etcore.no_such_command

    def test_answers_are_those_of_the_program(self):
        for name, operands, words, options in (
                ("analyze", [RUN], ["--by", "module"], {"by": "module"}),
                ("analyze", [RUN], ["--where", "kind=gemm", "--top", "1"], {"where": ["kind=gemm"], "top": 1}),
                ("diff", [RUN, "--", DEBUG + "run.etdump"], [], {}),
                ("dump", [RUN], [], {}), ("explain", ["E0901"], [], {}), ("doctor", [RUN], ["--no-siblings"], {"no_siblings": True})):
            status, out, err = program(name, *operands, *words)
            if status == 2:
                self.fail(err)
            with self.subTest(name):
                answer = getattr(etcore, name)(*operands, **options)
                self.assertEqual((str(answer), answer.status), (out, status))
        self.assertEqual(etcore.analyze(RUN).json()["schema"], "etcore.analyze/1")

    def test_inputs_from_memory(self):
        with open(RUN, "rb") as f:
            self.assertEqual(etcore.analyze(f).json()["rows"], etcore.analyze(RUN, no_siblings=True).json()["rows"])

    def test_tables(self):
        answer = etcore.analyze(RUN)
        self.assertEqual(answer.tables(), ["rows", "paths", "runs", "events", "samples", "allocations", "files"])
        self.assertEqual(answer.arrow().to_pydict()["name"], [r["name"] for r in answer.json()["rows"]])
        samples = answer.arrow("samples").to_pydict()
        self.assertTrue(all(a <= b for a, b in zip(samples["start"], samples["end"])))
        for _ in range(3):
            capsule = answer.arrow("events").__arrow_c_stream__()
            self.assertIn("arrow_array_stream", repr(capsule))
        self.assertIn("<table>", answer._repr_html_())
        self.assertTrue(etcore.dump(RUN)._repr_html_().startswith("<pre>"))

    def test_what_a_check_finds_is_an_answer(self):
        with tempfile.TemporaryDirectory() as d:
            base = os.path.join(d, "base.etbase")
            etcore.baseline("save", RUN, output=base)
            answer = etcore.check(RUN, baseline=base)
            self.assertIn(answer.status, (0, 1, 11))
            self.assertEqual(bool(answer), answer.status == 0)
            self.assertTrue(answer.text)

    def test_wrong_options(self):
        with self.assertRaisesRegex(TypeError, "unexpected keyword"):
            etcore.analyze(RUN, no_such=1)
        with self.assertRaises(etcore.Error) as raised:
            etcore.analyze(RUN, by="no such")
        self.assertEqual((raised.exception.code, raised.exception.status), ("E0505", 2))

    def test_nothing_is_printed(self):
        code = ("import sys; sys.path.insert(0, 'python'); import etcore, warnings; warnings.simplefilter('ignore')\n"
                f"etcore.analyze({RUN!r}); etcore.Inspector({RUN!r}).event_blocks\n"
                "try: etcore.analyze('nothing')\nexcept etcore.Error: pass\n"
                "import signal; assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL\n")
        p = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual((p.returncode, p.stdout), (0, b""))

    def test_threads(self):
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(lambda _: document(etcore.Inspector(**files(MLP)[0])), range(16)))
        self.assertTrue(all(a == answers[0] for a in answers))
        self.assertEqual(threading.active_count(), 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], warnings="ignore")
