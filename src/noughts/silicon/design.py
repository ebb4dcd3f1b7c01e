"""A design: a circuit with a history, and everything that is known of it.

Whoever lists, runs, checks, draws or tells of designs asks the design; nothing is said of one anywhere else. So a new
chip is a folder beside the others in `designs/`, whose package makes such a value, and a line in the catalogue there.
What needs Amaranth is behind a function, so that a design can be told of without it.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Any, NamedTuple

from noughts.games import NoughtsError
from noughts.silicon.circuit import Circuit, Pins, nothing
from noughts.silicon.driver import Driver, PlayingDriver
from noughts.silicon.pictures.drawing import Drawings
from noughts.silicon.pictures.panel import Panel
from noughts.silicon.pinout import Pinout
from noughts.silicon.trace import Moment

if TYPE_CHECKING:
    from amaranth.hdl import Signal

    from noughts.silicon.formal import Property

__all__ = [
    "Design",
    "DoesNotPlayError",
    "Group",
    "Message",
    "Row",
    "Sample",
    "Story",
    "Table",
    "later",
    "playing_driver",
]


class Group(NamedTuple):
    """Signals that belong together, each with what it means."""

    title: str
    signals: dict[str, str]


class Story(NamedTuple):
    """A design as it is told to people: where it comes from, how it works, and what its signals mean."""

    title: str
    source: str
    words: str
    """How it works, in a few sentences."""
    sides: tuple[str, str]
    """Who begins: with `begin=user`, and with `begin=chip`."""
    reported: tuple[tuple[str, str], ...]
    """What the source reports of its own."""
    groups: tuple[Group, ...]
    """All signals of a run but those of the table: the input pins, the output pins, and the rest."""
    waves: tuple[str, ...]
    """The signals that the waveform shows."""
    numbered: tuple[tuple[str, str], ...] = ()
    """The signals of the table: what stands before their number, and what each is, with {} for the number."""
    example: str = ""
    """A position of tic-tac-toe whose tree the source works through."""

    def about(self, signal: str) -> str:
        """What a signal means; nothing if that is not told.

        Args:
            signal: The name of a signal.
        """
        for group in self.groups:
            if signal in group.signals:
                return group.signals[signal]
        for stem, words in self.numbered:
            if signal.startswith(stem) and signal.removeprefix(stem).isdecimal():
                return words.format(signal.removeprefix(stem))
        return ""


class Message(NamedTuple):
    """A line that the source's test bench prints."""

    text: str
    """As Verilog's `$display` takes it: `%b` stands for the bits of a pin, `%0t` for the time in ns."""
    pins: tuple[str, ...] = ()
    """The pins whose bits are printed, in order."""
    when: str = ""
    """The pin whose rise it is printed at; else it is printed at the end of the run."""

    def said(self, bits: Iterable[str], time_ns: int) -> str:
        """The line, with the bits of its pins and the time.

        Args:
            bits: The levels of its pins.
            time_ns: When it is said, in nanoseconds.
        """
        values = iter(bits)
        parts = re.split("(%b|%0t)", self.text)
        return "".join(next(values) if part == "%b" else str(time_ns) if part == "%0t" else part for part in parts)


class Sample(NamedTuple):
    """A run that comes with a design: the source shows it, or we do."""

    name: str
    """As commands and addresses have it."""
    about: str
    """What is to be seen in it, in a sentence."""
    drive: Callable[[Pins], None]
    """What is done at the pins."""
    messages: tuple[Message, ...] = ()
    """What the source's test bench prints meanwhile."""
    counters: bool = False
    """Whether counters that nobody resets are known to hold 0 when the chip is switched on, since it counts on them."""


class Row(NamedTuple):
    """A line of a table."""

    cells: tuple[str, ...]
    on: bool
    """Whether it counts at this moment."""


class Table(NamedTuple):
    """What a design has many of, as the words on a stack, at one moment."""

    title: str
    about: str
    head: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class Design(Circuit):
    """A chip of the catalogue."""

    package: str
    """The package that makes this value; its folder has what comes with the design as files (see `kept`)."""
    story: Story
    drawings: Drawings
    """Its blocks and the states of its controllers."""
    panel: Callable[[Mapping[str, int]], Panel]
    """Its front, read off the pins."""
    driver: type[Driver]
    """Who sits at its pins."""
    samples: tuple[Sample, ...]
    """The runs that the source shows, and perhaps some of ours; the first is the one to begin with."""
    console: Callable[[Any, Any], list[Any]]
    """The wires between the component and a game at a console (`flow.console`): chip, game, and what is joined."""
    winners: tuple[str, str] = ("I win", "you win")
    """What a console says when the machine has won, and when the user has."""
    mark: str = "O"
    """The machine's stones, on the pages."""
    registers: "Callable[[Any], dict[str, Signal]]" = nothing
    """More signals inside, for whoever looks into a running chip: every register and wire that a picture names."""
    register_names: dict[str, dict[int, str]] = field(default_factory=dict)
    """For such signals whose values have names: value to name."""
    pinout: Pinout | None = None
    """At which leg of its package every pin comes out, where the source says so."""
    sites: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Where on the FPGA of its board every pin is, bit 0 first, where the source has it on one."""
    bits: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For bundles of pins that are told pin by pin: what each is, bit 0 first."""
    table: Callable[[Moment], Table] | None = None
    """What it has many of, from the values of one moment."""
    doing: Callable[[str, Mapping[str, int]], str] | None = None
    """What it is doing, in plain words, from the state and all values of one moment."""
    search: str = ""
    """The search of `insight.searching` that goes through the same tree, if there is one."""
    reported: dict[str, str] = field(default_factory=dict)
    """What the source reports of what is measured here."""
    beside: str = ""
    """Another design that its figures are shown beside, if there is one to be measured by."""
    proofs: "Callable[[], tuple[Property, ...]]" = tuple
    """What is proved of it."""
    sampled_games: int = 0
    """Where it cannot be made to play every game in some minutes: how many are played at random instead."""
    check: Callable[..., Any] | None = None
    """For one that does not play: how to try everything with it, as `simulate.check` does with the others."""
    check_words: Callable[[Any], list[str]] | None = None
    """And what is said of that to people: lines, from what was found (`Checked`)."""

    @property
    def plays(self) -> bool:
        """Whether it answers moves with moves of its own."""
        return issubclass(self.driver, PlayingDriver)

    @property
    def folder(self) -> Traversable:
        """Where its files are."""
        return files(self.package)

    def inside(self) -> Circuit:
        """The same circuit with more that is watched, and with names for more values."""
        return _inside(self)

    def __repr__(self) -> str:
        return f"Design({self.name!r})"


def later(module: str, name: str) -> Callable[..., Any]:
    """What a module of a design has under this name, for a module that is not loaded before it is asked for.

    So `make=later(f"{__name__}.circuit", "Chip")` makes a component, and Amaranth is loaded when one is made.

    Args:
        module: The whole name of the module.
        name: A function or class, which is called; or a value, which is returned.
    """

    def ask(*arguments: Any, **options: Any) -> Any:
        found = getattr(import_module(module), name)
        return found(*arguments, **options) if callable(found) else found

    return ask


class DoesNotPlayError(NoughtsError):
    """A design that does not play."""


def playing_driver(design: Design, pins: Pins) -> PlayingDriver:
    """Somebody who plays against this design.

    Args:
        design: A chip of the catalogue.
        pins: The same chip, running.

    Raises:
        DoesNotPlayError: If it makes no moves.
    """
    driver = design.driver(pins)
    if not isinstance(driver, PlayingDriver):
        raise DoesNotPlayError(f"{design.name!r} does not play: expected a design that does, as chip1990")
    return driver


@cache
def _inside(design: Design) -> Circuit:
    same = {each.name: getattr(design, each.name) for each in fields(Circuit)}
    more: dict[str, Any] = {
        "watch": lambda component: {**design.watch(component), **design.registers(component)},
        "names": {**design.names, **design.register_names},
        "shown": (),
    }
    return Circuit(**{**same, **more})
