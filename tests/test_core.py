"""With the core alone, everything works that needs no compiler, and all else says which extra it needs."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
CORE = tomllib.loads((HERE.parent / "pyproject.toml").read_text())["project"]["dependencies"]

WORKS = {
    "games": "nine-mens-morris",
    "games achi": "African millwheel",
    "players": "elements2021",
    "doctor": "pip install 'noughts[engine]'",
    "learn qubic": "noughts play qubic",
    "value tictactoe": "draw in 9",
    "value square4 --json": '"remoteness": 16',
    "value achi": "win in 11",
    "value nine-mens-morris": "draw",
    "move tictactoe X../.../... --player perfect": "b2",
    "move tictactoe .../.../... --player casual --seed 1": "casual plays",
    "transcript chip1990 4": "unfinished",
    "transcript basic3 1,1": "unfinished",
    "watch tictactoe XO./.X./O..": "Done",
    "watch achi": "5,400 positions",
    "review square4 a1 b2 a2": "0 mistakes",
    "puzzle qubic --number 3 --json": '"solution"',
    "solve achi --check": "win in 11",
    "match tictactoe elements2021 chip1990 --games 2": "drawn 2",
    "tournament square4 --games 1": "basic1",
    "silicon list": "elements2021:pruning=yes",
    "silicon check logic-C --spec C": "8 gates",
    "knuth classes": "classes after 9 moves",
    "play tictactoe --x chip1990 --o c1990": "Goodbye",
    "play --x casual --o perfect": "Goodbye",
    "play qubic --o basic3": "Goodbye",
}
"""Commands that work, and something that they say."""

NEEDS = {
    "value qubic": "engine",
    "value mnk:7,7,5": "engine",
    "value lasker-morris:flying=no": "engine",
    "move square4 ..../..../..../.... --player casual": "engine",
    "play nine-mens-morris --o level1": "engine",
    "play qubic": "engine",
    "match qubic perfect random": "engine",
    "tournament square4 random casual": "engine",
    "match six-mens-morris expert random": "engine",
    "move square4 ..../..../..../.... --player knuth": "engine",
    "match qubic novice random --games 1": "engine",
    "review qubic 1a1 1a2": "engine",
    "knuth position ..../..../..../.... --game square4": "engine",
    "beat basic2": "engine",
    "prove qubic": "engine",
    "check": "engine",
    "bench lookahead": "engine",
    "bench live": "web",
    "solve six-mens-morris": "tables",
    f"check {HERE}": "tables",
    "data tictactoe --out positions.parquet": "data",
    "data tictactoe --out positions.zarr": "tables",
    "web": "web",
    "tournament tictactoe random novice --games 1 --save": "web",
    "silicon pins chip1990": "silicon",
    "silicon trace chip1990": "silicon",
    "silicon prove win": "silicon",
    "play --rtl --o chip1990": "silicon",
    "bench silicon": "silicon",
}
"""Commands that do not, and the extra that they name."""

PYTHON_WORKS = [
    "import noughts; assert str(noughts.board('tictactoe').play('b2').value()) == 'draw in 8'",
    "import noughts; assert noughts.board('square4').best()",
    "from noughts.solve import knowledge; from noughts.games import game; assert knowledge(game('qubic')).extent",
    "from noughts.silicon.designs import DESIGNS; assert 'chip1990' in DESIGNS",
    "from noughts.insight.lessons import lessons",
    "import inspect, noughts; assert dict(inspect.getmembers(noughts))['rl']",  # as help(noughts) does
    "import noughts.rl; assert noughts.rl.optimal_actions('tictactoe', 'X../.../...') == (4,)",
    "import noughts.rl; assert noughts.rl.Judge('tictactoe')",
]
PYTHON_NEEDS = {
    "import noughts; noughts.board('qubic').value()": "engine",
    "import noughts; noughts.board('square4').choose(noughts.player('casual', seed=1))": "engine",
    "import noughts.rl; noughts.rl.env('tictactoe')": "rl",
    "import noughts.rl; noughts.rl.single('tictactoe')": "rl",
    "import noughts.rl; noughts.rl.Batch('tictactoe', 2)": "engine",
    "import noughts.records": "web",
    "import noughts.web.app": "web",
}

Answer = dict[str, Any]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Answer]:
    """What a Python that has the core alone answers to each of the commands and lines above."""
    commands, lines = [*WORKS, *NEEDS], [*PYTHON_WORKS, *PYTHON_NEEDS]
    core = [re.split(r"[^\w-]", requirement)[0] for requirement in CORE]
    work = {"core": core, "questions": [command.split() for command in commands] + lines}
    run = subprocess.run(
        [sys.executable, HERE / "core_only.py"],
        input=json.dumps(work),
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path_factory.mktemp("core"),
        env={**os.environ, "COLUMNS": "100", "NOUGHTS_TABLES": str(HERE)},
    )
    return dict(zip(commands + lines, json.loads(run.stdout), strict=True))


@pytest.mark.parametrize("command", WORKS)
def test_the_core_is_enough_for(answers: dict[str, Answer], command: str) -> None:
    found = answers[command]
    assert (found["code"], "Traceback" in found["err"]) == (0, False), found["err"]
    assert WORKS[command] in found["out"]


@pytest.mark.parametrize("command", NEEDS)
def test_one_line_names_the_extra_for(answers: dict[str, Answer], command: str) -> None:
    found = answers[command]
    assert found["code"] == 2
    assert found["err"].count("\n") == 1
    assert re.fullmatch(
        rf"noughts: \S.* needs \S+, which is not installed: pip install 'noughts\[{NEEDS[command]}\]'\n", found["err"]
    )


@pytest.mark.parametrize("line", PYTHON_WORKS)
def test_the_core_is_enough_in_python_for(answers: dict[str, Answer], line: str) -> None:
    assert answers[line]["err"] == ""


@pytest.mark.parametrize("line", PYTHON_NEEDS)
def test_an_error_names_the_extra_in_python_for(answers: dict[str, Answer], line: str) -> None:
    said = answers[line]["err"]
    assert said.startswith("noughts.extras.MissingExtraError: ")
    assert said.endswith(f"which is not installed: pip install 'noughts[{PYTHON_NEEDS[line]}]'\n")
