"""Shells that complete what is being typed are told commands, games, players and designs."""

import pytest

from noughts.cli.main import run
from noughts.games.catalogue import KINDS
from noughts.players import PLAYERS
from noughts.silicon.designs import DESIGNS

GAMES = [kind.example for kind in KINDS]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("noughts tr", ["transcript"]),
        ("noughts silicon tr", ["trace"]),
        ("noughts solve ", GAMES),
        ("noughts value a", ["arabian", "achi"]),
        ("noughts puzzle six", ["six-mens-morris"]),
        ("noughts review th", ["three-mens-morris"]),
        ("noughts match tictactoe ", list(PLAYERS)),
        ("noughts match tictactoe perfect kn", ["knuth"]),
        ("noughts tournament achi perfect cas", ["casual"]),
        ("noughts play --o elem", ["elements2021"]),
        ("noughts move achi --player exp", ["expert"]),
        ("noughts beat basic", ["basic1", "basic2", "basic3", "basicf"]),
        ("noughts silicon pins ", list(DESIGNS)),
        ("noughts play --as", ["--as-slow-as-1977"]),
        ("noughts value zzz", []),
    ],
)
def test_what_bash_is_told(
    line: str, expected: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("_NOUGHTS_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(line.split(" ")) - 1))
    assert run([]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert captured.out.split() == expected


@pytest.mark.parametrize(("line", "code"), [("noughts value a", 0), ("noughts value zzz", 1)])
def test_fish_is_told_by_the_exit_code_whether_there_is_anything(
    line: str, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_NOUGHTS_COMPLETE", "complete_fish")
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "is-args")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", line)
    assert run([]) == code


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_for_a_shell_asks_noughts(
    shell: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("_NOUGHTS_COMPLETE", f"source_{shell}")
    assert run([]) == 0
    assert f"_NOUGHTS_COMPLETE=complete_{shell}" in capsys.readouterr().out
