"""The referee: the arbiter of a game with pins of its own.

Keys are looked at in every clock. `illegal` follows them without one: it is high while a chord is down that the next
clock would not take. A chord is held for one clock; held longer it meets the other side's turn, and is judged as his.
"""

from typing import Any

from amaranth.hdl import ClockDomain, ClockSignal, Elaboratable, Module, ResetSignal
from amaranth.lib.wiring import Component, In, Out

from noughts.games import Game
from noughts.silicon.arbiter import Arbiter

__all__ = ["Referee"]


class Referee(Component):
    """Two sides at one keyboard, X first. The clock is `clk`; `rst`, which needs no clock, empties the board."""

    def __init__(self, game: Game) -> None:
        self.arbiter: Any = Arbiter(game)
        points = len(game.layout)
        hands = dict.fromkeys(("hand_x", "hand_o"), Out(self.arbiter.hand_width)) if self.arbiter.counts else {}
        super().__init__(
            {
                "clk": In(1),
                "rst": In(1),
                "key": In(points),
                "x": Out(points),
                "o": Out(points),
                **hands,
                "turn": Out(1),
                "movable": Out(points),
                "illegal": Out(1),
                "full": Out(1),
                "x_won": Out(1),
                "o_won": Out(1),
                "draw": Out(1),
            }
        )

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.domains.sync = ClockDomain(async_reset=True, local=True)
        m.submodules.arbiter = arbiter = self.arbiter
        m.d.comb += [
            ClockSignal().eq(self.clk),
            ResetSignal().eq(self.rst),
            arbiter.key.eq(self.key),
            self.x.eq(arbiter.stones0),
            self.o.eq(arbiter.stones1),
            *(
                getattr(self, name).eq(getattr(arbiter, name))
                for name in ("turn", "movable", "illegal", "full", "draw")
            ),
            self.x_won.eq(arbiter.lost & arbiter.turn),
            self.o_won.eq(arbiter.lost & ~arbiter.turn),
        ]
        if arbiter.counts:
            m.d.comb += [self.hand_x.eq(arbiter.hand0), self.hand_o.eq(arbiter.hand1)]
        return m
