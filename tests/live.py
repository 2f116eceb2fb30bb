#!/usr/bin/env python3
"""live.py ETCORE -- the tests that need ExecuTorch itself, in one process: importing it takes longer than they do.

    docs/recording.py   the Python block of docs/recording.md writes files that belong together and can be analysed
    parity/ini.py       `etcore inspector` with a section [backend.ID] prints what the Inspector prints with callables
    parity/migrate.py   the Python of docs/migrate.md prints what the page shows

ETCORE_VENV names the environment; without one the test is skipped. Each runs in a forked child, so none sees what another
has changed. ETCORE_SHARE holds for ini.py (tests/share.py).
"""
import os
import sys

TESTS = os.path.dirname(os.path.abspath(__file__))


def forked(name, work):
    """Returns whether `work` returned something false in a process of its own."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            print(f"{name}:", flush=True)
            status = int(bool(work()))
        finally:  # an exception was not caught, and is printed by nothing else
            if sys.exc_info()[0]:
                sys.excepthook(*sys.exc_info())
            sys.stdout.flush()
            os._exit(status)
    return os.waitpid(child, 0)[1] == 0


def live(etcore):
    sys.path[:0] = [os.path.join(TESTS, folder) for folder in ("docs", "parity", "")]
    import migrate

    stdout, sys.stdout = sys.stdout, migrate.OUT
    import torch
    torch.set_num_threads(1)
    from executorch.devtools import Inspector  # noqa: F401 -- for the children
    sys.stdout = stdout
    import ini
    import recording

    done = [forked("docs/recording", lambda: recording.live(etcore)), forked("parity/ini", lambda: ini.live(etcore)),
            forked("parity/migrate", migrate.live)]
    return not all(done)


def main():
    if sys.argv[1] == "--live":
        return live(sys.argv[2])
    python = os.path.join(os.environ.get("ETCORE_VENV", ""), "bin", "python")
    if not os.path.exists(python):
        print("skipped: ETCORE_VENV names no environment with ExecuTorch")
        return 77
    os.execv(python, [python, __file__, "--live", os.path.abspath(sys.argv[1])])


if __name__ == "__main__":
    sys.exit(main())
