"""The tools that the flow stands on: what went wrong in one, and where what they made is kept.

Compiling, synthesis, place and route take seconds to minutes, and give the same again. So their results are kept in
the user's cache folder, by the checksum of all they are made from, the versions of the tools included: whoever asks for
the same, a command, a server or a test, finds what another has made. All of it can be deleted at any time.
"""

import gzip
import hashlib
import os
import subprocess
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path

from noughts.extras import need
from noughts.games import NoughtsError

__all__ = [
    "CacheError",
    "ToolError",
    "cache_folder",
    "checksum",
    "once",
    "remembered",
    "run_without_a_screen",
]


class ToolError(NoughtsError):
    """A tool that ended with an error of its own."""


class CacheError(ToolError):
    """A cache folder in which nothing can be kept."""


_EXPECTED = "expected a writable cache, set XDG_CACHE_HOME"


def cache_folder(purpose: str) -> Path:
    """Where results are kept: noughts/silicon in XDG_CACHE_HOME, else in ~/.cache; it is made if it is not there."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "noughts" / "silicon"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = f"{str(folder)!r} cannot be made: {error.strerror}"
        raise CacheError(f"{purpose}: {reason}; {_EXPECTED}") from error
    return folder


def checksum(*parts: str) -> str:
    """A name for what is made from these parts and from nothing else."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def once(result: Path, make: Callable[[Path], None]) -> Path:
    """Make a file unless it is there; `make` writes it beside and renames it, which is atomic.

    Of several processes that want it at once, one makes it and the others wait for its lock: no stampede. The lock only
    saves work. That a file which is there is whole does not depend on it, but on the renaming; and if whoever holds the
    lock dies, the system gives it back.
    """
    from filelock import FileLock  # noqa: PLC0415

    if not result.exists():
        lock = FileLock(f"{result}.lock")
        try:
            lock.acquire()
        except OSError as error:
            raise CacheError(f"{str(result.parent)!r} cannot be written: {error.strerror}; {_EXPECTED}") from error
        try:
            if not result.exists():
                make(result)
        finally:
            lock.release()
    return result


def remembered(package: str, purpose: str, parts: tuple[str, ...], make: Callable[[], str]) -> str:
    """What the tool of a package makes of these parts, or has made of them before.

    The cache only saves work: where nothing can be kept, or what was kept cannot be read, it is made anew.
    """
    need(package, purpose)
    made: list[str] = []

    def keep(result: Path) -> None:
        made.append(make())
        beside = result.with_name(f"{result.name}.{os.getpid()}")
        try:
            beside.write_bytes(gzip.compress(made[0].encode(), mtime=0))
            beside.replace(result)
        finally:
            beside.unlink(missing_ok=True)

    try:
        file = cache_folder(purpose) / f"{package}-{checksum(version(package.replace('_', '-')), *parts)}.gz"
        kept = gzip.decompress(once(file, keep).read_bytes()).decode()
    except (CacheError, OSError, EOFError):
        kept = ""
    # An empty file is a valid gzip of nothing, and no tool makes nothing.
    return kept or (made[0] if made else make())


def run_without_a_screen(
    command: Sequence[str], folder: Path, limit_s: int, who: str, environment: dict[str, str] | None = None
) -> tuple[int, str]:
    """Run a tool that would open a window if it found a screen; it says what it says in English.

    Args:
        command: The program and its options.
        folder: Where it runs.
        limit_s: After how many seconds it is ended.
        who: The tool, as the subject of a sentence.
        environment: More variables for it.

    Returns:
        Its exit code, and all that it said.

    Raises:
        ToolError: If it was ended.
        OSError: If it cannot be run.
    """
    kept = {key: value for key, value in os.environ.items() if key != "DISPLAY"}
    try:
        run = subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=limit_s,
            check=False,
            env={**kept, "LC_ALL": "C", **(environment or {})},
        )
    except subprocess.TimeoutExpired:
        raise ToolError(f"{who} was ended after {limit_s:,} s: expected a layout sooner") from None
    return run.returncode, run.stdout.decode(errors="replace")
