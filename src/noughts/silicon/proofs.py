"""What is proved of the parts, and the list of all that is proved here."""

from amaranth.hdl import Cat

from noughts.silicon.designs import DESIGNS
from noughts.silicon.formal import Harness, Property, claim_scan_path
from noughts.silicon.parts import (
    PLACES,
    BoardRegister,
    Counter,
    FullDetector,
    IllegalMoveDetector,
    NextFree,
    PositionDecoder,
    Stack,
    WinDetector,
)

__all__ = ["ROWS", "properties"]

# The board register changes one bit at a time, and an occupied place never, as long as moves go to empty ones.
#
# The register itself would take a stone away as willingly as set one: it is the rest of a chip that points it at empty
# places. So the last claim is made for clocks at which the addressed place is empty.


def _claim_board_register(harness: Harness, register: BoardRegister) -> None:
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
    claims=_claim_board_register,
)


# The win detector sees the eight lines, which are typed out here once more from the rules.

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


def _claim_win(harness: Harness, detector: WinDetector) -> None:
    stones = detector.stones
    rows = Cat(stones[first] & stones[second] & stones[third] for first, second, third in ROWS)
    harness.claim("wins is high if and only if one of the eight lines is filled", detector.wins == (rows != 0))


WIN = Property(
    name="win",
    statement="the win detector is high if and only if three stones fill a row, a column or a diagonal",
    make=WinDetector,
    claims=_claim_win,
)


# The full detector is high when no place is empty.


def _claim_full(harness: Harness, detector: FullDetector) -> None:
    empty = Cat(detector.board.word_select(place, 2) == 0 for place in range(PLACES))
    harness.claim("full is high if and only if no place is empty", detector.full == (empty == 0))


FULL = Property(
    name="full",
    statement="the full detector is high if and only if none of the nine places is empty",
    make=FullDetector,
    claims=_claim_full,
)


# The next-free chain finds the first empty place behind the one it starts from.
#
# What is claimed says nothing of a chain: a place is a *candidate* if it is empty and behind place i, or anywhere if
# i is not used; the answer is a candidate, and no candidate comes before it. An i that is no place is nowhere asked
# about.


def _claim_next_free(harness: Harness, chain: NextFree) -> None:
    asked = ~chain.usei | (chain.i < PLACES)
    candidates = Cat(
        (chain.board.word_select(place, 2) == 0) & (~chain.usei | (chain.i < place)) for place in range(PLACES)
    )
    harness.claim("last is high if and only if no empty place is left", chain.last == (candidates == 0), when=asked)
    for place in range(PLACES):
        found = asked & ~chain.last & (chain.place == place)
        harness.claim(f"place {place} is answered only if it is empty and behind i", candidates[place], when=found)
        harness.claim(f"place {place} is answered only if it is the first", candidates[:place] == 0, when=found)
    harness.claim("the answer is a place", chain.place < PLACES)
    harness.claim("the answer is 0 if no empty place is left", chain.place == 0, when=asked & chain.last)


NEXT_FREE = Property(
    name="next-free",
    statement="the next-free chain gives the first empty place behind i, or of all; last means that there is none",
    make=NextFree,
    claims=_claim_next_free,
)


# The illegal-move detector is high when somebody points at a stone.


def _claim_illegal(harness: Harness, detector: IllegalMoveDetector) -> None:
    on_stones = Cat(detector.at[place] & (detector.board.word_select(place, 2) != 0) for place in range(PLACES))
    harness.claim(
        "illegal is high if and only if a place that is pointed at has a stone", detector.illegal == (on_stones != 0)
    )


ILLEGAL = Property(
    name="illegal",
    statement="the illegal-move detector is high if and only if a place that is pointed at has a stone",
    make=IllegalMoveDetector,
    claims=_claim_illegal,
)


# The position decoder raises the line it is told to, and no other.


def _claim_decoder(harness: Harness, decoder: PositionDecoder) -> None:
    expected = Cat(decoder.enable & (decoder.index == line) for line in range(len(decoder.lines)))
    harness.claim("a line is high if and only if it is addressed and enable is high", decoder.lines == expected)


DECODER = Property(
    name="decoder",
    statement="the position decoder raises the addressed line and no other, and none while enable is low",
    make=PositionDecoder,
    claims=_claim_decoder,
)


# The counter counts, whatever else happens.


def _claim_counter(harness: Harness, counter: Counter) -> None:
    was = harness.past(counter.count)
    harness.claim(
        "the count is one more than in the cycle before",
        counter.count == (was + 1)[: len(was)],
        when=harness.began & ~harness.past(counter.scan),
    )
    claim_scan_path(harness, counter, counter.count)


COUNTER = Property(
    name="counter",
    statement="the counter is one more every cycle, through resets as well, and shifts by one bit when scanned",
    make=Counter,
    claims=_claim_counter,
)


# The stack gives back what was put on it.
#
# Three claims make a stack: a push puts the word on top; only a push changes words, and only the one at the pointer; a
# push and a pop leave the pointer and the word on top as they were. The pointer knows nothing of an end: that a chip
# never pushes too often is for the chip to show.


def _claim_stack(harness: Harness, stack: Stack) -> None:
    width = len(stack.sp)
    push = stack.push & ~stack.scan
    pop = stack.pop & ~stack.push & ~stack.scan
    pushed, popped, kept = (harness.past(did) for did in (push, pop, ~(push | pop | stack.scan)))
    sp, top = harness.past(stack.sp), harness.past(stack.top)
    step = harness.stepped

    harness.claim("a push raises the pointer by one", stack.sp == (sp + 1)[:width], when=step & pushed)
    harness.claim("a pop lowers the pointer by one", stack.sp == (sp - 1)[:width], when=step & popped)
    harness.claim("else the pointer stays", stack.sp == sp, when=step & kept)
    harness.claim("a push puts the word on top", stack.top == harness.past(stack.word), when=step & pushed)
    for level, word in enumerate(stack.words):
        untouched = step & (popped | kept | pushed & (sp != level))
        harness.claim(f"word {level} changes by a push at it alone", word == harness.past(word), when=untouched)

    there_and_back = step & popped & harness.past(step & pushed)
    harness.claim("a pop after a push brings the pointer back", stack.sp == harness.past(sp), when=there_and_back)
    harness.claim("a pop after a push brings the top back", stack.top == harness.past(top), when=there_and_back)
    claim_scan_path(harness, stack, Cat(stack.sp, *stack.words))


STACK = Property(
    name="stack",
    statement="a pop gives back what the push before it put on, and nothing else on the stack ever changes",
    make=Stack,
    claims=_claim_stack,
    depth=2,
)


def properties() -> dict[str, Property]:
    """All that is proved here, by name: of the parts, then of the designs."""
    of_parts = (BOARD_REGISTER, WIN, FULL, NEXT_FREE, ILLEGAL, DECODER, COUNTER, STACK)
    of_designs = (proved for design in DESIGNS.values() for proved in design.proofs())
    return {known.name: known for known in (*of_parts, *of_designs)}
