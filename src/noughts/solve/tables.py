"""Where the tables of this machine's user are, what to say where there is none, and what comes with Noughts instead.

A game's table is the folder `noughts/tables/GAME` in the user's data folder (`XDG_DATA_HOME`, else `~/.local/share`);
`NOUGHTS_TABLES` names another folder of tables. To look whether one is there loads nothing; to open it does.
"""

import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from noughts.games import Game, Position
from noughts.solve.morris.subspaces import ENDINGS
from noughts.solve.solution import Rated, best_first
from noughts.solve.value import Value

if TYPE_CHECKING:
    from noughts.solve.morris.table import Table

__all__ = ["VARIABLE", "endings_for", "has_tables", "how_to_make", "opening", "table_folder", "table_for"]

VARIABLE = "NOUGHTS_TABLES"

_open: dict[Path, tuple[tuple[int, ...], "Table"]] = {}


def has_tables(game: Game) -> bool:
    """Whether tables of a game can be made: the morris games, in which stones are captured."""
    return game.rules.captures


def table_folder(game: Game) -> Path:
    """Where the table of a game belongs, whether it is there or not."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named) / game.name
    chosen = Path(os.environ.get("XDG_DATA_HOME", ""))
    try:
        data = chosen if chosen.is_absolute() else Path.home() / ".local" / "share"
    except RuntimeError:  # there is no home folder
        data = Path()
    return data / "noughts" / "tables" / game.name


def how_to_make(game: Game) -> str:
    """The command that makes the table of a game; it may be shown to strangers, so it does not name the user."""
    folder = table_folder(game)
    with suppress(ValueError, RuntimeError):
        folder = Path("~") / folder.relative_to(Path.home())
    return f"noughts solve {game.name} --out {folder}"


def table_for(game: Game) -> "Table | None":
    """What the table of a game knows; None if there is none. Opened once, and again when it has changed."""
    folder = table_folder(game)
    seen = _stamp(folder)
    if not has_tables(game) or seen is None:
        _open.pop(folder, None)
        return None
    known = _open.get(folder)
    if known is None or known[0] != seen:
        from noughts.solve.morris.table import open_table  # noqa: PLC0415  loads NumPy and Zarr

        known = _open[folder] = (seen, open_table(folder))
    return known[1]


def endings_for(game: Game, position: Position) -> "Table | None":
    """What the endings that come with Noughts know, if this is one of them: all stones placed, few left a side."""
    few = max(stones.bit_count() for stones in position.stones) <= ENDINGS
    return _endings(game) if has_tables(game) and position.hand == (0, 0) and few else None


def opening(game: Game, position: Position) -> tuple[Value, list[Rated]] | None:
    """What the book that comes with Noughts says of a position and of its moves; None if it does not go so far."""
    if not has_tables(game) or position.hand == (0, 0):
        return None
    from noughts.solve.morris.book import shipped_book  # noqa: PLC0415  loads NumPy

    book = shipped_book(game)
    own = None if book is None else book.value(position)
    if book is None or own is None:
        return None
    rated = []
    for move in game.moves(position):
        after = game.after(position, move)
        found = book.value(after)
        if found is None:
            return None
        rated.append(Rated(move, found.before(), after))
    return own, best_first(rated)


@cache
def _endings(game: Game) -> "Table | None":
    from noughts.solve.morris.endings import shipped_endings  # noqa: PLC0415  loads NumPy
    from noughts.solve.morris.table import Table  # noqa: PLC0415  loads NumPy

    found = shipped_endings(game)
    return None if found is None else Table(found, game)


def _stamp(folder: Path) -> tuple[int, ...] | None:
    """What changes when a table does; None if there is no table."""
    stamps = []
    for name in ("manifest.json", "book"):
        try:
            found = (folder / name).stat()
            stamps += [found.st_mtime_ns, found.st_size, found.st_ino]
        except OSError:
            if name == "manifest.json":
                return None
    return tuple(stamps)
