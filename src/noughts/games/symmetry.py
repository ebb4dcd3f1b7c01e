"""The symmetries of a board, found rather than typed in.

A symmetry is a permutation of the points that maps lines to lines and neighbours to neighbours. Only
those two matter to the rules, so a symmetry keeps every value, even where it is no turning or mirroring
of the drawing: 192 for Qubic, of which a cube shows 48; 32 for the 4×4 square, of which paper shows 8.

They are found by assigning images point after point. Each point keeps the set of images it may still
have; giving point p the image q leaves to every other point r only images that stand to q as r stands to
p (the number of lines through both, and whether they are neighbours). The point with the fewest images
left goes next, so the search hardly ever meets a dead end.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from noughts.games.errors import NoughtsError
from noughts.games.layout import Layout
from noughts.games.points import members, point_set

__all__ = ["MOST_SYMMETRIES", "Symmetry", "TooManySymmetriesError", "apply", "symmetries", "turns_and_mirrors"]

Symmetry = tuple[int, ...]
"""Point p goes to point symmetry[p]."""

MOST_SYMMETRIES = 10_000


class TooManySymmetriesError(NoughtsError):
    """A board whose lines hold so little together that listing its symmetries is pointless."""


def apply(symmetry: Symmetry, points: int) -> int:
    """The image of a set of points."""
    image = 0
    for point in members(points):
        image |= 1 << symmetry[point]
    return image


@lru_cache(maxsize=64)
def symmetries(layout: Layout) -> tuple[Symmetry, ...]:
    """All symmetries of a board, the identity first."""
    found = []
    for symmetry in _search(layout):
        found.append(symmetry)
        if len(found) > MOST_SYMMETRIES:
            raise TooManySymmetriesError(
                f"a board of {len(layout)} points with {len(layout.lines)} lines has more than "
                f"{MOST_SYMMETRIES:,} symmetries; expected lines that hold the board together"
            )
    return tuple(sorted(found))


@lru_cache(maxsize=64)
def turns_and_mirrors(layout: Layout) -> tuple[Symmetry, ...]:
    """The symmetries that paper shows, the identity first: those of the eight of a square that keep a flat board.

    They are found at once on boards of any size; a board with levels has only the identity here.
    """
    identity = tuple(range(len(layout)))
    if len(layout.rows) > 1:
        return (identity,)
    spots = {(place.row, place.column): point for point, place in enumerate(layout.places)}
    bottom, right = (max(spot[axis] for spot in spots) for axis in (0, 1))
    found = []
    for across, down, diagonal in product((False, True), repeat=3):
        image = []
        for row, column in spots:
            to = (bottom - row if down else row, right - column if across else column)
            image.append(spots.get(to[::-1] if diagonal else to, -1))
        symmetry = tuple(image)
        if sorted(symmetry) == list(identity) and _keeps(layout, symmetry):
            found.append(symmetry)
    return tuple(sorted(set(found)))


def _keeps(layout: Layout, symmetry: Symmetry) -> bool:
    """Whether a permutation takes lines to lines and neighbours to neighbours."""
    lines = set(layout.line_sets)
    near = all(apply(symmetry, layout.neighbours[point]) == layout.neighbours[symmetry[point]] for point in symmetry)
    return near and all(apply(symmetry, line) in lines for line in lines)


def _search(layout: Layout) -> Iterator[Symmetry]:
    count = len(layout)
    relation = _relations(layout)
    alike: list[dict[tuple[int, int], int]] = [{} for _ in range(count)]
    for q in range(count):
        for r in range(count):
            alike[q][relation[q][r]] = alike[q].get(relation[q][r], 0) | 1 << r
    profile = [Counter(row) for row in relation]
    choices = {
        p: point_set(q for q in range(count) if profile[q] == profile[p] and relation[q][q] == relation[p][p])
        for p in range(count)
    }
    lines = set(layout.line_sets)

    def extend(image: dict[int, int], choices: dict[int, int]) -> Iterator[Symmetry]:
        if not choices:
            symmetry = tuple(image[p] for p in range(count))
            if all(apply(symmetry, line) in lines for line in lines):
                yield symmetry
            return
        p = min(choices, key=lambda r: choices[r].bit_count())
        for q in members(choices[p]):
            left = {r: images & alike[q].get(relation[p][r], 0) & ~(1 << q) for r, images in choices.items() if r != p}
            if all(left.values()):
                yield from extend({**image, p: q}, left)

    return extend({}, choices)


def _relations(layout: Layout) -> list[list[tuple[int, int]]]:
    """How two points stand to each other: how many lines they share, and whether they are neighbours."""
    return [
        [(sum(line >> r & 1 for line in through), layout.neighbours[p] >> r & 1) for r in range(len(layout))]
        for p, through in enumerate(layout.lines_through)
    ]
