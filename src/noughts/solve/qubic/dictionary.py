"""A dictionary of strategic moves for Qubic, and the file it is kept in.

Oren Patashnik proved in 1980 that the first player wins, with a dictionary of 2,929 positions and the move to make
in each. Such a dictionary is a **proof** that can be checked: everything it leaves out, forced replies and wins by
an unbroken chain of threats, can be found again (`noughts.solve.qubic.check`).

The file is text, in the format in which Patashnik's dictionary circulates. Prose comes first. Then a line is a
position, a blank and a move. Cells are numbered 0 to 63, row by row and level by level, as the points of the board are;
the position is written from cell 0 on, `x` for the first player's stones, `o` for the second's, a decimal number for so
many empty cells; empty cells after the last stone may be left out. The first player is to move. So ` 0` is the empty
board and a move to its first cell, and `64 0` says the same. A position stands for all its 192 images.

The prose may hold a picture of the cell numbers, and an example with its position drawn below. The example is indented,
and so is not taken for an entry: an entry begins in the first column, or with one blank if the board is empty. From
the first entry on every line must be one, or empty, or a comment (`#`).

Our own proofs are such files compressed by gzip, whose checksum is checked, with the number of their lines in a
comment, so that a file cut short is noticed.
"""

import gzip
import io
import re
import zlib
from collections.abc import Iterable
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from noughts.extras import need
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
"""Bytes of a dictionary, compressed or not, and of its text; the largest so far has 200,000."""
MOST_COMMENTS = 10_000
"""Lines of prose that are kept."""
_COUNT = re.compile(r"#\s*strategic moves:\s*([0-9]{1,9})")
_ENTRY = re.compile(r"(?P<position>[xo0-9]+(?=\s)|(?= ))[ \t]+(?P<move>\S+)")
_FIRST_ENTRY = re.compile(r"[xo0-9]+[ \t]+-?[0-9]\S*| [0-9]{1,2}")
"""Where the prose ends. A move that is none is complained of, unless it is a word: `64 cells` is prose."""


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
    """Read a dictionary, compressed or not.

    Raises DictionaryError for a file that is none; every complaint names the file, and the line where it is about one.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        words = error.strerror if isinstance(error, OSError) else error
        raise DictionaryError(f"{str(path)!r} cannot be read: {words}; expected a dictionary") from error
    if len(raw) > LARGEST_FILE:
        raise DictionaryError(f"{str(path)!r} is too long: expected at most {LARGEST_FILE >> 20} MiB")
    if raw[:2] == b"\x1f\x8b":
        raw = _decompressed(raw, path)
    return _parse(io.TextIOWrapper(io.BytesIO(raw), "utf-8", errors="replace"), repr(str(path)))


def _decompressed(raw: bytes, path: Path) -> bytes:
    try:
        engine = zlib.decompressobj(wbits=31)
        text = engine.decompress(raw, LARGEST_FILE)
        if engine.eof and not engine.unused_data:
            return text
    except zlib.error as error:
        raise DictionaryError(f"{str(path)!r} is damaged: {error}; expected a gzip file") from error
    raise DictionaryError(f"{str(path)!r} is cut short or too long: expected one whole gzip file")


def _parse(lines: Iterable[str], name: str) -> Dictionary:
    numbered: list[tuple[int, Entry]] = []
    comments: list[str] = []
    promised = None
    for number, ended in enumerate(lines, 1):
        line = ended.rstrip()
        is_prose = not numbered and not _FIRST_ENTRY.fullmatch(line)
        if is_prose or not line.lstrip() or line.startswith(("#", ";", "%", "/")):
            if len(comments) < MOST_COMMENTS:
                comments.append(line)
            if count := _COUNT.match(line):
                promised = int(count[1])
            continue
        numbered.append((number, _parse_entry(line, f"{name} line {number}")))
    if not numbered:
        raise DictionaryError(f"{name} has no moves: expected lines of a position and a move, as '64 0'")
    if promised is not None and promised != len(numbered):
        raise DictionaryError(f"{name} has {len(numbered)} moves: expected {promised}, as it says itself")
    return Dictionary(_each_once(numbered, name), tuple(comments))


def _parse_entry(line: str, where: str) -> Entry:
    found = _ENTRY.fullmatch(line)
    if found is None:
        raise DictionaryError(f"{where}: {line[:80]!r} is not a position and a move, as '64 0'")
    text, word = found["position"], found["move"]
    x = o = cell = 0
    for run in re.finditer("x|o|[0-9]+", text):
        if run[0] == "x":
            x |= 1 << cell
        elif run[0] == "o":
            o |= 1 << cell
        cell += 1 if run[0] in "xo" else min(int(run[0][:9]), CELLS + 1)
        if cell > CELLS:
            raise DictionaryError(f"{where}: {text[:80]!r} has more than 64 cells, expected at most 64")
    if x.bit_count() != o.bit_count():
        raise DictionaryError(
            f"{where}: {x.bit_count()} x and {o.bit_count()} o, expected as many, the first player being to move"
        )
    if not re.fullmatch("[0-9]{1,2}", word) or int(word) >= CELLS:
        raise DictionaryError(f"{where}: {word[:80]!r} is not a move, expected a number from 0 to 63")
    move = int(word)
    if (x | o) >> move & 1:
        raise DictionaryError(f"{where}: cell {move} is taken, expected an empty one")
    return Entry(x, o, move)


def _each_once(numbered: list[tuple[int, Entry]], name: str) -> tuple[Entry, ...]:
    """The entries, without those that say the same as an earlier one, whether of the same position or of an image.

    Raises DictionaryError for two that name different moves in one position. Moves that a symmetry of the position
    exchanges are not different: on the empty board any corner is as good as another.
    """
    need("numba", "the proof of qubic")
    from noughts.solve.qubic.symmetry import alike, canonical_key  # noqa: PLC0415  loads the compiler

    first: dict[tuple[int, int], tuple[int, int]] = {}
    kept = []
    for number, entry in numbered:
        key, symmetry = canonical_key(entry.x, entry.o)
        move = symmetry[entry.move]
        if key not in first:
            first[key] = number, move
            kept.append(entry)
        elif not alike(key, first[key][1], move):
            raise DictionaryError(
                f"{name} lines {first[key][0]} and {number} name different moves in one position or images of it: "
                "expected one move"
            )
    return tuple(kept)


def write_dictionary(dictionary: Dictionary) -> bytes:
    """The compressed file; the same bytes for the same dictionary every time."""
    lines = [f"# strategic moves: {len(dictionary.entries)}", *(f"# {line}" for line in dictionary.comments)]
    lines += [f"{_runs(entry)} {entry.move}" for entry in dictionary.entries]
    return gzip.compress(("\n".join(lines) + "\n").encode("ascii"), mtime=0)


def _runs(entry: Entry) -> str:
    cells = "".join("x" if entry.x >> c & 1 else "o" if entry.o >> c & 1 else "." for c in range(CELLS))
    return re.sub(r"\.+", lambda run: str(len(run[0])), cells)
