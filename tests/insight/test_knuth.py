"""Knuth's classes and graph, against an implementation straight from his definitions."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from noughts.cli.main import run
from noughts.games import Position
from noughts.games import game as find_game
from noughts.insight.graphbase import Arc, Graph, Vertex, write
from noughts.insight.knuth import classes, in_words, opinion
from noughts.insight.tictactoe2 import Program, printed
from noughts.insight.tictactoe_graph import as_graphbase, graph
from noughts.solve.difficulty import VARIANTS, difficulties
from oracles import knuth as oracle

pytestmark = pytest.mark.slow

GAME = find_game("tictactoe")


def cells(position: Position) -> oracle.Position:
    x, o = position.stones
    return tuple("X" if x >> p & 1 else "O" if o >> p & 1 else " " for p in range(9))


@pytest.mark.parametrize("variant", VARIANTS)
def test_scores_digits_and_followers_of_all_positions(variant: str) -> None:
    measure = VARIANTS[variant]
    early, losing = measure.wins == "early", measure.digits == "losing"
    known = difficulties(GAME, measure)
    vertices, _ = graph()
    assert {cells(vertex.position) for vertex in vertices} == set(oracle.positions())
    for vertex in vertices:
        place = cells(vertex.position)
        appraisal = known.appraise(vertex.position)
        assert appraisal.score == oracle.score(place, early)
        assert appraisal.digits[:8] == oracle.difficulty(place, early, losing)
        found = {cells(GAME.after(vertex.position, move)) for move in known.optimal_moves(vertex.position)}
        assert found == set(oracle.followers(place, early, losing))
        assert vertex.name == oracle.name(place)


def test_classes_leaders_and_sizes() -> None:
    found = list(classes())
    assert {cells(one.leader.position) for one in found} == set(oracle.classes())
    assert len(found) == 765
    for one in found:
        place = cells(one.leader.position)
        assert one.size == oracle.size(place)
        assert {cells(follower.position) for follower in one.followers} == set(oracle.followers(place))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            ".../.../...",
            "With best play it is a draw. You face 5 wrong moves; after the best one your opponent faces 7",
        ),
        ("XO./.X./..O", "You can force a win, at move 7 of the game. You face 3 wrong moves"),
        ("XX./OO./...", "You can force a win, at move 5 of the game. From here on the best moves are plain to see."),
        ("X.X/.O./X.O", "Your opponent can force a win, at move 7"),
        ("XOX/XOO/OX.", "plain to see"),
    ],
)
def test_in_words(text: str, words: str) -> None:
    position = GAME.read(text)
    assert words in in_words(opinion(position).appraisal, position.occupied.bit_count())


def test_an_opinion() -> None:
    found = opinion(GAME.read("X../.../..."))
    assert (found.size, found.automorphisms, found.appraisal.score) == (4, 2, 0)
    assert [GAME.write(follower) for follower in found.followers] == ["X../.O./..."]


def test_other_boards_have_opinions_too(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "position", "..../..../..../....", "--game", "square4")
    assert isinstance(found, dict)
    assert (found["score"], found["size"], found["automorphisms"]) == (0, 1, 32)
    assert len(found["difficulty"]) == 16
    assert run(["knuth", "position", ".../.../... x 3,3", "--game", "arabian"]) == 2
    assert "expected a placing game of at most 16 cells" in capsys.readouterr().err


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> object:
    assert run(["knuth", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_commands(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    openings = [tuple("X" if cell == pair else " " for cell in range(9)) for pair in reversed(oracle.PAIRS)]
    rows = answer(capsys, "classes")
    assert isinstance(rows, list)
    assert rows[-1]["difficulty"] == "57551000"
    found = answer(capsys, "position", "X../.../...")
    assert isinstance(found, dict)
    assert found["followers"] == ["X../.O./..."]
    file = tmp_path / "tictactoe.gb"
    assert answer(capsys, "graph", str(file)) == {
        "file": str(file),
        "vertices": 5478,
        "arcs": 16167,
        "checksum": 664090930,
    }
    assert file.read_text() == write(as_graphbase())
    assert run(["knuth", "classes", "--graph", str(file)]) == 0
    assert capsys.readouterr().out == "\n".join(printed(Program(as_graphbase()).run())) + "\n"
    assert run(["knuth", "classes", "--declining", "--as-scanned"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert (len(lines), lines[-1]) == (98, "97 of 765 classes decline an immediate win")
    wrong = tmp_path / "wrong.gb"
    wrong.write_text(write(as_graphbase()._replace(util_types="ZIIVVZZZZZZZZZ")))
    assert run(["knuth", "classes", "--graph", str(wrong)]) == 2
    assert f"{str(wrong)!r}, util_types 'ZIIVVZ" in capsys.readouterr().err
    held = answer(capsys, "read", str(file), "--vertex", "0")
    assert isinstance(held, dict)
    assert (held["id"], held["vertices"], held["records"]) == ("tictactoe", 5478, {"vertices": 5482, "arcs": 16218})
    assert held["vertex"]["fields"] == {"v": 0, "w": 0, "x": "V0", "y": "0", "z": 0}
    assert [arc["name"] for arc in held["vertex"]["arcs"]] == [oracle.name(place) for place in openings]
    for picture in ("openings", "classes", "ranks"):
        target = tmp_path / f"{picture}.svg"
        assert run(["knuth", "plot", str(target), "--picture", picture]) == 0
        assert target.read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["position", "XXX/OO./..."], "is over: expected a position with a move"),
        (["position", "XXX/OOO/..."], "both sides have a row"),
        (["position", "XO"], "'XO' is not a board"),
        (["position", "XO./.X./..O", "--wins", "soon"], "--wins 'soon': expected late or early"),
        (["position", "XO./.X./..O", "--digits", "all"], "--digits 'all': expected nonoptimal or losing"),
        (["graph", "/nowhere/x.gb"], "'/nowhere/x.gb' cannot be written"),
        (["classes", "--graph", "/nowhere/x.gb"], "'/nowhere/x.gb' cannot be read: No such file or directory"),
        (["classes", "--graph", __file__], "test_knuth.py', line 1, column 1: "),
        (["read", "/dev/zero"], "'/dev/zero', the file has over 8,388,608 characters"),
        (["read", "/tmp"], "'/tmp' cannot be read: Is a directory; expected a GraphBase file"),
        (["plot", "/nowhere/x.svg"], "cannot be written"),
        (["plot", "x.svg", "--picture", "moon"], "'moon' is not a picture: expected openings"),
        (["plot", "x.svg", "--picture", "classes", "--moves", "10"], "'10' is not a whole number from 0 to 9"),
        (["dance"], "dance"),
        ([], "Missing command"),
    ],
)
def test_bad_input_is_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], words: str) -> None:
    assert run(["knuth", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert words in captured.err


def test_a_vertex_whose_arcs_have_no_end(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "endless.gb"
    file.write_text(write(Graph("endless", 1, 1, "Z" * 14, (None,) * 6, (Vertex("here", 0),), (Arc(0, 0, 1),))))
    assert run(["knuth", "read", str(file), "--vertex", "0"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert f"{str(file)!r}, the arcs of V0 have no end" in captured.err


def test_an_unwritable_file(tmp_path: Path) -> None:
    target = tmp_path / "folder.svg"
    target.mkdir()
    command = [sys.executable, "-m", "noughts", "knuth", "plot", str(target)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == [target]
