"""Questions answer in plain values, and none makes the server do more than the web affords."""

import pickle
from pathlib import Path
from time import perf_counter

import pytest

from noughts.games import IllegalPositionError, game
from noughts.players import CannotPlayError
from noughts.solve import solve
from noughts.solve.layers.making import solve_layers
from noughts.solve.small import solvable
from noughts.solve.store import Store
from noughts.web.asking.questions import MOST_CELLS, Effort, analysis, effort, reasons, reply, web_sized

pytestmark = pytest.mark.slow

BEYOND = ["mnk:17,1,3", "mnk:6,3,3", "mnk:19,1,3", "mnk:5,4,4", "mnk:4,5,4", "mnk:10,2,3"]
"""Games that Noughts can solve, but not for a visitor."""


def start_of(name: str) -> str:
    rules = game(name)
    return rules.write(rules.start())


def test_the_value_of_a_position_is_that_of_the_solution() -> None:
    rules = game("tictactoe")
    here = rules.read("XO./.../...")
    found = analysis("tictactoe", "XO./.../...")
    assert (found["value"], found["remoteness"]) == ("win", 5)
    assert [move["move"] for move in found["moves"]] == [
        rules.write_move(rated.move) for rated in solve(rules).moves(here)
    ]


@pytest.mark.parametrize("name", BEYOND)
def test_what_is_too_large_for_the_web_is_not_solved(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_solving(*_: object) -> None:
        raise AssertionError("solved")

    monkeypatch.setattr("noughts.solve.placing.solve_placing", no_solving)
    assert solvable(game(name))
    began = perf_counter()
    start = start_of(name)
    found = analysis(name, start)
    # What is proved without a solution is known all the same: the first player wins at 6×3, the others are drawn.
    assert found["value"] == ("win" if name == "mnk:6,3,3" else "draw")
    assert reasons(name, start, found["moves"][0]["move"])["kind"] == ("keeps" if name == "mnk:6,3,3" else "any")
    for player in ("random", "novice", "casual", "strong") if name == BEYOND[0] else ("strong",):
        assert reply(name, player, start, (), 1)["move"]
    with pytest.raises(CannotPlayError, match="perfect cannot play"):
        reply(name, "perfect", start, (), 1)
    with pytest.raises(CannotPlayError, match="knuth cannot play"):
        reply(name, "knuth", start, (), 1)
    assert perf_counter() - began < 30


def test_what_is_too_large_for_the_web_is_answered_from_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, rules = "mnk:6,3,3", game("mnk:6,3,3")
    monkeypatch.setenv("NOUGHTS_TABLES", str(tmp_path))
    solve_layers(rules, Store.create(tmp_path / name, rules))
    here = "X...../.O..../......"
    found = analysis(name, here)
    right = solve(rules).moves(rules.read(here))
    assert found["reason"] == "from the table"
    assert [(move["move"], move["remoteness"]) for move in found["moves"]] == [
        (rules.write_move(one.move), one.value.remoteness) for one in right
    ]
    assert reply(name, "perfect", here, (), 1)["move"] in {
        rules.write_move(one.move) for one in right if one.value == right[0].value
    }


def test_the_largest_games_that_the_web_solves_are_within_bounds() -> None:
    with web_sized():
        assert solvable(game("square4"))
        assert solvable(game("mnk:16,1,3"))
        assert not solvable(game("mnk:17,1,3"))
    assert len(game("square4").layout) == MOST_CELLS


def test_the_bound_holds_only_while_a_question_is_answered() -> None:
    large = game("mnk:5,4,4")
    assert solvable(large)
    with web_sized(), web_sized():
        assert not solvable(large)
    assert solvable(large)
    with pytest.raises(IllegalPositionError):
        analysis("tictactoe", "XXX/.../...")
    assert solvable(large)


def test_a_reply_follows_the_moves_that_were_made() -> None:
    found = reply("tictactoe", "chip1990", ".../.../...", ("a1",), 0)
    assert (found["position"], found["move"], found["cycles"]) == ("X../.../...", "b2", 5779)


def test_nobody_replies_when_the_game_is_over() -> None:
    with pytest.raises(IllegalPositionError, match="is over: expected a position with a move to make"):
        reply("tictactoe", "random", "XXX/OO./...", (), 0)


def test_the_same_seed_gives_the_same_move() -> None:
    moves = [reply("qubic", "random", start_of("qubic"), (), seed)["move"] for seed in (1, 1, 2, 3, 4, 5)]
    assert moves[0] == moves[1]
    assert len(set(moves)) > 1


@pytest.mark.parametrize("question", [analysis, reasons, reply])
def test_a_question_travels_by_its_name(question: object) -> None:
    assert pickle.loads(pickle.dumps(question)) is question


@pytest.mark.parametrize(
    ("name", "weight"),
    [
        ("tictactoe", Effort.NONE),
        ("achi", Effort.QUICK),
        ("mnk:4,3,3", Effort.QUICK),
        ("mnk:5,3,3", Effort.LONG),
        ("square4", Effort.LONG),
        ("qubic", Effort.LONG),
        ("nine-mens-morris", Effort.LONG),
        ("mnk:19,19,5", Effort.LONG),
    ],
)
def test_large_games_are_much_work(name: str, weight: Effort) -> None:
    assert effort(analysis, (name, start_of(name))) is weight


def test_other_questions_are_judged_by_their_game_and_much_work_if_they_have_none() -> None:
    assert effort(start_of, ("tictactoe",)) is Effort.QUICK
    assert effort(start_of, ("qubic",)) is Effort.LONG
    assert effort(start_of, ("chip1990",)) is Effort.LONG
    assert effort(start_of, ()) is Effort.LONG


def test_a_players_reply_is_never_worked_out_in_the_server() -> None:
    assert effort(reply, ("tictactoe", "c1990", ".../.../...", (), 0)) is Effort.QUICK
