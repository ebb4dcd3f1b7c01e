"""A small chip for a test, as a newcomer would add it: it answers every move with the first place that is free.

It is made for two boards, that of tic-tac-toe and one of four columns and three rows.

It has two states' worth of memory: the board, and what it does next (wait for the user, judge him, move, judge itself,
or nothing any more). Copied into the catalogue's folder, it must be known everywhere (`test_adding_a_chip`).
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

from noughts.games import game as find_game
from noughts.silicon.circuit import Pins
from noughts.silicon.design import Design, Group, Sample, Story
from noughts.silicon.driver import PlayingDriver, bits
from noughts.silicon.pictures.drawing import Arrow, Box, Diagram, Drawings, Machine
from noughts.silicon.pictures.panel import Panel, Place

STATES = ("wait", "judge_user", "move", "judge_chip", "over")


def _make(game: str) -> Any:
    from amaranth.hdl import ClockDomain, ClockSignal, Elaboratable, Module, Mux, ResetSignal, Signal  # noqa: PLC0415
    from amaranth.lib.wiring import Component, In, Out  # noqa: PLC0415

    from noughts.silicon.parts import (  # noqa: PLC0415
        BoardRegister,
        FullDetector,
        NextFree,
        WinDetector,
        occupied,
        stones_of,
    )

    layout = find_game(game).layout
    places = len(layout)

    class FirstFree(Component):  # type: ignore[misc]
        """`key` has a line a place; `begins` is high if the user does."""

        def __init__(self) -> None:
            super().__init__(
                {
                    "clk": In(1),
                    "rst": In(1),
                    "begins": In(1),
                    "key": In(places),
                    "board": Out(2 * places),
                    "asks": Out(1),
                    "over": Out(1),
                    "won": Out(1),
                }
            )
            self.state = Signal(3)

        def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
            m = Module()
            m.domains.sync = ClockDomain(async_reset=True, local=True)
            m.submodules.register = register = BoardRegister(places)
            m.submodules.win = win = WinDetector(layout)
            m.submodules.full = full = FullDetector(places)
            m.submodules.free = free = NextFree(places)
            fresh = Signal(init=1)
            users = Signal()
            legal = self.key & ~occupied(register.board)
            m.d.comb += [
                ClockSignal().eq(self.clk),
                ResetSignal().eq(self.rst),
                self.board.eq(register.board),
                full.board.eq(register.board),
                free.board.eq(register.board),
                users.eq(self.state < 2),
                register.side.eq(users),
                win.stones.eq(Mux(users, stones_of(register.board, 1), stones_of(register.board, 0))),
                self.asks.eq((self.state == 0) & ~fresh),
                self.over.eq(self.state == 4),
                self.won.eq(self.over & win.wins),
            ]
            m.d.sync += fresh.eq(0)
            with m.Switch(self.state):
                with m.Case(0):
                    with m.If(fresh):
                        m.d.sync += self.state.eq(Mux(self.begins, 0, 2))
                    with m.Elif(legal.any()):
                        m.d.comb += register.toggle.eq(1)
                        m.d.sync += self.state.eq(1)
                    for place in reversed(range(places)):
                        with m.If(legal[place]):
                            m.d.comb += register.index.eq(place)
                with m.Case(1, 3):
                    m.d.sync += self.state.eq(Mux(win.wins | full.full, 4, Mux(users, 2, 0)))
                with m.Case(2):
                    m.d.comb += [register.index.eq(free.place), register.toggle.eq(1)]
                    m.d.sync += self.state.eq(3)
            return m

    return FirstFree()


class Fingers(PlayingDriver):
    """Presses keys and reads the board."""

    waiting, over, won = "asks", "over", "won"

    def stones(self) -> tuple[int, int]:
        board, places = self.pins.get("board"), len(self.layout)
        return bits(board, 0, places), bits(board, 1, places)

    def _reset(self, *, user_first: bool, start: int) -> None:  # noqa: ARG002
        self.pins.set("begins", int(user_first))
        self._up()
        self.pins.reset()

    def _down(self, place: int) -> None:
        self.pins.set("key", 1 << place)

    def _up(self) -> None:
        self.pins.set("key", 0)


def _sample(pins: Pins) -> None:
    fingers = Fingers(pins)
    fingers.begin(user_first=True)
    for place in (4, 8):
        fingers.press(place)
    pins.clock()


def _panel(places: int, pins: Mapping[str, int]) -> Panel:
    def place(number: int) -> Place:
        held = pins["board"] >> 2 * number & 3
        return Place(("", "o", "x", "")[held], (bool(held & 1), bool(held & 2)), bool(pins["key"] >> number & 1))

    return Panel(tuple(map(place, range(places))), {name: bool(pins[name]) for name in ("asks", "over", "won")})


_BLOCKS = Diagram(
    "The blocks of first-free",
    400,
    200,
    (
        Box("keys", 60, 100, 60, 20, "pin"),
        Box("board", 220, 100, about="the board register", works="state", shows=("state",)),
    ),
    (Arrow("keys", "board", "right", "left", signals=("key",), when="key"),),
)
_STATES = Diagram(
    "The states of first-free",
    400,
    300,
    tuple(Box(name, 200, 40 + 55 * row, kind="state") for row, name in enumerate(STATES)),
    tuple(Arrow(one, two, "bottom", "top") for one, two in pairwise(STATES)),
)

DESIGN = Design(
    name="first-free",
    year=2026,
    about="answers with the first free place",
    game="tictactoe",
    package=__name__,
    make=partial(_make, "tictactoe"),
    clock="clk",
    reset="rst",
    reset_level=1,
    watch=lambda chip: {"state": chip.state},
    names={"state": dict(enumerate(STATES))},
    story=Story(
        title="The first free place",
        source="A test",
        words="It takes the first place that is free.",
        sides=("you", "the chip"),
        reported=(("States", "5"),),
        groups=(
            Group("Input pins", {"clk": "the clock", "rst": "reset", "begins": "the user begins", "key": "the keys"}),
            Group("Output pins", {"board": "the board", "asks": "waits", "over": "the end", "won": "it has won"}),
        ),
        waves=("clk", "key", "state", "board"),
    ),
    drawings=Drawings(_BLOCKS, (Machine("states", _STATES, ("state",), "What it does next."),)),
    panel=partial(_panel, 9),
    driver=Fingers,
    samples=(Sample("two-moves", "Two moves.", _sample),),
    console=lambda chip, game: [
        chip.key.eq(game.key),
        chip.begins.eq(game.user_begins),
        game.board.eq(chip.board),
        game.waiting.eq(chip.asks),
        game.finished.eq(chip.over),
        game.machine_won.eq(chip.won),
    ],
)
WIDE = "mnk:4,3,3"
DESIGN_WIDE = replace(
    DESIGN,
    name=f"first-free:game={WIDE}",
    about="the same on four columns and three rows",
    game=WIDE,
    make=partial(_make, WIDE),
    panel=partial(_panel, 12),
)
DESIGNS = (DESIGN, DESIGN_WIDE)
