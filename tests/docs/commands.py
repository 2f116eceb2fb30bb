#!/usr/bin/env python3
"""commands.py ETCORE -- etcore must accept every command line in documents and hints.

They are taken from inline code (`etcore ...`), indented lines and blocks of README.md, docs/ and the hints of codes.def.
The command and each of its options must exist, and an option with choices must be followed by one of them. tests/cli/run.py
runs ```console blocks completely; the command lines here name files that do not exist.
"""
import glob
import re
import shlex
import subprocess
import sys

SPAN = re.compile(r"`(etcore [^`]+)`")
LINE = re.compile(r"^ {4,}(?:\$ )?(etcore .*)$", re.M)
HINT = re.compile(r"(?:^|[;:,] )(etcore [a-z]+(?: [^;\"]*)?)")
PLACEHOLDER = re.compile(r"[A-Z…<\[|]|\.\.\.")


def sources():
    for path in ["README.md", "SECURITY.md", *sorted(glob.glob("docs/*.md")), *sorted(glob.glob("docs/codes/*.md")), *sorted(glob.glob("docs/plugins/*.md"))]:
        with open(path, encoding="utf-8") as f:
            text = f.read()
        text = re.sub(r"^```console.*?^```", "", text, flags=re.M | re.S)
        for found in SPAN.findall(text) + LINE.findall(text):
            yield path, " ".join(found.split())
    with open("core/base/codes.def", encoding="utf-8") as f:
        for line in f:
            hint = re.search(r'"([^"]*)"\)$', line.strip())
            for found in HINT.findall(hint[1].replace("`", "") if hint else ""):
                yield line[2:9].replace(", ", ""), found


class Program:
    def __init__(self, etcore):
        self.etcore, self.known = etcore, {}
        done = subprocess.run([etcore, "--help"], capture_output=True, text=True, check=True)
        self.commands = set(re.findall(r"^  (\w[\w-]*)  ", done.stdout, re.M))

    def help(self, command):
        if command not in self.known:
            done = subprocess.run([self.etcore, command, "--help"], capture_output=True, text=True, check=False)
            self.known[command] = done.stdout if done.returncode == 0 else ""
        return self.known[command]

    @staticmethod
    def choice(text, option):
        """Returns the words that may follow an option; [] if it accepts any."""
        name = re.search(rf"{option} ([A-Z]+) ", text)
        words = name and re.search(rf"^ +{name[1]}: ([\w|-]+)$", text, re.M)
        return words[1].split("|") if words else []

    def wrong(self, line):
        """Describes what is wrong with the command line; "" if it is right."""
        line = re.split(r" [|>&;]|#|\)$", line)[0].replace("'", '"')
        try:
            words = shlex.split(line)[1:]
        except ValueError:
            words = line.split()[1:]
        if not words or PLACEHOLDER.search(words[0]) or words[0].startswith("-") or "/" in words[0] or "." in words[0]:
            return ""
        command, text = words[0].rstrip(",:;"), self.help(words[0].rstrip(",:;"))
        if not text and command != "help" and not command.endswith("s"):  # prose such as "etcore shows ..."
            return f"there is no command '{command}'"
        for i, word in enumerate(words[1:], 1):
            for option in re.findall(r"--[a-z][\w-]*", word.split("=")[0]):
                have = [o for o in re.findall(r"--[a-z][\w-]*", text) if o.startswith(option)]
                if not have:
                    return f"{command} has no {option}"
                value = words[i + 1] if i + 1 < len(words) else ""
                choice = self.choice(text, have[0])
                if choice and re.fullmatch(r"[a-z][a-z0-9-]*", value) and value not in choice:
                    return f"{option} is one of {', '.join(choice)}, not {value}"
        return ""


def main():
    program, seen, bad = Program(sys.argv[1]), 0, []
    assert len(program.commands) > 10, program.commands
    for where, line in sources():
        seen += 1
        wrong = program.wrong(line)
        if wrong:
            bad.append(f"{where}: {line}: {wrong}")
    print("\n".join(bad))
    print(f"{seen} command lines, {len(bad)} wrong")
    return 1 if bad or seen < 100 else 0


sys.exit(main())
