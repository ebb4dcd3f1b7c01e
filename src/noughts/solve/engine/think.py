"""What the engine makes of a position: moves with estimates, and values where they are proved.

A search ends when it has looked at so many positions (`nodes`), or after so many seconds; by nodes, the same question
has the same answer every time. It ends earlier where there is nothing left to find out.

What it proves is exact: a win or a loss by force, or a draw, where the whole tree was searched. That a win is forced
does not say that it is the shortest, since chains of threats and forced replies are followed beyond the depth of the
search. So where a win or loss is proved, the rest of the budget goes to a second, `plain` search, which looks for
shorter ones at every depth up to it. If that ends in time, the remoteness is exact as well; if not, there is none, and
`at_most` says how many plies the proof takes. Where a proof rests on the endings of morris, which count to the next
capture, there may be no `at_most` either.
"""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

import numpy as np

from noughts.games import Game, Move, Outcome, Position
from noughts.games.points import members
from noughts.solve.effort import Budget, Effort
from noughts.solve.engine.endings import endings_near, is_ending, no_endings
from noughts.solve.engine.kernel import COUNTED, SURE, TURN, WIN, deepen, new_table
from noughts.solve.engine.patterns import NO_WEIGHTS, patterns_of
from noughts.solve.engine.state import MOST_MOVES, State, new_state, unpack
from noughts.solve.engine.work import MOST_PAST, MOST_PLIES, SEARCH
from noughts.solve.interrupt import Stop, within
from noughts.solve.solution import Rated
from noughts.solve.value import UNKNOWN, Value

__all__ = ["Found", "rate", "think"]

_TABLE_BITS = 18
"""Of the transposition table: 262,144 entries in 8 MB."""
_LONG, _LARGE_TABLE_BITS = 4_000_000, 22
"""A search of so many positions has a table of 128 MB."""


class Found(NamedTuple):
    """What a search came to."""

    value: Value
    """`unknown` unless it is proved."""
    moves: list[Rated]
    """The legal moves, best first; those that nothing is proved of have an estimate."""
    depth: int
    """How many plies ahead the moves were looked at."""
    nodes: int
    """Positions looked at."""
    at_most: int | None = None
    """How many plies the win or the loss takes that was proved; there may be a quicker win."""


def think(
    game: Game,
    position: Position,
    history: Sequence[Position] = (),
    *,
    nodes: int | None = None,
    seconds: float | None = None,
) -> Found:
    """Look for the best move in a position that is not over; the other moves are only known not to be better.

    Args:
        game: any game of the catalogue.
        position: a legal one, with a move to make.
        history: the positions of the game before this one, where they matter.
        nodes: how many positions may be looked at; None: as many as there is time for, or the usual number.
        seconds: how long it may take; what is compiled or loaded the first time comes on top.
    """
    run = _Run(game, position, history)
    budget = Budget(Effort(nodes, seconds))
    run.search(budget)
    exact = _exact(game, position, history, run, budget, 1, every=False)
    return _found(game, position, run, run, exact)


def rate(
    game: Game,
    position: Position,
    history: Sequence[Position] = (),
    *,
    nodes: int | None = None,
    seconds: float | None = None,
) -> Found:
    """The same with half of the effort; the other half goes to rating all moves alike, a few plies less deep."""
    run, each = _Run(game, position, history), _Run(game, position, history)
    budget = Budget(Effort(nodes, seconds))
    run.search(budget, share=0.5)
    exact = _exact(game, position, history, run, budget, 0.5, every=False)
    each.search(budget, share=0.5 if exact else 1, every=True)
    if exact:
        exact |= _exact(game, position, history, run, budget, 1, every=True)
    return _found(game, position, run, each, exact)


class _Run:
    """One search of a position, and what came of it."""

    def __init__(self, game: Game, position: Position, history: Sequence[Position], *, plain: bool = False) -> None:
        self._state = new_state(game, position)
        self._work = np.zeros(1, SEARCH)
        work = self._work[0]
        work["plain"] = plain
        near = None if plain else endings_near(game, position)
        self._endings = no_endings() if near is None else near
        known = patterns_of(game)
        self._weights = NO_WEIGHTS if known is None else known.weights
        work["endings"], work["draws"] = near is not None, not is_ending(position)
        past = _past(game, position, history)
        work["past"] = len(past)
        work["path"][: len(past)] = [_key(self._state, before) for before in past]
        work["since"][: len(past) + 1] = range(len(past) + 1)

    def search(self, budget: Budget, share: float = 1, deepest: int = MOST_PLIES, *, every: bool = False) -> None:
        """Look so many plies ahead, or until a share of the budget is spent."""
        work = self._work[0]
        work["limit"] = budget.nodes(share)
        bits = min(_TABLE_BITS, int(work["limit"]).bit_length())
        if budget.expected(share) >= _LONG:
            bits = _LARGE_TABLE_BITS
        moves, scores = np.zeros(MOST_MOVES, np.int64), np.zeros(MOST_MOVES, np.int64)
        count, self.depth, guessed = within(
            budget.seconds(share),
            _deepen,
            self._state,
            self._work,
            new_table(bits),
            self._endings,
            self._weights,
            deepest,
            every,
            moves,
            scores,
        )
        self.moves = [unpack(int(move)) for move in moves[:count]]
        self.scores = [int(score) for score in scores[:count]]
        self.complete = guessed == 0
        self.every = every
        self.nodes = int(work["nodes"])
        budget.spend(self.nodes)

    @property
    def proved(self) -> int | None:
        """In how many plies the player to move wins or loses by force, if that is proved."""
        return WIN - abs(self.scores[0]) if abs(self.scores[0]) >= COUNTED else None

    def values(self, empty: int | None) -> Iterator[Value]:
        """What is proved of each move; `empty` is how many plies are left of a draw."""
        for number, score in enumerate(self.scores):
            bound = number > 0 and not self.every  # of which only an upper one is known
            if score <= -SURE or (score >= SURE and not bound):
                yield Value(Outcome.WIN if score > 0 else Outcome.LOSS)
            elif self.complete and not bound:
                yield Value(Outcome.DRAW, empty)
            else:
                yield UNKNOWN


def _exact(
    game: Game,
    position: Position,
    history: Sequence[Position],
    run: _Run,
    budget: Budget,
    share: float,
    *,
    every: bool,
) -> dict[Move, Value]:
    """The moves that win or lose in a number of plies that is exact: no quicker win was missed."""
    if run.proved is None or budget.spent:
        return {}
    plain = _Run(game, position, history, plain=True)
    plain.search(budget, share, min(run.proved, MOST_PLIES), every=every)
    # Where stones are only placed, the search sees a win one ply beyond its depth; and a whole tree leaves nothing out.
    seen = WIN if plain.complete else plain.depth + (1 if game.placing_only else 0)
    found: dict[Move, Value] = {}
    rated = list(zip(plain.moves, plain.scores, plain.values(None), strict=True))
    for move, score, value in rated if every else rated[:1]:
        if value.outcome in (Outcome.WIN, Outcome.LOSS) and WIN - abs(score) <= seen:
            found[move] = Value(value.outcome, WIN - abs(score))
    return found


def _deepen(stop: Stop, *arguments: Any) -> tuple[int, int, int]:
    """The kernel, hidden from `within`, which would see to it that it is compiled: slow, and it always is."""
    found: tuple[int, int, int] = deepen(stop, *arguments)
    return found


def _past(game: Game, position: Position, history: Sequence[Position]) -> list[Position]:
    """The positions of the past that may come up again: those since a stone was placed or captured, in order."""
    if game.placing_only:
        return []
    alike = takewhile(
        lambda before: before.hand == position.hand and before.occupied.bit_count() == position.occupied.bit_count(),
        reversed(history[-MOST_PAST:]),
    )
    return list(alike)[::-1]


def _key(state: State, position: Position) -> np.uint64:
    """The key of a position as the search has it in its path."""
    key = TURN if position.turn else np.uint64(0)
    for side in (0, 1):
        key ^= state[0]["hand_zobrist"][side, position.hand[side]]
        for point in members(position.stones[side]):
            key ^= state[0]["zobrist"][side, point]
    return key


def _centre(game: Game) -> Move:
    """Where the first stone goes if nothing is proved: the search cannot tell the inner points of a large board apart.

    Of the points with the most lines through them, the one nearest to the middle.
    """
    places = game.layout.places
    middle = [max(place[axis] for place in places) / 2 for axis in range(3)]

    def promise(point: int) -> tuple[int, float]:
        away = sum((at - half) ** 2 for at, half in zip(places[point], middle, strict=True))
        return len(game.layout.lines_through[point]), -away

    return Move(max(range(len(places)), key=promise))


def _found(game: Game, position: Position, run: _Run, rated: _Run, exact: dict[Move, Value]) -> Found:
    """The moves as one search `rated` them, with what another `run` and a plain search made sure of, best first.

    The first of the `exact` moves is the best of all: if it loses, no other move loses later.
    """
    empty = len(game.layout) - position.occupied.bit_count() if game.placing_only else None
    proved: dict[Move, list[Value]] = {move: [] for move in rated.moves}
    bounds: dict[Move, list[int]] = {move: [] for move in rated.moves}
    for search in (rated, run):
        for move, value, score in zip(search.moves, search.values(empty), search.scores, strict=True):
            if value != UNKNOWN:
                proved[move].append(value)
                bounds[move] += [WIN - abs(score)] if abs(score) >= COUNTED else []
    first = next(iter(exact), run.moves[0])
    if position.occupied == 0 and game.placing_only and run.proved is None and not run.complete:
        first = _centre(game)
    latest = exact[first].remoteness if first in exact and exact[first].outcome is Outcome.LOSS else None
    moves = []
    for move, score in zip(rated.moves, rated.scores, strict=True):
        value = exact.get(move) or next(iter(proved[move]), UNKNOWN)
        bounds[move] += [] if latest is None else [latest]
        decided = value.outcome in (Outcome.WIN, Outcome.LOSS) and value.remoteness is None
        at_most = min(bounds[move], default=None) if decided else None
        moves.append(Rated(move, value, game.after(position, move), score, at_most))
    if run is rated:
        # Of the others only bounds are known.
        moves.sort(key=lambda one: one.move != first)
    else:
        moves = _alike(game, moves)
        # The best move of the deeper search comes before others that nothing more is known of.
        moves.sort(key=lambda one: (*_preference(one), one.move == first, one.estimate), reverse=True)
    best = moves[0].value
    sure_of_best = best.outcome is Outcome.WIN or run.complete or all(one.value != UNKNOWN for one in moves)
    value = best if sure_of_best else UNKNOWN
    at_most = None
    if value.outcome in (Outcome.WIN, Outcome.LOSS):
        plies = [one.value.remoteness or one.at_most for one in moves[: 1 if value.outcome is Outcome.WIN else None]]
        at_most = None if None in plies else max(count for count in plies if count is not None)
    return Found(value, moves, run.depth, run.nodes, at_most)


def _alike(game: Game, moves: list[Rated]) -> list[Rated]:
    """The moves, where what is proved of one is said of all that lead to the same position, rotated or reflected."""
    proved = [one for one in moves if one.value != UNKNOWN]
    if not proved or len(proved) == len(moves):
        return moves
    known: dict[int, Rated] = {}
    for one in sorted(proved, key=lambda one: one.value.remoteness is None):
        known.setdefault(_canonical_key(game, one.position), one)
    return [
        one
        if one.value != UNKNOWN or (twin := known.get(_canonical_key(game, one.position))) is None
        else one._replace(value=twin.value, at_most=twin.at_most)
        for one in moves
    ]


def _canonical_key(game: Game, position: Position) -> int:
    """The same for positions that differ by a rotation or a reflection of the board."""
    record = new_state(game, position)[0]
    return int(min(record["keys"][: record["symmetries"]]))


def _preference(rated: Rated) -> tuple[int, int]:
    """The greater, the better; of a win or a loss what is known of its length counts."""
    return rated.value._replace(remoteness=rated.value.remoteness or rated.at_most).preference()
