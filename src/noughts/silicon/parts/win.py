"""The win detector: three stones of one side in a row."""

from amaranth.hdl import Cat, Elaboratable, Module
from amaranth.lib.wiring import Component, In, Out

from noughts.games.layout import grid
from noughts.silicon.parts.places import PLACES

__all__ = ["LINES", "WinDetector"]

LINES = grid(3, 3, 3).lines
"""The eight lines of three places, from the description of the game itself."""


class WinDetector(Component):
    """High while the stones of one side, a bit a place, fill one of the eight lines."""

    stones: In(PLACES)
    wins: Out(1)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        rows = (Cat(self.stones[place] for place in line).all() for line in LINES)
        m.d.comb += self.wins.eq(Cat(rows).any())
        return m
