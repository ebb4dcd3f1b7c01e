"""The table of m,n,k values in the documents is what the commands say that stand in it."""

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from noughts.cli.main import run

pytestmark = pytest.mark.slow

PAGE = (Path(__file__).parents[1] / "docs" / "games" / "mnk.md").read_text("utf-8").partition("\n## Who wins\n")[2]
ROW = re.compile(r"^\| `(mnk:\d+,\d+,\d+)( --nodes \d+)?` \| ([a-z0-9 ]+) \| ([^|]+) \| ([0-9.]*) ?\|$", re.M)
QUICK = 1.5
"""Seconds that a row may have taken to be proved again here."""


class Row(NamedTuple):
    """A line of the table."""

    game: str
    options: str
    value: str
    how: str
    seconds: str


ROWS = [Row(*found) for found in ROW.findall(PAGE)]
PROVED = [row for row in ROWS if row.seconds]


@pytest.mark.parametrize("row", [row for row in PROVED if float(row.seconds) < QUICK], ids=lambda row: row.game)
def test_a_row_is_what_its_command_says(row: Row, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["value", row.game, *row.options.split(), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    said = found["value"]
    if said == "win" and found["remoteness"] is not None:
        said += f" in {found['remoteness']}"
    elif "at_most" in found:
        said += f" in at most {found['at_most']}"
    assert said == row.value
    assert (found["source"] == "solution") is (row.how == "solved whole")


def test_the_table_has_every_row_and_no_board_has_two_values() -> None:
    assert len(ROWS) == PAGE.count("| `mnk:")
    boards: dict[tuple[str, ...], set[str]] = {}
    for row in ROWS:
        columns, rows, length = row.game.removeprefix("mnk:").split(",")
        boards.setdefault((*sorted((columns, rows)), length), set()).add(row.value.split()[0])
    assert all(len(values) == 1 for values in boards.values())
    assert len(PROVED) > 40
    assert not [row for row in ROWS if row.value == "unknown" or not row.how]
