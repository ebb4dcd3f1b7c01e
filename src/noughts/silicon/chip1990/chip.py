"""The chip: its pins, and the core in which the blocks are joined.

The scan path runs through every register: keyboard, board and p, counter, i and m, r, bestr and a, the stack, and
last the state register.
"""

from itertools import pairwise
from typing import Any

from amaranth.hdl import Cat, ClockDomain, ClockSignal, Elaboratable, Module, ResetSignal
from amaranth.lib.wiring import Component, In, Out

from noughts.silicon.chip1990.board import Board
from noughts.silicon.chip1990.controller import Choose, Controller
from noughts.silicon.chip1990.keyboard import Keyboard
from noughts.silicon.chip1990.move import Move
from noughts.silicon.chip1990.value import Value
from noughts.silicon.parts import PLACES, Stack

__all__ = ["Chip", "Core"]

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


class Core(Component):
    """The five blocks and the keyboard."""

    def __init__(self) -> None:
        super().__init__({**INPUTS, **OUTPUTS})
        self.keyboard = Keyboard()
        self.board = Board()
        self.move = Move()
        self.value = Value()
        self.stack = Stack(width=6, depth=8)
        self.fsm = Controller()

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
            *(getattr(value, name).eq(getattr(fsm, name)) for name in _VALUE_COMMANDS),
            stack.push.eq(fsm.call),
            stack.pop.eq(fsm.pop),
            stack.word.eq(Cat(move.i, value.bestr, value.a)),
            Cat(move.popped, value.popped_bestr, value.popped_a).eq(stack.top),
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

        blocks: list[Any] = [keyboard, board, move, value, stack, fsm]
        m.d.comb += [block.scan.eq(self.scan) for block in blocks]
        m.d.comb += blocks[0].scanin.eq(self.scanin)
        m.d.comb += [after.scanin.eq(before.scanout) for before, after in pairwise(blocks)]
        m.d.comb += self.scanout.eq(blocks[-1].scanout)
        return m


_VALUE_COMMANDS = ("init", "retbest", "remember", "negr", "sno", "clearr", "call", "pop")


class Chip(Component):
    """The pins of chapter 4: the core, the clock `cp` and the reset `resetN`, which needs no clock."""

    def __init__(self) -> None:
        super().__init__({"cp": In(1), "resetN": In(1), **INPUTS, **OUTPUTS})
        self.core = Core()

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.domains.sync = ClockDomain(async_reset=True, local=True)
        m.submodules.core = self.core
        m.d.comb += [ClockSignal().eq(self.cp), ResetSignal().eq(~self.resetN)]
        m.d.comb += [getattr(self.core, name).eq(getattr(self, name)) for name in INPUTS]
        m.d.comb += [getattr(self, name).eq(getattr(self.core, name)) for name in OUTPUTS]
        return m
