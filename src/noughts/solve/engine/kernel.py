"""The search, compiled: iterative deepening of a principal variation search, for every game of the catalogue.

`look` is **negamax** with alpha-beta bounds: the value of a position for the player to move. The first move of a
position is searched with the whole window, the others with an empty one, to show that they are no better; one that
turns out better is searched again (principal variation search). Moves that come late in a good order are searched less
deeply at first (late move reductions). Moves are in order: what the transposition table remembers, captures and fours,
killers (what refuted a sibling), then the weights of `power` and how often a move was good elsewhere (history).

Scores: `WIN - p` is a row filled, or the opponent's end, at ply p from the root; `KNOWN - p` is a win that the endings
of morris know, with the next capture at ply p. What is beyond `SURE` is **proved**, what is beyond `COUNTED` with its
plies; all else is an estimate, or a draw. Everything that is left out is left out in favour of the doubt:

- Where stones are only placed, a point that fills a row ends the search at once; a row to be stopped leaves one move,
  which is searched a ply deeper (an extension); two rows to stop are lost.
- A chain of fours of the player to move wins (`noughts.solve.engine.threats`). A chain of the opponent's, were the
  player to pass, leaves only the moves on which it breaks: all others lose by it, proved by playing it against them.
- On large boards only the most promising moves are looked at (`_width`), unless all of these lose.
- Where stones move, a position that comes up again counts as a draw. One that the game itself has had once before, and
  that a move at the root would bring back, counts as a draw unless its value is proved.
- Where the endings know a position (`noughts.solve.engine.endings`), it is not searched. A draw is an exception if the
  root is an ending itself: then every move worth playing draws, and the search goes on to see which is hardest to hold.

`guessed` tells whether anything in the tree was an estimate or was left out. If not, a draw is proved as well. In a
search that is `plain` nothing is left out and nothing reduced: whatever wins within its depth is found, so that a win
that it does not find takes longer. It shows that a win found is the shortest.

The **transposition table** has two slots for every key: the deeper stays in the first. Keys have 64 bits, of which the
slot's number repeats some; two positions of a search of 10**8 are mistaken for one with a chance of 10**-3 if all keys
were compared with all, and 10**-10 as they are compared, with two.
"""

from typing import Any

import numpy as np
from numba import boolean, int16, int64, njit, types, uint8

from noughts.solve.compiled import ALONE, part
from noughts.solve.engine.endings import ENDINGS_RECORD, NOT_THERE, Endings, probe
from noughts.solve.engine.state import (
    GOES_ON,
    LOST,
    MOST_MOVES,
    RECORD,
    State,
    canonical,
    do,
    end_of,
    generate,
    lacking_one,
    lacking_two,
    put,
    seen_as,
    take,
    undo,
    weight_of,
)
from noughts.solve.engine.threats import find, replay
from noughts.solve.engine.work import MOST_PLIES, SEARCH_RECORD, Search
from noughts.solve.interrupt import Stop, stopped
from noughts.solve.morris.subspaces import DRAW

__all__ = ["COUNTED", "KNOWN", "SURE", "TURN", "WIN", "deepen", "evaluate", "look", "new_table"]

WIN = 100_000_000
COUNTED = WIN - 10_000
KNOWN = 50_000_000
SURE = KNOWN - 10_000
_EXACT, _LOWER, _UPPER = 0, 1, 2
_STONE, _SLIDE = 400, 16
"""What a stone more is worth where stones are captured, and a slide more where they slide; a line that lacks one stone
is worth 256."""
TURN = np.uint64(0xD6E8FEB86659FD93)
"""In the key of a position with O to move."""

Table = Any
Weights = Any
"""Of patterns (`noughts.solve.engine.patterns`)."""


def new_table(bits: int) -> Table:
    """An empty transposition table of 2**bits entries: key, move, score, and depth, bound and `guessed` in one."""
    return np.zeros((1 << bits, 4), np.int64)


@part
def _shown(state: State, weights: Weights) -> int:
    """What the patterns of the board show, and the numbers of stones."""
    turn = state.turn
    other = 1 - turn
    phase = state.plies - state.hand[0] - state.hand[1]
    if phase == state.plies:
        phase += (state.stones[turn] <= state.flying) + 2 * (state.stones[other] <= state.flying)
    most = state.owned + 1
    total = int(
        weights[(state.plies + 4) * state.stride + (phase * most + state.stones[turn]) * most + state.stones[other]]
    )
    for pattern in range(state.patterns):
        total += weights[phase * state.stride + state.starts[pattern] + state.seen[turn, pattern]]
    return total


@part
def _freedom(state: State, side: int) -> int:
    """How many slides a side has."""
    if state.movement == 2 or (state.hand[side] == 0 and state.stones[side] <= state.flying):
        return 12
    count = 0
    for source in range(state.points):
        if state.cells[source] == side:
            for to in state.neighbours[source]:
                if to < 0:
                    break
                if state.cells[to] < 0:
                    count += 1
    return count


@njit(int64(RECORD, int16[::1]), cache=True)
def evaluate(state: State, weights: Weights) -> int:
    """An estimate for the player to move."""
    turn = state.turn
    other = 1 - turn
    if state.patterns:
        return _shown(state, weights)
    total = state.score[turn] - state.score[other]
    if state.direct:
        # To be on move is worth a quarter of one's lines.
        return int(total + state.score[turn] // 4)
    if state.captures:
        owned = state.stones[turn] + state.hand[turn] - state.stones[other] - state.hand[other]
        total += _STONE * owned
    return int(total) + _SLIDE * (_freedom(state, turn) - _freedom(state, other))


@part
def _times(search: Search, at: int) -> int:
    """How often the position at this place of the path was there before, since the last move that cannot be undone."""
    key, times = search.path[at], 0
    for before in range(2, search.since[at] + 1, 2):
        if search.path[at - before] == key:
            times += 1
    return times


@part
def _spent(search: Search, stop: Stop) -> bool:
    search.nodes += 1
    if search.nodes >= search.limit or (search.nodes & 255 == 0 and stopped(stop)):
        search.aborted = 1
    return bool(search.aborted != 0)


@part
def _width(state: State, depth: int) -> int:
    """How many moves are looked at, unless all of them lose."""
    if not state.direct or state.points <= 25:
        return MOST_MOVES
    return 10 + depth


@part
def _order(state: State, search: Search, ply: int, count: int, remembered: int) -> None:
    """Rate the moves of a ply, the most promising highest."""
    turn = state.turn
    for number in range(count):
        move = search.moves[ply, number]
        to, source = (move & 1023) - 1, (move >> 10 & 1023) - 1
        if move == remembered:
            search.order[ply, number] = 1 << 60
            continue
        if to < 0:
            search.order[ply, number] = 0
            continue
        own, other = state.power[turn, to], state.power[1 - turn, to]
        rating = 16 * weight_of(own) + 12 * weight_of(other) + search.history[turn, source + 1, to]
        if move >> 20:
            rating += 1 << 50
        if move == search.killers[ply, 0] or move == search.killers[ply, 1]:
            rating += 1 << 12 if state.direct else 1 << 40
        if state.direct:
            if lacking_two(own):
                rating += 1 << 30
        elif lacking_one(other):
            rating += 1 << 39
        search.order[ply, number] = rating


@part
def _next(search: Search, ply: int, number: int, count: int) -> int:
    """Bring the best move of those left to its place, and return it."""
    best = number
    for later in range(number + 1, count):
        if search.order[ply, later] > search.order[ply, best]:
            best = later
    move, rating, lost = search.moves[ply, best], search.order[ply, best], search.lost[ply, best]
    search.moves[ply, best], search.order[ply, best] = search.moves[ply, number], search.order[ply, number]
    search.lost[ply, best] = search.lost[ply, number]
    search.moves[ply, number], search.order[ply, number], search.lost[ply, number] = move, rating, lost
    return int(move)


@part
def _mark(state: State, search: Search, point: int) -> None:
    """Note that a stone on any point in line with this one may matter."""
    for line in state.through[point]:
        if line < 0:
            break
        for place in range(state.length):
            search.marks[state.lines[line, place]] = search.marked


@part
def _sift(state: State, search: Search, ply: int, count: int, plies: int) -> None:
    """Mark the moves that lose to the opponent's chain with the plies until then, and put them last.

    Only a four, or a stone in line with one of the chain, can spoil it: it may block a line, or help a reply to become
    a four. Each of these is tried; all others lose as a pass would.
    """
    turn = state.turn
    other = 1 - turn
    search.marked += 1
    for step in range(plies // 2):
        _mark(state, search, search.chain[ply, step])
        if step + 1 < plies // 2:
            _mark(state, search, search.replies[step])
    for number in range(count):
        point = (search.moves[ply, number] & 1023) - 1
        lost = 0
        if lacking_two(state.power[turn, point]) == 0:
            lost = plies
            if search.marks[point] == search.marked:
                put(state, turn, point)
                lost = replay(state, search, other, ply)
                take(state, turn, point)
                search.nodes += 1
        search.lost[ply, number] = lost
        if lost:
            search.order[ply, number] = -(1 << 50) + lost


@part
def _remember(table: Table, key: np.int64, move: int, score: int, depth: int, bound: int, guessed: int) -> None:
    slot = key & (len(table) - 2)
    if table[slot, 0] != key and (table[slot, 3] >> 8) > depth:
        slot += 1
    table[slot, 0], table[slot, 1], table[slot, 2] = key, move, score
    table[slot, 3] = depth << 8 | bound << 1 | guessed


@part
def _note_cut(search: Search, turn: int, move: int, depth: int, ply: int) -> None:
    """A move that refuted the one before it: likely good elsewhere, too."""
    if search.killers[ply, 0] != move:
        search.killers[ply, 1] = search.killers[ply, 0]
        search.killers[ply, 0] = move
    if move & 1023:
        search.history[turn, (move >> 10 & 1023), (move & 1023) - 1] += depth * depth


@part
def _since(search: Search, move: int, ply: int) -> int:
    """How many plies after this move every move can have been undone: none if a stone was placed or captured."""
    if move >> 20 or not move >> 10 & 1023:
        return 0
    return int(search.since[search.past + ply] + 1)


@part
def _reduction(state: State, move: int, depth: int, number: int) -> int:
    """How many plies less a move is searched that comes late in the order; it has just been made."""
    if number < 4 or depth < 3 or move >> 20 or (state.direct and state.wins[1 - state.turn] > 0):
        return 0
    return 1 if number < 12 else 2


@part
def _settled(state: State, search: Search, weights: Weights, alpha: int, beta: int, ply: int) -> tuple[bool, int]:
    """Whether no search is needed, and the score if so: the game is over or as good as over, or cannot matter."""
    end = end_of(state)
    if end != GOES_ON:
        return True, ply - WIN if end == LOST else 0
    turn = state.turn
    if state.movement != 0:
        at = search.past + ply
        search.path[at] = state.keys[0] ^ (TURN if turn else np.uint64(0))
        if _times(search, at) >= (2 if ply == 1 else 1):
            search.guessed = 1
            return True, 0
    # Nobody wins sooner than with the next move, or loses sooner than after it.
    if WIN - ply - 1 <= alpha:
        return True, WIN - ply - 1
    if ply + 2 - WIN >= beta:
        return True, ply + 2 - WIN
    if state.direct:
        if state.wins[turn] > 0:
            return True, WIN - ply - 1
        if state.wins[1 - turn] > 1:
            return True, ply + 2 - WIN
    if ply >= MOST_PLIES:
        search.guessed = 1
        return True, evaluate(state, weights)
    return False, 0


@part
def _ending(state: State, search: Search, endings: Endings, ply: int) -> tuple[bool, int]:
    """Whether the endings know the position, and the score if so.

    A loser with the fewest stones ends with the next capture, so the plies until then are those to the end.
    """
    byte = probe(state, endings)
    if byte == NOT_THERE or (byte == DRAW and not search.draws):
        return False, 0
    if byte == DRAW:
        return True, 0
    won = byte % 2 == 1
    loser = 1 - state.turn if won else state.turn
    score = (WIN if state.stones[loser] == state.fewest else KNOWN) - ply - byte
    return True, score if won else -score


@part
def _recalled(
    table: Table, slot: int | np.int64, search: Search, depth: int, alpha: int, beta: int, ply: int
) -> tuple[bool, int]:
    """Whether what the table has in this slot decides the position, and the score if so."""
    score, facts = table[slot, 2], table[slot, 3]
    if score >= SURE:
        score -= ply
    elif score <= -SURE:
        score += ply
    bound = facts >> 1 & 3
    if facts >> 8 >= depth or facts & 1 == 0:
        usable = bound == _EXACT or (score >= beta if bound == _LOWER else score <= alpha)
    else:
        # What is proved holds at any depth, but a shorter win may be found.
        usable = (score >= SURE and bound != _UPPER and score >= beta) or (
            score <= -SURE and bound != _LOWER and score <= alpha
        )
    if usable:
        search.guessed |= facts & 1
    return usable, score


@part
def _chain_of(state: State, search: Search, side: int, depth: int, ply: int) -> int:
    """How many plies a chain of fours takes this side, were it to move; 0 if none is found. It is left in `chain`."""
    if not state.direct or search.plain or state.fours[side] == 0:
        return 0
    search.budget = 60 if depth <= 0 else 200 * depth
    return int(find(state, search, side, ply, 0))


@part
def _list(state: State, search: Search, depth: int, ply: int, forced: int, remembered: int) -> int:
    """Write the moves of this ply with their ratings, and which of them lose to a chain; how many there are."""
    if forced >= 0:
        search.moves[ply, 0], search.order[ply, 0], search.lost[ply, 0] = forced + 1, 0, 0
        return 1
    count = generate(state, search.moves[ply])
    _order(state, search, ply, count, remembered)
    for number in range(count):
        search.lost[ply, number] = 0
    if _chain_of(state, search, 1 - state.turn, depth, ply) > 0:
        # Played once more, so that its replies are there for `_sift`.
        _sift(state, search, ply, count, replay(state, search, 1 - state.turn, ply))
    return int(count)


_SCORE = int64(RECORD, SEARCH_RECORD, int64[:, ::1], ENDINGS_RECORD, int16[::1], uint8[::1], int64, int64, int64, int64)


@njit(_SCORE, cache=True, **ALONE)
def look(  # noqa: PLR0912, PLR0915  a recursive kernel cannot be taken apart
    state: State,
    search: Search,
    table: Table,
    endings: Endings,
    weights: Weights,
    stop: Stop,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
) -> int:
    """What a position is worth to the player to move, at least or at most where it is outside the window."""
    if _spent(search, stop):
        return 0
    settled, score = _settled(state, search, weights, alpha, beta, ply)
    if not settled and search.endings:
        settled, score = _ending(state, search, endings, ply)
    if settled:
        return score
    turn, symmetry = state.turn, canonical(state)
    key = np.int64(state.keys[symmetry] ^ (TURN if turn else np.uint64(0)))
    remembered = 0
    slot = key & (len(table) - 2)
    if table[slot, 0] != key:
        slot += 1
    if table[slot, 0] == key:
        settled, score = _recalled(table, slot, search, depth, alpha, beta, ply)
        if settled:
            return score
        remembered = seen_as(state, state.inverse[symmetry], table[slot, 1])
    # A row to be stopped leaves one move, and costs no depth.
    forced = state.win_sum[1 - turn] if state.direct and state.wins[1 - turn] == 1 else -1
    left = depth - 1 if forced < 0 else depth
    if forced < 0:
        plies = _chain_of(state, search, turn, depth, ply)
        if plies > 0:
            _remember(table, key, 0, WIN - plies, depth, _LOWER, 0)
            return WIN - ply - plies
        if depth <= 0:
            search.guessed = 1
            return evaluate(state, weights)
    outside = search.guessed
    search.guessed = 0
    count = _list(state, search, depth, ply, forced, remembered)
    width = MOST_MOVES if search.plain else _width(state, depth)
    best, best_move, raised = -WIN, 0, False
    for number in range(count):
        if number >= width and best > -SURE:
            search.guessed = 1
            break
        move = _next(search, ply, number, count)
        if search.lost[ply, number]:
            score = ply + 1 + search.lost[ply, number] - WIN
        else:
            do(state, move)
            search.since[search.past + ply + 1] = _since(search, move, ply)
            reduction = 0 if search.plain or best <= -SURE else _reduction(state, move, depth, number)
            if number == 0:
                score = -look(state, search, table, endings, weights, stop, left, -beta, -alpha, ply + 1)
            else:
                score = -look(
                    state, search, table, endings, weights, stop, left - reduction, -alpha - 1, -alpha, ply + 1
                )
                if score > alpha and reduction and not search.aborted:
                    score = -look(state, search, table, endings, weights, stop, left, -alpha - 1, -alpha, ply + 1)
                if alpha < score < beta and not search.aborted:
                    score = -look(state, search, table, endings, weights, stop, left, -beta, -alpha, ply + 1)
            undo(state, move)
            if search.aborted:
                return 0
        if score > best:
            best, best_move = score, move
            if score > alpha:
                alpha, raised = score, True
                if alpha >= beta:
                    _note_cut(search, turn, move, depth, ply)
                    break
    bound = _LOWER if best >= beta else _EXACT if raised else _UPPER
    kept = best + ply if best >= SURE else best - ply if best <= -SURE else best
    _remember(table, key, seen_as(state, symmetry, best_move), kept, depth, bound, search.guessed)
    search.guessed |= outside
    return best


@part
def _all_beyond(scores: Any, count: int, least: int) -> bool:
    """Whether each of the first scores is at least so high, or so low."""
    unsure = 0
    for number in range(count):
        unsure += abs(scores[number]) < least
    return unsure == 0


@part
def _to_front(moves: Any, scores: Any, number: int, score: int) -> None:
    move = moves[number]
    for place in range(number, 0, -1):
        moves[place], scores[place] = moves[place - 1], scores[place - 1]
    moves[0], scores[0] = move, score


@part
def _take_partial(moves: Any, scores: Any, latest: Any, best: int, reached: int) -> None:
    """Make use of a depth that was not finished, of which the first moves up to `reached` were seen.

    The best of them is to be believed, unless all of them lose: then the next is the one to try.
    """
    if latest[best] > -SURE:
        _to_front(moves, scores, best, latest[best])
    else:
        _to_front(moves, scores, reached, max(scores[reached], 1 - SURE))


@part
def _sort(moves: Any, scores: Any, count: int) -> None:
    """Best first; equals stay in their order (insertion sort)."""
    for number in range(1, count):
        move, score = moves[number], scores[number]
        place = number
        while place > 0 and scores[place - 1] < score:
            moves[place], scores[place] = moves[place - 1], scores[place - 1]
            place -= 1
        moves[place], scores[place] = move, score


_COUNTS = types.UniTuple(int64, 3)  # type: ignore[no-untyped-call]


@njit(
    _COUNTS(
        uint8[::1],
        RECORD[::1],
        SEARCH_RECORD[::1],
        int64[:, ::1],
        ENDINGS_RECORD[::1],
        int16[::1],
        int64,
        boolean,
        int64[::1],
        int64[::1],
    ),
    cache=True,
    nogil=True,
)
def deepen(
    stop: Stop,
    states: Any,
    searches: Any,
    table: Table,
    loaded: Any,
    weights: Weights,
    deepest: int,
    every: bool,
    moves: Any,
    scores: Any,
) -> tuple[int, int, int]:
    """Search a position that is not over, a ply deeper each time; how many moves there are, the depth, and `guessed`.

    `moves` and `scores` get the moves with their scores at the last depth that was finished, the best first. Unless
    `every` move is to be rated exactly, all scores but the first are upper bounds. The records come as arrays of one
    element each, which Python passes on faster.
    """
    state, search, endings = states[0], searches[0], loaded[0]
    count = _list(state, search, 0, 0, -1, 0)
    at = search.past
    search.path[at] = state.keys[0] ^ (TURN if state.turn else np.uint64(0))
    for number in range(count):
        moves[number], scores[number] = _next(search, 0, number, count), 0
    latest = np.zeros(count, np.int64)
    finished, guessed = 0, 1
    for depth in range(1, deepest + 1):
        search.guessed = 0
        alpha, best = -WIN, 0
        for number in range(count):
            do(state, moves[number])
            search.since[at + 1] = _since(search, moves[number], 0)
            score = WIN
            if number > 0 and not every:
                score = -look(state, search, table, endings, weights, stop, depth - 1, -alpha - 1, -alpha, 1)
            if score > alpha and not search.aborted:
                score = -look(
                    state, search, table, endings, weights, stop, depth - 1, -WIN, WIN if every else -alpha, 1
                )
            undo(state, moves[number])
            if search.aborted:
                break
            if state.movement != 0 and _times(search, at + 1) and -SURE < score < SURE:
                score = 0
            latest[number] = score
            if score > alpha:
                alpha, best = score, number
        if search.aborted:
            if not every and number > 0:
                _take_partial(moves, scores, latest, best, number)
            break
        finished, guessed = depth, search.guessed
        for number in range(count):
            scores[number] = latest[number]
        _sort(moves, scores, count)
        # A plain search is over when the best move is sure to be the quickest.
        least = WIN - depth - state.direct if search.plain else SURE
        if guessed == 0 or _all_beyond(scores, count if every and not search.plain else 1, least):
            break
    return count, finished, guessed
