"""The one-cycle player: what its pins do, in Amaranth's simulator; every board on its gates; the player beside it."""

import shutil
from pathlib import Path

import pytest

from noughts.games import Move, game
from noughts.players import player
from noughts.silicon.circuit import Circuit
from noughts.silicon.designs import design
from noughts.silicon.designs.noughts2026.check import boards_in_play, check_player
from noughts.silicon.designs.noughts2026.driver import Fingers
from noughts.silicon.designs.noughts2026.proofs import OpenChip
from noughts.silicon.flow.gates import gates
from noughts.silicon.flow.synthesis import GATES, for_gates, top_module
from noughts.silicon.logic.best import best
from noughts.silicon.logic.specification import INPUTS, POINTS
from noughts.silicon.simulate.compiled import compiled
from noughts.silicon.simulate.interpreted import Interpreted

pytestmark = pytest.mark.slow

CHIP = design("noughts2026")
A1, B1, C1, A2, B2, C2, A3, B3, C3 = range(9)


@pytest.fixture(scope="module")
def fingers() -> Fingers:
    return Fingers(Interpreted(CHIP))


def places(*numbers: int) -> int:
    return sum(1 << number for number in numbers)


def test_the_logic_has_the_wires_of_a_board_in_their_order() -> None:
    logic = best("A")
    assert logic.inputs == INPUTS
    assert tuple(output.name for output in logic.outputs) == POINTS


def test_the_stone_is_there_after_one_clock_and_the_reply_after_two(fingers: Fingers) -> None:
    fingers.begin(user_first=True)
    pins = fingers.pins
    pins.set("key", places(B2))
    assert pins.get("waiting")
    pins.clock()
    assert fingers.stones() == (0, places(B2))
    assert not pins.get("waiting")
    pins.clock()
    assert fingers.stones()[0].bit_count() == 1
    assert fingers.stones()[1] == places(B2)
    assert pins.get("waiting")


def test_of_several_keys_the_lowest_on_a_free_place_counts(fingers: Fingers) -> None:
    fingers.set_up(places(A1), places(B1))
    fingers.pins.set("quiet", 1)
    fingers.pins.set("key", places(A1, B1, A2, C3))
    fingers.pins.clock()
    assert fingers.stones() == (places(A1), places(B1, A2))
    assert fingers.pins.get("waiting")


def test_a_key_that_is_held_is_one_stone(fingers: Fingers) -> None:
    fingers.begin(user_first=True)
    fingers.pins.set("key", places(A3))
    fingers.pins.clock(10)
    assert [stones.bit_count() for stones in fingers.stones()] == [1, 1]


def test_keys_do_nothing_in_the_cycle_in_which_the_chip_moves(fingers: Fingers) -> None:
    fingers.begin(user_first=True)
    fingers.pins.set("go", 1)
    fingers.pins.clock()
    fingers.pins.set("go", 0)
    fingers.pins.set("key", 0b111111111)
    fingers.pins.clock()
    fingers.pins.set("key", 0)
    assert [stones.bit_count() for stones in fingers.stones()] == [1, 0]


def test_a_user_who_has_won_is_not_answered_and_the_game_stays_over(fingers: Fingers) -> None:
    """X.X/.../.OO with the user on X: nothing can be done against b1, whatever the chip did before."""
    fingers.set_up(places(B3, C3), places(A1, C1))
    assert fingers.press(B1) == 1
    assert fingers.stones() == (places(B3, C3), places(A1, B1, C1))
    for _ in range(3):
        assert (fingers.is_over, fingers.has_won, fingers.pins.get("waiting")) == (True, False, 0)
        fingers.pins.set("key", places(A2))
        fingers.pins.set("go", 1)
        fingers.pins.clock()
    assert fingers.stones() == (places(B3, C3), places(A1, B1, C1))


def test_a_row_of_two_is_completed(fingers: Fingers) -> None:
    fingers.set_up(places(B3, C3), places(A1, C1))
    fingers.let_move()
    assert fingers.stones() == (places(A3, B3, C3), places(A1, C1))
    assert (fingers.is_over, fingers.has_won) == (True, True)


def test_its_memory_is_two_bits_a_place_and_the_turn() -> None:
    assert gates(CHIP).flip_flops == 2 * 9 + 1


def test_around_the_logic_there_are_as_many_gates_as_its_page_says() -> None:
    around = Circuit(name="around", year=2026, about="", make=OpenChip, clock="clk", reset="rst", reset_level=1)
    cells = top_module(for_gates(around), "around")["cells"].values()
    counted = sum(cell["type"].strip("$_") in GATES for cell in cells)
    page = Path(__file__).parents[3] / "docs" / "machines" / "noughts2026.md"
    assert f"{counted} gates of two inputs and 19 flip-flops" in page.read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("c++") is None and shutil.which("g++") is None, reason="needs a C++ compiler")
def test_on_its_gates_every_game_and_every_board_in_play_is_answered_rightly() -> None:
    found = check_player(CHIP, gates=True)
    assert found.losses == 0
    assert {reply.cycles for reply in found.replies} == {1}
    assert found.boards == 4_520
    # Each board once with go, and once for every stone that the user may have set last.
    assert found.plays == 4_520 + sum(position.stones[1 - position.turn].bit_count() for position in boards_in_play())


@pytest.mark.skipif(shutil.which("c++") is None and shutil.which("g++") is None, reason="needs a C++ compiler")
def test_the_player_moves_as_the_gates_do_on_every_board() -> None:
    rules, face, fingers = game("tictactoe"), player("noughts2026"), Fingers(compiled(CHIP, gates=True))
    for position in boards_in_play():
        own, user = position.stones[position.turn], position.stones[1 - position.turn]
        fingers.set_up(own, user)
        fingers.let_move()
        assert Move((fingers.stones()[0] & ~own).bit_length() - 1) == face.choose(rules, position).move
