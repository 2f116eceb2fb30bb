#!/usr/bin/env python3
"""ray_live.py ETCORE LIBRARY -- runs etcore.ray on a local cluster: its tables must equal those of `etcore batch`, row by
row, even if workers are killed.

Needs ray, pyarrow and pandas: tests/python/farm_live.sh.
"""
import os
import signal
import sys
import tempfile

from farm_tables import DATA, Farm, check, checks

ETCORE, LIBRARY = map(os.path.abspath, sys.argv[1:3])
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PATH = os.pathsep.join((os.path.join(ROOT, "python"), os.path.join(ROOT, "tests", "python")))
os.environ.update(ETCORE_LIBRARY=LIBRARY, PYTHONPATH=PATH, RAY_USAGE_STATS_ENABLED="0")
sys.path.insert(0, os.path.join(ROOT, "python"))

import ray  # noqa: E402

import etcore.ray  # noqa: E402


def unique(rows):
    seen = {repr(sorted(row.items(), key=str)): row for row in rows}
    return list(seen.values())


def main():
    with tempfile.TemporaryDirectory() as scratch:
        farm = Farm(ETCORE, scratch)
        ray.init(_node_ip_address="127.0.0.1", include_dashboard=False, num_cpus=2, log_to_driver=False)
        ray.data.DataContext.get_current().enable_progress_bars = False
        for name in farm.tables:
            rows = etcore.ray.read(DATA, name, meta="lab=berlin").take_all()
            check(farm.same(name, unique(rows)), f"table {name}")
        mark = os.path.join(scratch, "mark")

        def kill(batch):
            try:
                os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                return batch
            os.kill(os.getpid(), signal.SIGKILL)

        rows = etcore.ray.read(DATA).map_batches(kill, batch_format="pyarrow").take_all()
        check(os.path.exists(mark), "a worker was killed")
        check(farm.same("rows", unique(rows)), "after a kill")
        check(len(rows) == etcore.ray.read(DATA).count(), "as many rows as without a kill")
        ray.shutdown()
    print(f"{checks()} checks: tables of Ray {ray.__version__} are those of etcore batch, also after a kill")


if __name__ == "__main__":
    main()
