#!/usr/bin/env python3
"""skill.py ETCORE -- follows docs/agents/SKILL.md literally on five dumps: each of its commands must run, exit with a
status listed in its table, and print JSON with a schema if it asks for JSON; each listed status must be one of etcore's."""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ETCORE = os.path.abspath(sys.argv[1])
DUMPS = {  # {recording: another recording of the same program}
    "arm/attn_i8d/nosme": "arm/attn_i8d/sme2",
    "cases/conv_net_xnnpack": "cases/conv_net_xnnpack",
    "cases/mlp_portable": "cases/mlp_portable",
    "cases/multi_method": "cases/multi_method",
    "backends/cases/vulkan_two_parts": "backends/cases/vulkan_two_parts",
}
NO_TIMES = ("E0572",)  # these dumps have no row above 5 %


def lines(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def commands(page):
    for block in re.findall(r"^```console\n(.*?)^```$", page, re.M | re.S):
        for line in block.splitlines():
            assert line.startswith("$ etcore "), line
            yield shlex.split(line[2:])[1:]


def statuses(page):
    table = page.split("## Exit statuses", 1)[1].split("##", 1)[0]
    return {int(n) for cell in re.findall(r"^\| ([\d, ]+) \|", table, re.M) for n in cell.split(",")}


def prepare(folder, name, other):
    data = os.path.join(ROOT, "tests", "data")
    for file in ("run.etdump", "model.etrecord", "model.pte"):
        if os.path.exists(os.path.join(data, name, file)):
            shutil.copy(os.path.join(data, name, file), folder)
    shutil.copy(os.path.join(data, name, "run.etdump"), os.path.join(folder, "before.etdump"))
    shutil.copy(os.path.join(data, other, "run.etdump"), os.path.join(folder, "after.etdump"))


def follow(folder, words, known):
    r = subprocess.run([ETCORE, *words], cwd=folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert r.returncode in known, (folder, words, r.returncode)
    if r.returncode not in (0, 1, 11):
        assert any(code in r.stderr for code in NO_TIMES), (words, r.stderr)
        return False
    assert r.stdout.strip(), words
    if words[-2:] == ["-o", "json"]:
        answer = json.loads(r.stdout)
        assert words[0] == "explain" or answer["schema"].startswith("etcore."), words
    return True


def main():
    page = lines("docs/agents/SKILL.md")
    known, all_commands, answered = statuses(page), list(commands(page)), 0
    exits = {int(n) for n in re.findall(r"^\tX\(\w+,\s+(\d+),", lines("core/base/error.h"), re.M)}
    assert known == exits, (known ^ exits)
    for code in re.findall(r"\b[ENW]\d{4}\b", page):
        assert f"({code[0]}, {code[1:]}" in lines("core/base/codes.def"), code
    for name, other in DUMPS.items():
        with tempfile.TemporaryDirectory() as folder:
            prepare(folder, name, other)
            answered += sum(follow(folder, words, known) for words in all_commands)
    assert answered > 0.9 * len(DUMPS) * len(all_commands)
    print(f"{len(all_commands)} commands on {len(DUMPS)} dumps, {answered} answered, {len(known)} statuses")


main()
