"""The catalogue of designs. A new chip is a folder here, whose package lists its designs, and a line in `PACKAGES`."""

from importlib import import_module

from noughts.games import NoughtsError
from noughts.silicon.design import Design

__all__ = ["DESIGNS", "PACKAGES", "UnknownDesignError", "design"]

PACKAGES = (
    "chip1990",
    "elements2021",
    "referee2021",
    "duel1990",
    "noughts2026",
    "rom2026",
    "search2026",
    "player2026",
    "referee2026",
    "lines1977",
    "threats2026",
)
"""The folders, in the order in which designs are listed."""


class UnknownDesignError(NoughtsError):
    """A name that is no design's."""


DESIGNS: dict[str, Design] = {
    known.name: known for package in PACKAGES for known in import_module(f"{__name__}.{package}").DESIGNS
}
"""All designs by name."""


def design(name: str) -> Design:
    """The design with this name.

    Args:
        name: The name of the design, with its options, as `elements2021:pruning=yes`.

    Raises:
        UnknownDesignError: If there is no such design.
    """
    if name not in DESIGNS:
        # All of a family that is known by its name; else one of every family.
        families: dict[str, list[str]] = {}
        for known in DESIGNS:
            families.setdefault(known.partition(":")[0], []).append(known)
        expected = families.get(name.partition(":")[0]) or [first for first, *_ in families.values()]
        raise UnknownDesignError(f"{name!r} is not a design: expected {', '.join(expected)}")
    return DESIGNS[name]
