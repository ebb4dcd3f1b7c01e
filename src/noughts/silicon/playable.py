"""A design that can be played over a serial line: the design and a console, side by side on one clock.

Clock, reset and the pins that nobody touches are alike for all designs. What remains to be said of each is a few
wires, its seat at the table.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from amaranth.hdl import Cat, ClockDomain, ClockSignal, Const, DomainRenamer, Elaboratable, Module, ResetSignal
from amaranth.lib.cdc import FFSynchronizer
from amaranth.lib.wiring import Component, In, Out

from noughts.games import NoughtsError
from noughts.silicon.console import Console, Winners
from noughts.silicon.design import Design
from noughts.silicon.parts import PLACES
from noughts.silicon.referee2021.sides import Side

__all__ = ["SEATS", "NoSeatError", "Playable", "Seat", "seat"]


class NoSeatError(NoughtsError):
    """A design of which nobody has said how it is played."""


class Seat(NamedTuple):
    """How a design is wired to a game of the console, and what to say when somebody has won."""

    wires: Callable[[Any, Any], list[Any]]
    winners: Winners = Winners()


def _chip1990(chip: Any, game: Any) -> list[Any]:
    return [
        chip.keyboardN.eq(~game.key),
        chip.userbegins.eq(game.user_begins),
        game.board.eq(chip.led),
        game.waiting.eq(chip.prompt),
        game.finished.eq(chip.fin),
        game.machine_won.eq(chip.win),
    ]


def _elements2021(chip: Any, game: Any) -> list[Any]:
    """Everything here counts places from the far end: reversed, place 8 comes first, and its bits are swapped."""
    return [
        chip.SW.eq(Cat(game.key[::-1], Const(0, 8), game.user_begins)),
        game.board.eq(~chip.LEDR[::-1]),
        game.waiting.eq(chip.LEDG0),
        game.machine_won.eq(chip.LEDG1),
        game.finished.eq(chip.LEDG2),
    ]


def _referee2021(chip: Any, game: Any) -> list[Any]:
    """Two people at one keyboard: the user is the player of the slides, the machine the computer."""
    positions = [getattr(chip, f"pos{number}") for number in range(1, PLACES + 1)]
    users_turn = (chip.turn == Side.PLAYER) | (chip.turn == Side.NOBODY) & game.user_begins
    return [
        chip.pp.eq(game.key.any() & users_turn),
        chip.pc.eq(game.key.any() & ~users_turn),
        chip.player_position.eq(game.digit),
        chip.computer_position.eq(game.digit),
        game.board.eq(Cat(position == side for position in positions for side in (Side.COMPUTER, Side.PLAYER))),
        game.finished.eq(chip.winner | chip.no_space),
        game.waiting.eq(~game.finished),
        game.machine_won.eq(chip.who == Side.COMPUTER),
        game.user_won.eq(chip.who == Side.PLAYER),
    ]


SEATS = {
    "chip1990": Seat(_chip1990),
    "elements2021": Seat(_elements2021),
    "referee2021": Seat(_referee2021, Winners(machine="O wins", user="X wins")),
}
"""The seats, by the names of designs without their options."""


def seat(design: Design) -> Seat:
    """The seat of a design."""
    name = design.name.partition(":")[0]
    if name not in SEATS:
        raise NoSeatError(f"{design.name!r} cannot be played at a console: expected {', '.join(SEATS)}")
    return SEATS[name]


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
        self.seat = seat(design)
        self.divisor = divisor

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        # Not called sync: a domain of that name would reach into the design, which has its own.
        m.domains.board = ClockDomain(local=True)
        m.submodules.button = FFSynchronizer(self.button, ResetSignal("board"), o_domain="board")
        m.submodules.console = DomainRenamer("board")(console := Console(self.divisor, self.seat.winners))
        m.submodules.chip = chip = self.design.make()
        game: Any = console.game
        m.d.comb += [
            ClockSignal("board").eq(self.clock),
            *(getattr(chip, pin).eq(level) for pin, level in self.design.idle.items()),
            getattr(chip, self.design.clock).eq(self.clock),
            getattr(chip, self.design.reset).eq(game.restart if self.design.reset_level else ~game.restart),
            *self.seat.wires(chip, game),
            console.rx.eq(self.rx),
            self.tx.eq(console.tx),
            self.waiting.eq(game.waiting),
            self.finished.eq(game.finished),
            self.won.eq(game.finished & (game.machine_won | game.user_won)),
        ]
        return m
