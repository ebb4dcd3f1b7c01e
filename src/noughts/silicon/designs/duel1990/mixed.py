"""The chip of 1990, on the left, against the nine elements of 2021, on the right: wired pin to pin.

They need even less between them. A switch that is up on a place with a stone means nothing to the elements, so the
chip's stones can be the switches as they are while `copyboard` says that they count: nine ANDs. The elements' lamps
show the game alone, never a trial, and where they have a stone a lamp is dark, which is what a key of the chip wants: a
key is low while that lamp is dark and the chip does not have the stone yet, nine ORs. All of them have two inputs.

The pins are those of `Duel`, so that whoever follows a game between two chips can follow this one. It is no design of
the catalogue: `noughts bench duels` plays it.
"""

from amaranth.hdl import Cat, Const, Elaboratable, Module
from amaranth.lib.wiring import Component

from noughts.silicon.circuit import Circuit
from noughts.silicon.designs.chip1990.circuit import Chip
from noughts.silicon.designs.duel1990.circuit import LAMPS, PINS
from noughts.silicon.designs.elements2021.de2115 import DE2115
from noughts.silicon.parts import PLACES, stones_of

__all__ = ["Mixed", "mixed"]


class Mixed(Component):
    """The board with the chip and the elements."""

    def __init__(self, *, pruning: bool) -> None:
        super().__init__(PINS)
        self.left, self.right = Chip(), DE2115(pruning=pruning)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.submodules.left, m.submodules.right = chip, elements = self.left, self.right
        switches = stones_of(chip.led, 0) & chip.copyboard.replicate(PLACES)
        # Elements count places from the bottom right, and their lamps are on for nothing. The other way round and
        # inverted, their board has the bits of a chip's: the lower one of a place is their own stone.
        board = ~elements.LEDR[::-1]
        m.d.comb += [
            chip.cp.eq(self.cp),
            chip.resetN.eq(self.resetN),
            chip.userbegins.eq(~self.leftbegins),
            chip.keyboardN.eq(~stones_of(board, 0) | stones_of(chip.led, 1)),
            elements.CLOCK_50.eq(self.cp),
            elements.KEY0.eq(self.resetN),
            elements.SW.eq(Cat(switches[::-1], Const(0, 8), self.leftbegins)),
            *(getattr(self, f"left_{lamp}").eq(getattr(chip, lamp)) for lamp in LAMPS),
            self.right_led.eq(board),
            self.right_copyboard.eq(1),
            self.right_prompt.eq(elements.LEDG0),
            self.right_fin.eq(elements.LEDG2),
            self.right_win.eq(elements.LEDG1),
        ]
        return m


def mixed(*, pruning: bool = False) -> Circuit:
    """The circuit; with `pruning`, the elements cut as the chip does."""
    return Circuit(
        name=f"chip1990 and elements2021{':pruning=yes' * pruning}",
        year=2021,
        about="the chip of 1990 against the nine elements of 2021",
        make=lambda: Mixed(pruning=pruning),
        clock="cp",
        reset="resetN",
        reset_level=0,
        idle={"leftbegins": 1},
    )
