"""Bounded search, for games too large to solve: exact where it sees the end, an estimate where it does not.

Depth-first search with alpha-beta cut-offs, one ply deeper each time until the budget of positions is spent;
what counts is the last depth that was finished for every move. A result beyond `SURE` is proved: the search
considered every reply, so a win or loss in r plies is exact, r included. Anything smaller only says how many
lines each side has still open, how full they are, and how many stones each side owns.
"""

from noughts.games import Game, Move, Outcome, Position
from noughts.games.points import members
from noughts.solve.solution import Rated
from noughts.solve.value import UNKNOWN, Value

__all__ = ["BUDGET", "Estimate", "look_ahead"]

SURE = 1_000_000
"""Scores from here on are proved: SURE + 1000 − r for a win in r plies."""
LONGEST = 1_000
BUDGET = 2_000_000
"""How many points, lines and edges one answer may look at: a few tenths of a second."""

Estimate = tuple[Rated, int]
"""A rated move and its score; the greater, the better it looks."""


class _SpentError(Exception):
    """The budget is used up."""


class _Search:
    def __init__(self, game: Game, budget: int) -> None:
        self.game = game
        self.left = budget // (len(game.layout) + len(game.layout.lines) + len(game.layout.edges))
        self.guessed = False
        self.weights = [0] + [4**count for count in range(len(game.layout.lines[0]))]

    def score(self, position: Position, depth: int, alpha: int, beta: int) -> int:
        """How good a position is for the player to move, looking so many plies ahead."""
        self.left -= 1
        if self.left < 0:
            raise _SpentError
        end = self.game.over(position)
        if end is not None:
            return -(SURE + LONGEST) if end is Outcome.LOSS else 0
        if depth == 0:
            return self.estimate(position)
        best = -(SURE + LONGEST)
        for move in self.game.moves(position):
            # A ply further from the end: proved scores lose one, and the window is moved to match.
            found = -self.score(self.game.after(position, move), depth - 1, -_away(beta), -_away(alpha))
            found = _nearer(found)
            if found > best:
                best = found
                alpha = max(alpha, best)
                if alpha >= beta:
                    break
        return best

    def estimate(self, position: Position) -> int:
        """Open lines, weighted by how full they are, and stones, if they can be lost."""
        self.guessed = True
        own, other = position.stones[position.turn], position.stones[1 - position.turn]
        total = 0
        for line in self.game.layout.line_sets:
            mine, theirs = own & line, other & line
            if not theirs:
                total += self.weights[mine.bit_count()]
            elif not mine:
                total -= self.weights[theirs.bit_count()]
        if self.game.rules.captures:
            owned = [position.stones[side].bit_count() + position.hand[side] for side in (0, 1)]
            total += 100 * (owned[position.turn] - owned[1 - position.turn])
            total += 2 * (self.freedom(own, own | other) - self.freedom(other, own | other))
        return total

    def freedom(self, stones: int, occupied: int) -> int:
        """How many slides a side has."""
        return sum((self.game.layout.neighbours[point] & ~occupied).bit_count() for point in members(stones))


def look_ahead(game: Game, position: Position, budget: int = BUDGET) -> list[Estimate]:
    """The legal moves, best first, with proved values where the search found them, else `unknown`."""
    search = _Search(game, budget)
    after = [(move, game.after(position, move)) for move in game.moves(position)]
    scores: dict[Move, int] = {move: 0 for move, _ in after}
    highest = SURE + LONGEST
    exact = False
    for depth in range(LONGEST):
        search.guessed = False
        try:
            scores = {move: _nearer(-search.score(then, depth, -highest, highest)) for move, then in after}
        except _SpentError:
            break
        exact = not search.guessed
        if exact or all(abs(score) >= SURE for score in scores.values()):
            break
    empty = len(game.layout) - position.occupied.bit_count()
    draw = Value(Outcome.DRAW, empty if game.placing_only else None) if exact else UNKNOWN
    rated = [(Rated(move, _value(scores[move], draw), then), scores[move]) for move, then in after]
    return sorted(rated, key=lambda one: one[1], reverse=True)


def _value(score: int, otherwise: Value) -> Value:
    if abs(score) < SURE:
        return otherwise
    return Value(Outcome.WIN if score > 0 else Outcome.LOSS, SURE + LONGEST - abs(score))


def _nearer(score: int) -> int:
    """A proved score as seen one ply earlier."""
    return score - 1 if score >= SURE else score + 1 if score <= -SURE else score


def _away(score: int) -> int:
    """The inverse of `_nearer`, for bounds."""
    return score + 1 if score >= SURE else score - 1 if score <= -SURE else score
