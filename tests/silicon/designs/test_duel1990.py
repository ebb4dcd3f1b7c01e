"""Two chips of 1990, wired pin to pin: every game between them, and why the wires are as they are."""

import shutil
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from amaranth.hdl import Elaboratable, Module
from amaranth.lib.wiring import Component, In, Out

from amaranth_bench import settled
from noughts.arena.hardware import Hardware
from noughts.games import Move, game
from noughts.players import player
from noughts.silicon.circuit import Circuit
from noughts.silicon.designs import design
from noughts.silicon.designs.chip1990 import State
from noughts.silicon.designs.chip1990.circuit import Chip
from noughts.silicon.designs.duel1990.check import check_duel, games_of
from noughts.silicon.designs.duel1990.circuit import Keys
from noughts.silicon.designs.duel1990.driver import Onlooker
from noughts.silicon.designs.duel1990.mixed import mixed
from noughts.silicon.driver import IllegalPressError, bits
from noughts.silicon.parts import stones_of
from noughts.silicon.simulate.check import Checked, check
from noughts.silicon.simulate.compiled import compiled
from noughts.silicon.simulate.interpreted import Interpreted

pytestmark = pytest.mark.slow

needs_a_compiler = pytest.mark.skipif(
    shutil.which("c++") is None and shutil.which("g++") is None, reason="needs a C++ compiler"
)
RULES = game("tictactoe")
NO_KEY = 0b111111111


@pytest.fixture(scope="module")
def checked() -> Checked:
    return check(design("duel1990"))


@needs_a_compiler
def test_either_chip_begins_on_each_of_its_eight_places_and_every_game_is_drawn(checked: Checked) -> None:
    assert (checked.wins, checked.draws, checked.losses) == (0, 16, 0)
    beginnings = [(found[0].user_first, found[0].place) for found in games_of(checked)]
    assert sorted(beginnings) == sorted(product((True, False), range(8)))
    assert all(len(found) == 9 for found in games_of(checked))


@needs_a_compiler
def test_it_does_not_matter_which_of_the_two_begins(checked: Checked) -> None:
    left, right = ([found for found in games_of(checked) if found[0].user_first is first] for first in (True, False))
    assert [[reply[1:] for reply in found] for found in left] == [[reply[1:] for reply in found] for found in right]


@needs_a_compiler
def test_every_game_is_the_one_that_software_would_have_relayed(checked: Checked) -> None:
    """Two chips that never met, each asked position by position: the same moves in the same cycles."""
    chips = [Hardware(design("chip1990")), Hardware(design("chip1990"))]
    for found in games_of(checked)[:8]:
        for reply in found[1:]:
            choice = chips[reply.position.turn].choose(RULES, reply.position)
            assert (choice.move, choice.cycles) == (Move(reply.place), reply.cycles), RULES.write(reply.position)
            assert choice == player("chip1990").choose(RULES, reply.position)


@needs_a_compiler
def test_a_stone_is_handed_over_in_two_cycles_and_no_time_is_lost_otherwise(checked: Checked) -> None:
    """Nine stones; the last is answered by a cycle in which the other chip sees that the board is full."""
    for found, length in zip(games_of(checked), checked.lengths, strict=True):
        assert length == sum(reply.cycles for reply in found) + 9 * 2 + 1


@needs_a_compiler
def test_in_every_cycle_of_a_game_at_most_one_key_is_down_and_only_of_a_chip_that_waits() -> None:
    model = compiled(design("duel1990"), watch=True)
    model.set("leftbegins", 0)
    model.reset(8)
    names = ("keyboardN", "prompt", "fin", "led")
    read = model.reader([f"{side}_{name}" for name in names for side in ("left", "right")])
    handed_over = cycles = 0
    over = False
    while not over:
        model.clock()
        cycles += 1
        *keys, left_prompt, right_prompt, left_fin, right_fin, left, right = read()
        left_down, right_down = (NO_KEY ^ down for down in keys)
        assert (left_down | right_down).bit_count() == left_down.bit_count() + right_down.bit_count() <= 1
        assert left_prompt or not left_down
        assert right_prompt or not right_down
        handed_over += bool(left_down | right_down)
        over = bool(left_fin and right_fin)
        assert cycles < 10_000
    assert cycles == 8_360
    assert handed_over == 9 * 2
    assert bits(left, 0) == bits(right, 1)
    assert bits(left, 1) == bits(right, 0)


EVEN, ODD = 0b010101010101010101, 0b101010101010101010


def test_a_key_is_down_where_the_other_has_a_stone_that_counts_and_is_not_known() -> None:
    """Every place by itself; the bits of the same wires that must not matter are all high."""
    keys = Keys()

    async def bench(ctx: Any) -> None:
        for place, (stone, copyboard, known) in product(range(9), product((0, 1), repeat=3)):
            ctx.set(keys.led, ODD | stone << 2 * place)
            ctx.set(keys.own, EVEN | known << 2 * place + 1)
            ctx.set(keys.copyboard, copyboard)
            down = stone and copyboard and not known
            assert ctx.get(keys.keyboardN) == (NO_KEY & ~(1 << place) if down else NO_KEY)

    settled(keys, bench)


def test_without_copyboard_a_trial_stone_would_be_taken_for_a_move(monkeypatch: pytest.MonkeyPatch) -> None:
    def gates_of_two_inputs(self: Keys, _: object) -> Elaboratable:
        m = Module()
        m.d.comb += self.keyboardN.eq(~(stones_of(self.led, 0) & ~stones_of(self.own, 1)))
        return m

    monkeypatch.setattr(Keys, "elaborate", gates_of_two_inputs)
    pins = Interpreted(replace(design("duel1990")))
    Onlooker(pins).let_go(left_first=True, start=0)
    pins.clock(10)
    assert not pins.get("right_prompt"), "the right chip still searches"
    assert bits(pins.get("left_led"), 1) & 0b1, "and the left one believes that it has moved"


def test_without_the_stones_that_are_known_an_old_one_would_hide_the_next() -> None:
    """Of several keys that are down the lowest counts, even on a stone: beside it, a place is pressed in vain."""
    chip = Interpreted(design("chip1990"))
    chip.set("keyboardN", NO_KEY & ~0b1)
    chip.reset(1)
    chip.clock(2)
    assert (chip.get("prompt"), chip.get("led")) == (1, 0b10), "a stone of the user's is set up"
    chip.set("keyboardN", NO_KEY & ~0b10001)
    chip.clock(5)
    assert (chip.get("prompt"), chip.get("led")) == (1, 0b10)
    chip.set("keyboardN", NO_KEY & ~0b10000)
    chip.clock(2)
    assert (chip.get("prompt"), chip.get("led")) == (0, 0b10_00000010)


class Apart(Component):  # type: ignore[misc]
    """The same wiring with a reset a chip, low for a reset; the first one begins."""

    def __init__(self) -> None:
        inputs = dict.fromkeys(("cp", "first_reset", "second_reset"), In(1))
        super().__init__({**inputs, "led": Out(18), "known": Out(18), "state": Out(3)})

    def elaborate(self, _: object) -> Elaboratable:
        m = Module()
        m.submodules.first, m.submodules.second = first, second = Chip(), Chip()
        m.d.comb += [first.userbegins.eq(0), second.userbegins.eq(1)]
        for number, (chip, other, reset) in enumerate(
            ((first, second, self.first_reset), (second, first, self.second_reset))
        ):
            m.submodules[f"keys{number}"] = keys = Keys()
            m.d.comb += [chip.cp.eq(self.cp), chip.resetN.eq(reset), chip.keyboardN.eq(keys.keyboardN)]
            m.d.comb += [keys.led.eq(other.led), keys.copyboard.eq(other.copyboard), keys.own.eq(chip.led)]
        m.d.comb += [self.led.eq(first.led), self.known.eq(second.led), self.state.eq(second.core.fsm.statereg)]
        return m


def test_one_reset_is_needed_unless_the_chip_that_begins_is_let_go_last_or_a_cycle_before_the_other() -> None:
    """Let go earlier than that, its stone is a key that is down at the other's reset: a position being set up."""
    pins = Interpreted(
        Circuit(name="apart", year=1990, about="", make=Apart, clock="cp", reset="first_reset", reset_level=0)
    )
    for late in (-9, -2, -1, 0, 1, 2, 3, 9):  # cycles by which the second chip is let go after the first
        for reset in ("first_reset", "second_reset"):
            pins.set(reset, 0)
        pins.clock(2)
        for cycle in range(min(late, 0), max(late, 0) + 9):
            pins.set("first_reset", cycle >= 0)
            pins.set("second_reset", cycle >= late)
            pins.clock()
        stone = bits(pins.get("led"), 0)
        assert stone.bit_count() == 1
        known = bits(pins.get("known"), 1)
        assert known & stone == stone, "the stone is handed over in any case"
        assert (pins.get("state") == State.waiting) == (late >= 2), "but then the other chip waits for one more"


@needs_a_compiler
def test_there_is_nothing_to_press() -> None:
    with pytest.raises(IllegalPressError, match="'b2' cannot be pressed: the chips press each other's keys"):
        Onlooker(compiled(design("duel1990"))).press(4)


# The chip against the elements.


@needs_a_compiler
def test_chip_and_elements_play_as_their_players_do_in_the_same_cycles(checked: Checked) -> None:
    """The elements cut as the chip does, since they are quicker then; their moves are the same without."""
    found = check_duel(mixed(pruning=True), starts=(8, 1))
    assert (found.wins, found.draws, found.losses) == (0, 9, 0)
    players = {"chip": player("chip1990"), "elements": player("elements2021:pruning=yes")}
    for replies, length in zip(games_of(found), found.lengths, strict=True):
        order = ("chip", "elements") if replies[0].user_first else ("elements", "chip")
        for reply in replies[replies[0].user_first :]:
            choice = players[order[reply.position.turn]].choose(RULES, reply.position)
            assert (choice.move, choice.cycles) == (Move(reply.place), reply.cycles), RULES.write(reply.position)
        assert 0 <= length - sum(reply.cycles for reply in replies) <= 9 * 2 + 2
    moves = [[reply.place for reply in replies] for replies in games_of(found)]
    assert moves[:8] == [[reply.place for reply in replies] for replies in games_of(checked)[:8]]
