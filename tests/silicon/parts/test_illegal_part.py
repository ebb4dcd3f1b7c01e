"""The illegal-move detector: every set of occupied places with every set of places pointed at.

All contents of a board register with all nine lines would be 2^27 cases. So every pair of sets is tried once, with
stones whose side is drawn, both sides' at a time included; and one line at a time with each of the 3^9 boards.
"""

from itertools import product
from random import Random
from typing import Any

from amaranth_bench import settled
from noughts.silicon.parts import IllegalMoveDetector


def test_pointing_at_a_stone_is_illegal_whosever_it_is() -> None:
    part = IllegalMoveDetector()
    random = Random(1990)

    async def every_pair_of_sets(ctx: Any) -> None:
        for taken in range(1 << 9):
            stones = [random.choice((1, 2, 3)) if taken >> place & 1 else 0 for place in range(9)]
            ctx.set(part.board, sum(code << 2 * place for place, code in enumerate(stones)))
            for at in range(1 << 9):
                ctx.set(part.at, at)
                expected = any(stones[place] and at >> place & 1 for place in range(9))
                assert ctx.get(part.illegal) == expected, (stones, at)

    settled(part, every_pair_of_sets)


def test_on_every_board_the_free_places_are_legal_and_the_others_are_not() -> None:
    part = IllegalMoveDetector()

    async def every_board(ctx: Any) -> None:
        for places in product((0, 1, 2), repeat=9):
            ctx.set(part.board, sum(code << 2 * place for place, code in enumerate(places)))
            for place in range(9):
                ctx.set(part.at, 1 << place)
                assert ctx.get(part.illegal) == (places[place] != 0), (places, place)

    settled(part, every_board)
