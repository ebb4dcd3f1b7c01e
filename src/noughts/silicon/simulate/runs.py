"""Runs of a chip to look at: how long one is, when the chip works, and every signal in some of its cycles.

A run is a design, the moves of a user and who begins; nothing else decides what the chip does in any cycle. Without
moves, and with the user to begin, it is the run that the source shows, the design's sample. A run is never kept:
whoever looks at a stretch of it has it run anew, up to there. That is quick where the design can be compiled, millions
of cycles a second; where it cannot, Amaranth's own simulator does it, and long runs are refused.
"""

import re
from collections.abc import Sequence
from functools import cache

from noughts.games import NoughtsError
from noughts.silicon.circuit import Pins
from noughts.silicon.design import Design
from noughts.silicon.driver import LAYOUT, IllegalPressError
from noughts.silicon.simulate.compiled import Model, compiled
from noughts.silicon.simulate.interpreted import Interpreted
from noughts.silicon.simulate.watched import Counted, Recorder
from noughts.silicon.tools import MissingToolError, ToolError
from noughts.silicon.trace import Outline, Trace

__all__ = ["NotAPlaceError", "is_quick", "outline", "read_place", "run", "stretch"]

MOST_COMPILED = 3_000_000
"""Cycles in a compiled simulation: a second or two. The longest game of all designs has fewer."""
MOST_INTERPRETED = 60_000
"""Cycles in Amaranth's simulator: some twenty seconds."""


class NotAPlaceError(NoughtsError):
    """Text that names no place of the board."""


def run(
    design: Design, pins: Pins, moves: Sequence[tuple[str, int]], *, user_first: bool = True, start: int = 0
) -> None:
    """Reset and make these moves, what was written and the place, each after the chip's reply; or run the sample."""
    if not moves and user_first:
        design.sample(pins)
        return
    driver = design.driver(pins)
    driver.begin(user_first=user_first, start=start)
    for number, (text, place) in enumerate(moves, 1):
        try:
            driver.press(place)
        except IllegalPressError as error:
            raise IllegalPressError(f"move {number}, {text!r}: {error}") from None
    pins.clock()


def read_place(design: Design, text: str) -> int:
    """A place by its name, as b2, or by the number that the design gives it."""
    first = design.driver.first_number
    if text in LAYOUT.points:
        return LAYOUT.points.index(text)
    if re.fullmatch("[0-9]", text) and first <= int(text) < first + 9:
        return int(text) - first
    raise NotAPlaceError(f"{text!r} is not a place: expected a1 to c3, or {first} to {first + 8}")


def is_quick(design: Design) -> bool:
    """Compile a design, unless it has been; whether its runs are quick now, and long ones allowed."""
    return _compiled(design) is not None


def outline(design: Design, moves: tuple[str, ...], *, user_first: bool) -> Outline:
    """How long a run is, when the chip works, and how it ends."""
    counted, simulator = _switched_on(design)
    _play(design, counted, moves, user_first)
    ended = design.driver(counted)
    return Outline(counted.cycles, counted.replies, ended.stones(), ended.is_over, simulator)


def stretch(design: Design, moves: tuple[str, ...], first: int, last: int, *, user_first: bool) -> Trace:
    """All signals in the cycles of a run from the first to the last of these."""
    recorder = Recorder(_switched_on(design)[0], first, last)
    _play(design, recorder, moves, user_first)
    return recorder.trace()


def _play(design: Design, pins: Pins, moves: tuple[str, ...], user_first: bool) -> None:
    run(design, pins, [(move, read_place(design, move)) for move in moves], user_first=user_first)


def _switched_on(design: Design) -> tuple[Counted, str]:
    """A chip as it is when it is switched on, and who simulates it."""
    found = _compiled(design)
    if found is None:
        return Counted(Interpreted(design.inside()), design.driver, MOST_INTERPRETED), "Amaranth"
    model, fresh = found
    model.restore(fresh)
    return Counted(model, design.driver, MOST_COMPILED), "Verilator"


@cache
def _compiled(design: Design) -> tuple[Model, bytes] | None:
    """The compiled chip, if it can be compiled here, and its state before the first run.

    One serves all runs, since the memory of a compiled chip is never given back.
    """
    try:
        model = compiled(design.inside(), watch=True)
    except (MissingToolError, ToolError):
        return None
    return model, model.save()
