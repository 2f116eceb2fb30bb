"""share - runs only a part of a test's repetitions.

ETCORE_SHARE=N: one of N; without it, all. ./dev test sets it, and the gate `repeats` does the rest.
"""
import os

SHARE = max(1, int(os.environ.get("ETCORE_SHARE") or 1))


def share(items, turn=0):
    """Every SHARE-th of them in their order; which ones depends on `turn`."""
    items = list(items)
    return items[turn % min(SHARE, max(1, len(items)))::SHARE]


def some(items, step, turn=0):
    """Every step-th of them where a share is asked for, else all: what is too varied for an eighth."""
    items = list(items)
    return items[turn % min(step, max(1, len(items)))::step] if SHARE > 1 else items
