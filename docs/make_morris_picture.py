"""Draw wins, draws and losses of nine men's morris by material, from the rows of morris.md."""

import re
from pathlib import Path

from noughts.games.picture import Picture, above, words

HERE = Path(__file__).parent
CELL = 62
LEFT, TOP = 70, 30
ROW = re.compile(r"^\| (\d)-(\d) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|", re.M)


def material() -> Picture:
    """A square for every subspace, filled from below with losses, draws and wins of the side to move."""
    marks = []
    for mover, other, *counts in ROW.findall((HERE / "morris.md").read_text()):
        positions, wins, draws, losses = (int(count.replace(",", "")) for count in counts)
        left, top = LEFT + CELL * (int(other) - 3), TOP + CELL * (int(mover) - 3)
        bottom = top + CELL - 4.0
        for kind, count in (("loss", losses), ("draw", draws), ("win", wins)):
            height = (CELL - 4) * count / positions
            bottom -= height
            marks.append(
                f'<rect class="{kind}" x="{left}" y="{bottom:.2f}" width="{CELL - 4}" height="{height:.2f}">'
                f"<title>{mover} against {other}: {kind} {count:,} of {positions:,}</title></rect>"
            )
    for stones in range(3, 10):
        place = CELL * (stones - 3) + CELL / 2
        marks.append(f'<text class="label" x="{LEFT + place - 2:g}" y="{TOP - 10}">{stones}</text>')
        marks.append(f'<text class="label" x="{LEFT - 18}" y="{TOP + place + 2:g}">{stones}</text>')
    return Picture("\n".join(marks), LEFT + 7 * CELL + 10, TOP + 7 * CELL + 6)


def main() -> None:
    """Write the picture beside this file."""
    chart = material()
    title = words("wins, draws and losses of the side to move", chart.width, "title")
    legend = words("down: stones of the side to move; across: stones of the other", chart.width)
    (HERE / "morris.svg").write_text(above(title, chart, legend).svg())


if __name__ == "__main__":
    main()
