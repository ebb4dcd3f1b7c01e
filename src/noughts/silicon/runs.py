"""Runs of a chip to look at: moves given by a person, or, where there are none, the run that the source shows."""

import re
from collections.abc import Callable, Sequence

from noughts.games import NoughtsError
from noughts.silicon.chip1990.appendix_e import appendix_e
from noughts.silicon.design import Design
from noughts.silicon.driver import BOARD, IllegalPressError
from noughts.silicon.drivers import DRIVERS, driver
from noughts.silicon.pins import Pins
from noughts.silicon.referee2021.seats import Seats, case_one

__all__ = ["NotAPlaceError", "read_place", "run"]


class NotAPlaceError(NoughtsError):
    """Text that names no place of the board."""


def _first_search(pins: Pins) -> None:
    """The elements of 2021 after KEY0: the chain is entered at element 9 and soon reaches element 1."""
    pins.reset()
    pins.clock(119)


SAMPLES: dict[str, Callable[[Pins], None]] = {
    "chip1990": appendix_e,
    "elements2021": _first_search,
    "elements2021:pruning=yes": _first_search,
    "referee2021": case_one,
}


def run(
    design: Design, pins: Pins, moves: Sequence[tuple[str, int]], *, user_first: bool = True, start: int = 0
) -> None:
    """Reset and make these moves, what was written and the place, each after the chip's reply; or run the sample."""
    if not moves and user_first:
        SAMPLES[design.name](pins)
        return
    if design.name in DRIVERS:
        player = driver(design, pins)
        player.begin(user_first=user_first, start=start)
        press: Callable[[int], object] = player.press
    else:
        seats = Seats(pins)
        seats.begin(player_first=user_first)
        press = seats.press
    for number, (text, place) in enumerate(moves, 1):
        try:
            press(place)
        except IllegalPressError as error:
            raise IllegalPressError(f"move {number}, {text!r}: {error}") from None
    pins.clock()


def read_place(design: Design, text: str) -> int:
    """A place by its name, as b2, or by the number that the design gives it."""
    first = 1 if design.name == "referee2021" else 0
    if text in BOARD.points:
        return BOARD.points.index(text)
    if re.fullmatch("[0-9]", text) and first <= int(text) < first + 9:
        return int(text) - first
    raise NotAPlaceError(f"{text!r} is not a place: expected a1 to c3, or {first} to {first + 8}")
