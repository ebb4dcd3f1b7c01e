"""The DE2-115 board's pins (chapter 4.5), and what is behind them.

    CLOCK_50   the clock; the board's oscillator of 50 MHz is at the pin of this name
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
to SW14 and SW16, LEDG0 and LEDG2 are ours, and so is SW17. An address that was never written shows an empty board.
The report names neither the clock's pin nor its period; CLOCK_50 is what the board's maker calls it.
"""

from typing import Any

from amaranth.hdl import Cat, ClockDomain, ClockSignal, Elaboratable, Module, Mux, ResetSignal, Signal
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import Component, In, Out

from noughts.silicon.designs.elements2021 import Phase
from noughts.silicon.designs.elements2021.elements import Chain, has_answered
from noughts.silicon.parts import PLACES, BoardRegister, FullDetector, WinDetector, occupied, stones_of

__all__ = ["DE2115", "WORDS", "History", "TicTacToe"]

# The history: a memory of 32 words of 18 bits, one board each, for the final boards of games (chapter 4.3).
#
# A game's board goes to the address behind the last one's, and after address 31 to 0 again, over the oldest. A reset
# is how a new game is asked for, so neither the words nor the address know of it.

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


# The top level: it holds the board, lets the human move, and asks the chain for the AI's moves.
#
#     settle ─► begin ─► human ─► judge ─► ask ─► wait ─► judge ─► human … ─► over
#
# settle gives the switches a cycle to come through their register. begin looks who begins. human waits for a switch
# that is up at an empty place, the first in the order of places if there are several, and sets the stone. ask asserts
# `check_next` to the element whose number is that of the empty cells, wait holds until its state is complete and it is
# done, and sets the stone. judge looks whether the stone that was just set makes a row or fills the board, and if so
# the game is over and, in that very cycle, recorded. over lasts until the reset.
#
# Whoever lets go of the reset button does not look at the clock. So in settle nothing changes but one bit of this
# state: an edge comes too early for it or it does not.


class TicTacToe(Component):
    """A game from the reset on; `human_places` has a bit a place."""

    human_places: In(PLACES)
    human_begins: In(1)
    board: Out(2 * PLACES)
    waiting: Out(1)
    record: Out(1)
    over: Out(1)
    ai_won: Out(1)

    def __init__(self, *, pruning: bool = False, reported: bool = False) -> None:
        super().__init__()
        self.phase = Signal(Phase)
        self.turn = Signal()
        """Whose turn it is, low for the AI; while the game is judged and after it, who moved last."""
        self.taken = Signal(PLACES)
        self.register = BoardRegister()
        self.chain = Chain(pruning=pruning, reported=reported)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.submodules.register = register = self.register
        m.submodules.chain = self.chain
        m.submodules.win = win = WinDetector()
        m.submodules.full = full = FullDetector()
        m.d.comb += [
            self.board.eq(register.board),
            register.side.eq(self.turn),
            win.stones.eq(Mux(self.turn, stones_of(self.board, 1), stones_of(self.board, 0))),
            full.board.eq(self.board),
            self.waiting.eq(self.phase == Phase.human),
            self.over.eq(self.phase == Phase.over),
            self.ai_won.eq(self.over & win.wins & ~self.turn),
        ]
        legal = Signal(PLACES)
        answered = Signal()
        best: Any = self.chain.parent
        self._ask(m)
        m.d.comb += [
            legal.eq(self.human_places & ~self.taken),
            answered.eq(has_answered(best)),
        ]
        with m.Switch(self.phase):
            with m.Case(Phase.settle):
                self._go(m, Phase.begin)
            with m.Case(Phase.begin):
                m.d.sync += self.turn.eq(self.human_begins)
                self._go(m, Mux(self.human_begins, Phase.human, Phase.ask))
            with m.Case(Phase.human):
                self._human(m, legal)
            with m.Case(Phase.ask):
                self._go(m, Phase.wait)
            with m.Case(Phase.wait):
                self._wait(m, best, answered)
            with m.Case(Phase.judge):
                self._judge(m, win.wins | full.full)
        return m

    def _go(self, m: Any, phase: Any) -> None:
        m.d.sync += self.phase.eq(phase)

    def _set(self, m: Any, place: Any) -> None:
        m.d.comb += [self.register.index.eq(place), self.register.toggle.eq(1)]
        self._go(m, Phase.judge)

    def _ask(self, m: Any) -> None:
        chain: Any = self.chain
        m.d.comb += [
            self.taken.eq(occupied(self.board)),
            chain.empty.eq(sum(~self.taken[place] for place in range(PLACES))),
            chain.parent.check_next.eq(self.phase == Phase.ask),
            chain.parent.current_board.eq(self.board),
            chain.parent.turn.eq(0),
        ]

    def _human(self, m: Any, legal: Any) -> None:
        for place in reversed(range(PLACES)):
            with m.If(legal[place]):
                self._set(m, place)

    def _wait(self, m: Any, best: Any, answered: Any) -> None:
        with m.If(answered):
            self._set(m, 3 * best.best_move_i + best.best_move_j)

    def _judge(self, m: Any, ended: Any) -> None:
        m.d.comb += self.record.eq(ended)
        with m.If(ended):
            self._go(m, Phase.over)
        with m.Else():
            m.d.sync += self.turn.eq(~self.turn)
            self._go(m, Mux(self.turn, Phase.ask, Phase.human))


class DE2115(Component):
    """The pins, the register behind the switches, the game and the history."""

    CLOCK_50: In(1)
    KEY0: In(1)
    SW: In(18)
    LEDR: Out(18)
    LEDG0: Out(1)
    LEDG1: Out(1)
    LEDG2: Out(1)

    def __init__(self, *, pruning: bool = False, reported: bool = False) -> None:
        super().__init__()
        self.game = TicTacToe(pruning=pruning, reported=reported)
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
