"""The endings that come with Noughts: every placed position with at most five stones a side, in a small file a game.

With so few stones nearly everything is a draw: at nine men's morris all but one in sixty of 67 million slots, and with
four or five stones each all but one in a thousand. So the file has two parts. The first is a bit vector, a bit a slot,
in the order of `noughts.solve.morris.numbering`: whether the position is *decided*, won or lost. The second is a byte
for every decided one, in the same order: what a table holds of it (`noughts.solve.morris.subspaces`), the plies to the
winner's next capture or to the end. Both are compressed by bzip2, which adds a checksum (CRC-32), and whose output has
not changed in decades, so that the file can be made again byte for byte. Nine men's morris takes 243 kB.

In memory both parts stay as they are, 14 MB with a lookup. Where the byte of a decided slot stands is the number of
ones before its bit: those before its word of 64 are looked up, those below it in the word are counted (the *rank* of a
succinct bit vector). A block is put together from them in a moment, so whoever reads tables can read this.

The first line of the file is JSON: the format, the game, most stones a side, and the lengths of the two parts. Every
subspace begins at a new word.
"""

import bz2
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game, NoughtsError
from noughts.solve.morris.subspaces import DRAW, Key, keys_upto, shape_of, slots_of

__all__ = ["Endings", "EndingsError", "pack", "shipped_endings"]

FORMAT = "noughts morris endings 1"
WORD = 64
LONGEST_HEADER = 1 << 12

Bytes = NDArray[np.uint8]


class EndingsError(NoughtsError):
    """A file that does not hold the endings of the game."""


class Endings:
    """The endings of a game, in memory: a source of blocks, as a table on disk is."""

    def __init__(self, path: Path, game: Game) -> None:
        """Raises an error unless the file is there, whole and undamaged."""
        self.game = game
        most, decided, plies = _read(path, game)
        self.starts: dict[Key, int] = {}
        """The word at which each subspace begins."""
        words = 0
        for key in keys_upto(most):
            self.starts[key] = words
            words += _words(slots_of(game, key))
        if len(decided) != 8 * words or int(np.bitwise_count(decided).sum()) != len(plies):
            raise EndingsError(f"the endings {str(path)!r} are damaged: expected {8 * words} bytes, and a value a one")
        self._decided = decided
        self.words: NDArray[np.uint64] = decided.view("<u8")
        """A one for every decided slot."""
        ones = np.bitwise_count(self.words)
        self.before: NDArray[np.uint32] = np.cumsum(ones, dtype=np.uint32) - ones
        """How many ones there are before each word."""
        self.plies: Bytes = plies
        """The bytes of the decided slots."""

    def has(self, key: Key) -> bool:
        """Whether the subspace with so many stones of the mover and so many of the other side is there."""
        return key in self.starts

    def block(self, key: Key, number: int) -> Bytes:
        """The bytes of one block, by the mover."""
        size = shape_of(self.game, key)[1]
        return self._slots(self.starts[key] * WORD + number * size, size)

    def read(self, *key: int) -> Bytes:
        """All bytes of a subspace, by the mover."""
        return self._slots(self.starts[key] * WORD, slots_of(self.game, key))

    def _slots(self, first: int, count: int) -> Bytes:
        """The bytes of so many slots from this bit on."""
        bits = np.unpackbits(self._decided[first // 8 : (first + count + 7) // 8], bitorder="little")
        decided = bits[first % 8 : first % 8 + count].view(bool)
        below = int(self.words[first // WORD]) & ((1 << first % WORD) - 1)
        rank = int(self.before[first // WORD]) + below.bit_count()
        found = np.full(count, DRAW, np.uint8)
        found[decided] = self.plies[rank : rank + np.count_nonzero(decided)]
        return found


def pack(game: Game, most: int, read: Callable[..., Bytes]) -> bytes:
    """The file of the endings with at most so many stones a side; `read` gives the bytes of a subspace by the mover."""
    marks, plies = [], []
    for key in keys_upto(most):
        values = read(*key)
        decided = np.zeros(WORD * _words(len(values)), bool)
        decided[: len(values)] = values != DRAW
        marks.append(np.packbits(decided, bitorder="little").tobytes())
        plies.append(values[values != DRAW].tobytes())
    parts = [bz2.compress(b"".join(part)) for part in (marks, plies)]
    header = {"format": FORMAT, "game": game.name, "most": most, "decided": len(parts[0]), "plies": len(parts[1])}
    return json.dumps(header).encode() + b"\n" + b"".join(parts)


@cache
def shipped_endings(game: Game) -> Endings | None:
    """The endings that come with Noughts, if this game has some: six and nine men's morris."""
    path = Path(__file__).with_name(f"{game.name}.endings")
    return Endings(path, game) if path.exists() else None


def _words(slots: int) -> int:
    return -(-slots // WORD)


def _read(path: Path, game: Game) -> tuple[int, Bytes, Bytes]:
    """Most stones a side, and the two parts, if they are whole."""
    try:
        with path.open("rb") as file:
            line, rest = file.readline(LONGEST_HEADER), file.read()
    except OSError as error:
        raise EndingsError(f"the endings {str(path)!r} cannot be read: {error.strerror}; expected a file") from error
    try:
        header = json.loads(line)
        if header["format"] != FORMAT or header["game"] != game.name:
            raise ValueError
        most, decided, plies = int(header["most"]), int(header["decided"]), int(header["plies"])
    except (ValueError, KeyError, TypeError) as error:
        expected = f"expected a first line of {FORMAT!r}, of {game.name}"
        raise EndingsError(f"{str(path)!r} does not hold endings: {expected}") from error
    if len(rest) != decided + plies:
        raise EndingsError(
            f"the endings {str(path)!r} are damaged: {len(rest)} bytes after the first line, expected {decided + plies}"
        )
    try:
        parts = [np.frombuffer(bz2.decompress(part), np.uint8) for part in (rest[:decided], rest[decided:])]
    except (OSError, ValueError) as error:
        raise EndingsError(f"the endings {str(path)!r} are damaged: {error}; expected what bzip2 wrote") from error
    return most, parts[0], parts[1]
