"""The top level: it holds the board, lets the human move, and asks the chain for the AI's moves.

    settle ─► begin ─► human ─► judge ─► ask ─► wait ─► judge ─► human … ─► over

settle gives the switches a cycle to come through their register. begin looks who begins. human waits for a switch
that is up at an empty place, the first in the order of places if there are several, and sets the stone. ask asserts
`check` to the element whose number is that of the empty cells, wait holds until its state is complete and it is done,
and sets the stone. judge looks whether the stone that was just set makes a row or fills the board, and if so the
game is over and, in that very cycle, recorded. over lasts until the reset.

Whoever lets go of the reset button does not look at the clock. So in settle nothing changes but one bit of this
state: an edge comes too early for it or it does not.
"""

from enum import IntEnum
from typing import Any

from amaranth.hdl import Elaboratable, Module, Mux, Signal
from amaranth.lib.wiring import Component, In, Out

from noughts.silicon.elements2021.chain import Chain
from noughts.silicon.elements2021.handshake import State
from noughts.silicon.parts import PLACES, BoardRegister, FullDetector, WinDetector, occupied, stones_of

__all__ = ["Phase", "TicTacToe"]


class Phase(IntEnum):
    """The states of the top level."""

    settle = 0
    begin = 1
    human = 2
    ask = 3
    wait = 4
    judge = 5
    over = 6


class TicTacToe(Component):
    """A game from the reset on; `human_places` has a bit a place."""

    human_places: In(PLACES)
    human_begins: In(1)
    board: Out(2 * PLACES)
    waiting: Out(1)
    record: Out(1)
    over: Out(1)
    ai_won: Out(1)

    def __init__(self, *, pruning: bool = False) -> None:
        super().__init__()
        self.phase = Signal(Phase)
        self.turn = Signal()
        """Whose turn it is, low for the AI; while the game is judged and after it, who moved last."""
        self.register = BoardRegister()
        self.chain = Chain(pruning=pruning)

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
        self._ask(m)
        with m.Switch(self.phase):
            with m.Case(Phase.settle):
                self._go(m, Phase.begin)
            with m.Case(Phase.begin):
                m.d.sync += self.turn.eq(self.human_begins)
                self._go(m, Mux(self.human_begins, Phase.human, Phase.ask))
            with m.Case(Phase.human):
                self._human(m)
            with m.Case(Phase.ask):
                self._go(m, Phase.wait)
            with m.Case(Phase.wait):
                self._wait(m)
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
        taken = occupied(self.board)
        m.d.comb += [
            chain.empty.eq(sum(~taken[place] for place in range(PLACES))),
            chain.parent.check.eq(self.phase == Phase.ask),
            chain.parent.board.eq(self.board),
            chain.parent.turn.eq(0),
        ]

    def _human(self, m: Any) -> None:
        legal = self.human_places & ~occupied(self.board)
        for place in reversed(range(PLACES)):
            with m.If(legal[place]):
                self._set(m, place)

    def _wait(self, m: Any) -> None:
        best: Any = self.chain.parent
        with m.If((best.state == State.complete) & best.done):
            self._set(m, 3 * best.best_move_i + best.best_move_j)

    def _judge(self, m: Any, ended: Any) -> None:
        m.d.comb += self.record.eq(ended)
        with m.If(ended):
            self._go(m, Phase.over)
        with m.Else():
            m.d.sync += self.turn.eq(~self.turn)
            self._go(m, Mux(self.turn, Phase.ask, Phase.human))
