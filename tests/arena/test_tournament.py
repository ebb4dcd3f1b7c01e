"""Tournaments repeat, pair everybody with everybody, and rank by points."""

import json
from pathlib import Path

import pytest

from noughts.arena.confidence import wilson
from noughts.arena.tournament import (
    Pairing,
    Tournament,
    TournamentError,
    able_players,
    play_tournament,
    score_interval,
)
from noughts.cli.tournament import tournament
from noughts.games import NoughtsError, game
from noughts.players import UnknownPlayerError
from noughts.records import leaders, open_database

RULES = game("tictactoe")
NAMES = ["random", "novice", "c1990"]


def test_a_tournament_repeats_with_its_seed() -> None:
    played = [play_tournament(RULES, NAMES, 10, seed) for seed in (1, 1, 2)]
    assert played[0] == played[1]
    assert played[0].pairings != played[2].pairings


def test_everybody_plays_everybody() -> None:
    names = [*NAMES, "casual"]
    played = play_tournament(RULES, names, 3, 1)
    assert [{pairing.first, pairing.second} for pairing in played.pairings] == [
        {names[one], names[other]} for one in range(4) for other in range(one + 1, 4)
    ]
    assert all(sum(pairing[2:]) == 3 for pairing in played.pairings)
    assert all(standing.games == 9 for standing in played.standings())


def test_a_pairing_does_not_depend_on_who_else_plays() -> None:
    three, two = (play_tournament(RULES, names, 12, 5) for names in (NAMES, ["random", "c1990"]))
    assert two.pairings[0] in three.pairings


def test_players_of_a_pairing_begin_in_turn() -> None:
    """On a board where the first stone wins, each player wins the games it begins."""
    played = play_tournament(game("mnk:3,3,1"), ["random", "novice", "perfect"], 5, 1)
    assert [pairing[2:] for pairing in played.pairings] == [(3, 0, 2)] * 3


def test_progress_counts_all_games() -> None:
    seen: list[tuple[int, int]] = []
    play_tournament(RULES, NAMES, 4, 1, lambda done, total: seen.append((done, total)))
    assert seen == [(done, 12) for done in range(1, 13)]


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
    standings = play_tournament(RULES, ["random", "perfect", "c1990"], 10, 1).standings()
    assert standings[-1].player == "random"
    assert [one.losses for one in standings[:2]] == [0, 0]


def test_all_who_cannot_play_are_named_in_one_error() -> None:
    words = "c1990, basic1 cannot play 'achi': expected players among random, novice, casual, strong, perfect"
    with pytest.raises(TournamentError, match=words):
        play_tournament(game("achi"), ["random", "c1990", "basic1", "perfect"], 1, 1)


def test_who_can_play() -> None:
    assert able_players(game("achi")) == ["random", "novice", "casual", "strong", "perfect"]
    assert {"c1990", "chip1990", "knuth"} <= set(able_players(RULES))
    assert "human" not in able_players(RULES)
    assert "perfect" not in able_players(game("nine-mens-morris"))


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
        play_tournament(RULES, names, 1, 1)


def test_the_command_answers_programs(capsys: pytest.CaptureFixture[str]) -> None:
    tournament("tictactoe", NAMES, games=6, seed=1, json=True)
    found = json.loads(capsys.readouterr().out)
    played = play_tournament(RULES, NAMES, 6, 1)
    assert found.pop("seconds") >= 0
    assert found.pop("standings") == [
        {**one._asdict(), "score": one.score, "score_95": list(one.interval)} for one in played.standings()
    ]
    assert found.pop("pairings") == [pairing._asdict() for pairing in played.pairings]
    assert found == {"game": "tictactoe", "games": 6, "seed": 1, "saved": None}


def test_the_command_without_players_takes_all_who_can(capsys: pytest.CaptureFixture[str]) -> None:
    tournament("arabian", None, games=1, seed=1)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:2] == ["player", "score"]
    assert {line.split()[1] for line in lines[1:-1]} == set(able_players(game("arabian")))
    assert lines[-1].startswith("arabian: 1 games a pairing, seed 1, ")


def test_the_command_saves_for_the_web(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NOUGHTS_DATABASE_URL", f"sqlite:///{tmp_path}/noughts.db")
    tournament("tictactoe", NAMES, games=2, seed=1, save=True)
    assert capsys.readouterr().err == "saved as tournament 1\n"
    database = open_database()
    assert {one.player for one in leaders(database, "tictactoe")} == set(NAMES)
    database.close()


def test_a_database_that_cannot_be_opened_is_known_before_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_DATABASE_URL", "nonsense")
    with pytest.raises(NoughtsError, match="'nonsense' is not the URL of a database"):
        tournament("tictactoe", ["random", "nobody"], games=1, seed=1, save=True)
