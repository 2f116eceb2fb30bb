"""isolate.py --etcore PROGRAM --folder BUILD [--sanitized] [--every N]

Isolated plugins must give the same answers as plugins in process, byte for byte, and a
failure of a plugin must affect only the plugin's own answers.
"""
import argparse
import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path[:0] = ["tests/pipeline", "tests"]
from kit_runs import load, unpack
from share import SHARE, share, some

CASE = "tests/data/cases/mlp_xnnpack/run.etdump"
CONV = "tests/data/cases/conv_net_xnnpack/run.etdump"
SLOWER = "tests/data/arm/attn_i8d"
MULTI = "tests/data/cases/multi_method/run.etdump"
META = "tests/data/backends/cases/metadata_columns/run.etdump"

# (failure, hook in which it happens, event, text of the note)
FIRST = "event 'Fully Connected (NC, F32) GEMM #1' of instruction 0"
LAST = "Fully Connected (NC, F32) GEMM #2"
TROUBLE = [
    ("crash", "describe_time", "", "in describe_time of XnnpackBackend: SIGSEGV"),
    ("crash", "name_event", "", f"in name_event of XnnpackBackend, {FIRST}: SIGSEGV"),
    ("crash", "classify", LAST, f"in classify of XnnpackBackend, event '{LAST}' of instruction 0: SIGSEGV"),
    ("crash", "map_event", LAST, f"in map_event of XnnpackBackend, event '{LAST}' of instruction 0: SIGSEGV"),
    ("crash", "open", "", "in open: SIGSEGV"),
    ("abort", "name_event", LAST, f"'{LAST}' of instruction 0: SIGABRT"),
    ("stack", "classify", "", f"in classify of XnnpackBackend, {FIRST}: SIGSEGV"),
    ("exit", "name_event", "", f"{FIRST}: it ended the program with status 7"),
    ("hang", "classify", LAST, f"event '{LAST}' of instruction 0: no answer within LIMIT s"),
    ("memory", "name_event", "", f"{FIRST}: SIGABRT"),
    ("write", "name_event", "", f"{FIRST}: its answer makes no sense"),
    ("close", "name_event", "", f"{FIRST}: it broke the line to its host"),
    # The plugin fails at its 7th hook call, in a batch. etcore then requests the hooks one by one, and must find the
    # same call.
    ("at 7", "classify", "", "in classify of XnnpackBackend, event 'Fully Connected (NC, F32) GEMM #3' of instruction 0: SIGFPE"),
]
HARMLESS = [("crash", "close", ""), ("wait", "close", ""), ("thread", "name_event", ""), ("environment", "open", ""),
            ("descriptor", "name_event", ""), ("live", "name_event", "")]
# {failure: what the plugin requested, as the note names it}: system resources that a plugin may not request in a hook or
# while it is loaded.
FILE, SOCKET, PROCESS, PROGRAM = ("a file, which", "a socket, which", "another process, which", "another program, which")
FORBIDDEN = {"fork": PROCESS, "fork and crash": PROCESS, "fork quietly": PROCESS, "twice": PROCESS, "socket": SOCKET, "exec": PROGRAM, "trace": "what",
             "truncate": FILE, "make a file": FILE, "make a folder": FILE, "make a link": FILE, "append": FILE, "rename": FILE,
             "remove": FILE, "chmod": FILE, "kill parent": "what", "deaf": "what", "blocked": "what"}
# While a plugin is loaded it may read its folder and libraries; later it may not.
LATER = {"read": FILE}
NO_MORE = "it asked for {} an isolated plugin may not have"
# Time limits in seconds for a plugin that hangs, tried in this order: on a busy machine the questions before the failure
# may need more.
LIMITS = (1, 3, 9, 27, 81)
# The time limit of all other plugins is longer than this test waits for an answer.
PATIENCE = "1000"
REFUSED = [("the rest", "name_event", "")]
# Requests that succeed if the kernel forbids nothing, as in a build with sanitizers.
RELAXED = [("fork", "name_event", ""), ("twice", "classify", LAST)]


class Tester:
    def __init__(self, args, scratch):
        self.etcore, self.bad, self.count, self.remarks = os.path.abspath(args.etcore), [], 0, 0
        # A copy, because other tests use the plugin too.
        self.plugin = os.path.join(scratch, "trouble.so")
        shutil.copy(os.path.join(args.folder, "tests/plugins/isolate/trouble.so"), self.plugin)
        self.oracle = os.path.join(args.folder, "tests/plugins/oracle")
        self.host = os.path.join(args.folder, "tests/plugins/host")
        self.sanitized, self.emulated = args.sanitized, args.emulated
        self.without = os.path.join(args.folder, "tests/plugins/isolate/without")
        self.env = {**os.environ, "ETCORE_MAX_HOOK_SECONDS": PATIENCE, "ETCORE_TEST_SECRET": "secret", "LC_ETCORE_TEST": scratch}
        os.dup2(0, 9, inheritable=True)
        # On a kernel without the necessary support, etcore says so in a note.
        _, said = self.run("analyze", CASE, "-v", *self.set("", "", ""))
        self.relaxed = self.sanitized or "N0642" in said

    def expect(self, condition, what):
        self.count += 1
        if not condition:
            self.bad.append(what)

    @staticmethod
    def patient(words):
        """Adds the time limit as an option for the Inspector, which does not read it from the environment."""
        return [*words, *(["--set", f"limits.max_hook_seconds={PATIENCE}"] if words[0] == "inspector" else [])]

    def run(self, *words, status=0):
        words = self.patient(words)
        done = subprocess.run([self.etcore, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600,
                              stdin=subprocess.DEVNULL, env=self.env, close_fds=False)
        self.expect(done.returncode == status, f"{words}: status {done.returncode}: {done.stderr.decode()[:600]}")
        return done.stdout, done.stderr.decode()

    def same(self, *words, status=0):
        """Runs a command with its plugins in process and isolated; the answers must be equal."""
        words = self.patient(words)
        here, there = (subprocess.run([self.etcore, *words, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                      timeout=600, stdin=subprocess.DEVNULL, env=self.env) for more in (["--no-isolate"], ["--isolate"]))
        said = b"N0642" in there.stdout and self.relaxed
        self.remarks += said
        # the commands that it suggests have the option, too
        self.expect(here.stdout.replace(b" --no-isolate", b"") == there.stdout.replace(b" --isolate", b"") or said, f"{words}: another answer with --isolate")
        self.expect(here.stderr == there.stderr, f"{words}: other diagnostics with --isolate:\n{there.stderr.decode()}")
        self.expect(here.returncode == there.returncode, f"{words}: status {there.returncode} with --isolate")

    def set(self, how, where, event, *more):
        words = ["--isolate", "--set", f"plugin.trouble.library={self.plugin}", "--set", "etcore.plugins=trouble",
                 "--set", f"plugin.trouble.how={how}", "--set", f"plugin.trouble.where={where}", *more]
        return words + (["--set", f"plugin.trouble.event={event}"] if event else [])

    def leftovers(self):
        """Returns the ids of processes that still run the plugin."""
        out = []
        for path in glob.glob("/proc/[0-9]*/cmdline"):
            try:
                with open(path, "rb") as f:
                    words = f.read().split(b"\0")
            except OSError:
                continue
            if b"plugin-host" in words and self.plugin.encode() in words:
                out.append(int(path.split("/")[2]))
        return out

    def spent(self):
        """Returns the processor time of these processes in seconds; 0 if there are none."""
        ticks = 0
        for pid in self.leftovers():
            try:
                with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as f:
                    words = f.read().rpartition(")")[2].split()
            except OSError:
                continue
            ticks += int(words[11]) + int(words[12])
        return ticks / os.sysconf("SC_CLK_TCK")


def answers(t, every):
    """For all dumps, the output must be the same byte for byte in process and isolated."""
    dumps = sorted(glob.glob("tests/data/cases/*/*.etdump") + glob.glob("tests/data/backends/cases/*/*.etdump") +
                   glob.glob("tests/data/arm/*/*/*.etdump"))
    for dump in dumps[::every]:
        t.same("analyze", dump, "-o", "json")
        t.same("analyze", dump, "--events")
        t.same("analyze", dump, "--by", "module")
        for plugin in ("xnnpack", "coreml", "qnn"):
            if plugin == "xnnpack" or "backends" in dump:
                t.same("inspector", "--etdump_path", dump, "--plugin", plugin, "-o", "json",
                       "--include-delegate-debug-data", "yes")
    for plugin in sorted(glob.glob(os.path.join(t.oracle, "*.so")))[::every]:
        for dump in (META, CASE, "tests/data/backends/cases/coreml_basic/run.etdump"):
            t.same("inspector", "--etdump_path", dump, "--plugin", plugin, "-o", "json",
                   "--include-delegate-debug-data", "yes")
            t.same("analyze", dump, "--plugin", plugin, "--events", "-o", "json")
    for plugin in ("good", "adds", "throws", "fails"):
        path = os.path.join(t.host, plugin + ".so")
        for backend in ("XnnpackBackend", "DemoBackend"):
            own = ["--set", f"backend.{backend}.owner={plugin}", "--plugin", path]
            t.same("analyze", CASE, *own)
            t.same("analyze", META, *own, "--events")
        t.same("inspector", "--etdump_path", META, "--plugin", path, "--include-delegate-debug-data", "yes")
        t.same("plugins", "info", path)
    hears = ["--plugin", os.path.join(t.host, "hears", "hears.so"), "-o", "csv"]
    for case in ("coreml_basic", "neutron_int", "vgf_statistics", "vulkan_two_parts"):
        t.same("analyze", f"tests/data/backends/cases/{case}/run.etdump", *hears)
    t.same("analyze", "tests/data/plugins/dsp_packed.etdump", "-c", "conf/examples/dsp.ini", *hears)
    t.same("plugins")


def troubles(t):
    plain, _ = t.run("analyze", CASE, "--no-plugins", "-o", "csv", "--by", "module")
    forbidden = [(how, "name_event", LAST, f"'{LAST}' of instruction 0: {NO_MORE.format(what)}")
                 for how, what in {**FORBIDDEN, **LATER}.items()]
    all_of_them = TROUBLE + ([] if t.relaxed else forbidden)
    strictly = share(some(all_of_them, 2))
    for one in some(all_of_them, 2):
        how, where, event, says = one
        if (t.sanitized and how in ("memory", "stack", "hang")) or (t.emulated and how == "memory"):
            continue
        words = ["analyze", CASE, "-o", "csv", "--by", "module", *t.set(how, where, event)]
        if how == "memory":
            words += ["--set", "limits.max_hook_memory=256M"]
        for limit in LIMITS if how == "hang" else LIMITS[:1]:
            now = says.replace("LIMIT", str(limit))
            out, said = t.run(*words, *(["--set", f"limits.max_hook_seconds={limit}"] if how == "hang" else []))
            if now in said:
                break
        t.expect(out == plain, f"{how} in {where}: not the generic view:\n{out.decode()}")
        t.expect(said.count("W0640") == 2 and now in said, f"{how} in {where}: says {said}")
        if how != "hang" and one in strictly:
            _, said = t.run(*words, "--strict", status=9)
            t.expect("W0640" in said, f"{how} in {where} --strict: says {said}")
    good, _ = t.run("analyze", CASE, "-o", "csv", *t.set("", "", ""))
    t.expect(b"renamed" in good, "the plugin does nothing when it should")
    for how, where, event in HARMLESS + (RELAXED if t.relaxed else REFUSED):
        out, said = t.run("analyze", CASE, "-o", "csv", *t.set(how, where, event))
        t.expect(out == good and not said, f"{how} in {where}: {said}")
    # No event may be explained by a quarantined plugin, however late the plugin fails.
    for dump in (MULTI, CASE):
        plain, _ = t.run("analyze", dump, "--no-plugins", "-o", "csv")
        failures = 0
        for at in range(4, 64, 4 if t.sanitized else min(SHARE, 4)):
            out, said = t.run("analyze", dump, "-o", "csv", *t.set(f"at {at}", "classify", ""))
            failures += "W0640" in said
            t.expect(said.count("W0640") in (0, 2), f"{dump}: said so twice: {said}")
            t.expect(out == plain or "W0640" not in said, f"{dump} at {at}: two views")
        t.expect(failures > 2, f"{dump}: fails only {failures} times")
    t.expect(not t.leftovers(), f"left behind: {t.leftovers()}")


def early(t, how):
    """Runs analyze with a plugin whose constructor does `how`; returns the output and the diagnostics."""
    t.env["LC_ETCORE_EARLY"] = how
    out, said = t.run("analyze", CASE, "-o", "csv", *t.set("", "", ""))
    del t.env["LC_ETCORE_EARLY"]
    return out, said


def walls(t):
    """An isolated plugin must not be able to read, create, write or delete files. Without the kernel's support a note must
    say so (N0642)."""
    if t.relaxed:
        _, said = t.run("analyze", CASE, "-v", *t.set("", "", ""))
        t.expect(said.count("note[N0642]") == 1, f"nothing holds it, in silence: {said}")
        print("not seen: what an isolated plugin may not do: with a sanitizer, or where N0642 is said, it may")
        return
    folder = os.path.dirname(t.plugin)
    there = os.path.join(folder, "there")
    plain, _ = t.run("analyze", CASE, "-o", "csv", "--no-plugins")
    good, _ = t.run("analyze", CASE, "-o", "csv", *t.set("", "", ""))
    before = os.stat(there)
    t.expect(good != plain, "the plugin does nothing when it should")
    out, said = early(t, "look around")
    t.expect(out == good and not said, f"look around in a constructor: {said}")
    with tempfile.TemporaryDirectory() as libraries:
        shutil.copy(there, libraries)
        before_that = t.env
        for more, works in ({"LD_LIBRARY_PATH": libraries}, True), ({"LD_LIBRARY_PATH": "/usr/lib", "LANG": libraries}, False):
            t.env = {**before_that, **more}
            out, said = early(t, "look there")
            t.expect((out == good and not said) == works, f"look there, {more}: {said}")
        t.env = before_that
    out, said = early(t, "reach out")
    t.expect(out == good and not said, f"reach out in a constructor: {said}")
    for how, what in FORBIDDEN.items():
        out, said = early(t, how)
        t.expect(f"plugin 'trouble' in its constructors or descriptor: {NO_MORE.format(what)}" in said, f"early {how}: {said}")
        t.expect(out != good, f"early {how}: it was used")
    now = os.stat(there)
    with open(there, encoding="ascii") as f:
        t.expect(f.read() == "as it was" and not os.path.lexists(os.path.join(folder, "made")), "it wrote to files")
    t.expect((now.st_mode, now.st_ino) == (before.st_mode, before.st_ino), "it changed a file")
    without = [t.without, t.etcore, "analyze", CASE, "-v", *t.set("", "", "")]
    done = subprocess.run(without, capture_output=True, env=t.env, timeout=600, check=False)
    said = done.stderr.decode()
    t.expect(done.returncode == 0 and "note[N0642]" in said and "no filter of system calls" in said and "no Landlock" in said, said)
    # If the kernel allows a plugin to start processes, starting one is no failure, so libc must not report one.
    for how, where, event in RELAXED:
        done = subprocess.run([t.without, t.etcore, "analyze", CASE, "-o", "csv", *t.set(how, where, event)], capture_output=True, env=t.env,
                              timeout=600, check=False)
        t.expect(done.returncode == 0 and done.stdout == good and not done.stderr, f"{how} in {where} without a filter: {done.stderr.decode()}")
    # Without the kernel's support the plugin can leave its process group; it must be stopped nevertheless.
    env = {**t.env, "LC_ETCORE_EARLY": "leave the group", "ETCORE_MAX_HOOK_SECONDS": "1"}
    done = subprocess.run(without, capture_output=True, env=env, timeout=600, check=False)
    said = done.stderr.decode()
    t.expect(done.returncode == 0 and "in its constructors or descriptor: no answer within 10 s" in said, said)


def gates(t):
    """In commands whose exit status matters to other programs, a plugin that was not installed with etcore is isolated and
    cannot set the status."""
    ends = [w for w in t.set("exit 0", "classify", "") if w != "--isolate"]
    check = ["check", f"{SLOWER}/sme2/run.etdump", "--baseline", f"{SLOWER}/nosme/run.etdump", "-o", "json"]
    plain, _ = t.run(*check, "--no-plugins", status=1)
    _, said = t.run(*check, status=1)
    t.expect("W0640" not in said, f"installed plugins: {said}")
    # `check` must isolate the test's plugin whatever the settings are, even if it ends the process in its constructor.
    for more in ([], ["--isolate"], ["--set", "plugin.trouble.isolate=no"], ["--set", "etcore.isolate=no"]):
        out, said = t.run(*check, *ends, *more, status=1)
        t.expect("W0640" in said and "it ended the program with status 0" in said, f"check {more}: {said}")
        t.expect(json.loads(out)["lines"] == json.loads(plain)["lines"], f"check {more}: another verdict")
    t.env["LC_ETCORE_EARLY"] = "exit 0"
    _, said = t.run(*check, *ends, status=1)
    t.expect("in its constructors or descriptor: it ended the program with status 0" in said, f"early: {said}")
    # The same for a plugin given by its path outside of etcore's folder, and for one found in a folder.
    words = ["--set", "backend.XnnpackBackend.owner=trouble"]
    for more in (["--plugin", t.plugin], ["--set", f"etcore.plugin_path={os.path.dirname(t.plugin)}"]):
        _, said = t.run(*check, *words, *more, status=1)
        t.expect("W0640" in said, f"{more}: {said}")
    del t.env["LC_ETCORE_EARLY"]
    # With --no-isolate the plugin runs in process, as requested, and ends etcore with status 0.
    out, said = t.run(*check, *ends, "--no-isolate")
    t.expect(not out and not said, f"--no-isolate: {said}")
    t.run(*check, *ends, "--isolate", "--no-isolate", status=2)
    folder = unpack(load()["ab_cnn_f32/g1"], os.path.join(os.path.dirname(t.plugin), "run"))
    report = os.path.join(folder, "report.md")
    t.run("pipeline", "report", folder, *ends, "--no-isolate")
    t.expect(not os.path.exists(report), "pipeline report --no-isolate: not in this process")
    _, said = t.run("pipeline", "report", folder, *ends)
    t.expect(os.path.exists(report) and "W0640" in said, f"pipeline report: {said}")
    # `analyze` isolates nothing unless an option says so: the plugin ends etcore with status 0.
    out, said = t.run("analyze", CASE, *ends)
    t.expect(not out and not said, f"analyze: {said}")
    out, said = t.run("analyze", CASE, *ends, "--set", "etcore.isolate=yes", "--no-isolate")
    t.expect(not out and not said, f"analyze --no-isolate: {said}")


def lists(t):
    """A constructor that does not return must affect only one line of `plugins`."""
    before, _ = t.run("plugins")
    found = ["--set", f"etcore.plugin_path={os.path.dirname(t.plugin)}"]
    for how, says in (("abort", "SIGABRT"), ("exit 0", "it ended the program with status 0"), ("wait", "no answer within LIMIT s")):
        t.env["LC_ETCORE_EARLY"] = how
        for limit in (10, 30, 90) if how == "wait" else (PATIENCE,):
            out, said = t.run("plugins", *found, "--set", f"limits.max_hook_seconds={limit}")
            if out.count(b"no answer") == (how == "wait"):
                break
        del t.env["LC_ETCORE_EARLY"]
        says = says.replace("LIMIT", str(limit))
        lines = [x for x in out.decode().splitlines() if "trouble" in x]
        t.expect(len(lines) == 1 and "refused" in lines[0] and f"in its constructors or descriptor: {says}" in lines[0],
                 f"plugins, {how}: {out.decode()} {said}")
        # one line more for the plugin, one for its folder
        t.expect(len(out.splitlines()) == len(before.splitlines()) + 2 and not said, f"plugins, {how}: {out.decode()} {said}")
    out, _ = t.run("plugins", *found)
    t.expect(b"trouble   owner" in out, f"plugins: {out.decode()}")
    t.expect(not t.leftovers(), "plugins leaves processes behind")


def other_hooks(t):
    """Failures in probe, parse_metadata and convert_time. These hooks are called if nothing names the backend, or by the
    Inspector."""
    _, said = t.run("analyze", CASE, "--no-siblings", *t.set("crash", "probe", ""))
    t.expect("in probe: SIGSEGV" in said, f"probe: {said}")
    one = ["--isolate", "--plugin", t.plugin, "--set", "plugin.trouble.how=crash"]
    for where, dump in (("convert_time", CASE), ("parse_metadata", META)):
        plain, _ = t.run("inspector", "--etdump_path", dump, "-o", "tsv")
        out, said = t.run("inspector", "--etdump_path", dump, "-o", "tsv", *one, "--set",
                          f"plugin.trouble.where={where}")
        t.expect(f"in {where}" in said and "SIGSEGV" in said, f"{where}: {said}")
        t.expect(out == plain or where == "parse_metadata", f"{where}: not the plain view")
    if not t.sanitized and not t.emulated:
        # The limit may be reached by the process's address space, by copies of its texts, or by the answer.
        for memory in share(("200M", "300M", "400M", "500M", "2G")):
            _, said = t.run("inspector", "--etdump_path", META, *one[:-1], "plugin.trouble.how=endless",
                            "--include-delegate-debug-data", "yes", "--set", f"limits.max_hook_memory={memory}")
            t.expect("W0640" in said and ("it used up its memory" in said or "its answer has no end" in said),
                     f"endless in {memory}: {said}")
    # A plugin that crashes before it has returned its name must not be asked anything.
    early = os.path.join(t.host, "early", "early.so")
    _, said = t.run("analyze", CASE, "--isolate", "--plugin", early)
    t.expect("plugin 'early' in its constructors or descriptor: SIGABRT" in said, f"early: {said}")
    # Isolation can be set in the INI file, for one plugin or for all.
    for key in ("plugin.trouble.isolate=yes", "etcore.isolate=yes"):
        words = [w for w in t.set("crash", "classify", "") if w != "--isolate"]
        _, said = t.run("analyze", CASE, *words, "--set", key)
        t.expect("W0640" in said, f"{key}: {said}")
    words = [w for w in t.set("crash", "classify", "") if w != "--isolate"]
    _, said = t.run("analyze", CASE, *words, "--set", "etcore.isolate=yes", "--set", "plugin.trouble.isolate=no", status=9)
    t.expect("rerun with --isolate" in said, f"here: {said}")
    # A user must not be able to run the hidden command.
    _, said = t.run("plugin-host", t.plugin, "0", status=3)
    t.expect("E0641" in said, f"plugin-host: {said}")
    t.run("plugin-host", t.plugin, status=2)


def orphans(t):
    """A plugin that hangs must not outlive an etcore that was killed."""
    parent = subprocess.Popen([t.etcore, "analyze", CASE, *t.set("hang", "classify", "", "--set",
                                                                   f"limits.max_hook_seconds={PATIENCE}")],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    # The plugin hangs in a busy loop. Wait for its processor time, which other programs do not change.
    while parent.poll() is None and t.spent() < 0.5:
        time.sleep(0.05)
    before = t.spent()
    t.expect(t.leftovers(), "no process for the plugin")
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    while 0 < t.spent() < before + 5:
        time.sleep(0.01)
    t.expect(not t.leftovers(), f"outlived its parent: {t.leftovers()}")
    for pid in t.leftovers():
        os.kill(pid, signal.SIGKILL)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--etcore", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--sanitized", action="store_true")
    parser.add_argument("--emulated", action="store_true", help="under qemu-user")
    parser.add_argument("--every", type=int, default=4, help="of the recorded runs and plugins")
    args = parser.parse_args()
    if args.sanitized or args.emulated:
        args.every *= 8
    if args.emulated:
        print("not seen: limits of memory (qemu-user does not set RLIMIT_AS), system calls that end a plugin (it has no seccomp and "
              "no Landlock)")
    with tempfile.TemporaryDirectory() as scratch:
        with open(os.path.join(scratch, "there"), "w", encoding="ascii") as f:
            f.write("as it was")
        t = Tester(args, scratch)
        troubles(t)
        walls(t)
        gates(t)
        lists(t)
        other_hooks(t)
        orphans(t)
        answers(t, args.every * SHARE)
    for line in t.bad:
        print(line)
    if t.remarks:
        print(f"{t.remarks} answers not compared: they have N0642")
    print(f"{t.count} expectations, {len(t.bad)} wrong")
    return 1 if t.bad else 0


if __name__ == "__main__":
    sys.exit(main())
