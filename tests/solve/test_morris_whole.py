"""Morris games solved whole, stones in hand and all, are what another solver makes of the prose of their rules.

On boards so small that every position that play reaches can be looked at: one square, and the nine points of
tic-tac-toe, where up to four mills meet in a point and stones slide along diagonals.
"""

from dataclasses import replace
from functools import cache
from itertools import product

import pytest

from morris_six import InMemory
from noughts.games import Game, NoughtsError, Position, game
from noughts.games.layout import grid, nested_squares
from noughts.solve.morris import retrograde
from noughts.solve.morris.processor import Processor
from noughts.solve.morris.retrograde import solve_morris
from noughts.solve.morris.table import Probe
from oracles.base import State
from oracles.boards import (
    grid as nine_points,
)
from oracles.boards import (
    morris_board,
    morris_mills,
    morris_neighbours,
    small_board_neighbours,
    straight_lines,
)
from oracles.morris import MorrisGame
from oracles.morris_whole import solve_whole

pytestmark = pytest.mark.slow

BOARDS = {
    "square": (nested_squares(1), (morris_board(1), morris_mills(1), morris_neighbours(1))),
    "nine": (
        grid(3, 3, 3, adjacency="lines"),
        (nine_points(3, 3), straight_lines(3, 3, 3), small_board_neighbours("lines")),
    ),
}


@cache
def small(board: str, stones: int, flying: bool, lasker: bool, full: bool) -> tuple[Game, MorrisGame]:
    """A morris game on a small board: ours, and the oracle's."""
    rules = replace(
        game("six-mens-morris").rules,
        stones=(stones, stones),
        flying=3 if flying else 0,
        moving_while_placing=lasker,
        full_board_draws=full,
    )
    layout, (points, mills, neighbours) = BOARDS[board]
    told = MorrisGame(points, stones, mills, neighbours, flying, lasker, full)
    return Game(board, layout, rules, "a small morris", "Small"), told


def position_of(state: State) -> Position:
    """A position of the oracle as ours."""
    x, o = (sum(1 << point for point, cell in enumerate(state.cells) if cell == side) for side in "XO")
    return Position((x, o), state.hands, "xo".index(state.turn))


@pytest.mark.parametrize(
    ("board", "stones", "flying", "lasker", "full"),
    [
        *(("square", 4, *options) for options in product((True, False), repeat=3)),
        ("nine", 3, True, False, False),
        ("nine", 4, True, False, False),
        ("nine", 4, True, True, False),
    ],
)
def test_every_position_has_the_value_that_its_rules_give_it(
    board: str, stones: int, flying: bool, lasker: bool, full: bool
) -> None:
    ours, told = small(board, stones, flying, lasker, full)
    probe = Probe(InMemory(ours, list(solve_morris(ours))), ours)
    expected = solve_whole(told)
    values = {probe.value(position_of(state)).remoteness for state in expected}
    wrong = {
        state: (found, plies)
        for state, plies in expected.items()
        if (found := probe.value(position_of(state)).remoteness) != plies
    }
    assert not wrong
    assert {0, 1, 2} <= values


def test_a_win_that_is_too_long_for_a_byte_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six men's morris has losses in 112 plies."""
    monkeypatch.setattr(retrograde, "DEEPEST", 30)
    depths: list[int] = []

    class Noting(Processor):
        def push(self, depth: int) -> int:
            depths.append(depth)
            return super().push(depth)

    with pytest.raises(NoughtsError, match=r"six-mens-morris has wins at \d-\d that take more than 30 plies: expected"):
        list(solve_morris(game("six-mens-morris"), 6, engine=Noting()))
    assert max(depths) <= 30, "it is said as soon as the first one turns up"
