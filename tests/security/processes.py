#!/usr/bin/env python3
"""processes.py -- checks that etcore never starts a shell, never guesses temporary file names, and starts processes in one
source file only.

Searches code for calls, ignoring comments and texts, and texts for a shell's name.
"""

import pathlib
import re
import sys

STARTER = "core/base/process.c"
SHELL = "system|popen|wordexp|execl|execlp|execle|execvp|execvpe"
NAMES = "tmpnam|tmpnam_r|tempnam|mktemp"
# Only these start processes: isolated plugins; `plugins check`; `pipeline run`; `dump --graph -o svg`;
# `batch`; `farm`.
STARTS = "etc_process_start|etc_process_run|etc_process_fork|etc_job_run|etc_child_start"
ASKERS = re.compile(r"core/base/|core/host/|commands/(plugins|pipeline|analyze/batch)/|commands/dump/drawing[.]c|commands/farm/engine[.]c")
READER = "cli/screen.c"  # reads colour and width settings; everywhere else secure_getenv() is required
START = "posix_spawn|posix_spawnp|fork|vfork|clone|execv|execve|fexecve"
SPOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)
PROBE = '/* system(x) */\nchar *s = "popen(x)"; // fork(x)\nint y = system(command);\n'


def calls(words, source):
    """Returns (line number, text) of each call of one of the words."""
    code = SPOKEN.sub(lambda m: "\n" * m[0].count("\n"), source)
    found = re.compile(rf"(?<![\w.>])({words})\s*\(")
    return [(n, line.strip()) for n, line in enumerate(code.splitlines(), 1) if found.search(line)]


def main():
    if [n for n, _ in calls(f"{SHELL}|{START}", PROBE)] != [3]:
        print("the probe of this test is not found")
        return 1
    files = [str(path) for folder in ("core", "commands", "library", "cli", "plugins", "sdk") for path in sorted(pathlib.Path(folder).rglob("*"))
             if path.suffix in (".c", ".cpp", ".h")]
    bad = []
    for path in files:
        with open(path, encoding="utf-8") as f:
            source = f.read()
        words = f"{SHELL}|{NAMES}" + ("" if path == STARTER else f"|{START}")
        words += "" if path == READER or path.startswith(("plugins", "sdk")) else "|getenv"
        bad += [f"{path}:{n}: {line}" for n, line in calls(words, source)]
        bad += [f"{path}: starts processes"] * bool(calls(STARTS, source) and not ASKERS.match(path))
        bad += [f"{path}: names a shell: {m[0]}" for m in re.finditer(r'"(?:/bin/\w*)?sh"', source)]
    print("\n".join(bad) or f"{len(files)} files: no shell, no guessable name of a file, no plain getenv(); processes start in {STARTER} alone")
    return bool(bad) or not files


if __name__ == "__main__":
    sys.exit(main())
