"""What is proved of the referee that sees threats: its lines and its points in all cases, and how the board grows.

Which four points are a line is not for the solver, which was busy for minutes with all 76 of them: `ROWS` are made here
once more, from words, and the tests hold the lines of the circuit against them. Four points one step apart, in one of
thirteen directions: of a direction and its opposite one counts.
"""

from functools import reduce
from itertools import combinations, product
from operator import or_

from amaranth.hdl import Cat, Value

from noughts.silicon.designs.threats2026.referee import POINTS, Board, Line, Point
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


def _claim_line(harness: Harness, line: Line) -> None:
    """By the stones on its four points, of which none has two."""
    board = (line.x & line.o) == 0
    empty = ~(line.x | line.o)
    for side, own in enumerate((line.x, line.o)):
        three = _any([Cat(own[at] for at in range(4) if at != last).all() & empty[last] for last in range(4)])
        two = _any(
            [
                own[a] & own[b] & Cat(empty[at] for at in range(4) if at not in (a, b)).all()
                for a, b in combinations(range(4), 2)
            ]
        )
        harness.claim("row means four stones", line.row[side] == own.all(), when=board)
        harness.claim("three means three stones and an empty point", line.three[side] == three, when=board)
        harness.claim("two means two stones and two empty points", line.two[side] == two, when=board)


def _claim_point(harness: Harness, point: Point) -> None:
    """By the seven lines through a corner or a point of the middle; a point on four lines is the same with fewer."""
    for side in range(2):
        threes, twos = ([getattr(point, f"{name}{line}")[side] for line in range(7)] for name in ("three", "two"))
        forks = _any([one & two for one, two in combinations(twos, 2)])
        harness.claim("a point wins if it completes a line", point.wins[side] == (point.empty & _any(threes)))
        harness.claim("it threatens if it makes three", point.threatens[side] == (point.empty & _any(twos)))
        harness.claim("it forks if it makes three twice", point.forks[side] == (point.empty & forks))


def _claim_board(harness: Harness, board: Board) -> None:
    """A clock adds the stone that is played, if it is legal, and nothing else; whoever says that the game is over."""
    stepped = harness.stepped
    play, place, illegal, turn = (harness.past(pin) for pin in (board.play, board.place, board.illegal, board.turn))
    taken = _any([(board.place == point) & (board.x[point] | board.o[point]) for point in range(POINTS)])
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
        "threats2026-line",
        "a line of threats2026 tells rows, three of four and two of four of either side, and nothing else",
        make=Line,
        claims=_claim_line,
    ),
    Property(
        "threats2026-point",
        "a point of threats2026 wins, threatens or forks if and only if its lines say so, and only if it is empty",
        make=lambda: Point(7),
        claims=_claim_point,
    ),
    Property(
        "threats2026-board",
        "the referee of 4×4×4 adds the stone of a legal play, refuses the others, and lets the sides take turns",
        make=Board,
        claims=_claim_board,
    ),
)
