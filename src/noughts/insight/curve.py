"""The curve of a review as a picture: what every position of a game was worth to one side.

From left to right the positions of the game, from top to bottom what they are worth: the upper edge is a win, the lower
edge a loss. What is proved is drawn as a line, what is estimated as dashes, and what was not looked at yet is missing.
A mistake is a dot with its sign beside it, so that it can be told without colours. Every ply may be pressed: a script
finds by `data-press` what that means.
"""

from collections.abc import Callable
from html import escape
from itertools import pairwise

from noughts.games import SIDES
from noughts.games.picture import Picture
from noughts.insight.review import Ply, Review

__all__ = ["CURVE_STYLE", "draw_curve"]

WIDTH, HEIGHT = 420.0, 168.0
LEFT, TOP, RIGHT, BOTTOM = 62.0, 26.0, 14.0, 44.0
LABELS_APART = 30
"""Units between two numbers under the curve."""

CURVE_STYLE = """<style>
.curve-axis { stroke: currentColor; stroke-width: 1; opacity: 0.25; }
.curve-line { stroke: currentColor; stroke-width: 2.5; fill: none; stroke-linejoin: round; stroke-linecap: round; }
.curve-guess { stroke: currentColor; stroke-width: 2; fill: none; stroke-dasharray: 2 5; stroke-linecap: round; }
.curve-here { stroke: currentColor; stroke-width: 1.5; opacity: 0.7; }
.curve-word { text-anchor: end; } .curve-sign { font-weight: 700; }
.curve-hit rect { fill: transparent; } .curve-hit:hover rect { fill: currentColor; fill-opacity: 0.08; }
</style>"""


def draw_curve(
    review: Review, side: int = 0, here: int | None = None, *, pressed: bool = False, you: bool = False
) -> Picture:
    """The curve for a side; `here` is the ply that is looked at, `pressed` says that plies can be pressed."""
    heights, plies = review.heights(side), review.plies
    step = (WIDTH - LEFT - RIGHT) / max(1, len(heights) - 1)

    def x(ply: int) -> float:
        return LEFT + step * ply

    def y(height: float) -> float:
        return TOP + (1 - height) / 2 * (HEIGHT - TOP - BOTTOM)

    marks = _axes(side, you, y)
    if here is not None:
        top, foot = TOP - 6, HEIGHT - BOTTOM + 6
        marks.append(f'<line class="curve-here" x1="{x(here):g}" y1="{top:g}" x2="{x(here):g}" y2="{foot:g}"/>')
    for number, (one, other) in enumerate(pairwise(heights)):
        if one is not None and other is not None:
            kind = "curve-line" if _proved(plies, number) and _proved(plies, number + 1) else "curve-guess"
            marks.append(f'<path class="{kind}" d="M{x(number):g} {y(one):g}L{x(number + 1):g} {y(other):g}"/>')
    for ply in review.wrong:
        after = heights[ply.number]
        if after is not None:
            marks += _sign(ply, x(ply.number), y(after))
    every = max(1, round(LABELS_APART / step + 0.5))
    marks += [
        f'<text class="label" x="{x(ply):g}" y="{HEIGHT - 8:g}">{ply}</text>' for ply in range(0, len(heights), every)
    ]
    if pressed:
        marks += [_hit(x(ply) - step / 2, step, ply, _label(review, ply)) for ply in range(len(heights))]
    return Picture("\n".join(marks), WIDTH, HEIGHT)


def _axes(side: int, you: bool, y: Callable[[float], float]) -> list[str]:
    names = [f"{SIDES[one].upper()} wins" for one in (side, 1 - side)]
    top, foot = ("you win", "you lose") if you else names
    marks = []
    for height, words in ((1.0, top), (0.0, "draw"), (-1.0, foot)):
        marks += [
            f'<line class="curve-axis" x1="{LEFT:g}" y1="{y(height):g}" x2="{WIDTH - RIGHT:g}" y2="{y(height):g}"/>',
            f'<text class="label curve-word" x="{LEFT - 6:g}" y="{y(height) + 4:g}">{words}</text>',
        ]
    return marks


def _proved(plies: tuple[Ply | None, ...], number: int) -> bool:
    """Whether the worth of a position is known for certain."""
    if number < len(plies):
        ply = plies[number]
        return ply is not None and ply.before.exact
    last = plies[-1] if plies else None
    return last is not None and last.after.exact


def _sign(ply: Ply, x: float, y: float) -> list[str]:
    below = y > HEIGHT / 2  # away from the line, which comes from the middle
    return [
        f'<circle class="loss" cx="{x:g}" cy="{y:g}" r="5"/>',
        f'<text class="loss curve-sign" x="{x:g}" y="{y + 18 if below else y - 9:g}">{ply.mark}</text>',
    ]


def _label(review: Review, number: int) -> str:
    """What is said of a ply to those who do not see the curve."""
    if number == 0:
        return "the start"
    ply = review.plies[number - 1]
    move = review.playing.game.write_move(review.playing.moves[number - 1])
    words = f"ply {number}, {SIDES[review.playing.positions[number - 1].turn].upper()} {move}"
    return words if ply is None or not ply.mark else f"{words}, {ply.mark.words}"


def _hit(left: float, width: float, ply: int, label: str) -> str:
    return (
        f'<g class="curve-hit" data-press="ply-{ply}"><title>{escape(label)}</title>'
        f'<rect x="{left:g}" y="0" width="{width:g}" height="{HEIGHT:g}"/></g>'
    )
