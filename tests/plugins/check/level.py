"""level.py ETCORE PLUGIN LEVEL WORDS... -- the plugin must pass `plugins check` at the level; at `basic` if only a share of
the tests runs, since the further checks of a level repeat all hooks hundreds of times.
"""
import os
import subprocess
import sys

sys.path.insert(0, "tests")
from share import SHARE  # noqa: E402

etcore, plugin, level, *words = sys.argv[1:]
sys.exit(subprocess.call([os.path.abspath(etcore), "plugins", "check", plugin, "--level", level if SHARE == 1 else "basic", *words]))
