"""What is proved of the one-cycle player: its board, its haste, its verdict, and the worth of its moves.

The definitions are written from the rules and from what the pins are said to mean. All of it is proved of the whole
chip, pins and all, with every key, switch and reset free in every cycle; so that what is claimed of the logic is
claimed of whichever netlist has been built in.

A board is *in play* if there are as many stones of both sides, or one more of the user's, and neither has a row, nor is
it full: the chip may be to move there. What it does if it is told to `go` on another board, set up against the rules,
is its own affair.
"""

from collections.abc import Callable, Sequence
from functools import reduce
from operator import add, or_
from typing import Any

from amaranth.hdl import Elaboratable, Module, Mux, Value
from amaranth.lib.wiring import Component, In, Out

from noughts.games import game
from noughts.silicon.designs.noughts2026 import DESIGN
from noughts.silicon.designs.noughts2026.chip import Chip
from noughts.silicon.formal import Harness, Property
from noughts.silicon.logic.best import best
from noughts.silicon.logic.component import Logic
from noughts.silicon.parts import PLACES
from noughts.silicon.proofs import ROWS
from noughts.solve import solve

__all__ = ["PROOFS"]


def _has_row(stones: Value) -> Value:
    return reduce(or_, (stones[one] & stones[two] & stones[three] for one, two, three in ROWS))


def _is_one(lines: Value) -> Value:
    return (lines != 0) & ((lines & (lines - 1)) == 0)


def _in_play(stone: Value, own: Value) -> Value:
    """Whether the chip may be to move on this board."""
    user = stone & ~own
    owns, users = (reduce(add, (stones[place] for place in range(PLACES))) for stones in (own, user))
    return ((users == owns) | (users == owns + 1)) & ~_has_row(own) & ~_has_row(user) & ~stone.all()


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
    replied_in_play = replied & _in_play(stone, own)
    harness.claim("a reply is what the logic says", added == harness.past(chip.logic.move), when=replied_in_play)
    harness.claim("a reply adds one stone", _is_one(added), when=replied_in_play)
    harness.claim("a reply is the chip's, and changes no other stone", owned == added, when=replied_in_play)


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


# The worth of its moves.
#
# The values are those of the solution (`noughts.solve`), which knows nothing of chips. They are put beside the chip as
# a circuit: it asks what is on one place after the other, until the moves that keep the value are the same in all
# positions in play that are left.

_Entry = tuple[tuple[int, ...], int]


def _entries() -> list[_Entry]:
    """Every position in play: nothing (0), the mover's stone (1) or the other's (2) a place, and the keeping moves."""
    tictactoe = game("tictactoe")
    solution = solve(tictactoe)
    found = []
    for position in solution.positions():
        if tictactoe.over(position) is None:
            worth = solution.value(position).outcome
            good = [one.move.to for one in solution.moves(position) if one.value.outcome is worth]
            keeping = sum(1 << place for place in good if place is not None)
            mine, theirs = position.stones[position.turn], position.stones[1 - position.turn]
            board = tuple((mine >> place & 1) + 2 * (theirs >> place & 1) for place in range(PLACES))
            found.append((board, keeping))
    return found


class Solution(Component):
    """The moves that keep the value, a line a place, in positions in play; elsewhere anything."""

    stone: In(PLACES)
    own: In(PLACES)
    keeping: Out(PLACES)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        self._ask(m, _entries(), 0)
        return m

    def _ask(self, m: Module, entries: Sequence[_Entry], place: int) -> None:
        if len({keeping for _, keeping in entries}) == 1:
            m.d.comb += self.keeping.eq(entries[0][1])
            return
        parts = [[entry for entry in entries if entry[0][place] == stone] for stone in range(3)]
        conditions = (~self.stone[place], self.own[place], self.stone[place] & ~self.own[place])
        for part, condition in zip(parts, conditions, strict=True):
            if part:
                with m.If(condition):
                    self._ask(m, part, place + 1)


class ChipBesideSolution(Chip):
    """The chip, and what the solution says of its board."""

    def __init__(self, logic: Any) -> None:
        super().__init__(logic)
        self.solution = Solution()

    def elaborate(self, platform: object) -> Elaboratable:
        m: Any = super().elaborate(platform)
        m.submodules.solution = self.solution
        m.d.comb += [self.solution.stone.eq(self.stone), self.solution.own.eq(self.own)]
        return m


def _beside_solution() -> ChipBesideSolution:
    return ChipBesideSolution(Logic(best("A")))


def _claim_value(harness: Harness, chip: Any) -> None:
    """Of what the logic says in the cycle before the reply; that this is what is set is claimed of the board."""
    _claim_stones(harness, chip)
    asked = harness.running & ~chip.waiting & ~chip.over & _in_play(chip.stone, chip.own)
    move = chip.logic.move
    harness.claim("the logic says one move", _is_one(move), when=asked)
    harness.claim("the move keeps the value", (move & ~chip.solution.keeping) == 0, when=asked)


def _property(
    name: str, statement: str, claims: Callable[[Harness, Any], None], make: Callable[[], Any] = DESIGN.make
) -> Property:
    return Property(f"noughts2026-{name}", statement, make=make, claims=claims, clock="clk", reset="rst")


PROOFS = (
    _property(
        "board",
        "a key adds at most one stone, a reply one of the chip's own, and no stone ever changes, on boards in play",
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
    _property(
        "value",
        "on every board in play, set up or come to, whoever began, the reply is one move that keeps the value",
        _claim_value,
        _beside_solution,
    ),
)
