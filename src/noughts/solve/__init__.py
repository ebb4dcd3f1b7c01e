"""What perfect play is: `knowledge(game)` is the one question to ask, `solve(game)` a solution to look through.

The package itself can be called, and then solves: `noughts.solve(game)` is what people type first, and once somebody
has imported this package, the name `noughts.solve` is the package, whatever else it was before. Checkers of types know
no packages that can be called, and take `noughts.solve` for the function alone: for them the other names are imported,
as in `from noughts.solve import knowledge`.
"""

import sys
from types import ModuleType

from noughts.games import Game
from noughts.solve.effort import USUAL, Effort
from noughts.solve.knowledge import TO_CAPTURE, Answer, Extent, Knowledge, Source, Surety, knowledge
from noughts.solve.look import Lead, Look
from noughts.solve.small import TooLargeError, solve
from noughts.solve.solution import Progress, Rated, Solution, Subspace
from noughts.solve.value import UNKNOWN, Value

__all__ = [
    "TO_CAPTURE",
    "UNKNOWN",
    "USUAL",
    "Answer",
    "Effort",
    "Extent",
    "Knowledge",
    "Lead",
    "Look",
    "Progress",
    "Rated",
    "Solution",
    "Source",
    "Subspace",
    "Surety",
    "TooLargeError",
    "Value",
    "knowledge",
    "solve",
]


class _Callable(ModuleType):
    """A package that can be called: see above."""

    def __call__(self, game: "Game | str", progress: Progress | None = None) -> Solution:
        return solve(game, progress)


sys.modules[__name__].__class__ = _Callable
