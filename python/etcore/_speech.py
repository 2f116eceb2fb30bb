"""Translates the library's messages, which are written for its command line, to the terms of the Python package."""
from __future__ import annotations

import difflib
import functools
import re
import shlex
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple

from . import _library
from ._errors import Error, Note, error
from ._library import COUNT, FLAG, LIST, Option

_OPTION = re.compile(r"(?<![\w'-])(?:--([a-z][a-z0-9_-]*)|-([a-zA-Z]))(?![\w-])")
_VALUE = re.compile(r"[ =]('[^']*'|[\w.%:]+(?:=[\w.%:/-]+)?)(?![\w'])")
_FORMS = {"text", "table", "csv", "tsv", "markdown", "json", "ndjson", "parquet", "arrow", "html", "svg", "dot", "junit", "github", "pytorch",
          "perfetto", "speedscope", "chrome", "folded", "pprof", "npy", "npz", "safetensors", "tap"}
_PROGRAM = re.compile(r"\betcore ([a-z]+(?:-[a-z]+)*)(?= )")
_WORD = re.compile(r" ('[^']*'|[^\s;`()]+)")
_LISTED = re.compile(r"(?P<given>'[^']*')?; (?:expected one of|the formats are) (?P<words>[^;\n]+)$")


def keyword(name: str) -> str:
    """Converts the name of an option to a Python identifier."""
    return name.replace("-", "_")


def close(word: str, known: Iterable[str]) -> str:
    """Returns ``"; did you mean 'warmup'?"`` for the known word most similar to `word`, or ""."""
    near = difflib.get_close_matches(word, list(known), 1)
    return f"; did you mean {near[0]!r}?" if near else ""


@functools.lru_cache(maxsize=None)
def _known(question: str) -> Tuple[Dict[str, Option], Dict[str, Option]]:
    options = _library.options(question)
    return {o.name: o for o in options}, {o.letter: o for o in options if o.letter}


def _is_value(option: Option, word: str) -> bool:
    return (word[:1] == "'" or word[:1].isdigit() or word.isupper() or word in option.choices
            or (option.name == "output" and word.partition("=")[0] in _FORMS))


def _option(found: re.Match[str], question: str, text: str) -> Tuple[str, int]:
    """Converts an option in a text to a keyword argument; returns it and the position after the option."""
    names, letters = _known(question)
    option = names.get(found[1]) if found[1] else letters.get(found[2])
    if option is None:
        return (f"help(etcore.{keyword(question)})" if found[1] == "help" else found[0]), found.end()
    name = keyword(option.name)
    if option.kind in (FLAG, COUNT):
        return f"{name}=True", found.end()
    value = _VALUE.match(text, found.end())
    if value is None or not _is_value(option, value[1].rstrip(".:")):
        return f"{name}=", found.end()
    word = value[1].rstrip(".:")
    bare = word[0] == "'" or word.isupper() or re.fullmatch(r"\d+(\.\d+)?", word)
    return f"{name}={word}" if bare else f'{name}="{word}"', value.start(1) + len(word)


def _keywords(text: str, question: str) -> str:
    out, at = [], 0
    for found in _OPTION.finditer(text):
        if found.start() < at:
            continue
        said, end = _option(found, question, text)
        out += [text[at:found.start()], said]
        at = end
    return "".join(out) + text[at:]


def _end(text: str, name: str, at: int) -> int:
    """Returns where a command in a sentence ends: after its last word that is an option, a value, a file or a word of its
    usage."""
    names, letters = _known(name)
    usage = {w for q in _library.questions() if q.name == name for w in re.findall("[a-z]+", q.usage)}
    valued, end = False, at
    word = _WORD.match(text, at)
    while word:
        bare = word[1].rstrip(",.:?")
        option = names.get(bare[2:]) if bare[:2] == "--" else letters.get(bare[1:]) if bare[:1] == "-" else None
        if not (valued or option or bare == "--" or re.search("[A-Z./…\'=]", bare) or bare in usage):
            break
        valued = option is not None and option.kind not in (FLAG, COUNT)
        end = word.start(1) + len(bare)
        word = _WORD.match(text, end)
    return end


def _plain(text: str, question: str) -> str:
    """Translates a text without backticks: commands become calls, options become keyword arguments."""
    out, at = [], 0
    for found in _PROGRAM.finditer(text):
        end = _end(text, found[1], found.end()) if found.start() >= at else found.end()
        called = call(text[found.start():end]) if end > found.end() else None
        if called:
            out += [_keywords(text[at:found.start()], question), called]
            at = end
    return "".join(out) + _keywords(text[at:], question)


def speak(text: str, question: str) -> str:
    """Translates a message or hint. A command of the program in backticks, such as `etcore explain`, stays as it is."""
    parts = text.split("`")
    return "`".join(part if i % 2 and part.startswith("etcore ") else _plain(part, question) for i, part in enumerate(parts))


def _meant(message: str) -> str:
    """Appends "did you mean" with the most similar known value to a message about an unknown value."""
    found = _LISTED.search(message)
    if not found or not found["given"] or "did you mean" in message:
        return message
    return message + close(found["given"].strip("'"), re.split(r"\||, ", found["words"]))


def note(said: Note, question: str) -> Note:
    """Translates a diagnostic for users of Python."""
    message, hint = said.message, said.hint
    if said.code == "E0501":
        message = message.replace("the command line is wrong", "the call is wrong", 1)
    if hint == "see --help":
        hint = f"see help(etcore.{keyword(question)})"
    return said._replace(message=speak(_meant(message), question), hint=speak(hint, question))


def spoken(e: Error, question: str, folder: Optional[str] = None) -> Error:
    """Translates an error for users of Python; removes the path of a temporary folder."""
    said = e.note
    if folder:
        said = said._replace(message=said.message.replace(folder, ""), file=said.file.replace(folder, ""))
    return error(note(said, question))


# ---- a command as a call


def _grouped(operands: Sequence[str]) -> List[str]:
    if "--" not in operands:
        return [repr(o).replace("'", '"') for o in operands]
    groups: List[List[str]] = [[]]
    for operand in operands:
        if operand == "--":
            groups.append([])
        else:
            groups[-1].append('"' + operand + '"')
    return [f"[{', '.join(g)}]" for g in groups]


def call(command: str) -> Optional[str]:
    """Translates ``etcore analyze a -r b`` to ``etcore.analyze("a", etrecord="b")``; returns None if it is no such command."""
    try:
        words = shlex.split(command)[1:]
    except ValueError:
        return None
    if not words or words[0] not in {q.name for q in _library.questions()}:
        return None
    question, operands = words.pop(0), []
    names, letters = _known(question)
    given: Dict[str, Any] = {}
    while words:
        word = words.pop(0)
        if word == "--" or word[:1] != "-" or word == "-":
            operands.append(word)
            continue
        name, _, value = word.partition("=")
        option = names.get(name[2:]) if name[:2] == "--" else letters.get(name[1:])
        if option is None:
            return None
        if option.kind in (FLAG, COUNT):
            given[keyword(option.name)] = True
            continue
        if not value:
            if not words:
                return None
            value = words.pop(0)
        name = keyword(option.name)
        if option.kind == LIST and name in given:
            before = given[name]
            given[name] = [*(before if isinstance(before, list) else [before]), value]
        else:
            given[name] = int(value) if value.isdigit() else value
    shown = [f"{k}={v!r}".replace("'", '"') if '"' not in str(v) else f"{k}={v!r}" for k, v in given.items()]
    return f"etcore.{keyword(question)}({', '.join([*_grouped(operands), *shown])})"
