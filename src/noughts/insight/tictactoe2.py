"""Knuth's program TICTACTOE2, run on a graph: every class of tic-tac-toe with score, difficulty, size and a follower.

The program knows nothing of the game. What it is given is the graph that TICTACTOE1 leaves in a GraphBase file
(`noughts.insight.tictactoe_graph`), in which a vertex tells its name, its **bit code** (field v), whether it is won
(w), its rank (z), the next vertex of that rank (y), and vertex k the first of rank k (x). It goes through the ranks
from nine moves to none, in each along the links, and works out, from the arcs:

1. which vertices are **no-brainers**: +1 if some arc leads to a won vertex; else −1 if one leads to a +1;
2. **score** and **difficulty**. Won: minus the rank, and no digits; nine moves made: 0, and no digits. Else the least
   score among the tips and, among those, the largest difficulty decide; the arcs that lead to such tips are optimal,
   the last of them in the list to the *follower*. The score is that of the follower with its sign changed. The
   difficulty is a word of 32 bits: its upper digit counts the other arcs, or is 0 in a no-brainer of −1 and where the
   follower is won; below it is the follower's word, complemented and moved down by a digit;
3. the **class**: the bit codes under the eight symmetries of the board. The vertex with the smallest is the leader.

For every leader it prints a line, for every vertex that disagrees with its leader `I goofed!`, and in the end how many
classes there are after k moves, and in how many of them the game is over.

A difficulty is printed with every second digit complemented once more, so that the zeros of a finished game are zeros.
The scan of the program has the constant of the complement as `#ffffff`. With these six f's the two upper digits of the
follower's word are not complemented but negated, and digits differ from what the text says they are: the empty board
would come out as 57662111. With eight it is 57551000; `AS_SCANNED` is there to see the difference.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from noughts.insight.graphbase import Graph, GraphBaseError, written

__all__ = ["AS_SCANNED", "COMPLEMENT", "Leader", "Program", "printed"]

COMPLEMENT = 0xFFFFFFFF
AS_SCANNED = 0x00FFFFFF
"""The constant as the scan has it."""
NO_WRONG_MOVES = 0x0F0F0F0F
FIELDS = "IIVVI"
"""The types of v, w, x, y and z of a vertex."""
MOVES = 9
LARGEST_CODE = 1 << 2 * MOVES
TURNED = (1, 2, 3, 0, 5, 6, 7, 4, 8)
MIRRORED = (2, 1, 0, 3, 5, 4, 7, 6, 8)
"""Which pair of bits each pair takes over when the board is turned by 90°, and when it is reflected."""
SWAPPED = str.maketrans("XO", "OX")


class Leader(NamedTuple):
    """A class of equivalent positions, by its leader."""

    name: str
    rank: int
    score: int
    difficulty: str
    """Eight hexadecimal digits."""
    size: int
    followers: tuple[str, ...]
    """Where the optimal moves lead, the one that is printed first."""
    nobrainer: int

    @property
    def line(self) -> str:
        """What the program prints."""
        follower = f", -> {self.followers[0].translate(SWAPPED)}" if self.followers else ""
        return f"{self.name} has score {self.score}({self.difficulty}), size {self.size}{follower}"

    @property
    def declines(self) -> bool:
        """Whether the player to move could win at once, and does not, for a later win."""
        return self.nobrainer > 0 and self.score != self.rank + 1


class Program:
    """One run of it; GraphBaseError if the graph is none that it can work on."""

    def __init__(self, graph: Graph, complement: int = COMPLEMENT) -> None:
        self.graph = graph
        self.complement = complement
        self.by_rank = _ranks(graph)
        self.tips = _tips(graph, self.by_rank)
        self.nobrainer: dict[int, int] = {}
        self.score: dict[int, int] = {}
        self.word: dict[int, int] = {}
        self.followers: dict[int, list[int]] = {}
        for order in reversed(self.by_rank):
            for vertex in order:
                self._judge(vertex)
                self._appraise(vertex)

    def run(self) -> Iterator[Leader | None]:
        """The classes in the order in which they are printed; None for every `I goofed!`."""
        coded: dict[int, int] = {}
        for vertex in (vertex for order in self.by_rank for vertex in order):
            code = self._number(vertex, "v")
            if coded.setdefault(code, vertex) != vertex:
                raise GraphBaseError(f"V{coded[code]} and V{vertex} have bit code {code}: expected one vertex with it")
        for order in reversed(self.by_rank):
            for vertex in order:
                code = self._number(vertex, "v")
                images = _images(code)
                if min(images) == code:
                    yield self._leader(vertex, len(images))
                if min(images) not in coded:
                    raise GraphBaseError(
                        f"V{vertex} has bit code {code}: expected a vertex with {min(images)}, its leader"
                    )
                leader = coded[min(images)]
                if (self.score[vertex], self.word[vertex]) != (self.score[leader], self.word[leader]):
                    yield None

    def _number(self, vertex: int, field: str) -> int:
        return int(getattr(self.graph.vertices[vertex], field))

    def _judge(self, vertex: int) -> None:
        """Whether it is a no-brainer."""
        tips = self.tips[vertex]
        at_hand = any(self.graph.vertices[tip].w for tip in tips)
        to_block = any(self.nobrainer[tip] > 0 for tip in tips)
        self.nobrainer[vertex] = 1 if at_hand else -1 if to_block else 0

    def _appraise(self, vertex: int) -> None:
        """Its score and difficulty."""
        rank = self._number(vertex, "z")
        self.followers[vertex] = []
        if self.graph.vertices[vertex].w or rank == MOVES:
            self.score[vertex] = -rank if self.graph.vertices[vertex].w else 0
            self.word[vertex] = NO_WRONG_MOVES
            return
        tips = self.tips[vertex]
        if not tips:
            raise GraphBaseError(f"V{vertex} has no arcs: expected some, since it is neither won nor full")
        best = min(tips, key=lambda tip: (self.score[tip], -self.word[tip]))
        score, word = self.score[best], self.word[best]
        optimal = [tip for tip in tips if (self.score[tip], self.word[tip]) == (score, word)]
        plain = self.nobrainer[vertex] < 0 or score == -rank - 1
        wrong = 0 if plain else len(tips) - len(optimal)
        self.followers[vertex] = optimal[::-1]
        self.score[vertex] = -score
        self.word[vertex] = (wrong << 28) + ((self.complement - word) % (1 << 32) >> 4) & COMPLEMENT

    def _leader(self, vertex: int, size: int) -> Leader:
        names = tuple(self.graph.vertices[follower].name for follower in self.followers[vertex])
        return Leader(
            self.graph.vertices[vertex].name,
            self._number(vertex, "z"),
            self.score[vertex],
            f"{self.word[vertex] ^ NO_WRONG_MOVES:08x}",
            size,
            names,
            self.nobrainer[vertex],
        )


def printed(met: Iterable[Leader | None]) -> Iterator[str]:
    """What the program prints of the classes that it meets, and the counts."""
    count, over = [0] * (MOVES + 1), [0] * (MOVES + 1)
    for found in met:
        if found is None:
            yield "I goofed!"
            continue
        count[found.rank] += 1
        over[found.rank] += not found.followers
        yield found.line
    for rank in range(MOVES + 1):
        yield f"({count[rank]},{over[rank]}) classes after {rank} moves"


def _ranks(graph: Graph) -> list[list[int]]:
    """The vertices of every rank, in the order of their links."""
    if graph.util_types[1:6] != FIELDS:
        raise GraphBaseError(
            f"util_types {graph.util_types!r} of {graph.id!r}: "
            f"expected {FIELDS} for the fields v to z of a vertex, as TICTACTOE1 writes them"
        )
    if len(graph.vertices) <= MOVES:
        raise GraphBaseError(
            f"{graph.id!r} has {len(graph.vertices)} vertices: expected the heads of {MOVES + 1} ranks"
        )
    ranks: list[list[int]] = []
    seen: set[int] = set()
    for rank in range(MOVES + 1):
        ranks.append([])
        vertex = graph.vertices[rank].x
        while vertex is not None:
            if not isinstance(vertex, int) or vertex < 0 or vertex in seen:
                raise GraphBaseError(f"the links of rank {rank} come to {vertex!r}: expected each vertex once, then 0")
            found = graph.vertices[vertex]
            if found.z != rank:
                raise GraphBaseError(f"V{vertex} in the list of rank {rank} has rank {found.z}")
            if not isinstance(found.v, int) or not 0 <= found.v < LARGEST_CODE:
                raise GraphBaseError(f"V{vertex} has bit code {found.v}: expected 0 to {LARGEST_CODE - 1}")
            seen.add(vertex)
            ranks[rank].append(vertex)
            vertex = found.y
    return ranks


def _tips(graph: Graph, by_rank: list[list[int]]) -> dict[int, list[int]]:
    """Where the arcs of every vertex lead."""
    rank_of = {vertex: rank for rank, order in enumerate(by_rank) for vertex in order}
    tips: dict[int, list[int]] = {vertex: [] for vertex in rank_of}
    for vertex, rank in rank_of.items():
        for arc in graph.arcs_of(vertex):
            if len(tips[vertex]) == MOVES:  # also since vertices may share a list, which is gone through for each
                raise GraphBaseError(
                    f"V{vertex} has more than {MOVES} arcs: expected one for every empty place at most"
                )
            if arc.tip is None or rank_of.get(arc.tip) != rank + 1:
                there = written("V", arc.tip)
                raise GraphBaseError(
                    f"an arc of V{vertex} leads to {there}: expected a vertex in the list of rank {rank + 1}"
                )
            tips[vertex].append(arc.tip)
    return tips


def _images(code: int) -> set[int]:
    """The bit codes under the eight symmetries."""
    found = set()
    for image in (code, _moved(code, MIRRORED)):
        turned = image
        for _ in range(4):
            found.add(turned)
            turned = _moved(turned, TURNED)
    return found


def _moved(code: int, pairs: tuple[int, ...]) -> int:
    return sum((code >> 2 * source & 3) << 2 * pair for pair, source in enumerate(pairs))
