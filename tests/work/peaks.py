#!/usr/bin/env python3
"""peaks.py ETCORE -- `etcore peaks` must write a valid configuration with numeric peaks that `analyze` accepts; the peaks
of docs/work.md must link to documents of the vendor."""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def run(*command):
    p = subprocess.run(command, capture_output=True, text=True, check=False,
                       env={"PATH": "/usr/bin:/bin", "HOME": "/nowhere"})
    return p.returncode, p.stdout + p.stderr


def published():
    """Returns the rows of the table whose source is not a page of the vendor."""
    with open(os.path.join(ROOT, "docs", "work.md"), encoding="utf-8") as f:
        rows = re.findall(r"(?m)^\| ([^|]+) \| `(gflops|gbps)[^|]*\| ([^|]+) \|$", f.read())
    bad = [f"{device}: {source}" for device, _, source in rows
           if not re.search(r"\(https://(?:\w+\.)*" + re.sub(r"\W", "", device.lower())[:5], source)]
    return bad if rows else ["no table of published peaks in docs/work.md"]


def main():
    etcore, bad = os.path.abspath(sys.argv[1]), published()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "peaks.ini")
        for threads in ("1", "2"):
            status, text = run(etcore, "peaks", "--threads", threads, "--seconds", "1", "-o", path)
            bad += [f"status {status}: {text}"] if status or text else []
            with open(path, encoding="utf-8") as f:
                written = f.read()
            keys = dict(re.findall(r"(?m)^(\w+) = (\S+)$", written))
            if keys.get("threads") != threads or not all(float(keys.get(k, 0)) > 0 for k in ("gflops_fp32", "gbps")):
                bad.append(f"{threads} threads: {keys}")
            if (";threads = 1" in written) != (threads != "1"):
                bad.append(f"{threads} threads: those of one thread\n{written}")
            status, text = run(etcore, "config", "-c", path)
            bad += [f"config: status {status}: {text}"] if status else []
            status, text = run(etcore, "analyze", os.path.join(ROOT, "tests/data/cases/mlp_xnnpack/run.etdump"), "-c", path,
                               "--roofline")
            if status or f"fp32 {float(keys['gflops_fp32']):.3g} GFLOP/s" not in text:
                bad.append(f"analyze: status {status}: {text}")
        for wrong in (["--threads", "0"], ["--seconds", "0"], ["--threads", "x"], ["--seconds", "-1"], ["file"], ["-o", "csv"]):
            status, text = run(etcore, "peaks", *wrong)
            bad += [f"{wrong}: status {status}: {text}"] if status != 2 or "error[E05" not in text else []
    for text in bad:
        print("FAIL", text)
    print("peaks of 1 and 2 threads" if not bad else f"{len(bad)} wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
