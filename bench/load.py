"""load - prints the seconds in which Perfetto's trace_processor loads a file of less than 64 MB, as it says itself.

    load.py FILE        with the Python of tests/trace/viewers.sh
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../tests/trace"))
from viewers import Processor  # noqa: E402

with open(sys.argv[1], "rb") as f:
    answers = Processor().ask([f.read()] * 5, "select value from stats where name = 'parse_trace_duration_ns'")
print(min(rows[0][0] for rows, in answers) / 1e9)
