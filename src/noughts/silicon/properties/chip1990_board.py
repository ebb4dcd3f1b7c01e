"""The board of the chip of 1990 changes by one stone a cycle, and a key never touches a stone that is there.

This is true whatever the registers hold, so that no reset needs to have been. It is not true of the random first move:
after stones have been set up by hand, that goes where it likes.
"""

from noughts.silicon.chip1990.chip import Core
from noughts.silicon.chip1990.controller import State
from noughts.silicon.formal import Harness, Property
from noughts.silicon.parts import PLACES

__all__ = ["CHIP1990_BOARD"]


def _claims(harness: Harness, core: Core) -> None:
    was, state, bykey = (harness.past(value) for value in (core.led, core.fsm.statereg, core.board.bykey))
    stepped = harness.stepped & ~harness.past(core.scan)
    changed = was ^ core.led
    harness.claim("at most one bit of the board changes", (changed & (changed - 1)) == 0, when=stepped)
    by_user = stepped & (bykey | (state == State.waiting))
    for place in range(PLACES):
        before, after = was.word_select(place, 2), core.led.word_select(place, 2)
        harness.claim(f"a key leaves a stone on place {place} alone", before == after, when=by_user & (before != 0))


CHIP1990_BOARD = Property(
    name="chip1990-board",
    statement="at most one stone is set or taken a cycle in chip1990, and no key ever changes an occupied place",
    make=Core,
    claims=_claims,
)
