#!/usr/bin/env python3
"""graphviz_limit.py ETCORE CLOCK -- `dump --graph -o svg` must wait 60 s for graphviz, and no longer.

CLOCK is the library made of clock.c, which makes etcore's 60 s pass in 3. A `dot` that hangs must then give E0581, and
neither it nor its child process may survive; a `dot` that takes 10 of the 60 s must draw. Standard library only.
"""
import os
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIMIT, FAST = 60, 20
HANGS = '#!/bin/sh\n/bin/sleep 300 &\necho $! >"$0.started"\n/bin/sleep 300\n'
SLOW = "#!/bin/sh\n/bin/sleep 0.5\n/bin/cat >/dev/null\necho '<svg/>'\n"


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as f:
            return f.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def draw(etcore, clock, folder, text):
    """Returns (the finished process of etcore, its duration in seconds)."""
    dot = os.path.join(folder, "dot")
    with open(dot, "w", encoding="ascii") as f:
        f.write(text)
    os.chmod(dot, 0o755)
    begin = time.monotonic()
    done = subprocess.run([etcore, "dump", os.path.join(ROOT, "tests/data/cases/mlp_xnnpack/model.etrecord"), "--graph", "-o", "svg"],
                          check=False, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=2 * LIMIT,
                          env={"PATH": folder, "LD_PRELOAD": clock, "HOME": "/nonexistent"})
    return done, time.monotonic() - begin


def main():
    etcore = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        clock = os.path.join(folder, "clock.so")  # LD_PRELOAD separates paths at spaces
        os.symlink(os.path.abspath(sys.argv[2]), clock)
        done, took = draw(etcore, clock, folder, HANGS)
        assert done.returncode == 6 and f"dot did not end within {LIMIT} s" in done.stderr, done
        assert done.stdout == "" and LIMIT / FAST * 0.9 <= took < LIMIT * 0.9, (done, took)
        with open(os.path.join(folder, "dot.started"), encoding="ascii") as f:
            left = int(f.read())
        until = time.monotonic() + 10
        while alive(left) and time.monotonic() < until:
            time.sleep(0.05)
        assert not alive(left), "what dot started is left"
        done, slow = draw(etcore, clock, folder, SLOW)
        assert done.returncode == 0 and done.stdout == "<svg/>\n", done
    print(f"a dot that hangs was ended after {took:.1f} s, one that took {slow:.1f} s drew")


if __name__ == "__main__":
    main()
