"""Does it pay to leave the opponent the more difficult position? An experiment with opponents who err.

A **fallible** opponent knows the game, but in a position that is not a no-brainer (nobody can win at once) he plays,
with probability p, any legal move; otherwise, and always in a no-brainer, one of the best. Against him three players
who never give away value, and differ only in what they choose among moves that keep it:

- **perfect** takes the quickest win and the slowest loss, and any draw;
- **knuth** takes Knuth's optimal moves;
- the **bound** takes the move with the highest expected result against this very opponent, worked out to the end of the
  game (expectimax). Nobody who keeps the value can do better: it is what there is to be gained.

They begin in turn. A game is counted as won or not; nobody loses who holds a drawn game.
"""

from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from noughts.arena import wilson
from noughts.games import Game, Outcome, Position
from noughts.solve import solve
from noughts.solve.at_once import winning_points
from noughts.solve.difficulty import difficulties

__all__ = ["POLICIES", "Experiment", "Memory", "expectation", "experiment"]

POLICIES = ("perfect", "knuth", "bound")


class Experiment(NamedTuple):
    """How often a player won against a fallible opponent."""

    game: str
    probability: float
    player: str
    games: int
    wins: int
    losses: int

    @property
    def win_rate(self) -> tuple[float, float]:
        """The 95 % confidence interval of the share of wins."""
        return wilson(self.wins, self.games)


class Choices(NamedTuple):
    """The positions one can move to, by what speaks for them."""

    every: list[Position]
    best: list[Position]
    """By value and remoteness."""
    keeping: list[Position]
    """By value alone."""
    knuth: list[Position]
    nobrainer: bool


@dataclass
class Memory:
    """What is known of a game's positions, remembered."""

    game: Game
    choices: dict[Position, Choices] = field(default_factory=dict)
    expected: dict[tuple[str, float, int], dict[Position, float]] = field(default_factory=dict)

    def look(self, position: Position) -> Choices:
        """The moves of a position."""
        if position not in self.choices:
            rated = solve(self.game).moves(position)
            best = [one.position for one in rated if one.value.preference() == rated[0].value.preference()]
            keeping = [one.position for one in rated if one.value.outcome is rated[0].value.outcome]
            optimal = difficulties(self.game).optimal_moves(position)
            nobrainer = any(winning_points(self.game, position, side) for side in (0, 1))
            knuth = [self.game.after(position, move) for move in optimal]
            self.choices[position] = Choices([one.position for one in rated], best, keeping, knuth, nobrainer)
        return self.choices[position]


def expectation(memory: Memory, policy: str, probability: float, side: int, position: Position) -> float:
    """The exact share of wins that a policy can expect as this side, from a position on."""
    known = memory.expected.setdefault((policy, probability, side), {})

    def worth(then: Position) -> float:
        if then not in known:
            end = memory.game.over(then)
            if end is not None:
                known[then] = float(end is Outcome.LOSS and then.turn != side)
            elif then.turn == side:
                known[then] = own(memory.look(then))
            else:
                choices = memory.look(then)
                right = mean(choices.best)
                wrong = right if choices.nobrainer else mean(choices.every)
                known[then] = (1 - probability) * right + probability * wrong
        return known[then]

    def own(choices: Choices) -> float:
        if policy == "bound":
            return max(worth(then) for then in choices.keeping)
        return mean(choices.knuth if policy == "knuth" else choices.best)

    def mean(positions: list[Position]) -> float:
        return sum(worth(then) for then in positions) / len(positions)

    return worth(position)


def experiment(memory: Memory, policy: str, probability: float, games: int, seed: int) -> Experiment:
    """Play so many games with seeded dice."""
    random = Random(f"{memory.game.name} {policy} {probability} {seed}")
    wins = losses = 0
    for number in range(games):
        side = number % 2
        position = memory.game.start()
        while memory.game.over(position) is None:
            if position.turn == side:
                position = _own_move(memory, policy, probability, side, position, random)
            else:
                choices = memory.look(position)
                errs = not choices.nobrainer and random.random() < probability
                position = random.choice(choices.every if errs else choices.best)
        if memory.game.over(position) is Outcome.LOSS:
            wins += position.turn != side
            losses += position.turn == side
    return Experiment(memory.game.name, probability, policy, games, wins, losses)


def _own_move(
    memory: Memory, policy: str, probability: float, side: int, position: Position, random: Random
) -> Position:
    choices = memory.look(position)
    if policy != "bound":
        return random.choice(choices.knuth if policy == "knuth" else choices.best)
    return max(choices.keeping, key=lambda then: expectation(memory, "bound", probability, side, then))
