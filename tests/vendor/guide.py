#!/usr/bin/env python3
"""guide.py BUILD -- follows sdk/README.md: writes its files as shown, and runs its commands in order.

A block after a line with a file name, such as `npu.c`:, is that file. A ```console block runs with an etcore installed
from BUILD (program, pkg-config file, share/etcore in PATH) and must print what the page shows; "..." stands for
any text, ```console status=1 for commands that exit with this status."""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "sdk", "README.md")
FILE = re.compile(r"^`([\w.]+)`:\n\n```\w+\n(.*?)^```$", re.M | re.S)
CONSOLE = re.compile(r"^```console(?: status=(\d+))?\n(.*?)^```$", re.M | re.S)


def commands(block):
    """Yields (command, expected output) of a console block."""
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


def fits(shown, got):
    return re.fullmatch(".*".join(re.escape(part) for part in shown.split("...")), got, re.S) is not None


def main():
    build = os.path.abspath(sys.argv[1])
    with open(PAGE, encoding="utf-8") as f:
        page = f.read()
    wrong, ran = [], 0
    with tempfile.TemporaryDirectory() as scratch:
        prefix, work = os.path.join(scratch, "prefix"), os.path.join(scratch, "work")
        subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
        os.mkdir(work)
        found = subprocess.run(["find", prefix, "-name", "etcore.pc"], stdout=subprocess.PIPE, text=True).stdout.split()
        python = os.path.join(scratch, "python")  # the Python that runs this test
        os.mkdir(python)
        os.symlink(sys.executable, os.path.join(python, "python3"))
        env = {"HOME": scratch, "PKG_CONFIG_PATH": os.path.dirname(found[0]), "LC_ALL": "C.UTF-8",
               "PATH": f"{prefix}/bin:{prefix}/share/etcore:{python}:/usr/local/bin:/usr/bin:/bin"}
        files = FILE.findall(page)
        for name, text in files:
            with open(os.path.join(work, name), "w", encoding="utf-8") as f:
                f.write(text)
        for status, block in CONSOLE.findall(page):
            for command, shown in commands(block):
                done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=work, env=env, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                ran += 1
                # `head` and `tail` may close their pipe early; the broken pipe is not a failure.
                want = int(status or 0)
                if done.returncode != want and not (want == 0 and done.returncode == 141):
                    wrong.append(f"$ {command}\nstatus {done.returncode}, not {want}:\n{done.stdout}")
                elif not fits(shown.rstrip("\n"), done.stdout.rstrip("\n")):
                    wrong.append(f"$ {command}\nshown:\n{shown}now:\n{done.stdout}")
        if len(files) < 4 or ran < 10:
            wrong.append(f"only {len(files)} files and {ran} commands were found")
    print("\n".join(wrong + [f"sdk/README.md: {len(files)} files, {ran} commands, {len(wrong)} wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
