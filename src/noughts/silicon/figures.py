"""The figures of a design in one place: its cycles, its size, its speed, and what its source reports.

Measuring takes a minute, so what pages show is kept in `figures.json` (see `noughts.silicon.measured`).
"""

from typing import Any

from noughts.silicon.check import check
from noughts.silicon.design import Design
from noughts.silicon.drivers import DRIVERS
from noughts.silicon.gates import gates
from noughts.silicon.timing import timing

__all__ = ["REPORTED", "figures"]

REPORTED: dict[str, dict[str, str]] = {
    "chip1990": {"clock": "6 MHz", "slowest reply": "at most 1 ms"},
    "elements2021": {"clock": "72.1 MHz", "slowest reply": "about 50 ms a game at 50 MHz"},
}
"""What the sources say."""


def figures(design: Design) -> dict[str, Any]:
    """Measure a design."""
    row: dict[str, Any] = {"design": design.name}
    slowest = None
    if design.name in DRIVERS:
        checked = check(design)
        slowest = checked.slowest_cycles
        for who, user_first in (("user begins", True), ("chip begins", False)):
            most, mean = checked.cycles(user_first=user_first)
            row |= {f"{who}: slowest cycles": most, f"{who}: mean cycles": round(mean, 1)}
    made = gates(design)
    row |= {"flip-flops": made.flip_flops, "gates": made.two_input_gates, "depth": made.depth}
    row |= {"iCE40 LUTs": made.ice40_luts, "ECP5 LUTs": made.ecp5_luts}
    for name, fmax in timing(design).fmax_mhz.items():
        row[f"{name} MHz"] = None if fmax is None else round(fmax, 1)
        row[f"{name} slowest reply µs"] = None if fmax is None or slowest is None else round(slowest / fmax, 1)
    said = REPORTED.get(design.name, {})
    return row | {f"source: {what}": words for what, words in said.items()}
