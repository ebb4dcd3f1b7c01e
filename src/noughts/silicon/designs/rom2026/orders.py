"""What is in the ROM: for every game an order of its points for when the chip begins, and one for when the user does.

The orders were found by annealing (`Walker.shorten` of `noughts.solve.policies`, with `rules=4`, `keeping=True` and
`wrong=True`). That they are right does not rest on that: `noughts silicon check rom2026:game=square4` plays every game,
and `noughts bench policies` walks through every position that they lead to.
"""

__all__ = ["ORDERS"]

ORDERS: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "square4": (
        (2, 14, 6, 12, 9, 5, 7, 15, 0, 1, 11, 3, 13, 10, 4, 8),
        (6, 4, 9, 3, 0, 13, 10, 15, 14, 11, 1, 5, 2, 8, 7, 12),
    ),
}
"""By game: the points by number, when the chip begins, and when the user does."""
