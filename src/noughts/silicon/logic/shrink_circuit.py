"""A circuit that is changed again and again, in arrays: its gates, their values in every position, and their order.

A signal is a number: the inputs come first, then the constants 0 and 1, then room for gates. A gate keeps its number as
long as it lives, whatever becomes of the others, so a change touches only what it changes: nothing is ever renumbered.
The order in which gates can be evaluated (a topological order) is a list beside them; numbers that no gate has are on a
stack.

The value of a signal in every position is a row of bits, 64 positions a word, so that a gate is evaluated in all of
them by a few vector instructions. What a change would make of the rows is put into a second set of rows: a signal is
*touched* if it depends on what is changed, and its row there counts if the change made a difference to it.

All numbers are int64, since a compiled function is compiled once for every type that it is given.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.solve.compiled import uncounted_part

__all__ = [
    "ALL",
    "BELOW",
    "CHANGED",
    "CONSTANTS",
    "NONE",
    "Circuit",
    "Flags",
    "Numbers",
    "Row",
    "Rows",
    "Wiring",
    "added",
    "alone",
    "evaluate",
    "gate",
    "keep",
    "let_go",
    "levels",
    "redirect",
    "reorder",
    "spread",
    "with_inverted",
]

Row = NDArray[np.uint64]
Rows = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Flags = NDArray[np.uint8]

CONSTANTS: Final = 2
"""The signals between the inputs and the gates: 0 and 1."""
ALL: Final = np.uint64(0xFFFFFFFFFFFFFFFF)
NONE: Final = np.uint64(0)

BELOW: Final = 1
"""A touched signal with the value that it had."""
CHANGED: Final = 2
"""A touched signal with another value in some position."""


class Wiring(NamedTuple):
    """Which gates there are: the signals that each reads and its table, by its number, and the outputs."""

    a: Numbers
    b: Numbers
    table: Numbers
    out: Numbers
    inverted: Numbers
    order: Numbers
    """The numbers of the gates, each behind those that it reads."""
    gates: Numbers
    """One number: how many there are."""


class Circuit(NamedTuple):
    """A wiring, and what makes it quick to change."""

    wiring: Wiring
    place: Numbers
    """Where a gate stands in the order; -1 for other signals."""
    readers: Numbers
    """How many inputs of gates, and outputs, read a signal: a gate without any is no longer there."""
    free: Numbers
    """The numbers that no gate has, a stack."""
    values: Rows
    other: Rows
    """The rows of touched signals, as the change would make them."""
    touched: Flags
    held: Numbers
    """Room for twice as many numbers as there are signals, for `reorder`, `let_go` and `levels`."""


@uncounted_part
def copy(into: Row | Numbers, row: Row | Numbers) -> None:
    """A row, in the place of another. `into[:] = row` would ask for memory, for rows that may overlap."""
    for w in range(len(into)):
        into[w] = row[w]


@uncounted_part
def gate(row: Row, x: Row, y: Row, table: int) -> None:
    """A gate on all positions; the bit x + 2y of its table is its output."""
    m0 = ALL if table & 1 else NONE
    m1 = ALL if table & 2 else NONE
    m2 = ALL if table & 4 else NONE
    m3 = ALL if table & 8 else NONE
    for w in range(len(row)):
        u, v = x[w], y[w]
        row[w] = (~u & ((~v & m0) | (v & m2))) | (u & ((~v & m1) | (v & m3)))


@uncounted_part
def with_inverted(table: int, pin: int) -> int:
    """The table of a gate one of whose inputs is inverted."""
    if pin == 0:
        return ((table & 5) << 1) | ((table & 10) >> 1)
    return ((table & 3) << 2) | ((table & 12) >> 2)


@uncounted_part
def evaluate(circuit: Circuit) -> None:
    """All gates, from the inputs on; readers, places and free numbers follow from the wiring as well."""
    wiring, values, readers = circuit.wiring, circuit.values, circuit.readers
    a, b, gates = wiring.a, wiring.b, wiring.gates[0]
    readers[:] = 0
    circuit.place[:] = -1
    for k in range(gates):
        s = wiring.order[k]
        gate(values[s], values[a[s]], values[b[s]], wiring.table[s])
        readers[a[s]] += 1
        readers[b[s]] += 1
        circuit.place[s] = k
    for s in wiring.out:
        readers[s] += 1
    left = 0
    for s in range(len(readers) - 1, len(readers) - len(circuit.free) - 1, -1):
        if circuit.place[s] < 0:
            circuit.free[left] = s
            left += 1


@uncounted_part
def spread(circuit: Circuit, target: int) -> None:
    """Evaluate what depends on a gate whose other row is given; it alone is touched, or all that this touches are."""
    wiring, values, other, touched = circuit.wiring, circuit.values, circuit.other, circuit.touched
    touched[target] = CHANGED
    for k in range(circuit.place[target] + 1, wiring.gates[0]):
        s = wiring.order[k]
        x, y = wiring.a[s], wiring.b[s]
        if touched[x] == CHANGED or touched[y] == CHANGED:
            left = other[x] if touched[x] == CHANGED else values[x]
            right = other[y] if touched[y] == CHANGED else values[y]
            gate(other[s], left, right, wiring.table[s])
            touched[s] = BELOW
            for w in range(values.shape[1]):
                if other[s, w] != values[s, w]:
                    touched[s] = CHANGED
                    break
        elif touched[x] or touched[y]:
            touched[s] = BELOW


@uncounted_part
def redirect(circuit: Circuit, old: int, new: int, inverted: int) -> None:
    """Whoever reads one signal reads another, or its inverse."""
    wiring, readers = circuit.wiring, circuit.readers
    a, b, table, out = wiring.a, wiring.b, wiring.table, wiring.out
    for k in range(circuit.place[old] + 1, wiring.gates[0]):
        s = wiring.order[k]
        if a[s] == old:
            a[s] = new
            if inverted:
                table[s] = with_inverted(table[s], 0)
        if b[s] == old:
            b[s] = new
            if inverted:
                table[s] = with_inverted(table[s], 1)
    for o in range(len(out)):
        if out[o] == old:
            out[o] = new
            wiring.inverted[o] ^= inverted
    readers[new] += readers[old]
    readers[old] = 0


@uncounted_part
def added(circuit: Circuit) -> int:
    """The number of a new gate; `reorder` must put it into the order."""
    gates = circuit.wiring.gates
    s = circuit.free[len(circuit.free) - gates[0] - 1]
    gates[0] += 1
    return int(s)


@uncounted_part
def let_go(circuit: Circuit, old: int) -> None:
    """A gate that nothing reads is no longer there, and so are those that it alone read; `reorder` must follow."""
    wiring, readers, held = circuit.wiring, circuit.readers, circuit.held
    first = len(readers) - len(circuit.free)
    if old < first or readers[old]:
        return
    held[0] = old
    waiting = 1
    while waiting:
        waiting -= 1
        s = held[waiting]
        wiring.gates[0] -= 1
        circuit.free[len(circuit.free) - wiring.gates[0] - 1] = s
        for x in (wiring.a[s], wiring.b[s]):
            readers[x] -= 1
            if x >= first and readers[x] == 0:
                held[waiting] = x
                waiting += 1


@uncounted_part
def alone(circuit: Circuit, old: int) -> int:
    """How many gates are there for one alone: itself, and those that only such gates read.

    (In logic synthesis: its maximum fanout-free cone.) The readers are counted down on the way, and up again.
    """
    wiring, readers, held = circuit.wiring, circuit.readers, circuit.held
    first = len(readers) - len(circuit.free)
    held[0] = old
    count = 1
    done = 0
    while done < count:
        s = held[done]
        done += 1
        for x in (wiring.a[s], wiring.b[s]):
            readers[x] -= 1
            if x >= first and readers[x] == 0:
                held[count] = x
                count += 1
    for i in range(count):
        s = held[i]
        readers[wiring.a[s]] += 1
        readers[wiring.b[s]] += 1
    return count


@uncounted_part
def reorder(circuit: Circuit, gates: int, pivot: int, new: int) -> None:
    """Bring the order up to date; it has `gates` of before the change, some of which are no longer there.

    Touched gates may read what stands as far back as the place `pivot` now: those before it move behind it, and do not
    change their order among each other. What is not touched depends on none of them and stays. A new gate, if any (-1),
    reads nothing behind the pivot, and only touched gates read it: so it stands between.
    """
    order, place, readers, held = circuit.wiring.order, circuit.place, circuit.readers, circuit.held
    behind = len(readers)
    count = 0
    waiting = 0
    for k in range(-1, gates):
        if k >= 0:
            s = order[k]
            if readers[s] == 0:
                place[s] = -1
            elif k < pivot and circuit.touched[s]:
                held[behind + waiting] = s
                waiting += 1
            else:
                held[count] = s
                count += 1
        if k == pivot:
            if new >= 0:
                held[count] = new
                count += 1
            for i in range(waiting):
                held[count] = held[behind + i]
                count += 1
    for k in range(count):
        order[k] = held[k]
        place[held[k]] = k


@uncounted_part
def keep(circuit: Circuit) -> None:
    """The rows as the change makes them are those that count from now on."""
    values, other = circuit.values, circuit.other
    for k in range(circuit.wiring.gates[0]):
        s = circuit.wiring.order[k]
        if circuit.touched[s] == CHANGED:
            copy(values[s], other[s])


@uncounted_part
def levels(circuit: Circuit) -> int:
    """Gates on the longest way from an input to an output."""
    wiring, depth = circuit.wiring, circuit.held
    most = 0
    depth[: len(circuit.readers) - len(circuit.free)] = 0
    for k in range(wiring.gates[0]):
        s = wiring.order[k]
        depth[s] = 1 + max(depth[wiring.a[s]], depth[wiring.b[s]])
        most = max(most, depth[s])
    return most
