"""The position registers: nine times two bits, each with an enable line for either side.

All nine change, or keep what they have, at the same rising clock; a reset empties them without waiting for it. The
board that comes out has position 1 in its lowest two bits. Of those the lower bit is the player's stone: the other
way round than in the chip of 1990, but the parts that are shared only ask whether there is one.
"""

from amaranth.hdl import Cat, Elaboratable, Module, Signal
from amaranth.lib.wiring import Component, In, Out

from noughts.silicon.parts import PLACES
from noughts.silicon.referee2021.sides import Side

__all__ = ["PositionRegisters"]


class PositionRegisters(Component):
    """Stores the computer's or the player's code where its line is high, unless the move is illegal."""

    illegal_move: In(1)
    pc_en: In(PLACES)
    pl_en: In(PLACES)
    board: Out(2 * PLACES)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        registers = [Signal(2, name=f"pos{position}") for position in range(1, PLACES + 1)]
        for place, register in enumerate(registers):
            with m.If(~self.illegal_move):
                with m.If(self.pc_en[place]):
                    m.d.sync += register.eq(Side.COMPUTER)
                with m.Elif(self.pl_en[place]):
                    m.d.sync += register.eq(Side.PLAYER)
        m.d.comb += self.board.eq(Cat(registers))
        return m
