#!/usr/bin/env python3
"""table.py ETCORE -- the plugin of docs/plugins/abi.md, "Events that are tables", must compile without a warning, give the
output shown below it, in process and isolated, and pass its checks."""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "tools"))
import make_calls  # noqa: E402

CHECKS = ["load", "ordinary", "names", "metadata", "answers", "sinks", "sizes", "older", "repeat", "order", "instances",
          "declarations"]


def main():
    etcore, wrong = os.path.abspath(sys.argv[1]), []
    with open(os.path.join(ROOT, "docs", "plugins", "abi.md"), encoding="utf-8") as f:
        part = re.search(r"^## Events that are tables\n(.*?)^## ", f.read(), re.M | re.S).group(1)
    source, want = re.search(r"```c\n(.*?)```.*?```text\n(.*?)```", part, re.S).groups()
    table = "".join(line + "\n" for line in re.findall(r"`([a-z0-9]+ \d+)`", part.split("```")[2]))
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: os.path.join(folder, name) for name in ("table.c", "table.so", "run.etdump")}
        with open(paths["table.c"], "w", encoding="utf-8") as f:
            f.write(source)
        with open(paths["run.etdump"], "wb") as f:
            f.write(make_calls.make([[("", "graph", table.encode(), 0, 100, 8100), ("DELEGATE_CALL", None, b"", 0, 0, 9000),
                                      ("Method::execute", None, b"", -1, 0, 10000)]]))
        subprocess.run([os.environ.get("CC", "cc"), "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-fPIC",
                        "-shared", "-fvisibility=hidden", "-I" + os.path.join(ROOT, "sdk", "include"), "-o",
                        paths["table.so"], paths["table.c"]], check=True)
        for how in ("--no-isolate", "--isolate"):
            done = subprocess.run([etcore, "analyze", paths["run.etdump"], "--no-siblings", "--plugin", paths["table.so"], how,
                                   "-o", "csv", "--columns", "name,self_ns,total_ns,category"], stdout=subprocess.PIPE,
                                  text=True, check=True)
            if done.stdout != want:
                wrong.append(f"{how}: {done.stdout}")
        done = subprocess.run([etcore, "plugins", "check", paths["table.so"], *CHECKS, "--sample", paths["run.etdump"]],
                              stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            wrong.append(done.stdout)
    print("\n".join(wrong + [f"a plugin of {len(source.splitlines())} lines, {len(wrong)} wrong"]))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
