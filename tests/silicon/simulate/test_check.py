"""The exhaustive check notices chips that play, speak or count wrongly."""

from dataclasses import replace
from typing import Any

import pytest
from amaranth.hdl import Elaboratable, Module

from noughts.players.elements2021 import search
from noughts.silicon.design import CannotPlayError
from noughts.silicon.designs import design
from noughts.silicon.designs.chip1990.circuit import Chip
from noughts.silicon.designs.referee2021.check import check_referee
from noughts.silicon.designs.referee2021.referee import Referee
from noughts.silicon.simulate.check import Checked, WrongError, check

pytestmark = pytest.mark.slow


class Boaster(Chip):
    """Says that it has won whenever the game is over."""

    def elaborate(self, platform: object) -> Elaboratable:
        m = super().elaborate(platform)
        assert isinstance(m, Module)
        m.d.comb += self.win.eq(self.fin)
        return m


class Thief(Chip):
    """Shows the user's stone on place 8 as its own."""

    def elaborate(self, platform: object) -> Elaboratable:
        m = super().elaborate(platform)
        assert isinstance(m, Module)
        m.d.comb += [self.led[16].eq(self.core.led[17]), self.led[17].eq(0)]
        return m


class Blind(Referee):
    """Does not see that the board is full."""

    def elaborate(self, platform: object) -> Elaboratable:
        m = super().elaborate(platform)
        assert isinstance(m, Module)
        m.d.comb += self.no_space.eq(0)
        return m


@pytest.mark.parametrize("kind", [Boaster, Thief])
def test_a_chip_that_shows_something_false_is_caught(kind: Any) -> None:
    with pytest.raises(WrongError):
        check(replace(design("chip1990"), name=kind.__name__, make=kind))


def test_a_referee_that_does_not_see_the_end_is_caught() -> None:
    with pytest.raises(WrongError, match="the referee shows"):
        check_referee(replace(design("referee2021"), name="blind", make=Blind))


def test_the_referee_has_no_games_of_its_own() -> None:
    with pytest.raises(CannotPlayError, match="'referee2021' does not play: expected a design that does"):
        check(replace(design("referee2021"), check=None))


# Every game of the nine elements, with and without pruning, against the player that was written from the prose.

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


def test_neither_loses(full: Checked, pruned: Checked) -> None:
    assert full.losses == pruned.losses == 0
    assert full.games == pruned.games > 100


def test_pruning_changes_no_move_and_saves_cycles_on_every_opening(full: Checked, pruned: Checked) -> None:
    moves = [(reply.position, reply.place) for reply in full.replies]
    assert moves == [(reply.position, reply.place) for reply in pruned.replies]
    for opening, reply in full.openings.items():
        assert pruned.openings[opening].cycles * 10 < reply.cycles
