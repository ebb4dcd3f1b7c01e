"""The screens of the old programs, as `noughts play --classic` brings them back: a screen a file.

A screen plays game after game with a person at the keyboard, in the words and columns of its source, until the person
leaves. A new one is a file here and a line in `screen_of`.
"""

from collections.abc import Callable

from noughts.cli.classic import basic1977
from noughts.games import Game, NoughtsError, Position
from noughts.players import Player
from noughts.players.basic1977 import Basic1977

__all__ = ["NoScreenError", "Screen", "screen_of"]

Screen = Callable[[Game, Player, Position | None], None]
"""Plays game after game against a machine, the first perhaps from a given position."""


class NoScreenError(NoughtsError):
    """A player that never had a screen of its own."""


def screen_of(machine: Player | None) -> Screen:
    """The screen on which this machine was played in its time, by a person; None stands for anybody else."""
    if isinstance(machine, Basic1977):
        return basic1977.play
    raise NoScreenError("--classic is the screen of 1977: expected --o basic1, basic2, basic3 or basicf")
