"""The referee: its pins, and the modules joined.

Whoever plays holds `pp` (the player) or `pc` (the computer) high and names a position; the next rising clock registers
the move if it is legal. `illegal_move` follows the inputs without a clock. It is high while a play is asked for that
the next clock would not register: the position is occupied, or is not one of 1 to 9; it is the other side's turn;
both play at once; or the game is over.

A play may be held for many clocks, as the slides' test bench does. The first registers it. From then on the position
is occupied and the turn has passed, so `illegal_move` is high until the play ends, and nothing changes. So what says
that a move is refused is `illegal_move` before the clock, not after.
"""

from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Any

from amaranth.hdl import Cat, ClockDomain, ClockSignal, Elaboratable, Module, Mux, ResetSignal, Signal
from amaranth.lib.wiring import Component, In, Out

from noughts.silicon.designs.referee2021 import Side
from noughts.silicon.parts import PLACES, FullDetector, IllegalMoveDetector, PositionDecoder

__all__ = ["LINES", "POSITIONS", "LineDetector", "PositionRegisters", "Referee", "TurnControl", "WinnerDetector"]

POSITIONS = [f"pos{position}" for position in range(1, PLACES + 1)]

# The position registers: nine times two bits, each with an enable line for either side.
#
# All nine change, or keep what they have, at the same rising clock; a reset empties them without waiting for it. The
# board that comes out has position 1 in its lowest two bits. Of those the lower bit is the player's stone: the other
# way round than in the chip of 1990, but the parts that are shared only ask whether there is one.


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


# The line detector, *winner_detect_across_line* of the slides: are three places one side's?


class LineDetector(Component):
    """`winner` while the three places are alike and not empty; `who` is then what stands there, and else nobody."""

    pos0: In(2)
    pos1: In(2)
    pos2: In(2)
    winner: Out(1)
    who: Out(2)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.d.comb += [
            self.winner.eq((self.pos0 == self.pos1) & (self.pos1 == self.pos2) & self.pos0.any()),
            self.who.eq(Mux(self.winner, self.pos0, Side.NOBODY)),
        ]
        return m


# The winner detector, *winner_detector* of the slides: a line detector for each of the eight lines.
#
# A move can complete two lines at once, but both are then of the side that made it: so the answers are simply ORed.

LINES = ((1, 2, 3), (4, 5, 6), (7, 8, 9), (1, 4, 7), (2, 5, 8), (3, 6, 9), (1, 5, 9), (3, 5, 7))
"""The lines in the order of the slides' u1 to u8, with positions numbered from 1 as there."""


class WinnerDetector(Component):
    """`winner` while somebody has three in a row, and `who` that is; `line` is what looks at three places."""

    def __init__(self, line: Callable[[], Any] = LineDetector) -> None:
        positions = {f"pos{position}": In(2) for position in range(1, PLACES + 1)}
        super().__init__({**positions, "winner": Out(1), "who": Out(2)})
        self.line = line

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        lines = [self.line() for _ in LINES]
        board = Signal(2 * PLACES)
        m.d.comb += board.eq(Cat(getattr(self, name) for name in POSITIONS))
        for number, (line, positions) in enumerate(zip(lines, LINES, strict=True), start=1):
            m.submodules[f"u{number}"] = line
            first, second, third = (board.word_select(position - 1, 2) for position in positions)
            m.d.comb += [line.pos0.eq(first), line.pos1.eq(second), line.pos2.eq(third)]
        m.d.comb += [
            self.winner.eq(reduce(or_, (line.winner for line in lines))),
            self.who.eq(reduce(or_, (line.who for line in lines))),
        ]
        return m


# The turn control: who may play now.
#
# The slides enable one side after the other from outside and print boards with which either has begun. So here either
# may begin; from then on the sides take turns, and after a win or with no space left nobody may play.


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
        plays = Signal()
        m.d.comb += [
            plays.eq(self.pp | self.pc),
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
