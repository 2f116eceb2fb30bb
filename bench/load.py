"""load - prints the processor time in seconds in which Perfetto's trace_processor loads a file of less than 64 MB:
appending all of it, and finalizing, which fills most of its tables. The start of the program is not included.

    load.py FILE        with the Python of tests/trace/viewers.sh
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../tests/trace"))
from viewers import Processor  # noqa: E402

with open(sys.argv[1], "rb") as f:
    print(min(Processor().seconds([f.read()] * 5)))
