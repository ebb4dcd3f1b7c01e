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
from amaranth.utils import ceil_log2

from noughts.games.layout import Layout
from noughts.silicon.designs.chip1990 import Choose, Search
from noughts.silicon.designs.chip1990.controller import Controller, MinimaxController
from noughts.silicon.parts import (
    NINE,
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

    def __init__(self, places: int = PLACES) -> None:
        super().__init__(
            {
                "keyboardN": In(places),
                "keypressed": Out(1),
                "key": Out(ceil_log2(places)),
                "at": Out(places),
                "scan": In(1),
                "scanin": In(1),
                "scanout": Out(1),
            }
        )
        self.register = Signal(places, init=-1, reset_less=True)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        register = self.register
        m.d.sync += register.eq(self.keyboardN)
        m.d.comb += self.keypressed.eq(~register.all())
        for place in reversed(range(len(register))):
            with m.If(~register[place]):
                m.d.comb += [self.key.eq(place), self.at.eq(1 << place)]
        scan_path(m, self.scan, self.scanin, self.scanout, register)
        return m


# The block *move*: the place being tried (i), the best so far (m), a random one, and the choice among them.


class Move(Component):
    """`index` is the random place, i, m or the key, by `choose`."""

    def __init__(self, places: int = PLACES) -> None:
        number = ceil_log2(places)
        super().__init__(
            {
                "choose": In(2),
                "key": In(number),
                "nexti": In(1),
                "nextfree": In(number),
                "pop": In(1),
                "popped": In(number),
                "assignmove": In(1),
                "i": Out(number),
                "index": Out(number),
                "scan": In(1),
                "scanin": In(1),
                "scanout": Out(1),
            }
        )
        self.m = Signal(number, reset_less=True)
        self.counter = Counter()

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.submodules.counter = counter = self.counter
        trying = Signal.like(self.i, name="i", reset_less=True)
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

    def __init__(self, layout: Layout = NINE) -> None:
        places, number = len(layout), ceil_log2(len(layout))
        super().__init__(
            {
                "index": In(number),
                "bykey": In(1),
                "toggleN": In(1),
                "call": In(1),
                "pop": In(1),
                "pin": In(1),
                "i": In(number),
                "usei": In(1),
                "at": In(places),
                "board": Out(2 * places),
                "wins": Out(1),
                "full": Out(1),
                "validkey": Out(1),
                "nextfree": Out(number),
                "lasti": Out(1),
                "scan": In(1),
                "scanin": In(1),
                "scanout": Out(1),
            }
        )
        self.layout = layout
        self.p = Signal()

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.submodules.register = register = BoardRegister(len(self.layout))
        m.submodules.win = win = WinDetector(self.layout)
        m.submodules.full = full = FullDetector(len(self.layout))
        m.submodules.findfree = findfree = NextFree(len(self.layout))
        m.submodules.illegal = illegal = IllegalMoveDetector(len(self.layout))
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


def inputs(places: int = PLACES) -> dict[str, Any]:
    """The input pins of a chip with so many places."""
    return {"keyboardN": In(places), "userbegins": In(1), "pin": In(1), "scan": In(1), "scanin": In(1)}


def outputs(places: int = PLACES, words: int = 8) -> dict[str, Any]:
    """The output pins of a chip with so many places and words on its stack."""
    return {
        "led": Out(2 * places),
        "copyboard": Out(1),
        "prompt": Out(1),
        "fin": Out(1),
        "win": Out(1),
        "i": Out(ceil_log2(places)),
        "sp": Out(ceil_log2(words)),
        "scanout": Out(1),
    }


INPUTS, OUTPUTS = inputs(), outputs()


def join_scan_paths(m: Module, whole: Any, blocks: list[Any]) -> None:
    """One scan path through the blocks, in this order, between the pins of the whole."""
    m.d.comb += [block.scan.eq(whole.scan) for block in blocks]
    m.d.comb += blocks[0].scanin.eq(whole.scanin)
    m.d.comb += [after.scanin.eq(before.scanout) for before, after in pairwise(blocks)]
    m.d.comb += whole.scanout.eq(blocks[-1].scanout)


class Core(Component):
    """The five blocks and the keyboard; on the board of another game, with a stack of as many words as that needs."""

    def __init__(self, search: Search = Search.ALPHA_BETA, layout: Layout = NINE, words: int = 8) -> None:
        super().__init__({**inputs(len(layout)), **outputs(len(layout), words)})
        self.search = search
        self.keyboard = Keyboard(len(layout))
        self.board = Board(layout)
        self.move = Move(len(layout))
        self.value = Value(search)
        self.stack = Stack(width=len(self.move.i) + sum(len(kept) for kept in self._kept()), depth=words)
        self.fsm = self._controller()

    def _controller(self) -> Any:
        return MinimaxController() if self.search is Search.MINIMAX else Controller()

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
        self.core = core or Core()
        super().__init__({"cp": In(1), "resetN": In(1), **self.core.signature.members})

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.domains.sync = ClockDomain(async_reset=True, local=True)
        m.submodules.core = self.core
        m.d.comb += [ClockSignal().eq(self.cp), ResetSignal().eq(~self.resetN)]
        m.d.comb += [getattr(self.core, name).eq(getattr(self, name)) for name in INPUTS]
        m.d.comb += [getattr(self, name).eq(getattr(self.core, name)) for name in OUTPUTS]
        return m
