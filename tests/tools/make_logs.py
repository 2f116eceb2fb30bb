#!/usr/bin/env python3
"""make_logs.py FOLDER -- writes serial logs in the format of bare-metal runners, with dumps of tests/data in them."""

import base64
import os
import sys

CASES = "tests/data/cases"


def text(path):
    with open(os.path.join(CASES, path), "rb") as f:
        return base64.b64encode(f.read()).decode()


def prefix(line):
    return f"I [executorch:arm_executor_runner.cpp:{line} main()] "


def runner():
    """Returns a log with a dump and its debug buffer, each in one long line."""
    return "\r\n".join([
        "telnetterminal0: Listening for serial connection on port 5000",
        prefix(512) + "PTE in 0x70000000 Size: 3152 bytes", prefix(741) + "Model executed successfully.",
        "#[RUN THIS]", "# Writing debug_buffer.bin [base64]", f'echo "{text("debug_sizes/debug.bin")}" | base64 -d >debug_buffer.bin',
        "# Writing etdump.bin [base64]", f'echo "{text("debug_sizes/run.etdump")}" | base64 -d >etdump.bin',
        "# Generate cpu cycle table with:",
        "python3 -m devtools.inspector.inspector_cli --etdump_path etdump.bin --source_time_scale cycles --target_time_scale cycles",
        "#[END]", prefix(790) + "Program complete, exiting.", ""])


def wrapped():
    """Returns a log in which a terminal wraps and prefixes each line, with lines of another thread in between."""
    dump, width = text("mlp_portable/run.etdump"), 100
    pieces = [dump[i:i + width] for i in range(0, len(dump), width)]
    lines = [prefix(741) + "Model executed successfully.", prefix(800) + "#[RUN THIS]", prefix(801) + 'echo "' + pieces[0]]
    for i, piece in enumerate(pieces[1:]):
        if i == 3:
            lines += ["E [executorch:dma.cpp:12 isr()] overrun", "Done"]
        lines.append(prefix(802 + i) + piece)
    # The letter before the bracket belongs to the message that was printed in the middle of this line.
    last = lines.pop()[len(prefix(802)):]
    lines += [prefix(850) + last[:8] + "I [executorch:dma.cpp:44 isr()] ready", prefix(851) + last[8:] + '" | base64 -d >etdump.bin', prefix(900) + "#[END]", ""]
    return "\r\n".join(lines)


def main():
    for name, make in (("runner", runner), ("wrapped", wrapped)):
        with open(os.path.join(sys.argv[1], name + ".log"), "w", encoding="ascii", newline="") as f:
            f.write(make())


main()
