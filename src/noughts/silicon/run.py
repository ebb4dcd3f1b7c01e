"""A run of a chip as a value: what is done at its pins from the moment it is switched on.

Nothing else decides what the chip does in any cycle, so whoever wants to see a stretch of a run has it run anew, up to
there. A run is one of the samples that come with the design; or the moves of a user, each made when the chip has
answered the one before, and who begins; or a stimulus, which says what every pin gets and when (`stimulus`). `Run()` is
the first sample.
"""

import re
from typing import NamedTuple

from noughts.games import NoughtsError
from noughts.silicon.circuit import Pins
from noughts.silicon.design import Design, Sample
from noughts.silicon.driver import LAYOUT, IllegalPressError
from noughts.silicon.stimulus import apply, read_stimulus

__all__ = [
    "NotAPlaceError",
    "Run",
    "UnknownSampleError",
    "counters_known",
    "find_sample",
    "perform",
    "read_place",
    "sample_of",
]


class NotAPlaceError(NoughtsError):
    """Text that names no place of the board."""


class UnknownSampleError(NoughtsError):
    """A name that is no sample's of a design."""


class Run(NamedTuple):
    """What is done at the pins."""

    moves: tuple[str, ...] = ()
    """The user's moves: places by name, as b2, or by the design's own numbers."""
    user_first: bool = True
    start: int = 0
    """In which of the ways in which it can the chip begins."""
    sample: str = ""
    """The name of a run that comes with the design; then there are no moves."""
    stimulus: str = ""
    """What is done at the pins, as a text; then there is nothing else."""


def find_sample(design: Design, name: str) -> Sample:
    """The sample of this name.

    Args:
        design: The chip.
        name: One of its samples.

    Raises:
        UnknownSampleError: If it has none of this name.
    """
    for known in design.samples:
        if known.name == name:
            return known
    names = ", ".join(known.name for known in design.samples)
    raise UnknownSampleError(f"{name[:60]!r} is not a sample of {design.name}: expected {names}")


def sample_of(design: Design, run: Run) -> Sample | None:
    """The sample that this run is, if it is one.

    Args:
        design: The chip.
        run: What is done with it.
    """
    if run.sample:
        return find_sample(design, run.sample)
    return design.samples[0] if not run.moves and run.user_first and not run.stimulus else None


def counters_known(design: Design, run: Run) -> bool:
    """Whether counters that nobody resets are taken to hold 0 when the chip is switched on; else they are undefined.

    A chip that begins by chance, by what such a counter shows, sets a stone nobody knows where, and from then on
    nothing is known of anything. So where a driver lets a chip begin, in the way it was told, the counter is known.

    Args:
        design: The chip.
        run: What is done with it.
    """
    if run.stimulus:
        return read_stimulus(design, run.stimulus).counters
    shown = sample_of(design, run)
    return shown.counters if shown else not (run.user_first and design.plays)


def perform(design: Design, pins: Pins, run: Run) -> None:
    """Do at the pins of a chip what the run says.

    Args:
        design: The chip.
        pins: The same chip, running.
        run: What is done with it.
    """
    if run.stimulus:
        apply(pins, read_stimulus(design, run.stimulus))
        return
    shown = sample_of(design, run)
    if shown is not None:
        shown.drive(pins)
        return
    places = [read_place(design, text) for text in run.moves]
    driver = design.driver(pins)
    driver.begin(user_first=run.user_first, start=run.start)
    for number, (text, place) in enumerate(zip(run.moves, places, strict=True), 1):
        try:
            driver.press(place)
        except IllegalPressError as error:
            raise IllegalPressError(f"move {number}, {text!r}: {error}") from None
    pins.clock()


def read_place(design: Design, text: str) -> int:
    """A place by its name, as b2, or by the number that the design gives it.

    Args:
        design: The chip.
        text: As somebody typed it.

    Raises:
        NotAPlaceError: If it is neither.
    """
    first = design.driver.first_number
    if text in LAYOUT.points:
        return LAYOUT.points.index(text)
    if re.fullmatch("[0-9]", text) and first <= int(text) < first + 9:
        return int(text) - first
    raise NotAPlaceError(f"{text!r} is not a place: expected a1 to c3, or {first} to {first + 8}")
