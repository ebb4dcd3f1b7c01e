"""The searches behind `noughts beat`, compiled: the shortest win over a machine of 1977, and every game against one.

The machine is deterministic, so a game is decided by the user's moves alone. It also parries every threat,
unless it wins itself. Hence a user can only win after a **fork**: one stone that makes two combinations
three-fold at once. Both hold two user's boxes then, and meet in the box of the fork. That gives a bound: with
r moves left, the winning one included, some empty box must lie in two combinations free of the machine that
together lack at most r − 2 of those four user's boxes. Depth-first search with this bound, one move deeper
each time (iterative deepening), finds the shortest win and, of those, the first in the order of the boxes.

Version 1 of 1977 has 16 boxes: few enough to look at every position that a user can bring about.

`reply` is the machine's decision (`noughts.players.listing1977.decide`) over arrays; the tests compare the two.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from noughts.players.listing1977 import COMBINATIONS, MACHINE, THROUGH, USER, Decision
from noughts.solve.interrupt import Stop, stopped

__all__ = ["Numbers", "arrays", "every_game", "reply", "shortest_win"]

Numbers = NDArray[np.int64]

LINES = np.array(COMBINATIONS, np.int64)
MOST_LINES = max(len(lines) for lines in THROUGH)
LINES_THROUGH = np.array([[*lines, *[-1] * (MOST_LINES - len(lines))] for lines in THROUGH], np.int64)
MACHINE_WINS = -2
REPLIES_BETWEEN = 1 << 14
"""How many replies are looked at before the search asks whether it is to stop: some milliseconds."""


def arrays(decision: Decision) -> tuple[int, int, Numbers, Numbers, bool]:
    """What the kernels take of a machine: combinations and boxes in play, what they count, whether it parries last."""
    counted, points = np.array(decision.counted, np.int64), np.array(decision.points, np.int64)
    return decision.lines, decision.boxes, counted, points, decision.last_threat


@njit(cache=True)
def reply(worth: Numbers, totals: Numbers, boxes: int, counted: Numbers, points: Numbers, last_threat: bool) -> int:
    """The machine's box; −1 if there is none left, and `MACHINE_WINS` if it wins."""
    threat = -1
    for number in range(len(totals)):
        if totals[number] == 3 * MACHINE:
            return MACHINE_WINS
        if totals[number] == 3 * USER:
            threat = number
    if threat >= 0 and last_threat:
        for box in LINES[threat]:
            if worth[box] == 0:
                return int(box)
    best, most = -1, 0
    for box in range(boxes):
        if worth[box] != 0:
            continue
        gained = 0
        for number in LINES_THROUGH[box]:
            if number < 0 or number >= len(totals):
                break
            if totals[number] == 3 * USER:
                return box
            gained += counted[number] * points[totals[number]]
        if gained > most or best < 0:
            best, most = box, gained
    return best


@njit(cache=True)
def set_box(worth: Numbers, totals: Numbers, box: int, value: int) -> None:
    """Change what a box holds, and with it the worth of its combinations."""
    change = value - worth[box]
    worth[box] = value
    for number in LINES_THROUGH[box]:
        if 0 <= number < len(totals):
            totals[number] += change


@njit(cache=True)
def missing(worth: Numbers, totals: Numbers, box: int) -> int:
    """How many more user's boxes a fork in this empty box needs; a large number if there can be none."""
    least = second = 9
    for number in LINES_THROUGH[box]:
        if 0 <= number < len(totals) and totals[number] <= 2 * USER and worth[box] == 0:
            lacks = 2 - totals[number]
            if lacks < least:
                least, second = lacks, least
            elif lacks < second:
                second = lacks
    return least + second


@njit(cache=True)
def hopeless(worth: Numbers, totals: Numbers, moves_left: int) -> bool:
    """Whether no fork can be reached in time."""
    for box in range(len(worth)):  # noqa: SIM110  a generator would not compile
        if worth[box] == 0 and missing(worth, totals, box) <= moves_left - 2:
            return False
    return True


@njit(cache=True, nogil=True)
def shortest_win(
    stop: Stop, lines: int, boxes: int, counted: Numbers, points: Numbers, last_threat: bool, depth: int
) -> tuple[Numbers, int]:
    """The user's moves that win in exactly `depth` moves, none if none do, and the replies looked at.

    For `interruptible`: `stop` ends it early.
    """
    worth = np.zeros(64, np.int64)
    totals = np.zeros(lines, np.int64)
    users = np.full(depth, -1, np.int64)
    machines = np.full(depth, -1, np.int64)
    level = 0
    looked = 0
    while level >= 0:
        if machines[level] >= 0:
            set_box(worth, totals, machines[level], 0)
            machines[level] = -1
        if users[level] >= 0:
            set_box(worth, totals, users[level], 0)
        left = depth - level
        box = users[level] + 1
        while box < 64 and (worth[box] != 0 or (left == 2 and missing(worth, totals, box) > 0)):
            box += 1
        users[level] = box
        if box == 64:
            users[level] = -1
            level -= 1
            continue
        set_box(worth, totals, box, USER)
        if (totals == 4 * USER).any():
            return users[: level + 1].copy(), looked
        if left == 1:
            continue
        answer = reply(worth, totals, boxes, counted, points, last_threat)
        looked += 1
        if looked % REPLIES_BETWEEN == 0 and stopped(stop):
            break
        if answer < 0:
            continue
        set_box(worth, totals, answer, MACHINE)
        machines[level] = answer
        threat = (totals == 3 * USER).any()
        if threat or (left > 2 and not hopeless(worth, totals, left - 1)):
            level += 1
            users[level] = -1
    return users[:0].copy(), looked


@njit(cache=True, nogil=True)
def every_game(
    stop: Stop, lines: int, boxes: int, counted: Numbers, points: Numbers, last_threat: bool
) -> tuple[int, int]:
    """How many positions a machine of at most 16 boxes can be asked in, and the user's boxes in one he wins, or −1.

    Besides the boxes of the board the user has one more move: a lost turn, on another board. A position is a number,
    the user's boxes in its low half and the machine's in its high one. For `interruptible`.
    """
    seen = {np.int64(-1)}
    waiting = [np.int64(0)]
    while len(waiting) > 0 and not stopped(stop):
        position = waiting.pop()
        machine = position >> 16
        for box in range(-1, boxes):
            if box >= 0 and (position | machine) >> box & 1:
                continue
            asked = position if box < 0 else position | np.int64(1) << box
            if asked in seen:
                continue
            seen.add(asked)
            worth, totals = np.zeros(64, np.int64), np.zeros(lines, np.int64)
            for other in range(boxes):
                if asked >> other & 1:
                    set_box(worth, totals, other, USER)
                elif machine >> other & 1:
                    set_box(worth, totals, other, MACHINE)
            if (totals == 4 * USER).any():
                return len(seen) - 1, int(asked & 0xFFFF)
            answer = reply(worth, totals, boxes, counted, points, last_threat)
            if answer >= 0:
                waiting.append(asked | np.int64(1) << (16 + answer))
    return len(seen) - 1, -1
