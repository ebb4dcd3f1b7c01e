"""The listing of 1977, as far as it decides a move: its combinations, its decision, and how long that took.

The cube is 64 boxes, numbered board by board and down the columns, and a list of 76 winning combinations, in the
order of the listing. A box is worth 0 if it is empty, 1 if the user holds it and 5 if the machine does (the listing's
array S); a combination is worth the sum of its boxes (V). From these 76 numbers all decisions follow:

- 15: the machine completes the combination and wins; the last such in the list counts.
- 3: the user threatens to win. The free box is taken: in versions 1, 3 and F the first such box of the board,
  in version 2 that of the last such combination of the list.
- Otherwise every free box gets points for each combination it lies in, by the combination's worth, and the
  first box with the most points is taken. If no box has any, the first free one.

The last rule is not in the listing of versions 1 and 3, which would repeat an old move there; it is what
version 2 does (lines 352 and 354). Boxes are numbered from 0 here, and printed from 1.

**Time.** An interpreter of those days needed about as long for one statement as for another: each was read character
by character every time it was executed. So the **statements** that the listing executes for a move tell how long a
move took. `statements` counts them, from line 190 to the line that prints the answer, in closed form: nearly all of
them are lines 225 and 228, which look for a box among the four of a combination and nearly always do so in vain,
eleven statements each time. What stands between colons is a statement; IF is one, what follows THEN counts when it is
executed, and a jump to a line is part of the IF. NEXT counts each time it is reached.
"""

from typing import NamedTuple

__all__ = [
    "BOXES",
    "COMBINATIONS",
    "FIRST_BOARD",
    "MACHINE",
    "STATEMENTS_A_SECOND",
    "THROUGH",
    "USER",
    "Decision",
    "decide",
    "figure_number",
    "in_seconds",
    "points",
    "statements",
    "user_won",
]

USER, MACHINE = 1, 5
BOXES = 64
FIRST_BOARD = 16
STATEMENTS_A_SECOND = 300
"""What the article's "about three minutes" for the first move of version 3, some 53,000 statements, comes to.

Measured interpreters of 1977 lie on both sides of it: docs/claims.md.
"""


def _combinations() -> tuple[tuple[int, int, int, int], ...]:
    """The 76 winning combinations in the order of the listing (its lines 20 to 84)."""
    board = [tuple(range(first, first + 4)) for first in (1, 5, 9, 13)]
    board += [tuple(range(first, 17, 4)) for first in (1, 2, 3, 4)]
    board += [(1, 6, 11, 16), (4, 7, 10, 13)]
    flat = [tuple(box + 16 * level for box in line) for level in range(4) for line in board]
    upright = [tuple(box + 16 * level for level in range(4)) for box in range(1, 17)]
    slanted = [(1, 22, 43, 64), (5, 22, 39, 56), (9, 26, 43, 60), (13, 26, 39, 52), (2, 22, 42, 62)]
    slanted += [(14, 26, 38, 50), (3, 23, 43, 63), (15, 27, 39, 51), (4, 23, 42, 61), (8, 23, 38, 53)]
    slanted += [(12, 27, 42, 57), (16, 27, 38, 49), (1, 21, 41, 61), (1, 18, 35, 52), (4, 19, 34, 49)]
    slanted += [(4, 24, 44, 64), (13, 25, 37, 49), (13, 30, 47, 64), (16, 31, 46, 61), (16, 28, 40, 52)]
    return tuple((a - 1, b - 1, c - 1, d - 1) for a, b, c, d in [*flat, *upright, *slanted])


COMBINATIONS = _combinations()
THROUGH = tuple(
    tuple(number for number, combination in enumerate(COMBINATIONS) if box in combination) for box in range(BOXES)
)
"""For every box, the combinations it lies in, in the order of the list."""


def figure_number(combination: int) -> int:
    """The number of a combination in figure 3, where 53 and 54 have changed places."""
    return {52: 54, 53: 53}.get(combination, combination + 1)


class Decision(NamedTuple):
    """What differs between the versions; see `decide`."""

    boxes: int
    """How many boxes the machine may take: 64, or 16 in version 1."""
    lines: int
    """How many combinations count: 76, or 10 in version 1."""
    counted: tuple[bool, ...]
    """For every combination, whether line 220 comes to it, so that it gives points."""
    points: tuple[int, ...]
    """By a combination's worth, 0 to 20, the points it gives to a box."""
    last_threat: bool
    """Whether the last threat in the list is parried, not the first on the board: program B, lines 197 to 203."""


def points(*, two: int = 4, five: int = 1, ten: int = 2) -> tuple[int, ...]:
    """Points by worth: one of the user's gives 1, two `two`; one of the machine's `five`, two `ten`."""
    table = [0] * (4 * MACHINE + 1)
    table[USER], table[2 * USER], table[MACHINE], table[2 * MACHINE] = 1, two, five, ten
    return tuple(table)


def decide(worth: list[int], decision: Decision) -> tuple[int, int | None]:
    """The box to take, and the combination that wins with it; the box is −1 if none is left to take."""
    totals = _totals(worth, decision)
    if 3 * MACHINE in totals:
        win = _last(totals, 3 * MACHINE)
        return _free(worth, win), win
    if 3 * USER in totals and decision.last_threat:
        return _free(worth, _last(totals, 3 * USER)), None
    return _by_points(worth, totals, decision), None


def user_won(worth: list[int], decision: Decision) -> bool:
    """Whether the user holds a whole combination: line 196, before all else."""
    return 4 * USER in _totals(worth, decision)


def _by_points(worth: list[int], totals: list[int], decision: Decision) -> int:
    """The first box that parries a threat, or else the first with the most points, or else the first free."""
    best, most = -1, 0
    for box in range(decision.boxes):
        if worth[box]:
            continue
        lines = [number for number in THROUGH[box] if number < decision.lines]
        if any(totals[number] == 3 * USER for number in lines):
            return box
        points = sum(decision.points[totals[number]] for number in lines if decision.counted[number])
        if points > most or best < 0:
            best, most = box, points
    return best


def _totals(worth: list[int], decision: Decision) -> list[int]:
    return [sum(worth[box] for box in line) for line in COMBINATIONS[: decision.lines]]


def _last(totals: list[int], total: int) -> int:
    return max(number for number, found in enumerate(totals) if found == total)


def _free(worth: list[int], number: int) -> int:
    return next(box for box in COMBINATIONS[number] if not worth[box])


def statements(worth: list[int], decision: Decision) -> int:
    """How many statements the listing executes from line 190 until it prints its move, or that the user has won."""
    totals, two = _totals(worth, decision), decision.last_threat
    if 4 * USER in totals:  # 190 to 196 for so many combinations, and 410
        seen = totals[: totals.index(4 * USER) + 1]
        return _evaluating(seen, two) - (3 if two else 2) + 2
    count = _evaluating(totals, two) + 1  # the IF of line 199
    if 3 * MACHINE in totals:
        return count + _finding(worth, _last(totals, 3 * MACHINE)) + 5  # 365 to 367; 368 to 380
    count += 2  # lines 200 and 204, or 200 and 201
    if two and 3 * USER in totals:
        return count + _finding(worth, _last(totals, 3 * USER)) + 5  # 202 and 203; 390 to 400
    return count + 1 + _choosing(worth, totals, decision) + 5  # the FOR of line 205; 390 to 400


def in_seconds(statements: int) -> float:
    """How long so many statements took in 1977."""
    return statements / STATEMENTS_A_SECOND


def _evaluating(totals: list[int], two: bool) -> int:
    """Lines 190 to 199: for every combination, eight statements, and one more where it is worth 15.

    Version 2 looks for threats, too: one statement, and one more where there is one.
    """
    count = 2 + 8 * len(totals) + totals.count(3 * MACHINE)
    return count + (1 + len(totals) + totals.count(3 * USER) if two else 0)


def _finding(worth: list[int], number: int) -> int:
    """The free box of a combination, lines 365 to 367 or 202 to 203.

    FOR; for every box tried an assignment, IF and NEXT; for the last another assignment and GOTO instead of NEXT.
    """
    tried = COMBINATIONS[number].index(_free(worth, number)) + 1
    return 1 + 3 * tried + 1


def _choosing(worth: list[int], totals: list[int], decision: Decision) -> int:
    """Lines 205 to 354, after the first FOR: every box that is free looked for in every combination of line 220."""
    rounds = sum(decision.counted[: decision.lines])
    count = most = 0
    for box in range(decision.boxes):
        if worth[box]:
            count += 3  # M2=0, the IF of 210, the NEXT of 350
            continue
        looked, gained, threat = _looking(box, totals, decision, rounds)
        if threat:
            return count + 4 + looked
        count += 6 + looked  # M2=0, 210, 215, the FOR of 220; 320 and 350
        if gained > most:
            most, count = gained, count + 2
    count += 1  # the IF of line 350, or its GOTO
    if most:
        return count
    free = [box for box in range(decision.boxes) if not worth[box]]
    return count + (2 * (free[0] + 1) + 2 if free else 1 + 2 * decision.boxes)  # 352 and 354


def _looking(box: int, totals: list[int], decision: Decision, rounds: int) -> tuple[int, int, bool]:
    """Lines 220 to 300 for a free box: how many statements, how many points, and whether it parries a threat.

    A combination without the box costs eleven: FOR, four times IF and NEXT, GOTO, and the NEXT of line 300. One that
    has the box as its second, say, costs FOR, IF, NEXT, IF; then lines 230, 260 and 270; 280 and 290; and line 300.
    """
    count, gained, before = 0, 0, 0
    for number in THROUGH[box]:
        if number >= decision.lines or not decision.counted[number]:
            continue
        total = totals[number]
        count += 2 + 2 * COMBINATIONS[number].index(box) + 2
        if total == 3 * USER:
            missed = sum(decision.counted[:number]) - before
            return count + 2 + 11 * missed, gained, True
        gained += decision.points[total]
        before += 1
        count += 2  # 270 and 300
        if 0 < total < MACHINE:
            count += 3  # 280
        elif total:
            count += 3 + (total % MACHINE == 0)  # 280 and 290
    return count + 11 * (rounds - before), gained, False
