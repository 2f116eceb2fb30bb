#!/usr/bin/env python3
"""drop_in.py [--etcore …] -- compares etcore.Inspector with ExecuTorch's own class on every case of tests/data: each
attribute of each event by type and value, pandas frames, printed tables and TSV byte for byte, and exceptions.

$ETCORE_LIBRARY is the path of libetcore. live.sh makes the Python environment and starts this program.
"""
import argparse
import collections
import dataclasses
import glob
import io
import json
import math
import os
import random
import struct
import subprocess
import sys
import tempfile
import warnings
import zipfile

import changed
import live_dumps

sys.path.insert(0, "python")
warnings.simplefilter("ignore")

FIELDS = ("name", "op_types", "delegate_debug_identifier", "debug_handles", "num_outputs", "stack_traces",
          "module_hierarchy", "is_delegated_op", "delegate_backend_name", "_delegate_debug_metadatas", "debug_data",
          "_instruction_id", "start_time", "delegate_debug_metadatas", "raw_delegate_debug_metadatas")
STATS = ("raw", "p10", "p50", "p90", "avg", "min", "max")
tried, failed = collections.Counter(), []


def check(kind, what, wrong):
    tried[kind] += 1
    if wrong:
        failed.append(kind)
        if len(failed) < 40:
            print(f"differs: {kind}: {what}: {str(wrong)[:600]}", flush=True)


def differs(a, b, where=""):
    """Describes the first difference in type or value between `a` (expected) and `b`; None if there is none."""
    import torch

    if type(a) is not type(b):
        return f"{where}: {type(b).__name__} {b!r}, want {type(a).__name__} {a!r}"
    if isinstance(a, torch.Tensor):
        same = a.dtype == b.dtype and a.shape == b.shape and a.stride() == b.stride() and a.requires_grad == b.requires_grad and \
            a.detach().contiguous().reshape(-1).view(torch.uint8).equal(b.detach().contiguous().reshape(-1).view(torch.uint8)) \
            if a.numel() else a.dtype == b.dtype and a.shape == b.shape
        return None if same else f"{where}: {b!r}, want {a!r}"
    if isinstance(a, dict):
        if list(a) != list(b):
            return f"{where}: keys {list(b)}, want {list(a)}"
        return next(filter(None, (differs(a[k], b[k], f"{where}[{k!r}]") for k in a)), None)
    if isinstance(a, (list, tuple)):
        if len(a) != len(b):
            return f"{where}: {len(b)} items, want {len(a)}"
        return next(filter(None, (differs(x, y, f"{where}[{i}]") for i, (x, y) in enumerate(zip(a, b)))), None)
    if isinstance(a, float):
        same = struct.pack("<d", a) == struct.pack("<d", b) or math.isnan(a) and math.isnan(b)
        return None if same else f"{where}: {b!r}, want {a!r}"
    return None if a == b else f"{where}: {b!r}, want {a!r}"


def outcome(question):
    try:
        return question(), None
    except Exception as error:
        return None, error


def both(kind, what, real, ours, compare):
    """Calls a function of each class. The results must be equal, or the exceptions must have the same type."""
    a, refused = outcome(real)
    b, error = outcome(ours)
    if refused is None and error is None:
        check(kind, what, compare(a, b))
        return a, b
    check(kind + " raises" if refused else kind, what,
          None if type(refused) in type(error).__mro__ or like(refused, error) else
          f"raises {type(error).__name__}: {error}; want {type(refused).__name__}: {refused}")
    return None


def like(refused, error):
    """Returns whether `error` is an etcore.Error and `refused` an exception type of torch, executorch or subprocess, which
    etcore lacks."""
    import etcore

    return isinstance(error, etcore.Error) and (
        refused is not None and type(refused).__module__.partition(".")[0] in ("torch", "subprocess", "executorch"))


def walk(real, ours):
    wrong = differs([b.name for b in real.event_blocks], [b.name for b in ours.event_blocks])
    if wrong:
        return wrong
    for i, (a, b) in enumerate(zip(real.event_blocks, ours.event_blocks)):
        at = f"block {i}"
        wrong = differs([a.source_time_scale.value, a.target_time_scale.value, a.bundled_input_index, a.run_output, a.reference_output, len(a.events)],
                        [b.source_time_scale.value, b.target_time_scale.value, b.bundled_input_index, b.run_output, b.reference_output, len(b.events)], at)
        if wrong:
            return wrong
        for k, (e, f) in enumerate(zip(a.events, b.events)):
            for name in FIELDS:
                wrong = differs(getattr(e, name), getattr(f, name), f"{at} event {k} {e.name!r} {name}")
                if wrong:
                    return wrong
            if (e.perf_data is None) != (f.perf_data is None):
                return f"{at} event {k} perf_data"
            for name in STATS if e.perf_data is not None else ():
                wrong = differs(getattr(e.perf_data, name), getattr(f.perf_data, name), f"{at} event {k} {e.name!r} {name}")
                if wrong:
                    return wrong
            wrong = differs([list(vars(e)), list(vars(e.perf_data or e)), e._delegate_time_scale_converter(e.name, 7)],
                            [list(vars(f)), list(vars(f.perf_data or f)), f._delegate_time_scale_converter(f.name, 7)],
                            f"{at} event {k} {e.name!r} vars, converter")
            if wrong:
                return wrong
        wrong = differs(list(vars(a)), list(vars(b)), f"{at} vars")
        if wrong:
            return wrong
    return None


def frames(a, b):
    import pandas

    try:
        pandas.testing.assert_frame_equal(a, b, check_exact=True)
    except AssertionError as e:
        return str(e)
    except (ValueError, RuntimeError):  # cells with tensors, which pandas cannot compare
        return differs([list(map(str, a.columns)), list(map(str, a.dtypes)), a.to_dict("list")],
                       [list(map(str, b.columns)), list(map(str, b.dtypes)), b.to_dict("list")])
    return None


def written(inspector, method, units, data):
    f = io.StringIO(newline="\n")
    getattr(inspector, method)(f, include_units=units, include_delegate_debug_data=data)
    return f.getvalue()


def ways(folder):
    files = {"etdump_path": "run.etdump", "etrecord": "model.etrecord", "debug_buffer_path": "debug.bin"}
    full = {k: os.path.join(folder, v) for k, v in files.items() if os.path.exists(os.path.join(folder, v))}
    yield full
    if "etrecord" in full:
        yield {**full, "enable_module_hierarchy": True}
        yield {k: v for k, v in full.items() if k != "etrecord"}
    yield {**full, "delegate_time_scale_converter": lambda name, t: t / 7}
    yield {**full, "delegate_time_scale_converter": lambda name, t: t, "delegate_metadata_parser": lambda m: list(m)}
    yield {**full, "delegate_metadata_parser": lambda m: {"n": len(m), "text": str(m)}}


class Odd(Exception):
    pass


def raising(*_):
    raise Odd("as it was")


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--etcore")
    p.add_argument("--only", default="")
    args = p.parse_args()
    import etcore
    import executorch.devtools.inspector as theirs
    import logging

    logging.disable(logging.CRITICAL)
    folders = sorted(glob.glob("tests/data/cases/*/run.etdump") + glob.glob("tests/data/backends/cases/*/run.etdump"))
    for folder in map(os.path.dirname, folders):
        if args.only not in folder:
            continue
        for n, options in enumerate(ways(folder)):
            what = f"{folder} {n} {sorted(options)}"
            pair = both("constructor", what, lambda: theirs.Inspector(**options), lambda: etcore.Inspector(**options), lambda a, b: None)
            if not pair:
                continue
            real, ours = pair
            for units, data in ((True, False), (False, True)):
                for method in ("print_data_tabular", "save_data_to_tsv"):
                    both(method, what, lambda: written(real, method, units, data), lambda: written(ours, method, units, data), differs)
            both("to_dataframe, not touched", what, lambda: real.to_dataframe(), lambda: ours.to_dataframe(), frames)
            check("attributes", what, walk(real, ours))
            for units, data in ((True, False), (False, True)):
                both("to_dataframe", what, lambda: real.to_dataframe(units, data), lambda: ours.to_dataframe(units, data), frames)
            if n == 0:
                for block, own in zip(real.event_blocks, ours.event_blocks):
                    del block.events[1:], own.events[1:]
                for method in ("print_data_tabular", "save_data_to_tsv"):
                    both("changed events", what, lambda: written(real, method, True, False), lambda: written(ours, method, True, False), differs)
            for module in ("", "L__self__", "no such module"):
                both("find_total_for_module", what, lambda: real.find_total_for_module(module), lambda: ours.find_total_for_module(module), differs)
            both("get_op_list", what, lambda: real.get_op_list("Execute"), lambda: ours.get_op_list("Execute"), differs)
    arguments(etcore, theirs)
    classes(etcore, theirs)
    damaged(etcore, theirs)
    numeric(etcore, theirs)
    for (what, real), ours in zip(changed.questions(theirs).items(), changed.questions(etcore).values()):
        both("subclasses and changes", what, real, ours, differs)
    for kind in sorted(tried):
        print(f"{kind:28} {tried[kind] - failed.count(kind):6} / {tried[kind]}")
    print(f"{sum(tried.values()) - len(failed)} passed, {len(failed)} failed")
    return bool(failed)


def arguments(etcore, theirs):
    """Wrong arguments and raising callables: both classes must raise the same exceptions."""
    run = "tests/data/backends/cases/coreml_basic/run.etdump"
    record = "tests/data/cases/mlp_portable/model.etrecord"
    bad = [{}, {"etdump_path": run, "etdump_data": b""}, {"etdump_path": "no such file"}, {"etdump_path": 1.5},
           {"etdump_path": run, "etrecord": 5}, {"etdump_path": run, "etrecord": "no such file"},
           {"etdump_path": run, "debug_buffer_path": "no such file"},
           {"etdump_path": run, "delegate_time_scale_converter": raising},
           {"etdump_path": run, "source_time_scale": "CYCLES"}, {"wrong": 1}]

    def same(a, b):
        return None if type(a) is type(b) and str(a).replace("Inspector.__init__()", "") == str(b).replace("Inspector.__init__()", "") else f"{b!r}, want {a!r}"

    def makes(inspector, scale, options):
        options = {k: scale.CYCLES if v == "CYCLES" else v for k, v in options.items()}
        return outcome(lambda: inspector(**options))[1]

    for options in bad:
        check("arguments", sorted(options.items(), key=str), same(makes(theirs.Inspector, theirs.TimeScale, options), makes(etcore.Inspector, etcore.TimeScale, options)))
    for ask in (lambda i: i.to_dataframe(include_delegate_debug_data=True), lambda i: i.print_data_tabular(include_delegate_debug_data=True)):
        a, b = (outcome(lambda: ask(c(run, delegate_metadata_parser=raising)))[1] for c in (theirs.Inspector, etcore.Inspector))
        check("arguments", "a parser that raises", same(a, b))
    assert os.path.exists(record)
    with open(run, "rb") as f:
        data = f.read()
    a, b = theirs.Inspector(etdump_data=data), etcore.Inspector(etdump_data=data)
    check("arguments", "etdump_data", walk(a, b))
    with open(run, "rb") as f:
        check("arguments", "a file object", walk(a, etcore.Inspector(etdump_data=f)))


def damaged(etcore, theirs):
    """Damaged records, debug buffers and dumps: both classes must raise exceptions of the same type."""
    folder = "tests/data/cases/debug_xnnpack"
    with open(f"{folder}/model.etrecord", "rb") as f:
        record = f.read()
    with open(f"{folder}/debug.bin", "rb") as f:
        buffer = f.read()

    def packed(changed, data):
        out = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(record)) as z, zipfile.ZipFile(out, "w") as w:
            for name in z.namelist():
                if name != changed:
                    w.writestr(name, z.read(name))
                elif data is not None:
                    w.writestr(name, data)
        return out.getvalue()

    records = {"empty": b"", "text": b"hello", "json": b"{}", **{f"cut {n}": record[:-n] for n in (1, 30, 20000)}}
    for entry in zipfile.ZipFile(io.BytesIO(record)).infolist():
        name, middle = entry.filename, entry.header_offset + 30 + len(entry.filename) + entry.compress_size // 2
        if name != "export_graph_id":  # the Inspector does not read this entry
            records.update({f"{name}: {data}": packed(name, data) for data in (None, b"{oops", b"", b"[]", b"null")})
        if entry.file_size > 20 and not name.endswith(("_state_dict", "_constants", "_example_inputs")):
            records[f"{name}: a changed byte"] = record[:middle] + bytes([record[middle] ^ 0x55]) + record[middle + 1:]
    with tempfile.TemporaryDirectory() as there:
        path = os.path.join(there, "file")
        cases = [("etrecord", what, data) for what, data in records.items()]
        cases += [("debug_buffer_path", f"{n} bytes", buffer[:n]) for n in (0, 1, len(buffer) // 2, len(buffer) - 1)]
        for option, what, data in cases:
            with open(path, "wb") as f:
                f.write(data)
            options = {"etdump_path": f"{folder}/run.etdump", option: path}
            both("damaged", f"{option} {what}", lambda: theirs.Inspector(**options), lambda: etcore.Inspector(**options), walk)
        for seed in range(400):  # values of two types in two runs: some the Inspector cannot compare
            made = os.path.join(there, str(seed))
            os.mkdir(made)
            live_dumps.mixed_values(random.Random(seed), made)
            options = {"etdump_path": f"{made}/run.etdump"}
            if os.path.exists(f"{made}/debug.bin"):
                options["debug_buffer_path"] = f"{made}/debug.bin"
            both("mixed values", f"seed {seed}", lambda: theirs.Inspector(**options), lambda: etcore.Inspector(**options), walk)
        whole = {"etdump_path": f"{folder}/run.etdump"}
        for name in ("no folder/x.tsv", "no folder/x.tsv.gz", "x.tsv", ""):
            both("save_data_to_tsv", name, *(lambda c=c: c.Inspector(**whole).save_data_to_tsv(os.path.join(there, name))
                                             for c in (theirs, etcore)), differs)


def classes(etcore, theirs):
    """Compares public attributes and dataclass fields of the classes, and checks that members of both TimeScale classes are
    equal."""
    for name in ("PerfData", "Event", "EventBlock", "Inspector"):
        real, own = getattr(theirs, name), getattr(etcore, name)
        names = [n for n in dir(real) if not n.startswith("_") or n in getattr(real, "__dataclass_fields__", ())]
        for n in names:
            a, b = getattr(real, n), getattr(own, n, "nothing")
            check("class attributes", f"{name}.{n}", None if a == b or isinstance(b, type(a)) and (callable(a) or hasattr(a, "__get__")) else f"{b!r}, want {a!r}")
        check("class attributes", name, differs([f.name for f in dataclasses.fields(real)], [f.name for f in dataclasses.fields(own)])
              if dataclasses.is_dataclass(real) else None)
    for scale in theirs.TimeScale:
        check("class attributes", scale, None if {scale: 1}.get(etcore.TimeScale(scale.value)) else "not equal")


def numeric(etcore, theirs):
    """Compares calculate_numeric_gap for distances given by name, as etcore's comparators, and as a user's comparator; and
    the graphs of the record."""
    import etcore.numerical_comparator as own
    import executorch.devtools.inspector.numerical_comparator as real

    def mine(base):
        class Mine(base):
            def element_compare(self, a, b):
                assert self.inspector is not None
                return float((a - b).abs().max())
        return Mine()

    folder = "tests/data/cases/debug_xnnpack"
    options = dict(zip(("etdump_path", "etrecord", "debug_buffer_path"), (f"{folder}/{n}" for n in ("run.etdump", "model.etrecord", "debug.bin"))))
    a, b = theirs.Inspector(**options), etcore.Inspector(**options)
    for x, y in (("MSE", "mse"), ("L1", "L1"), ("SNR", " snr "), (real.MSEComparator(), own.MSEComparator()), ("L1", own.L1Comparator()),
                 ("SNR", own.SNRComparator()), (mine(real.NumericalComparatorBase), mine(own.NumericalComparatorBase)), ("cosine", "cosine"), (5, 5)):
        both("calculate_numeric_gap", y, lambda: a.calculate_numeric_gap(x), lambda: b.calculate_numeric_gap(y), frames)
    with tempfile.TemporaryDirectory() as scratch:  # made on this machine, because torch's rounding depends on the processor
        values = os.path.join(scratch, "references.safetensors")
        subprocess.run([sys.executable, "-W", "ignore", "sdk/python/record_references.py", options["etrecord"], "-o", values], check=True, capture_output=True)
        recorded = b.calculate_numeric_gap("MSE", reference_values=values)
    check("calculate_numeric_gap", "reference values", differs(a.calculate_numeric_gap("MSE")["gap"].tolist(), recorded["gap"].tolist()))
    check("get_exported_program", "edge", differs(str(a.get_exported_program().graph), str(b.get_exported_program().graph)))
    check("get_exported_program", "none", differs(a.get_exported_program("x"), b.get_exported_program("x")))
    from executorch.devtools.etrecord import parse_etrecord
    record = {**options, "etrecord": parse_etrecord(options["etrecord"])}
    check("attributes", "an ETRecord object", walk(theirs.Inspector(**record), etcore.Inspector(**record)))
    with open(options["etrecord"], "rb") as f:
        c = etcore.Inspector(**{**options, "etrecord": f})
    check("op_graph_dict", "a file object", differs(str(a.op_graph_dict), str(c.op_graph_dict)))
    check("op_graph_dict", "a path", differs(str(a.op_graph_dict), str(b.op_graph_dict)))
    del options["etrecord"]
    check("op_graph_dict", "none", differs(theirs.Inspector(**options).op_graph_dict, etcore.Inspector(**options).op_graph_dict))


if __name__ == "__main__":
    sys.exit(main())
