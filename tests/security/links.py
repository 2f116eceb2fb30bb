#!/usr/bin/env python3
"""links.py ETCORE -- links in a folder from someone else must not redirect where etcore writes.

Each command runs once in a plain folder; the files it creates are its outputs. Then, for each output, it runs in a copy of
the folder in which a link has the output's name: to an existing or missing file elsewhere, or a hard link; and for each
folder in which it writes, a link to a folder elsewhere. The targets of the links must stay unchanged, and the outputs must
be those of the plain folder.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "pipeline"))
sys.path.insert(0, os.path.join(ROOT, "tests", "tools"))
sys.path.insert(0, os.path.join(ROOT, "tests"))
os.chdir(ROOT)

from kit_runs import load, unpack
from share import SHARE, some

MINE = b"mine\n"
# Outputs that contain times or folder names, which differ between two runs of the same command.
VARIES = re.compile(r"manifest\.json|metrics\.json|report\.md|analysis_summary\.json|\.log$")


class Test:
    def __init__(self, etcore, top):
        self.etcore, self.top, self.runs, self.bad, self.count = os.path.abspath(etcore), top, load(), [], 0

    def tree(self, folder):
        """Returns {path: bytes, text of a link, or None for a folder} for everything below a folder."""
        found = {}
        for here, folders, files in os.walk(folder):
            for name in folders + files:
                path = os.path.join(here, name)
                rel = os.path.relpath(path, folder)
                if os.path.islink(path):
                    found[rel] = "-> " + os.readlink(path)
                elif os.path.isdir(path):
                    found[rel] = None
                else:
                    with open(path, "rb") as f:
                        found[rel] = f.read()
        return found

    def run(self, args, cwd):
        p = subprocess.run([self.etcore, *args], cwd=cwd, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120,
                           env={"PATH": "/usr/bin:/bin", "HOME": self.top})
        return p.returncode, p.stderr

    def plant(self, scene, kind, rels):
        """Makes the scene with a link in place of each output; returns {path of a link's target: its bytes, None if it does not exist}."""
        shutil.rmtree(self.work, ignore_errors=True)
        os.mkdir(self.work)
        scene(self.work)
        victims = {}
        for i, rel in enumerate(rels):
            victim, path = os.path.join(self.top, f"victim{i}"), os.path.join(self.work, "box", rel)
            shutil.rmtree(victim, ignore_errors=True)
            os.mkdir(victim)
            with open(os.path.join(victim, "file"), "wb") as f:
                f.write(MINE)
            if os.path.lexists(path):
                continue
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if kind == "hard":
                os.link(os.path.join(victim, "file"), path)
            else:
                os.symlink(os.path.join(victim, {"file": "file", "nothing": "new", "folder": ""}[kind]), path)
            victims[rel] = victim
        return victims

    def command(self, name, scene, args, at="", refuses=()):
        """`scene` fills a folder whose subfolder box/ comes from a stranger; files that appear below box/ are outputs. If a
        link replaces an output named in `refuses`, the command may also fail with that code."""
        self.work = os.path.join(self.top, "work")
        shutil.rmtree(self.work, ignore_errors=True)
        os.mkdir(self.work)
        scene(self.work)
        box = os.path.join(self.work, "box")
        before = self.tree(box)
        words = args(self.work)
        status, said = self.run(words, os.path.join(self.work, at))
        made = {k: v for k, v in self.tree(box).items() if k not in before or before[k] != v}
        if status != 0 or not made:
            self.bad.append(f"{name}: status {status}, {len(made)} outputs\n{said}")
        files, folders = sorted(k for k in made if made[k] is not None), sorted(k for k in made if made[k] is None)
        turns = [(kind, files, "") for kind in ("file", "nothing", "hard")] + [("folder", [f], "") for f in folders]
        for rel, code in dict(refuses).items():
            turns = [(kind, [k for k in rels if k != rel], c) for kind, rels, c in turns]
            turns += [(kind, [rel], code) for kind in ("file", "nothing", "hard")]
        for kind, rels, code in some(turns, 2):
            victims = self.plant(scene, kind, rels)
            if not victims:
                continue
            self.count += len(victims)
            what = f"{name}: links ({kind})"
            got, said = self.run(words, os.path.join(self.work, at))
            for rel, victim in victims.items():
                if self.tree(victim) != {"file": MINE}:
                    self.bad.append(f"{what}: what {rel} leads to was written: {sorted(self.tree(victim))}")
            if code and got != 0 and code in said:
                continue
            now = self.tree(box)
            if got != status:
                self.bad.append(f"{what}: status {got}, not {status}\n{said}")
            if sorted(k for k in now if k in made) != sorted(made):
                self.bad.append(f"{what}: outputs are missing: {sorted(set(made) - set(now))}")
            for rel in made:
                if isinstance(now.get(rel), str) or (now.get(rel) != made[rel] and not VARIES.search(rel)):
                    self.bad.append(f"{what}: {rel} is another: {str(now.get(rel))[:80]}")


def pipeline(work):
    """The configuration is the user's; the folder box/ that it names existed before."""
    os.mkdir(os.path.join(work, "box"))
    with open("tests/pipeline/replay_runner.py", encoding="utf-8") as f, open(os.path.join(work, "runner"), "w", encoding="utf-8") as to:
        to.write(f"#!{sys.executable} -ES\n" + f.read().split("\n", 1)[1])
    os.chmod(os.path.join(work, "runner"), 0o755)
    with open(os.path.join(work, "runner.json"), "w") as f:
        json.dump({"ms": [9.0, 1.0, 2.0], "dump": os.path.abspath("tests/data/arm/cnn_f32/sme2/run.etdump")}, f)
    with open(os.path.join(work, "model.pte"), "wb") as f:
        f.write(b"a program")
    experiments = [{"name": n, "runs": 2, "warmup": 1, "runner_path": os.path.join(work, "runner")} for n in ("on", "off")]
    with open(os.path.join(work, "c.json"), "w") as f:
        json.dump({"model": os.path.join(work, "model.pte"), "output_root": os.path.join(work, "box"), "experiments": experiments}, f)


def main():
    top = tempfile.mkdtemp(prefix="etcore-links-")
    t = Test(sys.argv[1], top)

    def kit(run):
        return lambda work: unpack(t.runs[run], os.path.join(work, "box"))

    def into(work):
        kit("ab_cnn_f32/g1")(work)
        os.rename(os.path.join(work, "box"), os.path.join(work, "run"))
        os.mkdir(os.path.join(work, "box"))

    def values(work):
        os.mkdir(os.path.join(work, "box"))

    def arm(work):
        os.mkdir(os.path.join(work, "box"))
        for name in ("etdump", "etrecord"):
            shutil.copy(f"tests/data/cases/mlp_xnnpack/{'run.etdump' if name == 'etdump' else 'model.etrecord'}",
                        os.path.join(work, "box", "model." + name))

    t.command("pipeline report", kit("ab_cnn_f32/g1"), lambda w: ["pipeline", "report", os.path.join(w, "box")])
    t.command("pipeline report, flat", kit("ab_cnn_f32/g3"), lambda w: ["pipeline", "report", os.path.join(w, "box")])
    t.command("pipeline report of traces", kit("trace/g1") if "trace/g1" in t.runs else kit("ab_cnn_f32/g1"),
              lambda w: ["pipeline", "report", os.path.join(w, "box")])
    t.command("pipeline report --into", into, lambda w: ["pipeline", "report", os.path.join(w, "run"), "--into", os.path.join(w, "box")])
    t.command("numeric values", values, lambda w: ["numeric", "values", os.path.abspath("tests/data/cases/debug_portable/run.etdump"),
                                                   "--debug-buffer", os.path.abspath("tests/data/cases/debug_portable/debug.bin"),
                                                   "-o", "npy=" + os.path.join(w, "box")])
    t.command("inspector PROGRAM", arm, lambda w: ["inspector", os.path.join(w, "box", "model.pte")])
    t.command("inspector PROGRAM, here", arm, lambda w: ["inspector", "model.pte"], "box")
    t.command("pipeline new", values, lambda w: ["pipeline", "new", "linux"], "box", {"linux.ini": "E0632"})
    t.command("pipeline run", pipeline, lambda w: ["pipeline", "run", "--config", "c.json", "--force"])
    t.command("pipeline run --kernel-trace", pipeline, lambda w: ["pipeline", "run", "--config", "c.json", "--kernel-trace", "--force"])
    shutil.rmtree(top)
    print("\n".join(t.bad) or f"{t.count} links in the place of outputs: none was followed")
    return bool(t.bad) or t.count < (50 if SHARE == 1 else 25)


if __name__ == "__main__":
    sys.exit(main())
