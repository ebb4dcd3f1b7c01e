"""What a table of layers says of any position of its game, and of its moves.

A finished game is looked up nowhere: the rules know. Any other position becomes a block and a place in it, as
`noughts.solve.layers.numbering` says, and its byte is read. The positions after its moves lie in as many blocks when X
moves, and in one when O does. Remoteness counts to the end, as it does for small games.

Nothing here loads the solver or a compiler.
"""

from functools import cached_property
from math import comb
from pathlib import Path

import numpy as np

from noughts.extras import need
from noughts.games import Game, Outcome, Position
from noughts.solve.layers.numbering import NEVER, classes_of, images_of
from noughts.solve.solution import Rated, Subspace, best_first
from noughts.solve.store import Reader, Store, TableError
from noughts.solve.subspaces import DRAW, meaning
from noughts.solve.value import UNKNOWN, Value

__all__ = ["LayerTable", "open_table"]


class LayerTable:
    """A table of layers, open for questions."""

    def __init__(self, store: Reader) -> None:
        self.game: Game = store.game
        self.source = store

    @property
    def subspaces(self) -> tuple[Subspace, ...]:
        """The summaries of all layers that are there."""
        return tuple(self.source.rows())

    @property
    def whole(self) -> bool:
        """Whether the table has all positions of the game."""
        return all(map(self.source.has, self.source.form.order()))

    @property
    def complete(self) -> bool:
        """The same: nothing is searched."""
        return self.whole

    def probe(self, position: Position) -> Value | None:
        """What a legal position is worth to the player to move; None if the table lacks its layer."""
        end = self.game.over(position)
        if end is Outcome.LOSS:
            return Value(end, 0)
        left = len(self.game.layout) - position.occupied.bit_count()
        if end is Outcome.DRAW:
            return Value(end, left)
        x, o = position.stones
        key = (x.bit_count(), o.bit_count()) if position.turn == 0 else (o.bit_count(), x.bit_count())
        if not self.source.has(key):
            return None
        block, place = self.number(x, o)
        byte = self.source.block(key, block)[place]
        if byte == DRAW:
            return Value(Outcome.DRAW, left)
        value = meaning(byte)
        if byte == NEVER or value.remoteness is None or value.remoteness > left:
            text, where = self.game.write(position), self.source.where
            raise TableError(f"{where!r} gives {text!r} the byte {byte}: expected at most {left}, or {DRAW}")
        return value

    def moves(self, position: Position) -> list[Rated]:
        """The legal moves, best first; the value of one whose layer the table lacks is `unknown`."""
        rated = []
        for move in self.game.moves(position):
            after = self.game.after(position, move)
            found = self.probe(after)
            rated.append(Rated(move, UNKNOWN if found is None else found.before(), after))
        return best_first(rated)

    def number(self, x: int, o: int) -> tuple[int, int]:
        """The block of a position in which nobody has a row, and its place in the block."""
        images = [_image(parts, x) for parts in self._images]
        lead = min(images)
        word = _image(self._images[images.index(lead)], o)
        block = int(np.searchsorted(classes_of(self.game.layout, x.bit_count()).sets, lead))
        place = free = ones = 0
        for point in range(len(self.game.layout)):
            if lead >> point & 1:
                continue
            if word >> point & 1:
                ones += 1
                place += comb(free, ones)
            free += 1
        return block, place

    @cached_property
    def _images(self) -> list[list[list[int]]]:
        """For every symmetry, where it takes eight points at a time, in plain numbers."""
        images: list[list[list[int]]] = images_of(self.game.layout).tolist()
        return images


def _image(parts: list[list[int]], points: int) -> int:
    """Where a symmetry takes a set."""
    return parts[0][points & 255] | parts[1][points >> 8 & 255] | parts[2][points >> 16 & 255] | parts[3][points >> 24]


def open_table(folder: Path) -> LayerTable:
    """The table in a folder."""
    need("zarr", f"the table of {folder.name}")
    return LayerTable(Store.open(folder))
