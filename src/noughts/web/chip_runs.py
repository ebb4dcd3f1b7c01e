"""Runs of chips, as questions that are worked out beside the server.

A server remembers many answers, so these are small: a stretch of a run is a compressed trace, a file a compressed text.
Amaranth is loaded where the work is done, and not before.
"""

import pickle
import zlib
from io import StringIO

from noughts.silicon.outline import Outline
from noughts.silicon.tools import need_package
from noughts.silicon.trace import Trace

__all__ = ["chip_dump", "chip_outline", "chip_stretch", "chip_verilog", "read_stretch", "read_text"]


def chip_outline(name: str, moves: tuple[str, ...], begin: str) -> Outline:
    """How long a run is, when the chip works, and how it ends."""
    need_package("amaranth", f"a run of {name}")
    from noughts.silicon.looking import outline  # noqa: PLC0415

    return outline(name, moves, user_first=begin == "user")


def chip_stretch(name: str, moves: tuple[str, ...], begin: str, first: int, last: int) -> bytes:
    """The cycles of a run from the first to the last of these, for `read_stretch`."""
    return zlib.compress(pickle.dumps(_stretch(name, moves, begin, first, last)))


def chip_dump(name: str, moves: tuple[str, ...], begin: str, first: int, last: int) -> bytes:
    """The same cycles as a value change dump, for `read_text`."""
    need_package("vcd", "a value change dump")
    from noughts.silicon.vcd import write_vcd  # noqa: PLC0415

    file = StringIO()
    write_vcd(_stretch(name, moves, begin, first, last), file)
    return zlib.compress(file.getvalue().encode())


def chip_verilog(name: str) -> bytes:
    """The design in Verilog, for `read_text`."""
    need_package("amaranth", f"the Verilog of {name}")
    from noughts.silicon.designs import design  # noqa: PLC0415
    from noughts.silicon.verilog import verilog  # noqa: PLC0415

    return zlib.compress(verilog(design(name)).encode())


def read_stretch(answer: bytes) -> Trace:
    """What `chip_stretch` has answered."""
    trace = pickle.loads(zlib.decompress(answer))
    assert isinstance(trace, Trace)
    return trace


def read_text(answer: bytes) -> str:
    """What `chip_dump` or `chip_verilog` has answered."""
    return zlib.decompress(answer).decode()


def _stretch(name: str, moves: tuple[str, ...], begin: str, first: int, last: int) -> Trace:
    need_package("amaranth", f"a run of {name}")
    from noughts.silicon.looking import stretch  # noqa: PLC0415

    return stretch(name, moves, first, last, user_first=begin == "user")
