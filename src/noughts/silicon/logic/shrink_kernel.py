"""The search that makes logic small, compiled: one random change after the other, and none that breaks the specification.

A circuit is four arrays in topological order: `a` and `b`, the signals a gate reads, `table`, its function, and `out`, the
signals that are outputs (negative: -1 - signal is the inverse of the signal). Signals are the inputs, then two
constants, then the gates. The value of a signal on every position is a row of bits, 64 positions a word, so that a gate
is evaluated on all of them by a few instructions.

**Where a gate matters.** A gate is flipped, and what reads it is evaluated anew. Where the outputs are still right, it
does not matter which value the gate has; elsewhere it must keep the one it has. So the policy stays free: any outputs
will do that keep the value. (In logic synthesis: the gate's *observability don't-cares* against a Boolean relation,
not against one function.) Where the specification follows the policy through the game, what is right depends on what
comes later: a flipped gate may lead to positions where no play of the old one did. They are found layer by layer from the
roots, by both values of the gate; then from the last to the first it is worked out under which of the two values a position
is kept; and those that can be reached so are the ones that count (`_follow`). This asks for a little too much, never
for too little: two positions may be asked to be right of which a new gate would only ever reach one.

**What replaces it** (*resubstitution*). Any signal that does not depend on the gate and has its value where it matters,
inverted or not, makes the gate superfluous. Any pair of signals a gate of which has its value there takes the place of the
gate's own two: nothing is lost, and what they alone fed disappears. Which pair fits is chosen by chance, so the
circuit drifts through all that are equal in size, and falls whenever something becomes superfluous. Now and then one
reader of a signal, or one output, gets a new gate of its own: that is growth, which is accepted as annealing does, with
the chance exp(-growth / temperature).
"""

import numpy as np
from numba import njit

__all__ = ["CONSTANTS", "anneal", "evaluate", "is_right"]

CONSTANTS = 2
"""The signals between the inputs and the gates: 0 and 1."""
_TRIED = 12
"""For so many signals all partners are tried, beside the two that the gate reads."""
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_NONE = np.uint64(0)


@njit(nogil=True, cache=True)
def _gate(row, x, y, table):
    """A gate on all positions; the bit x + 2y of its table is its output."""
    m0 = _ALL if table & 1 else _NONE
    m1 = _ALL if table & 2 else _NONE
    m2 = _ALL if table & 4 else _NONE
    m3 = _ALL if table & 8 else _NONE
    for w in range(len(row)):
        u, v = x[w], y[w]
        row[w] = (~u & ((~v & m0) | (v & m2))) | (u & ((~v & m1) | (v & m3)))


@njit(nogil=True, cache=True)
def evaluate(values, first, a, b, table, gates):
    """All gates on all positions; `first` is the number of the first gate's signal."""
    for gate in range(gates):
        _gate(values[first + gate], values[a[gate]], values[b[gate]], table[gate])


@njit(nogil=True, cache=True)
def _right_here(right, values, flipped, marked, out, inverted, allowed, several, valid):
    """Where the outputs are as they must be by themselves: one of them (or some), and none that is not allowed.

    The rows of marked signals are those of `flipped`.
    """
    words = len(right)
    some, many, bad = np.zeros(words, np.uint64), np.zeros(words, np.uint64), np.zeros(words, np.uint64)
    for o in range(len(out)):
        row = flipped[out[o]] if marked[out[o]] else values[out[o]]
        sign = _ALL if inverted[o] else _NONE
        may = allowed[o]
        for w in range(words):
            v = row[w] ^ sign
            if several == 2:
                v &= ~some[w]
            many[w] |= some[w] & v
            some[w] |= v
            bad[w] |= v & ~may[w]
    for w in range(words):
        right[w] = (some[w] & ~bad[w] & (_ALL if several == 1 else ~many[w])) | ~valid[w]


@njit(nogil=True, cache=True)
def _flip(values, flipped, marked, below, first, a, b, table, gates, gate):
    """Evaluate what reads a flipped gate; its row in `flipped` is set, and it alone is marked.

    `below` tells all that depends on it, `marked` those of them whose value changed somewhere.
    """
    words = values.shape[1]
    for k in range(gate + 1, gates):
        x, y = a[k], b[k]
        s = first + k
        if below[x] or below[y]:
            below[s] = True
            if marked[x] or marked[y]:
                _gate(flipped[s], flipped[x] if marked[x] else values[x], flipped[y] if marked[y] else values[y], table[k])
                for w in range(words):
                    if flipped[s, w] != values[s, w]:
                        marked[s] = True
                        break


@njit(nogil=True, cache=True)
def _bit(plane, p):
    return (plane[p >> 6] >> np.uint64(p & 63)) & np.uint64(1)


@njit(nogil=True, cache=True)
def _move(values, flipped, marked, out, inverted, p):
    """The one output that is raised at a position."""
    for o in range(len(out)):
        s = out[o]
        row = flipped[s] if marked[s] else values[s]
        if _bit(row, p) != inverted[o]:
            return o
    return -1


@njit(nogil=True, cache=True)
def _follow(values, flipped, marked, unmarked, out, inverted, other, here, there, roots, start, child, work, kept, turned):
    """Through the game from the roots, with the circuit as it is and as it is when flipped, both where they differ.

    `here` and `there` tell where the outputs are right by themselves. At the end `kept` has the positions that are
    right only with the value the gate has, `turned` those that are right only with the other.
    """
    outputs = len(out)
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


@njit(nogil=True, cache=True)
def _random(state):
    """The next number of xorshift64* (Vigna)."""
    x = state[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    state[0] = x
    return (x * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(33)


@njit(nogil=True, cache=True)
def _below(state, bound):
    return np.int64(_random(state) % np.uint64(bound))


@njit(nogil=True, cache=True)
def _chance(state):
    return np.float64(_random(state)) / 2147483648.0


@njit(nogil=True, cache=True)
def _single(rows, count, low, high, words, state):
    """A row, by chance of all, that is 0 where `low` is and 1 where `high` is, or the other way round: 2 row + inverted."""
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


@njit(nogil=True, cache=True)
def _classes(x, y, low, high, words):
    """Which of the four classes of a pair hold positions that must be 0 (bits 0 to 3) and 1 (bits 4 to 7); -1 if both."""
    l0 = l1 = l2 = l3 = h0 = h1 = h2 = h3 = _NONE
    for w in range(words):
        u, v, l, h = x[w], y[w], low[w], high[w]
        l0 |= ~u & ~v & l
        h0 |= ~u & ~v & h
        l1 |= u & ~v & l
        h1 |= u & ~v & h
        l2 |= ~u & v & l
        h2 |= ~u & v & h
        l3 |= u & v & l
        h3 |= u & v & h
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


@njit(nogil=True, cache=True)
def _count(word):
    """How many bits are set."""
    word -= (word >> np.uint64(1)) & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (word * np.uint64(0x0101010101010101)) >> np.uint64(56)


@njit(nogil=True, cache=True)
def _telling(low, high, words, state):
    """A word in which many positions must be 0 and many 1: by it alone most pairs are seen not to fit."""
    best, most = 0, np.int64(-1)
    for _ in range(4):
        w = _below(state, words)
        both = np.int64(min(_count(low[w]), _count(high[w])))
        if both > most:
            best, most = w, both
    return best


@njit(nogil=True, cache=True)
def _pair(rows, count, low, high, words, state, avoid_x, avoid_y, pair):
    """The first pair that fits, from a random beginning on; fills `pair` with both and the classes. Whether there is one."""
    if count < 2:
        return False
    telling = _telling(low, high, words, state)
    lows, highs = low[telling], high[telling]
    begin = _below(state, count)
    for step in range(-2, min(count, _TRIED)):
        if step >= 0:
            i = (begin + step) % count
        elif avoid_x < 0 or avoid_y < 0:
            continue
        else:
            i = avoid_x if (step + begin) & 1 else avoid_y
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
                or (i == avoid_x and j == avoid_y)
                or (i == avoid_y and j == avoid_x)
            ):
                continue
            found = _classes(rows[i], rows[j], low, high, words)
            if found >= 0:
                pair[0], pair[1], pair[2] = i, j, found
                return True
    return False


@njit(nogil=True, cache=True)
def _swapped(table, pin):
    """The table of a gate one of whose inputs is inverted."""
    if pin == 0:
        return ((table & 5) << 1) | ((table & 10) >> 1)
    return ((table & 3) << 2) | ((table & 12) >> 2)


@njit(nogil=True, cache=True)
def _rebuild(first, a, b, table, out, gates, na, nb, ntable, nout, number, stack):
    """Gates in topological order from the outputs on, the superfluous ones left out; how many are left."""
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
            if number[k] >= 0:
                top -= 1
                continue
            x, y = a[k] - first, b[k] - first
            if x >= 0 and number[x] < 0:
                top += 1
                stack[top] = x
            elif y >= 0 and number[y] < 0:
                top += 1
                stack[top] = y
            else:
                na[count] = a[k] if x < 0 else first + number[x]
                nb[count] = b[k] if y < 0 else first + number[y]
                ntable[count] = table[k]
                number[k] = count
                count += 1
                top -= 1
    for o in range(len(out)):
        nout[o] = out[o] if out[o] < first else first + number[out[o] - first]
    return count


@njit(nogil=True, cache=True)
def is_right(values, out, inverted, allowed, several, valid, follows, roots, start, child):
    """Whether evaluated gates do what the specification wants."""
    positions = len(start) // len(out)
    right = np.empty_like(valid)
    unmarked = np.zeros(len(values), np.bool_)
    _right_here(right, values, values, unmarked, out, inverted, allowed, several, valid)
    if not follows:
        return np.all(right == _ALL)
    seen = np.zeros(positions, np.bool_)
    todo = [p for p in roots]
    for p in roots:
        seen[p] = True
    while todo:
        p = todo.pop()
        if not _bit(right, p):
            return False
        m = _move(values, values, unmarked, out, inverted, p)
        for i in range(start[p * len(out) + m], start[p * len(out) + m + 1]):
            if not seen[child[i]]:
                seen[child[i]] = True
                todo.append(child[i])
    return True


@njit(nogil=True, cache=True)
def anneal(values, first, a, b, table, out, inverted, gates, allowed, several, valid, follows, roots, start, child,
           state, steps, hot, cold, growing, most, best_a, best_b, best_table, best_out, best_inverted):
    """Change the circuit so many times; returns its gates at the end, and those of the best one, which is filled in.

    The temperature falls from `hot` to `cold`, geometrically. A change in `growing` tries to grow; never over `most`.
    """
    words = values.shape[1]
    outputs = len(out)
    room = len(a)
    positions = len(start) // outputs
    flipped = np.empty_like(values)
    marked = np.zeros(len(values), np.bool_)
    below = np.zeros(len(values), np.bool_)
    unmarked = np.zeros(len(values), np.bool_)
    here, there = np.empty(words, np.uint64), np.empty(words, np.uint64)
    kept, turned = np.empty(words, np.uint64), np.empty(words, np.uint64)
    work = np.zeros((5, positions if follows else 1), np.int32)
    rows = np.empty((len(values), words), np.uint64)
    names = np.empty(len(values), np.int32)
    low, high = np.empty(words, np.uint64), np.empty(words, np.uint64)
    other = inverted.copy()
    pair = np.zeros(3, np.int64)
    ca, cb, ctable = a.copy(), b.copy(), table.copy()
    na, nb, ntable = a.copy(), b.copy(), table.copy()
    cout, cinverted, nout = out.copy(), inverted.copy(), out.copy()
    number, stack = np.empty(room, np.int32), np.empty(2 * room, np.int32)
    evaluate(values, first, a, b, table, gates)
    _right_here(here, values, values, unmarked, out, inverted, allowed, several, valid)
    best = gates
    best_a[:gates], best_b[:gates], best_table[:gates] = a[:gates], b[:gates], table[:gates]
    best_out[:], best_inverted[:] = out, inverted
    cooling = (cold / hot) ** (1.0 / max(steps, 1))
    temperature = hot
    for _ in range(steps):
        temperature *= cooling
        grows = _chance(state) < growing
        target = _below(state, gates + outputs)
        at_output = target >= gates
        pin = -1
        marked[:] = False
        below[:] = False
        other[:] = inverted
        if at_output:
            o = target - gates
            source = out[o]
            other[o] = not inverted[o]
        elif grows:
            # One reader alone: its gate as it would be if this input were flipped.
            pin = _below(state, 2)
            source = a[target] if pin == 0 else b[target]
            _gate(flipped[first + target], values[a[target]], values[b[target]], _swapped(table[target], pin))
        else:
            source = first + target
            for w in range(words):
                flipped[source, w] = ~values[source, w]
        if not at_output:
            marked[first + target] = True
            below[first + target] = True
            _flip(values, flipped, marked, below, first, a, b, table, gates, target)
        _right_here(there, values, flipped, marked, out, other, allowed, several, valid)
        if follows:
            _follow(values, flipped, marked, unmarked, out, inverted, other, here, there, roots, start, child, work, kept, turned)
        else:
            for w in range(words):
                kept[w] = ~there[w]
                turned[w] = _NONE
        # What the target must be, squeezed to the words in which it matters.
        narrow = 0
        sign = _ALL if at_output and inverted[target - gates] else _NONE
        for w in range(words):
            if kept[w] | turned[w]:
                v = values[source, w] ^ sign
                high[narrow] = (kept[w] & v) | (turned[w] & ~v)
                low[narrow] = (kept[w] & ~v) | (turned[w] & v)
                work_w = narrow
                stack[work_w] = w
                narrow += 1
        fresh = not grows or _below(state, 2) == 0
        count = 0
        for s in range(first + gates):
            # What one reader or an output reads now is no change; but in a pair it may be, which makes others superfluous.
            if below[s] or (s == source and (at_output or pin >= 0) and fresh):
                continue
            names[count] = s
            for w in range(narrow):
                rows[count, w] = values[s, stack[w]]
            count += 1
        single = _single(rows, count, low, high, narrow, state) if fresh else -1
        ca[:gates], cb[:gates], ctable[:gates] = a[:gates], b[:gates], table[:gates]
        cout[:], cinverted[:] = out, inverted
        total = gates
        if single >= 0 and not (at_output or pin >= 0):
            s, turn = names[single >> 1], single & 1
            old = first + target
            for k in range(gates):
                if ca[k] == old:
                    ca[k] = s
                    if turn:
                        ctable[k] = _swapped(ctable[k], 0)
                if cb[k] == old:
                    cb[k] = s
                    if turn:
                        ctable[k] = _swapped(ctable[k], 1)
            for o in range(outputs):
                if cout[o] == old:
                    cout[o] = s
                    cinverted[o] = cinverted[o] != (turn == 1)
        elif at_output and not grows:
            if single < 0:
                continue
            cout[target - gates] = names[single >> 1]
            cinverted[target - gates] = single & 1
        elif pin >= 0 and single >= 0:
            if pin == 0:
                ca[target] = names[single >> 1]
            else:
                cb[target] = names[single >> 1]
            if single & 1:
                ctable[target] = _swapped(ctable[target], pin)
        else:
            # The constants make no pairs: they are the two rows behind the inputs.
            kept_rows = 0
            for c in range(count):
                if first - CONSTANTS <= names[c] < first:
                    continue
                if kept_rows < c:
                    names[kept_rows] = names[c]
                    for w in range(narrow):
                        rows[kept_rows, w] = rows[c, w]
                kept_rows += 1
            count = kept_rows
            avoid_x = avoid_y = -1
            if not at_output and pin < 0:
                for c in range(count):
                    if names[c] == a[target]:
                        avoid_x = c
                    if names[c] == b[target]:
                        avoid_y = c
            if narrow == 0 or not _pair(rows, count, low, high, narrow, state, avoid_x, avoid_y, pair):
                continue
            x, y, found = names[pair[0]], names[pair[1]], pair[2]
            free = 15 & ~((found >> 4) | found)
            new = (found >> 4) | (free & _below(state, 16))
            if at_output or pin >= 0:
                if gates + 1 > room:
                    continue
                ca[gates], cb[gates], ctable[gates] = x, y, new
                total = gates + 1
                if at_output:
                    cout[target - gates] = first + gates
                    cinverted[target - gates] = 0
                elif pin == 0:
                    ca[target] = first + gates
                else:
                    cb[target] = first + gates
            else:
                ca[target], cb[target], ctable[target] = x, y, new
        left = _rebuild(first, ca, cb, ctable, cout, total, na, nb, ntable, nout, number, stack)
        growth = left - gates
        if growth > 0 and (left > most or _chance(state) >= np.exp(-growth / temperature)):
            continue
        gates = left
        a[:gates], b[:gates], table[:gates] = na[:gates], nb[:gates], ntable[:gates]
        out[:], inverted[:] = nout, cinverted
        evaluate(values, first, a, b, table, gates)
        _right_here(here, values, values, unmarked, out, inverted, allowed, several, valid)
        if gates < best:
            best = gates
            best_a[:gates], best_b[:gates], best_table[:gates] = a[:gates], b[:gates], table[:gates]
            best_out[:], best_inverted[:] = out, inverted
    return gates, best
