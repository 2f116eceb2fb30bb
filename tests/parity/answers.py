"""answers - the checks of parity.py: each compares an answer of etcore with a recorded answer of ExecuTorch's Inspector.

A check is a function of (status, stdout, stderr) of etcore. It returns None if they match the recording, else a text that
describes the difference.
"""
import csv
import hashlib
import io
import json
import math
import struct

STATS = ("p10", "p50", "p90", "avg", "min", "max")


# ---- checks ----------------------------------------------------------------------------------

def first_difference(want, got):
    a, b = want.splitlines(), got.splitlines()
    for i, (x, y) in enumerate(zip(a, b)):
        if x != y:
            at = next((k for k, (p, q) in enumerate(zip(x, y)) if p != q), min(len(x), len(y)))
            return (f"line {i + 1} byte {at}: want {x[max(0, at - 40):at + 40]!r} "
                    f"got {y[max(0, at - 40):at + 40]!r}")
    return f"{len(a)} lines expected, {len(b)} found ({len(want)} and {len(got)} bytes)"


def same_bytes(want):
    def check(status, out, err):
        if status != 0:
            return f"status {status}: {err.strip()[:300]}"
        return None if out == want else first_difference(want, out)
    return check


def same_digest(chars, sha256):
    def check(status, out, err):
        if status != 0:
            return f"status {status}: {err.strip()[:300]}"
        if hashlib.sha256(out).hexdigest() != sha256:
            return f"other bytes ({chars} characters expected, {len(out.decode('utf-8', 'replace'))} found)"
        return None
    return check


def raises(want):
    """Returns a check: where the Inspector raised the exception `want`, etcore must exit with status 10 and a code E08xx,
    and print nothing on stdout."""
    def check(status, out, err):
        if status != 10:
            return f"status {status} where the Inspector raises {want}: {err.strip()[:200]}"
        if out:
            return "status 10 with output"
        return None if "error[E08" in err else f"no code 08xx: {err.strip()[:200]}"
    return check


def refused(want):
    """Returns a check for a damaged file: etcore must exit with an error that has a code, and print nothing on stdout."""
    def check(status, out, err):
        if status in (0, 1, 2) or out:
            return f"status {status}, {len(out)} bytes of output where it must be refused ({want})"
        return None if "error[E" in err else f"no code: {err.strip()[:200]}"
    return check


def differs(want, got, where=""):
    """Describes the first difference between two JSON values; None if they are equal. Doubles are compared by their bits."""
    if isinstance(want, float) or isinstance(got, float):
        if not (isinstance(want, float) and isinstance(got, float)):
            return f"{where}: want {want!r} got {got!r}"
        same = struct.pack("<d", want) == struct.pack("<d", got) or (math.isnan(want) and math.isnan(got))
        return None if same else f"{where}: want {want!r} got {got!r}"
    if isinstance(want, bool) or isinstance(got, bool) or type(want) is not type(got):
        return None if type(want) is type(got) and want == got else f"{where}: want {want!r} got {got!r}"[:400]
    if isinstance(want, dict):
        if list(want) != list(got):
            return f"{where}: members {list(want)} expected, {list(got)} found"
        return next((d for k in want if (d := differs(want[k], got[k], f"{where}.{k}"))), None)
    if isinstance(want, list):
        if len(want) != len(got):
            return f"{where}: {len(want)} items expected, {len(got)} found"
        return next((d for i, (a, b) in enumerate(zip(want, got)) if (d := differs(a, b, f"{where}[{i}]"))), None)
    return None if want == got else f"{where}: want {want!r} got {got!r}"[:400]


def same_document(want, project=lambda document: document):
    def check(status, out, err):
        if status != 0:
            return f"status {status}: {err.strip()[:300]}"
        return differs(want, project(json.loads(out)), "")
    return check


def same_csv(want, values):
    """Returns a check of a CSV. In the cells of debug_data, etcore writes `dtype[shape] sha256` for a tensor and the
    Inspector torch's text: only the hashes are compared there."""
    def check(status, out, err):
        if status != 0:
            return f"status {status}: {err.strip()[:300]}"
        ours = list(csv.reader(io.StringIO(out.decode("utf-8"), newline="")))
        theirs = list(csv.reader(io.StringIO(want.decode("utf-8"), newline="")))
        place = theirs[0].index("debug_data")
        if len(ours) != len(theirs):
            return f"{len(theirs)} lines expected, {len(ours)} found"
        for r in range(1, len(theirs)):
            hashes = [t["sha256"] for t in tensors(values[r - 1])]
            if not hashes:
                continue
            if any(h not in ours[r][place] for h in hashes):
                return f"line {r + 1}: debug_data lacks a hash: {ours[r][place][:200]!r}"
            ours[r][place] = theirs[r][place] = ""
        return differs(theirs, ours, "csv") or same_quoting(want, out, theirs, place, values)
    return check


def same_quoting(want, out, cells, place, values):
    if any(tensors(v) for v in values):
        return None
    return None if want == out else first_difference(want, out)


def tensors(value):
    if isinstance(value, dict):
        return [value] if "sha256" in value else []
    return [t for v in value for t in tensors(v)] if isinstance(value, list) else []


# ---- the oracle's JSON as the document of `-o json` ------------------------------------------

def number(value):
    """Returns a double as json.loads reads it from `etcore inspector -o json`: NaN and infinities are texts."""
    if math.isnan(value):
        return "nan"
    return value if math.isfinite(value) else ("inf" if value > 0 else "-inf")


def plain(value):
    """Converts a recorded value (with forms such as {"$float": …} and {"$tensor": …}) to the JSON that etcore writes."""
    if isinstance(value, dict):
        if "$float" in value:
            return number(float.fromhex(value["hex"]))
        if "$tensor" in value:
            t = value["$tensor"]
            return {"dtype": t["dtype"], "shape": t["shape"], "sha256": t["sha256"]}
        if "$bytes" in value:
            return value["$bytes"]
        if "$tuple" in value:
            return [plain(v) for v in value["$tuple"]]
        if "$array" in value:
            return [plain(v) for v in value["$array"]]
        if "$dict" in value:
            return {str(k): plain(v) for k, v in value["$dict"]}
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, list):
        return [plain(v) for v in value]
    return value


def expected_event(e, traces, stacks, parsed):
    perf = e["perf_data"]
    out = {
        "name": e["name"],
        "perf_data": perf and {k: plain(perf[k]) for k in ("raw", *STATS)},
        "op_types": e["op_types"],
        "delegate_debug_identifier": e["delegate_debug_identifier"],
        "debug_handles": plain(e["debug_handles"]),
        "num_outputs": e["num_outputs"],
        "stack_traces": {n: None if i is None else traces[i] for n, i in e["stack_traces"].items()},
        "module_hierarchy": {n: None if i is None else plain(stacks[i]) for n, i in e["module_hierarchy"].items()},
        "is_delegated_op": e["is_delegated_op"],
        "delegate_backend_name": e["delegate_backend_name"],
        "delegate_debug_metadatas": plain(e["_delegate_debug_metadatas"]),
        "start_time": e["start_time"],
        "instruction_id": e["_instruction_id"],
        "debug_data": plain(e["debug_data"]),
    }
    if parsed and e["is_delegated_op"]:
        out["delegate_metadata_parsed"] = plain(e["delegate_debug_metadatas"])
    return out


def expected_document(oracle, parsed):
    blocks = []
    for b in oracle["blocks"]:
        block = {k: b[k] for k in ("name", "source_time_scale", "target_time_scale", "bundled_input_index")}
        block["run_output"] = plain(b["run_output"])
        block["reference_output"] = plain(b["reference_output"])
        block["events"] = [expected_event(e, oracle["stack_traces"], oracle["module_stacks"], parsed)
                           for e in b["events"]]
        blocks.append(block)
    return {"schema": "etcore.inspector/1", "blocks": blocks}


def strip_parsed(document):
    """Removes the parsed member of events that are not delegated or have no parser, so that null
    and a missing member are the same."""
    for block in document["blocks"]:
        for e in block["events"]:
            if e.get("delegate_metadata_parsed", 0) is None:
                del e["delegate_metadata_parsed"]
    return document


def hexed(value):
    """Converts a value of an oracle.json (tests/data/backends/README.md: doubles as hexadecimal text, tensors, bytes) to the
    JSON that etcore writes."""
    if isinstance(value, str):
        if value.startswith(("0x", "-0x")):
            return number(float.fromhex(value))
        return value
    if isinstance(value, dict):
        if "tensor" in value and isinstance(value["tensor"], dict):
            t = value["tensor"]
            return {"dtype": t["dtype"].replace("torch.", ""), "shape": t["sizes"], "sha256": t["sha256"]}
        if list(value) == ["hex"]:
            return value["hex"]
        if list(value) == ["chars", "sha256"]:
            return value
        return {k: hexed(v) for k, v in value.items()}
    return [hexed(v) for v in value] if isinstance(value, list) else value


def asked_blocks(answer):
    """Reduces the blocks of an oracle.json to the fields that both sides have, under etcore's names."""
    out = []
    for b in answer["blocks"]:
        events = []
        for e in b["events"]:
            stats = e["stats"]
            events.append({
                "name": e["name"], "raw": hexed(e["raw"]),
                "stats": stats and {k: hexed(stats[k]) for k in STATS},
                "start_time": e["start_time"], "instruction_id": e["instruction_id"],
                "is_delegated_op": e["is_delegated_op"],
                "delegate_debug_identifier": e["delegate_debug_identifier"],
                "delegate_backend_name": e["delegate_backend_name"],
                "debug_handles": hexed(e["debug_handles"]), "num_outputs": e["num_outputs"],
                "op_types": e["op_types"], "module_hierarchy": e["module_hierarchy"],
                "stack_trace_nodes": e["stack_trace_nodes"], "metadata_raw": hexed(e["metadata_raw"]),
                "debug_data": hexed(e["debug_data"])})
        out.append({"name": b["name"], "bundled_input_index": b["bundled_input_index"],
                    "run_output": hexed(b["run_output"]), "events": events})
    return out


def our_blocks(document):
    """Reduces the document of `etcore inspector -o json` to the same fields as asked_blocks()."""
    out = []
    for b in document["blocks"]:
        events = []
        for e in b["events"]:
            perf = e["perf_data"]
            events.append({
                "name": digest(e["name"]), "raw": perf and perf["raw"],
                "stats": perf and {k: float(perf[k]) if isinstance(perf[k], int) else perf[k] for k in STATS},
                "start_time": e["start_time"], "instruction_id": e["instruction_id"],
                "is_delegated_op": e["is_delegated_op"],
                "delegate_debug_identifier": digest(e["delegate_debug_identifier"]),
                "delegate_backend_name": e["delegate_backend_name"],
                "debug_handles": finite(e["debug_handles"]), "num_outputs": e["num_outputs"],
                "op_types": e["op_types"],
                "module_hierarchy": {k: v for k, v in e["module_hierarchy"].items()},
                "stack_trace_nodes": list(e["stack_traces"]),
                "metadata_raw": e["delegate_debug_metadatas"], "debug_data": e["debug_data"]})
        out.append({"name": b["name"], "bundled_input_index": b["bundled_input_index"],
                    "run_output": b["run_output"], "events": events})
    return out


def finite(value):
    """Converts each double in a debug handle or in a list of them with number()."""
    if isinstance(value, list):
        return [finite(v) for v in value]
    return number(value) if isinstance(value, float) else value


def digest(text):
    """Replaces a very long text by its length and hash, as an oracle.json has it."""
    if isinstance(text, str) and len(text) > 4000:
        raw = text.encode("utf-8", "surrogatepass")
        return {"chars": len(text), "sha256": hashlib.sha256(raw).hexdigest()}
    return text
