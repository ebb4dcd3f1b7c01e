"""A position of any game as the engine holds it: a record that is changed a stone at a time, and changed back.

Everything that the search asks of a position is kept up to date by two functions, `put` and `take`: a stone comes to a
point, or leaves it. A move of any game is at most three of these (a slide takes and puts, a mill takes another), and
taking back a move is the same in reverse. What is kept:

- `counts`: how many stones each side has on every line.
- `power`: for each side and point, what its **open lines** through the point, those without stones of the other side,
  promise to whoever puts a stone there. Three numbers in one: how many of them lack one stone (`lacking_one`), how many
  lack two (`lacking_two`), and above these a sum of weights that grow with the stones in the line, to order moves by.
- `wins`, `win_sum`: how many empty points complete a line of a side, and the sum of their numbers: where there is just
  one, the sum is that point. `fours`: how many empty points make a line lack one stone only. The name is gomoku's,
  whatever the length of a line.
- `score`: for each side, the sum of what its open lines are worth; `rows`: how many lines it has filled.
- `seen`: for each side, were it to move, the state that it sees in every pattern of the board, where there are patterns
  (`noughts.solve.engine.patterns`).
- `keys`: a Zobrist key of the position as seen through each rotation and reflection of the board. The least of them is
  the same for positions that are alike (`canonical`).

The record has room for the largest board, so that all games share one compiled engine: its fields stand at fixed
places behind one pointer, which also makes calls cheap.
"""

from functools import lru_cache
from itertools import product
from random import Random
from typing import Any

import numpy as np
from numba import boolean, from_dtype, int64, njit, void

from noughts.games import Game, Move, Position
from noughts.games.layout import Layout, Place
from noughts.games.points import members
from noughts.games.rules import Blocked, Movement
from noughts.solve.compiled import ALONE, part
from noughts.solve.engine.patterns import patterns_of

__all__ = [
    "DRAWN",
    "GOES_ON",
    "LOST",
    "MOST_MOVES",
    "MOST_POINTS",
    "State",
    "canonical",
    "do",
    "end_of",
    "generate",
    "lacking_one",
    "lacking_two",
    "new_state",
    "pack",
    "put",
    "seen_as",
    "take",
    "undo",
    "unpack",
    "weight_of",
]

MOST_POINTS = 361
MOST_LINES = 4 * MOST_POINTS
LONGEST_LINE = 19
MOST_THROUGH = 4 * LONGEST_LINE
MOST_NEIGHBOURS = 8
MOST_SYMMETRIES = 8
MOST_PATTERNS = 11
MOST_WITHIN = 4
"""Patterns that a point is part of."""
MOST_MOVES = 640
"""Of a morris player with three stones, who closes a mill with any of 54 jumps; no mill captures more than nine."""

SLIDES, JUMPS = 1, 2
LOSES, DRAWS, PASSES = 0, 1, 2
GOES_ON, LOST, DRAWN = 0, 1, 2

FIELD = 7
"""Bits of a count inside `power`: at most 76 lines go through a point."""
_FIELD_MASK = (1 << FIELD) - 1

State = Any
"""A record of the type below, inside a kernel."""

TYPE = np.dtype(
    [
        # The geometry, which never changes. Lists are filled up with -1.
        ("points", np.int64),
        ("length", np.int64),
        ("lines", np.int16, (MOST_LINES, LONGEST_LINE)),
        ("through", np.int16, (MOST_POINTS, MOST_THROUGH)),
        ("neighbours", np.int16, (MOST_POINTS, MOST_NEIGHBOURS)),
        ("symmetries", np.int64),
        ("images", np.int16, (MOST_SYMMETRIES, MOST_POINTS)),
        ("inverse", np.int64, (MOST_SYMMETRIES,)),
        ("zobrist", np.uint64, (2, MOST_POINTS)),
        ("hand_zobrist", np.uint64, (2, MOST_POINTS + 1)),
        # The rules.
        ("movement", np.int64),
        ("blocked", np.int64),
        ("early_rows", np.int64),
        ("captures", np.int64),
        ("flying", np.int64),
        ("fewest", np.int64),
        ("lasker", np.int64),
        ("full_draws", np.int64),
        ("direct", np.int64),
        # The patterns: which a point is part of and how its stone counts there, and where their weights are.
        ("patterns", np.int64),
        ("within", np.int64, (MOST_POINTS, MOST_WITHIN)),
        ("units", np.int64, (MOST_POINTS, MOST_WITHIN)),
        ("starts", np.int64, (MOST_PATTERNS,)),
        ("stride", np.int64),
        ("plies", np.int64),
        ("owned", np.int64),
        # What a line is worth, by the stones on it: packed for `power`, and for `score`.
        ("promise", np.int64, (LONGEST_LINE + 2,)),
        ("worth", np.int64, (LONGEST_LINE + 2,)),
        # The position.
        ("cells", np.int8, (MOST_POINTS,)),
        ("hand", np.int64, (2,)),
        ("stones", np.int64, (2,)),
        ("turn", np.int64),
        # What follows from it.
        ("free", np.int64),
        ("counts", np.int16, (2, MOST_LINES)),
        ("power", np.int64, (2, MOST_POINTS)),
        ("wins", np.int64, (2,)),
        ("win_sum", np.int64, (2,)),
        ("fours", np.int64, (2,)),
        ("score", np.int64, (2,)),
        ("rows", np.int64, (2,)),
        ("seen", np.int64, (2, MOST_PATTERNS)),
        ("keys", np.uint64, (MOST_SYMMETRIES,)),
    ],
    align=True,
)

RECORD = from_dtype(TYPE)
"""The compiler's name for it: recursive functions must say the types of their arguments, or Numba crashes when it loads
them from its cache (numba issue 6061)."""

_MOVEMENTS = {Movement.NONE: 0, Movement.SLIDE: SLIDES, Movement.JUMP: JUMPS}
_BLOCKED = {Blocked.LOSES: LOSES, Blocked.DRAWS: DRAWS, Blocked.PASSES: PASSES}


def new_state(game: Game, position: Position) -> State:
    """The record of a legal position, in an array of one element."""
    state = _empty(game).copy()
    record = state[0]
    for side in (0, 1):
        for point in members(position.stones[side]):
            put(record, side, point)
    record["hand"] = position.hand
    for key in range(record["symmetries"]):
        for side in (0, 1):
            record["keys"][key] ^= record["hand_zobrist"][side, position.hand[side]]
    record["turn"] = position.turn
    return state


@lru_cache(maxsize=16)
def _empty(game: Game) -> State:
    """The record of an empty board with nothing in hand."""
    layout, rules = game.layout, game.rules
    state = np.zeros(1, TYPE)
    record = state[0]
    length = len(layout.lines[0]) if layout.lines else 1
    record["points"], record["length"] = len(layout), length
    for name in ("lines", "through", "neighbours"):
        record[name] = -1
    through: list[list[int]] = [[] for _ in layout.points]
    for number, line in enumerate(layout.lines):
        record["lines"][number, :length] = line
        for point in line:
            through[point].append(number)
    for point in range(len(layout)):
        record["through"][point, : len(through[point])] = through[point]
        near = list(members(layout.neighbours[point]))
        record["neighbours"][point, : len(near)] = near
    kept = _symmetries(layout)
    record["symmetries"] = len(kept)
    record["images"][: len(kept), : len(layout)] = kept
    for number, image in enumerate(kept):
        back = [image.index(point) for point in range(len(layout))]
        record["inverse"][number] = kept.index(back)
    random = Random(1990)
    record["zobrist"] = [[random.getrandbits(64) for _ in range(MOST_POINTS)] for _ in (0, 1)]
    record["hand_zobrist"] = [[random.getrandbits(64) for _ in range(MOST_POINTS + 1)] for _ in (0, 1)]
    record["movement"], record["blocked"] = _MOVEMENTS[rules.movement], _BLOCKED[rules.blocked]
    record["early_rows"], record["captures"] = rules.row_while_placing, rules.captures
    record["flying"], record["fewest"] = rules.flying, rules.fewest
    record["lasker"], record["full_draws"] = rules.moving_while_placing, rules.full_board_draws
    record["direct"] = game.placing_only and length > 1
    for stones in range(length):
        lacking = length - stones
        field = 1 if lacking == 1 else 1 << FIELD if lacking == 2 else 0
        record["promise"][stones] = (4**stones << 2 * FIELD) + field
        # A line that lacks one stone is worth 256, one that lacks two 64, and so on, but never nothing.
        record["worth"][stones] = max(stones, 1024 >> 2 * lacking) if stones else 0
    _add_patterns(record, game)
    record["cells"] = -1
    record["free"] = sum(1 for lines in through if lines)
    for point, lines in enumerate(through):
        record["power"][:, point] = len(lines) * record["promise"][0]
    first = record["power"][0, : len(layout)]
    for side in (0, 1):
        winning = np.flatnonzero(first & _FIELD_MASK)
        record["wins"][side], record["win_sum"][side] = len(winning), winning.sum()
        record["fours"][side] = np.count_nonzero(first >> FIELD & _FIELD_MASK)
    return state


def _add_patterns(record: State, game: Game) -> None:
    record["within"] = -1
    known = patterns_of(game)
    if known is None:
        return
    record["patterns"], record["stride"] = len(known.patterns), known.stride
    record["plies"], record["owned"] = sum(game.rules.stones), max(game.rules.stones)
    record["starts"][: len(known.starts)] = known.starts
    parts = [0] * len(game.layout)
    for number, pattern in enumerate(known.patterns):
        for place, point in enumerate(pattern.points):
            record["within"][point, parts[point]] = number
            record["units"][point, parts[point]] = 3**place
            parts[point] += 1


def _symmetries(layout: Layout) -> list[list[int]]:
    """The rotations and reflections of a flat board that keep its lines and edges, the identity first.

    Not all symmetries there may be: looking for those can take a minute on a large board.
    """
    number = {place: point for point, place in enumerate(layout.places)}
    lines = {frozenset(line) for line in layout.lines}
    edges = {frozenset(edge) for edge in layout.edges}
    last_row = max(place.row for place in layout.places)
    last_column = max(place.column for place in layout.places)
    found = []
    for turned, down, right in product((False, True), repeat=3):
        image = []
        for level, row, column in layout.places:
            spot = (last_row - row if down else row, last_column - column if right else column)
            image.append(number.get(Place(level, *(spot[::-1] if turned else spot)), -1))
        if (
            -1 not in image
            and {frozenset(image[point] for point in line) for line in lines} == lines
            and {frozenset(image[point] for point in edge) for edge in edges} == edges
        ):
            found.append(image)
    return found


def pack(move: Move) -> int:
    """A move as a number: three fields of ten bits, each a point plus one, or 0."""
    return sum((0 if point is None else point + 1) << 10 * place for place, point in enumerate(move))


def unpack(number: int) -> Move:
    """The move that a number stands for."""
    to, source, capture = ((number >> 10 * place & 1023) - 1 for place in range(3))
    return Move(*(None if point < 0 else point for point in (to, source, capture)))


@njit(int64(int64), cache=True, **ALONE)
def lacking_one(power: int) -> int:
    """How many open lines through a point lack one stone."""
    return power & _FIELD_MASK


@njit(int64(int64), cache=True, **ALONE)
def lacking_two(power: int) -> int:
    """How many open lines through a point lack two stones."""
    return power >> FIELD & _FIELD_MASK


@njit(int64(int64), cache=True, **ALONE)
def weight_of(power: int) -> int:
    """How much a point promises, to order moves by."""
    return power >> 2 * FIELD


@njit(void(RECORD, int64, int64, int64), cache=True, **ALONE)
def _shift(state: State, side: int, line: int, change: int) -> None:
    """Change what a line promises on its points, and count again where a threat comes or goes."""
    for place in range(state.length):
        point = state.lines[line, place]
        before = state.power[side, point]
        after = before + change
        state.power[side, point] = after
        if state.cells[point] < 0:
            if (lacking_one(before) == 0) != (lacking_one(after) == 0):
                gained = 1 if lacking_one(before) == 0 else -1
                state.wins[side] += gained
                state.win_sum[side] += gained * point
            if (lacking_two(before) == 0) != (lacking_two(after) == 0):
                state.fours[side] += 1 if lacking_two(before) == 0 else -1


@njit(void(RECORD, int64, int64), cache=True, **ALONE)
def _count_point(state: State, point: int, change: int) -> None:
    """Count an empty point's threats once more (1), or no more (-1)."""
    for side in range(2):
        if lacking_one(state.power[side, point]):
            state.wins[side] += change
            state.win_sum[side] += change * point
        if lacking_two(state.power[side, point]):
            state.fours[side] += change


@njit(void(RECORD, int64, int64), cache=True, **ALONE)
def _turn_key(state: State, side: int, point: int) -> None:
    for symmetry in range(state.symmetries):
        state.keys[symmetry] ^= state.zobrist[side, state.images[symmetry, point]]


@njit(void(RECORD, int64, int64, int64), cache=True, **ALONE)
def _see(state: State, side: int, point: int, change: int) -> None:
    """A stone is seen (1) or no more (-1) in the patterns around it: as 1 by its own side, as 2 by the other."""
    for place in range(MOST_WITHIN):
        pattern = state.within[point, place]
        if pattern < 0:
            break
        unit = change * state.units[point, place]
        state.seen[side, pattern] += unit
        state.seen[1 - side, pattern] += 2 * unit


@njit(void(RECORD, int64, int64), cache=True)
def put(state: State, side: int, point: int) -> None:
    """A stone of this side comes to an empty point."""
    _count_point(state, point, -1)
    state.cells[point] = side
    state.stones[side] += 1
    _turn_key(state, side, point)
    if state.patterns:
        _see(state, side, point, 1)
    if state.through[point, 0] >= 0:
        state.free -= 1
    for line in state.through[point]:
        if line < 0:
            break
        own, other = state.counts[side, line], state.counts[1 - side, line]
        state.counts[side, line] = own + 1
        if other == 0:
            state.score[side] += state.worth[own + 1] - state.worth[own]
            _shift(state, side, line, state.promise[own + 1] - state.promise[own])
            if own + 1 == state.length:
                state.rows[side] += 1
        if own == 0:
            state.score[1 - side] -= state.worth[other]
            _shift(state, 1 - side, line, -state.promise[other])


@njit(void(RECORD, int64, int64), cache=True)
def take(state: State, side: int, point: int) -> None:
    """The stone of this side on a point leaves it: the inverse of `put`."""
    for line in state.through[point]:
        if line < 0:
            break
        own, other = state.counts[side, line] - 1, state.counts[1 - side, line]
        state.counts[side, line] = own
        if other == 0:
            state.score[side] -= state.worth[own + 1] - state.worth[own]
            _shift(state, side, line, state.promise[own] - state.promise[own + 1])
            if own + 1 == state.length:
                state.rows[side] -= 1
        if own == 0:
            state.score[1 - side] += state.worth[other]
            _shift(state, 1 - side, line, state.promise[other])
    if state.through[point, 0] >= 0:
        state.free += 1
    if state.patterns:
        _see(state, side, point, -1)
    _turn_key(state, side, point)
    state.stones[side] -= 1
    state.cells[point] = -1
    _count_point(state, point, 1)


@njit(void(RECORD, int64, int64), cache=True, **ALONE)
def _change_hand(state: State, side: int, change: int) -> None:
    before = state.hand[side]
    state.hand[side] = before + change
    mask = state.hand_zobrist[side, before] ^ state.hand_zobrist[side, before + change]
    for symmetry in range(state.symmetries):
        state.keys[symmetry] ^= mask


@njit(void(RECORD, int64), cache=True)
def do(state: State, move: int) -> None:
    """Make a legal move."""
    turn = state.turn
    to, source, capture = (move & 1023) - 1, (move >> 10 & 1023) - 1, (move >> 20) - 1
    if to >= 0:
        if source >= 0:
            take(state, turn, source)
        else:
            _change_hand(state, turn, -1)
        put(state, turn, to)
        if capture >= 0:
            take(state, 1 - turn, capture)
    state.turn = 1 - turn


@njit(void(RECORD, int64), cache=True)
def undo(state: State, move: int) -> None:
    """Take back the move made last."""
    turn = 1 - state.turn
    state.turn = turn
    to, source, capture = (move & 1023) - 1, (move >> 10 & 1023) - 1, (move >> 20) - 1
    if to >= 0:
        if capture >= 0:
            put(state, 1 - turn, capture)
        take(state, turn, to)
        if source >= 0:
            put(state, turn, source)
        else:
            _change_hand(state, turn, 1)


@njit(cache=True)
def canonical(state: State) -> int:
    """The symmetry through which the position has its least key."""
    least = 0
    for symmetry in range(1, state.symmetries):
        if state.keys[symmetry] < state.keys[least]:
            least = symmetry
    return least


@njit(cache=True)
def seen_as(state: State, symmetry: int, move: int) -> int:
    """A move as it looks through a symmetry."""
    found = 0
    for place in range(0, 30, 10):
        point = (move >> place & 1023) - 1
        if point >= 0:
            found |= (int(state.images[symmetry, point]) + 1) << place
    return found


@part
def _jumps(state: State) -> bool:
    if state.movement == JUMPS:
        return True
    return bool(state.hand[state.turn] == 0 and state.stones[state.turn] <= state.flying)


@part
def _can_move(state: State) -> bool:
    turn = state.turn
    if state.hand[turn] > 0:
        return bool(state.free > 0)
    if state.movement == 0:
        return False
    if _jumps(state):
        return bool(state.stones[turn] > 0 and state.stones[0] + state.stones[1] < state.points)
    for source in range(state.points):
        if state.cells[source] == turn:
            for to in state.neighbours[source]:
                if to < 0:
                    break
                if state.cells[to] < 0:
                    return True
    return False


@njit(cache=True)
def end_of(state: State) -> int:
    """Whether the game is over for the player to move: LOST, DRAWN, or GOES_ON."""
    turn = state.turn
    if state.captures:
        if state.stones[turn] + state.hand[turn] < state.fewest:
            return LOST
    elif state.rows[1 - turn] > 0 and (state.early_rows or (state.hand[0] == 0 and state.hand[1] == 0)):
        return LOST
    if state.full_draws and state.stones[0] + state.stones[1] == state.points:
        return DRAWN
    if state.blocked == PASSES or _can_move(state):
        return GOES_ON
    return LOST if state.blocked == LOSES else DRAWN


@njit(boolean(RECORD, int64, int64), cache=True, **ALONE)
def _in_row(state: State, side: int, point: int) -> bool:
    for line in state.through[point]:
        if line < 0:
            break
        if state.counts[side, line] == state.length:
            return True
    return False


@njit(boolean(RECORD, int64, int64), cache=True, **ALONE)
def _closes(state: State, to: int, source: int) -> bool:
    """Whether a stone that comes from a source, or from the hand, fills a line."""
    turn = state.turn
    if lacking_one(state.power[turn, to]) == 0:
        return False
    if source < 0:
        return True
    for line in state.through[to]:
        if line < 0:
            break
        if state.counts[turn, line] == state.length - 1 and state.counts[1 - turn, line] == 0:
            inside = False
            for place in range(state.length):
                inside |= state.lines[line, place] == source
            if not inside:
                return True
    return False


@njit(int64(RECORD, int64[::1], int64, int64, int64), cache=True, **ALONE)
def _add(state: State, moves: Any, count: int, to: int, source: int) -> int:
    """Add a move to the list, once for every stone that it may capture."""
    move = (to + 1) | (source + 1) << 10
    if not state.captures or not _closes(state, to, source):
        moves[count] = move
        return count + 1
    other = 1 - state.turn
    loose = False
    for point in range(state.points):
        loose |= state.cells[point] == other and not _in_row(state, other, point)
    before = count
    for point in range(state.points):
        if state.cells[point] == other and not (loose and _in_row(state, other, point)):
            moves[count] = move | (point + 1) << 20
            count += 1
    if count == before:  # the other has no stone on the board
        moves[count] = move
        count += 1
    return count


@njit(int64(RECORD, int64[::1]), cache=True)
def generate(state: State, moves: Any) -> int:  # noqa: PLR0912
    """Write the legal moves of a game that is not over, in the order of the points; how many there are."""
    count, turn = 0, state.turn
    if state.hand[turn] > 0:
        for to in range(state.points):
            if state.cells[to] < 0:
                count = _add(state, moves, count, to, -1)
    if state.movement != 0 and (state.lasker or state.hand[turn] == 0):
        jumps = _jumps(state)
        for source in range(state.points):
            if state.cells[source] != turn:
                continue
            if jumps:
                for to in range(state.points):
                    if state.cells[to] < 0:
                        count = _add(state, moves, count, to, source)
            else:
                for to in state.neighbours[source]:
                    if to < 0:
                        break
                    if state.cells[to] < 0:
                        count = _add(state, moves, count, to, source)
    if count == 0:
        moves[0] = 0
        count = 1
    return count
