"""The waves of a retrograde analysis: a game in which stones move, decided from its ends backwards.

Where stones move a game can go on for ever, so no search forward comes to an end. Backwards there is one: wave 0 is
every position in which the game is over, lost for the player to move. Wave 1 is every position with a move into wave
0: a win in one ply. A position is in wave k if it is not in an earlier one and either a move leads to a position that
wave k − 1 has found lost, and then it is won; or all its moves lead to positions that earlier waves have found won,
the last of them by wave k − 1, and then it is lost. Wins have odd numbers, losses even ones. What no wave reaches is a
draw.

So the number of the wave is the **remoteness**, and the waves are the solution of the game (`noughts.solve.moving`),
sorted by it. As there, positions in which all stones are placed are listed with X to move.
"""

from functools import lru_cache
from typing import NamedTuple

from noughts.games import Game, Outcome, Position
from noughts.solve import solve
from noughts.solve.small import solvable

__all__ = ["Wave", "Waves", "has_waves", "retrograde"]


class Wave(NamedTuple):
    """The positions that are decided in one number of plies."""

    plies: int
    outcome: Outcome
    """For the player to move."""
    size: int
    classes: int
    """As many of them differ by more than a symmetry of the board."""
    examples: tuple[Position, ...]
    """One of each class, those with the fewest stones in hand first."""


class Waves(NamedTuple):
    """A whole retrograde analysis."""

    waves: tuple[Wave, ...]
    draws: int
    positions: int


def has_waves(game: Game) -> bool:
    """Whether stones move in this game, and it is small enough to be solved whole.

    Args:
        game: A game of the catalogue.
    """
    return not game.placing_only and solvable(game)


@lru_cache(8)
def retrograde(game: Game) -> Waves:
    """The waves of a game in which stones move.

    Args:
        game: A game in which stones move.
    """
    solution = solve(game)
    waves: dict[int, list[Position]] = {}
    draws = positions = 0
    for position in solution.positions():
        positions += 1
        value = solution.value(position)
        if value.outcome is Outcome.DRAW:
            draws += 1
        else:
            assert value.remoteness is not None
            waves.setdefault(value.remoteness, []).append(position)
    return Waves(tuple(_wave(game, plies, waves[plies]) for plies in sorted(waves)), draws, positions)


def _wave(game: Game, plies: int, positions: list[Position]) -> Wave:
    classes = {game.canonical(position) for position in positions}
    examples = sorted(classes, key=lambda position: (sum(position.hand), position))
    return Wave(plies, Outcome.WIN if plies % 2 else Outcome.LOSS, len(positions), len(classes), tuple(examples))
