#!/usr/bin/env python3
"""signals.py ETCORE FAULT.SO [--share N] -- signals terminate each writing command at many moments: each output must be
complete or unchanged, and no temporary file may be left.

The signal is sent before each system call for writing, and at 200 random moments of the command's duration (with --share at
every N-th). The exit status must be the signal's, or that of the complete answer. SIGXFSZ must not terminate etcore: a file
larger than `ulimit -f` allows gives E0903.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import lab
import outputs

sys.path.insert(0, os.path.join(lab.ROOT, "tests", "pipeline"))
import kit_runs

SIGNALS = ("INT", "TERM", "HUP", "PIPE", "XFSZ")
MOMENTS = 200
# The signal is sent before the n-th call. An output is opened to check whether it may be replaced, then created, written,
# and renamed.
CALLS = [f"{call}:{n}" for call, most in (("open", 8), ("write", 3), ("close", 6), ("rename", 2), ("fsync", 1), ("fchmod", 1))
         for n in range(1, most + 1)]


class Writer:
    """A command that writes below its own folder."""

    def __init__(self, lab_, name, args, folder=False, olds=(False, True)):
        self.lab, self.name, self.args, self.folder, self.olds = lab_, name, args, folder, olds
        self.top = os.path.join(lab_.scratch, "signals", name)
        self.scene(False)
        began = time.monotonic()
        r = lab_.run(self.words())
        self.took = time.monotonic() - began
        self.status = r.status
        self.whole = self.now()
        lab_.expect(f"{name}: undisturbed", r, r.status in (0, 1) and bool(self.whole))

    def words(self):
        return self.args(os.path.join(self.top, "out"))

    def scene(self, old):
        """Prepares the folder: empty, or with `old` an existing file under each name that the command writes."""
        shutil.rmtree(self.top, ignore_errors=True)
        os.makedirs(os.path.join(self.top, "out") if self.folder else self.top)
        for name in self.whole if old else ():
            path = os.path.join(self.top, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as f:
                f.write(outputs.OLD)

    def now(self):
        """Returns {path below the folder: bytes}."""
        found = {}
        for folder, _, names in os.walk(self.top):
            for name in names:
                path = os.path.join(folder, name)
                found[os.path.relpath(path, self.top)] = outputs.read(path)
        return found

    def is_whole(self, name, got):
        want = self.whole.get(name)
        if got == want:
            return True
        if got is None or want is None or not self.name.startswith("baseline"):
            return False
        when = lambda b: {k: v for k, v in json.loads(b).items() if k != "created"}  # without the time of day
        try:
            return when(got) == when(want)
        except ValueError:
            return False

    def look(self, what, status, ended, old):
        """Checks the files that a run left behind; `ended` is the status of an interrupted run. Returns whether the run was
        interrupted."""
        now = self.now()
        wrong = []
        for name, got in now.items():
            if name.endswith(".tmp"):
                wrong.append(f"{name} stays")
            elif not self.is_whole(name, got) and not (old and got == outputs.OLD):
                wrong.append(f"{name} is neither whole nor untouched")
        if status == self.status:
            wrong += [f"{n} is missing" for n in self.whole if not self.is_whole(n, now.get(n))]
        elif status != ended:
            wrong.append(f"status {status}")
        self.lab.tried += 1
        if wrong:
            self.lab.wrong.append(f"{self.name}: {what}{' over a file' if old else ''}: {', '.join(wrong)}")
        return status == ended


def at_calls(w, share):
    """Sends the signal before each system call for writing; returns how many runs it terminated."""
    ended = 0
    for i, (call, name, old) in enumerate((c, s, o) for c in CALLS for s in SIGNALS for o in w.olds):
        if i % share:
            continue
        number = getattr(signal, "SIG" + name)
        w.scene(old)
        r = w.lab.run(w.words(), f"{call}:{name}")
        ended += w.look(f"SIG{name} before {call}", r.status, None if name == "XFSZ" else -number, old)
    return ended


def at_random(w, share, rng):
    ended = 0
    env = {"PATH": "/usr/bin:/bin", "HOME": w.lab.home}
    for name in SIGNALS:
        number = getattr(signal, "SIG" + name)
        for i in range(0, MOMENTS, share):
            old = w.olds[i // share % len(w.olds)]
            w.scene(old)
            p = subprocess.Popen([w.lab.etcore, *w.words()], cwd=lab.ROOT, env=env, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            when = rng.uniform(0, w.took)
            time.sleep(when)
            p.send_signal(number)
            # Before its first instruction, the program has not yet set signals to be ignored.
            ended += w.look(f"SIG{name} after {when * 1000:.2f} ms", p.wait(lab.LONGEST), -number, old)
    return ended


def too_large(w, rng, share):
    """Tests `ulimit -f` below the size of the largest output, and above it."""
    largest = max(len(b) for b in w.whole.values())
    for old in w.olds:
        for limit in (0, 1, rng.randrange(largest), largest - 1, largest + 4096)[old::2 if share > 1 else 1]:
            w.scene(old)
            r = w.lab.run([f"--fsize={limit}", w.lab.etcore, *w.words()], program="prlimit")
            what = f"{w.name}: at most {limit} bytes"
            if limit < largest:
                w.lab.expect(what, r, r.status == 3 and r.code == "E0903" and b"File too large" in r.err)
            w.look(f"at most {limit} bytes", r.status, 3 if limit < largest else None, old)


def standard_output(lab_):
    """Tests the file size limit with standard output redirected to a file."""
    path = os.path.join(lab_.scratch, "stdout")
    for limit, status in ((0, 3), (100, 3), (1 << 20, 0)):
        with open(path, "wb") as f:
            r = lab_.run([f"--fsize={limit}", lab_.etcore, "dump", outputs.DUMP, "-o", "json"], program="prlimit", stdout=f)
        lab_.expect(f"standard output of at most {limit} bytes", r, r.status == status and (not status or r.code == "E0903"))


def ignored(lab_):
    """A signal that was ignored at start (nohup) must stay ignored; a signal that etcore itself ignores must not be ignored
    in its child processes."""
    path = os.path.join(lab_.scratch, "ignored")
    for name in SIGNALS:
        number = getattr(signal, "SIG" + name)
        r = lab_.run(["analyze", outputs.DUMP, "-o", "json=" + path], f"rename:1:{name}", restore_signals=False,
                     preexec_fn=lambda n=number: signal.signal(n, signal.SIG_IGN))
        lab_.expect(f"SIG{name} is ignored", r, r.status == 0 and os.path.exists(path))
        os.unlink(path)


def every(lab_, share):
    """Sends each signal of the system just before the file is renamed, with and without plugins; with --share only one of
    the two."""
    folder = os.path.join(lab_.scratch, "every")
    stay = {signal.SIGKILL, signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU, signal.SIGCONT, signal.SIGCHLD, signal.SIGURG,
            signal.SIGWINCH, signal.SIGXFSZ}
    for number in sorted(set(map(int, signal.valid_signals())) - set(map(int, stay))):
        for plugins in ([], ["--no-plugins"])[number % 2 if share > 1 else 0::2 if share > 1 else 1]:
            shutil.rmtree(folder, ignore_errors=True)
            os.mkdir(folder)
            words = ["prlimit", "--core=0", lab_.etcore, "analyze", outputs.DUMP, "-o", "json=" + os.path.join(folder, "out"), *plugins]
            r = lab_.run(words[1:], f"rename:1:{number}", program=words[0])
            lab_.tried += 1
            if r.status != -number or os.listdir(folder):
                lab_.wrong.append(f"signal {number} {plugins}: status {r.status}, {os.listdir(folder)} stays")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("etcore")
    parser.add_argument("fault")
    parser.add_argument("--share", type=int, default=1)
    args = parser.parse_args()
    # Processes started in the background or by nohup ignore some signals, and so do their children.
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    lab_ = lab.Lab(args.etcore, args.fault)
    seed = random.SystemRandom().randrange(1 << 32)
    rng = random.Random(seed)
    run = os.path.join(lab_.scratch, "run")
    run = kit_runs.unpack(kit_runs.load()["ab_cnn_f32/g1"], run)
    values = ["numeric", "values", outputs.DEBUG + "/run.etdump", "-b", outputs.DEBUG + "/debug.bin"]
    # The engine of farm is a separate process, which would get the signal too.
    writers = [Writer(lab_, *w) for w in outputs.writers(lab_) if w[0] != "farm"]
    writers += [Writer(lab_, "values npy", lambda p: values + ["-o", "npy=" + p], True),
                Writer(lab_, "node data", lambda p: ["analyze", outputs.DUMP, "-o", "model-explorer=" + p], True),
               Writer(lab_, "pipeline report", lambda p: ["pipeline", "report", run, "--into", p], True),
                Writer(lab_, "pipeline new", lambda p: ["pipeline", "new", "linux", p], olds=(False,))]
    ended = [0, 0]
    for w in writers:
        ended[0] += at_calls(w, args.share)
        ended[1] += at_random(w, args.share, rng)
        too_large(w, rng, args.share)
    standard_output(lab_)
    ignored(lab_)
    every(lab_, args.share)
    if not all(ended):
        lab_.wrong.append("no signal ended anything")
    print(f"seed {seed}; a signal ended {ended[0]} runs before a call, {ended[1]} at a random moment")
    return lab_.end("signals")


if __name__ == "__main__":
    sys.exit(main())
