"""The line detector, *winner_detect_across_line* of the slides: are three places one side's?"""

from amaranth.hdl import Elaboratable, Module, Mux
from amaranth.lib.wiring import Component, In, Out

from noughts.silicon.referee2021.sides import Side

__all__ = ["LineDetector"]


class LineDetector(Component):
    """`winner` while the three places are alike and not empty; `who` is then what stands there, and else nobody."""

    pos0: In(2)
    pos1: In(2)
    pos2: In(2)
    winner: Out(1)
    who: Out(2)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.d.comb += [
            self.winner.eq((self.pos0 == self.pos1) & (self.pos1 == self.pos2) & self.pos0.any()),
            self.who.eq(Mux(self.winner, self.pos0, Side.NOBODY)),
        ]
        return m
