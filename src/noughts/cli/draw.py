"""Boards as text, for terminals of any width, with and without colour, with and without line drawings.

Three drawings, chosen by the board and the room there is: boxes for small rectangles; dots in rows for large
ones and for the levels of a cube; and, where stones slide along lines, the lines with the points on them.
"""

from collections.abc import Mapping

from rich.text import Text

from noughts.games import Game, Layout, Position

__all__ = ["draw", "draw_several"]

STYLES = {"X": "bold cyan", "O": "bold magenta", "·": "dim", ".": "dim"}
PLAIN = str.maketrans("·─│┌┬┐├┼┤└┴┘╲╱╳", ".-|+++++++++\\/x")
"""What to write where the terminal knows no line drawings."""
WIDEST_BOXES = 8


def draw(
    game: Game,
    position: Position,
    *,
    width: int = 80,
    unicode: bool = True,
    marks: Mapping[int, str] | None = None,
) -> Text:
    """The board with its stones; `marks` gives points a style of their own, as for the last move."""
    layout = game.layout
    stones = _stones(layout, position)
    styles = {point: STYLES[stone] for point, stone in enumerate(stones)}
    for point, style in (marks or {}).items():
        styles[point] = f"{styles[point]} {style}"
    if layout.edges:
        picture = _lines(layout, stones, styles)
    elif len(layout.rows) > 1:
        levels = [_dots(layout, level, stones, styles, f"level {level + 1}") for level in range(len(layout.rows))]
        picture = _beside(levels, width)
    elif _columns(layout) <= WIDEST_BOXES and 4 * _columns(layout) + 3 <= width:
        picture = _boxes(layout, stones, styles)
    else:
        picture = _dots(layout, 0, stones, styles)
    text = Text("\n").join(picture)
    if unicode:
        return text
    plain = Text(text.plain.translate(PLAIN))
    plain.spans = text.spans
    return plain


def draw_several(game: Game, boards: Mapping[str, tuple[int, int]], *, width: int = 80, unicode: bool = True) -> Text:
    """Boards with a title each, beside one another: the stones of X and of O as sets of points."""
    layout = game.layout
    blocks = []
    for title, stones in boards.items():
        marks = _marks(layout, stones)
        blocks.append(_dots(layout, 0, marks, {point: STYLES[mark] for point, mark in enumerate(marks)}, title))
    text = Text("\n").join(_beside(blocks, width))
    return text if unicode else Text(text.plain.translate(PLAIN))


def _stones(layout: Layout, position: Position) -> list[str]:
    return _marks(layout, position.stones)


def _marks(layout: Layout, stones: tuple[int, int]) -> list[str]:
    x, o = stones
    return ["X" if x >> p & 1 else "O" if o >> p & 1 else "·" for p in range(len(layout))]


def _columns(layout: Layout) -> int:
    return 1 + max(place.column for place in layout.places)


def _letters(layout: Layout, gap: int) -> str:
    return "".join(chr(ord("a") + column).ljust(gap) for column in range(_columns(layout))).rstrip()


def _boxes(layout: Layout, stones: list[str], styles: Mapping[int, str]) -> list[Text]:
    columns = _columns(layout)
    rows = layout.rows[0]
    rule = {
        edge: "   " + left + middle.join(["───"] * columns) + right
        for edge, left, middle, right in [
            ("top", "┌", "┬", "┐"),
            ("in", "├", "┼", "┤"),
            ("end", "└", "┴", "┘"),
        ]
    }
    picture = [Text("     " + _letters(layout, 4), "dim"), Text(rule["top"], "dim")]
    for number, row in enumerate(rows):
        if number:
            picture.append(Text(rule["in"], "dim"))
        line = Text().append(f"{number + 1:>2} ", "dim")
        for point in row:
            line.append("│ ", "dim")
            line.append(stones[point] if stones[point] != "·" else " ", styles[point])
            line.append(" ")
        picture.append(line.append("│", "dim"))
    return [*picture, Text(rule["end"], "dim")]


def _dots(layout: Layout, level: int, stones: list[str], styles: Mapping[int, str], title: str = "") -> list[Text]:
    picture = [Text(title, "dim")] if title else []
    picture.append(Text("   " + _letters(layout, 2), "dim"))
    for number, row in enumerate(layout.rows[level]):
        line = Text().append(f"{number + 1:>2}", "dim")
        for point in row:
            line.append(" ")
            line.append(stones[point], styles[point])
        picture.append(line)
    return picture


def _beside(blocks: list[list[Text]], width: int) -> list[Text]:
    """Blocks next to each other, as many in a row as fit."""
    wide = max(len(line) for block in blocks for line in block) + 3
    fit = max(1, (width + 3) // wide)
    if fit < len(blocks) <= 4:  # two and two rather than three and one
        fit = min(fit, 2)
    picture = []
    for first in range(0, len(blocks), fit):
        if first:
            picture.append(Text())
        for lines in zip(*blocks[first : first + fit], strict=True):
            joined = Text()
            for line in lines:
                padded = line.copy()
                padded.pad_right(wide - len(line))
                joined.append_text(padded)
            joined.rstrip()
            picture.append(joined)
    return picture


def _lines(layout: Layout, stones: list[str], styles: Mapping[int, str]) -> list[Text]:
    """The lines of the board on a canvas of characters, the points on top."""
    right, down = (4, 2) if _columns(layout) <= 3 else (3, 2)
    spots = [(place.row * down, 3 + place.column * right) for place in layout.places]
    height, wide = max(row for row, _ in spots) + 1, max(column for _, column in spots) + 1
    canvas = [[" "] * wide for _ in range(height)]
    for number in range(0, height, down):
        canvas[number][:2] = f"{number // down + 1:>2}"
    for a, b in layout.edges:
        _line(canvas, spots[a], spots[b])
    point_at = {spot: point for point, spot in enumerate(spots)}
    picture = [Text("   " + _letters(layout, right), "dim")]
    for row, characters in enumerate(canvas):
        line = Text()
        for column, character in enumerate(characters):
            point = point_at.get((row, column))
            line.append(*((character, "dim") if point is None else (stones[point], styles[point])))
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
