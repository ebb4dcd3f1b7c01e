"""The referee of 4×4×4 and its threat finder: gates alone over all 76 lines, and the board around them.

    place, play ──► decoder ──►  board ──x, o──► 76 × line ──► winner          over, illegal
                                                    │
                                                    └──► 64 × point ──► wins, threats, forks of either side
                                                                              │
                                                     show, other ──► lamps ◄──┘

A *line* of four points says of either side how it stands there: four stones, a row; three and an empty point, so that
the side can complete it; two and two empty points, so that a third stone would threaten. A *point* that is empty asks
the four or seven lines through it:

- it *wins* for a side if one of them lacks this point alone;
- it makes a *threat* if one of them has two stones of the side and is else empty;
- it is a *fork* if two of them have: two threats at once, of which one stone stops one. Two lines have at most one
  point in common, so the points to be filled next are two.

Two lamps a point show the board: one lit is a stone. Both lit mark an empty point of the set that `show` asks for, of
the side to move or, with `other`, of its opponent: so all of it fits on as many pins as the board alone.
"""

from typing import Any

from amaranth.hdl import Cat, ClockDomain, ClockSignal, Elaboratable, Module, Mux, ResetSignal, Signal, Value
from amaranth.lib.wiring import Component, In, Out

from noughts.games import game
from noughts.silicon.designs.threats2026 import Show
from noughts.silicon.parts import PositionDecoder

__all__ = ["LINES", "POINTS", "THROUGH", "Board", "Line", "Point", "Referee", "ThreatFinder"]

LINES = game("qubic").layout.lines
"""The 76 lines, from the description of the game itself."""
POINTS = 64
THROUGH = tuple(tuple(number for number, line in enumerate(LINES) if point in line) for point in range(POINTS))
"""For every point the lines it lies on."""


class Line(Component):
    """How the two sides stand on four points; of each side a bit, X's first."""

    x: In(4)
    o: In(4)
    row: Out(2)
    three: Out(2)
    two: Out(2)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        for side, (own, others) in enumerate(((self.x, self.o), (self.o, self.x))):
            left, right = own[0] ^ own[1], own[2] ^ own[3]
            both_left, both_right = own[0] & own[1], own[2] & own[3]
            free = ~others.any()
            three = both_left & right | left & both_right
            two = ~own[2:].any() & both_left | left & right | ~own[:2].any() & both_right
            m.d.comb += [self.row[side].eq(own.all()), self.three[side].eq(free & three), self.two[side].eq(free & two)]
        return m


class Point(Component):
    """What a stone on a point would do, for either side: X's bit first. Nothing where there is one already."""

    def __init__(self, lines: int) -> None:
        ports = {f"{name}{line}": In(2) for line in range(lines) for name in ("three", "two")}
        super().__init__({"empty": In(1), **ports, **dict.fromkeys(("wins", "threatens", "forks"), Out(2))})
        self.threes = [getattr(self, f"three{line}") for line in range(lines)]
        self.twos = [getattr(self, f"two{line}") for line in range(lines)]

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        for side in range(2):
            threes, twos = (Cat(line[side] for line in lines) for lines in (self.threes, self.twos))
            # Two of them at least: some, and without the lowest still some.
            several = (twos & (twos - 1)).any()
            m.d.comb += [
                self.wins[side].eq(self.empty & threes.any()),
                self.threatens[side].eq(self.empty & twos.any()),
                self.forks[side].eq(self.empty & several),
            ]
        return m


class ThreatFinder(Component):
    """All that is to be known of a board at once, and no register: rows, and of either side the three sets."""

    def __init__(self) -> None:
        sets = [f"{side}_{name}" for side in "xo" for name in ("wins", "threats", "forks")]
        super().__init__(
            {
                **dict.fromkeys("xo", In(POINTS)),
                **dict.fromkeys(("x_row", "o_row", "full"), Out(1)),
                **dict.fromkeys(sets, Out(POINTS)),
            }
        )
        self.lines = [Line() for _ in LINES]
        self.points = [Point(len(through)) for through in THROUGH]

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        lines, points = self.lines, self.points
        empty = Signal(POINTS)
        for number, (line, members) in enumerate(zip(lines, LINES, strict=True), 1):
            m.submodules[f"line{number}"] = line
            stones = ((line.x, self.x), (line.o, self.o))
            m.d.comb += [four.eq(Cat(side[point] for point in members)) for four, side in stones]
        for number, (point, through) in enumerate(zip(points, THROUGH, strict=True)):
            m.submodules[f"point{number}"] = point
            m.d.comb += point.empty.eq(empty[number])
            for crossing, three, two in zip(through, point.threes, point.twos, strict=True):
                m.d.comb += [three.eq(lines[crossing].three), two.eq(lines[crossing].two)]
        m.d.comb += [empty.eq(~(self.x | self.o)), self.full.eq(~empty.any())]
        for number, side in enumerate("xo"):
            found: dict[str, Any] = {
                "row": Cat(line.row[number] for line in lines).any(),
                "wins": Cat(point.wins[number] for point in points),
                "threats": Cat(point.threatens[number] for point in points),
                "forks": Cat(point.forks[number] for point in points),
            }
            m.d.comb += [getattr(self, f"{side}_{name}").eq(value) for name, value in found.items()]
        return m


class Board(Component):
    """The stones of both sides, and whose turn it is. A play that is `illegal` changes nothing."""

    def __init__(self) -> None:
        super().__init__(
            {
                **dict.fromkeys(("play", "over"), In(1)),
                "place": In(6),
                **dict.fromkeys(("x", "o", "at"), Out(POINTS)),
                **dict.fromkeys(("turn", "illegal"), Out(1)),
            }
        )
        self.decoder = PositionDecoder(6)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.submodules.decoder = decoder = self.decoder
        x, o, turn = Signal(POINTS), Signal(POINTS), Signal()
        m.d.comb += [
            self.x.eq(x),
            self.o.eq(o),
            self.turn.eq(turn),
            decoder.index.eq(self.place),
            decoder.enable.eq(self.play),
            self.illegal.eq((decoder.lines & (x | o)).any() | self.play & self.over),
            self.at.eq(decoder.lines & (~self.illegal).replicate(POINTS)),
        ]
        with m.If(turn):
            m.d.sync += o.eq(o | self.at)
        with m.Else():
            m.d.sync += x.eq(x | self.at)
        m.d.sync += turn.eq(turn ^ (self.play & ~self.illegal))
        return m


class Referee(Component):
    """The chip. Whoever is to move holds `play` high for a clock; `rst`, which needs none, empties the board."""

    def __init__(self) -> None:
        super().__init__(
            {
                **dict.fromkeys(("clk", "rst", "play"), In(1)),
                "place": In(6),
                "show": In(2),
                "other": In(1),
                **dict.fromkeys(("x_lamps", "o_lamps"), Out(POINTS)),
                **dict.fromkeys(("turn", "x_won", "o_won", "full", "illegal", "can_win", "must_stop"), Out(1)),
            }
        )
        self.board = Board()
        self.finder = ThreatFinder()
        self.marks = Signal(POINTS)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.domains.sync = ClockDomain(async_reset=True, local=True)
        m.submodules.board = board = self.board
        m.submodules.finder = finder = self.finder
        over = Signal()
        m.d.comb += [
            ClockSignal().eq(self.clk),
            ResetSignal().eq(self.rst),
            board.play.eq(self.play),
            board.place.eq(self.place),
            board.over.eq(over),
            finder.x.eq(board.x),
            finder.o.eq(board.o),
            self.turn.eq(board.turn),
            self.illegal.eq(board.illegal),
            self.x_won.eq(finder.x_row),
            self.o_won.eq(finder.o_row),
            self.full.eq(finder.full),
            over.eq(finder.x_row | finder.o_row | finder.full),
            self.can_win.eq(~over & self._of(board.turn, "wins").any()),
            self.must_stop.eq(~over & self._of(~board.turn, "wins").any()),
            self.x_lamps.eq(board.x | self.marks),
            self.o_lamps.eq(board.o | self.marks),
        ]
        with m.Switch(self.show):
            for show in (Show.WINS, Show.THREATS, Show.FORKS):
                with m.Case(show):
                    m.d.comb += self.marks.eq(self._of(board.turn ^ self.other, show.name.lower()))
        return m

    def _of(self, side: Value, name: str) -> Value:
        """A set of X's (0) or of O's (1)."""
        return Mux(side, getattr(self.finder, f"o_{name}"), getattr(self.finder, f"x_{name}"))
