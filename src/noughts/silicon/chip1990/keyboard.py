"""The keyboard: nine keys, low while they are pressed, behind a register.

The register makes a key that is held during one cycle act at the end of the next. If several keys are held, the
lowest counts.
"""

from amaranth.hdl import Elaboratable, Module, Signal
from amaranth.lib.wiring import Component, In, Out

from noughts.silicon.parts import PLACES
from noughts.silicon.parts.scan import scan_path

__all__ = ["Keyboard"]


class Keyboard(Component):
    """Which key is pressed, as a number and as a line a place."""

    keyboardN: In(PLACES)
    keypressed: Out(1)
    key: Out(4)
    at: Out(PLACES)
    scan: In(1)
    scanin: In(1)
    scanout: Out(1)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        register = Signal(PLACES, init=-1, reset_less=True)
        m.d.sync += register.eq(self.keyboardN)
        m.d.comb += self.keypressed.eq(~register.all())
        for place in reversed(range(PLACES)):
            with m.If(~register[place]):
                m.d.comb += [self.key.eq(place), self.at.eq(1 << place)]
        scan_path(m, self.scan, self.scanin, self.scanout, register)
        return m
