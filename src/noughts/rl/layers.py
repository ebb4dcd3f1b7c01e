"""Every position of a small game, in layers, with numbered moves: what a policy is judged on.

A **layer** holds the positions with equally many stones on the board that are not over, side by side in arrays; all
moves lead from one layer to the next. Where stones move, the last layer holds all positions with empty hands, and its
moves lead back into it: it is the **loop**.

With every position stand its moves: their actions (`noughts.rl.actions`), and the number that the position after
them has in its layer. Three numbers behind those of the layer stand for games that are over: `lost`, where the player
who made the move has won; `drawn`; and `nothing`, where a position has fewer moves than others of its layer. So what is
known of a layer, as an array with three more entries for the ends, is read for all moves at once: `known[layer.after]`.

What positions are worth comes from the solution (`noughts.solve.solve`). Placing games are read off its arrays, which
hold just the positions that can occur; the positions of the moving games are walked through one by one, since there
are only thousands.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game, Outcome, Position
from noughts.rl.actions import Actions, actions
from noughts.rl.observation import sight
from noughts.solve import Progress, TooLargeError, Value, solve
from noughts.solve.placing import ILLEGAL, WON, PlacingSolution
from noughts.solve.placing import Layer as Slots
from noughts.solve.solution import Solution

__all__ = ["DRAWN", "ENDS", "LOST", "MOST_CELLS", "NOTHING", "Layer", "Positions", "layers"]

MOST_CELLS = 16
"""Of a placing game whose policies are judged: 9,722,011 positions of `square4`."""
LOST, DRAWN, NOTHING = 0, 1, 2
"""What a number behind those of a layer means: how far behind."""
ENDS = 3
LONG = 10_000
"""More plies than any game takes that is won."""

Masks = NDArray[np.int8]


@dataclass(frozen=True)
class Positions:
    """Positions that are not over, side by side: what a policy is asked about in one go."""

    game: Game
    stones: tuple[NDArray[np.int64], NDArray[np.int64]]
    """Of X and of O: the points they hold, as sets."""
    hand: tuple[int, int]
    """How many stones X and O have yet to place: the same in all."""
    turn: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.turn)

    def __iter__(self) -> Iterator[Position]:
        """Each as a value of its own."""
        for x, o, turn in zip(*(stones.tolist() for stones in self.stones), self.turn.tolist(), strict=True):
            yield Position((x, o), self.hand, turn)

    @cached_property
    def keys(self) -> NDArray[np.int64]:
        """A number for every position that no other has: its turn, the points that hold stones, and X's among them."""
        x, o = self.stones
        return self.turn.astype(np.int64) << 32 | (x | o) << 16 | x

    @property
    def actions(self) -> Actions:
        """The numbered moves of the game."""
        return actions(self.game)

    @property
    def observations(self) -> NDArray[np.int8]:
        """What the player to move sees of every position, as `noughts.rl.observation` has it."""
        seen = sight(self.game)
        planes = np.zeros((len(self), seen.highest.size // seen.shape[-1], seen.shape[-1]), np.int8)
        for plane in (0, 1):
            stones = np.where(self.turn == plane, *self.stones).astype("<u2")
            points = np.unpackbits(stones.view(np.uint8).reshape(-1, 2), axis=1, bitorder="little")
            planes[:, seen.places, plane] = points[:, : len(self.game.layout)]
            if not self.game.placing_only:
                planes[:, :, 2 + plane] = np.where(self.turn == plane, *self.hand)[:, None]
        return planes.reshape(len(self), *seen.shape)


@dataclass(frozen=True)
class Layer(Positions):
    """The positions with equally many stones that are not over, by their keys, and their moves."""

    moves: NDArray[np.int16]
    """The actions of every position's moves, in the order of the points; -1 where it has fewer than others."""
    after: NDArray[np.int32]
    """Where they lead: the number of a position in the next layer, or an end, counted from behind its last."""
    score: NDArray[np.int16]
    """The greater, the better for the player to move, with the sign of the value: quick wins, draws, slow losses."""
    score_after: NDArray[np.int16]
    """The scores of the next layer and of the ends."""
    loop: bool
    """Whether the next layer is this one."""

    @property
    def beyond(self) -> int:
        """How many positions the next layer has."""
        return len(self.score_after) - ENDS

    @property
    def masks(self) -> Masks:
        """Of every position: which actions are legal."""
        masks = np.zeros((len(self), len(self.actions) + 1), np.int8)
        np.put_along_axis(masks, self.moves.astype(np.int64), 1, axis=1)  # -1 is the last column, which is dropped
        return masks[:, :-1]

    @property
    def legal(self) -> NDArray[np.bool_]:
        """Of every position, which of its moves are moves at all."""
        legal: NDArray[np.bool_] = self.moves >= 0
        return legal

    @cached_property
    def best(self) -> NDArray[np.bool_]:
        """Which moves are best: the quickest win, any draw, the slowest loss."""
        least = np.where(self.legal, self.score_after[self.after], np.int16(32767))
        best: NDArray[np.bool_] = self.legal & (least == least.min(axis=1, keepdims=True))
        return best

    @cached_property
    def mistaken(self) -> NDArray[np.bool_]:
        """Which moves are mistakes: they give a win or a draw away."""
        worth = np.sign(self.score)[:, None]
        mistaken: NDArray[np.bool_] = self.legal & (-np.sign(self.score_after[self.after]) < worth)
        return mistaken

    def part(self, within: slice | NDArray[np.intp]) -> "Layer":
        """Some of the positions, as a layer with the same one behind it."""
        x, o = self.stones
        return Layer(
            self.game,
            (x[within], o[within]),
            self.hand,
            self.turn[within],
            self.moves[within],
            self.after[within],
            self.score[within],
            self.score_after,
            self.loop,
        )


def layers(game: Game, progress: Progress | None = None) -> list[Layer]:
    """All positions of a game that are not over, from the empty board on.

    Args:
        game: A placing game of at most 16 cells, or a moving game without captures of at most 9 points.
        progress: Called with how much is done and how much there is.

    Returns:
        The layers, in order; only the last of them may be a loop.

    Raises:
        TooLargeError: If the game has more positions than that.
    """
    too_large = TooLargeError(
        f"{game.name} is too large to judge a policy exactly: expected a placing game of at most {MOST_CELLS} "
        "cells, or a moving game without captures of at most 9 points"
    )
    if game.placing_only and len(game.layout) > MOST_CELLS:
        raise too_large
    try:
        solution = solve(game, progress)
    except TooLargeError:  # which tells how large a game may be that is only solved
        raise too_large from None
    found = _placing(solution) if isinstance(solution, PlacingSolution) else _moving(solution)
    return list(found)[::-1]


def _placing(solution: PlacingSolution) -> Iterator[Layer]:
    """The layers of a placing game, the last first, read off the slots of its solution."""
    index = solution.index
    number = np.empty(0, np.int32)
    score_after = np.empty(0, np.int16)
    for slots in reversed(index.layers):
        scores = solution.scores[slots.start : slots.start + slots.slots]
        full = slots.stones == index.cells
        live = np.zeros_like(scores, bool) if full else (scores != ILLEGAL) & (scores != -WON)
        if not full:
            yield _layer(solution, slots, live, number, score_after)
        count = int(np.count_nonzero(live))
        number = np.where(scores == -WON, np.int32(count + LOST), np.int32(count + DRAWN))
        number[live] = np.arange(count, dtype=np.int32)
        score_after = np.append(scores[live].astype(np.int16), np.array([-LONG, 0, 0], np.int16))


def _layer(
    solution: PlacingSolution,
    slots: Slots,
    live: NDArray[np.bool_],
    number: NDArray[np.int32],
    score_after: NDArray[np.int16],
) -> Layer:
    game, index, stones = solution.game, solution.index, slots.stones
    blocks, patterns = np.nonzero(live.reshape(len(slots.occupied), len(slots.patterns)))
    x, o = (side[blocks, patterns].astype(np.int64) for side in index.stones_at(slots))
    cells = np.arange(index.cells)
    empty = np.nonzero(slots.occupied[:, None] >> cells & 1 == 0)[1].reshape(len(slots.occupied), -1)
    below = np.bitwise_count(slots.occupied[:, None] & ((1 << empty) - 1)).astype(np.int64)
    beyond = index.offsets[slots.occupied[:, None] | 1 << empty] - (slots.start + slots.slots)
    after = np.empty((len(x), index.cells - stones), np.int32)
    for move in range(after.shape[1]):
        after[:, move] = number[beyond[blocks, move] + slots.insertions[below[blocks, move], patterns]]
    placed = ((stones + 1) // 2, stones // 2)
    hand = (game.rules.stones[0] - placed[0], game.rules.stones[1] - placed[1])
    score = solution.scores[slots.start : slots.start + slots.slots][live].astype(np.int16)
    turn = np.full(len(x), stones % 2, np.int8)
    return Layer(game, (x, o), hand, turn, empty.astype(np.int16)[blocks], after, score, score_after, False)


def _moving(solution: Solution) -> Iterator[Layer]:
    """The layers of a moving game, the loop first; its positions are found by walking forward."""
    game, numbers = solution.game, actions(solution.game).numbers
    placings = sum(game.rules.stones)
    found: list[list[Position]] = [[game.start()]]
    while len(found) <= placings:
        found.append(_next_to(game, found[-1]))
    seen, fresh = set(found[-1]), found[-1]
    while fresh:
        fresh = [position for position in _next_to(game, fresh) if position not in seen]
        seen.update(fresh)
        found[-1] += fresh
    behind = _Behind(solution, sorted(found[-1], key=_key))
    for placed in range(placings, -1, -1):
        loop = placed == placings
        positions = sorted(found[placed], key=_key)
        if not positions:
            continue
        moves = [game.moves(position) for position in positions]
        most = max(map(len, moves))
        action = np.full((len(positions), most), -1, np.int16)
        after = np.full((len(positions), most), behind.count + NOTHING, np.int32)
        for row, (position, legal) in enumerate(zip(positions, moves, strict=True)):
            action[row, : len(legal)] = [numbers[move] for move in legal]
            after[row, : len(legal)] = [behind.number(game.after(position, move)) for move in legal]
        stones = np.array([position.stones for position in positions], np.int64).T
        turn = np.array([position.turn for position in positions], np.int8)
        own = behind if loop else _Behind(solution, positions)
        hand = positions[0].hand
        yield Layer(game, (stones[0], stones[1]), hand, turn, action, after, own.scores[:-ENDS], behind.scores, loop)
        behind = own


def _key(position: Position) -> tuple[int, int, int]:
    """The order of a layer."""
    return position.turn, position.occupied, position.stones[0]


def _next_to(game: Game, positions: list[Position]) -> list[Position]:
    """The positions one move later that are not over, each once."""
    after = (game.after(position, move) for position in positions for move in game.moves(position))
    return [position for position in dict.fromkeys(after) if game.over(position) is None]


class _Behind:
    """The positions of a layer as those before it see them: by number, with scores."""

    def __init__(self, solution: Solution, positions: list[Position]) -> None:
        self.game = solution.game
        self.count = len(positions)
        self.numbers = {position: number for number, position in enumerate(positions)}
        scores = [_score(solution.value(position)) for position in positions]
        self.scores = np.array([*scores, -LONG, 0, 0], np.int16)

    def number(self, position: Position) -> int:
        """The number of a position, or of how the game ended."""
        end = self.game.over(position)
        if end is None:
            return self.numbers[position]
        return self.count + (LOST if end is Outcome.LOSS else DRAWN)


def _score(value: Value) -> int:
    if value.outcome is Outcome.DRAW:
        return 0
    assert value.remoteness is not None
    return (LONG - value.remoteness) * (1 if value.outcome is Outcome.WIN else -1)
