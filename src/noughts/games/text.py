"""A board as text, for any width, with and without line drawings.

Three drawings, chosen by the board and the room there is: boxes for small rectangles; dots in rows for large
ones and for the levels of a cube; and, where stones slide along lines, the lines with the points on them.

A drawing is lines of pieces, each of which knows the point it stands for: so whoever shows it can give points a colour
(`noughts.cli.draw`), and whoever wants a string joins them (`as_text`).
"""

from collections.abc import Mapping
from typing import NamedTuple

from noughts.games.game import Game
from noughts.games.layout import Layout
from noughts.games.position import Position

__all__ = ["PLAIN", "Line", "Piece", "as_text", "draw_text", "draw_titled"]

PLAIN = str.maketrans("·─│┌┬┐├┼┤└┴┘╲╱╳", ".-|+++++++++\\/x")
"""What to write where nothing but ASCII can be shown."""
WIDEST_BOXES = 8


class Piece(NamedTuple):
    """Some characters of a drawing, and the point that they show; None for the board itself."""

    text: str
    point: int | None = None


Line = list[Piece]


def as_text(game: Game, position: Position, *, width: int = 80, unicode: bool = True) -> str:
    """The board with its stones, as a string.

    Args:
        game: The game that the position is of.
        position: What stands where.
        width: How many characters fit on a line.
        unicode: Whether line drawings can be shown; else everything is ASCII.
    """
    text = "\n".join("".join(piece.text for piece in line).rstrip() for line in draw_text(game, position, width=width))
    return text if unicode else text.translate(PLAIN)


def draw_text(game: Game, position: Position, *, width: int = 80) -> list[Line]:
    """The board with its stones, as lines of pieces."""
    layout = game.layout
    marks = _marks(layout, position.stones)
    if layout.edges:
        return _lines(layout, marks)
    if len(layout.rows) > 1:
        return _beside([_dots(layout, level, marks, f"level {level + 1}") for level in range(len(layout.rows))], width)
    if _columns(layout) <= WIDEST_BOXES and 4 * _columns(layout) + 3 <= width:
        return _boxes(layout, marks)
    return _dots(layout, 0, marks)


def draw_titled(layout: Layout, boards: Mapping[str, tuple[int, int]], *, width: int = 80) -> list[Line]:
    """Boards with a title each, beside one another: the stones of X and of O as sets of points."""
    return _beside([_dots(layout, 0, _marks(layout, stones), title) for title, stones in boards.items()], width)


def _marks(layout: Layout, stones: tuple[int, int]) -> list[str]:
    x, o = stones
    return ["X" if x >> p & 1 else "O" if o >> p & 1 else "·" for p in range(len(layout))]


def _columns(layout: Layout) -> int:
    return 1 + max(place.column for place in layout.places)


def _letters(layout: Layout, gap: int) -> str:
    return "".join(chr(ord("a") + column).ljust(gap) for column in range(_columns(layout))).rstrip()


def _boxes(layout: Layout, marks: list[str]) -> list[Line]:
    columns = _columns(layout)
    top, between, bottom = (
        "   " + left + middle.join(["───"] * columns) + right for left, middle, right in ("┌┬┐", "├┼┤", "└┴┘")
    )
    picture = [[Piece("     " + _letters(layout, 4))], [Piece(top)]]
    for number, row in enumerate(layout.rows[0]):
        if number:
            picture.append([Piece(between)])
        line = [Piece(f"{number + 1:>2} ")]
        for point in row:
            line += [Piece("│ "), Piece(marks[point] if marks[point] != "·" else " ", point), Piece(" ")]
        picture.append([*line, Piece("│")])
    return [*picture, [Piece(bottom)]]


def _dots(layout: Layout, level: int, marks: list[str], title: str = "") -> list[Line]:
    picture = [[Piece(title)]] if title else []
    picture.append([Piece("   " + _letters(layout, 2))])
    for number, row in enumerate(layout.rows[level]):
        line = [Piece(f"{number + 1:>2}")]
        for point in row:
            line += [Piece(" "), Piece(marks[point], point)]
        picture.append(line)
    return picture


def _beside(blocks: list[list[Line]], width: int) -> list[Line]:
    """Blocks next to each other, as many in a row as fit."""
    wide = max(_length(line) for block in blocks for line in block) + 3
    fit = max(1, (width + 3) // wide)
    if fit < len(blocks) <= 4:  # two and two rather than three and one
        fit = min(fit, 2)
    picture: list[Line] = []
    for first in range(0, len(blocks), fit):
        if first:
            picture.append([])
        for lines in zip(*blocks[first : first + fit], strict=True):
            joined: Line = []
            for line in lines[:-1]:
                joined += [*line, Piece(" " * (wide - _length(line)))]
            picture.append([*joined, *lines[-1]])
    return picture


def _length(line: Line) -> int:
    return sum(len(piece.text) for piece in line)


def _lines(layout: Layout, marks: list[str]) -> list[Line]:
    """The lines of the board on a canvas of characters, the points on top."""
    slanted = any(
        layout.places[a].row != layout.places[b].row and layout.places[a].column != layout.places[b].column
        for a, b in layout.edges
    )
    right, down = 4 if slanted or _columns(layout) <= 3 else 3, 2
    spots = [(place.row * down, 3 + place.column * right) for place in layout.places]
    height, wide = max(row for row, _ in spots) + 1, max(column for _, column in spots) + 1
    canvas = [[" "] * wide for _ in range(height)]
    for number in range(0, height, down):
        canvas[number][:2] = f"{number // down + 1:>2}"
    for a, b in layout.edges:
        _line(canvas, spots[a], spots[b])
    point_at = {spot: point for point, spot in enumerate(spots)}
    picture = [[Piece("   " + _letters(layout, right))]]
    for row, characters in enumerate(canvas):
        line: Line = []
        for column, character in enumerate(characters):
            point = point_at.get((row, column))
            line.append(Piece(character if point is None else marks[point], point))
        picture.append(line)
    return picture


def _line(canvas: list[list[str]], a: tuple[int, int], b: tuple[int, int]) -> None:
    (top, left), (bottom, right) = sorted((a, b))
    if top == bottom:
        for column in range(left + 1, right):
            canvas[top][column] = "─"
    elif left == right:
        for row in range(top + 1, bottom):
            canvas[row][left] = "│"
    else:
        row, column = (top + bottom) // 2, (left + right) // 2
        mark = "╲" if right > left else "╱"
        canvas[row][column] = mark if canvas[row][column] in (" ", mark) else "╳"
