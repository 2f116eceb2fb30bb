#!/usr/bin/env python3
"""Every matrix kernel must be matched with its counterpart on another processor.

    tests/compare/arm.py ETCORE

Each net of tests/data/arm ran on several processors with and without KleidiAI, where its operators have
different names. In a comparison by event, in both directions, no matrix kernel may appear or disappear.
"""

import glob
import json
import os
import subprocess
import sys

MATRIX = ("gemm", "convolution")


def compare(etcore, a, b, *options):
    out = subprocess.run([etcore, "diff", a, "--", b, "--by", "event", "--rounds", "0", "-o", "json", *options],
                         capture_output=True, text=True)
    if out.returncode != 0:
        sys.exit(f"{a} -- {b}: status {out.returncode}: {out.stderr}")
    return json.loads(out.stdout)["rows"]


def main():
    etcore = sys.argv[1]
    failures = pairs = kernels = 0
    for net in sorted(glob.glob("tests/data/arm/*/")):
        dumps = sorted(glob.glob(net + "*/run.etdump"))
        for a in dumps:
            for b in dumps:
                if a == b or "sme2" not in (a.split(os.sep)[-2], b.split(os.sep)[-2]):
                    continue
                pairs += 1
                for row in compare(etcore, a, b):
                    if row["category"] not in MATRIX:
                        continue
                    kernels += 1
                    if row["match"] is None:
                        failures += 1
                        print(f"{a} -- {b}: {row['change']}: {row['base_name']} / {row['name']}")
    print(f"{kernels} matrix kernels in {pairs} comparisons, {failures} without a partner")
    return 1 if failures or kernels < 500 else 0


if __name__ == "__main__":
    sys.exit(main())
