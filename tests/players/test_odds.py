"""The exact odds of a player's moves: they are those of `choose`."""

from collections import Counter
from math import sqrt
from random import Random

import pytest

from noughts.games import game as find_game
from noughts.players import PLAYERS, player
from noughts.players.chance import NoOddsError, enumerate_odds


def test_draws_of_every_kind_are_followed() -> None:
    def tangled(chance: Random) -> str:
        number = chance.random()
        if number < 0.25:
            return "low"
        if number < 0.75:
            return chance.choice(["middle", "low"])
        return "last" if chance.randrange(3) == 2 else "high"

    assert enumerate_odds(tangled) == pytest.approx({"low": 0.5, "middle": 0.25, "high": 1 / 6, "last": 1 / 12})


def test_chances_of_nothing_and_of_certainty_are_not_drawn() -> None:
    assert enumerate_odds(lambda chance: (chance.random() < 0, chance.random() >= 1)) == {(False, False): 1.0}


@pytest.mark.parametrize("draw", [lambda c: c.uniform(-1, 1), lambda c: c.shuffle([1, 2]), lambda c: c.gauss(0, 1)])
def test_what_cannot_be_enumerated_is_refused(draw) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(NoOddsError):
        enumerate_odds(draw)


@pytest.mark.parametrize(
    ("name", "wanted", "moves"),
    [
        ("random", "achi", "b2 a1"),
        ("level2", "tictactoe", "a1 b2 a2"),
        ("level4", "tictactoe", "b2 a1 c1"),
        ("level6", "arabian", "b2 a1 c1 a3 a2 c2"),
        ("perfect", "tictactoe", "b2"),
        ("knuth", "tictactoe", ""),
        ("chip1990", "tictactoe", ""),
    ],
)
def test_a_player_chooses_as_often_as_its_odds_say(name: str, wanted: str, moves: str) -> None:
    game, games = find_game(wanted), 1500
    position = game.play(*moves.split())
    playing = player(name, seed=5)
    odds = playing.odds(game, position)
    assert sum(odds.values()) == pytest.approx(1)
    chosen = Counter(playing.choose(game, position).move for _ in range(games))
    assert set(chosen) <= set(odds) <= set(game.moves(position))
    for move, likely in odds.items():
        # Five standard deviations: all of these fail together once in some ten thousand seeds; this seed is fixed.
        assert abs(chosen[move] - games * likely) <= 5 * sqrt(games * likely * (1 - likely))


@pytest.mark.parametrize("name", [name for name in PLAYERS if name != "human"])
def test_every_player_has_odds_where_no_clock_and_no_search_decides(name: str) -> None:
    game = find_game((PLAYERS[name].plays_only or ("tictactoe",))[0])
    for moves in ((), ("b2",)) if len(game.layout) == 9 else ((),):
        odds = player(name).odds(game, game.play(*moves))
        assert sum(odds.values()) == pytest.approx(1)
        assert set(odds) <= set(game.moves(game.play(*moves)))


def test_asking_for_odds_draws_nothing() -> None:
    game = find_game("tictactoe")
    one, other = player("level4", 3), player("level4", 3)
    one.odds(game, game.start())
    assert [one.choose(game, game.start()).move for _ in range(9)] == [
        other.choose(game, game.start()).move for _ in range(9)
    ]


def test_a_level_that_searches_is_sampled_and_not_judged() -> None:
    game = find_game("square4")
    with pytest.raises(NoOddsError, match="level5 can be sampled at square4, but not judged exactly: it calculates"):
        player("level5").odds(game, game.play("b2"))
