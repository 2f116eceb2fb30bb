"""recording -- the Python block of docs/recording.md must write files that belong together and can be analysed. Run by
tests/live.py, with ExecuTorch.
"""
import os
import re
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def live(etcore):
    with open(os.path.join(ROOT, "docs", "recording.md"), encoding="utf-8") as f:
        block = re.search(r"^```python\n(.*?)^```$", f.read(), re.M | re.S)[1]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        exec(compile(block, "docs/recording.md", "exec"), {"__name__": "__main__"})  # noqa: S102 -- our own page
        os.chdir(ROOT)
        files = ["run.etdump", "model.etrecord", "model.pte"]
        doctor = subprocess.run([etcore, "doctor", *files], cwd=folder, check=True, capture_output=True, text=True).stdout
        analysis = subprocess.run([etcore, "run.etdump"], cwd=folder, check=True, capture_output=True, text=True).stdout
    wrong = [f"doctor: no '{wanted}'" for wanted in ("run.etdump and model.etrecord: yes", "run.etdump and model.pte: yes",
                                                    "1 load, 50 executes") if wanted not in doctor]
    if not analysis.startswith("forward, 50 runs, XNNPACK") or "Fully Connected" not in analysis:
        wrong.append("the analysis has not the model's operators: " + analysis[:200])
    print("\n".join(wrong) or "the recorded files belong together, 50 runs")
    return bool(wrong)
