"""lab - what a generator of lies works with: claims, trials, etcore itself.

A claim is a word of certainty that etcore prints. Its generator makes, from a seed, one situation: either one in which
the claim would be false, or an honest one in which it is true. It runs etcore and says what etcore did:

    LIE      etcore claimed what is false here (raise Lie(text) or return lie(text))
    TRUE     etcore claimed what is true here
    SILENT   etcore did not claim
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
LONGEST = 300  # seconds for one command, on a machine with other work


class Lie(Exception):
    """A false claim; the text has what was claimed and what is true."""


class Skip(Exception):
    """No situation can be made from this seed (for a dump with too few runs, say); another seed is drawn."""


def lie(text):
    raise Lie(text)


class Claim:
    def __init__(self, name, function, trials, at_most, power):
        self.name, self.function, self.trials, self.at_most, self.power = name, function, trials, at_most, power


def claim(name, trials=500, at_most=0.0, power=0.05):
    """Registers a generator f(lab, rng) for the claim `name` of docs/claims.md.

    trials   situations in ./dev check claims (./dev test makes a tenth)
    at_most  share of trials that may be lies: 0, but for a claim with a stated error rate
    power    share of trials that must be TRUE, so that a program that never speaks does not pass
    """
    def register(function):
        CLAIMS.append(Claim(name, function, trials, at_most, power))
        return function
    return register


def load():
    """Imports every claim_*.py; returns the names of the claims."""
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
    """The folder of one trial, and how to run etcore in it."""

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
        """Runs etcore in the trial's folder without the user's environment; an end by a signal counts as a lie."""
        command = [self.program, *map(str, arguments)]
        p = subprocess.run(command, cwd=self.tmp, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, timeout=LONGEST,
                           env={"PATH": "/usr/bin:/bin", "HOME": self.tmp, **(env or {})})
        if p.returncode < 0 and not killed:
            lie(f"ended by signal {-p.returncode}: {' '.join(command)}")
        return Result(p, command)

    def stopped(self, *arguments):
        """Runs a command that is ended by a signal."""
        return self.etcore(*arguments, killed=True)


def dumps(*patterns):
    """Real ETDumps below tests/data, sorted: all of cases/, or those whose path holds one of `patterns`."""
    found = []
    for folder, _, names in os.walk(DATA):
        for name in names:
            path = os.path.join(folder, name)
            if name.endswith((".etdump", ".etdp")) and any(p in path[len(ROOT):] for p in patterns or ("/cases/",)):
                found.append(path)
    return sorted(found)


def trial(etcore, one, seed):
    """(outcome, text) of one trial: TRUE, SILENT, or "lie" with what was said."""
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
