"""The nine elements, each the parent of the next smaller one, and the way in at any of them (the report's figure 4).

Whoever asks says how many cells of the board are empty, until he has the answer, and speaks to the element of that
number as its parent would. The elements above it are idle meanwhile. With pruning, the search begins with the whole
window, −1 to 1.
"""

from typing import Any

from amaranth.hdl import Const, Elaboratable, Module, Mux
from amaranth.lib.wiring import Component, In, Out

from noughts.silicon.elements2021.element import Element
from noughts.silicon.elements2021.handshake import SCORE, handshake
from noughts.silicon.parts import PLACES

__all__ = ["Chain"]

_UP = [name for name, member in handshake(pruning=False).members.items() if member.flow is In]


class Chain(Component):
    """Looks like an element for boards with `empty` empty cells; 1 to 9 of them."""

    def __init__(self, *, pruning: bool = False) -> None:
        super().__init__({"parent": In(handshake(pruning=False)), "empty": In(range(PLACES + 1))})
        self.elements = [Element(cells, pruning=pruning) for cells in range(1, PLACES + 1)]
        """Element k is at k−1."""
        self.down = [name for name, member in handshake(pruning=pruning).members.items() if member.flow is Out]

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        for cells, element in enumerate(self.elements, 1):
            m.submodules[f"element{cells}"] = element
            self._join(m, cells, element)
        return m

    def _join(self, m: Any, cells: int, element: Any) -> None:
        """Between an element and whichever of two is its parent: the element above, or the one who asks."""
        above = self.elements[cells].child if cells < PLACES else None
        entry = self.empty == cells
        whole = {"alpha": Const(-1, SCORE), "beta": Const(1, SCORE)}
        for name in self.down:
            asked = whole[name] if name in whole else getattr(self.parent, name)
            if above is not None:
                asked = Mux(entry, asked, getattr(above, name))
            elif name == "check":
                asked = asked & entry
            m.d.comb += getattr(element.parent, name).eq(asked)
        for name in _UP:
            answer = getattr(element.parent, name)
            if above is not None:
                m.d.comb += getattr(above, name).eq(answer)
            with m.If(entry):
                m.d.comb += getattr(self.parent, name).eq(answer)
