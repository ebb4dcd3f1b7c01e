"""The shortest wins over the machines of 1977: replayed, and none shorter."""

import os
import signal
import threading
from itertools import product
from random import Random
from time import perf_counter

import numpy as np
import pytest
from numba import njit

from noughts.arena.beat import Beaten, CannotBeBeatenError, Unbeatable, beat
from noughts.arena.beat_kernel import MACHINE_WINS, Numbers, arrays, reply, set_box, shortest_win
from noughts.bench.line220 import every_setting
from noughts.players import player
from noughts.players.basic1977 import Basic1977
from noughts.players.listing1977 import COMBINATIONS, MACHINE, USER, decide
from noughts.solve.interrupt import never

pytestmark = pytest.mark.slow


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
    _, boxes, counted, points, last_threat = arrays(decision)
    kinds = set()
    for _ in range(3000):
        worth = [random.choice([0, 0, 0, 1, 5]) if random.random() < 0.7 else 0 for _ in range(64)]
        totals = [sum(worth[box] for box in line) for line in COMBINATIONS[: decision.lines]]
        if 4 in totals or 20 in totals:
            continue
        box, won = decide(worth, decision)
        found = reply(np.array(worth), np.array(totals), boxes, counted, points, last_threat)
        assert found == (MACHINE_WINS if won is not None else box)
        kinds.add((won is not None, 3 in totals))
    assert kinds == set(product([True, False], repeat=2))


def test_whatever_line_220_counts_is_beaten_in_six_moves() -> None:
    """A sample; `noughts bench line220` tries all 23,208."""
    for setting in every_setting()[::120]:
        found, _ = shortest_win(never(), *arrays(machine(setting.player).decision), 6)
        assert len(found) == 6


@pytest.mark.parametrize("name", ["basic2", "basic3", "basicf"])
def test_nobody_wins_in_five_moves(name: str) -> None:
    found, _ = shortest_win(never(), *arrays(machine(name).decision), 5)
    assert len(found) == 0


def test_nobody_wins_in_four_moves_after_a_first_move_in_the_middle() -> None:
    """Without the bound, over every line of play."""
    lines, boxes, counted, points, last_threat = arrays(machine("basic3").decision)
    worth, totals = np.zeros(64, np.int64), np.zeros(lines, np.int64)
    looked = wins_within(4, worth, totals, 21, boxes, counted, points, last_threat)
    assert looked == 1 + 62 + 62 * 60  # all replies there are, and no win


@njit(cache=False)
def wins_within(
    moves: int,
    worth: Numbers,
    totals: Numbers,
    box: int,
    boxes: int,
    counted: Numbers,
    points: Numbers,
    last_threat: bool,
) -> int:
    """Replies looked at after the user's move to a box, with so many moves at most; a large number if the user wins."""
    set_box(worth, totals, box, USER)
    looked = 0
    if (totals == 4 * USER).any():
        looked = 1 << 40
    elif moves > 1:
        looked = 1
        answer = reply(worth, totals, boxes, counted, points, last_threat)
        if answer >= 0:
            set_box(worth, totals, answer, MACHINE)
            for other in range(64):
                if worth[other] == 0:
                    looked += wins_within(moves - 1, worth, totals, other, boxes, counted, points, last_threat)
            set_box(worth, totals, answer, 0)
    set_box(worth, totals, box, 0)
    return looked


def test_ctrl_c_ends_the_search_within_a_second() -> None:
    """In the seventh move, which takes many seconds."""
    sent: list[float] = []

    def send() -> None:
        sent.append(perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    def progress(depth: int, _: int) -> None:
        if depth == 7:
            threading.Timer(0.3, send).start()

    with pytest.raises(KeyboardInterrupt):
        beat("basicf", progress)
    assert perf_counter() - sent[0] < 1


def test_the_flat_game_cannot_be_won() -> None:
    found = beat("basic1")
    assert isinstance(found, Unbeatable)
    assert found.positions == 409_486


def test_other_players_are_not_machines_of_1977() -> None:
    with pytest.raises(CannotBeBeatenError, match="'perfect' is not a machine of 1977: expected basic1"):
        beat("perfect")
