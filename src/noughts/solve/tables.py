"""Where the tables of this machine's user are, what to say where there is none, and what comes with Noughts instead.

A game's table is the folder `noughts/tables/GAME` in the user's data folder (`XDG_DATA_HOME`, else `~/.local/share`);
`NOUGHTS_TABLES` names another folder of tables. To look whether one is there loads nothing; to open it does.

`NOUGHTS_TABLES` may be an address, `https://HOST/FOLDER`, where a web server has such a folder: then a table that is
not on this disk is read from there, a chunk at a time (`noughts.solve.remote`). That the server has none of a game is
remembered for a while. A table that is damaged is an error, on the disk as on a server, and never no table.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from noughts.extras import need
from noughts.games import Game, NoughtsError, Position
from noughts.solve.morris.subspaces import ENDINGS
from noughts.solve.solution import Rated, Subspace, best_first
from noughts.solve.subspaces import layered, milled
from noughts.solve.value import Value

if TYPE_CHECKING:
    from noughts.solve.remote import RemoteTable

__all__ = [
    "VARIABLE",
    "Table",
    "book_value",
    "endings_for",
    "has_tables",
    "how_to_make",
    "nobody_waits",
    "opening",
    "table_address",
    "table_folder",
    "table_for",
    "tables_folder",
]

VARIABLE = "NOUGHTS_TABLES"
ABSENT = 60.0
"""Seconds for which it is remembered that a server has no table of a game."""
NODES_AFAR = 400
"""Positions with stones in hand that one answer may look at where chunks come over the network."""


class Table(Protocol):
    """A table, open for questions."""

    @property
    def subspaces(self) -> tuple[Subspace, ...]:
        """The summaries of what is there."""

    @property
    def whole(self) -> bool:
        """Whether it has all positions."""

    @property
    def complete(self) -> bool:
        """Whether nothing is missing: it has all positions, or finds the others."""

    def probe(self, position: Position, /) -> Value | None:
        """What a legal position is worth to the player to move; None if the table does not tell."""

    def moves(self, position: Position, /) -> list[Rated]:
        """The legal moves, best first; the value of one that the table does not tell is `unknown`."""


_open: dict[Path, tuple[tuple[int, ...], Table]] = {}
_afar: dict[tuple[str, str], tuple["RemoteTable | None", Table | None, float]] = {}
"""By address and game: what was opened, or None and until when the server is taken to have no such table."""
_opening_afar = Lock()
"""One at a time: those who ask for the same meanwhile find it, or the error, remembered."""
_looking: set[tuple[str, str]] = set()
"""What is being opened beside those who must not wait."""
_beside = Event()
"""Whether this process must not wait."""


def has_tables(game: Game) -> bool:
    """Whether tables of a game can be made: the morris games, and placing games on boards that are not too large."""
    return milled(game) or layered(game)


def table_folder(game: Game) -> Path:
    """Where the table of a game belongs on this disk, whether it is there or not."""
    return tables_folder() / game.name


def tables_folder() -> Path:
    """The folder of this user's tables, whether it is there or not."""
    named = os.environ.get(VARIABLE)
    if named and table_address() is None:
        return Path(named)
    chosen = Path(os.environ.get("XDG_DATA_HOME", ""))
    try:
        data = chosen if chosen.is_absolute() else Path.home() / ".local" / "share"
    except RuntimeError:  # there is no home folder
        data = Path()
    return data / "noughts" / "tables"


def table_address() -> str | None:
    """Where a server has tables that this user reads; None if the variable names none."""
    named = os.environ.get(VARIABLE, "")
    return named if "://" in named else None


def how_to_make(game: Game) -> str:
    """The command that makes the table of a game; it may be shown to strangers, so it names no folder of the user's."""
    folder = table_folder(game)
    if os.environ.get(VARIABLE) and table_address() is None:
        folder = Path(f"${VARIABLE}") / game.name
    with suppress(ValueError, RuntimeError):
        folder = Path("~") / folder.relative_to(Path.home())
    return f"noughts solve {game.name} --out {folder}"


def table_for(game: Game) -> Table | None:
    """What the table of a game knows; None if there is none. Opened once, and again when it has changed."""
    folder = table_folder(game)
    seen = _stamp(folder)
    if not has_tables(game) or seen is None:
        _open.pop(folder, None)
        address = table_address()
        return None if address is None or not has_tables(game) else _table_afar(game, address)
    known = _open.get(folder)
    if known is None or known[0] != seen:
        known = _open[folder] = (seen, _open_table(game, folder))
    return known[1]


@contextmanager
def nobody_waits() -> Iterator[None]:
    """Meanwhile nobody in this process waits for a server: a table is opened in a thread, and is not there before.

    For the process of a web server, in which one who waits makes everybody wait; values are looked up in others.
    """
    _beside.set()
    try:
        yield
    finally:
        _beside.clear()


def _table_afar(game: Game, address: str) -> Table | None:
    """What the table of a game on a server knows; None if the server has none."""
    key = (address, game.name)
    source, table, until = _afar.get(key, (None, None, 0.0))
    if (source is None and monotonic() < until) or (source is not None and not source.stale):
        return table
    if not _beside.is_set():
        return _look_afar(game, address)
    if key not in _looking:
        _looking.add(key)
        Thread(target=_look_beside, args=(game, address), daemon=True).start()
    return None


def _look_beside(game: Game, address: str) -> None:
    try:
        _look_afar(game, address)
    except NoughtsError:  # whoever needs the table is told so by the process that looks values up
        _afar[address, game.name] = (None, None, monotonic() + ABSENT)
    finally:
        _looking.discard((address, game.name))


def _look_afar(game: Game, address: str) -> Table | None:
    with _opening_afar:
        source, table, until = _afar.get((address, game.name), (None, None, 0.0))
        if (source is None and monotonic() >= until) or (source is not None and source.stale):
            _afar.pop((address, game.name), None)
            source, table = _open_afar(game, address)
            _afar[address, game.name] = (source, table, monotonic() + ABSENT)
        return table


def _open_afar(game: Game, address: str) -> tuple["RemoteTable | None", Table | None]:
    need("zarr", f"the table of {game.name}")
    from noughts.solve.chunk_cache import users_cache  # noqa: PLC0415  most have no tables afar
    from noughts.solve.remote import RemoteTable  # noqa: PLC0415  loads NumPy and Zarr
    from noughts.solve.web_folder import web_folder  # noqa: PLC0415  loads HTTP

    source = RemoteTable.open(web_folder(address), game, users_cache())
    if source is None:
        return None, None
    if game.rules.captures:
        from noughts.solve.book import shipped_book  # noqa: PLC0415  loads NumPy
        from noughts.solve.morris.table import Table as MorrisTable  # noqa: PLC0415  the same

        return source, MorrisTable(source, game, tuple(source.rows()), shipped_book(game), NODES_AFAR)
    from noughts.solve.layers.table import LayerTable  # noqa: PLC0415  the same

    return source, LayerTable(source)


def _open_table(game: Game, folder: Path) -> Table:
    if game.rules.captures:
        from noughts.solve.morris.table import open_table  # noqa: PLC0415  loads NumPy and Zarr

        return open_table(folder)
    from noughts.solve.layers.table import open_table as open_layers  # noqa: PLC0415  the same

    return open_layers(folder)


def endings_for(game: Game, position: Position) -> Table | None:
    """What the endings that come with Noughts know, if this is one of them: all stones placed, few left a side."""
    few = max(stones.bit_count() for stones in position.stones) <= ENDINGS
    return _endings(game) if milled(game) and position.hand == (0, 0) and few else None


def book_value(game: Game, position: Position) -> Value | None:
    """What the book that comes with Noughts says of a position; None if it does not go so far."""
    if not (milled(game) or game.placing_only) or position.hand == (0, 0):
        return None
    from noughts.solve.book import shipped_book  # noqa: PLC0415  loads NumPy

    book = shipped_book(game)
    return None if book is None else book.value(position)


def opening(game: Game, position: Position) -> tuple[Value, list[Rated]] | None:
    """The same, and of its moves; None if the book does not go so far."""
    own = book_value(game, position)
    if own is None:
        return None
    rated = []
    for move in game.moves(position):
        after = game.after(position, move)
        found = book_value(game, after)
        if found is None:
            return None
        rated.append(Rated(move, found.before(), after))
    return own, best_first(rated)


@cache
def _endings(game: Game) -> Table | None:
    from noughts.solve.morris.endings import shipped_endings  # noqa: PLC0415  loads NumPy
    from noughts.solve.morris.table import Table as MorrisTable  # noqa: PLC0415  loads NumPy

    found = shipped_endings(game)
    return None if found is None else MorrisTable(found, game)


def _stamp(folder: Path) -> tuple[int, ...] | None:
    """What changes when a table does; None if there is no table."""
    try:
        found = (folder / "manifest.json").stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
