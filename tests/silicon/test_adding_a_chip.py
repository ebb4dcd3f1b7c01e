"""A new chip is one folder and one line: added to a copy of the package, it is known to every command and page."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.silicon.designs import PACKAGES

pytestmark = pytest.mark.slow

PACKAGE = Path(noughts.__file__).parent
CHIP = Path(__file__).parent / "first_free"
LAST_LINE = f'    "{PACKAGES[-1]}",\n'
"""The last line of the catalogue."""

VISIT = """
import json, sys, time
from starlette.testclient import TestClient
from noughts.web.app import Settings, create_app
answers = []
settings = Settings(database_url=f"sqlite:///{sys.argv[1]}/games.db", names=("testserver",))
with TestClient(create_app(settings)) as client:
    for path in sys.argv[2:]:
        # A chip without a recording is compiled first; until then the page says so.
        while (answer := client.get(path)).status_code == 503:
            time.sleep(0.5)
        answers.append(answer)
print(json.dumps([[answer.status_code, answer.text] for answer in answers]))
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package, with the chip's folder and its line in the catalogue."""
    root = tmp_path_factory.mktemp("house")
    shutil.copytree(PACKAGE, root / "noughts", ignore=shutil.ignore_patterns("__pycache__"))
    designs = root / "noughts" / "silicon" / "designs"
    shutil.copytree(CHIP, designs / "first_free", ignore=shutil.ignore_patterns("__pycache__"))
    catalogue = (designs / "__init__.py").read_text()
    assert catalogue.count(LAST_LINE) == 1
    (designs / "__init__.py").write_text(catalogue.replace(LAST_LINE, f'{LAST_LINE}    "first_free",\n'))
    return root


def python(house: Path, *arguments: str) -> str:
    """What a new Python says that finds the copy."""
    run = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": str(house)},
        capture_output=True,
        text=True,
        check=False,
        cwd=house,
    )
    assert run.returncode in (0, 1), run.stderr
    return run.stdout


def silicon(house: Path, *arguments: str) -> Any:
    """The answer of a command `noughts silicon … --json`."""
    return json.loads(python(house, "-m", "noughts", "silicon", *arguments, "--json"))


def test_it_is_not_in_the_catalogue_before() -> None:
    assert "first-free" not in {row["design"] for row in silicon(PACKAGE.parent, "list")}


def test_it_is_listed(house: Path) -> None:
    row = {"design": "first-free", "year": 2026, "about": "answers with the first free place"}
    assert row in silicon(house, "list")


def test_it_runs(house: Path) -> None:
    """The user on b2 and a2, the chip on a1 and b1."""
    found = silicon(house, "trace", "first-free", "b2", "a2", "--simulator", "amaranth")
    assert found["rows"][-1]["board"] == f"{0b10 << 8 | 0b10 << 6 | 0b01 << 2 | 0b01:018b}"
    assert found["rows"][-1]["state"] == "wait"
    assert {row["state"] for row in found["rows"]} == {"wait", "judge_user", "move", "judge_chip"}


def test_it_is_written_as_verilog(house: Path) -> None:
    text = python(house, "-m", "noughts", "silicon", "verilog", "first-free")
    assert "module first_free (" in text
    assert text.count("\nendmodule") == 6


def test_every_game_with_it_is_played(house: Path) -> None:
    """It loses some, since it does not look; what it shows is true in every one."""
    found = silicon(house, "check", "first-free")
    assert found["games"] == found["wins"] + found["draws"] + found["losses"]
    assert found["losses"] > 0
    assert found["slowest_cycles"] == 3


def test_every_game_on_another_board_is_played(house: Path) -> None:
    """What it answers is said in the points of that board; the walk goes through every state once, and counts games."""
    found = silicon(house, "check", "first-free:game=mnk:4,3,3")
    assert found["games"] == 13_574 == found["wins"] + found["draws"] + found["losses"]
    assert [row["opening"] for row in found["openings"]] == [f"{column}{row}" for row in "123" for column in "abcd"]


def test_moves_on_another_board_are_traced_and_refused_in_its_own_points(house: Path) -> None:
    found = silicon(house, "trace", "first-free:game=mnk:4,3,3", "d3", "--simulator", "amaranth")
    assert found["rows"][-1]["board"] == f"{0b10 << 22 | 0b01:024b}"
    run = [sys.executable, "-m", "noughts", "silicon", "trace", "first-free:game=mnk:4,3,3", "e1"]
    refused = subprocess.run(
        run, env={**os.environ, "PYTHONPATH": str(house)}, capture_output=True, text=True, check=False
    )
    assert refused.returncode == 2
    assert refused.stderr == "noughts: 'e1' is not a place: expected a1 to d3, or 0 to 11\n"


def test_its_gates_are_counted(house: Path) -> None:
    """18 bits of the board, three of the state, one that knows whether a game has just begun."""
    assert silicon(house, "gates", "first-free")["flip_flops"] == 18 + 3 + 1


def test_it_has_its_pages(house: Path, tmp_path: Path) -> None:
    paths = ["/silicon", "/silicon/first-free", "/silicon/first-free.svg", "/silicon/first-free/states.svg"]
    index, page, waves, states = json.loads(python(house, "-c", VISIT, str(tmp_path), *paths))
    assert [answer[0] for answer in (index, page, waves, states)] == [200] * 4
    assert 'href="/silicon/first-free"' in index[1]
    assert "The first free place" in page[1]
    assert "Two moves." in page[1]
    assert ">judge_user<" in states[1]
    assert 'data-name="board"' in waves[1]
