"""The examples do what they say: every script runs, and every notebook, run again, shows what it shows already."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parent.parent / "examples"
SCRIPTS = sorted(EXAMPLES.glob("*.py"))
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))


def test_there_are_some() -> None:
    assert len(SCRIPTS) >= 5
    assert len(NOTEBOOKS) >= 2


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_every_script_runs(script: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert done.stdout


def shown(notebook: Any) -> list[list[tuple[str, str]]]:
    """What every cell shows, as text and as pictures; what was written in several pieces is one."""
    cells = []
    for cell in notebook.cells:
        outputs = cell.get("outputs", [])
        written = "".join(output.text for output in outputs if output.output_type == "stream")
        data = [(kind, content) for output in outputs for kind, content in sorted(output.get("data", {}).items())]
        cells.append([("written", written), *data])
    return cells


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_notebook_shows_what_it_shows_already(path: Path, tmp_path: Path) -> None:
    kept = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    again = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    NotebookClient(again, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert any(kind != "written" for cell in shown(kept) for kind, _ in cell)
    assert shown(again) == shown(kept)
