"""share - runs only a part of a test's repetitions.

With ETCORE_SHARE=N every N-th repetition runs; without it, all run. ./dev test sets it, and the gate
`repeats` runs the others.
"""
import os

SHARE = max(1, int(os.environ.get("ETCORE_SHARE") or 1))


def share(items, turn=0):
    """Returns every SHARE-th of the items, in their order; `turn` selects which."""
    items = list(items)
    return items[turn % min(SHARE, max(1, len(items)))::SHARE]


def some(items, step, turn=0):
    """Returns every step-th item if only a share is run, else all. For items that differ so much that the share is
    too few."""
    items = list(items)
    return items[turn % min(step, max(1, len(items)))::step] if SHARE > 1 else items
