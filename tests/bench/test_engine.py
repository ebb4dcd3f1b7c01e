"""The measurements of the engine: what they count is so, and the engine is ahead of those it is measured against."""

import pytest

from noughts.bench.engine import engine_player, kept, pattern_bot, points
from noughts.games import NoughtsError
from noughts.games import game as find_game
from noughts.games.playing import Playing

pytestmark = pytest.mark.slow


def test_the_pattern_bot_completes_its_rows_and_stops_others() -> None:
    game = find_game("mnk:6,6,4")
    playing = Playing.begin(game, game.play("c3", "a1", "c4", "a2", "c2", "e5"))
    assert game.write_move(pattern_bot(1)(playing)) in {"c1", "c5"}
    playing = Playing.begin(game, game.play("c3", "a1", "c4", "f2", "c2", "c1"))
    assert game.write_move(pattern_bot(1)(playing)) == "c5"


def test_at_fifteen_by_fifteen_the_engine_beats_the_pattern_bot() -> None:
    assert points(find_game("mnk:15,15,5"), engine_player(None, 20_000), pattern_bot, 4) >= 3


def test_points_go_to_the_winner_whatever_the_colour() -> None:
    game = find_game("mnk:5,5,3")  # whoever begins wins
    strong, weak = engine_player(None, 1_000), pattern_bot
    assert points(game, strong, weak, 4) + points(game, weak, strong, 4) == 4


@pytest.mark.parametrize("name", ["tictactoe", "achi"])
def test_small_games_are_played_without_a_mistake(name: str) -> None:
    found = kept(name, 40, nodes=20_000, seconds=None)
    assert (found.positions, found.kept) == (40, 40)
    assert not found.blunders


def test_a_short_look_makes_mistakes_that_are_counted() -> None:
    found = kept("arabian", 60, nodes=2, seconds=None)
    assert found.kept < found.positions == 60
    assert found.blunders.total() == found.positions - found.kept
    assert {kind.partition(":")[0] for kind in found.blunders} <= {"placing", "moving"}


def test_where_nothing_is_known_there_is_nothing_to_compare_with() -> None:
    with pytest.raises(NoughtsError, match="nothing to compare with at mnk:9,9,5"):
        kept("mnk:9,9,5", 1)
