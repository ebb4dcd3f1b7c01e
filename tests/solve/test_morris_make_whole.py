"""Whole games solved in one memory: docs/make_morris_whole.py, on the processor and in the simulator of a GPU."""

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from noughts.games import game
from noughts.solve.book import shipped_book

pytestmark = pytest.mark.slow

DOCS = Path(__file__).parents[2] / "docs"
FIVE = "five-mens-morris"

ALONE = f"""
import runpy, sys
sys.modules["zarr"] = sys.modules["typer"] = None
sys.path.insert(0, {str(DOCS)!r})
runpy.run_path({str(DOCS / "make_morris_whole.py")!r}, run_name="__main__")
"""
"""Runs the script where neither Zarr nor Typer is."""

SIMULATED = f"""
import runpy, sys
from dataclasses import replace
from pathlib import Path
sys.modules["zarr"] = sys.modules["typer"] = None
sys.path.insert(0, {str(DOCS)!r})
from noughts.games import Game, game
from noughts.games.layout import nested_squares
from noughts.solve.morris import gpu

gpu.THREADS, gpu.STRETCH, gpu.COUNTERS = 8, 32, 3
made = runpy.run_path({str(DOCS / "make_morris_whole.py")!r})
square = Game("square", nested_squares(1), replace(game("six-mens-morris").rules, stones=(4, 4)), "", "Square")
run = made["Run"](square, Path(sys.argv[1]), float("inf"), device="gpu", checked=True, book=False)
made["solve"](run)
run.write(square)
"""
"""A square with four stones a side: see test_morris_gpu.py."""


def run(script: str, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", script, *words]
    return subprocess.run(command, env=os.environ | more, capture_output=True, text=True, check=False)


def told(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def test_a_game_is_solved_checked_and_written_down_where_there_is_neither_zarr_nor_typer(tmp_path: Path) -> None:
    done = run(ALONE, str(tmp_path), FIVE, "--device", "cpu", "--check", "--book")
    assert done.returncode == 0, done.stderr
    found = told(tmp_path / f"{FIVE}.json")
    counts = told(DOCS / "morris.json")
    assert (found["complete"], found["positions"], found["start"]) == (True, 1_000_737, "draw")
    assert set(found["first_moves"].values()) == {"draw"}
    assert list(found["first_moves"]) == list(game(FIVE).layout.points)
    assert (found["fields"], found["rows"]) == (counts["fields"], counts["games"][FIVE])
    assert runpy.run_path(str(DOCS / "make_morris_counts.py"))["told"](tmp_path / f"{FIVE}.json") == (
        FIVE,
        counts["games"][FIVE],
    )
    book = shipped_book(game(FIVE))
    assert book is not None
    assert (tmp_path / f"{FIVE}.book").read_bytes() == book.path.read_bytes()


def test_when_the_minutes_are_over_what_there_is_is_written_down(tmp_path: Path) -> None:
    done = run(ALONE, str(tmp_path), FIVE, "--device", "cpu", "--minutes", "0")
    assert done.returncode == 1, done.stderr
    assert f"{FIVE}: STOPPED: the minutes are over" in done.stdout
    found = told(tmp_path / f"{FIVE}.json")
    assert (found["complete"], found["stopped"], found["rows"]) == (False, "the minutes are over", [])


def test_a_gpu_does_the_same(tmp_path: Path) -> None:
    done = run(SIMULATED, str(tmp_path), NUMBA_ENABLE_CUDASIM="1")
    assert done.returncode == 0, done.stderr
    found = told(tmp_path / "square.json")
    assert found["complete"], done.stdout + done.stderr
    assert (len(found["rows"]), found["device"], found["checked"]) == (19, "gpu", True)
    assert len(found["first_moves"]) == 8
