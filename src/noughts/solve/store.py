"""A table: the solution of a game on disk, which says itself what it holds.

A table is a folder. In it is a Zarr group with one array of bytes a subspace, named `m-o` for m stones of the side to
move and o of the other, or `m-o+h-g` with h and g stones in hand: a row a block. Which position has which byte, the
form of the game's subspaces says (`noughts.solve.subspaces`): in the morris games a block belongs to a set of the
mover's, in layers to one of X's. A chunk is a number of whole blocks, about a megabyte, compressed with zstd and
followed by its checksum (CRC-32C): to look at one block is to read one chunk.

Beside the arrays lies the manifest, `manifest.json`. It names the game, its rules and every subspace that is there,
with its counts, the SHA-256 of its bytes and that of every chunk as it lies on the disk, by which chunks that come from
elsewhere are known (`noughts.solve.remote`). It is not believed before all that it says fits together.

Nothing is there before it is whole. A subspace is written into a hidden folder, forced to the disk (fsync) and renamed,
which is atomic; only then is it named in a new manifest, which replaces the old one by an atomic rename as well. So a
run that is killed leaves a table without the subspace it was working on, and the same command goes on from there. What
a killed run has left over is removed by the next one, under a lock that lets only one run write.
"""

import errno
import json
import os
import re
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import asdict
from functools import lru_cache
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import zarr
from numpy.typing import NDArray
from zarr.codecs import Crc32cCodec, ZstdCodec

from noughts import __version__
from noughts.games import Game, UnknownGameError
from noughts.games import game as find_game
from noughts.solve.solution import Subspace, tally
from noughts.solve.subspaces import MILLED, MOST_POINTS, Form, Key, form_of, name_of
from noughts.solve.table_error import DamagedError, TableError
from noughts.solve.value import Value

__all__ = [
    "MANIFEST",
    "DamagedError",
    "Entry",
    "Reader",
    "Solved",
    "Store",
    "TableError",
    "blocks_a_chunk",
    "chunk_name",
    "read_manifest",
    "understand",
]

FORMAT = 1
"""What the manifest's `format` says; it changes when older tables can no longer be read."""
MANIFEST = "manifest.json"
CHUNK = 1 << 20
"""Bytes of a chunk before compression, about."""
LEVEL = 3
"""Of zstd."""
SHRINKS = 0.3
"""What compression leaves at most, to foresee the room a table needs."""
GB = 10**9
AT_ONCE = 64
"""Chunks that are read at once."""
WRITERS = 4
"""Chunks that are compressed and written at once."""
TRIAL = 1 << 16
"""Bytes written to learn whether a folder can be written to."""
REMEMBERED = 64
"""Chunks that are kept in memory for those who look at single blocks."""

MAY_LACK = ("deepest_win", "deepest_loss", "seconds")
"""Fields of a row that may be null or broken numbers."""
SUM = re.compile("[0-9a-f]{64}")
"""A SHA-256 as the manifest writes it."""

Bytes = NDArray[np.uint8]


class Entry(NamedTuple):
    """What the manifest says of one subspace."""

    row: Subspace
    bytes_on_disk: int
    sha256: str
    sums: tuple[str, ...] | None = None
    """The SHA-256 of every chunk as it lies on the disk; None if an earlier version wrote the subspace."""


class Solved(Protocol):
    """A subspace, solved, as whoever solved it holds it."""

    @property
    def key(self) -> Key:
        """The subspace."""

    def part(self, first: int, last: int) -> Bytes:
        """Some of the bytes, from the first to before the last."""

    def summary(self) -> Subspace:
        """The row that people read."""


class Reader(ABC):
    """A table that is open for reading, wherever it lies: on this disk (`Store`) or on a server's."""

    def __init__(self, where: str, game: Game, entries: dict[Key, Entry]) -> None:
        self.where = where
        self.game = game
        self.form = _form(game)
        self._entries = entries
        self._chunk = lru_cache(REMEMBERED)(self._read_chunk)

    def keys(self) -> list[Key]:
        """The subspaces that are there, in the order in which they are solved."""
        return [key for key in self.form.order() if key in self._entries]

    def has(self, key: Key) -> bool:
        """Whether a subspace is there."""
        return key in self._entries

    def entry(self, key: Key) -> Entry:
        """What the manifest says of a subspace that is there."""
        if key not in self._entries:
            raise TableError(f"{self.where!r} has no subspace {name_of(key)}: {self.how_to_make(key)}")
        return self._entries[key]

    def rows(self) -> list[Subspace]:
        """The summaries of all subspaces that are there."""
        return [self._entries[key].row for key in self.keys()]

    def disagreement(self, key: Key, values: Iterable[tuple[Value, int]]) -> str | None:
        """What the manifest says of a subspace that is not so, if how often its values occur was counted again."""
        said = self.entry(key).row
        found = tally(said.name, said.slots, values, said.seconds)
        for field, stated, counted in zip(said._fields, said, found, strict=True):
            if stated != counted:
                return f"the manifest gives {said.name} {field} {stated}, expected {counted}"
        return None

    def block(self, key: Key, number: int) -> memoryview:
        """The bytes of one block; only its chunk is read, and remembered for a while."""
        blocks, size = self.form.shape(key)
        if not 0 <= number < blocks:
            raise TableError(f"{number} is no block of subspace {name_of(key)}: expected 0 to {blocks - 1}")
        chunk, row = divmod(number, blocks_a_chunk(size))
        return self._chunk(key, chunk)[row * size : (row + 1) * size]

    @property
    def has_sums(self) -> bool:
        """Whether the manifest has the checksums of all chunks, so that others can read the table from a server."""
        return all(entry.sums is not None for entry in self._entries.values())

    @abstractmethod
    def how_to_make(self, key: Key) -> str:
        """What is expected where a subspace is missing."""

    @abstractmethod
    def _read_chunk(self, key: Key, chunk: int) -> memoryview:
        """The bytes of a chunk's blocks, compared with their checksums."""

    def _damaged(self, key: Key, reason: str) -> DamagedError:
        return DamagedError(f"subspace {name_of(key)} of {self.where!r} is damaged: {reason}")


class Store(Reader):
    """A table on this disk. `create` makes one or goes on with it, `open` only reads."""

    def __init__(self, folder: Path, game: Game, entries: dict[Key, Entry]) -> None:
        super().__init__(str(folder), game, entries)
        self.folder = folder
        self._arrays: dict[Key, Any] = {}

    @classmethod
    def create(cls, folder: Path, game: Game) -> "Store":
        """A new table in a new or empty folder; or the table that is there, if it is of this game.

        A subspace whose folder somebody has deleted, as it was damaged, is one that is not there yet.
        """
        if (folder / MANIFEST).exists():
            there, entries = read_manifest(folder)
            if there is not game:
                raise TableError(f"{str(folder)!r} is a table of {there.name}: expected one of {game.name}")
            return cls(folder, game, {key: entry for key, entry in entries.items() if _is_there(folder, key)})
        store = cls(folder, game, {})
        try:
            folder.mkdir(parents=True, exist_ok=True)
            foreign = [path.name for path in folder.iterdir() if path.name[0] != "." and path.name != "zarr.json"]
            if foreign:
                raise TableError(f"{str(folder)!r} holds {foreign[0]!r}: expected a table or an empty folder")
            zarr.open_group(folder, mode="a", zarr_format=3)
            _write_manifest(folder, game, {})
        except OSError as error:
            raise store._unwritable(error) from error
        return store

    @classmethod
    def open(cls, folder: Path) -> "Store":
        """The table in this folder, if its manifest makes sense and all it names is there."""
        game, entries = read_manifest(folder)
        for key in entries:
            if not _is_there(folder, key):
                lacks = f"{str(folder)!r} lacks subspace {name_of(key)}, which its manifest names"
                raise TableError(f"{lacks}: expected {_form(game).command(folder, key)} to have been run again")
        return cls(folder, game, entries)

    def how_to_make(self, key: Key) -> str:
        """The command that would make a subspace that is missing."""
        return f"expected {self.form.command(self.folder, key)} to have been run"

    def kept(self) -> str:
        """What an interrupted run leaves, for people.

        Ctrl-C may come between a manifest and the memory of it, so it is the manifest that is asked.
        """
        finished = len(read_manifest(self.folder)[1])
        if finished == 0:
            return f"no subspace is finished in {str(self.folder)!r} yet; the same command begins again"
        many = "1 subspace is" if finished == 1 else f"{finished} subspaces are"
        return f"{many} kept in {str(self.folder)!r}; the same command goes on from there"

    def read(self, *key: int, room: Bytes | None = None) -> Bytes:
        """All bytes of a subspace, if they are those that were written; put into `room`, if there is one."""
        entry = self.entry(key)
        blocks, size = self.form.shape(key)
        table = (np.empty(blocks * size, np.uint8) if room is None else room).reshape(blocks, size)
        step = AT_ONCE * blocks_a_chunk(size)
        array = self._array(key)
        for first in range(0, blocks, step):
            table[first : first + step] = self._sound(key, array, first, min(first + step, blocks))
        flat = table.reshape(-1)
        if sha256(flat.data).hexdigest() != entry.sha256:
            raise self._damaged(key, "its bytes have not the SHA-256 of the manifest")
        return flat

    def write(self, solved: Solved) -> None:
        """Add a subspace: the whole of it, or, whatever goes wrong, nothing."""
        key = solved.key
        final = self.folder / name_of(key)
        beside = self.folder / f".{name_of(key)}.{os.getpid()}"
        try:
            digest, sums = _write_array(beside, self.form.shape(key), solved.part)
            on_disk = sum(path.stat().st_size for path in beside.iterdir())
            self._forget(key)
            shutil.rmtree(final, ignore_errors=True)
            beside.rename(final)
            entries = self._entries | {key: Entry(solved.summary(), on_disk, digest, sums)}
            _write_manifest(self.folder, self.game, entries)
            self._entries = entries
        except OSError as error:
            # A full disk: give back what is not named. After Ctrl-C it may stay, the next run writes over it.
            if key not in read_manifest(self.folder)[1]:
                shutil.rmtree(final, ignore_errors=True)
            raise self._unwritable(error) from error
        finally:
            shutil.rmtree(beside, ignore_errors=True)

    def _forget(self, key: Key) -> None:
        """Name a subspace no longer, before another takes its place."""
        if key in self._entries:
            _write_manifest(
                self.folder, self.game, {other: entry for other, entry in self._entries.items() if other != key}
            )
            del self._entries[key]
        self._arrays.pop(key, None)
        self._chunk.cache_clear()

    def check_room(self, keys: Iterable[Key]) -> None:
        """Complain now if the disk has not enough room for those of some subspaces that are missing."""
        needed = int(SHRINKS * sum(prod(self.form.shape(key)) for key in keys if not self.has(key)))
        free = shutil.disk_usage(self.folder).free
        if free < needed:
            room = f"{_gigabytes(free)} are free at {str(self.folder)!r}"
            raise TableError(f"{room}: expected room for a table of up to {_gigabytes(needed)}")

    def try_writing(self) -> None:
        """Complain now if nothing can be written: neither permissions nor free room tell for certain."""
        trial = self.folder / f".try.{os.getpid()}"
        try:
            trial.write_bytes(bytes(TRIAL))
        except OSError as error:
            raise self._unwritable(error) from error
        finally:
            with suppress(OSError):
                trial.unlink(missing_ok=True)

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Be the only one who writes, and clear away what killed runs have left."""
        import fcntl  # noqa: PLC0415  reading needs none, and some systems have none

        try:
            opened = (self.folder / ".lock").open("a")
        except OSError as error:
            raise self._unwritable(error) from error
        with opened as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise TableError(f"{str(self.folder)!r} is being written by another run: expected it to end") from error
            for left in self.folder.glob(".*.*"):
                if left.is_dir():
                    shutil.rmtree(left, ignore_errors=True)
                else:
                    left.unlink(missing_ok=True)
            self._add_sums()
            yield

    def _add_sums(self) -> None:
        """Give subspaces that an earlier version wrote the checksums of their chunks, unless they are damaged."""
        added = {}
        for key, entry in self._entries.items():
            if entry.sums is None:
                with suppress(TableError, OSError):
                    self.read(*key)
                    blocks, size = self.form.shape(key)
                    chunks = range(-(-blocks // blocks_a_chunk(size)))
                    folder = self.folder / name_of(key)
                    added[key] = entry._replace(sums=tuple(_sum_of(folder / chunk_name(number)) for number in chunks))
        if added:
            self._entries |= added
            _write_manifest(self.folder, self.game, self._entries)

    def _array(self, key: Key) -> Any:
        """A subspace as Zarr sees it."""
        if key not in self._arrays:
            self.entry(key)
            try:
                array = zarr.open_array(self.folder / name_of(key), mode="r")
            except (OSError, ValueError, KeyError, TypeError) as error:
                raise self._damaged(key, "its zarr.json cannot be read") from error
            blocks, size = self.form.shape(key)
            layout = (array.shape, array.chunks, str(array.dtype))
            if layout != ((blocks, size), (max(1, min(blocks, blocks_a_chunk(size))), size), "uint8"):
                raise self._damaged(key, f"its array is {layout[0]} of {layout[2]}, not {(blocks, size)} of uint8")
            self._arrays[key] = array
        return self._arrays[key]

    def _read_chunk(self, key: Key, chunk: int) -> memoryview:
        array = self._array(key)
        step = array.chunks[0]
        # Zarr takes a chunk that is not there for one full of 255.
        if not (self.folder / name_of(key) / chunk_name(chunk)).is_file():
            raise self._damaged(key, f"chunk {chunk} is missing")
        rows = self._sound(key, array, chunk * step, min((chunk + 1) * step, array.shape[0]))
        return memoryview(rows.tobytes())

    def _sound(self, key: Key, array: Any, first: int, last: int) -> Bytes:
        """The blocks from one to before another one, of whole chunks; their checksums are compared."""
        step = array.chunks[0]
        try:
            found: Bytes = array[first:last]
        except (OSError, ValueError, RuntimeError) as error:
            if last - first > step:
                for one in range(first, last, step):
                    self._sound(key, array, one, min(one + step, last))
            raise self._damaged(key, f"chunk {first // step} has not the bytes that were written") from error
        return found

    def _damaged(self, key: Key, reason: str) -> DamagedError:
        again = f"expected {name_of(key)!r} there to be deleted and {self.form.command(self.folder, key)} run again"
        return DamagedError(f"{super()._damaged(key, reason)}; {again}")

    def _unwritable(self, error: OSError) -> TableError:
        kept = f"{len(self._entries)} finished subspaces are kept" if self._entries else "nothing is kept"
        expected = "more room" if error.errno == errno.ENOSPC else "a writable folder"
        return TableError(f"{str(self.folder)!r} cannot be written: {error.strerror}; expected {expected}; {kept}")


def _is_there(folder: Path, key: Key) -> bool:
    """Whether a subspace has a folder, as far as one sees from outside."""
    return (folder / name_of(key) / "zarr.json").is_file()


def _form(game: Game) -> Form:
    form = form_of(game)
    if form is None:
        raise TableError(
            f"{game.name!r} has no tables: expected {MILLED}, or a placing game of at most {MOST_POINTS} points"
        )
    return form


def read_manifest(folder: Path) -> tuple[Game, dict[Key, Entry]]:
    """The game of the table in a folder, and what is there of it."""
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text())
    except OSError as error:
        reason = error.strerror if folder.exists() else "there is no such folder"
        raise TableError(f"{str(folder)!r} is no table: {reason}; expected a folder with {MANIFEST}") from error
    except ValueError as error:
        raise TableError(f"{str(path)!r} is not a manifest: expected JSON") from error
    return understand(manifest, str(path))


def _write_manifest(folder: Path, game: Game, entries: dict[Key, Entry]) -> None:
    """A new manifest, instead of the old one in one step."""
    ordered = [key for key in _form(game).order() if key in entries]
    manifest = {
        "format": FORMAT,
        "noughts": __version__,
        "game": game.name,
        "rules": _rules_of(game),
        "most": max((max(key[:2]) for key in ordered), default=0),
        "subspaces": [_said_of(entries[key]) for key in ordered],
    }
    beside = folder / f".{MANIFEST}.{os.getpid()}"
    try:
        beside.write_text(json.dumps(manifest, indent=1) + "\n")
        _force(beside)
        beside.replace(folder / MANIFEST)
        _force(folder)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def _said_of(entry: Entry) -> dict[str, Any]:
    """What the manifest says of a subspace, as JSON."""
    said = {**entry.row._asdict(), "bytes": entry.bytes_on_disk, "sha256": entry.sha256}
    return said if entry.sums is None else {**said, "chunks": list(entry.sums)}


def understand(manifest: Any, where: str) -> tuple[Game, dict[Key, Entry]]:
    """The game and what is there of it, if all that the manifest says fits together."""
    if not isinstance(manifest, dict) or "format" not in manifest:
        raise TableError(f"{where!r} is not a manifest: expected the fields of a table of Noughts")
    if manifest["format"] != FORMAT:
        raise TableError(f"{where!r} has format {manifest['format']!r}: expected {FORMAT}")
    try:
        game = find_game(str(manifest["game"]))
        _form(game)
        if manifest["rules"] != _rules_of(game):
            raise TableError(f"{where!r} has other rules than {game.name}: expected {json.dumps(_rules_of(game))}")
        entries = [_read_entry(game, dict(said), where) for said in manifest["subspaces"]]
    except UnknownGameError as error:
        raise TableError(f"{where!r} names a game that is none: {error}") from error
    except KeyError as error:
        raise TableError(f"{where!r} lacks the field {error}") from error
    except (TypeError, AttributeError) as error:
        raise TableError(f"{where!r} is not a manifest: expected a list of subspaces with their counts") from error
    return game, dict(entries)


def _read_entry(game: Game, said: dict[str, Any], where: str) -> tuple[Key, Entry]:
    form = _form(game)
    names = {name_of(key): key for key in form.order()}
    if said["name"] not in names:
        raise TableError(f"{where!r} names {said['name']!r}, which is no subspace of {game.name}")
    key = names[said["name"]]
    row = Subspace(**{field: said[field] for field in Subspace._fields})
    for field, value in row._asdict().items():
        sort = str if field == "name" else int | float | None if field in MAY_LACK else int
        if not isinstance(value, sort):
            raise TableError(f"{where!r} gives {row.name} {field} {str(value)[:40]!r}: expected a number")
    if row.slots != form.ways(key):
        raise TableError(f"{where!r} gives {row.name} {row.slots!r} slots: expected {form.ways(key)}")
    if row.positions != row.wins + row.losses + row.draws:
        raise TableError(f"{where!r} gives {row.name} {row.positions!r} positions: expected wins + losses + draws")
    sums = tuple(said["chunks"]) if "chunks" in said else None
    blocks, size = form.shape(key)
    chunks = -(-blocks // blocks_a_chunk(size))
    if sums is not None and (
        len(sums) != chunks or not all(isinstance(one, str) and SUM.fullmatch(one) for one in sums)
    ):
        raise TableError(f"{where!r} gives {row.name} checksums that are none: expected {chunks} SHA-256 in hex digits")
    return key, Entry(row, int(said["bytes"]), str(said["sha256"]), sums)


def _rules_of(game: Game) -> dict[str, Any]:
    """The rules as JSON gives them back."""
    rules: dict[str, Any] = json.loads(json.dumps(asdict(game.rules)))
    return rules


def _force(path: Path) -> None:
    """Wait until a file or folder is on the disk."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def blocks_a_chunk(size: int) -> int:
    """How many blocks of so many bytes a chunk holds; the last one is filled up with draws."""
    return max(1, CHUNK // size)


def chunk_name(number: int) -> str:
    """The file of a chunk in the folder of its subspace."""
    return f"c.{number}.0"


def _sum_of(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def _write_array(
    folder: Path, shape: tuple[int, int], part: Callable[[int, int], Bytes]
) -> tuple[str, tuple[str, ...]]:
    """A new array, every chunk of it, forced to the disk; its SHA-256, and those of the chunks' files."""
    blocks, size = shape
    rows = max(1, min(blocks, blocks_a_chunk(size)))
    array = zarr.create_array(
        folder,
        shape=shape,
        chunks=(rows, size),
        dtype="uint8",
        compressors=[ZstdCodec(level=LEVEL), Crc32cCodec()],
        fill_value=255,
        chunk_key_encoding={"name": "default", "separator": "."},
        config={"write_empty_chunks": True},
    )
    starts = range(0, blocks, rows)

    def bytes_of(first: int) -> Bytes:
        return part(first * size, min(first + rows, blocks) * size)

    def write(first: int) -> str:
        array[first : first + rows] = bytes_of(first).reshape(-1, size)
        return _sum_of(folder / chunk_name(first // rows))

    def digest() -> str:
        found = sha256()
        for first in starts:
            found.update(bytes_of(first).data)
        return found.hexdigest()

    # A chunk a call: if one fails, Zarr does not wait for those that it was given along with it, but the pool does.
    pool = ThreadPoolExecutor(WRITERS)
    try:
        found = pool.submit(digest)
        sums = tuple(pool.map(write, starts))
        sha = found.result()
    finally:
        # Whatever went wrong, or Ctrl-C: the chunks that are being written are waited for, the others are not begun.
        pool.shutdown(cancel_futures=True)
    for path in [*folder.iterdir(), folder]:
        _force(path)
    return sha, sums


def _gigabytes(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= GB else f"{count / 1e6:.1f} MB"
