"""The search of the chip of 1990 takes back every trial stone, and leaves all others alone.

The chip has no copy of the board: it sets stones where it thinks, and takes them away by inverting the same bits again.
So the board must at all times be what the search *found*, with the bits of all trials inverted: for each word on the
stack the bit of its i, the machine's at even levels and the user's at odd ones, and that of the i in hand once it is
set. All of these are places that were empty. When a search ends, the board is as it was found, or has one stone of the
machine's more.

Where the machine then moves if no trial ended the search is register m's business, and not claimed: in a lost position
that was set up by hand no move is better than −1, and m is left from before.
"""

from functools import reduce
from operator import xor

from amaranth.hdl import Cat, Mux, Value

from noughts.silicon.chip1990.chip import Core
from noughts.silicon.chip1990.controller import State
from noughts.silicon.formal import Harness, Property
from noughts.silicon.parts import PLACES, occupied
from noughts.silicon.properties.chip1990_stack import SEARCHING, claim_room

__all__ = ["CHIP1990_SEARCH"]


def _stone(place: Value, side: Value | int) -> Value:
    """The bit of the board for a stone of one side."""
    return Cat((place == bit // 2) & (side == bit % 2) for bit in range(2 * PLACES))


def _claims(harness: Harness, core: Core) -> None:
    claim_room(harness, core)
    state, sp, i = core.fsm.statereg, core.sp, core.i
    # p is the last register of its block, so that scanout shows it.
    p = core.board.scanout
    harness.claim("p is the side whose turn it is at this depth", p == sp[0], when=harness.running)

    found = harness.held(core.led, when=state == State.userjustmoved)
    free = ~occupied(found)
    kept = [word[: len(i)] for word in core.stack.words]
    trials = [Mux(level < sp, _stone(place, level % 2), 0) for level, place in enumerate(kept)]
    in_hand = Mux(state == State.setboardi, 0, _stone(i, sp[0]))
    searching = harness.running & state.matches(*SEARCHING)
    expected = reduce(xor, trials, found ^ in_hand)
    harness.claim("the board is what was found, and all trials", core.led == expected, when=searching)
    harness.claim("a trial is on a place that was empty", free.bit_select(i, 1), when=searching)
    for level, place in enumerate(kept):
        was_free = free.bit_select(place, 1)
        harness.claim(f"trial {level} is on a place that was empty", was_free, when=searching & (level < sp))

    changed = found ^ core.led
    for place in range(PLACES):
        harness.claim(
            f"a search leaves a stone on place {place} alone",
            changed.word_select(place, 2) == 0,
            when=searching & ~free[place],
        )
    done = harness.running & (state == State.doingbestmove)
    harness.claim("a search without a sure move leaves the board as it was", changed == 0, when=done)
    came_from, last = harness.past(state), harness.past(i)
    ended = (
        harness.stepped & harness.running & came_from.matches(*SEARCHING) & state.matches(State.waiting, State.finished)
    )
    harness.claim("a sure move is one more stone of the machine's", changed == _stone(last, 0), when=ended)
    harness.claim("a sure move goes to a place that was empty", free.bit_select(last, 1), when=ended)


CHIP1990_SEARCH = Property(
    name="chip1990-search",
    statement="a search of chip1990 takes back every trial stone, and no stone from before it ever changes",
    make=Core,
    claims=_claims,
)
