"""lab - the tools of generators that try to make etcore print false claims: claims, trials, and running etcore.

A claim is a statement that etcore prints. Its generator makes one situation from a seed, in which the claim would be either
false or true. It runs etcore and returns the outcome:

    LIE      etcore claimed something that is false here (raise Lie(text) or return lie(text))
    TRUE     etcore claimed something that is true here
    SILENT   etcore did not print the claim
"""
import glob
import importlib
import json
import os
import random
import shutil
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(ROOT, "tests", "data")

TRUE, SILENT = "true", "silent"
CLAIMS = []
LONGEST = 300  # time limit of one command in seconds, generous because the machine may be busy


class Lie(Exception):
    """A false claim; the text has the claim and the truth."""


class Skip(Exception):
    """This seed gives no situation, for example because the dump has too few runs; another seed is drawn."""


def lie(text):
    raise Lie(text)


class Claim:
    def __init__(self, name, function, trials, at_most, power):
        self.name, self.function, self.trials, self.at_most, self.power = name, function, trials, at_most, power


def claim(name, trials=500, at_most=0.0, power=0.05):
    """Registers a generator f(lab, rng) for the claim `name` of docs/claims.md.

    trials   number of situations in ./dev check claims; ./dev check and ./dev test run fewer (run.py --share)
    at_most  share of trials that may be lies: 0, except for a claim with a stated error rate
    power    share of trials that must be TRUE, so that a program that never prints the claim fails
    """
    def register(function):
        CLAIMS.append(Claim(name, function, trials, at_most, power))
        return function
    return register


def load():
    """Imports every claim_*.py; returns the names of the registered claims."""
    here = os.path.dirname(os.path.abspath(__file__))
    for path in sorted(glob.glob(os.path.join(here, "claim_*.py"))):
        importlib.import_module(os.path.basename(path)[:-3])
    return [c.name for c in CLAIMS]


class Result:
    def __init__(self, process, command):
        self.status, self.command = process.returncode, command
        self.out = process.stdout.decode("utf-8", "replace")
        self.err = process.stderr.decode("utf-8", "replace")

    def json(self):
        return json.loads(self.out)

    def __contains__(self, text):
        return text in self.out or text in self.err


class Lab:
    """The folder of one trial; runs etcore in it."""

    data = DATA

    def __init__(self, etcore):
        self.program = os.path.abspath(etcore)
        self.tmp = tempfile.mkdtemp(prefix="etcore-claims-")

    def close(self):
        shutil.rmtree(self.tmp, ignore_errors=True)

    def path(self, *names):
        """A path in the trial's folder."""
        return os.path.join(self.tmp, *names)

    def etcore(self, *arguments, env=None, killed=False):
        """Runs etcore in the trial's folder without the user's environment. Unless `killed`, termination by a signal is a
        lie."""
        command = [self.program, *map(str, arguments)]
        p = subprocess.run(command, cwd=self.tmp, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, timeout=LONGEST,
                           env={"PATH": "/usr/bin:/bin", "HOME": self.tmp, **(env or {})})
        if p.returncode < 0 and not killed:
            lie(f"ended by signal {-p.returncode}: {' '.join(command)}")
        return Result(p, command)

    def stopped(self, *arguments):
        """Runs a command that a signal may terminate."""
        return self.etcore(*arguments, killed=True)


def dumps(*patterns):
    """Returns real ETDumps below tests/data, sorted: those whose path contains one of `patterns`, by default "/cases/"."""
    found = []
    for folder, _, names in os.walk(DATA):
        for name in names:
            path = os.path.join(folder, name)
            if name.endswith((".etdump", ".etdp")) and any(p in path[len(ROOT):] for p in patterns or ("/cases/",)):
                found.append(path)
    return sorted(found)


def trial(etcore, one, seed):
    """Runs one trial. Returns (TRUE, SILENT, "lie" or "skip"; the text of a lie)."""
    lab = Lab(etcore)
    rng = random.Random(f"{one.name}/{seed}")
    try:
        return one.function(lab, rng), ""
    except Lie as e:
        return "lie", str(e)
    except Skip:
        return "skip", ""
    finally:
        lab.close()
