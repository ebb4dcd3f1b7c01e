"""Two chips of 1990 wired pin to pin, with nine gates between them in either direction and nothing else.

The stones of one chip press the keys of the other. A key of a chip is down (low) while

- the other chip has a stone of its own on that place (an even pin of its `led`),
- the other chip says that its lamps show the game and not a move being tried (its `copyboard`),
- and the chip itself does not have that stone yet (an odd pin of its own `led`): a NAND of three inputs, one inverted.

So at most one key is down at any time, that of the stone just set, and it goes up by itself when the stone has been
taken over: no latch, no counter, no protocol. Without the second input, a chip that waits would take the trial stones
of a search for moves; without the third, stones of long ago would hold their keys down for ever and hide the new one.
When a search takes back trial stones of the user on the chip's own lamps, the third input moves; no key moves with it,
since the other chip has no stone there.

One reset serves both: a chip that finds a key down when its reset ends takes it for a position being set up, and would
then wait for ever for the move that it has got. How far apart two resets may be is measured by
`tests/silicon/designs/test_duel1990.py`: the chip that begins may be let go a cycle before the other, not two, and any
time after it.
"""

from amaranth.hdl import Elaboratable, Module
from amaranth.lib.wiring import Component, In, Out

from noughts.silicon.designs.chip1990.circuit import Chip
from noughts.silicon.parts import PLACES, stones_of

__all__ = ["LAMPS", "PINS", "SIDES", "Duel", "Keys"]

SIDES = ("left", "right")
"""The two chips."""
LAMPS = {"led": 2 * PLACES, "copyboard": 1, "prompt": 1, "fin": 1, "win": 1}
"""The pins of each chip that lead outside."""
PINS = {
    **dict.fromkeys(("cp", "resetN", "leftbegins"), In(1)),
    **{f"{side}_{lamp}": Out(width) for side in SIDES for lamp, width in LAMPS.items()},
}
"""The pins of the board."""


class Keys(Component):
    """The nine gates that press the keys of one chip: by the other's stones, as far as it does not know them."""

    led: In(2 * PLACES)
    copyboard: In(1)
    own: In(2 * PLACES)
    keyboardN: Out(PLACES)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        stones, known = stones_of(self.led, 0), stones_of(self.own, 1)
        m.d.comb += self.keyboardN.eq(~(stones & self.copyboard.replicate(PLACES) & ~known))
        return m


class Duel(Component):
    """The board with the two chips. `leftbegins` says who begins; the lamps are those of the chips."""

    def __init__(self) -> None:
        super().__init__(PINS)
        self.left, self.right = Chip(), Chip()
        self.left_keys, self.right_keys = Keys(), Keys()

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.submodules.left, m.submodules.right = self.left, self.right
        m.submodules.left_keys, m.submodules.right_keys = self.left_keys, self.right_keys
        m.d.comb += [self.left.userbegins.eq(~self.leftbegins), self.right.userbegins.eq(self.leftbegins)]
        for side, other in (SIDES, SIDES[::-1]):
            chip, keys = getattr(self, side), getattr(self, f"{side}_keys")
            opponent = getattr(self, other)
            m.d.comb += [
                chip.cp.eq(self.cp),
                chip.resetN.eq(self.resetN),
                keys.led.eq(opponent.led),
                keys.copyboard.eq(opponent.copyboard),
                keys.own.eq(chip.led),
                chip.keyboardN.eq(keys.keyboardN),
                *(getattr(self, f"{side}_{lamp}").eq(getattr(chip, lamp)) for lamp in LAMPS),
            ]
        return m
