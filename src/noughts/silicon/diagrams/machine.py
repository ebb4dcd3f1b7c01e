"""A controller as a diagram: its states, and the transitions with their conditions."""

from typing import NamedTuple

from noughts.silicon.diagrams.drawing import Diagram

__all__ = ["Drawings", "Machine"]


class Machine(NamedTuple):
    """A diagram of states, and where to read which of them a chip is in."""

    name: str
    diagram: Diagram
    signals: tuple[str, ...]
    """The registers that hold a state: one, or one for each of several controllers that are alike."""
    about: str


class Drawings(NamedTuple):
    """What there is to see of a design."""

    blocks: Diagram
    machines: tuple[Machine, ...]
    acts_first: bool = False
    """Whether blocks work in the first half of a cycle, before the clock rises, as where inputs alone decide."""
