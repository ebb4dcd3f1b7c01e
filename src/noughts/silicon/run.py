"""A run of a chip as a value: what is done at its pins from the moment it is switched on.

Nothing else decides what the chip does in any cycle, so whoever wants to see a stretch of a run has it run anew, up to
there. A run is one of the samples that come with the design; or the moves of a user, each made when the chip has
answered the one before, and who begins; or a stimulus, which says what every pin gets and when (`stimulus`). `Run()` is
the first sample.
"""

import re
from typing import NamedTuple

from noughts.games import Move, NotationError, NoughtsError, game
from noughts.games.notation import read_move as read_notation
from noughts.silicon.circuit import Pins
from noughts.silicon.design import Design, Sample
from noughts.silicon.driver import IllegalPressError
from noughts.silicon.stimulus import apply, read_stimulus

__all__ = [
    "NotAMoveError",
    "Run",
    "UnknownSampleError",
    "counters_known",
    "find_sample",
    "perform",
    "read_move",
    "sample_of",
]


class NotAMoveError(NoughtsError):
    """Text that is no move on the board of a design."""


class UnknownSampleError(NoughtsError):
    """A name that is no sample's of a design."""


class Run(NamedTuple):
    """What is done at the pins."""

    moves: tuple[str, ...] = ()
    """The user's moves: as the game writes them, or places by the design's own numbers."""
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
    moves = [read_move(design, text) for text in run.moves]
    driver = design.driver(pins)
    driver.begin(user_first=run.user_first, start=run.start)
    for number, (text, move) in enumerate(zip(run.moves, moves, strict=True), 1):
        try:
            driver.play(move)
        except IllegalPressError as error:
            raise IllegalPressError(f"move {number}, {text!r}: {error}") from None
    pins.clock()


def read_move(design: Design, text: str) -> Move:
    """A move in the notation of the design's game, as b2 or a1-b2; or a place by the number that the design gives it.

    Whether the chip takes it is another question.

    Args:
        design: The chip.
        text: As somebody typed it.

    Raises:
        NotAMoveError: If it is neither.
    """
    made_for = game(design.game)
    points, first = made_for.layout.points, design.driver.first_number
    last = first + len(points) - 1
    if re.fullmatch("[0-9]{1,3}", text) and first <= int(text) <= last:
        return Move(int(text) - first)
    moves = "" if made_for.placing_only else f", two of them as {points[0]}-{points[1]}"
    try:
        move = read_notation(made_for.layout, text) if re.fullmatch("[a-z0-9-]{2,7}", text) else Move(None)
    except NotationError:
        move = Move(None)
    if move.to is None or move.capture is not None or (move.source is not None and made_for.placing_only):
        said = "a place" if made_for.placing_only else "a move"
        expected = f"{points[0]} to {points[-1]}{moves}, or {first} to {last}"
        raise NotAMoveError(f"{text[:60]!r} is not {said}: expected {expected}")
    return move
