"""Does it pay to leave the opponent the more difficult position? What can be expected against opponents who err.

A **fallible** opponent knows the game, but with probability p he errs: he plays any legal move, all alike; otherwise
one of the best (the quickest win, any draw, the slowest loss). An **alert** one never errs in a no-brainer, where
somebody can win at once; a **blind** one errs there as well.

Against him play those who never give away value, and differ only in what they choose among moves that keep it; where
several are left they take any, all alike:

- **perfect** takes the quickest win, any draw, the slowest loss;
- **knuth** takes Knuth's optimal moves; **early**, **losing** and **both** those by the variants of his measure
  (`noughts.solve.difficulty`);
- the **bound** takes the move with the highest expected result against this very opponent. Nobody who keeps the value
  can do better: it is what there is to be gained.

All of it is worked out over the whole tree (expectimax): nothing is played, and nothing is left to chance but what is
chance in the definitions. Positions that a symmetry takes to each other are looked at once.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from noughts.games import Game, Outcome, Position
from noughts.solve import solve
from noughts.solve.at_once import winning_points
from noughts.solve.difficulty import VARIANTS, difficulties

__all__ = ["POLICIES", "Choices", "Expectation", "Opponent", "Study"]

POLICIES = ("perfect", *VARIANTS, "bound")


class Opponent(NamedTuple):
    """Whoever errs with probability p."""

    p: float
    blind: bool = False


class Expectation(NamedTuple):
    """The shares of games won and lost; the others are drawn."""

    won: float
    lost: float

    @property
    def points(self) -> float:
        """A win counts 1, a draw ½."""
        return (1 + self.won - self.lost) / 2


class Choices(NamedTuple):
    """The positions one can move to, each up to symmetry and as often as moves lead there, by what speaks for them."""

    every: list[Position]
    best: list[Position]
    """By value and remoteness."""
    keeping: list[Position]
    """By value alone."""
    nobrainer: bool


@dataclass
class Study:
    """A game, and what is known of its positions so far."""

    game: Game
    _choices: dict[Position, Choices] = field(default_factory=dict)
    _optimal: dict[tuple[str, Position], list[Position]] = field(default_factory=dict)

    def choices(self, position: Position) -> Choices:
        """The moves of a position that is not over."""
        if position not in self._choices:
            rated = [(self._alike(one.position), one.value) for one in solve(self.game).moves(position)]
            quickest = rated[0][1]
            best = [then for then, value in rated if value.preference() == quickest.preference()]
            keeping = [then for then, value in rated if value.outcome is quickest.outcome]
            nobrainer = any(winning_points(self.game, position, side) for side in (0, 1))
            self._choices[position] = Choices([then for then, _ in rated], best, keeping, nobrainer)
        return self._choices[position]

    def chosen(self, policy: str, position: Position) -> list[Position]:
        """What a policy other than the bound chooses from, all alike."""
        if policy == "perfect":
            return self.choices(position).best
        if (policy, position) not in self._optimal:
            optimal = difficulties(self.game, VARIANTS[policy]).optimal_moves(position)
            self._optimal[policy, position] = [self._alike(self.game.after(position, move)) for move in optimal]
        return self._optimal[policy, position]

    def _alike(self, position: Position) -> Position:
        """The one that stands for all positions that a symmetry takes to this one."""
        return min(self.game.images(position))

    def expectation(self, policy: str, opponent: Opponent, side: int) -> Expectation:
        """What a policy can expect as this side, from the start of the game."""
        known: dict[Position, Expectation] = {}

        def expected(position: Position) -> Expectation:
            if position not in known:
                known[position] = worked_out(position)
            return known[position]

        def worked_out(position: Position) -> Expectation:
            end = self.game.over(position)
            if end is not None:
                decided = end is Outcome.LOSS
                return Expectation(float(decided and position.turn != side), float(decided and position.turn == side))
            choices = self.choices(position)
            if position.turn == side:
                if policy == "bound":
                    return max(map(expected, choices.keeping), key=lambda one: one.points)
                return mean(map(expected, self.chosen(policy, position)))
            right = mean(map(expected, choices.best))
            if choices.nobrainer and not opponent.blind:
                return right
            wrong = mean(map(expected, choices.every))
            p = opponent.p
            return Expectation((1 - p) * right.won + p * wrong.won, (1 - p) * right.lost + p * wrong.lost)

        return expected(self.game.start())


def mean(expected: Iterable[Expectation]) -> Expectation:
    """Of several that are equally likely."""
    found = list(expected)
    return Expectation(sum(one.won for one in found) / len(found), sum(one.lost for one in found) / len(found))
