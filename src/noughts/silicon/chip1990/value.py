"""The block *value*: what the move just tried is worth (r), the best so far (bestr), and what is enough (a).

All are seen by the player whose turn it is at that depth. r is −1, 0 or 1; bestr is −1 or 0, since a 1 ends the loop;
a is 0 or 1. So a bit does for bestr, high for −1, and a bit for a, high for 1; and a = −bestr is a copy.
"""

from amaranth.hdl import Elaboratable, Module, Mux, Signal, signed
from amaranth.lib.wiring import Component, In, Out

from noughts.silicon.parts.scan import scan_path

__all__ = ["Value"]


class Value(Component):
    """The registers r, bestr and a, and how r compares."""

    init: In(1)
    retbest: In(1)
    remember: In(1)
    negr: In(1)
    sno: In(1)
    clearr: In(1)
    call: In(1)
    pop: In(1)
    popped_bestr: In(1)
    popped_a: In(1)

    bestr: Out(1)
    a: Out(1)
    rgea: Out(1)
    rgbestr: Out(1)
    scan: In(1)
    scanin: In(1)
    scanout: Out(1)

    def __init__(self) -> None:
        super().__init__()
        self.r = Signal(signed(2), reset_less=True)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        bestr = Signal(reset_less=True)
        a = Signal(init=1)
        m.d.comb += [
            self.bestr.eq(bestr),
            self.a.eq(a),
            self.rgea.eq(Mux(a, self.r == 1, self.r >= 0)),
            self.rgbestr.eq(Mux(bestr, self.r >= 0, self.r == 1)),
        ]
        with m.If(self.retbest):
            m.d.sync += self.r.eq(bestr)
        with m.Elif(self.negr):
            m.d.sync += self.r.eq(-self.r)
        with m.Elif(self.sno):
            m.d.sync += self.r.eq(-1)
        with m.Elif(self.clearr):
            m.d.sync += self.r.eq(0)
        with m.If(self.pop):
            m.d.sync += [bestr.eq(self.popped_bestr), a.eq(self.popped_a)]
        with m.Elif(self.call):
            m.d.sync += [bestr.eq(1), a.eq(bestr)]
        with m.Elif(self.init):
            m.d.sync += bestr.eq(1)
        with m.Elif(self.remember):
            m.d.sync += bestr.eq(0)
        scan_path(m, self.scan, self.scanin, self.scanout, self.r, bestr, a)
        return m
