"""Best play when difficulty counts: Donald Knuth's scores, from his program TICTACTOE2.

Of two draws, or two equal wins, one may be harder to hold than the other. Knuth ranks positions by a score and,
where scores are equal, by their difficulty. His definitions, in his order, for a position v after k moves:

**No-brainer.** v is a no-brainer of +1 if the player to move can win at once, and of −1 if not, but the opponent,
after some move, could: a win that must be blocked.

**Score.** From the standpoint of the player to move: +n if he can force a win at move n of the game, −n if the
opponent can, or has won, 0 for a draw. A winner prefers *late* wins, with more marks on the board, "because you have
kindly refrained from humiliating your opponent"; so of all successors the player takes one with the least score, and
v has that score with its sign changed.

**Difficulty.** A sequence of digits. The first is the number of nonoptimal moves facing the player in v; it is 0 if v
is a no-brainer of −1, or if the optimal move wins at once. The next is the number facing the opponent after an optimal
move, and so on to the end of the game, then zeros. Sequences are compared digit by digit: a larger first digit is
more difficult for the player, a larger second one less, a larger third one more. Among successors with the least score
the player takes one that is most difficult for the opponent. **Optimal** is a move with both; the *followers* of v are
where the optimal moves lead.

His text invites two **variants**, and both together: the usual order of wins (`wins=early`: a winner hurries, a loser
holds out), and digits that count only moves that lose value (`digits=losing`: a draw where there was a win, a loss
where there was a draw), not those that merely lead to another score or leave the opponent an easier position.

Knuth packs eight digits into 32 bits, every second one complemented so that whole words compare as sequences do. Here
the words have a digit a cell, so nothing is cut off: up to nine cells in plain Python, the definitions as they stand;
up to 16 in 64 bits, compiled (`noughts.solve.difficulty_kernel`).
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable
from threading import Condition
from typing import NamedTuple

from cachetools import LRUCache, cached

from noughts.extras import need
from noughts.games import Game, Move, Outcome, Position
from noughts.solve.small import TooLargeError

__all__ = ["DIGITS", "KNUTH", "VARIANTS", "WINS", "Appraisal", "Difficulties", "Measure", "difficulties"]

MOST_CELLS = 16
PLAIN_CELLS = 9
MOST_KEPT = 4
"""Games whose difficulties are remembered; those of 16 cells take 90 MB each."""


WINS = ("late", "early")
"""Which wins are better."""
DIGITS = ("nonoptimal", "losing")
"""Which moves a digit counts."""


class Measure(NamedTuple):
    """What is better, one of `WINS`, and what is wrong, one of `DIGITS`."""

    wins: str = "late"
    digits: str = "nonoptimal"

    def worth(self, score: int, cells: int) -> int:
        """A number for a score, on a board of so many cells, that compares as the scores are preferred.

        Args:
            score: As an `Appraisal` has it.
            cells: Of the board.
        """
        if self.wins == "late" or score == 0:
            return score
        return cells + 1 - score if score > 0 else -(cells + 1) - score


KNUTH = Measure()
VARIANTS = {
    "knuth": KNUTH,
    "early": Measure(wins="early"),
    "losing": Measure(digits="losing"),
    "both": Measure(wins="early", digits="losing"),
}
"""Knuth's measure, and what may be changed in it."""


class Appraisal(NamedTuple):
    """Knuth's opinion of a position."""

    score: int
    """+n: the player to move can force a win at move n; −n: the opponent can; 0: a draw."""
    digits: tuple[int, ...]
    """Wrong moves facing the player, then the opponent, and so on along an optimal line."""

    def rank(self, measure: Measure = KNUTH) -> tuple[int, ...]:
        """The less, the better for the opponent, who moved here: least score, then most difficult.

        Args:
            measure: How scores and difficulties are compared.
        """
        worth = measure.worth(self.score, len(self.digits))
        return (worth, *(-digit if place % 2 == 0 else digit for place, digit in enumerate(self.digits)))


class Difficulties(ABC):
    """Score and difficulty of every position of a placing game."""

    game: Game
    measure: Measure

    @abstractmethod
    def appraise(self, position: Position) -> Appraisal:
        """Score and difficulty of a legal position.

        Args:
            position: A legal position of the game.
        """

    def optimal_moves(self, position: Position) -> list[Move]:
        """The moves that lead to the least score and, of those, to the greatest difficulty.

        Args:
            position: A legal position that is not over.
        """
        moves = self.game.moves(position)
        ranked = [(self.appraise(self.game.after(position, move)).rank(self.measure), move) for move in moves]
        best = min((rank for rank, _ in ranked), default=None)
        return [move for rank, move in ranked if rank == best]


def difficulties(game: Game, measure: Measure = KNUTH) -> Difficulties:
    """Score and difficulty of every position of a placing game; worked out once, then remembered.

    Args:
        game: A placing game.
        measure: How scores and difficulties are compared; Knuth's way if left out.

    Raises:
        TooLargeError: For other games, and for boards of more than 16 cells.
    """
    if not game.placing_only or len(game.layout) > MOST_CELLS:
        raise TooLargeError(
            f"{game.name} has no scores and difficulties: expected a placing game of at most {MOST_CELLS} cells"
        )
    return _difficulties(game, measure)


@cached(LRUCache[Hashable, Difficulties](MOST_KEPT), key=lambda game, measure: (game, measure), condition=Condition())
def _difficulties(game: Game, measure: Measure) -> Difficulties:
    if len(game.layout) <= PLAIN_CELLS:
        return _PlainDifficulties(game, measure)
    need("numba", f"the difficulty of positions of {game.name}")
    from noughts.solve.difficulty_kernel import CompiledDifficulties  # noqa: PLC0415  loads the compiler

    return CompiledDifficulties(game, measure)


class _PlainDifficulties(Difficulties):
    """The definitions as they stand, remembered position by position."""

    def __init__(self, game: Game, measure: Measure = KNUTH) -> None:
        self.game, self.measure = game, measure
        self._known: dict[Position, Appraisal] = {}

    def appraise(self, position: Position) -> Appraisal:
        """Score and difficulty of a legal position."""
        if position not in self._known:
            self._known[position] = self._work_out(position)
        return self._known[position]

    def _work_out(self, position: Position) -> Appraisal:
        cells, stones = len(self.game.layout), position.occupied.bit_count()
        end = self.game.over(position)
        if end is not None:
            return Appraisal(-stones if end is Outcome.LOSS else 0, (0,) * cells)
        after = [self.game.after(position, move) for move in self.game.moves(position)]
        successors = [self.appraise(then) for then in after]
        best = min(successors, key=lambda successor: successor.rank(self.measure))
        if self.measure.digits == "losing":
            wrong = sum(_sign(successor.score) != _sign(best.score) for successor in successors)
        else:
            wrong = sum(successor != best for successor in successors)
        wins_at_once = best.score == -(stones + 1)
        if wins_at_once or (self._nobrainer(position) < 0):
            wrong = 0
        return Appraisal(-best.score, (wrong, *best.digits[:-1]))

    def _nobrainer(self, position: Position) -> int:
        after = [self.game.after(position, move) for move in self.game.moves(position)]
        if any(self._lost(then) for then in after):
            return 1
        replies = ((then, reply) for then in after for reply in self.game.moves(then))
        return -1 if any(self._lost(self.game.after(then, reply)) for then, reply in replies) else 0

    def _lost(self, position: Position) -> bool:
        return self.game.over(position) is Outcome.LOSS


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)
