"""A design: a chip with a name, and how to reach its pins and what goes on inside."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from amaranth.back import rtlil
from amaranth.hdl import Signal
from amaranth.hdl._ir import PortDirection
from amaranth.lib.wiring import Component, In, Out

__all__ = ["Design", "Pin"]


class Pin(NamedTuple):
    """A pin, or a bundle of pins with one name."""

    is_input: bool
    width: int


def _nothing(component: Any) -> dict[str, Signal]:  # noqa: ARG001
    return {}


@dataclass(frozen=True, eq=False)
class Design:
    """A chip. `make` gives a component whose signature is the pins, clock and reset among them."""

    name: str
    year: int
    about: str
    """One line for people."""
    make: Callable[[], Component]
    clock: str
    """The pin that is the clock; registers change when it rises."""
    reset: str
    """The pin that resets."""
    reset_level: int
    """The level of that pin that resets."""
    idle: dict[str, int] = field(default_factory=dict)
    """The levels of input pins that nobody touches, where they are not 0."""
    watch: Callable[[Any], dict[str, Signal]] = _nothing
    """Signals inside the component that a trace shows, by the names it shows them under."""
    shown: tuple[str, ...] = ()
    """The signals that a table or a picture shows if nobody asks for others; all, if there are none here."""
    names: dict[str, dict[int, str]] = field(default_factory=dict)
    """For signals whose values have names, as states have: value to name."""

    @property
    def identifier(self) -> str:
        """The name of the top module in Verilog."""
        return "".join(letter if letter.isalnum() else "_" for letter in self.name)

    def pins(self, *, watch: bool = False) -> dict[str, Pin]:
        """All pins by name; with `watch`, also what a trace shows, as outputs."""
        return _converted(self, watch)[1]

    def rtlil(self, *, watch: bool = False) -> str:
        """The design for Yosys; with `watch`, what a trace shows comes out as extra output pins."""
        return _converted(self, watch)[0]


@cache
def _converted(design: Design, watch: bool) -> tuple[str, dict[str, Pin]]:
    component = design.make()
    ports = {name: (getattr(component, name), member.flow) for name, member in component.signature.members.items()}
    if watch:
        ports |= {name: (signal, Out) for name, signal in design.watch(component).items()}
    text = rtlil.convert(
        component,
        name=design.identifier,
        ports={
            name: (signal, PortDirection.Input if flow is In else PortDirection.Output)
            for name, (signal, flow) in ports.items()
        },
    )
    return text, {name: Pin(flow is In, len(signal)) for name, (signal, flow) in ports.items()}
