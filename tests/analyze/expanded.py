#!/usr/bin/env python3
"""expanded.py --etcore PROGRAM --plugin EXPANDS [--seed N] [--rounds N] -- tests events that a plugin expands to several,
on generated dumps.

Random trees of events with random lengths of ticks are written in two forms: every event logged, with its parent in its id;
and one event whose metadata has a table of all events below it. Both dumps must have the same rows, also if times are
rounded or events detached. If nothing is detached, no self time may exceed its total time, and the rows of a call plus the
unattributed time must equal the call."""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "tools"), os.path.join(ROOT, "tests")]
import make_calls  # noqa: E402
from share import some  # noqa: E402

RATES = ("unit=ns", "unit=cycles ns=5/6", "unit=cycles ns=1/3", "unit=us", "unit=cycles ns=7.5", "unit=cycles",
         "unit=ns dur=parallel", "unit=ns dur=estimated", "unit=bytes")
NS = (1, 5 / 6, 1 / 3, 1000, 7.5, 1, 1, 1, 1)


def tree(rnd):
    """Returns [(name, parent, rate, share of its parent's time)]. The first node is the root; parents precede children."""
    mostly = rnd.random() < .7
    nodes = [("graph", None, rnd.randrange(5), 1)]
    for _ in range(rnd.randint(1, 12)):
        parent = rnd.randrange(len(nodes))
        rate = rnd.randrange(5) if mostly or rnd.random() < .8 else rnd.randrange(len(RATES))
        nodes.append((rnd.choice(("conv", "relu", "add", "copy")), parent, rate, rnd.choice((.05, .1, .3, .5, 1))))
    return nodes


def durations(nodes, rnd, tight):
    """Returns the ticks of each node. `tight`: children use only the time that their parent has left."""
    ticks, left = [], []
    for name, parent, rate, share in nodes:
        ns = rnd.choice((0, 3, 1000, 123457)) * 10 if parent is None else \
            (left[parent] * share if tight else ticks[parent] * NS[nodes[parent][2]] * share)
        ticks.append(int(ns / NS[rate]))
        left.append(ticks[-1] * NS[rate])
        if parent is not None:
            left[parent] = max(0, left[parent] - ticks[-1] * NS[rate])
    return ticks


def made(rnd):
    """Returns the same runs in both forms: with all events logged, and with a table."""
    nodes, tight = tree(rnd), rnd.random() < .8
    logged, table = [], []
    for run in range(rnd.choice((1, 2, 7))):
        ticks, begin = durations(nodes, rnd, tight), run * 10**9
        length = int(ticks[0] * NS[nodes[0][2]] * rnd.choice((1, 1, 1.25))) + rnd.randint(0, 3)
        end = [("DELEGATE_CALL", None, b"", 0, begin, begin + length),
               ("Method::execute", None, b"", -1, begin, begin + length + 50)]
        events = [("", f"{name} {RATES[rate]}" + (f" in={parent}" if parent is not None else ""), b"", 0, 7, 7 + t)
                  for (name, parent, rate, _), t in zip(nodes, ticks)]
        lines = [f"{name} {t} {RATES[rate]}" + (f" in={parent - 1}" if parent else "")
                 for (name, parent, rate, _), t in list(zip(nodes, ticks))[1:]]
        logged.append(events + end)
        # Descriptions of rates are long enough to be distinguished from the eight bytes that the plugin's parser sums up.
        table.append([("", f"graph {RATES[nodes[0][2]]}", "\n".join(lines).encode(), 0, 7, 7 + ticks[0])] + end)
    return logged, table


def rows(args, path, more):
    done = subprocess.run([args.etcore, "analyze", path, "--no-siblings", "--plugin", args.plugin, "--warmup", "0", "-o",
                           "json", "--columns", "name,calls,self_ns,total_ns,self_raw,share,unit,clock,detached,why,"
                           "kernel,category", *more], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return json.loads(done.stdout)


def answer(got):
    """Returns the parts that must be equal: the rows, sorted because the order of equal times is free, and the path's
    times."""
    paths = got["methods"][0]["paths"][0]
    return sorted(json.dumps(r, sort_keys=True) for r in got["rows"]), {k: v for k, v in paths.items() if "ns" in k}


def adds_up(got):
    """Returns what is wrong: a row whose self time exceeds its total, or rows and unattributed time that do not add up to
    the run."""
    path = got["methods"][0]["paths"][0]
    kept = [r for r in got["rows"] if not r["detached"]]
    wrong = [f"{r['name']}: self {r['self_ns']} of {r['total_ns']}" for r in kept if r["self_ns"] > r["total_ns"] + 1e-6]
    total = sum(r["self_ns"] for r in kept) + path["unattributed_ns"] + path["rounding_ns"]
    if abs(total - path["mean_ns"]) > 1e-9 * path["mean_ns"]:
        wrong.append(f"rows add up to {total} of {path['mean_ns']}")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--etcore", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=25)
    args = parser.parse_args()
    bad = count = 0
    ways = (["--stat", "mean"], ["--stat", "mean", "--isolate"], ["--stat", "median"],
            ["--stat", "mean", "--by", "kernel"], ["--stat", "mean", "--by", "delegate"],
            ["--stat", "mean", "--by", "backend"])
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("logged.etdump", "table.etdump")]
        for seed in some(range(args.seed, args.seed + args.rounds), 4):
            for path, runs in zip(paths, made(random.Random(seed))):
                with open(path, "wb") as f:
                    f.write(make_calls.make(runs))
            for more in ways[:3] if seed % 5 else ways:
                want, got = (rows(args, path, more) for path in paths)
                wrong = adds_up(got) if more[1] == "mean" and "--by" not in more else []
                if answer(got) != answer(want):
                    wrong.append(f"{answer(got)}, logged {answer(want)}")
                count += 1
                bad += bool(wrong)
                if wrong:
                    print(f"seed {seed} {' '.join(more)}: {'; '.join(wrong)}")
    print(f"{count} answers, {bad} wrong")
    return bad > 0 or count == 0


if __name__ == "__main__":
    sys.exit(main())
