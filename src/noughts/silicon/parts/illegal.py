"""The illegal-move detector: somebody points at a place that has a stone."""

from amaranth.hdl import Elaboratable, Module
from amaranth.lib.wiring import Component, In, Out

from noughts.silicon.parts.places import PLACES, occupied

__all__ = ["IllegalMoveDetector"]


class IllegalMoveDetector(Component):
    """High while a place that is pointed at, a line a place, has a stone already."""

    board: In(2 * PLACES)
    at: In(PLACES)
    illegal: Out(1)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.d.comb += self.illegal.eq((occupied(self.board) & self.at).any())
        return m
