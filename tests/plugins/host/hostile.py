#!/usr/bin/env python3
"""hostile.py --etcore PROGRAM --plugin HOSTILE.so [--sanitized]

`analyze` and `inspector` must answer, whatever a plugin returns. Invalid answers are rejected with one warning; the rest
of the output must be the same as if the plugin had not answered, within limits of time and memory."""
import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), *[os.pardir] * 2))
from share import SHARE, share  # noqa: E402

# {answer: hook whose answer is rejected}; None: the answer is valid.
ANSWERS = {
    "nothing": None,
    # Texts that do not end, or are far too long.
    "text_without_end": "parse_metadata", "name_without_end": "parse_metadata", "name_text": "name_event",
    "map_key": "map_event", "million": "parse_metadata", "list": "parse_metadata", "endless": "parse_metadata",
    "deaf": "parse_metadata", "name_often": "name_event", "map_endless": "map_event", "deep_json": "parse_metadata",
    "more_times": "convert_time", "fewer_times": "convert_time",
    # A value of another type than declared, or of an undeclared column.
    "wrong_type": "parse_metadata", "undeclared": "parse_metadata", "broken_json": "parse_metadata",
    "dict_then_list": "parse_metadata", "no_pointer": "parse_metadata", "not_utf8": "parse_metadata",
    "unknown_result": "parse_metadata", "name_field": "name_event", "name_ordinal": "name_event",
    "class_of_another_hook": "classify", "class_ran": "classify", "probe": "probe",
    "time_nonsense": "describe_time", "time_nan": "describe_time", "time_negative": "describe_time",
    "time_circle": "describe_time", "time_tiny": "describe_time", "time_huge": "describe_time",
    # Unusual but valid answers.
    "nan": None, "infinite": None, "controls": None, "duplicates": None, "name_later": None,
    "nan_times": None, "infinite_times": None, "time_wraps": None,
    "time_nest": None, "time_siblings": None,  # extremes.py tests more of them
}
ALONE = "tests/data/backends/cases/metadata_columns/run.etdump"
RECORD = ["tests/data/backends/cases/coreml_basic/run.etdump", "tests/data/backends/cases/coreml_basic/model.etrecord"]
# Valid answers for which the memory may not suffice.
MANY = {"map_million": "map_event", "large_text": "parse_metadata"}
# Hooks that influence the rows of analyze; each question is listed with the hooks that influence its answer.
FACTS = {"name_event", "classify", "describe_time", "probe"}
QUESTIONS = [
    (["analyze", ALONE, "--no-siblings", "-o", "csv"], FACTS | {"parse_metadata"}),
    (["analyze", ALONE, "--no-siblings", "--events", "-o", "json"], FACTS | {"parse_metadata"}),
    (["analyze", RECORD[0], "-r", RECORD[1], "--by", "module", "-o", "csv"],
     FACTS - {"probe"} | {"parse_metadata", "map_event"}),
    (["inspector", "--etdump_path", ALONE, "--include-delegate-debug-data", "yes"],
     {"parse_metadata", "convert_time"}),
]
SECONDS, MEGABYTES = 20, 300


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--etcore", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--sanitized", action="store_true")
    args = parser.parse_args()
    wrong, asked = [], 0
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "hostile.c"), encoding="utf-8") as f:
        known = set(re.findall(r'is\(self, "(\w+)"', f.read()))
    if known | {"nothing"} != set(ANSWERS) | set(MANY):
        wrong.append(f"hostile.c and hostile.py differ: {known ^ set(ANSWERS) ^ set(MANY)}")

    def limit():
        seconds = SECONDS * (10 if args.sanitized else 1)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        if not args.sanitized:
            resource.setrlimit(resource.RLIMIT_AS, (MEGABYTES << 20, MEGABYTES << 20))

    def run(words, how, more=()):
        with open(ini, "w", encoding="utf-8") as f:
            f.write(f"[etcore]\nplugins = hostile\n[plugin.hostile]\nlibrary = {args.plugin}\nhow = {how}\n"
                    "[backend.CoreMLBackend]\nowner = hostile\n")
        return subprocess.run([args.etcore, *words, "-c", ini, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=600, preexec_fn=limit)

    with tempfile.TemporaryDirectory() as scratch:
        ini = os.path.join(scratch, "hostile.ini")
        for turn, (words, hooks) in enumerate(QUESTIONS):
            usual = run(words, "nothing").stdout
            reached = set()
            for how, refused in share({**ANSWERS, **MANY}.items(), turn):
                asked += 1
                done = run(words, how)
                said = re.findall(r"^etcore: (.*)$", done.stderr.decode(), re.M)
                said = [line for line in said if "note[" not in line and "W0555" not in line]  # the settings are for all dumps
                what = f"{words[0]} {' '.join(words[2:])}: {how}: "
                reached |= {refused} if said else set()
                if done.returncode != 0 or not done.stdout:
                    wrong.append(f"{what}status {done.returncode}: {done.stderr.decode()[-300:]}")
                elif len(said) > (1 if refused in hooks else 0):
                    wrong.append(f"{what}said {said}")
                elif said and not re.match(rf"warning\[W061[01]\].* plugin 'hostile' in {refused}\b", said[0]):
                    wrong.append(f"{what}said {said}, not one warning of {refused}")
                elif said and how not in MANY and refused not in ("describe_time", "probe") and b"W06" not in usual and \
                        without_notes(done.stdout) != without_notes(usual):
                    wrong.append(f"{what}the answer is another than without the plugin's")
                if said and words == QUESTIONS[0][0] and run(words, how, ["--strict"]).returncode != 9:
                    wrong.append(f"{what}--strict does not fail")
            if reached - {None} != hooks and (SHARE == 1 or reached - {None} - hooks):
                wrong.append(f"{words[0]} {' '.join(words[2:])}: refused answers of {reached}, not of {hooks}")
    print("\n".join(wrong + [f"{asked} answers of a hostile plugin, {len(wrong)} wrong"]))
    return 1 if wrong else 0


def without_notes(answer):
    """Removes the notes, which name the plugin; everything else must equal the answer without the plugin."""
    return re.sub(rb'"notes": ?\[.*?\n?\]', b"", answer, flags=re.S) if answer.startswith(b"{") else answer


if __name__ == "__main__":
    sys.exit(main())
