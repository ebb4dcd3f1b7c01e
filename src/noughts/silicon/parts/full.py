"""The full detector: no place is left."""

from amaranth.hdl import Elaboratable, Module
from amaranth.lib.wiring import Component, In, Out

from noughts.silicon.parts.places import PLACES, occupied

__all__ = ["FullDetector"]


class FullDetector(Component):
    """High while every place of the board has a stone."""

    board: In(2 * PLACES)
    full: Out(1)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.d.comb += self.full.eq(occupied(self.board).all())
        return m
