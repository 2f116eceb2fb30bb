"""live_numeric - compares compare_results() and calculate_numeric_gap() of a live Inspector with etcore, for live.py."""
import contextlib
import io
import json
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, "sdk", "python"))

COLUMNS = ("aot_debug_handle", "aot_ops", "aot_intermediate_output", "runtime_ops", "runtime_debug_handle",
           "runtime_intermediate_output", "gap", "stacktraces")


def printed(inspector):
    """Returns (bytes that compare_results prints for the blocks named "Execute", the exception if one raises, else None)."""
    from executorch.devtools.inspector import compare_results

    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            inspector.print_data_tabular()
        with contextlib.redirect_stdout(out):
            for block in inspector.event_blocks:
                if block.name == "Execute":
                    compare_results(block.reference_output, block.run_output)
    except Exception as e:  # etcore must report any exception too
        return out.getvalue().encode(), e
    return out.getvalue().encode(), None


def compare_outputs(score, arguments, inspector):
    want, error = printed(inspector)
    got, said, status = score.etcore_says([*arguments, "--compare_results"])
    end = got.rfind("╛\n".encode()) + len("╛\n".encode())
    same = got[end:] == want and status == (0 if error is None else 10)
    score.count("compare_results", same, f"etcore inspector {' '.join(arguments)} --compare_results: status {status} "
                f"{said[:200]}, {got[end:][:200]!r} instead of {want[:200]!r} ({error!r})")


def near(a, b):
    a = float(a)
    return a == b or (math.isnan(a) and math.isnan(b)) or abs(a - b) <= 1e-12 * abs(b)


def row_of(row, value):
    out = {c: row[c] for c in COLUMNS}
    for c in ("aot_debug_handle", "runtime_debug_handle"):
        out[c] = list(out[c])
    for c in ("aot_intermediate_output", "runtime_intermediate_output"):
        out[c] = value(out[c])
    return out


def differs(want, got):
    if len(want) != len(got):
        return f"{len(got)} rows instead of {len(want)}"
    for i, (w, g) in enumerate(zip(want, got)):
        for key in COLUMNS:
            same = [near(a, b) for a, b in zip(g[key], w[key])] if key == "gap" else [g[key] == w[key]]
            if not all(same):
                return f"row {i}, {key}: {g[key]} instead of {w[key]}"[:400]
    return None


def compare_gaps(score, folder, arguments, make_inspector, value):
    """Computes the graph's values with the SDK's script, then compares the numeric gap for each distance."""
    import record_references

    record, file = os.path.join(folder, "model.etrecord"), os.path.join(folder, "references.safetensors")
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            record_references.main([record, "-o", file])
        except (Exception, SystemExit):  # no inputs, or a graph that torch cannot run: the Inspector raises too
            return
    for distance in ("MSE", "l1", " snr "):
        asked = [*arguments, "--numeric_gap", distance, "--reference_values", file, "-o", "json"]
        got, said, status = score.etcore_says(asked)
        try:
            frame = make_inspector().calculate_numeric_gap(distance)
            want = [row_of(r, value) for r in frame.to_dict("records")]
        except Exception as e:
            score.count("numeric gap", status == 10, f"etcore inspector {' '.join(asked)}: status {status}, "
                        f"the Inspector raises {type(e).__name__}: {str(e)[:200]}")
            continue
        wrong = f"status {status} {said[:200]}" if status else differs(want, json.loads(got)["rows"])
        score.count("numeric gap", wrong is None, f"etcore inspector {' '.join(asked)}: {wrong}")
