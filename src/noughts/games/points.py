"""Sets of points as whole numbers: bit p is set when point p belongs to the set."""

from collections.abc import Iterable
from functools import lru_cache

__all__ = ["members", "point_set"]


def point_set(points: Iterable[int]) -> int:
    """The set of these points."""
    mask = 0
    for point in points:
        mask |= 1 << point
    return mask


@lru_cache(maxsize=1 << 14)
def members(mask: int) -> tuple[int, ...]:
    """The points of a set, lowest first. Kept, since the sets of a game are asked for again and again."""
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return tuple(found)
