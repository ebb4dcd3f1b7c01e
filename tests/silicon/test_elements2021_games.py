"""Every game of the nine elements, with and without pruning, against the player that was written from the prose."""

import pytest

from noughts.players.elements2021 import search
from noughts.silicon.designs import design
from noughts.silicon.simulate.check import Checked, check

FULL, PRUNING = "elements2021", "elements2021:pruning=yes"


@pytest.fixture(scope="module")
def full() -> Checked:
    return check(design(FULL))


@pytest.fixture(scope="module")
def pruned() -> Checked:
    return check(design(PRUNING))


def assert_as_the_player(found: Checked, bound: tuple[int, int] | None) -> None:
    assert len(found.replies) > 1_000
    for reply in found.replies:
        position = reply.position
        expected = search(position.stones[position.turn], position.stones[1 - position.turn], True, bound)
        around = 2 if position.occupied else 3
        assert (reply.place, reply.cycles) == (expected.place, expected.cycles + around), reply


def test_full_minimax_makes_the_moves_and_takes_the_cycles_of_the_player(full: Checked) -> None:
    assert_as_the_player(full, None)


def test_pruning_makes_the_moves_and_takes_the_cycles_of_the_player(pruned: Checked) -> None:
    assert_as_the_player(pruned, (-1, 1))


def test_the_gates_play_as_the_verilog_does(pruned: Checked) -> None:
    assert check(design(PRUNING), gates=True) == pruned


def test_neither_loses(full: Checked, pruned: Checked) -> None:
    assert full.losses == pruned.losses == 0
    assert full.games == pruned.games > 100


def test_pruning_changes_no_move_and_saves_cycles_on_every_opening(full: Checked, pruned: Checked) -> None:
    moves = [(reply.position, reply.place) for reply in full.replies]
    assert moves == [(reply.position, reply.place) for reply in pruned.replies]
    for opening, reply in full.openings.items():
        assert pruned.openings[opening].cycles * 10 < reply.cycles
