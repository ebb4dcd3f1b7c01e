"""Make the books that come with Noughts: python docs/make_books.py [GAME ...] [TABLE ...].

A book holds what the first plies of a game are worth. Without words, those of the small morris games are made, in
seconds. GAME is one of them, or a board of up to 25 cells, which is solved for it in minutes; of mnk:7,4,4 the values
of the first moves are taken from outcomes.json. TABLE is the folder of a table, such as `noughts solve
nine-mens-morris --out TABLE` fills. Books come out the same byte for byte. `make_morris_whole.py --book` makes those of
the large morris games on a GPU.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from noughts.games import game
from noughts.solve import book
from noughts.solve.layers.kernel import PAD
from noughts.solve.layers.making import Solver
from noughts.solve.layers.numbering import classes_of
from noughts.solve.morris.retrograde import solve_morris
from noughts.solve.store import MANIFEST, Store
from noughts.solve.subspaces import DRAW, weighed

SMALL = ("five-mens-morris", "six-mens-morris", "seven-mens-morris")
OUTCOMES = Path(__file__).with_name("outcomes.json")
BYTES = {"win": 0, "draw": DRAW, "loss": 1}
"""What a first move is worth to X, as a byte for O, who is to move then: lost, drawn or won, in any number of plies."""


def make(name: str, read: Callable[..., Any]) -> None:
    """Write the book of a game; `read` gives the bytes of its subspaces."""
    path = book.path_of(name)
    before = path.read_bytes() if path.exists() else b""
    book.write_book(game(name), book.PLIES[name], read, path)
    print(f"{path}: {path.stat().st_size:,} bytes, {'the same as before' if path.read_bytes() == before else 'new'}")


def solved(name: str) -> Callable[..., Any]:
    """The bytes of the first subspaces of a game, at least."""
    rules = game(name)
    if rules.rules.captures:
        found = {one.key: one.by_mover for one in solve_morris(rules)}
    elif weighed(rules):
        found = weighed_ones(name)
    else:
        found = in_layers(name)
    return lambda *key: found[key]


def in_layers(name: str) -> dict[tuple[int, ...], Any]:
    """The first layers of a board of up to 25 cells."""
    solver, above, found = Solver(game(name)), None, {}
    for stones in range(len(solver.game.layout), -1, -1):
        above = solver.solve(stones, above.scores if above else None, lambda _done: None)
        if stones <= book.PLIES[name]:
            found[above.key] = above.part(0, len(above.scores) - PAD)
    return found


def weighed_ones(name: str) -> dict[tuple[int, ...], Any]:
    """The empty board and the first moves of a board of which a GPU has told win, draw and loss."""
    told, layout = json.loads(OUTCOMES.read_text("utf-8"))[name], game(name).layout
    leads = [layout.points[int(lead).bit_length() - 1] for lead in classes_of(layout, 1).sets]
    start = {"win": 1, "draw": DRAW, "loss": 0}[told["value"]]
    return {(0, 0): np.array([start]), (0, 1): np.array([BYTES[told["first_moves"][point]] for point in leads])}


if __name__ == "__main__":
    words = sys.argv[1:] or SMALL
    for word in words:
        if (Path(word) / MANIFEST).exists():
            store = Store.open(Path(word))
            make(store.game.name, store.read)
        else:
            make(word, solved(word))
