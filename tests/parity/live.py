#!/usr/bin/env python3
"""Parity with the live Inspector: exports and runs new models, and compares every answer byte for byte.

    live.py --etcore build/etcore [--seed N] [--seconds CPU] [--only RECIPE] [--keep FOLDER]

Needs the ExecuTorch that live.sh installs. Each round runs all recipes of live_models.py with other shapes, until the CPU
time is used up. Prints identical / total per kind of answer; any difference is a failure.
With $ETCORE_LIBRARY, the Python package's class is also compared with the real one, attribute by attribute of each event.
"""

import argparse
import collections
import hashlib
import io
import json
import logging
import math
import os
import random
import struct
import subprocess
import sys
import tempfile
import time
import traceback
import warnings

import live_numeric

SCALES = ["ns", "us", "ms", "s", "cycles"]
COMBOS = [(units, debug) for units in (True, False) for debug in (False, True)]
WALKED = 50  # models that must at least be compared attribute by attribute
SHOWN = 12  # number of differences that are printed in full


# ------------------------------------------------------------- the Inspector's side


def tensor_bytes(tensor):
    import torch

    data = tensor.detach().contiguous()
    return data.reshape(-1).view(torch.uint8).numpy().tobytes() if data.numel() else b""


def value(v):
    """Returns a debug value in the form of `etcore inspector -o json`: a tensor as dtype, shape and SHA-256."""
    import torch

    if isinstance(v, torch.Tensor):
        return {"dtype": str(v.dtype).removeprefix("torch."), "shape": list(v.shape),
                "sha256": hashlib.sha256(tensor_bytes(v)).hexdigest()}
    if isinstance(v, (list, tuple)):
        return [value(x) for x in v]
    return v


def csv_cell(v):
    """Replaces tensors in debug data by objects that print as `dtype[shape] sha256`, as in etcore's CSV."""
    import torch

    class Shown:
        def __init__(self, text):
            self.text = text

        def __repr__(self):
            return self.text

    if isinstance(v, torch.Tensor):
        d = value(v)
        return Shown(f"{d['dtype']}[{','.join(map(str, d['shape']))}] {d['sha256']}")
    if isinstance(v, (list, tuple)):
        return type(v)(csv_cell(x) for x in v)
    return v


def stack(s):
    return None if s is None else {k: list(v) for k, v in s.items()}


def event(e):
    perf = None
    if e.perf_data is not None:
        perf = {"raw": list(map(number, e.perf_data.raw))}
        perf.update((name, number(getattr(e.perf_data, name))) for name in ("p10", "p50", "p90", "avg", "min", "max"))
    handles = e.debug_handles
    return {
        "name": e.name, "perf_data": perf, "op_types": list(e.op_types),
        "delegate_debug_identifier": e.delegate_debug_identifier,
        "debug_handles": list(handles) if isinstance(handles, (list, tuple)) else handles,
        "num_outputs": e.num_outputs, "stack_traces": dict(e.stack_traces),
        "module_hierarchy": {k: stack(v) for k, v in e.module_hierarchy.items()},
        "is_delegated_op": e.is_delegated_op, "delegate_backend_name": e.delegate_backend_name,
        "delegate_debug_metadatas": [m.hex() if isinstance(m, bytes) else m for m in e._delegate_debug_metadatas],
        "start_time": e.start_time, "instruction_id": e._instruction_id, "debug_data": value(e.debug_data),
    }


def number(v):
    """Converts a numpy scalar to a Python number; other values are returned as they are."""
    return v.item() if hasattr(v, "item") else v


def document(inspector):
    return {"schema": "etcore.inspector/1", "blocks": [
        {"name": b.name, "source_time_scale": b.source_time_scale.value, "target_time_scale": b.target_time_scale.value,
         "bundled_input_index": b.bundled_input_index, "run_output": value(b.run_output),
         "reference_output": value(b.reference_output),
         "events": [event(e) for e in b.events]} for b in inspector.event_blocks]}


def ask(question):
    """Calls `question`. Returns (result, None), or (None, the exception that it raised)."""
    try:
        return question(), None
    except Exception as error:  # of the Inspector, or of a library that it calls
        return None, error


def table(inspector, units, debug):
    f = io.StringIO(newline="\n")
    inspector.print_data_tabular(f, include_units=units, include_delegate_debug_data=debug)
    return f.getvalue().encode()


def tsv(inspector, units, debug):
    f = io.StringIO(newline="\n")
    inspector.save_data_to_tsv(f, include_units=units, include_delegate_debug_data=debug)
    return f.getvalue().encode()


def csv(inspector, units, debug):
    df = inspector.to_dataframe(units, debug)
    if "debug_data" in df.columns:
        df["debug_data"] = [csv_cell(v) for v in df["debug_data"]]
    f = io.StringIO(newline="\n")
    df.to_csv(f, lineterminator="\n")
    return f.getvalue().encode()


# -------------------------------------------------------------------- etcore's side


class Score:
    def __init__(self, etcore):
        self.etcore = etcore
        self.identical, self.total = collections.Counter(), collections.Counter()
        self.shown = 0
        self.walked, self.walking = set(), 0.0  # folders of the models that were compared; CPU seconds of comparing them

    def etcore_says(self, arguments):
        p = subprocess.run([self.etcore, "inspector", *arguments], capture_output=True, stdin=subprocess.DEVNULL, timeout=120)
        return p.stdout, p.stderr.decode("utf-8", "replace"), p.returncode

    def count(self, kind, same, what):
        self.total[kind] += 1
        self.identical[kind] += bool(same)
        if not same and self.shown < SHOWN:
            self.shown += 1
            print(f"differs: {kind}: {what}", flush=True)

    def bytes(self, kind, arguments, question):
        """Asks both sides one question: they must print equal bytes, or both must fail."""
        want, error = ask(question)
        if error is not None:
            self.refusal(kind, arguments, error)
            return
        got, said, status = self.etcore_says(arguments)
        self.count(kind, status == 0 and got == want,
                   f"etcore inspector {' '.join(arguments)}: status {status} {said[:300]}{first_difference(want, got)}")

    def refusal(self, kind, arguments, error):
        got, said, status = self.etcore_says(arguments)
        self.count("exceptions", status == 10 and got == b"" and "error[E08" in said,
                   f"etcore inspector {' '.join(arguments)}: status {status} {said[:300]} where the Inspector's {kind} raises "
                   f"{type(error).__name__}: {str(error)[:200]}")


def first_difference(want, got):
    a, b = want.decode("utf-8", "replace").splitlines(), got.decode("utf-8", "replace").splitlines()
    for i, (x, y) in enumerate(zip(a, b)):
        if x != y:
            at = next((k for k, (c, d) in enumerate(zip(x, y)) if c != d), min(len(x), len(y)))
            return f"\n  line {i + 1}, column {at + 1}\n  want ...{x[max(0, at - 40):at + 80]}\n  got  ...{y[max(0, at - 40):at + 80]}"
    return f"\n  {len(a)} lines wanted, {len(b)} printed"


def differing(want, got, path=""):
    """Describes the first place where two JSON documents differ in value, type or order of members; None if there is none."""
    if isinstance(want, float) and not isinstance(got, bool):
        if not math.isfinite(want):
            return None if got == ("nan" if math.isnan(want) else "inf" if want > 0 else "-inf") else f"{path}: {got!r}, want {want!r}"
        same = isinstance(got, (int, float)) and struct.pack("<d", want) == struct.pack("<d", got)
        return None if same else f"{path}: {got!r}, want {want!r}"
    if type(want) is not type(got):
        return f"{path}: {got!r}, want {want!r}"[:400]
    if isinstance(want, dict):
        if list(want) != [k for k in got if k != "delegate_metadata_parsed"]:
            return f"{path}: members {list(got)}, want {list(want)}"[:400]
        return next(filter(None, (differing(want[k], got[k], f"{path}.{k}") for k in want)), None)
    if isinstance(want, list):
        if len(want) != len(got):
            return f"{path}: {len(got)} items, want {len(want)}"
        return next(filter(None, (differing(w, g, f"{path}[{i}]") for i, (w, g) in enumerate(zip(want, got)))), None)
    return None if want == got else f"{path}: {got!r}, want {want!r}"[:400]


def compare_json(score, arguments, inspector):
    want, error = ask(lambda: document(inspector))
    if error is not None:
        raise error
    got, said, status = score.etcore_says([*arguments, "-o", "json"])
    try:
        wrong = differing(want, json.loads(got)) if status == 0 else f"status {status} {said[:300]}"
    except ValueError as e:
        wrong = f"not JSON: {e}"
    score.count("json", wrong is None, f"etcore inspector {' '.join(arguments)} -o json: {wrong}")


def compare_modules(score, rng, arguments, inspector):
    names = sorted({k for b in inspector.event_blocks for e in b.events for s in e.module_hierarchy.values() for k in s or ()})
    for name in [*rng.sample(names, min(3, len(names))), *[n[: len(n) // 2] for n in names[-1:]], "no_such_module", ""]:
        total, error = ask(lambda: number(inspector.find_total_for_module(name)))
        asked = [*arguments, "--module", name]
        if error is not None:
            score.refusal("find_total_for_module", asked, error)
            continue
        got, said, status = score.etcore_says(asked)
        try:
            same = status == 0 and differing(float(total), float(got), "") is None if math.isfinite(total) else \
                got.strip() == repr(total).encode()
        except ValueError:
            same = False
        score.count("modules", same, f"etcore inspector {' '.join(asked)}: {got[:60]!r} {said[:200]}, want {total!r}")


def walk(score, options, inspector, refused):
    """Compares etcore.Inspector with the real class: all events must have equal attributes, or both must raise exceptions
    of one type."""
    if not os.environ.get("ETCORE_LIBRARY"):
        return
    import drop_in
    import etcore

    began = time.process_time()
    ours, error = ask(lambda: etcore.Inspector(**options))
    if refused is None and error is None:
        wrong = drop_in.walk(inspector, ours)
        score.walked.add(os.path.dirname(options["etdump_path"]))
    else:
        same = type(refused) in type(error).__mro__ or drop_in.like(refused, error)
        wrong = None if same else f"raises {error!r}, want {refused!r}"
    score.walking += time.process_time() - began
    score.count("etcore.Inspector", wrong is None, f"{options}: {wrong}")


def compare(score, rng, arguments, options, every):
    """Compares the answers for one way to open a set of files. `every`: with all combinations of table options, else with a
    random one."""
    from executorch.devtools import Inspector

    inspector, error = ask(lambda: Inspector(**options))
    walk(score, options, inspector, error)
    if error is not None:
        score.refusal("constructor", [*arguments, "-o", rng.choice(["table", "tsv", "csv", "json"])], error)
        return
    compare_json(score, arguments, inspector)
    for units, debug in COMBOS if every else rng.sample(COMBOS, 1):
        switches = [f"--include-units={'yes' if units else 'no'}", "--include-delegate-debug-data", "yes" if debug else "no"]
        for kind, question in (("table", table), ("tsv", tsv), ("csv", csv)):
            score.bytes(kind, [*arguments, "-o", kind, *switches], lambda: question(inspector, units, debug))
    compare_modules(score, rng, arguments, inspector)
    if every and "debug_buffer_path" in options and "etrecord" in options:
        live_numeric.compare_outputs(score, arguments, inspector)
        live_numeric.compare_gaps(score, os.path.dirname(options["etdump_path"]), arguments,
                                  lambda: Inspector(**options), value)


def compare_folder(score, rng, folder, other_record):
    """Opens the files of one model in different ways, and compares the answers for each way."""
    from executorch.devtools.inspector import TimeScale

    def ways():
        dump = os.path.join(folder, "run.etdump")
        record, buffer = (os.path.join(folder, n) for n in ("model.etrecord", "debug.bin"))
        base = ["--etdump_path", dump], {"etdump_path": dump}
        full = base
        if os.path.exists(record):
            full = [*full[0], "--etrecord_path", record], {**full[1], "etrecord": record}
        if os.path.exists(buffer):
            full = [*full[0], "--debug_buffer_path", buffer], {**full[1], "debug_buffer_path": buffer}
        yield *full, True
        if full is not base:
            yield *base, False
        if os.path.exists(record):
            yield [*full[0], "--enable_module_hierarchy"], {**full[1], "enable_module_hierarchy": True}, False
            graph = rng.choice(["aten_output/forward", "edge_output/forward", "no_such_graph"])
            yield [*full[0], "--reference_graph", graph], {**full[1], "reference_graph_name": graph}, False
        source, target = rng.choice(SCALES), rng.choice(SCALES)
        scaled = {"source_time_scale": TimeScale(source), "target_time_scale": TimeScale(target)}
        yield [*full[0], f"--source_time_scale={source}", "--target_time_scale", target], {**full[1], **scaled}, False
        if other_record:
            yield [*base[0], "--etrecord_path", other_record], {**base[1], "etrecord": other_record}, False

    for arguments, options, every in ways():
        compare(score, rng, arguments, options, every)


# ------------------------------------------------------------------------------ main


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--etcore", required=True)
    p.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    p.add_argument("--seconds", type=float, help=f"CPU time after which no further model is begun; default: 240, "
                   f"and {WALKED} models walked with etcore.Inspector")
    p.add_argument("--only", action="append", help="this recipe (repeatable)")
    p.add_argument("--keep", help="leave the models in this folder")
    args = p.parse_args()
    warnings.simplefilter("ignore")
    import torch
    import live_models
    import live_dumps  # noqa: F401: registers its recipe
    import live_programs

    logging.disable(logging.CRITICAL)
    print(f"seed {args.seed}, executorch {version('executorch')}, torch {version('torch')}", flush=True)
    score, models, broken, previous = Score(os.path.abspath(args.etcore)), 0, [], None
    names = args.only or list(live_models.RECIPES)
    scratch = tempfile.TemporaryDirectory(prefix="etcore-live-")
    root = args.keep or scratch.name
    least = WALKED if args.seconds is None and not args.only and os.environ.get("ETCORE_LIBRARY") else 0
    seconds = 240 if args.seconds is None else args.seconds

    def enough():
        return time.process_time() > seconds and len(score.walked) >= least

    for turn in range(1000):
        for name in names:
            if turn and enough():
                break
            rng = random.Random(f"{args.seed} {turn} {name}")
            torch.manual_seed(rng.getrandbits(32))
            torch._dynamo.reset()
            folder = os.path.join(root, f"{turn}-{name}")
            os.makedirs(folder, exist_ok=True)
            try:
                live_models.RECIPES[name][0](rng, folder)
            except Exception:
                broken.append(name)
                print(f"not made: {turn}-{name}: {traceback.format_exc().splitlines()[-1][:300]}", flush=True)
                continue
            models += 1
            compare_folder(score, rng, folder, previous)
            live_programs.compare(score, rng, folder)
            record = os.path.join(folder, "model.etrecord")
            previous = record if os.path.exists(record) else previous
        if enough():
            break
    if not args.only:
        compare_recording(score)
    if not models:
        print("no model")
    for kind in sorted(score.total):
        print(f"{kind:12} {score.identical[kind]:6} / {score.total[kind]}")
    wrong = sum(score.total.values()) - sum(score.identical.values()) + len(broken)
    print(f"{models} models, {len(broken)} not made, {len(score.walked)} walked with etcore.Inspector ({score.walking:.0f} s), "
          f"{time.process_time():.0f} s of CPU; again with --seed {args.seed}")
    print(f"{sum(score.identical.values())} passed, {wrong} failed")
    return wrong > 0 or not models


def compare_recording(score):
    """Records again what executorch's Core ML callables return; the result must equal the recording that plugins are
    checked with."""
    known = "tests/plugins/parity/coreml.json"
    with tempfile.TemporaryDirectory() as scratch:
        new = os.path.join(scratch, "recorded.json")
        callables = "tests/plugins/parity/coreml_callables.py:"
        asked = subprocess.run([sys.executable, "sdk/python/record_parity.py", "--parser",
                                callables + "parse_coreml_delegate_metadata", "--converter",
                                callables + "convert_coreml_delegate_time", "-o", new, known,
                                "tests/data/backends/cases/coreml_partial/run.etdump"], capture_output=True, text=True)
        answers = []
        for path in (known, new):
            if os.path.exists(path):
                with open(path, encoding="utf-8") as f:
                    answers.append([{k: v for k, v in e.items() if k != "backend"} for e in json.load(f)["events"]])
    # The dump's events are also in the recording, so an event can occur twice: compare the lists as sets.
    found = len(answers) == 2 and all(e in answers[1] for e in answers[0]) and all(e in answers[0] for e in answers[1])
    score.count("recording", found, asked.stderr[-300:])


def version(name):
    import importlib.metadata

    return importlib.metadata.version(name)


if __name__ == "__main__":
    sys.exit(main())
