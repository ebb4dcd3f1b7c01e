"""The referee as the slides print it, module by module: their ports, their logic, and nothing that they do not have.

It differs from `referee`, which keeps the rules:

- `illegal_move` means that a place which is pointed at has a stone, and nothing else.
- There is no turn and no end. Whoever is enabled plays; after a win the board goes on filling.
- Both sides may play in one cycle. On two places both stones are stored; on one place the computer's.
- The decoders have sixteen lines, of which 14 and 15 are never high: numbers without a case of their own raise line 0.
  The registers take lines 0 to 9, and line 0 leads nowhere. So 0 and everything from 10 on is a play without effect,
  and not an illegal one.

The slides do not print the module around these; its pins are what their test bench names, and the outputs of the
modules. If both sides have a row, `who` is 11, the OR of the two.
"""

from functools import reduce
from operator import and_

from amaranth.hdl import Cat, ClockDomain, ClockSignal, Elaboratable, Module, ResetSignal, Signal
from amaranth.lib.wiring import Component, In, Out

from noughts.silicon.designs.referee2021 import Side
from noughts.silicon.designs.referee2021.referee import POSITIONS, WinnerDetector
from noughts.silicon.parts import PLACES

__all__ = ["LINES", "Slides"]

LINES = 10
"""Enable lines of a side: 0 to 9, the first without a place."""
CASES = 14
"""Numbers for which the decoder has a case: 0 to 13."""

_BOARD = dict.fromkeys(POSITIONS, In(2))


class WinnerDetectAcrossLine(Component):
    """Three places that are alike and not empty; `temp0` to `temp3` as on the slide, whose carets are XORs."""

    pos0: In(2)
    pos1: In(2)
    pos2: In(2)
    winner: Out(1)
    who: Out(2)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        temp0, temp1, temp2, temp3 = Signal(2), Signal(2), Signal(2), Signal()
        m.d.comb += [
            temp0.eq(~(self.pos0 ^ self.pos1)),
            temp1.eq(~(self.pos2 ^ self.pos1)),
            temp2.eq(temp0 & temp1),
            temp3.eq(self.pos0[1] | self.pos0[0]),
            self.winner.eq(temp3 & temp2[1] & temp2[0]),
            self.who.eq(Cat(self.winner & self.pos0[0], self.winner & self.pos0[1])),
        ]
        return m


class NospaceDetector(Component):
    """High while no place is 00."""

    def __init__(self) -> None:
        super().__init__({**_BOARD, "no_space": Out(1)})

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.d.comb += self.no_space.eq(reduce(and_, (getattr(self, name).any() for name in POSITIONS)))
        return m


class IllegalMoveDetector(Component):
    """High while either side's line is high at a place that is not 00."""

    def __init__(self) -> None:
        enables = {"PC_en_signal": In(LINES), "PL_en_signal": In(LINES)}
        super().__init__({**_BOARD, **enables, "illegal_move": Out(1)})

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        player, computer = Signal(PLACES, name="player_illegal"), Signal(PLACES, name="computer_illegal")
        taken = Cat(getattr(self, name).any() for name in POSITIONS)
        m.d.comb += [
            player.eq(taken & self.PL_en_signal[1:]),
            computer.eq(taken & self.PC_en_signal[1:]),
            self.illegal_move.eq(player.any() | computer.any()),
        ]
        return m


class PositionRegisters(Component):
    """Nine times two bits; the computer's line is looked at first."""

    def __init__(self) -> None:
        enables = {"illegal_move": In(1), "PC_en_signal": In(LINES), "PL_en_signal": In(LINES)}
        super().__init__({**enables, **dict.fromkeys(POSITIONS, Out(2))})

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        for number, name in enumerate(POSITIONS, 1):
            register = Signal(2, name=name)
            m.d.comb += getattr(self, name).eq(register)
            with m.If(~self.illegal_move):
                with m.If(self.PC_en_signal[number]):
                    m.d.sync += register.eq(Side.COMPUTER)
                with m.Elif(self.PL_en_signal[number]):
                    m.d.sync += register.eq(Side.PLAYER)
        return m


class PositionDecoder(Component):
    """One of sixteen lines, or none while `enable` is low."""

    def __init__(self) -> None:
        super().__init__({"in": In(4), "enable": In(1), "out_en": Out(16)})

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        t1 = Signal(16)
        with m.Switch(getattr(self, "in")):
            for number in range(CASES):
                with m.Case(number):
                    m.d.comb += t1.eq(1 << number)
            with m.Default():
                m.d.comb += t1.eq(1)
        with m.If(self.enable):
            m.d.comb += self.out_en.eq(t1)
        return m


class Slides(Component):
    """The modules joined; the clock is `clk`, and `rst` needs none."""

    def __init__(self) -> None:
        super().__init__(
            {
                **dict.fromkeys(("clk", "rst", "pp", "pc"), In(1)),
                **dict.fromkeys(("player_position", "computer_position"), In(4)),
                **dict.fromkeys((*POSITIONS, "who"), Out(2)),
                **dict.fromkeys(("winner", "no_space", "illegal_move"), Out(1)),
            }
        )
        self.position_registers = PositionRegisters()
        self.player_decoder = PositionDecoder()
        self.computer_decoder = PositionDecoder()
        self.illegal_move_detector = IllegalMoveDetector()
        self.winner_detector = WinnerDetector(WinnerDetectAcrossLine)
        self.nospace_detector = NospaceDetector()
        self.PL_en_signal = Signal(LINES)
        self.PC_en_signal = Signal(LINES)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.domains.sync = ClockDomain(async_reset=True, local=True)
        m.d.comb += [ClockSignal().eq(self.clk), ResetSignal().eq(self.rst)]
        m.submodules.position_registers = registers = self.position_registers
        m.submodules.player_decoder = player = self.player_decoder
        m.submodules.computer_decoder = computer = self.computer_decoder
        m.submodules.illegal_move_detector = detector = self.illegal_move_detector
        m.submodules.winner_detector = winner = self.winner_detector
        m.submodules.nospace_detector = nospace = self.nospace_detector
        m.d.comb += [
            getattr(player, "in").eq(self.player_position),
            player.enable.eq(self.pp),
            self.PL_en_signal.eq(player.out_en[:LINES]),
            getattr(computer, "in").eq(self.computer_position),
            computer.enable.eq(self.pc),
            self.PC_en_signal.eq(computer.out_en[:LINES]),
            *(getattr(self, name).eq(getattr(registers, name)) for name in POSITIONS),
            *(
                getattr(part, name).eq(getattr(self, name))
                for part in (detector, winner, nospace)
                for name in POSITIONS
            ),
            *(part.PL_en_signal.eq(self.PL_en_signal) for part in (detector, registers)),
            *(part.PC_en_signal.eq(self.PC_en_signal) for part in (detector, registers)),
            self.illegal_move.eq(detector.illegal_move),
            registers.illegal_move.eq(self.illegal_move),
            self.winner.eq(winner.winner),
            self.who.eq(winner.who),
            self.no_space.eq(nospace.no_space),
        ]
        return m
