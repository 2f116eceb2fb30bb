#!/usr/bin/env python3
"""settings.py --etcore PROGRAM --plugins FOLDER [--sanitized]

Tests options of ABI 1.1: files, choices, ranges. The plugin must get the contents of a file, in process and isolated. A
value that the declaration excludes must be reported with file and line, and never be opened."""
import argparse
import csv
import os
import re
import subprocess
import sys
import tempfile
import threading

DUMP = "tests/data/backends/cases/metadata_columns/run.etdump"


def nobody():
    """Switches from root to an unprivileged user, because root may read every file."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setuid(65534)


def above(path):
    """Yields the folders that contain a file, up to the root."""
    while path != "/":
        path = os.path.dirname(path)
        yield path


def churn(path, stop):
    """Repeatedly grows the file to 1 TB, truncates and deletes it, and replaces it by a pipe or a device."""
    while not stop.is_set():
        with open(path, "wb") as f:
            f.write(b"x" * 200)
        for size in (1 << 40, 10, 0):
            os.truncate(path, size)
        os.unlink(path)
        os.mkfifo(path)
        os.unlink(path)
        os.symlink("/dev/zero", path)
        os.unlink(path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--etcore", required=True)
    parser.add_argument("--plugins", required=True)
    parser.add_argument("--sanitized", action="store_true")
    args = parser.parse_args()
    wrong, done = [], 0
    env = {k: v for k, v in os.environ.items() if not k.startswith(("ETCORE_", "XDG_"))}
    env["HOME"] = "/nonexistent"

    def run(*words):
        return subprocess.run([args.etcore, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, env=env,
                              timeout=100)

    def expect(fine, what):
        nonlocal done
        done += 1
        if not fine:
            wrong.append(what)

    def plugin(name):
        folder = "settings" if name.startswith("tables") or name in ("lives_without", "lets_in") else "annotators" if name == "fastmat" else ""
        return os.path.join(args.plugins, folder, name + ".so")

    with tempfile.TemporaryDirectory() as top:
        ini = os.path.join(top, "conf", "etcore.ini")
        os.makedirs(os.path.join(top, "conf", "folder"))
        files = {"table.bin": bytes(range(200)), "nothing.bin": b"", "nul.bin": b"\0" * 1000, "long.bin": b"x" * 1001}
        for name, content in files.items():
            with open(os.path.join(top, "conf", name), "wb") as f:
                f.write(content)
        os.mkfifo(os.path.join(top, "conf", "pipe"))
        os.symlink("/dev/zero", os.path.join(top, "conf", "zero"))
        os.symlink("table.bin", os.path.join(top, "conf", "link.bin"))
        with open(os.path.join(top, "conf", "sparse.bin"), "wb") as f:
            f.truncate(1 << 40)

        def analyze(lines, *more):
            with open(ini, "w", encoding="utf-8") as f:
                f.write("[plugin.tables]\n" + "\n".join(lines) + "\n")
            return run("analyze", DUMP, "--no-siblings", "--plugin", plugin("tables"), "-c", ini, "-o", "csv", *more)

        for how in ("--isolate", "--no-isolate"):
            for name in ("table.bin", "nothing.bin", "nul.bin", "link.bin"):
                done_run = analyze([f"table = {name}", "mode = exact"], how)
                rows = list(csv.DictReader(done_run.stdout.splitlines()))
                content = files["table.bin" if name == "link.bin" else name]
                for row in [r for r in rows if r.get("bytes")]:
                    expect((row["mode"], row["bytes"], row["sum"]) ==
                           ("exact", str(len(content)), str(sum(content))), f"{how} {name}: {row}")
                expect(any(r.get("bytes") for r in rows), f"{how} {name}: no row: {done_run.stderr}")
            # With --set, a relative path is relative to the current folder.
            done_run = analyze([], how, "--set", f"plugin.tables.table={top}/conf/table.bin")
            expect(f",200,{sum(files['table.bin'])}" in done_run.stdout, f"{how} --set: {done_run.stdout}")
            # Without a file, the plugin reports no bytes.
            done_run = analyze(["mode = fast"], how)
            expect(done_run.returncode == 0 and "fast" in done_run.stdout and not any(
                r.get("bytes") for r in csv.DictReader(done_run.stdout.splitlines())), f"{how} none: {done_run.stdout}")

        # A path is relative to the INI file's folder and may leave it; a file without read permission must be
        # reported.
        os.mkdir(os.path.join(top, "beside"))
        with open(os.path.join(top, "beside", "up.bin"), "wb") as f:
            f.write(b"\1\2")
        os.symlink("../beside/up.bin", os.path.join(top, "conf", "out.bin"))
        os.symlink("self.bin", os.path.join(top, "conf", "self.bin"))
        os.symlink("absent.bin", os.path.join(top, "conf", "dangling.bin"))
        for how in ("--isolate", "--no-isolate"):
            for name in ("../beside/up.bin", "out.bin", "folder/../../beside/./up.bin", f"{top}/beside/up.bin"):
                done_run = analyze([f"table = {name}"], how)
                expect(",2,3" in done_run.stdout, f"{how} {name}: {done_run.stdout} {done_run.stderr}")
            os.chmod(os.path.join(top, "conf", "nul.bin"), 0)
            os.chmod(top, 0o755)
            with open(ini, "w", encoding="utf-8") as f:
                f.write("[plugin.tables]\ntable = nul.bin\n")
            # This part needs build folders that other users may enter.
            reaches = all(os.stat(p).st_mode & 1 for f in (args.etcore, plugin("tables"), os.path.abspath(DUMP)) for p in above(f))
            done_run = reaches and subprocess.run(
                [args.etcore, "analyze", DUMP, "--no-siblings", "--plugin", plugin("tables"), "-c", ini, how],
                capture_output=True, text=True, env=env, preexec_fn=nobody, timeout=100)
            expect(not reaches or (done_run.returncode == 3 and "E0901" in done_run.stderr and "nul.bin" in done_run.stderr),
                   f"{how} no permission: {done_run}")
            os.chmod(os.path.join(top, "conf", "nul.bin"), 0o644)
        # While the file changes, an answer or an error must come at once.
        stop = threading.Event()
        churning = threading.Thread(target=churn, args=(os.path.join(top, "conf", "moving.bin"), stop))
        churning.start()
        for k in range(20):
            done_run = analyze(["table = moving.bin"], ("--isolate", "--no-isolate")[k % 2])
            expect(done_run.returncode == 0 or re.search(r"error\[E0(515|90[1-7])\]", done_run.stderr),
                   f"moving.bin: {done_run.returncode} {done_run.stderr}")
        stop.set()
        churning.join()

        faults = (("self.bin", "Too many levels of symbolic links"), ("dangling.bin", "No such file or directory"),
                  ("absent.bin", "No such file or directory"), ("folder", "it is a folder"), ("pipe", "it is no regular file"),
                  ("zero", "it is no regular file"), ("long.bin", "it has 1001 bytes"), ("sparse.bin", f"it has {1 << 40} bytes"),
                  ("table.bin/x", "Not a directory"), ("/dev/null", "it is no regular file"),
                  ("/proc/cpuinfo", "it has more"))
        excluded = [("table", v, f"a regular file of at most 1000 bytes; {os.path.join(top, 'conf', v)}: {why}\n")
                    for v, why in faults]
        excluded += [("mode", v, "one of 'fast', 'exact'") for v in ("FAST", "fas", "fast,exact", "fast exact")]
        excluded += [("depth", v, "a whole number from 1 to 8 layers") for v in
                     ("0", "9", "-1", "9223372036854775807", "1.5", "x")]
        excluded += [("share", v, "a number from -0.5 to 0.5") for v in ("0.51", "-1", "1e308", "nan", "inf", "x")]
        for key, value, expected in excluded:
            done_run = analyze([f"{key} = {value}"])
            expect(done_run.returncode == 2 and "E0515" in done_run.stderr and "etcore.ini:2" in done_run.stderr and
                   f"'{value}' for '{key}' in [plugin.tables]; expected {expected}" in done_run.stderr,
                   f"{key} = {value}: {done_run.returncode} {done_run.stderr}")
        for key, value in (("depth", "1"), ("depth", "8"), ("share", "-0.5"), ("share", "0"), ("share", "5e-1")):
            done_run = analyze([f"{key} = {value}"])
            expect(done_run.returncode == 0 and "E05" not in done_run.stderr, f"{key} = {value}: {done_run.stderr}")

        # Allowed values must be shown as text and as JSON.
        said = run("plugins", "info", plugin("tables")).stdout
        for text in ("(a regular file of at most 1000 bytes)", "(one of 'fast', 'exact')",
                     "(a whole number from 1 to 8 layers)", "(a number from -0.5 to 0.5)",
                     "head of the table (bytes)\n"):
            expect(text in said, f"info: {text} not in {said}")
        said = run("plugins", "-o", "json", "--plugin", plugin("tables")).stdout
        for text in ('"unit":"layers"', '"allowed":"a whole number from 1 to 8 layers"'):
            expect(text in said, f"json: {text} not in {said}")
        for name, needs, title in (("tables", "1.0", "null"), ("tables_1_1", "1.1", "null"), ("fastmat", "1.0", '"Fast MatMul"')):
            said = run("plugins", "info", plugin(name)).stdout
            expect((f"  needs     etcore with ABI {needs} or later\n" in said) == (needs != "1.0"), f"info {name}: {said}")
            expect(("  title     Fast MatMul\n" in said) == (title != "null"), f"info {name}: {said}")
            said = run("plugins", "info", plugin(name), "-o", "json").stdout
            expect(f'"abi_least":"{needs}","title":{title},' in said, f"json {name}: {said}")

        # A plugin that needs a later host, and invalid declarations.
        for name, code, why in (("needs_later", "E0604", "it needs a later version of the ABI than this etcore has"),
                                ("file_default", "E0607", "a file whose option is not of type STR, or has a default"),
                                ("empty_range", "E0607", "an option whose range is empty or no range"),
                                ("nan_range", "E0607", "an option whose range is empty or no range"),
                                ("endless_range", "E0607", "an option whose range is empty or no range"),
                                ("many_choices", "E0607", "an option's list of choices has no end"),
                                ("long_version", "E0607", "its version, vendor or description has more than 1023 bytes"),
                                ("no_choices", "E0607", "an option with an empty list of choices"),
                                ("outside", "E0607", "an option whose default is not of its type, or excluded by it")):
            for how in ("--isolate", "--no-isolate"):
                done_run = run("analyze", DUMP, "--no-siblings", "--plugin", plugin(name), how)
                expect(done_run.returncode == 2 and code in done_run.stderr and why in done_run.stderr,
                       f"{name} {how}: {done_run.returncode} {done_run.stderr}")

        # `plugins check` imitates a 1.0 host.
        for name, status, verdict in (("tables", 0, "ok       older"), ("tables_1_1", 0, "skipped  older"),
                                      ("lives_without", 1, "FAILED   older"), ("lets_in", 1, "FAILED   older"),
                                      ("good", 0, "ok       older"), ("adds", 0, "ok       older")):
            done_run = run("plugins", "check", plugin(name), "older")
            expect(done_run.returncode == status and verdict in done_run.stdout,
                   f"check {name}: {done_run.returncode} {done_run.stdout} {done_run.stderr}")

    print("\n".join(wrong))
    print(f"{done} expectations, {len(wrong)} wrong")
    return bool(wrong) or done < 60


if __name__ == "__main__":
    sys.exit(main())
