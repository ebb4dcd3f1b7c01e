"""Solve the boards of 25 cells and write what solving.md says of them: python docs/make_layers.py [FOLDER] (minutes).

Into `layers.json` go the counts of every layer, so that anybody can compare, and how many moves there are to look up;
into solving.md a table of each, and which of the first moves, and of the replies to them, keep what the position is
worth; into `layers.svg` a picture. Tables are made in FOLDER, or gone on
with; without one they are made in a folder that is thrown away, 1.7 GB.
"""

import json
import re
import sys
from math import comb, prod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game, Layout, Outcome, Position
from noughts.games import game as find_game
from noughts.games.picture import Picture, above, words
from noughts.insight.choices import alike
from noughts.solve.layers.making import Making
from noughts.solve.layers.numbering import Layers, classes_of, stones_of
from noughts.solve.layers.table import LayerTable, open_table

HERE = Path(__file__).parent
COUNTS, PAGE = HERE / "layers.json", HERE / "solving.md"
NAMES = ("mnk:5,5,4", "mnk:5,5,5")
LEFT, COLUMN, HEIGHT = 10, 26, 160
SUMS = ("positions", "wins", "draws", "losses")
HEADS = "| stones | positions | wins | draws | losses | longest win | longest loss |\n|---|--:|--:|--:|--:|--:|--:|\n"


def counts_of(table: LayerTable) -> dict[str, Any]:
    """What is counted, without the times, which differ from run to run."""
    rows = [row._asdict() for row in table.subspaces[::-1]]
    for row in rows:
        del row["seconds"]
    start = table.probe(table.game.start())
    assert start is not None
    found = {"value": str(start.outcome), "remoteness": start.remoteness}
    return {**found, **{field: sum(row[field] for row in rows) for field in SUMS}, "subspaces": rows}


def work_of(game: Game) -> dict[str, int]:
    """How much there is to do: bytes, moves, and moves of X's that a row does not settle at once."""
    form, points = Layers(game), len(game.layout)
    found = {"bytes": sum(map(prod, map(form.shape, form.order()))), "moves_of_o": 0, "moves_of_x": 0, "looked_up": 0}
    for stones in range(points):
        x, o = stones_of(stones)
        blocks, size = form.shape((stones // 2, (stones + 1) // 2))
        if stones % 2:
            found["moves_of_o"] += blocks * size * (points - stones)
            continue
        found["moves_of_x"] += blocks * size * (points - stones)
        for must, classes in enumerate(np.bincount(_winning(game.layout, x), minlength=1).tolist()):
            if must <= o:
                found["looked_up"] += classes * comb(points - x - must, o - must) * (points - stones)
    return found


def _winning(layout: Layout, stones: int) -> NDArray[np.int64]:
    """For every class of X's sets, on how many points X completes a row."""
    sets = classes_of(layout, stones).sets
    found = np.zeros(len(sets), np.int64)
    for point, lines in enumerate(layout.lines_through):
        wins = np.zeros(len(sets), bool)
        for line in lines:
            wins |= sets & np.uint32(line) == np.uint32(line & ~(1 << point))
        found += wins
    return found


def rows_of(counts: dict[str, Any]) -> str:
    """The table of a board, in Markdown."""
    text = HEADS
    for row in counts["subspaces"]:
        longest = ["" if row[field] is None else str(row[field]) for field in ("deepest_win", "deepest_loss")]
        text += f"| {' | '.join([row['name'], *(f'{row[field]:,}' for field in SUMS), *longest])} |\n"
    deepest = [
        max((row[field] for row in counts["subspaces"] if row[field] is not None), default="")
        for field in ("deepest_win", "deepest_loss")
    ]
    return text + f"| all | {' | '.join([*(f'{counts[field]:,}' for field in SUMS), *map(str, deepest)])} |\n"


def openings_of(table: LayerTable) -> str:
    """Which first moves draw, and which replies hold the draw."""
    game = table.game
    text = "| first move | value | replies that draw | replies that lose |\n|---|---|---|---|\n"
    for move, value, after in _of_a_kind(game, game.start(), table):
        replies = _of_a_kind(game, after, table)
        kept = [name for name, worth, _ in replies if worth == value]
        lost = [f"{name} in {worth.split()[-1]}" for name, worth, _ in replies if worth != value]
        text += f"| {move} | {value} | {', '.join(kept)} | {', '.join(lost)} |\n"
    return text


def _of_a_kind(game: Game, position: Position, table: LayerTable) -> list[tuple[str, str, Position]]:
    """The moves in the order of the points, of those alike the first: its name, its value, and where it leads."""
    rated = {one.move: one for one in table.moves(position)}
    first = [min(group, key=game.moves(position).index) for group in alike(game, position, rated)]
    found = []
    for move in sorted(first, key=game.moves(position).index):
        value = rated[move].value
        text = "draw" if value.outcome is Outcome.DRAW else str(value)
        found.append((f"`{game.write_move(move)}`", text, rated[move].position))
    return found


def picture(counts: dict[str, Any]) -> Picture:
    """For every board a column a layer, filled from below with what O wins, what is drawn and what X wins."""
    charts: list[Picture] = []
    for name, found in counts.items():
        marks = []
        for stones, row in enumerate(found["subspaces"]):
            left, bottom = LEFT + COLUMN * stones, float(HEIGHT)
            x, o = (row["wins"], row["losses"]) if stones % 2 == 0 else (row["losses"], row["wins"])
            for kind, count in (("loss", o), ("draw", row["draws"]), ("win", x)):
                height = HEIGHT * count / row["positions"]
                bottom -= height
                marks.append(
                    f'<rect class="{kind}" x="{left}" y="{bottom:.2f}" width="{COLUMN - 3}" height="{height:.2f}">'
                    f"<title>{stones} stones: {count:,} of {row['positions']:,}</title></rect>"
                )
            marks.append(f'<text class="label" x="{left + COLUMN / 2 - 2:g}" y="{HEIGHT + 18}">{stones}</text>')
        chart = Picture("\n".join(marks), LEFT + 26 * COLUMN, HEIGHT + 28)
        charts += [words(name, chart.width, "title"), chart]
    legend = words("across: stones on the board; from below: O wins, draws, X wins", charts[-1].width)
    return above(*charts, legend)


def put(text: str, name: str, between: str) -> str:
    """The page with something new between the two comments of this name."""
    pattern = rf"(<!-- {re.escape(name)} -->\n).*?(<!-- end -->)"
    found, many = re.subn(pattern, lambda match: f"{match[1]}\n{between}\n{match[2]}", text, flags=re.S)
    assert many == 1, f"{PAGE}: expected <!-- {name} --> once"
    return found


def main(folder: Path) -> None:
    counts, page = {}, PAGE.read_text("utf-8")
    for name in NAMES:
        game = find_game(name)
        Making(game, folder / name, check=False).solve(None)
        table = open_table(folder / name)
        counts[name] = counts_of(table) | {"work": work_of(game)}
        page = put(page, f"layers of {name}", rows_of(counts[name]))
        if name == NAMES[0]:
            page = put(page, f"openings of {name}", openings_of(table))
    COUNTS.write_text(json.dumps(counts, indent=1) + "\n", "utf-8")
    (HERE / "layers.svg").write_text(picture(counts).svg())
    PAGE.write_text(page, "utf-8")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with TemporaryDirectory() as temporary:
            main(Path(temporary))
