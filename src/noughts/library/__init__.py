"""Noughts as a library: a board that knows its game, and what one asks of it first; `import noughts` offers it."""

from noughts.library.board import Board

__all__ = ["Board"]
