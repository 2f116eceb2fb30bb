#!/usr/bin/env python3
"""surroundings.py ETCORE FAULT -- answers must not depend on the locale, the terminal, the time zone or the clock.

Without a terminal, every command must print the same bytes for all environment variables. On a terminal its status must be
the same for all values of COLUMNS and TERM. If the time of day goes backwards while runs are measured, nothing may be lost:
only the pipeline's records of start and end times use that clock.
"""

import os
import pty
import subprocess
import sys

from lab import CASES, PTE, ROOT, Lab

sys.path.insert(0, os.path.join(ROOT, "tests"))
from share import share  # noqa: E402

NET = os.path.join(CASES, "conv_net_xnnpack", "run.etdump")
PAIR = [os.path.join(CASES, name, "run.etdump") for name in ("linear_fp32", "linear_int8_dynamic")]
COMMANDS = {
    "analyze": ["analyze", NET, "--where", "share > 1.5%", "--sort", "share:asc"],
    "json": ["analyze", NET, "--events", "-o", "json"],
    "csv": ["analyze", NET, "--by", "module", "-o", "csv"],
    "inspector": ["inspector", "--etdump_path", NET, "-o", "csv"],
    "table": ["inspector", "--etdump_path", NET],
    "diff": ["diff", PAIR[0], "--", PAIR[1], "--confidence", "90"],
    "check": ["check", PAIR[0], "--baseline", PAIR[1], "--max-regression", "2.5%", "-o", "markdown"],
    "numeric": ["numeric", "values", os.path.join(CASES, "nan_output", "run.etdump"), "--where", "max > 0.5"],
    "memory": ["memory", os.path.join(PTE, "conv_net_xnnpack.pte")],
    "doctor": ["doctor", NET],
    "tokens": ["tokens", NET, "-o", "csv"],
    "trace": ["trace", NET, "-o", "chrome"],
    "report": ["report", NET],
    "summary": ["summary", NET],
    "what-if": ["what-if", NET, "--row", "share > 1.5%", "--times", "0.5"],
    "set": ["config", "--set", "etcore.ticks_per_second=24.5e6"],
    "help": ["analyze", "--help"],
}
LONG = "x" * 100000
ODD = [
    {}, {"LC_ALL": "C"}, {"LC_ALL": "POSIX"}, {"LC_ALL": "xx_YY.UTF-8"}, {"LC_ALL": LONG}, {"LANG": "\udcff\udcfe"},
    {"LANGUAGE": "tr:de"}, {"LC_NUMERIC": "de_DE.UTF-8"},
    {"COLUMNS": "0"}, {"COLUMNS": "-5"}, {"COLUMNS": "9" * 40}, {"COLUMNS": "many"}, {"COLUMNS": ""},
    {"TERM": ""}, {"TERM": "dumb"}, {"TERM": LONG}, {"NO_COLOR": ""}, {"NO_COLOR": "1"},
    {"TZ": "Nowhere/Land"}, {"TZ": ":"}, {"TZ": "<+99>-99"}, {"TZ": LONG},
    {"HOME": ""}, {"HOME": "/nonexistent"}, {"HOME": "\n"}, {"XDG_CONFIG_HOME": "relative"}, {"TMPDIR": "/nonexistent"},
]


def locales(folder):
    """Returns variables for the locales that the machine can make: with a decimal comma; where the lower case of I is not i."""
    subprocess.run(["sh", os.path.join(ROOT, "tests", "locales.sh"), folder], check=False)
    return [{"LC_ALL": name, "LOCPATH": folder} for name in ("de_DE.UTF-8", "tr_TR.UTF-8") if os.path.exists(os.path.join(folder, name))]


def on_terminal(lab, name, env):
    """Repeats the command on a terminal, where its text may differ: only the status is compared."""
    ours, theirs = pty.openpty()
    reader = subprocess.Popen(["cat"], stdin=ours, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    r = lab.run(COMMANDS[name], env=env, stdout=theirs)
    os.close(theirs)
    os.close(ours)
    reader.kill()
    reader.wait()
    lab.expect(f"{name} on a terminal, {short(env)}", r, r.status == plain[name].status)


def short(env):
    return {k: v[:20] for k, v in env.items()}


lab = Lab(sys.argv[1], sys.argv[2])
plain = {name: lab.run(words, env={"LC_ALL": "C.UTF-8"}) for name, words in COMMANDS.items()}
for name, r in plain.items():
    lab.expect(name, r, r.status in (0, 1) and r.out)


def same(item):
    name, env = item
    r = lab.run(COMMANDS[name], env=env)
    lab.expect(f"{name}, {short(env)}", r,
               (r.status, r.out, r.err) == (plain[name].status, plain[name].out, plain[name].err), "another answer")


made = locales(os.path.join(os.path.dirname(os.path.abspath(sys.argv[2])), "locales"))
lab.each(same, [(name, env) for turn, name in enumerate(COMMANDS) for env in share(ODD + made, turn)])
lab.each(lambda item: on_terminal(lab, *item), [(name, env) for turn, name in enumerate(("analyze", "diff", "table", "help"))
                                                for env in share([*ODD, *made, {"COLUMNS": "1"}], turn)])

runs = os.path.join(lab.scratch, "runs")
r = lab.run(["pipeline", "run", "--config", os.path.join(ROOT, "tests/pipeline/example/cnn.json"), "--set", f"output_root={runs}"],
            fault="clock:2+:back")
lab.expect("pipeline run, clocks go back", r, r.status == 0 and os.path.exists(os.path.join(runs, "metrics.json")))
r = lab.run(["pipeline", "report", runs], fault="clock:1+:back")
lab.expect("pipeline report, clocks go back", r, r.status == 0)
sys.exit(lab.end(f"surroundings, {len(made)} locales made here"))
