"""What was measured of the designs: sizes and timings, as `noughts bench silicon` wrote them down."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["figures"]

FIGURES = (
    ("flip_flops", "Flip-flops"),
    ("two_input_gates", "Gates of two inputs"),
    ("depth", "Gates on the longest way"),
    ("ice40_luts", "LUTs, iCE40"),
    ("ice40_block_rams", "Block RAMs, iCE40"),
    ("ecp5_luts", "LUTs, ECP5"),
    ("ecp5_block_rams", "Block RAMs, ECP5"),
    ("fmax_mhz.ice40_hx8k", "Clock on an iCE40 HX8K, MHz"),
    ("fmax_mhz.ecp5_25k", "Clock on an ECP5 25k, MHz"),
    ("fmax_mhz.osu035", "Clock in 0.35 µm cells (osu035, before layout), MHz"),
    ("slowest_cycles", "Slowest reply, cycles"),
    ("slowest_reply_us.ice40_hx8k", "Slowest reply on an iCE40 HX8K, µs"),
    ("slowest_reply_us.ecp5_25k", "Slowest reply on an ECP5 25k, µs"),
    ("slowest_reply_us.osu035", "Slowest reply in 0.35 µm cells, µs"),
    ("games", "Games played in the check, every one there is"),
)
"""What is measured, by its key in a row of figures.json; a dot leads into a dictionary."""


def figures(name: str) -> list[tuple[str, str]]:
    """What was measured of a design: what, and how much."""
    row = _measured().get(name, {})
    found = []
    for key, label in FIGURES:
        value: Any = row
        for part in key.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        if isinstance(value, int | float):
            found.append((label, f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"))
    return found


@cache
def _measured() -> dict[str, dict[str, Any]]:
    """The rows of figures.json by design; none, if there is no such file."""
    file = files("noughts.silicon") / "figures.json"
    if not file.is_file():
        return {}
    return {row["design"]: row for row in json.loads(file.read_text()) if "design" in row}
