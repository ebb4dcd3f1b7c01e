"""The machine that does the work: all its cores on one compiled loop, and how much memory it has left."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from noughts.games import NoughtsError
from noughts.solve.interrupt import never

__all__ = ["OVERHEAD", "PARTS", "cores_of", "memory_available", "require_memory", "share"]

PARTS = 8
"""Into how many parts a sweep is cut for every core, so that all are busy to the end."""
OVERHEAD = 500_000_000
"""Bytes for the program, its compiler and its tables."""


def cores_of() -> int:
    """How many cores the machine has."""
    return os.cpu_count() or 1


def share(
    cores: int,
    loop: Callable[..., Any],
    blocks: int,
    arguments: Callable[[int], Sequence[Any]],
    parts: int = 0,
    done: Callable[[int], None] = lambda _last: None,
) -> list[Any]:
    """Run a compiled loop over ranges of blocks on all cores, and give what each range answers.

    `loop` is called as loop(stop, first, last, *arguments(number of the part)) and releases the interpreter's lock.
    This thread only waits, so that Ctrl-C reaches it at once; it then tells the loops to stop, see
    `noughts.solve.interrupt`. `done` is told how far the ranges are finished without a gap.
    """
    stop = never()
    cuts = np.linspace(0, blocks, 1 + min(blocks, parts or PARTS * cores)).astype(int).tolist()
    # The first time over no block at all, in this thread: so it is compiled here, where Ctrl-C can reach the compiler.
    if not getattr(loop, "signatures", None):
        loop(stop, 0, 0, *arguments(0))
    pool = ThreadPoolExecutor(cores)
    try:
        ranges = list(enumerate(pairwise(cuts)))
        futures = [pool.submit(loop, stop, first, last, *arguments(part)) for part, (first, last) in ranges]
        answers = []
        for future, last in zip(futures, cuts[1:], strict=True):
            answers.append(future.result())
            done(last)
        return answers
    finally:
        stop[0] = 1
        pool.shutdown(cancel_futures=True)


def memory_available() -> int | None:
    """Bytes that this process may take: what the machine has left, or its limit if that is less; None if unsaid."""
    found = []
    try:
        words = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
        found.append(int(words["MemAvailable"].split()[0]) * 1024)
    except (OSError, KeyError, ValueError):
        pass
    for name in ("memory.max", "memory/memory.limit_in_bytes"):
        try:
            found.append(int((Path("/sys/fs/cgroup") / name).read_text()))
        except (OSError, ValueError):
            continue
    return min(found, default=None)


def require_memory(needed: int, there: int | None, what: str, kind: str = "memory") -> None:
    """Complain now if work would need more memory than there is; `what` ends the sentence."""
    if there is not None and there < needed:
        expected = f"expected {needed / 1e9:.1f} GB {what}"
        raise NoughtsError(f"{there / 1e9:.1f} GB of {kind} are available: {expected}")
