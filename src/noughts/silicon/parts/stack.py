"""The stack: registers and a pointer. The word that was pushed last is at `top`."""

from amaranth.hdl import Array, Elaboratable, Module, Signal
from amaranth.lib.wiring import Component, In, Out
from amaranth.utils import ceil_log2

from noughts.silicon.parts.scan import scan_path

__all__ = ["Stack"]


class Stack(Component):
    """As many words as `depth` says, a power of two, though a pointer of so few bits can count one word less."""

    def __init__(self, width: int = 6, depth: int = 8) -> None:
        super().__init__(
            {
                "push": In(1),
                "pop": In(1),
                "word": In(width),
                "top": Out(width),
                "sp": Out(ceil_log2(depth)),
                "scan": In(1),
                "scanin": In(1),
                "scanout": Out(1),
            }
        )
        self.words = Array(Signal(width, name=f"word{k}", reset_less=True) for k in range(depth))

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        pointer = Signal.like(self.sp)
        below = Signal.like(self.sp)
        m.d.comb += [below.eq(pointer - 1), self.sp.eq(pointer), self.top.eq(self.words[below])]
        with m.If(self.push):
            m.d.sync += [self.words[pointer].eq(self.word), pointer.eq(pointer + 1)]
        with m.Elif(self.pop):
            m.d.sync += pointer.eq(below)
        scan_path(m, self.scan, self.scanin, self.scanout, pointer, *self.words)
        return m
