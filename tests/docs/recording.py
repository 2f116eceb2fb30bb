#!/usr/bin/env python3
"""recording.py ETCORE -- the Python block of docs/recording.md must write files that belong together and can be analysed.

Runs it with the ExecuTorch of $ETCORE_VENV; without one the test is skipped.
"""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def main():
    etcore, python = os.path.abspath(sys.argv[1]), os.path.join(os.environ.get("ETCORE_VENV", ""), "bin", "python")
    if not os.path.exists(python):
        print("skipped: ETCORE_VENV names no environment with ExecuTorch")
        return 77
    with open(os.path.join(ROOT, "docs", "recording.md"), encoding="utf-8") as f:
        block = re.search(r"^```python\n(.*?)^```$", f.read(), re.M | re.S)[1]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([python, "-c", block], cwd=folder, check=True, capture_output=True)
        files = ["run.etdump", "model.etrecord", "model.pte"]
        doctor = subprocess.run([etcore, "doctor", *files], cwd=folder, check=True, capture_output=True, text=True).stdout
        analysis = subprocess.run([etcore, "run.etdump"], cwd=folder, check=True, capture_output=True, text=True).stdout
    wrong = [f"doctor: no '{wanted}'" for wanted in ("run.etdump and model.etrecord: yes", "run.etdump and model.pte: yes",
                                                    "1 load, 50 executes") if wanted not in doctor]
    if not analysis.startswith("forward, 50 runs, XNNPACK") or "Fully Connected" not in analysis:
        wrong.append("the analysis has not the model's operators: " + analysis[:200])
    print("\n".join(wrong) or "the recorded files belong together, 50 runs")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
