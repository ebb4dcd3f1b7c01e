"""The winner detector, *winner_detector* of the slides: a line detector for each of the eight lines.

A move can complete two lines at once, but both are then of the side that made it: so the answers are simply ORed.
"""

from functools import reduce
from operator import or_

from amaranth.hdl import Elaboratable, Module
from amaranth.lib.wiring import Component, In, Out

from noughts.silicon.parts import PLACES
from noughts.silicon.referee2021.line import LineDetector

__all__ = ["LINES", "WinnerDetector"]

LINES = ((1, 2, 3), (4, 5, 6), (7, 8, 9), (1, 4, 7), (2, 5, 8), (3, 6, 9), (1, 5, 9), (3, 5, 7))
"""The lines in the order of the slides' u1 to u8, with positions numbered from 1 as there."""


class WinnerDetector(Component):
    """`winner` while somebody has three in a row, and `who` that is."""

    def __init__(self) -> None:
        positions = {f"pos{position}": In(2) for position in range(1, PLACES + 1)}
        super().__init__({**positions, "winner": Out(1), "who": Out(2)})

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        lines = [LineDetector() for _ in LINES]
        for number, (line, positions) in enumerate(zip(lines, LINES, strict=True), start=1):
            m.submodules[f"u{number}"] = line
            first, second, third = (getattr(self, f"pos{position}") for position in positions)
            m.d.comb += [line.pos0.eq(first), line.pos1.eq(second), line.pos2.eq(third)]
        m.d.comb += [
            self.winner.eq(reduce(or_, (line.winner for line in lines))),
            self.who.eq(reduce(or_, (line.who for line in lines))),
        ]
        return m
