#!/usr/bin/env python3
"""layers.py [TREE] [--graph] -- which folder may include which, and what else holds for the whole source.

ROOMS is the architecture: each folder, and those that it may include beside itself. No folder and no header may include
itself by way of others. --graph prints the folders as a graph in Mermaid's notation.
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
    "core/formats": "core/base core/model",
    "core/host": "core/base core/model sdk",
    "core/join": "core/base core/model core/host sdk",
    "core/table": "core/base core/model core/stats",
    "core/inspector": "core/base core/model core/stats core/host core/tensor core/table sdk",
    "core/context": "core/base core/model core/stats core/formats core/host core/join core/tensor core/table sdk",
    "core/profile": "core/base core/model core/stats core/formats core/host core/join core/table core/context sdk",
    "commands": "core sdk",  # each of its folders: no command includes another
    "library": "core commands sdk",
    "cli": "core/base sdk",
    "plugins": "sdk",
}


def sources(tree):
    for top in ("core", "commands", "library", "cli", "plugins"):
        for folder, _, names in os.walk(os.path.join(tree, top)):
            for name in names:
                if re.search(r"\.(c|h|cpp|def|inc)$", name):
                    yield os.path.relpath(os.path.join(folder, name), tree)


def room(path):
    """The folder that the table speaks of, and the row that holds for it."""
    part = path.split("/")
    if part[0] == "core":
        return "/".join(part[:2]), "/".join(part[:2])
    if part[0] in ("commands", "plugins"):
        return "/".join(part[:2]), part[0]
    return part[0], part[0]


def included(tree, path, name):
    """The path of an #include, below TREE; None: of a plugin's own folder or made when etcore is built."""
    if name.startswith("etcore/"):
        return "sdk/include/" + name
    for found in (name, "core/" + name):
        if os.path.exists(os.path.join(tree, found)):
            return found
    return None


def cycle(graph):
    """One circle of a graph as a list, or None."""
    state, path = {}, []

    def walk(node):
        state[node] = 1
        path.append(node)
        for other in sorted(graph[node]):
            if state.get(other) == 1:
                return path[path.index(other):] + [other]
            if other not in state:
                found = walk(other)
                if found:
                    return found
        path.pop()
        state[node] = 2
        return None

    for node in sorted(graph):
        if node not in state:
            found = walk(node)
            if found:
                return found
    return None


def main():
    tree = next((a for a in sys.argv[1:] if not a.startswith("-")), ".")
    bad, commands, rooms, headers = [], [], collections.defaultdict(set), collections.defaultdict(set)
    for path in sources(tree):
        with open(os.path.join(tree, path), encoding="utf-8") as f:
            text = f.read()
        here, row = room(path)
        if row not in ROOMS:
            bad.append(f"{path}: tests/layers.py has no row for {here}")
            continue
        may = ROOMS[row].split()
        for name in re.findall(r'^#include "([^"]+)"', text, re.M):
            target = included(tree, path, name)
            if target is None:
                continue
            there = "sdk" if target.startswith("sdk/") else room(target)[0]
            if there != here:
                rooms[here].add(there)
                if there not in may and there.split("/")[0] not in may:
                    bad.append(f"{path} must not include {target}")
            headers[path].add(target)
        commands += re.findall(r"^const struct etc_question etc_ask_(\w+)", text, re.M)
        if path.endswith(".c") and here != "cli" and not here.startswith("plugins"):
            for number, line in enumerate(text.split("\n"), 1):
                if re.search(r"\b(printf|puts|putchar|exit|abort|fprintf)\(", line) and not re.search(
                        r"etc_text_printf|etc_arena_printf|snprintf", line):
                    bad.append(f"{path}:{number}: only cli/ may print or exit")
    with open(os.path.join(tree, "library/questions.c"), encoding="utf-8") as f:
        listed = re.findall(r"^\tX\((\w+)\)", f.read(), re.M)
    bad += [f"library/questions.c has no row for etc_ask_{c}" for c in set(commands) - set(listed)]
    for what, graph in (("folders", rooms), ("files", headers)):
        circle = cycle(collections.defaultdict(set, graph))
        if circle:
            bad.append(f"{what} that include themselves: " + " -> ".join(circle))
    if "--graph" in sys.argv:
        print("graph TD")
        for a in sorted(rooms):
            for b in sorted(rooms[a]):
                print(f"    {a} --> {b}")
    print("\n".join(bad), file=sys.stderr) if bad else None
    return 1 if bad else 0


sys.exit(main())
