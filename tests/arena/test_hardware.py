"""A machine played by its hardware makes the moves of the machine, in its cycles, wherever it is asked."""

import shutil
from functools import cache
from random import Random

import pytest

from noughts.arena.hardware import Hardware
from noughts.games import Move, NoughtsError, Outcome, Position, game
from noughts.players import CannotPlayError, Choice, NoMoveFoundError, Player, player
from noughts.players.chip1990 import Controller
from noughts.silicon.designs import DESIGNS, design
from noughts.silicon.driver import CannotSetUpError

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("c++") is None and shutil.which("g++") is None, reason="needs a C++ compiler"),
]

RULES = game("tictactoe")
ELEMENTS = ["elements2021", "elements2021:pruning=yes"]


def positions() -> list[Position]:
    """Every position that is not over and not the first."""
    seen, waiting = {RULES.start()}, [RULES.start()]
    for position in waiting:
        for move in RULES.moves(position):
            after = RULES.after(position, move)
            if RULES.over(after) is None and after not in seen:
                seen.add(after)
                waiting.append(after)
    return waiting[1:]


POSITIONS = positions()


def choice(who: Player, position: Position) -> Choice | None:
    """The choice; None if no move is found."""
    try:
        return who.choose(RULES, position)
    except NoMoveFoundError:
        return None


@cache
def expected(position: Position) -> Choice | None:
    """What the player of 1990 does; None where it has lost."""
    return choice(player("chip1990"), position)


@pytest.fixture(scope="module")
def chip() -> Hardware:
    return Hardware(design("chip1990"), 1)


def test_in_every_position_the_chip_does_what_the_player_does(chip: Hardware) -> None:
    """From most of them it has to be set up; the order decides which follow from one that it has waited in."""
    for seed in range(2):
        for position in Random(seed).sample(POSITIONS, len(POSITIONS)):
            if expected(position) is not None:
                assert choice(chip, position) == expected(position), RULES.write(position)


def test_a_chip_that_has_never_played_can_be_asked_about_any_position() -> None:
    for position in POSITIONS[::40]:
        assert expected(position) in (None, choice(Hardware(design("chip1990")), position)), RULES.write(position)


def test_where_it_has_lost_the_chip_does_what_is_left_in_its_register() -> None:
    """In one that has never moved that is place 0: which looks like a move where the place is free."""
    lost = [position for position in POSITIONS if expected(position) is None]
    assert len(lost) == 632
    for position in lost:
        run = Controller(position.stones[position.turn], position.stones[1 - position.turn]).run()
        left = None if position.occupied & 1 else Choice(Move(0), cycles=len(run.states))
        assert choice(Hardware(design("chip1990")), position) == left, RULES.write(position)


def test_a_position_in_which_no_move_is_found_is_named(chip: Hardware) -> None:
    with pytest.raises(NoMoveFoundError, match=r"finds no move at 'X\.X/\.O\./X\.O': it expects .* not lost"):
        chip.choose(RULES, RULES.read("X.X/.O./X.O"))


def test_a_chip_that_found_no_move_plays_on_elsewhere(chip: Hardware) -> None:
    position = RULES.read("X../.O./..X")
    for _ in range(2):
        assert choice(chip, RULES.read("X.X/.O./X.O")) is None
        assert choice(chip, position) == expected(position)


def test_an_earlier_position_may_come_up_again() -> None:
    """A move is taken back and another made instead, as often as one likes."""
    chip = Hardware(design("chip1990"), 1)
    first = RULES.play("b2")
    answered = RULES.after(first, chip.choose(RULES, first).move)
    for move in [*RULES.moves(answered), *RULES.moves(answered)]:
        second = RULES.after(answered, move)
        assert choice(chip, second) == expected(second)
        assert choice(chip, first) == expected(first)


def test_the_chip_begins_anywhere_but_on_the_last_place() -> None:
    chip = Hardware(design("chip1990"), 5)
    begun = [chip.choose(RULES, RULES.start()) for _ in range(100)]
    assert {made.move.to for made in begun} == set(range(8))
    assert {made.cycles for made in begun} == {1}


def test_the_chip_plays_on_from_each_of_its_beginnings() -> None:
    chip = Hardware(design("chip1990"), 5)
    for _ in range(30):
        begun = RULES.after(RULES.start(), chip.choose(RULES, RULES.start()).move)
        for move in RULES.moves(begun):
            position = RULES.after(begun, move)
            assert choice(chip, position) == expected(position)


def test_the_same_seed_begins_in_the_same_places() -> None:
    begun = [
        [chip.choose(RULES, RULES.start()).move for _ in range(10)]
        for chip in (Hardware(design("chip1990"), seed) for seed in (3, 3, 4))
    ]
    assert begun[0] == begun[1] != begun[2]


@pytest.mark.parametrize("machine", [0, 1])
@pytest.mark.parametrize("name", ELEMENTS)
def test_the_elements_are_in_step_with_the_player_through_every_game(name: str, machine: int) -> None:
    hardware, face = Hardware(design(name)), player(name)
    asked, waiting = 0, [RULES.start()]
    while waiting:
        position = waiting.pop()
        if RULES.over(position) is not None:
            assert RULES.over(position) is Outcome.DRAW or position.turn != machine, "the machine lost"
        elif position.turn != machine:
            waiting += [RULES.after(position, move) for move in RULES.moves(position)]
        else:
            asked += 1
            made = hardware.choose(RULES, position)
            assert made == face.choose(RULES, position), RULES.write(position)
            waiting.append(RULES.after(position, made.move))
    assert asked > 100


@pytest.mark.parametrize("name", ELEMENTS)
def test_the_elements_cannot_be_put_into_a_game_of_others(name: str) -> None:
    hardware = Hardware(design(name))
    with pytest.raises(CannotSetUpError, match="no position can be set up on this chip") as caught:
        hardware.choose(RULES, RULES.read("X../.O./..X"))
    assert "\n" not in str(caught.value)
    first = RULES.play("c3")
    assert hardware.choose(RULES, first) == player(name).choose(RULES, first)


@pytest.mark.parametrize("name", ["chip1990", *ELEMENTS])
def test_stones_of_the_chip_alone_are_no_game(name: str) -> None:
    with pytest.raises(NoughtsError, match="cannot play on from 000010001 alone: expected stones of both sides"):
        Hardware(design(name)).choose(RULES, Position((0b10001, 0), (7, 9), 0))


def test_it_shows_the_face_of_its_machine() -> None:
    chip, face = Hardware(design("chip1990")), player("chip1990")
    chip.check(RULES)
    with pytest.raises(CannotPlayError, match="chip1990 plays only tictactoe"):
        chip.check(game("achi"))
    for text in ("0", "8", "9", "b2", ""):
        assert chip.read_own(text) == face.read_own(text)
    assert [chip.write_own(Move(place)) for place in range(9)] == [face.write_own(Move(place)) for place in range(9)]


def test_a_design_that_plays_no_machine_is_refused() -> None:
    with pytest.raises(NoughtsError, match="'referee2021'"):
        Hardware(DESIGNS["referee2021"])
