"""The shortest wins over the machines of 1977: replayed, and none shorter."""

from itertools import product
from random import Random

import numpy as np
import pytest

from noughts.arena.beat import Beaten, CannotBeBeatenError, Unbeatable, beat
from noughts.arena.beat_kernel import MACHINE_WINS, reply, shortest_win
from noughts.players import player
from noughts.players.basic1977 import COMBINATIONS, Basic1977, decide
from noughts.solve.interrupt import never


def machine(name: str) -> Basic1977:
    found = player(name)
    assert isinstance(found, Basic1977)
    return found


@pytest.mark.parametrize(("name", "length"), [("basic2", 6), ("basic3", 6), ("basic2:harder=yes", 6)])
def test_a_machine_is_beaten(name: str, length: int) -> None:
    found = beat(name)
    assert isinstance(found, Beaten)
    assert found.transcript.result == "loss"
    assert len(found.moves) == length
    assert [exchange.user for exchange in found.transcript.exchanges] == found.moves


@pytest.mark.parametrize("name", ["basic1", "basic2", "basic2:harder=yes", "basic3", "basicf"])
def test_the_compiled_reply_is_the_machines(name: str) -> None:
    decision, random = machine(name).decision, Random(name)
    counted, points = np.array(decision.counted, np.int64), np.array(decision.points, np.int64)
    kinds = set()
    for _ in range(3000):
        worth = [random.choice([0, 0, 0, 1, 5]) if random.random() < 0.7 else 0 for _ in range(64)]
        totals = [sum(worth[box] for box in line) for line in COMBINATIONS[: decision.lines]]
        if 4 in totals or 20 in totals:
            continue
        box, won = decide(worth, decision)
        found = reply(np.array(worth), np.array(totals), decision.boxes, counted, points, decision.last_threat)
        assert found == (MACHINE_WINS if won is not None else box)
        kinds.add((won is not None, 3 in totals))
    assert kinds == set(product([True, False], repeat=2))


@pytest.mark.parametrize("name", ["basic2", "basic3", "basicf"])
def test_nobody_wins_in_five_moves(name: str) -> None:
    decision = machine(name).decision
    counted, points = np.array(decision.counted, np.int64), np.array(decision.points, np.int64)
    found, _ = shortest_win(never(), decision.lines, decision.boxes, counted, points, decision.last_threat, 5)
    assert len(found) == 0


def test_nobody_wins_in_four_moves_after_a_first_move_in_the_middle() -> None:
    """Without the bound, over every line of play."""
    assert plain_win("basic3", 21, 4) is None


def plain_win(name: str, first: int, depth: int) -> list[int] | None:
    """Every line of play after a first move, in plain Python and with no bound."""
    decision = machine(name).decision
    lines = COMBINATIONS

    def search(worth: list[int], moves: list[int]) -> list[int] | None:
        boxes = [first] if not moves else [box for box in range(64) if not worth[box]]
        for box in boxes:
            worth[box] = 1
            if any(all(worth[b] == 1 for b in line) for line in lines):
                return [*moves, box]
            if len(moves) + 1 < depth:
                answer, won = decide(worth, decision)
                if won is None:
                    worth[answer] = 5
                    found = search(worth, [*moves, box])
                    if found:
                        return found
                    worth[answer] = 0
            worth[box] = 0
        return None

    return search([0] * 64, [])


def test_the_flat_game_cannot_be_won() -> None:
    found = beat("basic1")
    assert isinstance(found, Unbeatable)
    assert found.positions > 100_000


def test_other_players_are_not_machines_of_1977() -> None:
    with pytest.raises(CannotBeBeatenError, match="'perfect' is not a machine of 1977: expected basic1"):
        beat("perfect")
