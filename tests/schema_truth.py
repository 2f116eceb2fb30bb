#!/usr/bin/env python3
"""schema_truth.py RECORD_DUMP -- changes a graph's JSON place by place, and compares which changes etcore and the Inspector
reject.

The recorded answers (tests/data/values/schema.json) come from the Inspector's reader, see tests/tools/make_schema.py. For
`etcore inspector`, etcore must reject an additional member, a missing member and every value of a type that the schema does
not allow, and must never reject what the Inspector accepts. Errors that the Inspector only finds by rebuilding the graph
(an undefined or repeated name) are counted and allowed.
"""

import copy
import json
import os
import subprocess
import sys
import tempfile
import zipfile

from share import share

VALUES = {"null": None, "[]": [], "[1]": [1], "{}": {}, "text": "x", "1": 1}


def apply(root, path, what):
    root = copy.deepcopy(root)
    place = root
    for p in path[:-1]:
        place = place[p]
    if what[0] == "=":
        place[path[-1]] = VALUES[what[1:]]
        return root
    place = place[path[-1]] if path else root
    if what[0] == "+":
        place["zzz"] = 1
    else:
        del place[what[1:]]
    return root


def refuses(tool, file):
    run = subprocess.run([tool, file, "8"], capture_output=True, check=False)
    if run.returncode != 0:
        return run.stderr.decode()
    return json.loads(run.stdout.decode().splitlines()[0])["refuses"]


def main():
    with open("tests/data/values/schema.json", encoding="utf-8") as f:
        answers = json.load(f)
    with zipfile.ZipFile(answers["record"]) as z:
        entries = {n: z.read(n) for n in z.namelist()}
    root = json.loads(entries[answers["entry"]])
    checked = bad = later = 0
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "r.etrecord")
        for place in answers["places"]:
            for what in share(place["takes"] + place["refuses"], checked):
                with zipfile.ZipFile(file, "w") as z:
                    for name, data in entries.items():
                        z.writestr(name, json.dumps(apply(root, place["path"], what)) if name == answers["entry"] else data)
                checked += 1
                got, wanted = refuses(sys.argv[1], file), what in place["refuses"]
                if got in ((814, 406) if wanted else (0,)):
                    continue
                if wanted and got == 0 and what[0] == "=":
                    later += 1
                    continue
                bad += 1
                print(place["path"], what, got, "the Inspector", "refuses" if wanted else "takes")
    print(f"{checked - bad - later} of {checked} changes as the Inspector takes them, {later} found only by rebuilding")
    return 1 if bad or later * 10 > checked else 0


sys.exit(main())
