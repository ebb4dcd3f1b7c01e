"""What is proved of the referee that sees threats: verdict and sets on every board, and how the board grows.

The 76 lines are made here once more, from words: four points one step apart, in one of thirteen directions; of a
direction and its opposite one counts. All boards are 2^128 bits, whatever stands on them: a solver goes through them.
"""

from functools import reduce
from itertools import product
from operator import or_

from amaranth.hdl import Cat, Value

from noughts.silicon.designs.threats2026.referee import POINTS, Referee, ThreatFinder
from noughts.silicon.formal import Harness, Property

__all__ = ["PROOFS", "ROWS"]


def _rows() -> list[tuple[int, ...]]:
    """Four points in a straight line: those that begin at a border and end at the opposite one, in every direction."""
    rows = []
    for step in product((-1, 0, 1), repeat=3):
        if step > (0, 0, 0):
            borders = [{-1: (3,), 0: (0, 1, 2, 3), 1: (0,)}[by] for by in step]
            for level, row, column in product(*borders):
                rows.append(
                    tuple(
                        16 * (level + far * step[0]) + 4 * (row + far * step[1]) + column + far * step[2]
                        for far in range(4)
                    )
                )
    return rows


ROWS = _rows()


def _any(values: list[Value]) -> Value:
    return reduce(or_, values)


def _claim_sets(harness: Harness, finder: ThreatFinder) -> None:
    """Set by set, point by point: if and only if."""
    stones = {"x": finder.x, "o": finder.o}
    empty = ~(finder.x | finder.o)
    for side, other in (("x", "o"), ("o", "x")):
        own = stones[side]
        row = _any([Cat(own[point] for point in line).all() for line in ROWS])
        harness.claim(f"{side}_row means four in a row", getattr(finder, f"{side}_row") == row)
        wins, threats, forks = [], [], []
        for point in range(POINTS):
            rest = [[at for at in line if at != point] for line in ROWS if point in line]
            open_ = [~Cat(stones[other][at] for at in three).any() for three in rest]
            count = [sum((own[at] for at in three), start=own[three[0]] & 0) for three in rest]
            wins.append(empty[point] & _any([number == 3 for number in count]))
            third = [free & (number == 2) for free, number in zip(open_, count, strict=True)]
            threats.append(empty[point] & _any(third))
            forks.append(empty[point] & (sum(third, start=third[0] & 0) > 1))
        for name, truth in (("wins", wins), ("threats", threats), ("forks", forks)):
            words = f"{side}_{name} are the points that the words mean, and no others"
            harness.claim(words, getattr(finder, f"{side}_{name}") == Cat(truth))
    harness.claim("full means that no point is empty", finder.full == (empty == 0))


def _claim_board(harness: Harness, referee: Referee) -> None:
    """A clock adds the stone that is played, if it is legal, and nothing else."""
    stepped = harness.stepped & harness.running
    play, place, illegal, turn = (
        harness.past(pin) for pin in (referee.play, referee.place, referee.illegal, referee.turn)
    )
    x, o = harness.past(referee.x), harness.past(referee.o)
    taken = (referee.x | referee.o).bit_select(referee.place, 1)
    over = referee.x_won | referee.o_won | referee.full
    played = Cat(play & ~illegal & (place == point) for point in range(POINTS))
    harness.claim(
        "a play is illegal if there is a stone or the game is over, and else legal",
        referee.illegal == (referee.play & (taken | over)),
    )
    harness.claim("no point has two stones", (referee.x & referee.o) == 0, when=harness.running)
    for side, (before, after) in enumerate(((x, referee.x), (o, referee.o))):
        changed = before ^ after
        words = f"the stones of {'xo'[side].upper()} grow by its legal play, and by nothing else"
        harness.claim(words, changed == Cat(bit & (turn == side) for bit in played), when=stepped)
    harness.claim(
        "a legal play passes the turn, and nothing else does", referee.turn == turn ^ (play & ~illegal), when=stepped
    )


PROOFS = (
    Property(
        "threats2026-sets",
        "on every board of 4×4×4 the threat finder shows the points that win, threaten and fork, rows, and a full board",
        make=ThreatFinder,
        claims=_claim_sets,
    ),
    Property(
        "threats2026-board",
        "the referee of 4×4×4 adds the stone of a legal play, refuses the others, and lets the sides take turns",
        make=Referee,
        claims=_claim_board,
        clock="clk",
        reset="rst",
    ),
)
