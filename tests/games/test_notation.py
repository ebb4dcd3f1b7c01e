"""Positions and moves survive being written and read; what is malformed is named."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalogue_names import ACHI, MORRIS, PLACING
from noughts.games import Game, NotationError, NoughtsError, Position, game

pytestmark = pytest.mark.slow

NAMES = [*PLACING, "arabian", "three-mens-morris", *ACHI[:8], *MORRIS]


@st.composite
def reached(draw: st.DrawFn, rules: Game) -> Position:
    """A position somewhere in a game."""
    random = Random(draw(st.integers(0, 2**32)))
    position = rules.start()
    for _ in range(draw(st.integers(0, 60))):
        moves = rules.moves(position)
        if not moves:
            break
        position = rules.after(position, random.choice(moves))
    return position


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_what_is_written_is_read_back(name: str, data: st.DataObject) -> None:
    rules = game(name)
    position = data.draw(reached(rules))
    text = rules.write(position)
    assert rules.read(text) == position
    assert rules.write(rules.read(text)) == text
    moves = rules.moves(position)
    for move in moves[:: 1 + len(moves) // 40]:
        assert rules.read_move(position, rules.write_move(move)) == move
        assert rules.read_move(position, f" {rules.write_move(move).upper()} ") == move


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=100, deadline=None)
@given(text=st.text(alphabet="XO./| xo0123456789,-ab", max_size=40) | st.text(max_size=20))
def test_any_other_text_is_refused_by_name(name: str, text: str) -> None:
    """Either it is a legal position, and survives, or a Noughts error says what is wrong."""
    rules = game(name)
    try:
        position = rules.read(text)
    except NoughtsError as error:
        said = str(error)
    else:
        assert rules.read(rules.write(position)) == position
        return
    assert "expected" in said or "neither" in said


@pytest.mark.parametrize(
    ("name", "text", "meaning"),
    [
        ("arabian", "XX./OO./...", "XX./OO./... x 1,1"),
        ("arabian", "XX./OO./... x", "XX./OO./... x 1,1"),
        ("arabian", "XX./OO./... 1,1", "XX./OO./... x 1,1"),
        ("arabian", "XXO/OOX/... o 0,0", "XXO/OOX/... o"),
        ("tictactoe", "X../.../... o", "X../.../..."),
        ("tictactoe", "xo./.../...", "XO./.../..."),
        ("arabian", "xx./oo./... X", "XX./OO./... x 1,1"),
        ("nine-mens-morris", ".../.../.../....../.../.../...", ".../.../.../....../.../.../... x 9,9"),
    ],
)
def test_what_the_cells_say_may_be_left_out(name: str, text: str, meaning: str) -> None:
    rules = game(name)
    assert rules.write(rules.read(text)) == meaning


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("tictactoe", "", "'' is not a board of this game: expected '.../.../...'"),
        ("tictactoe", "XO./.X.", "'XO./.X.' is not a board"),
        ("tictactoe", "xz./.../...", "'xz./.../...' is not a board of this game: expected '.../.../...' with X and O"),
        ("mnk:19,19,5", ".../.../...", "expected 361 cells X, O or ."),
        ("arabian", "XXO/OOX/...", "the side to move is missing: expected x or o"),
        ("arabian", "XX./OO./... z", "'z' in 'XX./OO./... z' is neither the side to move"),
        ("arabian", "XX./OO./... x o", "'o' in"),
    ],
)
def test_malformed_positions_are_named(name: str, text: str, words: str) -> None:
    with pytest.raises(NotationError) as caught:
        game(name).read(text)
    assert words in str(caught.value)


@pytest.mark.parametrize("text", ["", "b", "22", "b2-", "b2x", "b2-a1-c1", "b2 c3", "²", "b2\n\nc3"])
def test_malformed_moves_are_named(text: str) -> None:
    rules = game("tictactoe")
    with pytest.raises(NotationError) as caught:
        rules.read_move(rules.start(), text)
    assert repr(text) in str(caught.value)
    assert "expected a point as a1" in str(caught.value)


def test_a_point_off_the_board_is_named() -> None:
    rules = game("tictactoe")
    with pytest.raises(NotationError, match="'d4' is not a point of this board: expected a1 to c3"):
        rules.read_move(rules.start(), "d4")
