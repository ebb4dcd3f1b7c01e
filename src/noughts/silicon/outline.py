"""A run of a chip as a whole. It stands alone, so that whoever reads one does not have to load Amaranth."""

from typing import NamedTuple

__all__ = ["Outline"]


class Outline(NamedTuple):
    """A run as a whole."""

    cycles: int
    replies: tuple[tuple[int, int], ...]
    """First and last cycle of every stretch in which the chip works."""
    stones: tuple[int, int]
    """The places of the machine's and of the user's stones at the end, as sets of bits."""
    over: bool
    simulator: str
