#!/usr/bin/env python3
"""stub.py LIBRARY [--write] -- checks that python/etcore/_commands.pyi agrees with the library's command table. Type
checkers and editors read the functions from it. --write writes it, after a change of a command or an option.
"""
import os
import sys

os.environ["ETCORE_LIBRARY"] = os.path.abspath(sys.argv[1])
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "python"))
PATH = os.path.join(ROOT, "python", "etcore", "_commands.pyi")

from etcore import _library as lib  # noqa: E402
from etcore._speech import keyword  # noqa: E402

HEAD = '''"""The functions of the command table for type checkers and editors; tests/python/stub.py writes this file."""
from os import PathLike
from typing import Literal, Optional, Protocol, Sequence, Union

from ._questions import Result

class _Open(Protocol):
    def read(self) -> bytes: ...

_File = Union[str, PathLike[str], bytes, bytearray, memoryview, _Open]
_Word = Union[str, int, float, PathLike[str]]
_Words = Union[_Word, Sequence[_Word]]
_Files = Union[_File, Sequence[_File]]
'''


def kind(option):
    """Returns the type of an option as text; None is the default and leaves the option out."""
    if option.kind == lib.FLAG:
        return "Optional[bool]"
    if option.kind == lib.COUNT:
        return "Optional[int]"
    if option.choices:
        words = f"Literal[{', '.join(map(repr, option.choices))}]".replace("'", '"')
        return f"Union[bool, {words}, None]" if set(option.choices) == {"yes", "no"} else f"Optional[{words}]"
    files = option.kind == lib.FILE or (option.kind == lib.LIST and "FILE" in option.argument)
    return "Union[bool, str, None]" if option.kind == lib.OPTIONAL else f"Optional[{'_Files' if files else '_Words'}]"


def stub():
    out = [HEAD]
    for question in lib.questions():
        options = sorted((keyword(o.name), kind(o)) for o in lib.options(question.name) if keyword(o.name).isidentifier())
        out += ["", f"def {question.function}(", "    *operands: _Files,", *(f"    {name}: {type_} = ...," for name, type_ in options),
                ") -> Result:", f'    """{question.summary[:1].upper() + question.summary[1:]}. See help(etcore.{question.function})."""', ""]
    return "\n".join(out)


def main():
    want = stub()
    if "--write" in sys.argv:
        with open(PATH, "w", encoding="utf-8") as f:
            f.write(want)
    with open(PATH, encoding="utf-8") as f:
        if f.read() != want:
            sys.exit(f"{os.path.relpath(PATH)} is not of these commands: tests/python/stub.py {sys.argv[1]} --write")
    print(f"{len(lib.questions())} functions")


main()
