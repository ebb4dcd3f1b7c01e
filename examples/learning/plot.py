"""The curves as a picture: a column for every game, a row for every learner, a line for every teacher.

The lines are told apart by their dashes as well as by their colours, which are those of the boards: so they can be read
on light and on dark pages, and without colours. Games are counted on a scale of equal ratios; exploitability goes from
1, the worst there is, to 0.
"""

from collections.abc import Mapping, Sequence
from math import log10
from typing import Any

from noughts.games import game as find_game
from noughts.games.picture import Picture, above, beside, words

WIDE, TALL = 300, 170
"""Of the space for the lines."""
LEFT, TOP, BELOW = 52, 34, 44
LINES = {
    "itself": ("--x", "", "against itself"),
    "perfect": ("--loss", "9 4", "against the perfect player"),
    "exploiter": ("--win", "1.5 4", "against its best response"),
    "told": ("--draw", "9 3 1.5 3", "against itself, told exact values"),
}
"""Of every teacher: its colour, its dashes and what is written beside it."""


def draw(runs: Sequence[Mapping[str, Any]]) -> Picture:
    """The picture of what was measured."""
    if not runs:
        raise ValueError("nothing was measured: expected at least one run")
    games = list(dict.fromkeys(run["game"] for run in runs))
    learners = list(dict.fromkeys(run["learner"] for run in runs))
    rows = []
    for learner in learners:
        panels = []
        for game in games:
            own = [run for run in runs if run["game"] == game and run["learner"] == learner]
            panels.append(_panel(f"{find_game(game).title}, a {learner}", own))
        rows.append(beside(*panels))
    return above(*rows, _legend(rows[0].width, [name for name in LINES if any(run["teacher"] == name for run in runs)]))


def curve(runs: Sequence[Mapping[str, Any]]) -> list[tuple[float, float]]:
    """The means over runs that were judged equally often: games and exploitability."""
    return [
        (sum(games) / len(runs), sum(values) / len(runs))
        for games, values in zip(
            zip(*(run["games"] for run in runs), strict=True),
            zip(*(run["exploitability"] for run in runs), strict=True),
            strict=True,
        )
    ]


def _panel(title: str, runs: Sequence[Mapping[str, Any]]) -> Picture:
    most = max([100, *(run["games"][-1] for run in runs)])
    least = 10.0
    decades = log10(most / least)

    def spot(games: float, value: float) -> tuple[float, float]:
        return LEFT + WIDE * max(log10(max(games, 1) / least), 0) / decades, TOP + TALL * (1 - value)

    marks = [f'<text class="title" x="{LEFT + WIDE / 2:g}" y="20">{title}</text>']
    for value in (0, 0.5, 1):
        _, y = spot(1, value)
        marks.append(f'<path class="grid" style="opacity: {0.55 if value == 0 else 0.2}" d="M{LEFT} {y:g}h{WIDE}"/>')
        marks.append(f'<text class="label" style="text-anchor: end" x="{LEFT - 8}" y="{y + 4:g}">{value:g}</text>')
    for power in range(1, int(log10(most)) + 1):
        x, y = spot(10**power, 0)
        marks.append(f'<path class="grid" d="M{x:g} {y:g}v5"/>')
        marks.append(f'<text class="label" x="{x:g}" y="{y + 20:g}">{10**power:,}</text>')
    for name, (colour, dashes, _) in LINES.items():
        own = [run for run in runs if run["teacher"] == name]
        if own:
            marks.append(_line([spot(*point) for point in curve(own)], colour, dashes))
    marks.append(f'<text class="label" x="{LEFT + WIDE / 2:g}" y="{TOP + TALL + 38}">games</text>')
    return Picture("\n".join(marks), LEFT + WIDE + 16, TOP + TALL + BELOW)


def _line(points: Sequence[tuple[float, float]], colour: str, dashes: str) -> str:
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return (
        f'<path d="{path}" fill="none" stroke-width="2.4" stroke-linejoin="round" stroke-linecap="round" '
        f'stroke-dasharray="{dashes or "none"}" style="stroke: var({colour})"/>'
    )


def _legend(width: float, names: Sequence[str]) -> Picture:
    marks = []
    for number, name in enumerate(names):
        colour, dashes, text = LINES[name]
        x, y = LEFT + (number % 2) * width / 2, 14 + 22 * (number // 2)
        marks.append(_line([(x, y), (x + 44, y)], colour, dashes))
        marks.append(f'<text style="text-anchor: start" x="{x + 54:g}" y="{y + 4}">{text}</text>')
    key = Picture("\n".join(marks), width, 22 * ((len(names) + 1) // 2) + 8)
    return above(words("exploitability, of 1 at most: what a best response gains, by games played", width), key)
