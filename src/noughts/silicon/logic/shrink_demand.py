"""In which positions the outputs of a circuit are wrong, for the search that makes logic small.

Where all positions count, it is a matter of each by itself. A machine that follows its own policy is wrong only in
positions that it brings about, so play is followed from the roots: by the first allowed output that is raised. In a
position where none is, the machine is wrong, and play goes on by the first output that is allowed: otherwise one early
mistake would hide all later ones, and a circuit without a first move would look nearly perfect.
"""

from typing import Any, NamedTuple

import numpy as np

from noughts.silicon.logic.shrink_circuit import ALL, CHANGED, NONE, Circuit, Numbers, Row, Rows, copy
from noughts.solve.compiled import uncounted_part

__all__ = ["Answers", "Demand", "find_right", "judge", "ones", "raise_outputs"]


class Demand(NamedTuple):
    """What the outputs must be: see `conditions`."""

    allowed: Rows
    valid: Row
    several: int
    """1 if more than one output may be raised, else 0."""
    roots: Numbers
    start: Numbers
    child: Numbers


class Answers(NamedTuple):
    """What the outputs of a circuit are, and what they lead to."""

    raised: Rows
    """A row an output."""
    right: Row
    """Where they are as they must be, in positions that count and in others."""
    counts: Row
    """The positions that count."""
    work: Rows
    """For `judge`: two rows."""


@uncounted_part
def ones(word: Any) -> int:
    """How many bits are set; the compiler knows these lines, and makes one instruction of them."""
    word -= (word >> np.uint64(1)) & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int(np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56)))


@uncounted_part
def raise_outputs(answers: Answers, circuit: Circuit) -> None:
    """What the outputs are, as the change makes them where they are touched."""
    out, inverted = circuit.wiring.out, circuit.wiring.inverted
    for o in range(len(out)):
        s = out[o]
        row = circuit.other[s] if circuit.touched[s] == CHANGED else circuit.values[s]
        sign = ALL if inverted[o] else NONE
        raised = answers.raised[o]
        for w in range(len(raised)):
            raised[w] = row[w] ^ sign


@uncounted_part
def find_right(answers: Answers, demand: Demand) -> None:
    """Where one output (or some) is raised, and none that is not allowed."""
    right, some, many = answers.right, answers.work[0], answers.work[1]
    right[:] = ALL
    some[:] = NONE
    many[:] = NONE
    for o in range(len(answers.raised)):
        raised, allowed = answers.raised[o], demand.allowed[o]
        for w in range(len(right)):
            x = raised[w]
            many[w] |= some[w] & x
            some[w] |= x
            right[w] &= ~x | allowed[w]
    anything = ALL if demand.several else NONE
    for w in range(len(right)):
        right[w] = (right[w] & some[w] & (anything | ~many[w])) | ~demand.valid[w]


@uncounted_part
def _lead_on(start: Numbers, child: Numbers, waiting: Row, outputs: int, o: int, w: int, followed: Any) -> bool:
    """Positions of a word in which an output is followed lead to others; whether one of these lies in a word before."""
    back = False
    while followed:
        p = (w << 6) + ones((followed & (~followed + np.uint64(1))) - np.uint64(1))
        followed &= followed - np.uint64(1)
        for i in range(start[p * outputs + o], start[p * outputs + o + 1]):
            q = child[i]
            waiting[q >> 6] |= np.uint64(1) << np.uint64(q & 63)
            back |= q >> 6 < w
    return back


@uncounted_part
def _follow(answers: Answers, demand: Demand) -> None:
    """The positions that play leads to from the roots: a word at a time, since most lead to words behind."""
    counts, waiting, raised, allowed = answers.counts, answers.work[0], answers.raised, demand.allowed
    counts[:] = NONE
    waiting[:] = NONE
    for p in demand.roots:
        waiting[p >> 6] |= np.uint64(1) << np.uint64(p & 63)
    back = True
    while back:
        back = False
        for w in range(len(counts)):
            # Some may lead to others of their own word.
            while waiting[w]:
                new = waiting[w] & ~counts[w]
                waiting[w] = NONE
                counts[w] |= new
                for o in range(len(raised)):
                    followed = new & allowed[o, w] & raised[o, w]
                    if followed:
                        new &= ~followed
                        back |= _lead_on(demand.start, demand.child, waiting, len(raised), o, w, followed)
                # Where none is raised that is allowed, by the first that is.
                for o in range(len(raised)):
                    followed = new & allowed[o, w]
                    if followed:
                        new &= ~followed
                        back |= _lead_on(demand.start, demand.child, waiting, len(raised), o, w, followed)


@uncounted_part
def judge(answers: Answers, demand: Demand) -> int:
    """In how many of the positions that count the outputs are wrong."""
    find_right(answers, demand)
    if len(demand.roots):
        _follow(answers, demand)
    else:
        copy(answers.counts, demand.valid)
    wrong = 0
    for w in range(len(answers.right)):
        wrong += ones(answers.counts[w] & ~answers.right[w])
    return wrong
