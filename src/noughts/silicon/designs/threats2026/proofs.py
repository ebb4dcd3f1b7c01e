"""What is proved of the referee that sees threats: verdict and sets on every board, and how the board grows.

The 76 lines are made here once more, from words: four points one step apart, in one of thirteen directions; of a
direction and its opposite one counts. A board is any in which no point has two
stones, whether a game leads there or not.
"""

from functools import reduce
from itertools import product
from operator import or_

from amaranth.hdl import Cat, Value

from noughts.silicon.designs.threats2026.referee import POINTS, Board, ThreatFinder
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
    board = (finder.x & finder.o) == 0
    empty = ~(finder.x | finder.o)
    for side, other in (("x", "o"), ("o", "x")):
        own = stones[side]
        row = _any([Cat(own[point] for point in line).all() for line in ROWS])
        harness.claim(f"{side}_row means four in a row", getattr(finder, f"{side}_row") == row, when=board)
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
            harness.claim(words, getattr(finder, f"{side}_{name}") == Cat(truth), when=board)
    harness.claim("full means that no point is empty", finder.full == (empty == 0))


def _claim_board(harness: Harness, board: Board) -> None:
    """A clock adds the stone that is played, if it is legal, and nothing else; whoever says that the game is over."""
    stepped = harness.stepped
    play, place, illegal, turn = (harness.past(pin) for pin in (board.play, board.place, board.illegal, board.turn))
    taken = (board.x | board.o).bit_select(board.place, 1)
    played = Cat(play & ~illegal & (place == point) for point in range(POINTS))
    harness.claim(
        "a play is illegal if there is a stone or the game is over, and else legal",
        board.illegal == (board.play & (taken | board.over)),
    )
    harness.claim("no point has two stones", (board.x & board.o) == 0, when=harness.running)
    for side, after in enumerate((board.x, board.o)):
        words = f"the stones of {'XO'[side]} grow by its legal play, and by nothing else"
        changed = harness.past(after) ^ after
        harness.claim(words, changed == Cat(bit & (turn == side) for bit in played), when=stepped)
    passed = board.turn == turn ^ (play & ~illegal)
    harness.claim("a legal play passes the turn, and nothing else does", passed, when=stepped)


PROOFS = (
    Property(
        "threats2026-sets",
        "on every board of 4×4×4 the threat finder shows the points that win, threaten and fork, rows and a full board",
        make=ThreatFinder,
        claims=_claim_sets,
    ),
    Property(
        "threats2026-board",
        "the referee of 4×4×4 adds the stone of a legal play, refuses the others, and lets the sides take turns",
        make=Board,
        claims=_claim_board,
    ),
)
