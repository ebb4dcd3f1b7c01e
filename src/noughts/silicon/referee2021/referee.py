"""The referee: its pins, and the modules joined.

Whoever plays holds `pp` (the player) or `pc` (the computer) high and names a position; the next rising clock registers
the move if it is legal. `illegal_move` follows the inputs without a clock. It is high while a play is asked for that
the next clock would not register: the position is occupied, or is not one of 1 to 9; it is the other side's turn;
both play at once; or the game is over.

A play may be held for many clocks, as the slides' test bench does. The first registers it. From then on the position
is occupied and the turn has passed, so `illegal_move` is high until the play ends, and nothing changes. So what says
that a move is refused is `illegal_move` before the clock, not after.
"""

from amaranth.hdl import Cat, ClockDomain, ClockSignal, Elaboratable, Module, ResetSignal, Signal
from amaranth.lib.wiring import Component, In, Out

from noughts.silicon.parts import PLACES, FullDetector, IllegalMoveDetector, PositionDecoder
from noughts.silicon.referee2021.registers import PositionRegisters
from noughts.silicon.referee2021.turn import TurnControl
from noughts.silicon.referee2021.winner import WinnerDetector

__all__ = ["Referee"]

POSITIONS = [f"pos{position}" for position in range(1, PLACES + 1)]


class Referee(Component):
    """The pins of the slides, and `turn`. The clock is `clk`; `rst`, which needs no clock, empties the board."""

    def __init__(self) -> None:
        super().__init__(
            {
                "clk": In(1),
                "rst": In(1),
                "pp": In(1),
                "pc": In(1),
                "player_position": In(4),
                "computer_position": In(4),
                **dict.fromkeys(POSITIONS, Out(2)),
                "who": Out(2),
                "winner": Out(1),
                "no_space": Out(1),
                "illegal_move": Out(1),
                "turn": Out(2),
            }
        )
        self.player_decoder = PositionDecoder()
        self.computer_decoder = PositionDecoder()
        self.illegal_move_detector = IllegalMoveDetector()
        self.turn_control = TurnControl()
        self.position_registers = PositionRegisters()
        self.winner_detector = WinnerDetector()
        self.nospace_detector = FullDetector()
        self.pl_en = Signal(PLACES)
        self.pc_en = Signal(PLACES)
        self.nowhere = Signal()

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.domains.sync = ClockDomain(async_reset=True, local=True)
        m.d.comb += [ClockSignal().eq(self.clk), ResetSignal().eq(self.rst)]
        m.submodules.position_registers = self.position_registers
        self._decode(m)
        self._judge_the_move(m)
        self._judge_the_board(m)
        return m

    def _decode(self, m: Module) -> None:
        """A line for each position, and none for line 0 and those from 10 on, which are nowhere."""
        m.submodules.player_decoder = player = self.player_decoder
        m.submodules.computer_decoder = computer = self.computer_decoder
        m.d.comb += [
            player.index.eq(self.player_position),
            player.enable.eq(self.pp),
            self.pl_en.eq(player.lines[1 : PLACES + 1]),
            computer.index.eq(self.computer_position),
            computer.enable.eq(self.pc),
            self.pc_en.eq(computer.lines[1 : PLACES + 1]),
            self.nowhere.eq(self.pp & ~self.pl_en.any() | self.pc & ~self.pc_en.any()),
        ]

    def _judge_the_move(self, m: Module) -> None:
        m.submodules.illegal_move_detector = detector = self.illegal_move_detector
        m.submodules.turn_control = control = self.turn_control
        registers = self.position_registers
        m.d.comb += [
            detector.board.eq(registers.board),
            detector.at.eq(self.pl_en | self.pc_en),
            control.pp.eq(self.pp),
            control.pc.eq(self.pc),
            control.over.eq(self.winner | self.no_space),
            self.illegal_move.eq(detector.illegal | control.out_of_turn | self.nowhere),
            control.illegal_move.eq(self.illegal_move),
            registers.illegal_move.eq(self.illegal_move),
            registers.pl_en.eq(self.pl_en),
            registers.pc_en.eq(self.pc_en),
            self.turn.eq(control.turn),
        ]

    def _judge_the_board(self, m: Module) -> None:
        m.submodules.winner_detector = winner = self.winner_detector
        m.submodules.nospace_detector = nospace = self.nospace_detector
        board = self.position_registers.board
        m.d.comb += [
            Cat(getattr(self, name) for name in POSITIONS).eq(board),
            *(getattr(winner, name).eq(getattr(self, name)) for name in POSITIONS),
            self.winner.eq(winner.winner),
            self.who.eq(winner.who),
            nospace.board.eq(board),
            self.no_space.eq(nospace.full),
        ]
