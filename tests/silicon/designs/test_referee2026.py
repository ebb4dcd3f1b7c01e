"""The referees for any game: one for a game that nobody listed, and the listed ones as values."""

import pytest

from noughts.games import Move, game
from noughts.silicon.arbiter import DoesNotFitError
from noughts.silicon.designs.referee2026 import GAMES, referee, some_moves
from noughts.silicon.driver import IllegalPressError
from noughts.silicon.simulate.interpreted import Interpreted


@pytest.mark.parametrize(("name", "plies"), [("mnk:7,6,4", 3), ("six-mens-morris", 6)])
def test_a_game_that_is_not_listed_has_a_referee_all_the_same(name: str, plies: int) -> None:
    chip, played = referee(name), game(name)
    assert name not in GAMES
    keys = chip.driver(Interpreted(chip))
    keys.begin(user_first=True)
    position = played.start()
    for text in some_moves(played, plies):
        move = played.read_move(position, text)
        assert keys.play(move) == 2
        position = played.after(position, move)
        assert keys.stones() == position.stones[::-1]
        with pytest.raises(IllegalPressError, match="is not a move: the rules do not allow it here"):
            keys.play(Move(move.to))
        assert keys.stones() == position.stones[::-1]
    assert not keys.is_over


def test_the_referee_of_three_mens_morris_says_who_has_won() -> None:
    chip = referee("three-mens-morris")
    pins = Interpreted(chip)
    keys = chip.driver(pins)
    keys.begin(user_first=True)
    played, position = game("three-mens-morris"), game("three-mens-morris").start()
    for text in ("a1", "a2", "b1", "c2", "c3", "b3", "c3-b2", "b3-a3"):
        move = played.read_move(position, text)
        keys.play(move)
        position = played.after(position, move)
    assert (pins.get("hand_x"), pins.get("hand_o"), keys.is_over) == (0, 0, False)
    keys.play(Move(played.layout.index["c1"], played.layout.index["b2"]))
    assert (pins.get("x_won"), pins.get("o_won"), pins.get("draw"), pins.get("movable")) == (1, 0, 0, 0)
    with pytest.raises(IllegalPressError, match="the game is over"):
        keys.play(Move(4))


def test_a_game_that_does_not_fit_has_no_referee() -> None:
    with pytest.raises(DoesNotFitError, match="81 points"):
        referee("mnk:9,9,5").make()
