"""The position decoder raises the line it is told to, and no other."""

from amaranth.hdl import Cat

from noughts.silicon.formal import Harness, Property
from noughts.silicon.parts import PositionDecoder

__all__ = ["DECODER"]


def _claims(harness: Harness, decoder: PositionDecoder) -> None:
    expected = Cat(decoder.enable & (decoder.index == line) for line in range(len(decoder.lines)))
    harness.claim("a line is high if and only if it is addressed and enable is high", decoder.lines == expected)


DECODER = Property(
    name="decoder",
    statement="the position decoder raises the addressed line and no other, and none while enable is low",
    make=PositionDecoder,
    claims=_claims,
)
