#!/usr/bin/env python3
"""layers_found.py -- tests/layers.py must find each kind of circle and a wrong include guard, and accept includes without circles."""
import os
import subprocess
import sys
import tempfile

LAYERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "layers.py")
PAGE, LIST = "docs/architecture.md", "library/questions.c"

# {case: ({file: its includes, or after '!' its text}, expected message of layers.py)}; "": no message.
CASES = {
    "a part that takes the types of the whole":
        ({"core/base/a.h": "", "core/base/a.c": "base/a.h base/a_parts.h", "core/base/a_parts.h": "base/a.h",
          "core/base/a_one.c": "base/a_parts.h"}, ""),
    "two sources with each other's header":
        ({"core/base/a.h": "", "core/base/a.c": "base/a.h base/b.h", "core/base/b.h": "", "core/base/b.c": "base/b.h base/a.h"},
         "files that include themselves: core/base/a -> core/base/b -> core/base/a"),
    "a circle of three, of headers and sources":
        ({"core/base/a.h": "base/b.h", "core/base/b.h": "", "core/base/b.c": "base/c.h", "core/base/c.h": "base/a.h"},
         "files that include themselves: core/base/a -> core/base/b -> core/base/c -> core/base/a"),
    "headers alone":
        ({"core/base/a.h": "base/b.h", "core/base/b.h": "base/a.h"},
         "files that include themselves: core/base/a -> core/base/b -> core/base/a"),
    "two parts of one folder":
        ({"core/formats/one/a.h": "", "core/formats/one/b.c": "formats/two/d.h", "core/formats/two/c.c": "formats/one/a.h",
          "core/formats/two/d.h": ""},
         "folders that include themselves: core/formats/one -> core/formats/two -> core/formats/one"),
    "the way back":
        ({"core/model/a.h": "", "core/base/b.c": "model/a.h"}, "core/base/b.c must not include core/model/a.h"),
    "the library's header in a command":
        ({"commands/one/a.c": "etcore/etcore.h"}, "commands/one/a.c must not include sdk/include/etcore/etcore.h"),
    "a command that is not listed":
        ({"commands/two/command.c": "!const struct etc_question etc_ask_two = {"}, "library/questions.c has no row for etc_ask_two"),
    "a guard with the name of another header":
        ({"core/base/a.h": "!#ifndef ETC_BASE_B_H\n#define ETC_BASE_B_H\n#endif\n"},
         "core/base/a.h: the include guard must be ETC_BASE_A_H"),
    "a function that core declares and a command defines":
        ({"core/base/a.h": "!bool etc_a(int a,\n           int b) ETC_MUST_CHECK;\n", "core/base/b.c": "!int x = etc_a(1, 2);\n",
          "commands/one/a.c": "!bool etc_a(int a, int b)\n{\n}\n"},
         "commands/one/a.c: etc_a() is declared in core/base/a.h: move one of them"),
    "such a function of a function type":
        ({"core/base/a.h": "!etc_writer etc_a,\n        etc_b;\n", "commands/one/a.c": "!bool etc_b(int a,\n           int b)\n{\n}\n"},
         "commands/one/a.c: etc_b() is declared in core/base/a.h: move one of them"),
    "another command":
        ({"commands/one/a.c": "commands/two/b.h", "commands/two/b.h": ""},
         "commands/one/a.c must not include commands/two/b.h"),
}


def layers(tree, *more):
    return subprocess.run([sys.executable, LAYERS, tree, *more], capture_output=True, text=True, check=False)


def write(tree, path, text):
    os.makedirs(os.path.dirname(os.path.join(tree, path)), exist_ok=True)
    with open(os.path.join(tree, path), "w", encoding="utf-8") as f:
        f.write(text)


def check(files, said):
    """Describes what is wrong with the result; None if it is as expected."""
    with tempfile.TemporaryDirectory() as tree:
        write(tree, PAGE, "```mermaid\n```\n")
        write(tree, LIST, "\tX(one)\n")
        for path, names in files.items():
            write(tree, path, names[1:] if names.startswith("!") else
                  "".join(f'#include "{name}"\n' for name in names.split()))
        found = [] if layers(tree).returncode else ["an old drawing is taken"]
        now = layers(tree, "--update")
        if now.stderr.strip() != said or now.returncode != bool(said):
            found.append(f"says '{now.stderr.strip()}'")
        if layers(tree).returncode != bool(said):
            found.append("--update does not write the drawing")
        return "; ".join(found)


def main():
    wrong = {name: found for name, case in CASES.items() if (found := check(*case))}
    print("\n".join(f"{name}: {found}" for name, found in wrong.items()) or f"{len(CASES)} trees")
    return bool(wrong)


sys.exit(main())
