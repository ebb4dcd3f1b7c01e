"""A search that has been run, with every question that a picture of it asks: what is known at which step.

And **the order of moves**, on which cut-offs depend: all searches try them in the order of the points, but one may be
tried before the others in the position where the search begins (`in_order`). Nothing else changes.
"""

from functools import cached_property
from typing import NamedTuple

from noughts.games import Game, Move, Outcome, Position
from noughts.insight.searching.search import VISITS, How, Step, StepKind, Tree

__all__ = ["Run", "in_order"]


class _TriedFirst(NamedTuple):
    """A game for a search to which one move is the first in one position."""

    game: Game
    root: Position
    first: Move

    def over(self, position: Position) -> Outcome | None:
        """How the game has ended for the player to move."""
        return self.game.over(position)

    def moves(self, position: Position) -> list[Move]:
        """The legal moves, at the root with that one before the others."""
        moves = self.game.moves(position)
        return sorted(moves, key=lambda move: move != self.first) if position == self.root else moves

    def after(self, position: Position, move: Move) -> Position:
        """Where a move leads."""
        return self.game.after(position, move)

    def canonical(self, position: Position) -> Position:
        """The one of all symmetric positions that stands for them."""
        return self.game.canonical(position)


def in_order(game: Game, position: Position, first: str = "") -> Tree:
    """A game as a search from a position sees it, with a move before the others if one is given.

    Args:
        game: A game in which stones are only placed.
        position: Where the search begins.
        first: A move that is tried before the others there.

    Raises:
        NoughtsError: if that is no legal move there.
    """
    return _TriedFirst(game, position, game.read_move(position, first)) if first else game


class Run:
    """A whole search, with what its pictures ask for at every step."""

    def __init__(self, game: Game, how: How, steps: list[Step]) -> None:
        self.game, self.how, self.steps = game, how, steps
        self.visits: list[Step] = []
        """The step that visits each position."""
        self.visited_at: list[int] = []
        self.done: dict[int, int] = {}
        """Of each position the step at which its value is known."""
        self.cut: dict[int, int] = {}
        """Of a position with a cut-off the step of that."""
        self.children: list[dict[Move, int]] = []
        self.depth: list[int] = []
        for at, step in enumerate(steps):
            if step.kind in VISITS:
                self._visit(at, step)
            if step.kind not in (StepKind.ENTER, StepKind.CUT):
                self.done[step.node] = at
            if step.kind is StepKind.CUT:
                self.cut[step.node] = at

    def _visit(self, at: int, step: Step) -> None:
        self.visits.append(step)
        self.visited_at.append(at)
        self.children.append({})
        self.depth.append(0 if step.parent is None else self.depth[step.parent] + 1)
        if step.parent is not None and step.move is not None:
            self.children[step.parent][step.move] = step.node

    @cached_property
    def deepest(self) -> int:
        """How many moves deep it goes."""
        return max(self.depth)

    @cached_property
    def cuts(self) -> list[int]:
        """The steps that cut off."""
        return sorted(self.cut.values())

    @cached_property
    def hits(self) -> list[int]:
        """The steps that look up."""
        return [at for at, step in enumerate(self.steps) if step.known is not None]

    def path(self, at: int) -> list[int]:
        """The positions from the first to the one of a step.

        Args:
            at: The number of a step.
        """
        node: int | None = self.steps[at].node
        path = []
        while node is not None:
            path.append(node)
            node = self.visits[node].parent
        return path[::-1]

    def result(self, node: int, at: int) -> Step | None:
        """The step that has found the value of a position, if it has by now.

        Args:
            node: The number of a position.
            at: The number of a step, up to which is looked.
        """
        when = self.done.get(node, len(self.steps))
        return self.steps[when] if when <= at else None

    def skipped(self, node: int, at: int) -> tuple[Move, ...]:
        """The moves of a position that are cut off by now.

        Args:
            node: The number of a position.
            at: The number of a step, up to which is looked.
        """
        when = self.cut.get(node, len(self.steps))
        return self.steps[when].skipped if when <= at else ()

    def window(self, node: int, at: int) -> tuple[int, int]:
        """Alpha and beta at a position by now.

        Args:
            node: The number of a position.
            at: The number of a step, up to which is looked.
        """
        here = self.visits[node]
        alpha, beta = here.alpha, here.beta
        for child in self.children[node].values():
            found = self.result(child, at)
            if found is not None and found.value is not None:
                alpha, beta = (
                    (max(alpha, found.value), beta) if here.position.turn == 0 else (alpha, min(beta, found.value))
                )
        return alpha, beta
