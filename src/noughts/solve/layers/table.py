"""What a table of layers says of any position of its game, and of its moves.

A finished game is looked up nowhere: the rules know. Any other position becomes a block and a place in it, as
`noughts.solve.layers.numbering` says, and its byte is read. The positions after its moves lie in as many blocks when X
moves, and in one when O does. Remoteness counts to the end, as it does for small games.

Nothing here loads the solver or a compiler.
"""

from pathlib import Path

from noughts.extras import need
from noughts.games import Game, Outcome, Position
from noughts.solve.layers.numbering import NEVER
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
        key = self.source.form.key(position)
        if not self.source.has(key):
            return None
        block, place = self.source.form.number(position)
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


def open_table(folder: Path) -> LayerTable:
    """The table in a folder."""
    need("zarr", f"the table of {folder.name}")
    return LayerTable(Store.open(folder))
