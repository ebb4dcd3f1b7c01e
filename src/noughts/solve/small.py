"""Games small enough to be solved whole, in memory: which those are, and the solutions that are kept."""

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock

from noughts.games import Game, NoughtsError
from noughts.solve.solution import Progress, Solution

__all__ = ["MOST_CELLS", "TooLargeError", "solvable", "solve", "solving_at_most"]

MOST_CELLS = 20
"""Of a placing game: 741,365,049 slots of one byte each."""
MOST_POINTS = 9
"""Of a game with moving stones and no captures."""
MOST_KEPT = 8
"""Solutions that are remembered."""

_solved: OrderedDict[Game, Solution] = OrderedDict()
"""An LRU cache: the least recently used solution goes first."""
_looking, _solving = Lock(), Lock()
"""Two locks: `_looking` is held for a moment, whenever the cache is touched; `_solving` while a game is being solved,
so that many who ask for one game at once (a stampede) wait for one solution, while others get theirs from the cache.
"""
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
    return len(game.layout) <= MOST_POINTS and not game.rules.captures


def solve(game: Game, progress: Progress | None = None) -> Solution:
    """The value of every position of a game; worked out once, then remembered.

    Raises TooLargeError where a game has too many positions for that.
    """
    if not solvable(game):
        raise TooLargeError(
            f"{game.name} is too large to solve completely: expected a placing game of at most "
            f"{_most_cells.get()} cells, or a moving game without captures of at most {MOST_POINTS} points"
        )
    known = _remembered(game)
    if known is None:
        with _solving:
            known = _remembered(game) or _solve(game, progress)
            with _looking:
                _solved[game] = known
                if len(_solved) > MOST_KEPT:
                    _solved.popitem(last=False)
    return known


def _remembered(game: Game) -> Solution | None:
    with _looking:
        if game in _solved:
            _solved.move_to_end(game)
        return _solved.get(game)


def _solve(game: Game, progress: Progress | None) -> Solution:
    """Imports here, so that playing needs neither NumPy nor a compiler."""
    if game.placing_only:
        from noughts.solve.placing import solve_placing  # noqa: PLC0415

        return solve_placing(game, progress)
    from noughts.solve.moving import solve_moving  # noqa: PLC0415

    return solve_moving(game, progress)
