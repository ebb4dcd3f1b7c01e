"""The player's logic: from the solution of a game to a netlist of gates that names the move.

What goes in are the stones of the machine (`mine`) and of the other side (`theirs`); what comes out are the points that
the move changes: the one a stone is placed on, or the two between which one moves. A **policy** is wanted that keeps
the value of every position, and where that is a win, makes it one ply shorter, so that it is really won. It has to know
what to do only where its own moves can lead, whichever side begins; and wherever several moves will do, it may take the
one that makes the logic small:

    reached     the positions in which the machine is to move, under some policy and against every reply
    choices     for each of them the moves that will do and from which every reply leads to one of them again: so
                whatever is chosen here and there, nothing else is ever reached
    tree        a decision tree over the bits of the board: a leaf as soon as one move will do for all that is left.
                Asked is the bit that leaves the least entropy, where a position counts for the most wanted of its
                moves (Quinlan's ID3, with free choices)

The tree is a policy, which reaches less than the one it was made from; so the three steps are repeated until nothing
changes, and all of it from several policies to begin with, of which the smallest tree is kept.

In the netlist every node of the tree has a signal that says that the questions led there: an AND a branch, and an OR
where equal subtrees are one. A point changes if a leaf is reached that changes it.

`python -m noughts.silicon.designs.player2026.policy` writes the netlists again.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from importlib.resources import files
from math import log2
from pathlib import Path
from random import Random
from typing import NamedTuple

from noughts.games import Game, Move, Outcome, Position
from noughts.games import game as find_game
from noughts.silicon.logic.netlist import Gate, Netlist, Output, read_netlist, write_netlist
from noughts.solve import Solution, solve

__all__ = ["Choices", "Leaf", "Node", "Strategy", "changes", "kept_logic", "logic_of", "netlist_of", "tree_of"]

Choices = Mapping[int, frozenset[int]]
"""For every board (mine, and theirs behind it, as bits) the moves that will do, each as the points that it changes."""
STARTS = 24
"""Policies to begin with."""


class Leaf(NamedTuple):
    """Any of these moves will do."""

    moves: frozenset[int]


class Node(NamedTuple):
    """A question about a bit of the board."""

    bit: int
    no: "Tree"
    yes: "Tree"


Tree = Leaf | Node


def changes(move: Move) -> int:
    """The points that a move changes, as a set of bits.

    Args:
        move: A move that captures nothing.
    """
    return sum(1 << point for point in (move.to, move.source) if point is not None)


class Strategy:
    """Which positions the machine can be in, and what it may do there."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.solution: Solution = solve(game)
        self._moves: dict[Position, dict[int, Position]] = {}

    def moves(self, position: Position) -> dict[int, Position]:
        """The moves that keep the value of a position, and where each leads; of a win, the quickest."""
        if position not in self._moves:
            value = self.solution.value(position)
            self._moves[position] = {
                changes(one.move): one.position
                for one in self.solution.moves(position)
                if (one.value == value if value.outcome is Outcome.WIN else one.value.outcome is value.outcome)
            }
        return self._moves[position]

    def replies(self, position: Position) -> list[Position]:
        """Where the other side can bring the machine from a position in which it is to move itself."""
        after = (self.game.after(position, move) for move in self.game.moves(position))
        return [position for position in after if self.game.over(position) is None]

    def board(self, position: Position) -> int:
        """What the logic sees of a position."""
        own, other = position.stones[position.turn], position.stones[1 - position.turn]
        return own | other << len(self.game.layout)

    def reached(self, rank: "Mapping[int, float] | Tree") -> set[Position]:
        """The positions in which the machine is to move, if it takes the move of a tree, or of least rank."""
        start = self.game.start()
        waiting = [start, *self.replies(start)]
        known: set[Position] = set()
        while waiting:
            position = waiting.pop()
            if position not in known:
                known.add(position)
                moves = self.moves(position)
                chosen = (
                    min(moves, key=rank.__getitem__) if isinstance(rank, Mapping) else _ask(rank, self.board(position))
                )
                waiting += self.replies(moves[chosen])
        return known

    def choices(self, known: set[Position]) -> Choices:
        """What may be done in these positions so that nothing else is reached."""
        found: dict[int, frozenset[int]] = {}
        for position in known:
            inside = frozenset(
                move for move, after in self.moves(position).items() if known.issuperset(self.replies(after))
            )
            board = self.board(position)
            found[board] = inside & found.get(board, inside)
        return found


def _entropy(choices: list[frozenset[int]]) -> float:
    """The bits that it takes to say which move is made in each, if the most wanted move takes all it can, and so on."""
    total, entropy = len(choices), 0.0
    while choices:
        move, count = min(
            Counter(move for moves in choices for move in moves).items(), key=lambda one: (-one[1], one[0])
        )
        entropy -= count * log2(count / total)
        choices = [moves for moves in choices if move not in moves]
    return entropy


def tree_of(choices: Choices, bits: int) -> Tree:
    """A decision tree that makes a good move on each of these boards.

    Args:
        choices: The boards, and what may be done on each.
        bits: How many bits a board has.
    """
    common = frozenset.intersection(*choices.values())
    if common:
        return Leaf(common)
    best: tuple[float, int] | None = None
    for bit in range(bits):
        parts: tuple[list[frozenset[int]], list[frozenset[int]]] = ([], [])
        for board, moves in choices.items():
            parts[board >> bit & 1].append(moves)
        if parts[0] and parts[1]:
            best = min(best or (float("inf"), 0), (_entropy(parts[0]) + _entropy(parts[1]), bit))
    assert best is not None, "two moves for one board"
    no, yes = (
        tree_of({board: moves for board, moves in choices.items() if board >> best[1] & 1 == level}, bits)
        for level in (0, 1)
    )
    return Node(best[1], no, yes)


def _ask(tree: Tree, board: int) -> int:
    while isinstance(tree, Node):
        tree = tree.yes if board >> tree.bit & 1 else tree.no
    return min(tree.moves)


def _leaves(tree: Tree) -> Iterable[Leaf]:
    if isinstance(tree, Leaf):
        return (tree,)
    return (*_leaves(tree.no), *_leaves(tree.yes))


def _decided(tree: Tree, wanted: Counter[int]) -> Tree:
    """The same tree with one move at every leaf, one that others have as well if that can be."""
    if isinstance(tree, Leaf):
        return Leaf(frozenset([min(tree.moves, key=lambda move: (-wanted[move], move))]))
    no, yes = _decided(tree.no, wanted), _decided(tree.yes, wanted)
    return no if no == yes else Node(tree.bit, no, yes)


def logic_of(game: Game, starts: int = STARTS) -> tuple[Netlist, int]:
    """The logic of a player, and how many boards it must know.

    Args:
        game: A game that is small, without captures.
        starts: How many policies are tried to begin with.
    """
    strategy, bits = Strategy(game), 2 * len(game.layout)
    best: tuple[int, int, Netlist] | None = None
    for seed in range(starts):
        rank = _Rank(seed)
        known = strategy.reached(rank)
        while True:
            boards = strategy.choices(known)
            tree = tree_of(boards, bits)
            tree = _decided(tree, Counter(move for leaf in _leaves(tree) for move in leaf.moves))
            fewer = strategy.reached(tree)
            if len(fewer) == len(known):
                break
            known = fewer
        made = netlist_of(tree, game)
        if best is None or len(made.gates) < best[0]:
            best = (len(made.gates), len(boards), made)
    assert best is not None
    return best[2], best[1]


class _Rank(dict[int, float]):
    """An order of moves at random."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.random = Random(seed)

    def __missing__(self, move: int) -> float:
        self[move] = self.random.random()
        return self[move]


def netlist_of(tree: Tree, game: Game) -> Netlist:
    """A decision tree as gates: a signal for every node that says that the questions led there.

    Args:
        tree: With one move at every leaf.
        game: Whose points the bits are.
    """
    points = game.layout.points
    inputs = tuple(f"{side}_{point}" for side in ("mine", "theirs") for point in points)
    into: dict[Tree, list[tuple[Node, int]]] = {tree: []}
    order: list[Tree] = []
    _sort(tree, into, order, set())
    gates: list[Gate] = []
    made: dict[Gate, int] = {}

    def gate(a: int, b: int, table: int) -> int:
        one = Gate(a, b, table)
        if one not in made:
            gates.append(one)
            made[one] = len(inputs) + len(gates) - 1
        return made[one]

    def any_of(signals: list[int]) -> int:
        while len(signals) > 1:
            signals = [*signals[2:], gate(signals[0], signals[1], 0b1110)]
        return signals[0] if signals else -1

    there: dict[Tree, int] = {}
    for node in order[1:]:
        ways = []
        for parent, level in into[node]:
            if parent is tree:
                # The first question is an input; its inverse costs a gate only here.
                ways.append(parent.bit if level else gate(parent.bit, parent.bit, 0b0001))
            else:
                ways.append(gate(there[parent], parent.bit, 0b1000 if level else 0b0010))
        there[node] = any_of(ways)
    outputs = []
    for number, point in enumerate(points):
        leaves = [there[leaf] for leaf in order if isinstance(leaf, Leaf) and next(iter(leaf.moves)) >> number & 1]
        outputs.append(Output(point, any_of(leaves), False))
    return Netlist(inputs, tuple(gates), tuple(outputs))


def _sort(tree: Tree, into: dict[Tree, list[tuple[Node, int]]], order: list[Tree], done: set[Tree]) -> None:
    """All different subtrees, each behind those that lead to it, and by which answers these do."""
    stack: list[Tree] = []

    def visit(node: Tree) -> None:
        if node in done:
            return
        done.add(node)
        if isinstance(node, Node):
            for level, child in enumerate((node.no, node.yes)):
                into.setdefault(child, []).append((node, level))
                visit(child)
        stack.append(node)

    visit(tree)
    order += stack[::-1]


def kept_logic(game: Game) -> Netlist:
    """The logic that comes with Noughts.

    Args:
        game: One for which there is a player.
    """
    return read_netlist((files(__package__) / _file(game)).read_text(encoding="utf-8"))


def _file(game: Game) -> str:
    return f"{''.join(letter if letter.isalnum() else '-' for letter in game.name)}.txt"


def main() -> None:
    """Write the netlists of all players."""
    from noughts.silicon.designs.player2026 import GAMES  # noqa: PLC0415

    for name in GAMES:
        game = find_game(name)
        netlist, boards = logic_of(game)
        about = f"The moves of player2026:game={name}: {boards:,} boards, {len(netlist.gates):,} gates.\n"
        (Path(__file__).parent / _file(game)).write_text(write_netlist(netlist, about), encoding="utf-8")
        print(about, end="")


if __name__ == "__main__":
    main()
