"""The searching chip of 1990 on the board of any placing game, to any depth.

The blocks are those of `chip1990`, made for another layout; the stack has a word for every ply that is looked ahead.
The controller differs where the chip of 1990 relied on tic-tac-toe:

- It cannot lose there. Here *userjustmoved* also sees whether the user has filled a line (`lost`), and *finished* tells
  a win from a loss.
- Where every move loses, its search remembers none, since none is worth more than −1. Here the first move that has been
  tried is remembered whatever it is worth, so that one is made.
- It searches to the end. Here a stone on the last ply of the horizon (`horizon`) that does not end the game counts as a
  draw, as if the board were full: that is the whole of its evaluation.

None of this takes a cycle or changes a move at tic-tac-toe searched to the end.
"""

from amaranth.hdl import Elaboratable, Module, Signal
from amaranth.lib.wiring import In
from amaranth.utils import ceil_log2

from noughts.games.layout import Layout
from noughts.silicon.designs.chip1990 import Choose, Search, State
from noughts.silicon.designs.chip1990.circuit import Chip, Core
from noughts.silicon.designs.chip1990.controller import Controller
from noughts.silicon.parts import WinDetector, stones_of

__all__ = ["DeepController", "SearchChip", "SearchCore", "words_of"]


def words_of(layout: Layout, depth: int) -> int:
    """The words of the stack for a search so many plies deep: a power of two.

    The last ply needs no word, and no search has as many plies as there are points, since a stone is on the board.
    """
    return 1 << int(ceil_log2(min(depth, len(layout) - 1)))


class DeepController(Controller):
    """The controller of 1990, with an end that it may lose and a horizon."""

    lost: In(1)
    horizon: In(1)

    def __init__(self) -> None:
        super().__init__()
        self.found = Signal()
        self.registers = [self.found, self.statereg]

    def _userjustmoved(self, m: Module) -> None:
        m.d.sync += self.found.eq(0)
        super()._userjustmoved(m)
        with m.If(self.lost):
            self._go(m, State.finished)

    def _returned(self, m: Module) -> None:
        super()._returned(m)
        with m.If(self.ground & ~self.rgea & ~self.found):
            m.d.comb += self.assignmove.eq(1)
            m.d.sync += self.found.eq(1)

    def _rating(self, m: Module) -> None:
        super()._rating(m)
        with m.If(self.horizon & ~self.ground & ~self.wins & ~self.full):
            self._toggle(m, Choose.I)
            m.d.comb += [self.clearr.eq(1), self.pop.eq(1), self.call.eq(0), self.nexti.eq(0)]
            self._go(m, State.returned)


class SearchCore(Core):
    """The blocks of 1990 on this layout, with a search so many plies deep."""

    def __init__(self, layout: Layout, depth: int) -> None:
        super().__init__(Search.ALPHA_BETA, layout, words_of(layout, depth))
        self.layout = layout
        self.depth = depth

    def _controller(self) -> DeepController:
        return DeepController()

    def elaborate(self, platform: object) -> Elaboratable:
        m = super().elaborate(platform)
        assert isinstance(m, Module)
        m.submodules.lost = lost = WinDetector(self.layout)
        m.d.comb += [
            lost.stones.eq(stones_of(self.board.board, 1)),
            self.fsm.lost.eq(lost.wins),
            self.fsm.horizon.eq(self.stack.sp == self.depth - 1 if self.depth < len(self.layout) else 0),
        ]
        return m


class SearchChip(Chip):
    """The pins of 1990, as many as the board needs."""

    def __init__(self, layout: Layout, depth: int) -> None:
        super().__init__(SearchCore(layout, depth))
