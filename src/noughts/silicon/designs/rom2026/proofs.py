"""What is proved of the chip with a ROM: its four rules, its board, and that a reply comes in time.

The lines of 4×4 are typed here once more, and the rules are written from their prose, in numbers of stones: what a
point *wins* is a line with three stones of one side and the point itself empty; it *forks* if it lies on two lines
that have two stones of one side each and are empty else.

That the moves keep the value is not proved, but every game is played (`noughts silicon check`).
"""

from functools import reduce
from operator import add, or_
from typing import Any

from amaranth.hdl import Cat, Const, Mux, Value

from noughts.games import game as find_game
from noughts.silicon.designs.rom2026 import State
from noughts.silicon.designs.rom2026.circuit import RomChip, Rules
from noughts.silicon.designs.rom2026.orders import ORDERS
from noughts.silicon.formal import Harness, Property

__all__ = ["PROOFS"]

_GAME = "square4"
_ROWS = (
    *((row, row + 1, row + 2, row + 3) for row in (0, 4, 8, 12)),
    *((column, column + 4, column + 8, column + 12) for column in (0, 1, 2, 3)),
    (0, 5, 10, 15),
    (3, 6, 9, 12),
)
"""Across, down, and aslant."""
_POINTS = 16


def _sides(board: Value) -> tuple[Value, Value]:
    """The stones of the chip, and those of the user."""
    return Cat(board[2 * point] for point in range(_POINTS)), Cat(board[2 * point + 1] for point in range(_POINTS))


def _number(stones: Value, points: tuple[int, ...]) -> Value:
    return reduce(add, (stones[point] for point in points))


def _claim_rules(harness: Harness, rules: Rules) -> None:
    chip, user = _sides(rules.board)
    wins, blocks, forks, takes = (
        [_sum_of_lines(own, other, stones, point) for point in range(_POINTS)]
        for stones in (3, 2)
        for own, other in ((chip, user), (user, chip))
    )
    real = (chip & user) == 0
    empty = ~(chip | user)[:_POINTS]
    named: Value = empty
    for counted, least in ((takes, 2), (forks, 2), (blocks, 1), (wins, 1)):
        points = empty & Cat(lines >= least for lines in counted)
        named = Mux(points.any(), points, named)
    harness.claim("named are the points of the first rule that names any, else all empty ones", rules.named == named,
                  when=real)  # fmt: skip


def _sum_of_lines(own: Value, other: Value, stones: int, point: int) -> Value:
    """On how many lines through a point one side has so many stones, and the other none."""
    lines = [line for line in _ROWS if point in line]
    return reduce(add, ((_number(own, line) == stones) & (_number(other, line) == 0) for line in lines))


def _claim_chip(harness: Harness, chip: Any) -> None:
    running, state, order = harness.running, chip.state, ORDERS[_GAME]
    mine, users = _sides(chip.board)
    harness.claim("no point has two stones", (mine & users) == 0, when=running)
    harness.claim("there are three states", state <= State.look.value, when=running)
    began = running & (state == State.begin)
    harness.claim("the board is empty at first", (chip.board == 0) & (chip.step == 0), when=began)
    rows = [reduce(or_, (_number(stones, row) == 4 for row in _ROWS)) for stones in (mine, users)]
    ended = rows[0] | rows[1] | (mine | users).all()
    waits = state == State.wait
    harness.claim("over: a row, or a full board", chip.over == (waits & ended), when=running)
    harness.claim("win: a row of the chip's", chip.win == (waits & rows[0]), when=running)
    harness.claim("it waits for the user until the end", chip.waiting == (waits & ~ended), when=running)
    # It looks at its order, point after point; what it has passed was not named.
    looks = running & (state == State.look) & ~ended
    named = chip.rules.named
    harness.claim("some empty point is named", (named != 0) & ((named & (mine | users)) == 0), when=looks)
    for step in range(1, _POINTS):
        passed = [named[second] & chip.second | named[first] & ~chip.second
                  for first, second in zip(order[0][:step], order[1][:step], strict=True)]  # fmt: skip
        harness.claim(
            f"at step {step} no point before it is named", ~Cat(passed).any(), when=looks & (chip.step == step)
        )
    harness.claim("the last step of the order is named at the latest", chip.hit, when=looks & (chip.step == 15))
    _claim_changes(harness, chip)


def _claim_changes(harness: Harness, chip: Any) -> None:
    """What a clock changes."""
    stepped = harness.stepped & harness.running
    board, state, key, over, hit = (
        harness.past(value) for value in (chip.board, chip.state, chip.key, chip.ended, chip.hit)
    )
    (mine, users), (mine_now, users_now) = _sides(board), _sides(chip.board)
    harness.claim("no stone is taken away", (board & ~chip.board) == 0, when=stepped)
    added, added_users = mine_now & ~mine, users_now & ~users
    waited, looked = stepped & (state == State.wait.value), stepped & (state == State.look.value)
    free = (key & ~(mine | users))[:_POINTS]
    lowest = (free & -free)[:_POINTS]
    harness.claim("the user's stone is that of the lowest key on an empty point", added_users == Mux(over, 0, lowest),
                  when=waited)  # fmt: skip
    harness.claim("the chip adds none meanwhile", added == 0, when=waited)
    harness.claim("it looks when the user has moved", (chip.state == State.look) == (added_users != 0), when=waited)
    harness.claim("the user adds none while it looks", added_users == 0, when=looked)
    named, point = harness.past(chip.rules.named), harness.past(chip.rom.point)
    place = Cat((point == at) & hit & ~over for at in range(_POINTS))
    harness.claim("it sets the point that it looks at, if that is named", added == (place & named), when=looked)
    goes_on = (chip.state == State.look) == (~hit & ~over)
    harness.claim("then it waits", goes_on, when=looked)
    harness.claim("at the beginning nobody adds a stone", (added | added_users) == Const(0, _POINTS),
                  when=stepped & (state == State.begin.value))  # fmt: skip


PROOFS = (
    Property(
        "rom2026-rules",
        "the points that rom2026 names are those of the first of its four rules that names any, else all empty ones",
        make=lambda: Rules(find_game(_GAME).layout),
        claims=_claim_rules,
    ),
    Property(
        "rom2026-chip",
        "rom2026 replies within 16 clocks, adds a named empty point, takes no stone away, and sees the end",
        make=lambda: RomChip(find_game(_GAME).layout, ORDERS[_GAME]),
        claims=_claim_chip,
        clock="clk",
        reset="rst",
    ),
)
