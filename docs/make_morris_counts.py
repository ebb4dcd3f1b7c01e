"""Write how many positions of the morris games are won, drawn and lost, a row a subspace: docs/morris.json.

    python docs/make_morris_counts.py [SOLVED ...]

The small games are solved here, whole, and of the large ones the positions with empty hands and at most five stones a
side: two minutes on two cores. SOLVED is the folder of a table (`noughts solve nine-mens-morris --out TABLE`), whose
rows are taken from its manifest, or the GAME.json of a run without one (`make_morris_whole.py`). Rows of large games
stay as they are, if there are more of them.
"""

import json
import sys
from pathlib import Path
from typing import Any

from noughts.games import game
from noughts.solve.morris.retrograde import solve_morris
from noughts.solve.solution import Subspace

FILE = Path(__file__).with_name("morris.json")
WHOLE = ("five-mens-morris", "five-mens-morris:moving-while-placing=yes", "six-mens-morris", "seven-mens-morris")
LARGE = ("nine-mens-morris", "lasker-morris", "eleven-mens-morris", "twelve-mens-morris", "morabaraba")
UPTO = 5
"""Stones a side on the board, of the large games."""
FIELDS = ("name", "positions", "wins", "draws", "losses", "deepest_win", "deepest_loss")
"""What a row has, in this order. The name is as `noughts solve --json` has it."""

Row = list[Any]


def row_of(summary: Subspace) -> Row:
    """A subspace as a row."""
    return [getattr(summary, field) for field in FIELDS]


def solved(name: str, upto: int | None) -> list[Row]:
    """All rows of a game, or of its positions with empty hands and at most so many stones a side."""
    return [row_of(one.summary()) for one in solve_morris(game(name), upto)]


def told(path: Path) -> tuple[str, list[Row]]:
    """The name of a game that was solved elsewhere, and its rows."""
    if path.is_file():
        run = json.loads(path.read_text("utf-8"))
        return run["game"], run["rows"]
    from noughts.solve.store import Store  # noqa: PLC0415  loads Zarr

    store = Store.open(path)
    return store.game.name, list(map(row_of, store.rows()))


def main(paths: list[Path]) -> None:
    """Make the rows, and write them."""
    known = json.loads(FILE.read_text("utf-8"))["games"] if FILE.exists() else {}
    found = {name: solved(name, None) for name in WHOLE}
    for name in LARGE:
        found[name] = max(solved(name, UPTO), known.get(name, []), key=len)
    for name, rows in map(told, paths):
        found[name] = max(rows, found.get(name, []), key=len)
    games = ",\n".join(
        f'"{name}": [\n' + ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows) + "\n]"
        for name, rows in found.items()
    )
    FILE.write_text(f'{{"fields": {json.dumps(FIELDS)},\n"games": {{\n{games}\n}}}}\n', "utf-8")
    for name, rows in found.items():
        print(f"{name}: {len(rows):,} subspaces, {sum(row[1] for row in rows):,} positions")


if __name__ == "__main__":
    main(list(map(Path, sys.argv[1:])))
