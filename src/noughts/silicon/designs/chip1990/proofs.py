"""What is proved of the chip of 1990: its board, its scan path, its stack and its search."""

from functools import reduce
from itertools import pairwise
from operator import add, xor
from typing import Any

from amaranth.hdl import Cat, Mux, Value

from noughts.silicon.designs.chip1990 import State
from noughts.silicon.designs.chip1990.circuit import Core
from noughts.silicon.formal import Harness, Property, claim_scan_path, claim_scan_time
from noughts.silicon.parts import occupied

__all__ = ["PROOFS", "claim_board", "claim_room", "claim_search"]


def _places(core: Core) -> int:
    """How many places the board has: nine in 1990, others where its blocks serve another game."""
    return len(core.led) // 2


# The board of the chip of 1990 changes by one stone a cycle, and a key never touches a stone that is there.
#
# This is true whatever the registers hold, so that no reset needs to have been. It is not true of the random first
# move: after stones have been set up by hand, that goes where it likes.


def claim_board(harness: Harness, core: Core) -> None:
    """Claim how the board changes."""
    was, state, bykey = (harness.past(value) for value in (core.led, core.fsm.statereg, core.board.bykey))
    stepped = harness.stepped & ~harness.past(core.scan)
    changed = was ^ core.led
    harness.claim("at most one bit of the board changes", (changed & (changed - 1)) == 0, when=stepped)
    by_user = stepped & (bykey | (state == State.waiting))
    for place in range(_places(core)):
        before, after = was.word_select(place, 2), core.led.word_select(place, 2)
        harness.claim(f"a key leaves a stone on place {place} alone", before == after, when=by_user & (before != 0))


CHIP1990_BOARD = Property(
    name="chip1990-board",
    statement="at most one stone is set or taken a cycle in chip1990, and no key ever changes an occupied place",
    make=Core,
    claims=claim_board,
)


# The scan path of the chip of 1990 goes through all of its 97 register bits.
#
# It is proved block by block, the blocks being joined end to end: where all registers of a block can be seen, they
# shift by one bit; where some cannot, a bit takes as many clocks to come through as there are registers.


def _claim_scan(harness: Harness, core: Core) -> None:
    claim_scan_time(harness, core.keyboard, 9)
    claim_scan_path(harness, core.board, Cat(core.led, core.board.scanout))
    claim_scan_time(harness, core.move, 3 + 4 + 4)
    claim_scan_time(harness, core.value, 2 + 1 + 1)
    claim_scan_path(harness, core.stack, Cat(core.sp, *core.stack.words))
    claim_scan_path(harness, core.fsm, core.fsm.statereg)

    path: list[Any] = [core.keyboard, core.board, core.move, core.value, core.stack, core.fsm]
    for before, after in pairwise(path):
        harness.claim("a block hands on to the next", after.scanin == before.scanout)
    harness.claim("the first block starts at the pin", path[0].scanin == core.scanin)
    harness.claim("the last block ends at the pin", core.scanout == path[-1].scanout)
    harness.claim("all blocks scan together", Cat(block.scan for block in path) == core.scan.replicate(len(path)))


CHIP1990_SCAN = Property(
    name="chip1990-scan",
    statement="the scan path of chip1990 goes through all of its registers, a bit a clock",
    make=Core,
    claims=_claim_scan,
    depth=3 + 4 + 4,
)


# The stack of the chip of 1990 never overflows.
#
# Its pointer counts to seven, and an eighth push would bring it back to 0: the chip would take the depths of its
# search for the surface. That no run does this cannot be seen from one cycle to the next, so that further claims
# carry the proof. The idea is to count stones: at a push the board has a trial stone for every word on the stack, one
# for the move in hand, and one from before the search; and a push is made only while a place is still empty. So at a
# push
#
#     words on the stack + 2 ≤ occupied places ≤ 8.
#
# The other claims say that a trial stone is always set on an empty place: i is a place, so are the i's that are kept
# on the stack, and outside a search the stack is empty. Which stones these are, and whose, does not matter.

SEARCHING = (State.setboardi, State.rating, State.returned)
"""The states of a search."""


def claim_room(harness: Harness, core: Core) -> None:
    """Claim that a push finds room, and what carries this."""
    sp, i, places = core.sp, core.i, _places(core)
    in_state = {state: harness.running & (core.fsm.statereg == state) for state in State}
    taken = occupied(core.led)
    stones = reduce(add, (taken[place] for place in range(places)))

    harness.claim("a push finds room", sp < len(core.stack.words) - 1, when=harness.running & core.fsm.call)

    for state in State:
        if state in SEARCHING:
            harness.claim(f"in state {state.name} i is a place", i < places, when=in_state[state])
        else:
            harness.claim(f"in state {state.name} the stack is empty", sp == 0, when=in_state[state])
    for level, word in enumerate(core.stack.words):
        harness.claim(f"word {level} holds a place", word[: len(i)] < places, when=harness.running & (level < sp))
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


# The search of the chip of 1990 takes back every trial stone, and leaves all others alone.
#
# The chip has no copy of the board: it sets stones where it thinks, and takes them away by inverting the same bits
# again. So the board must at all times be what the search *found*, with the bits of all trials inverted: for each
# word on the stack the bit of its i, the machine's at even levels and the user's at odd ones, and that of the i in
# hand once it is set. All of these are places that were empty. When a search ends, the board is as it was found, or
# has one stone of the machine's more.
#
# Where the machine then moves if no trial ended the search is register m's business, and not claimed: in a lost
# position that was set up by hand no move is better than −1, and m is left from before.


def _stone(core: Core, place: Value, side: Value | int) -> Value:
    """The bit of the board for a stone of one side."""
    return Cat((place == bit // 2) & (side == bit % 2) for bit in range(2 * _places(core)))


def claim_search(harness: Harness, core: Core) -> None:
    """Claim what a search leaves behind, and what carries this."""
    claim_room(harness, core)
    state, sp, i = core.fsm.statereg, core.sp, core.i
    # p is the last register of its block, so that scanout shows it.
    p = core.board.scanout
    harness.claim("p is the side whose turn it is at this depth", p == sp[0], when=harness.running)

    found = harness.held(core.led, when=state == State.userjustmoved)
    free = ~occupied(found)
    kept = [word[: len(i)] for word in core.stack.words]
    trials = [Mux(level < sp, _stone(core, place, level % 2), 0) for level, place in enumerate(kept)]
    in_hand = Mux(state == State.setboardi, 0, _stone(core, i, sp[0]))
    searching = harness.running & state.matches(*SEARCHING)
    expected = reduce(xor, trials, found ^ in_hand)
    harness.claim("the board is what was found, and all trials", core.led == expected, when=searching)
    harness.claim("a trial is on a place that was empty", free.bit_select(i, 1), when=searching)
    for level, place in enumerate(kept):
        was_free = free.bit_select(place, 1)
        harness.claim(f"trial {level} is on a place that was empty", was_free, when=searching & (level < sp))

    changed = found ^ core.led
    for place in range(_places(core)):
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
    harness.claim("a sure move is one more stone of the machine's", changed == _stone(core, last, 0), when=ended)
    harness.claim("a sure move goes to a place that was empty", free.bit_select(last, 1), when=ended)


CHIP1990_SEARCH = Property(
    name="chip1990-search",
    statement="a search of chip1990 takes back every trial stone, and no stone from before it ever changes",
    make=Core,
    claims=claim_search,
)


PROOFS = (CHIP1990_BOARD, CHIP1990_SCAN, CHIP1990_SEARCH, CHIP1990_STACK)
"""All of them."""
