"""Games small enough to be solved whole, in memory: which those are, and the solutions that are kept."""

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Condition

from cachetools import LRUCache, cached

from noughts.games import Game, NoughtsError
from noughts.games import game as find_game
from noughts.solve.solution import Progress, Solution

__all__ = ["MOST_CELLS", "PLAIN", "TooLargeError", "check_rules", "solvable", "solve", "solving_at_most"]

MOST_CELLS = 20
"""Of a placing game: 741,365,049 slots of one byte each."""
PLAIN = 16
"""Cells of a placing game up to which NumPy answers sooner than a compiler starts."""
MOST_POINTS = 9
"""Of a game with moving stones and no captures."""
MOST_KEPT = 8
"""Solutions that are remembered."""

_most_cells: ContextVar[int] = ContextVar("most_cells", default=MOST_CELLS)


class TooLargeError(NoughtsError):
    """A game with more positions than Noughts can list."""


@contextmanager
def solving_at_most(cells: int) -> Iterator[None]:
    """Meanwhile, placing games of more cells count as not solvable: for whoever shares the machine with others."""
    before = _most_cells.set(min(cells, MOST_CELLS))
    try:
        yield
    finally:
        _most_cells.reset(before)


def solvable(game: Game) -> bool:
    """Whether every position's value can be worked out here and now."""
    if game.placing_only:
        return len(game.layout) <= _most_cells.get()
    return len(game.layout) <= MOST_POINTS and not game.rules.captures and not game.rules.moving_while_placing


def check_rules(game: Game) -> None:
    """Refuse rules of one's own that nothing here can solve: who only places must do so until the board is full.

    Args:
        game: Any game; those of the catalogue pass.

    Raises:
        NoughtsError: If its stones would run out before.
    """
    cells = len(game.layout)
    filling = ((cells + 1) // 2, cells // 2)
    if game.placing_only and game.rules.stones != filling:
        raise NoughtsError(
            f"{game.name}: {game.rules.stones} stones that never move do not fill {cells} points: expected {filling}"
        )


def solve(game: Game | str, progress: Progress | None = None) -> Solution:
    """The value of every position of a game; worked out once, then remembered.

    Args:
        game: The game, or its name.
        progress: Called with how much is done and how much there is.

    Raises:
        UnknownGameError: If no game has this name.
        NoughtsError: If its rules are none that can be solved here (`check_rules`).
        TooLargeError: If the game has too many positions for that; `noughts.solve.knowledge` may still know something.
    """
    game = find_game(game)
    check_rules(game)
    if not solvable(game):
        raise TooLargeError(
            f"{game.name} is too large to solve completely: expected a placing game of at most "
            f"{_most_cells.get()} cells, or a moving game without captures of at most {MOST_POINTS} points"
        )
    return _solution(game, progress)


# An LRU cache. The condition guards against a stampede: many who ask for one game at once wait for one solution, while
# others get theirs.
@cached(LRUCache[Hashable, Solution](MOST_KEPT), key=lambda game, _progress: game, condition=Condition())
def _solution(game: Game, progress: Progress | None) -> Solution:
    # Imports here, so that playing needs neither NumPy nor a compiler.
    if game.placing_only:
        from noughts.solve.placing import solve_placing  # noqa: PLC0415

        return solve_placing(game, progress)
    from noughts.solve.moving import solve_moving  # noqa: PLC0415

    return solve_moving(game, progress)
