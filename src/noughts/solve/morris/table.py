"""What a table says of any position of its game, with stones in hand or without, and of its moves.

**Looked up**, block by block (`Probe`). A table holds one byte for every position, see
`noughts.solve.morris.subspaces`: the plies *to the winner's next capture or to the end*; the loser's captures do not
end the count. So the remoteness of a value from a table is not the length of the game: after the winner's capture the
count begins anew, with fewer stones. For the same reason a capture that keeps a win is worth a win in 1, whatever comes
after it. All quiet moves of a kind lead to positions in one block, that of the stones that stay where they are;
captures lead to one block for every stone that may be captured. These are all that is read, and the latest are kept in
memory.

**Searched** (`Placing`). A table may have the positions with empty hands alone. Then stones in hand are looked up in
the book, if there is one that goes so far, and else searched down to the table: depth-first search with alpha-beta
cut-offs. Every ply places a stone, so the search ends after as many plies as there are stones in hand (by Lasker's rule
it need not, and there is no search); a closed mill captures on the way, and whoever is left with too few stones has
lost. Positions that a symmetry maps to one another are searched once. What is found of a position is an interval, from
the least it can be worth to the most: a cut-off leaves it open above, and so do a subspace that the table lacks and a
search that has looked at as many positions as it may. Such an interval is still true; only when it is a single outcome
is the value known. Values that were searched have no remoteness, unless the game is over.

Nothing here loads the solver or a compiler.
"""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from threading import Lock
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from noughts.extras import need
from noughts.games import Game, Outcome, Position
from noughts.games.points import members, point_set
from noughts.solve.book import Book, shipped_book
from noughts.solve.morris.numbering import Numbering, numbering_of
from noughts.solve.morris.subspaces import (
    DRAW,
    FEWEST,
    Key,
    MorrisForm,
    key_of,
    keys_upto,
    led_to,
    meaning,
)
from noughts.solve.solution import Rated, Subspace, best_first
from noughts.solve.value import DRAWN, UNKNOWN, Value

__all__ = ["BlockSource", "Placing", "Probe", "Table", "open_table"]

KEPT_LEADS = 4096
"""Sets whose class is remembered."""
KEPT_BYTES = 32 << 20
"""How much of a table is kept in memory, in blocks: a search comes back to the same few hundred."""
MOST_NODES = 20_000
"""Positions with stones in hand that one answer may look at: a second, or some more where much is read from disk."""
MOST_KEPT = 500_000
"""Positions whose interval is remembered."""

LOST = Value(Outcome.LOSS, 0)


class BlockSource(Protocol):
    """The subspaces of a game, wherever they are kept."""

    def has(self, key: Key, /) -> bool:
        """Whether a subspace is there."""

    def block(self, key: Key, number: int, /) -> bytes | memoryview | NDArray[np.uint8]:
        """The bytes of one block, by the mover."""


def _before(value: Value, captures: bool) -> Value:
    """What a move is worth, by what the position after it is worth to the opponent."""
    if captures and value.outcome is Outcome.LOSS:
        return Value(Outcome.WIN, 1)
    return value.before()


class Lookup:
    """Single positions of a source, with the blocks that were read last."""

    def __init__(self, source: BlockSource, numbering: Numbering) -> None:
        self.source = source
        self.numbering = numbering
        self._leads: dict[int, tuple[int, int, int]] = {}
        self._kept: dict[tuple[Key, int], bytes] = {}
        self._bytes = 0
        self._lock = Lock()

    def byte(self, own: int, other: int, hands: tuple[int, int] = (0, 0)) -> int | None:
        """The byte of a position, by the stones of the side to move and of the other; None if it is not there."""
        key = key_of(own.bit_count(), other.bit_count(), *hands)
        if not self.source.has(key):
            return None
        lead, symmetry, number = self._leads.get(own) or self._lead(own)
        place = self.numbering.rank_beside(self.numbering.image(symmetry, other), lead)
        block = self._kept.get((key, number)) or self._read(key, number)
        return block[place]

    def _lead(self, own: int) -> tuple[int, int, int]:
        """The representative of a set, the symmetry to it, and the number of its class."""
        lead, symmetry = self.numbering.lead(own)
        if len(self._leads) >= KEPT_LEADS:
            self._leads.clear()
        found = self._leads[own] = (lead, symmetry, self.numbering.class_of(lead))
        return found

    def _read(self, key: Key, number: int) -> bytes:
        """A block, copied out of whatever the source has read with it; the first that were read are forgotten first.

        Blocks differ in size, so bytes are counted. First in, first out (FIFO) needs no note of every look, as the
        least recently used (LRU) would; a block that is missed is read again from the store's own LRU cache of chunks.
        """
        block = bytes(self.source.block(key, number))
        with self._lock:
            self._bytes += len(block) - len(self._kept.pop((key, number), b""))
            self._kept[key, number] = block
            while self._bytes > KEPT_BYTES and len(self._kept) > 1:
                self._bytes -= len(self._kept.pop(next(iter(self._kept))))
        return block


class Probe:
    """Looks positions up in a table."""

    def __init__(self, source: BlockSource, game: Game) -> None:
        self.game = game
        self.lookup = Lookup(source, numbering_of(game.layout))

    def value(self, position: Position) -> Value:
        """What a position is worth to the player to move; `unknown` where the table does not reach.

        The remoteness counts to the winner's next capture or to the end.
        """
        turn = position.turn
        own, other = position.stones[turn], position.stones[1 - turn]
        hands = (position.hand[turn], position.hand[1 - turn])
        if own.bit_count() + hands[0] < FEWEST:
            return LOST
        byte = self.lookup.byte(own, other, hands)
        return UNKNOWN if byte is None else meaning(byte)

    def has_moves(self, position: Position) -> bool:
        """Whether all moves of a position that is not over lead to what the table has."""
        turn = position.turn
        own, other = position.stones[turn].bit_count(), position.stones[1 - turn].bit_count()
        key = key_of(own, other, position.hand[turn], position.hand[1 - turn])
        return all(map(self.lookup.source.has, led_to(self.game, key)))

    def moves(self, position: Position) -> list[Rated]:
        """All moves, best first; among captures that win, those after which the next capture is near."""
        rated = []
        for move in self.game.moves(position):
            after = self.game.after(position, move)
            value = self.value(after)
            rated.append((Rated(move, _before(value, move.capture is not None), after), value.before().preference()))
        rated.sort(key=lambda one: (one[0].value.preference(), one[1]), reverse=True)
        return [one for one, _ in rated]


LOSS, WIN = -1, 1
_VALUES = {-1: Value(Outcome.LOSS), 0: DRAWN, 1: Value(Outcome.WIN)}


class _Between(NamedTuple):
    """The least and the most that a position can be worth to the side to move."""

    least: int
    most: int

    def turned(self) -> "_Between":
        """The same, as the opponent sees it."""
        return _Between(-self.most, -self.least)


_OPEN = _Between(LOSS, WIN)
_EXACT = {worth: _Between(worth, worth) for worth in (-1, 0, 1)}


def _value(between: _Between) -> Value:
    return _VALUES[between.least] if between.least == between.most else UNKNOWN


class _Placed(NamedTuple):
    """A position with stones in hand, as the side to move sees it."""

    own: int
    other: int
    own_hand: int
    other_hand: int


class Placing:
    """Searches positions with stones in hand."""

    def __init__(self, source: BlockSource, game: Game, book: Book | None = None) -> None:
        self.game = game
        self.book = book
        self.nodes = 0
        """Positions looked at so far, in all answers."""
        self._lookup = Lookup(source, numbering_of(game.layout))
        self._numbering = numbering_of(game.layout)
        self._known: dict[_Placed, _Between] = {}
        self._limit = 0

    def value(self, position: Position, most_nodes: int = MOST_NODES) -> Value:
        """Win, draw or loss for the player to move; `unknown` if the search was not let to find out."""
        if self.game.over(position) is Outcome.LOSS:
            return LOST
        return _value(self._between(position, most_nodes))

    def moves(self, position: Position, most_nodes: int = MOST_NODES) -> list[Rated]:
        """All moves, best first.

        First the position itself is searched, so that where its value is known some move is known to keep it: no move
        can be worth more. Then each move may use its share of as many positions again, of what those before it left.
        """
        moves = self.game.moves(position)
        most = self._between(position, most_nodes).most
        last = self.nodes + most_nodes
        rated = []
        for number, move in enumerate(moves):
            after = self.game.after(position, move)
            if self.game.over(after) is Outcome.LOSS:
                rated.append(Rated(move, LOST.before(), after))
                continue
            share = (last - self.nodes) // (len(moves) - number)
            found = self._between(after, max(1, share)).turned()
            rated.append(Rated(move, _value(_Between(found.least, min(found.most, most))), after))
        return best_first(rated)

    def _between(self, position: Position, most_nodes: int) -> _Between:
        """What is known of a position that is not over after looking at so many more."""
        found = self.book.outcome(position) if self.book else None
        if found is not None:
            return _EXACT[found - 1]
        turn = position.turn
        self._limit = self.nodes + most_nodes
        sides = (turn, 1 - turn)
        return self._search(
            _Placed(*(position.stones[side] for side in sides), *(position.hand[side] for side in sides)), LOSS, WIN
        )

    def _search(self, placed: _Placed, alpha: int, beta: int) -> _Between:
        """What a position is worth, as exactly as the window from alpha to beta asks for."""
        own, other, own_hand, other_hand = placed
        if own.bit_count() + own_hand < FEWEST:
            return _EXACT[LOSS]
        byte = self._lookup.byte(own, other, (own_hand, other_hand))
        if byte is not None:
            return _EXACT[0 if byte == DRAW else WIN if byte % 2 else LOSS]
        if own_hand == 0:
            return _OPEN
        if self.nodes >= self._limit:
            return _OPEN
        key = _Placed(*self._numbering.canonical(own, other), own_hand, other_hand)
        known = self._known.get(key, _OPEN)
        if known.least >= beta or known.most <= alpha or known.least == known.most:
            return known
        self.nodes += 1
        found = self._look(placed, max(alpha, known.least), min(beta, known.most))
        found = _Between(max(found.least, known.least), min(found.most, known.most))
        if found != known:
            if len(self._known) >= MOST_KEPT:
                self._known.clear()
            self._known[key] = found
        return found

    def _look(self, placed: _Placed, alpha: int, beta: int) -> _Between:
        """The best of what can be placed, or as much of it as the window asks for."""
        least = most = LOSS
        for after in self._followers(placed):
            child = self._search(after, -beta, -max(alpha, least)).turned()
            least, most = max(least, child.least), max(most, child.most)
            if least >= beta:
                return _Between(least, WIN)
        return _Between(least, most)

    def _followers(self, placed: _Placed) -> list[_Placed]:
        """Where placing a stone leads: mills first, then stones in the way of mills, then those that prepare one."""
        own, other, own_hand, other_hand = placed
        layout = self.game.layout
        found: list[tuple[int, _Placed]] = []
        capturable = 0
        for point in members(layout.everywhere & ~(own | other)):
            after = own | 1 << point
            lines = layout.lines_through[point]
            if any(after & line == line for line in lines):
                capturable = capturable or self._capturable(other)
                found += [
                    (-100, _Placed(other & ~(1 << stone), after, other_hand, own_hand - 1))
                    for stone in members(capturable)
                ]
                continue
            worth = 0
            for line in lines:
                mine, theirs = (own & line).bit_count(), (other & line).bit_count()
                worth += 10 * (theirs == 2) + 3 * (mine == 1 and theirs == 0) + (mine + theirs == 0)
            found.append((-worth, _Placed(other, after, other_hand, own_hand - 1)))
        found.sort(key=lambda one: one[0])
        return [after for _, after in found]

    def _capturable(self, stones: int) -> int:
        """Stones outside mills; all, if every stone is in one."""
        milled = 0
        for line in self.game.layout.line_sets:
            if stones & line == line:
                milled |= line
        return stones & ~milled or stones


class Table:
    """A table, open for questions: what it knows, it knows for certain, and of the rest it says that it does not.

    A remoteness counts to the winner's next capture or to the end.
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
    def whole(self) -> bool:
        """Whether the table has all positions of the game."""
        return all(map(self.source.has, MorrisForm(self.game).order()))

    @property
    def complete(self) -> bool:
        """Whether nothing is missing: all positions are there, or those from which a search finds the others."""
        return all(map(self.source.has, self._placed())) and (not self.game.rules.moving_while_placing or self.whole)

    def probe(self, position: Position) -> Value | None:
        """What a legal position is worth to the player to move; None if the table does not tell."""
        value = self._probe.value(position)
        if value == UNKNOWN and self._searches(position):
            value = self._placing.value(position, self.most_nodes)
        return None if value == UNKNOWN else value

    def moves(self, position: Position) -> list[Rated]:
        """The legal moves, best first; the value of one that the table does not tell is `unknown`."""
        if self._searches(position) and not self._probe.has_moves(position):
            return self._placing.moves(position, self.most_nodes)
        return self._probe.moves(position)

    def _searches(self, position: Position) -> bool:
        """Whether a search from a position would end: stones are only placed until it reaches the table."""
        return position.hand != (0, 0) and not self.game.rules.moving_while_placing

    def positions(self) -> Iterator[Position]:
        """Every placed position of the table, X to move, once up to symmetry."""
        numbering = numbering_of(self.game.layout)
        everywhere = self.game.layout.everywhere
        for mover, other in filter(self.source.has, sorted(self._placed())):
            for own in numbering.representatives(mover):
                for chosen in combinations(members(everywhere & ~own), other):
                    stones = (own, point_set(chosen))
                    if numbering.canonical(*stones) == stones:
                        yield Position(stones, (0, 0), 0)

    def _placed(self) -> list[Key]:
        return keys_upto(max(self.game.rules.stones))


def open_table(folder: Path) -> Table:
    """The table in a folder, with the book that comes with Noughts, if there is one."""
    need("zarr", f"the table of {folder.name}")
    from noughts.solve.store import Store  # noqa: PLC0415  loads Zarr

    store = Store.open(folder)
    return Table(store, store.game, tuple(store.rows()), shipped_book(store.game))
