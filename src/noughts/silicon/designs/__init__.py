"""The catalogue of designs. A new chip is a folder here, and a line in `DESIGNS`."""

from noughts.games import NoughtsError
from noughts.silicon.design import Design
from noughts.silicon.designs import chip1990, elements2021, referee2021

__all__ = ["DESIGNS", "UnknownDesignError", "design"]


class UnknownDesignError(NoughtsError):
    """A name that is no design's."""


DESIGNS: dict[str, Design] = {
    known.name: known
    for known in (
        chip1990.DESIGN,
        elements2021.DESIGN,
        elements2021.DESIGN_PRUNING,
        referee2021.DESIGN,
    )
}
"""All designs by name."""


def design(name: str) -> Design:
    """The design with this name."""
    if name not in DESIGNS:
        raise UnknownDesignError(f"{name!r} is not a design: expected {', '.join(DESIGNS)}")
    return DESIGNS[name]
