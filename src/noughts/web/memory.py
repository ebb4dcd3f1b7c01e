"""Answers that are remembered, as bytes: as many as fit, and those that nobody has asked for longest go first.

What counts is their size, not their number: the answer about a board of 361 points is a hundred times as long as one
about tic-tac-toe, and a visitor may ask for either.
"""

from collections import OrderedDict
from collections.abc import Hashable
from typing import NamedTuple

__all__ = ["Entry", "Memory"]

BESIDES = 400
"""Bytes that an answer takes besides its own: its key, its place, its headers."""


class Entry(NamedTuple):
    """Bytes that are kept, and what is kept with them."""

    body: bytes
    with_it: tuple[tuple[bytes, bytes], ...] = ()


class Memory:
    """A bounded store of bytes by key."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._size = 0
        self._entries: OrderedDict[Hashable, Entry] = OrderedDict()

    def get(self, key: Hashable) -> Entry | None:
        """What is kept under a key; None if nothing is."""
        entry = self._entries.get(key)
        if entry is not None:
            self._entries.move_to_end(key)
        return entry

    def put(self, key: Hashable, entry: Entry) -> None:
        """Keep something, and let go what no longer fits."""
        self._drop(self._entries.pop(key, None))
        self._entries[key] = entry
        self._size += len(entry.body) + BESIDES
        while self._size > self._most:
            self._drop(self._entries.popitem(last=False)[1])

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def size(self) -> int:
        """Bytes in use."""
        return self._size

    def _drop(self, entry: Entry | None) -> None:
        if entry is not None:
            self._size -= len(entry.body) + BESIDES
