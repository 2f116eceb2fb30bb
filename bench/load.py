"""load - prints the processor time in seconds that Perfetto's trace_processor needs to load a file of less than 64
MB: to append the whole file and to finalize, which fills most of the tables. The start of trace_processor is not
included.

    load.py FILE        with the Python of tests/trace/viewers.sh
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../tests/trace"))
from viewers import Processor  # noqa: E402

with open(sys.argv[1], "rb") as f:
    print(min(Processor().seconds([f.read()] * 5)))
