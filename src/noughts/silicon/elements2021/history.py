"""The history: a memory of 32 words of 18 bits, one board each, for the final boards of games (chapter 4.3).

A game's board goes to the address behind the last one's, and after address 31 to 0 again, over the oldest. A reset is
how a new game is asked for, so neither the words nor the address know of it.
"""

from amaranth.hdl import Elaboratable, Module, Signal
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import Component, In, Out

from noughts.silicon.parts import PLACES

__all__ = ["WORDS", "History"]

WORDS = 32


class History(Component):
    """Writes the board in a cycle in which `record` is high; `word` is what was at `address` a cycle ago."""

    board: In(2 * PLACES)
    record: In(1)
    address: In(range(WORDS))
    word: Out(2 * PLACES)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.submodules.memory = memory = Memory(shape=2 * PLACES, depth=WORDS, init=[])
        writer, reader = memory.write_port(), memory.read_port()
        following = Signal(range(WORDS), reset_less=True)
        m.d.comb += [
            writer.addr.eq(following),
            writer.data.eq(self.board),
            writer.en.eq(self.record),
            reader.addr.eq(self.address),
            self.word.eq(reader.data),
        ]
        with m.If(self.record):
            m.d.sync += following.eq(following + 1)
        return m
