"""A copy of the package in which a test adds something, to show that one place is enough.

The copy is run in processes of its own: what is added must not reach the tests beside it.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import noughts

__all__ = ["PackageCopy"]


class PackageCopy:
    """The sources of Noughts in another folder, to be changed and run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # With the bytecode and Numba's machine code: files keep their times, by which both see what is stale. Files
        # that other processes are about to rename, with one more ending, may be gone a moment later.
        passing = shutil.ignore_patterns("*.pyc.*", "*.nb?.*", "*.tmp")
        shutil.copytree(Path(noughts.__file__).parent, folder / "noughts", ignore=passing)

    def insert(self, file: str, before: str, text: str) -> None:
        """Add text to a file of the package, before a piece of it that occurs once."""
        path = self.folder / "noughts" / file
        old = path.read_text()
        assert old.count(before) == 1, f"{before!r} occurs {old.count(before)} times in {file}"
        path.write_text(old.replace(before, text + before))

    def write(self, file: str, text: str) -> None:
        """Add a file to the package."""
        path = self.folder / "noughts" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def python(self, code: str) -> str:
        """What a program prints that imports the copy."""
        environment = {**os.environ, "PYTHONPATH": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"}
        environment |= {"NOUGHTS_DATABASE_URL": f"sqlite:///{self.folder}/games.db", "COLUMNS": "100"}
        run = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False, timeout=300
        )
        assert run.returncode == 0, run.stderr
        return run.stdout
