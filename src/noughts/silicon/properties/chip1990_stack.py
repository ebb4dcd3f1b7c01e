"""The stack of the chip of 1990 never overflows.

Its pointer counts to seven, and an eighth push would bring it back to 0: the chip would take the depths of its search
for the surface. That no run does this cannot be seen from one cycle to the next, so that further claims carry the
proof. The idea is to count stones: at a push the board has a trial stone for every word on the stack, one for the move
in hand, and one from before the search; and a push is made only while a place is still empty. So at a push

    words on the stack + 2 ≤ occupied places ≤ 8.

The other claims say that a trial stone is always set on an empty place: i is a place, so are the i's that are kept on
the stack, and outside a search the stack is empty. Which stones these are, and whose, does not matter.
"""

from functools import reduce
from operator import add

from noughts.silicon.chip1990.chip import Core
from noughts.silicon.chip1990.controller import State
from noughts.silicon.formal import Harness, Property
from noughts.silicon.parts import PLACES, occupied

__all__ = ["CHIP1990_STACK", "SEARCHING", "claim_room"]

SEARCHING = (State.setboardi, State.rating, State.returned)
"""The states of a search."""


def claim_room(harness: Harness, core: Core) -> None:
    """Claim that a push finds room, and what carries this."""
    sp, i = core.sp, core.i
    in_state = {state: harness.running & (core.fsm.statereg == state) for state in State}
    taken = occupied(core.led)
    stones = reduce(add, (taken[place] for place in range(PLACES)))

    harness.claim("a push finds room", sp < len(core.stack.words) - 1, when=harness.running & core.fsm.call)

    for state in State:
        if state in SEARCHING:
            harness.claim(f"in state {state.name} i is a place", i < PLACES, when=in_state[state])
        else:
            harness.claim(f"in state {state.name} the stack is empty", sp == 0, when=in_state[state])
    for level, word in enumerate(core.stack.words):
        harness.claim(f"word {level} holds a place", word[: len(i)] < PLACES, when=harness.running & (level < sp))
    harness.claim("a user who has just moved has a stone", stones >= 1, when=in_state[State.userjustmoved])
    harness.claim("a trial stone goes to an empty place", ~taken.bit_select(i, 1), when=in_state[State.setboardi])
    for state, more in (State.setboardi, 1), (State.rating, 2), (State.returned, 2):
        words = f"in state {state.name} there are {more} more stones than words on the stack, or yet more"
        harness.claim(words, stones >= sp + more, when=in_state[state])


CHIP1990_STACK = Property(
    name="chip1990-stack",
    statement="the stack of chip1990 never overflows, whichever keys are pressed, at any time",
    make=Core,
    claims=claim_room,
)
