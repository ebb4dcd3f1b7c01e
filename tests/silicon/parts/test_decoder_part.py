"""The position decoder: every number, of every width that a design might want."""

from typing import Any

import pytest

from amaranth_bench import settled
from noughts.silicon.parts import PositionDecoder


@pytest.mark.parametrize("width", range(1, 7))
def test_the_line_with_the_number_is_high_and_no_other(width: int) -> None:
    part = PositionDecoder(width)

    async def every_number(ctx: Any) -> None:
        for number in range(1 << width):
            ctx.set(part.index, number)
            ctx.set(part.enable, 1)
            lines = f"{ctx.get(part.lines):b}".zfill(1 << width)
            assert [line for line, level in enumerate(reversed(lines)) if level == "1"] == [number]
            ctx.set(part.enable, 0)
            assert ctx.get(part.lines) == 0

    settled(part, every_number)
