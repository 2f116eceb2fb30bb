#!/usr/bin/env python3
"""wheel_library.py LIBRARY DUMP EXPECTED -- libetcore inside of an installed package: it answers as the program did, with
the plugins beside it, and also where these run in processes of their own, which the wheel's program is. N0642, which says
that the kernel cannot confine these (qemu-user cannot), is not compared.
"""

import json
import os
import sys

sys.path[:0] = [sys.path[0], os.path.join(sys.path[0], "api")]
from etcore_ctypes import Library, Query



def answer(text):
    document = json.loads(text)
    document["notes"] = [note for note in document["notes"] if note["code"] != "N0642"]
    return document


path, dump, expected = sys.argv[1:]
library = Library(path)
for options in {}, {"isolate": True}:
    with Query(library, "analyze", output="json", **options) as q:
        q.add(dump)
        said = q.run()
        if answer(said) != answer(open(expected, "rb").read()):
            sys.exit(f"{path}: another answer {options}: {list(q.notes())}")
