"""package - compares the Python package with ExecuTorch's class, in processes of one Python that has both.

Times are those of whole processes, interpreter and imports included. For 10^5 events, where imports would be
most of the time, they are measured without the imports.
"""
import json
import os
import subprocess

import steps

HERE = os.path.dirname(os.path.abspath(__file__))
START = "import sys; sys.path.insert(0, sys.argv.pop(1)); import steps; steps.one(*sys.argv[1:])"


class Package:
    """The rows of goal 14."""

    def __init__(self, b, python, why):
        self.b, self.python, self.why = b, python, why

    def run(self, side, step, dump, record=None):
        environment = {**os.environ, "PYTHONPATH": os.path.join(os.path.dirname(HERE), "python"), "ETCORE_PLUGIN_PATH": "",
                       "ETCORE_LIBRARY": os.path.join(os.path.dirname(os.path.abspath(self.b.etcore)), "libetcore.so.1"),
                       "PYTHONPYCACHEPREFIX": os.path.abspath(os.path.join(self.b.folder, "pycache"))}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # so that modules are compiled once, as for an installed package
        p = subprocess.run([self.python, "-c", START, HERE, side, step, dump, *([record] if record else [])], env=environment,
                           stdout=subprocess.PIPE, text=True, check=True)
        return json.loads(p.stdout.splitlines()[-1])

    def turns(self, asked, repetitions):
        """Runs all (side, steps) in turn; returns the least cost of each."""
        least = [{} for _ in asked]
        for _ in range(repetitions):
            for cost, arguments in zip(least, asked):
                for name, value in self.run(*arguments).items():
                    cost[name] = min(value, cost.get(name, value))
        return least

    def tiny(self):
        report, files = self.b.report, (self.b.tiny, self.b.record)
        self.run("etcore", "blocks", *files)  # the first run compiles the modules
        ours, frame, theirs, their_frame = self.turns([(side, step, *files) for side in ("etcore", "executorch")
                                                       for step in ("blocks", "frame")], 3)
        for _ in range(3):
            ours["blocks"] = min(ours["blocks"], *(self.run("etcore", "blocks", *files)["blocks"] for _ in range(3)))
        report.least(14, "start, open, all event_blocks, tiny dump + ETRecord", ours["blocks"], theirs["blocks"], 100)
        report.below(14, "  the same", ours["blocks"], .060, "ms")
        report.least(14, "start, open, DataFrame, tiny dump + ETRecord", frame["frame"], their_frame["frame"], 10)

    def many(self, goal, what, dump):
        report = self.b.report
        arrow, frame, walk = self.turns([("etcore", step, dump) for step in ("arrow", "frame", "walk")], 2)
        theirs = self.run("executorch", "walk,frame", dump)
        again = self.turns([("etcore", step, dump) for step in ("arrow", "frame", "walk")], 2)
        for cost, more in zip((arrow, frame, walk), again):
            cost.update({name: min(value, cost[name]) for name, value in more.items()})
        name = ""
        if goal is None:
            name = ", above the imports"
            for cost in (arrow, frame, walk, theirs):
                cost.update({step: cost[step] - cost["imports"] for step in ("open", *steps.STEPS) if step in cost})
        report.least(goal, f"open and Arrow, {what}, beside opening{name}", arrow["arrow"], theirs["open"], 400, "s")
        report.least(goal, f"open and DataFrame, {what}{name}", frame["frame"],
                     theirs["frame"] - theirs["walk"] + theirs["open"], 50, "s")
        report.least(goal, f"open and walk every event, {what}{name}", walk["walk"], theirs["walk"], 10, "s")

    def memory(self, what, dump):
        report, size = self.b.report, os.path.getsize(dump) / steps.MB
        arrow, frame = (self.run("etcore", step, dump) for step in ("arrow", "frame"))
        report.most(14, f"open and Arrow, {what}: peak RSS above the imports beside the file", arrow["peak"], size, 1.5, "MB")
        report.most(14, f"open and DataFrame, {what}: the same beside its cells + the file", frame["peak"],
                    frame["cells"] + size, 1, "MB")

    def all(self):
        if not self.python:
            self.b.report.skip(14, "the Python package beside ExecuTorch's class", self.why)
            return
        self.tiny()
        shapes = {"100,000 events x 10 runs": self.b.wide(), "100 events x 10,000 runs": self.b.many()}
        for what, dump in shapes.items():
            self.memory(what, dump)
            if self.b.large:
                self.many(14, what, dump)
        if not self.b.large:
            self.b.report.skip(14, "10^6 events beside the class", "only with --large (minutes)")
            self.many(None, "10,000 events x 10 runs", self.b.etdump("wide_100000.etdump", 10_000, 10))
            self.many(None, "100 events x 1,000 runs", self.b.etdump("100000.etdump", 100, 1000))
