"""Claims of doctor about one file."""
import os
import struct

from etdump import Dump
from lab import DATA, SILENT, TRUE, claim, dumps, lie

SMALL = [p for p in dumps("/cases/", "/backends/", "/arm/", "/old/") if os.path.getsize(p) < 300_000]
EXPORTED = sorted(os.path.join(folder, n) for folder, _, names in os.walk(DATA) for n in names
                  if n.endswith((".pte", ".bpte", ".ptd")) and os.path.getsize(os.path.join(folder, n)) < 300_000)


@claim("complete")
def complete(lab, rng):
    """doctor must never call a truncated file complete, whether its size prefix is the old one or fits the new size."""
    exported = rng.random() < 0.4
    path = rng.choice(EXPORTED if exported else SMALL)
    with open(path, "rb") as f:
        data = bytearray(f.read())
    whole = rng.random() < 0.2
    if exported and not whole:
        data = data[:rng.choice((rng.randrange(64, len(data)), len(data) - rng.randrange(1, 65)))]
    elif not whole:
        try:
            last = max(run.at for run in Dump(path).runs)
        except ValueError:
            last = 64
        # Truncate at most 64 bytes after the start of the last run's table: the lost bytes then hold a name, an event or
        # a vtable that the dump needs.
        data = data[:rng.randrange(64, min(len(data), last + 64))]
        if rng.random() < 0.5 and len(data) > 12 and data[8:12] == b"ED00":
            struct.pack_into("<I", data, 0, len(data) - 4)
    name = lab.path("file" + os.path.splitext(path)[1])
    with open(name, "wb") as f:
        f.write(data)
    answer = lab.etcore("doctor", name)
    if ", complete" not in answer.out:
        return SILENT
    return TRUE if whole else lie(f"{path} cut to {len(data)} bytes is called complete")
