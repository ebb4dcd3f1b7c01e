"""What was measured of the designs: figures.json, which comes with them, is what `noughts bench silicon --json` wrote.

A row of it is a figure, with a value for each design that has it. Some rows are not measured, but quoted from sources.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["measured"]

_QUOTED = "source: "


def measured(name: str) -> list[tuple[str, str]]:
    """The figures of a design: what was measured, and how much it is."""
    measured_rows = (row for row in _rows() if not row["figure"].startswith(_QUOTED))
    return [(row["figure"], _printed(row[name])) for row in measured_rows if row.get(name) is not None]


def _printed(value: int | float | str) -> str:
    return value if isinstance(value, str) else f"{value:,}"


@cache
def _rows() -> list[dict[str, Any]]:
    """The rows of the file; none, if there is no such file."""
    file = files("noughts.silicon") / "figures.json"
    return json.loads(file.read_text())["silicon"] if file.is_file() else []
