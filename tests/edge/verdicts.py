#!/usr/bin/env python3
"""verdicts - runs `etcore analyze` on every unusual, damaged and hostile file of tests/data/edge.

    verdicts.py --etcore build/etcore [--data tests/data] [--only TEXT]

The index gives each file a verdict. `accept` and `warn`: status 0 and an
answer, with `warn` also a coded warning on stderr. `reject`: a coded error
and nothing on stdout. Everything runs in 2 GB of address space. All truncations of
one dump, made here, must be rejected. Standard library only.
"""
import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]
import bombs  # noqa: E402
from share import share, some  # noqa: E402

LIMIT = 2 << 30

# Files of the index that are too large for the repository: {name: function that makes it}.
MAKERS = {
    "names_1e5": bombs.many_names,
    "record_bomb_1g": lambda: bombs.record(exported_program=bombs.deflated(b"\0", 1 << 30)),
    "record_bomb_map": lambda: bombs.record(debug_handle_map=bombs.deflated(b" ", 1 << 30)),
    "record_many_entries_70000": lambda: bombs.many_entries(70_000),
}


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))


def run(etcore, arguments, bounded):
    environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "HOME": "/nonexistent"}
    done = subprocess.run([etcore, *arguments], env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=60, check=False, preexec_fn=limit if bounded else None)
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


def judge(verdict, status, out, err):
    """Describes what is wrong with the result; None if it fits the verdict."""
    if status < 0 or status >= 128 or status == 9:
        return f"ended by a signal or crash: status {status}"
    answered = status == 0 and out and "error[" not in err
    refused = status > 0 and not out and re.search(r"error\[E\d{4}\]", err)
    warned = answered and re.search(r"warning\[W\d{4}\]", err)
    good = {"accept": answered, "warn": warned, "reject": refused, "either": answered or refused}[verdict]
    if good:
        return None
    return f"status {status}, {len(out)} bytes on stdout, stderr: {err.strip()[:200]!r}"


def arguments(folder, entry, made):
    is_record = entry["file"].endswith(".etrecord")
    file = made or os.path.join(folder, entry["file"])
    dump = os.path.join(folder, entry.get("etdump", "record.etdump")) if is_record else file
    out = ["analyze", dump, "--no-siblings"]
    if is_record:
        out += ["-r", file]
    if entry.get("debug_buffer"):
        out += ["-b", os.path.join(folder, entry["debug_buffer"])]
    return out


def truncations(etcore, folder, bounded):
    """Truncates the file to every shorter length; yields (length, problem)."""
    with open(os.path.join(folder, "truncate_me.etdump"), "rb") as f:
        whole = f.read()
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "cut.etdump")
        for n in share(range(len(whole))):
            with open(path, "wb") as f:
                f.write(whole[:n])
            problem = judge("reject", *run(etcore, ["analyze", path, "--no-siblings"], bounded))
            if problem:
                yield f"truncate_me.etdump cut to {n} bytes", problem


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--etcore", default="build/etcore")
    parser.add_argument("--data", default="tests/data")
    parser.add_argument("--only")
    parser.add_argument("--no-limit", action="store_true", help="sanitizers reserve terabytes of address space")
    options = parser.parse_args()
    etcore, folder = os.path.abspath(options.etcore), os.path.join(options.data, "edge")
    with open(os.path.join(folder, "index.json"), encoding="utf-8") as f:
        files = json.load(f)["files"]
    good, bad, made = 0, [], 0
    scratch = tempfile.TemporaryDirectory()
    for name, entry in [f for f in files.items() if options.only in f[0]] if options.only else some(files.items(), 2):
        if not entry.get("stored", True):
            made += 1
            bombs.make(scratch.name, {entry["file"]: MAKERS[name]})
        place = None if entry.get("stored", True) else os.path.join(scratch.name, entry["file"])
        status, out, err = run(etcore, arguments(folder, entry, place), not options.no_limit)
        problem = judge(entry["verdict"], status, out, err)
        good += problem is None
        if problem:
            bad.append((f"{name} ({entry['verdict']}: {entry['what'][:60]})", problem))
    if not options.only:
        cut = list(truncations(etcore, folder, not options.no_limit))
        good += not cut
        bad += cut[:5]
    for name, problem in bad:
        print(f"wrong: {name}: {problem}", file=sys.stderr)
    print(f"verdicts: {good} right, {len(bad)} wrong; {made} of the files were made for it")
    return 1 if bad or not good else 0


if __name__ == "__main__":
    sys.exit(main())
