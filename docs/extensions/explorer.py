"""The directive `explorer`: a board of tic-tac-toe on which the reader plays, and sees what every move is worth.

    ```{explorer} tictactoe
    XO.
    .X.
    ..O
    ```

It needs no server: the value of every position travels with the page, a character each, worked out by `noughts.solve`
when the site is built. A position is a number of nine digits in base three, its first cell the lowest digit: 0 for an
empty cell, 1 for X, 2 for O. `_static/explorer.js` looks values up in that table and knows nothing else but the eight
rows. Where there are no scripts the picture stays, with the worth of every move.
"""

from board import picture, read
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from noughts.games import Game, NoughtsError, Outcome, Position, game
from noughts.solve import solve

GAME = "tictactoe"
FIRST = {Outcome.WIN: "A", Outcome.DRAW: "a", Outcome.LOSS: "0"}
"""The character of a value of remoteness 0; those of 1 to 9 follow it."""
NOTHING = "."
"""That of a number which is no position."""


class Explorer(SphinxDirective):
    """A board to play on."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """The board, or what is wrong with its text."""
        if self.arguments[0] != GAME:
            raise self.error(f"{self.arguments[0]!r} cannot be explored on a page: expected {GAME}")
        rules = game(GAME)
        try:
            position = read(rules, "\n".join(self.content))
        except NoughtsError as error:
            raise self.error(str(error)) from error
        html = (
            f'<div class="explorer board" data-start="{rules.write(position).replace("/", "")}" '
            f'data-rows="{rows(rules)}" data-values="{table(rules)}">{picture(rules, position, values=True)}</div>'
        )
        return [nodes.raw("", html, format="html")]


def rows(rules: Game) -> str:
    """The cells of every row, as `012 345 …`."""
    return " ".join("".join(map(str, line)) for line in rules.layout.lines)


def number(position: Position) -> int:
    """The place of a position in the table."""
    x, o = position.stones
    return sum(3**cell * ((x >> cell & 1) + 2 * (o >> cell & 1)) for cell in range(9))


def table(rules: Game) -> str:
    """The value of every position that some game reaches."""
    solution = solve(rules)
    found = [NOTHING] * 3**9
    open_ends = [rules.start()]
    while open_ends:
        position = open_ends.pop()
        if found[number(position)] != NOTHING:
            continue
        value = solution.value(position)
        found[number(position)] = chr(ord(FIRST[value.outcome]) + (value.remoteness or 0))
        open_ends += [rules.after(position, move) for move in rules.moves(position)]
    return "".join(found)


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx."""
    app.add_directive("explorer", Explorer)
    app.add_js_file("explorer.js", loading_method="defer")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
