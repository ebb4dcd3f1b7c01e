"""The position decoder: a number becomes one high line among many."""

from amaranth.hdl import Elaboratable, Module
from amaranth.lib.wiring import Component, In, Out

__all__ = ["PositionDecoder"]


class PositionDecoder(Component):
    """Raises line `index` while `enable` is high; 2^width lines for a number of `width` bits."""

    def __init__(self, width: int = 4) -> None:
        super().__init__({"index": In(width), "enable": In(1), "lines": Out(1 << width)})

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.d.comb += self.lines.eq(self.enable << self.index)
        return m
