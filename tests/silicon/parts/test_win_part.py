"""The win detector, with the stones of one side anywhere."""

from typing import Any

from amaranth_bench import settled
from noughts.silicon.parts import WinDetector

ROWS = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}]
COLUMNS = [{0, 3, 6}, {1, 4, 7}, {2, 5, 8}]
DIAGONALS = [{0, 4, 8}, {2, 4, 6}]


def test_three_in_a_row_win_and_nothing_else_does() -> None:
    part = WinDetector()

    async def every_set_of_stones(ctx: Any) -> None:
        for stones in range(1 << 9):
            places = {place for place in range(9) if stones >> place & 1}
            ctx.set(part.stones, stones)
            assert ctx.get(part.wins) == any(line <= places for line in ROWS + COLUMNS + DIAGONALS), places

    settled(part, every_set_of_stones)
