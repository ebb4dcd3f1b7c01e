"""Decision trees with free choices, and the gates they come to: where the search for small logic begins.

A board is a number, a bit an input; for each some answers are right, numbers too. Asked is the bit that leaves the
least entropy, where a board counts for the most wanted of its answers (Quinlan's ID3, with free choices); a leaf is
made as soon as one answer will do for all boards that are left.

In the netlist every node of the tree has a signal that says that the questions led there: an AND a branch, and an OR
where equal subtrees are one. An output is raised if a leaf is reached that names it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log2
from typing import NamedTuple

from noughts.silicon.logic.netlist import Gate, Netlist, Output

__all__ = ["Choices", "Leaf", "Node", "Tree", "netlist_of", "tree_of"]

Choices = Mapping[int, frozenset[int]]
"""For every board the answers that will do."""


class Leaf(NamedTuple):
    """Any of these answers will do."""

    answers: frozenset[int]


class Node(NamedTuple):
    """A question about a bit of the board."""

    bit: int
    no: "Tree"
    yes: "Tree"


Tree = Leaf | Node


def _entropy(choices: list[frozenset[int]]) -> float:
    """The bits it takes to say which answer each gets, if the most wanted one takes all it can, and so on."""
    total, entropy = len(choices), 0.0
    while choices:
        answer, count = min(
            Counter(answer for answers in choices for answer in answers).items(), key=lambda one: (-one[1], one[0])
        )
        entropy -= count * log2(count / total)
        choices = [answers for answers in choices if answer not in answers]
    return entropy


def tree_of(choices: Choices, bits: int) -> Tree:
    """A decision tree with one right answer at every leaf, one that other leaves have as well if that can be.

    Args:
        choices: The boards, and what may be answered to each.
        bits: How many bits a board has.
    """
    tree = _grown(choices, bits)
    return _decided(tree, Counter(answer for leaf in _leaves(tree) for answer in leaf.answers))


def _grown(choices: Choices, bits: int) -> Tree:
    common = frozenset.intersection(*choices.values())
    if common:
        return Leaf(common)
    best: tuple[float, int] | None = None
    for bit in range(bits):
        parts: tuple[list[frozenset[int]], list[frozenset[int]]] = ([], [])
        for board, answers in choices.items():
            parts[board >> bit & 1].append(answers)
        if parts[0] and parts[1]:
            best = min(best or (float("inf"), 0), (_entropy(parts[0]) + _entropy(parts[1]), bit))
    assert best is not None, "two answers for one board"
    no, yes = (
        _grown({board: answers for board, answers in choices.items() if board >> best[1] & 1 == level}, bits)
        for level in (0, 1)
    )
    return Node(best[1], no, yes)


def _leaves(tree: Tree) -> Iterable[Leaf]:
    if isinstance(tree, Leaf):
        return (tree,)
    return (*_leaves(tree.no), *_leaves(tree.yes))


def _decided(tree: Tree, wanted: Counter[int]) -> Tree:
    if isinstance(tree, Leaf):
        return Leaf(frozenset([min(tree.answers, key=lambda answer: (-wanted[answer], answer))]))
    no, yes = _decided(tree.no, wanted), _decided(tree.yes, wanted)
    return no if no == yes else Node(tree.bit, no, yes)


def netlist_of(tree: Tree, inputs: Sequence[str], outputs: Sequence[str]) -> Netlist:
    """A decision tree as gates: a signal for every node that says that the questions led there.

    Args:
        tree: With one answer at every leaf.
        inputs: The names of the bits.
        outputs: The names of the answers; one of them is raised.
    """
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
    # A tree that is one leaf asks nothing: what it names is the inverse of 0.
    always = next(iter(tree.answers)) if isinstance(tree, Leaf) else None
    drawn = []
    for answer, name in enumerate(outputs):
        leaves = [there[leaf] for leaf in order[1:] if isinstance(leaf, Leaf) and answer in leaf.answers]
        drawn.append(Output(name, any_of(leaves), answer == always))
    return Netlist(tuple(inputs), tuple(gates), tuple(drawn))


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
