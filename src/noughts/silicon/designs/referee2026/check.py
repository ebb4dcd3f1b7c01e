"""Every position that two sides can reach under a referee, and every chord of up to three keys that can be tried there.

A state of the chip is walked through once, as `simulate.check` does; what the rules allow must happen, and nothing
else. Where the positions are too many, games are played at random, and at every turn of them the same is tried.
"""

from collections.abc import Callable
from itertools import combinations
from random import Random

import numpy as np

from noughts.games import Move, Outcome, Position
from noughts.games import game as find_game
from noughts.silicon.design import Design
from noughts.silicon.designs.referee2026.driver import Keys, chord
from noughts.silicon.simulate.check import Checked, Reply, WrongError
from noughts.silicon.simulate.compiled import compiled

__all__ = ["check_referee"]

_LONGEST = 200
"""Plies after which a game at random is given up: stones that move may do so for ever."""


def check_referee(
    design: Design, *, gates: bool = False, progress: Callable[[int, int], None] | None = None
) -> Checked:
    """The ends of games for the side that began, and how many states were walked through or games played."""
    walk = _Walk(design, gates, progress or _nobody)
    return walk.sample(design.sampled_games) if design.sampled_games else walk.walk()


def _nobody(done: int, known: int) -> None:
    """Nobody is told."""


class _Walk:
    def __init__(self, design: Design, gates: bool, progress: Callable[[int, int], None]) -> None:
        self.model = compiled(design, gates=gates)
        self.keys = Keys(self.model)
        self.game = find_game(design.game)
        self.progress = progress
        self.replies: list[Reply] = []
        points = range(len(self.game.layout))
        moves = not self.game.placing_only
        most = 3 if self.game.rules.captures and len(points) <= 16 else 2 if moves or len(points) <= 16 else 1
        self.chords = [
            sum(1 << point for point in some) for size in range(1, most + 1) for some in combinations(points, size)
        ]
        # Before the clock rises, when `illegal` is looked at; after it; and with all keys let go.
        self.levels = np.array([((0, keys), (1, keys), (0, 0)) for keys in self.chords], np.uint64)
        self.hands = () if "hand_x" not in self.model.pins else ("hand_x", "hand_o")

    def walk(self) -> Checked:
        """Every state."""
        position = self._begin()
        known = {(self.model.save(), position)}
        waiting = list(known)
        ends: dict[tuple[Position, Outcome], None] = {}
        while waiting:
            state, position = waiting.pop()
            self.model.restore(state)
            for move in self._try_all(position):
                self.model.restore(state)
                after = self._play(position, move)
                over = self.game.over(after)
                if over is not None:
                    ends[after, over] = None
                if (reached := (self.model.save(), after)) not in known:
                    known.add(reached)
                    waiting.append(reached)
            self.progress(len(known) - len(waiting), len(known))
        results = [self._for_x(position, over) for position, over in ends]
        wins, losses, draws = (results.count(outcome) for outcome in (Outcome.WIN, Outcome.LOSS, Outcome.DRAW))
        return Checked(wins, losses, draws, self.replies, states=len(known), plays=len(self.chords), endless=True)

    def sample(self, games: int) -> Checked:
        """So many games at random."""
        random = Random(0)
        results = []
        for number in range(games):
            position = self._begin()
            for _ in range(_LONGEST):
                legal = self._try_all(position)
                if not legal:
                    break
                position = self._play(position, random.choice(legal))
            results.append(self._for_x(position, self.game.over(position) or Outcome.DRAW))
            self.progress(number + 1, games)
        wins, losses, draws = (results.count(outcome) for outcome in (Outcome.WIN, Outcome.LOSS, Outcome.DRAW))
        return Checked(wins, losses, draws, self.replies, plays=len(self.chords), seed=0)

    def _begin(self) -> Position:
        self.keys.begin(user_first=True)
        self.model.half(0)
        return self.game.start()

    def _play(self, position: Position, move: Move) -> Position:
        self.model.set("key", chord(move))
        self.model.half(1)
        self.model.set("key", 0)
        self.model.half(0)
        self.replies.append(Reply(True, position, move, 1))
        return self.game.after(position, move)

    def _try_all(self, position: Position) -> list[Move]:
        """Compare all that is shown; try every chord; the legal moves."""
        self._expect(position)
        moves = self.game.moves(position)
        legal = {chord(move) for move in moves}
        own = position.stones[position.turn]
        touching = bool(moves) and not position.hand[position.turn] and not self.game.placing_only
        shown, changed = self.model.tries(("clk", "key"), self.levels, ("illegal",))
        for keys, illegal, left in zip(self.chords, shown[:, 0, 0].tolist(), changed.tolist(), strict=True):
            touches = touching and not keys & ~own
            if bool(illegal) != (keys not in legal and not touches) or bool(left) > (keys in legal or touches):
                raise WrongError(
                    f"keys {keys:b} at {self.game.write(position)!r}: illegal is {illegal}, and a mark is left: {left}"
                )
        return moves

    def _expect(self, position: Position) -> None:
        over = self.game.over(position)
        lost = over is Outcome.LOSS
        points = {point for move in self.game.moves(position) for point in (move.to, move.source) if point is not None}
        true = {
            "x": position.stones[0],
            "o": position.stones[1],
            "turn": position.turn,
            "movable": sum(1 << point for point in points),
            "full": position.occupied == self.game.layout.everywhere,
            "x_won": lost and position.turn == 1,
            "o_won": lost and position.turn == 0,
            "draw": over is Outcome.DRAW,
            **dict(zip(self.hands, position.hand, strict=False)),
        }
        said = {name: self.model.get(name) for name in true}
        if said != true:
            raise WrongError(f"at {self.game.write(position)!r} the referee shows {said}: expected {true}")

    @staticmethod
    def _for_x(position: Position, over: Outcome) -> Outcome:
        """A lost position is lost for who is to move."""
        if over is Outcome.DRAW:
            return over
        return Outcome.LOSS if position.turn == 0 else Outcome.WIN
