"""The search that makes logic small, compiled: one random change after the other, by simulated annealing.

**What is sought.** The energy of a circuit is its gates and a *price* for every position in which its outputs are
wrong. So a chain of changes may cross circuits that are wrong in a few positions, which matters: where exactly one
output must be raised, another move in a position takes a change of two outputs, and between the two changes the
circuit is wrong.

**Where a signal matters.** A gate is flipped, or what one gate or one output reads, and what depends on it is evaluated
anew. Positions that were right and are wrong now must *keep* the value; positions that were wrong and are right now
could be *mended* by the other. Everywhere else any value will do, and so the policy stays free: whichever outputs are
allowed. (In logic synthesis: the *observability don't-cares* against a Boolean relation, not against one function.)

**What takes its place** is found by `shrink_fit`: a signal that fits makes a gate superfluous, and all that it alone
read; a pair that fits takes the place of the gate's own two. For one reader of a signal, or one output, a pair is a
gate more. What a change adds and saves is counted to the gate before it is accepted: were one gate free of charge
where it is read by what takes the place of its only reader, circuits would grow at any temperature.

**What is accepted.** By the rule of Metropolis a change that raises the energy by d is accepted with the chance
exp(-d / temperature). The number that decides is drawn first; it says by how much the energy may rise, and so in how
many positions what comes in the place may be wrong: little is tried that would be refused.

**A machine that follows its own policy** is wrong only in positions that it brings about, and which these are changes
with the change. So half of the changes keep the moves in all positions that count, and the other half are free in
them; in both, what fits is tried: play is followed anew, and the energy decides.
"""

from math import log
from typing import Final, NamedTuple

import numpy as np

from noughts.silicon.logic.shrink_circuit import (
    ALL,
    CONSTANTS,
    NONE,
    Circuit,
    Numbers,
    Row,
    Wiring,
    added,
    alone,
    copy,
    evaluate,
    gate,
    keep,
    let_go,
    levels,
    redirect,
    reorder,
    spread,
    with_inverted,
)
from noughts.silicon.logic.shrink_demand import Answers, Demand, find_right, judge, ones, raise_outputs
from noughts.silicon.logic.shrink_fit import Place, chance, draw, find_pair, find_single, put_telling_first
from noughts.solve.compiled import uncounted, uncounted_part

__all__ = ["FEWEST", "LEVELS", "TALLY", "WRONG", "Chain", "anneal", "begin"]

WRONG: Final = 0
FEWEST: Final = 1
LEVELS: Final = 2
TALLY: Final = 3
"""How many numbers a chain keeps: its wrong positions now, and the gates and levels of its best circuit."""

_GROWING: Final = 0.5
"""The share of changes that may grow."""
_GATE: Final = 0
"""A change of a gate, for all its readers."""
_PIN: Final = 1
"""A change of what one gate reads at one of its inputs."""
_OUTPUT: Final = 2
"""A change of what an output reads."""


class Chain(NamedTuple):
    """A circuit, what its outputs are, its own random numbers, and its best."""

    circuit: Circuit
    now: Answers
    tried: Answers
    place: Place
    trial: Row
    """The value of what comes in the place, in every position."""
    state: Row
    """Of the random numbers."""
    best: Wiring
    """The circuit without wrong positions that had the fewest gates, and of those the fewest levels."""
    tally: Numbers


class Aim(NamedTuple):
    """What is changed."""

    kind: int
    target: int
    """The gate; for an output its number."""
    pin: int
    source: int
    """The signal whose place it is."""
    pairs: bool
    """Whether a gate of two signals may come there, or a signal alone."""
    growth: int
    """By how many gates the circuit grows, at least, if a gate of two signals comes there; by one less if a signal."""


class Found(NamedTuple):
    """What comes in the place: a gate of two signals, or (both are the same then) a signal or its inverse."""

    x: int
    y: int
    table: int


@uncounted
def begin(chain: Chain, demand: Demand) -> int:
    """Evaluate a circuit whose wiring has been filled in; in how many positions it is wrong."""
    circuit = chain.circuit
    circuit.touched[:] = 0
    evaluate(circuit)
    raise_outputs(chain.now, circuit)
    wrong = judge(chain.now, demand)
    chain.tally[WRONG] = wrong
    if wrong == 0:
        _compare(chain)
    return wrong


@uncounted
def anneal(chain: Chain, demand: Demand, steps: int, temperature: float, price: float) -> None:
    """Change a circuit so many times."""
    for _ in range(steps):
        aim = _aim(chain)
        # From above 0 on: the logarithm of 0 is none.
        limit = -temperature * log(chance(chain.state) + 1e-9)
        found = _find(chain, aim, demand, limit, price)
        if found.x < 0:
            continue
        growth = _growth(chain.circuit, aim, found)
        if growth - price * chain.tally[WRONG] > limit:
            continue
        wrong = _try(chain, aim, found, demand)
        if growth + price * (wrong - chain.tally[WRONG]) > limit:
            continue
        _take(chain, aim, found)
        chain.tally[WRONG] = wrong
        if wrong == 0:
            _compare(chain)


@uncounted_part
def _aim(chain: Chain) -> Aim:
    """What is changed, by chance: gates and outputs are all alike."""
    circuit, wiring, state = chain.circuit, chain.circuit.wiring, chain.state
    grows = chance(state) < _GROWING
    drawn = draw(state, wiring.gates[0] + len(wiring.out))
    if drawn < wiring.gates[0]:
        target = wiring.order[drawn]
        if not grows:
            return Aim(_GATE, target, -1, target, True, 1 - _gone(circuit, _GATE, target))
        pin = draw(state, 2)
        source = wiring.b[target] if pin else wiring.a[target]
        kind = _PIN
    else:
        kind, target, pin = _OUTPUT, drawn - wiring.gates[0], -1
        source = wiring.out[target]
    return Aim(kind, target, pin, source, grows, 1 - _gone(circuit, kind, source))


@uncounted_part
def _gone(circuit: Circuit, kind: int, source: int) -> int:
    """How many gates are gone with one of the readers of a signal; with all of them if the gate itself is replaced."""
    is_gate = circuit.place[source] >= 0
    return alone(circuit, source) if is_gate and (kind == _GATE or circuit.readers[source] == 1) else 0


@uncounted_part
def _find(chain: Chain, aim: Aim, demand: Demand, limit: float, price: float) -> Found:
    """Something that fits well enough; -1 if nothing does."""
    circuit, place, state = chain.circuit, chain.place, chain.state
    _flip(chain, aim, demand)
    keeps_moves = len(demand.roots) > 0 and draw(state, 2) == 0
    words, mended = _matter(chain, aim, keeps_moves)
    put_telling_first(place, words)
    # What the reader has now is no change. But as one of a pair it may be: a gate that is superfluous itself makes
    # others superfluous (redundancy addition and removal).
    with_source = aim.kind == _PIN and draw(state, 2) == 0
    count = _candidates(chain, aim, with_source)
    if not with_source:
        most = mended + int(np.floor((limit - aim.growth + 1) / price))
        single = find_single(circuit.values, place, words, count, most, state)
        if single >= 0:
            return Found(single >> 1, single >> 1, 0b0001 if single & 1 else 0b1000)
    most = mended + int(np.floor((limit - aim.growth) / price))
    full = aim.kind != _GATE and circuit.wiring.gates[0] == len(circuit.free)
    if not aim.pairs or full or most < 0 or words == 0:
        return Found(-1, -1, 0)
    own = (-1, -1)
    if aim.kind == _GATE:
        own = (circuit.wiring.a[aim.target], circuit.wiring.b[aim.target])
    inputs = len(circuit.readers) - len(circuit.free) - CONSTANTS
    x, y, table = find_pair(circuit.values, place, words, count, most, inputs, own, state)
    return Found(x, y, table)


@uncounted_part
def _flip(chain: Chain, aim: Aim, demand: Demand) -> None:
    """What the outputs would be if the signal in the place were inverted, and where that would be right."""
    circuit, tried = chain.circuit, chain.tried
    circuit.touched[:] = 0
    for w in range(len(chain.trial)):
        chain.trial[w] = ~circuit.values[aim.source, w]
    _put(chain, aim)
    if aim.kind == _OUTPUT and circuit.wiring.inverted[aim.target]:
        for w in range(len(chain.trial)):
            tried.raised[aim.target, w] = ~tried.raised[aim.target, w]
    find_right(tried, demand)


@uncounted_part
def _put(chain: Chain, aim: Aim) -> None:
    """What the outputs would be with `trial` in the place."""
    circuit, wiring, trial = chain.circuit, chain.circuit.wiring, chain.trial
    if aim.kind == _GATE:
        copy(circuit.other[aim.target], trial)
        spread(circuit, aim.target)
    elif aim.kind == _PIN:
        a, b = circuit.values[wiring.a[aim.target]], circuit.values[wiring.b[aim.target]]
        gate(circuit.other[aim.target], a if aim.pin else trial, trial if aim.pin else b, wiring.table[aim.target])
        spread(circuit, aim.target)
    raise_outputs(chain.tried, circuit)
    if aim.kind == _OUTPUT:
        copy(chain.tried.raised[aim.target], trial)


@uncounted_part
def _matter(chain: Chain, aim: Aim, keeps_moves: bool) -> tuple[int, int]:
    """Fill in where the place matters: in how many words, and how many wrong positions the other value would mend."""
    now, tried, place = chain.now, chain.tried, chain.place
    source = chain.circuit.values[aim.source]
    sign = ALL if aim.kind == _OUTPUT and chain.circuit.wiring.inverted[aim.target] else NONE
    words = 0
    mended = 0
    for w in range(len(now.right)):
        kept = now.counts[w] & now.right[w] & ~tried.right[w]
        mend = now.counts[w] & ~now.right[w] & tried.right[w]
        if keeps_moves:
            differ = NONE
            for o in range(len(now.raised)):
                differ |= now.raised[o, w] ^ tried.raised[o, w]
            kept |= now.counts[w] & now.right[w] & differ
        if kept | mend:
            value = source[w] ^ sign
            place.where[words] = w
            place.low[words] = (kept & ~value) | (mend & value)
            place.high[words] = (kept & value) | (mend & ~value)
            words += 1
            mended += ones(mend)
    return words, mended


@uncounted_part
def _candidates(chain: Chain, aim: Aim, with_source: bool) -> int:
    """Fill in the names of signals that do not depend on what is changed; how many there are."""
    circuit, names = chain.circuit, chain.place.names
    first = len(circuit.readers) - len(circuit.free)
    count = 0
    for s in range(first):
        if with_source or s != aim.source:
            names[count] = s
            count += 1
    for k in range(circuit.wiring.gates[0]):
        s = circuit.wiring.order[k]
        if not circuit.touched[s] and (with_source or s != aim.source):
            names[count] = s
            count += 1
    return count


@uncounted_part
def _growth(circuit: Circuit, aim: Aim, found: Found) -> int:
    """By how many gates the circuit grows with what was found, which may read what would be gone without it."""
    circuit.readers[found.x] += 1
    circuit.readers[found.y] += 1
    gone = _gone(circuit, aim.kind, aim.source)
    circuit.readers[found.x] -= 1
    circuit.readers[found.y] -= 1
    return (0 if found.x == found.y else 1) - gone


@uncounted_part
def _try(chain: Chain, aim: Aim, found: Found, demand: Demand) -> int:
    """In how many positions the circuit would be wrong with what was found."""
    values = chain.circuit.values
    gate(chain.trial, values[found.x], values[found.y], found.table)
    _put(chain, aim)
    if len(demand.roots) and _same_moves(chain):
        copy(chain.tried.counts, chain.now.counts)
        copy(chain.tried.right, chain.now.right)
        return int(chain.tally[WRONG])
    return judge(chain.tried, demand)


@uncounted_part
def _same_moves(chain: Chain) -> bool:
    """Whether all outputs are as they were in all positions that count: then these are the same."""
    now, tried = chain.now, chain.tried
    for o in range(len(now.raised)):
        differ = NONE
        for w in range(len(now.counts)):
            differ |= (now.raised[o, w] ^ tried.raised[o, w]) & now.counts[w]
        if differ:
            return False
    return True


@uncounted_part
def _take(chain: Chain, aim: Aim, found: Found) -> None:
    """Make the change that was tried."""
    circuit, wiring, readers = chain.circuit, chain.circuit.wiring, chain.circuit.readers
    x, y, table = found.x, found.y, found.table
    gates, pivot, new = wiring.gates[0], max(circuit.place[x], circuit.place[y]), -1
    if x == y:
        inverted = table & 1
        if aim.kind == _GATE:
            redirect(circuit, aim.target, x, inverted)
            let_go(circuit, aim.target)
        else:
            _read(circuit, aim, x, inverted)
    elif aim.kind == _GATE:
        s = aim.target
        old_a, old_b = wiring.a[s], wiring.b[s]
        readers[x] += 1
        readers[y] += 1
        wiring.a[s], wiring.b[s], wiring.table[s] = x, y, table
        # One after the other: the second may be one that the first alone read beside this gate.
        readers[old_a] -= 1
        let_go(circuit, old_a)
        readers[old_b] -= 1
        let_go(circuit, old_b)
    else:
        new = added(circuit)
        readers[x] += 1
        readers[y] += 1
        wiring.a[new], wiring.b[new], wiring.table[new] = x, y, table
        copy(circuit.values[new], chain.trial)
        _read(circuit, aim, new, 0)
    reorder(circuit, gates, pivot, new)
    keep(circuit)
    for o in range(len(chain.now.raised)):
        copy(chain.now.raised[o], chain.tried.raised[o])
    copy(chain.now.right, chain.tried.right)
    copy(chain.now.counts, chain.tried.counts)


@uncounted_part
def _read(circuit: Circuit, aim: Aim, signal: int, inverted: int) -> None:
    """One input of a gate, or an output, reads another signal, or its inverse."""
    wiring, s = circuit.wiring, aim.target
    if aim.kind == _OUTPUT:
        wiring.out[s], wiring.inverted[s] = signal, inverted
    else:
        if aim.pin:
            wiring.b[s] = signal
        else:
            wiring.a[s] = signal
        if inverted:
            wiring.table[s] = with_inverted(wiring.table[s], aim.pin)
    circuit.readers[signal] += 1
    circuit.readers[aim.source] -= 1
    let_go(circuit, aim.source)


@uncounted_part
def _compare(chain: Chain) -> None:
    """Keep a circuit without wrong positions that is better than the best."""
    wiring, best, tally = chain.circuit.wiring, chain.best, chain.tally
    gates = wiring.gates[0]
    if gates > tally[FEWEST]:
        return
    depth = levels(chain.circuit)
    if gates == tally[FEWEST] and depth >= tally[LEVELS]:
        return
    tally[FEWEST], tally[LEVELS] = gates, depth
    copy(best.a, wiring.a)
    copy(best.b, wiring.b)
    copy(best.table, wiring.table)
    copy(best.out, wiring.out)
    copy(best.inverted, wiring.inverted)
    copy(best.order, wiring.order)
    best.gates[0] = gates
