r"""A trace as a picture: waves one under another, as a logic analyser shows them.

A signal of one bit is a square wave. A wider one, or one whose values have names, is a band cut where the value
changes, with the value in it: a hexadecimal number, or the name. A number stands only where all of it fits; a name may
be cut short. What is undefined is a hatched band, with a u for every digit that nothing has defined. Under the pointer
every stretch says what it is and when.

    cycle      0   1   2           the numbers stand over the rising edges, where registers change
    cp       _/▔\_/▔\_/▔
    i        ⟨u⟩⟨ 6 ⟩⟨ 8 ⟩
    ns        200 400 600          the times are those of the table and of the value change dump
"""

from collections.abc import Iterable, Iterator
from html import escape
from math import ceil
from typing import NamedTuple

from noughts.games import NoughtsError
from noughts.games.picture import Picture
from noughts.silicon.trace import UNDEFINED, Trace, hexadecimal

__all__ = ["MOST_CYCLES", "TraceTooLongError", "waveform"]

MOST_CYCLES = 400
"""More make a picture that nobody scrolls through."""

NARROWEST, WIDEST = 17, 40
PAGE = 1700
"""Half cycles are as wide as such a picture allows, within these bounds: in a short run every name fits."""

ROW = 26
HIGH, MIDDLE, LOW = 5.5, 13, 20.5
"""Heights in a row, from its top."""

SLANT = 3
LETTER = 6
"""The width of a letter of the values, rounded up as small fonts are."""

SHORTEST = 3
"""A name with fewer letters left than this is not worth printing."""

STYLE = """<style>
.wave-title { text-anchor: start; } .wave-name { text-anchor: end; font-size: 12.5px; }
.wave-axis { font-size: 10.5px; opacity: 0.65; }
.wave-value { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 9.5px; pointer-events: none; }
.wave-edge { stroke: currentColor; opacity: 0.13; } .wave-stripe { fill: currentColor; opacity: 0.04; }
.wave { stroke: var(--x); stroke-width: 1.6; fill: none; stroke-linejoin: round; }
.wave-high { fill: var(--x); opacity: 0.15; } .wave-low { fill: transparent; }
.band { stroke: currentColor; stroke-opacity: 0.6; fill: currentColor; fill-opacity: 0.04; stroke-linejoin: round; }
.band.named { stroke: var(--o); stroke-opacity: 0.9; fill: var(--o); fill-opacity: 0.13; }
.band.undefined { stroke: currentColor; stroke-opacity: 0.5; fill: currentColor; fill-opacity: 0.12; }
.hatching { stroke: currentColor; stroke-opacity: 0.3; stroke-width: 15; stroke-dasharray: 1 5; pointer-events: none; }
</style>"""
"""A hatching is one stroke as thick as a band, in dashes."""


class TraceTooLongError(NoughtsError):
    """A trace with more cycles than a picture can show."""


class Stretch(NamedTuple):
    """Half cycles over which a signal keeps its value: from row `first` to the row before `end`."""

    first: int
    end: int
    value: int
    undefined: int
    """The bits of it that are undefined."""


class Paper(NamedTuple):
    """Where things go: the first half cycle at `left`, the first signal at `top`, and a half cycle is so wide."""

    left: float
    top: float
    half: float

    def x(self, row: int) -> float:
        """Where a half cycle begins."""
        return round(self.left + self.half * row, 2)


def waveform(trace: Trace, signals: Iterable[str] | None = None, title: str | None = None) -> str:
    """An SVG of the signals asked for, or of all."""
    if trace.cycles > MOST_CYCLES:
        raise TraceTooLongError(
            f"{trace.cycles} cycles are too many to draw: expected at most {MOST_CYCLES}; choose a window of the run"
        )
    shown = list(trace.widths) if signals is None else list(signals)
    columns = [(name, list(zip(trace.column(name), trace.undefined_column(name), strict=True))) for name in shown]
    paper = Paper(
        left=28 + 7.6 * max((len(name) for name in shown), default=0),
        top=30 + (24 if title else 0),
        half=max(NARROWEST, min(WIDEST, PAGE // max(1, len(trace.rows)))),
    )
    width = max(paper.x(len(trace.rows)), paper.left + 9 * len(title or "")) + 24
    height = paper.top + ROW * len(shown) + 26
    marks = [STYLE]
    if title:
        marks.append(f'<text class="title wave-title" x="{paper.left:g}" y="22">{escape(title)}</text>')
    marks += _stripes(trace, paper, len(shown))
    marks += _axes(trace, paper, len(shown))
    for number, (name, column) in enumerate(columns):
        marks += _signal(trace, paper, name, column, paper.top + ROW * number)
    return Picture("\n".join(marks), width, height).svg()


def _stripes(trace: Trace, paper: Paper, rows: int) -> list[str]:
    """Every other row a little darker, so that the eye finds the name."""
    wide = paper.x(len(trace.rows)) + 12
    return [
        f'<rect class="wave-stripe" x="12" y="{paper.top + ROW * row:g}" width="{wide - 12:g}" height="{ROW}"/>'
        for row in range(0, rows, 2)
    ]


def _axes(trace: Trace, paper: Paper, rows: int) -> list[str]:
    """A line at every rising edge; above it the number of the cycle, below it the time."""
    bottom = paper.top + ROW * rows
    edges = [row for row in range(len(trace.rows)) if (trace.start + row) % 2]
    numbers = {row: f"{(trace.start + row) // 2}" for row in edges}
    times = {row: f"{trace.time(row)}" for row in edges}
    marks = [
        f'<text class="wave-axis wave-name" x="{paper.left - 10:g}" y="{paper.top - 8:g}">cycle</text>',
        f'<text class="wave-axis wave-name" x="{paper.left - 10:g}" y="{bottom + 15:g}">ns</text>',
    ]
    for row in edges:
        x = paper.x(row)
        marks.append(f'<line class="wave-edge" x1="{x:g}" y1="{paper.top - 4:g}" x2="{x:g}" y2="{bottom + 4:g}"/>')
    for texts, y in ((numbers, paper.top - 8), (times, bottom + 15)):
        longest = max((len(text) for text in texts.values()), default=0)
        every = ceil((LETTER * longest + 14) / (2 * paper.half))
        for row, text in texts.items():
            if int(numbers[row]) % every == 0:
                marks.append(f'<text class="wave-axis" x="{paper.x(row):g}" y="{y:g}">{text}</text>')
    return marks


def _signal(trace: Trace, paper: Paper, name: str, column: list[tuple[int, int]], top: float) -> Iterator[str]:
    """A name and its wave or band."""
    named = bool(trace.names.get(name))
    yield f'<g class="signal" data-name="{escape(name)}">'
    yield f'<text class="wave-name" x="{paper.left - 10:g}" y="{top + MIDDLE + 4.5:g}">{escape(name)}</text>'
    stretches = list(_stretches(column))
    if trace.widths[name] == 1 and not named:
        yield from _wave(trace, paper, name, stretches, top)
    else:
        for stretch in stretches:
            yield from _band(trace, paper, name, stretch, top)
    yield "</g>"


def _stretches(column: list[tuple[int, int]]) -> Iterator[Stretch]:
    first = 0
    for row in range(1, len(column) + 1):
        if row == len(column) or column[row] != column[first]:
            yield Stretch(first, row, *column[first])
            first = row


def _wave(trace: Trace, paper: Paper, name: str, stretches: list[Stretch], top: float) -> Iterator[str]:
    """One line, level over every stretch; behind it, tinted where it is high, what the pointer finds."""
    line, goes_on = "", False
    for stretch in stretches:
        left, right = paper.x(stretch.first), paper.x(stretch.end)
        if stretch.undefined:
            yield from _band(trace, paper, name, stretch, top)
            goes_on = False
            continue
        line += f"{'L' if goes_on else 'M'}{left:g} {top + (HIGH if stretch.value else LOW):g}H{right:g}"
        goes_on = True
        kind = "wave-high" if stretch.value else "wave-low"
        yield (
            f'<rect class="{kind}" x="{left:g}" y="{top + HIGH:g}" width="{right - left:g}" height="{LOW - HIGH:g}">'
            f"{_tooltip(trace, name, stretch)}</rect>"
        )
    yield f'<path class="wave" d="{line}"/>'


def _band(trace: Trace, paper: Paper, name: str, stretch: Stretch, top: float) -> Iterator[str]:
    """A hexagon with the value in it, if it fits."""
    left, right = paper.x(stretch.first), paper.x(stretch.end)
    high, middle, low = top + HIGH, top + MIDDLE, top + LOW
    corners = f"{left:g},{middle:g} {left + SLANT:g},{high:g} {right - SLANT:g},{high:g} "
    corners += f"{right:g},{middle:g} {right - SLANT:g},{low:g} {left + SLANT:g},{low:g}"
    kind = "band undefined" if stretch.undefined else "band named" if trace.names.get(name) else "band"
    yield f'<polygon class="{kind}" points="{corners}">{_tooltip(trace, name, stretch)}</polygon>'
    if stretch.undefined:
        yield f'<path class="hatching" d="M{left + SLANT:g} {middle:g}H{right - SLANT:g}"/>'
    text = _fitting(trace, name, stretch, right - left - 2)
    if text:
        yield f'<text class="wave-value" x="{(left + right) / 2:g}" y="{middle + 3.5:g}">{escape(text)}</text>'


def _fitting(trace: Trace, name: str, stretch: Stretch, width: float) -> str:
    """The value in so much room: a number whole or not at all, a name whole or its beginning."""
    letters = int(width / LETTER)
    named = UNDEFINED if stretch.undefined and name in trace.names else trace.names.get(name, {}).get(stretch.value)
    if named is None:
        number = hexadecimal(stretch.value, trace.widths[name], stretch.undefined)
        return number if len(number) <= letters else ""
    if len(named) <= letters:
        return named
    return f"{named[: letters - 1]}…" if letters > SHORTEST else ""


def _tooltip(trace: Trace, name: str, stretch: Stretch) -> str:
    """What the pointer shows: the signal, its value as the table prints it, and when."""
    value = trace.text(name, stretch.value, stretch.undefined)
    number = hexadecimal(stretch.value, trace.widths[name], stretch.undefined)
    both = value if value == number else f"{value} ({number})"
    first, last = ((trace.start + row) // 2 for row in (stretch.first, stretch.end - 1))
    when = f"{trace.time(stretch.first)} to {trace.time(stretch.end)} ns, "
    when += f"cycle {first}" if first == last else f"cycles {first} to {last}"
    return f"<title>{escape(f'{name} = {both}, {when}')}</title>"
