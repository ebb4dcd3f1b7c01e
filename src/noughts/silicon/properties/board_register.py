"""The board register changes one bit at a time, and an occupied place never, as long as moves go to empty ones.

The register itself would take a stone away as willingly as set one: it is the rest of a chip that points it at empty
places. So the last claim is made for clocks at which the addressed place is empty.
"""

from amaranth.hdl import Cat

from noughts.silicon.formal import Harness, Property
from noughts.silicon.parts import PLACES, BoardRegister
from noughts.silicon.properties.scan import claim_scan_path

__all__ = ["BOARD_REGISTER"]


def _claims(harness: Harness, register: BoardRegister) -> None:
    was = harness.past(register.board)
    index, side, toggle = harness.past(register.index), harness.past(register.side), harness.past(register.toggle)
    stepped = harness.stepped & ~harness.past(register.scan)
    changed = was ^ register.board
    addressed = Cat(toggle & (index == bit // 2) & (side == bit % 2) for bit in range(2 * PLACES))
    harness.claim("at most one bit changes", (changed & (changed - 1)) == 0, when=stepped)
    harness.claim("the bit that is addressed changes, and no other", changed == addressed, when=stepped)
    to_empty = ~toggle | (was.word_select(index, 2) == 0)
    for place in range(PLACES):
        before, after = was.word_select(place, 2), register.board.word_select(place, 2)
        harness.claim(f"place {place} keeps its stone", before == after, when=stepped & to_empty & (before != 0))
    claim_scan_path(harness, register, register.board)


BOARD_REGISTER = Property(
    name="board-register",
    statement="at most one bit of the board changes in a cycle, and an occupied place never if moves go to empty ones",
    make=BoardRegister,
    claims=_claims,
)
