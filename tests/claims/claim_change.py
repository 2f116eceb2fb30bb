"""The claim of `diff`, `check` and `pipeline report` about the size of a change: it must agree with the two times that
are printed next to it."""
import os
import re

from lab import TRUE, claim, lie
from pipe import SOURCES, Pipe

UNITS = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}
CHECK = re.compile(r"([+-]?[\d.]+) %( slower| faster)?(?: \([\d.]+ % CI ([+-][\d.]+) … ([+-][\d.]+) %\))?: "
                   r"([\d.]+) (\w+) -> ([\d.]+) (\w+), ")


def preempted(rng, ms, n, part):
    return [round(ms * (1 + abs(rng.gauss(0, 0.02))) * (rng.uniform(1.5, 8) if rng.random() < part else 1), 6) for _ in range(n)]


def folder(lab, rng):
    """Measures two experiments in blocks of 2 to 5 kept runs, some of which are preempted. Returns the run and the dumps of
    off and on, with their order."""
    blocks, part, factor = rng.choice((1, 2, 3, 3, 3, 4, 5)), rng.choice((0.05, 0.1, 0.3)), rng.choice((1, 1, 1.3, 0.5))
    runs, drift = rng.randint(2 * blocks, 5 * blocks), rng.choice((0, 0, 0.2))
    places = {"off": [], "on": []}
    for at in range(2 * blocks):
        places["on" if at // 2 % 2 != at % 2 else "off"].append(at)
    units = {name: {1: [preempted(rng, 10 * f * (1 + rng.gauss(0, 0.01)) * (1 + drift * at / (2 * blocks)),
                                  1 + runs // blocks + (i < runs % blocks), part) for i, at in enumerate(places[name])]}
             for name, f in (("off", 1), ("on", factor))}
    pipe = Pipe(lab, units, source=rng.choice(SOURCES))
    if pipe.run().status:
        raise RuntimeError("run")
    dumps = [[os.path.join(pipe.root, n, f"{n}_t1{f'_b{i + 1}' if i else ''}.etdump") for i in range(blocks)] for n in ("off", "on")]
    return pipe, dumps, "".join("B" if at in places["on"] else "A" for at in range(2 * blocks))


def rounded(text):
    """Half a unit in the last place of a number."""
    return 0.5 * 10.0 ** -len(text.partition(".")[2]) if "." in text else 0.5


def agrees(what, shown, times, make):
    """Raises Lie unless the text `shown` is make(times). All of these numbers are rounded, so a small difference is
    allowed."""
    ends = [make(*(float(t) + way * rounded(t) for t, way in zip(times, (one, -one)))) for one in (1, -1)]
    if not min(ends) - rounded(shown) * 1.01 <= float(shown) <= max(ends) + rounded(shown) * 1.01:
        lie(f"{what}: {shown} beside {times[0]} and {times[1]}")


def in_sign(what, word, base, own):
    if (word == "faster" and own > base) or (word == "slower" and own < base):
        lie(f"{what}: {word} of {base} and {own}")


def of_report(pipe):
    r = pipe.ask("report", "-o", "json")
    said = r.json()["comparisons"][0]
    base, own = said["baseline_ms"], said["candidate_ms"]
    if abs(said["speedup"] - base / own) > 1e-9 * said["speedup"]:
        lie(f"speedup {said['speedup']} of {base} and {own}")
    low, high = said.get("speedup_interval", (said["speedup"], said["speedup"]))
    if not 0 < low * (1 - 1e-9) <= said["speedup"] <= high * (1 + 1e-9) < 1e3:
        lie(f"speedup {said['speedup']} from {low} to {high}")
    in_sign("report", said["verdict"], base, own)
    with open(os.path.join(pipe.root, "report.md"), encoding="utf-8") as f:
        cells = re.search(r"\| off \| on \| ([\d.]+) \| ([\d.]+) \| ([\d.]+)x", f.read())
    agrees("report.md", cells[3], cells.group(1, 2), lambda a, b: a / b)
    return said["verdict"]


def of_diff(lab, dumps, order):
    args = ("diff", *dumps[0], "--", *dumps[1], "--order", order, "--by", "method", "--rounds", "500")
    line = next(x for x in lab.etcore(*args, "-o", "json").json()["rows"] if x["level"] == "run")
    base, own, difference = line["base_ns"], line["self_ns"], line["difference_ns"]
    if abs(difference - (own - base)) > 1e-6 * base or abs(line["ratio"] - own / base) > 1e-9 * line["ratio"]:
        lie(f"diff: {difference}, ratio {line['ratio']} of {base} and {own}")
    low, high = line["difference_low_ns"], line["difference_high_ns"]
    least = -base * (1 + 1e-9)
    if low is not None and not least <= low <= difference + 1e-6:
        lie(f"diff: the interval of {difference} begins at {low}, the base takes {base}")
    if line["ratio_low"] is not None and line["ratio_low"] < 0:
        lie(f"diff: the interval of the ratio begins at {line['ratio_low']}")
    if high is not None and not difference - 1e-6 <= high <= 21 * max(base, own):
        lie(f"diff: the interval of {difference} ends at {high}, the base takes {base}")
    in_sign("diff", line["change"], base, own)
    screen = lab.etcore(*args).out
    times = re.search(r": ([\d.]+) × its time", screen)
    shown = re.findall(r"^  \S+ +([\d.]+) (\S+)  \(typical", screen, re.M)
    if times and len(shown) != 2:
        lie(f"diff: no two times: {screen}")
    if times and shown[0][1] == shown[1][1]:
        agrees("diff", times[1], (shown[0][0], shown[1][0]), lambda a, b: b / a)
    return line["change"]


def of_check(lab, dumps, order):
    args = ("check", *dumps[1], "--baseline", *dumps[0], "--order", order, "--by", "method", "--rounds", "500")
    line = lab.etcore(*args, "-o", "json").json()["lines"][0]
    out = lab.etcore(*args).out
    found = CHECK.search(out)
    if not found:
        return line["verdict"]
    change, word, low, high, base, unit, own, other = found.groups()
    if unit == other:
        signed = f"-{change}" if word == " faster" else change
        agrees("check", signed, (base, own), lambda a, b: 100 * (b / a - 1))
    most = 2100 * max(1, float(own) * UNITS[other] / (float(base) * UNITS[unit]))
    if low and not -100 <= float(low) <= float(high) <= most:
        lie(f"check: {found[0]}")
    in_sign("check", (word or "").strip(), float(base) * UNITS[unit], float(own) * UNITS[other])
    in_sign("check", {"regression": "slower", "improved": "faster"}.get(line["verdict"]), float(base) * UNITS[unit],
            float(own) * UNITS[other])
    return line["verdict"]


@claim("change-of-times")
def change_of_times(lab, rng):
    """Recordings have 2 to 5 kept runs, some of them preempted. In every format, the change must agree with the two
    times next to it, no verdict may contradict these in sign, no interval may go below -100 % or be absurdly wide, and
    report, diff and check must agree."""
    pipe, dumps, order = folder(lab, rng)
    report = of_report(pipe)
    changes = {o: of_diff(lab, dumps, o) for o in (order, "none")}
    checks = {o: of_check(lab, dumps, o) for o in (order, "none")}
    if (report in ("faster", "slower")) and report != changes[order]:
        lie(f"report says {report}, diff {changes[order]}")
    for o in (order, "none"):
        want = {"slower": ("regression", "pass", "drift"), "faster": ("improved",)}.get(changes[o])
        if want and checks[o] not in want or not want and checks[o] in ("regression", "improved"):
            lie(f"--order {o}: check says {checks[o]}, diff {changes[o]}")
    if report in ("faster", "slower") and checks[order] not in {"slower": ("regression", "pass"), "faster": ("improved",)}[report]:
        lie(f"report says {report}, check {checks[order]}")
    return TRUE
