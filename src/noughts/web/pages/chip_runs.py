"""Runs of chips, as questions that are worked out beside the server.

Before the first run a chip is compiled, which takes some seconds; that is a question of its own, the same for all
visitors and all runs of the chip, and `Thinking` works out a question once however many ask it. So there is no stampede
of compilers, and a page can tell compiling from running.

A server remembers many answers, so these are small: a stretch of a run is a compressed trace, a file a compressed text.
Amaranth is loaded where the work is done, and not before.
"""

import pickle
import zlib
from io import StringIO

from noughts.extras import need
from noughts.silicon.designs import design
from noughts.silicon.run import Run
from noughts.silicon.trace import Outline, Trace, write_vcd

__all__ = [
    "chip_dump",
    "chip_outline",
    "chip_ready",
    "chip_stimulus",
    "chip_stretch",
    "chip_verilog",
    "chip_widths",
    "dump",
    "read_stretch",
    "read_text",
]


def chip_ready(name: str) -> bool:
    """Compile a chip, unless it has been; whether it is compiled now, or Amaranth's simulator must do."""
    need("amaranth", f"a run of {name}")
    from noughts.silicon.simulate.runs import is_quick  # noqa: PLC0415

    return is_quick(design(name))


def chip_outline(name: str, run: Run) -> Outline:
    """How long a run is, when the chip works, and how it ends."""
    need("amaranth", f"a run of {name}")
    from noughts.silicon.simulate.runs import outline  # noqa: PLC0415

    return outline(design(name), run)


def chip_widths(name: str) -> dict[str, int]:
    """The bits of every pin, of a design that came without a recording."""
    need("amaranth", f"the pins of {name}")
    return {pin: facts.width for pin, facts in design(name).pins().items()}


def chip_stimulus(name: str, run: Run) -> bytes:
    """What is done at the pins in a run, for `read_text`."""
    need("amaranth", f"a run of {name}")
    from noughts.silicon.simulate.runs import stimulus_of  # noqa: PLC0415
    from noughts.silicon.stimulus import write_stimulus  # noqa: PLC0415

    return zlib.compress(write_stimulus(design(name), stimulus_of(design(name), run)).encode())


def chip_stretch(name: str, run: Run, first: int, last: int) -> bytes:
    """The cycles of a run from the first to the last of these, for `read_stretch`."""
    return zlib.compress(pickle.dumps(_stretch(name, run, first, last)))


def chip_dump(name: str, run: Run, first: int, last: int) -> bytes:
    """The same cycles as a value change dump, for `read_text`."""
    return zlib.compress(dump(_stretch(name, run, first, last)).encode())


def dump(trace: Trace) -> str:
    """A trace as a value change dump."""
    need("vcd", "a value change dump")
    file = StringIO()
    write_vcd(trace, file)
    return file.getvalue()


def chip_verilog(name: str) -> bytes:
    """The design in Verilog, for `read_text`."""
    need("amaranth", f"the Verilog of {name}")
    from noughts.silicon.verilog import verilog  # noqa: PLC0415

    return zlib.compress(verilog(design(name)).encode())


def read_stretch(answer: bytes) -> Trace:
    """What `chip_stretch` has answered."""
    trace = pickle.loads(zlib.decompress(answer))
    assert isinstance(trace, Trace)
    return trace


def read_text(answer: bytes) -> str:
    """What `chip_dump`, `chip_stimulus` or `chip_verilog` has answered."""
    return zlib.decompress(answer).decode()


def _stretch(name: str, run: Run, first: int, last: int) -> Trace:
    need("amaranth", f"a run of {name}")
    from noughts.silicon.simulate.runs import stretch  # noqa: PLC0415

    return stretch(design(name), run, first, last)
