"""The full detector is high when no place is empty."""

from amaranth.hdl import Cat

from noughts.silicon.formal import Harness, Property
from noughts.silicon.parts import PLACES, FullDetector

__all__ = ["FULL"]


def _claims(harness: Harness, detector: FullDetector) -> None:
    empty = Cat(detector.board.word_select(place, 2) == 0 for place in range(PLACES))
    harness.claim("full is high if and only if no place is empty", detector.full == (empty == 0))


FULL = Property(
    name="full",
    statement="the full detector is high if and only if none of the nine places is empty",
    make=FullDetector,
    claims=_claims,
)
