"""At the pins: a form with a field for every input of a chip, which adds what is done there to a stimulus.

The form shows the levels that the pins have at the end of the run. Whoever changes some and lets cycles pass gets the
run with these cycles behind it, at an address of its own; so back is undo, and nothing is kept. It works without a
script.

A pin is a box to tick, and so is every line of a bundle whose lines mean different things; a bundle that is a number
is a number here. A ticked box is a level of 1. Only where all lines of a bundle rest at 1, as those of keys that pull
them down, is it 0: then a box that is ticked is a key that is held.

All this takes the names and widths of the pins, and no circuit; the server has them from a recording, so it does not
load Amaranth.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import NamedTuple

from noughts.games import game
from noughts.silicon.circuit import Circuit, Pin
from noughts.silicon.design import Design
from noughts.silicon.stimulus import Event, Stimulus, read_stimulus, write_stimulus
from noughts.web.sitting import BadAddressError

__all__ = ["MOST_PASSING", "Field", "Hand", "Tick"]

MOST_PASSING = 1_000_000
"""Cycles that one press may let pass."""
_BEFORE = "at-"
"""Before the name of a pin in the names of fields, which so do not meet the other names in an address."""
_FEW = 9
"""Lines of a bundle that stand in their order; the lines of more, unless they are a board, as digits do."""
_DIGITS = 20
"""Of a number in a field, at most."""


class Tick(NamedTuple):
    """A box for one line."""

    bit: int
    label: str
    about: str
    on: bool


class Field(NamedTuple):
    """An input pin in the form."""

    key: str
    """What the form sends it as."""
    name: str
    about: str
    ticks: tuple[Tick, ...]
    """A box a line; none where the pin is a number."""
    value: int
    most: int
    is_low: bool
    """Whether a ticked box is a level of 0."""
    columns: int
    """Of a bundle with a line a point of a board: how many stand in a row; else 0."""


@dataclass(frozen=True, eq=False, kw_only=True)
class _Told(Circuit):
    """A circuit of which the pins are known, and nothing else is asked."""

    told: dict[str, Pin]

    def pins(self, *, watch: bool = False) -> dict[str, Pin]:  # noqa: ARG002
        return self.told


class Hand:
    """Somebody's hand at the pins of a design, which have so many bits."""

    def __init__(self, design: Design, widths: Mapping[str, int]) -> None:
        inputs, outputs = design.story.groups[:2]
        told = {name: Pin(name in inputs.signals, widths[name]) for name in (*inputs.signals, *outputs.signals)}
        self._design = design
        self._circuit = _Told(**{one.name: getattr(design, one.name) for one in fields(Circuit)}, told=told)
        self._inputs = {name: told[name].width for name in inputs.signals if name != design.clock}

    def rewritten(self, text: str) -> str:
        """The same stimulus as we write it; raise `StimulusError` if it is none."""
        return write_stimulus(self._circuit, read_stimulus(self._circuit, text))

    def first(self) -> str:
        """A stimulus that does nothing but reset for a cycle, and waits for one.

        A counter that nobody resets holds a 0 in it, so that one sees where a chip begins.
        """
        reset, level = self._design.reset, self._design.reset_level
        events = (Event(0, reset, level), Event(1, reset, 1 - level))
        return write_stimulus(self._circuit, Stimulus(2, events, counters=bool(self._design.counters)))

    def fields(self, text: str) -> list[Field]:
        """The form for whoever goes on where this stimulus ends."""
        return [self._field(name, level) for name, level in self._levels(read_stimulus(self._circuit, text)).items()]

    def read(self, sent: Mapping[str, list[str]]) -> dict[str, int]:
        """The levels that the form has sent, for every pin; a box that is not ticked is not sent."""
        return {name: self._level(name, sent.get(_BEFORE + name, [])) for name in self._inputs}

    def gone_on(self, text: str, levels: Mapping[str, int], cycles: int, *, reset: bool = False) -> str:
        """The stimulus with these levels for so many cycles more, and before them one of reset if it is asked for."""
        if not 1 <= cycles <= MOST_PASSING:
            raise BadAddressError(f"{cycles:,} cycles cannot pass: expected 1 to {MOST_PASSING:,}")
        before = read_stimulus(self._circuit, text)
        now, held = before.cycles, self._levels(before)
        wanted = {**levels, self._design.reset: self._design.reset_level} if reset else levels
        events = [*before.events, *(Event(now, pin, level) for pin, level in wanted.items() if level != held[pin])]
        if reset:
            now += 1
            events.append(Event(now, self._design.reset, 1 - self._design.reset_level))
        return write_stimulus(self._circuit, before._replace(cycles=now + cycles, events=tuple(events)))

    def _levels(self, stimulus: Stimulus) -> dict[str, int]:
        """The levels of all inputs at the end."""
        levels = {name: self._design.idle.get(name, 0) for name in self._inputs}
        return levels | {event.pin: event.level for event in stimulus.events}

    def _is_low(self, name: str) -> bool:
        width = self._inputs[name]
        return width > 1 and self._design.idle.get(name) == (1 << width) - 1

    def _is_number(self, name: str) -> bool:
        return self._inputs[name] > 1 and name not in self._design.bits

    def _field(self, name: str, level: int) -> Field:
        width, is_low = self._inputs[name], self._is_low(name)
        columns = self._columns(width)
        about = self._design.story.groups[0].signals[name]
        lines = [] if self._is_number(name) else [*range(width)] if columns or width <= _FEW else [*range(width)][::-1]
        words = (about,) if width == 1 else self._design.bits.get(name, ())
        ticks = (
            Tick(bit, name if width == 1 else f"{bit}", words[bit], bool(level >> bit & 1) != is_low) for bit in lines
        )
        return Field(_BEFORE + name, name, about, tuple(ticks), level, (1 << width) - 1, is_low, columns)

    def _columns(self, width: int) -> int:
        """The columns of the board, if it is a rectangle of so many points."""
        layout = game(self._design.game).layout
        columns = len(layout.rows[0][0])
        return columns if width == len(layout) and len(layout.rows) == 1 and width % columns == 0 else 0

    def _level(self, name: str, sent: list[str]) -> int:
        width = self._inputs[name]
        if self._is_number(name):
            text = sent[-1] if sent else "0"
            if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS and int(text) < 1 << width):
                raise BadAddressError(f"{text[:40]!r} is not a level of {name}: expected 0 to {(1 << width) - 1}")
            return int(text)
        lines = {f"{bit}": 1 << bit for bit in range(width)}
        for text in sent:
            if text not in lines:
                raise BadAddressError(f"{text[:40]!r} is not a line of {name}: expected 0 to {width - 1}")
        ticked = sum(lines[text] for text in set(sent))
        return (1 << width) - 1 - ticked if self._is_low(name) else ticked
