"""Searches that are watched, as questions that are worked out beside the server.

A whole search comes as one compressed answer, from which every step can be shown. What is too long to be stepped
through is not handed over, only counted; and what is too long to be counted is neither.
"""

import pickle
import zlib
from itertools import islice, permutations
from typing import NamedTuple

from noughts.games import Game, NoughtsError, Position
from noughts.games import game as find_game
from noughts.games.points import members
from noughts.insight.searching import (
    Counts,
    Step,
    Wave,
    Waves,
    find_how,
    has_waves,
    hows_of,
    in_order,
    reckon,
    retrograde,
    search,
)
from noughts.players import NoMoveFoundError, player
from noughts.players.catalogue import PLAYERS
from noughts.silicon.designs import DESIGNS

__all__ = [
    "CHIPS",
    "MOST_COUNTED",
    "MOST_POINTS",
    "MOST_STEPS",
    "Cost",
    "NotWatchedError",
    "Overview",
    "check_watched",
    "is_small",
    "is_watched",
    "read_steps",
    "search_costs",
    "search_steps",
    "wave_overview",
]

MOST_STEPS = 20_000
"""Of a search that is stepped through."""
MOST_COUNTED = 40_000
"""Steps of a search that is counted; on boards so large that they have many symmetries only what can be watched."""
FEW_POINTS = 12
MOST_POINTS = 16
MOST_EMPTY = 9
"""Empty points with which it is likely that at least one search can be watched."""
SMALL = 5
"""Empty points of a board of nine on which all searches together take some milliseconds."""
MOST_REPLAYED = 2
"""Moves of a user that are replayed against a chip."""
SHOWN = 12
"""Examples of a wave."""
CHIPS = {name: design.search for name, design in DESIGNS.items() if design.search and name.partition(":")[0] in PLAYERS}
"""The chips that are players, too, so that their cycles are known; and the search that goes through the same tree."""


class NotWatchedError(NoughtsError):
    """A game whose search is not shown."""


class Cost(NamedTuple):
    """What a search takes: counts, or None if they are too large; of a chip the clock cycles and its moves so far."""

    how: str
    counts: Counts | None
    cycles: int | None = None
    moves: str | None = None


class Overview(NamedTuple):
    """The waves of a game with some examples each, and the wave of one position: None if that is a draw."""

    waves: Waves
    own: int | None


def is_watched(game: Game, position: Position) -> bool:
    """Whether it is worth leading people here: there are waves, or few enough empty points."""
    if game.placing_only:
        return len(game.layout) <= MOST_POINTS and len(game.layout) - position.occupied.bit_count() <= MOST_EMPTY
    return has_waves(game)


def check_watched(game: Game) -> None:
    """Raise an error if nothing of this game can be watched."""
    if has_waves(game) or (game.placing_only and len(game.layout) <= MOST_POINTS):
        return
    raise NotWatchedError(
        f"{game.title} is too large to watch: expected a game of placing stones on at most {MOST_POINTS} points, "
        "as tictactoe, or a small one of moving them, as achi"
    )


def is_small(game: Game, position: Position) -> bool:
    """Whether all questions about a position are answered in no time."""
    return len(game.layout) <= 9 and game.placing_only and len(game.layout) - position.occupied.bit_count() <= SMALL


def search_steps(name: str, position: str, how: str, first: str = "") -> bytes:
    """All steps of a search, for `read_steps`; nothing if there are too many. `first` is tried before the others."""
    game = find_game(name)
    here, way = game.read(position), find_how(how)
    tree = in_order(game, here, first)
    if not way.cuts:
        counts = reckon(tree, here, way, MOST_COUNTED)
        if counts is None or counts.steps > MOST_STEPS:
            return b""
    steps = list(islice(search(tree, here, way), MOST_STEPS + 1))
    return b"" if len(steps) > MOST_STEPS else zlib.compress(pickle.dumps(steps), 1)


def read_steps(answer: bytes) -> list[Step] | None:
    """What `search_steps` has answered."""
    steps: list[Step] | None = pickle.loads(zlib.decompress(answer)) if answer else None
    return steps


def search_costs(name: str, position: str, first: str = "") -> list[Cost]:
    """What every search takes from a position, and the chips that search in the same way.

    No chip can be told a move to try first.
    """
    game = find_game(name)
    here = game.read(position)
    tree = in_order(game, here, first)
    most = MOST_COUNTED if len(game.layout) <= FEW_POINTS else MOST_STEPS
    costs = [Cost(how.name, reckon(tree, here, how, most)) for how in hows_of(game)]
    if any(cost.how == "c1990" for cost in costs) and game.over(here) is None and not first:
        costs += [cost for chip in CHIPS if (cost := _chip_cost(game, here, chip))]
    return costs


def _chip_cost(game: Game, position: Position, chip: str) -> Cost | None:
    """The cycles that a chip takes for its move here, and the user's moves that lead here if it plays against them.

    None where it does not search: the chip of 1990 on the empty board, and where it finds no move because it has lost.
    """
    if chip.startswith("chip1990") and not position.occupied:
        return None
    try:
        cycles = player(chip, 0).choose(game, position).cycles
    except NoMoveFoundError:
        return None
    # A chip with another search has the same moves: the quickest one replays them.
    return Cost(chip, None, cycles, _moves_before(game, position, chip.partition(":")[0]))


def _moves_before(game: Game, position: Position, chip: str) -> str | None:
    """The user's moves, dots between, after which a chip that moves second is to move here; None if there are none."""
    own, other = position.stones[position.turn], position.stones[1 - position.turn]
    if other.bit_count() != own.bit_count() + 1 or other.bit_count() > MOST_REPLAYED:
        return None
    for order in permutations(members(other)):
        here = game.start()
        for point in order:
            here = game.after(here, game.read_move(here, game.layout.points[point]))
            if here == position:
                return ".".join(game.layout.points[one] for one in order)
            if game.over(here) is not None:
                break
            here = game.after(here, player(chip, 0).choose(game, here).move)
            if here.stones[1] & ~own or game.over(here) is not None:
                break
    return None


def wave_overview(name: str, position: str) -> Overview:
    """The waves of a game, and the one in which a position is decided."""
    game = find_game(name)
    found = retrograde(game)
    here = game.read(position)
    shown = tuple(wave._replace(examples=wave.examples[:SHOWN]) for wave in found.waves)
    return Overview(found._replace(waves=shown), _own_wave(game, here, found.waves))


def _own_wave(game: Game, position: Position, waves: tuple[Wave, ...]) -> int | None:
    same = position.swapped() if position.turn == 1 and position.hand == (0, 0) else position
    standard = game.canonical(same)
    return next((wave.plies for wave in waves if standard in wave.examples), None)
