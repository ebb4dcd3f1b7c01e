"""The DE2-115 board's pins (chapter 4.5), and what is behind them.

    CLOCK_50   the clock, 50 MHz
    KEY0       low while it is pressed: a new game
    SW0–8      the human's places, SW8 at the top left, then row by row down to SW0 at the bottom right
    SW17       up: the human begins; down: the AI does
    SW16       up: LEDR shows a board of the history, the one at the address SW10 (lowest bit) to SW14
    LEDR0–17   the board: LEDR2k and LEDR2k+1 belong to the place of SWk
    LEDG0      the human is to move
    LEDG1      the AI has won
    LEDG2      the game is over

Both LEDs of an empty place are on; where the AI has its X, the odd one is off; where the human has his O, the even
one. The report counts LEDR0 among the odd ones, in passing. Its figure pairs LEDR0 with LEDR1 at the bottom right, and
were LEDR0 off for an X as well, nothing would be left to show an O there; so here LEDR0 is even, like every other.

The report does not say how its history is read, nor how a game shows that it waits or has ended without a win: SW10
to SW14 and SW16, LEDG0 and LEDG2 are ours. An address that was never written shows an empty board.
"""

from amaranth.hdl import Cat, ClockDomain, ClockSignal, Elaboratable, Module, Mux, ResetSignal, Signal
from amaranth.lib.wiring import Component, In, Out

from noughts.silicon.elements2021.history import History
from noughts.silicon.elements2021.tictactoe import TicTacToe
from noughts.silicon.parts import PLACES

__all__ = ["DE2115"]


class DE2115(Component):
    """The pins, the register behind the switches, the game and the history."""

    CLOCK_50: In(1)
    KEY0: In(1)
    SW: In(18)
    LEDR: Out(18)
    LEDG0: Out(1)
    LEDG1: Out(1)
    LEDG2: Out(1)

    def __init__(self, *, pruning: bool = False) -> None:
        super().__init__()
        self.game = TicTacToe(pruning=pruning)
        self.history = History()

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.domains.sync = ClockDomain(async_reset=True, local=True)
        m.submodules.game = game = self.game
        m.submodules.history = history = self.history
        switches = Signal(18, reset_less=True)
        shown = Signal(2 * PLACES)
        m.d.comb += [
            ClockSignal().eq(self.CLOCK_50),
            ResetSignal().eq(~self.KEY0),
            game.human_places.eq(switches[:PLACES][::-1]),
            game.human_begins.eq(switches[17]),
            history.board.eq(game.board),
            history.record.eq(game.record),
            history.address.eq(switches[10:15]),
            shown.eq(Mux(switches[16], history.word, game.board)),
            # Reversed, place 8 comes first and the human's bit before the AI's: LEDR0 and LEDR1, and so on.
            self.LEDR.eq(~shown[::-1]),
            Cat(self.LEDG0, self.LEDG1, self.LEDG2).eq(Cat(game.waiting, game.ai_won, game.over)),
        ]
        m.d.sync += switches.eq(self.SW)
        return m
