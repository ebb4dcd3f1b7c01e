"""Games on a layout: the netlist that was extracted from it, played at its pins as a person would.

It is a chip like those that `simulate` compiles, only slower: so everything that can be tried with a design can be
tried with what was drawn of it.
"""

from collections.abc import Callable

from noughts.silicon.circuit import Circuit, Pins
from noughts.silicon.design import Design
from noughts.silicon.flow.layout import Layout
from noughts.silicon.flow.layout.cells import Cells, Simulation, read_spice
from noughts.silicon.flow.layout.steps import LIBERTY
from noughts.silicon.simulate.check import Checked, walk

__all__ = ["LaidOut", "extracted", "play"]


def extracted(made: Layout) -> Cells:
    """The netlist of what was drawn."""
    return read_spice(made.files[f"{made.name}.extracted.spice"].decode(), made.drawn())


class LaidOut(Pins):
    """A running netlist, of a layout of this circuit."""

    def __init__(self, circuit: Circuit, netlist: Cells) -> None:
        self.circuit = circuit
        self._chip = Simulation(netlist, LIBERTY)
        self._nets = {
            name: [self._chip.number[f"{name}_{bit}"] for bit in range(pin.width)]
            for name, pin in circuit.pins().items()
        }
        for name, level in circuit.idle.items():
            self.set(name, level)
        self._chip.settle()

    def set(self, pin: str, value: int) -> None:
        for bit, index in enumerate(self._nets[pin]):
            self._chip.values[index] = value >> bit & 1

    def get(self, pin: str) -> int:
        return sum(self._chip.values[index] << bit for bit, index in enumerate(self._nets[pin]))

    def half(self, clock: int) -> None:
        self.set(self.circuit.clock, clock)
        if clock:
            self._chip.clock()
        else:
            self._chip.settle()

    def save(self) -> bytes:
        """The level of every net."""
        return bytes(self._chip.values)

    def restore(self, state: bytes) -> None:
        """Go back to a state."""
        self._chip.values[:] = state


def play(design: Design, made: Layout, progress: Callable[[int, int], None] | None = None) -> Checked:
    """Every game that can be played with what was drawn; `progress` hears of what is done and of all known."""
    return walk(design, LaidOut(design, extracted(made)), progress)
