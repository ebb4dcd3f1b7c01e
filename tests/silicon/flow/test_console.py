"""The console: games played by typing and reading, as a person at a terminal would."""

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache, partial
from typing import Any

import pytest
from amaranth.hdl import Cat, ClockDomain, ClockSignal, Elaboratable, Module, ResetSignal, Signal
from amaranth.lib.wiring import Component, In, Out
from amaranth.sim import Simulator

from noughts.extras import MissingToolError
from noughts.games import NoughtsError, game
from noughts.silicon.circuit import Circuit, Pins
from noughts.silicon.design import Design
from noughts.silicon.designs import design, elements2021, referee2021
from noughts.silicon.flow.console import LABELS, Playable, Receiver, Transmitter, game_with, rom_of
from noughts.silicon.simulate.compiled import Model, compiled
from noughts.silicon.simulate.interpreted import Interpreted

pytestmark = pytest.mark.slow

# The serial line, bit by bit.

DIVISOR = 4
CYCLE = 1e-6


def frame(byte: int) -> list[int]:
    """The ten levels that the prose demands: low, the bits from the lowest, high."""
    return [0, *((byte >> k) & 1 for k in range(8)), 1]


def received(levels: Iterable[tuple[int, float]], divisor: int, patience: int = 60) -> list[int]:
    """The bytes that a receiver hears in levels that last for some cycles each."""
    receiver = Receiver(divisor)
    heard = []

    async def wire(context: Any) -> None:
        for level, cycles in levels:
            context.set(receiver.rx, level)
            await context.delay(cycles * CYCLE)
        await context.delay(patience * CYCLE)

    async def listen(context: Any) -> None:
        async for _clock, _reset, valid, data in context.tick().sample(receiver.valid, receiver.data):
            if valid:
                heard.append(data)

    simulator = Simulator(receiver)
    simulator.add_clock(CYCLE)
    simulator.add_testbench(wire)
    simulator.add_testbench(listen, background=True)
    simulator.run()
    return heard


def test_every_byte_is_sent_as_ten_bits_of_the_agreed_length() -> None:
    transmitter = Transmitter(DIVISOR)
    wires = {}

    async def send(context: Any) -> None:
        for byte in range(256):
            await context.tick().until(transmitter.ready)
            context.set(transmitter.data, byte)
            context.set(transmitter.valid, 1)
            await context.tick()
            context.set(transmitter.valid, 0)
            levels = []
            for _ in range(10 * DIVISOR):
                levels.append(context.get(transmitter.tx))
                await context.tick()
            wires[byte] = levels

    simulator = Simulator(transmitter)
    simulator.add_clock(CYCLE)
    simulator.add_testbench(send)
    simulator.run()
    assert wires == {byte: [bit for bit in frame(byte) for _ in range(DIVISOR)] for byte in range(256)}


def test_every_byte_comes_back_through_a_loop_without_a_pause() -> None:
    m = Module()
    m.submodules.transmitter = transmitter = Transmitter(DIVISOR)
    m.submodules.receiver = receiver = Receiver(DIVISOR)
    m.d.comb += receiver.rx.eq(transmitter.tx)
    heard = []

    async def send(context: Any) -> None:
        context.set(transmitter.valid, 1)
        for byte in range(256):
            context.set(transmitter.data, byte)
            await context.tick().until(transmitter.ready)
        context.set(transmitter.valid, 0)
        await context.tick().repeat(12 * DIVISOR)

    async def listen(context: Any) -> None:
        async for _clock, _reset, valid, data in context.tick().sample(receiver.valid, receiver.data):
            if valid:
                heard.append(data)

    simulator = Simulator(m)
    simulator.add_clock(CYCLE)
    simulator.add_testbench(send)
    simulator.add_testbench(listen, background=True)
    simulator.run()
    assert heard == list(range(256))


@pytest.mark.parametrize("speed", [0.97, 0.99, 1.01, 1.03])
def test_a_sender_a_few_percent_off_is_understood(speed: float) -> None:
    text = b"\x00\xff\x55\xaa7n"
    levels = [(bit, 26 / speed) for byte in text for bit in frame(byte)]
    assert bytes(received(levels, 26)) == text


def test_a_sender_ten_percent_off_is_not_understood() -> None:
    levels = [(bit, 26 / 1.1) for bit in frame(0x00) + frame(0x00)]
    assert received(levels, 26) != [0x00, 0x00]


def test_a_short_dip_is_no_start_bit() -> None:
    levels = [(1, 20.0), (0, 3.0), (1, 40.0), *((bit, 16.0) for bit in frame(0x35))]
    assert received(levels, 16) == [0x35]


def test_a_byte_without_a_stop_bit_is_dropped_and_the_next_one_is_heard() -> None:
    broken = [(0, 16.0 * 14), (1, 16.0)]
    assert received([*broken, *((bit, 16.0) for bit in frame(0x6E))], 16, patience=300) == [0x6E]


# The console: games played by typing and reading, as a person at a terminal would.

LONG = 20_000_000
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
EMPTY = "." * 9
CHIP = design("chip1990")


@cache
def at_a_console(chip: Design) -> Circuit:
    """A design with a console, as a design of its own."""
    return Circuit(
        name=f"console_{chip.identifier}",
        year=chip.year,
        about="a console and a design behind it",
        make=partial(Playable, chip, DIVISOR),
        clock="clock",
        reset="button",
        reset_level=1,
        idle={"rx": 1},
    )


class Terminal:
    """The far end of the line: types characters, and reads what comes in."""

    def __init__(self, pins: Pins) -> None:
        self.pins = pins

    def type(self, characters: str) -> None:
        """Send characters; the line rests high afterwards, which is the stop bit."""
        for byte in characters.encode("latin-1"):
            for bit in [1, 0, *((byte >> k) & 1 for k in range(8))]:
                self.pins.set("rx", bit)
                self.pins.clock(DIVISOR)
            self.pins.set("rx", 1)

    def character(self) -> str:
        self.pins.run_until("tx", 0, LONG)
        self.pins.clock(DIVISOR // 2)
        byte = 0
        for k in range(8):
            self.pins.clock(DIVISOR)
            byte |= self.pins.get("tx") << k
        self.pins.clock(DIVISOR)
        assert self.pins.get("tx") == 1
        return chr(byte)

    def line(self) -> str:
        text = ""
        while not text.endswith("\r\n"):
            text += self.character()
        return text[:-2]

    def board(self) -> str:
        """The nine places of the board that comes in: an empty line and three lines of it."""
        rows = [self.line() for _ in range(4)]
        assert [len(row) for row in rows] == [0, 3, 3, 3]
        assert set("".join(rows)) <= set(".XO")
        return "".join(rows)

    def is_silent(self, cycles: int = 100 * DIVISOR) -> bool:
        return self.pins.run(("tx", "tx"), 0, cycles) is None


def compiled_or_skipped(chip: Design) -> Model:
    try:
        return compiled(at_a_console(chip))
    except MissingToolError as missing:
        pytest.skip(str(missing))


@pytest.fixture
def model() -> Model:
    """The chip of 1990 at a compiled console that has just been switched on."""
    return compiled_or_skipped(CHIP)


def has_row(board: str, stone: str) -> bool:
    return any(all(board[place] == stone for place in line) for line in LINES)


def result_of(board: str) -> str | None:
    """What the machine's console must say of a board, if the game is over."""
    if has_row(board, "O"):
        return "I win"
    if has_row(board, "X"):
        return "you win"
    return None if "." in board else "draw"


def move(terminal: Terminal, before: str, place: int) -> tuple[str, str | None]:
    """Type a legal move, hold board and result against the rules, and return them."""
    terminal.type(str(place + 1))
    after = terminal.board()
    mine = before[:place] + "X" + before[place + 1 :]
    replies = [mine[:free] + "O" + mine[free + 1 :] for free in range(9) if mine[free] == "."]
    assert after in (replies if result_of(mine) is None else [mine])
    result = result_of(after)
    if result is not None:
        assert terminal.line() == result
    assert terminal.pins.get("waiting") == (result is None)
    assert terminal.pins.get("finished") == (result is not None)
    assert terminal.pins.get("won") == (result is not None and result != "draw")
    return after, result


def play_out(terminal: Terminal, board: str, choose: Callable[[list[int]], int]) -> tuple[str, str]:
    """A game to its end from here: the last board and the result."""
    while True:
        board, result = move(terminal, board, choose([place for place in range(9) if board[place] == "."]))
        if result is not None:
            return board, result


def all_ends(pins: Model, board: str) -> Iterator[str]:
    """The results of all games that a user can play from here."""
    terminal = Terminal(pins)
    here = pins.save()
    for place in range(9):
        if board[place] == ".":
            pins.restore(here)
            after, result = move(terminal, board, place)
            if result is not None:
                yield result
            else:
                yield from all_ends(pins, after)


def test_a_game_is_played_by_typing_and_reading() -> None:
    terminal = Terminal(Interpreted(at_a_console(CHIP)))
    assert terminal.board() == EMPTY
    last, result = play_out(terminal, EMPTY, min)
    assert last.count("X") - last.count("O") in (0, 1)
    assert result in ("I win", "draw")
    terminal.type("m")
    opening = terminal.board()
    assert sorted(opening) == sorted("O........")
    assert play_out(terminal, opening, max)[1] in ("I win", "draw")


def test_every_game_against_the_chip_is_shown_as_it_was_played(model: Model) -> None:
    terminal = Terminal(model)
    assert terminal.board() == EMPTY
    ends = list(all_ends(model, EMPTY))
    assert set(ends) == {"I win", "draw"}


def test_every_game_that_the_chip_begins_is_shown_as_it_was_played(model: Model) -> None:
    terminal = Terminal(model)
    terminal.board()
    switched_on = model.save()
    openings = set()
    for moment in range(8):
        model.restore(switched_on)
        model.clock(moment)
        terminal.type("m")
        opening = terminal.board()
        assert sorted(opening) == sorted("O........")
        openings.add(opening)
        assert set(all_ends(model, opening)) <= {"I win", "draw"}
    assert len(openings) == 8  # the chip's counter has three bits, and it is the moment that decides


def test_the_elements_play_at_the_console_too() -> None:
    model = compiled_or_skipped(elements2021.DESIGN_PRUNING)
    terminal = Terminal(model)
    assert terminal.board() == EMPTY
    assert set(all_ends(model, EMPTY)) == {"I win", "draw"}
    terminal.type("m")
    opening = terminal.board()
    assert sorted(opening) == sorted("O........")
    assert set(all_ends(model, opening)) == {"I win", "draw"}


@pytest.mark.parametrize(("command", "stones"), [("n", "XO"), ("m", "OX")])
def test_two_people_play_in_turn_before_the_referee(command: str, stones: str) -> None:
    terminal = Terminal(compiled_or_skipped(referee2021.DESIGN))
    terminal.board()
    chance = random.Random(1990)
    results = set()
    for _ in range(60):
        terminal.type(command)
        board = terminal.board()
        assert board == EMPTY
        result = None
        for number in range(9):
            place = chance.choice([place for place in range(9) if board[place] == "."])
            stone = stones[number % 2]
            terminal.type(str(place + 1))
            board = board[:place] + stone + board[place + 1 :]
            assert terminal.board() == board
            result = f"{stone} wins" if has_row(board, stone) else None if "." in board else "draw"
            if result is not None:
                assert terminal.line() == result
            terminal.type(str(place + 1))
            assert terminal.line() == "?"
            if result is not None:
                break
        results.add(result)
    assert results == {"X wins", "O wins", "draw"}


def test_what_is_not_a_command_is_answered_by_a_question_mark(model: Model) -> None:
    terminal = Terminal(model)
    terminal.board()
    for byte in set(range(256)) - set(b"123456789nm\r\n"):
        terminal.type(chr(byte))
        assert terminal.line() == "?", byte
    terminal.type("\r\n")
    assert terminal.is_silent()
    terminal.type("5")
    assert terminal.board()[4] == "X"


def test_a_place_with_a_stone_is_not_a_move(model: Model) -> None:
    terminal = Terminal(model)
    terminal.board()
    board, _ = move(terminal, EMPTY, 4)
    for place in range(9):
        if board[place] != ".":
            terminal.type(str(place + 1))
            assert terminal.line() == "?"
    assert terminal.is_silent()
    move(terminal, board, board.index("."))


def test_nobody_moves_when_the_game_is_over(model: Model) -> None:
    terminal = Terminal(model)
    last, _ = play_out(terminal, terminal.board(), min)
    for place in range(9):
        terminal.type(str(place + 1))
        assert terminal.line() == "?"
    assert "." in last  # so that not every place is refused for its stone
    assert terminal.is_silent()


@pytest.mark.parametrize("command", "nm")
def test_a_new_game_begins_in_the_middle_of_another(model: Model, command: str) -> None:
    terminal = Terminal(model)
    move(terminal, terminal.board(), 0)
    terminal.type(command)
    assert sorted(terminal.board()) == sorted({"n": EMPTY, "m": "O........"}[command])


def test_the_button_begins_a_new_game_for_the_user(model: Model) -> None:
    terminal = Terminal(model)
    terminal.board()
    terminal.type("m")
    terminal.board()
    model.reset(cycles=50)
    assert terminal.board() == EMPTY
    move(terminal, EMPTY, 8)


def test_a_character_typed_while_the_machine_thinks_is_kept(model: Model) -> None:
    terminal = Terminal(model)
    terminal.board()
    terminal.type("1n")
    assert terminal.board()[0] == "X"
    assert terminal.board() == EMPTY


# Other boards: every empty point shows what plays there, and stones move by two characters.


class Slider(Component):  # type: ignore[misc]
    """Three stones each on nine points; an X that was touched moves to the centre, and nothing else does."""

    def __init__(self) -> None:
        super().__init__({"clk": In(1), "rst": In(1), "key": In(9), "board": Out(18)})

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.domains.sync = ClockDomain(async_reset=True, local=True)
        stones = [Signal(2, init=code) for code in (2, 2, 1, 1, 0, 2, 0, 1, 0)]
        touched = Signal(9)
        m.d.comb += [ClockSignal().eq(self.clk), ResetSignal().eq(self.rst), self.board.eq(Cat(stones))]
        own = Cat(stone == 2 for stone in stones)
        with m.If((self.key & own).any()):
            m.d.sync += touched.eq(self.key)
        with m.Elif(self.key[4] & touched.any()):
            m.d.sync += [stones[4].eq(2), touched.eq(0)]
            for place, stone in enumerate(stones):
                with m.If(touched[place]):
                    m.d.sync += stone.eq(0)
        return m


SLIDER = replace(
    CHIP,
    name="slider",
    game="three-mens-morris",
    make=Slider,
    clock="clk",
    reset="rst",
    reset_level=1,
    idle={},
    console=lambda chip, game: [chip.key.eq(game.key), game.board.eq(chip.board), game.waiting.eq(1)],
)


def test_where_stones_move_the_first_character_takes_one_and_the_second_says_where_it_goes() -> None:
    terminal = Terminal(Interpreted(at_a_console(SLIDER)))
    assert [terminal.line() for _ in range(4)] == ["", "XXO", "O5X", "7O9"]
    terminal.type("1")
    assert terminal.is_silent()
    terminal.type("7")
    assert terminal.line() == "?"
    terminal.type("5")
    assert [terminal.line() for _ in range(4)] == ["", "1XO", "OXX", "7O9"]
    terminal.type("9")
    assert terminal.line() == "?"
    terminal.type("n")
    assert [terminal.line() for _ in range(4)] == ["", "XXO", "O5X", "7O9"]


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("mnk:4,3,3", ["", "1234", "5678", "9abc"]),
        ("six-mens-morris", ["", "1 2 3", " 456 ", "78 9a", " bcd ", "e f g"]),
    ],
)
def test_an_empty_board_shows_the_characters_to_type(name: str, lines: list[str]) -> None:
    rom, entry = rom_of(("", ""), game(name))
    words = rom[entry["board"] : rom.index(0xC0)]
    text = "".join(LABELS[word - 0x80] if word & 0x80 else chr(word) for word in words)
    assert [line.rstrip() for line in text.split("\r\n")] == [*(line.rstrip() for line in lines), ""]


def test_every_point_of_the_largest_board_has_a_character_of_its_own() -> None:
    assert len(set(LABELS)) == len(LABELS) == 64
    assert not set(LABELS) & set("nmXOxo0\r\n?")
    with pytest.raises(NoughtsError, match="a board of 81 points cannot be typed at: expected at most 64"):
        game_with(81)
