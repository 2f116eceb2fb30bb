#!/usr/bin/env python3
"""progress.py ETCORE -- tests the progress line on standard error.

Standard input comes slowly, so that reading takes longer than a second. On a terminal a line must show the progress, never
be wider than the terminal, and be gone at the end, also if a signal ends etcore. There must be none in a pipe, within the
first second, or with TERM=dumb. The answer must be the same.
"""
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DUMP = os.path.join(ROOT, "tests/data/cases/long_run/run.etdump")
LINE = re.compile(r"^(reading standard input|writing standard output): [0-9.]+ (bytes|kB|MB)$")
PIECES = 16


def run(etcore, seconds, terminal, width=80, number=0, **env):
    """Runs `etcore analyze -` with an input that takes `seconds`; returns (stdout, stderr). Signal `number`, if not 0, is
    sent before the last piece."""
    data = open(DUMP, "rb").read()
    master, slave = pty.openpty() if terminal else os.pipe()
    if terminal:
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 25, width, 0, 0))
    p = subprocess.Popen([etcore, "analyze", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=slave,
                         env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8", "HOME": "/nonexistent", **env})
    os.close(slave)
    said, answer = [], []

    def listen():
        while True:
            try:
                piece = os.read(master, 4096)
            except OSError:  # the slave side of the terminal is closed
                return
            if not piece:
                return
            said.append(piece)

    readers = [threading.Thread(target=listen), threading.Thread(target=lambda: answer.append(p.stdout.read()))]
    for r in readers:
        r.start()
    step = len(data) // PIECES + 1
    for at in range(0, len(data) - step * bool(number), step):
        p.stdin.write(data[at:at + step])
        p.stdin.flush()
        time.sleep(seconds / PIECES)
    if number:
        p.send_signal(number)
        assert p.wait() == -number
    p.stdin.close()
    assert p.wait() == -number
    for r in readers:
        r.join()
    os.close(master)
    return answer[0], b"".join(said).decode()


def main(etcore):
    plain, none = run(etcore, 0, False)
    assert none == "", none
    for width in (80, 20):
        answer, said = run(etcore, 1.6, True, width)
        lines = said.split("\r\033[K")
        assert answer == plain
        assert lines[0] == "" and lines[-1] == "", repr(said)
        lines = [line for line in lines if line]
        assert len(lines) > 2, f"hardly a line: {said!r}"
        for line in lines:
            assert len(line) < width, repr(line)
            assert width < 80 or LINE.match(line), repr(line)
    for number in (signal.SIGINT, signal.SIGTERM):
        answer, said = run(etcore, 1.6, True, 80, number)
        assert answer == b"" and said.endswith("\r\033[K") and LINE.match(said.split("\r\033[K")[-2]), repr(said)
    assert run(etcore, 1.6, True, TERM="dumb") == (plain, ""), "progress where no line can be removed"
    assert run(etcore, 1.6, False) == (plain, ""), "progress in a pipe"
    assert run(etcore, 0.2, True) == (plain, ""), "progress of short work"
    print("a line of progress after a second, on a terminal only")


if __name__ == "__main__":
    main(sys.argv[1])
