#!/usr/bin/env python3
"""loads.py --etcore PROGRAM --host PROGRAM [--folder BUILD] [--sample RUN.etdump] [LIB...] -- loads plugins of ABI 1.1 in a
host of ABI 1.0.

host.c is that host, built with the header of 1.0 and without code of etcore. It loads every LIB (with --folder also all
plugins of etcore, the C and C++ templates, and test plugins that keep or break their contract where 1.0 and 1.1 differ) and
runs them on recorded events. Each must load and answer, or refuse to open and declare in abi_least that it needs 1.1.
`plugins check LIB older --sample RUN` must report the same as this host."""
import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), *[os.pardir] * 2))
from share import share  # noqa: E402

FLAGS = {"delegate": 1, "call": 2}
# {plugin of etcore: folder with a dump of its backend, on which the plugin must answer}
OWN = {"xnnpack": "tests/data/cases/mlp_xnnpack", "kleidiai": "tests/data/cases/linear_int4_groupwise",
       "coreml": "tests/data/backends/cases/coreml_basic", "ethosu": "tests/data/backends/cases/ethosu_cycles",
       "nxp": "tests/data/backends/cases/neutron_int", "qnn": "tests/data/backends/cases/qnn_htp_detailed",
       "vgf": "tests/data/backends/cases/vgf_statistics", "vulkan": "tests/data/backends/cases/vulkan_two_parts"}
COLUMNS = "tests/data/backends/cases/metadata_columns"
# Events for host/timed, which uses a constant that ABI 1.0 lacks, and host/good, which uses it only if the host has the
# fields for it.
PARALLEL = """0 500 80500 [engine unit=ns dur=parallel]
0 500 60500 [in parallel]
0 10000 110000 DELEGATE_CALL
- 0 200000 Method::execute
"""
# A plugin that no host can use fails these checks; `older` reports only other problems.
TODAY = ["ordinary", "exceptions", "columns", "answers"]
# {test plugin: folder of the run on which it is tested}
TESTS = {"host/good": COLUMNS, "host/adds": COLUMNS, "host/hears/hears": COLUMNS, "host/rolls/rolls": COLUMNS,
         "host/timed/timed": COLUMNS, "host/annotators/fastmat": COLUMNS, "host/annotators/untitled": COLUMNS,
         "host/annotators/unit": COLUMNS, "host/owners/sure": COLUMNS, "host/owners/mute": COLUMNS,
         "host/settings/tables": COLUMNS, "host/settings/tables_1_1": COLUMNS, "host/settings/lives_without": COLUMNS,
         "host/settings/lets_in": COLUMNS,
         "host/larger": COLUMNS, "host/smaller": COLUMNS, "host/bad_column": COLUMNS,
         "host/wrong_abi": COLUMNS, "check/nothing": COLUMNS, "check/parallel": COLUMNS, "check/readings": COLUMNS,
         "check/unique": COLUMNS, "check/undeclared": COLUMNS, "check/type": COLUMNS, "check/answers": COLUMNS,
         "check/result_of_hook": COLUMNS, "check/crash": COLUMNS, "abi1_frozen/frozen": COLUMNS,
         "abi1_frozen/frozen_notes": COLUMNS}


def hexed(text):
    raw = text.encode("utf-8") if isinstance(text, str) else b""
    return "0x" + raw.hex() if raw else "-"


def events_of(etcore, dump):
    """Returns the calls of a dump in the form that host.c reads: the events of each instruction, with the samples of all
    runs."""
    done = subprocess.run([etcore, "dump", dump, "-o", "json"], capture_output=True, text=True, check=True)
    calls, place = {}, {}
    for run in json.loads(done.stdout)["etdump"]["run_data"]:
        seen = {}
        for one in run["events"] or []:
            e = one.get("profile_event")
            if not e:
                continue
            name, key = e["name"] or "", (run["name"], e["chain_index"], e["instruction_id"])
            what = key + (name, e["delegate_debug_id_str"], e["delegate_debug_id_int"])
            seen[what] = seen.get(what, 0) + 1
            slot = place.setdefault(what + (seen[what],), [])
            if not slot:
                calls.setdefault(key, []).append((e, slot))
            blob = e["delegate_debug_metadata"]
            slot.append(f"{e['start_time']} {e['end_time']} " + ("0x" + blob if blob else "-"))
    lines = []
    for events in calls.values():
        lines.append(str(len(events)))
        for e, samples in events:
            delegate = e["delegate_debug_id_str"] is not None or e["delegate_debug_id_int"] != -1
            flags = FLAGS["delegate"] * delegate | FLAGS["call"] * (e["name"] == "DELEGATE_CALL")
            lines.append(f"{flags} {e['instruction_id']} {e['delegate_debug_id_int']} {hexed(e['name'])} "
                         f"{hexed(e['delegate_debug_id_str'])} {len(samples)} {' '.join(samples)}")
    return "\n".join(lines) + "\n"


class Test:
    def __init__(self, etcore, host, scratch):
        self.etcore, self.host, self.scratch = etcore, host, scratch
        self.wrong, self.events, self.verdicts = [], {}, {}

    def ask(self, *words):
        return subprocess.run([self.etcore, *words], capture_output=True, text=True, timeout=300)

    def file_of(self, dump):
        if dump not in self.events:
            self.events[dump] = os.path.join(self.scratch, f"events{len(self.events)}")
            with open(self.events[dump], "w", encoding="ascii") as f:
                f.write(events_of(self.etcore, dump))
        return self.events[dump]

    def failed(self, plugin, dump, *checks):
        """Runs `checks` of `plugins check`. Returns ({failed check: its text}, {check: verdict}); "load" is one of the
        checks."""
        done = self.ask("plugins", "check", plugin, *checks, "--sample", dump, "-o", "json", "--limit", "60")
        found = json.loads(done.stdout)["checks"]
        return {c["name"]: c["text"] for c in found if c["verdict"] == "failed"}, {c["name"]: c["verdict"] for c in found}

    def older(self, plugin, dump, at_a_loss):
        """Returns the verdict of the check `older`, whether today's hosts have a problem with the plugin as well, whether
        it declares that it needs 1.1, and the text of failures."""
        failed, verdicts = self.failed(plugin, dump, "older")
        today = at_a_loss and bool(self.failed(plugin, dump, *TODAY)[0])
        loads = self.ask("plugins", "info", plugin, "-o", "json")
        needs = json.loads(loads.stdout).get("abi_least") not in (None, "1.0")
        return "failed" if failed else verdicts["older"], today, needs, "; ".join(failed.values())

    def settings(self, plugin):
        """Returns a text value for each file option, because a 1.0 host has no file options."""
        done = self.ask("plugins", "info", plugin, "-o", "json")
        options = json.loads(done.stdout).get("options") or []
        return [o["name"] + "=table.bin" for o in options if "regular file" in (o.get("allowed") or "")]

    def one(self, name, plugin, dump, owner=None, speaks=False):
        words = [self.host, self.file_of(dump), plugin, *([owner] if owner else []), *self.settings(plugin)]
        done = subprocess.run(words, capture_output=True, text=True, timeout=300)
        real = {0: "answers", 11: "refused", 12: "wrong"}.get(done.returncode, f"status {done.returncode}")
        verdict, today, needs, text = self.older(plugin, dump, real == "wrong")
        what = f"{name}: {real} ({done.stdout.strip()}), `older`: {verdict} ({text.strip()[:160]})"
        if done.returncode == 13:
            self.wrong.append(what)
        # A plugin that needs 1.1 declares it in abi_least, which an older host does not read.
        if needs:
            wanted = "skipped" if real in ("answers", "refused") else "failed"
        else:
            # Problems that today's hosts also have are reported by other checks, not by `older`.
            wanted = "ok" if real == "answers" or (today and verdict == "ok") else "failed"
        if verdict != wanted or (speaks and (real != "answers" or done.stdout.startswith("0 "))):
            self.wrong.append(what)
        self.verdicts[name] = (real, needs)
        return real


def templates(scratch, etcore, header):
    """Builds the C and C++ template projects, each with its compiler alone; returns the libraries."""
    out = []
    for language, compiler in (("c", ["cc", "-std=c11"]), ("cpp", ["c++", "-std=c++17", "-static-libstdc++"])):
        name = f"in_{language}"
        made = subprocess.run([os.path.abspath(etcore), "plugins", "new", name, "--language", language], cwd=scratch,
                              capture_output=True, text=True)
        folder = os.path.join(scratch, name)
        sources = glob.glob(os.path.join(folder, "**", "*." + language), recursive=True)
        library = os.path.join(folder, name + ".so")
        built = subprocess.run([*compiler, "-shared", "-fPIC", "-fvisibility=hidden", "-I", header, "-o", library, *sources],
                               capture_output=True, text=True)
        if made.returncode or built.returncode or not sources:
            raise SystemExit(f"the template in {language}: {made.stderr}{built.stderr}")
        out.append((name, library, os.path.join(os.path.dirname(sources[0]), "run.etdump")))
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--etcore", required=True)
    parser.add_argument("--host", required=True)
    parser.add_argument("--folder")
    parser.add_argument("--sample", default=COLUMNS + "/run.etdump")
    parser.add_argument("libraries", nargs="*")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        t = Test(args.etcore, args.host, scratch)
        for library in args.libraries:
            t.one(os.path.basename(library), library, args.sample, speaks=True)
        if args.folder:
            ours = sorted(glob.glob(os.path.join(args.folder, "plugins", "*.so")))
            if {os.path.basename(p)[:-3] for p in ours} != set(OWN):
                t.wrong.append(f"own plugins: {ours}")
            for plugin in ours:
                name = os.path.basename(plugin)[:-3]
                owner = os.path.join(args.folder, "plugins", "xnnpack.so") if name == "kleidiai" else None
                t.one(name, plugin, OWN[name] + "/run.etdump", owner, speaks=True)
            for name, library, sample in templates(scratch, args.etcore, "sdk/include"):
                t.one(name, library, sample, speaks=True)
            for name, case in share(TESTS.items()):
                t.one(name, os.path.join(args.folder, "tests/plugins", name + ".so"), case + "/run.etdump")
            tests = os.path.join(args.folder, "tests/plugins")
            for name in ("npu", "dsp", "gpu"):
                dump = os.path.join(scratch, name + ".etdump")
                subprocess.run([sys.executable, "tests/plugins/invented/dumps.py", name, dump], check=True)
                t.one(name, os.path.join(tests, "invented", name + ".so"), dump, speaks=True)
            parallel = os.path.join(scratch, "parallel.etdump")
            subprocess.run([sys.executable, "tests/tools/make_calls.py", parallel], input=PARALLEL, text=True, check=True)
            for name in ("host/timed/timed", "host/good"):
                t.one(name + " in parallel", os.path.join(tests, name + ".so"), parallel)
    kinds = [real for real, _ in t.verdicts.values()]
    print(*t.wrong, sep="\n")
    print(f"{len(kinds)} plugins in a host of ABI 1.0: {kinds.count('answers')} answer, {kinds.count('refused')} are refused, "
          f"{len(kinds) - kinds.count('answers') - kinds.count('refused')} are at fault; {len(t.wrong)} wrong")
    return 1 if t.wrong or not kinds else 0


if __name__ == "__main__":
    sys.exit(main())
