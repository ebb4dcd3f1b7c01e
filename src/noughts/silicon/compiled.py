"""A design compiled into a program that runs millions of its cycles a second.

What is compiled is the Verilog that `noughts silicon verilog` hands out, or the netlist of gates: so every game played
here is also a test of what leaves the house, by a simulator (Verilator) that knows nothing of Amaranth.
"""

import ctypes
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from noughts.silicon.compiler import build, target
from noughts.silicon.design import Design, Pin
from noughts.silicon.gates import netlist
from noughts.silicon.pins import Pins
from noughts.silicon.verilog import verilog

__all__ = ["Model", "compiled", "is_compiled"]


class Model(Pins):
    """A compiled chip in some state of its own."""

    def __init__(self, design: Design, library: Path, pins: dict[str, Pin]) -> None:
        self.design = design
        self.pins = pins
        self._number = {name: number for number, name in enumerate(pins)}
        self._chip = _Calls(library)
        for name, level in design.idle.items():
            self.set(name, level)
        self._chip.settle()
        self._room = self._chip.save(None, 0)

    def set(self, pin: str, value: int) -> None:
        assert self.pins[pin].is_input
        assert 0 <= value < 1 << self.pins[pin].width
        self._chip.set(self._number[pin], value)

    def get(self, pin: str) -> int:
        return int(self._chip.get(self._number[pin]))

    def half(self, clock: int) -> None:
        self.set(self.design.clock, clock)
        self._chip.settle()

    def clock(self, cycles: int = 1) -> None:
        self._chip.clock(cycles)

    def run(self, pins: tuple[str, str], value: int, limit: int) -> int | None:
        cycles = int(self._chip.run(self._number[pins[0]], self._number[pins[1]], value, limit))
        return cycles if cycles <= limit else None

    def save(self) -> bytes:
        """The whole state, pins included."""
        kept = ctypes.create_string_buffer(self._room)
        self._chip.save(kept, self._room)
        return kept.raw

    def restore(self, state: bytes) -> None:
        """Go back to a state."""
        self._chip.restore(state, len(state))


class _Calls:
    """The functions of harness.cpp, bound to one chip."""

    def __init__(self, path: Path) -> None:
        library = ctypes.CDLL(str(path))
        library.chip_new.restype = ctypes.c_void_p
        chip = ctypes.c_void_p(library.chip_new())

        def bound(name: str, *arguments: type, result: type | None = None) -> Callable[..., Any]:
            function = library[f"chip_{name}"]
            function.argtypes = [ctypes.c_void_p, *arguments]
            function.restype = result
            return lambda *values: function(chip, *values)

        number = ctypes.c_uint64
        self.set = bound("set", ctypes.c_int, number)
        self.get = bound("get", ctypes.c_int, result=number)
        self.settle = bound("settle")
        self.clock = bound("clock", number)
        self.run = bound("run", ctypes.c_int, ctypes.c_int, number, number, result=number)
        self.save = bound("save", ctypes.c_char_p, number, result=number)
        self.restore = bound("restore", ctypes.c_char_p, number)


def compiled(design: Design, *, gates: bool = False, watch: bool = False) -> Model:
    """The design as a program: its Verilog, or its netlist of gates; with `watch`, what a trace shows as pins."""
    pins = design.pins(watch=watch)
    library = build(design.identifier, _source(design, gates, watch), design.clock, list(pins))
    return Model(design, library, pins)


def is_compiled(design: Design, *, gates: bool = False, watch: bool = False) -> bool:
    """Whether `compiled` will answer at once."""
    pins = list(design.pins(watch=watch))
    return target(design.identifier, _source(design, gates, watch), design.clock, pins).exists()


@cache
def _source(design: Design, gates: bool, watch: bool) -> str:
    return (netlist if gates else verilog)(design, watch=watch)
