"""machine - describes the machine of the measurements without its name."""
import os
import platform
import re
import subprocess


def first(pattern, path, default):
    with open(path) as f:
        found = re.search(pattern, f.read(), re.M)
    return found.group(1).strip() if found else default


def said(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0].strip()
    except (OSError, subprocess.CalledProcessError, IndexError):
        return "unknown"


def machine(etcore):
    """Returns the description as lines of Markdown."""
    cpu = first(r"^model name\s*:\s*(.*)$", "/proc/cpuinfo", platform.machine())
    flags = first(r"^flags\s*:\s*(.*)$", "/proc/cpuinfo", "").split()
    vector = next((name for flag, name in (("avx512f", "AVX-512"), ("avx2", "AVX2"), ("sse4_2", "SSE4.2")) if flag in flags), "")
    memory = int(first(r"^MemTotal:\s*(\d+)", "/proc/meminfo", "0")) / (1 << 20)
    system = first(r'^PRETTY_NAME="?([^"\n]*)', "/etc/os-release", "Linux")
    load = os.getloadavg()[0]
    return [f"{len(os.sched_getaffinity(0))} processors of {cpu}{', ' + vector if vector else ''}, {memory:.0f} GB; {system}, "
            f"Linux {platform.release().split('-')[0]}; {said('cc', '--version')}; {said(etcore, '--version')}, release build; "
            f"load {load:.1f} at the end."]
