"""make_flat - writes an ETDump of any shape at the speed of the disk, for growth curves and expensive inputs.

Every run has EVENTS / RUNS events of one size: native_call_* and the enclosing OPERATOR_CALL alternate, and
Method::execute is the last. Kernel names are drawn from NAMES texts, the same in every run. NAMES "collide":
2^16 texts whose 8-byte words differ in pairs of bits that cancel each other in a multiply-shift hash, whatever its seed.
NAMES "long": equally many, equally long texts of random letters.
"""
import struct

import numpy as np

VTABLES = (("ETDump", 8, (0, 4)), ("RunData", 12, (4, 0, 0, 8)), ("Event", 8, (4,)),
           ("named", 28, (24, 0, 20, 0, 0, 0, 4, 12)))
BATCH = 1 << 20


def spaced(n, step, rest=0):
    """Returns `n`, or the next larger number whose remainder modulo `step` is `rest`."""
    return n + (rest - n) % step


def collide(count):
    """Returns names that collide. In each pair of words a, b: bit 63 of a changes bits 63 and 34 of the hash, and the same
    bits of b change them back."""
    bits = np.arange(count)[:, None] >> np.arange(16)[None, :] & 1
    text = np.full((count, 16, 16), ord("n"), np.uint8)
    text[:, :, 7] ^= (bits << 7).astype(np.uint8)
    text[:, :, 15] ^= (bits << 7).astype(np.uint8)
    text[:, :, 12] ^= (bits << 2).astype(np.uint8)
    return np.concatenate([np.tile(np.frombuffer(b"native_call_op__", np.uint8), (count, 1)), text.reshape(count, -1)], axis=1)


def long(count):
    """Returns names for comparison with those that collide: the file has the same size and number of rows."""
    letters = np.random.default_rng(16).integers(ord("a"), ord("z") + 1, (count, 256)).astype(np.uint8)
    return np.concatenate([np.tile(np.frombuffer(b"native_call_op__", np.uint8), (count, 1)), letters], axis=1)


def texts(names):
    if names in ("collide", "long"):
        return (collide if names == "collide" else long)(1 << 16)
    return np.array([list(b"native_call_op%07d.out" % i) for i in range(int(names))], np.uint8)


def record_type(room):
    """Returns the record type of one event: the tables Event and ProfileEvent, and the text."""
    return np.dtype([("event", "<i4"), ("profile", "<u4"), ("vtable", "<i4"), ("start", "<u8"), ("end", "<u8"),
                     ("instruction", "<u4"), ("name", "<u4"), ("length", "<u4"), ("text", "u1", (room,))])


def events_of(count, names, rng):
    """Returns text and length of each event of a run, and the mean time of each kernel."""
    pool = texts(names)
    width = pool.shape[1]
    room = spaced(40 + width + 1, 8) - 40
    rows = np.zeros(count, record_type(room))
    kernels = (count - 1) // 2
    chosen = pool[rng.integers(0, len(pool), kernels)]
    rows["text"][0:2 * kernels:2, :width] = chosen
    rows["length"][0:2 * kernels:2] = width
    for place, text in ((slice(1, 2 * kernels, 2), b"OPERATOR_CALL"), (slice(2 * kernels, count - 1), b"MOVE_CALL"),
                        (slice(count - 1, count), b"Method::execute")):
        rows["text"][place, :len(text)] = np.frombuffer(text, np.uint8)
        rows["length"][place] = len(text)
    rows["instruction"][:] = np.arange(count) // 2
    rows["instruction"][-1] = 0
    rows["profile"], rows["name"] = 4, 4
    return rows, kernels, rng.lognormal(9, 1.3, kernels)


def fill_times(block, kernels, mean, clock, rng):
    """Sets the times: kernels follow each other, each inside its call. `block` has the shape (runs, events)."""
    runs = len(block)
    took = (mean * rng.gamma(100, .01, (runs, kernels))).astype(np.int64)
    end = clock + np.cumsum(took + 200, axis=1) + (np.arange(runs) * int(mean.sum() * 2 + 220 * kernels + 1000))[:, None]
    first = end[:, 0] - took[:, 0] - 200 if kernels else clock + 1000 * np.arange(runs)
    block["start"][:, 0:2 * kernels:2], block["end"][:, 0:2 * kernels:2] = end - took, end
    block["start"][:, 1:2 * kernels:2], block["end"][:, 1:2 * kernels:2] = end - took - 60, end + 60
    last = end[:, -1] + 100 if kernels else first + rng.integers(300, 900, runs)
    block["start"][:, 2 * kernels:-1], block["end"][:, 2 * kernels:-1] = last[:, None], last[:, None] + 50
    block["start"][:, -1], block["end"][:, -1] = first - 100, last + 200
    return int(last[-1]) + 5000


def make_flat(path, events, runs, names, seed):
    rng = np.random.default_rng(seed)
    count = events // runs
    rows, kernels, mean = events_of(count, names, rng)
    size = rows.dtype.itemsize
    vtables, packed = {}, b""
    for name, table, slots in VTABLES:
        vtables[name] = 12 + len(packed)
        packed += struct.pack(f"<{2 + len(slots)}H", 4 + 2 * len(slots), table, *slots)
    root = spaced(12 + len(packed), 8)
    head = spaced(root + 12 + 4 * runs, 8)
    lead = spaced(28 + 4 * count, 8, 4)
    whole = spaced(lead + count * size, 8)
    total = head + runs * whole
    with open(path, "wb") as out:
        out.write((struct.pack("<II", total - 4, root - 4) + b"ED00" + packed).ljust(root, b"\0"))
        out.write(struct.pack("<iII", root - vtables["ETDump"], 4, runs))
        (head + whole * np.arange(runs) - (root + 12 + 4 * np.arange(runs))).astype("<u4").tofile(out)
        out.write(bytes(head - (root + 12 + 4 * runs)))
        opening = np.zeros(lead // 4, "<u4")
        opening[:7] = 0, 8, 16, 7, *np.frombuffer(b"Execute\0", "<u4"), count
        opening[7:7 + count] = lead + size * np.arange(count) - (28 + 4 * np.arange(count))
        batch, clock = max(1, BATCH // max(1, count)), 3_000_000
        for done in range(0, runs, batch):
            n = min(batch, runs - done)
            at = head + whole * (done + np.arange(n))
            image = np.zeros((n, whole), np.uint8)
            image[:, :lead] = opening.view(np.uint8)
            image[:, :4] = (at - vtables["RunData"]).astype("<i4")[:, None].view(np.uint8)
            block = np.tile(rows, (n, 1))
            place = at[:, None] + lead + size * np.arange(count)[None, :]
            block["event"], block["vtable"] = place - vtables["Event"], place + 8 - vtables["named"]
            clock = fill_times(block, kernels, mean, clock, rng)
            image[:, lead:lead + count * size] = block.view(np.uint8).reshape(n, -1)
            image.tofile(out)
