"""`noughts silicon check` and `shrink` of netlists: files and records, what is said, what is kept, what is refused."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from noughts.cli.main import run
from noughts.silicon.logic.best import best, best_text
from noughts.silicon.logic.blif import write_blif
from noughts.silicon.logic.netlist import read_netlist
from noughts.silicon.logic.shrink import Round


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


SMALLER = "inputs mine_b2 mine_a1\ng = mine_b2 & mine_a1\noutput b2 = ~mine_b2\n"
"""Fewer gates than C takes: it knows no second move."""


def searched(monkeypatch: pytest.MonkeyPatch, rounds: Iterator[Round]) -> None:
    """A search that gives what it is told to."""
    monkeypatch.setattr("noughts.silicon.logic.shrink.shrink", lambda *_, **__: rounds)


@pytest.mark.parametrize("kept", [True, False])
def test_ctrl_c_keeps_the_best_netlist_so_far(
    kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def until_pressed() -> Iterator[Round]:
        yield Round(0, 0, best("A"))
        yield Round(1, 8000, best("C"))
        raise KeyboardInterrupt

    searched(monkeypatch, until_pressed())
    # The name of a file that is no line of a netlist may stand in its comments all the same.
    start, out = tmp_path / "my\nlogic.txt", tmp_path / "c.txt"
    start.write_text(best_text("A"))
    command = ["silicon", "shrink", "C", "--start", str(start)]
    assert run([*command, "--out", str(out)] if kept else command) == 130
    where = f"is in {str(out)!r}" if kept else "is not kept: expected --out FILE"
    assert capsys.readouterr() == ("", f"interrupted: the best netlist so far, 8 gates, {where}\n")
    if kept:
        assert read_netlist(out.read_text()) == best("C")
        assert "logic.txt --seed 0 --rounds 1\n" in out.read_text()


def test_what_the_check_refuses_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The search would have to be wrong: here it is."""
    searched(monkeypatch, iter([Round(0, 0, best("C")), Round(1, 8000, read_netlist(SMALLER))]))
    assert run(["silicon", "shrink", "C", "--out", str(tmp_path / "c.txt")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(
        "noughts: the search and the check disagree, and the netlist is not kept: in O../.X./... it raises no output"
    )
    assert read_netlist((tmp_path / "c.txt").read_text()) == best("C")


def test_a_search_ends_after_its_rounds_and_says_what_it_has_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    searched(monkeypatch, iter([Round(0, 0, best("A")), Round(1, 8000, best("C")), Round(2, 16000, best("C"))]))
    assert run(["silicon", "shrink", "c", "--start", "logic-A", "--rounds", "2", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer.pop("seconds") >= 0
    found = {"specification": "C", "start": "logic-A", "from_gates": len(best("A").gates), "gates": 8}
    assert answer == found | {"rounds": 2, "changes": 16000, "seed": 0, "file": None}
