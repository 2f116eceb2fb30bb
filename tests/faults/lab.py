"""lab.py -- runs etcore with injected system faults, and counts wrong results.

fault.c injects the faults, as an LD_PRELOAD library or linked into the program (its name then ends in _faulty), which
also works under AddressSanitizer.
"""

import concurrent.futures
import os
import signal
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CASES = os.path.join(ROOT, "tests", "data", "cases")
PTE = os.path.join(ROOT, "tests", "data", "pte")
LONGEST = 60  # time limit of one command in seconds
KEEP = ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS")
BAD = (b"terminate called", b"AddressSanitizer", b"LeakSanitizer", b"runtime error:", b"stack smashing", b"corrupted")


class Result:
    def __init__(self, status, out, err, fired):
        self.status, self.out, self.err, self.fired = status, out, err, fired

    @property
    def code(self):
        """The code of the last error on standard error, such as "E0904"; "" if there is none."""
        at = self.err.rfind(b"error[")
        return self.err[at + 6:at + 11].decode("ascii", "replace") if at >= 0 else ""

    @property
    def warned(self):
        return {part[:5].decode("ascii", "replace") for part in self.err.split(b"warning[")[1:]}

    @property
    def crashed(self):
        """Describes how the command crashed or timed out; "" if it did not."""
        if self.status < 0:
            return "no end in time" if self.status == -1000 else f"signal {signal.Signals(-self.status).name}"
        return next((bad.decode() for bad in BAD if bad in self.err), "")


class Lab:
    def __init__(self, etcore, library=None):
        self.etcore, self.library = os.path.abspath(etcore), None
        self.faulty = bool(library) or etcore.endswith("_faulty")
        self.scratch = tempfile.mkdtemp(prefix="etcore-faults-")
        self.home, self.bin = (os.path.join(self.scratch, name) for name in ("home", "bin"))
        os.mkdir(self.home)
        os.mkdir(self.bin)
        if library:  # LD_PRELOAD separates paths at spaces, so the library gets a path without any
            self.library = os.path.join(self.scratch, "fault.so")
            os.symlink(os.path.abspath(library), self.library)
        self.wrong, self.tried, self.faults = [], 0, 0

    def run(self, args, fault="", env=None, cwd=ROOT, stdin=None, stdout=subprocess.PIPE, program=None, **more):
        """Runs one command, with a fault in the syntax of fault.c."""
        handle, count = tempfile.mkstemp(dir=self.scratch)
        os.close(handle)
        all_env = {k: os.environ[k] for k in KEEP if k in os.environ}
        all_env.update({"PATH": self.bin + ":/usr/local/bin:/usr/bin:/bin", "HOME": self.home, **(env or {})})
        if fault:
            all_env.update(ETCORE_FAULT=fault, ETCORE_FAULT_COUNT=count)
            if self.library:
                all_env["LD_PRELOAD"] = self.library
        given = stdin if isinstance(stdin, bytes) else None
        p = subprocess.Popen([program or self.etcore, *args], cwd=cwd, env=all_env, stdout=stdout, stderr=subprocess.PIPE,
                             stdin=subprocess.PIPE if given is not None else stdin or subprocess.DEVNULL,
                             start_new_session=True, **more)
        try:
            out, err = p.communicate(given, timeout=LONGEST)
            status, out, err = p.returncode, out or b"", err or b""
        except subprocess.TimeoutExpired:
            os.killpg(p.pid, signal.SIGKILL)
            p.communicate()
            status, out, err = -1000, b"", b""
        fired = {}
        with open(count, encoding="ascii") as f:
            for line in f:
                name, seen, hit = line.split()
                fired[name] = (fired.get(name, (0, 0))[0] + int(seen), fired.get(name, (0, 0))[1] + int(hit))
        os.unlink(count)
        self.tried += 1
        self.faults += sum(hit for _, hit in fired.values())
        return Result(status, out, err, fired)

    def farm(self):
        """Returns the first arguments of `etcore farm`; a program `duckdb` in PATH answers with one row."""
        tables, engine = os.path.join(self.scratch, "tables"), os.path.join(self.bin, "duckdb")
        os.makedirs(os.path.join(tables, "runs"), exist_ok=True)
        with open(engine, "w", encoding="ascii") as f:
            f.write("#!/bin/sh\necho '[" + '{"name":"add","backend":"XNNPACK","category":"gemm","dumps":3,"self_ns":5000000,"share":0.25}' + "]'\n")
        os.chmod(engine, 0o755)
        return ["farm", "top", tables]

    def run_bound(self, args):
        """Runs etcore so that file modes apply to it even as root: root drops the capabilities that override file modes,
        but keeps its user id, because folders like /root may be closed to others. Returns None if setpriv cannot do that."""
        if os.getuid() != 0:
            return self.run(args)
        give_up = "-dac_override,-dac_read_search"
        as_owner = ["--inh-caps", give_up, "--bounding-set", give_up]
        probe = subprocess.run(["setpriv", *as_owner, "true"], stderr=subprocess.DEVNULL, check=False)
        return None if probe.returncode else self.run([*as_owner, self.etcore, *args], program="setpriv")

    def expect(self, what, r, ok, why=""):
        """Records a run as wrong if `ok` is false or it crashed; returns whether it was right."""
        if r.crashed:
            why, ok = r.crashed, False
        if not ok:
            said = r.err.decode("utf-8", "replace").strip()[:300].replace("\n", " | ")
            self.wrong.append(f"{what}: status {r.status} {why}: {said or r.out[:100]}")
        return ok

    def each(self, work, items):
        """Calls work(item) for all items in a few threads; returns the results."""
        with concurrent.futures.ThreadPoolExecutor(max(2, (os.cpu_count() or 2))) as pool:
            return list(pool.map(work, items))

    def end(self, what):
        """Prints the numbers of runs, faults and wrong results; returns the exit status."""
        subprocess.run(["rm", "-rf", self.scratch], check=True)
        if self.faulty and not self.faults:
            self.wrong.append("no fault was injected at all")
        print("\n".join(self.wrong[:40]))
        print(f"{what}: {self.tried} runs, {self.faults} faults, {len(self.wrong)} wrong")
        return 1 if self.wrong or not self.tried else 0
