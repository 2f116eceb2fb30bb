#!/usr/bin/env python3
"""effects.py --etcore build/etcore -- every key of conf/etcore.ini must have the documented effect.

For each key a command is run without it, and with it set in a file (-c), by --set, and by the documented environment
variable. The three must print the same and match the pattern in EFFECTS; without the key the pattern must not match.
A key without a row here fails, and so does a row without a key.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHIPPED = os.path.join(ROOT, "conf", "etcore.ini")

MLP = "tests/data/cases/mlp_xnnpack/run.etdump"
ARM = "tests/data/arm/attn_i8d/sme2/run.etdump"
NEUTRON = "tests/data/backends/cases/neutron_int/run.etdump"
VULKAN = "tests/data/backends/cases/vulkan_two_parts/run.etdump"
CSV = "-o csv --no-siblings"
ROOF = "analyze tests/data/cases/conv_net_xnnpack/run.etdump -m tests/data/pte/conv_net_xnnpack.pte --roofline"
BOTH = {"peaks.gflops_fp32": "40", "peaks.gbps": "10"}
FOREIGN = f"analyze {NEUTRON} --no-plugins -o csv"

# Settings of the test plugin trouble, which fails as its options say.
TROUBLE = {"etcore.plugins": "trouble", "plugin.trouble.library": "$TROUBLE", "plugin.trouble.where": "classify"}
CRASHES = {**TROUBLE, "plugin.trouble.how": "crash"}
SLEEPS = {**TROUBLE, "plugin.trouble.how": "sleep", "etcore.isolate": "yes"}
RESERVES = {**TROUBLE, "plugin.trouble.how": "reserve", "etcore.isolate": "yes"}

# {(section, key): [(value, command, pattern that the output must match, other settings that the command
# needs)]}. $HOST is a folder of plugins.
EFFECTS = {
    ("etcore", "plugins"): [("xnnpack", "plugins", r"kleidiai\.so \(off: not in plugins =\)", {})],
    ("etcore", "plugin_path"): [("$HOST", "plugins", r"(?m)^rival ", {})],
    ("etcore", "source_time_scale"): [("us", f"analyze {MLP}", r"13\.9 ms per run", {}),
                                      ("us", f"inspector --etdump_path {MLP} -o tsv", r"DELEGATE_CALL\t13\.6147", {})],
    ("etcore", "target_time_scale"): [("ms", f"analyze {MLP}", r"0\.0139 ms per run", {}),
                                      ("us", f"inspector --etdump_path {MLP} -o tsv", r"p10 \(us\)", {})],
    ("etcore", "ticks_per_second"): [("1000000", f"analyze {MLP}", r"13\.9 ms per run", {"etcore.source_time_scale": "ticks"})],
    ("etcore", "color"): [("always", f"analyze {MLP}", r"\x1b\[1m#", {})],
    ("etcore", "isolate"): [("yes", f"analyze {MLP}", r"warning\[W0640\].*SIGSEGV", CRASHES)],
    ("etcore", "jobs"): [("3", f"analyze {MLP}", r"N0644", {})],
    ("limits", "max_hook_seconds"): [("0.1", f"analyze {MLP}", r"no answer within 0\.1 s", SLEEPS)],
    ("limits", "max_hook_memory"): [("256M", f"analyze {MLP}", r"W0640.*SIGABRT", RESERVES)],
    ("plugin.trouble", "isolate"): [("yes", f"analyze {MLP}", r"warning\[W0640\].*SIGSEGV", CRASHES)],
    ("limits", "max_memory"): [("32K", f"analyze {MLP}", r"error\[E0905\]", {})],
    ("limits", "max_visits"): [("7", f"analyze {MLP}", r"error\[E0206\]", {})],
    ("limits", "max_pipe"): [("1K", "analyze -", r"error\[E0906\].* more than 1024 bytes", {})],
    ("peaks", "gflops_fp32"): [("40", ROOF, r"Fully Connected .* wrong peak ", {"peaks.gbps": "1000"})],
    ("peaks", "gflops_fp16"): [("40", ROOF, r"roofline  fp16 40 GFLOP/s", {})],
    ("peaks", "gflops_bf16"): [("40", ROOF, r"roofline  bf16 40 GFLOP/s", {})],
    ("peaks", "gflops_int8"): [("40", ROOF, r"roofline  int8 40 GFLOP/s", {})],
    ("peaks", "gbps"): [("30", ROOF, r"DWConv .* memory ", {"peaks.gflops_fp32": "40000"})],
    ("peaks", "gbps_cache"): [("100", ROOF, r"cache 100 GB/s up to 1 MiB", {**BOTH, "peaks.cache_bytes": "1M"})],
    ("peaks", "cache_bytes"): [("1M", ROOF, r"cache 100 GB/s up to 1 MiB", {**BOTH, "peaks.gbps_cache": "100"})],
    ("peaks", "threads"): [("2", ROOF, r"peaks of 2 threads", BOTH)],
    ("plugin.xnnpack", "library"): [("/nowhere/x.so", "analyze " + MLP, r"error\[E0601\].*/nowhere/x\.so", {})],
    ("plugin.xnnpack", "enabled"): [("no", "plugins", r"xnnpack\.so \(off: enabled = no\)", {})],
    ("plugin.kleidiai", "cpu_features"): [("sme", f"analyze {ARM} {CSV}", r",QP8,SME,", {})],
    ("plugin.kleidiai", "cpu"): [("i8mm", f"analyze {ARM} {CSV}", r"1x4_neon_dotprod or .*_16x4_neon_i8mm", {})],
    ("plugin.nxp", "ticks_per_second"): [("800000000", f"analyze {NEUTRON} {CSV}",
                                          r"(?m)^Neutron kernel 12,.*,ns,device,true", {})],
    ("plugin.vulkan", "timestamp_period"): [("52.08", f"analyze {VULKAN} {CSV}", r"24529\.68", {})],
    ("backend.NeutronBackend", "owner"): [("xnnpack", f"analyze {NEUTRON} --events", r"start times inside the delegate are not measured", {})],
    ("backend.NeutronBackend", "metadata"): [("text", f"{FOREIGN} --events", r"(?m),ff00$", {})],
    ("backend.NeutronBackend", "source_time_scale"): [("us", FOREIGN, r"(?m)^0,0,.*,27539000,.*,ns,device,true", {})],
    ("backend.NeutronBackend", "ticks_per_second"): [("1000000", FOREIGN, r"(?m)^0,0,.*,27539000,.*,ns,device,true",
                                                        {"backend.NeutronBackend.source_time_scale": "cycles"})],
    ("backend.NeutronBackend", "time"): [("value", f"{FOREIGN}", r"(?m)^0,0,.*,,none,true", {})],
    ("backend.NeutronBackend", "clock"): [("device", FOREIGN, r"(?m)^0,0,.*,,device,true", {})],
    ("backend.NeutronBackend", "counter_bits"): [("32", f"{FOREIGN} --warmup 0 --stat total", r"(?m)^3,3,.*,62495,", {"backend.NeutronBackend.source_time_scale": "ticks"})],
    ("backend.Renamed", "probe"): [("^ETVK_|^[{]", f"analyze {VULKAN} --no-plugins --no-siblings -o csv", r",Renamed,", {})],
    ("backend.NeutronBackend", "column.byte"): [("metadata : i64 : sum", FOREIGN, r",byte,metadata\n(.*\n)*0,.*,7,\n",
                                                 {"backend.NeutronBackend.metadata": "u8"})],
    ("backend.NeutronBackend", "category.pooling"): [("^[02]$", FOREIGN, r"(?m)^2,2,.*,pooling,", {})],
    ("backend.NeutronBackend", "unit.us"): [("^2$", FOREIGN, r"(?m)^2,2,.*,26795000,.*,ns,device,true", {})],
    ("backend.NeutronBackend", "kind.counter"): [("^2$", FOREIGN, r"(?m)^2,2,.*,\"a counter, not a time\"", {})],
    ("backend.NeutronBackend", "level.2"): [("^2$", FOREIGN, r"(?m)^0,0,.*,14805\.5,", {"backend.NeutronBackend.level.1": "^0$", "backend.NeutronBackend.source_time_scale": "ticks"})],
    ("backend.NeutronBackend", "display"): [('name ~ "^2$" : "two"', FOREIGN, r"(?m)^two,two,", {})],
    ("backend.NeutronBackend", "kernel"): [('metadata ~ "^0c$" : "conv 12"', FOREIGN, r"(?m)^2,2,.*,conv 12,", {})],
}


def kind_of(section, key):
    return section.split(".")[0], key.split(".")[0]


def documented():
    """Returns {(section, key): environment variable that sets it, or None}; each kind of section counts once."""
    keys, section, above = {}, None, ""
    with open(SHIPPED, encoding="utf-8") as f:
        for line in f:
            head, setting = re.match(r";?\[(.*)\]", line), re.match(r";([\w.]+) =", line)
            if head:
                section = head[1]
            elif setting:
                kind = section.split(".")[0]
                known = any(k[0].split(".")[0] == kind and k[1] == setting[1] for k in keys)
                variable = re.search(r"environment: (ETCORE_\w+)", above)
                if not known:
                    keys[section, setting[1]] = variable and variable[1]
            above = above + line if line.startswith("#") else ""
    return keys


class Asker:
    def __init__(self, etcore, folder):
        self.etcore, self.folder = os.path.abspath(etcore), folder
        self.host = os.path.join(folder, "plugins")
        os.mkdir(self.host)
        built = os.path.join(os.path.dirname(self.etcore), "tests", "plugins", "host", "rival.so")
        self.trouble = os.path.join(os.path.dirname(self.etcore), "tests", "plugins", "isolate", "trouble.so")
        os.symlink(built, os.path.join(self.host, "rival.so"))

    def __call__(self, command, settings, how, variable):
        """Returns the output of the command with `settings`, set by the method `how`."""
        arguments, environment = command.split(), {"PATH": os.environ["PATH"], "HOME": self.folder, "LC_ALL": "C.UTF-8"}
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "QEMU_LD_PREFIX"):
            if name in os.environ:
                environment[name] = os.environ[name]
        for name, value in settings.items():
            value = value.replace("$HOST", self.host).replace("$TROUBLE", self.trouble)
            if how == "--set":
                arguments += ["--set", f"{name}={value}"]
            elif how == "environment" and variable.get(name):
                environment[variable[name]] = value
            else:
                arguments += ["-c", self.file(name, value, "-c" in arguments)]
        if arguments.count("-c") > 1:
            arguments = [a for i, a in enumerate(arguments) if "-c" not in (a, arguments[i - 1])] + ["-c", self.path]
        with open(os.path.join(ROOT, MLP), "rb") as dump:
            p = subprocess.run([self.etcore, *arguments], cwd=ROOT, env=environment, stdin=dump, timeout=60,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        said = p.stdout.decode("utf-8", "replace")
        # The location of a mistake depends on how the key was set, and the place where memory runs out varies; the rest of
        # the message does not.
        said = re.sub("out of memory: .*", "out of memory", said)
        # Suggested commands repeat the options.
        said = re.sub(r"(?m)^(next:|     ) etcore .*\n", "", said)
        return re.sub(re.escape(self.folder) + r"/etcore\.ini(:\d+)?|--set\b|ETCORE_[A-Z_]+", "THERE", said)

    @property
    def path(self):
        return os.path.join(self.folder, "etcore.ini")

    def file(self, name, value, more):
        section, key = re.fullmatch(r"(etcore|limits|peaks|[a-z]+\.\w+)\.(.*)", name).groups()
        with open(self.path, "a" if more else "w", encoding="utf-8") as f:
            f.write(f"[{section}]\n{key} = {value}\n")
        return self.path


def check(ask, name, row, variable, variables):
    value, command, shown, others = row
    key = ".".join(name)
    before = ask(command, others, "-c", variables)
    if re.search(shown, before):
        return f"{key}: shown without it: {shown}\n{before[:600]}"
    answers = {}
    # `inspector` reads no environment variables.
    for how in ("-c", "--set", "environment") if variable and command[0] != "i" else ("-c", "--set"):
        answers[how] = ask(command, {**others, key: value}, how, variables)
        if not re.search(shown, answers[how]):
            return f"{key} = {value} by {how} does not show {shown}:\n{answers[how][:1500]}"
    if name[0] == "limits":  # the place where memory runs out also depends on the length of the arguments
        answers = {how: re.search(shown, text).group() for how, text in answers.items()}
    if len(set(answers.values())) != 1:
        return f"{key}: not the same by {', '.join(answers)}"
    return None


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--etcore", default="build/etcore")
    p.add_argument("--sanitized", action="store_true", help="memory of a process cannot be limited")
    args = p.parse_args()
    if args.sanitized:
        EFFECTS["limits", "max_hook_memory"] = []
    keys = documented()
    variables = {".".join(k): v for k, v in keys.items()}
    # One key of a family such as "unit.us" represents all.
    kinds = {kind_of(s, k): (s, k) for s, k in EFFECTS}
    wrong = [f"{SHIPPED}: no test of {k}" for s, k in keys if kind_of(s, k) not in kinds]
    with tempfile.TemporaryDirectory() as folder:
        ask = Asker(args.etcore, folder)
        for (section, key), name in kinds.items():
            own = next(((s, k) for s, k in keys if kind_of(s, k) == (section, key)), None)
            if not own:
                wrong.append(f"{SHIPPED} has no {'.'.join(name)}")
                continue
            variables[".".join(name)] = keys[own]
            problems = [check(ask, name, row, keys[own], variables) for row in EFFECTS[name]]
            wrong += [text for text in problems if text]
    for text in wrong:
        print(text)
    print(f"{len(kinds)} keys, {len(wrong)} wrong")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
