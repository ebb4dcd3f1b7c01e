"""A table on a web server, read chunk by chunk: what one answer needs, not gigabytes.

The server offers the folder of a table as it lies on a disk (`noughts.solve.store`); any that serves files will do. The
manifest is fetched once and read as what a stranger sends. It names the SHA-256 of every chunk's file, and no byte of a
chunk is used, or kept on the disk (`noughts.solve.chunk_cache`), before its SHA-256 is that. The `zarr.json` of the
server is not asked for: how a chunk is laid out, the form of the game's subspaces says, and it is unpacked into as many
bytes as belong there, whatever its head says.

So a server that is broken, slow, gone or changed in between gives an error of one line, and never a value. A server can
still lie from beginning to end, in its manifest and in its chunks: only `noughts check`, on the whole table, shows that
values follow from one another. Whose tables one reads is whom one trusts.
"""

import json
from contextlib import suppress
from hashlib import sha256
from urllib.parse import quote

from numcodecs import zstd

from noughts.games import Game
from noughts.solve.chunk_cache import ChunkCache
from noughts.solve.store import MANIFEST, Entry, Reader, TableError, blocks_a_chunk, chunk_name, understand
from noughts.solve.subspaces import Key, name_of
from noughts.solve.web_folder import WebFolder

__all__ = ["RemoteTable"]

MOST_MANIFEST = 32 << 20
"""Bytes; the 16,000 chunks of 5×5 take one million."""
CRC = 4
"""Bytes of the checksum that Zarr puts after a chunk. A SHA-256 has been compared: this one tells nothing more."""
MAGIC = bytes.fromhex("28b52ffd")
"""How a frame of zstd begins."""


class RemoteTable(Reader):
    """A table on a server."""

    def __init__(self, folder: WebFolder, path: str, game: Game, entries: dict[Key, Entry], cache: ChunkCache) -> None:
        super().__init__(f"{folder.address}/{path}", game, entries)
        self.stale = False
        """Whether the server gave what its manifest does not say: the table has to be opened again."""
        self._folder = folder
        self._path = path
        self._cache = cache

    @classmethod
    def open(cls, folder: WebFolder, game: Game, cache: ChunkCache) -> "RemoteTable | None":
        """The table of a game in a folder of tables; None if the server has none.

        Raises:
            WebFolderError: The server does not answer, or what it sends is no manifest of this game.
        """
        path = quote(game.name, safe="")
        where = f"{folder.address}/{path}/{MANIFEST}"
        content = folder.read(f"{path}/{MANIFEST}", MOST_MANIFEST, "the manifest of a table")
        if content is None:
            return None
        try:
            found, entries = understand(json.loads(content), where)
        except TableError as error:
            raise folder.failure(str(error)) from error
        except (ValueError, RecursionError) as error:
            raise folder.failure(f"{where!r} is not a manifest: expected JSON") from error
        if found != game:
            raise folder.failure(f"{where!r} is of a table of {found.name}: expected one of {game.name}")
        for key, entry in entries.items():
            if entry.sums is None:
                lacks = f"{where!r} has no checksums of the chunks of {name_of(key)}"
                raise folder.failure(f"{lacks}: expected its owner to have run noughts solve {game.name} --out again")
        return cls(folder, path, game, entries, cache)

    def how_to_make(self, key: Key) -> str:
        """What is expected where a subspace is missing."""
        return f"expected {name_of(key)} in its {MANIFEST}"

    def _read_chunk(self, key: Key, chunk: int) -> memoryview:
        digest = (self.entry(key).sums or ())[chunk]
        blocks, size = self.form.shape(key)
        length = size * min(blocks, blocks_a_chunk(size))
        most = length + (length >> 7) + 1024
        kept = self._cache.get(digest, most)
        content = self._fetch(key, chunk, digest, most) if kept is None else kept
        unpacked = _unpacked(content, length)
        if unpacked is None:
            raise self._broken(key, f"chunk {chunk} is not {length} bytes compressed with zstd")
        if kept is None:
            self._cache.put(digest, content)
        return memoryview(unpacked)

    def _fetch(self, key: Key, chunk: int, digest: str, most: int) -> bytes:
        """A chunk's file, with the SHA-256 of the manifest."""
        path = f"{self._path}/{quote(name_of(key), safe='')}/{chunk_name(chunk)}"
        content = self._folder.read(path, most, f"chunk {chunk} of subspace {name_of(key)}")
        if content is None:
            raise self._broken(key, f"chunk {chunk} is missing, which its {MANIFEST} names")
        if sha256(content).hexdigest() != digest:
            raise self._broken(key, f"chunk {chunk} has not the SHA-256 of the manifest; expected {digest}")
        return content

    def _broken(self, key: Key, reason: str) -> Exception:
        self.stale = True
        return self._folder.failure(str(self._damaged(key, reason)))


def _unpacked(content: bytes, length: int) -> bytes | None:
    """So many bytes out of a chunk's file; None if it holds anything else.

    The length that the frame states is compared first: unpacked into more room than that, the rest would read as zeros.
    """
    frame = content[:-CRC]
    if _stated_length(frame) != length:
        return None
    with suppress(RuntimeError, ValueError):
        return bytes(zstd.decompress(frame, bytearray(length)))
    return None


def _stated_length(frame: bytes) -> int | None:
    """How many bytes a frame of zstd says it holds (RFC 8878, 3.1.1.1); None if it does not say, or is none."""
    if frame[:4] != MAGIC or len(frame) < 5:
        return None
    descriptor = frame[4]
    single, form = descriptor >> 5 & 1, descriptor >> 6
    if form == 0 and not single:
        return None
    start = 5 + (1 - single) + (0, 1, 2, 4)[descriptor & 3]
    return int.from_bytes(frame[start : start + (1 << form)], "little") + (256 if form == 1 else 0)
