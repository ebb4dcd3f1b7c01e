"""Write the table of records into docs/logic.md: `python docs/make_logic.py`.

A line a specification, counted from the netlists that come with Noughts. LUTs and cells are what Yosys makes of them
here; without Yosys and the cells of osu035 the table is not written.
"""

import re
from pathlib import Path

from noughts.silicon.logic.best import best, known
from noughts.silicon.logic.counts import PUBLISHED, counts, mapped

PAGE = Path(__file__).parent / "logic.md"
BEGIN, END = "<!-- records: made by docs/make_logic.py -->\n", "<!-- end of records -->\n"
HEAD = ("gates", "AND", "OR", "XOR", "inverters", "depth", "transistors")
MAPPED = ("LUTs of 4", "LUTs of 6", "cells", "NAND2 areas")


def counted(name: str) -> list[str]:
    """What is counted without any tool, in the order of the columns."""
    found = counts(best(name))
    numbers = (found.gates, found.and_like, found.or_like, found.xor_like)
    return [f"{number:,}" for number in (*numbers, found.inverters, found.depth, found.transistors)]


def table() -> str:
    """The table."""
    columns = (*HEAD, *MAPPED, "published by others")
    lines = ["| specification | " + " | ".join(columns) + " |", "|---" + "|--:" * (len(columns) - 1) + "|---|"]
    for name in known():
        made = mapped(best(name))
        assert made.cells is not None, "expected the cells of osu035, Debian's qflow-tech-osu035"
        cells = [*counted(name), *(f"{number:,}" for number in (made.luts4, made.luts6, made.cells)), f"{made.nand2:g}"]
        lines.append(f"| {name} | " + " | ".join([*cells, PUBLISHED.get(name, "")]) + " |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    found = re.search(f"{BEGIN}.*{END}", text, re.DOTALL)
    assert found is not None, f"{PAGE}: expected {BEGIN.strip()!r} and {END.strip()!r}"
    PAGE.write_text(text[: found.start()] + BEGIN + table() + END + text[found.end() :], encoding="utf-8")
