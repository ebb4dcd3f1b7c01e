"""A serial line: bytes as levels on one wire, at a speed that both ends have agreed on beforehand.

The wire rests high. A byte is a low start bit, eight bits of data, the lowest first, and a high stop bit, each as long
as `divisor` cycles of our clock ("8N1"). Nothing but the falling edge of the start bit tells the receiver where a byte
begins: half a bit later it makes sure, and then it looks into the middle of every bit. So the clocks of both ends may
differ by a few percent, since the error has only ten bits in which to grow to half of one.
"""

from amaranth.hdl import Cat, Elaboratable, Module, Mux, Signal
from amaranth.lib.cdc import FFSynchronizer
from amaranth.lib.wiring import Component, In, Out

__all__ = ["Receiver", "Transmitter"]

FRAME = 10
"""Bits on the wire for a byte: start, data, stop."""


class Receiver(Component):
    """Gives every byte that comes in on `rx`: `data` counts in the one cycle in which `valid` is high.

    A byte whose stop bit is not high is dropped, and so is a start bit that has gone when it is looked at again.
    """

    rx: In(1, init=1)
    data: Out(8)
    valid: Out(1)

    def __init__(self, divisor: int) -> None:
        super().__init__()
        self.divisor = divisor

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        line = Signal(init=1)
        before = Signal(init=1)
        m.submodules.synchroniser = FFSynchronizer(self.rx, line, init=1)
        m.d.sync += [before.eq(line), self.valid.eq(0)]

        left = Signal(range(FRAME + 1))
        clock = Signal(range(self.divisor))
        with m.If((left == 0) & before & ~line):
            m.d.sync += [left.eq(FRAME), clock.eq(self.divisor // 2 - 1)]
        with m.Elif(clock != 0):
            m.d.sync += clock.eq(clock - 1)
        with m.Elif(left != 0):
            m.d.sync += [left.eq(left - 1), clock.eq(self.divisor - 1)]
            with m.Switch(left):
                with m.Case(FRAME):
                    m.d.sync += left.eq(Mux(line, 0, FRAME - 1))
                with m.Case(1):
                    m.d.sync += self.valid.eq(line)
                with m.Default():
                    m.d.sync += self.data.eq(Cat(self.data[1:], line))
        return m


class Transmitter(Component):
    """Sends `data` on `tx` when `valid` is high in a cycle in which it is `ready`."""

    data: In(8)
    valid: In(1)
    ready: Out(1)
    tx: Out(1, init=1)

    def __init__(self, divisor: int) -> None:
        super().__init__()
        self.divisor = divisor

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        bits = Signal(1 + 8, init=-1)
        left = Signal(range(FRAME + 1))
        clock = Signal(range(self.divisor))
        m.d.comb += [self.tx.eq(bits[0]), self.ready.eq(left == 0)]
        with m.If(self.ready & self.valid):
            m.d.sync += [bits.eq(Cat(0, self.data)), left.eq(FRAME), clock.eq(self.divisor - 1)]
        with m.Elif(clock != 0):
            m.d.sync += clock.eq(clock - 1)
        with m.Elif(left != 0):
            m.d.sync += [bits.eq(Cat(bits[1:], 1)), left.eq(left - 1), clock.eq(self.divisor - 1)]
        return m
