"""Make the books that come with Noughts: python docs/make_morris_book.py [TABLE ...].

A book holds what the first plies of a morris game are worth. The small games are solved here, in seconds; TABLE is the
folder of a table, such as `noughts solve nine-mens-morris --out TABLE` fills. Books come out the same byte for byte.
Without a table, `make_morris_whole.py --book` makes them on a GPU.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from noughts.games import game
from noughts.solve.morris import book
from noughts.solve.morris.retrograde import solve_morris
from noughts.solve.store import Store

SMALL = ("five-mens-morris", "six-mens-morris", "seven-mens-morris")


def make(name: str, read: Callable[..., Any]) -> None:
    """Write the book of a game; `read` gives the bytes of its subspaces."""
    path = Path(book.__file__).with_name(f"{name}.book")
    before = path.read_bytes() if path.exists() else b""
    book.write_book(game(name), book.PLIES[name], read, path)
    print(f"{path}: {path.stat().st_size:,} bytes, {'the same as before' if path.read_bytes() == before else 'new'}")


def solved(name: str) -> Callable[..., Any]:
    """The bytes of a small game's subspaces."""
    found = {one.key: one.by_mover for one in solve_morris(game(name))}
    return lambda *key: found[key]


if __name__ == "__main__":
    for small in SMALL:
        make(small, solved(small))
    for store in map(Store.open, map(Path, sys.argv[1:])):
        make(store.game.name, store.read)
