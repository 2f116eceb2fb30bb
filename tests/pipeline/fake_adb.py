#!/usr/bin/env python3
"""An adb whose device is a folder. It implements the commands that etcore uses, with adb's output and exit statuses.

FAKE_ADB_ROOT is the folder; the device's "/data" is below it. Each call's arguments are appended to the file FAKE_ADB_LOG,
as one JSON list per line. push and pull copy, and fail with adb's messages if the device lacks the target folder or the
file. shell runs its text with sh and returns the status; executor_runner's standard error goes to logcat, as ET_LOG does on
Android. Also: getprop, logcat -c, logcat -d -s TAG, connect, -s SERIAL. FAKE_ADB_DEVICES: serial numbers of the attached
devices.
"""

import json
import os
import shutil
import subprocess
import sys

ROOT = os.environ["FAKE_ADB_ROOT"]
LOGCAT = os.path.join(ROOT, "logcat.txt")
PROPERTIES = {"ro.product.cpu.abi": "arm64-v8a", "ro.product.model": "Test Phone", "ro.soc.model": "TEST1"}


def die(text):
    sys.stderr.write(text + "\n")
    sys.exit(1)


def push(source, target):
    if not os.path.isdir(os.path.dirname(ROOT + target)):
        die(f"adb: error: failed to copy '{source}' to '{target}': remote couldn't create file: No such file or directory")
    shutil.copy(source, ROOT + target)
    print(f"{source}: 1 file pushed, 0 skipped.")


def pull(source, target):
    if not os.path.exists(ROOT + source):
        die(f"adb: error: failed to stat remote object '{source}': No such file or directory")
    shutil.copyfile(ROOT + source, target)
    print(f"{source}: 1 file pulled, 0 skipped.")


def shell(*words):
    if words[0] == "getprop":
        print(PROPERTIES.get(words[1], ""))
        return
    text = " ".join(words).replace("/data/", ROOT + "/data/")
    p = subprocess.run(["sh", "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with open(LOGCAT, "a") as f:
        for line in p.stderr.splitlines():
            tag = "XNNPACK" if "XNNPACK" in line else "ExecuTorch"
            f.write(f"11-21 12:00:00.000  1000  1000 I {tag}: {line}\n")
    sys.stdout.write(p.stdout)
    sys.exit(p.returncode if p.returncode >= 0 else 128 - p.returncode)


def logcat(*words):
    if "-c" in words:
        open(LOGCAT, "w").close()
    elif os.path.exists(LOGCAT):
        tag = words[words.index("-s") + 1]
        with open(LOGCAT) as f:
            sys.stdout.writelines(line for line in f if f" {tag}: " in line)


def main():
    argv = sys.argv[1:]
    os.makedirs(ROOT, exist_ok=True)
    with open(os.environ["FAKE_ADB_LOG"], "a") as f:
        f.write(json.dumps(argv) + "\n")
    devices = os.environ.get("FAKE_ADB_DEVICES", "TEST0001").split()
    serial = argv[1] if argv[:1] == ["-s"] else None
    argv = argv[2:] if serial else argv
    if argv[0] == "connect":
        print("connected to " + argv[1])
        return
    if serial and serial not in devices:
        die(f"adb: device '{serial}' not found")
    if not serial and len(devices) != 1:
        die("adb: more than one device/emulator" if devices else "adb: no devices/emulators found")
    {"push": push, "pull": pull, "shell": shell, "logcat": logcat}[argv[0]](*argv[1:])


main()
