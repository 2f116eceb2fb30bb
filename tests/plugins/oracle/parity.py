#!/usr/bin/env python3
"""parity.py ETCORE FOLDER -- tests record_parity.py together with `etcore plugins check --level parity`.

The answers of each Python function that an oracle plugin imitates (compare.py) are recorded, for valid and invalid
metadata and for small and large times. The plugin must give the same answers, and a plugin of another function must fail."""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compare

RECORDER = "sdk/python/record_parity.py"
TIMES = [0, 1, 7, 999, 1000, 1001, 2**31, 2**32 - 1, 2**53 - 1, 2**53 + 1, 2**62 + 1, 2**63 - 1]
NAMES = [name.decode() if number == -1 else number for name, number in compare.NAMES]


def blob(b):
    try:
        return b.decode()
    except UnicodeDecodeError:
        return {"hex": b.hex()}


def lone(b):
    """Returns whether the blob has a text with half a surrogate pair. Python accepts it, but a plugin's texts are UTF-8."""
    try:
        return any(0xd800 <= ord(c) < 0xe000 for c in json.dumps(json.loads(b), ensure_ascii=False))
    except (ValueError, RecursionError):
        return False


def questions():
    """Returns the questions: every fixed blob alone, some after an empty one, and every name with all times."""
    fixed = [blob(b) for b in compare.FIXED if not lone(b)]
    events = [{"id": "event", "metadata": [b]} for b in fixed]
    events += [{"id": "event", "metadata": ["", b]} for b in fixed[:40]]
    events += [{"id": name, "metadata": [""] * len(TIMES), "start": TIMES, "end": TIMES} for name in NAMES]
    return {"format": "etcore-parity/1", "events": events}


def main():
    etcore, folder = sys.argv[1:3]
    wrong, checked = [], 0
    with tempfile.TemporaryDirectory() as scratch:
        inputs, recorded = os.path.join(scratch, "inputs.json"), os.path.join(scratch, "recorded.json")
        with open(inputs, "w") as f:
            json.dump(questions(), f)
        callables = os.path.join(scratch, "callables.py")
        with open(callables, "w") as f:
            f.write(f"import sys\nsys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r})\nimport compare\n")
            for kind, table in (("parser", compare.PARSERS), ("converter", compare.CONVERTERS)):
                f.writelines(f"{kind}_{name} = compare.{kind.upper()}S[{name!r}]\n" for name in table)

        def recorded_of(kind, name):
            subprocess.run([sys.executable, RECORDER, inputs, "-o", recorded, f"--{kind}",
                            f"{callables}:{kind}_{name}"], check=True)

        def fails(kind, name):
            library = os.path.join(folder, f"{name}__none.so" if kind == "parser" else f"none__{name}.so")
            done = subprocess.run([etcore, "plugins", "check", library, "parity", "--expected", recorded],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            if done.returncode not in (0, 1):
                wrong.append(f"{name}: {done.stderr}")
            return done.stdout if done.returncode else ""

        for kind, table in (("parser", compare.PARSERS), ("converter", compare.CONVERTERS)):
            names = list(table)
            for i, name in enumerate(names):
                recorded_of(kind, name)
                for other in (name, names[i - 1]):
                    said = fails(kind, other)
                    same = name == other or {name, other} == {"utf8", "text_each"}
                    if same == bool(said):
                        wrong.append(f"{other} asked what {name} answers: {said or 'not one difference'}")
                    checked += 1
        print("\n".join(wrong + [f"{checked} plugins asked, {len(wrong)} wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
