"""A recorded run once more in Icarus Verilog, an interpreter that shares nothing with the other simulators.

A bench in Verilog applies the inputs of the run, half cycle by half cycle, and prints everything that was recorded.
"""

import subprocess
import tempfile
from pathlib import Path

from noughts.silicon.design import Design
from noughts.silicon.gates import netlist
from noughts.silicon.tools import ToolError, need_program
from noughts.silicon.trace import Trace
from noughts.silicon.verilog import verilog

__all__ = ["replay"]


def replay(design: Design, run: Trace, *, gates: bool = False) -> Trace:
    """The run of a whole trace as Icarus sees it; bits that it cannot know are taken as 0."""
    compiler = need_program("iverilog", "a run in Icarus Verilog", "Debian's package iverilog")
    with tempfile.TemporaryDirectory(prefix="noughts-") as name:
        folder = Path(name)
        (folder / "chip.sv").write_text((netlist if gates else verilog)(design, watch=True))
        (folder / "bench.sv").write_text(_bench(design, run))
        compiled = _call([compiler, "-g2012", "-s", "bench", "-o", "bench.vvp", "bench.sv", "chip.sv"], folder)
        assert not compiled
        lines = _call(
            [need_program("vvp", "a run in Icarus Verilog", "Debian's package iverilog"), "-n", "bench.vvp"], folder
        )
    return run._replace(rows=[tuple(_known(bits) for bits in line.split()) for line in lines.splitlines()])


def _bench(design: Design, run: Trace) -> str:
    inputs = [name for name, pin in design.pins().items() if pin.is_input]
    lines = ["module bench;"]
    lines += [f"  {'reg' if name in inputs else 'wire'} [{width - 1}:0] {name};" for name, width in run.widths.items()]
    lines.append(f"  {design.identifier} chip ({', '.join(f'.{name}({name})' for name in run.widths)});")
    lines.append("  initial begin")
    show = f'$display("{" ".join("%b" for _ in run.widths)}", {", ".join(run.widths)});'
    for row in run.rows:
        levels = dict(zip(run.widths, row, strict=True))
        lines.append("    " + " ".join(f"{name} = {levels[name]};" for name in inputs) + f" #{run.step_ns} {show}")
    return "\n".join([*lines, "  end", "endmodule", ""])


def _known(bits: str) -> int:
    return int("".join(bit if bit == "1" else "0" for bit in bits), 2)


def _call(command: list[str], folder: Path) -> str:
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode:
        reason = (run.stderr or run.stdout).strip().splitlines() or ["no message"]
        raise ToolError(f"{Path(command[0]).name} says {reason[0]!r}")
    return run.stdout
