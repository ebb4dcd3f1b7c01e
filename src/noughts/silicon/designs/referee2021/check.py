"""Every position that two sides can reach under the referee of 2021, and every play that can be tried there.

The referee's whole memory is the board and the turn, so the walk is over positions, with either side to begin, and not
over games: what was found behind a position is kept (memoised), and the games are counted on the way. At each position
each side tries every number that it can name, alone and together with the other side: what the rules allow must happen,
and nothing else.
"""

from collections.abc import Callable

import numpy as np

from noughts.games import Move, Outcome, Position, game
from noughts.silicon.design import Design
from noughts.silicon.simulate.check import Checked, Reply, WrongError
from noughts.silicon.simulate.compiled import compiled

__all__ = ["check_referee"]

_GAME = game("tictactoe")
_NUMBERS = (*range(11), 15)
"""What is named: the nine places, and some numbers that are none."""
_TRIES = tuple((number, sides) for number in _NUMBERS for sides in ((0,), (1,), (0, 1)))
"""What is tried: a number, and who names it."""
_PLAYS = ("pp", "pc", "player_position", "computer_position")
_INPUTS = ("clk", *_PLAYS)


def _steps(sides: tuple[int, ...], number: int) -> tuple[tuple[int, ...], ...]:
    """A play: the inputs before the clock rises, when `illegal_move` is looked at; after it; and with all let go."""
    plays = (int(0 in sides), int(1 in sides), number, number)
    return (0, *plays), (1, *plays), (0, 0, 0, 0, 0)


_LEVELS = np.array([_steps(sides, number) for number, sides in _TRIES], np.uint64)


def check_referee(
    design: Design, *, gates: bool = False, progress: Callable[[int, int], None] | None = None
) -> Checked:
    """The player's wins, losses and draws over all games, the player beginning and the computer beginning."""
    walk = _Walk(design, gates)
    results = dict.fromkeys(Outcome, 0)
    for number, first in enumerate((0, 1)):
        for outcome, games in walk.games(first).items():
            results[outcome] += games
        if progress:
            progress(number + 1, 2)
    return Checked(results[Outcome.WIN], results[Outcome.LOSS], results[Outcome.DRAW], walk.replies)


class _Walk:
    def __init__(self, design: Design, gates: bool) -> None:
        self.model = compiled(design, gates=gates)
        self.replies: list[Reply] = []

    def games(self, first: int) -> dict[Outcome, int]:
        """All games in which the player (0) or the computer (1) begins, by their result for the player."""
        self.model.reset()
        for name in _PLAYS:
            self.model.set(name, 0)
        self.model.half(0)
        self.first = first
        self.known: dict[Position, dict[Outcome, int]] = {}
        return self._visit(_GAME.start())

    def _visit(self, position: Position) -> dict[Outcome, int]:
        """Try everything here, and count the games from here."""
        if position in self.known:
            return self.known[position]
        self._expect(position)
        over = _GAME.over(position)
        results = dict.fromkeys(Outcome, 0)
        here = self.model.save()
        for number in self._try_all(position, over):
            after = _GAME.after(position, Move(number - 1))
            self.replies.append(Reply(self.first == 0, position, Move(number - 1), 1))
            if after not in self.known:
                self.model.restore(here)
                self._play(self._side(position), number)
            for outcome, games in self._visit(after).items():
                results[outcome] += games
        if over is not None:
            results[self._for_player(position, over)] = 1
        self.known[position] = results
        return results

    def _try_all(self, position: Position, over: Outcome | None) -> list[int]:
        """Try every play; what who is to move may play."""
        shown, changed = self.model.tries(_INPUTS, _LEVELS, ("illegal_move",))
        legal = [
            over is None and self._is_free(position, number) and self._is_turn(position, sides)
            for number, sides in _TRIES
        ]
        for (number, sides), allowed, illegal, left in zip(
            _TRIES, legal, shown[:, 0, 0].tolist(), changed.tolist(), strict=True
        ):
            if bool(illegal) == allowed:
                raise WrongError(f"illegal_move is {illegal} for {number} by {sides} at {_GAME.write(position)!r}")
            if left and not allowed:
                raise WrongError(f"{number} by {sides} left a mark at {_GAME.write(position)!r}")
        side = self._side(position)
        return [number for (number, sides), allowed in zip(_TRIES, legal, strict=True) if allowed and sides[0] == side]

    @staticmethod
    def _is_free(position: Position, number: int) -> bool:
        return 1 <= number <= 9 and not position.occupied >> (number - 1) & 1

    def _is_turn(self, position: Position, sides: tuple[int, ...]) -> bool:
        """Either side may begin."""
        return sides == (self._side(position),) or (len(sides) == 1 and not position.occupied)

    def _play(self, side: int, number: int) -> None:
        """One play, and the cycle after it."""
        for levels in _steps((side,), number):
            for name, level in zip(_INPUTS, levels, strict=True):
                self.model.set(name, level)
            self.model.half(levels[0])

    def _side(self, position: Position) -> int:
        """Who is to move: 0 the player, 1 the computer."""
        return position.turn ^ self.first

    def _for_player(self, position: Position, over: Outcome) -> Outcome:
        """A lost position is lost for who is to move."""
        if over is Outcome.DRAW:
            return over
        return Outcome.LOSS if self._side(position) == 0 else Outcome.WIN

    def _expect(self, position: Position) -> None:
        """The board, the winner and the lack of space are those of the position."""
        model = self.model
        player, computer = position.stones[self.first], position.stones[1 - self.first]
        codes = [(player >> place & 1) | (computer >> place & 1) << 1 for place in range(9)]
        won = _GAME.over(position) is Outcome.LOSS
        who = 0 if not won else 2 if self._side(position) == 0 else 1
        true = (*codes, who, int(won), int(position.occupied == 0b111111111))
        said = tuple(model.get(name) for name in _SEEN)
        if said != true:
            raise WrongError(f"at {_GAME.write(position)!r} the referee shows {said}: expected {true}")


_SEEN = (*(f"pos{number}" for number in range(1, 10)), "who", "winner", "no_space")
