"""What perfect play is: solutions of whole games, and bounded search where a game is too large for one."""

from noughts.solve.answers import Analysis, TooLargeError, analyse, proved, solvable, solve
from noughts.solve.solution import Progress, Rated, Solution, Subspace
from noughts.solve.value import UNKNOWN, Value

__all__ = [
    "UNKNOWN",
    "Analysis",
    "Progress",
    "Rated",
    "Solution",
    "Subspace",
    "TooLargeError",
    "Value",
    "analyse",
    "proved",
    "solvable",
    "solve",
]
