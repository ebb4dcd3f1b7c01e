"""A layout: points with names and places on paper, lines that count as rows, and who is next to whom.

A layout is the geometry of a board: a value that knows no rules. The order of its points is the order of the
notation: level by level, row by row from the top, left to right. Everything else about it follows from these four
fields, its symmetries too (`noughts.games.symmetry`). The layouts of the catalogue stand below: rectangles, the
cube of Qubic, and the nested squares of the morris games.
"""

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, reduce
from itertools import groupby, pairwise, product
from typing import NamedTuple

from noughts.games.points import point_set

__all__ = ["Layout", "Place", "cube", "grid", "nested_squares"]

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Place(NamedTuple):
    """Where a point is drawn: level from the front, row from the top, column from the left, all from 0."""

    level: int
    row: int
    column: int


@dataclass(frozen=True)
class Layout:
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

    @cached_property
    def empty(self) -> str:
        """The cells of the empty board, as the notation writes them."""
        return "|".join("/".join("." * len(row) for row in level) for level in self.rows)

    def has_row(self, stones: int) -> bool:
        """Whether these stones fill a line.

        Args:
            stones: A set of points, as a bit mask.
        """
        for line in self.line_sets:  # noqa: SIM110  a third of the time that any() takes, asked at every move
            if stones & line == line:
                return True
        return False

    def rows_of(self, stones: int) -> list[int]:
        """The lines that these stones fill.

        Args:
            stones: A set of points, as a bit mask.

        Returns:
            Each line as a bit mask of its points.
        """
        return [line for line in self.line_sets if stones & line == line]


@lru_cache(maxsize=64)
def grid(columns: int, rows: int, length: int, *, diagonals: bool = True, adjacency: str = "none") -> Layout:
    """A rectangle on which `length` neighbouring points in a straight line make a row.

    `adjacency` says where stones slide: `none`; `orthogonal`; `king`, to all eight neighbours; or
    `lines`, along the lines of the three-by-three board: orthogonally, and diagonally through the centre.

    Args:
        columns: Points in a row of the board, from left to right.
        rows: Points in a column, from top to bottom.
        length: Points in a line that wins.
        diagonals: Whether lines run diagonally, too.
        adjacency: Where stones slide, if they do.
    """
    places = tuple(Place(0, row, column) for row in range(rows) for column in range(columns))
    number = {(place.column, place.row): point for point, place in enumerate(places)}
    steps = [(1, 0), (0, 1), *([(1, 1), (-1, 1)] if diagonals else [])]
    lines = []
    for (column, row), (right, down) in product(number, steps):
        cells = [(column + i * right, row + i * down) for i in range(length)]
        if cells[-1] in number:
            lines.append(tuple(sorted(number[cell] for cell in cells)))
    edges = [
        (number[column, row], number[column + right, row + down])
        for column, row in number
        for right, down in [(1, 0), (0, 1), (1, 1), (-1, 1)]
        if (column + right, row + down) in number and _joined(adjacency, (column, row), (column + right, row + down))
    ]
    names = tuple(f"{_LETTERS[place.column]}{place.row + 1}" for place in places)
    return Layout(names, places, tuple(sorted(set(lines))), tuple(edges))


def _joined(adjacency: str, a: tuple[int, int], b: tuple[int, int]) -> bool:
    """Whether a stone slides between two touching cells of a grid."""
    straight = a[0] == b[0] or a[1] == b[1]
    through_centre = (1, 1) in (a, b)
    return {
        "none": False,
        "orthogonal": straight,
        "lines": straight or through_centre,
        "king": True,
    }[adjacency]


@cache
def cube(side: int) -> Layout:
    """A cube of `side` levels; every straight line of `side` points is a row.

    Args:
        side: Points along an edge, as 4 at Qubic.
    """
    places = tuple(Place(*spot) for spot in product(range(side), repeat=3))
    number = {place: point for point, place in enumerate(places)}
    lines = set()
    for spot, step in product(places, product((-1, 0, 1), repeat=3)):
        run = [Place(*(s + i * d for s, d in zip(spot, step, strict=True))) for i in range(side)]
        if any(step) and all(place in number for place in run):
            lines.add(tuple(sorted(number[place] for place in run)))
    names = tuple(f"{place.level + 1}{_LETTERS[place.column]}{place.row + 1}" for place in places)
    return Layout(names, places, tuple(sorted(lines)))


@cache
def nested_squares(squares: int, *, diagonals: bool = False, centre: bool = False) -> Layout:
    """The morris board: squares inside each other, the middles of their sides joined.

    Every three points next to one another on a drawn line are a row: a side of a square; where there are three squares,
    the three middles, or corners, on one side of the board; with a centre, three of those on a line through it.

    Args:
        squares: How many, two or three.
        diagonals: Whether the corners of the squares are joined, too.
        centre: Whether the middle of the board is a point, in which the lines that join squares meet.
    """
    middle = squares
    spots = {(squares, 0, 0): Place(0, middle, middle)} if centre else {}
    for ring, down, right in product(range(squares), (-1, 0, 1), (-1, 0, 1)):
        if (down, right) != (0, 0):
            reach = squares - ring
            spots[ring, down, right] = Place(0, middle + down * reach, middle + right * reach)
    places = tuple(sorted(spots.values()))
    number = {key: places.index(place) for key, place in spots.items()}
    around = [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)]
    drawn: list[list[int]] = []
    for ring in range(squares):
        walk = [number[ring, *spot] for spot in around]
        drawn += [[walk[i], walk[i + 1], walk[(i + 2) % 8]] for i in range(0, 8, 2)]
    for down, right in [(-1, 0), (0, -1), (0, 1), (1, 0), *([(-1, -1), (-1, 1), (1, -1), (1, 1)] if diagonals else [])]:
        inwards = [number[ring, down, right] for ring in range(squares)]
        if not centre:
            drawn.append(inwards)
        elif (down, right) < (0, 0):
            outwards = [number[ring, -down, -right] for ring in reversed(range(squares))]
            drawn.append([*inwards, number[squares, 0, 0], *outwards])
    edges = [edge for line in drawn for edge in pairwise(line)]
    lines = [tuple(sorted(line[i : i + 3])) for line in drawn for i in range(len(line) - 2)]
    names = tuple(f"{_LETTERS[place.column]}{place.row + 1}" for place in places)
    return Layout(names, places, tuple(sorted(lines)), tuple(sorted(edges)))
