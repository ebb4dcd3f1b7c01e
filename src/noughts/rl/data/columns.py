"""What a row tells: the columns of a data set, their types and what they mean.

A row is a position that somebody has to move in, or that is over. All of it is told from the side of the player to
move, as the environments of `noughts.rl` do: the observation is theirs, the actions have their numbers. What every
action is worth is exact where the game is solved, so that a row holds the target of a value network (`value`), of a Q
function (`action_values`) and of a policy (`optimal_actions` or `best_actions`, divided by its sum; 0 where the game
is over).

**Classes.** A symmetry of the board changes nothing but the drawing, so up to 8 positions of tic-tac-toe, 32 of 4×4,
are one position for whoever learns. If some of them were learned and others tested, the test would measure memory. So
every row names the **leader** of its class, the least of its images, and whether the whole class belongs to the
held-out tenth (`test`), which a hash of the leader and the seed decides. Where stones move and none is in hand, the
colours do not matter either, and the leader has X to move.

Numbers that are not there: a move that is not legal is worth `ILLEGAL`, a value that nobody knows is `UNKNOWN`, a
remoteness or ply that does not exist is `NO_PLIES`, an estimate `NO_ESTIMATE`. Parquet has nulls for the last three and
for `value`.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game, Layout, Position
from noughts.games.symmetry import Symmetry, TooManySymmetriesError, symmetries, turns_and_mirrors
from noughts.rl.actions import actions
from noughts.rl.observation import sight
from noughts.solve.difficulty import MOST_CELLS

__all__ = [
    "HELD_OUT",
    "ILLEGAL",
    "NO_ESTIMATE",
    "NO_PLIES",
    "UNKNOWN",
    "Column",
    "Rows",
    "all_symmetries",
    "as_first",
    "columns",
    "has_difficulty",
    "held_out",
    "symmetries_of",
]

ILLEGAL = -128
UNKNOWN = -127
NO_PLIES = -1
NO_ESTIMATE = -(2**31)
MOST_IMAGES = 192
"""Qubic's. Boards whose lines hold so little together that they have more are turned and mirrored only."""
HELD_OUT = 10
"""One class in so many is for the test."""

SCORE = "Knuth's: the ply of the game at which the player to move wins, negative if the other does, 0 a draw; \
winners delay"
DIFFICULTY = "Knuth's: how many moves are worse than the best, now, after the best one, and so on; 0 if it is obvious"

Rows = dict[str, NDArray[Any]]
"""Rows of a data set: an array for every column, all of the same length."""

_FNV_START, _FNV_PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)
_MIX = ((np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)), (np.uint64(27), np.uint64(0x94D049BB133111EB)))


class Column(NamedTuple):
    """One column of a data set."""

    name: str
    type: str
    """As NumPy names it; `str` for text."""
    about: str
    shape: tuple[int, ...] = ()
    """Of the value in one row; a single one has none."""
    missing: int | None = None
    """What stands for a value that is not there."""


def columns(game: Game, *, whole: bool) -> tuple[Column, ...]:
    """The columns of a data set: of the `whole` game, solved, or of positions that were played."""
    numbered, shape = len(actions(game)), sight(game).shape
    ply = "plies played" if whole else "plies played in the game that the position is from"
    ply += ", while stones are placed" if whole and not game.placing_only else ""
    worth = f"what every action is worth, as value; {ILLEGAL} if it is not legal"
    worth += "" if whole else f", {UNKNOWN} if nobody knows"
    optimal = "1 for every action that keeps the value" if whole else "1 for every action known to keep the value"
    best = "1 for the best of these: the quickest wins, the slowest losses"
    best += "" if whole else "; what the search likes best where none is known"
    planes = "what the player to move sees: plane 0 has their stones, 1 the other's"
    planes += "" if game.placing_only else ", 2 and 3 how many they and the other have in hand"
    found = [
        Column("position", "str", "the position in notation"),
        Column("ply", "int16", ply, (), NO_PLIES),
        Column("turn", "int8", "who is to move: 0 is X, who began, 1 is O"),
        Column("observation", "int8", planes, shape),
        Column("value", "int8", "to the player to move: 1 win, 0 draw, -1 loss", (), UNKNOWN),
        Column("remoteness", "int16", "plies to the end if the winner hurries and the loser delays", (), NO_PLIES),
        Column("action_values", "int8", worth, (numbered,)),
        Column("optimal_actions", "int8", optimal, (numbered,)),
        Column("best_actions", "int8", best, (numbered,)),
    ]
    if whole and has_difficulty(game):
        found += [
            Column("score", "int8", SCORE),
            Column("difficulty", "int8", DIFFICULTY, (len(game.layout),)),
        ]
    found += [
        Column("leader", "str", "the representative of the class of positions that are alike by symmetry"),
        Column("images", "int16", "how many positions the class has"),
        Column("test", "bool", f"whether the class is among the one in {HELD_OUT} to be held out"),
    ]
    if not whole:
        found += [
            Column("exact", "bool", "whether the value is known, not estimated"),
            Column("source", "str", "rules, proof, book, table, endings or search"),
            Column("estimate", "int32", "of the best move, by search, where the value is not known", (), NO_ESTIMATE),
        ]
    return tuple(found)


def has_difficulty(game: Game) -> bool:
    """Whether Knuth's scores and difficulties are defined here."""
    return game.placing_only and len(game.layout) <= MOST_CELLS


def symmetries_of(game: Game) -> tuple[Symmetry, ...]:
    """The symmetries by which positions are put into classes."""
    return all_symmetries(game.layout) or turns_and_mirrors(game.layout)


@lru_cache(maxsize=16)
def all_symmetries(layout: Layout) -> tuple[Symmetry, ...]:
    """All symmetries of a board, none if there are more than `MOST_IMAGES`: which may take seconds to find out."""
    try:
        found = symmetries(layout)
    except TooManySymmetriesError:
        return ()
    return found if len(found) <= MOST_IMAGES else ()


def as_first(game: Game, position: Position) -> Position:
    """The position with X to move, where that is the same for the player to move."""
    if position.turn == 0 or game.placing_only or position.hand != (0, 0):
        return position
    return position.swapped()


def held_out(leaders: NDArray[np.str_], seed: int) -> NDArray[np.bool_]:
    """Which classes are for the test: one in ten, by a hash of the leader and the seed.

    FNV-1a over the letters, then the mixing steps of SplitMix64, since FNV leaves its last letters in the low bits.
    """
    letters = np.ascontiguousarray(leaders).view(np.uint32).reshape(len(leaders), -1)
    hashed = np.full(len(leaders), _FNV_START ^ np.uint64(seed % 2**64) * _FNV_PRIME)
    for letter in letters.T:
        hashed = np.where(letter, (hashed ^ letter) * _FNV_PRIME, hashed)  # shorter texts end with zeros
    for shift, factor in _MIX:
        hashed = (hashed ^ hashed >> shift) * factor
    chosen: NDArray[np.bool_] = (hashed ^ hashed >> np.uint64(31)) % np.uint64(HELD_OUT) == 0
    return chosen
