"""The directive `board`: a position of a game, drawn when the site is built, as a picture within the page.

    ```{board} tictactoe values
    XO.
    .X.
    ..O
    ```

After the name of the game may stand `values`: then every point says what moving there is worth, W3 for a win in 3
plies. The body is a position, row by row or in one line as `noughts value` takes it, or the moves that lead to it from
the start. So the same text is a board on a code host, too, which shows it as it is written.

A picture within a page shares the page's styles, which know what the reader chose with Furo's switch, light or dark; a
picture in a file would know only what the whole system prefers. Readers who do not see it are told the same in words.
"""

import re
from html import escape
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from noughts.games import Game, NoughtsError, Position, game
from noughts.games.picture import DARK, LIGHT, MARKS, Picture, draw_board
from noughts.library.analysis import value_notes
from noughts.solve import Rated, knowledge

SCALE = 1.5
"""Pixels of a page for one of the picture: a board is to be looked at."""
_CELLS = re.compile(r"[XOxo.|/]+")
_SIDES = ("X", "O")


class Board(SphinxDirective):
    """A board on the page."""

    required_arguments = 1
    optional_arguments = 1
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {}

    def run(self) -> list[nodes.Node]:
        """The picture, or what is wrong with its text."""
        name, wanted = self.arguments[0], self.arguments[1:]
        if wanted not in ([], ["values"]):
            raise self.error(f"{wanted[0]!r} means nothing to a board: expected 'values' or nothing after its game")
        try:
            rules = game(name)
            position = read(rules, "\n".join(self.content))
            return [nodes.raw("", picture(rules, position, values=bool(wanted)), format="html")]
        except NoughtsError as error:
            raise self.error(str(error)) from error


def read(rules: Game, body: str) -> Position:
    """The position that stands in a directive: rows or one line of cells, or moves from the start."""
    text = body.strip()
    if not text:
        return rules.start()
    if not _CELLS.fullmatch(text.split()[0]):
        return rules.play(*text.split())
    levels = re.split(r"\n\s*\n", text)
    rows = "|".join("/".join(line.strip() for line in level.splitlines()) for level in levels)
    return rules.read(rows)


def picture(rules: Game, position: Position, *, values: bool = False) -> str:
    """The board as a part of a page, with the same in words for those who do not see it."""
    moves = knowledge(rules).ask(position).moves if values else []
    drawn = draw_board(rules, position, notes=value_notes(moves))
    spoken = f'role="img" aria-label="{escape(in_words(rules, position, moves))}"'
    if len(rules.layout.rows) == 1:
        return view(drawn, 0, drawn.width, spoken)
    half = drawn.width / 2
    return f'<div class="halves">{view(drawn, 0, half, spoken)}{view(drawn, half, half, "aria-hidden=true")}</div>'


def view(drawn: Picture, left: float, width: float, attributes: str) -> str:
    """A part of the paper; of a cube half of the levels, so that on a telephone they stand below the others."""
    return (
        f'<svg class="board" {attributes} viewBox="{left:g} 0 {width:g} {drawn.height:g}" '
        f'width="{SCALE * width:g}">{drawn.body}</svg>'
    )


def in_words(rules: Game, position: Position, moves: list[Rated]) -> str:
    """Who stands where, whose turn it is, and what the moves are worth."""
    points = rules.layout.points
    stones = [
        f"{side} on {', '.join(points[p] for p in range(len(points)) if held >> p & 1)}"
        for side, held in zip(_SIDES, position.stones, strict=True)
        if held
    ]
    turn = "the game is over" if rules.over(position) else f"{_SIDES[position.turn]} to move"
    worth = [f"{rules.write_move(rated.move)}: {rated.words}" for rated in moves]
    told = f". Moves: {', '.join(worth)}" if worth else ""
    return f"{rules.title}: {'; '.join(stones) or 'an empty board'}; {turn}{told}"


STYLE = f"""
.board {{ {LIGHT} display: block; margin: 1rem auto; max-width: 100%; height: auto; }}
.halves {{ display: grid; gap: 0 1rem; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); }}
body[data-theme="dark"] .board {{ {DARK} }}
@media (prefers-color-scheme: dark) {{ body:not([data-theme="light"]) .board {{ {DARK} }} }}
.board {{
{MARKS}
.paper {{ fill: var(--color-background-primary); }}
}}
"""
"""The styles of `noughts.games.picture`, within a board alone, and as Furo's switch has it."""


def write_style(app: Sphinx, failed: Exception | None) -> None:
    """The styles as a file of the site."""
    if failed is None and app.builder.format == "html":
        (Path(app.outdir) / "_static" / "board.css").write_text(STYLE)


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx."""
    app.add_directive("board", Board)
    app.add_css_file("board.css")
    app.connect("build-finished", write_style)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
