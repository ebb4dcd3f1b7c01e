"""Line 220 of the listing of 1977, swept: which combinations, if counted, make its version 2 strong?

The article counts the combinations 60 to 76 in steps of 2, invites its reader to change that, and suggests always to
stay above 40: from there on combinations go through all four boards. A change costs time, too, since every
combination counted is looked through for every box. So all settings FROM, TO, STEP that differ are tried, with line
280 as it is and as it is in the note ("harder"), and are put together by how many combinations they count and where
these lie.

Strength is measured in games against two users who begin, as a user always did:

- the **careless** one sees a row that can be filled with the next move, his own first, then the machine's; else he
  plays anywhere;
- the **careful** one sees the same, and else takes the box that lies in the most promising combinations: without
  stones, with one or with two of one side alone, those with more stones counting more. Of equals he takes any, and
  his first box is any.

Points are the machine's, in per cent, a draw being half a point. The best of a group are measured again, with other
games: who is best of many is also the luckiest. **Beaten in** is the least number of moves in which a user can win
(`noughts.arena.beat_kernel`); **each other** are the points against the other settings of the list, from boards with
one stone each anywhere, each beginning in turn. With `--full` the settings of the list also meet levels of the ladder
and `perfect`, each beginning in turn; and all combinations are counted with other points than those of table 1.
"""

from collections.abc import Callable, Iterator
from itertools import product
from statistics import mean
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from noughts.arena import play_match
from noughts.arena.beat import MOST_MOVES
from noughts.arena.beat_kernel import LINES, LINES_THROUGH, MACHINE_WINS, Numbers, arrays, reply, set_box, shortest_win
from noughts.games import game as find_game
from noughts.players import player
from noughts.players.basic1977 import Basic1977
from noughts.players.listing1977 import COMBINATIONS, MACHINE, USER, Decision, in_seconds, points, statements
from noughts.solve import Progress
from noughts.solve.interrupt import interruptible, never

__all__ = ["Setting", "bench_line220", "bench_line220_full", "every_setting"]

Row = dict[str, Any]
Machine = tuple[int, int, Numbers, Numbers, bool]
"""A machine as the kernels take it: `noughts.arena.beat_kernel.arrays`."""

SWEPT, LISTED_GAMES, MET = 40, 10_000, 100
"""Games of each setting in the sweep, games of those in the list, and openings from which two of these meet."""
FINALS = ((50, 400), (5, 4_000))
"""How many of a group are measured again, and how many games: the best of these once more (successive halving)."""
SIZES = ((1, 3), (4, 6), (7, 9), (10, 18), (19, 36), (37, 76))
"""Groups by how many combinations are counted."""
MATCHES = {"level2": 20, "level4": 100, "level6": 100, "level8": 20, "perfect": 4}
"""Whom those in the list meet at length, and in how many games: fewer where one side takes nearly all points."""
POINTS = list(product((1, 2, 3, 4, 6, 8), (0, 1, 2, 3), (0, 1, 2, 3, 4, 6, 8)))
"""Points tried at length: for two boxes of the user's, for one of the machine's, for two; one of the user's gives 1."""


class Setting(NamedTuple):
    """What stands in line 220, and whether line 280 has the change of the note."""

    first: int
    last: int
    step: int
    harder: bool = False

    @property
    def counted(self) -> range:
        """The numbers of the combinations, in the order of the program."""
        return range(self.first, self.last + 1, self.step)

    @property
    def player(self) -> str:
        """The machine's name."""
        harder = ",harder=yes" if self.harder else ""
        return f"basic2:from={self.first},to={self.last},step={self.step}{harder}"

    @property
    def where(self) -> str:
        """Where its combinations lie."""
        return "above 40" if self.first > 40 else "up to 40" if self.last <= 40 else "both"

    def __str__(self) -> str:
        return f"{self.first}-{self.last}/{self.step}{' harder' if self.harder else ''}"


LISTED: dict[str, Setting | str] = {
    "version 2": Setting(60, 76, 2),
    "version 2, harder": Setting(60, 76, 2, harder=True),
    "as the text says": Setting(60, 72, 2),
    "all above 40": Setting(41, 76, 1),
    "straight up": Setting(41, 56, 1),
    "slanted": Setting(57, 76, 1),
    "all up to 40": Setting(1, 40, 1),
    "all": Setting(1, 76, 1),
    "version 3": "basic3",
    "program F": "basicf",
}
"""Settings with a name; the best that is as quick as version 2 joins them. The best of all is one of them: "all"."""


def every_setting() -> list[Setting]:
    """All settings that count different combinations, the smallest step first."""
    found: dict[tuple[int, ...], Setting] = {}
    for step in range(1, len(COMBINATIONS) + 1):
        for first in range(1, len(COMBINATIONS) + 1):
            for last in range(first, len(COMBINATIONS) + 1):
                counted = tuple(range(first, last + 1, step))
                found.setdefault(counted, Setting(first, counted[-1], step))
    return [setting._replace(harder=harder) for setting in found.values() for harder in (False, True)]


def bench_line220(progress: Progress) -> Iterator[Row]:
    """Every setting swept, in groups; then those with a name and the best of the quick ones, one by one."""
    return _bench(progress, full=False)


def bench_line220_full(progress: Progress) -> Iterator[Row]:
    """The same, other points, and matches of those in the list against levels of the ladder and `perfect`."""
    return _bench(progress, full=True)


def _bench(progress: Progress, *, full: bool) -> Iterator[Row]:
    settings = every_setting()
    listed = dict(LISTED)
    whole = len(settings) * (6 if full else 3) // 2  # so much longer do the finals, the list and its matches take
    opponents = MATCHES if full else {}
    swept: dict[Setting, float] = {}
    longest: dict[Setting, int] = {}
    for number, setting in enumerate(settings):
        if number % 50 == 0:
            progress(number, whole)
        machine = arrays(_decision(setting.player))
        swept[setting] = _points(machine, SWEPT, number, careful=False)
        longest[setting] = _beaten_in(machine)
    for least, most in SIZES:
        for where in ("up to 40", "above 40", "both"):
            group = [one for one in settings if least <= len(one.counted) <= most and one.where == where]
            if group:
                best, again = _best(group, swept)
                times = [_seconds(one.player) for one in group]
                yield {
                    "line 220": f"{least} to {most}, {where}",
                    "settings": len(group),
                    "s in 1977": f"{min(times):.0f} to {max(times):.0f}",
                    "beaten in": max(longest[one] for one in group),
                    "careless": f"{mean(swept[one] for one in group):.1f}",
                    "careful": "",
                    "each other": "",
                    "setting": f"best {best}: {again:.1f}",
                    **dict.fromkeys(opponents, ""),
                }
    if full:
        yield _other_points()
    quick = [one for one in settings if len(one.counted) <= len(Setting(60, 76, 2).counted)]
    listed["best of up to nine"] = _best(quick, swept)[0]
    names = [one.player if isinstance(one, Setting) else one for one in listed.values()]
    machines = [arrays(_decision(name)) for name in names]
    for number, (words, name, machine) in enumerate(zip(listed, names, machines, strict=True)):
        progress(len(settings) + number * (whole - len(settings)) // len(names), whole)
        others = [other for place, other in enumerate(machines) if place != number]
        yield {
            "line 220": words,
            "settings": 1,
            "s in 1977": f"{_seconds(name):.0f}",
            "beaten in": _beaten_in(machine),
            "careless": f"{_points(machine, LISTED_GAMES, 2, careful=False):.1f}",
            "careful": f"{_points(machine, LISTED_GAMES, 2, careful=True):.1f}",
            "each other": f"{mean(meet(machine, other, MET, 2) for other in others):.1f}",
            "setting": str(listed[words]),
            **{opponent: f"{100 * _match(name, opponent):.0f}" for opponent in opponents},
        }


def _other_points() -> Row:
    """All combinations counted, with other points than the listing's."""
    found: dict[tuple[int, int, int], float] = {}
    in_six = 0
    for two, five, ten in POINTS:
        decision = _decision("basic2:from=1,step=1")._replace(points=points(two=two, five=five, ten=ten))
        machine = arrays(decision)
        found[two, five, ten] = _points(machine, LISTED_GAMES // 10, 2, careful=False)
        in_six += any(len(shortest_win(never(), *machine, depth)[0]) for depth in (4, 5, 6))
    best = max(found, key=found.__getitem__)
    return {
        "line 220": "all, other points",
        "settings": len(POINTS),
        "s in 1977": f"{_seconds('basic3'):.0f}",
        "beaten in": f"6 ({in_six})",
        "careless": f"{mean(found.values()):.1f}",
        "careful": "",
        "each other": "",
        "setting": f"best 1, {', '.join(map(str, best))}: {found[best]:.1f}",
        **dict.fromkeys(MATCHES, ""),
    }


def _decision(name: str) -> Decision:
    machine = player(name)
    assert isinstance(machine, Basic1977)
    return machine.decision


def _seconds(name: str) -> float:
    """How long the first move took in 1977, the user having begun in the first box."""
    return in_seconds(statements([USER] + [0] * 63, _decision(name)))


def _best(group: list[Setting], swept: dict[Setting, float]) -> tuple[Setting, float]:
    """The best setting of a group as far as can be told, and its points in the last games that told it."""
    ranked = sorted(group, key=swept.__getitem__, reverse=True)
    for count, games in FINALS:
        again = {one: _points(arrays(_decision(one.player)), games, games, careful=False) for one in ranked[:count]}
        ranked = sorted(again, key=again.__getitem__, reverse=True)
    return ranked[0], again[ranked[0]]


def _points(machine: Machine, games: int, seed: int, *, careful: bool) -> float:
    won, drawn = against_user(*machine, games, seed, careful)
    return 100 * (won + drawn / 2) / games


def _beaten_in(machine: Machine) -> int:
    """The fewest moves in which a user who begins wins; one more than are looked at if that takes longer."""
    search: Callable[..., Any] = shortest_win
    for depth in range(4, MOST_MOVES + 1):
        found, _ = search(never(), *machine, depth) if depth <= 6 else interruptible(search, *machine, depth)
        if len(found):
            return depth
    return MOST_MOVES + 1


def _match(name: str, opponent: str) -> float:
    return play_match(find_game("qubic"), (name, opponent), MATCHES[opponent], 1).score


@njit(cache=True)
def promise(totals: Numbers, box: int) -> int:
    """How much the combinations of a free box promise a careful user."""
    gained = 0
    for number in LINES_THROUGH[box]:
        if number < 0:
            break
        total = totals[number]
        if total == 0:
            gained += 1
        elif total in (USER, MACHINE):
            gained += 2
        elif total in (2 * USER, 2 * MACHINE):
            gained += 5
    return gained


@njit(cache=True)
def users_box(worth: Numbers, totals: Numbers, careful: bool) -> int:
    """The box of a user who fills and parries rows, and else is careful or not."""
    for total in (3 * USER, 3 * MACHINE):
        for number in range(len(totals)):
            if totals[number] == total:
                for box in LINES[number]:
                    if worth[box] == 0:
                        return int(box)
    best, most, equals = -1, -1, 0
    for box in range(64):
        if worth[box] != 0:
            continue
        gained = promise(totals, box) if careful else 0
        if gained > most:
            best, most, equals = box, gained, 1
        elif gained == most:
            equals += 1
            if np.random.randint(equals) == 0:  # every one of the equals is as likely
                best = box
    return best


@njit(cache=True)
def against_user(
    lines: int,
    boxes: int,
    counted: Numbers,
    points: Numbers,
    last_threat: bool,
    games: int,
    seed: int,
    careful: bool,
) -> tuple[int, int]:
    """How many of so many games against a user the machine wins, and how many are drawn."""
    np.random.seed(seed)
    won = drawn = 0
    for _ in range(games):
        worth, totals = np.zeros(64, np.int64), np.zeros(lines, np.int64)
        box = np.random.randint(64)
        for _ in range(32):
            set_box(worth, totals, box, USER)
            if (totals == 4 * USER).any():
                break
            answer = reply(worth, totals, boxes, counted, points, last_threat)
            if answer == MACHINE_WINS:
                won += 1
                break
            set_box(worth, totals, answer, MACHINE)
            box = users_box(worth, totals, careful)
        else:
            drawn += 1
    return won, drawn


def meet(first: Machine, second: Machine, openings: int, seed: int) -> float:
    """The points, in per cent, that one machine takes from another."""
    return 100 * duel(first, second, openings, seed) / (2 * openings)


@njit(cache=True)
def duel(first: Machine, second: Machine, openings: int, seed: int) -> float:
    """The points of the first machine from boards with a stone of each, where the owner of the one is to move.

    From every opening there are two games: each machine has each of the stones once.
    """
    np.random.seed(seed)
    points = 0.0
    for _ in range(openings):
        stones = np.random.randint(64), np.random.randint(63)
        stones = stones[0], stones[1] + (stones[1] >= stones[0])
        for begins in (0, 1):
            worth = np.zeros((2, 64), np.int64)
            totals = np.zeros((2, 76), np.int64)
            for view in (0, 1):
                owner = (view + begins) % 2
                set_box(worth[view], totals[view], stones[owner], MACHINE)
                set_box(worth[view], totals[view], stones[1 - owner], USER)
            mover, left = begins, 62
            while left > 0:
                _, boxes, counted, gained, last_threat = first if mover == 0 else second
                box = reply(worth[mover], totals[mover], boxes, counted, gained, last_threat)
                if box == MACHINE_WINS:
                    points += 1 - mover
                    break
                set_box(worth[mover], totals[mover], box, MACHINE)
                set_box(worth[1 - mover], totals[1 - mover], box, USER)
                mover, left = 1 - mover, left - 1
            if left == 0:
                points += 0.5
    return points
