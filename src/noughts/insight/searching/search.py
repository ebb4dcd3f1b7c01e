"""Minimax and what makes it quicker, told a step at a time.

A position is worth +1 if X wins, 0 if it is a draw, −1 if O wins, whoever is to move. **Minimax** tries every move to
the end of the game: X takes the move with the highest value, O the one with the lowest. It remembers nothing and skips
nothing, so it visits as many positions as there are beginnings of games.

**Alpha-beta** carries two numbers down the tree. *Alpha* is what X is sure of elsewhere, *beta* what O is sure to hold
X to. As soon as a position is worth beta or more to X, O will not let it come to this; as soon as it is worth alpha or
less, X will not: either way its other moves need not be looked at. That is a **cut-off**. The value that goes back is
then a bound: the position is worth at least, or at most, that.

With a **transposition table** what was found is kept, with the word whether it is exact or a bound, and a position
that comes again by another order of moves is looked up. With **symmetries** the table keeps one entry for all
positions that are the same in the mirror or turned round.

Alpha-beta begins with infinite bounds. With a **window** from −1 to +1 it knows that nothing is better than a win, and
stops at the first one; so do the nine elements of 2021 where they prune.

**Figure 1** of the paper of 1990 is minimax that stops at the first win, since nothing is better than that. It hands
no bound down. **The C program of 1990**, which the chip follows, is alpha-beta of an early kind, the first of the two
that Knuth and Moore compare ("An analysis of alpha-beta pruning", 1975): it stops at the first win, too, and hands
down one bound, the one that its last move has set, and forgets the one before, so it has no *deep* cut-offs.

All of them try moves in the order of the points, and take the first of the best. A position counts as *visited* each
time a search comes to it, the one it begins with among them; the C program of 1990 counts the stones it tries, which
is one less.
"""

from collections.abc import Generator, Iterable, Iterator
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple, Protocol

from noughts.games import Game, Move, NoughtsError, Outcome, Position
from noughts.games import game as find_game
from noughts.games.symmetry import TooManySymmetriesError

__all__ = [
    "HOWS",
    "LEAST",
    "MOST",
    "Counts",
    "How",
    "Step",
    "StepKind",
    "Tree",
    "UnknownSearchError",
    "count",
    "find_how",
    "hows_of",
    "reckon",
    "search",
    "whole_tree",
]

MOST_SYMMETRIES = 192
"""Of a board, as many as Qubic has, whose images are looked for."""
LEAST, MOST = -2, 2
"""Minus and plus infinity: less and more than any value."""


class UnknownSearchError(NoughtsError):
    """A way to search that there is not."""


class How(NamedTuple):
    """A way to search."""

    name: str
    title: str
    about: str
    """What it does, in a sentence."""
    cuts: bool = True
    """Whether it has cut-offs."""
    table: bool = False
    """Whether it keeps what it has found."""
    symmetries: bool = False
    """Whether the table takes positions that are symmetric for one."""
    bounds: int = 2
    """How many of alpha and beta are handed down: where it is one, the mover's own is forgotten."""
    widest: tuple[int, int] = (LEAST, MOST)
    """What alpha and beta are at the beginning."""

    @property
    def short(self) -> str:
        """Its title in a row of titles."""
        return {"table": "With a table", "symmetries": "With symmetries"}.get(self.name, self.title)


HOWS = (
    How("minimax", "Minimax", "Every move is tried to the end of the game.", cuts=False),
    How("alpha-beta", "Alpha-beta", "As minimax, but what cannot change the result is cut off."),
    How("table", "Alpha-beta with a table", "Positions that come again are looked up.", table=True),
    How(
        "symmetries",
        "Alpha-beta with a table and symmetries",
        "Positions that are the same in the mirror, or turned round, are looked up, too.",
        table=True,
        symmetries=True,
    ),
    How(
        "window",
        "Alpha-beta from −1 to +1",
        "As alpha-beta, but it knows that nothing is better than a win.",
        widest=(-1, 1),
    ),
    How("figure1", "Figure 1 of 1990", "As minimax, but it stops at the first win.", bounds=0, widest=(-1, 1)),
    How(
        "c1990",
        "The C program of 1990",
        "Alpha-beta with one bound, which stops at the first win.",
        bounds=1,
        widest=(-1, 1),
    ),
)
IN_1990 = frozenset({"figure1", "c1990"})
"""The searches of the paper of 1990, whose board has nine places."""


def hows_of(game: Game) -> tuple[How, ...]:
    """The searches that there are for a game: none where stones move, those of 1990 at their own game alone.

    Boards whose lines hold little together have thousands of symmetries: then looking for the least image of a position
    costs more than it spares.

    Args:
        game: A game of the catalogue.
    """
    if not game.placing_only:
        return ()
    own = find_game("tictactoe")
    is_own = (game.layout, game.rules) == (own.layout, own.rules)
    return tuple(
        how
        for how in HOWS
        if (how.name not in IN_1990 or is_own) and (not how.symmetries or _symmetries(game) <= MOST_SYMMETRIES)
    )


@lru_cache(64)
def _symmetries(game: Game) -> int:
    try:
        return len(game.symmetries)
    except TooManySymmetriesError:
        return MOST_SYMMETRIES + 1


def find_how(name: str) -> How:
    """The search of this name.

    Args:
        name: One of `HOWS`, as `alpha-beta`.

    Raises:
        UnknownSearchError: If no search has this name.
    """
    for how in HOWS:
        if how.name == name:
            return how
    raise UnknownSearchError(f"{name[:40]!r} is not a search: expected {', '.join(how.name for how in HOWS)}")


class StepKind(StrEnum):
    """What a step does."""

    ENTER = "enter"
    """A position is visited, and its moves will be tried."""
    LEAF = "leaf"
    """A position is visited in which the game is over."""
    TABLE = "table"
    """A position is visited that was searched before: its value is looked up."""
    IMAGE = "image"
    """The same of a position of which an image was searched before."""
    CUT = "cut"
    """The other moves of a position are skipped."""
    RETURN = "return"
    """A position is done: its value goes back to the one before."""


VISITS = frozenset({StepKind.ENTER, StepKind.LEAF, StepKind.TABLE, StepKind.IMAGE})
"""The steps that visit a position."""


class Step(NamedTuple):
    """One step of a search."""

    kind: StepKind
    node: int
    """The number of the position visited, in the order of the visits, from 0."""
    parent: int | None
    """The number of the position before it; None at the root."""
    move: Move | None
    """The move that led to it."""
    position: Position
    value: int | None
    """What is known of its value now: where it is done, what it returns."""
    alpha: int
    beta: int
    best: Move | None = None
    """The first of the best moves so far."""
    skipped: tuple[Move, ...] = ()
    """The moves that a cut-off skips."""
    known: int | None = None
    """The number of the position whose entry of the table is used."""

    @property
    def surely(self) -> str:
        """How the value that a position returns is to be read: exactly, or as at least (≥) or at most (≤) that.

        Nothing is more than a win and nothing less than a loss.
        """
        if self.value is None or self.alpha < self.value < self.beta or self.kind is StepKind.LEAF:
            return ""
        if self.value >= self.beta:
            return "" if self.value == 1 else "≥"
        return "" if self.value == -1 else "≤"


class Tree(Protocol):
    """What a search needs of a game."""

    def over(self, position: Position) -> Outcome | None:
        """How the game has ended for the player to move.

        Args:
            position: A position of the game.
        """

    def moves(self, position: Position) -> list[Move]:
        """The legal moves.

        Args:
            position: A position of the game.
        """

    def after(self, position: Position, move: Move) -> Position:
        """Where a move leads.

        Args:
            position: A position of the game.
            move: One of its legal moves.
        """

    def canonical(self, position: Position) -> Position:
        """The one of all symmetric positions that stands for them.

        Args:
            position: A position of the game.
        """


class _Entry(NamedTuple):
    """What a table holds: a value with the window in which it was found, and which position it was found in."""

    value: int
    alpha: int
    beta: int
    node: int
    position: Position

    def settles(self, alpha: int, beta: int) -> bool:
        """Whether it is exact, or a bound that is enough for a cut-off in this window."""
        if self.alpha < self.value < self.beta:
            return True
        return self.value >= beta if self.value >= self.beta else self.value <= alpha


def search(game: Tree, position: Position, how: How) -> Generator[Step, None, int]:
    """The steps of a search of a game in which stones are only placed; returns the value.

    Args:
        game: The game as the search sees it.
        position: Where it begins.
        how: The search.
    """
    table: dict[Position, _Entry] = {}
    visited = 0

    def value(
        here: Position, parent: int | None, move: Move | None, alpha: int, beta: int
    ) -> Generator[Step, None, int]:
        nonlocal visited
        node, visited = visited, visited + 1
        end = game.over(here)
        if end is not None:
            worth = 0 if end is Outcome.DRAW else -1 if here.turn == 0 else 1
            yield Step(StepKind.LEAF, node, parent, move, here, worth, LEAST, MOST)
            return worth
        key = game.canonical(here) if how.symmetries else here
        entry = table.get(key) if how.table else None
        if entry and entry.settles(alpha, beta):
            kind = StepKind.TABLE if entry.position == here else StepKind.IMAGE
            found = entry.alpha, entry.beta
            yield Step(kind, node, parent, move, here, entry.value, *found, known=entry.node)
            return entry.value
        if how.bounds < 2:  # the mover's own bound, which two moves ago was its best, is forgotten
            alpha, beta = (how.widest[0], beta) if here.turn == 0 else (alpha, how.widest[1])
        if how.bounds < 1:  # and so is the one that the move before has set
            alpha, beta = how.widest
        window = alpha, beta
        yield Step(StepKind.ENTER, node, parent, move, here, None, *window)
        moves = game.moves(here)
        best: int | None = None
        best_move = None
        for number, next_move in enumerate(moves, 1):
            worth = yield from value(game.after(here, next_move), node, next_move, alpha, beta)
            if best is None or (worth > best if here.turn == 0 else worth < best):
                best, best_move = worth, next_move
            if not how.cuts:
                continue
            if here.turn == 0:
                alpha = max(alpha, worth)
            else:
                beta = min(beta, worth)
            if alpha >= beta:
                if number < len(moves):
                    rest = tuple(moves[number:])
                    yield Step(StepKind.CUT, node, parent, move, here, best, *window, best_move, rest)
                break
        assert best is not None
        if how.table:
            table[key] = _Entry(best, *window, node, here)
        yield Step(StepKind.RETURN, node, parent, move, here, best, *window, best_move)
        return best

    return value(position, None, None, *how.widest)


class Counts(NamedTuple):
    """How much work a search is."""

    visited: int
    """Positions, each as often as it is come to."""
    leaves: int
    """Those of them in which the game is over."""
    cut_offs: int
    skipped: int
    """Moves that cut-offs have skipped."""
    looked_up: int
    """Positions found in the table, as they are or as an image."""
    images: int
    """Those of them found as an image."""
    steps: int


def count(steps: Iterable[Step]) -> Counts:
    """Count what a search did.

    Args:
        steps: The steps of a search, all or some.
    """
    kinds = dict.fromkeys(StepKind, 0)
    skipped = 0
    for step in steps:
        kinds[step.kind] += 1
        skipped += len(step.skipped)
    return Counts(
        visited=sum(kinds[kind] for kind in VISITS),
        leaves=kinds[StepKind.LEAF],
        cut_offs=kinds[StepKind.CUT],
        skipped=skipped,
        looked_up=kinds[StepKind.TABLE] + kinds[StepKind.IMAGE],
        images=kinds[StepKind.IMAGE],
        steps=sum(kinds.values()),
    )


def whole_tree(game: Tree, position: Position, most: int, how: How = HOWS[0]) -> Counts | None:
    """What a search counts that hands no bound down, as minimax, without going through all of it.

    What such a search does in a position depends on the position alone: so one that comes again is counted by what is
    known. None if there are more than so many different positions.

    Args:
        game: The game as the search sees it.
        position: Where it begins.
        most: Different positions after which it is given up.
        how: The search, which hands no bound down.
    """
    known: dict[Position, _Part] = {}
    waiting = [position]
    while waiting:
        here = waiting[-1]
        if here in known:
            waiting.pop()
            continue
        after = [game.after(here, move) for move in game.moves(here)]
        missing = [one for one in after if one not in known]
        if missing:
            waiting += missing
            continue
        waiting.pop()
        known[here] = _part(game, here, after, known, how)
        if len(known) > most:
            return None
    _, visited, leaves, cut_offs, skipped = known[position]
    return Counts(visited, leaves, cut_offs, skipped, 0, 0, steps=2 * visited - leaves + cut_offs)


class _Part(NamedTuple):
    """What a search finds and counts below a position, itself among them."""

    value: int
    visited: int
    leaves: int
    cut_offs: int
    skipped: int


def _part(game: Tree, here: Position, after: list[Position], known: dict[Position, _Part], how: How) -> _Part:
    end = game.over(here)
    if end is not None:
        return _Part(0 if end is Outcome.DRAW else -1 if here.turn == 0 else 1, 1, 1, 0, 0)
    enough = how.widest[1] if here.turn == 0 else how.widest[0]
    tried: list[_Part] = []
    for one in after:
        tried.append(known[one])
        if how.cuts and tried[-1].value == enough:
            break
    skipped = len(after) - len(tried)
    best = (max if here.turn == 0 else min)(part.value for part in tried)
    visited, leaves, cut_offs, skipped_below = (
        sum(column) for column in zip(*(part[1:] for part in tried), strict=True)
    )
    return _Part(best, 1 + visited, leaves, cut_offs + (skipped > 0), skipped_below + skipped)


def reckon(game: Tree, position: Position, how: How, most: int) -> Counts | None:
    """The counts of a search; None if that takes more than so many steps, or different positions (`whole_tree`).

    Args:
        game: The game as the search sees it.
        position: Where it begins.
        how: The search.
        most: Steps, or different positions, after which it is given up.
    """
    if not how.table and not (how.cuts and how.bounds):
        return whole_tree(game, position, most, how)
    steps = search(game, position, how)
    found = count(_first(steps, most))
    return None if next(steps, None) else found


def _first(steps: Iterator[Step], most: int) -> Iterator[Step]:
    """At most so many steps."""
    for _, step in zip(range(most), steps, strict=False):
        yield step
