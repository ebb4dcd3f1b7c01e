"""The chip of 1990: the blocks of the paper's figure 2, the core that joins them, and the pins around it.

`keyboard`, `move`, `board`, `value` and `stack` compute, and the controller (`controller.py`) commands them. `Chip` has
the pins of the paper's chapter 4; inside it, `core` has the names of its simulation.

The searches that the paper weighs (`Search`) differ in the block *value* and in how wide the stack is; minimax has a
controller of its own, too; and a chip with a table of moves, which has neither, another core (`table.py`).
"""

from itertools import pairwise
from typing import Any

from amaranth.hdl import (
    Array,
    Cat,
    ClockDomain,
    ClockSignal,
    Elaboratable,
    Module,
    Mux,
    ResetSignal,
    Signal,
    signed,
    unsigned,
)
from amaranth.lib.wiring import Component, In, Out

from noughts.silicon.designs.chip1990 import Choose, Search
from noughts.silicon.designs.chip1990.controller import Controller, MinimaxController
from noughts.silicon.parts import (
    PLACES,
    BoardRegister,
    Counter,
    FullDetector,
    IllegalMoveDetector,
    NextFree,
    Stack,
    WinDetector,
    scan_path,
    stones_of,
)

__all__ = ["INPUTS", "OUTPUTS", "Board", "Chip", "Core", "Keyboard", "Move", "Value", "commands_of", "join_scan_paths"]

# The keyboard: nine keys, low while they are pressed, behind a register.
#
# The register makes a key that is held during one cycle act at the end of the next. If several keys are held, the
# lowest counts.


class Keyboard(Component):
    """Which key is pressed, as a number and as a line a place."""

    keyboardN: In(PLACES)
    keypressed: Out(1)
    key: Out(4)
    at: Out(PLACES)
    scan: In(1)
    scanin: In(1)
    scanout: Out(1)

    def __init__(self) -> None:
        super().__init__()
        self.register = Signal(PLACES, init=-1, reset_less=True)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        register = self.register
        m.d.sync += register.eq(self.keyboardN)
        m.d.comb += self.keypressed.eq(~register.all())
        for place in reversed(range(PLACES)):
            with m.If(~register[place]):
                m.d.comb += [self.key.eq(place), self.at.eq(1 << place)]
        scan_path(m, self.scan, self.scanin, self.scanout, register)
        return m


# The block *move*: the place being tried (i), the best so far (m), a random one, and the choice among them.


class Move(Component):
    """`index` is the random place, i, m or the key, by `choose`."""

    choose: In(2)
    key: In(4)
    nexti: In(1)
    nextfree: In(4)
    pop: In(1)
    popped: In(4)
    assignmove: In(1)

    i: Out(4)
    index: Out(4)
    scan: In(1)
    scanin: In(1)
    scanout: Out(1)

    def __init__(self) -> None:
        super().__init__()
        self.m = Signal(4, reset_less=True)
        self.counter = Counter()

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.submodules.counter = counter = self.counter
        trying = Signal(4, name="i", reset_less=True)
        m.d.comb += [
            self.i.eq(trying),
            self.index.eq(Array([counter.count, trying, self.m, self.key])[self.choose]),
            counter.scan.eq(self.scan),
            counter.scanin.eq(self.scanin),
        ]
        with m.If(self.pop):
            m.d.sync += trying.eq(self.popped)
        with m.Elif(self.nexti):
            m.d.sync += trying.eq(self.nextfree)
        with m.If(self.assignmove):
            m.d.sync += self.m.eq(trying)
        scan_path(m, self.scan, counter.scanout, self.scanout, trying, self.m)
        return m


# The block *board*: the stones, the player p, and what can be seen of a position at once.


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


# The block *value*: what the move just tried is worth (r), the best so far (bestr), and what is enough (a).
#
# All are seen by the player whose turn it is at that depth. r is −1, 0 or 1; bestr is −1 or 0, since a 1 ends the
# loop; a is 0 or 1. So a bit does for bestr, high for −1, and a bit for a, high for 1; and a = −bestr is a copy.
#
# By figure 1 of the paper a is always 1, and there is no such register. In minimax nothing is enough, `rgea` is always
# low, and bestr can be 1: it has two bits with a sign, and `remember` copies r, not 0, into it. And since a stone that
# makes a row does not end the loop there, its worth is not set for the player before (`sno`, r = −1) but for its own
# (`spo`, r = 1).


def commands_of(search: Search) -> tuple[str, ...]:
    """What the controller says to this block."""
    won = "spo" if search is Search.MINIMAX else "sno"
    return ("init", "retbest", "remember", "negr", won, "clearr", "call", "pop")


class Value(Component):
    """The registers r, bestr and a, and how r compares."""

    def __init__(self, search: Search = Search.ALPHA_BETA) -> None:
        bits = signed(2) if search is Search.MINIMAX else unsigned(1)
        kept = {"bestr": bits, "a": unsigned(1)} if search is Search.ALPHA_BETA else {"bestr": bits}
        super().__init__(
            {
                **{command: In(1) for command in commands_of(search)},
                **{f"popped_{name}": In(shape) for name, shape in kept.items()},
                **{name: Out(shape) for name, shape in kept.items()},
                "rgea": Out(1),
                "rgbestr": Out(1),
                "scan": In(1),
                "scanin": In(1),
                "scanout": Out(1),
            }
        )
        self.search = search
        self.kept = tuple(kept)
        """What is pushed on the stack beside i."""
        self.r = Signal(signed(2), reset_less=True)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        minimax = self.search is Search.MINIMAX
        bestr = Signal.like(self.bestr, name="bestr", reset_less=True)
        a = Signal(name="a", init=1) if "a" in self.kept else None
        m.d.comb += [self.bestr.eq(bestr), *([] if a is None else [self.a.eq(a)])]
        if minimax:
            m.d.comb += [self.rgea.eq(0), self.rgbestr.eq(self.r > bestr)]
        else:
            m.d.comb += [
                self.rgea.eq(self.r == 1 if a is None else Mux(a, self.r == 1, self.r >= 0)),
                self.rgbestr.eq(Mux(bestr, self.r >= 0, self.r == 1)),
            ]
        with m.If(self.retbest):
            m.d.sync += self.r.eq(-bestr if minimax else bestr)
        with m.Elif(self.negr):
            m.d.sync += self.r.eq(-self.r)
        with m.Elif(self.spo if minimax else self.sno):
            m.d.sync += self.r.eq(1 if minimax else -1)
        with m.Elif(self.clearr):
            m.d.sync += self.r.eq(0)
        with m.If(self.pop):
            m.d.sync += [bestr.eq(self.popped_bestr), *([] if a is None else [a.eq(self.popped_a)])]
        with m.Elif(self.call):
            m.d.sync += [bestr.eq(-1), *([] if a is None else [a.eq(bestr)])]
        with m.Elif(self.init):
            m.d.sync += bestr.eq(-1)
        with m.Elif(self.remember):
            m.d.sync += bestr.eq(self.r if minimax else 0)
        scan_path(m, self.scan, self.scanin, self.scanout, self.r, bestr, *([] if a is None else [a]))
        return m


# The chip: its pins, and the core in which the blocks are joined.
#
# The scan path runs through every register: keyboard, board and p, counter, i and m, r, bestr and a, the stack, and
# last the state register.

INPUTS = {
    "keyboardN": In(PLACES),
    "userbegins": In(1),
    "pin": In(1),
    "scan": In(1),
    "scanin": In(1),
}
OUTPUTS = {
    "led": Out(2 * PLACES),
    "copyboard": Out(1),
    "prompt": Out(1),
    "fin": Out(1),
    "win": Out(1),
    "i": Out(4),
    "sp": Out(3),
    "scanout": Out(1),
}


def join_scan_paths(m: Module, whole: Any, blocks: list[Any]) -> None:
    """One scan path through the blocks, in this order, between the pins of the whole."""
    m.d.comb += [block.scan.eq(whole.scan) for block in blocks]
    m.d.comb += blocks[0].scanin.eq(whole.scanin)
    m.d.comb += [after.scanin.eq(before.scanout) for before, after in pairwise(blocks)]
    m.d.comb += whole.scanout.eq(blocks[-1].scanout)


class Core(Component):
    """The five blocks and the keyboard."""

    def __init__(self, search: Search = Search.ALPHA_BETA) -> None:
        super().__init__({**INPUTS, **OUTPUTS})
        self.search = search
        self.keyboard = Keyboard()
        self.board = Board()
        self.move = Move()
        self.value = Value(search)
        self.stack = Stack(width=len(self.move.i) + sum(len(kept) for kept in self._kept()), depth=8)
        self.fsm = MinimaxController() if search is Search.MINIMAX else Controller()

    def _kept(self, prefix: str = "") -> list[Signal]:
        """What the block *value* has on the stack, as it goes there or as it comes back."""
        return [getattr(self.value, prefix + name) for name in self.value.kept]

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.submodules.keyboard = keyboard = self.keyboard
        m.submodules.board = board = self.board
        m.submodules.move = move = self.move
        m.submodules.value = value = self.value
        m.submodules.stack = stack = self.stack
        m.submodules.fsm = fsm = self.fsm

        m.d.comb += [
            keyboard.keyboardN.eq(self.keyboardN),
            board.index.eq(move.index),
            board.bykey.eq(fsm.choose == Choose.KEY),
            board.toggleN.eq(fsm.toggleN),
            board.call.eq(fsm.call),
            board.pop.eq(fsm.pop),
            board.pin.eq(self.pin),
            board.i.eq(move.i),
            board.usei.eq(fsm.usei),
            board.at.eq(keyboard.at),
            move.choose.eq(fsm.choose),
            move.key.eq(keyboard.key),
            move.nexti.eq(fsm.nexti),
            move.nextfree.eq(board.nextfree),
            move.pop.eq(fsm.pop),
            move.assignmove.eq(fsm.assignmove),
            *(getattr(value, name).eq(getattr(fsm, name)) for name in commands_of(self.search)),
            stack.push.eq(fsm.call),
            stack.pop.eq(fsm.pop),
            stack.word.eq(Cat(move.i, *self._kept())),
            Cat(move.popped, *self._kept("popped_")).eq(stack.top),
            fsm.full.eq(board.full),
            fsm.wins.eq(board.wins),
            fsm.lasti.eq(board.lasti),
            fsm.validkey.eq(board.validkey),
            fsm.rgea.eq(value.rgea),
            fsm.rgbestr.eq(value.rgbestr),
            fsm.ground.eq(stack.sp == 0),
            fsm.keypressed.eq(keyboard.keypressed),
            fsm.userbegins.eq(self.userbegins),
            self.led.eq(board.board),
            self.copyboard.eq(fsm.copyboard),
            self.prompt.eq(fsm.prompt),
            self.fin.eq(fsm.fin),
            self.win.eq(fsm.win),
            self.i.eq(move.i),
            self.sp.eq(stack.sp),
        ]

        join_scan_paths(m, self, [keyboard, board, move, value, stack, fsm])
        return m


class Chip(Component):
    """The pins of chapter 4: the core, the clock `cp` and the reset `resetN`, which needs no clock."""

    def __init__(self, core: Any = None) -> None:
        super().__init__({"cp": In(1), "resetN": In(1), **INPUTS, **OUTPUTS})
        self.core = core or Core()

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.domains.sync = ClockDomain(async_reset=True, local=True)
        m.submodules.core = self.core
        m.d.comb += [ClockSignal().eq(self.cp), ResetSignal().eq(~self.resetN)]
        m.d.comb += [getattr(self.core, name).eq(getattr(self, name)) for name in INPUTS]
        m.d.comb += [getattr(self, name).eq(getattr(self.core, name)) for name in OUTPUTS]
        return m
