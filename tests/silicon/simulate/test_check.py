"""The exhaustive check notices chips that play, speak or count wrongly."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from types import ModuleType
from typing import Any

import pytest

from noughts.players.elements2021 import TIMINGS, search
from noughts.silicon.design import DoesNotPlayError
from noughts.silicon.designs import design
from noughts.silicon.designs.referee2021 import check as refereeing
from noughts.silicon.kept import recording
from noughts.silicon.run import find_sample
from noughts.silicon.simulate import check as checking
from noughts.silicon.simulate.check import Checked, WrongError, check
from noughts.silicon.simulate.compiled import Model, compiled
from noughts.silicon.simulate.watched import Counted

pytestmark = pytest.mark.slow


Show = Callable[[str], int]
"""What a pin shows."""


def boaster(show: Show, pin: str) -> int:
    """Says that it has won whenever the game is over."""
    return show("fin" if pin == "win" else pin)


def thief(show: Show, pin: str) -> int:
    """Shows the user's stone on place 8 as its own."""
    level = show(pin)
    return level & 0xFFFF | level >> 17 << 16 if pin == "led" else level


def blind(show: Show, pin: str) -> int:
    """Does not see that the board is full."""
    return 0 if pin == "no_space" else show(pin)


def falsify(monkeypatch: pytest.MonkeyPatch, checker: ModuleType, false: Callable[[Show, str], int]) -> None:
    """Let the chips that are checked show something false on their pins."""

    def made(*arguments: Any, **options: Any) -> Model:
        model = compiled(*arguments, **options)
        monkeypatch.setattr(model, "get", partial(false, model.get))
        return model

    monkeypatch.setattr(checker, "compiled", made)


@pytest.mark.parametrize("false", [boaster, thief])
def test_a_chip_that_shows_something_false_is_caught(
    false: Callable[[Show, str], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    falsify(monkeypatch, checking, false)
    with pytest.raises(WrongError):
        check(design("chip1990"))


def test_a_referee_that_does_not_see_the_end_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    falsify(monkeypatch, refereeing, blind)
    with pytest.raises(WrongError, match="the referee shows"):
        check(design("referee2021"))


def test_the_referee_has_no_games_of_its_own() -> None:
    with pytest.raises(DoesNotPlayError, match="'referee2021' does not play: expected a design that does"):
        check(replace(design("referee2021"), check=None))


# Every game of the nine elements, with and without pruning, against the player that was written from the prose.

FULL, PRUNING, REPORTED = "elements2021", "elements2021:pruning=yes", "elements2021:timing=reported"


@pytest.fixture(scope="module")
def full() -> Checked:
    return check(design(FULL))


@pytest.fixture(scope="module")
def pruned() -> Checked:
    return check(design(PRUNING))


def assert_as_the_player(found: Checked, bound: tuple[int, int] | None, timing: str = "ours") -> None:
    assert len(found.replies) > 1_000
    for reply in found.replies:
        position = reply.position
        stones = position.stones[position.turn], position.stones[1 - position.turn]
        expected = search(*stones, True, bound, TIMINGS[timing])
        around = 2 if position.occupied else 3
        assert (reply.place, reply.cycles) == (expected.place, expected.cycles + around), reply


def test_full_minimax_makes_the_moves_and_takes_the_cycles_of_the_player(full: Checked) -> None:
    assert_as_the_player(full, None)


def test_pruning_makes_the_moves_and_takes_the_cycles_of_the_player(pruned: Checked) -> None:
    assert_as_the_player(pruned, (-1, 1))


def test_in_the_reports_time_it_makes_the_same_moves_in_the_cycles_of_the_player(full: Checked) -> None:
    found = check(design(REPORTED))
    assert_as_the_player(found, None, "reported")
    assert [reply.place for reply in found.replies] == [reply.place for reply in full.replies]


def test_in_the_reports_time_its_two_games_end_when_its_recording_says() -> None:
    """Which has the report's times: `designs/test_elements2021.py`."""
    chip = design(REPORTED)
    sample, recorded = find_sample(chip, "two-games"), recording(chip, "two-games")
    assert recorded is not None
    counted = Counted(compiled(chip), chip.driver, 6_000_000, sample.messages)
    sample.drive(counted)
    assert (counted.cycles, counted.replies, counted.said) == (
        recorded.outline.cycles,
        recorded.outline.replies,
        recorded.outline.said,
    )


def test_neither_loses(full: Checked, pruned: Checked) -> None:
    assert full.losses == pruned.losses == 0
    assert full.games == pruned.games > 100


def test_pruning_changes_no_move_and_saves_cycles_on_every_opening(full: Checked, pruned: Checked) -> None:
    moves = [(reply.position, reply.place) for reply in full.replies]
    assert moves == [(reply.position, reply.place) for reply in pruned.replies]
    for opening, reply in full.openings.items():
        assert pruned.openings[opening].cycles * 10 < reply.cycles
