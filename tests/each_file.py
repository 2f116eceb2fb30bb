#!/usr/bin/env python3
"""each_file.py analyzer|clang COMPILE_COMMANDS -- prints, for each file, a command that runs the tool over it and writes nothing.

analyzer: gcc's -fanalyzer over the C files of the program. The commands do not optimise, because inlined and vectorised code
makes -fanalyzer report paths that the source does not have. They disable exceptions, which a few C files enable: the
analyzer would report a leak wherever a function of the C library could throw.

clang: the warnings for all files, those of tests too. A file that is compiled with other macros is another file.
"""

import json
import os
import shlex
import sys

FLAGS = {
    "analyzer": ["-fanalyzer", "-Werror", "-Wno-analyzer-malloc-leak", "-Wno-analyzer-use-of-uninitialized-value", "-Wno-analyzer-shift-count-overflow",
                 "-Wno-analyzer-null-dereference", "-fno-exceptions", "-O0", "-S", "-o", "/dev/null"],
    "clang": ["-fsyntax-only"],
}
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = tuple(os.path.join(ROOT, folder, "") for folder in ("core", "commands", "library", "cli", "plugins", "sdk"))

tool, commands = sys.argv[1:]
printed = set()
with open(commands, encoding="utf-8") as f:
    for entry in json.load(f):
        if tool == "analyzer" and not (entry["file"].endswith(".c") and entry["file"].startswith(PROGRAM)):
            continue
        if not os.path.exists(entry["file"]):  # made by the build: texts as arrays
            continue
        words = shlex.split(entry["command"])
        words = words[next(i for i, word in enumerate(words) if word.endswith(("cc", "clang", "++"))):]
        drop = {i for flag in ("-o", "-MF", "-MT", "-MQ") for i, word in enumerate(words[:-1]) if word == flag}
        drop |= {i + 1 for i in drop}
        keep = [word for i, word in enumerate(words) if i not in drop and word not in ("-c", "-MD") and not word.startswith("-O")]
        line = shlex.join(keep + FLAGS[tool])
        if line not in printed:
            print(line)
        printed.add(line)
