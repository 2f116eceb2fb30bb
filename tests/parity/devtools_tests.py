#!/usr/bin/env python3
"""devtools_tests.py [--etcore …] [--update] -- runs ExecuTorch's own tests of its developer tools, unchanged from its
wheel, with etcore.shim installed. All test files that mention the Inspector run here.

A test may fail only if it patches functions of the real class's module or calls a private method that etcore lacks;
reason() finds both in the test's source. docs/python.md must contain the table that this program makes (--update writes
it), so the table follows the wheel. $ETCORE_LIBRARY is the path of libetcore. live.sh makes the Python environment and
starts this program.
"""
import argparse
import ast
import collections
import contextlib
import glob
import importlib
import io
import logging
import os
import sys
import unittest
import warnings

sys.path.insert(0, "python")
DOCS, HEAD = "docs/python.md", "| tests of `executorch/devtools` | number of tests | pass | cannot run |\n|---|---|---|---|\n"


def tests_of(tree):
    """Yields (class name or "", function node) of each test in a syntax tree."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield from ((node.name, f) for f in node.body if isinstance(f, ast.FunctionDef) and f.name.startswith("test"))
        elif isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            yield "", node


def reason(function, private):
    """Returns why a test can only pass with ExecuTorch's own class (it patches functions, or calls a method of `private`),
    or None."""
    names = {n.attr for n in ast.walk(function) if isinstance(n, ast.Attribute)} | \
        {n.id for n in ast.walk(function) if isinstance(n, ast.Name)}
    if "patch" in names:
        return "patch functions of the module `_inspector`"
    called = sorted(names & private)
    return f"call `{called[0]}`" if called else None


class Results(unittest.TestResult):
    """Adds the ids of passed tests, which unittest.TestResult does not keep."""

    def __init__(self):
        super().__init__()
        self.passed = set()

    def addSuccess(self, test):
        self.passed.add(test.id())


def run(module):
    """Runs the tests of a module. Returns the ids of those that pass, and {id: last line of the traceback} of the others."""
    results = Results()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        for test in unittest.defaultTestLoader.loadTestsFromModule(module):
            # A test class that the module only imports is run with the file that defines it.
            unittest.TestSuite(t for t in test if type(t).__module__ == module.__name__).run(results)
    return results.passed, {t.id(): text.splitlines()[-1] for t, text in results.failures + results.errors}


def rows(root):
    """Returns the lines of the table, the number of tests that pass, and the unexpected failures."""
    import etcore
    from executorch.devtools.inspector import _inspector  # its private names are compared with etcore's

    private = {n for c in ("Event", "EventBlock", "Inspector") for n in importlib.import_module("etcore.shim")._original(
        _inspector.__name__, c).__dict__ if n.startswith("_") and not hasattr(getattr(etcore, c), n)}
    out, others, passed, wrong = [], collections.Counter(), 0, []
    for path in sorted(glob.glob(os.path.join(root, "**", "*test*.py"), recursive=True)):
        with open(path, encoding="utf-8") as f:
            source = f.read()
        found = list(tests_of(ast.parse(source)))
        name = os.path.relpath(path, root)
        if found and "nspector" not in source:
            others[name.partition(os.sep)[0]] += len(found)
        elif found:
            module = importlib.import_module("executorch.devtools." + name[:-3].replace(os.sep, "."))
            ok, failed = run(module)
            for group in dict.fromkeys(c for c, _ in found):
                functions = {f"{module.__name__}.{group}.{f.name}": f for c, f in found if c == group}
                reasons = collections.Counter()
                for test in sorted(set(functions) - ok):
                    why = reason(functions[test], private)
                    reasons[why] += 1
                    if why is None:
                        wrong.append(f"{test}: {failed.get(test, 'was not run')}")
                count = len(functions) - sum(reasons.values())
                passed += count
                out.append(f"| `{name}`, {group} | {len(functions)} | {count} | "
                           + "; ".join(f"{n} {why}" for why, n in reasons.most_common()) + " |")
    out.append(f"| {', '.join(f'`{n}` ({count})' for n, count in others.items())} | {sum(others.values())} | | not run, because they use no Inspector |")
    return out, passed, wrong


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--etcore")
    p.add_argument("--update", action="store_true", help="write the table into docs/python.md")
    args = p.parse_args()
    warnings.simplefilter("ignore")
    import etcore.shim

    etcore.shim.install()
    import executorch.devtools.etrecord  # this needs ExecuTorch's own modules, so the shim replaces only the Inspector from here on

    logging.disable(logging.CRITICAL)
    lines, passed, wrong = rows(os.path.dirname(os.path.dirname(executorch.devtools.etrecord.__file__)))
    table = HEAD + "".join(line + "\n" for line in lines)
    with open(DOCS, encoding="utf-8") as f:
        text = f.read()
    if args.update:
        begin = text.index(HEAD)
        with open(DOCS, "w", encoding="utf-8") as f:
            f.write(text[:begin] + table + text[text.index("\n\n", begin) + 1:])
    elif table not in text:
        wrong.append(f"{DOCS} has another table; devtools_tests.py --update writes this one:\n{table}")
    print("\n".join(wrong))
    print(f"{passed} passed, {len(wrong)} failed")
    return bool(wrong) or not passed


if __name__ == "__main__":
    sys.exit(main())
