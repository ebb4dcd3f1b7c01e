"""`noughts silicon check` of netlists: files, standard input and records, what is said and what is refused."""

import json
from pathlib import Path

import pytest

from noughts.cli.main import run
from noughts.silicon.logic.best import best, best_text
from noughts.silicon.logic.blif import write_blif


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = run(["silicon", "check", *words])
    output = capsys.readouterr()
    return code, output.out, output.err


def test_a_record_is_counted_and_tried_against_all_specifications(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "logic-c")
    assert code == 0
    assert out.startswith(
        "logic-c: 8 gates of two inputs\n8 like AND, 0 like OR, 0 like XOR; 9 inverters beside them\n"
    )
    assert "yes  C: moving first it never loses" in out
    assert "asked in 169 positions; of the games against it 168 are won, 96 drawn, 0 lost" in out
    assert out.count("\nno ") == 7


def test_text_and_blif_give_the_same_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answers = []
    for name, text in (("my.txt", best_text("C")), ("my.blif", write_blif(best("C")))):
        (tmp_path / name).write_text(text)
        code, out, _ = said(capsys, str(tmp_path / name), "--spec", "c", "--json")
        assert code == 0
        answers.append(json.loads(out))
    assert answers[0] | {"file": ""} == answers[1] | {"file": ""}
    assert answers[0]["gates"] == 8
    assert answers[0]["specifications"] == [
        {"specification": "C", "holds": True, "positions": 169, "wins": 168, "draws": 96, "counterexample": None}
    ]


def test_a_netlist_that_does_not_do_it_ends_with_1_and_a_counterexample(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "logic-C", "--spec", "B")
    assert code == 1
    assert "in X../.../... it raises b1 and b2: expected exactly one of b2" in out


def test_a_netlist_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, _ = said(capsys, "logic-C", "--spec", "C", "--svg", str(tmp_path / "c.svg"))
    assert code == 0
    assert (tmp_path / "c.svg").read_text().count("<title>g") == 8


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["nofile.txt"], "'nofile.txt' cannot be read: No such file or directory; expected a netlist or a design"),
        (["logic-C", "--spec", "F"], "'F' is not a specification: expected A, A-any, B, C, D, E-B, E-C, E-D"),
        (["logic-F"], "'F' is not a specification"),
        (["logic-C", "--gates"], "'logic-C' is a netlist: expected neither --gates nor --games"),
        (["chip1990", "--spec", "A"], "'chip1990' is not the file of a netlist"),
        (["none"], "'none' is not a design"),
        (["/"], "'/' cannot be read: Is a directory"),
    ],
)
def test_what_is_wrong_is_one_line(words: list[str], error: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = said(capsys, *words)
    assert (code, out) == (2, "")
    assert error in err
    assert err.count("\n") == 1
