"""A circuit with named pins, as every tool takes it; and the pins of one that is running somewhere.

A cycle is two halves: the clock falls, which is when new inputs arrive, and it rises, which is when registers change.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from noughts.games import NoughtsError
from noughts.silicon.trace import time_ns

if TYPE_CHECKING:
    from amaranth.hdl import Signal
    from amaranth.lib.wiring import Component

__all__ = ["Circuit", "NotReachedError", "Pin", "Pins"]


class Pin(NamedTuple):
    """A pin, or a bundle of pins with one name."""

    is_input: bool
    width: int


def nothing(component: Any) -> "dict[str, Signal]":  # noqa: ARG001
    """Nothing to be watched in a component."""
    return {}


@dataclass(frozen=True, eq=False, kw_only=True)
class Circuit:
    """A circuit with a name. `make` gives a component whose signature is the pins, clock and reset among them."""

    name: str
    year: int
    about: str
    """One line for people."""
    game: str = "tictactoe"
    """The name of the game whose board it is made for, as the catalogue of games has it."""
    make: "Callable[[], Component]"
    clock: str
    """The pin that is the clock; registers change when it rises."""
    reset: str
    """The pin that resets."""
    reset_level: int
    """The level of that pin that resets."""
    idle: dict[str, int] = field(default_factory=dict)
    """The levels of input pins that nobody touches, where they are not 0."""
    counters: str = ""
    """Counters that nobody resets, and that decide what happens: a pattern of the names that Yosys gives to them."""
    loaded: str = ""
    """Registers that nobody resets and that begin with 0, since an FPGA loads them: a pattern, too."""
    watch: "Callable[[Any], dict[str, Signal]]" = nothing
    """Signals inside the component that a trace shows, by the names it shows them under."""
    half_ns: int = 100
    """Half a cycle in its traces, in nanoseconds; a step of the simulation of 1990, unless the source has its own."""
    first_ns: int | None = None
    """The time of the first half cycle of its traces, if that is not one step, as it was in 1990."""
    shown: tuple[str, ...] = ()
    """The signals that a table or a picture shows if nobody asks for others; all, if there are none here."""
    module_names: dict[str, str] = field(default_factory=dict)
    """What the source calls its modules, for the Verilog: by the way to a module from the top, as `core.fsm`."""
    printed: tuple[str, ...] = ()
    """The signals of the table that its source prints, if it prints one."""
    names: dict[str, dict[int, str]] = field(default_factory=dict)
    """For signals whose values have names, as states have: value to name."""

    @property
    def identifier(self) -> str:
        """The name of the top module in Verilog."""
        return "".join(letter if letter.isalnum() else "_" for letter in self.name)

    def time_ns(self, half_cycle: int) -> int:
        """The time of a half cycle of a run.

        Args:
            half_cycle: Its number, from 0 on.
        """
        return time_ns(half_cycle, self.half_ns, self.first_ns)

    def inside(self) -> "Circuit":
        """The same circuit with all that may be watched."""
        return self

    def pins(self, *, watch: bool = False) -> dict[str, Pin]:
        """All pins by name; with `watch`, also what a trace shows, as outputs.

        Args:
            watch: Whether watched signals are among them.
        """
        return _pins(self)[watch]

    def rtlil(self, *, watch: bool = False) -> str:
        """The circuit for Yosys; with `watch`, what a trace shows comes out as extra output pins.

        Args:
            watch: Whether watched signals come out as pins.
        """
        return _rtlil(self, watch)


def _ports(circuit: Circuit, watch: bool) -> "tuple[Component, dict[str, tuple[Signal, bool]]]":
    """A component, and what comes out of it: signals by name, and whether each is an input."""
    from amaranth.lib.wiring import In  # noqa: PLC0415

    component = circuit.make()
    members = component.signature.members.items()
    ports = {name: (getattr(component, name), member.flow is In) for name, member in members}
    if watch:
        ports |= {name: (signal, False) for name, signal in circuit.watch(component).items()}
    return component, ports


@cache
def _pins(circuit: Circuit) -> tuple[dict[str, Pin], dict[str, Pin]]:
    """The pins, without and with what is watched: known long before a large circuit is written down.

    One component serves for both, since Amaranth complains of components that nobody builds, and building takes long.
    """
    from amaranth.hdl import Fragment  # noqa: PLC0415

    component, ports = _ports(circuit, False)
    watched = circuit.watch(component)
    Fragment.get(component, None)
    pins = {name: Pin(is_input, len(signal)) for name, (signal, is_input) in ports.items()}
    return pins, pins | {name: Pin(False, len(signal)) for name, signal in watched.items()}


@cache
def _rtlil(circuit: Circuit, watch: bool) -> str:
    from amaranth.back import rtlil  # noqa: PLC0415
    from amaranth.hdl._ir import PortDirection  # noqa: PLC0415

    component, ports = _ports(circuit, watch)
    directions = {
        name: (signal, PortDirection.Input if is_input else PortDirection.Output)
        for name, (signal, is_input) in ports.items()
    }
    return str(rtlil.convert(component, name=circuit.identifier, ports=directions))


class NotReachedError(NoughtsError):
    """A pin that did not get the value that was waited for."""


class Pins(ABC):
    """A running circuit. Whoever can do half a cycle can do the rest; a faster one does it faster."""

    circuit: Circuit

    @abstractmethod
    def set(self, pin: str, value: int) -> None:
        """Put a level on an input pin; it is seen from the next half cycle on.

        Args:
            pin: The name of an input.
            value: Its level, or the number that a bundle has.
        """

    @abstractmethod
    def get(self, pin: str) -> int:
        """The level of a pin or of a watched signal.

        Args:
            pin: The name of a pin or of a watched signal.
        """

    def reader(self, pins: Sequence[str]) -> Callable[[], tuple[int, ...]]:
        """What reads the levels of several pins at once, for whoever does so often.

        Args:
            pins: The names of pins or watched signals.
        """
        return lambda: tuple(map(self.get, pins))

    @abstractmethod
    def half(self, clock: int) -> None:
        """One half cycle, in which the clock is low or high.

        Args:
            clock: 0 for low, 1 for high.
        """

    def clock(self, cycles: int = 1) -> None:
        """Let whole cycles pass.

        Args:
            cycles: How many.
        """
        for _ in range(cycles):
            self.half(0)
            self.half(1)

    def run_until(self, pin: str, value: int, limit: int, *, or_pin: str | None = None) -> int:
        """Whole cycles until a pin, or one of two, has a value, at least one; how many they were.

        Args:
            pin: The pin that is waited for.
            value: The value that it shall have.
            limit: Cycles after which waiting ends.
            or_pin: Another pin that may have the value instead.

        Raises:
            NotReachedError: If the limit is reached first.
        """
        cycles = self.run((pin, or_pin or pin), value, limit)
        if cycles is None:
            raise NotReachedError(f"{self.circuit.name}: {pin} is not {value} after {limit:,} cycles")
        return cycles

    def run(self, pins: tuple[str, str], value: int, limit: int) -> int | None:
        """As `run_until`, but None if the limit is reached first.

        Args:
            pins: The pins that are waited for.
            value: The value that one of them shall have.
            limit: Cycles after which waiting ends.
        """
        for cycles in range(1, limit + 1):
            self.clock()
            if value in (self.get(pins[0]), self.get(pins[1])):
                return cycles
        return None

    def reset(self, cycles: int = 1) -> None:
        """Hold the reset for some cycles and let it go.

        Args:
            cycles: How many.
        """
        self.set(self.circuit.reset, self.circuit.reset_level)
        self.clock(cycles)
        self.set(self.circuit.reset, 1 - self.circuit.reset_level)
