"""Play out the longest wins of nine men's morris: python docs/make_morris_wins.py TABLE.

TABLE is the folder that `noughts solve nine-mens-morris --out TABLE` has filled. For some subspaces the first position
with the longest win is looked up and played by both sides from the table: the winner takes the shortest way to his next
capture, the loser the longest. `morris-wins.md` gets the moves, `morris-wins.svg` the boards of the longest of all.
"""

import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

from noughts.games import Game, Position
from noughts.games.picture import Picture, above, beside, draw_board, scaled, words
from noughts.games.points import members
from noughts.solve.morris.numbering import combinations, sets_of
from noughts.solve.morris.subspaces import Key
from noughts.solve.morris.table import open_table
from noughts.solve.store import Store

HERE = Path(__file__).parent
CHOSEN = [(8, 7), (6, 4), (9, 9), (7, 7), (3, 3)]
ACROSS = 3
"""Boards in a row of the picture."""
WIDTH = 120
"""Letters in a line of moves."""


class Line(NamedTuple):
    """A win played out."""

    key: Key
    plies: int
    """To the winner's first capture."""
    positions: list[Position]
    moves: list[str]


def longest(store: Store, key: Key) -> Position:
    """The first position of a subspace with the longest win of the side to move."""
    plies = store.entry(key).row.deepest_win
    slot = int(np.flatnonzero(store.read(*key) == plies)[0])
    mover, other = key[:2]
    rest = combinations(len(store.game.layout) - mover, other)
    own = int(sets_of(store.game.layout, mover).representatives[slot // len(rest)])
    free = [point for point in range(len(store.game.layout)) if not own >> point & 1]
    return Position((own, sum(1 << free[place] for place in members(int(rest[slot % len(rest)])))), (0, 0), 0)


def play(folder: Path, key: Key) -> Line:
    """The longest win of a subspace, to the end of the game."""
    store, table = Store.open(folder), open_table(folder)
    game = store.game
    positions, moves = [longest(store, key)], []
    value = table.probe(positions[0])
    while game.over(positions[-1]) is None:
        best = table.moves(positions[-1])[0]
        moves.append(game.write_move(best.move))
        positions.append(best.position)
    assert value is not None
    assert value.remoteness is not None
    return Line(key, value.remoteness, positions, moves)


def picture(game: Game, line: Line) -> Picture:
    """The beginning, and what is left after every capture."""
    stops = [0, *(number for number, move in enumerate(line.moves, 1) if "x" in move)]
    boards = [
        scaled(draw_board(game, line.positions[stop], title=f"after {stop} plies" if stop else "X to move"), 0.6)
        for stop in stops
    ]
    rows = [beside(*boards[first : first + ACROSS]) for first in range(0, len(boards), ACROSS)]
    head = words(f"{line.key[0]} against {line.key[1]}: the longest way to a capture", rows[0].width, "title")
    return above(head, *rows)


def page(game: Game, lines: list[Line]) -> str:
    """All wins in words."""
    parts = [
        "# The longest wins of nine men's morris\n",
        "Written by `python docs/make_morris_wins.py TABLE` from a table of all positions ([morris.md](morris.md)).\n"
        "X is to move and wins; he takes the shortest way to his next capture, O the longest, to the end.\n",
        f"![{lines[0].key[0]} against {lines[0].key[1]}: the position after every capture](morris-wins.svg)\n",
    ]
    for line in lines:
        parts.append(f"## {line.key[0]} against {line.key[1]}: {line.plies} plies to the first capture\n")
        parts.append(f"`{game.write(line.positions[0])}`, and after {len(line.moves)} plies the game is over:\n")
        text, column = "", 0
        for move in line.moves:
            if column + 1 + len(move) > WIDTH:
                text, column = text + "\n" + move, len(move)
            else:
                text, column = (f"{text} {move}", column + 1 + len(move)) if text else (move, len(move))
        parts.append(f"```text\n{text}\n```\n")
    return "\n".join(parts)


def main() -> None:
    """Write both files beside this one."""
    folder = Path(sys.argv[1])
    game = Store.open(folder).game
    lines = [play(folder, key) for key in CHOSEN if Store.open(folder).has(key)]
    (HERE / "morris-wins.md").write_text(page(game, lines))
    (HERE / "morris-wins.svg").write_text(picture(game, lines[0]).svg())


if __name__ == "__main__":
    main()
