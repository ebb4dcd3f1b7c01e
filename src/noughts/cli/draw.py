"""Boards as text with colours, for terminals of any width, with and without line drawings."""

from collections.abc import Mapping

from rich.text import Text

from noughts.games import Game, Position
from noughts.games.text import PLAIN, Line, draw_text, draw_titled

__all__ = ["draw", "draw_several"]

STYLES = {"X": "bold cyan", "O": "bold magenta"}


def draw(
    game: Game,
    position: Position,
    *,
    width: int = 80,
    unicode: bool = True,
    marks: Mapping[int, str] | None = None,
) -> Text:
    """The board with its stones; `marks` gives points a style of their own, as for the last move."""
    return _coloured(draw_text(game, position, width=width), unicode, marks or {})


def draw_several(game: Game, boards: Mapping[str, tuple[int, int]], *, width: int = 80, unicode: bool = True) -> Text:
    """Boards with a title each, beside one another: the stones of X and of O as sets of points."""
    return _coloured(draw_titled(game.layout, boards, width=width), unicode, {})


def _coloured(drawing: list[Line], unicode: bool, marks: Mapping[int, str]) -> Text:
    picture = []
    for line in drawing:
        text = Text()
        for piece in line:
            style = STYLES.get(piece.text, "dim") if piece.point is not None else "dim"
            mark = "" if piece.point is None else marks.get(piece.point, "")
            text.append(piece.text if unicode else piece.text.translate(PLAIN), f"{style} {mark}".strip())
        picture.append(text)
    return Text("\n").join(picture)
