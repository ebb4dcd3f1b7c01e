"""The next-free chain: which place to try next.

"A signal which is propagated similarly to the carry chain in a 9 bit ripple carry adder" (the paper of 1990, which
found it to be the slowest path of the chip): it starts behind place i, or before place 0, and stops at the first
free place. One that runs out at the far end says that there was none.
"""

from amaranth.hdl import Elaboratable, Module
from amaranth.lib.wiring import Component, In, Out

from noughts.silicon.parts.places import PLACES, occupied

__all__ = ["NextFree"]


class NextFree(Component):
    """The first free place behind `i`, or of the whole board while `usei` is low; `last` if there is none.

    While `last` is high, `place` is 0 and means nothing.
    """

    board: In(2 * PLACES)
    i: In(4)
    usei: In(1)
    place: Out(4)
    last: Out(1)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        taken = occupied(self.board)
        carry = ~self.usei
        for place in range(PLACES):
            with m.If(carry & ~taken[place]):
                m.d.comb += self.place.eq(place)
            carry = carry & taken[place] | self.usei & (self.i == place)
        m.d.comb += self.last.eq(carry)
        return m
