#!/usr/bin/env python3
"""hardened.py FILE... [--plugins FILE...] -- checks that each ELF file is built as SECURITY.md says.

Required are: position independent, read-only after relocation, bound at start, no executable stack, stack protector, libc's
checked functions; for plugins, which may have no array and call nothing of libc, all but the last two. First the test
builds a file without any of these: each check must fail on it, otherwise the check would prove nothing.
"""

import os
import re
import subprocess
import sys
import tempfile

LAX = ["-O0", "-no-pie", "-fno-stack-protector", "-U_FORTIFY_SOURCE", "-Wl,-z,norelro", "-Wl,-z,lazy", "-Wl,-z,execstack"]
IN_CODE = "guarded stack frames (__stack_chk_fail)", "libc's checked functions (__*_chk)"
SOURCE = """#include <stdio.h>
int main(int argc, char **argv) { char a[8]; snprintf(a, (size_t)argc + 1, "%s", argv[0]); return a[0]; }
"""


def readelf(path, *flags):
    return subprocess.run(["readelf", "-W", *flags, path], check=True, text=True, stdout=subprocess.PIPE).stdout


def missing(path):
    """Lists the hardening features that the file lacks."""
    header, segments, symbols = readelf(path, "-h"), readelf(path, "-l"), readelf(path, "--dyn-syms")
    stack = re.search(r"GNU_STACK.* (R\S*) ", segments)
    have = {
        "position independent (ELF type DYN)": re.search(r"Type:\s+DYN", header),
        "read-only after relocation (GNU_RELRO)": "GNU_RELRO" in segments,
        "bound as a whole before it runs (BIND_NOW)": re.search(r"\bBIND_NOW\b|FLAGS_1\).*\bNOW\b", readelf(path, "-d")),
        "a stack without code (GNU_STACK RW)": stack and "E" not in stack[1],
        IN_CODE[0]: "__stack_chk_fail" in symbols,
        IN_CODE[1]: re.search(r"UND __(?!stack)\w+_chk\b", symbols),
    }
    return [what for what, it_has in have.items() if not it_has], len(have)


def main(files):
    with tempfile.TemporaryDirectory() as scratch:
        lax = os.path.join(scratch, "lax")
        subprocess.run([os.environ.get("CC", "cc"), *LAX, "-x", "c", "-", "-o", lax], input=SOURCE, text=True, check=True)
        found, checks = missing(lax)
        if len(found) != checks:
            print(f"a program without any hardening lacks only: {', '.join(found)}")
            return 1
    wrong = 0
    cut = files.index("--plugins")
    for path in files[:cut] + files[cut + 1:]:
        lacks = [what for what in missing(path)[0] if path in files[:cut] or what not in IN_CODE]
        wrong += len(lacks)
        print("".join(f"{path}: not {what}\n" for what in lacks), end="")
    print(f"{len(files) - 1} files, {wrong} findings; all {checks} checks fail on a program built without")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
