"""Make the book that comes with Noughts: python docs/make_morris_book.py TABLE.

TABLE is the folder that `noughts solve nine-mens-morris --out TABLE` has filled. The book holds what the first nine
plies are worth; it comes out the same byte for byte.
"""

import sys
from pathlib import Path

from noughts.solve.morris import book
from noughts.solve.store import Store

PLIES = 9


def make(folder: Path) -> None:
    """Write the book of a table's game."""
    store = Store.open(folder)
    path = Path(book.__file__).with_name(f"{store.game.name}.book")
    before = path.read_bytes() if path.exists() else b""
    book.write_book(store.game, PLIES, store.read, path)
    print(f"{path}: {path.stat().st_size:,} bytes, {'the same as before' if path.read_bytes() == before else 'new'}")


if __name__ == "__main__":
    make(Path(sys.argv[1]))
