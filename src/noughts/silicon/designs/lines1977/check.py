"""Games against users who play anyhow, on a compiled simulation: every reply as the article tells it.

The games of 4×4×4 cannot all be played, so they are sampled, always the same ones. Users who only play anyhow are
beaten in a few moves; so some of them complete and stop rows of three as often as they see them, and games get long.
What the machine must answer is worked out here from the article's prose (`answer`), apart from the circuit; that it is
also what the player `basic3` answers, who follows the listing line by line, is for the tests to see.
"""

import random
from collections.abc import Callable

from noughts.games import Move, Outcome, Position, game
from noughts.silicon.design import Design
from noughts.silicon.designs.lines1977.cube import BOXES, COMBINATIONS, point_of
from noughts.silicon.designs.lines1977.driver import LinesDriver
from noughts.silicon.driver import IllegalPressError
from noughts.silicon.simulate.check import Checked, Reply, WrongError
from noughts.silicon.simulate.compiled import compiled

__all__ = ["GAMES", "answer", "check_lines"]

GAMES = 4_000
"""Half of them begun by the user."""
_SEED = 1977
_ATTENTION = (0.0, 0.5, 0.9, 1.0)
"""How often a user sees a row of three; the users of one game after the other."""
_LINES = tuple(sum(1 << point_of(box) for box in combination) for combination in COMBINATIONS)
_POINTS = {(1, 0): 1, (2, 0): 4, (0, 1): 1, (0, 2): 2}
"""Table 1 of the article: stones of the user's and of the machine's in a combination, and the points of a free box."""


def answer(machine: int, user: int) -> int | None:
    """The point that the program of 1977 takes, by the article's words; None if none is free."""
    held = [((line & user).bit_count(), (line & machine).bit_count(), line) for line in _LINES]
    free = ~(machine | user)
    wins = [line & free for users, machines, line in held if (users, machines) == (0, 3)]
    if wins:
        return wins[-1].bit_length() - 1
    best, most = None, -1
    for box in range(BOXES):
        point = point_of(box)
        through = [(users, machines) for users, machines, line in held if line >> point & 1]
        if free >> point & 1:
            if (3, 0) in through:
                return point
            points = sum(_POINTS.get(stones, 0) for stones in through)
            if points > most:
                best, most = point, points
    return best


def check_lines(
    design: Design, *, gates: bool = False, progress: Callable[[int, int], None] | None = None, games: int = GAMES
) -> Checked:
    """Play the games; the machine's wins, losses and draws, and all its replies."""
    walk = _Walk(LinesDriver(compiled(design, gates=gates)))
    for number in range(games):
        walk.play(user_first=number % 2 == 0, attention=_ATTENTION[number // 2 % len(_ATTENTION)])
        if progress and (number + 1) % (games // 20 or 1) == 0:
            progress(number + 1, games)
    wins, losses, draws = (walk.results[outcome] for outcome in (Outcome.WIN, Outcome.LOSS, Outcome.DRAW))
    return Checked(wins, losses, draws, walk.replies, seed=_SEED)


class _Walk:
    def __init__(self, driver: LinesDriver) -> None:
        self.driver = driver
        self.game = game("qubic")
        self.random = random.Random(_SEED)
        self.results = dict.fromkeys(Outcome, 0)
        self.replies: list[Reply] = []

    def play(self, *, user_first: bool, attention: float) -> None:
        """One game, and its result for the machine."""
        position = self.game.start()
        cycles = self.driver.begin(user_first=user_first)
        if not user_first:
            position = self._replied(position, cycles, user_first)
        self._press_in_vain(position)
        while (over := self.game.over(position)) is None:
            point = self._users(position, attention)
            cycles = self.driver.press(point)
            position = self.game.after(position, Move(point))
            if self.game.over(position) is None:
                position = self._replied(position, cycles, user_first)
            self._expect(position, user_first)
        if over is Outcome.LOSS:  # of who is to move
            over = Outcome.WIN if (position.turn == 0) == user_first else Outcome.LOSS
        self.results[over] += 1

    def _users(self, position: Position, attention: float) -> int:
        """A free point; one that ends or stops a row of three, if the user sees it."""
        free = [move.to for move in self.game.moves(position) if move.to is not None]
        for stones in (position.stones[position.turn], position.stones[1 - position.turn]):
            if self.random.random() < attention:
                for line in _LINES:
                    missing = line & ~stones
                    if missing.bit_count() == 1 and not missing & position.occupied:
                        return missing.bit_length() - 1
        return self.random.choice(free)

    def _replied(self, position: Position, cycles: int, user_first: bool) -> Position:
        """The machine's move, read off its board."""
        own, users = position.stones[position.turn], position.stones[1 - position.turn]
        point = answer(own, users)
        chip, user = self.driver.stones()
        if point is None or (chip, user, cycles) != (own | 1 << point, users, 1):
            said = f"{chip ^ own:#x} after {cycles} cycles"
            raise WrongError(
                f"at {self.game.write(position)!r} the machine takes {said}: expected point {point} after 1"
            )
        self.replies.append(Reply(user_first, position, Move(point), cycles))
        return self.game.after(position, Move(point))

    def _press_in_vain(self, position: Position) -> None:
        """A point that is taken is refused."""
        for point in range(BOXES):
            if position.occupied >> point & 1:
                before = self.driver.stones()
                try:
                    self.driver.press(point)
                except IllegalPressError:
                    if self.driver.stones() == before:
                        continue
                raise WrongError(
                    f"a press on {point}, where there is a stone, was taken at {self.game.write(position)!r}"
                )

    def _expect(self, position: Position, user_first: bool) -> None:
        side = 1 if user_first else 0
        over = self.game.over(position)
        won = over is Outcome.LOSS and position.turn != side
        said = (self.driver.stones(), self.driver.is_over, self.driver.has_won)
        true = ((position.stones[side], position.stones[1 - side]), over is not None, won)
        if said != true:
            raise WrongError(f"at {self.game.write(position)!r} the machine shows {said}: expected {true}")
