"""The arguments and options that several commands share, and how they are read."""

from collections.abc import Callable
from typing import Annotated

import typer

__all__ = ["SEED", "Cells", "GameName", "Json", "Seed", "whole_number"]


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


SEED = whole_number(0, 2**63)

Json = Annotated[bool, typer.Option("--json", help="Write the answer for programs, as JSON.")]
GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game, as tictactoe or mnk:5,4,4.")]
Cells = Annotated[
    list[str] | None, typer.Argument(metavar="[POSITION]", help="A position, as XO./.X./..O; else the start.")
]
Seed = Annotated[int | None, typer.Option(parser=SEED, help="Seed of everything random.")]
