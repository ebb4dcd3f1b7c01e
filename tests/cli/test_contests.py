"""The commands in which players meet; what they show when they are interrupted."""

import json
from pathlib import Path
from typing import Any

import pytest

from noughts.arena import able_players, match, play_tournament
from noughts.cli.contests import tournament
from noughts.cli.main import run
from noughts.games import NoughtsError, game
from noughts.records import leaders, open_database

TICTACTOE = game("tictactoe")
NAMES = ["random", "novice", "c1990"]


def test_the_command_answers_programs(capsys: pytest.CaptureFixture[str]) -> None:
    tournament("tictactoe", NAMES, games=6, seed=1, json=True)
    found = json.loads(capsys.readouterr().out)
    played = play_tournament(TICTACTOE, NAMES, 6, 1)
    assert found.pop("seconds") >= 0
    assert found.pop("standings") == [
        {**one._asdict(), "score": one.score, "score_95": list(one.interval)} for one in played.standings()
    ]
    assert found.pop("pairings") == [pairing._asdict() for pairing in played.pairings]
    assert found == {"game": "tictactoe", "games": 6, "seed": 1, "saved": None, "complete": True}


def test_the_command_without_players_takes_all_who_can(capsys: pytest.CaptureFixture[str]) -> None:
    tournament("arabian", None, games=1, seed=1)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:2] == ["player", "score"]
    assert {line.split()[1] for line in lines[1:-1]} == set(able_players(game("arabian")))
    assert lines[-1].startswith("arabian: 1 game a pairing, seed 1, ")


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


MATCH = ["match", "tictactoe", "random", "novice", "--games", "9", "--seed", "4"]
TOURNAMENT = ["tournament", "tictactoe", *NAMES, "--games", "4", "--seed", "4"]


def interrupt(monkeypatch: pytest.MonkeyPatch, game_number: int) -> None:
    """Ctrl-C in the middle of a game, counted from 1."""
    begun, play_game = [0], match.play_game

    def play(*arguments: Any) -> Any:
        begun[0] += 1
        if begun[0] == game_number:
            raise KeyboardInterrupt
        return play_game(*arguments)

    monkeypatch.setattr(match, "play_game", play)


def test_an_interrupted_match_shows_what_was_played(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt(monkeypatch, 6)
    assert run(MATCH) == 130
    out, err = capsys.readouterr()
    assert out.startswith("random against novice, 5 games of tictactoe, seed 4\n")
    assert err == "interrupted after 5 of 9 games\n"


def test_an_interrupted_match_answers_programs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    five = match.play_match(TICTACTOE, ("random", "novice"), 5, 4)
    interrupt(monkeypatch, 6)
    assert run([*MATCH, "--json"]) == 130
    found = json.loads(capsys.readouterr().out)
    assert [found[key] for key in ("games", "wins", "draws", "losses")] == [5, five.wins, five.draws, five.losses]
    assert found["complete"] is False


def test_a_match_interrupted_in_its_first_game_has_nothing_to_show(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt(monkeypatch, 1)
    assert run(MATCH) == 130
    assert capsys.readouterr() == ("", "")


def test_an_interrupted_tournament_shows_what_was_played_and_does_not_save_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOUGHTS_DATABASE_URL", f"sqlite:///{tmp_path}/noughts.db")
    interrupt(monkeypatch, 6)
    assert run([*TOURNAMENT, "--save"]) == 130
    out, err = capsys.readouterr()
    assert {line.split()[1] for line in out.splitlines()[1:-1]} == set(NAMES)  # random has met both others
    assert err == "interrupted after 5 of 12 games, and not saved\n"
    database = open_database()
    assert leaders(database, "tictactoe") == []
    database.close()
    assert run([*TOURNAMENT, "--json"]) == 0, "the next one is whole"
    assert json.loads(capsys.readouterr().out)["complete"] is True


@pytest.mark.parametrize(("moves", "title"), [("0", "1 class after 0 moves"), ("1", "3 classes after 1 move:")])
def test_one_move_is_not_one_moves(moves: str, title: str, tmp_path: Path) -> None:
    assert run(["knuth", "plot", str(tmp_path / "x.svg"), "--picture", "classes", "--moves", moves]) == 0
    assert title in (tmp_path / "x.svg").read_text()


def test_one_game_is_not_one_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["match", "tictactoe", "random", "random", "--games", "1"]) == 0
    assert capsys.readouterr().out.startswith("random against random, 1 game of tictactoe, seed 1\n")
