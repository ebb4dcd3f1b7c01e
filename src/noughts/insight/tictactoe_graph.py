"""The graph of tic-tac-toe as Knuth's TICTACTOE1 makes it, to be handed over as a file of the Stanford GraphBase.

A vertex is a reachable position, 5,478 in all; an arc a move, 16,167. Vertices are made depth first, places tried in an
order of Knuth's own: middle left, bottom middle, middle right, top middle, then the corners from bottom left round to
top left, then the centre. A place is a pair of bits in the position's **bit code**, the upper for the first player's
stone. Won positions are not expanded. The newest arc stands first in a vertex's list, and vertices of one rank (number
of moves made) are linked from the newest to the oldest, vertex k being where the list of rank k begins.

In the file a position is named as seen by the player to move: X is to move, O has just moved.
"""

from dataclasses import dataclass, field

from noughts.games import Outcome, Position, game
from noughts.insight import graphbase

__all__ = ["ORDER", "UTIL_TYPES", "Vertex", "as_graphbase", "graph"]

TICTACTOE = game("tictactoe")
ORDER = tuple(TICTACTOE.layout.index[name] for name in ("a2", "b3", "c2", "b1", "a3", "c3", "c1", "a1", "b2"))
"""The points in the order in which Knuth tries them; its place in it is a point's pair of bits."""

UTIL_TYPES = "ZIIVVIZZZZZZZZ"
"""Of a vertex: v its bit code, w whether it is won, x the head of a rank, y its link, z its rank."""
SPARE_VERTICES = 4
ARC_BLOCK = 102
"""The GraphBase allots arcs so many at a time; the file has them all."""


@dataclass(eq=False)
class Vertex:
    """A position, with its place in the graph."""

    number: int
    position: Position
    arcs: list["Vertex"] = field(default_factory=list)
    """Successors, the newest arc first."""

    @property
    def rank(self) -> int:
        """How many moves have been made."""
        return self.position.occupied.bit_count()

    @property
    def won(self) -> bool:
        """Whether the player who just moved has three in a row."""
        return TICTACTOE.over(self.position) is Outcome.LOSS

    @property
    def bitcode(self) -> int:
        """The stones, two bits a place."""
        first, second = self.position.stones
        return sum(
            (first >> point & 1) << 2 * pair + 1 | (second >> point & 1) << 2 * pair for pair, point in enumerate(ORDER)
        )

    @property
    def name(self) -> str:
        """The board row by row, X being to move."""
        own, other = self.position.stones[self.position.turn], self.position.stones[1 - self.position.turn]
        cells = ["X" if own >> point & 1 else "O" if other >> point & 1 else " " for point in range(9)]
        return "/".join("".join(cells[row : row + 3]) for row in (0, 3, 6))


def graph() -> tuple[list[Vertex], list[tuple[Vertex, Vertex]]]:
    """All vertices and all arcs, in the order in which they are made."""
    vertices: list[Vertex] = []
    arcs: list[tuple[Vertex, Vertex]] = []
    known: dict[Position, Vertex] = {}

    def made(position: Position) -> Vertex:
        known[position] = Vertex(len(vertices), position)
        vertices.append(known[position])
        return known[position]

    def expand(vertex: Vertex) -> None:
        moves = {move.to: move for move in TICTACTOE.moves(vertex.position)}
        for point in ORDER:
            if point in moves:
                then = TICTACTOE.after(vertex.position, moves[point])
                new = then not in known
                tip = made(then) if new else known[then]
                vertex.arcs.insert(0, tip)
                arcs.append((vertex, tip))
                if new:
                    expand(tip)

    expand(made(TICTACTOE.start()))
    return vertices, arcs


def as_graphbase() -> graphbase.Graph:
    """The graph that Knuth's restore_graph reads."""
    vertices, arcs = graph()
    newest_arc: dict[int, int] = {}
    arc_records = []
    for number, (source, tip) in enumerate(arcs):
        arc_records.append(graphbase.Arc(tip.number, newest_arc.get(source.number), 1))
        newest_arc[source.number] = number
    padding = -len(arcs) % ARC_BLOCK
    newest: dict[int, int] = {}
    link: dict[int, int | None] = {}
    for vertex in vertices:
        link[vertex.number] = newest.get(vertex.rank)
        newest[vertex.rank] = vertex.number
    return graphbase.Graph(
        id="tictactoe",
        n=len(vertices),
        m=len(arcs),
        util_types=UTIL_TYPES,
        fields=(None,) * 6,
        vertices=(
            *(
                graphbase.Vertex(
                    vertex.name,
                    newest_arc.get(vertex.number),
                    v=vertex.bitcode,
                    w=int(vertex.won),
                    x=newest.get(vertex.number),
                    y=link[vertex.number],
                    z=vertex.rank,
                )
                for vertex in vertices
            ),
            *[graphbase.Vertex("", None, v=0, w=0, z=0)] * SPARE_VERTICES,
        ),
        arcs=(*arc_records, *[graphbase.Arc(None, None, 0)] * padding),
    )
