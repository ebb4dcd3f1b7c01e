"""Draws by a pairing of cells, the argument of Hales and Jewett (1963), found by matching.

Where stones are only placed, a side need not search to stop all rows of the other: if every line that the other can
still fill has two empty cells of its own, shared with no other line, it answers each stone on one of them with a stone
on the other. No line is ever filled. It makes no difference who is to move: a stone more never hurts. If each side has
such a pairing against the other, the position is a draw, and so is every position after it: whatever is played, the
pairs that are left do.

To give every line two cells is to match each of two copies of a line with a cell. The matching is found by augmenting
paths (Kuhn): a copy that finds its cells taken asks whether the takers can go elsewhere.
"""

from collections.abc import Sequence

from noughts.games import Game, Position
from noughts.games.points import members

__all__ = ["drawn_by_pairing", "pairs"]


def drawn_by_pairing(game: Game, position: Position) -> bool:
    """Whether each side can stop all rows of the other by pairing cells. Where stones move, nothing is said."""
    if not game.placing_only:
        return False
    empty = game.layout.everywhere & ~position.occupied
    x, o = position.stones
    return all(
        pairs([line & empty for line in game.layout.line_sets if not line & other], empty.bit_count()) is not None
        for other in (o, x)
    )


def pairs(lines: Sequence[int], cells: int) -> list[tuple[int, int]] | None:
    """Two cells for each of these sets of cells, all different; None if there are none, or only `cells` in all."""
    if 2 * len(lines) > cells:
        return None
    taker: dict[int, int] = {}

    def take(line: int, tried: set[int]) -> bool:
        for cell in members(lines[line]):
            if cell not in tried:
                tried.add(cell)
                if cell not in taker or take(taker[cell], tried):
                    taker[cell] = line
                    return True
        return False

    for line in range(len(lines)):
        if not (take(line, set()) and take(line, set())):
            return None
    found: list[list[int]] = [[] for _ in lines]
    for cell, line in taker.items():
        found[line].append(cell)
    return [(a, b) for a, b in found]
