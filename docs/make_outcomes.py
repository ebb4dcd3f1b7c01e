"""Write what solving.md says of boards of 28 cells: python docs/make_outcomes.py FILE.

FILE is what `noughts solve mnk:7,4,4 --device gpu --check --json` prints. Into `outcomes.json` go its counts of every
layer, so that anybody can compare, without the times, which differ from run to run; into solving.md a table of them.
"""

import json
import sys
from pathlib import Path
from typing import Any

from make_layers import HERE, PAGE, SUMS, put

COUNTS = HERE / "outcomes.json"
HEADS = "| stones | positions | wins | draws | losses |\n|---|--:|--:|--:|--:|\n"


def rows_of(counts: dict[str, Any]) -> str:
    """The table of a board, in Markdown."""
    rows = [*counts["subspaces"], counts | {"name": "all"}]
    return HEADS + "".join(f"| {' | '.join([row['name'], *(f'{row[field]:,}' for field in SUMS)])} |\n" for row in rows)


def main(file: Path) -> None:
    found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    assert found.pop("checked"), "expected a run with --check"
    for row in (found, *found["subspaces"]):
        del row["seconds"]
    known = json.loads(COUNTS.read_text("utf-8")) if COUNTS.exists() else {}
    known[found.pop("game")] = found
    COUNTS.write_text(json.dumps(known, indent=1) + "\n", "utf-8")
    page = PAGE.read_text("utf-8")
    for name, counts in known.items():
        page = put(page, f"layers of {name}", rows_of(counts))
    PAGE.write_text(page, "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
