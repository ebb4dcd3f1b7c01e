"""The wheel, installed with nothing but the core into a new virtual environment, does what it promises."""

import os
import subprocess
import sys
import venv
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZipFile

import pytest

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[1]
USER_SCRIPT = """
import noughts

board = noughts.board("tictactoe").play("b2", "a1")
moves: list[str] = board.best()
print(board.value(), len(moves), noughts.player("casual", seed=1).name)
reveal_type(board)
number: int = board.write()
"""
"""Of a person who checks types; its last line is wrong."""


def run(*command: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program that knows nothing of this checkout."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        command, check=False, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )


def pip(folder: Path, *arguments: str | Path) -> None:
    done = run(sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments, folder=folder)
    if "No matching distribution" in done.stderr or "ConnectionError" in done.stderr:
        pytest.skip("there is no package index here")
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    # Where the builder is installed, it need not be installed once more, for the wheel alone.
    alone = [] if find_spec("hatchling") is None else ["--no-build-isolation"]
    pip(folder, "wheel", "--no-deps", *alone, "--wheel-dir", folder, PROJECT)
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def programs(wheel: Path) -> Path:
    """Where the programs of the new environment are."""
    folder = wheel.parent / "new"
    venv.create(folder)
    pip(wheel.parent, "--python", folder / "bin" / "python", "install", "--no-compile", wheel)
    return folder / "bin"


def test_the_wheel_holds_the_package_its_data_and_the_mark_of_types(wheel: Path) -> None:
    names = set(ZipFile(wheel).namelist())
    assert {"noughts/py.typed", "noughts/players/skills.json", "noughts/web/templates/base.html"} <= names
    assert not [name for name in names if name.startswith(("tests", "docs")) or name.endswith(".pyc")]


def test_the_core_brings_no_compiler_and_no_server(programs: Path) -> None:
    code = "import importlib.metadata as m; print(*(d.name.lower() for d in m.distributions()))"
    brought = set(run(programs / "python", "-c", code, folder=programs).stdout.split())
    assert {"noughts", "numpy", "typer", "rich"} <= brought
    assert not {"numba", "llvmlite", "fastapi", "sqlalchemy", "zarr", "amaranth"} & brought
    assert len(brought) < 20


def test_it_plays_solves_answers_and_names_what_is_missing(programs: Path) -> None:
    played = run(programs / "noughts", "play", "--x", "casual", "--o", "perfect", "--seed", "1", folder=programs)
    assert (played.returncode, played.stderr) == (0, "")
    assert "draw in 9" in run(programs / "noughts", "solve", "tictactoe", folder=programs).stdout
    code = "import noughts; print(noughts.board('achi').value())"
    assert run(programs / "python", "-c", code, folder=programs).stdout == "win in 11\n"
    lacking = run(programs / "noughts", "value", "qubic", folder=programs)
    assert lacking.returncode == 2
    assert lacking.stderr.endswith("needs numba, which is not installed: pip install 'noughts[engine]'\n")


def test_a_typed_script_finds_the_types(programs: Path, tmp_path: Path) -> None:
    script = tmp_path / "mine.py"
    script.write_text(USER_SCRIPT)
    checker = (sys.executable, "-m", "mypy", "--strict", "--python-executable", programs / "python")
    done = run(*checker, "--cache-dir", tmp_path, script, folder=tmp_path)
    assert 'Revealed type is "noughts.library.board.Board"' in done.stdout
    assert 'error: Incompatible types in assignment (expression has type "str", variable has type "int")' in done.stdout
    assert "Found 1 error in 1 file" in done.stdout
