"""Claims of `dump A --diff B` about two programs."""
import glob
import os

from lab import DATA, SILENT, TRUE, claim, lie

PROGRAMS = sorted(p for p in glob.glob(os.path.join(DATA, "pte", "**", "*.pte"), recursive=True)
                  if os.path.getsize(p) < 2_000_000)


@claim("programs-identical")
def identical(lab, rng):
    """dump --diff must never call two programs identical that differ in one bit, and must call a copy identical."""
    with open(rng.choice(PROGRAMS), "rb") as f:
        data = bytearray(f.read())
    same = rng.random() < 0.3
    a, b = lab.path("a.pte"), lab.path("b.pte")
    with open(a, "wb") as f:
        f.write(data)
    if not same:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    with open(b, "wb") as f:
        f.write(data)
    answer = lab.etcore("dump", a, "--diff", b)
    if answer.status or "the programs are identical" not in answer.out:
        last = answer.out.strip().rsplit("\n", 1)[-1]
        counts = last.split(",")[0].split()
        if not same and not answer.status and counts[0] == counts[2] and "but the programs differ" not in last:
            lie(f"one byte differs, and all that is said is '{last}'")
        return SILENT
    return TRUE if same else lie("one byte differs, and they are called identical")
