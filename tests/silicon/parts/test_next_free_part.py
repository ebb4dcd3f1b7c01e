"""The next-free chain: every set of occupied places, from before the board and from behind every place.

Every set is tried with the machine's stones, with the user's, and with a drawn mixture of both.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

from amaranth_bench import settled
from noughts.silicon.parts import NextFree


def boards() -> Iterator[tuple[int, set[int]]]:
    """Contents of the board register, with the places that are free."""
    random = Random(1990)
    for taken in range(1 << 9):
        places = [place for place in range(9) if taken >> place & 1]
        free = set(range(9)).difference(places)
        for codes in ((1,), (2,), (1, 2, 3)):
            yield sum(random.choice(codes) << 2 * place for place in places), free


def test_behind_a_place_it_finds_the_next_free_one() -> None:
    part = NextFree()

    async def every_board(ctx: Any) -> None:
        ctx.set(part.usei, 1)
        for board, free in boards():
            ctx.set(part.board, board)
            for i in range(9):
                ctx.set(part.i, i)
                behind = {place for place in free if place > i}
                assert ctx.get(part.last) == (not behind), (free, i)
                assert ctx.get(part.place) == (min(behind) if behind else 0), (free, i)

    settled(part, every_board)


def test_without_i_it_finds_the_first_free_place_whatever_i_is() -> None:
    part = NextFree()

    async def every_board(ctx: Any) -> None:
        ctx.set(part.usei, 0)
        for board, free in boards():
            ctx.set(part.board, board)
            for i in range(16):
                ctx.set(part.i, i)
                assert ctx.get(part.last) == (not free), (free, i)
                assert ctx.get(part.place) == (min(free) if free else 0), (free, i)

    settled(part, every_board)


def test_the_example_of_the_paper() -> None:
    """Places 3, 4 and 5 are occupied, by white or black: behind 2 comes 6."""
    part = NextFree()

    async def example(ctx: Any) -> None:
        ctx.set(part.usei, 1)
        ctx.set(part.i, 2)
        ctx.set(part.board, 0b00_00_00_10_01_10_00_00_00)
        assert (ctx.get(part.place), ctx.get(part.last)) == (6, 0)

    settled(part, example)
