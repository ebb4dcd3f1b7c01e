"""Everything that a sweep over a subspace works with."""

from typing import Any, NamedTuple

from noughts.solve.morris.blocks import Blocks
from noughts.solve.morris.kernel import Below, Movers, Tables

__all__ = ["Work"]


class Work(NamedTuple):
    """A subspace in the memory of an engine."""

    table: Any
    """By the other side's set."""
    closed: Any
    """In the same order, what captures give the mover who has closed a mill and has these stones now."""
    by_mover: Any
    """By the mover's set."""
    size: int
    """Bytes of a block of the latter."""
    words: Any
    """The mover's sets within a block of the former, by rank."""
    flying: bool
    blocks: Blocks
    movers: Movers
    below: Below
    ranking: Tables
    keepers: Any
    """Which symmetries keep the other side's representatives."""
