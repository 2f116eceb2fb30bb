#!/usr/bin/env python3
"""first_party.py --etcore PROGRAM -- compares answers through the shipped plugins with the Inspector's recorded answers.

tests/parity/parity.py uses test plugins that imitate the recordings' Python callables. This test uses the plugins that
come with etcore, or only an INI file. Every table must equal the recorded one byte for byte."""
import argparse
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
import recorded  # noqa: E402

CASES = os.path.join(ROOT, "tests", "data", "backends", "cases")
COLUMNS = "[backend.JsonBackend]\nprobe = .\n" + "".join(f"column.{c} = /{c} : json\n" for c in "bacd")
# case: (arguments, lines of an INI file). The recording's Neutron converter divided ticks by 800, hence 800 MHz.
ASKED = {
    "coreml_basic": (["--plugin", "coreml"], ""),
    "coreml_partial": (["--plugin", "coreml"], ""),
    "demo_int_ids": ([], "[backend.DemoIntBackend]\nmetadata = text\n"),
    "ethosu_cycles": (["--plugin", "ethosu"], ""),
    "metadata_columns": ([], COLUMNS),
    "neutron_int": (["--plugin", "nxp"], "[plugin.nxp]\nticks_per_second = 800000000\n"),
    "qnn_htp_detailed": (["--plugin", "qnn"], ""),
    # These two were recorded without a metadata parser, so only the "plain" table is compared.
    "vgf_statistics": (["--plugin", "vgf"], "", "plain"),
    "vulkan_two_parts": (["--plugin", "vulkan"], "", "plain"),
}


def answers(case):
    """Returns the recorded tables of a case, and the arguments of `etcore inspector` that must reproduce them."""
    folder = os.path.join(CASES, case)
    known, answer = (recorded.read_json(os.path.join(folder, f)) for f in ("case.json", "oracle.json"))
    words = ["--etdump_path", os.path.join(folder, "run.etdump"), "--source_time_scale", known["source"],
             "--target_time_scale", known["target"]]
    if known["etrecord"]:
        words += ["--etrecord_path", os.path.join(folder, "model.etrecord")]
    return answer["tables"], words


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--etcore", required=True)
    args = parser.parse_args()
    if sorted(ASKED) != sorted(os.listdir(CASES)):
        sys.exit(f"{CASES} has other cases than this test")
    wrong, done = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for case, (more, rules, *only) in ASKED.items():
            tables, words = answers(case)
            ini = os.path.join(folder, "t.ini")
            with open(ini, "w", encoding="utf-8") as f:
                f.write(rules)
            for kind, want in tables.items():
                if only and kind not in only:
                    continue
                data = ["--include-delegate-debug-data", "yes"] if kind == "delegate" else []
                for how in ([], ["--isolate"]):
                    p = subprocess.run([os.path.abspath(args.etcore), "inspector", *words, *more, "-c", ini, *data, *how],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
                    done += 1
                    if p.returncode or p.stdout.decode().rstrip("\n") != want.rstrip("\n"):
                        wrong.append(f"{case}, {kind} {' '.join(how)}: status {p.returncode}, {p.stderr.decode()[:200]}, "
                                     f"another table than the Inspector's")
    print("\n".join(wrong))
    print(f"{done} tables, {len(wrong)} differ")
    return bool(wrong) or done < 30


if __name__ == "__main__":
    sys.exit(main())
