"""The first plies of a game, on disk: win, draw or loss of every position with few stones placed.

A table of a morris game or of a large board is gigabytes, or nobody keeps it at all. A book holds the first plies, as
far as it is small enough to come with Noughts: so a game opens right without a table.

A book is one file. Its first line is JSON: the format, the game, the number of plies, and for every subspace its name
and the lengths of its chunks. A ply is a stone placed. Which position has which byte, the form of the game's subspaces
says, as of a table (`noughts.solve.subspaces`). The chunks follow, 65,536 positions each, a byte a position (0 lost, 1
drawn, 2 won for the side to move), compressed by zlib, which also keeps a checksum of each (Adler-32). A book is
written beside its place and then renamed, so that it is whole or not there (atomic rename).
"""

import json
import os
import zlib
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game, NoughtsError, Outcome, Position
from noughts.games import game as find_game
from noughts.solve.layers.numbering import Layers
from noughts.solve.subspaces import DRAW, Form, Key, form_of, name_of
from noughts.solve.value import Value

__all__ = ["PLIES", "Book", "BookError", "path_of", "shipped_book", "write_book"]

PLIES = {
    "five-mens-morris": 9,
    "six-mens-morris": 8,
    "seven-mens-morris": 8,
    "nine-mens-morris": 9,
    "lasker-morris": 7,
    "eleven-mens-morris": 8,
    "twelve-mens-morris": 8,
    "mnk:5,5,4": 6,
    "mnk:7,4,4": 1,
}
"""How far the book of a game goes, in stones placed: so far that it is small. Twelve men's is that of morabaraba."""
BOOKS = Path(__file__).with_name("books")
"""Those that come with Noughts."""
FORMAT = "noughts book 2"
CHUNK = 1 << 16
KEPT_CHUNKS = 64
LONGEST_HEADER = 1 << 24

_OUTCOMES = (Outcome.LOSS, Outcome.DRAW, Outcome.WIN)
"""By their numbers in a book."""
_OF_BYTES = np.array([2 if byte % 2 else 0 for byte in range(DRAW)] + [1], np.uint8)
"""By the bytes of a table, the numbers in a book."""

Bytes = NDArray[np.uint8]


class BookError(NoughtsError):
    """A file that is not a whole book of the game."""


class _Part(NamedTuple):
    """Where the chunks of a subspace lie in the file."""

    slots: int
    starts: tuple[int, ...]


class Book:
    """A book, open for reading."""

    def __init__(self, path: Path, game: Game) -> None:
        self.path = path
        self.game = game
        self._form = _form(game)
        try:
            with path.open("rb") as file:
                line = file.readline(LONGEST_HEADER)
                first = file.tell()
                size = os.fstat(file.fileno()).st_size
        except OSError as error:
            raise BookError(f"the book {str(path)!r} cannot be read: {error.strerror}; expected a file") from error
        try:
            header = json.loads(line)
            self.plies, self._parts = self._layout(header, first)
        except NoughtsError:
            raise
        except (ValueError, KeyError, TypeError) as error:
            raise BookError(f"{str(path)!r} is not a book: expected a first line of {FORMAT!r}") from error
        expected = max((part.starts[-1] for part in self._parts.values()), default=first)
        if size != expected:
            raise BookError(f"the book {str(path)!r} has {size} bytes: expected {expected}")
        self._chunk = lru_cache(KEPT_CHUNKS)(self._read_chunk)

    def outcome(self, position: Position) -> int | None:
        """0 if a position is lost for the player to move, 1 if drawn, 2 if won; None if it is not in the book."""
        key = self._form.key(position)
        part = self._parts.get(key)
        if part is None:
            return None
        block, place = self._form.number(position)
        number = block * self._form.shape(key)[1] + place
        return self._chunk(key, number // CHUNK)[number % CHUNK]

    def value(self, position: Position) -> Value | None:
        """The same as a value; without plies, but a draw on a board that is filled takes all that are left."""
        found = self.outcome(position)
        if found is None:
            return None
        filled = self.game.placing_only and _OUTCOMES[found] is Outcome.DRAW
        return Value(_OUTCOMES[found], sum(position.hand) if filled else None)

    def check(self) -> None:
        """Read every chunk; raises an error if one is damaged."""
        for key, part in self._parts.items():
            for number in range(len(part.starts) - 1):
                self._read_chunk(key, number)

    def _layout(self, header: dict[str, Any], first: int) -> tuple[int, dict[Key, _Part]]:
        if header["format"] != FORMAT or not isinstance(header["game"], str):
            raise ValueError
        if not _alike(find_game(header["game"]), self.game):
            raise BookError(f"{str(self.path)!r} is a book of {header['game']!r}: expected one of {self.game.name!r}")
        parts = {}
        keys = {name_of(key): key for key in self._form.order()}
        for row in header["subspaces"]:
            starts = [first]
            for length in row["chunks"]:
                starts.append(starts[-1] + int(length))
            first = starts[-1]
            parts[keys[row["name"]]] = _Part(int(row["slots"]), tuple(starts))
        return int(header["plies"]), parts

    def _read_chunk(self, key: Key, number: int) -> bytes:
        part = self._parts[key]
        expected = min(CHUNK, part.slots - number * CHUNK)
        try:
            start, end = part.starts[number : number + 2]
            with self.path.open("rb") as file:
                file.seek(start)
                found = zlib.decompress(file.read(end - start))
        except (OSError, ValueError, zlib.error) as error:
            raise BookError(f"the book {str(self.path)!r} is damaged: {_named(key, number)}: {error}") from error
        if len(found) != expected:
            raise BookError(
                f"the book {str(self.path)!r} is damaged: {_named(key, number)} has {len(found)} positions, "
                f"expected {expected}"
            )
        return found


def write_book(game: Game, plies: int, read: Callable[..., Bytes], path: Path) -> Book:
    """Write the book of the first plies; `read` gives the bytes of a subspace of a whole table, by the mover.

    Raises:
        BookError: If there are not so many plies before the last stone is placed, or the file cannot be written.
    """
    last = sum(game.rules.stones) - 1
    if not 0 <= plies <= last:
        raise BookError(f"a book of {plies} plies of {game.name}: expected 0 to {last}")
    rows: list[dict[str, Any]] = []
    packed: list[bytes] = []
    form = _form(game)
    for key in form.order():
        if form.ply(key) <= plies:
            outcomes = _OF_BYTES[read(*key)]
            chunks = [zlib.compress(outcomes[at : at + CHUNK].tobytes()) for at in range(0, len(outcomes), CHUNK)]
            packed += chunks
            rows.append({"name": name_of(key), "slots": len(outcomes), "chunks": list(map(len, chunks))})
    header = {"format": FORMAT, "game": game.name, "plies": plies, "subspaces": rows}
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            file.write(json.dumps(header).encode() + b"\n")
            file.writelines(packed)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        raise BookError(f"the book {str(path)!r} cannot be written: {error.strerror}; expected more room") from error
    finally:
        beside.unlink(missing_ok=True)
    return Book(path, game)


def path_of(name: str) -> Path:
    """Where the book of a game is that comes with Noughts."""
    return BOOKS / f"{name.replace(':', '-')}.book"


def _form(game: Game) -> Form:
    """The subspaces of a game, also of one that is too large for a table."""
    return form_of(game) or Layers(game)


@cache
def shipped_book(game: Game) -> Book | None:
    """The book that comes with Noughts, if there is one of a game with the same board and rules."""
    for name in PLIES:
        path = path_of(name)
        if _alike(find_game(name), game) and path.exists():
            return Book(path, game)
    return None


def _alike(one: Game, other: Game) -> bool:
    """Whether two games differ in their names alone."""
    return (one.layout, one.rules) == (other.layout, other.rules)


def _named(key: Key, number: int) -> str:
    return f"chunk {number} of {name_of(key)}"
