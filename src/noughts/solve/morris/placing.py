"""What a position with stones in hand is worth, by search over the tables of placed stones.

Depth-first search with alpha-beta cut-offs. Every ply places a stone, so the search ends after as many plies as there
are stones in hand, in a position that a table knows; a closed mill captures on the way, and whoever is left with too
few stones has lost. Positions that a symmetry maps to one another are searched once.

What is found of a position is an interval, from the least it can be worth to the most: a cut-off leaves it open above,
and so do a subspace that no table holds and a search that has looked at as many positions as it may. Such an interval
is still true; only when it is a single outcome is the value known, and otherwise it is `unknown`.

Values of positions with stones in hand have no remoteness, unless the game is over: the tables count from capture to
capture, and placing ends by itself.
"""

from typing import NamedTuple

from noughts.games import Game, Outcome, Position
from noughts.games.points import members
from noughts.solve.morris.book import Book
from noughts.solve.morris.numbering import numbering_of
from noughts.solve.morris.probe import DRAW, FEWEST, LOST, BlockSource, Lookup
from noughts.solve.solution import Rated, best_first
from noughts.solve.value import DRAWN, UNKNOWN, Value

__all__ = ["MOST_NODES", "Placing"]

MOST_NODES = 20_000
"""Positions with stones in hand that one answer may look at: a second, or some more where much is read from disk."""
MOST_KEPT = 500_000
"""Positions whose interval is remembered."""

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
        if own_hand == 0:
            return self._probe(own, other)
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

    def _probe(self, own: int, other: int) -> _Between:
        byte = self._lookup.byte(own, other)
        if byte is None:
            return _OPEN
        return _EXACT[0 if byte == DRAW else WIN if byte % 2 else LOSS]

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
