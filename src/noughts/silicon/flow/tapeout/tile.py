"""A design behind the pads of a Tiny Tapeout tile, made to be played on the demo board alone.

Tiny Tapeout puts many small projects on one chip; each gets a *tile* with a clock, a reset, eight inputs, eight outputs
and eight pads that are either. Its demo board has a switch for every input and a display of seven segments at the
outputs. So that is what one plays with:

    ui_in   0 to 3   a place, as a number of four bits; 1 is the top left, on by rows
            4        press: when it rises, the user's stone goes on that place
            5        new game, while it is high
            6        high when a game begins: the machine makes the first move
            7        look: the display shows what stands on the place; of place 0, the machine's last move
    uo_out  0 to 6   the segments a to g: the machine's last move, or how the game ended
            7        the dot: a move is asked for
    uio     0 to 5   the board: nine lamps of two colours in three rows and three columns; more on larger boards
            6, 7     the game is over; the machine has won (on boards that leave these pads free)

**The lamps.** A lamp of two colours with two leads is two diodes, one each way round. It joins a row's pad and a
column's: if the row is high and the column low it shows one colour, the other way round the other, and if either pad
is not driven it is dark. So one row at a time and one colour at a time is lit (a *phase*), and nine lamps, with a
resistor for each column, need six pads and no other part. A microcontroller at the same pads reads the
whole board.

**Keys come at any time**, between two clocks or during one. A flip-flop that samples a level which is just changing may
hang between 0 and 1 for a while (*metastability*), so every input goes through two flip-flops, of which the second sees
what the first has settled to. A press is a level that is high now and was low a cycle ago. A switch that bounces
presses several times on one place, and all but the first find a stone there and are ignored.

**Silicon starts anyhow.** No register has a value before the reset, so the reset must last some cycles with the clock
running; then everything here that counts has one. It comes from the board at any time, too, and takes the same two
flip-flops.

The wires between pads and chip are those between console and chip (`Design.console`), so every design that plays over
a serial line can go on a tile, if stones are only placed and four switches can name the places.
"""

from functools import partial
from typing import Any

from amaranth.hdl import Cat, ClockDomain, ClockSignal, Const, Elaboratable, Module, Mux, ResetSignal, Signal, Value
from amaranth.lib.cdc import FFSynchronizer
from amaranth.lib.wiring import Component, In, Out

from noughts.games import NoughtsError, game
from noughts.silicon.circuit import Circuit
from noughts.silicon.design import Design, DoesNotPlayError
from noughts.silicon.flow.console import game_with

__all__ = ["GLYPHS", "PADS", "PHASE", "PRESS", "AtPads", "DoesNotFitError", "Lamps", "lamps", "on_tile", "top_name"]

PADS = 8
"""Inputs, outputs, and pads that are either."""
PHASE = 4
"""Cycles for which one row shows one colour."""
PRESS = 4
"""Cycles after which a press or a new game has come through the flip-flops to the chip."""
_PRESS, _NEW, _MACHINE_BEGINS, _LOOK = 4, 5, 6, 7
"""What the inputs above the place are."""

GLYPHS = {
    **{f"{number:X}": segments for number, segments in enumerate(
        (0x3F, 0x06, 0x5B, 0x4F, 0x66, 0x6D, 0x7D, 0x07, 0x7F, 0x6F, 0x77, 0x7C, 0x39, 0x5E, 0x79, 0x71)
    )},
    "-": 0x40, "=": 0x48, "L": 0x38, "U": 0x3E, "o": 0x5C, "H": 0x76,
}  # fmt: skip
"""What the display can show: which segments are lit, bit 0 is segment a (the top), on clockwise, bit 6 the middle one.

The numbers of places to 15; `-` nothing yet, or an empty place; at the end `L` the user has lost, `=` a draw, `U` the
user has won; and on a place `o` the machine's stone, `H`, the nearest to an x that
seven segments come, the user's."""


class DoesNotFitError(NoughtsError):
    """A design that these pads are too few for."""


class Lamps:
    """Which pads the lamps of a board are at: first its rows from the top, then its columns from the left."""

    def __init__(self, rows: tuple[tuple[int | None, ...], ...]) -> None:
        self.rows = rows
        """The place at every crossing of a row and a column; None where the board has no point."""
        self.columns = len(rows[0])

    @property
    def pads(self) -> int:
        """How many pads they take."""
        return len(self.rows) + self.columns


def lamps(design: Design) -> Lamps:
    """The lamps of a design's board, in the rows and columns that its points are named after.

    Raises:
        DoesNotFitError: If four switches cannot name the places or a move, or the pads are too few for the lamps.
    """
    points = game(design.game).layout.points
    if not game(design.game).placing_only:
        raise DoesNotFitError(
            f"{design.name!r} plays {design.game}, where stones move: expected a game in which they are placed alone"
        )
    if len(points) >= 1 << _PRESS:
        raise DoesNotFitError(
            f"{design.name!r} has {len(points)} places: expected at most {(1 << _PRESS) - 1}, for four switches to name"
        )
    columns = sorted({point[0] for point in points})
    rows = list(dict.fromkeys(point[1:] for point in points))
    place = {point: number for number, point in enumerate(points)}
    found = Lamps(tuple(tuple(place.get(f"{column}{row}") for column in columns) for row in rows))
    if found.pads > PADS:
        raise DoesNotFitError(
            f"{design.name!r} has {len(rows)} rows and {len(columns)} columns of lamps: "
            f"expected at most {PADS} together, which is the pads there are"
        )
    return found


class AtPads(Component):
    """A design behind the pads of a tile."""

    def __init__(self, design: Design) -> None:
        super().__init__(
            {
                "ui_in": In(PADS),
                "uo_out": Out(PADS),
                "uio_in": In(PADS),
                "uio_out": Out(PADS),
                "uio_oe": Out(PADS),
                "ena": In(1),
                "clk": In(1),
                "rst_n": In(1, init=1),
            }
        )
        self.design = design
        self.lamps = lamps(design)
        self.places = len(game(design.game).layout.points)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        pads: Any = self
        # Not called sync: a domain of that name would reach into the design, which has its own.
        m.domains.tile = ClockDomain(local=True)
        m.submodules.chip = chip = self.design.make()
        at: Any = game_with(self.places).flip().create()
        ui, started = Signal(PADS), Signal()
        m.submodules.keys = FFSynchronizer(pads.ui_in, ui, o_domain="tile", reset_less=True)
        m.submodules.reset = FFSynchronizer(pads.rst_n, started, o_domain="tile", reset_less=True)
        m.d.comb += [ClockSignal("tile").eq(pads.clk), ResetSignal("tile").eq(~started)]
        is_new = self._begin(m, at, ui)
        self._press(m, at, ui)
        move = self._last_move(m, at, is_new)
        m.d.comb += [
            *(getattr(chip, pin).eq(level) for pin, level in self.design.idle.items()),
            getattr(chip, self.design.clock).eq(pads.clk),
            getattr(chip, self.design.reset).eq(at.restart if self.design.reset_level else ~at.restart),
            *self.design.console(chip, at),
            pads.uo_out.eq(Cat(self._segments(m, at, ui, move), at.waiting & ~at.finished)),
        ]
        self._light(m, at)
        return m

    def _begin(self, m: Any, at: Any, ui: Value) -> Value:
        """A new game, while the tile is reset and while the switch is on; whether that is so."""
        # Straight from a register, since a reset that needs no clock would obey the shortest pulse; and from one of its
        # own, so that it is read as nothing else.
        restart, is_new, user_begins = Signal(init=1), Signal(init=1), Signal(init=1)
        m.d.tile += [restart.eq(ui[_NEW]), is_new.eq(ui[_NEW])]
        with m.If(is_new):
            m.d.tile += user_begins.eq(~ui[_MACHINE_BEGINS])
        m.d.comb += [at.restart.eq(restart), at.user_begins.eq(user_begins)]
        return is_new

    def _press(self, m: Any, at: Any, ui: Value) -> None:
        """A press is a move on the place that the switches name, if one is asked for and the place is free."""
        before = Signal(init=1)
        m.d.tile += before.eq(ui[_PRESS])
        named = Cat(ui[:_PRESS] == place + 1 for place in range(self.places))
        free = ~Cat(at.board.word_select(place, 2).any() for place in range(self.places))
        m.d.comb += at.digit.eq(ui[:_PRESS])
        with m.If(ui[_PRESS] & ~before & at.waiting & ~at.finished):
            m.d.comb += at.key.eq(named & free)

    def _last_move(self, m: Any, at: Any, is_new: Value) -> Value:
        """The place of the machine's newest stone, from 1 on; 0 if it has none."""
        stones = Cat(at.board[2 * place] for place in range(self.places))
        seen, move = Signal(self.places), Signal(_PRESS)
        with m.If(is_new):
            m.d.tile += [seen.eq(0), move.eq(0)]
        with m.Elif(at.waiting | at.finished):
            m.d.tile += seen.eq(stones)
            for place in range(self.places):
                with m.If(stones[place] & ~seen[place]):
                    m.d.tile += move.eq(place + 1)
        return move

    def _segments(self, m: Any, at: Any, ui: Value, move: Value) -> Value:
        """What the display shows."""
        number, segments, stone = Signal(_PRESS), Signal(7), Signal(2)
        looks = Signal()
        m.d.comb += [
            looks.eq(ui[_LOOK] & ui[:_PRESS].any()),
            number.eq(move),
            stone.eq(at.board.word_select((ui[:_PRESS] - 1)[:_PRESS], 2)),
        ]
        with m.Switch(number):
            for place in range(1, self.places + 1):
                with m.Case(place):
                    m.d.comb += segments.eq(GLYPHS[f"{place:X}"])
            with m.Default():
                m.d.comb += segments.eq(GLYPHS["-"])
        with m.If(looks):
            m.d.comb += segments.eq(Mux(stone[0], GLYPHS["o"], Mux(stone[1], GLYPHS["H"], GLYPHS["-"])))
        with m.Elif(at.finished & ~ui[_LOOK]):
            lost, won = Const(GLYPHS["L"], 7), Const(GLYPHS["U"], 7)
            m.d.comb += segments.eq(Mux(at.machine_won, lost, Mux(at.user_won, won, GLYPHS["="])))
        return segments

    def _light(self, m: Any, at: Any) -> None:
        """One row and one colour at a time."""
        pads: Any = self
        rows, columns = len(self.lamps.rows), self.lamps.columns
        wait, row, colour = Signal(range(PHASE)), Signal(range(rows)), Signal()
        m.d.tile += wait.eq(wait + 1)
        with m.If(wait == PHASE - 1):
            m.d.tile += colour.eq(~colour)
            with m.If(colour):
                m.d.tile += row.eq(Mux(row == rows - 1, 0, row + 1))
        lit = Signal(columns)
        with m.Switch(row):
            for number, places in enumerate(self.lamps.rows):
                stones = (0 if place is None else at.board.word_select(place, 2) for place in places)
                with m.Case(number):
                    m.d.comb += lit.eq(Cat(Mux(colour, Value.cast(two)[1:2], Value.cast(two)[:1]) for two in stones))
        # The machine's colour: the row high, its columns low. The user's: the row low, its columns high.
        over = [at.finished, at.finished & at.machine_won][: PADS - rows - columns]
        drives = [*(row == number for number in range(rows)), *lit, *([Const(1)] * len(over))]
        levels = [*([~colour] * rows), *([colour] * columns), *over]
        m.d.comb += [pads.uio_oe.eq(Cat(*drives)), pads.uio_out.eq(Cat(*levels))]


def top_name(design: Design) -> str:
    """The name of the module on the pads, which Tiny Tapeout wants to begin so."""
    return f"tt_um_noughts_{design.identifier}"


def on_tile(design: Design) -> Circuit:
    """The whole circuit of a tile, with Tiny Tapeout's pads.

    Raises:
        DoesNotPlayError: If the design answers no moves.
        DoesNotFitError: If the pads are too few.
    """
    if not (design.plays and design.driver.presses):
        raise DoesNotPlayError(
            f"{design.name!r} does not play against a person: expected a design that does, as chip1990"
        )
    lamps(design)
    return Circuit(
        name=top_name(design),
        year=design.year,
        about=f"{design.name} behind the pads of Tiny Tapeout: {design.about}",
        make=partial(AtPads, design),
        clock="clk",
        reset="rst_n",
        reset_level=0,
        idle={"rst_n": 1, "ena": 1},
    )
