"""Where the points of a board are, which lines run through them, and which points are neighbours.

Everything comes from (column, row) coordinates that, like the point names, count from 1 at the top left.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, product

Coordinates = tuple[int, int]
Line = tuple[str, ...]
Neighbours = dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class Board:
    """The point names in the order a position is written: levels, in them rows, in them points."""

    levels: tuple[tuple[tuple[str, ...], ...], ...]

    def names(self) -> list[str]:
        """All point names, level by level, row by row, from left to right."""
        return [name for level in self.levels for row in level for name in row]


def point_name(column: int, row: int) -> str:
    """A point is called by its column letter, then its row number; a1 is top left."""
    return "abcdefghijklmnopqrstuvwxyz"[column - 1] + str(row)


def grid(columns: int, rows: int) -> Board:
    """A full rectangle of cells."""
    level = tuple(tuple(point_name(column, row) for column in range(1, columns + 1)) for row in range(1, rows + 1))
    return Board((level,))


def straight_lines(columns: int, rows: int, length: int, diagonals: bool = True) -> list[Line]:
    """Every horizontal, vertical and (if wanted) diagonal of a rectangle that has `length` cells or more.

    Each line is given in its whole extent.
    """
    lines: dict[tuple[str, int], list[str]] = {}
    for row, column in product(range(1, rows + 1), range(1, columns + 1)):
        through = [("horizontal", row), ("vertical", column)]
        if diagonals:
            through += [("falling", column - row), ("rising", column + row)]
        for line in through:
            lines.setdefault(line, []).append(point_name(column, row))
    return [tuple(line) for line in lines.values() if len(line) >= length]


def cube() -> Board:
    """Four levels of 4x4 cells; a cell's name starts with the number of its level."""
    flat = grid(4, 4).levels[0]
    return Board(tuple(tuple(tuple(f"{level}{name}" for name in row) for row in flat) for level in range(1, 5)))


def cube_lines() -> list[Line]:
    """The straight lines of four cells in the 4x4x4 cube.

    Going along a line each of level, column and row either stays the same, or counts 1 to 4, or counts 4 to
    1, and at least one of them changes. Each line is met twice, once from each end.
    """
    changes = [(1, 2, 3, 4), (4, 3, 2, 1)]
    courses = [(fixed,) * 4 for fixed in (1, 2, 3, 4)] + changes
    lines: dict[frozenset[str], Line] = {}
    for levels, columns, rows in product(courses, repeat=3):
        if levels in changes or columns in changes or rows in changes:
            line = tuple(f"{levels[i]}{point_name(columns[i], rows[i])}" for i in range(4))
            lines.setdefault(frozenset(line), line)
    return list(lines.values())


def contains_row(cells: tuple[str, ...], lines: list[list[int]], stone: str, length: int) -> bool:
    """Whether `length` or more stones of one kind stand next to each other on one of the lines, given as places."""
    row = stone * length
    for line in lines:  # noqa: SIM110  millions of times, and any() takes longer
        if row in "".join([cells[place] for place in line]):
            return True
    return False


def small_board_neighbours(adjacency: str) -> Neighbours:
    """Who is adjacent on the 3x3 board.

    orthogonal: left, right, above and below. king: diagonally too. lines: diagonally only if one of the two
    is the centre.
    """
    cells = list(product((1, 2, 3), (1, 2, 3)))
    return {point_name(*a): tuple(point_name(*b) for b in cells if _adjacent(a, b, adjacency)) for a in cells}


def _adjacent(a: Coordinates, b: Coordinates, adjacency: str) -> bool:
    """Whether two cells of the 3x3 board are adjacent, see small_board_neighbours."""
    across, down = abs(a[0] - b[0]), abs(a[1] - b[1])
    orthogonal = across + down == 1
    diagonal = across == 1 and down == 1
    if adjacency == "orthogonal":
        return orthogonal
    if adjacency == "king":
        return orthogonal or diagonal
    return orthogonal or (diagonal and (2, 2) in (a, b))


def anywhere(board: Board) -> Neighbours:
    """For a jump every other point is as good as adjacent."""
    names = board.names()
    return {name: tuple(other for other in names if other != name) for name in names}


def morris_board(squares: int, centre: bool = False) -> Board:
    """The points of the concentric squares, row by row: corners, side midpoints, and the middle where it is one."""
    points = {point for line in morris_drawing(squares, centre=centre) for point in line}
    size = 2 * squares + 1
    rows = [[(column, row) for column in range(1, size + 1) if (column, row) in points] for row in range(1, size + 1)]
    return Board((tuple(tuple(point_name(*point) for point in row) for row in rows),))


def morris_drawing(squares: int, diagonals: bool = False, centre: bool = False) -> list[list[Coordinates]]:
    """The lines drawn on a morris board: four sides per square, and four lines joining the side midpoints.

    With diagonals four more join the corners. With a centre the lines that face each other are one line through it.
    """
    middle = squares + 1
    lines: list[list[Coordinates]] = []
    for radius in range(1, squares + 1):
        near, far = middle - radius, middle + radius
        lines.append([(near, near), (middle, near), (far, near)])
        lines.append([(near, far), (middle, far), (far, far)])
        lines.append([(near, near), (near, middle), (near, far)])
        lines.append([(far, near), (far, middle), (far, far)])
    ways = [(0, 1), (1, 0), (1, 1), (1, -1)] if diagonals else [(0, 1), (1, 0)]
    for across, down in ways:
        line = [(middle + r * across, middle + r * down) for r in range(-squares, squares + 1)]
        lines += [line] if centre else [line[:squares], line[squares + 1 :]]
    return lines


def morris_mills(squares: int, diagonals: bool = False, centre: bool = False) -> list[Line]:
    """A mill is any three points that follow one another on a drawn line."""
    return [
        tuple(point_name(*point) for point in three)
        for line in morris_drawing(squares, diagonals, centre)
        for three in zip(line, line[1:], line[2:], strict=False)
    ]


def morris_neighbours(squares: int, diagonals: bool = False, centre: bool = False) -> Neighbours:
    """Two points are adjacent if one follows the other on a drawn line."""
    neighbours: dict[str, list[str]] = {name: [] for name in morris_board(squares, centre).names()}
    for line in morris_drawing(squares, diagonals, centre):
        for one, next_one in pairwise(line):
            neighbours[point_name(*one)].append(point_name(*next_one))
            neighbours[point_name(*next_one)].append(point_name(*one))
    return {name: tuple(adjacent) for name, adjacent in neighbours.items()}
