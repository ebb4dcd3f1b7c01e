"""Steps a second: everybody is named, who is not installed is skipped with a word, steps are counted as they are."""

import os

import pytest

from noughts.bench import BENCHES, rl
from noughts.bench.rl import GAMES, Peers, contestants, measure, one_core
from noughts.games import game as find_game

PEERS = {"pyspiel", "pgx", "jax", "pygame", "pettingzoo", "gymnasium"}


def test_where_nobody_else_is_installed_the_rows_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rl, "find_spec", lambda _name: None)
    monkeypatch.setattr(rl, "ROUND", 0.001)
    told: list[float] = []
    rows = list(measure(GAMES, lambda done, total: told.append(done / total), sizes=(2, 32), rounds=2))
    assert told == sorted(told)
    assert told[-1] < 1
    assert {row["game"] for row in rows} == set(GAMES)
    for row in rows:
        ours = row["who"] in {"noughts, batch", "noughts, copied"}
        assert (row["million/s"] is not None) == ours
        assert ours or row["notes"] in {"no pettingzoo: [rl]", "no pyspiel: [bench]", "no pgx: [bench]"}
    batches = [row for row in rows if row["game"] == "tictactoe" and row["who"] == "noughts, batch"]
    assert [row["at once"] for row in batches] == [1, 2, 32]
    assert batches[-1]["ratio"] == 1.0, "a large batch is quicker than a small one"
    assert batches[0]["ratio"] == pytest.approx(batches[-1]["million/s"] / batches[0]["million/s"], rel=0.02)


def test_it_is_one_of_the_measurements() -> None:
    assert "rl" in BENCHES
    assert all(find_game(name).placing_only for name in GAMES)
    needed = {module for name, peers in GAMES.items() for one in contestants(name, peers) for module in one.needs}
    assert needed == PEERS


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="a system that pins nothing")
def test_one_core_is_one_core_and_given_back() -> None:
    before = os.sched_getaffinity(0)
    with one_core():
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before


class Countdown:
    """Nobody's environment: a game of three turns, whose agents are taken out when it is over."""

    def __init__(self) -> None:
        self.steps = 0
        self.played: list[int | None] = []

    def reset(self) -> None:
        self.steps = 0

    def agent_iter(self) -> list[str]:
        return ["a", "b", "a", "b", "a"]

    def last(self) -> tuple[dict[str, list[int]], int, bool, bool, dict[str, int]]:
        return {"action_mask": [0, 1, 0, 1]}, 0, self.steps >= 3, False, {}

    def step(self, action: int | None) -> None:
        self.steps += action is not None
        self.played.append(action)


def test_taking_out_agents_is_no_step_and_only_legal_actions_are_chosen() -> None:
    env = Countdown()
    assert rl._in_turns(env)(4) == 6
    assert env.played.count(None) == 4
    assert {action for action in env.played if action is not None} <= {1, 3}


@pytest.mark.parametrize("number", range(len(contestants("tictactoe", GAMES["tictactoe"], (4,)))))
def test_everybody_plays_at_least_as_much_as_is_asked(number: int) -> None:
    one = contestants("tictactoe", GAMES["tictactoe"], (4,))[number]
    if one.missing:
        pytest.skip(f"not installed: {', '.join(one.missing)}")
    played = one.begin()(20)
    assert 20 <= played < 20 + max(9, 4 * rl.CHUNK)


def test_a_game_that_others_do_not_have_is_measured_alone() -> None:
    who = {one.who for one in contestants("mnk:15,15,5", Peers("mnk(m=15,n=15,k=5)"))}
    assert who == {
        "noughts, batch",
        "noughts, copied",
        "noughts, env",
        "noughts, raw_env",
        "OpenSpiel",
        "OpenSpiel, bots",
    }
