"""The screens of the old programs, as `noughts play --classic` brings them back: a screen a file.

A screen plays game after game with a person at the keyboard, in the words and columns of its source, until the person
leaves. A new one is a file here and a line in `screen_of`.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from noughts.cli.classic import basic1977, c1990
from noughts.cli.classic.basic1977 import Changes
from noughts.games import Game, NoughtsError, Position
from noughts.players import Player
from noughts.players.basic1977 import Basic1977
from noughts.players.c1990 import C1990
from noughts.players.chip1990 import Chip1990

__all__ = ["Changes", "NoScreenError", "Screen", "Wishes", "screen_of"]

Screen = Callable[[Game, Player, Position | None], None]
"""Plays game after game against a machine, the first perhaps from a given position."""


class Wishes(NamedTuple):
    """What is wished of a screen; each knows some of it."""

    set_up: str | None = None
    """The option by which a position to begin from is given, if one is."""
    log: Path | None = None
    """Where the moves are to be noted: 1990."""
    changes: Changes = Changes()
    """What is changed in the listing: 1977."""

    def check_without_screen(self) -> None:
        """Raise an error if something is wished for that only a screen can do."""
        if self.log is not None:
            raise NoScreenError(f"--log {str(self.log)!r} is kept by the screen of 1990: expected --classic, too")
        if self.changes.options:
            raise NoScreenError(f"{self.changes.options[0]} changes the screen of 1977: expected --classic, too")


class NoScreenError(NoughtsError):
    """A player that never had a screen of its own, or a screen that never had what is wished for."""


def screen_of(machine: Player | None, wishes: Wishes) -> Screen:
    """The screen on which this machine was played in its time, by a person; None stands for anybody else.

    Raises:
        NoScreenError: if there is no such screen, or it does not know what is wished for.
    """
    if isinstance(machine, C1990 | Chip1990):
        if wishes.set_up:
            raise NoScreenError(
                f"{wishes.set_up} does not go with the screen of 1990: expected games from the empty board"
            )
        if wishes.changes.options:
            option = wishes.changes.options[0]
            raise NoScreenError(f"{option} changes the screen of 1977: expected --o basic1, basic2, basic3 or basicf")
        return lambda game, seated, _: c1990.play(game, seated, wishes.log)
    if wishes.log is not None:
        raise NoScreenError(f"--log {str(wishes.log)!r} is kept by the screen of 1990: expected --o c1990 or chip1990")
    if isinstance(machine, Basic1977):
        return partial(basic1977.play, changes=wishes.changes, setup=wishes.set_up == "--setup")
    raise NoScreenError(
        "--classic is the screen of a machine: expected --o c1990 or chip1990 (1990), "
        "or --o basic1, basic2, basic3 or basicf (1977)"
    )
