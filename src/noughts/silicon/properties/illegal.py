"""The illegal-move detector is high when somebody points at a stone."""

from amaranth.hdl import Cat

from noughts.silicon.formal import Harness, Property
from noughts.silicon.parts import PLACES, IllegalMoveDetector

__all__ = ["ILLEGAL"]


def _claims(harness: Harness, detector: IllegalMoveDetector) -> None:
    on_stones = Cat(detector.at[place] & (detector.board.word_select(place, 2) != 0) for place in range(PLACES))
    harness.claim(
        "illegal is high if and only if a place that is pointed at has a stone", detector.illegal == (on_stones != 0)
    )


ILLEGAL = Property(
    name="illegal",
    statement="the illegal-move detector is high if and only if a place that is pointed at has a stone",
    make=IllegalMoveDetector,
    claims=_claims,
)
