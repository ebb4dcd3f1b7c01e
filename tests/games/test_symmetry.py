"""The symmetries that the search finds, against counts known from elsewhere and against all permutations."""

from itertools import permutations

import numpy as np
import pytest

from noughts.games import Game, game
from noughts.games.layout import grid
from noughts.games.symmetry import Symmetry, TooManySymmetriesError, symmetries

COUNTS = {
    "tictactoe": 8,
    "square4": 32,
    "qubic": 192,
    "mnk:4,3,3": 4,
    "mnk:6,6,4": 8,
    "arabian": 8,
    "achi": 8,
    "achi:diagonals=no": 8,
    "achi:adjacency=orthogonal": 8,
    "three-mens-morris": 8,
    "six-mens-morris": 16,
    "nine-mens-morris": 16,
}


def keeps_lines_and_neighbours(rules: Game, symmetry: Symmetry) -> bool:
    layout = rules.layout
    lines = {frozenset(line) for line in layout.lines}
    edges = {frozenset(edge) for edge in layout.edges}
    return {frozenset(symmetry[p] for p in line) for line in lines} == lines and {
        frozenset(symmetry[p] for p in edge) for edge in edges
    } == edges


@pytest.mark.parametrize(("name", "count"), COUNTS.items())
def test_the_number_of_symmetries(name: str, count: int) -> None:
    found = game(name).symmetries
    assert len(found) == len(set(found)) == count
    assert found[0] == tuple(range(len(game(name).layout)))
    assert all(keeps_lines_and_neighbours(game(name), symmetry) for symmetry in found)


def test_qubic_symmetries_are_a_group() -> None:
    found = game("qubic").symmetries
    products = {tuple(a[p] for p in b) for a in found[:20] for b in found}
    assert products <= set(found)


@pytest.mark.parametrize("name", ["tictactoe", "mnk:4,2,3", "achi:adjacency=orthogonal", "mnk:3,3,2"])
def test_no_permutation_is_missed(name: str) -> None:
    layout = game(name).layout
    every = np.array(list(permutations(range(len(layout)))), np.uint8)
    images = 1 << every.astype(np.int64)
    for kept in (layout.lines, layout.edges):
        known = [sum(1 << point for point in points) for points in kept]
        for points in kept:
            stay = np.isin(images[:, points].sum(axis=1), known)
            every, images = every[stay], images[stay]
    assert set(game(name).symmetries) == {tuple(symmetry) for symmetry in every.tolist()}


def test_a_board_without_structure_is_refused() -> None:
    with pytest.raises(TooManySymmetriesError, match=r"9 points.*more than 10,000"):
        symmetries(grid(3, 3, 1))


def test_tictactoe_has_765_classes() -> None:
    rules = game("tictactoe")
    classes, waiting = set(), [rules.start()]
    while waiting:
        position = rules.canonical(waiting.pop())
        if position not in classes:
            classes.add(position)
            waiting += [rules.after(position, move) for move in rules.moves(position)]
    assert len(classes) == 765
