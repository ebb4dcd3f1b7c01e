"""The chip: nineteen flip-flops, the logic that moves, and as little as possible around it.

**The board** has two flip-flops a place: `stone`, there is one, and `own`, it is the chip's. So whether a place is free
is to be read without a gate. One more flip-flop, `turn`, is high in the one cycle in which the chip moves.

**A key** counts while the chip waits, on a place that is free; of several the lowest does. That is a chain, as a carry
runs through an adder: what is set below a key locks it. The carry that goes in locks all of them while the chip does
not wait, so that no key needs a gate of its own for that.

**The judge** looks at one side alone, the one that has moved last: a game ends by a move, and whoever did not make it
has no row that was not there before. Whose stones these are is one XOR a place, own ^ turn; and in the cycle in which
the chip moves they are the user's, that is what the logic is to be told. When the user has won, `turn` stays high, and
the judge goes on looking at the winner's stones.

**The logic** is a netlist of specification A (`noughts.silicon.logic`): in every position in play it raises one line,
of a move that keeps the value. Where the game is over nobody listens to it.
"""

from functools import reduce
from operator import or_
from typing import Any

from amaranth.hdl import Cat, ClockDomain, ClockSignal, Elaboratable, Module, ResetSignal, Signal
from amaranth.lib.wiring import Component, In, Out

from noughts.silicon.parts import PLACES

__all__ = ["Board", "Chip", "Control", "Judge", "Keys"]


class Keys(Component):
    """`press` is the lowest key that is down on a free place, unless `locked`; `pressed` while there is such a key."""

    key: In(PLACES)
    stone: In(PLACES)
    locked: In(1)
    press: Out(PLACES)
    pressed: Out(1)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        carry: Any = self.locked
        for place in range(PLACES):
            legal = self.key[place] & ~self.stone[place]
            m.d.comb += self.press[place].eq(legal & ~carry)
            # A wire a place, not the bits of one: a process of Verilog that reads what it sets would never settle.
            behind = self.pressed if place == PLACES - 1 else Signal(name=f"carry{place + 1}")
            m.d.comb += behind.eq(carry | legal)
            carry = behind
        return m


class Board(Component):
    """Sets the stone of `press`, whose it is says `mine`; or, while `reply` is high, the chip's on `move`."""

    press: In(PLACES)
    mine: In(1)
    move: In(PLACES)
    reply: In(1)
    stone: Out(PLACES)
    own: Out(PLACES)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        added = Signal(PLACES)
        m.d.comb += added.eq(self.press | self.move & self.reply.replicate(PLACES))
        m.d.sync += [
            self.stone.eq(self.stone | added),
            self.own.eq(self.own | added & (self.mine | self.reply).replicate(PLACES)),
        ]
        return m


class Judge(Component):
    """`last` are the stones of who has moved last, the user if `turn` is high; `row` if three of them are in a row."""

    stone: In(PLACES)
    own: In(PLACES)
    turn: In(1)
    last: Out(PLACES)
    row: Out(1)
    over: Out(1)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        a1, b1, c1, a2, b2, c2, a3, b3, c3 = (self.last[place] for place in range(PLACES))
        # Every line goes through the centre or through one of two corners: by what lines share, 18 gates and not 23.
        lines = (
            b2 & (a2 & c2 | b1 & b3 | a3 & c1),
            a1 & (b1 & c1 | a2 & a3 | b2 & c3),
            c3 & (a3 & b3 | c1 & c2),
        )
        m.d.comb += [
            self.last.eq(self.stone & (self.own ^ self.turn.replicate(PLACES))),
            self.row.eq(reduce(or_, lines)),
            self.over.eq(self.row | self.stone.all()),
        ]
        return m


class Control(Component):
    """Whose turn it is: the chip's for the cycle after a key that is not `quiet`, or after `go`."""

    pressed: In(1)
    quiet: In(1)
    go: In(1)
    over: In(1)
    turn: Out(1)
    waiting: Out(1)
    reply: Out(1)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.d.comb += [self.waiting.eq(~self.turn & ~self.over), self.reply.eq(self.turn & ~self.over)]
        m.d.sync += self.turn.eq(self.waiting & (self.pressed & ~self.quiet | self.go) | self.turn & self.over)
        return m


class Chip(Component):
    """The pins, and the blocks joined."""

    clk: In(1)
    rst: In(1)
    key: In(PLACES)
    mine: In(1)
    quiet: In(1)
    go: In(1)
    stone: Out(PLACES)
    own: Out(PLACES)
    waiting: Out(1)
    over: Out(1)
    won: Out(1)

    def __init__(self, logic: Component) -> None:
        super().__init__()
        self.keys = Keys()
        self.board = Board()
        self.judge = Judge()
        self.logic: Any = logic
        self.control = Control()

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.domains.sync = ClockDomain(async_reset=True, local=True)
        m.submodules.keys = keys = self.keys
        m.submodules.board = board = self.board
        m.submodules.judge = judge = self.judge
        m.submodules.logic = logic = self.logic
        m.submodules.control = control = self.control
        m.d.comb += [
            ClockSignal().eq(self.clk),
            ResetSignal().eq(self.rst),
            keys.key.eq(self.key),
            keys.stone.eq(board.stone),
            keys.locked.eq(~control.waiting),
            board.press.eq(keys.press),
            board.mine.eq(self.mine),
            board.move.eq(logic.move),
            board.reply.eq(control.reply),
            judge.stone.eq(board.stone),
            judge.own.eq(board.own),
            judge.turn.eq(control.turn),
            logic.mine.eq(board.own),
            logic.theirs.eq(judge.last),
            control.pressed.eq(keys.pressed),
            control.quiet.eq(self.quiet),
            control.go.eq(self.go),
            control.over.eq(judge.over),
            Cat(self.stone, self.own).eq(Cat(board.stone, board.own)),
            self.waiting.eq(control.waiting),
            self.over.eq(judge.over),
            self.won.eq(judge.row & ~control.turn),
        ]
        return m
