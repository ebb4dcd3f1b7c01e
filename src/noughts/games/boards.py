"""The boards of the catalogue: rectangles, the cube of Qubic, and the nested squares of the morris games."""

from functools import cache, lru_cache
from itertools import pairwise, product

from noughts.games.board import Board, Place

__all__ = ["cube", "grid", "nested_squares"]

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@lru_cache(maxsize=64)
def grid(columns: int, rows: int, length: int, *, diagonals: bool = True, adjacency: str = "none") -> Board:
    """A rectangle on which `length` neighbouring points in a straight line make a row.

    `adjacency` says where stones slide: `none`; `orthogonal`; `king`, to all eight neighbours; or
    `lines`, along the lines of the three-by-three board: orthogonally, and diagonally through the centre.
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
    return Board(names, places, tuple(sorted(set(lines))), tuple(edges))


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
def cube(side: int) -> Board:
    """A cube of `side` levels; every straight line of `side` points is a row."""
    places = tuple(Place(*spot) for spot in product(range(side), repeat=3))
    number = {place: point for point, place in enumerate(places)}
    lines = set()
    for spot, step in product(places, product((-1, 0, 1), repeat=3)):
        run = [Place(*(s + i * d for s, d in zip(spot, step, strict=True))) for i in range(side)]
        if any(step) and all(place in number for place in run):
            lines.add(tuple(sorted(number[place] for place in run)))
    names = tuple(f"{place.level + 1}{_LETTERS[place.column]}{place.row + 1}" for place in places)
    return Board(names, places, tuple(sorted(lines)))


@cache
def nested_squares(squares: int) -> Board:
    """The morris board: squares inside each other, the middles of their sides joined.

    A row is a side of a square and, where there are three squares, the three middles in a line.
    """
    middle = squares
    spots = {}
    for ring, down, right in product(range(squares), (-1, 0, 1), (-1, 0, 1)):
        if (down, right) != (0, 0):
            reach = squares - ring
            spots[ring, down, right] = Place(0, middle + down * reach, middle + right * reach)
    places = tuple(sorted(spots.values()))
    number = {key: places.index(place) for key, place in spots.items()}
    around = [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)]
    lines: list[tuple[int, ...]] = []
    edges: list[tuple[int, int]] = []
    for ring in range(squares):
        walk = [number[ring, *spot] for spot in around]
        edges += [(walk[i], walk[(i + 1) % 8]) for i in range(8)]
        lines += [(walk[i], walk[i + 1], walk[(i + 2) % 8]) for i in range(0, 8, 2)]
    for spot in [(-1, 0), (0, -1), (0, 1), (1, 0)]:
        spoke = [number[ring, *spot] for ring in range(squares)]
        edges += list(pairwise(spoke))
        if squares == 3:
            lines.append(tuple(spoke))
    names = tuple(f"{_LETTERS[place.column]}{place.row + 1}" for place in places)
    return Board(names, places, tuple(sorted(tuple(sorted(line)) for line in lines)), tuple(sorted(edges)))
