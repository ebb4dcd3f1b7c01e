"""Equivalence classes of tic-tac-toe with score and difficulty, and what there is to say of a position.

Two positions are equivalent if a symmetry of the board takes one to the other; the member with the smallest bit code is
the **leader** of its class. Knuth's order of classes goes through the ranks from nine moves to none, in each from the
newest vertex of his graph to the oldest. Here classes come from the positions of the game and from
`noughts.solve.difficulty`; his own program, which has them from a file, is `noughts.insight.tictactoe2`.
"""

from collections.abc import Iterator
from typing import NamedTuple

from noughts.games import Game, Position
from noughts.games import game as find_game
from noughts.insight.tictactoe_graph import Vertex, graph
from noughts.solve.difficulty import KNUTH, Appraisal, Measure, difficulties

__all__ = ["KnuthClass", "Opinion", "classes", "hexadecimal", "in_words", "opinion"]

TICTACTOE = find_game("tictactoe")
DIGITS = 8


class KnuthClass(NamedTuple):
    """A class of equivalent positions."""

    leader: Vertex
    appraisal: Appraisal
    size: int
    followers: list[Vertex]
    """Where the optimal moves lead, the one that Knuth prints first."""


class Opinion(NamedTuple):
    """What there is to say of one position."""

    appraisal: Appraisal
    leader: str
    size: int
    automorphisms: int
    followers: list[Position]


def hexadecimal(appraisal: Appraisal) -> str:
    """The difficulty as Knuth prints it, in eight digits; on larger boards, a digit a cell.

    Args:
        appraisal: Score and difficulty of a position.
    """
    count = DIGITS if len(appraisal.digits) <= 9 else len(appraisal.digits)
    return "".join(f"{digit:x}" for digit in appraisal.digits[:count])


def classes() -> Iterator[KnuthClass]:
    """Every class, in Knuth's order."""
    known = difficulties(TICTACTOE)
    vertices, _ = graph()
    numbered = {vertex.position: vertex for vertex in vertices}
    for rank in range(9, -1, -1):
        for vertex in reversed([vertex for vertex in vertices if vertex.rank == rank]):
            images = TICTACTOE.images(vertex.position)
            if min(numbered[image].bitcode for image in images) != vertex.bitcode:
                continue
            ranks = [known.appraise(tip.position).rank() for tip in vertex.arcs]
            followers = [tip for tip, found in zip(vertex.arcs, ranks, strict=True) if found == min(ranks)]
            yield KnuthClass(vertex, known.appraise(vertex.position), len(images), followers[::-1])


def opinion(position: Position, game: Game = TICTACTOE, measure: Measure = KNUTH) -> Opinion:
    """Score, difficulty, class and followers of a position of a placing game.

    The leader of a class of tic-tac-toe is Knuth's; on other boards it is the least image, in the usual notation.

    Args:
        position: A legal position of the game.
        game: A placing game.
        measure: How scores and difficulties are compared.
    """
    known = difficulties(game, measure)
    images = game.images(position)
    if game is TICTACTOE:
        leader = min((Vertex(0, image) for image in images), key=lambda vertex: vertex.bitcode).name
    else:
        leader = game.write(min(images))
    followers = [game.after(position, move) for move in known.optimal_moves(position)]
    automorphisms = len(game.symmetries) // len(images)
    return Opinion(known.appraise(position), leader, len(images), automorphisms, followers)


def in_words(appraisal: Appraisal, stones: int) -> str:
    """Score and difficulty as a sentence or two.

    Args:
        appraisal: Score and difficulty of a position.
        stones: How many stones are on the board.
    """
    if appraisal.score > 0:
        outcome = f"You can force a win, at move {appraisal.score} of the game."
    elif appraisal.score < 0:
        outcome = f"Your opponent can force a win, at move {-appraisal.score} of the game."
    else:
        outcome = "With best play it is a draw."
    parts = []
    digits = appraisal.digits[: len(appraisal.digits) - stones]
    while digits and digits[-1] == 0:
        digits = digits[:-1]
    if not digits:
        return f"{outcome} From here on the best moves are plain to see."
    for place, wrong in enumerate(digits):
        who = "you face" if place == 0 else "your opponent faces" if place % 2 else "you face"
        moves = "no wrong move" if wrong == 0 else "1 wrong move" if wrong == 1 else f"{wrong} wrong moves"
        parts.append(f"{who} {moves}" if place == 0 else f"after the best one {who} {moves}")
    return f"{outcome} {'; '.join(parts).capitalize()}; from there on the best moves are plain to see."
