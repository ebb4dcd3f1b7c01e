"""Chunks of tables that came over the network, kept on this machine's disk up to so many bytes.

A file is called by the SHA-256 of what is in it (content-addressed). So the same chunk from two servers is one file, no
server can put its bytes under the name of another's, and a file that was damaged on the disk is found out when it is
read. It is written beside and renamed, which is atomic: whoever reads meanwhile sees all of it or nothing.

When there are too many bytes, the least recently used (LRU) go: a file's time of modification is set when it is read.
A process adds up the folder when it first writes, and again whenever it has written a sixteenth of the bound; it then
leaves room for as much. So one process never goes beyond the bound, and each further one that writes at the same time
at most by a sixteenth.

The cache is a convenience. Where the disk is full or the folder cannot be written, chunks are fetched again.
"""

import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from threading import Lock, get_ident

from noughts.games import NoughtsError

__all__ = ["VARIABLE", "ChunkCache", "users_cache"]

VARIABLE = "NOUGHTS_TABLES_CACHE"
MEGABYTES = 1000
"""Kept unless the variable says otherwise."""
SHARE = 16
"""The part of the bound that is written before the folder is added up again."""
BLOCK = 4096
"""What the smallest file takes on most disks."""


class ChunkCache:
    """A folder of chunks, at most so many bytes of them."""

    def __init__(self, folder: Path, most: int) -> None:
        self.folder = folder
        self.most = most
        self._lock = Lock()
        self._room = 0
        """Bytes that may be written before the folder is added up again."""

    def get(self, digest: str, most: int) -> bytes | None:
        """The chunk with this SHA-256, if it is there and whole; of a file no more than `most` bytes are read."""
        path = self.folder / digest
        try:
            with path.open("rb") as file:
                content = file.read(most + 1)
        except OSError:
            return None
        with suppress(OSError):
            if sha256(content).hexdigest() == digest:
                os.utime(path)
                return content
            path.unlink()
        return None

    def put(self, digest: str, content: bytes) -> None:
        """Keep a chunk, whose SHA-256 the caller has compared; where that is not possible, do nothing."""
        size = _taken(len(content))
        if size > self.most // SHARE:
            return
        beside = self.folder / f".{digest}.{os.getpid()}.{get_ident()}"
        with self._lock, suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            if self._room < size:
                self._make_room()
            try:
                beside.write_bytes(content)
                beside.replace(self.folder / digest)
                self._room -= size
            finally:
                beside.unlink(missing_ok=True)

    def _make_room(self) -> None:
        """Delete what was used longest ago until a sixteenth is free. What killed processes left over goes with it."""
        files = []
        for entry in os.scandir(self.folder):
            with suppress(OSError):  # another process has deleted it
                found = entry.stat(follow_symlinks=False)
                files.append((found.st_mtime_ns, _taken(found.st_size), entry.path))
        self._room = self.most // SHARE
        taken = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if taken + self._room <= self.most:
                break
            with suppress(OSError):
                Path(path).unlink()
            taken -= size


def _taken(size: int) -> int:
    """What a file takes on the disk."""
    return -(-size // BLOCK) * BLOCK


def users_cache() -> ChunkCache:
    """The cache of this user: `noughts/tables` in XDG_CACHE_HOME, else in ~/.cache; as large as the variable says."""
    said = os.environ.get(VARIABLE) or str(MEGABYTES)
    if not (said.isascii() and said.isdigit()) or len(said) > 9:
        raise NoughtsError(f"{VARIABLE} is {said!r}: expected how many megabytes to keep, as {MEGABYTES}; 0 for none")
    chosen = Path(os.environ.get("XDG_CACHE_HOME", ""))
    try:
        folder = chosen if chosen.is_absolute() else Path.home() / ".cache"
    except RuntimeError:  # there is no home folder
        return ChunkCache(Path(), 0)
    return ChunkCache(folder / "noughts" / "tables", int(said) * 1_000_000)
