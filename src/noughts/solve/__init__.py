"""What perfect play is: `knowledge(game)` is the one question to ask, `solve(game)` a solution to look through."""

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
