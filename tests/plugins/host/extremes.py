#!/usr/bin/env python3
"""extremes.py --etcore PROGRAM --timed TIMED.so --hostile HOSTILE.so [--sanitized]

Tests extreme answers of a plugin about times: children that overlap or contain each other, impossible tick lengths and
clock readings, engines that run far longer than their call, a million nested events. `analyze` must give the same answer in
process and isolated: every event is in a row, no row has more self time than total time, rows and foot add up to the run's
time, and rejected answers are reported with a code."""
import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from fractions import Fraction

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path[:0] = [os.path.join(ROOT, "tests", "tools"), os.path.join(ROOT, "tests")]
import make_calls  # noqa: E402
import make_many  # noqa: E402
import notes  # noqa: E402
from share import SHARE, share  # noqa: E402

TOP = 2**64 - 1
CALL = (10_000, 110_000)


def tick(length):
    return [(f"a unit=ticks ns={length}", 5, 1005), ("b unit=ns", 0, 1000), (f"c unit=cycles ns={length} in=0", 5, 500)]


def sync(pair, other=None):
    return [(f"a unit=ticks ns=1 sync={pair}", 100, 1005), (f"b unit=ticks ns=1 sync={other or pair}", 1005, 2005)]


# {case: (events of one call as (id, start, end); codes besides N0121 and N0423; names of detached rows; other checks)}
CASES = {
    "overlap": ([("a unit=ns", 0, 60000), ("b unit=ns", 30000, 70000)], "", ""),
    "overlap exceeds the call": ([("a unit=ns", 0, 60000), ("b unit=ns", 30000, 90000)], "N0303", "ab"),
    "overlap exceeds the parent": ([("p unit=ns", 0, 60000), ("a unit=ns in=0", 0, 50000), ("b unit=ns in=0", 10000, 50000)],
                                   "N0303", "ab"),
    "longer than the parent": ([("p unit=ns", 0, 10), ("a unit=ns in=0", 0, 50000), ("b unit=ns in=1", 0, 40000)], "N0303", "ab"),
    "cycle of two": ([("a unit=ns in=1", 0, 1000), ("b unit=ns in=0", 0, 2000)], "W0611", ""),
    "cycle of three": ([("a unit=ns in=1", 0, 1000), ("b unit=ns in=2", 0, 2000), ("c unit=ns in=0", 0, 3000),
                        ("d unit=ns in=1", 0, 10)], "W0611", ""),
    "in itself": ([("a unit=ns in=0", 0, 1000), ("b unit=ns", 0, 10)], "N0303 W0611", "a"),
    "in none": ([("a unit=ns in=99", 0, 1000), ("b unit=ns", 0, 10)], "N0303 W0611", "a"),
    "in a negative": ([("a unit=ns in=-7", 0, 1000), ("b unit=ns", 0, 10)], "N0303 W0611", "a"),
    **{f"ticks of {t}": (tick(t), "N0303 W0611", "ac") for t in
       ("1e300", "-1", "5e-324", "nan", "inf", "-inf", "9e-7", "1.1e12")},
    "ticks of 0": (tick("0"), "N0303", "ac"),
    "ticks of 1e-6": (tick("1e-6"), "", ""),
    "ticks of 1e12": (tick("1e12"), "N0303", "abc"),
    "no readings": (sync("0/0"), "", ""),
    "readings": (sync("100/30000"), "", ""),
    **{f"readings {p}": (sync(p), "N0622", "") for p in
       (f"{TOP}/{TOP}", f"{TOP}/0", f"0/{TOP}", f"{TOP}/20000", "100/20000000", "100/9999", "1000000/30000", "2000/11000")},
    "readings that run backwards": (sync("100/30000", "200/20000"), "N0622", ""),
    "equal readings": (sync("100/30000", "100/30000"), "", ""),
    "two readings of one moment": (sync("100/30000", "100/30001"), "N0622", ""),
    "readings at the top": ([(f"a unit=ticks ns=1 sync={TOP - 10}/30000", TOP - 10, TOP)], "", ""),
    "readings of no length": ([("a unit=ticks sync=5/20000", 5, 1005)], "N0303 N0622", "a"),
    "readings of a counter that restarts": ([("a unit=ticks ns=1 wraps=1000 sync=900/30000", 990, 10)], "N0622", ""),
    "a counter that restarts": ([("a unit=ticks ns=1 wraps=1000", 990, 10), ("b unit=ticks ns=1 wraps=1000", 10, 20)], "", ""),
    "a counter of one value": ([("a unit=ticks ns=1 wraps=1", 990, 10), ("b unit=ticks ns=1 wraps=1", 0, 0)], "W0306", "a"),
    "beyond where it restarts": ([("a unit=ticks ns=1 wraps=100", 990, 10), ("b unit=ticks ns=1 wraps=1000", 990, 10)], "W0306", "a"),
    "a counter of 64 bits": ([(f"a unit=ticks ns=1 wraps={TOP}", TOP - 5, 10)], "", ""),
    "the longest": ([("a unit=ns", 0, TOP), ("b unit=s", 0, TOP), ("c unit=ticks ns=1e12", 0, TOP),
                     ("d unit=ticks ns=1e12 in=2", 0, TOP)], "N0303 W0647", "abcd"),
    "the longest in parallel": ([("a unit=ns dur=parallel", 0, TOP), ("b unit=s dur=parallel", 0, TOP),
                                 ("a unit=ns dur=parallel", 0, TOP)], "N0303 W0647", "ab"),
    "a million times the call, in parallel": ([("q unit=ns dur=parallel", 0, 10**11), ("k unit=ns in=0", 0, 10**11),
                                               ("q unit=ns dur=parallel", 0, 10**11), ("a unit=ns", 0, 100000)], "N0303", "qk"),
    "in parallel on the runtime's clock": ([("q unit=ns dur=parallel clock=host", 10000, 90000),
                                            ("k unit=ns in=0 clock=host", 10000, 20000), ("z unit=bytes dur=parallel", 0, 5)],
                                           "N0303", "qkz"),
    "no time at all": ([("a unit=ns", 0, 0), ("b unit=ns in=0", 5, 5), ("q unit=ns dur=parallel", 7, 7)], "N0303", "q"),
}


class Asker:
    def __init__(self, args, folder):
        self.args, self.path, self.wrong, self.done = args, os.path.join(folder, "run.etdump"), [], 0
        self.ini = os.path.join(folder, "t.ini")

    def limit(self):
        """Limits processor time, and address space unless a sanitizer reserves it."""
        seconds = 30 * (10 if self.args.sanitized else 1)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        if not self.args.sanitized:
            resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))

    def analyze(self, *words):
        return subprocess.run([self.args.etcore, "analyze", self.path, "--no-siblings", "--warmup", "0", "-o", "json", *words],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=self.limit, check=False, timeout=600)

    def expect(self, fine, what):
        self.done += 1
        if not fine:
            self.wrong.append(what)

    def answer(self, name, events, *words):
        """Runs analyze in process and isolated, compares both answers, and checks properties that hold for any answer."""
        done, apart = self.analyze(*words), self.analyze(*words, "--isolate")
        self.expect(done.returncode == 0, f"{name}: status {done.returncode}: {done.stderr.decode()[-300:]}")
        said = notes.without("N0642", apart.stdout.decode()).encode()
        self.expect(said == done.stdout and apart.stderr == done.stderr, f"{name}: isolated it is another answer")
        if done.returncode:
            return None
        answer = json.loads(done.stdout)
        path, = answer["methods"][0]["paths"]
        whole = Fraction(path["unattributed_ns"]) + Fraction(path["rounding_ns"])
        for row in answer["rows"]:
            if row["self_ns"] is not None:
                self.expect(0 <= row["self_ns"] <= row["total_ns"], f"{name}: {row['name']} keeps more than it took")
                whole += 0 if row["detached"] else Fraction(row["self_ns"])
        # Times of a fine clock are no whole numbers of a double's last bit.
        self.expect(abs(whole - Fraction(path["typical_ns"])) <= Fraction(path["typical_ns"]) / 10**12, f"{name}: rows come to {float(whole)} of {path['typical_ns']}")
        calls = sum(row["calls"] for row in answer["rows"] if row["key"] != "DELEGATE_CALL")
        self.expect(calls == events, f"{name}: {calls} of {events} events are in rows")
        return answer


def codes_of(answer):
    return {n["code"] for n in answer["notes"]} - {"N0121", "N0423"}


def check_times(ask):
    for name, (events, codes, detached) in share(CASES.items()):
        run = [("", i, b"", 0, start, end) for i, start, end in events]
        run += [("DELEGATE_CALL", None, b"", 0, *CALL), ("Method::execute", None, b"", -1, 0, 200_000)]
        with open(ask.path, "wb") as f:
            f.write(make_calls.make([run]))
        answer = ask.answer(name, len(events), "--plugin", ask.args.timed, "--events")
        answer = answer and ask.answer(name, len(events), "--plugin", ask.args.timed)
        if not answer:
            continue
        listed = json.loads(ask.analyze("--plugin", ask.args.timed, "--events").stdout)
        said = codes_of(answer) | codes_of(listed)
        ask.expect(said == set(codes.split()), f"{name}: says {sorted(said)}, not {codes}")
        apart = {r["name"] for r in answer["rows"] if r["detached"]}
        ask.expect(apart == set(detached), f"{name}: apart are {sorted(apart)}, not {detached}")
        placed = {e["start_by"] for e in listed["events"] if e["delegate"] and e.get("start_by")}
        ask.expect("readings" in placed or "sync=" not in events[0][0] or "N0622" in codes or "/0 " in events[0][0] + " ",
                   f"{name}: placed by {placed}")
        ask.expect("N0622" not in codes or "readings" not in placed, f"{name}: placed by {placed}")


def check_many(ask):
    """A million events (or ETCORE_SHARE of them): each contains the one before, or the last contains all others, or they
    contain each other in a circle."""
    count = 50_000 if ask.args.sanitized else 1_000_000 // SHARE
    for how, n in (("time_nest", count), ("time_nest", count // 10), ("time_siblings", count // 10), ("time_circle", count // 10)):
        with open(ask.path, "wb") as f:
            f.write(make_many.make(n))
        with open(ask.ini, "w", encoding="utf-8") as f:
            f.write(f"[etcore]\nplugins = hostile\n[plugin.hostile]\nlibrary = {ask.args.hostile}\nhow = {how}\n")
        if how == "time_nest" and n == count:
            done = ask.analyze("-c", ask.ini)
            ask.expect(done.returncode == 0, f"{n} events: status {done.returncode}: {done.stderr.decode()[-300:]}")
            rows = json.loads(done.stdout)["rows"] if done.returncode == 0 else []
        else:
            rows = (ask.answer(f"{how}, {n} events", n, "-c", ask.ini) or {"rows": []})["rows"]
        own = [r for r in rows if r["name"] == "all" and not r["detached"]]
        if how == "time_nest":
            ask.expect([(r["calls"], r["self_ns"]) for r in own] == [(n, 2 * n)], f"{how}, {n} events: {str(rows)[:300]}")
        if how == "time_siblings":
            ask.expect([(r["calls"], r["self_ns"]) for r in own] == [(1, 2)], f"{how}, {n} events: {str(rows)[:300]}")
        if how == "time_circle":
            said = re.findall(r"W0611", ask.analyze("-c", ask.ini).stderr.decode())
            ask.expect(len(said) == 2, f"{how}: {said}")  # the warning, and the line that says how to look it up


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--etcore", required=True)
    parser.add_argument("--timed", required=True)
    parser.add_argument("--hostile", required=True)
    parser.add_argument("--sanitized", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ask = Asker(args, folder)
        check_times(ask)
        check_many(ask)
    print("\n".join(ask.wrong[:40]))
    print(f"{ask.done} expectations, {len(ask.wrong)} wrong")
    return bool(ask.wrong) or ask.done < 300 // SHARE


if __name__ == "__main__":
    sys.exit(main())
