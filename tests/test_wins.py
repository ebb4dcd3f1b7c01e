"""The longest wins in the documents are games by the rules: every move is legal, and X wins when it is said."""

import re
from pathlib import Path

import pytest

from noughts.games import Outcome, game

PAGE = (Path(__file__).parents[1] / "docs" / "morris-wins.md").read_text()
WIN = re.compile(
    r"^## (\d) against (\d): (\d+) plies to the first capture\n\n"
    r"`(.+)`, and after (\d+) plies .*\n\n```text\n([^`]+)```",
    re.M,
)
NINE = game("nine-mens-morris")


@pytest.mark.parametrize("win", WIN.findall(PAGE), ids=lambda win: f"{win[0]}-{win[1]}")
def test_a_win_is_played_by_the_rules(win: tuple[str, ...]) -> None:
    mover, other, capture, start, plies, text = win
    position = NINE.read(start)
    assert [stones.bit_count() for stones in position.stones] == [int(mover), int(other)]
    moves = text.split()
    assert len(moves) == int(plies)
    captures = [number for number, move in enumerate(moves, 1) if "x" in move]
    assert captures[0] == int(capture)
    for move in moves:
        assert NINE.over(position) is None
        position = NINE.after(position, NINE.read_move(position, move))
    assert NINE.over(position) is Outcome.LOSS
    assert position.turn == 1


def test_all_wins_of_the_page_are_seen() -> None:
    assert len(WIN.findall(PAGE)) == PAGE.count("## ") == 5
