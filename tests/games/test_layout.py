"""Lines and neighbours of the boards, against published counts and the oracles' own geometry."""

import pytest

from catalogue_names import EVERY
from noughts.games import game
from oracles import oracle

LINES = {
    "tictactoe": 8,
    "square4": 10,
    "qubic": 76,
    "six-mens-morris": 8,
    "nine-mens-morris": 16,
    "mnk:4,3,3": 14,
}


@pytest.mark.parametrize(("name", "count"), LINES.items())
def test_the_number_of_lines(name: str, count: int) -> None:
    assert len(game(name).layout.lines) == count


@pytest.mark.parametrize("name", EVERY)
def test_the_points_stand_in_the_order_of_the_notation(name: str) -> None:
    assert list(game(name).layout.points) == list(oracle(name).names)


def test_the_corners_and_the_centre_of_qubic_lie_on_seven_lines() -> None:
    through = [len(lines) for lines in game("qubic").layout.lines_through]
    assert sorted(through) == [4] * 48 + [7] * 16


def test_the_nine_mens_morris_board_has_32_edges() -> None:
    layout = game("nine-mens-morris").layout
    assert len(layout.edges) == 32
    assert sorted(neighbours.bit_count() for neighbours in layout.neighbours) == [2] * 12 + [3] * 8 + [4] * 4
