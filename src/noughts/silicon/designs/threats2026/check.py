"""Games under the referee, and on every board of them every set that it can show, on a compiled simulation.

The games are a sample, always the same ones. Players who see some of what the referee shows make boards with many
threats; others play anyhow, so that boards fill. On every board all eight ways to ask (`show`, `other`) are tried, and
a play on every point. What must be shown is worked out from words: a line is four points one step apart in any
direction; it can be completed by the side that has three of its points if the fourth is empty, and so on.
"""

import random
from collections.abc import Callable
from itertools import product

import numpy as np

from noughts.games import Move, Outcome, Position, game
from noughts.silicon.design import Design
from noughts.silicon.designs.threats2026.driver import Seats
from noughts.silicon.simulate.check import Checked, WrongError
from noughts.silicon.simulate.compiled import compiled

__all__ = ["GAMES", "LINES", "check_threats", "sets_of"]

GAMES = 600
_SEED = 2026
_ATTENTION = (0.0, 0.5, 1.0)
_ASKED = tuple(product(range(4), range(2)))
"""What is asked for: `show` and `other`."""


def _lines() -> frozenset[int]:
    """Four points in a straight line, as sets: from every point in every direction, as far as there are points."""
    found = set()
    for start, step in product(product(range(4), repeat=3), product((-1, 0, 1), repeat=3)):
        cells = [tuple(at + steps * by for at, by in zip(start, step, strict=True)) for steps in range(4)]
        if any(step) and all(0 <= at < 4 for cell in cells for at in cell):
            found.add(sum(1 << 16 * level + 4 * row + column for level, row, column in cells))
    return frozenset(found)


LINES = _lines()


def sets_of(own: int, others: int) -> tuple[int, int, int]:
    """The points that win, that threaten and that fork, for the side whose stones are given first."""
    empty = ~(own | others)
    wins = threats = forks = 0
    for line in LINES:
        if not line & others and (missing := line & empty):
            if missing.bit_count() == 1:
                wins |= missing
            elif missing.bit_count() == 2:
                forks |= threats & missing
                threats |= missing
    return wins, threats, forks


def check_threats(
    design: Design, *, gates: bool = False, progress: Callable[[int, int], None] | None = None, games: int = GAMES
) -> Checked:
    """Referee the games; X's wins, O's and draws, the boards and the plays that were tried on them."""
    walk = _Walk(design, gates)
    for number in range(games):
        walk.referee(_ATTENTION[number % len(_ATTENTION)])
        if progress and (number + 1) % (games // 20 or 1) == 0:
            progress(number + 1, games)
    wins, losses, draws = (walk.results[outcome] for outcome in (Outcome.WIN, Outcome.LOSS, Outcome.DRAW))
    return Checked(wins, losses, draws, [], boards=len(walk.boards), plays=walk.plays, seed=_SEED)


class _Walk:
    def __init__(self, design: Design, gates: bool) -> None:
        self.model = compiled(design, gates=gates)
        self.seats = Seats(self.model)
        self.game = game("qubic")
        self.random = random.Random(_SEED)
        self.results = dict.fromkeys(Outcome, 0)
        self.boards: set[Position] = set()
        self.plays = 0

    def referee(self, attention: float) -> None:
        """One game, and its result for X."""
        self.seats.begin(user_first=True)
        position = self.game.start()
        self._try_all(position)
        while (over := self.game.over(position)) is None:
            point = self._move(position, attention)
            self.seats.press(point)
            position = self.game.after(position, Move(point))
            self._try_all(position)
        if over is Outcome.LOSS:  # of who is to move
            over = Outcome.LOSS if position.turn == 0 else Outcome.WIN
        self.results[over] += 1

    def _move(self, position: Position, attention: float) -> int:
        """An empty point; one that stops a row, forks or threatens, if the player sees it. Rows end games early."""
        own, others = position.stones[position.turn], position.stones[1 - position.turn]
        empty = [point for point in range(64) if not position.occupied >> point & 1]
        wins, threats, forks = sets_of(own, others)
        for wanted in (wins, sets_of(others, own)[0], forks, threats):
            if wanted and self.random.random() < attention:
                return self.random.choice([point for point in empty if wanted >> point & 1])
        return self.random.choice(empty)

    def _try_all(self, position: Position) -> None:
        """Every set is asked for, and every point played on, from the same state; the pins say what is true."""
        self.boards.add(position)
        x, o = position.stones
        over = self.game.over(position)
        own, others = position.stones[position.turn], position.stones[1 - position.turn]
        sets = (sets_of(own, others), sets_of(others, own))
        marks = [(0, *sets[other])[show] for show, other in _ASKED]
        won = over is Outcome.LOSS
        verdict = [
            position.turn,
            won and position.turn == 1,
            won and position.turn == 0,
            position.occupied == 2**64 - 1,
        ]
        urgent = [over is None and bool(one[0]) for one in sets]
        true = [[x | mark, o | mark, *map(int, verdict), *map(int, urgent)] for mark in marks]
        levels = np.array([[asked] for asked in _ASKED], np.uint64)
        shown, _ = self.model.tries(("show", "other"), levels, _VERDICT)
        if (said := shown[:, 0].tolist()) != true:
            raise WrongError(f"at {self.game.write(position)!r} the referee shows {said}: expected {true}")
        plays = np.array([[(0, 1, point), (1, 1, point)] for point in range(64)], np.uint64)
        self.plays += len(plays)
        shown, _ = self.model.tries(("clk", "play", "place"), plays, ("illegal", "x_lamps", "o_lamps"))
        for point, (before, after) in enumerate(shown.tolist()):
            legal = over is None and not position.occupied >> point & 1
            stones = [x, o]
            stones[position.turn] |= int(legal) << point
            if (before[0], after[1:]) != (int(not legal), stones):
                raise WrongError(f"at {self.game.write(position)!r} a play on point {point} gives {before}, {after}")


_VERDICT = ("x_lamps", "o_lamps", "turn", "x_won", "o_won", "full", "can_win", "must_stop")
