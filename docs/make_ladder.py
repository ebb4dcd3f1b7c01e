"""Write the ladder's table into players.md, as the file of the skills has it: python docs/make_ladder.py."""

import json
import re
from pathlib import Path

from noughts.bench.ladder import table
from noughts.players.ladder import SKILLS

PAGE = Path(__file__).parent / "players.md"


def main() -> None:
    """Put the new table where the old one is."""
    made = table(json.loads(SKILLS.read_text("utf-8")))
    page, times = re.subn(r"\| game \| 2:1 \|.*\n(\|.*\n)*", lambda _: f"{made}\n", PAGE.read_text("utf-8"))
    assert times == 1, f"{times} tables of the ladder in {PAGE}: expected one"
    PAGE.write_text(page, "utf-8")


if __name__ == "__main__":
    main()
