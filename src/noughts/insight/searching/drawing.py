"""The tree of a game from a position with few empty points, drawn with boards for its nodes.

Every position that can follow is in it, whichever search is asked: level by level, with a letter for each in that
order, as textbooks have them (breadth first; the position at the top has none). At the left stands who is to move: X is
MAX and takes the highest value below, O is MIN and takes the lowest. The stone just put is marked, and a row that ends
the game is struck through.

On this paper a search (`Run`) writes what it has found by some step: under a board its value, or the bound that was
enough; the line of best play bold; branches that were cut off broken, with a bar across, and what is below them pale,
as is what a table has made unnecessary.
The letters stay with their positions, whatever the order in which a search comes to them.

A drawing is one `Picture` with its own classes: in a file `STYLE` colours them, on a page its style sheet does.
"""

from collections.abc import Iterator
from functools import lru_cache
from html import escape
from typing import NamedTuple

from noughts.games import SIDES, Game, Move, NoughtsError, Position
from noughts.games.picture import Picture
from noughts.games.points import members
from noughts.insight.searching.run import Run
from noughts.insight.searching.search import Step
from noughts.insight.searching.words import bound_words

__all__ = [
    "MOST_NODES",
    "STYLE",
    "Node",
    "TreeTooLargeError",
    "draw_tree",
    "game_tree",
    "is_drawn",
    "letters",
    "tree_file",
    "tree_words",
]

MOST_NODES = 100
"""Positions of a tree that is drawn: four empty points make 65 at most, five may make 326."""
SQUARE = 15.0
"""The side of a square of a board."""
GAP, DOWN = 22.0, 66.0
"""Between two boards side by side, and from a board to the next below."""
LEFT, TOP = 88.0, 34.0
"""Paper for who is to move, and for the title."""
LETTER = 9.0
"""The width of a letter of a title, or more."""

STYLE = """<style>
.gt text { font-size: 12px; } .gt .gt-title { text-anchor: start; font-size: 15px; font-weight: 600; }
.gt .gt-who { text-anchor: start; font-weight: 600; } .gt .gt-turn { text-anchor: start; opacity: 0.75; }
.gt path { fill: none; } .gt-edge { stroke: currentColor; opacity: 0.6; }
.gt-way { stroke: currentColor; stroke-width: 3.2; } .gt-cut { stroke: var(--loss); stroke-dasharray: 4 3; }
.gt-bar { stroke: var(--loss); stroke-width: 2.5; }
.gt-off { stroke: currentColor; opacity: 0.3; stroke-dasharray: 4 3; }
.gt-later { stroke: currentColor; opacity: 0.3; }
.gt-sheet { fill: Canvas; stroke: none; } .gt-node.best .gt-sheet { stroke: currentColor; stroke-width: 2.4; }
.gt-grid { stroke: currentColor; stroke-width: 0.8; opacity: 0.5; } .gt-new { fill: currentColor; opacity: 0.14; }
.gt-x { stroke: var(--x); stroke-width: 2.2; stroke-linecap: round; } .gt-o { stroke: var(--o); stroke-width: 2.2; }
.gt-row { stroke: currentColor; stroke-width: 2; stroke-linecap: round; }
.gt .gt-letter { font-weight: 600; text-anchor: end; } .gt .gt-value { font-weight: 600; }
.gt .gt-value.x { fill: var(--x); stroke: none; } .gt .gt-value.o { fill: var(--o); stroke: none; }
.gt .gt-value.tie { fill: var(--draw); }
.gt-node.off > path, .gt-node.later > path { opacity: 0.35; } .gt-node.off > .gt-new { opacity: 0.07; }
.gt-node.off > .gt-letter, .gt-node.later > .gt-letter { opacity: 0.75; }
</style>"""


class TreeTooLargeError(NoughtsError):
    """A position with too many that can follow."""


class Node(NamedTuple):
    """A position of a tree."""

    position: Position
    parent: int | None
    move: Move | None
    """The move that led to it."""
    depth: int
    children: tuple[int, ...]
    letter: str
    """Its name; empty at the top."""


def game_tree(game: Game, position: Position) -> tuple[Node, ...]:
    """All positions that can follow, level by level, each time they can.

    Args:
        game: A game in which stones are only placed.
        position: The root.

    Raises:
        TreeTooLargeError: if there are more than `MOST_NODES`.
    """
    nodes = [Node(position, None, None, 0, (), "")]
    for at, node in enumerate(nodes):  # which grows
        moves = game.moves(node.position)
        first = len(nodes)
        nodes[at] = node._replace(children=tuple(range(first, first + len(moves))))
        for move in moves:
            nodes.append(Node(game.after(node.position, move), at, move, node.depth + 1, (), _letter(len(nodes))))
        if len(nodes) > MOST_NODES:
            raise TreeTooLargeError(
                f"the tree of {game.write(position)!r} has more than {MOST_NODES} positions: "
                "expected one with fewer empty points, as XOX/OOX/..."
            )
    return tuple(nodes)


def is_drawn(game: Game, position: Position) -> bool:
    """Whether a tree is small enough.

    Args:
        game: A game in which stones are only placed.
        position: The root.
    """
    try:
        _places(game, position)
    except TreeTooLargeError:
        return False
    return True


def _letter(count: int) -> str:
    """The letters in their order: A to Z, AA, AB and so on."""
    text = ""
    while count:
        count, last = divmod(count - 1, 26)
        text = chr(ord("A") + last) + text
    return text


class _Places(NamedTuple):
    """A tree with the place of every node: the middle of its upper edge."""

    nodes: tuple[Node, ...]
    spots: tuple[tuple[float, float], ...]
    board: tuple[float, float]
    """Width and height of a board."""
    width: float
    height: float


@lru_cache(32)
def _places(game: Game, position: Position) -> _Places:
    """Ends side by side, every other position above the middle of what is under it."""
    nodes = game_tree(game, position)
    wide, tall = _size(game)
    x = [0.0] * len(nodes)
    right = LEFT + GAP

    def place(at: int) -> None:
        nonlocal right
        below = nodes[at].children
        for child in below:
            place(child)
        if below:
            x[at] = (x[below[0]] + x[below[-1]]) / 2
        else:
            x[at] = right + wide / 2
            right += wide + GAP

    place(0)
    spots = tuple((x[at], TOP + (tall + DOWN) * node.depth) for at, node in enumerate(nodes))
    deepest = max(node.depth for node in nodes)
    return _Places(nodes, spots, (wide, tall), right, TOP + (tall + DOWN) * deepest + tall + 24)


def _size(game: Game) -> tuple[float, float]:
    """Of a board; the levels of a cube stand side by side."""
    places = game.layout.places
    columns, rows = 1 + max(place.column for place in places), 1 + max(place.row for place in places)
    levels = 1 + max(place.level for place in places)
    return SQUARE * (columns * levels + (levels - 1) / 2), SQUARE * rows


class _Seen(NamedTuple):
    """What a search knows of a node by some step."""

    visited: bool
    result: Step | None = None
    off: bool = False
    """Not searched, and it will not be: something above it is done without, because of a cut-off or of a table."""
    cut: bool = False
    """Cut off here."""
    best: bool = False
    """On the line of best play."""


def _visits(nodes: tuple[Node, ...], run: Run) -> list[int | None]:
    """The number that the search gives to each node; None if it never comes to it."""
    visits: list[int | None] = [0]
    for node in nodes[1:]:
        assert node.parent is not None
        assert node.move is not None
        before = visits[node.parent]
        visits.append(None if before is None else run.children[before].get(node.move))
    return visits


def _seen(nodes: tuple[Node, ...], visits: list[int | None], run: Run, at: int) -> list[_Seen]:
    seen = [_Seen(True, run.result(0, at), best=run.result(0, at) is not None)]
    for node, visit in zip(nodes[1:], visits[1:], strict=True):
        assert node.parent is not None
        above = seen[node.parent]
        if visit is not None and run.visited_at[visit] <= at:
            best = above.best and above.result is not None and above.result.best == node.move
            seen.append(_Seen(True, run.result(visit, at), best=best))
        else:
            before = visits[node.parent]
            cut = before is not None and node.move in run.skipped(before, at)
            seen.append(_Seen(False, off=cut or above.off or above.result is not None, cut=cut))
    return seen


def letters(run: Run) -> dict[int, str]:
    """The letter of every position that a search visits, by its number; nothing if there are too many for a drawing.

    Args:
        run: A finished search.
    """
    root = run.visits[0].position
    if not is_drawn(run.game, root):
        return {}
    nodes = game_tree(run.game, root)
    visits = _visits(nodes, run)
    return {visit: node.letter for node, visit in zip(nodes, visits, strict=True) if visit is not None}


def draw_tree(run: Run, at: int | None = None, title: str = "") -> Picture:
    """The tree of the position in which a search begins.

    Args:
        run: the search.
        at: the step by which it has found what is written; the last, if none. The position of a step is marked.
        title: words above it.

    Raises:
        TreeTooLargeError: if it has more than `MOST_NODES` positions.
    """
    found = _places(run.game, run.visits[0].position)
    visits = _visits(found.nodes, run)
    seen = _seen(found.nodes, visits, run, len(run.steps) - 1 if at is None else at)
    now = None if at is None else visits.index(run.steps[at].node)
    places = range(len(found.nodes))
    marks = [f'<text class="gt-title" x="8" y="20">{escape(title)}</text>'] if title else []
    marks += _turns(found)
    marks += [_edge(found, place, seen[place]) for place in places[1:]]
    marks += [_board(run.game, found, place, seen[place], here=place == now) for place in places]
    width = max(found.width, 16 + LETTER * len(title))
    return Picture("\n".join(['<g class="gt">', *marks, "</g>"]), width, found.height)


def tree_words(run: Run, first: str = "") -> str:
    """What a picture of a finished search shows, in a line; `first` is the move that was tried before the others.

    Args:
        run: A finished search.
        first: The move that was tried before the others, if one was.
    """
    whole = len(_places(run.game, run.visits[0].position).nodes)
    how = f"{run.how.title}, {first} first" if first else run.how.title
    return f"{how}: {len(run.visits)} of {whole} position{'' if whole == 1 else 's'} searched"


def tree_file(run: Run, first: str = "") -> str:
    """The tree of a finished search as a file, with those words above it.

    Args:
        run: A finished search.
        first: The move that was tried before the others, if one was.
    """
    picture = draw_tree(run, title=tree_words(run, first))
    return picture._replace(body=f"{STYLE}\n{picture.body}").svg()


def _turns(found: _Places) -> Iterator[str]:
    """At every level whose move it is, unless nobody has one there."""
    levels = {node.depth: node.position.turn for node in found.nodes if node.children}
    _, tall = found.board
    for depth, turn in levels.items():
        y = TOP + (tall + DOWN) * depth + tall / 2
        yield f'<text class="gt-who" x="8" y="{y - 2:g}">{"MIN" if turn else "MAX"}</text>'
        yield f'<text class="gt-turn" x="8" y="{y + 13:g}">{SIDES[turn].upper()} to move</text>'


def _edge(found: _Places, at: int, seen: _Seen) -> str:
    """From a board, and the value under it, to the next below."""
    parent = found.nodes[at].parent
    assert parent is not None
    (x1, y1), (x2, y2) = found.spots[parent], found.spots[at]
    y1 += found.board[1] + 22
    y2 -= 3
    kind = "cut" if seen.cut else "off" if seen.off else "way" if seen.best else "edge" if seen.visited else "later"
    line = f'<path class="gt-{kind}" d="M{x1:g} {y1:g}L{x2:g} {y2:g}"/>'
    if seen.cut:
        # Across the middle, at a right angle.
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
        across, along = 7 * (y2 - y1) / length, -7 * (x2 - x1) / length
        x, y = (x1 + x2) / 2, (y1 + y2) / 2
        line += f'<path class="gt-bar" d="M{x - across:.1f} {y - along:.1f}L{x + across:.1f} {y + along:.1f}"/>'
    return line


def _board(game: Game, found: _Places, at: int, seen: _Seen, *, here: bool) -> str:
    """A small board with its letter, its value and words for who cannot see it."""
    node, (x, y) = found.nodes[at], found.spots[at]
    wide, tall = found.board
    left, r = x - wide / 2, SQUARE * 0.3
    columns = 1 + max(place.column for place in game.layout.places)

    def corner(point: int) -> tuple[float, float]:
        place = game.layout.places[point]
        return left + SQUARE * (place.column + place.level * (columns + 0.5)), y + SQUARE * place.row

    def middle(point: int) -> tuple[float, float]:
        across, down = corner(point)
        return across + SQUARE / 2, down + SQUARE / 2

    grid = "".join(f"M{a:g} {b:g}h{SQUARE:g}v{SQUARE:g}h{-SQUARE:g}z" for a, b in map(corner, range(len(game.layout))))
    crosses = "".join(
        f"M{a - r:.1f} {b - r:.1f}l{2 * r:.1f} {2 * r:.1f}m0 {-2 * r:.1f}l{-2 * r:.1f} {2 * r:.1f}"
        for a, b in map(middle, members(node.position.stones[0]))
    )
    rings = "".join(
        f"M{a - r:.1f} {b:.1f}a{r:.1f} {r:.1f} 0 1 0 {2 * r:.1f} 0a{r:.1f} {r:.1f} 0 1 0 {-2 * r:.1f} 0"
        for a, b in map(middle, members(node.position.stones[1]))
    )
    later = not seen.visited and not seen.off
    kinds = [name for name, on in (("best", seen.best), ("off", seen.off), ("later", later), ("now", here)) if on]
    marks = [
        f'<g class="{" ".join(["gt-node", *kinds])}"><title>{escape(_words(game, node, seen))}</title>',
        f'<rect class="gt-sheet" x="{left - 3:g}" y="{y - 3:g}" width="{wide + 6:g}" height="{tall + 6:g}" rx="3"/>',
    ]
    if node.move is not None and node.move.to is not None:
        a, b = corner(node.move.to)
        marks.append(f'<rect class="gt-new" x="{a:g}" y="{b:g}" width="{SQUARE:g}" height="{SQUARE:g}"/>')
    marks += [f'<path class="gt-grid" d="{grid}"/>', f'<path class="gt-x" d="{crosses}"/>']
    marks.append(f'<path class="gt-o" d="{rings}"/>')
    for line in game.layout.lines:
        if any(all(stones >> point & 1 for point in line) for stones in node.position.stones):
            (a, b), (c, d) = middle(line[0]), middle(line[-1])
            marks.append(f'<path class="gt-row" d="M{a:g} {b:g}L{c:g} {d:g}"/>')
    if node.letter:
        marks.append(f'<text class="gt-letter" x="{left - 7:g}" y="{y + 8:g}">{node.letter}</text>')
    if seen.result is not None and seen.result.value is not None:
        colour = {1: "x", 0: "tie", -1: "o"}[seen.result.value]
        marks.append(
            f'<text class="gt-value {colour}" x="{x:g}" y="{y + tall + 17:g}">{bound_words(seen.result)}</text>'
        )
    return "".join([*marks, "</g>"])


def _words(game: Game, node: Node, seen: _Seen) -> str:
    """A node in words: its letter, the move, what is known of it."""
    parts = [node.letter] if node.letter else []
    if node.move is not None:
        parts.append(f"{SIDES[1 - node.position.turn].upper()} plays {game.write_move(node.move)}")
    if seen.result is not None and seen.result.value is not None:
        parts.append(bound_words(seen.result))
    elif seen.off:
        parts.append("cut off, not searched" if seen.cut else "not searched")
    return ", ".join(parts) or "the position at the top"
