"""The block *move*: the place being tried (i), the best so far (m), a random one, and the choice among them."""

from amaranth.hdl import Array, Elaboratable, Module, Signal
from amaranth.lib.wiring import Component, In, Out

from noughts.silicon.parts import Counter
from noughts.silicon.parts.scan import scan_path

__all__ = ["Move"]


class Move(Component):
    """`index` is the random place, i, m or the key, by `choose`."""

    choose: In(2)
    key: In(4)
    nexti: In(1)
    nextfree: In(4)
    pop: In(1)
    popped: In(4)
    assignmove: In(1)

    i: Out(4)
    index: Out(4)
    scan: In(1)
    scanin: In(1)
    scanout: Out(1)

    def __init__(self) -> None:
        super().__init__()
        self.m = Signal(4, reset_less=True)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.submodules.counter = counter = Counter()
        trying = Signal(4, name="i", reset_less=True)
        m.d.comb += [
            self.i.eq(trying),
            self.index.eq(Array([counter.count, trying, self.m, self.key])[self.choose]),
            counter.scan.eq(self.scan),
            counter.scanin.eq(self.scanin),
        ]
        with m.If(self.pop):
            m.d.sync += trying.eq(self.popped)
        with m.Elif(self.nexti):
            m.d.sync += trying.eq(self.nextfree)
        with m.If(self.assignmove):
            m.d.sync += self.m.eq(trying)
        scan_path(m, self.scan, counter.scanout, self.scanout, trying, self.m)
        return m
