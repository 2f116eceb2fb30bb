#!/usr/bin/env python3
"""browser.py ETCORE SHOTS -- tests pages of `etcore report` in chromium, driven by playwright (its Python package includes
node; axe-playwright-python includes axe-core).

At 360 and 1,440 pixels, light and dark, folded and unfolded: axe-core finds nothing; there is no error, warning, dialog or
request; nothing is wider than the screen; every button is clicked, every column sorted, every choice selected. Flame graph
and timeline work with keys and mouse and announce the selection. On an A4 sheet everything is light and within the sheet.
No unprintable character is on the page and no name becomes an element (for each of the texts of tests/faults/names.py).
Screenshots go to SHOTS. Status 77: chromium is missing.
"""

import os
import shutil
import subprocess
import sys
import tempfile

import axe_playwright_python
import playwright

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "faults"), os.path.join(ROOT, "tests")]
os.chdir(ROOT)
import names
from share import share, some

PAGES = {
    "delegated": ["tests/data/cases/mlp_xnnpack/run.etdump"],
    "fallbacks": ["tests/data/cases/several_delegates/run.etdump"],
    "methods": ["tests/data/cases/multi_method/run.etdump"],
    "clocks": ["tests/data/backends/cases/vulkan_two_parts/run.etdump"],
    "loads": ["tests/data/cases/no_runs/run.etdump"],
    "detached": ["tests/data/backends/cases/qnn_htp_detailed/run.etdump"],
    "cycles": ["tests/data/logs/runner.log"],
    "roofline": ["tests/data/cases/conv_net_xnnpack/run.etdump", "-m", "tests/data/pte/conv_net_xnnpack.pte", "--peak",
                 "gflops_fp32=150,gflops_int8=400,gbps=20,gbps_cache=100,cache_bytes=1M"],
    "one-run": ["tests/data/cases/bundled_program/run.etdump"],
    "three": [word for cpu in ("a53", "n1", "sme2") for word in ("--", f"tests/data/arm/attn_i8d/{cpu}/run.etdump")][1:],
    "cycles-changes": ["--source-time-scale", "cycles", "tests/data/cases/mlp_portable/run.etdump", "--", "tests/data/cases/mlp_xnnpack/run.etdump"],
    "changes": ["tests/data/arm/attn_i8d/a53/run.etdump", "--", "tests/data/arm/attn_i8d/n1/run.etdump"],
}


def main():
    etcore, shots = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    driver = os.path.join(os.path.dirname(playwright.__file__), "driver")
    chromium = next((p for p in map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")) if p), None)
    if not chromium:
        print("skipped: chromium is not installed")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        pages = []
        for name, operands in PAGES.items():
            pages.append(os.path.join(folder, name + ".html"))
            subprocess.run([etcore, "report", *operands, "-o", pages[-1]], check=True, stderr=subprocess.DEVNULL)
        for name, words in {"nameless": ["--kernel", ""], "long": ["--kernel", "x" * 10000], "many": ["--events", "900"]}.items():
            path = os.path.join(folder, name + ".etdump")
            subprocess.run([sys.executable, "tests/tools/make_dump.py", "--noise", "6:90000000:1000", "--events", "2", *words, path], check=True)
            pages.append(path.replace(".etdump", ".html"))
            subprocess.run([etcore, "report", path, "-o", pages[-1]], check=True, stderr=subprocess.DEVNULL)
        path = os.path.join(folder, "unknown.etdump")
        run = "0 5000000 5001500 [gpu]\n0 {1}80 {1}70 [back]\n0 {1}00 {1}90 DELEGATE_CALL\n- {0}99 {2}00 Method::execute\n"
        spec = "\n".join(run.format(n - 1, n, n + 1) for n in (10, 20, 30))
        subprocess.run([sys.executable, "tests/tools/make_calls.py", path], input=spec, text=True, check=True)
        pages.append(path.replace(".etdump", ".html"))
        subprocess.run([etcore, "report", path, "-o", pages[-1]], check=True, stderr=subprocess.DEVNULL)
        path = os.path.join(folder, "cut.etdump")
        with open(PAGES["delegated"][0], "rb") as whole, open(path, "wb") as cut:
            cut.write(whole.read(3000))
        pages.append(path.replace(".etdump", ".html"))
        # status 5: some runs are lost, as intended
        subprocess.run([etcore, "report", path, "--salvage", "-o", pages[-1]], stderr=subprocess.DEVNULL)
        for kind in ("etdump", "portable"):
            with open(names.FILES[kind], "rb") as f:
                data = f.read()
            for turn in share(range(0, len(names.TOKENS), 7)):
                path = os.path.join(folder, f"{kind}{turn}.etdump")
                with open(path, "wb") as f:
                    f.write(names.hostile(data, turn)[0])
                pages.append(path.replace(".etdump", ".html"))
                subprocess.run([etcore, "report", path, "-o", pages[-1]], check=True, stderr=subprocess.DEVNULL)
        path = os.path.join(folder, "<img src=x onerror=alert(1)>.etdump")
        shutil.copy(PAGES["delegated"][0], path)
        pages.append(os.path.join(folder, "markup.html"))
        subprocess.run([etcore, "report", path, "-o", pages[-1]], check=True, stderr=subprocess.DEVNULL)
        pages[-1] += "\t<img src=x onerror=alert(1)>"
        pages = some(pages, 2, len(pages) - 1)  # always with the last one
        return subprocess.run([os.path.join(driver, "node"), "tests/report/browser.mjs", *pages],
                              env={**os.environ, "PLAYWRIGHT": os.path.join(driver, "package"), "CHROMIUM": chromium, "SHOTS": shots,
                                   "AXE": os.path.join(os.path.dirname(axe_playwright_python.__file__), "axe.min.js")}).returncode


if __name__ == "__main__":
    sys.exit(main())
