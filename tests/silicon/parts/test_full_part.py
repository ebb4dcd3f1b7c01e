"""The full detector, with all 4^9 contents of the board register: nobody's, one side's and both sides' stones."""

from itertools import product
from typing import Any

from amaranth_bench import settled
from noughts.silicon.parts import FullDetector


def test_a_board_is_full_when_no_place_is_empty() -> None:
    part = FullDetector()

    async def every_board(ctx: Any) -> None:
        for board, places in enumerate(product(range(4), repeat=9)):
            ctx.set(part.board, board)
            assert ctx.get(part.full) == (0 not in places), places

    settled(part, every_board)
