"""The arguments and options that several commands share, and how they are read."""

from collections.abc import Callable
from math import nan
from pathlib import Path
from typing import Annotated, Any

import typer

from noughts.cli.output import check_writable
from noughts.extras import need
from noughts.games import NoughtsError
from noughts.games.catalogue import KINDS
from noughts.players import PLAYERS

__all__ = [
    "SEED",
    "Cells",
    "DesignName",
    "GameName",
    "Json",
    "Seed",
    "complete_game",
    "complete_player",
    "decimal",
    "find_design",
    "named_path",
    "output_file",
    "output_place",
    "whole_number",
]


def whole_number(least: int, most: int) -> Callable[[str | int], int]:
    """A reader of whole numbers within bounds, whose complaint names what it read."""

    def number(text: str | int) -> int:
        try:
            found = int(text)
        except ValueError:
            found = least - 1
        if not least <= found <= most:
            raise typer.BadParameter(f"{str(text)[:40]!r} is not a whole number from {least} to {most}")
        return found

    return number


def decimal(least: float, most: float) -> Callable[[str | float], float]:
    """A reader of numbers with a decimal point, within bounds."""

    def number(text: str | float) -> float:
        try:
            found = float(text)
        except ValueError:
            found = nan
        if not least <= found <= most:  # nan is nowhere
            raise typer.BadParameter(f"{str(text)[:40]!r} is not a number from {least:g} to {most:g}")
        return found

    return number


def named_path(text: str | Path) -> Path:
    """A reader of the names of files and folders; refuses an empty one, which Python takes for the current folder."""
    if not str(text):
        raise typer.BadParameter("'' is no name: expected that of a file or folder")
    return Path(text)


def output_file(text: str | Path) -> Path:
    """A reader of the names of files to be written, which are tried at once: before the command works for long."""
    try:
        check_writable(named_path(text))
    except NoughtsError as error:
        raise typer.BadParameter(str(error)) from error
    return Path(text)


def output_place(text: str | Path) -> Path:
    """A reader of the names of files or of folders to be written; a folder must be a new one."""
    if str(text) and Path(text).is_dir():
        raise typer.BadParameter(f"{str(text)!r} is a folder already: expected the name of a file or of a new folder")
    return output_file(text)


def complete_game(begun: str) -> list[str]:
    """The games whose names begin so, for shells that complete what is being typed."""
    return [kind.example for kind in KINDS if kind.example.startswith(begun)]


def complete_player(begun: str) -> list[str]:
    """The players whose names begin so."""
    return [name for name in PLAYERS if name.startswith(begun)]


def complete_design(begun: str) -> list[str]:
    """The designs whose names begin so; this does not make them."""
    from noughts.silicon.designs import DESIGNS  # noqa: PLC0415  a tenth of a second that most commands need not wait

    return [name for name in DESIGNS if name.startswith(begun)]


SEED = whole_number(0, 2**63)

Json = Annotated[bool, typer.Option("--json", help="Write the answer for programs, as JSON.")]
GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="A game, as tictactoe or mnk:5,4,4.", autocompletion=complete_game)
]
Cells = Annotated[
    list[str] | None, typer.Argument(metavar="[POSITION]", help="A position, as XO./.X./..O; else the start.")
]
Seed = Annotated[int | None, typer.Option(parser=SEED, help="Seed of everything random.")]
DesignName = Annotated[
    str,
    typer.Argument(
        metavar="DESIGN", help="A design, as chip1990; `silicon list` names them.", autocompletion=complete_design
    ),
]


def find_design(name: str) -> Any:
    """The design, if Amaranth is here to make it."""
    need("amaranth", f"silicon {name}")
    from noughts.silicon.designs import design  # noqa: PLC0415

    return design(name)
