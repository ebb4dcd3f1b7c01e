"""The tree of a search at one of its steps, as two pictures or three.

**The line** shows what is being looked at: under each position on the way to the present one all its moves, each with
the small board it leads to: looked at, with its value; on the way; not yet; or cut off, and struck out. However large
the tree is, this stays small. **The whole tree**, where it is small enough to be drawn, grows from step to step: a
position is a cross where X wins, a ring where O wins, a dash where it is a draw, a dot where that is not known yet; a
branch that was cut off is a stub with a bar. Its places are those of the finished tree, so that nothing moves while it
grows.

Where very few positions can follow, **the lettered tree** stands in its place: all of them, as boards with names
(`noughts.insight.searching.drawing`).

Marks of one kind are one path, since a page with an element for every position would be too large.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup, escape

from noughts.games import SIDES, Game, Move, Position
from noughts.games.points import members
from noughts.insight.searching import Run, StepKind, bound_words, draw_tree, is_drawn, number

__all__ = ["MOST_DRAWN", "draw_lettered", "draw_line", "draw_whole"]

MOST_DRAWN = 450
"""Positions and stubs of a tree that is drawn whole."""
APART, TALL, SIDE = 44, 90, 32
"""On the line: the width of a move, the height of a row, the side of a board."""
NARROWEST = 7
"""Moves that the line has room for, however few there are: words stand beside them."""
UNTITLED = 24
"""Paper above the lettered tree that is for a title."""
STEP, DOWN = 13, 34
"""In the whole tree: between neighbours, and from a position to the next."""


class Layout(NamedTuple):
    """Places of a whole tree."""

    x: list[float]
    """Of each position."""
    stubs: dict[int, list[float]]
    """Of the moves that each position skips."""
    width: float


@lru_cache(64)
def _layout(run: Run) -> Layout | None:
    """Ends and stubs side by side, every other position above the middle of what is under it; None if it is too large.

    Runs are compared by identity.
    """
    if len(run.visits) + sum(len(run.steps[at].skipped) for at in run.cuts) > MOST_DRAWN:
        return None
    x = [0.0] * len(run.visits)
    stubs: dict[int, list[float]] = {}
    right = STEP / 2

    def place(node: int) -> None:
        nonlocal right
        under = []
        for child in run.children[node].values():
            place(child)
            under.append(x[child])
        for _ in range(len(run.steps[run.cut[node]].skipped) if node in run.cut else 0):
            stubs.setdefault(node, []).append(right)
            under.append(right)
            right += STEP
        if not under:
            x[node] = right
            right += STEP
        else:
            x[node] = (under[0] + under[-1]) / 2

    place(0)
    return Layout(x, stubs, right)


def draw_lettered(run: Run, at: int) -> Markup | None:
    """The tree with a board for every position that can follow; None if there are too many."""
    if not is_drawn(run.game, run.visits[0].position):
        return None
    picture = draw_tree(run, at)
    label = f"The tree so far: {sum(when <= at for when in run.visited_at)} positions"
    # Without the paper for a title.
    width, height = picture.width, picture.height - UNTITLED
    return Markup(
        f'<svg class="game-tree" viewBox="0 {UNTITLED} {width:g} {height:g}" width="{width:g}" height="{height:g}" '
        f'role="img" aria-label="{label}">{picture.body}</svg>'
    )


def draw_whole(run: Run, at: int) -> Markup | None:
    """The whole tree as far as it has grown; None if it is too large."""
    found = _layout(run)
    if found is None:
        return None
    path = set(run.path(at))
    edges: list[str] = []
    way: list[str] = []
    cut: list[str] = []
    open_ones: list[str] = []
    marks: dict[int, list[str]] = {1: [], 0: [], -1: []}
    for node, step in enumerate(run.visits):
        if run.visited_at[node] > at:
            break
        x, y = found.x[node], DOWN * run.depth[node] + DOWN / 2
        if step.parent is not None:
            line = f"M{found.x[step.parent]:g} {y - DOWN:g}L{x:g} {y:g}"
            (way if node in path else edges).append(line)
        result = run.result(node, at)
        if result is None or result.value is None:
            open_ones.append(f"M{x:g} {y:g}h0")
        else:
            marks[result.value].append(_sign(result.value, x, y))
        if run.skipped(node, at):
            cut += [_stub(x, y, stub) for stub in found.stubs[node]]
    rings = [_ring("tree-now", found, run, run.steps[at].node)]
    known = run.steps[at].known
    if known is not None:
        rings.append(_ring("tree-known", found, run, known))
    paths = [("edge", edges), ("way", way), ("stub", cut), ("open", open_ones)]
    paths += [("x-wins", marks[1]), ("drawn", marks[0]), ("o-wins", marks[-1])]
    body = "".join(f'<path class="tree-{kind}" d="{"".join(parts)}"/>' for kind, parts in paths if parts)
    height = DOWN * (run.deepest + 1)
    label = f"The tree so far: {sum(when <= at for when in run.visited_at)} positions"
    return Markup(
        f'<svg class="tree" viewBox="0 0 {found.width:g} {height:g}" width="{found.width:g}" height="{height:g}" '
        f'role="img" aria-label="{label}">{body}{"".join(rings)}</svg>'
    )


def _ring(kind: str, places: Layout, run: Run, node: int) -> str:
    """A circle around a position."""
    y = DOWN * run.depth[node] + DOWN / 2
    return f'<circle class="{kind}" cx="{places.x[node]:g}" cy="{y:g}" r="8"/>'


def _sign(value: int, x: float, y: float) -> str:
    """The mark of a value: a cross, a dash or a ring."""
    if value > 0:
        return f"M{x - 3.5:g} {y - 3.5:g}l7 7m0-7l-7 7"
    if value < 0:
        return f"M{x - 4:g} {y:g}a4 4 0 1 0 8 0a4 4 0 1 0-8 0"
    return f"M{x - 4:g} {y:g}h8"


def _stub(x: float, y: float, to: float) -> str:
    """Half a branch, with a bar across its end."""
    end_x, end_y = x + (to - x) * 0.5, y + DOWN * 0.5
    return f"M{x:g} {y:g}L{end_x:g} {end_y:g}M{end_x - 4:g} {end_y:g}h8"


class Choice(NamedTuple):
    """A move on the line, as it is drawn."""

    move: Move
    position: Position
    kind: str
    """way, done, cut or later."""
    text: str
    """Its value, if that is known."""
    value: int | None


def _choices(run: Run, node: int, at: int, way: set[int]) -> Iterator[Choice]:
    game, here = run.game, run.visits[node].position
    skipped = run.skipped(node, at)
    for move in game.moves(here):
        child = run.children[node].get(move)
        seen = child is not None and run.visited_at[child] <= at
        found = run.result(child, at) if seen and child is not None else None
        kind = "cut" if move in skipped else "later" if not seen else "way" if child in way else "done"
        text = bound_words(found).replace(" ", "") if found else ""
        yield Choice(move, game.after(here, move), kind, text, found.value if found else None)


def draw_line(run: Run, at: int) -> Markup:
    """The positions on the way to the present one, and under each its moves."""
    way = run.path(at)
    rows = [list(_choices(run, node, at, set(way))) for node in way if run.visits[node].kind is StepKind.ENTER]
    widest = max(len(run.game.moves(run.visits[0].position)), NARROWEST)
    width, height = APART * widest, TALL * run.deepest + SIDE + 24
    root = run.visits[0].position
    x, now = width / 2, len(way) - 1
    found = run.result(0, at)
    marks = [_board(run.game, root, x, 4, "way", now == 0, bound_words(found) if found else "")]
    for depth, row in enumerate(rows):
        top = TALL * (depth + 1)
        left = (width - APART * len(row)) / 2 + APART / 2
        under = top - TALL + SIDE + (20 if depth else 10)
        marks += [
            f'<path class="line-{choice.kind}" d="M{x:g} {under:g}L{left + APART * place:g} {top - 4:g}"/>'
            for place, choice in enumerate(row)
        ]
        # The words stand on the side from which the lines come down last.
        side = f'class="line-who" x="{width - 2:g}"' if x <= width / 2 else 'class="line-who left" x="2"'
        marks.append(f'<text {side} y="{top - TALL + SIDE + 30:g}">{escape(_who(run, way[depth], at))}</text>')
        for place, choice in enumerate(row):
            to = left + APART * place
            here = depth + 1 == now and choice.kind == "way"
            text = f"{run.game.write_move(choice.move)} {choice.text}".strip()
            marks.append(_board(run.game, choice.position, to, top, choice.kind, here, text))
            if choice.kind == "way":
                x = to
    label = f"The line: {', '.join(_names(run, way)) or 'the first position'}"
    return Markup(
        f'<svg class="line" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" role="img" '
        f'aria-label="{escape(label)}">{"".join(marks)}</svg>'
    )


def _names(run: Run, way: list[int]) -> list[str]:
    moves = [(run.visits[node].move, 1 - run.visits[node].position.turn) for node in way]
    return [f"{SIDES[side].upper()} {run.game.write_move(move)}" for move, side in moves if move is not None]


def _who(run: Run, node: int, at: int) -> str:
    """Whose moves a row has, and what they are compared with."""
    side = run.visits[node].position.turn
    alpha, beta = run.window(node, at)
    whose = f"{SIDES[side].upper()}’s moves"
    if not run.how.cuts or not run.how.bounds:
        return whose
    if run.how.name == "c1990":
        bound = run.visits[node].beta if side == 0 else -run.visits[node].alpha
        return f"{whose}, a = {number(bound)}"
    return f"{SIDES[side].upper()}: alpha {number(alpha)}, beta {number(beta)}"


def _board(game: Game, position: Position, x: float, y: float, kind: str, here: bool, text: str) -> str:
    """A small board with its middle above x, and a word under it."""
    places = game.layout.places
    columns, rows = 1 + max(one.column for one in places), 1 + max(one.row for one in places)
    unit = SIDE / max(columns, rows)
    left, r = x - unit * columns / 2, unit * 0.3
    grid = "".join(f"M{left + unit * i:g} {y:g}v{unit * rows:g}" for i in range(columns + 1))
    grid += "".join(f"M{left:g} {y + unit * i:g}h{unit * columns:g}" for i in range(rows + 1))
    spots = [(left + unit * (one.column + 0.5), y + unit * (one.row + 0.5)) for one in places]
    crosses = "".join(
        f"M{cx - r:.1f} {cy - r:.1f}l{2 * r:.1f} {2 * r:.1f}m0 {-2 * r:.1f}l{-2 * r:.1f} {2 * r:.1f}"
        for cx, cy in (spots[point] for point in members(position.stones[0]))
    )
    rings = "".join(
        f"M{cx - r:.1f} {cy:.1f}a{r:.1f} {r:.1f} 0 1 0 {2 * r:.1f} 0a{r:.1f} {r:.1f} 0 1 0 {-2 * r:.1f} 0"
        for cx, cy in (spots[point] for point in members(position.stones[1]))
    )
    pad = f'x="{left - 3:g}" y="{y - 3:g}" width="{unit * columns + 6:g}" height="{unit * rows + 6:g}"'
    strike = f'<path class="strike" d="M{left - 3:g} {y + SIDE + 3:g}L{x + SIDE / 2 + 3:g} {y - 3:g}"/>'
    return (
        f'<g class="mini {kind}{" now" if here else ""}"><rect class="sheet" {pad} rx="3"/>'
        f'<path class="lines" d="{grid}"/><path class="xs" d="{crosses}"/><path class="os" d="{rings}"/>'
        f"{strike if kind == 'cut' else ''}"
        f'<text x="{x:g}" y="{y + SIDE + 14:g}">{escape(text)}</text></g>'
    )
