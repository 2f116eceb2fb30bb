#!/usr/bin/env python3
"""Records the results of a delegate_metadata_parser and a delegate_time_scale_converter.

    record_parity.py --parser MODULE:FUNCTION [--converter MODULE:FUNCTION] [-o parity.json] INPUT...
    etcore plugins check ./acme.so --level parity --expected parity.json

The two callables are arguments of an executorch.devtools Inspector; MODULE is a module's name or a path that ends
in .py. They are called as the Inspector would call them. An INPUT is

    RUN.etdump   every delegated event of a run, read with executorch (pip install executorch)
    NAME.json    the events of a recording, whose results are computed again. Write the inputs by hand, or keep
                 a recording and run this script on it after each change of the parser
    other files  one event each: its metadata is the content of the file, its id the file's name without ending

The recording is JSON:

    {"format": "etcore-parity/1", "source_time_scale": "ns", "target_time_scale": "ms", "events": [
      {"id": "conv:0",                       delegate_debug_id_str as text, or delegate_debug_id_int as a number
       "backend": "AcmeBackend",             if it is known
       "metadata": ["a=1", {"hex": "07ff"}], one per run: text, or bytes that are not UTF-8
       "parsed": {"a": 1},                   what the parser returned: an object, a list, or null for nothing;
       "raises": "KeyError: 'a'",            or the exception, instead of "parsed"
       "start": [1000], "end": [2000],       raw ticks, one per run
       "converted_start": [0.001], "converted_end": [0.002]}]}    what the converter returned

Integers stay integers and floats floats: 1 and 1.0 are different answers. Only Python's standard library is needed,
and executorch for ETDumps."""
import argparse
import importlib
import importlib.util
import json
import os
import sys

FORMAT = "etcore-parity/1"


def load(spec):
    """Returns the callable that MODULE:FUNCTION names."""
    if spec is None:
        return None
    module, _, function = spec.rpartition(":")
    if not module:
        sys.exit(f"record_parity.py: '{spec}' is not of the form MODULE:FUNCTION")
    if module.endswith(".py"):
        found = importlib.util.spec_from_file_location(os.path.basename(module)[:-3], module)
        loaded = importlib.util.module_from_spec(found)
        sys.path.insert(0, os.path.dirname(os.path.abspath(module)))
        found.loader.exec_module(loaded)
    else:
        sys.path.insert(0, os.getcwd())
        loaded = importlib.import_module(module)
    return getattr(loaded, function)


# ---- inputs: {"id", "metadata": [bytes], "start", "end"} each ---------------------


def from_etdump(path, source, target):
    """Yields the arguments with which the Inspector calls the two callables for the run at `path`, in its order."""
    from executorch.devtools import Inspector
    from executorch.devtools.inspector import TimeScale

    asked = []

    def converter(name, time):
        asked.append(time)
        return time

    inspector = Inspector(etdump_path=path, source_time_scale=TimeScale(source), target_time_scale=TimeScale(target),
                          delegate_time_scale_converter=converter)
    at = 0
    for block in inspector.event_blocks:
        for event in block.events:
            runs = len(event._start_time or [])
            if not event.is_delegated_op or runs == 0:
                continue
            times = asked[at:at + 2 * runs]
            at += 2 * runs
            if times[::2] != event._start_time:
                sys.exit(f"{path}: this release of executorch asks a converter in another order")
            yield {"id": event.delegate_debug_identifier,
                   "metadata": [m or b"" for m in event.raw_delegate_debug_metadatas],
                   "start": times[::2], "end": times[1::2]}


def from_recording(path):
    with open(path, encoding="utf-8") as f:
        recording = json.load(f)
    if recording.get("format") != FORMAT:
        sys.exit(f'{path}: its "format" is not "{FORMAT}"')
    for event in recording["events"]:
        kept = {k: event[k] for k in ("id", "backend", "start", "end") if k in event}
        kept["metadata"] = [bytes.fromhex(m["hex"]) if isinstance(m, dict) else m.encode()
                            for m in event.get("metadata", [])]
        yield kept


def from_blob(path):
    with open(path, "rb") as f:
        yield {"id": os.path.splitext(os.path.basename(path))[0], "metadata": [f.read()]}


# ---- answers --------------------------------------------------------------------------


def plain(value, where):
    """Returns the value as JSON; ends the program for a value that a plugin cannot return."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value)
    if type(value) is list:
        return [plain(v, where) for v in value]
    if type(value) is dict and all(isinstance(k, str) for k in value):
        return {k: plain(v, where) for k, v in value.items()}
    sys.exit(f"record_parity.py: {where} is {value!r}: only None, bool, int, float, str, lists of them and dicts "
             "with texts as keys can be answered by a plugin")


def parse(parser, blobs, where):
    """Returns {"parsed": ...} or {"raises": ...}, from which the Inspector makes its table."""
    # The Inspector passes "" for a run without metadata, and [] if no run has any.
    given = [b if b else "" for b in blobs] if any(blobs) else []
    try:
        answer = parser(given)
        if answer is None or len(answer) == 0:
            return {"parsed": None}
        if not isinstance(answer, (list, dict)):
            raise ValueError(f"Unexpected type for delegate_debug_metadata: {type(answer)}")
    except Exception as e:  # any exception, because the Inspector catches none
        return {"raises": f"{type(e).__name__}: {e}"}
    return {"parsed": plain(answer, where)}


def convert(converter, event, where):
    out = {}
    for side in ("start", "end"):
        out["converted_" + side] = [plain(converter(str(event["id"]), t), where) for t in event[side]]
        for v in out["converted_" + side]:
            if isinstance(v, bool) or not isinstance(v, (int, float)):
                sys.exit(f"record_parity.py: {where} became {v!r}, which is no time")
    return out


def readable(blob):
    try:
        return blob.decode("utf-8")
    except UnicodeDecodeError:
        return {"hex": blob.hex()}


def record(event, parser, converter, backend):
    where = f"the answer for event {event['id']!r}"
    out = {"id": event["id"]}
    if event.get("backend") or backend:
        out["backend"] = event.get("backend") or backend
    if event["metadata"]:
        out["metadata"] = [readable(b) for b in event["metadata"]]
    if parser:
        out.update(parse(parser, event["metadata"], where))
    if "start" in event:
        out.update(start=event["start"], end=event["end"])
        if converter:
            out.update(convert(converter, event, where))
    return out


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--parser", metavar="MODULE:FUNCTION", help="a delegate_metadata_parser")
    options.add_argument("--converter", metavar="MODULE:FUNCTION", help="a delegate_time_scale_converter")
    options.add_argument("--backend", metavar="ID", help="backend id of the events, for plugins that look at it")
    options.add_argument("--source_time_scale", default="ns", choices=["ns", "us", "ms", "s", "cycles"])
    options.add_argument("--target_time_scale", default="ms", choices=["ns", "us", "ms", "s", "cycles"])
    options.add_argument("-o", metavar="FILE", help="where the recording goes; else to standard output")
    options.add_argument("inputs", metavar="INPUT", nargs="+")
    args = options.parse_args()
    if not args.parser and not args.converter:
        options.error("give --parser, --converter or both")
    parser, converter = load(args.parser), load(args.converter)
    events, seen = [], set()
    for path in args.inputs:
        found = (from_etdump(path, args.source_time_scale, args.target_time_scale) if path.endswith(".etdump")
                 else from_recording(path) if path.endswith(".json") else from_blob(path))
        for event in found:
            one = record(event, parser, converter, args.backend)
            key = json.dumps(one)
            if key not in seen and (parser or "converted_start" in one):
                seen.add(key)
                events.append(one)
    if not events:
        sys.exit("record_parity.py: the inputs hold no delegated event that could be asked about")
    # Without folders, because a recording is stored with a plugin's tests.
    parser, converter = (os.path.basename(c) if c else c for c in (args.parser, args.converter))
    head = {"format": FORMAT, "recorded": "Python " + sys.version.split()[0], "parser": parser, "converter": converter,
            "source_time_scale": args.source_time_scale, "target_time_scale": args.target_time_scale}
    lines = [json.dumps(head)[:-1] + ', "events": [']
    lines.append(",\n".join(json.dumps(e) for e in events) + "]}\n")
    text = "\n".join(lines)
    if args.o:
        with open(args.o, "w", encoding="utf-8") as f:
            f.write(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
