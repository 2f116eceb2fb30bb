#!/usr/bin/env python3
"""number_python.py PROGRAM -- compares repr, %g and %.3f of many doubles with Python's own.

PROGRAM is test_number; called with "-" it prints them for the bits that it reads.
"""

import random
import struct
import subprocess
import sys


def bits(value):
    return struct.unpack("<Q", struct.pack("<d", value))[0]


def samples():
    chosen = random.Random(20240229)
    yield from (0, 1 << 63, 1, 2, (1 << 52) - 1, 1 << 52, 0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000, 0xFFF0000000000000)
    for power in range(-330, 310):
        if value := float(f"1e{power}"):
            yield from (bits(value), bits(value) - 1, bits(value) + 1, bits(-value))
    for power in range(-1074, 1024):
        yield from (bits(2.0**power), bits(2.0**power) + 1, max(bits(2.0**power) - 1, 0))
    for _ in range(20000):
        yield chosen.getrandbits(64)
        yield chosen.getrandbits(52)  # subnormal
        yield bits(chosen.randrange(10**9) / 1e6)  # ns converted to ms
        yield bits(chosen.uniform(-1e6, 1e6))
        yield bits(float(chosen.randrange(2**63)))
        yield bits(round(chosen.uniform(0, 1000), chosen.randrange(8)))


def main():
    asked = list(samples())
    text = "\n".join(f"{b:016x}" for b in asked) + "\n"
    answer = subprocess.run([sys.argv[1], "-"], input=text, capture_output=True, text=True, check=True).stdout
    lines = answer.splitlines()
    if len(lines) != len(asked):
        sys.exit(f"{len(asked)} doubles in, {len(lines)} lines out")
    wrong = 0
    for b, line in zip(asked, lines):
        value = struct.unpack("<d", struct.pack("<Q", b))[0]
        fixed = f"{value:.3f}" if abs(value) < 1e15 else repr(value)
        want = f"{value!r}\t{value:g}\t{fixed}"
        if line != want:
            wrong += 1
            if wrong <= 10:
                print(f"{b:016x}: got {line!r}, Python says {want!r}")
    print(f"{len(asked) - wrong} of {len(asked)} doubles as Python prints them")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
