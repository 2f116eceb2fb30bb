#!/usr/bin/env python3
"""layers.py [TREE] [--update] -- checks which folder includes which, and further rules for the whole source.

ROOMS is the architecture: each folder, and the other folders that it may include. No folder and no file may include itself
through others; units() defines which files count as one. docs/architecture.md has a drawing of the current includes, which
--update writes.
"""
import collections
import os
import re
import sys

ROOMS = {
    "core/base": "",
    "core/model": "core/base",
    "core/stats": "core/base core/model",
    "core/tensor": "core/base core/model core/stats",
    "core/memory": "core/base core/model core/stats core/tensor",
    "core/formats": "core/base core/model",
    "core/host": "core/base core/model sdk",
    "core/join": "core/base core/model core/host sdk",
    "core/work": "core/base core/model core/formats core/host core/join sdk",
    "core/table": "core/base core/model core/stats",
    "core/inspector": "core/base core/model core/stats core/host core/tensor core/table sdk",
    "core/together": "core/base core/model core/formats core/join core/tensor",
    "core/context": "core/base core/model core/stats core/formats core/host core/join core/tensor core/table core/together sdk",
    "core/profile": "core/base core/model core/stats core/formats core/host core/join core/tensor core/table core/context core/work sdk",
    "commands": "core sdk",  # each of its folders separately: no command includes another
    "library": "core commands sdk",
    "cli": "library core/base",
    "plugins": "sdk",
}
# The parts of this folder call each other: the host passes hooks to isolated/ and rules/, which call its functions to run
# them.
ONE = ("core/host",)
LIST = "library/questions.c"
HOOKS = ("etc_question_at",)  # core/ declares it, and runs commands from the list that library/ has
PAGE, START, END = "docs/architecture.md", "```mermaid\n", "```\n"


def sources(tree):
    for top in ("core", "commands", "library", "cli", "plugins"):
        for folder, _, names in os.walk(os.path.join(tree, top)):
            for name in names:
                if re.search(r"\.(c|h|cpp|def|inc)$", name):
                    yield os.path.relpath(os.path.join(folder, name), tree)


def room(path):
    """Returns the folder in ROOMS that contains the path, and the row of ROOMS that applies to it."""
    part = path.split("/")
    if path.startswith("sdk/"):
        return ("sdk", "sdk") if path.endswith("/plugin.h") else ("library", "library")  # library/ implements the other headers
    if part[0] == "core":
        return "/".join(part[:2]), "/".join(part[:2])
    if part[0] in ("commands", "plugins"):
        return "/".join(part[:2]), part[0]
    return part[0], part[0]


def folder(path):
    here = os.path.dirname(path)
    return next((one for one in ONE if here.startswith(one)), here)


def included(tree, path, name):
    """Returns the path of an included file below TREE; None if the build generates the file."""
    if name.startswith("etcore/"):
        return "sdk/include/" + name
    for found in (name, "core/" + name, os.path.join(os.path.dirname(path), name)):
        if os.path.isfile(os.path.join(tree, found)):  # `memory` is both a folder here and a C++ header
            return found
    return None


def units(includes):
    """Returns the graph of files. A header and the sources of its name are one node. X.c may also include a file of its
    folder that takes types from X.h: a part of X, or a header that parts of X share."""
    def stem(path):
        return os.path.splitext(path)[0]

    graph = collections.defaultdict(set)
    for path, targets in includes.items():
        for target in targets:
            part = (not path.endswith(".h") and os.path.dirname(path) == os.path.dirname(target) and
                    stem(path) + ".h" in includes.get(target, ()))
            if stem(path) != stem(target) and not part:
                graph[stem(path)].add(stem(target))
    return graph


def circles(graph):
    """Returns the strongly connected components with more than one node (Tarjan), each as one circle through it."""
    number, low, stack, found = {}, {}, [], []

    def walk(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in number:
                walk(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == number[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.append(circle_in(graph, set(stack[at:])))
            del stack[at:]

    for node in sorted(graph):
        if node not in number:
            walk(node)
    return found


def circle_in(graph, nodes):
    path = [min(nodes)]
    while path[-1] not in path[:-1]:
        path.append(min(graph[path[-1]] & nodes))
    return path[path.index(path[-1]):]


def reached(graph, node, seen):
    for other in graph.get(node, ()):
        if other not in seen:
            seen.add(other)
            reached(graph, other, seen)
    return seen


def drawing(rooms):
    """Returns the graph in Mermaid's notation. Edges implied by others are left out; commands and plugins are one node
    each."""
    graph = collections.defaultdict(set)
    for a in rooms:
        for b in rooms[a]:
            short = [re.sub(r"^(commands|plugins)/.*", r"\1/*", x) for x in (a, b)]
            graph[short[0]].add(short[1])
    ids = {node: re.sub(r"\W", "_", node) for node in set(graph).union(*graph.values())}
    lines = ["graph TD"] + [f'    {ids[node]}["{node}"]' for node in sorted(ids)]
    for a in sorted(graph):
        for b in sorted(graph[a]):
            if not any(b in reached(graph, other, set()) for other in graph[a] if other != b):
                lines.append(f"    {ids[a]} --> {ids[b]}")
    return "\n".join(lines) + "\n"


def draw(tree, rooms, update):
    """Describes the difference between the page's drawing and the tree; with `update`, writes the drawing."""
    page = os.path.join(tree, PAGE)
    with open(page, encoding="utf-8") as f:
        text = f.read()
    before, _, rest = text.partition(START)
    old, _, after = rest.partition(END)
    if old == drawing(rooms):
        return []
    if not update:
        return [f"{PAGE}: the includes between folders are others: tests/layers.py --update"]
    with open(page, "w", encoding="utf-8") as f:
        f.write(before + START + drawing(rooms) + END + after)
    return []


def unlisted(tree, commands):
    with open(os.path.join(tree, LIST), encoding="utf-8") as f:
        return sorted(set(commands) - set(re.findall(r"^\tX\((\w+)\)", f.read(), re.M)))


def declared(text):
    """The names of functions that a header declares; those of a function type count, too."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return (re.findall(r"^(?!static|typedef|#)[a-z][^;{}()]*?\b(etc_\w+)\([^;{}]*;", text, re.M) +
            re.findall(r"\b(etc_\w+)(?=[^;{}()]*;)", " ".join(re.findall(r"^etc_\w+ (etc_[^;{}()]*;)", text, re.M))))


def defined(text):
    """The names of functions that a source defines for others."""
    return re.findall(r"^(?!static|typedef)[a-z][^;{}()#]*?\b(etc_\w+)\([^;{}]*?\)\n\{", text, re.M)


def elsewhere(headers, sources_):
    """Describes functions that one room declares and another defines: calls to them would lead from the first room to the
    second without an include."""
    at = {name: path for path, names in headers.items() for name in names}
    return [f"{path}: {name}() is declared in {at[name]}: move one of them"
            for path, names in sources_.items() for name in names
            if name in at and room(at[name])[0] != room(path)[0] and name not in HOOKS]


def guard(path):
    """The macro of a header's include guard."""
    return ("" if path.startswith("plugins/") else "ETC_") + re.sub(r"\W", "_", path.removeprefix("core/")).upper()


def main():
    tree = next((a for a in sys.argv[1:] if not a.startswith("-")), ".")
    bad, commands, headers, definitions = [], [], {}, {}
    rooms, folders, includes = (collections.defaultdict(set) for _ in range(3))
    for path in sources(tree):
        with open(os.path.join(tree, path), encoding="utf-8") as f:
            text = f.read()
        here, row = room(path)
        if row not in ROOMS:
            bad.append(f"{path}: tests/layers.py has no row for {here}")
            continue
        may = ROOMS[row].split()
        for name in re.findall(r'^[ \t]*#[ \t]*include ["<]([^">]+)[">]', text, re.M):
            target = included(tree, path, name)
            if target is None:
                continue
            there = room(target)[0]
            if there != here:
                rooms[here].add(there)
                if there not in may and there.split("/")[0] not in may:
                    bad.append(f"{path} must not include {target}")
            if folder(target) != folder(path):
                folders[folder(path)].add(folder(target))
            includes[path].add(target)
        bad += [f"{path}: the include guard must be {guard(path)}" for name in re.findall(r"^#ifndef (\w+)\n#define \1$", text, re.M)[:1]
                if path.endswith(".h") and name != guard(path)]
        if not path.startswith("plugins/"):
            (headers if path.endswith(".h") else definitions)[path] = declared(text) if path.endswith(".h") else defined(text)
        commands += re.findall(r"^const struct etc_question etc_ask_(\w+)", text, re.M)
        if path.endswith(".c") and here != "cli" and not here.startswith("plugins"):
            for number, line in enumerate(text.split("\n"), 1):
                if re.search(r"\b(printf|puts|putchar|exit|abort|fprintf)\(", line) and not re.search(
                        r"etc_text_printf|etc_arena_printf|snprintf", line):
                    bad.append(f"{path}:{number}: only cli/ may print or exit")
    bad += [f"{LIST} has no row for etc_ask_{c}" for c in unlisted(tree, commands)]
    bad += elsewhere(headers, definitions)
    for what, graph in (("rooms", rooms), ("folders", folders), ("files", units(includes))):
        bad += [f"{what} that include themselves: " + " -> ".join(c) for c in circles(graph)]
    bad += draw(tree, rooms, "--update" in sys.argv)
    print("\n".join(bad), file=sys.stderr) if bad else None
    return 1 if bad else 0


sys.exit(main())
