"""The chip with its policy in a ROM: what the rules name, and in which order the ROM looks at it.

*rules* names the points of the first of four rules that names any: win, block, fork, take the other's fork; else every
empty point. It is logic without registers, made of the lines of the board. *rom* holds two orders of the points, one
for either beginner, a point a word. The controller reads the order word by word, a look-up a cycle, and sets its stone
on the first point that the rules name.

A **fork** is a point on two lines that each have all but two stones of one side and none of the other: a stone there
makes two threats at once. Two lines share at most one point on the boards that this chip is made for, so the two
threats cannot be parried by one stone.
"""

from amaranth.hdl import Array, Cat, ClockDomain, ClockSignal, Elaboratable, Module, Mux, ResetSignal, Signal, Value
from amaranth.lib.wiring import Component, In, Out
from amaranth.utils import ceil_log2

from noughts.games.layout import Layout
from noughts.silicon.designs.rom2026 import State
from noughts.silicon.parts import BoardRegister, FullDetector, WinDetector, occupied, stones_of

__all__ = ["OrderRom", "RomChip", "Rules"]


class Rules(Component):
    """The points that the first rule names which names any, a line a point; none while the board is full."""

    def __init__(self, layout: Layout) -> None:
        super().__init__({"board": In(2 * len(layout)), "named": Out(len(layout))})
        self.layout = layout
        self.wins, self.blocks, self.forks, self.takes = (
            Signal(len(layout), name=name) for name in ("wins", "blocks", "forks", "takes")
        )

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        free = Signal(len(self.layout))
        m.d.comb += free.eq(~occupied(self.board))
        through = [
            [number for number, line in enumerate(self.layout.line_sets) if line >> point & 1]
            for point in range(len(self.layout))
        ]
        for side, completing, forking in ((0, self.wins, self.forks), (1, self.blocks, self.takes)):
            one, two = self._open_lines(m, side)
            m.d.comb += [
                completing.eq(free & Cat(Cat(one[line] for line in lines).any() for lines in through)),
                forking.eq(free & Cat(_at_least_two([two[line] for line in lines]) for lines in through)),
            ]
        m.d.comb += self.named.eq(free)
        for points in (self.takes, self.forks, self.blocks, self.wins):
            with m.If(points.any()):
                m.d.comb += self.named.eq(points)
        return m

    def _open_lines(self, m: Module, side: int) -> tuple[Signal, Signal]:
        """The lines, a bit each, with none of the other's stones and all but one, or all but two, of this side's."""
        own, other = stones_of(self.board, side), stones_of(self.board, 1 - side)
        one, two = (Signal(len(self.layout.lines), name=f"{name}{side}") for name in ("one", "two"))
        missing = [[~own[point] for point in line] for line in self.layout.lines]
        is_open = Cat(~Cat(other[point] for point in line).any() for line in self.layout.lines)
        several = Cat(map(_at_least_two, missing))
        m.d.comb += [one.eq(is_open & ~several), two.eq(is_open & several & ~Cat(map(_at_least_three, missing)))]
        return one, two


def _at_least_two(bits: list[Value]) -> Value:
    """Whether two of these bits are high: some bit, and one before it."""
    return Cat(bit & Cat(bits[:number]).any() for number, bit in enumerate(bits) if number).any()


def _at_least_three(bits: list[Value]) -> Value:
    return Cat(bit & _at_least_two(bits[:number]) for number, bit in enumerate(bits) if number > 1).any()


class OrderRom(Component):
    """The point at one step of one of two orders."""

    def __init__(self, orders: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
        self.words = [word for order in orders for word in order]
        number = ceil_log2(len(orders[0]))
        super().__init__({"step": In(number), "second": In(1), "point": Out(number)})

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        # A word a step: an order of fewer points than a power of two leaves words between that nobody reads.
        room = 1 << len(self.step)
        half = len(self.words) // 2
        words = [0] * (2 * room)
        words[:half], words[room : room + half] = self.words[:half], self.words[half:]
        m.d.comb += self.point.eq(Array(words)[Cat(self.step, self.second)])
        return m


class RomChip(Component):
    """`key` has a line a point; `userbegins` counts when a reset ends. The pins of the ROM come out, to be watched."""

    def __init__(self, layout: Layout, orders: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
        places = len(layout)
        super().__init__(
            {
                "clk": In(1),
                "rst": In(1),
                "userbegins": In(1),
                "key": In(places),
                "board": Out(2 * places),
                "waiting": Out(1),
                "over": Out(1),
                "win": Out(1),
                "step": Out(ceil_log2(places)),
            }
        )
        self.layout = layout
        self.register = BoardRegister(places)
        self.rules = Rules(layout)
        self.rom = OrderRom(orders)
        self.state = Signal(State, init=State.begin)
        self.second = Signal()
        self.hit = Signal()
        self.ended = Signal()

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.domains.sync = ClockDomain(async_reset=True, local=True)
        m.submodules.register = register = self.register
        m.submodules.rules = rules = self.rules
        m.submodules.rom = rom = self.rom
        m.submodules.win = win = WinDetector(self.layout)
        m.submodules.lost = lost = WinDetector(self.layout)
        m.submodules.full = full = FullDetector(len(self.layout))
        step = Signal.like(self.step)
        legal = Signal(len(self.layout))
        m.d.comb += [
            ClockSignal().eq(self.clk),
            ResetSignal().eq(self.rst),
            self.board.eq(register.board),
            rules.board.eq(register.board),
            full.board.eq(register.board),
            win.stones.eq(stones_of(register.board, 0)),
            lost.stones.eq(stones_of(register.board, 1)),
            rom.step.eq(step),
            rom.second.eq(self.second),
            self.step.eq(step),
            self.ended.eq(win.wins | lost.wins | full.full),
            self.hit.eq(Array(rules.named)[rom.point]),
            legal.eq(self.key & ~occupied(register.board)),
            self.waiting.eq((self.state == State.wait) & ~self.ended),
            self.over.eq((self.state == State.wait) & self.ended),
            self.win.eq(self.over & win.wins),
            register.side.eq(self.state == State.wait),
            register.index.eq(rom.point),
        ]
        with m.Switch(self.state):
            with m.Case(State.begin):
                m.d.sync += [
                    self.second.eq(self.userbegins),
                    self.state.eq(Mux(self.userbegins, State.wait, State.look)),
                ]
            with m.Case(State.wait):
                for place in reversed(range(len(self.layout))):
                    with m.If(legal[place]):
                        m.d.comb += register.index.eq(place)
                with m.If(legal.any() & ~self.ended):
                    m.d.comb += register.toggle.eq(1)
                    m.d.sync += [self.state.eq(State.look), step.eq(0)]
            with m.Case(State.look):
                m.d.sync += step.eq(step + 1)
                with m.If(self.ended | self.hit):
                    m.d.comb += register.toggle.eq(~self.ended)
                    m.d.sync += self.state.eq(State.wait)
        return m
