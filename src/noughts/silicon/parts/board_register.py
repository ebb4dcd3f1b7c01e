"""The board register: nine places of two bits, of which one bit may be toggled in a cycle.

Setting a stone and taking it back are the same: the addressed bit is inverted. The chip of 1990 undoes its trial
moves that way, without a copy of the board.
"""

from amaranth.hdl import Cat, Elaboratable, Module, Signal
from amaranth.lib.wiring import Component, In, Out

from noughts.silicon.parts.decoder import PositionDecoder
from noughts.silicon.parts.places import PLACES
from noughts.silicon.parts.scan import scan_path

__all__ = ["BoardRegister"]


class BoardRegister(Component):
    """Inverts bit 2·index+side of the board at the end of a cycle in which `toggle` is high."""

    index: In(4)
    side: In(1)
    toggle: In(1)
    board: Out(2 * PLACES)
    scan: In(1)
    scanin: In(1)
    scanout: Out(1)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.submodules.decoder = decoder = PositionDecoder(5)
        register = Signal(2 * PLACES)
        m.d.comb += [
            decoder.index.eq(Cat(self.side, self.index)),
            decoder.enable.eq(self.toggle),
            self.board.eq(register),
        ]
        m.d.sync += register.eq(register ^ decoder.lines[: 2 * PLACES])
        scan_path(m, self.scan, self.scanin, self.scanout, register)
        return m
