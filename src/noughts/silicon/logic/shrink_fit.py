"""What fits in the place of a signal: another signal or its inverse, or a gate of two others (*resubstitution*).

A place is known by the positions in which it matters what stands there: in some a 0 is wanted, in some a 1, and in all
others anything will do. A few positions may be wrong: how many is said beforehand.

Of all signals that fit one is taken by chance, and so it is with pairs. All pairs are tried, not only those that share
a signal with the gate in whose place they come: a change takes longer so, and far fewer are needed. Three words, those
in which most positions ask for a 0 and most for a 1, tell of nearly every pair that it does not fit.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from noughts.silicon.logic.shrink_circuit import ALL, CONSTANTS, Flags, Numbers, Row, Rows
from noughts.silicon.logic.shrink_demand import ones
from noughts.solve.compiled import uncounted_part

__all__ = ["TELLING", "TRIED", "Place", "chance", "draw", "find_pair", "find_single", "put_telling_first"]

TELLING: Final = 3
"""Words by which pairs are tried before they are tried by all."""
TRIED: Final = 1 << 12
"""Pairs, of those that the telling words leave over, that are tried by all words."""
_TRIALS: Final = 6
"""How many positions that want a 0 are tried beside one that wants a 1."""
_MOST_PAIRS: Final = 1 << 16
"""Pairs that are tried by the telling words: all pairs of 360 signals; of more, some by chance."""


class Place(NamedTuple):
    """Where it matters what stands in a place: words, and which positions of each want a 0 or a 1."""

    where: Numbers
    low: Row
    high: Row
    names: Numbers
    """The signals that may come there."""
    tell: Rows
    """What they are in the telling words: a row a word."""
    apart: Flags
    """In how many positions of the first telling word every gate of one signal and each other is wrong."""
    chosen: Flags
    """Whether a signal may be the first of a pair."""
    pairs: Numbers
    """Room for `TRIED` pairs."""


@uncounted_part
def draw(state: Row, bound: int) -> int:
    """A number below a bound, by chance: the next of xorshift64* (Vigna)."""
    x = state[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    state[0] = x
    # The upper 32 bits as a fraction of the bound, without a division.
    share = ((x * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(32)) * np.uint64(bound)
    return int(np.int64(share >> np.uint64(32)))


@uncounted_part
def chance(state: Row) -> float:
    """A number from 0 on and below 1."""
    return draw(state, 1 << 24) / float(1 << 24)


@uncounted_part
def put_telling_first(place: Place, words: int) -> None:
    """Bring the words in which most positions ask for a 0 and most for a 1 to the front."""
    where, low, high = place.where, place.low, place.high
    for t in range(min(TELLING, words)):
        best, most = t, -1
        for w in range(t, words):
            both = min(ones(low[w]), ones(high[w]))
            if both > most:
                best, most = w, both
        where[t], where[best] = where[best], where[t]
        low[t], low[best] = low[best], low[t]
        high[t], high[best] = high[best], high[t]


@uncounted_part
def find_single(values: Rows, place: Place, words: int, count: int, most: int, state: Row) -> int:
    """One of the first `count` names that is wrong in at most so many positions: 2 name + inverted, or -1."""
    chosen = -1
    found = 0
    for c in range(count):
        row = values[place.names[c]]
        same = 0
        opposite = 0
        for w in range(words):
            x, low, high = row[place.where[w]], place.low[w], place.high[w]
            same += ones((x & low) | (~x & high))
            opposite += ones((x & high) | (~x & low))
            if same > most and opposite > most:
                break
        if same <= most or opposite <= most:
            found += 1
            if draw(state, found) == 0:
                chosen = 2 * place.names[c] + (1 if opposite < same else 0)
    return chosen


@uncounted_part
def _wrong(x: Any, y: Any, low: Any, high: Any) -> int:
    """In how many positions of a word the best gate of two signals is wrong."""
    both, only_x, only_y, neither = x & y, x & ~y, ~x & y, ~(x | y)
    return (
        min(ones(both & low), ones(both & high))
        + min(ones(only_x & low), ones(only_x & high))
        + min(ones(only_y & low), ones(only_y & high))
        + min(ones(neither & low), ones(neither & high))
    )


@uncounted_part
def _clash(x: Any, y: Any, low: Any, high: Any) -> bool:
    """Whether every gate of two signals is wrong in some position of a word: quicker than to count."""
    zeros, wanted, other_zeros, other_wanted = x & low, x & high, ~x & low, ~x & high
    return bool(
        (((zeros & y) != 0) & ((wanted & y) != 0))
        | (((zeros & ~y) != 0) & ((wanted & ~y) != 0))
        | (((other_zeros & y) != 0) & ((other_wanted & y) != 0))
        | (((other_zeros & ~y) != 0) & ((other_wanted & ~y) != 0))
    )


@uncounted_part
def _lowest(word: Any) -> int:
    """The lowest bit that is set."""
    return ones((word & (~word + np.uint64(1))) - np.uint64(1))


@uncounted_part
def _one_of(word: Any, state: Row) -> int:
    """One of the bits that are set, by chance."""
    for _ in range(draw(state, ones(word))):
        word &= word - np.uint64(1)
    return _lowest(word)


@uncounted_part
def _tell_apart(place: Place, telling: int, count: int, state: Row) -> None:
    """Fill in which signals differ between a position that wants a 0 and one that wants a 1.

    One of the two signals of a gate that fits must. A few such positions are tried, and those kept that the fewest
    signals tell apart. Where no telling word wants both a 0 and a 1, all are filled in.
    """
    tell, low, high, chosen = place.tell, place.low, place.high, place.chosen
    for c in range(count):
        chosen[c] = 1
    fewest = count
    for _ in range(_TRIALS):
        t = draw(state, telling)
        if low[t] == 0 or high[t] == 0:
            continue
        zero = _one_of(low[t], state)
        # Positions that lie close together are alike: they have one stone or two that are different.
        above = high[t] & (ALL << np.uint64(zero))
        one = _lowest(above if above else high[t])
        total = 0
        for c in range(count):
            x = tell[t, c]
            place.apart[c] = ((x >> np.uint64(zero)) ^ (x >> np.uint64(one))) & np.uint64(1)
            total += place.apart[c]
        if total < fewest:
            fewest = total
            for c in range(count):
                chosen[c] = place.apart[c]


@uncounted_part
def _table(x: Row, y: Row, place: Place, words: int, most: int, state: Row) -> int:
    """The best gate of two signals, if it is wrong in at most so many positions, or -1; ties are broken by chance."""
    l0 = l1 = l2 = l3 = h0 = h1 = h2 = h3 = 0
    for w in range(words):
        u, v, low, high = x[place.where[w]], y[place.where[w]], place.low[w], place.high[w]
        l0 += ones(~u & ~v & low)
        h0 += ones(~u & ~v & high)
        l1 += ones(u & ~v & low)
        h1 += ones(u & ~v & high)
        l2 += ones(~u & v & low)
        h2 += ones(~u & v & high)
        l3 += ones(u & v & low)
        h3 += ones(u & v & high)
        if min(l0, h0) + min(l1, h1) + min(l2, h2) + min(l3, h3) > most:
            return -1
    table = draw(state, 16)
    for bit, (zeros, wanted) in enumerate(((l0, h0), (l1, h1), (l2, h2), (l3, h3))):
        if wanted > zeros:
            table |= 1 << bit
        elif wanted < zeros:
            table &= ~(1 << bit)
    return table


@uncounted_part
def _left_over(place: Place, telling: int, count: int, most: int, state: Row) -> int:
    """Fill in the pairs that the telling words leave over, from a name drawn by chance on; how many there are."""
    tell, low, high = place.tell, place.low, place.high
    begin = draw(state, count)
    left = 0
    tried = 0
    for step in range(count):
        i = begin + step if begin + step < count else begin + step - count
        if not place.chosen[i]:
            continue
        tried += count
        x, zero, one = tell[0, i], low[0], high[0]
        # Loops without a branch, of which the compiler makes vector instructions: a word tells of most pairs.
        if most:
            for j in range(count):
                place.apart[j] = _wrong(x, tell[0, j], zero, one)
        else:
            for j in range(count):
                place.apart[j] = _clash(x, tell[0, j], zero, one)
        for j in range(count):
            wrong = int(place.apart[j])
            # A pair of two that may both be the first comes once.
            if wrong > most or (j >= i and place.chosen[j]):
                continue
            for t in range(1, telling):
                wrong += _wrong(tell[t, i], tell[t, j], low[t], high[t])
            if wrong > most:
                continue
            place.pairs[left] = i * count + j
            left += 1
            if left == len(place.pairs):
                return left
        if tried > _MOST_PAIRS:
            break
    return left


@uncounted_part
def find_pair(
    values: Rows, place: Place, words: int, count: int, most: int, inputs: int, own: tuple[int, int], state: Row
) -> tuple[int, int, int]:
    """Two names and the table of a gate of them that fits, not the two that stand there; -1 first if there is none.

    There must be a word in which it matters. The constants, which follow the inputs, make no pairs.
    """
    names, tell = place.names, place.tell
    left = 0
    for c in range(count):
        if not inputs <= names[c] < inputs + CONSTANTS:
            names[left] = names[c]
            left += 1
    telling = min(TELLING, words)
    for t in range(telling):
        for c in range(left):
            tell[t, c] = values[names[c], place.where[t]]
    if left == 0:
        return -1, -1, 0
    if most == 0:
        _tell_apart(place, telling, left, state)
    else:
        # Where some may be wrong, it may be these.
        for c in range(left):
            place.chosen[c] = 1
    waiting = _left_over(place, telling, left, most, state)
    while waiting:
        drawn = draw(state, waiting)
        waiting -= 1
        x, y = names[place.pairs[drawn] // left], names[place.pairs[drawn] % left]
        place.pairs[drawn] = place.pairs[waiting]
        if (x == own[0] and y == own[1]) or (x == own[1] and y == own[0]):
            continue
        table = _table(values[x], values[y], place, words, most, state)
        if table >= 0:
            return x, y, table
    return -1, -1, 0
