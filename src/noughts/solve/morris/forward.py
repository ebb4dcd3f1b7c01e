"""What a position is worth by the definition, from the values of everything it can move to: the check of a table.

Nothing here goes backwards: every move is made, every successor's value is read, and the best is taken. The winner
counts to his next capture or to the end, so a capture that wins is worth 1; a loser's capture does not end the count.
"""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from noughts.solve.morris.kernel import DRAW, functions

__all__ = ["NO_MOVE", "forward_functions"]

NO_MOVE = 0


def forward_functions(jit: Callable[[Any], Any]) -> SimpleNamespace:
    """The functions, compiled."""
    do = functions(jit)
    rank, expand, image, rank_beside = do.rank, do.expand, do.image, do.rank_beside

    @jit
    def makes_mill(word, place, mills):  # type: ignore[no-untyped-def]
        """Whether both other points of a mill through this place have stones."""
        for number in range(2):
            others = mills[place, number]
            if others and (word & others) == others:
                return True
        return False

    @jit
    def value_of(word, flying, block, blocks, movers, below, tables, following):  # type: ignore[no-untyped-def]  # noqa: PLR0912
        """The value by the definition; `following` is the block of what quiet moves lead to."""
        places = blocks.neighbours.shape[1]
        quickest = DRAW
        slowest = NO_MOVE
        draws = False
        for source in range(places):
            if not (word >> source) & 1:
                continue
            for target in range(places):
                if (word >> target) & 1:
                    continue
                if not flying and not (blocks.neighbours[block, source] >> target) & 1:
                    continue
                after = word ^ (1 << source) | (1 << target)
                if not makes_mill(after, target, blocks.mills[block]):
                    value = following[rank(after, tables)]
                    if value == DRAW:
                        draws = True
                    elif value & 1:
                        slowest = max(slowest, value + 1)
                    else:
                        quickest = min(quickest, value + 1)
                    continue
                if below.ends:
                    quickest = 1
                    continue
                mover = expand(after, blocks.sets[block], tables)
                number = rank(mover, tables)
                group = movers.class_of[number]
                for point in range(24):
                    if not (blocks.removable[block] >> point) & 1:
                        continue
                    left = image(blocks.sets[block] ^ (1 << point), movers.symmetry_of[number], tables)
                    value = below.table[group * below.size + rank_beside(left, movers.sets[group], tables)]
                    if value == DRAW:
                        draws = True
                    elif value & 1:
                        slowest = max(slowest, value + 1)
                    else:
                        quickest = 1
        if quickest < DRAW:
            return quickest
        return DRAW if draws else slowest

    return SimpleNamespace(value_of=value_of)
