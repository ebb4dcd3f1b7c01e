"""What is proved of the one-cycle player, whichever logic it has: its board, its haste, and its verdict.

The definitions are written from the rules and from what the pins are said to mean. All of it is proved of the whole
chip, pins and all, with every key, switch and reset free in every cycle; and free is also what the logic answers. So
nothing has to be proved again when a smaller netlist takes the place of the one that is there.

What is then left to the logic is proved of every record by itself (`noughts silicon prove logic-A`): in each position
in play its answer is one move that keeps the value. That it is asked about the board as it is, and that its answer
is the stone that is set, is among the claims here; both together are what a user sees.
"""

from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Any

from amaranth.hdl import Cat, Elaboratable, Module, Mux, Value
from amaranth.lib.wiring import Component, In, Out

from noughts.silicon.designs.noughts2026.chip import Chip
from noughts.silicon.formal import Harness, Property
from noughts.silicon.parts import PLACES
from noughts.silicon.proofs import ROWS

__all__ = ["PROOFS"]


def _has_row(stones: Value) -> Value:
    return reduce(or_, (stones[one] & stones[two] & stones[three] for one, two, three in ROWS))


class OpenLogic(Component):
    """What stands for the logic: it answers what it is told to."""

    mine: In(PLACES)
    theirs: In(PLACES)
    answer: In(PLACES)
    move: Out(PLACES)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.d.comb += self.move.eq(self.answer)
        return m


class OpenChip(Chip):
    """The chip, with one bundle of pins more: what the logic answers."""

    answer: In(PLACES)

    def __init__(self) -> None:
        super().__init__(OpenLogic())

    def elaborate(self, platform: object) -> Elaboratable:
        m: Any = super().elaborate(platform)
        m.d.comb += self.logic.answer.eq(self.answer)
        return m


def _claim_stones(harness: Harness, chip: Any) -> None:
    """What carries the other claims."""
    harness.claim("a stone of the chip's is a stone", (chip.own & ~chip.stone) == 0, when=harness.running)


def _claim_board(harness: Harness, chip: Any) -> None:
    """How the board changes, and how not."""
    stepped = harness.stepped & harness.running
    stone, own, key, mine, waiting, over = (
        harness.past(pin) for pin in (chip.stone, chip.own, chip.key, chip.mine, chip.waiting, chip.over)
    )
    added, owned = chip.stone & ~stone, chip.own & ~own
    replied = stepped & ~waiting & ~over
    _claim_stones(harness, chip)
    harness.claim("no stone is ever taken away", (stone & ~chip.stone) == 0, when=stepped)
    harness.claim("no stone of the chip's becomes the user's", (own & ~chip.own) == 0, when=stepped)
    keyed = stepped & waiting
    harness.claim("a key adds one stone, or none", (added & (added - 1)) == 0, when=keyed)
    harness.claim("where no key is down, no stone is added", (added & ~key) == 0, when=keyed)
    harness.claim("a key on a free place adds a stone", added != 0, when=keyed & ((key & ~stone) != 0))
    harness.claim("mine says whose it is", owned == Mux(mine, added, 0), when=keyed)
    harness.claim("after the end nothing is added", (added | owned) == 0, when=stepped & over)
    replies = harness.running & ~chip.waiting & ~chip.over
    asked = Cat(chip.logic.mine, chip.logic.theirs) == Cat(chip.own, chip.stone & ~chip.own)
    harness.claim("the logic is asked about the board as it is", asked, when=replies)
    answer = harness.past(chip.answer)
    harness.claim("a reply adds what the logic answers", added == (answer & ~stone), when=replied)
    harness.claim("a reply is the chip's", owned == (answer & ~own), when=replied)
    answers_free = (answer & stone) == 0
    harness.claim("a free place as answer changes no stone", owned == added, when=replied & answers_free)


def _claim_haste(harness: Harness, chip: Any) -> None:
    """The chip is busy for one cycle after a key, or after go, and never for two."""
    stepped = harness.stepped & harness.running
    waiting, over = harness.past(chip.waiting), harness.past(chip.over)
    asked = ((chip.key & ~chip.stone) != 0) & ~chip.quiet | chip.go
    called = harness.past(asked)
    harness.claim("who asks for a reply gets the next cycle", ~chip.waiting, when=stepped & waiting & called)
    harness.claim("who does not ask gets none", chip.waiting | chip.over, when=stepped & waiting & ~called)
    harness.claim("one cycle later it waits, or the game is over", chip.waiting | chip.over, when=stepped & ~waiting)
    harness.claim("it does not wait for moves that cannot be made", ~(chip.waiting & chip.over), when=harness.running)
    harness.claim("what is over stays over", chip.over, when=stepped & over)


def _claim_verdict(harness: Harness, chip: Any) -> None:
    """Over and won are what the rules say, in every game that is not set up; else of who has moved last."""
    _claim_stones(harness, chip)
    user, own, turn = chip.stone & ~chip.own, chip.own, chip.control.turn
    running = harness.running
    ends = _has_row(own), _has_row(user), chip.stone.all()
    last = Mux(turn, ends[1], ends[0])
    harness.claim("won: the chip has moved last, and has a row", chip.won == (ends[0] & ~turn), when=running)
    harness.claim("over: who moved last has a row, or the board is full", chip.over == (last | ends[2]), when=running)
    # High from the first cycle on in which stones may be set up, until a reset.
    tampered = harness.held(~chip.rst, when=chip.rst | chip.mine | chip.quiet)
    played = running & ~tampered
    harness.claim("while the user is to move he has no row", ~ends[1], when=played & ~turn)
    harness.claim("while the chip is to move it has no row", ~ends[0], when=played & turn)
    harness.claim("played, over is a row or a full board", chip.over == (ends[0] | ends[1] | ends[2]), when=played)
    harness.claim("played, won is a row of the chip's", chip.won == ends[0], when=played)


def _property(name: str, statement: str, claims: Callable[[Harness, Any], None]) -> Property:
    return Property(f"noughts2026-{name}", statement, make=OpenChip, claims=claims, clock="clk", reset="rst")


PROOFS = (
    _property(
        "board",
        "a key adds at most one stone, a reply what the logic answers about the board, and no stone is taken away",
        _claim_board,
    ),
    _property(
        "haste",
        "the reply comes one clock after the key or after go, whatever is pressed, and none comes unasked",
        _claim_haste,
    ),
    _property(
        "verdict",
        "over and won mean a row or a full board, and a row of the chip's",
        _claim_verdict,
    ),
)
