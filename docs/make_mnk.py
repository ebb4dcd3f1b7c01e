"""Prove the values in the table of games/mnk.md again, and write it: python docs/make_mnk.py (some minutes).

Every row is a command, run in a process of its own; `tests/test_mnk.py` runs the quick ones again and compares.
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from time import perf_counter

PAGE = Path(__file__).parent / "games" / "mnk.md"
LONGER, LONG = "--nodes 4000000", "--nodes 40000000"
PROVED: dict[int, dict[str, str]] = {
    3: {
        **dict.fromkeys(("3,3", "4,3", "5,3", "6,3", "7,3", "19,3", "4,4", "5,5", "19,19"), ""),
        **dict.fromkeys(("8,2", "19,2"), ""),
    },
    4: {
        **dict.fromkeys(("4,4", "5,4"), ""),
        "6,4": LONGER,
        "7,4": LONG,
        **dict.fromkeys(("7,3", "19,3"), ""),
        **dict.fromkeys(("6,5", "7,5", "6,6", "7,6", "7,7", "8,8", "15,15", "19,19"), LONGER),
    },
    5: {**dict.fromkeys(("5,5", "6,5", "7,5"), ""), "6,6": LONGER, "8,5": LONG, "19,4": ""},
    6: {**dict.fromkeys(("6,6", "7,7", "8,7", "9,6"), ""), "8,8": LONG, "19,5": ""},
    7: dict.fromkeys(("8,8", "9,9", "10,10", "19,6"), ""),
    8: dict.fromkeys(("11,11", "12,12", "13,13", "19,7"), ""),
    9: dict.fromkeys(("14,14", "16,16"), ""),
    10: {"19,19": ""},
}
"""For every length of a row the boards, and the options with which they are proved."""
LAYERS = "[layers](../solving.md#boards-of-up-to-25-cells)"
LEE = "C. Y. Lee, reported in Berlekamp, Conway and Guy: *Winning Ways* (1982)"
CREDITED = {
    4: [("`mnk:5,5,4`", "draw", f"solved in {LAYERS}; {LEE}")],
    5: [
        ("`mnk:7,7,5`", "draw", "Hsu, Ko, Chen, Wei, Hsueh and Wu (2020)"),
        ("`mnk:8,8,5`", "draw", "Hsu, Ko, Chen, Wei, Hsueh and Wu (2020)"),
        ("`mnk:15,15,5`", "win", "Allis, van den Herik and Huntjens (1996)"),
    ],
    8: [("eight or more in a row, any board", "draw", "Zetters (1980)")],
    9: [("nine or more in a row, any board", "draw", "Pollak and Shannon (1954), reported in *Winning Ways*")],
}
"""What is known from elsewhere, and of whom."""
HOW = {
    "solution": "solved whole",
    "search": "proved by search",
    "each side stops all rows of the other by a pairing of cells": "by a pairing of cells",
    "each side can stop all rows of the other": "each side stops all rows",
}
HEADS = "| game | value | how it is known | seconds |\n|---|---|---|--:|\n"


def proved(board: str, length: int, options: str) -> str:
    """A row: what the command says, and how long it took."""
    asked = " ".join(f"mnk:{board},{length} {options}".split())
    began = perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "noughts", "value", *asked.split(), "--json"], capture_output=True, text=True, check=True
    )
    seconds = perf_counter() - began
    found = json.loads(done.stdout)
    plies = found["remoteness"] if found["value"] == "win" else None
    bound = "" if "at_most" not in found else f" in at most {found['at_most']}"
    value = found["value"] + (bound if plies is None else f" in {plies}")
    how = HOW.get(found.get("reason", ""), HOW.get(found["source"], ""))
    print(asked, value, how, f"{seconds:.1f}", flush=True)
    assert value != "unknown", f"{asked} is not proved: {found['reason']}"
    return f"| `{asked}` | {value} | {how} | {seconds:.1f} |\n"


def main() -> None:
    """Put the new table where the old one is."""
    rows = ""
    for length, boards in PROVED.items():
        rows += "".join(proved(board, length, options) for board, options in boards.items())
        rows += "".join(f"| {' | '.join(row)} | |\n" for row in CREDITED.get(length, []))
    page, times = re.subn(
        r"\| game \| value \| how .*\n(\|.*\n)*", lambda _: HEADS + rows, PAGE.read_text(encoding="utf-8")
    )
    assert times == 1, f"{times} tables of values in {PAGE}: expected one"
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
