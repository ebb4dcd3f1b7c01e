"""What the chip of 1990 would gain if it kept its search tree between moves, and the memory that would take.

Its paper weighs this: "if the search tree has been memorized, the part which has been selected through the two made
moves can be copied and being continued. This optimization needs much memory […] Memory and the small search tree were
the reason for us not to choose this optimization method." Here it is tried, in software, for all three searches.

The tree has a node for every stone that was tried, with what that stone is worth: exactly, or, where the opponent's
loop was cut off, at most. When the chip has moved and the user has answered, the node of that answer becomes the root,
and the search goes on: a stone whose worth is known well enough is not tried again. Well enough means exactly, or as
not more than the best so far, since then it changes nothing. All other stones are tried as ever, with what is known
below them.

What is counted. A stone that is tried costs the cycles that it costs the chip (`noughts.players.chip1990`):
*setboardi*, *rating* and, unless it goes back at once, *returned*. A worth that is read costs one cycle, in which it
is compared. A node is kept in as many bits as it takes at least: four for its place, two for its worth, one for whether
that is exact, and a link to the next node of the same board, since nodes lie in the order in which they were tried.
"""

from collections.abc import Iterator
from functools import cache
from statistics import fmean
from typing import Any, NamedTuple

from noughts.games.layout import grid
from noughts.games.points import members
from noughts.solve import Progress

__all__ = ["Asked", "Node", "Reply", "bench_keeping", "replies", "reply"]

Row = dict[str, Any]

_LAYOUT = grid(3, 3, 3)
SEARCHES = ("alpha-beta", "figure1", "minimax")
NODE_BITS = 4 + 2 + 1
"""For the place, its worth, and whether that is exact; the link to the next node comes on top."""


class Node:
    """A stone that was tried: what it is worth to its player, if that is known, and the stones tried after it."""

    __slots__ = ("children", "exact", "worth")

    def __init__(self) -> None:
        self.worth: int | None = None
        self.exact = False
        self.children: dict[int, Node] = {}

    def size(self) -> int:
        """How many stones were tried below it."""
        return sum(1 + child.size() for child in self.children.values())

    def known(self, best: int) -> int | None:
        """Its worth, if it is known well enough for a player who has so much already."""
        return self.worth if self.exact or (self.worth is not None and self.worth <= best) else None


class Reply(NamedTuple):
    """What a search finds and costs."""

    place: int
    tried: int
    cycles: int
    kept: int
    """Nodes of its tree."""


class _Search:
    """One search on a tree, which it fills."""

    def __init__(self, chip: int, user: int, search: str) -> None:
        self.board = [chip, user]
        self.search = search
        self.tried = 0
        self.cycles = 1  # *userjustmoved*
        self.move: int | None = None
        self.stays = False

    def best(self, node: Node, depth: int, a: int) -> tuple[int, bool]:
        """What the best move is worth, or one that is worth `a`; and whether that is exact."""
        best = -1
        for place in members(_LAYOUT.everywhere & ~(self.board[0] | self.board[1])):
            child = node.children.setdefault(place, Node())
            read = child.known(best)
            if read is None:
                child.worth, child.exact = self._tried(child, place, depth, best)
                worth = child.worth
            else:
                self.cycles += 1
                worth = read
            if depth == 0 and (worth >= a or worth > best):
                # A stone that was tried stays where it is if it ends the loop, or the game: then nothing is below it.
                self.move = place
                self.stays = read is None and self.search != "minimax" and (worth >= a or not child.children)
            if worth >= a:
                return worth, worth == 1
            best = max(best, worth)
        return best, True

    def _tried(self, child: Node, place: int, depth: int, best: int) -> tuple[int, bool]:
        """Set a stone, see what it is worth, and take it back."""
        player = depth % 2
        self.board[player] ^= 1 << place
        self.tried += 1
        self.cycles += 2
        wins = _LAYOUT.has_row(self.board[player])
        if wins or self.board[0] | self.board[1] == _LAYOUT.everywhere:
            worth, exact = int(wins), True
            self.cycles += self.search == "minimax"
        else:
            enough = {"alpha-beta": -best, "figure1": 1, "minimax": 2}[self.search]
            found, exact = self.best(child, depth + 1, enough)
            worth = -found
            self.cycles += 1
        self.board[player] ^= 1 << place
        return worth, exact


def reply(chip: int, user: int, search: str, tree: Node) -> Reply:
    """The chip's move in a position that it has not lost, with a tree that may be new, and is fuller then."""
    made = _Search(chip, user, search)
    made.best(tree, 0, 2 if search == "minimax" else 1)
    assert made.move is not None
    after = chip | 1 << made.move
    ends = _LAYOUT.has_row(after) or after | user == _LAYOUT.everywhere
    seen_late = ends and search == "minimax"
    return Reply(made.move, made.tried, made.cycles + (not made.stays) + seen_late, tree.size())


class Asked(NamedTuple):
    """A reply in a game: which one it is, what it costs the chip, and what it costs one that keeps its tree."""

    opening: int
    number: int
    anew: Reply
    kept: Reply


def replies(search: str) -> Iterator[Asked]:
    """Every reply in every game that a user can begin, each line of play once."""
    for opening in range(9):
        yield from _after(search, opening, 0, 1 << opening, 1, Node())


def _after(search: str, opening: int, chip: int, user: int, number: int, tree: Node) -> Iterator[Asked]:
    """The reply here, and all that follow it in any game."""
    kept = reply(chip, user, search, tree)
    yield Asked(opening, number, _anew(search, chip, user), kept)
    chip |= 1 << kept.place
    free = _LAYOUT.everywhere & ~(chip | user)
    if _LAYOUT.has_row(chip):
        return
    for place in members(free):
        if free != 1 << place:
            below = tree.children[kept.place].children.get(place) or Node()
            yield from _after(search, opening, chip, user | 1 << place, number + 1, _copied(below))


@cache
def _anew(search: str, chip: int, user: int) -> Reply:
    return reply(chip, user, search, Node())


def _copied(node: Node) -> Node:
    """The part of a tree below a node: games that part here do not share what they find."""
    copy = Node()
    copy.worth, copy.exact = node.worth, node.exact
    copy.children = {place: _copied(child) for place, child in node.children.items()}
    return copy


def bench_keeping(progress: Progress) -> list[Row]:
    """Replies by their number in a game, where the user begins: anew, and with the tree of the reply before."""
    rows: list[Row] = []
    for done, search in enumerate(SEARCHES):
        progress(done, len(SEARCHES))
        asked = list(replies(search))
        for number in sorted({one.number for one in asked}):
            these = [one for one in asked if one.number == number]
            nodes = max(one.kept.kept for one in these)
            rows.append(
                {
                    "search": search,
                    "reply": number,
                    "slowest": max(one.anew.cycles for one in these),
                    "mean": round(fmean(one.anew.cycles for one in these), 1),
                    "kept: slowest": max(one.kept.cycles for one in these),
                    "kept: mean": round(fmean(one.kept.cycles for one in these), 1),
                    "nodes": nodes,
                    "bits": nodes * (NODE_BITS + (nodes - 1).bit_length()),
                }
            )
    return rows
