#!/usr/bin/env python3
"""analyzer.py COMPILE_COMMANDS -- prints, for each C file of the program, a command that runs gcc's -fanalyzer over it.

The commands do not optimise, because inlined and vectorised code makes -fanalyzer report paths that the source does not
have. They disable exceptions, which a few C files enable: the analyzer would report a leak wherever a function of the C
library could throw.
"""

import json
import os
import shlex
import sys

FLAGS = ["-fanalyzer", "-Werror", "-Wno-analyzer-malloc-leak", "-Wno-analyzer-use-of-uninitialized-value",
         "-Wno-analyzer-shift-count-overflow", "-Wno-analyzer-null-dereference", "-fno-exceptions", "-O0", "-c", "-o", "/dev/null"]

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCES = tuple(os.path.join(ROOT, folder, "") for folder in ("core", "commands", "library", "cli", "plugins", "sdk"))

with open(sys.argv[1], encoding="utf-8") as f:
    for entry in json.load(f):
        words = shlex.split(entry["command"])
        if not entry["file"].endswith(".c") or not entry["file"].startswith(SOURCES):
            continue
        words = words[next(i for i, word in enumerate(words) if word.endswith(("gcc", "cc"))):]
        drop = {i for flag in ("-o", "-MF", "-MT", "-MQ") for i, word in enumerate(words[:-1]) if word == flag}
        drop |= {i + 1 for i in drop}
        keep = [word for i, word in enumerate(words) if i not in drop and word not in ("-c", "-MD") and not word.startswith("-O")]
        print(shlex.join(keep + FLAGS))
