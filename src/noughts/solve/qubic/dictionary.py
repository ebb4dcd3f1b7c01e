"""A dictionary of strategic moves for Qubic, and the file it is kept in.

Oren Patashnik proved in 1980 that the first player wins, with a dictionary of 2,929 positions and the move to make
in each. Such a dictionary is a **proof** that can be checked: everything it leaves out, forced replies and wins by
an unbroken chain of threats, can be found again (`noughts.solve.qubic.check`).

The file is text. Comment lines come first; then a line is a position, a blank and a move. Cells are numbered 0 to
63, row by row and level by level, as the points of the board are; the position is written from cell 0 to cell 63,
`x` for the first player's stones, `o` for the second's, a decimal number for so many empty cells; the first player
is to move. `64 0` is the empty board and a move to its first cell. A position stands for all its 192 images.

Our own proofs are such files compressed by gzip, whose checksum is checked, with the number of their lines in a
comment, so that a file cut short is noticed.
"""

import gzip
import re
import zlib
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from noughts.games import NoughtsError

__all__ = [
    "Dictionary",
    "DictionaryError",
    "Entry",
    "read_dictionary",
    "shipped_dictionary",
    "write_dictionary",
]

CELLS = 64
LARGEST_FILE = 64 << 20
_COUNT = re.compile(r"#\s*strategic moves:\s*([0-9]{1,9})")


class DictionaryError(NoughtsError):
    """A file that is no dictionary, or a wrong line in one."""


class Entry(NamedTuple):
    """A position with the first player to move, and the move to make."""

    x: int
    o: int
    move: int


class Dictionary(NamedTuple):
    """The entries of a file, and the comments before them."""

    entries: tuple[Entry, ...]
    comments: tuple[str, ...] = ()


def shipped_dictionary() -> Dictionary:
    """The proof that comes with Noughts."""
    with resources.as_file(resources.files("noughts.solve.qubic") / "proof.txt.gz") as path:
        return read_dictionary(path)


def read_dictionary(path: Path) -> Dictionary:
    """Read a dictionary, compressed or not; every complaint names the file and the line."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise DictionaryError(f"{str(path)!r} cannot be read: {error.strerror}; expected a dictionary") from error
    if raw[:2] == b"\x1f\x8b":
        raw = _decompressed(raw, path)
    lines = raw.decode(errors="replace").splitlines()
    return _parse(lines, str(path))


def _decompressed(raw: bytes, path: Path) -> bytes:
    try:
        engine = zlib.decompressobj(wbits=31)
        text = engine.decompress(raw, LARGEST_FILE)
        if engine.eof and not engine.unused_data:
            return text
    except zlib.error as error:
        raise DictionaryError(f"{str(path)!r} is damaged: {error}; expected a gzip file") from error
    raise DictionaryError(f"{str(path)!r} is cut short or too long: expected one whole gzip file")


def _parse(lines: list[str], name: str) -> Dictionary:
    entries: dict[tuple[int, int], Entry] = {}
    comments: list[str] = []
    promised = None
    for number, line in enumerate(lines, 1):
        words = line.split()
        if (
            not words
            or line.startswith(("#", ";", "%", "/"))
            or (not entries and not (len(words) == 2 and _looks_like_entry(words)))
        ):
            comments.append(line)
            if count := _COUNT.match(line):
                promised = int(count[1])
            continue
        entry = _parse_entry(words, f"{name!r} line {number}")
        entries[entry.x, entry.o] = entry
    if not entries:
        raise DictionaryError(f"{name!r} has no moves: expected lines of a position and a move, as '64 0'")
    if promised is not None and promised != len(entries):
        raise DictionaryError(f"{name!r} has {len(entries)} moves: expected {promised}, as it says itself")
    return Dictionary(tuple(entries.values()), tuple(comments))


def _looks_like_entry(words: list[str]) -> bool:
    return re.fullmatch("[xo0-9]+", words[0]) is not None


def _parse_entry(words: list[str], where: str) -> Entry:
    if len(words) != 2 or not _looks_like_entry(words):
        raise DictionaryError(f"{where}: {' '.join(words)[:80]!r} is not a position and a move, as '64 0'")
    x = o = cell = 0
    for run in re.findall("x|o|[0-9]+", words[0]):
        if run == "x":
            x |= 1 << cell
        elif run == "o":
            o |= 1 << cell
        cell += 1 if run in "xo" else min(int(run[:9]), CELLS + 1)
        if cell > CELLS:
            break
    if cell != CELLS:
        count = f"{cell}" if cell < CELLS else "more than 64"
        raise DictionaryError(f"{where}: {words[0][:80]!r} has {count} cells, expected 64")
    if x.bit_count() != o.bit_count():
        raise DictionaryError(
            f"{where}: {x.bit_count()} x and {o.bit_count()} o, expected as many, the first player being to move"
        )
    if not re.fullmatch("[0-9]{1,2}", words[1]) or int(words[1]) >= CELLS:
        raise DictionaryError(f"{where}: {words[1][:80]!r} is not a move, expected a number from 0 to 63")
    move = int(words[1])
    if (x | o) >> move & 1:
        raise DictionaryError(f"{where}: cell {move} is taken, expected an empty one")
    return Entry(x, o, move)


def write_dictionary(dictionary: Dictionary) -> bytes:
    """The compressed file; the same bytes for the same dictionary every time."""
    lines = [f"# strategic moves: {len(dictionary.entries)}", *(f"# {line}" for line in dictionary.comments)]
    lines += [f"{_runs(entry)} {entry.move}" for entry in dictionary.entries]
    return gzip.compress(("\n".join(lines) + "\n").encode("ascii"), mtime=0)


def _runs(entry: Entry) -> str:
    cells = "".join("x" if entry.x >> c & 1 else "o" if entry.o >> c & 1 else "." for c in range(CELLS))
    return re.sub(r"\.+", lambda run: str(len(run[0])), cells)
