"""measure - measures the cost of commands, and collects the table of results."""
import os
import subprocess
import sys
import time

TOOLS = {}  # paths of the tools once, floor, floor_json, count.so; set by bench.py
MB = 1 << 20
PATIENCE = 25.0  # in seconds; after this time a row that was measured twice is not repeated


class Cost:
    """The least CPU and wall time in seconds and the largest peak RSS in MB over several runs of one command."""

    def __init__(self):
        self.cpu, self.wall, self.rss, self.said = 1e9, 1e9, 0.0, ""


def once(command, cost, environment=None, statuses=(0,)):
    """Runs the command once more, and updates its cost."""
    r = subprocess.run([TOOLS["once"], *command], stdout=subprocess.PIPE, text=True, check=True,
                       env={**os.environ, "ETCORE_PLUGIN_PATH": "", **(environment or {})})
    status, cpu, wall, rss = r.stdout.split()
    if int(status) >> 8 not in statuses or int(status) & 0x7F:
        sys.exit(f"bench: status {status}: {' '.join(command)}")
    cost.cpu, cost.wall = min(cost.cpu, float(cpu)), min(cost.wall, float(wall))
    cost.rss = max(cost.rss, float(rss) / 1024)


def alternate(commands, repetitions, statuses=(0,)):
    """Returns the cost of each command. Runs all in turn, `repetitions` times, or only twice if that would take long."""
    costs, start = [Cost() for _ in commands], time.monotonic()
    for k in range(repetitions):
        if k >= 2 and time.monotonic() - start > PATIENCE:
            break
        for command, cost in zip(commands, costs):
            once(command, cost, statuses=statuses)
    return costs


def printed(command):
    """Returns the seconds that a floor program measured and printed itself."""
    return float(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)


def counted(command, folder, statuses=(0,)):
    """Returns [peak bytes from malloc, number of malloc calls]."""
    to = os.path.join(folder, "count.txt")
    environment = {**os.environ, "ETCORE_PLUGIN_PATH": "", "LD_PRELOAD": os.path.abspath(TOOLS["count.so"]), "COUNT_TO": to}
    with open(os.devnull, "w") as null:
        status = subprocess.run(command, stdout=null, env=environment).returncode
    if status not in statuses:
        sys.exit(f"bench: status {status}: {' '.join(command)}")
    with open(to) as f:
        return [int(n) for n in f.read().split()]


def make(folder, name, kind, *arguments):
    """Returns the path of the input with that name; makes the file if it is missing."""
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        template, rest = (arguments[:1], arguments[1:]) if kind == "etrecord" else ((), arguments)
        script = os.path.join(os.path.dirname(__file__), "make_inputs.py")
        partial = path + ".part.etdump" if path.endswith(".etdump") else path + ".part"
        subprocess.run([sys.executable, script, kind, *template, partial, *map(str, rest)], check=True)
        if kind == "values":
            os.replace(partial.replace(".etdump", ".bin"), path.replace(".etdump", ".bin"))
        os.replace(partial, path)
    return path


FORMATS = {"ms": (1e3, "ms"), "s": (1, "s"), "MB": (1, "MB"), "B": (1, "B"), "": (1, "")}


def amount(value, unit):
    scale, name = FORMATS[unit]
    digits = 3 if unit == "s" and value < 10 else 2  # the ratio is computed from the printed figures
    return f"{value * scale:.{digits}f} {name}" if name else f"{value:g}"


class Report:
    """Collects rows, and prints each at once."""

    HEAD = ("#", "what", "etcore", "floor", "result", "goal", "verdict")

    def __init__(self):
        self.rows = []
        self.show(self.HEAD)

    def show(self, r):
        print(f"{r[0]:>2} {r[1]:<62} {r[2]:>12} {r[3]:>12} {r[4]:>9} {r[5]:>11}  {r[6]}", flush=True)

    def add(self, goal, what, ours, floor, result, wanted, verdict):
        row = (str(goal or ""), what, ours, floor, result, wanted, verdict)
        self.rows.append(row)
        self.show(row)

    def most(self, goal, what, ours, floor, limit, unit="ms"):
        """Adds a row: etcore may take at most `limit` times the floor."""
        ratio = ours / floor if floor > 0 else float("inf")
        self.add(goal, what, amount(ours, unit), amount(floor, unit), f"{ratio:.2f} x", f"<= {limit:g} x",
                 "met" if ratio <= limit else "NOT MET")

    def least(self, goal, what, ours, peer, limit, unit="ms"):
        """Adds a row: the peer must take at least `limit` times as long as etcore."""
        ratio = peer / ours
        self.add(goal, what, amount(ours, unit), amount(peer, unit), f"{ratio:,.{0 if ratio >= 100 else 1 if ratio >= 10 else 2}f} x",
                 f">= {limit:,g} x", "met" if ratio >= limit else "NOT MET")

    def below(self, goal, what, ours, limit, unit):
        """Adds a row with an absolute limit."""
        self.add(goal, what, amount(ours, unit), "", "", f"<= {amount(limit, unit)}", "met" if ours <= limit else "NOT MET")

    def skip(self, goal, what, why):
        self.add(goal, what, "", "", "", "", f"skipped: {why}")
