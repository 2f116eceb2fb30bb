#!/usr/bin/env python3
"""bars.py ETCORE -- tests `analyze --bars` on terminals: lengths must be proportional to times, no line wider than
the terminal, bars ASCII without UTF-8. There must be no bars if they would displace the only column that names rows."""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DUMP = os.path.join(ROOT, "tests/data/cases/conv_net_xnnpack/run.etdump")
EIGHTHS = "▏▎▍▌▋▊▉█"
ROW = re.compile(r"^(.*?\D)(\d+\.\d+) .*?%  +([#▏▎▍▌▋▊▉█]+)$")


def run(etcore, width, locale, *words):
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 25, width, 0, 0))
    p = subprocess.Popen([etcore, "analyze", DUMP, "--no-siblings", "--bars", "--no-color", *words],
                         stdin=subprocess.DEVNULL, stdout=slave, stderr=subprocess.DEVNULL,
                         env={"PATH": os.environ.get("PATH", ""), "LC_ALL": locale, "TERM": "xterm", "HOME": "/nonexistent"})
    os.close(slave)
    said = b""
    while True:
        try:
            piece = os.read(master, 4096)
        except OSError:  # the slave side of the terminal is closed
            break
        if not piece:
            break
        said += piece
    assert p.wait() == 0
    os.close(master)
    return said.decode().replace("\r\n", "\n").split("\n")


def columns(bar, ascii_only):
    return len(bar) if ascii_only else sum((EIGHTHS.index(c) + 1) / 8 for c in bar)


def main(etcore):
    for width in (60, 80, 140):
        for locale in ("C.UTF-8", "C"):
            lines = run(etcore, width, locale, "--columns", "name,self_ns,share")
            assert all(len(line) <= width for line in lines if ROW.match(line)), lines
            ascii_only = locale == "C"
            assert not ascii_only or all(line.isascii() for line in lines), lines
            rows = [(float(m[2]), columns(m[3], ascii_only)) for m in map(ROW.match, lines) if m]
            assert len(rows) > 5, lines
            most, longest = max(rows)
            step = 1 if ascii_only else 1 / 8
            assert 8 <= longest <= 24 and longest == int(longest)
            for time, bar in rows:
                assert abs(bar - max(time / most * longest, step)) <= step * 0.55, (width, locale, time, bar, longest)
    for width in (80, 88, 95, 110, 125, 140, 200):
        lines = run(etcore, width, "C.UTF-8", "--events")
        head = next(line for line in lines if re.search(r"\binstr  event\b|\bp10 ", line))
        table = [line for line in lines[lines.index(head) + 1:] if re.match(r"Execute | +\d+  ", line)]
        barred = sum(line.endswith(tuple(EIGHTHS)) for line in table)
        assert "delegate" in head and barred > 20, (width, head, barred)
        event, end = head.index("event"), re.search("p[15]0", head).start()
        assert len(table) > 60 and all(line[event:end].strip() for line in table), (width, "a row without a name")
    print("bars of 3 widths, with and without UTF-8")


if __name__ == "__main__":
    main(sys.argv[1])
