"""The controller: eight states, a method each, and what they do with the other blocks in one cycle (appendix C).

The inputs tell of the position (`full`, `wins`: player p wins, `lasti`: no free place behind i), of the search
(`ground`: the stack is empty, `rgea`: r ≥ a, `rgbestr`: r > bestr) and of the user. The outputs command:

    init bestr=−1    remember bestr=0    retbest r=−bestr    negr r=−r    sno r=−1    clearr r=0    assignmove m=i
    call push i, bestr, a; p changes; a=−bestr; bestr=−1          pop i, bestr, a; p changes
    toggleN (low) inverts the bit of the board that `choose` points at: the random place, i, m or the key
    nexti i=next free place, behind i if usei, else of all

A chip that searches by minimax has a controller that differs in two states. In *rating* a stone that decides the game
does not end the loop: its worth, 1 (`spo`) or 0, is compared in *returned* as that of any other stone, also at the
bottom. So every move is made in *doingbestmove*, which does not see whether it ends the game; *waiting* does.

One that looks its moves up has five of the states: *userjustmoved* sets the stone, *rating* sees whether it ends the
game.
"""

from typing import ClassVar

from amaranth.hdl import Elaboratable, Module, Signal
from amaranth.lib.wiring import Component, In, Out

from noughts.silicon.designs.chip1990 import Choose, State
from noughts.silicon.parts import scan_path

__all__ = ["Controller", "MinimaxController", "TableController"]


class Turns(Component):
    """What every controller does between the user's move and the end of its own: set up, wait, finish."""

    userbegins: In(1)
    keypressed: In(1)
    validkey: In(1)
    wins: In(1)
    full: In(1)

    choose: Out(2)
    toggleN: Out(1, init=1)
    copyboard: Out(1)
    prompt: Out(1)
    fin: Out(1)
    win: Out(1)

    scan: In(1)
    scanin: In(1)
    scanout: Out(1)

    states: ClassVar[tuple[State, ...]] = tuple(State)
    """The states that there are: a method each, of the same name behind an underscore."""

    def __init__(self) -> None:
        super().__init__()
        self.statereg = Signal(State, init=State.justreset)
        self.registers = [self.statereg]

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        with m.Switch(self.statereg):
            for state in self.states:
                with m.Case(state):
                    getattr(self, f"_{state.name}")(m)
        scan_path(m, self.scan, self.scanin, self.scanout, *self.registers)
        return m

    def _go(self, m: Module, state: State) -> None:
        m.d.sync += self.statereg.eq(state)

    def _toggle(self, m: Module, choose: Choose) -> None:
        m.d.comb += [self.choose.eq(choose), self.toggleN.eq(0)]

    def _justreset(self, m: Module) -> None:
        """A key sets up a stone; with none, the user or the chip begins."""
        with m.If(self.keypressed & self.validkey):
            self._toggle(m, Choose.KEY)
        with m.Else():
            self._go(m, State.waiting)
            with m.If(~self.userbegins):
                self._toggle(m, Choose.RANDOM)

    def _waiting(self, m: Module) -> None:
        m.d.comb += self.prompt.eq(1)
        with m.If(self.keypressed & self.validkey):
            self._toggle(m, Choose.KEY)
            self._go(m, State.userjustmoved)
        with m.Else():
            m.d.comb += self.copyboard.eq(1)

    def _finished(self, m: Module) -> None:
        m.d.comb += [self.copyboard.eq(1), self.fin.eq(1), self.win.eq(self.wins)]


class Searching(Turns):
    """What all searches have in common: a stone is set, and when its worth is known, taken back."""

    ground: In(1)
    lasti: In(1)
    rgbestr: In(1)
    rgea: In(1)

    assignmove: Out(1)
    call: Out(1)
    clearr: Out(1)
    init: Out(1)
    negr: Out(1)
    nexti: Out(1)
    pop: Out(1)
    remember: Out(1)
    retbest: Out(1)
    usei: Out(1)

    def _userjustmoved(self, m: Module) -> None:
        m.d.comb += self.copyboard.eq(1)
        with m.If(self.full):
            self._go(m, State.finished)
        with m.Else():
            m.d.comb += [self.init.eq(1), self.nexti.eq(1)]
            self._go(m, State.setboardi)

    def _setboardi(self, m: Module) -> None:
        self._toggle(m, Choose.I)
        self._go(m, State.rating)

    def _returned(self, m: Module) -> None:
        """The stone on place i is worth r; take it back unless it decides the whole search."""
        with m.If(self.rgea & self.ground):
            self._go(m, State.waiting)
        with m.Else():
            self._toggle(m, Choose.I)
            m.d.comb += self.usei.eq(1)
            with m.If(self.rgea):
                m.d.comb += [self.negr.eq(1), self.pop.eq(1)]
            with m.Else():
                m.d.comb += [self.remember.eq(self.rgbestr), self.assignmove.eq(self.rgbestr & self.ground)]
                with m.If(~self.lasti):
                    m.d.comb += self.nexti.eq(1)
                    self._go(m, State.setboardi)
                with m.Elif(self.ground):
                    self._go(m, State.doingbestmove)
                with m.Else():
                    m.d.comb += [self.retbest.eq(~self.rgbestr), self.negr.eq(self.rgbestr), self.pop.eq(1)]

    def _doingbestmove(self, m: Module) -> None:
        self._toggle(m, Choose.M)
        self._go(m, State.waiting)


class Controller(Searching):
    """The finite state machine of the paper."""

    sno: Out(1)

    def _rating(self, m: Module) -> None:
        """A decided position is worth −1 or 0 to the other side; another one is searched in turn."""
        decided = self.wins | self.full
        with m.If(decided & self.ground):
            self._go(m, State.finished)
        with m.Elif(decided):
            self._toggle(m, Choose.I)
            m.d.comb += [self.sno.eq(self.wins), self.clearr.eq(~self.wins), self.pop.eq(1)]
            self._go(m, State.returned)
        with m.Else():
            m.d.comb += [self.call.eq(1), self.nexti.eq(1)]
            self._go(m, State.setboardi)


class MinimaxController(Searching):
    """The controller of a search that nothing cuts off."""

    spo: Out(1)

    def _rating(self, m: Module) -> None:
        """A decided position is worth 1 or 0 to player p; another one is searched in turn."""
        with m.If(self.wins | self.full):
            m.d.comb += [self.spo.eq(self.wins), self.clearr.eq(~self.wins)]
            self._go(m, State.returned)
        with m.Else():
            m.d.comb += [self.call.eq(1), self.nexti.eq(1)]
            self._go(m, State.setboardi)

    def _waiting(self, m: Module) -> None:
        """Where the chip's own move has ended the game, nobody is asked."""
        with m.If(self.wins | self.full):
            m.d.comb += self.copyboard.eq(1)
            self._go(m, State.finished)
        with m.Else():
            super()._waiting(m)


class TableController(Turns):
    """The controller of a chip with a table of moves, in place of m."""

    states = (State.justreset, State.waiting, State.userjustmoved, State.rating, State.finished)

    def _userjustmoved(self, m: Module) -> None:
        m.d.comb += self.copyboard.eq(1)
        with m.If(self.full):
            self._go(m, State.finished)
        with m.Else():
            self._toggle(m, Choose.M)
            self._go(m, State.rating)

    def _rating(self, m: Module) -> None:
        m.d.comb += self.copyboard.eq(1)
        self._go(m, State.waiting)
        with m.If(self.wins | self.full):
            self._go(m, State.finished)
