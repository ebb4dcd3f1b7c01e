"""The screens of the old programs, as `noughts play --classic` brings them back: a screen a file.

A screen plays game after game with a person at the keyboard, in the words and columns of its source, until the person
leaves. A new one is a file here and a line in `screen_of`.
"""

from collections.abc import Callable
from pathlib import Path

from noughts.cli.classic import basic1977, c1990
from noughts.games import Game, NoughtsError, Position
from noughts.players import Player
from noughts.players.basic1977 import Basic1977
from noughts.players.c1990 import C1990
from noughts.players.chip1990 import Chip1990

__all__ = ["NoScreenError", "Screen", "screen_of"]

Screen = Callable[[Game, Player, Position | None], None]
"""Plays game after game against a machine, the first perhaps from a given position."""


class NoScreenError(NoughtsError):
    """A player that never had a screen of its own, or a screen that never had what is wished for."""


def screen_of(machine: Player | None, *, set_up: str | None = None, log: Path | None = None) -> Screen:
    """The screen on which this machine was played in its time, by a person; None stands for anybody else.

    Args:
        machine: the opponent.
        set_up: the option by which a position to begin from is given, if one is.
        log: where the moves are to be noted.

    Raises:
        NoScreenError: if there is no such screen, or it does not know the option.
    """
    if isinstance(machine, C1990 | Chip1990):
        if set_up:
            raise NoScreenError(f"{set_up} does not go with the screen of 1990: expected games from the empty board")
        return lambda game, seated, _: c1990.play(game, seated, log)
    if log is not None:
        raise NoScreenError(f"--log {str(log)!r} is kept by the screen of 1990: expected --o c1990 or chip1990")
    if isinstance(machine, Basic1977):
        return basic1977.play
    raise NoScreenError(
        "--classic is the screen of a machine: expected --o c1990 or chip1990 (1990), "
        "or --o basic1, basic2, basic3 or basicf (1977)"
    )
