"""Write the figures that come with the designs into docs/silicon.md: `python docs/make_figures.py`.

A line a design, in two tables: how long replies take, for those that play; how large and how fast the circuits are.
"""

import re
from pathlib import Path

from noughts.silicon.designs import DESIGNS
from noughts.silicon.kept import measured

PAGE = Path(__file__).parent / "silicon.md"
BEGIN, END = "<!-- figures: made by docs/make_figures.py -->\n", "<!-- end of figures -->\n"


def tables() -> str:
    """Both tables."""
    figures = {name: dict(measured(known)) for name, known in DESIGNS.items()}
    columns = list(dict.fromkeys(column for row in figures.values() for column in row))
    of_replies = [column for column in columns if "cycles" in column or "reply" in column]
    of_circuits = [column for column in columns if column not in of_replies]
    return "\n".join(_table(figures, chosen) for chosen in (of_replies, of_circuits))


def _table(figures: dict[str, dict[str, str]], columns: list[str]) -> str:
    lines = ["| design | " + " | ".join(columns) + " |", "|---" + "|--:" * len(columns) + "|"]
    for name, row in figures.items():
        cells = [row.get(column, "") for column in columns]
        if any(cells):
            lines.append(f"| `{name}` | " + " | ".join(cells) + " |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    found = re.search(f"{BEGIN}.*{END}", text, re.DOTALL)
    assert found is not None, f"{PAGE}: expected {BEGIN.strip()!r} and {END.strip()!r}"
    PAGE.write_text(text[: found.start()] + BEGIN + tables() + END + text[found.end() :], encoding="utf-8")
