"""Compares `etcore inspector` with a section [backend.ID] of an INI file, and the live Inspector with equivalent callables.

Run by tests/live.py, with ExecuTorch. Time scale and tick rate of a backend
correspond to a delegate_time_scale_converter, `metadata` and `column.*` to a delegate_metadata_parser. Table and TSV must
be equal byte for byte.
"""
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
from share import share  # noqa: E402
DATA = os.path.join(ROOT, "tests", "data")
PER_SECOND = {"ns": 1e9, "us": 1e6, "ms": 1e3, "s": 1.0}


def first(blobs):
    return next((b for b in blobs if b), b"")


def text(blobs):
    return {"text": first(blobs).decode()} if first(blobs) else {}


def size(blobs):
    return {"hex": first(blobs).hex()} if first(blobs) else {}


def without_nul(blob):
    return blob.rstrip(b"\0").decode()


def json_or_hex(blob):
    try:
        return json.loads(without_nul(blob))
    except ValueError:
        return blob.hex()


# `metadata = FORM` without columns gives a list with the logged value of each run: None if a run has no value,
# hexadecimal text if the value does not have that form.
FORMS = {
    "text": without_nul,
    "json": json_or_hex,
    "hex": bytes.hex,
    "list": list,
    "u8": lambda b: b[0] if len(b) == 1 else b.hex(),
}


def each(form):
    return lambda blobs: [FORMS[form](b) if b else [] if form == "list" else None for b in blobs]


def neutron(blobs):
    """Returns what the NXP plugin gives for these metadata, plus the column `first` of the INI file."""
    said = ["Invalid metadata size" if len(b) != 1 else f"Neutron kernel {b[0]}" if b[0] else "Profiling dump" for b in blobs]
    return {"delegate_debug_metadata": said, "first": first(blobs)[0]}


def by_suffix(target):
    """Returns QNN's converter: it converts times whose name ends in " (us)" from microseconds to `target`, and leaves
    bytes, counts, cycles and other values as logged."""
    scale = {"ns": lambda t: t * 1000, "us": lambda t: t, "ms": lambda t: t / 1000, "s": lambda t: t / 1000000}[target]
    return lambda name, time: scale(time) if str(name).endswith(" (us)") else time


QNN = open(os.path.join(ROOT, "conf", "examples", "qnn.ini"), encoding="utf-8").read().split("[backend.QnnBackend]")[1]


def cases():
    """Yields (folder of the dump, backend, INI lines, source scale, target scale, ticks per second or converter, parser,
    arguments ...)."""
    for target in ("ns", "us", "ms", "s"):
        for ini, plugin in (("", ("--plugin", "qnn")), (QNN, ()), ("owner = none\n" + QNN.split("none", 1)[1], ("--plugin", "qnn"))):
            yield ("backends/cases/qnn_htp_detailed", "QnnBackend", ini, "ns", target, by_suffix(target), None, *plugin)
    for case, backend, forms in (("demo_int_ids", "DemoIntBackend", ("text", "hex", "list")),
                                 ("neutron_int", "NeutronBackend", ("hex", "list", "u8")),
                                 ("coreml_basic", "CoreMLBackend", ("text", "json", "hex", "list")),
                                 ("coreml_partial", "CoreMLBackend", ("text", "json", "hex", "list"))):
        for form in forms:
            yield f"backends/cases/{case}", backend, f"metadata = {form}\n", "ns", "ms", None, each(form)
    yield "backends/cases/demo_int_ids", "DemoIntBackend", "metadata = none\n", "ns", "ms", None, None
    yield ("backends/cases/neutron_int", "NeutronBackend", "metadata = list\ncolumn.first = /0 : i64\n", "ns", "ms", None,
           neutron, "--plugin", "nxp")
    for case, backend in (("cases/mlp_xnnpack", "XnnpackBackend"), ("cases/conv_net_xnnpack", "XnnpackBackend")):
        for scale in PER_SECOND:
            for target in ("ns", "ms", "s"):
                yield case, backend, f"source_time_scale = {scale}\n", "ns", target, PER_SECOND[scale], None
        yield case, backend, "source_time_scale = cycles\nticks_per_second = 24000000\n", "ns", "ms", 24e6, None
        yield case, backend, "source_time_scale = ticks\nticks_per_second = 19200000\n", "us", "us", 19.2e6, None
        yield case, backend, "unit.us = .\n", "ns", "ms", 1e6, None
        yield case, "AnotherBackend", "source_time_scale = us\n", "ns", "ms", None, None
    for case, probe in (("cases/mlp_xnnpack", ""), ("backends/cases/metadata_columns", "probe = .\n")):
        yield case, "XnnpackBackend", probe + "metadata = text\ncolumn.text = metadata : str\n", "ns", "ms", None, text
        yield case, "XnnpackBackend", probe + "metadata = hex\ncolumn.hex = metadata : str\n", "ns", "ms", None, size
        yield case, "XnnpackBackend", probe + "source_time_scale = us\nmetadata = hex\ncolumn.hex = metadata : str\n", "ns", "ms", 1e6, size


def live(etcore):
    from executorch.devtools import Inspector
    from executorch.devtools.inspector import TimeScale
    import io
    import logging
    import warnings
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    bad = done = 0
    for case, backend, ini, source, target, per_second, parser, *plugin in share(cases()):
        folder = os.path.join(DATA, case)
        dump, record = os.path.join(folder, "run.etdump"), os.path.join(folder, "model.etrecord")
        record = record if os.path.exists(record) else None
        converter = None
        if callable(per_second):
            converter = per_second
        elif per_second:
            factor = per_second / PER_SECOND[target]
            converter = lambda name, time, factor=factor: time / factor  # noqa: E731
        inspector = Inspector(etdump_path=dump, etrecord=record, source_time_scale=TimeScale(source),
                              target_time_scale=TimeScale(target), delegate_metadata_parser=parser,
                              delegate_time_scale_converter=converter)
        table, tsv = io.StringIO(), io.StringIO()
        inspector.print_data_tabular(table, include_delegate_debug_data=True)
        inspector.save_data_to_tsv(tsv, include_delegate_debug_data=True)
        with tempfile.TemporaryDirectory() as tmp:
            with open(os.path.join(tmp, "a.ini"), "w", encoding="utf-8") as f:
                f.write(f"[backend.{backend}]\n{ini}")
            for form, expected in (("table", table.getvalue()), ("tsv", tsv.getvalue())):
                argv = [etcore, "inspector", "--etdump_path", dump, "-c", os.path.join(tmp, "a.ini"), "-o", form,
                        "--source_time_scale", source, "--target_time_scale", target, "--include-delegate-debug-data",
                        "yes", *plugin] + (["--etrecord_path", record] if record else [])
                p = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                warned, done = b"W0555" in p.stderr, done + 1
                matches = backend != "AnotherBackend"
                if p.stdout.decode() != expected or p.returncode or matches == warned:
                    bad += 1
                    mine, theirs = p.stdout.decode().split("\n"), expected.split("\n")
                    print(f"FAILED {case} [backend.{backend}] {ini!r} {source} to {target}, {form}, warned {warned}")
                    print(next((f"  {a}\n  {b}" for a, b in zip(mine, theirs) if a != b), p.stderr.decode()))
    print(f"{done} answers, {bad} differ")
    return bad != 0
