"""Write the table of records into docs/logic.md, and a shorter one into docs/silicon.md: `python docs/make_logic.py`.

A line a specification, counted from the netlists that come with Noughts. LUTs and cells are what Yosys makes of them
here; without Yosys and the cells of osu035 the table is not written.
"""

import re
from pathlib import Path

from noughts.silicon.logic.best import best, known
from noughts.silicon.logic.counts import PUBLISHED, counts, mapped

DOCS = Path(__file__).parent
BEGIN, END = "<!-- records: made by docs/make_logic.py -->\n", "<!-- end of records -->\n"
HEAD = ("gates", "AND", "OR", "XOR", "inverters", "depth", "transistors")
MAPPED = ("LUTs of 4", "LUTs of 6", "cells", "NAND2 areas")
PUBLISHED_BY = "published by others"
SHORT = ("gates", "depth", "LUTs of 4", "cells", "transistors", PUBLISHED_BY)
"""The columns of the table in silicon.md."""


def counted(name: str) -> list[str]:
    """What is counted without any tool, in the order of the columns."""
    found = counts(best(name))
    numbers = (found.gates, found.and_like, found.or_like, found.xor_like)
    return [f"{number:,}" for number in (*numbers, found.inverters, found.depth, found.transistors)]


def rows() -> dict[str, dict[str, str]]:
    """For every specification, all columns."""
    found = {}
    for name in known():
        made = mapped(best(name))
        assert made.cells is not None, "expected the cells of osu035, Debian's qflow-tech-osu035"
        cells = [*(f"{number:,}" for number in (made.luts4, made.luts6, made.cells)), f"{made.nand2:g}"]
        row = dict(zip((*HEAD, *MAPPED), [*counted(name), *cells], strict=True))
        found[name] = {**row, PUBLISHED_BY: PUBLISHED.get(name, "")}
    return found


def table(found: dict[str, dict[str, str]], columns: tuple[str, ...]) -> str:
    """The table with these columns; the last one is words."""
    lines = ["| specification | " + " | ".join(columns) + " |", "|---" + "|--:" * (len(columns) - 1) + "|---|"]
    lines += [f"| {name} | " + " | ".join(row[column] for column in columns) + " |" for name, row in found.items()]
    return "\n".join([*lines, ""])


def _write(page: Path, text: str) -> None:
    old = page.read_text(encoding="utf-8")
    found = re.search(f"{BEGIN}.*{END}", old, re.DOTALL)
    assert found is not None, f"{page}: expected {BEGIN.strip()!r} and {END.strip()!r}"
    page.write_text(old[: found.start()] + BEGIN + text + END + old[found.end() :], encoding="utf-8")


if __name__ == "__main__":
    every = rows()
    _write(DOCS / "logic.md", table(every, (*HEAD, *MAPPED, PUBLISHED_BY)))
    _write(DOCS / "silicon.md", table(every, SHORT))
