"""Removes notes and suggested commands of an answer before a comparison."""
import re


def without(code, answer):
    """Returns `answer` (a screen or JSON) without notes of `code`, for example N0642, which only some kernels and builds
    with sanitizers give for isolated plugins."""
    lines = answer.split("\n")
    for at in [i for i, line in enumerate(lines) if code in line][::-1]:
        line = lines.pop(at)
        if line.endswith("],"):  # the note was the last one of a list
            lines[at - 1] = lines[at - 1].rstrip(",") + "],"
        elif lines[at - 1] == "notes" and not lines[at].startswith("  "):  # the note was the only one on a screen
            del lines[at - 2:at]
    return "\n".join(lines)


def without_suggestions(screen):
    """Returns `screen` without the suggested commands, which repeat the options of the command line."""
    return re.sub(r"(?m)^(next:|     ) etcore .*\n", "", screen)
