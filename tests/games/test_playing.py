"""A game in progress: moves, taking back, results, repetition."""

import pytest

from noughts.games import IllegalMoveError, Outcome, game
from noughts.games.playing import Playing


def played(name: str, *moves: str) -> Playing:
    playing = Playing.begin(game(name))
    for text in moves:
        playing = playing.then(playing.game.read_move(playing.position, text))
    return playing


def test_a_row_wins() -> None:
    playing = played("tictactoe", "a1", "b1", "a2", "b2", "a3")
    assert playing.result is not None
    assert (playing.result.winner, playing.result.reason) == (0, "a row")
    assert playing.result.outcome(0) is Outcome.WIN
    assert playing.result.outcome(1) is Outcome.LOSS


def test_a_full_board_is_a_draw() -> None:
    playing = played("tictactoe", "a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3", "c3")
    assert playing.result is not None
    assert playing.result.winner is None
    assert playing.result.outcome(1) is Outcome.DRAW


def test_the_third_repetition_is_a_draw() -> None:
    start = ["a1", "b1", "c1", "a2", "b3", "c3"]
    around = ["a1-b2", "b1-a1", "b2-b1", "a1-b2", "b1-a1", "b2-b1"]
    playing = played("arabian", *start)
    assert playing.result is None
    for number in range(2):
        for text in around:
            assert playing.result is None, number
            playing = playing.then(playing.game.read_move(playing.position, text))
    assert playing.positions.count(playing.position) == 3
    assert playing.result is not None
    assert playing.result.winner is None
    assert "third time" in playing.result.reason


def test_taking_back_stops_at_the_beginning() -> None:
    playing = played("tictactoe", "a1", "b1", "c1")
    assert playing.back(2) == played("tictactoe", "a1")
    assert playing.back(99) == played("tictactoe")


@pytest.mark.parametrize(
    ("moves", "wrong", "words"),
    [
        (["b2"], "b2", "'b2' is not a legal move: b2 is occupied; expected one of a1, b1, c1"),
        (["a1"], "a1-b2", "the rules do not allow it here"),
        (["a1", "b1", "a2", "b2", "a3"], "c3", "the game is over at 'XO./XO./X..'"),
    ],
)
def test_illegal_moves_say_why(moves: list[str], wrong: str, words: str) -> None:
    playing = played("tictactoe", *moves)
    with pytest.raises(IllegalMoveError) as caught:
        playing.game.read_move(playing.position, wrong)
    assert words in str(caught.value)


def test_a_mill_must_capture() -> None:
    playing = played("nine-mens-morris", "a1", "b2", "d1", "d2")
    with pytest.raises(IllegalMoveError, match="it closes a mill, so it must capture; expected one of"):
        playing.game.read_move(playing.position, "g1")
    assert playing.game.read_move(playing.position, "g1xb2")


def test_losing_the_last_but_two_and_a_blockade_are_told_apart() -> None:
    rules = game("nine-mens-morris")
    short = Playing.begin(rules, rules.read("XXX/.../.../....../.../.../.OO o"))
    stuck = Playing.begin(rules, rules.read("XXX/.O./.../O....O/.../.../XO. x"))
    assert short.result is not None
    assert short.result.reason == "fewer than 3 stones"
    assert stuck.result is not None
    assert (stuck.result.winner, stuck.result.reason) == (1, "a blockade")
