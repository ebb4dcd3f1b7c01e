"""Who plays at which chip."""

from noughts.games import NoughtsError
from noughts.silicon.chip1990.driver import ChipDriver
from noughts.silicon.design import Design
from noughts.silicon.driver import Driver
from noughts.silicon.elements2021.driver import ElementsDriver
from noughts.silicon.pins import Pins

__all__ = ["DRIVERS", "CannotPlayError", "driver"]

DRIVERS: dict[str, type[Driver]] = {
    "chip1990": ChipDriver,
    "elements2021": ElementsDriver,
    "elements2021:pruning=yes": ElementsDriver,
}


class CannotPlayError(NoughtsError):
    """A design that does not play."""


def driver(design: Design, pins: Pins) -> Driver:
    """Somebody at the pins of this design."""
    if design.name not in DRIVERS:
        raise CannotPlayError(f"{design.name!r} does not play: expected {', '.join(DRIVERS)}")
    return DRIVERS[design.name](pins)
