"""A leader table says what the latest tournament of a game says."""

from datetime import UTC, datetime, timedelta

import postgres
import pytest

from noughts.arena import Pairing, Standing, Tournament, play_tournament
from noughts.games import game
from noughts.records import Database, RecordError, latest_tournaments, leaders, save_tournament

pytestmark = pytest.mark.slow

database = postgres.database
database_url = postgres.database_url

PAIRINGS = [
    Pairing("casual", "novice", 6, 2, 2),
    Pairing("casual", "perfect", 0, 3, 7),
    Pairing("novice", "perfect", 0, 1, 9),
]


def test_pairings_add_up_to_standings(database: Database) -> None:
    save_tournament(database, Tournament("tictactoe", 1, 10, PAIRINGS))
    assert leaders(database, "tictactoe") == [
        Standing("perfect", 20, 16, 4, 0),
        Standing("casual", 20, 6, 5, 9),
        Standing("novice", 20, 2, 3, 15),
    ]
    assert [standing.score for standing in leaders(database, "tictactoe")] == [0.9, 0.425, 0.175]


def test_the_table_agrees_with_the_tournament(database: Database) -> None:
    played = play_tournament(game("tictactoe"), ["random", "novice", "casual", "c1990"], 4, 1)
    save_tournament(database, played)
    assert [tuple(one) for one in leaders(database, "tictactoe")] == [tuple(one) for one in played.standings()]


def test_the_latest_tournament_of_the_game_counts(database: Database) -> None:
    save_tournament(database, Tournament("tictactoe", 1, 10, PAIRINGS))
    second = save_tournament(database, Tournament("tictactoe", 2, 1, [Pairing("c1990", "random", 1, 0, 0)]))
    third = save_tournament(database, Tournament("achi", 2**63, 1, [Pairing("novice", "random", 0, 0, 1)]))
    assert [one.player for one in leaders(database, "tictactoe")] == ["c1990", "random"]
    assert [one.player for one in leaders(database, "achi")] == ["random", "novice"]
    latest = latest_tournaments(database)
    assert [(one.id, one.game, one.seed) for one in latest] == [(third, "achi", 2**63), (second, "tictactoe", 2)]
    assert all(abs(one.played_at - datetime.now(UTC)) < timedelta(minutes=1) for one in latest)


@pytest.mark.parametrize("name", ["qubic", "", "nul \0", "x" * 5000, "' OR 1=1 --"])
def test_a_game_without_tournaments_has_no_leaders(database: Database, name: str) -> None:
    save_tournament(database, Tournament("tictactoe", 1, 10, PAIRINGS))
    assert leaders(database, name) == []


def test_equal_scores_are_told_apart_by_wins_and_then_by_names(database: Database) -> None:
    pairings = [Pairing("b", "a", 0, 2, 0), Pairing("d", "c", 1, 0, 1)]
    save_tournament(database, Tournament("achi", 1, 2, pairings))
    assert [one.player for one in leaders(database, "achi")] == ["c", "d", "a", "b"]


@pytest.mark.parametrize(
    ("played", "words"),
    [
        (Tournament("", 1, 1, []), "the game '' has 0 characters"),
        (Tournament("achi", 10**50, 1, []), "has 51 characters: expected 1 to 40"),
        (Tournament("achi", 1, 1, [Pairing("a" * 61, "b", 1, 0, 0)]), "has 61 characters: expected 1 to 60"),
        (Tournament("achi", 1, 1, [Pairing("a", "b\0", 1, 0, 0)]), r"the player 'b\\x00' cannot be saved"),
        (Tournament("achi", 1, 1, [Pairing("a", "b", 2, -1, 0)]), "are not wins, draws and losses"),
        (Tournament("achi", 1, 1, [Pairing("a", "b", 2**31, 0, 0)]), "are not wins, draws and losses"),
    ],
)
def test_what_cannot_be_saved_is_named_and_nothing_is_saved(database: Database, played: Tournament, words: str) -> None:
    with pytest.raises(RecordError, match=words):
        save_tournament(database, played)
    assert latest_tournaments(database) == []
