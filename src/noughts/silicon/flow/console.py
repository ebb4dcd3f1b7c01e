"""The console: a person plays against a design from a terminal at the other end of a serial line.

A digit from 1 to 9 is a move, the places row by row from the top left; `n` begins a new game in which the user moves
first, `m` one in which the machine does. After every reply the console sends the board and, when the game is over,
how it ended:

    X..
    .O.
    ...

X are the user's stones. What is not understood, and a move that is not legal, is answered by a question mark; the ends
of lines are passed over in silence, for terminals that only send whole ones. One character typed while the machine
thinks or the console writes is kept.

That is tic-tac-toe. On every other board an empty point shows the character that plays there; levels stand below each
other. Where stones move, the character of a point with a stone, which is the one that it showed before, takes that
stone, and nothing is written until the character of the point to which it goes.

    1X34
    56O8
    9abc

Everything that can be sent is one ROM of words. A word below 128 is a character; above are stones and jumps, so that
writing anything is: go to its first word, and on until it ends.
"""

from typing import Any

from amaranth.hdl import (
    Array,
    Cat,
    ClockDomain,
    ClockSignal,
    DomainRenamer,
    Elaboratable,
    Module,
    Mux,
    ResetSignal,
    Signal,
    Value,
)
from amaranth.lib.cdc import FFSynchronizer
from amaranth.lib.wiring import Component, In, Out, Signature
from amaranth.utils import bits_for

from noughts.games import Game, NoughtsError
from noughts.games import game as find_game
from noughts.silicon.design import Design
from noughts.silicon.parts import PLACES, IllegalMoveDetector, PositionDecoder, occupied

__all__ = ["GAME", "LABELS", "Console", "Playable", "Receiver", "Transmitter", "game_with", "rom_of"]

# A serial line (a UART): bytes as levels on one wire, at a speed that both ends have agreed on beforehand.
#
# The wire rests high. A byte is a low start bit, eight bits of data, the lowest first, and a high stop bit, each as
# long as `divisor` cycles of our clock ("8N1"). Nothing but the falling edge of the start bit tells the receiver
# where a byte begins: half a bit later it makes sure, and then it looks into the middle of every bit. So the clocks
# of both ends may differ by a few percent, since the error has only ten bits in which to grow to half of one.

FRAME = 10
"""Bits on the wire for a byte: start, data, stop."""


class Receiver(Component):
    """Gives every byte that comes in on `rx`: `data` counts in the one cycle in which `valid` is high.

    A byte whose stop bit is not high is dropped, and so is a start bit that has gone when it is looked at again.
    """

    rx: In(1, init=1)
    data: Out(8)
    valid: Out(1)

    def __init__(self, divisor: int) -> None:
        super().__init__()
        self.divisor = divisor

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        line = Signal(init=1)
        before = Signal(init=1)
        m.submodules.synchroniser = FFSynchronizer(self.rx, line, init=1)
        m.d.sync += [before.eq(line), self.valid.eq(0)]

        left = Signal(range(FRAME + 1))
        clock = Signal(range(self.divisor))
        with m.If((left == 0) & before & ~line):
            m.d.sync += [left.eq(FRAME), clock.eq(self.divisor // 2 - 1)]
        with m.Elif(clock != 0):
            m.d.sync += clock.eq(clock - 1)
        with m.Elif(left != 0):
            m.d.sync += [left.eq(left - 1), clock.eq(self.divisor - 1)]
            with m.Switch(left):
                with m.Case(FRAME):
                    m.d.sync += left.eq(Mux(line, 0, FRAME - 1))
                with m.Case(1):
                    m.d.sync += self.valid.eq(line)
                with m.Default():
                    m.d.sync += self.data.eq(Cat(self.data[1:], line))
        return m


class Transmitter(Component):
    """Sends `data` on `tx` when `valid` is high in a cycle in which it is `ready`."""

    data: In(8)
    valid: In(1)
    ready: Out(1)
    tx: Out(1, init=1)

    def __init__(self, divisor: int) -> None:
        super().__init__()
        self.divisor = divisor

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        bits = Signal(1 + 8, init=-1)
        left = Signal(range(FRAME + 1))
        clock = Signal(range(self.divisor))
        m.d.comb += [self.tx.eq(bits[0]), self.ready.eq(left == 0)]
        with m.If(self.ready & self.valid):
            m.d.sync += [bits.eq(Cat(0, self.data)), left.eq(FRAME), clock.eq(self.divisor - 1)]
        with m.Elif(clock != 0):
            m.d.sync += clock.eq(clock - 1)
        with m.Elif(left != 0):
            m.d.sync += [bits.eq(Cat(bits[1:], 1)), left.eq(left - 1), clock.eq(self.divisor - 1)]
        return m


LABELS = "123456789abcdefghijklpqrstuvwyzABCDEFGHIJKLMNPQRSTUVWYZ+-=*#@$%&"
"""The characters of the points: not n and m, which begin games, nor X and O, which are stones, nor what looks so."""


def game_with(places: int) -> Signature:
    """A game on so many points as the console sees it.

    It begins anew when `restart` falls; a line of `key`, high for one cycle, is a press of the user on that point,
    whose number, from 1 on, is then at `digit`. Board and winner count only while the game is waiting for the user or
    finished.
    """
    if places > len(LABELS):
        raise NoughtsError(f"a board of {places} points cannot be typed at: expected at most {len(LABELS)}")
    return Signature(
        {
            "restart": Out(1, init=1),
            "user_begins": Out(1, init=1),
            "key": Out(places),
            "digit": Out(bits_for(places)),
            "board": In(2 * places),
            "waiting": In(1),
            "finished": In(1),
            "machine_won": In(1),
            "user_won": In(1),
        }
    )


GAME = game_with(PLACES)
"""One on nine points."""
PAUSE = 16
"""Cycles for which a restart lasts, and after which a restart or a move is certain to show in `waiting`."""

_PLACE, _RESULT, _END = 0x80, 0xC0, 0xC1
"""Words that are not characters: the point in the low six bits; the result, if there is one; the end."""
_NINE = "tictactoe"
"""The game whose empty points are dots."""


class Console(Component):
    """Plays the game at `game` over the line `rx`, `tx`, whose bits are `divisor` cycles long."""

    def __init__(self, divisor: int, winners: tuple[str, str], made_for: Game) -> None:
        self.places = len(made_for.layout)
        super().__init__({"rx": In(1, init=1), "tx": Out(1, init=1), "game": Out(game_with(self.places))})
        self.divisor = divisor
        self.moves = not made_for.placing_only
        self.labels = "." * self.places if made_for.name == _NINE else LABELS[: self.places]
        self.rom, self.entry = rom_of(winners, made_for)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        game: Any = self.game
        pause = Signal(range(PAUSE))
        text = Signal(range(len(self.rom)))
        typed, has_typed = self._keyboard(m)
        key, digit, is_legal = self._move(m, typed)
        # Where stones move: whether one was only taken, and the board before the press. A press that changes nothing
        # was no move, which the chip alone knows. Elsewhere both stay 0.
        takes, before = Signal(), Signal(2 * self.places)
        m.submodules.transmitter = transmitter = Transmitter(self.divisor)
        m.d.comb += self.tx.eq(transmitter.tx)
        m.d.sync += game.key.eq(0)

        with m.FSM(init="restart") as states:
            # A reset that needs no clock must come straight from a register: it would obey the shortest pulse.
            m.d.sync += game.restart.eq(states.ongoing("restart"))
            with m.State("restart"):
                m.d.sync += pause.eq(pause + 1)
                with m.If(pause == PAUSE - 1):
                    m.next = "settle"
            with m.State("settle"):
                m.d.sync += pause.eq(pause + 1)
                with m.If(pause == PAUSE - 1):
                    m.next = "think"
                    with m.If(takes):
                        m.next = "listen"
                    with m.Elif(before.any() & (before == game.board)):
                        m.d.sync += text.eq(self.entry["?"])
                        m.next = "write"
            with m.State("think"), m.If(game.waiting | game.finished):
                m.d.sync += text.eq(self.entry["board"])
                m.next = "write"
            with m.State("write"), m.If(self._write(m, text, transmitter)):
                m.next = "listen"
            with m.State("listen"), m.If(has_typed):
                m.d.sync += has_typed.eq(0)
                with m.Switch(typed):
                    with m.Case(ord("n"), ord("m")):
                        m.d.sync += [game.user_begins.eq(typed == ord("n")), takes.eq(0), before.eq(0)]
                        m.next = "restart"
                    with m.Case(ord("\r"), ord("\n")):
                        pass
                    with m.Default():
                        with m.If(is_legal):
                            m.d.sync += [game.key.eq(key), game.digit.eq(digit)]
                            if self.moves:
                                m.d.sync += [takes.eq((key & occupied(game.board)).any()), before.eq(game.board)]
                            m.next = "settle"
                        with m.Else():
                            m.d.sync += text.eq(self.entry["?"])
                            m.next = "write"
        return m

    def _keyboard(self, m: Any) -> tuple[Signal, Signal]:
        """The character that was typed, and whether there is one; it stays until the latter is cleared."""
        m.submodules.receiver = receiver = Receiver(self.divisor)
        typed, has_typed = Signal(8), Signal()
        m.d.comb += receiver.rx.eq(self.rx)
        with m.If(receiver.valid & ~has_typed):
            m.d.sync += [typed.eq(receiver.data), has_typed.eq(1)]
        return typed, has_typed

    def _move(self, m: Any, typed: Value) -> tuple[Value, Value, Value]:
        """The point of a character, as a line a point and as a number, and whether it is a move now.

        Digits, which are in the order of their codes, are decoded by a part; other characters are compared.
        """
        game: Any = self.game
        listens = game.waiting & ~game.finished
        m.submodules.illegal = illegal = IllegalMoveDetector(self.places)
        m.d.comb += [illegal.board.eq(game.board)]
        if self.places <= 9:
            m.submodules.decoder = decoder = PositionDecoder()
            is_point = (typed >= ord("1")) & (typed <= ord("0") + self.places)
            key, digit = decoder.lines[: self.places], typed
            m.d.comb += [decoder.index.eq(typed - ord("1")), decoder.enable.eq(is_point)]
        else:
            key, digit = Signal(self.places), Signal(bits_for(self.places))
            for place, label in enumerate(LABELS[: self.places]):
                with m.If(typed == ord(label)):
                    m.d.comb += [key[place].eq(1), digit.eq(place + 1)]
            is_point = key.any()
        m.d.comb += illegal.at.eq(key)
        return key, digit, is_point & listens & (1 if self.moves else ~illegal.illegal)

    def _write(self, m: Any, text: Signal, transmitter: Transmitter) -> Value:
        """Send the words from `text` on; whether that has come to an end."""
        game: Any = self.game
        word, is_end = Signal(8), Signal()
        m.d.comb += word.eq(Array(self.rom)[text])
        with m.Switch(word):
            with m.Case(_END):
                m.d.comb += is_end.eq(1)
            with m.Case(_RESULT):
                m.d.comb += is_end.eq(~game.finished)
                with m.If(game.machine_won):
                    m.d.sync += text.eq(self.entry["machine"])
                with m.Elif(game.user_won):
                    m.d.sync += text.eq(self.entry["user"])
                with m.Else():
                    m.d.sync += text.eq(self.entry["draw"])
            with m.Default():
                m.d.comb += [transmitter.valid.eq(1), transmitter.data.eq(word)]
                with m.If(word[7]):
                    point = word[: bits_for(self.places - 1)]
                    empty = Array(map(ord, self.labels))[point] if len(set(self.labels)) > 1 else ord(".")
                    stone = game.board.word_select(point, 2)
                    m.d.comb += transmitter.data.eq(Array([empty, *map(ord, "OX?")])[stone])
                with m.If(transmitter.ready):
                    m.d.sync += text.eq(text + 1)
        return is_end


def rom_of(winners: tuple[str, str], made_for: Game) -> tuple[list[int], dict[str, int]]:
    """All words that can be sent, and where each text begins."""
    line = list(b"\r\n")
    board: list[int] = []
    layout = made_for.layout
    for level in layout.rows:
        board += line
        for row in level:
            cells = [ord(" ")] * (1 + max(layout.places[point].column for point in row))
            for point in row:
                cells[layout.places[point].column] = _PLACE + point
            board += [*cells, *line]
    texts = {"board": [*board, _RESULT]}
    for name, words in {"machine": winners[0], "user": winners[1], "draw": "draw", "?": "?"}.items():
        texts[name] = [*words.encode("ascii"), *line, _END]
    rom: list[int] = []
    entry = {}
    for name, text in texts.items():
        entry[name] = len(rom)
        rom += text
    return rom, entry


# A design that can be played over a serial line: the design and a console, side by side on one clock. Clock, reset and
# the pins that nobody touches are alike for all designs; the few wires between chip and game are the design's own.


class Playable(Component):
    """`button` begins anew when it is high, at any moment; the other outputs are for lamps."""

    clock: In(1)
    button: In(1)
    rx: In(1, init=1)
    tx: Out(1, init=1)
    waiting: Out(1)
    finished: Out(1)
    won: Out(1)

    def __init__(self, design: Design, divisor: int) -> None:
        super().__init__()
        self.design = design
        self.divisor = divisor

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        # Not called sync: a domain of that name would reach into the design, which has its own.
        m.domains.board = ClockDomain(local=True)
        m.submodules.button = FFSynchronizer(self.button, ResetSignal("board"), o_domain="board")
        console = Console(self.divisor, self.design.winners, find_game(self.design.game))
        m.submodules.console = DomainRenamer("board")(console)
        m.submodules.chip = chip = self.design.make()
        game: Any = console.game
        m.d.comb += [
            ClockSignal("board").eq(self.clock),
            *(getattr(chip, pin).eq(level) for pin, level in self.design.idle.items()),
            getattr(chip, self.design.clock).eq(self.clock),
            getattr(chip, self.design.reset).eq(game.restart if self.design.reset_level else ~game.restart),
            *self.design.console(chip, game),
            console.rx.eq(self.rx),
            self.tx.eq(console.tx),
            self.waiting.eq(game.waiting),
            self.finished.eq(game.finished),
            self.won.eq(game.finished & (game.machine_won | game.user_won)),
        ]
        return m
