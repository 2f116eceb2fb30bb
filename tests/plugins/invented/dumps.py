#!/usr/bin/env python3
"""dumps.py npu|dsp|gpu OUT -- writes the runs of an invented backend; the output is always the same.

A run is a list of (name, id, metadata, instruction, start, end), as in tests/tools/make_calls.py, in the order in which a
runtime logs: an event is logged when it ends. Times inside a delegate are ticks of the device's clock, which started long
before the runtime's clock; all others are nanoseconds. One of the runs is slow, as if another process had interrupted it."""
import os
import random
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
import make_calls  # noqa: E402

RUNS, SLOW = 13, 7
BEGIN = 5_000_000_000  # start of the first run on the runtime's clock, in ns


def finish(rnd, run, begin, now, calls, between):
    """Appends the events that the runtime logs itself; returns the end of the run. `calls`: (instruction, start,
    end) of the delegate calls."""
    for instruction, start, end in calls:
        run.append(("DELEGATE_CALL", None, b"", instruction, start, end))
    start = now + rnd.randint(100, 200)
    run.append(("native_call_dequantize_per_tensor.out", None, b"", len(calls), start + 30, start + 1730 + between))
    run.append(("OPERATOR_CALL", None, b"", len(calls), start, start + 1800 + between))
    end = start + 1800 + between + rnd.randint(50, 90)
    run.append(("Method::execute", None, b"", -1, begin, end))
    return end


def slow(i):
    return 900_000 if i == SLOW else 0


def npu():
    """Layers consist of steps, which consist of tiles; the parts of each level fill their parent to the last cycle. The
    first two layers share one call."""
    rnd, runs, now, device = random.Random(120), [], BEGIN, 10**12 + 7
    layers = (("in", "conv2d", 301_001, 5), ("mid", "conv2d", 97_003, 2), ("out", "matmul", 40_007, 3))
    for i in range(RUNS):
        run, calls, begin = [], [], now
        now += rnd.randint(60, 90)
        for instruction, part in enumerate((layers[:2], layers[2:])):
            start, cycles = now, 0
            for name, op, size, tiles in part:
                first = device
                steps = [("load", "dma", 0, size // 5 + rnd.randint(0, 300)), ("mac", "mac", tiles, 0),
                         ("store", "dma", 0, size // 9 + rnd.randint(0, 300))]
                for step, engine, count, length in steps:
                    at = device
                    for tile in range(count):
                        length = size // tiles + rnd.randint(0, 99)
                        meta = f"engine=mac busy={length - 7} stall=7 permille={900 - tile}"
                        run.append(("", f"{name}:{op}/mac/tile#{tile}", meta.encode(), instruction, device, device + length))
                        device += length
                    device = device if count else device + length
                    meta = f"engine={engine} busy={(device - at) * 3 // 4} stall={(device - at) // 4} permille={rnd.randint(500, 800)}"
                    run.append(("", f"{name}:{op}/{step}", meta.encode(), instruction, at, device))
                meta = f"busy={device - first} permille={rnd.randint(600, 700)}"
                run.append(("", f"{name}:{op}", meta.encode(), instruction, first, device))
                cycles += device - first
                device += 1000
            # The events are shorter than the call, by a few microseconds.
            now += cycles * 5 // 6 + 1 + rnd.randint(2000, 2500)
            calls.append((instruction, start, now))
            now += rnd.randint(20, 40)
        now = finish(rnd, run, begin, now, calls, slow(i)) + rnd.randint(500, 900)
        runs.append(run)
    return runs


def dsp():
    """Kernels have numeric ids, and their steps do not cover them completely. The last kernel, of level 3, is of an
    unknown kind."""
    rnd, runs, now, device = random.Random(800), [], BEGIN, 77_777
    plan = ((1, 11, 12), (2, 11, 12), (3,), (1, 11))
    for i in range(RUNS):
        run, begin = [], now
        now += rnd.randint(60, 90)
        start, total = now, 0
        for k, (kernel, *steps) in enumerate(plan):
            first, inner = device, []
            for s, step in enumerate(steps):
                length = 2000 * step + 801 * k + rnd.randint(0, 40)
                inner.append((1000 + 10 * k + s, step, 2, 4, length // 3, .5 + .125 * s, device, device + length))
                device += length
            device += 1001 + rnd.randint(0, 40)
            events = [(k, kernel, 1, 8, (device - first) * 16, .75, first, device), *inner]
            for number, code, level, tiles, macs, used, at, end in events:
                meta = struct.pack("<HHIQf", code, level, tiles, macs, used)
                run.append(("", str(number), meta, 0, at, end))
            total += device - first
            device += 13
        run.append(("", "99", struct.pack("<HHIQf", 40, 3, 1, 2**40, 1), 0, device, device + 801))
        total += 801
        now += total * 5 // 4 + 1 + rnd.randint(700, 900)
        now = finish(rnd, run, begin, now, [(0, start, now)], slow(i)) + rnd.randint(500, 900)
        runs.append(run)
    return runs


def gpu():
    """Each of two calls has an upload, then two queues in parallel; a tick lasts 625/12 ns."""
    rnd, runs, now = random.Random(192), [], BEGIN
    device_at, host_at = 10**9 + 1, BEGIN - 123_457  # readings of both clocks at the same moment
    sync = f"sync={device_at}/{host_at}".encode()
    for i in range(RUNS):
        run, calls, begin = [], [], now
        now += rnd.randint(60, 90)
        for instruction in range(2):
            start = now
            run.append(("", "host:submit", sync, instruction, now + 50, now + 2050))
            now += 2100
            # The upload starts at the device's next tick.
            device = device_at + (now - host_at) * 12 // 625 + 1
            length = 40 + rnd.randint(0, 5)
            meta = f"read={4096 * length} permille=250"
            run.append(("", "gpu:upload", meta.encode(), instruction, device, device + length))
            device += length + 1
            ends = []
            for queue in range(2):
                at, events = device + queue, []
                for d in range(3 - queue):
                    length = 200 + 31 * d + 100 * instruction + rnd.randint(0, 7)
                    name = ("gemm_tiled", "softmax", "gemm_naive")[d]
                    meta = f"queue={queue} dispatch={d + 10 * queue} read={256 * length} permille={600 + 50 * d}"
                    events.append(("", f"queue:{queue}/{name}", meta.encode(), instruction, at, at + length))
                    at += length + 2
                meta = f"queue={queue} permille={800 - 100 * queue}"
                run += events
                run.append(("", f"queue:{queue}", meta.encode(), instruction, device + queue, at))
                ends.append(at)
            # The call ends 1 us after the last queue, on the runtime's clock.
            now = host_at + ((max(ends) - device_at) * 625 + 11) // 12 + 1000 + rnd.randint(0, 50)
            calls.append((instruction, start, now))
            now += rnd.randint(20, 40)
        now = finish(rnd, run, begin, now, calls, slow(i)) + rnd.randint(500, 900)
        runs.append(run)
    return runs


BACKENDS = {"npu": npu, "dsp": dsp, "gpu": gpu}


def write(name, path):
    with open(path, "wb") as f:
        f.write(make_calls.make(BACKENDS[name]()))


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in BACKENDS:
        raise SystemExit(__doc__)
    write(*sys.argv[1:])
