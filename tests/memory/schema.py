#!/usr/bin/env python3
"""schema.py ETCORE -- checks the JSON of `etcore memory`, `dump`, `numeric` and `tokens` for every file of the data against
the schemas in docs/.

A schema that accepts anything would prove nothing: each document must also be rejected if a member is missing, has another
type, or is added.
"""

import glob
import json
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import jsonschema

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from share import share  # noqa: E402

DATA = "tests/data"
LOGGED = sorted(glob.glob(f"{DATA}/cases/*/run.etdump") + glob.glob(f"{DATA}/numeric/*/run.etdump") +
                glob.glob(f"{DATA}/values/*.etdump"))
PROGRAMS = sorted(glob.glob(f"{DATA}/**/*.pte", recursive=True) + glob.glob(f"{DATA}/**/*.bpte", recursive=True))
DUMPS = sorted(glob.glob(f"{DATA}/cases/*/run.etdump") + glob.glob(f"{DATA}/backends/cases/*/run.etdump") +
               glob.glob(f"{DATA}/edge/*.etdump"))
TOKENS = sorted(glob.glob(f"{DATA}/tokens/*/run.etdump.gz"))
RECORDS = sorted(glob.glob(f"{DATA}/cases/*/model.etrecord") + glob.glob(f"{DATA}/edge/*.etrecord"))
TENSORS = sorted(glob.glob(f"{DATA}/**/*.ptd", recursive=True))
ARM = f"{DATA}/pte/programs/arm_"  # there are many files of this kind
PROGRAMS = [p for i, p in enumerate(PROGRAMS) if not p.startswith(ARM) or i % 4 == 0]
PAIRS = [(a, b) for a, b in zip(PROGRAMS, PROGRAMS[1:])][:20]


def load(name):
    with open(f"docs/{name}.schema.json", encoding="utf-8") as f:
        schema = json.load(f)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


SCHEMAS = {name: load(name) for name in ("memory", "dump", "program-diff", "numeric", "tokens")}


def objects(v):
    if isinstance(v, dict):
        yield v
    for x in v.values() if isinstance(v, dict) else v if isinstance(v, list) else ():
        yield from objects(x)


def spoil(doc, rng):
    """Removes or adds one member somewhere, or gives one another type."""
    doc = json.loads(json.dumps(doc))
    place = rng.choice([o for o in objects(doc) if o])
    key = rng.choice(list(place))
    what = rng.randrange(3)
    if what == 0:
        place["no_such_member"] = 1
    elif what == 1:
        place[key] = {"nobody": "expects this"}
    else:
        place[rng.choice(("schema", key)) if place is doc else key] = object.__name__ + "?"
    return doc


def check(job):
    schema, arguments = job
    run = subprocess.run([sys.argv[1], *arguments, "-o", "json"], capture_output=True, check=False)
    if run.returncode > (1 if schema == "numeric" else 0):  # numeric: status 1 means that outputs differ
        return None  # another test covers files that etcore rejects
    doc = json.loads(run.stdout)
    for error in SCHEMAS[schema].iter_errors(doc):
        return f"{arguments}: {error.json_path}: {error.message[:300]}"
    if len(run.stdout) > 1 << 18:
        return ""
    spoiled = spoil(doc, random.Random(" ".join(arguments)))
    if spoiled != doc and SCHEMAS[schema].is_valid(spoiled) and not free(doc, spoiled):
        return f"{arguments}: a spoiled document passes"
    return ""


def free(doc, spoiled, path=()):
    """Returns whether a schema cannot detect the change: a text became another text, a value may have any type, or an
    object may have any members (maps of a record)."""
    if isinstance(doc, dict) and isinstance(spoiled, dict):
        if {"maps", "methods", "unsupported"} & set(path):
            return doc != spoiled
        return any(free(doc[k], spoiled[k], path + (k,)) for k in doc if k in spoiled)
    if isinstance(doc, list) and isinstance(spoiled, list):
        return any(free(a, b, path) for a, b in zip(doc, spoiled))
    if path and path[-1] in ("debug_handle", "unsupported", "val"):
        return doc != spoiled
    return (isinstance(doc, str) or doc is None) and isinstance(spoiled, str) and doc != spoiled


def main():
    jobs = [("memory", ["memory", p]) for p in PROGRAMS + DUMPS]
    jobs += [("memory", ["memory", f"{DATA}/cases/mlp_xnnpack/model.pte", f"{DATA}/edge/alloc_events.etdump"])]
    jobs += [("dump", ["dump", p]) for p in PROGRAMS + DUMPS + RECORDS + TENSORS]
    jobs += [("dump", ["dump", p, "--graph"]) for p in RECORDS]
    jobs += [("program-diff", ["dump", a, "--diff", b]) for a, b in PAIRS]
    jobs += [("numeric", ["numeric", "values", d]) for d in LOGGED]
    jobs += [("numeric", ["numeric", "values", d, "--sha256", "--contents", "3"]) for d in LOGGED[:4]]
    jobs += [("numeric", ["numeric", "outputs", d]) for d in LOGGED]
    jobs += [("numeric", ["numeric", "gap", d, "--reference", f"{DATA}/numeric/portable/run.etdump"]) for d in LOGGED]
    jobs += [("tokens", ["tokens", d]) for d in TOKENS + DUMPS[::8]]
    jobs += [("tokens", ["tokens", d, "--stats", os.path.join(os.path.dirname(d), "runner.log")]) for d in TOKENS]
    with ThreadPoolExecutor() as pool:
        results = list(pool.map(check, share(jobs)))
    problems = [r for r in results if r]
    for problem in problems[:20]:
        print(problem)
    valid = sum(r == "" for r in results)
    print(f"{valid} documents valid, {len(problems)} not, {results.count(None)} files refused")
    return 1 if problems or valid < len(results) / 2 else 0


sys.exit(main())
