"""A board: points with names and places on paper, lines that count as rows, and who is next to whom.

A board is a value and knows no rules. The order of its points is the order of the notation: level by
level, row by row from the top, left to right. Everything else about it follows from these four fields,
its symmetries too (`noughts.games.symmetry`).
"""

from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import groupby
from typing import NamedTuple

from noughts.games.points import point_set

__all__ = ["Board", "Place"]


class Place(NamedTuple):
    """Where a point is drawn: level from the front, row from the top, column from the left, all from 0."""

    level: int
    row: int
    column: int


@dataclass(frozen=True)
class Board:
    """Points, the lines among them, and the moves between neighbours."""

    points: tuple[str, ...]
    places: tuple[Place, ...]
    lines: tuple[tuple[int, ...], ...]
    edges: tuple[tuple[int, int], ...] = ()

    def __len__(self) -> int:
        return len(self.points)

    @cached_property
    def everywhere(self) -> int:
        """The set of all points."""
        return (1 << len(self.points)) - 1

    @cached_property
    def line_sets(self) -> tuple[int, ...]:
        """Every line as a set of points."""
        return tuple(point_set(line) for line in self.lines)

    @cached_property
    def on_lines(self) -> int:
        """The points that lie on a line: once these are full, nothing can change."""
        return reduce(int.__or__, self.line_sets, 0)

    @cached_property
    def lines_through(self) -> tuple[tuple[int, ...], ...]:
        """For every point, the lines it lies on, as sets."""
        return tuple(tuple(line for line in self.line_sets if line >> point & 1) for point in range(len(self.points)))

    @cached_property
    def neighbours(self) -> tuple[int, ...]:
        """For every point, the set of points a stone can slide to from it."""
        found = [0] * len(self.points)
        for a, b in self.edges:
            found[a] |= 1 << b
            found[b] |= 1 << a
        return tuple(found)

    @cached_property
    def index(self) -> dict[str, int]:
        """The number of the point with a given name."""
        return {name: point for point, name in enumerate(self.points)}

    @cached_property
    def rows(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """The points as the notation lists them: levels of rows of points."""
        return tuple(
            tuple(tuple(row) for _, row in groupby(level, key=lambda point: self.places[point].row))
            for _, level in groupby(range(len(self.points)), key=lambda point: self.places[point].level)
        )

    def has_row(self, stones: int) -> bool:
        """Whether these stones fill a line."""
        return any(stones & line == line for line in self.line_sets)

    def rows_of(self, stones: int) -> list[int]:
        """The lines that these stones fill."""
        return [line for line in self.line_sets if stones & line == line]
