"""`noughts watch`: every step as a line, counts side by side, waves, and the same for programs."""

import json
import os
from pathlib import Path

import pytest

from noughts.cli.main import run
from noughts.games import game
from noughts.insight.searching import count, explain, find_how, search

SMALL = "XOX/OO./X.."


def test_every_step_is_a_sentence(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert run(["watch", "tictactoe", SMALL, "--how", "minimax"]) == 0
    tictactoe, how = game("tictactoe"), find_how("minimax")
    steps = list(search(tictactoe, tictactoe.read(SMALL), how))
    told = [explain(tictactoe, how, step, None) for step in steps]
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(maxsplit=1) for line in lines] == [[str(at), words] for at, words in enumerate(told)]


def test_no_line_is_longer_than_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    run(["watch", "tictactoe", "XOX/.O./..."])
    lines = capsys.readouterr().out.splitlines()
    assert 50 < max(map(len, lines)) <= 60
    assert all(line == line.rstrip() for line in lines)


def test_all_searches_are_counted_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    run(["watch", "tictactoe", "--counts"])
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows[1] == ["minimax", "549,946", "255,168", "0", "0", "844,724"]
    assert [row[0] for row in rows[1:]] == [
        "minimax",
        "alpha-beta",
        "table",
        "symmetries",
        "window",
        "figure1",
        "c1990",
    ]
    run(["watch", "tictactoe", "--counts", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["searches"][1]["counts"]["visited"] == 18_297


def test_the_steps_for_programs_are_those_of_the_search(capsys: pytest.CaptureFixture[str]) -> None:
    run(["watch", "tictactoe", SMALL, "--json"])
    found = json.loads(capsys.readouterr().out)
    tictactoe, how = game("tictactoe"), find_how("alpha-beta")
    steps = list(search(tictactoe, tictactoe.read(SMALL), how))
    assert found["counts"] == count(steps)._asdict()
    assert (found["value"], found["move"]) == (-1, "c2")
    assert [step["kind"] for step in found["steps"]] == [step.kind for step in steps]
    assert [step["position"] for step in found["steps"]] == [tictactoe.write(step.position) for step in steps]
    assert (found["steps"][0]["alpha"], found["steps"][0]["beta"]) == (None, None)


EXAMPLE = "XOX/OOX/..."


def test_a_small_tree_is_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "tree.svg"
    assert run(["watch", "tictactoe", EXAMPLE, "--how", "figure1", "--first", "c3", "--svg", str(file)]) == 0
    words = "Figure 1 of 1990, c3 first: 2 of 11 positions searched"
    assert capsys.readouterr().out == f"{file}: {words}\n"
    drawn = file.read_text()
    assert f">{words}</text>" in drawn
    assert drawn.count('class="gt-bar"') == 2
    assert "A, X plays a3, cut off, not searched" in drawn
    assert run(["watch", "tictactoe", EXAMPLE, "--counts", "--svg", str(file)]) == 0
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first == f"{file}: Alpha-beta: 11 of 11 positions searched"
    assert second.split()[0] == "search"


def test_the_steps_for_programs_have_letters_where_the_tree_is_small(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "tree.svg"
    run(["watch", "tictactoe", EXAMPLE, "--how", "minimax", "--json", "--svg", str(file)])
    found = json.loads(capsys.readouterr().out)
    entered = [step["letter"] for step in found["steps"] if step["kind"] in ("enter", "leaf")]
    assert entered == [None, *"ADEHBFIGJC"], "depth first"
    assert found["first"] is None
    assert file.exists()
    run(["watch", "tictactoe", "XOX/.O./...", "--json"])
    assert {step["letter"] for step in json.loads(capsys.readouterr().out)["steps"]} == {None}


def test_the_order_of_moves_changes_what_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    """Chapter 5 of the report of 2021: with C before A and B, and a search that knows what a win is worth."""
    visited = []
    for first in ([], ["--first", "c3"]):
        run(["watch", "tictactoe", EXAMPLE, "--counts", "--json", *first])
        searches = json.loads(capsys.readouterr().out)["searches"]
        visited.append({row["how"]: row["counts"]["visited"] for row in searches})
    in_order, c_first = visited
    assert [in_order[how] for how in ("minimax", "alpha-beta", "figure1", "c1990")] == [11, 11, 9, 9]
    assert [c_first[how] for how in ("minimax", "alpha-beta", "figure1", "c1990")] == [11, 7, 2, 2]


def test_where_stones_move_there_are_waves(capsys: pytest.CaptureFixture[str]) -> None:
    run(["watch", "three-mens-morris", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["waves"][0] == {"plies": 0, "value": "loss", "positions": 268, "classes": 42}
    assert sum(wave["positions"] for wave in found["waves"]) + found["draws"] == found["positions"] == 3_870


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tictactoe", "--how", "depth"], "'depth' is not a search: expected minimax, alpha-beta"),
        (["mnk:4,3,3", "--how", "c1990"], "'c1990' does not search mnk:4,3,3: expected minimax"),
        (["nine-mens-morris"], "nine-mens-morris is too large to watch: expected"),
        (
            ["tictactoe", "--svg", os.devnull],
            "the tree of '.../.../...' has more than 100 positions: expected one with",
        ),
        (
            ["achi", "--svg", os.devnull],
            "achi has no tree to draw, nor an order of moves: expected a game as tictactoe",
        ),
        (["tictactoe", "XOX/OOX/...", "--first", "a1"], "'a1' is not a legal move: a1 is occupied; expected one of a3"),
        (["tictactoe", "--how", "minimax", "--json"], "minimax takes more than 100,000 steps here: expected fewer"),
    ],
)
def test_what_cannot_be_watched_is_told_in_a_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    assert run(["watch", *arguments]) == 2
    captured = capsys.readouterr()
    assert words in captured.err
    assert captured.err.count("\n") == 1
