"""What there is to choose from in a position: moves that a symmetry makes alike are one choice, the best come first.

Two moves are **alike** if a symmetry of the board that keeps the position takes one to the other: then they are worth
the same, whatever is known of either, and it is enough to look at one. On boards too large to list all symmetries of,
those that paper shows are taken: turns and mirrors.

Among choices that are worth the same, those that make it hardest for the opponent come first
(`noughts.insight.hardness`). Each has a note that says what is special about it.

A **tree** of the best lines goes on from there: the best choices, the best answers to each, and so on for a few plies,
as far as values are known without a search.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from noughts.games import Game, Move, Position
from noughts.games.symmetry import Symmetry, TooManySymmetriesError, apply, turns_and_mirrors
from noughts.insight.hardness import Hardness, hardness
from noughts.insight.reasons import note
from noughts.solve import UNKNOWN, Answer, Rated

__all__ = ["MOST_POINTS", "Branch", "Choice", "alike", "choices", "tree"]

MOST_POINTS = 64
"""Of a board whose symmetries are all looked for."""

Ask = Callable[[Position], Answer | None]
"""What is known of a position; None if that is not to be found out."""


class Choice(NamedTuple):
    """One choice: a move, and those that are the same seen differently."""

    rated: Rated
    alike: tuple[Move, ...]
    """Itself and all moves alike, in the order of the points."""
    hardness: Hardness | None
    """How hard it makes it for the opponent, where that is known."""
    note: str
    """What is special about it, as a sentence; empty if nothing is."""


class Branch(NamedTuple):
    """A move of the tree, how many are alike, and how it goes on."""

    rated: Rated
    alike: int
    branches: tuple["Branch", ...]


def alike(game: Game, position: Position, moves: Iterable[Move]) -> list[tuple[Move, ...]]:
    """The moves in groups of those that are alike, each in the order given.

    Args:
        game: The game that is played.
        position: Where the moves are made.
        moves: Legal moves.
    """
    keeping = _keeping(game, position)
    groups: dict[Move, list[Move]] = {}
    for move in moves:
        leader = min((_image(symmetry, move) for symmetry in keeping), key=_order)
        groups.setdefault(leader, []).append(move)
    return [tuple(group) for group in groups.values()]


def choices(game: Game, position: Position, answer: Answer) -> list[Choice]:
    """What there is to choose from, best first; `answer` is what is known of the position.

    Args:
        game: The game that is played.
        position: Where there is to choose.
        answer: What is known of the position.
    """
    found = []
    for rated, group in _grouped(game, position, answer):
        hard = hardness(game, rated.position)
        found.append(Choice(rated, group, hard, note(game, position, rated, answer, hard)))
    # Where nothing is proved, nothing is known of hardness either, and the order stays as it was.
    return sorted(
        found,
        key=lambda one: (*(-part for part in one.rated.value.preference()), _share(one.hardness)),
    )


def tree(game: Game, position: Position, ask: Ask, widths: Sequence[int], ranked: bool = True) -> tuple[Branch, ...]:
    """The best choices, at most as many as the first of the `widths`; after each the best answers, by the next.

    Best are those whose value is the best there is, plies included; if they are `ranked`, the hardest come first.

    Args:
        game: The game that is played.
        position: The root.
        ask: Says what is known of a position; None if that is not there yet.
        widths: How many choices at the root, after each of them, and so on.
        ranked: Whether those that are hardest for the opponent come first.
    """
    answer = ask(position) if widths else None
    if answer is None or not answer.moves:
        return ()
    best = max(rated.value.preference() for rated in answer.moves)
    grouped = [one for one in _grouped(game, position, answer) if one[0].value.preference() == best]
    if ranked:
        grouped.sort(key=lambda one: _share(hardness(game, one[0].position)))
    return tuple(
        Branch(rated, len(group), tree(game, rated.position, ask, widths[1:], ranked=False))
        for rated, group in grouped[: widths[0]]
        if rated.value != UNKNOWN
    )


def _grouped(game: Game, position: Position, answer: Answer) -> list[tuple[Rated, tuple[Move, ...]]]:
    """The moves alike, of each the one of which most is known, in the order of the answer; and the group."""
    by_move = {rated.move: rated for rated in answer.moves}
    found = []
    for group in alike(game, position, by_move):
        leader = max(group, key=lambda move: by_move[move].value != UNKNOWN)
        found.append((by_move[leader], tuple(sorted(group, key=_order))))
    return found


def _share(hard: Hardness | None) -> Fraction:
    return Fraction(1) if hard is None else hard.share


def _keeping(game: Game, position: Position) -> list[Symmetry]:
    """The symmetries that keep a position."""
    try:
        every = game.symmetries if len(game.layout) <= MOST_POINTS else turns_and_mirrors(game.layout)
    except TooManySymmetriesError:
        every = turns_and_mirrors(game.layout)
    x, o = position.stones
    return [symmetry for symmetry in every if apply(symmetry, x) == x and apply(symmetry, o) == o]


def _image(symmetry: Symmetry, move: Move) -> Move:
    return Move(*(None if point is None else symmetry[point] for point in move))


def _order(move: Move) -> tuple[int, ...]:
    return tuple(-1 if point is None else point for point in (move.source, move.to, move.capture))
