"""The commands about this machine: what is installed beside Noughts, and how fast it is."""

import platform
import shutil
from importlib import metadata
from typing import Annotated, Any, NamedTuple

import typer
from rich.text import Text

from noughts.cli.arguments import Json
from noughts.cli.output import emit, note, print_columns, progress_bar
from noughts.extras import PACKAGES, MissingToolError, how_to_install
from noughts.games import NoughtsError
from noughts.solve.chunk_cache import users_cache
from noughts.solve.tables import table_address, tables_folder

__all__ = ["Part", "bench", "doctor", "examine"]


class Part(NamedTuple):
    """A library, a program or a device."""

    name: str
    found: str | None
    """Its version or place; None if it is not here."""
    unlocks: str
    extra: str | None = None
    """The extra of Noughts that brings it."""
    install: str | None = None
    """The command that brings it, where there is one."""


class Program(NamedTuple):
    """A program that no extra brings."""

    unlocks: str
    debian: str = ""
    """The packages of Debian that do."""


PROGRAMS = {
    "nvidia-smi": Program("an NVIDIA GPU and its driver"),
    "c++": Program("with verilator: compiled chips", "g++"),
    "iverilog": Program("a third simulator for the chips' traces", "iverilog"),
    "magic": Program(
        "layouts: `noughts silicon layout`", "graywolf qrouter magic netgen-lvs qflow qflow-tech-osu035 opensta"
    ),
    "sta": Program("timing in standard cells of 0.35 µm", "opensta qflow-tech-osu035"),
}


def examine() -> list[Part]:
    """Look for everything optional."""
    parts = [
        Part("python", platform.python_version(), "everything"),
        Part("numpy", _version("numpy"), "values of all solved games"),
    ]
    for name, _, extra, unlocks in PACKAGES:
        parts.append(Part(name, _version(name), unlocks, extra, how_to_install(extra)))
    for name, program in PROGRAMS.items():
        install = f"apt-get install {program.debian}" if program.debian else None
        parts.append(Part(name, shutil.which(name), program.unlocks, None, install))
    parts.append(Part("tables", _tables(), "values of large games, from this disk or from a server"))
    return parts


def _tables() -> str | None:
    """Where tables come from: the folder, if it is there, and the server, if one is named; the server is not asked."""
    folder, address = tables_folder(), table_address()
    places = [str(folder)] if folder.is_dir() else []
    if address is not None:
        cache = users_cache()
        places.append(f"{address} (not asked now; kept in {cache.folder}, up to {cache.most / 1e6:.0f} MB)")
    return ", then ".join(places) or None


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def doctor(json: Json = False) -> None:
    """Say which optional tools and devices are here, what each would add, and how to install what is missing.

    For example: noughts doctor
    """
    found = examine()
    if json:
        emit([part._asdict() for part in found])
        return
    marks = {True: Text("yes", "green"), False: Text("no", "dim")}
    rows = [
        (marks[part.found is not None], part.name, part.extra or "", part.found or "", part.unlocks) for part in found
    ]
    print_columns(
        ("here", "part", "extra", "version or place", "unlocks"), rows, name="part", fold=("version or place",)
    )
    missing: dict[str, list[str]] = {}
    for part in found:
        if part.found is None and part.install is not None:
            missing.setdefault(part.install, []).append(part.name)
    if missing:
        print()
        print_columns(("to install", "command"), [(", ".join(names), command) for command, names in missing.items()])


def bench(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="Which; else all.")] = None,
    full: Annotated[
        bool, typer.Option("--full", help="At length, as the documents quote it: engine, line220.")
    ] = False,
    json: Json = False,
) -> None:
    """Run the measurements that the documents quote, side by side with peers where they are installed.

    For example: noughts bench solve
    """
    from noughts.bench import AT_LENGTH, BENCHES  # noqa: PLC0415  most commands measure nothing

    for name in names or []:
        if name not in BENCHES:
            raise NoughtsError(f"{name!r} is not a benchmark: expected {', '.join(BENCHES)}")
        if full and name not in AT_LENGTH:
            raise NoughtsError(f"{name!r} has no longer form: expected --full with {', '.join(AT_LENGTH)}")
    benches = {**BENCHES, **AT_LENGTH} if full else BENCHES
    answers: dict[str, list[dict[str, Any]]] = {}
    try:
        for name in names or list(BENCHES):
            rows: list[dict[str, Any]] = []
            try:
                with progress_bar(f"measuring {name}") as progress:
                    rows += benches[name](progress)
            except MissingToolError as error:
                if names:
                    raise
                note(f"skipped: {error}")
            finally:
                # After Ctrl-C, too: what was measured until then.
                if rows:
                    answers[name] = rows
                    if not json:
                        _print_bench(name, rows)
    finally:
        if json and answers:
            emit(answers)


def _print_bench(name: str, rows: list[dict[str, Any]]) -> None:
    print(f"bench {name}")
    cells = [
        [f"{cell:,}" if isinstance(cell, int) else str("" if cell is None else cell) for cell in row.values()]
        for row in rows
    ]
    right = [head for head, cell in rows[0].items() if not isinstance(cell, str)]
    print_columns(list(rows[0]), cells, right=right, fold=right)
