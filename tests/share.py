"""share - runs only a part of a test's repetitions.

ETCORE_SHARE=N runs one of N; without it, all run. ./dev test sets it, and the gate `repeats` runs the others.
"""
import os

SHARE = max(1, int(os.environ.get("ETCORE_SHARE") or 1))


def share(items, turn=0):
    """Returns every SHARE-th of the items, in their order; `turn` selects which."""
    items = list(items)
    return items[turn % min(SHARE, max(1, len(items)))::SHARE]


def some(items, step, turn=0):
    """Returns every step-th of the items if only a share is run, else all; for items that differ too much for one of eight."""
    items = list(items)
    return items[turn % min(step, max(1, len(items)))::step] if SHARE > 1 else items
