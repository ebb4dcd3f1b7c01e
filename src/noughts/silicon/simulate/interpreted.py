"""Simulators that need no compiler: Amaranth's own, and Icarus Verilog where it is installed."""

import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary, finalize

from amaranth.sim import Simulator

from noughts.extras import need_program
from noughts.silicon.circuit import Circuit, Pins
from noughts.silicon.flow.gates import netlist
from noughts.silicon.tools import ToolError
from noughts.silicon.trace import Trace
from noughts.silicon.verilog import verilog

__all__ = ["Interpreted", "replay"]

# A design in Amaranth's own simulator: some thousand cycles a second, and nothing to compile.

_HALF = 100e-9


class Interpreted(Pins):
    """A chip whose pins and watched signals are Amaranth's signals, as it is when it is switched on."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        spare = _SPARE.setdefault(circuit, [])
        self._simulation = spare.pop() if spare else _Simulation(circuit)
        self._simulation.switch_on({name: 0 for name, pin in circuit.pins().items() if pin.is_input} | circuit.idle)
        finalize(self, spare.append, self._simulation)

    def set(self, pin: str, value: int) -> None:
        self._simulation.levels[pin] = value

    def get(self, pin: str) -> int:
        return self._simulation.seen[pin]

    def half(self, clock: int) -> None:
        self._simulation.levels[self.circuit.clock] = clock
        self._simulation.half()


class _Simulation:
    """A component that Amaranth has made ready to be simulated, which takes as long as a thousand cycles of it."""

    def __init__(self, circuit: Circuit) -> None:
        component = circuit.make()
        self._signals = {name: getattr(component, name) for name in component.signature.members}
        self._signals |= circuit.watch(component)
        self._masks = {name: (1 << len(signal)) - 1 for name, signal in self._signals.items()}
        self._simulator = Simulator(component)
        self._simulator.add_testbench(self._bench, background=True)
        self.seen: dict[str, int] = {}

    def switch_on(self, levels: dict[str, int]) -> None:
        """Begin anew, with these levels at the inputs."""
        if self.seen:  # it has been used before
            self._simulator.reset()
        self.levels = levels
        self._halves = 0
        self._simulator.run_until(_HALF / 2)

    async def _bench(self, context: Any) -> None:
        """Forever: what is to be set is set, a half cycle passes, and everything is seen."""
        while True:
            for name, level in self.levels.items():
                context.set(self._signals[name], level)
            # Without a sign, as values come out of every compiled chip.
            self.seen = {name: context.get(signal) & self._masks[name] for name, signal in self._signals.items()}
            await context.delay(_HALF)

    def half(self) -> None:
        """Let a half cycle pass."""
        self._halves += 1
        self._simulator.run_until((self._halves + 0.5) * _HALF)


_SPARE: WeakKeyDictionary[Circuit, list[_Simulation]] = WeakKeyDictionary()
"""The simulations of a circuit that nobody uses any more, for whoever comes next."""


# A recorded run once more in Icarus Verilog, an interpreter that shares nothing with the other simulators.
#
# A bench in Verilog applies the inputs of the run, half cycle by half cycle, and prints everything that was recorded.
#
# Icarus has undefined values, too. Among gates they go the ways that they go in `undefined`; in expressions of Verilog
# they do not: what is shifted by an undefined number is undefined, and of an undefined condition the else is taken.


def replay(circuit: Circuit, run: Trace, *, gates: bool = False, undefined: bool = False) -> Trace:
    """The run of a whole trace as Icarus sees it; with `undefined`, of a chip in which registers hold nothing at first.

    Bits that Icarus cannot know are 0, and with `undefined` are said to be undefined.
    """
    compiler = need_program("iverilog", "a run in Icarus Verilog", "Debian's package iverilog")
    with tempfile.TemporaryDirectory(prefix="noughts-") as name:
        folder = Path(name)
        source = (netlist if gates else verilog)(circuit, watch=True)
        (folder / "chip.sv").write_text(_INITIAL.sub("", source) if undefined else source)
        (folder / "bench.sv").write_text(_bench(circuit, run))
        compiled = _call([compiler, "-g2012", "-s", "bench", "-o", "bench.vvp", "bench.sv", "chip.sv"], folder)
        assert not compiled
        lines = _call(
            [need_program("vvp", "a run in Icarus Verilog", "Debian's package iverilog"), "-n", "bench.vvp"], folder
        )
    found = [line.split() for line in lines.splitlines()]
    rows, masks = ([tuple(_bits(word, those) for word in line) for line in found] for those in ("1", "xz"))
    return run._replace(rows=rows, undefined=masks if undefined else None)


def _bench(circuit: Circuit, run: Trace) -> str:
    inputs = [name for name, pin in circuit.pins().items() if pin.is_input]
    lines = ["module bench;"]
    lines += [f"  {'reg' if name in inputs else 'wire'} [{width - 1}:0] {name};" for name, width in run.widths.items()]
    lines.append(f"  {circuit.identifier} chip ({', '.join(f'.{name}({name})' for name in run.widths)});")
    lines.append("  initial begin")
    show = f'$display("{" ".join("%b" for _ in run.widths)}", {", ".join(run.widths)});'
    for row in run.rows:
        levels = dict(zip(run.widths, row, strict=True))
        lines.append("    " + " ".join(f"{name} = {levels[name]};" for name in inputs) + f" #{run.step_ns} {show}")
    return "\n".join([*lines, "  end", "endmodule", ""])


_INITIAL = re.compile(r"^ *initial begin\n.*?^ *end\n|^ *initial [^\n]*\n", re.DOTALL | re.MULTILINE)
"""What registers hold at first, in our Verilog and in our netlists."""


def _bits(word: str, those: str) -> int:
    """Where in a word these digits stand."""
    return int("".join("01"[digit in those] for digit in word), 2)


def _call(command: list[str], folder: Path) -> str:
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode:
        reason = (run.stderr or run.stdout).strip().splitlines() or ["no message"]
        raise ToolError(f"{Path(command[0]).name} says {reason[0]!r}")
    return run.stdout
