"""The search that makes logic small, compiled: one random change after the other, none that breaks what is demanded.

A circuit is five arrays, its gates in topological order: `a` and `b`, the signals a gate reads, `table`, its function,
and `out`, the signals that are outputs, some of them `inverted`. Signals are the inputs, then two constants, then the
gates. The value of a signal in every position is a row of bits, 64 positions a word, so that a gate is evaluated in all
of them by a few vector instructions.

**Where a gate matters.** A gate is flipped, and what reads it is evaluated anew. Where the outputs are still right, it
does not matter which value the gate has; elsewhere it must keep the one it has. So the policy stays free: any outputs
will do that are allowed. (In logic synthesis: the *observability don't-cares* of the gate against a Boolean relation,
not against one function.) Where the demand follows the policy through the game, what is right depends on what comes
later: a flipped gate may lead to positions where no play of the old one did. They are found layer by layer from the
roots, by both values of the gate; then from the last to the first it is worked out under which of the two values a
position is right; and those that can be reached so are the ones that count (`_follow`). This asks for a little too
much, never for too little: two positions may be asked to be right of which a new gate would only ever reach one.

**What replaces it** (*resubstitution*). Any signal that does not depend on the gate and has its value where it matters,
inverted or not, makes the gate superfluous. Any pair of signals a gate of which has its value there takes the place of
the gate's own two: nothing is lost, and what they alone fed disappears. Which pair fits is chosen by chance, so the
circuit drifts through all that are equal in size, and falls whenever something becomes superfluous. Now and then one
reader of a signal, or one output, gets a new gate of its own: that is growth, which is accepted as in simulated
annealing, with the chance exp(-growth / temperature).

Measured: at 210 gates and all 4,520 positions some 20,000 changes a second on one core, at 50 gates that follow their
own policy about as many. Tried, and not taken: to try all pairs for every gate (most time went into pairs that do not
fit; most that do share a signal with the gate's own); to test pairs at 64 positions drawn for each gate, which cost
more than the word with most of them.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["CONSTANTS", "EXACTLY_ONE", "SOME", "Demand", "Wiring", "anneal", "evaluate", "is_right"]

Row = NDArray[np.uint64]
Rows = NDArray[np.uint64]
Numbers = NDArray[np.int32]
Flags = NDArray[np.bool_]


class Wiring(NamedTuple):
    """A circuit, with room for more gates than it has."""

    a: Numbers
    b: Numbers
    table: Numbers
    out: Numbers
    inverted: Numbers


class Demand(NamedTuple):
    """What the outputs must be: see `conditions`."""

    allowed: Rows
    valid: Row
    how_many: int
    """`EXACTLY_ONE` or `SOME`."""
    roots: Numbers
    start: Numbers
    child: Numbers


EXACTLY_ONE: Final = 0
SOME: Final = 1

CONSTANTS: Final = 2
"""The signals between the inputs and the gates: 0 and 1."""
_TRIED: Final = 12
"""For so many signals all partners are tried, beside the two that the gate reads."""
_ALL: Final = np.uint64(0xFFFFFFFFFFFFFFFF)
_NONE: Final = np.uint64(0)


@njit(cache=True, nogil=True)
def _gate(row: Row, x: Row, y: Row, table: int) -> None:
    """A gate on all positions; the bit x + 2y of its table is its output."""
    m0 = _ALL if table & 1 else _NONE
    m1 = _ALL if table & 2 else _NONE
    m2 = _ALL if table & 4 else _NONE
    m3 = _ALL if table & 8 else _NONE
    for w in range(len(row)):
        u, v = x[w], y[w]
        row[w] = (~u & ((~v & m0) | (v & m2))) | (u & ((~v & m1) | (v & m3)))


@njit(cache=True, nogil=True)
def evaluate(values: Rows, first: int, a: Numbers, b: Numbers, table: Numbers, gates: int) -> None:
    """All gates on all positions; `first` is the number of the first gate's signal."""
    for gate in range(gates):
        _gate(values[first + gate], values[a[gate]], values[b[gate]], table[gate])


@njit(cache=True, nogil=True)
def _right_here(
    right: Row, values: Rows, flipped: Rows, marked: Flags, out: Numbers, inverted: Numbers, demand: Demand
) -> None:
    """Where the outputs are as they must be by themselves: one of them (or some), and none that is not allowed.

    The rows of marked signals are those of `flipped`.
    """
    words = len(right)
    some, many, bad = np.zeros(words, np.uint64), np.zeros(words, np.uint64), np.zeros(words, np.uint64)
    for o in range(len(out)):
        row = flipped[out[o]] if marked[out[o]] else values[out[o]]
        sign = _ALL if inverted[o] else _NONE
        may = demand.allowed[o]
        for w in range(words):
            v = row[w] ^ sign
            many[w] |= some[w] & v
            some[w] |= v
            bad[w] |= v & ~may[w]
    for w in range(words):
        right[w] = (some[w] & ~bad[w] & (_ALL if demand.how_many == SOME else ~many[w])) | ~demand.valid[w]


@njit(cache=True, nogil=True)
def _flip(
    values: Rows, flipped: Rows, marked: Flags, below: Flags, first: int, wiring: Wiring, gates: int, gate: int
) -> None:
    """Evaluate what reads a flipped gate; its row in `flipped` is set, and it alone is marked.

    `below` tells all that depends on it, `marked` those of them whose value changed somewhere.
    """
    words = values.shape[1]
    for k in range(gate + 1, gates):
        x, y = wiring.a[k], wiring.b[k]
        s = first + k
        if below[x] or below[y]:
            below[s] = True
            if marked[x] or marked[y]:
                left = flipped[x] if marked[x] else values[x]
                right = flipped[y] if marked[y] else values[y]
                _gate(flipped[s], left, right, wiring.table[k])
                for w in range(words):
                    if flipped[s, w] != values[s, w]:
                        marked[s] = True
                        break


@njit(cache=True, nogil=True)
def _bit(plane: Row, p: int) -> Any:
    return (plane[p >> 6] >> np.uint64(p & 63)) & np.uint64(1)


@njit(cache=True, nogil=True)
def _move(values: Rows, flipped: Rows, marked: Flags, out: Numbers, inverted: Numbers, p: int) -> int:
    """The one output that is raised at a position."""
    for o in range(len(out)):
        s = out[o]
        row = flipped[s] if marked[s] else values[s]
        if _bit(row, p) != inverted[o]:
            return o
    return -1


@njit(cache=True, nogil=True)
def _follow(  # noqa: PLR0912, PLR0915  three loops over the same arrays
    values: Rows,
    flipped: Rows,
    marked: Flags,
    wiring: Wiring,
    other: Numbers,
    here: Row,
    there: Row,
    demand: Demand,
    work: NDArray[np.int32],
    kept: Row,
    turned: Row,
) -> None:
    """Through the game from the roots, with the circuit as it is and as it is when flipped, both where they differ.

    `here` and `there` tell where the outputs are right by themselves. At the end `kept` has the positions that are
    right only with the value the gate has, `turned` those that are right only with the other.
    """
    out, inverted, roots, start, child = wiring.out, wiring.inverted, demand.roots, demand.start, demand.child
    outputs = len(out)
    unmarked = np.zeros(len(values), np.bool_)
    moves, moves_there, fine, seen, order = work[0], work[1], work[2], work[3], work[4]
    seen[:] = 0
    kept[:] = _NONE
    turned[:] = _NONE
    count = 0
    for p in roots:
        seen[p] = 1
        order[count] = p
        count += 1
    done = 0
    while done < count:
        p = order[done]
        done += 1
        m = _move(values, values, unmarked, out, inverted, p) if _bit(here, p) else -1
        n = _move(values, flipped, marked, out, other, p) if _bit(there, p) else -1
        moves[p], moves_there[p] = m, n
        for turn in range(2):
            if turn == 1:
                if n == m:
                    continue
                m = n
            if m >= 0:
                for i in range(start[p * outputs + m], start[p * outputs + m + 1]):
                    q = child[i]
                    if not seen[q]:
                        seen[q] = 1
                        order[count] = q
                        count += 1
    # A game only grows: what comes later was found later. Bit 0 of `fine`: right as it is; bit 1: right when flipped.
    for k in range(count - 1, -1, -1):
        p = order[k]
        found = 0
        for turn in range(2):
            m = moves[p] if turn == 0 else moves_there[p]
            if m < 0:
                continue
            good = True
            for i in range(start[p * outputs + m], start[p * outputs + m + 1]):
                if fine[child[i]] == 0:
                    good = False
                    break
            if good:
                found |= 1 << turn
        fine[p] = found
    for p in roots:
        seen[p] = 2
    for k in range(count):
        p = order[k]
        if seen[p] != 2:
            continue
        if fine[p] == 1:
            kept[p >> 6] |= np.uint64(1) << np.uint64(p & 63)
        elif fine[p] == 2:
            turned[p >> 6] |= np.uint64(1) << np.uint64(p & 63)
        for turn in range(2):
            if fine[p] >> turn & 1:
                m = moves[p] if turn == 0 else moves_there[p]
                for i in range(start[p * outputs + m], start[p * outputs + m + 1]):
                    seen[child[i]] = 2


@njit(cache=True, nogil=True)
def _random(state: Row) -> Any:
    """The next number of xorshift64* (Vigna)."""
    x = state[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    state[0] = x
    return (x * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(33)


@njit(cache=True, nogil=True)
def _below(state: Row, bound: int) -> Any:
    return np.int64(_random(state) % np.uint64(bound))


@njit(cache=True, nogil=True)
def _chance(state: Row) -> float:
    return np.float64(_random(state)) / 2147483648.0


@njit(cache=True, nogil=True)
def _single(rows: Rows, count: int, low: Row, high: Row, words: int, state: Row) -> int:
    """A row, by chance of all, that is 0 where `low` is and 1 where `high` is, or its inverse: 2 row + inverted."""
    chosen, found = -1, 0
    for c in range(count):
        same = True
        opposite = True
        for w in range(words):
            v = rows[c, w]
            if (v & low[w]) | (~v & high[w]):
                same = False
            if (v & high[w]) | (~v & low[w]):
                opposite = False
            if not same and not opposite:
                break
        if same or opposite:
            found += 1
            if _below(state, found) == 0:
                chosen = 2 * c + (0 if same else 1)
    return chosen


@njit(cache=True, nogil=True)
def _classes(x: Row, y: Row, low: Row, high: Row, words: int) -> int:
    """Which of the four classes of a pair have positions that must be 0 (bits 0 to 3), or 1 (4 to 7); -1 if both."""
    l0 = l1 = l2 = l3 = h0 = h1 = h2 = h3 = _NONE
    for w in range(words):
        u, v, zero, one = x[w], y[w], low[w], high[w]
        l0 |= ~u & ~v & zero
        h0 |= ~u & ~v & one
        l1 |= u & ~v & zero
        h1 |= u & ~v & one
        l2 |= ~u & v & zero
        h2 |= ~u & v & one
        l3 |= u & v & zero
        h3 |= u & v & one
        if (l0 and h0) or (l1 and h1) or (l2 and h2) or (l3 and h3):
            return -1
    found = 0
    if l0:
        found |= 1
    if l1:
        found |= 2
    if l2:
        found |= 4
    if l3:
        found |= 8
    if h0:
        found |= 16
    if h1:
        found |= 32
    if h2:
        found |= 64
    if h3:
        found |= 128
    return found


@njit(cache=True, nogil=True)
def _count(word: np.uint64) -> np.uint64:
    """How many bits are set."""
    word -= (word >> np.uint64(1)) & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (word * np.uint64(0x0101010101010101)) >> np.uint64(56)


@njit(cache=True, nogil=True)
def _telling(low: Row, high: Row, words: int, state: Row) -> int:
    """A word in which many positions must be 0 and many 1: by it alone most pairs are seen not to fit."""
    best, most = 0, np.int64(-1)
    for _ in range(4):
        w = _below(state, words)
        both = np.int64(min(_count(low[w]), _count(high[w])))
        if both > most:
            best, most = w, both
    return best


@njit(cache=True, nogil=True)
def _pair(
    rows: Rows,
    count: int,
    low: Row,
    high: Row,
    words: int,
    state: Row,
    own: tuple[int, int],
    pair: NDArray[np.int64],
) -> bool:
    """Whether a pair fits: the first from a random beginning on is put into `pair`, with its classes."""
    if count < 2:
        return False
    telling = _telling(low, high, words, state)
    lows, highs = low[telling], high[telling]
    begin = _below(state, count)
    for step in range(-2, min(count, _TRIED)):
        if step >= 0:
            i = (begin + step) % count
        elif own[0] < 0 or own[1] < 0:
            continue
        else:
            i = own[0] if (step + begin) & 1 else own[1]
        u = rows[i, telling]
        l1, h1, l0, h0 = u & lows, u & highs, ~u & lows, ~u & highs
        second = _below(state, count)
        for more in range(count):
            j = second + more
            if j >= count:
                j -= count
            v = rows[j, telling]
            if (
                (v & l1 and v & h1)
                or (~v & l1 and ~v & h1)
                or (v & l0 and v & h0)
                or (~v & l0 and ~v & h0)
                or j == i
                or (step >= 0 and j > i)
                or (i == own[0] and j == own[1])
                or (i == own[1] and j == own[0])
            ):
                continue
            found = _classes(rows[i], rows[j], low, high, words)
            if found >= 0:
                pair[0], pair[1], pair[2] = i, j, found
                return True
    return False


@njit(cache=True, nogil=True)
def _swapped(table: int, pin: int) -> int:
    """The table of a gate one of whose inputs is inverted."""
    if pin == 0:
        return ((table & 5) << 1) | ((table & 10) >> 1)
    return ((table & 3) << 2) | ((table & 12) >> 2)


@njit(cache=True, nogil=True)
def _rebuild(first: int, old: Wiring, gates: int, new: Wiring, number: Numbers, stack: Numbers) -> int:
    """Gates in topological order from the outputs on, the superfluous ones left out; how many are left."""
    out = old.out
    for k in range(gates):
        number[k] = -1
    count = 0
    for o in range(len(out)):
        if out[o] < first:
            continue
        top = 0
        stack[0] = out[o] - first
        while top >= 0:
            k = stack[top]
            x, y = old.a[k] - first, old.b[k] - first
            if number[k] >= 0:
                top -= 1
            elif x >= 0 and number[x] < 0:
                top += 1
                stack[top] = x
            elif y >= 0 and number[y] < 0:
                top += 1
                stack[top] = y
            else:
                new.a[count] = old.a[k] if x < 0 else first + number[x]
                new.b[count] = old.b[k] if y < 0 else first + number[y]
                new.table[count] = old.table[k]
                number[k] = count
                count += 1
                top -= 1
    for o in range(len(out)):
        new.out[o] = out[o] if out[o] < first else first + number[out[o] - first]
        new.inverted[o] = old.inverted[o]
    return count


@njit(cache=True, nogil=True)
def _redirect(wiring: Wiring, gates: int, old: int, new: int, turn: int) -> None:
    """Whoever reads one signal reads another, or its inverse."""
    for k in range(gates):
        if wiring.a[k] == old:
            wiring.a[k] = new
            if turn:
                wiring.table[k] = _swapped(wiring.table[k], 0)
        if wiring.b[k] == old:
            wiring.b[k] = new
            if turn:
                wiring.table[k] = _swapped(wiring.table[k], 1)
    for o in range(len(wiring.out)):
        if wiring.out[o] == old:
            wiring.out[o] = new
            wiring.inverted[o] ^= turn


@njit(cache=True, nogil=True)
def _copy(source: Wiring, target: Wiring, gates: int) -> None:
    target.a[:gates] = source.a[:gates]
    target.b[:gates] = source.b[:gates]
    target.table[:gates] = source.table[:gates]
    target.out[:] = source.out
    target.inverted[:] = source.inverted


@njit(cache=True, nogil=True)
def is_right(values: Rows, wiring: Wiring, demand: Demand) -> bool:
    """Whether evaluated gates do what the specification wants."""
    out, inverted, start, child = wiring.out, wiring.inverted, demand.start, demand.child
    right = np.empty_like(demand.valid)
    unmarked = np.zeros(len(values), np.bool_)
    _right_here(right, values, values, unmarked, out, inverted, demand)
    if len(demand.roots) == 0:
        return bool(np.all(right == _ALL))
    seen = np.zeros(len(start) // len(out), np.bool_)
    todo = np.empty(len(seen), np.int32)
    count = 0
    for p in demand.roots:
        seen[p] = True
        todo[count] = p
        count += 1
    while count:
        count -= 1
        p = todo[count]
        if not _bit(right, p):
            return False
        m = _move(values, values, unmarked, out, inverted, p)
        for i in range(start[p * len(out) + m], start[p * len(out) + m + 1]):
            if not seen[child[i]]:
                seen[child[i]] = True
                todo[count] = child[i]
                count += 1
    return True


@njit(cache=True, nogil=True)
def anneal(  # noqa: PLR0912, PLR0915  one change, from what it aims at to whether it is kept
    values: Rows,
    wiring: Wiring,
    gates: int,
    demand: Demand,
    best: Wiring,
    state: Row,
    steps: int,
    temperature: float,
    growing: float,
) -> tuple[int, int]:
    """Change the circuit so many times; returns its gates at the end, and those of the best one, which is filled in.

    `growing` is the share of changes that try to grow.
    """
    words = values.shape[1]
    a, b, table, out, inverted = wiring
    outputs, room = len(out), len(a)
    first = len(values) - room
    follows = len(demand.roots) > 0
    flipped = np.empty_like(values)
    rows = np.empty_like(values)
    marked, below = np.zeros(len(values), np.bool_), np.zeros(len(values), np.bool_)
    unmarked = np.zeros(len(values), np.bool_)
    here, there = np.empty(words, np.uint64), np.empty(words, np.uint64)
    kept, turned = np.empty(words, np.uint64), np.empty(words, np.uint64)
    low, high = np.empty(words, np.uint64), np.empty(words, np.uint64)
    work = np.zeros((5, len(demand.start) // outputs if follows else 1), np.int32)
    where, names = np.empty(words, np.int32), np.empty(len(values), np.int32)
    other = inverted.copy()
    pair = np.zeros(3, np.int64)
    tried = Wiring(a.copy(), b.copy(), table.copy(), out.copy(), inverted.copy())
    new = Wiring(a.copy(), b.copy(), table.copy(), out.copy(), inverted.copy())
    number, stack = np.empty(room, np.int32), np.empty(room, np.int32)
    evaluate(values, first, a, b, table, gates)
    _right_here(here, values, values, unmarked, out, inverted, demand)
    fewest = gates
    _copy(wiring, best, gates)
    for _ in range(steps):
        grows = _chance(state) < growing
        target = _below(state, gates + outputs)
        at_output = target >= gates
        output = target - gates
        pin = -1
        marked[:] = False
        below[:] = False
        other[:] = inverted
        if at_output:
            source = out[output]
            other[output] = 1 - inverted[output]
        else:
            source = first + target
            if grows:
                # One reader alone: its gate as it would be if this input were flipped.
                pin = _below(state, 2)
                _gate(flipped[source], values[a[target]], values[b[target]], _swapped(table[target], pin))
            else:
                for w in range(words):
                    flipped[source, w] = ~values[source, w]
            marked[source] = True
            below[source] = True
            _flip(values, flipped, marked, below, first, wiring, gates, target)
            if grows:
                source = a[target] if pin == 0 else b[target]
        _right_here(there, values, flipped, marked, out, other, demand)
        if follows:
            _follow(values, flipped, marked, wiring, other, here, there, demand, work, kept, turned)
        else:
            for w in range(words):
                kept[w] = ~there[w]
                turned[w] = _NONE
        # What the target must be, and what other signals are, squeezed to the words in which it matters.
        narrow = 0
        sign = _ALL if at_output and inverted[output] else _NONE
        for w in range(words):
            if kept[w] | turned[w]:
                v = values[source, w] ^ sign
                high[narrow] = (kept[w] & v) | (turned[w] & ~v)
                low[narrow] = (kept[w] & ~v) | (turned[w] & v)
                where[narrow] = w
                narrow += 1
        # What one reader or an output reads now is no change. But in a pair it may be one: a gate that is superfluous
        # itself makes others superfluous (redundancy addition and removal).
        fresh = not grows or _below(state, 2) == 0
        count = 0
        for s in range(first + gates):
            if below[s] or (s == source and (at_output or pin >= 0) and fresh):
                continue
            names[count] = s
            for w in range(narrow):
                rows[count, w] = values[s, where[w]]
            count += 1
        single = _single(rows, count, low, high, narrow, state) if fresh else -1
        _copy(wiring, tried, gates)
        total = gates
        if single >= 0 and not at_output and pin < 0:
            _redirect(tried, gates, source, names[single >> 1], single & 1)
        elif at_output and not grows:
            if single < 0:
                continue
            tried.out[output] = names[single >> 1]
            tried.inverted[output] = single & 1
        elif pin >= 0 and single >= 0:
            if pin == 0:
                tried.a[target] = names[single >> 1]
            else:
                tried.b[target] = names[single >> 1]
            if single & 1:
                tried.table[target] = _swapped(tried.table[target], pin)
        else:
            # The constants make no pairs.
            left = 0
            own_a = own_b = -1
            for c in range(count):
                s = names[c]
                if first - CONSTANTS <= s < first:
                    continue
                if not at_output and pin < 0:
                    if s == a[target]:
                        own_a = left
                    if s == b[target]:
                        own_b = left
                names[left] = s
                for w in range(narrow):
                    rows[left, w] = rows[c, w]
                left += 1
            if narrow == 0 or not _pair(rows, left, low, high, narrow, state, (own_a, own_b), pair):
                continue
            x, y, found = names[pair[0]], names[pair[1]], pair[2]
            free = 15 & ~((found >> 4) | found)
            made = (found >> 4) | (free & _below(state, 16))
            if at_output or pin >= 0:
                if gates == room:
                    continue
                tried.a[gates], tried.b[gates], tried.table[gates] = x, y, made
                total = gates + 1
                if at_output:
                    tried.out[output] = first + gates
                    tried.inverted[output] = 0
                elif pin == 0:
                    tried.a[target] = first + gates
                else:
                    tried.b[target] = first + gates
            else:
                tried.a[target], tried.b[target], tried.table[target] = x, y, made
        left = _rebuild(first, tried, total, new, number, stack)
        growth = left - gates
        if growth > 0 and _chance(state) >= np.exp(-growth / temperature):
            continue
        gates = left
        _copy(new, wiring, gates)
        evaluate(values, first, a, b, table, gates)
        _right_here(here, values, values, unmarked, out, inverted, demand)
        if gates < fewest:
            fewest = gates
            _copy(wiring, best, gates)
    return gates, fewest
