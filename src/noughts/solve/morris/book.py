"""The first plies of a morris game, on disk: win, draw or loss of every position with few stones placed.

Between the empty board and the positions with empty hands lie up to 24 plies, too many to search while somebody waits.
A book holds the first of them, as far as it is small enough to come with Noughts: so a game opens right without a
table.

A book is one file. Its first line is JSON: the format, the game, the number of plies, and for every subspace the
lengths of its chunks. A ply is a stone placed: by Lasker's rule, where stones move in between, it does not tell whose
are in hand, and the line does. The chunks follow, 65,536 positions each, a byte a position (0 lost, 1 drawn, 2 won for
the side to move), compressed by zlib, which also keeps a checksum of each (Adler-32). A book is written beside its
place and then renamed, so that it is whole or not there (atomic rename).
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
from noughts.solve.morris.numbering import numbering_of
from noughts.solve.morris.subspaces import DRAW, Key, MorrisForm, in_hand, key_of, name_of
from noughts.solve.value import Value

__all__ = ["PLIES", "Book", "BookError", "shipped_book", "write_book"]

PLIES = {
    "five-mens-morris": 9,
    "six-mens-morris": 8,
    "seven-mens-morris": 8,
    "nine-mens-morris": 9,
    "lasker-morris": 7,
    "eleven-mens-morris": 8,
    "twelve-mens-morris": 8,
}
"""How far the book of a game goes, in stones placed: so far that it is small. Twelve men's is that of morabaraba."""
FORMAT = "noughts morris book 1"
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
        self._numbering = numbering_of(game.layout)
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
        except (ValueError, KeyError, TypeError) as error:
            raise BookError(f"{str(path)!r} is not a book: expected a first line of {FORMAT!r}") from error
        if not _alike(find_game(header["game"]), game):
            raise BookError(f"{str(path)!r} is a book of {header['game']!r}: expected one of {game.name!r}")
        expected = max((part.starts[-1] for part in self._parts.values()), default=first)
        if size != expected:
            raise BookError(f"the book {str(path)!r} has {size} bytes: expected {expected}")
        self._chunk = lru_cache(KEPT_CHUNKS)(self._read_chunk)

    def outcome(self, position: Position) -> int | None:
        """0 if a position is lost for the player to move, 1 if drawn, 2 if won; None if it is not in the book."""
        turn = position.turn
        own, other = position.stones[turn], position.stones[1 - turn]
        key = key_of(own.bit_count(), other.bit_count(), position.hand[turn], position.hand[1 - turn])
        part = self._parts.get(key)
        if part is None:
            return None
        numbering = self._numbering
        lead, symmetry = numbering.lead(own)
        size = numbering.block_size(key[0], key[1])
        place = numbering.class_of(lead) * size + numbering.rank_beside(numbering.image(symmetry, other), lead)
        return self._chunk(key, place // CHUNK)[place % CHUNK]

    def value(self, position: Position) -> Value | None:
        """The same as a value, without plies."""
        found = self.outcome(position)
        return None if found is None else Value(_OUTCOMES[found])

    def check(self) -> None:
        """Read every chunk; raises an error if one is damaged."""
        for key, part in self._parts.items():
            for number in range(len(part.starts) - 1):
                self._read_chunk(key, number)

    def _layout(self, header: dict[str, Any], first: int) -> tuple[int, dict[Key, _Part]]:
        if header["format"] != FORMAT or not isinstance(header["game"], str):
            raise ValueError
        parts = {}
        for row in header["tables"]:
            starts = [first]
            for length in row["chunks"]:
                starts.append(starts[-1] + int(length))
            first = starts[-1]
            left = sum(self.game.rules.stones) - int(row["ply"])
            hand, other_hand = row.get("hands", ((left + 1) // 2, left // 2))
            key = key_of(int(row["mover"]), int(row["other"]), int(hand), int(other_hand))
            parts[key] = _Part(int(row["slots"]), tuple(starts))
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
    for key in MorrisForm(game).order():
        ply = sum(game.rules.stones) - sum(in_hand(key))
        if ply <= plies:
            outcomes = _OF_BYTES[read(*key)]
            chunks = [zlib.compress(outcomes[at : at + CHUNK].tobytes()) for at in range(0, len(outcomes), CHUNK)]
            packed += chunks
            row: dict[str, Any] = {"ply": ply, "mover": key[0], "other": key[1], "slots": len(outcomes)}
            if game.rules.moving_while_placing:
                row["hands"] = in_hand(key)
            rows.append({**row, "chunks": list(map(len, chunks))})
    header = {"format": FORMAT, "game": game.name, "plies": plies, "tables": rows}
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


@cache
def shipped_book(game: Game) -> Book | None:
    """The book that comes with Noughts, if there is one of a game with the same board and rules."""
    for name in PLIES:
        path = Path(__file__).with_name(f"{name}.book")
        if _alike(find_game(name), game) and path.exists():
            return Book(path, game)
    return None


def _alike(one: Game, other: Game) -> bool:
    """Whether two games differ in their names alone."""
    return (one.layout, one.rules) == (other.layout, other.rules)


def _named(key: Key, number: int) -> str:
    return f"chunk {number} of {name_of(key)}"
