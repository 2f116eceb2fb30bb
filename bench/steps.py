"""steps - one process of the Python package or of ExecuTorch's class; prints the cost of its steps as JSON.

    python -c "import steps; steps.one('etcore' or 'executorch', STEPS, ETDUMP[, ETRECORD])"

STEPS is a list of arrow,blocks,frame,walk, run in this order. This module imports nothing that would be counted as an
import of a side.
"""
import os
import sys
import time

MB = 1 << 20


def status(name):
    with open("/proc/self/status") as f:
        return next(int(line.split()[1]) / 1024 for line in f if line.startswith(name))


def contents(frame):
    """Returns the size in MB of a frame's contents: its columns and the objects in them, each counted once."""
    known, size, more = set(), int(frame.memory_usage(index=True).sum()), []
    for _, column in frame.items():
        if column.dtype == object:
            more.extend(column)
        elif not column.dtype.kind in "biufc":
            size += int(column.memory_usage(deep=True) - column.memory_usage())
    while more:
        cell = more.pop()
        if id(cell) in known or cell is None:
            continue
        known.add(id(cell))
        size += sys.getsizeof(cell)
        if isinstance(cell, (list, tuple)):
            more.extend(cell)
        elif isinstance(cell, dict):
            more.extend([*cell.keys(), *cell.values()])
    return size / MB


def arrow(inspector, found):
    """Exports the tables of the answer as Arrow streams. ExecuTorch's class has none: it has made its blocks in its
    constructor."""
    if hasattr(inspector, "_answer"):
        from etcore._arrow import Table
        found["kept"] = [Table(inspector._answer._query, name).__arrow_c_stream__()
                         for name in ("blocks", "inspected", "inspected_samples")]


def blocks(inspector, found):
    found["events"] = sum(len(block.events) for block in inspector.event_blocks)


def frame(inspector, found):
    found["frame"] = inspector.to_dataframe()


def walk(inspector, found):
    """Adds up the samples of every event, as a script would access names and times."""
    total = 0
    for block in inspector.event_blocks:
        for event in block.events:
            if event.perf_data is not None and event.name != "OPERATOR_CALL":
                total += len(event.perf_data.raw)
    found["samples"] = total


STEPS = {"arrow": arrow, "blocks": blocks, "frame": frame, "walk": walk}


def one(side, steps, dump, record=None):
    import warnings
    warnings.simplefilter("ignore")
    if side == "etcore":
        from etcore import Inspector
    else:
        import logging
        logging.disable(logging.CRITICAL)
        from executorch.devtools import Inspector
    steps = steps.split(",")
    if "frame" in steps:
        import pandas  # noqa: F401
    with open("/proc/self/clear_refs", "w") as f:
        f.write("5")  # resets the peak memory
    imports, found = status("VmRSS"), {}
    cost = {"imports": time.process_time()}
    inspector = Inspector(etdump_path=dump, etrecord=record)
    cost["open"] = time.process_time()
    for step in steps:
        STEPS[step](inspector, found)
        cost[step] = time.process_time()
    cost["peak"] = status("VmHWM") - imports
    cost["cells"] = contents(found["frame"]) if "frame" in found else 0
    import json
    print(json.dumps(cost), flush=True)
    os._exit(0)  # exits at once: freeing a million objects is not part of the measured work
