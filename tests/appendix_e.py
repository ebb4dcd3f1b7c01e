"""The run that the paper of 1990 prints in appendix E, as a trace."""

import csv
from pathlib import Path

from noughts.silicon.trace import Trace

__all__ = ["PRINTED", "printed_run"]

with (Path(__file__).parent / "players" / "chip1990_trace.csv").open() as _file:
    PRINTED = list(csv.DictReader(_file))
"""Every half cycle as it is printed."""

WIDTHS = {
    "resetN": 1,
    "cp": 1,
    "keyboardN": 9,
    "pin": 1,
    "statereg": 3,
    "wins": 1,
    "choose": 2,
    "toggleN": 1,
    "usei": 1,
    "nexti": 1,
    "sp": 3,
    "i": 4,
    "fin": 1,
    "win": 1,
    "prompt": 1,
    "led": 18,
    "copyboard": 1,
}


def printed_run(*, undefined: bool = False) -> Trace:
    """All hundred half cycles; what the paper leaves undefined is 0, and with `undefined` is said to be undefined."""
    states = {int(row["statereg"]): row["state"] for row in PRINTED if row["state"]}
    rows = [tuple(_number(name, row[name]) for name in WIDTHS) for row in PRINTED]
    masks = [tuple((1 << width) - 1 if row[name] == "u" else 0 for name, width in WIDTHS.items()) for row in PRINTED]
    return Trace("chip1990", 100, 0, dict(WIDTHS), rows, {"statereg": states}, masks if undefined else None)


def _number(name: str, printed: str) -> int:
    if printed == "u":
        return 0
    return int(printed, 2 if name in ("keyboardN", "led") else 16)
