"""Matches and tournaments repeat, count, rank by points, and are sure of themselves to a stated degree."""

import pytest

from noughts.arena import (
    Pairing,
    Tournament,
    TournamentError,
    able_players,
    match_so_far,
    play_game,
    play_match,
    play_tournament,
    score_interval,
    tournament_so_far,
    wilson,
)
from noughts.games import NoughtsError, game
from noughts.players import CannotPlayError, UnknownPlayerError, player

TICTACTOE = game("tictactoe")
NAMES = ["random", "novice", "c1990"]


def test_a_match_repeats_with_its_seed() -> None:
    matches = [play_match(TICTACTOE, ("novice", "casual"), 60, seed) for seed in (1, 1, 2)]
    assert matches[0] == matches[1] != matches[2]
    assert matches[0].wins + matches[0].draws + matches[0].losses == 60


def test_players_begin_in_turn() -> None:
    """On a board where the first stone wins, each player wins the games it begins."""
    match = play_match(game("mnk:3,3,1"), ("random", "perfect"), 11, 1)
    assert (match.wins, match.draws, match.losses) == (6, 0, 5)
    assert match.score == 6 / 11


def test_perfect_players_draw() -> None:
    match = play_match(TICTACTOE, ("perfect", "c1990"), 40, 1)
    assert (match.draws, match.score) == (40, 0.5)


def test_a_game_without_end_is_a_draw_by_repetition() -> None:
    playing, result = play_game(game("arabian"), (player("perfect", 1), player("perfect", 2)))
    assert result.winner is None
    assert playing.positions.count(playing.position) == 3


def test_a_player_must_know_the_game() -> None:
    with pytest.raises(CannotPlayError, match="c1990 plays only tictactoe"):
        play_match(game("achi"), ("random", "c1990"), 1, 1)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (81, 263, 0.2553, 0.3662)],
)
def test_wilson(successes: int, trials: int, low: float, high: float) -> None:
    """Published examples of the score interval, 95 %."""
    assert wilson(successes, trials) == pytest.approx((low, high), abs=2e-4)


def test_a_tournament_repeats_with_its_seed() -> None:
    played = [play_tournament(TICTACTOE, NAMES, 10, seed) for seed in (1, 1, 2)]
    assert played[0] == played[1]
    assert played[0].pairings != played[2].pairings


def test_everybody_plays_everybody() -> None:
    names = [*NAMES, "casual"]
    played = play_tournament(TICTACTOE, names, 3, 1)
    assert [{pairing.first, pairing.second} for pairing in played.pairings] == [
        {names[one], names[other]} for one in range(4) for other in range(one + 1, 4)
    ]
    assert all(sum(pairing[2:]) == 3 for pairing in played.pairings)
    assert all(standing.games == 9 for standing in played.standings())


def test_a_pairing_does_not_depend_on_who_else_plays() -> None:
    three, two = (play_tournament(TICTACTOE, names, 12, 5) for names in (NAMES, ["random", "c1990"]))
    assert two.pairings[0] in three.pairings


def test_players_of_a_pairing_begin_in_turn() -> None:
    """On a board where the first stone wins, each player wins the games it begins."""
    played = play_tournament(game("mnk:3,3,1"), ["random", "novice", "perfect"], 5, 1)
    assert [pairing[2:] for pairing in played.pairings] == [(3, 0, 2)] * 3


def test_standings_are_by_points() -> None:
    """A draw is half a point: two draws and two losses are worth as much as one win and three losses."""
    pairings = [Pairing("a", "b", 0, 2, 2), Pairing("a", "c", 1, 0, 3), Pairing("b", "c", 4, 0, 0)]
    standings = Tournament("tictactoe", 1, 4, pairings).standings()
    assert [(one.player, one.games, one.score) for one in standings] == [
        ("b", 8, 7 / 8),
        ("c", 8, 3 / 8),
        ("a", 8, 1 / 4),
    ]
    assert [(one.wins, one.draws, one.losses) for one in standings] == [(6, 2, 0), (3, 0, 5), (1, 2, 5)]
    assert standings[1].interval == wilson(3, 8)


@pytest.mark.parametrize(("wins", "draws"), [(0, 0), (3, 4), (3, 5), (0, 9), (10, 0)])
def test_an_interval_holds_the_score(wins: int, draws: int) -> None:
    low, high = score_interval(wins, draws, 10)
    score = (wins + draws / 2) / 10
    assert 0 <= low <= score <= high + 1e-9 <= 1 + 1e-9
    assert low == wilson(wins + draws // 2, 10)[0]
    assert high == wilson(wins + (draws + 1) // 2, 10)[1]


def test_perfect_players_are_equal_and_random_is_last() -> None:
    standings = play_tournament(TICTACTOE, ["random", "perfect", "c1990"], 10, 1).standings()
    assert standings[-1].player == "random"
    assert [one.losses for one in standings[:2]] == [0, 0]


def test_all_who_cannot_play_are_named_in_one_error() -> None:
    words = "c1990, basic1 cannot play 'achi': expected players among random, novice, casual, strong, expert, perfect"
    with pytest.raises(TournamentError, match=words):
        play_tournament(game("achi"), ["random", "c1990", "basic1", "perfect"], 1, 1)


def test_who_can_play() -> None:
    levels = [f"level{number}" for number in range(1, 9)]
    assert able_players(game("achi")) == ["random", "novice", "casual", "strong", "expert", "perfect", *levels]
    assert {"c1990", "chip1990", "knuth"} <= set(able_players(TICTACTOE))
    assert "human" not in able_players(TICTACTOE)
    assert "perfect" not in able_players(game("nine-mens-morris"))


def test_a_match_is_told_after_each_game() -> None:
    told = list(match_so_far(TICTACTOE, ("novice", "casual"), 7, 3))
    assert told == [play_match(TICTACTOE, ("novice", "casual"), games, 3) for games in range(1, 8)]


def test_a_tournament_is_told_after_each_game() -> None:
    told = list(tournament_so_far(TICTACTOE, NAMES, 4, 1))
    assert [one.played for one in told] == list(range(1, 13))
    assert [len(one.pairings) for one in told] == [1] * 4 + [2] * 4 + [3] * 4
    assert told[-1] == play_tournament(TICTACTOE, NAMES, 4, 1)


@pytest.mark.parametrize(
    ("names", "error", "words"),
    [
        ([], TournamentError, "nobody cannot play alone: expected two players or more"),
        (["random"], TournamentError, "random cannot play alone"),
        (["random", "novice", "random"], TournamentError, "'random' is named more than once"),
        (["random", "nobody"], UnknownPlayerError, "'nobody' is not a player"),
        (["random", "human"], UnknownPlayerError, "'human' is not a player that moves by itself"),
    ],
)
def test_players_who_cannot_hold_a_tournament(names: list[str], error: type[NoughtsError], words: str) -> None:
    with pytest.raises(error, match=words):
        play_tournament(TICTACTOE, names, 1, 1)
