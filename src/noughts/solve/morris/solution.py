"""A morris game as its table knows it: any position, with stones in hand or without, and its moves.

Placed positions are looked up. A position with stones in hand is looked up in the book, if the table has one that goes
so far, and else searched down to the placed positions; where that takes too long, or the table is not whole, the value
is `unknown`.
"""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from noughts.games import Game, Position
from noughts.games.points import members, point_set
from noughts.solve.morris.book import Book, book_of
from noughts.solve.morris.numbering import numbering_of
from noughts.solve.morris.placing import MOST_NODES, Placing
from noughts.solve.morris.probe import BlockSource, Probe
from noughts.solve.morris.store import Store
from noughts.solve.solution import Rated, Solution, Subspace
from noughts.solve.value import Value

__all__ = ["MorrisSolution", "open_solution"]


class MorrisSolution(Solution):
    """Values from a table.

    A remoteness counts to the winner's next capture or to the end; see `noughts.solve.morris.probe`.
    """

    def __init__(
        self,
        source: BlockSource,
        game: Game,
        subspaces: tuple[Subspace, ...] = (),
        book: Book | None = None,
        most_nodes: int = MOST_NODES,
    ) -> None:
        self.game = game
        self.subspaces = subspaces
        self.source = source
        self.most_nodes = most_nodes
        self._probe = Probe(source, game)
        self._placing = Placing(source, game, book)

    @property
    def complete(self) -> bool:
        """Whether the table has all placed positions of the game."""
        return all(map(self.source.has, self._keys()))

    def value(self, position: Position) -> Value:
        """What a legal position is worth to the player to move."""
        if position.hand == (0, 0):
            return self._probe.value(position)
        return self._placing.value(position, self.most_nodes)

    def moves(self, position: Position) -> list[Rated]:
        """The legal moves, best first."""
        if position.hand == (0, 0):
            return self._probe.moves(position)
        return self._placing.moves(position, self.most_nodes)

    def positions(self) -> Iterator[Position]:
        """Every placed position of the table, X to move, once up to symmetry."""
        numbering = numbering_of(self.game.layout)
        everywhere = self.game.layout.everywhere
        for mover, other in filter(self.source.has, self._keys()):
            for own in numbering.representatives(mover):
                for chosen in combinations(members(everywhere & ~own), other):
                    stones = (own, point_set(chosen))
                    if numbering.canonical(*stones) == stones:
                        yield Position(stones, (0, 0), 0)

    def _keys(self) -> Iterator[tuple[int, int]]:
        few, (x, o) = self.game.rules.fewest, self.game.rules.stones
        most = max(x, o)
        return ((mover, other) for mover in range(few, most + 1) for other in range(few, most + 1))


def open_solution(folder: Path) -> MorrisSolution:
    """The solution that the table in a folder holds, with its book if there is one."""
    store = Store.open(folder)
    return MorrisSolution(store, store.game, tuple(store.rows()), book_of(store.game, folder))
