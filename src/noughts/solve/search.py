"""What can be seen by looking ahead: bounded search, for games too large to solve, and what the next move brings.

`search` is depth-first search with alpha-beta cut-offs, by **iterative deepening**: one ply deeper each time until the
budget of positions is spent; what counts is the last depth that was finished for every move. A score beyond `SURE` is
proved: the search considered every reply, so a win or loss in r plies is exact, r included. Anything smaller is an
**estimate**: how many lines each side has still open, how full they are, and how many stones each side owns.

Where a game can repeat positions, whoever asks may tell its history. A position that would come up for the third time
is a draw by the rules. A move into one that has come up before is not, but whoever plays on as before will get there;
so it counts as a draw as well, unless the search has proved what it is worth. Whoever is ahead then looks for something
new, and whoever is behind does not mind.

A faster engine belongs here, behind `search`: `noughts.solve.knowledge` asks for nothing else.

`winning_points`, `wins_at_once` and `loses_at_once` need no search where stones are only placed: a win is an empty
point that completes a line, and after any move the opponent's wins are the points that complete one of his lines,
unless the move took them. Where stones move, the moves are tried.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from noughts.games import Game, Move, Outcome, Position
from noughts.games.playing import REPETITIONS
from noughts.games.points import members
from noughts.solve.solution import Rated
from noughts.solve.value import UNKNOWN, Value

__all__ = ["BUDGET", "Found", "loses_at_once", "search", "winning_points", "wins_at_once"]

SURE = 1_000_000
"""Scores from here on are proved: SURE + 1000 − r for a win in r plies."""
LONGEST = 1_000
BUDGET = 2_000_000
"""How many points, lines and edges one answer may look at: a few tenths of a second."""


class Found(NamedTuple):
    """What a search came to."""

    value: Value
    """`unknown` unless it is proved."""
    moves: list[Rated]
    """The legal moves, best first; those that nothing is proved of have an estimate."""
    depth: int
    """How many plies ahead every move was looked at."""


def search(game: Game, position: Position, history: Sequence[Position] = (), budget: int = BUDGET) -> Found:
    """Look ahead from a position that is not over, as far as the budget allows.

    `history` are the positions of the game before this one, where that matters.
    """
    seen = Counter(() if game.placing_only else (*history, position))
    looking = _Search(game, budget, frozenset(past for past, times in seen.items() if times + 1 >= REPETITIONS))
    after = [(move, game.after(position, move)) for move in game.moves(position)]
    scores: dict[Move, int] = {move: 0 for move, _ in after}
    highest = SURE + LONGEST
    exact, finished = False, 0
    for depth in range(LONGEST):
        looking.guessed = False
        try:
            scores = {move: _nearer(-looking.score(then, depth, -highest, highest)) for move, then in after}
        except _SpentError:
            break
        finished = depth + 1
        exact = not looking.guessed
        if exact or all(abs(score) >= SURE for score in scores.values()):
            break
    empty = len(game.layout) - position.occupied.bit_count()
    draw = Value(Outcome.DRAW, empty if game.placing_only else None) if exact else UNKNOWN
    rated = []
    for move, then in after:
        score = 0 if then in seen and abs(scores[move]) < SURE else scores[move]
        rated.append(Rated(move, _value(score, draw), then, score))
    rated.sort(key=lambda one: one.estimate or 0, reverse=True)
    best = rated[0].value
    known = best.outcome is Outcome.WIN or all(one.value != UNKNOWN for one in rated)
    return Found(best if known else UNKNOWN, rated, finished)


class _SpentError(Exception):
    """The budget is used up."""


class _Search:
    def __init__(self, game: Game, budget: int, drawn: frozenset[Position]) -> None:
        self.game = game
        self.drawn = drawn
        """Positions that would come up for the third time."""
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
        if position in self.drawn:
            return 0
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


def winning_points(game: Game, position: Position, side: int) -> int:
    """The empty points on which a stone of this side completes a line."""
    stones, empty = position.stones[side], game.layout.everywhere & ~position.occupied
    found = 0
    for line in game.layout.line_sets:
        missing = line & ~stones
        if missing & (missing - 1) == 0:
            found |= missing & empty
    return found


def wins_at_once(game: Game, position: Position) -> list[Move]:
    """The moves that win on the spot."""
    moves = game.moves(position)
    if game.placing_only:
        wins = winning_points(game, position, position.turn)
        return [move for move in moves if move.to is not None and wins >> move.to & 1]
    return [move for move in moves if game.over(game.after(position, move)) is Outcome.LOSS]


def loses_at_once(game: Game, position: Position, moves: list[Move]) -> list[Move]:
    """Those of the moves, none of them a win, after which the opponent wins on the spot."""
    if game.placing_only:
        threats = winning_points(game, position, 1 - position.turn)
        return [move for move in moves if move.to is not None and threats & ~(1 << move.to)]
    return [move for move in moves if wins_at_once(game, game.after(position, move))]
