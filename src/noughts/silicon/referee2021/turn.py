"""The turn control: who may play now.

The slides enable one side after the other from outside and print boards with which either has begun. So here either
may begin; from then on the sides take turns, and after a win or with no space left nobody may play.
"""

from amaranth.hdl import Elaboratable, Module, Mux, Signal
from amaranth.lib.wiring import Component, In, Out

from noughts.silicon.referee2021.sides import Side

__all__ = ["TurnControl"]


class TurnControl(Component):
    """`out_of_turn` while somebody plays who may not; the turn passes with every play that is not illegal.

    `turn` is the side to play, nobody while either may begin. When the game is over it says who would be next.
    """

    pp: In(1)
    pc: In(1)
    over: In(1)
    illegal_move: In(1)
    turn: Out(2)
    out_of_turn: Out(1)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        turn = Signal(Side)
        plays = self.pp | self.pc
        m.d.comb += [
            self.turn.eq(turn),
            self.out_of_turn.eq(
                self.pp & self.pc
                | plays & self.over
                | self.pp & (turn == Side.COMPUTER)
                | self.pc & (turn == Side.PLAYER)
            ),
        ]
        with m.If(plays & ~self.illegal_move):
            m.d.sync += turn.eq(Mux(self.pp, Side.COMPUTER, Side.PLAYER))
        return m
