"""A compiled chip in which every bit is 0, 1 or undefined, as in the simulation of 1990.

When a chip is switched on, a register holds whatever it happens to hold, until a reset or a clock gives it a value. A
simulator with two values has to choose; the chip here does not. Yosys (its pass `xprop`) makes of a circuit another one
of two values that has two wires for every wire: what is on it, and whether that is undefined. A gate of which one input
decides, as a 0 decides an AND, is defined whatever the other is; a multiplexer between equal values is; what is not
decided that way is undefined, even where somebody who knew how two undefined bits hang together could say more. So
what is shown as defined is so for every state in which the chip may have been switched on.

The circuit is taken as it is synthesised: a shift is made of multiplexers, so that nothing shifted by an undefined
number of places is nothing, as it is among gates. (To a simulator of Verilog it would be undefined, and with it, in the
chip of 1990, the whole board.) A reset that needs no clock becomes one that is seen at once and kept at the next clock,
which is the same as long as inputs change when the clock falls.

A cycle takes seven to twenty times as long as with two values, and so this is done beside a chip of two values, which
the driver plays with, and only until the end of what is looked at (`watched.Recorder`). The program is compiled without
optimising: that costs two fifths of its speed and saves three fifths of the compiler's time, and few runs are followed
for long.
"""

import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from noughts.silicon.circuit import Circuit, Pin
from noughts.silicon.flow.synthesis import yosys
from noughts.silicon.simulate.compiled import Model, build
from noughts.silicon.tools import remembered

__all__ = ["FOLLOWED", "ThreeValued", "three_valued"]

FOLLOWED = 200_000
"""So many cycles of a run are followed with three values, in a second or two; what is looked at later has two."""

_LEVEL, _UNDEFINED = "_d", "_x"
"""How Yosys ends the names of the two wires."""


class ThreeValued(Model):
    """A chip that knows which bits of its pins are undefined; they are read as 0."""

    def __init__(self, circuit: Circuit, library: Path, pins: dict[str, Pin]) -> None:
        super().__init__(circuit, library, _doubled(pins))
        self._number |= {name: self._number[f"{name}{_LEVEL}"] for name, pin in pins.items() if not pin.is_input}

    def undefined_reader(self, pins: Sequence[str]) -> Callable[[], tuple[int, ...]]:
        """What reads the undefined bits of several pins at once. Inputs have none."""
        places = [(place, f"{pin}{_UNDEFINED}") for place, pin in enumerate(pins) if pin not in self._inputs]
        read = self.reader([name for _, name in places])

        def all_pins() -> tuple[int, ...]:
            found = [0] * len(pins)
            for (place, _), bits in zip(places, read(), strict=True):
                found[place] = bits
            return tuple(found)

        return all_pins


def three_valued(circuit: Circuit, *, counters: bool = False) -> ThreeValued:
    """A circuit with all that is watched, compiled now unless it has been.

    With `counters`, counters that nobody resets are known to hold 0 when the chip is switched on.
    """
    made = circuit.inside()
    pins = made.pins(watch=True)
    source = _source(made, counters and bool(made.counters))
    library = build(made.identifier, source, made.clock, list(_doubled(pins)), optimised=False)
    return ThreeValued(circuit, library, pins)


def _doubled(pins: dict[str, Pin]) -> dict[str, Pin]:
    """The pins of the circuit that Yosys makes."""
    doubled: dict[str, Pin] = {}
    for name, pin in pins.items():
        doubled |= {name: pin} if pin.is_input else {f"{name}{_LEVEL}": pin, f"{name}{_UNDEFINED}": pin}
    return doubled


_TIDY = ("opt_expr", "opt_merge", "opt_muxtree", "opt_reduce -full", "opt_expr -fine", "opt_merge", "opt_clean")
"""Less to simulate. Nothing that depends on what registers hold in the beginning."""


@cache
def _source(circuit: Circuit, counters: bool) -> str:
    """The circuit of two wires a wire, in Verilog."""
    purpose, rtlil = f"undefined values of {circuit.name}", circuit.rtlil(watch=True)
    known_at_once = [pattern for pattern in (circuit.loaded, circuit.counters if counters else "") if pattern]
    commands = (
        f"hierarchy -top {circuit.identifier}",
        *("proc", "flatten", "async2sync", "dffunmap"),
        *_TIDY,
        # From here on nobody knows what registers hold in the beginning.
        f"setattr -unset init w:* {' '.join(f'w:{known} %d' for known in known_at_once)}",
        *("memory -nordff", "opt_expr", "opt_merge", "opt_clean"),
        "techmap t:$shl t:$shr t:$sshl t:$sshr t:$shift t:$shiftx",
        # Inputs are always defined; that they are is also written down as a claim, which is for provers.
        *("xprop -split-outputs -assume-def-inputs -required", "delete t:$assume t:$check"),
        *("opt_expr", "opt_merge", "opt_clean"),
    )

    def make() -> str:
        with tempfile.TemporaryDirectory(prefix="noughts-") as folder:
            source, result = Path(folder) / "circuit.il", Path(folder) / "circuit.v"
            source.write_text(rtlil)
            yosys(purpose, f"read_rtlil {source}", *commands, f"write_verilog -noattr {result}")
            return result.read_text()

    return remembered("pyosys", purpose, (rtlil, *commands), make)
