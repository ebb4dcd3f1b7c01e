"""Boards as text."""

import pytest

from catalogue_names import EVERY
from noughts.cli.draw import draw
from noughts.games import game as find_game

NINE = """\
   a  b  c  d  e  f  g
 1 ·────────X────────O
   │        │        │
 2 │  ·─────X─────·  │
   │  │     │     │  │
 3 │  │  ·──·──·  │  │
   │  │  │     │  │  │
 4 ·──O──·     ·──·──·
   │  │  │     │  │  │
 5 │  │  ·──·──·  │  │
   │  │     │     │  │
 6 │  ·─────·─────·  │
   │        │        │
 7 ·────────·────────·"""

QUBIC = """\
level 1      level 2
   a b c d      a b c d
 1 X · · ·    1 · · · ·
 2 · · · ·    2 · O · ·
 3 · · · ·    3 · · · ·
 4 · · · ·    4 · · · ·

level 3      level 4
   a b c d      a b c d
 1 · · · ·    1 · · · ·
 2 · · · ·    2 · · · ·
 3 · · · ·    3 · · · ·
 4 · · · ·    4 · · · ·"""


def test_the_morris_board() -> None:
    game = find_game("nine-mens-morris")
    assert draw(game, game.play("d2", "b4", "d1", "g1")).plain == NINE


def test_the_cube_in_a_narrow_terminal() -> None:
    game = find_game("qubic")
    assert draw(game, game.play("1a1", "2b2"), width=30).plain == QUBIC


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("unicode", [True, False])
def test_every_board_shows_its_stones_where_the_notation_has_them(name: str, unicode: bool) -> None:
    game = find_game(name)
    points = game.layout.points
    position = game.play(points[0], points[-1], *([points[1]] if len(points) > 2 else []))
    picture = draw(game, position, unicode=unicode).plain
    body = "".join(line[2:] for line in picture.splitlines() if line[:2].strip().isdigit())
    assert body.count("X") == 2
    assert body.count("O") == 1
    assert body.index("X") < body.index("O")
    assert unicode or picture.isascii()


def test_marks_are_styles() -> None:
    game = find_game("tictactoe")
    text = draw(game, game.play("b2"), marks={4: "reverse"})
    styles = [str(span.style) for span in text.spans if text.plain[span.start : span.end] == "X"]
    assert styles == ["bold cyan reverse"]
