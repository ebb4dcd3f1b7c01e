"""Sets of points as whole numbers: bit p is set when point p belongs to the set."""

from collections.abc import Iterable, Iterator

__all__ = ["members", "point_set"]


def point_set(points: Iterable[int]) -> int:
    """The set of these points."""
    mask = 0
    for point in points:
        mask |= 1 << point
    return mask


def members(mask: int) -> Iterator[int]:
    """The points of a set, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
