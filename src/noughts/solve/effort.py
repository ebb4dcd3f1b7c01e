"""How long the engine may think: an `Effort` is what an answer may cost, a `Budget` what is left of it.

By nodes, the same question has the same answer every time; by seconds, it depends on the machine. No compiler is loaded
to say how much.
"""

from time import perf_counter
from typing import NamedTuple

__all__ = ["USUAL", "Budget", "Effort"]

USUAL_NODES = 200_000

_NO_LIMIT = 1 << 62
_A_SECOND = 1_000_000
"""Positions that the engine looks at in a second, roughly."""


class Effort(NamedTuple):
    """How long the engine may think about one answer: so many positions, so many seconds, or both."""

    nodes: int | None = None
    """Positions to look at; None for as many as the seconds allow, and without seconds for `USUAL_NODES`."""
    seconds: float | None = None
    """None for as long as the positions take."""

    @property
    def most_nodes(self) -> int | None:
        """How many positions may be looked at; None if only seconds count."""
        return USUAL_NODES if self.nodes is None and self.seconds is None else self.nodes

    def within(self, seconds: float) -> "Effort":
        """The same, with so many seconds if seconds count.

        Args:
            seconds: What there is, for an effort that counts seconds.
        """
        return self if self.seconds is None else self._replace(seconds=max(0.01, seconds))


USUAL = Effort(USUAL_NODES)
"""A few tenths of a second, and the same answer every time."""


class Budget:
    """What is left of the positions and the seconds that an answer may take."""

    def __init__(self, effort: Effort) -> None:
        most = effort.most_nodes
        self._nodes = _NO_LIMIT if most is None else max(1, most)
        self._end = None if effort.seconds is None else perf_counter() + effort.seconds

    def spend(self, nodes: int) -> None:
        """So many positions were looked at."""
        self._nodes -= nodes

    def nodes(self, share: float) -> int:
        """A share of the positions that are left, at least one, so that every search has an answer."""
        return max(1, int(self._nodes * share))

    def seconds(self, share: float) -> float | None:
        """A share of the seconds that are left; None if they do not count."""
        return None if self._end is None else max(0.0, self._end - perf_counter()) * share

    def expected(self, share: float) -> int:
        """How many positions a search with a share of it will look at, at most, roughly."""
        seconds = self.seconds(share)
        return self.nodes(share) if seconds is None else min(self.nodes(share), 1 + int(seconds * _A_SECOND))

    @property
    def spent(self) -> bool:
        """Whether nothing is left."""
        return self._nodes <= 0 or self.seconds(1) == 0
