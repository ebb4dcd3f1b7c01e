"""One way to ask, whatever the game: the whole solution where there is one, bounded search where not."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from noughts.games import Game, NoughtsError, Outcome, Position
from noughts.solve.solution import Progress, Rated, Solution
from noughts.solve.tables import has_tables, how_to_make, opening, table_for
from noughts.solve.value import UNKNOWN, Value

__all__ = ["Analysis", "TooLargeError", "analyse", "proved", "solvable", "solve", "solving_at_most"]

MOST_CELLS = 20
"""Of a placing game: 741,365,049 slots of one byte each."""
MOST_POINTS = 9
"""Of a game with moving stones and no captures."""

MOST_KEPT = 8
"""Solutions that are remembered, the latest used."""

_solved: dict[Game, Solution] = {}
_most_cells: ContextVar[int] = ContextVar("most_cells", default=MOST_CELLS)


class TooLargeError(NoughtsError):
    """A game with more positions than Noughts can list."""


class Analysis(NamedTuple):
    """What a position is worth, and its moves, best first."""

    value: Value
    moves: list[Rated]
    reason: str = ""
    """How the value is known, where it is not from a whole solution."""
    threats: tuple[int, ...] = ()
    """The chain of threats that wins, if one is known: the moves of the player to move."""


@contextmanager
def solving_at_most(cells: int) -> Iterator[None]:
    """Meanwhile, placing games of more cells count as not solvable: for whoever shares the machine with others."""
    before = _most_cells.set(min(cells, MOST_CELLS))
    try:
        yield
    finally:
        _most_cells.reset(before)


def solvable(game: Game) -> bool:
    """Whether every position's value can be had."""
    if game.placing_only:
        return len(game.layout) <= _most_cells.get()
    return len(game.layout) <= MOST_POINTS and not game.rules.captures


def proved(game: Game) -> bool:
    """Whether the winner is known by a proof, though not the value of every position."""
    return game.name == "qubic"


def solve(game: Game, progress: Progress | None = None) -> Solution:
    """The value of every position of a game; worked out once, then remembered."""
    solution = _solved.pop(game, None)
    if solution is None:
        if not solvable(game):
            raise TooLargeError(
                f"{game.name} is too large to solve completely: expected a placing game of at most "
                f"{_most_cells.get()} cells, or a moving game without captures of at most {MOST_POINTS} points"
            )
        solution = _solve(game, progress)
    _solved[game] = solution
    while len(_solved) > MOST_KEPT:
        del _solved[next(iter(_solved))]
    return solution


def _solve(game: Game, progress: Progress | None) -> Solution:
    """Imports here, so that playing needs neither NumPy nor a compiler."""
    if game.placing_only:
        from noughts.solve.placing import solve_placing  # noqa: PLC0415

        return solve_placing(game, progress)
    from noughts.solve.moving import solve_moving  # noqa: PLC0415

    return solve_moving(game, progress)


def analyse(game: Game, position: Position, progress: Progress | None = None) -> Analysis:
    """The value of a position and of each of its moves, `unknown` where it is beyond reach."""
    end = game.over(position)
    if end is not None:
        endless = end is Outcome.DRAW and not game.placing_only
        return Analysis(Value(end, None if endless else 0), [])
    if solvable(game):
        solution = solve(game, progress)
        return Analysis(solution.value(position), solution.moves(position))
    if proved(game):
        from noughts.solve.qubic.known import examine, rate_moves  # noqa: PLC0415

        found = examine(game, position)
        return Analysis(found.value, rate_moves(game, position), found.reason, found.threats)
    reason = ""
    known_opening = opening(game, position)
    if known_opening is not None:
        return Analysis(*known_opening, "from the book of openings")
    if has_tables(game):
        table = table_for(game)
        if table is not None:
            value, moves = table.value(position), table.moves(position)
            if value != UNKNOWN:
                return Analysis(value, moves, "from the table; plies count to the winner's next capture or the end")
        reason = f"there is no whole table of {game.name} here: {how_to_make(game)} makes it"
        if table is not None and table.complete:
            reason = "too many stones are in hand to search down to the table"
    from noughts.solve.lookahead import look_ahead  # noqa: PLC0415

    moves = [rated for rated, _ in look_ahead(game, position)]
    best = moves[0].value
    known = best.outcome is Outcome.WIN or all(rated.value != UNKNOWN for rated in moves)
    return Analysis(best, moves) if known else Analysis(UNKNOWN, moves, reason)
