"""changed - how programs modify an Inspector: subclasses, replaced methods, changed and deleted fields, pickles."""
import copy
import io
import mmap
import os
import pickle
import shutil
import tempfile
import threading
import unittest.mock

RUN = "tests/data/cases/mlp_xnnpack/run.etdump"
DEBUG = "tests/data/cases/debug_mlp/"
RECORD = "tests/data/cases/mlp_portable/model.etrecord"


def half(_, ticks):
    return ticks / 2


def tables(inspector):
    out = [io.StringIO(), io.StringIO()]
    inspector.print_data_tabular(file=out[0])
    inspector.save_data_to_tsv(out[1])
    return [o.getvalue() for o in out]


def events(inspector):
    return [e for b in inspector.event_blocks for e in b.events]


def head(method, rows):
    return lambda *a, **k: method(*a, **k).head(rows)


def changed(inspector, change):
    """Returns the Inspector's tables after every event was changed by `change`."""
    for event in events(inspector):
        change(event)
    return tables(inspector)


def named(before):
    def asdict(self, _units=""):
        return {**before(self, _units), "event_name": "another"}
    return asdict


def questions(m):
    """Returns {name: function that does the change and returns the result} for module `m` (executorch.devtools.inspector or
    etcore)."""
    import numpy

    def fresh(**options):
        return m.Inspector(RUN, **options)

    class Execute(m.Inspector):
        def to_dataframe(self, *a, **k):
            frame = super().to_dataframe(*a, **k)
            return frame[frame.event_block_name == "Execute"]

    class Bare(m.Inspector):
        def __init__(self, blocks):
            self.event_blocks = blocks

    class First(m.Inspector):
        @property
        def event_blocks(self):
            return self._first

        @event_blocks.setter
        def event_blocks(self, blocks):
            self._first = blocks[:1]

    class Named(m.Event):
        def asdict(self, _units=""):
            return {**super().asdict(_units), "event_name": "of a subclass"}

    class Flat(m.PerfData):
        @property
        def avg(self):
            return 42.0

    def replaced(owner, name, code):
        with unittest.mock.patch.object(owner, name, code):
            return tables(fresh())

    def patched():
        i = fresh()
        i.to_dataframe = head(i.to_dataframe, 3)
        return tables(i)

    def patched_block():
        i = fresh()
        i.event_blocks[1].to_dataframe = head(i.event_blocks[1].to_dataframe, 1)
        return tables(i)

    def other_event():
        i = fresh()
        e = i.event_blocks[1].events[0]
        i.event_blocks[1].events[0] = Named(e.name, e.perf_data, _start_time=e._start_time)
        return tables(i)

    def made_without():
        i = m.Inspector.__new__(m.Inspector)
        i.event_blocks = fresh().event_blocks[1:]
        return tables(i)

    def deleted(name, see):
        e = fresh().event_blocks[1].events[0]
        delattr(e, name)
        return see(e)

    def other_fields():
        e = fresh().event_blocks[1].events[0]
        e.__dict__ = {"name": "q"}
        return e.name, e.perf_data

    def of_vars():
        i = fresh()
        i.event_blocks  # noqa: B018
        vars(i)["event_blocks"] = []
        return i.event_blocks

    def no_blocks():
        i = fresh()
        i.event_blocks  # noqa: B018
        del i.event_blocks

    def pickled(of, protocol):
        return pickle.loads(pickle.dumps(of(fresh(delegate_time_scale_converter=half)), protocol))

    def touched_by_threads():
        i, barrier, seen = fresh(), threading.Barrier(6), set()

        def touch():
            barrier.wait()
            e = i.event_blocks[1].events[1]
            seen.add((id(i.event_blocks), id(e), id(e.perf_data), id(e.op_types)))
        threads = [threading.Thread(target=touch) for _ in range(6)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        return len(seen)

    def of_a_record_that_is(gone, ask):
        with tempfile.TemporaryDirectory() as folder:
            path = shutil.copy(DEBUG + "model.etrecord", folder)
            i = m.Inspector(DEBUG + "run.etdump", etrecord=path, debug_buffer_path=DEBUG + "debug.bin")
            os.remove(path)
            if not gone:
                shutil.copy(RECORD, path)
            return ask(i)

    def mapped():
        with open(RUN, "rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as data:
            return [tables(m.Inspector(etdump_data=data)) for _ in range(2)]

    def set_all(**values):
        def change(event):
            for name, value in values.items():
                setattr(event, name, value(getattr(event, name)))
        return lambda: changed(fresh(), change)

    def set_raw(make):
        def change(event):
            event.perf_data.raw = make(event.perf_data.raw)
        return lambda: changed(fresh(), change)

    with open(RUN, "rb") as f:
        data = f.read()
    return {
        "a subclass's to_dataframe": lambda: tables(Execute(RUN)),
        "an object's to_dataframe": patched,
        "a block's to_dataframe": patched_block,
        "a subclass of Event": other_event,
        "a subclass of PerfData": lambda: changed(fresh(), lambda e: setattr(e, "perf_data", Flat(e.perf_data.raw))),
        "Event.asdict replaced": lambda: replaced(m.Event, "asdict", named(m.Event.asdict)),
        "EventBlock.to_dataframe replaced": lambda real=m.EventBlock.to_dataframe: replaced(
            m.EventBlock, "to_dataframe", lambda self, *a, **k: real(self, *a, **k).head(1)),
        "PerfData.p50 replaced": lambda: replaced(m.PerfData, "p50", property(lambda self: 1.5)),
        "no constructor called": lambda: tables(Bare(fresh().event_blocks[:1])),
        "made by __new__": made_without,
        "no blocks": lambda: m.Inspector.__new__(m.Inspector).event_blocks,
        "a property of a subclass": lambda: tables(First(RUN)),
        "fields of another type": set_all(_start_time=lambda v: list(map(float, v)), is_delegated_op=lambda v: int(bool(v))),
        "arrays": set_raw(numpy.array),
        "float32": set_raw(lambda v: list(map(numpy.float32, v))),
        "fields that were touched": lambda: changed(fresh(), lambda e: (e.perf_data, e.op_types, e.start_time)),
        "a pickled Inspector": lambda: tables(pickled(lambda i: i, 4)),
        **{f"pickled times, protocol {p}": lambda p=p: pickled(lambda i: events(i)[1].perf_data, p).raw for p in range(5)},
        "a pickled event": lambda: pickled(lambda i: events(i)[1], 2).perf_data.raw,
        "a copy": lambda: tables(copy.copy(fresh())),
        "a deep copy": lambda: tables(copy.deepcopy(fresh(delegate_time_scale_converter=half))),
        "times deleted": lambda: deleted("perf_data", lambda e: (e.perf_data, e.asdict()["avg"])),
        "a name deleted": lambda: deleted("name", lambda e: list(vars(e))),
        "__dict__ set": other_fields,
        "event_blocks in vars()": of_vars,
        "event_blocks deleted": no_blocks,
        "objects of threads": touched_by_threads,
        "a graph without a hash": lambda: m.Inspector(RUN, etrecord=RECORD, reference_graph_name=[]),
        "a graph with NUL": lambda: m.Inspector(RUN, etrecord=RECORD, reference_graph_name="a\0b"),
        **{f"{name} of a record that is {how}": lambda gone=gone, ask=ask: of_a_record_that_is(gone, ask)
           for how, gone in (("gone", True), ("replaced", False)) for name, ask in (
               ("a gap", lambda i: i.calculate_numeric_gap("MSE")["gap"].tolist()),
               ("a program", lambda i: str(i.get_exported_program().graph)), ("graphs", lambda i: str(i.op_graph_dict)))},
        "an mmap, twice": mapped,
        "bytes with steps": lambda: m.Inspector(etdump_data=memoryview(data)[::2]),
        "an infinite number that was logged": lambda: m.Inspector("tests/data/edge/scalar_inf.etdump"),
        "a TSV that is a URL": lambda: fresh().save_data_to_tsv("file:///tmp/x.tsv"),
    }
