"""`noughts review`: the curve down the screen, the mistakes below it, and the same for programs."""

import io
import json
from pathlib import Path

import pytest

from noughts.cli.main import run

GAME = ["b2", "b1", "a1", "c3", "a3", "c1", "a2"]


def test_the_curve_and_the_mistakes(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert run(["review", "tictactoe", *GAME]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 60
    assert [line[6:11].strip() for line in lines[1:9]] == ["start", *GAME]
    assert "".join(line[4] for line in lines[2:9]) == "xoxoxox"
    assert [line.index("●") for line in lines[1:9]] == [lines[1].index("●")] * 2 + [lines[3].index("●")] * 6
    assert lines[3].endswith("?  a mistake")
    text = " ".join(" ".join(lines).split())
    assert "2. O b1? A mistake: a draw became a loss in 6." in text
    assert "Better: a1, and then b1 b3 a2 c2 c1 a3." in text
    assert "O: 3 moves, 1 mistake, 0 blunders" in text


def test_a_record_may_come_from_a_file_or_the_standard_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, curve = tmp_path / "game.jsonl", tmp_path / "curve.svg"
    file.write_text(json.dumps({"game": "tictactoe", "moves": GAME}))
    assert run(["review", "--file", str(file), "--svg", str(curve), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["game"], answer["moves"], answer["turning_point"]) == ("tictactoe", GAME, 2)
    assert curve.read_text().startswith("<svg")
    monkeypatch.setattr("sys.stdin", io.StringIO("1. b2 b1 2. a1 c3 3. a3 c1 4. a2"))
    assert run(["review", "tictactoe", "--file", "-", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == answer
    saved = tmp_path / "games.txt"
    saved.write_text(f"# a remark\ntictactoe: {' '.join(GAME)}\n", encoding="utf-8-sig")
    address = f"/play/tictactoe?x=human&o=casual&moves={'.'.join(GAME)}"
    for arguments in ([address], ["tictactoe:", *GAME], [f"tictactoe: {' '.join(GAME)}"], ["--file", str(saved)]):
        assert run(["review", *arguments, "--json"]) == 0
        assert json.loads(capsys.readouterr().out) == answer
    assert run(["review", "achi", "--file", str(saved)]) == 2
    assert "is tictactoe, not 'achi': expected that or none" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "no game is given: expected as in"),
        (["tictactoe"], "there are no moves"),
        (["tictactoe", "b2", "b2"], "move 2: 'b2' is not a legal move: b2 is occupied"),
        (["tictactoe", "b2", "--file", "x"], "'b2' and --file are two games: expected one of them"),
        (["tictactoe", "--file", "/nowhere"], "'/nowhere' cannot be read: No such file or directory; expected a file"),
        (["chess", "e4"], "chess"),
        (["tictactoe:", "b2", "b2"], "move 2: 'b2' is not a legal move"),
        (["tictactoe", "b2", "--nodes", "0"], "'0' is not a whole number from 1"),
    ],
)
def test_what_is_wrong_is_one_line(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["review", *arguments]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1
