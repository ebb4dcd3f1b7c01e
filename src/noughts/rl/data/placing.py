"""The positions of a solved placing game, tens of thousands at once.

Everything is read off the solution by slots (see `noughts.solve.placing`), with NumPy over all rows of a batch and no
loop over positions: 4×4 has 9,722,011 of them. A slot of a layer is a block, that is a set of occupied cells, and a
pattern of X's stones among them. To get the stones back the bits of the pattern are deposited in the occupied cells
(what processors call PDEP). The slot after a move is a block and one look into the table of insertions.

A symmetry maps sets of cells bit by bit, so the image of a set is the union of the images of its two halves, each
looked up in a table of at most 1,024 entries. The leader is the least of a row's images, compared as X's stones, then
O's.
"""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from noughts.extras import need
from noughts.games import Game, Position
from noughts.games.symmetry import Symmetry
from noughts.rl.data.columns import ILLEGAL, Rows, has_difficulty, symmetries_of
from noughts.rl.observation import sight
from noughts.solve import Progress, solve
from noughts.solve.difficulty import PLAIN_CELLS, difficulties
from noughts.solve.placing import ILLEGAL as EMPTY
from noughts.solve.placing import WON, PlacingSolution

__all__ = ["Placed"]

PORTION = 1 << 18
"""Slots looked at in one go."""
HALF = 10
"""Cells in the lower half of a set: the solver takes boards of up to 20."""

Slots = NDArray[np.int64]
Sets = NDArray[np.int32]


class Placed:
    """All positions of a placing game, by their slots in its solution."""

    def __init__(self, game: Game, progress: Progress | None = None) -> None:
        if has_difficulty(game) and len(game.layout) > PLAIN_CELLS:
            need("numba", f"the difficulty of positions of {game.name}")  # before the game is solved for nothing
        solution = solve(game, progress)
        assert isinstance(solution, PlacingSolution)
        self.game, self.solution = game, solution
        self.count = sum(subspace.positions for subspace in solution.subspaces)
        self._starts = np.array([layer.start for layer in solution.index.layers])
        self._difficulties = difficulties(game) if has_difficulty(game) else None
        self._images = _images(symmetries_of(game), len(game.layout))

    def portions(self) -> Iterator[Slots]:
        """The slots of all positions, in order: by the number of stones."""
        scores = self.solution.scores
        for first in range(0, len(scores), PORTION):
            yield first + np.flatnonzero(scores[first : first + PORTION] != EMPTY)

    def leading(self, slots: Slots) -> NDArray[np.bool_]:
        """Which of these positions are the leaders of their classes."""
        x, o = self._stones(slots)
        leading: NDArray[np.bool_] = self._leaders(x, o)[0] == self._keys(x, o)
        return leading

    def batch(self, slots: Slots) -> Rows:
        """The columns of these positions."""
        x, o = self._stones(slots)
        stones = np.bitwise_count(x | o).astype(np.int16)
        turn = (stones % 2).astype(np.int8)
        scores, after = self.solution.scores[slots], self._after(slots, x | o)
        legal = after != EMPTY
        found: Rows = {
            "position": self._written(x, o),
            "ply": stones,
            "turn": turn,
            "observation": self._observed(x, o, turn),
            "value": np.sign(scores),
            "remoteness": np.where(scores == 0, len(self.game.layout) - stones, WON - np.abs(scores)).astype(np.int16),
            "action_values": np.where(legal, -np.sign(after), np.int8(ILLEGAL)),
            # The least score for the opponent; the solver's scores already prefer quick wins and slow losses.
            "best_actions": (legal & (after == after.min(axis=1)[:, None])).astype(np.int8),
        }
        if self._difficulties is not None:
            found["score"], found["difficulty"] = self._appraised(slots, x, o)
        keys, images = self._leaders(x, o)
        cells = len(self.game.layout)
        leading = self._written((keys >> cells).astype(np.int32), (keys & (1 << cells) - 1).astype(np.int32))
        return {**found, "leader": leading, "images": images}

    def _stones(self, slots: Slots) -> tuple[Sets, Sets]:
        """X's and O's stones."""
        x, o = np.empty(len(slots), np.int32), np.empty(len(slots), np.int32)
        for number, rows in self._by_layer(slots):
            layer = self.solution.index.layers[number]
            block, place = np.divmod(slots[rows] - layer.start, len(layer.patterns))
            occupied, pattern = layer.occupied[block], layer.patterns[place]
            own, left = np.zeros_like(occupied), occupied.copy()
            for bit in range(layer.stones):
                lowest = left & -left
                own += lowest * (pattern >> bit & 1)
                left ^= lowest
            x[rows], o[rows] = own, occupied ^ own
        return x, o

    def _after(self, slots: Slots, occupied: Sets) -> NDArray[np.int8]:
        """The scores of the positions that every action leads to, for the opponent; EMPTY where it is not legal."""
        index, scores = self.solution.index, self.solution.scores
        after = np.full((len(slots), index.cells), EMPTY, np.int8)
        open_ = scores[slots] != -WON
        for number, rows in self._by_layer(slots):
            layer = index.layers[number]
            place = (slots[rows] - layer.start) % len(layer.patterns)
            for cell in range(index.cells):
                free = np.flatnonzero(open_[rows] & (occupied[rows] >> cell & 1 == 0))
                before = occupied[rows][free]
                below = np.bitwise_count(before & (1 << cell) - 1)
                then = index.offsets[before | 1 << cell] + layer.insertions[below, place[free]]
                after[rows.start + free, cell] = scores[then]
        return after

    def _by_layer(self, slots: Slots) -> Iterator[tuple[int, slice]]:
        """The layers of slots in increasing order, and which rows belong to each."""
        bounds = np.append(np.searchsorted(slots, self._starts), len(slots))
        for number, (first, last) in enumerate(pairwise(bounds.tolist())):
            if first < last:
                yield number, slice(first, last)

    def _observed(self, x: Sets, o: Sets, turn: NDArray[np.int8]) -> NDArray[np.int8]:
        seen = sight(self.game)
        planes = np.zeros((len(x), seen.highest.size // 2, 2), np.int8)
        planes[:, seen.places, 0] = self._bits(np.where(turn, o, x))
        planes[:, seen.places, 1] = self._bits(np.where(turn, x, o))
        return planes.reshape(len(x), *seen.shape)

    def _bits(self, sets: Sets) -> NDArray[np.int8]:
        return (sets[:, None] >> np.arange(len(self.game.layout)) & 1).astype(np.int8)

    def _written(self, x: Sets, o: Sets) -> NDArray[np.str_]:
        """The notation of many positions: letters are put where the empty board has its dots."""
        empty = np.array([ord(letter) for letter in self.game.layout.empty], np.uint32)
        text = np.tile(empty, (len(x), 1))
        letters = np.array([ord(letter) for letter in ".XO"], np.uint32)
        text[:, empty == ord(".")] = letters[self._bits(x) + 2 * self._bits(o)]
        return text.view(f"U{len(empty)}").ravel()

    def _keys(self, x: Sets, o: Sets) -> NDArray[np.int64]:
        """A number for a position: X's stones, then O's."""
        return x.astype(np.int64) << len(self.game.layout) | o

    def _leaders(self, x: Sets, o: Sets) -> tuple[NDArray[np.int64], NDArray[np.int16]]:
        """The numbers of the leaders, and how many different images each position has.

        That is the number of symmetries divided by the number of those that leave the position alone.
        """
        own = self._keys(x, o)
        least, alike = own, np.zeros(len(x), np.int64)
        low = (1 << HALF) - 1
        for lower, upper in self._images:
            image = self._keys(lower[x & low] | upper[x >> HALF], lower[o & low] | upper[o >> HALF])
            least = np.minimum(least, image)
            alike += image == own
        return least, (len(self._images) // alike).astype(np.int16)

    def _appraised(self, slots: Slots, x: Sets, o: Sets) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """Knuth's scores and difficulties: from tables where they were compiled, else a position at a time."""
        cells, total = len(self.game.layout), self.game.rules.stones
        assert self._difficulties is not None
        if cells > PLAIN_CELLS:
            from noughts.solve.difficulty_kernel import CompiledDifficulties  # noqa: PLC0415  loads the compiler

            assert isinstance(self._difficulties, CompiledDifficulties)
            return self._difficulties.in_slots(slots)
        scores, digits = np.empty(len(x), np.int8), np.empty((len(x), cells), np.int8)
        for row, stones in enumerate(zip(x.tolist(), o.tolist(), strict=True)):
            placed = (stones[0].bit_count(), stones[1].bit_count())
            position = Position(stones, (total[0] - placed[0], total[1] - placed[1]), sum(placed) % 2)
            scores[row], digits[row] = self._difficulties.appraise(position)
        return scores, digits


def _images(symmetries: tuple[Symmetry, ...], cells: int) -> list[tuple[Sets, Sets]]:
    """For every symmetry, the images of all sets of lower cells and of all sets of upper ones."""
    return [(_union(symmetry[:HALF]), _union(symmetry[HALF:cells])) for symmetry in symmetries]


def _union(places: tuple[int, ...]) -> Sets:
    sets = np.arange(1 << len(places), dtype=np.int32)
    image = np.zeros_like(sets)
    for bit, place in enumerate(places):
        image |= (sets >> bit & 1) << place
    return image
