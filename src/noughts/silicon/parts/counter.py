"""The free-running counter: three bits that nobody resets, read when a random number is wanted.

The chip of 1990 "generates three-bit random numbers simply by starting at an undefined value and counting
endlessly": it is the person who is random, by the moment at which the reset ends.
"""

from amaranth.hdl import Elaboratable, Module, Signal
from amaranth.lib.wiring import Component, In, Out

from noughts.silicon.parts.scan import scan_path

__all__ = ["Counter"]


class Counter(Component):
    """One more every cycle, modulo 2^width, through resets as well."""

    def __init__(self, width: int = 3) -> None:
        super().__init__({"count": Out(width), "scan": In(1), "scanin": In(1), "scanout": Out(1)})

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        register = Signal.like(self.count, reset_less=True)
        m.d.comb += self.count.eq(register)
        m.d.sync += register.eq(register + 1)
        scan_path(m, self.scan, self.scanin, self.scanout, register)
        return m
