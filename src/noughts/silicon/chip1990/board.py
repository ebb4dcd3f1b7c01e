"""The block *board*: the stones, the player p, and what can be seen of a position at once."""

from amaranth.hdl import Elaboratable, Module, Mux, Signal
from amaranth.lib.wiring import Component, In, Out

from noughts.silicon.parts import (
    PLACES,
    BoardRegister,
    FullDetector,
    IllegalMoveDetector,
    NextFree,
    WinDetector,
    stones_of,
)
from noughts.silicon.parts.scan import scan_path

__all__ = ["Board"]


class Board(Component):
    """Toggles the stone of player p on place `index`, or of the user (of the chip, if `pin`) when he presses a key."""

    index: In(4)
    bykey: In(1)
    toggleN: In(1)
    call: In(1)
    pop: In(1)
    pin: In(1)
    i: In(4)
    usei: In(1)
    at: In(PLACES)

    board: Out(2 * PLACES)
    wins: Out(1)
    full: Out(1)
    validkey: Out(1)
    nextfree: Out(4)
    lasti: Out(1)
    scan: In(1)
    scanin: In(1)
    scanout: Out(1)

    def __init__(self) -> None:
        super().__init__()
        self.p = Signal()

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.submodules.register = register = BoardRegister()
        m.submodules.win = win = WinDetector()
        m.submodules.full = full = FullDetector()
        m.submodules.findfree = findfree = NextFree()
        m.submodules.illegal = illegal = IllegalMoveDetector()
        m.d.comb += [
            register.index.eq(self.index),
            register.side.eq(Mux(self.bykey, ~self.pin, self.p)),
            register.toggle.eq(~self.toggleN),
            self.board.eq(register.board),
            win.stones.eq(Mux(self.p, stones_of(self.board, 1), stones_of(self.board, 0))),
            self.wins.eq(win.wins),
            full.board.eq(self.board),
            self.full.eq(full.full),
            findfree.board.eq(self.board),
            findfree.i.eq(self.i),
            findfree.usei.eq(self.usei),
            self.nextfree.eq(findfree.place),
            self.lasti.eq(findfree.last),
            illegal.board.eq(self.board),
            illegal.at.eq(self.at),
            self.validkey.eq(~illegal.illegal),
            register.scan.eq(self.scan),
            register.scanin.eq(self.scanin),
        ]
        m.d.sync += self.p.eq(self.p ^ (self.call | self.pop))
        scan_path(m, self.scan, register.scanout, self.scanout, self.p)
        return m
