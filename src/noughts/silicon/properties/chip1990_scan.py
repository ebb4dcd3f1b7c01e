"""The scan path of the chip of 1990 goes through all of its 97 register bits.

It is proved block by block, the blocks being joined end to end: where all registers of a block can be seen, they shift
by one bit; where some cannot, a bit takes as many clocks to come through as there are registers.
"""

from itertools import pairwise
from typing import Any

from amaranth.hdl import Cat

from noughts.silicon.chip1990.chip import Core
from noughts.silicon.formal import Harness, Property
from noughts.silicon.properties.scan import claim_scan_path, claim_scan_time

__all__ = ["CHIP1990_SCAN"]


def _claims(harness: Harness, core: Core) -> None:
    claim_scan_time(harness, core.keyboard, 9)
    claim_scan_path(harness, core.board, Cat(core.led, core.board.scanout))
    claim_scan_time(harness, core.move, 3 + 4 + 4)
    claim_scan_time(harness, core.value, 2 + 1 + 1)
    claim_scan_path(harness, core.stack, Cat(core.sp, *core.stack.words))
    claim_scan_path(harness, core.fsm, core.fsm.statereg)

    path: list[Any] = [core.keyboard, core.board, core.move, core.value, core.stack, core.fsm]
    for before, after in pairwise(path):
        harness.claim("a block hands on to the next", after.scanin == before.scanout)
    harness.claim("the first block starts at the pin", path[0].scanin == core.scanin)
    harness.claim("the last block ends at the pin", core.scanout == path[-1].scanout)
    harness.claim("all blocks scan together", Cat(block.scan for block in path) == core.scan.replicate(len(path)))


CHIP1990_SCAN = Property(
    name="chip1990-scan",
    statement="the scan path of chip1990 goes through all of its registers, a bit a clock",
    make=Core,
    claims=_claims,
    depth=3 + 4 + 4,
)
