"""Write the figures that come with the designs into the docs: `python docs/make_figures.py`.

Into silicon.md a line a design, in three tables: what it was made to do, and how its games ended; how long replies
take, for those that play; how large and how fast the circuits are. And into the page of a design that is measured by
another (`Design.beside`), the figures of both.
"""

import re
from pathlib import Path

from noughts.silicon.design import Design
from noughts.silicon.designs import DESIGNS
from noughts.silicon.kept import compared, measured

DOCS = Path(__file__).parent
PAGE = DOCS / "silicon.md"
BEGIN, END = "<!-- figures: made by docs/make_figures.py -->\n", "<!-- end of figures -->\n"


TRIED = ["games", "games at random", "states", "boards", "won", "drawn", "lost"]
"""The columns of the first table."""


def tables() -> str:
    """The three tables."""
    figures = {name: dict(measured(known)) for name, known in DESIGNS.items()}
    columns = list(dict.fromkeys(column for row in figures.values() for column in row))
    of_replies = [column for column in columns if "cycles" in column or "reply" in column]
    of_circuits = [column for column in columns if column not in (*TRIED, *of_replies)]
    return "\n".join(_table(figures, chosen) for chosen in (TRIED, of_replies, of_circuits))


def _table(figures: dict[str, dict[str, str]], columns: list[str]) -> str:
    lines = ["| design | " + " | ".join(columns) + " |", "|---" + "|--:" * len(columns) + "|"]
    for name, row in figures.items():
        cells = [row.get(column, "") for column in columns]
        if any(cells):
            lines.append(f"| `{name}` | " + " | ".join(cells) + " |")
    return "\n".join([*lines, ""])


def beside(known: Design) -> str:
    """The figures of a design and of the one that it is measured by."""
    rows = [f"| {' | '.join(row)} |" for row in compared(known, DESIGNS[known.beside])]
    return "\n".join([f"| measured | `{known.name}` | `{known.beside}` |", "|---|--:|--:|", *rows, ""])


def _write(page: Path, table: str) -> None:
    text = page.read_text(encoding="utf-8")
    found = re.search(f"{BEGIN}.*{END}", text, re.DOTALL)
    assert found is not None, f"{page}: expected {BEGIN.strip()!r} and {END.strip()!r}"
    page.write_text(text[: found.start()] + BEGIN + table + END + text[found.end() :], encoding="utf-8")


if __name__ == "__main__":
    _write(PAGE, tables())
    for known in DESIGNS.values():
        if known.beside:
            _write(DOCS / "machines" / f"{known.name}.md", beside(known))
