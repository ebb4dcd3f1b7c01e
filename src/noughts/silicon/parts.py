"""The parts that the chips share: small circuits, each with an exhaustive test and a proof of its own.

Places are numbered as the points of the game's layout, row by row from the top left. A board has two bits a place: bit
2·place is the machine's stone, bit 2·place+1 the user's. Made without arguments, a part is one of tic-tac-toe, whose
board has nine places and 18 bits; with a layout, or a number of places, one of another board. A part that keeps
something between cycles has a scan path: while `scan` is high, every clock shifts its registers by one bit, in at
`scanin` and out at `scanout`.
"""

from amaranth.hdl import Array, Cat, Elaboratable, Module, Signal, Value
from amaranth.lib.wiring import Component, In, Out
from amaranth.utils import ceil_log2

from noughts.games.layout import Layout, grid

__all__ = [
    "LINES",
    "NINE",
    "PLACES",
    "BoardRegister",
    "Counter",
    "FullDetector",
    "IllegalMoveDetector",
    "NextFree",
    "PositionDecoder",
    "Stack",
    "WinDetector",
    "occupied",
    "scan_path",
    "stones_of",
]

# How places of two bits are read: the vocabulary of all parts.

PLACES = 9
"""The places of tic-tac-toe."""


def stones_of(board: Value, side: int) -> Value:
    """The stones of the machine (0) or of the user (1), a bit a place.

    Args:
        board: The board register, two bits a place.
        side: 0 or 1.
    """
    return Cat(board[2 * place + side] for place in range(len(board) // 2))


def occupied(board: Value) -> Value:
    """Which places have a stone, a bit a place.

    Args:
        board: The board register, two bits a place.
    """
    return stones_of(board, 0) | stones_of(board, 1)


# The scan path: all registers of a part as one shift register, for testing a chip that has been made.


def scan_path(m: Module, scan: Value, scanin: Value, scanout: Signal, *registers: Signal) -> None:
    """Chain the registers between `scanin` and `scanout`; called last, so that `scan` overrides all else.

    Args:
        m: The module that the registers are in.
        scan: High while they shift.
        scanin: What comes in.
        scanout: What goes out.
        *registers: In their order, the one next to `scanin` first.
    """
    chain = Cat(*registers)
    m.d.comb += scanout.eq(chain[-1])
    with m.If(scan):
        m.d.sync += chain.eq(Cat(scanin, chain[:-1]))


# The position decoder: a number becomes one high line among many (one-hot).


class PositionDecoder(Component):
    """Raises line `index` while `enable` is high; 2^width lines for a number of `width` bits."""

    def __init__(self, width: int = 4) -> None:
        super().__init__({"index": In(width), "enable": In(1), "lines": Out(1 << width)})

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.d.comb += self.lines.eq(self.enable << self.index)
        return m


# The board register: nine places of two bits, of which one bit may be toggled in a cycle.
#
# Setting a stone and taking it back are the same: the addressed bit is inverted. The chip of 1990 undoes its trial
# moves that way, without a copy of the board.


class BoardRegister(Component):
    """Inverts bit 2·index+side of the board at the end of a cycle in which `toggle` is high."""

    def __init__(self, places: int = PLACES) -> None:
        super().__init__(
            {
                "index": In(ceil_log2(places)),
                "side": In(1),
                "toggle": In(1),
                "board": Out(2 * places),
                "scan": In(1),
                "scanin": In(1),
                "scanout": Out(1),
            }
        )
        self.places = places

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.submodules.decoder = decoder = PositionDecoder(1 + len(self.index))
        register = Signal(2 * self.places)
        m.d.comb += [
            decoder.index.eq(Cat(self.side, self.index)),
            decoder.enable.eq(self.toggle),
            self.board.eq(register),
        ]
        m.d.sync += register.eq(register ^ decoder.lines[: 2 * self.places])
        scan_path(m, self.scan, self.scanin, self.scanout, register)
        return m


# The win detector: the stones of one side fill a line.

NINE = grid(3, 3, 3)
LINES = NINE.lines
"""The eight lines of three places, from the description of the game itself."""


class WinDetector(Component):
    """High while the stones of one side, a bit a place, fill one of the lines."""

    def __init__(self, layout: Layout = NINE) -> None:
        super().__init__({"stones": In(len(layout)), "wins": Out(1)})
        self.lines = layout.lines

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        rows = (Cat(self.stones[place] for place in line).all() for line in self.lines)
        m.d.comb += self.wins.eq(Cat(rows).any())
        return m


# The full detector: no place is left.


class FullDetector(Component):
    """High while every place of the board has a stone."""

    def __init__(self, places: int = PLACES) -> None:
        super().__init__({"board": In(2 * places), "full": Out(1)})

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.d.comb += self.full.eq(occupied(self.board).all())
        return m


# The illegal-move detector: somebody points at a place that has a stone.


class IllegalMoveDetector(Component):
    """High while a place that is pointed at, a line a place, has a stone already."""

    def __init__(self, places: int = PLACES) -> None:
        super().__init__({"board": In(2 * places), "at": In(places), "illegal": Out(1)})

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.d.comb += self.illegal.eq((occupied(self.board) & self.at).any())
        return m


# The next-free chain: which place to try next.
#
# "A signal which is propagated similarly to the carry chain in a 9 bit ripple carry adder" (the paper of 1990, which
# found it to be the slowest path of the chip): it starts behind place i, or before place 0, and stops at the first
# free place. One that runs out at the far end says that there was none.


class NextFree(Component):
    """The first free place behind `i`, or of the whole board while `usei` is low; `last` if there is none.

    While `last` is high, `place` is 0 and means nothing.
    """

    def __init__(self, places: int = PLACES) -> None:
        number = ceil_log2(places)
        super().__init__(
            {"board": In(2 * places), "i": In(number), "usei": In(1), "place": Out(number), "last": Out(1)}
        )
        self.places = places

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        taken = Signal(self.places)
        m.d.comb += taken.eq(occupied(self.board))
        carry = ~self.usei
        for place in range(self.places):
            with m.If(carry & ~taken[place]):
                m.d.comb += self.place.eq(place)
            # A wire a place, not the bits of one: a process of Verilog that reads what it sets would never settle.
            behind = self.last if place == self.places - 1 else Signal(name=f"carry{place + 1}")
            m.d.comb += behind.eq(carry & taken[place] | self.usei & (self.i == place))
            carry = behind
        return m


# The free-running counter: three bits that nobody resets, read when a random number is wanted.
#
# The chip of 1990 "generates three-bit random numbers simply by starting at an undefined value and counting
# endlessly": it is the person who is random, by the moment at which the reset ends.


class Counter(Component):
    """One more every cycle, modulo 2^width, through resets as well."""

    def __init__(self, width: int = 3) -> None:
        super().__init__({"count": Out(width), "scan": In(1), "scanin": In(1), "scanout": Out(1)})

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        register = Signal.like(self.count, reset_less=True)
        m.d.comb += self.count.eq(register)
        m.d.sync += register.eq(register + 1)
        scan_path(m, self.scan, self.scanin, self.scanout, register)
        return m


# The stack: registers and a pointer. The word that was pushed last is at `top`.


class Stack(Component):
    """As many words as `depth` says, a power of two, though a pointer of so few bits can count one word less."""

    def __init__(self, width: int = 6, depth: int = 8) -> None:
        super().__init__(
            {
                "push": In(1),
                "pop": In(1),
                "word": In(width),
                "top": Out(width),
                "sp": Out(ceil_log2(depth)),
                "scan": In(1),
                "scanin": In(1),
                "scanout": Out(1),
            }
        )
        self.words = Array(Signal(width, name=f"word{k}", reset_less=True) for k in range(depth))

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        pointer = Signal.like(self.sp)
        below = Signal.like(self.sp)
        m.d.comb += [below.eq(pointer - 1), self.sp.eq(pointer), self.top.eq(self.words[below])]
        with m.If(self.push):
            m.d.sync += [self.words[pointer].eq(self.word), pointer.eq(pointer + 1)]
        with m.Elif(self.pop):
            m.d.sync += pointer.eq(below)
        scan_path(m, self.scan, self.scanin, self.scanout, pointer, *self.words)
        return m
