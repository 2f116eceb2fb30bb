#!/usr/bin/env python3
"""backend_names.py [ROOT] -- checks that no C code outside plugins/ names a backend or a library of kernels.

Names of backends, and names of operators and types that only one backend uses, must come from the data or from its plugin.
The test searches code and strings, not comments, of core/, commands/, library/, cli/ and of the SDK's headers and template,
except commands/pipeline, whose subject these backends are. EXCEPTIONS lists all other places with the reason; an exception
that is not needed any more is a failure too."""
import os
import re
import sys

NAMES = re.compile(r"xnnpack|kleidi|core_?\s?ml(?![a-z])|vulkan|(?<![a-z])qnn|qualcomm|ethos(?=[-_ ]?u)|(?<![a-z])vgf|neutron"
                   r"|mediatek|samsung|exynos|openvino|cadence|(?<![a-z])mps(?![a-z])|onednn|qnnpack"
                   r"|(?<![a-z])q[dp]u?8|(?:un|bin)ary (?:elementwise|op(?![a-z]))|\"invalid \"", re.I)
PIPELINE_ROW = re.compile(r"X\([EWN], 10\d\d,")  # of codes.def
FOLDERS = ("core", "commands", "library", "cli", "sdk/include", "sdk/template")
LEFT_OUT = ("commands/pipeline/",)
EXCEPTIONS = {
    "core/model/builtin.c": "the table of what is known without plugins",
    "commands/farm/command.c": "a question that is a file of share/sql",
    "commands/plugins/command.c": "an example that can be typed: a plugin that is installed with the program",
    "commands/plugins/check/cases.c": "events that are shown to the plugin under test, as backends log them",
    "commands/plugins/check/texts.c": "names that are shown to the plugin under test, as backends log them",
    "commands/whatif/command.c": "an example that can be typed: a library whose ratios a comparison gives",
    "core/formats/etrecord/node_text.c": "namespaces of PyTorch's operators",
    "core/formats/pickle/pickle_call.c": "devices of PyTorch, as they stand in a pickle",
    "core/formats/pickle/pickle_tensor.c": "devices of PyTorch, as they stand in a pickle",
}
TOKENS = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def code_of(text):
    """Returns the text without comments, with the same number of lines."""
    return TOKENS.sub(lambda m: "\n" * m.group().count("\n") if m.group()[0] == "/" else m.group(), text)


def files(root):
    for folder in FOLDERS:
        for where, _, names in os.walk(os.path.join(root, folder)):
            for name in sorted(names):
                path = os.path.relpath(os.path.join(where, name), root)
                if re.search(r"\.(c|h|cpp|inc|def)$", name) and not path.startswith(LEFT_OUT):
                    yield path


def check_itself():
    said = [bool(NAMES.search(code_of(c))) for c in ('x = "XNNPACK";', "int is_qnn;", "f(ETC_COREML)", "/* Vulkan */ f();", '"/* VGF"',
                                                     "sethostname()", '"%u dumps"', '"Core ML"', "ethos_u()", "// QNN",
                                                     '"QDU8"', '"Unary Elementwise"', '"Invalid Binary Op"', 'S("Invalid ")', '"invalid value"')]
    return said == [True, True, True, False, True, False, False, True, True, False, True, True, True, True, False]


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    wrong, seen, count = [], set(), 0
    for path in files(root):
        with open(os.path.join(root, path), encoding="utf-8") as f:
            lines = code_of(f.read()).split("\n")
        count += 1
        for number, line in enumerate(lines, 1):
            if NAMES.search(line) and not PIPELINE_ROW.match(line):
                seen.add(path)
                if path not in EXCEPTIONS:
                    wrong.append(f"{path}:{number}: names a backend or library: {line.strip()}")
    wrong += [f"{path}: is no exception any more" for path in sorted(set(EXCEPTIONS) - seen)]
    if not check_itself():
        wrong.append("the test does not tell code from comments")
    print("\n".join(wrong + [f"{count} files, {len(EXCEPTIONS)} exceptions, {len(wrong)} wrong"]))
    return bool(wrong) or count < 500


if __name__ == "__main__":
    sys.exit(main())
