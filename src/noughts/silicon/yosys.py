"""Yosys, through its Python package, in a process of its own: a crash or a long run of it is nothing to us."""

import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from noughts.silicon.tools import ToolError, need_package

__all__ = ["share", "yosys"]

_RUN = "import sys; from pyosys import libyosys; libyosys.run_pass('script ' + sys.argv[1], libyosys.Design())"


def yosys(purpose: str, *commands: str) -> str:
    """Run commands of Yosys and return its log. `purpose` names who asks, for the message when Yosys is missing."""
    need_package("pyosys", purpose)
    with tempfile.TemporaryDirectory(prefix="noughts-") as folder:
        script = Path(folder) / "script.ys"
        script.write_text("\n".join(commands) + "\n")
        run = subprocess.run([sys.executable, "-c", _RUN, str(script)], capture_output=True, text=True, check=False)
    if run.returncode:
        lines = (run.stdout + run.stderr).splitlines()
        reason = next((line for line in lines if "ERROR" in line), lines[-1] if lines else "no message")
        raise ToolError(f"{purpose}: Yosys says {reason!r}")
    return run.stdout


def share() -> Path:
    """Yosys's folder of cell libraries and headers."""
    found = find_spec("pyosys")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent / "share"
