"""agreement.py -- asks statistics_tool, and records how far its answers deviate from the expected ones."""

import json
import math
import subprocess


def ask(tool, arguments, lines):
    text = "\n".join(" ".join(repr(float(x)) if isinstance(x, float) else str(x) for x in line) for line in lines)
    out = subprocess.run([tool, *arguments], input=text + "\n", capture_output=True, text=True, check=True).stdout
    answers = [json.loads(line) for line in out.splitlines()]
    assert len(answers) == len(lines), "an answer is missing"
    return answers


class Agreement:
    """Records the largest relative deviation of each statistic. A number where none is expected, or none where one is
    expected, is always wrong."""

    # Statistics that are sums: if terms cancel, the rounding errors of the terms remain.
    SUMS = ("mean", "typical", "slope", "shift", "shift_low", "shift_high", "lag1", "low", "high", "mk_s")

    def __init__(self, tolerance):
        self.tolerance, self.worst, self.counts, self.wrong, self.bounds = tolerance, {}, {}, [], {}

    def number(self, name, where, got, want, scale=0.0):
        self.counts[name] = self.counts.get(name, 0) + 1
        if got is None or want is None:
            if got is not want:
                self.wrong.append(f"{name} of {where}: {got}, wanted {want}")
            return
        base = max(abs(got), abs(want), scale)
        if base < 1e-300:  # smaller doubles have fewer digits
            return
        deviation = abs(got - want) / base if base else 0.0
        if not math.isfinite(got) or deviation > self.tolerance.get(name, 1e-12):
            self.wrong.append(f"{name} of {where}: {got!r}, wanted {want!r}")
        self.worst[name] = max(self.worst.get(name, 0.0), deviation)

    def bounded(self, name, where, deviation, allowed):
        if not deviation <= allowed:
            self.wrong.append(f"{name} of {where}: off by {deviation} standard errors, allowed {allowed}")
        self.bounds[name] = max(self.bounds.get(name, 0.0), deviation)

    def pair(self, where, got, want, a, b):
        """Compares all statistics of one pair. A statistic that `want` lacks must be null in `got`."""
        finite = [abs(x) for x in a + b if math.isfinite(x)]
        scale = max(finite, default=0.0)
        for side in ("a", "b"):
            for name, value in got[side].items():
                if name == "why":
                    continue
                if name == "dip_p":
                    self.dip_p(where, value, want[side].get(name))
                    continue
                self.number(name, f"{side} of {where}", value, want[side].get(name), scale if name in self.SUMS else 0.0)
        for name in want["pair"]:
            self.number(name, where, got[name], want["pair"][name], scale if name in self.SUMS else 0.0)
        if not want["pair"] and "u" in got:
            self.wrong.append(f"{where}: a pair that cannot be compared was")
        for stat in ("typical", "mean", "median"):
            for name, value in got[stat].items():
                if isinstance(value, float) and not math.isfinite(value):
                    self.wrong.append(f"{stat} {name} of {where}: {value}")

    def dip_p(self, where, got, want):
        """Compares p of the dip test. Both values come from simulated tables; diptest's table has fewer sizes (10, then
        15). For the smallest possible dips p is 1."""
        self.counts["dip_p"] = self.counts.get("dip_p", 0) + 1
        if got is None or want is None:
            if got is not want:
                self.wrong.append(f"dip_p of {where}: {got}, wanted {want}")
        elif not (got >= 0.3 and want >= 0.3 and got >= want):
            self.bounded("dip_p (absolute)", where, abs(got - want), 0.05)

    def report(self, of):
        print(f"{of}; the largest relative deviation of each statistic:")
        for name in sorted(self.worst):
            print(f"  {name:16} {self.worst[name]:9.2e} of {self.tolerance.get(name, 1e-12):.0e} allowed, {self.counts[name]} numbers")
        for name, value in sorted(self.bounds.items()):
            print(f"  {name:24} {value:.3f}")
        for text in self.wrong[:20]:
            print(text)
        print(f"{len(self.wrong)} wrong" if self.wrong else f"{sum(self.counts.values())} numbers agree")
        return 1 if self.wrong else 0
