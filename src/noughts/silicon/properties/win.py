"""The win detector sees the eight lines, which are typed out here once more from the rules."""

from amaranth.hdl import Cat

from noughts.silicon.formal import Harness, Property
from noughts.silicon.parts import WinDetector

__all__ = ["ROWS", "WIN"]

ROWS = (
    (0, 1, 2),
    (3, 4, 5),
    (6, 7, 8),
    (0, 3, 6),
    (1, 4, 7),
    (2, 5, 8),
    (0, 4, 8),
    (2, 4, 6),
)
"""Across, down, and aslant; apart from the lines of the game, from which the detector itself is made."""


def _claims(harness: Harness, detector: WinDetector) -> None:
    stones = detector.stones
    rows = Cat(stones[first] & stones[second] & stones[third] for first, second, third in ROWS)
    harness.claim("wins is high if and only if one of the eight lines is filled", detector.wins == (rows != 0))


WIN = Property(
    name="win",
    statement="the win detector is high if and only if three stones fill a row, a column or a diagonal",
    make=WinDetector,
    claims=_claims,
)
