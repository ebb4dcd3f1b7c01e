"""Runs of a chip by its pins: moves and what becomes of them, in the simulators and in front of a recorder."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from itertools import groupby, product
from random import Random
from typing import Any

import pytest

from chip_games import MANY, user_moves
from design_names import RUN
from noughts.extras import MissingToolError
from noughts.games import Move, game
from noughts.players import player
from noughts.silicon.circuit import NotReachedError, Pins
from noughts.silicon.design import Design, playing_driver
from noughts.silicon.designs import DESIGNS, design
from noughts.silicon.designs.chip1990.driver import ChipDriver
from noughts.silicon.designs.referee2021.driver import Seats
from noughts.silicon.driver import CannotSetUpError, IllegalPressError
from noughts.silicon.run import NotAMoveError, Run, UnknownSampleError, perform, read_move
from noughts.silicon.simulate import runs as looking
from noughts.silicon.simulate.compiled import compiled
from noughts.silicon.simulate.interpreted import Interpreted
from noughts.silicon.simulate.runs import outline, stretch
from noughts.silicon.simulate.watched import Counted, Recorder, RunTooLongError
from noughts.silicon.trace import Trace

pytestmark = pytest.mark.slow

GAME = game("tictactoe")
POINTS = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]
PLAYING = [name for name in RUN if DESIGNS[name].plays]
CHIP, REFEREE = design("chip1990"), design("referee2021")

needs_a_compiler = pytest.mark.skipif(
    shutil.which("c++") is None and shutil.which("g++") is None, reason="needs a C++ compiler"
)


# Places.


@pytest.mark.parametrize("name", [name for name, known in DESIGNS.items() if known.game == "tictactoe"])
def test_a_place_is_its_name_or_its_number(name: str) -> None:
    """Everything of up to two characters that could be meant."""
    first = design(name).driver.first_number
    assert first == (1 if name.startswith("referee2021") else 0)
    known = {point: place for place, point in enumerate(POINTS)}
    known |= {str(place + first): place for place in range(9)}
    for text in ["", *"0123456789abcABC", *map("".join, product("abcdAB-", "01234"))]:
        if text in known:
            assert read_move(design(name), text) == Move(known[text])
        else:
            with pytest.raises(NotAMoveError) as caught:
                read_move(design(name), text)
            assert str(caught.value) == f"{text!r} is not a place: expected a1 to c3, or {first} to {first + 8}"


@pytest.mark.parametrize("text", ["²", "٣", "-1", "100", " 1", "b2 ", "1\n", "a1xb2", "pass", "a1-", "A1"])
def test_what_only_looks_like_a_place_is_none(text: str) -> None:
    for known in DESIGNS.values():
        with pytest.raises(NotAMoveError):
            read_move(known, text)


# Runs.


def recorded(chip: Design, pins: Pins, moves: str = "", **beginning: Any) -> Trace:
    recorder = Recorder(pins)
    perform(chip, recorder, Run(tuple(moves.split()), **beginning))
    return recorder.trace()


def test_a_sample_is_known_by_its_name() -> None:
    pins = Recorder(Interpreted(REFEREE))
    perform(REFEREE, pins, Run(sample="case-1"))
    assert pins.trace() == recorded(REFEREE, Interpreted(REFEREE))
    with pytest.raises(UnknownSampleError, match=r"'appendix-e' is not a sample of referee2021: expected case-1"):
        perform(REFEREE, pins, Run(sample="appendix-e"))


@pytest.mark.parametrize("chip", [CHIP, REFEREE], ids=lambda chip: chip.name)
def test_a_simulation_that_was_used_before_begins_as_a_new_one_does(chip: Design) -> None:
    """Once nobody has the first any more, the second gets what Amaranth made for it; the third is on its own."""
    first = Interpreted(chip)
    first.clock(7)
    made = first._simulation
    del first
    second = Interpreted(chip)
    third = Interpreted(chip)
    assert second._simulation is made
    assert third._simulation is not made
    assert recorded(chip, second) == recorded(chip, third) == recorded(chip, Interpreted(replace(chip)))


def test_without_moves_the_referee_shows_the_first_match_of_the_slides() -> None:
    trace = recorded(REFEREE, Interpreted(REFEREE))
    board = [trace.column(f"pos{number}")[-1] for number in range(1, 10)]
    assert board == [0b10, 0, 0, 0b01, 0b10, 0b01, 0, 0b01, 0b10]
    assert trace.column("who")[-1] == 0b10


@pytest.mark.parametrize("name", ["elements2021", "elements2021:pruning=yes"])
def test_without_moves_the_elements_show_their_first_search_down_to_the_last_of_them(name: str) -> None:
    trace = recorded(design(name), Interpreted(design(name)))
    entered = [trace.column(f"state_out_{number}").index(1) for number in range(9, 0, -1)]
    assert entered == sorted(entered)
    assert trace.column("phase")[-1] == 4, "it waits for the answer"
    assert trace.cycles == 120


@pytest.mark.parametrize("player_first", [True, False])
def test_the_sides_move_in_turn_under_the_referee(player_first: bool) -> None:
    trace = recorded(REFEREE, Interpreted(REFEREE), "5 a1 9 b1 3", user_first=player_first)
    first, second = (1, 2) if player_first else (2, 1)
    board = [trace.column(f"pos{number}")[-1] for number in range(1, 10)]
    assert board == [second, second, first, 0, first, 0, 0, 0, first]
    assert not any(trace.column("illegal_move")[::2]), "when the inputs had come and before they were taken"


def led(stones: tuple[int, int]) -> int:
    return sum((stones[side] >> place & 1) << 2 * place + side for place in range(9) for side in (0, 1))


@needs_a_compiler
@pytest.mark.parametrize("choose", [min, max, Random(1).choice, Random(2).choice])
def test_the_chip_answers_each_move_as_the_player_does(choose: Callable[[list[int]], int]) -> None:
    position, moves, replies = GAME.start(), [], []
    while GAME.over(position) is None:
        place = choose([place for place in range(9) if not position.occupied >> place & 1])
        moves.append(POINTS[place])
        position = GAME.after(position, Move(place))
        if GAME.over(position) is None:
            reply = player("chip1990").choose(GAME, position)
            replies.append(reply.cycles)
            position = GAME.after(position, reply.move)
    trace = recorded(CHIP, compiled(CHIP, watch=True), " ".join(moves))
    assert trace.column("led")[-1] == led((position.stones[1], position.stones[0]))
    thinking = [not prompt and not fin for prompt, fin in zip(trace.column("prompt"), trace.column("fin"), strict=True)]
    stretches = [len(list(rows)) for busy, rows in groupby(thinking[1::2]) if busy]
    assert stretches[1 : len(replies) + 1] == replies, "the first is that of the reset"


@needs_a_compiler
def test_the_chip_begins_on_another_place_for_each_start() -> None:
    begun = [recorded(CHIP, compiled(CHIP, watch=True), user_first=False, start=start) for start in range(8)]
    stones = [trace.column("led")[-1] for trace in begun]
    assert sorted(stones) == [1 << 2 * place for place in range(8)]


@needs_a_compiler
def test_a_stretch_of_a_game_is_that_of_the_whole_game() -> None:
    run = Run(("a1", "a3", "c3"))
    whole = Recorder(compiled(CHIP, watch=True))
    perform(CHIP, whole, run)
    rows = whole.trace().rows
    assert whole.cycles == len(rows) // 2 > 6_000
    for first, last in [(0, 0), (0, 3), (1, 7), (2_000, 2_100), (5_780, 5_800), (6_100, 6_150), (5, 6_200), (0, 9_999)]:
        part = Recorder(compiled(CHIP, watch=True), first, last)
        perform(CHIP, part, run)
        assert part.cycles == whole.cycles
        assert part.trace().rows == rows[2 * first : 2 * last + 2], (first, last)


@needs_a_compiler
@pytest.mark.parametrize(
    ("name", "moves", "words"),
    [
        ("chip1990", "b2 b2", "move 2, 'b2': 'b2' is not a move for the user: there is a stone"),
        ("chip1990", "4 0", "move 2, '0': 'a1' is not a move for the user: there is a stone"),
        ("chip1990", "a1 a3 c3 b1", "move 4, 'b1': 'b1' is not a move for the user: the game is over"),
        ("elements2021:pruning=yes", "b2 a1", "move 2, 'a1': 'a1' is not a move for the user: there is a stone"),
        ("elements2021:pruning=yes", "b1 c1 b3 c3 a2", "the game is over"),
        ("referee2021", "5 b2", "move 2, 'b2': 'b2' is not a move: there is a stone"),
        ("referee2021", "1 4 2 5 3 9", "move 6, '9': 'c3' is not a move: the game is over"),
    ],
)
def test_a_move_that_cannot_be_made_is_named(name: str, moves: str, words: str) -> None:
    chip = design(name)
    with pytest.raises(IllegalPressError) as caught:
        recorded(chip, compiled(chip, watch=True), moves)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


# Drivers.


@needs_a_compiler
@pytest.mark.parametrize("user_first", [True, False])
@pytest.mark.parametrize("name", PLAYING)
def test_a_press_in_vain_changes_nothing(name: str, user_first: bool) -> None:
    """Two boards side by side; at the one every occupied place is pressed before each move."""
    clean, pestered = (playing_driver(design(name), compiled(design(name))) for _ in range(2))
    assert clean.begin(user_first=user_first) == pestered.begin(user_first=user_first)
    for _ in range(MANY):
        if clean.is_over:
            break
        chip, user = clean.stones()
        for place in range(len(clean.layout)):
            if (chip | user) >> place & 1:
                with pytest.raises(IllegalPressError, match="there is a stone"):
                    pestered.press(place)
                assert (pestered.stones(), pestered.is_over, pestered.has_won) == ((chip, user), False, False)
        move = user_moves(clean)[0]
        assert pestered.play(move) == clean.play(move)
        assert pestered.stones() == clean.stones()
    assert (pestered.is_over, pestered.has_won) == (clean.is_over, clean.has_won)


@needs_a_compiler
def test_a_key_is_let_go_whether_it_was_taken_or_not() -> None:
    sitting = ChipDriver(pins := compiled(CHIP))
    sitting.begin(user_first=True)
    sitting.press(4)
    assert pins.get("keyboardN") == 0b111111111
    with pytest.raises(IllegalPressError):
        sitting.press(4)
    assert pins.get("keyboardN") == 0b111111111


@needs_a_compiler
@pytest.mark.parametrize("name", PLAYING)
def test_after_the_game_every_press_is_in_vain(name: str) -> None:
    player = playing_driver(design(name), compiled(design(name)))
    player.begin(user_first=True)
    for _ in range(MANY):
        if not player.is_over:
            player.play(max(user_moves(player)))
    if not player.is_over:
        assert not player.game.placing_only, "where stones move a game may go on for ever"
        return
    stones, won = player.stones(), player.has_won
    for place, point in enumerate(player.layout.points):
        with pytest.raises(IllegalPressError, match=f"'{point}' is not a move for the user: the game is over"):
            player.press(place)
        assert (player.stones(), player.is_over, player.has_won) == (stones, True, won)
    assert player.begin(user_first=True) > 0
    assert (player.stones(), player.is_over) == ((0, 0), False)


def test_under_the_referee_a_press_in_vain_changes_nothing() -> None:
    seats = Seats(pins := Interpreted(REFEREE))
    seats.begin(user_first=True)
    for place in (4, 0, 8):
        seats.press(place)
    board = [pins.get(f"pos{number}") for number in range(1, 10)]
    for place in (4, 0, 8):
        with pytest.raises(IllegalPressError, match=f"'{POINTS[place]}' is not a move: there is a stone"):
            seats.press(place)
        assert [pins.get(f"pos{number}") for number in range(1, 10)] == board
        assert not seats.player_next
    seats.press(1)
    assert pins.get("pos2") == 0b10


@needs_a_compiler
@pytest.mark.parametrize("name", ["elements2021", "elements2021:pruning=yes"])
def test_the_elements_cannot_be_set_up(name: str) -> None:
    player = playing_driver(design(name), compiled(design(name)))
    with pytest.raises(CannotSetUpError, match="asked for 000000001 and 100000000"):
        player.set_up(1, 0b100000000)


# Simulators.


SET_UP = [
    ((1, 4, 5), (2, 3), [7, 8]),  # the position of appendix E
    ((0, 4, 5), (2, 3, 8), [6]),
    ((0, 1), (4, 8, 3), [2, 6]),
    ((), (0, 1, 2, 3, 4, 5), [8]),  # no position of the game, but the chip does not mind
]


def played(pins: Pins, chip: tuple[int, ...], user: tuple[int, ...], presses: list[int]) -> tuple[Trace, list[int]]:
    recorder = Recorder(pins)
    sitting = ChipDriver(recorder)
    sitting.set_up(sum(1 << place for place in chip), sum(1 << place for place in user))
    cycles = [sitting.press(place) for place in presses]
    recorder.clock(3)
    return recorder.trace(), cycles


@needs_a_compiler
@pytest.mark.parametrize(("chip", "user", "presses"), SET_UP)
@pytest.mark.parametrize("gates", [False, True])
def test_amaranths_simulator_plays_the_game_of_the_compiled_chip_cycle_for_cycle(
    gates: bool, chip: tuple[int, ...], user: tuple[int, ...], presses: list[int]
) -> None:
    """From the end of the reset, and for the place that is tried, which no reset touches, from its first use."""
    interpreted, cycles = played(Interpreted(CHIP), chip, user, presses)
    compiled_run, compiled_cycles = played(compiled(CHIP, watch=True, gates=gates), chip, user, presses)
    assert cycles == compiled_cycles
    assert len(interpreted.rows) == len(compiled_run.rows)
    for name in interpreted.widths:
        since = interpreted.column("statereg").index(5) + 2 if name in ("i", "scanout") else 3
        assert interpreted.column(name)[since:] == compiled_run.column(name)[since:], name


def test_levels_can_be_read_before_the_first_half_cycle() -> None:
    pins = Interpreted(CHIP)
    assert pins.get("keyboardN") == 0b111111111
    assert pins.get("led") == 0


def test_what_does_not_come_is_waited_for_as_long_as_was_said() -> None:
    recorder = Recorder(Interpreted(CHIP))
    ChipDriver(recorder).set_up(0b110010, 0b1100)
    before = recorder.cycles
    with pytest.raises(NotReachedError) as caught:
        recorder.run_until("fin", 1, 25)
    assert str(caught.value) == "chip1990: fin is not 1 after 25 cycles"
    assert recorder.cycles == before + 25


@needs_a_compiler
def test_a_long_wait_is_told_in_thousands() -> None:
    with pytest.raises(NotReachedError, match="chip1990: fin is not 1 after 1,234,567 cycles"):
        compiled(CHIP).run_until("fin", 1, 1_234_567)


def test_waiting_takes_a_cycle_even_for_what_is_there() -> None:
    pins = Interpreted(CHIP)
    ChipDriver(pins).set_up(0b110010, 0b1100)
    assert pins.get("prompt") == 1
    assert pins.run_until("prompt", 1, 5) == 1
    assert pins.run_until("fin", 1, 5, or_pin="prompt") == 1


# Looking into runs: whatever simulates them, wherever the stretch, however long.


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object, **__: object) -> None:
        raise MissingToolError("no compiler here")

    monkeypatch.setattr(looking, "compiled", missing)
    monkeypatch.setattr(looking, "_compiled", looking._compiled.__wrapped__)


@needs_a_compiler
def test_the_printed_run_has_fifty_cycles_and_two_replies() -> None:
    """The keys of the appendix act at the ends of cycles 7 and 44; the last one ends the game."""
    found = outline(design("chip1990"), Run())
    assert found.cycles == 50
    assert found.replies == ((0, 5), (7, 37), (44, 46))
    assert found.over
    assert found.simulator == "Verilator"


@needs_a_compiler
@pytest.mark.parametrize(("moves", "user_first"), [((), True), (("b2", "b1"), True), (("a1",), False)])
def test_the_chip_is_at_work_in_exactly_the_cycles_that_are_said(moves: tuple[str, ...], user_first: bool) -> None:
    found = outline(design("chip1990"), Run(moves, user_first=user_first))
    trace = stretch(design("chip1990"), Run(moves, user_first=user_first), 0, found.cycles - 1)
    waiting, over = trace.column("prompt")[1::2], trace.column("fin")[1::2]
    at_work = {cycle for first, last in found.replies for cycle in range(first, last + 1)}
    assert at_work == {cycle for cycle in range(found.cycles) if not (waiting[cycle] or over[cycle])}


@needs_a_compiler
@pytest.mark.parametrize("name", RUN)
def test_a_stretch_is_a_part_of_the_whole(name: str) -> None:
    moves = () if name in ("elements2021", "duel1990") else ("b2", "b1")
    cycles = min(2_000, outline(design(name), Run(moves)).cycles)
    whole = stretch(design(name), Run(moves), 0, cycles - 1)
    first, last = cycles // 3, cycles // 2
    assert stretch(design(name), Run(moves), first, last) == whole.window(first, last)


@needs_a_compiler
@pytest.mark.parametrize("name", ["chip1990", "referee2021"])
def test_a_run_leaves_nothing_behind_for_the_next(name: str) -> None:
    before = stretch(design(name), Run(), 0, 9)
    outline(design(name), Run(("c1", "b3"), user_first=False))
    assert stretch(design(name), Run(), 0, 9) == before


@needs_a_compiler
@pytest.mark.usefixtures("no_compiler")
@pytest.mark.parametrize("name", ["chip1990", "referee2021"])
def test_without_a_compiler_the_run_is_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = outline(design(name), Run())
    monkeypatch.undo()
    quick = outline(design(name), Run())
    assert slow.simulator == "Amaranth"
    assert quick.simulator == "Verilator"
    assert slow._replace(simulator="") == quick._replace(simulator="")


@needs_a_compiler
@pytest.mark.usefixtures("no_compiler")
def test_values_with_a_sign_come_out_of_amaranths_simulator_as_bits() -> None:
    trace = stretch(design("chip1990"), Run(), 0, 49)
    assert set(trace.column("r")) == {0, 3}


@needs_a_compiler
@pytest.mark.usefixtures("no_compiler")
def test_a_run_that_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "MOST_INTERPRETED", 60)
    assert outline(design("chip1990"), Run()).cycles == 50
    with pytest.raises(RunTooLongError, match="more than 60 cycles"):
        outline(design("chip1990"), Run(("b2",)))
    with pytest.raises(RunTooLongError, match="more than 60 cycles"):
        stretch(design("chip1990"), Run(("b2",)), 20, 70)


@needs_a_compiler
def test_not_one_cycle_more_than_allowed_is_run() -> None:
    counted = Counted(Interpreted(CHIP.inside()), CHIP.driver, 7)
    with pytest.raises(RunTooLongError):
        counted.clock(8)
    assert counted.cycles == 7


@needs_a_compiler
@pytest.mark.parametrize("name", RUN)
def test_the_longest_games_are_allowed(name: str) -> None:
    """With the machine beginning, against the user who takes the first free place."""
    driver = design(name).driver(compiled(design(name)))
    driver.begin(user_first=False)
    moves: list[str] = []
    while driver.presses and not driver.is_over and len(moves) < MANY:
        move = user_moves(driver)[0]
        driver.play(move)
        moves.append(driver.game.write_move(move))
    found = outline(design(name), Run(tuple(moves), user_first=False))
    assert found.over == driver.is_over
    assert found.stones == driver.stones()
    assert found.cycles < looking.MOST_COMPILED


@needs_a_compiler
def test_a_move_onto_a_stone_is_refused_with_its_number() -> None:
    with pytest.raises(IllegalPressError, match="move 2, 'b2'"):
        outline(design("chip1990"), Run(("b2", "b2")))


@needs_a_compiler
def test_the_stones_are_those_of_the_moves() -> None:
    """The referee keeps what it is told: the player on a1 and c3, the computer on b2."""
    found = outline(design("referee2021"), Run(("a1", "b2", "c3")))
    assert found.stones == (1 << 4, 1 << 0 | 1 << 8)
    assert not found.over
