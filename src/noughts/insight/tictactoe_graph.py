"""The graph of tic-tac-toe as Knuth's TICTACTOE1 makes it, and its file for the Stanford GraphBase.

A vertex is a reachable position, 5,478 in all; an arc a move, 16,167. Vertices are made depth first, places tried in an
order of Knuth's own: middle left, bottom middle, middle right, top middle, then the corners from bottom left round to
top left, then the centre. A place is a pair of bits in the position's **bit code**, the upper for the first player's
stone. Won positions are not expanded. The newest arc stands first in a vertex's list, and vertices of one rank (number
of moves made) are linked from the newest to the oldest.

The GraphBase file names a position as seen by the player to move: X is to move, O has just moved.
"""

from dataclasses import dataclass, field

from noughts.games import Outcome, Position, game

__all__ = ["ORDER", "Vertex", "graph", "graphbase_file"]

TICTACTOE = game("tictactoe")
ORDER = tuple(TICTACTOE.layout.index[name] for name in ("a2", "b3", "c2", "b1", "a3", "c3", "c1", "a1", "b2"))
"""The points in the order in which Knuth tries them; its place in it is a point's pair of bits."""

SPARE_VERTICES = 4
ARC_BLOCK = 102
MODULUS = (1 << 30) - 83
CODES = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_^~&@,;.:?!%#$+-*/|\\<=>()[]{}`'\" \n"
OTHER_CODE = 127


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


def graphbase_file() -> str:
    """The file that Knuth's restore_graph reads."""
    vertices, arcs = graph()
    padding = -len(arcs) % ARC_BLOCK
    lines = [f'"tictactoe",{len(vertices)},{len(arcs)}', "* Vertices"]
    lines += _vertex_lines(vertices, arcs)
    lines += ['"",0,0,0,0,0,0'] * SPARE_VERTICES
    lines += ["* Arcs", *_arc_lines(arcs), *["0,0,0"] * padding]
    sizes = f"{len(vertices) + SPARE_VERTICES}V,{len(arcs) + padding}A"
    head = f"* GraphBase graph (util_types ZIIVVIZZZZZZZZ,{sizes})"
    return "\n".join([head, *lines, f"* Checksum {checksum(lines)}"]) + "\n"


def _vertex_lines(vertices: list[Vertex], arcs: list[tuple[Vertex, Vertex]]) -> list[str]:
    newest_arc = {source.number: f"A{number}" for number, (source, _) in enumerate(arcs)}
    newest: dict[int, str] = {}
    link: dict[int, str] = {}
    for vertex in vertices:
        link[vertex.number] = newest.get(vertex.rank, "0")
        newest[vertex.rank] = f"V{vertex.number}"
    lines = []
    for vertex in vertices:
        head = newest.get(vertex.number, "0") if vertex.number <= 9 else "0"
        fields = [newest_arc.get(vertex.number, "0"), vertex.bitcode, int(vertex.won), head, link[vertex.number]]
        lines.append(",".join(str(word) for word in (f'"{vertex.name}"', *fields, vertex.rank)))
    return lines


def _arc_lines(arcs: list[tuple[Vertex, Vertex]]) -> list[str]:
    before: dict[int, str] = {}
    lines = []
    for number, (source, tip) in enumerate(arcs):
        lines.append(f"V{tip.number},{before.get(source.number, '0')},1")
        before[source.number] = f"A{number}"
    return lines


def checksum(lines: list[str]) -> int:
    """GraphBase's sum over all characters, newlines included, of the lines that do not begin with a star."""
    total = 0
    for line in lines:
        if not line.startswith("*"):
            for character in line + "\n":
                code = CODES.find(character)
                total = (2 * total + (OTHER_CODE if code < 0 else code)) % MODULUS
    return total
