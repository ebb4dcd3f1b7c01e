"""Every position that two sides can reach under the referee of 2021, and every play that can be tried there.

The referee's whole memory is the board and the turn, so the walk is over positions, with either side to begin, and not
over games: what was found behind a position is kept (memoised), and the games are counted on the way. At each position
each side tries every number that it can name, alone and together with the other side: what the rules allow must happen,
and nothing else.
"""

from collections.abc import Callable

from noughts.games import Move, Outcome, Position, game
from noughts.silicon.design import Design
from noughts.silicon.simulate.check import Checked, Reply, WrongError
from noughts.silicon.simulate.compiled import compiled

__all__ = ["check_referee"]

_GAME = game("tictactoe")
_NUMBERS = (*range(11), 15)
"""What is named: the nine places, and some numbers that are none."""


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
        self._let_go()
        self.first = first
        self.known: dict[Position, dict[Outcome, int]] = {}
        return self._visit(_GAME.start())

    def _visit(self, position: Position) -> dict[Outcome, int]:
        """Try everything here, and count the games from here."""
        if position in self.known:
            return self.known[position]
        self._expect(position)
        side = self._side(position)
        over = _GAME.over(position)
        results = dict.fromkeys(Outcome, 0)
        here = self.model.save()
        for number in _NUMBERS:
            free = 1 <= number <= 9 and not position.occupied >> (number - 1) & 1
            for sides in ((0,), (1,), (0, 1)):
                legal = over is None and free and (sides == (side,) or (len(sides) == 1 and not position.occupied))
                self.model.restore(here)
                self._try(position, sides, number, legal)
                if not legal and self.model.save() != here:
                    raise WrongError(f"{number} by {sides} left a mark at {_GAME.write(position)!r}")
                if legal and sides[0] == side:
                    self.replies.append(Reply(self.first == 0, position, number - 1, 1))
                    for outcome, games in self._visit(_GAME.after(position, Move(number - 1))).items():
                        results[outcome] += games
        if over is not None:
            results[self._for_player(position, over)] = 1
        self.known[position] = results
        return results

    def _side(self, position: Position) -> int:
        """Who is to move: 0 the player, 1 the computer."""
        return position.turn ^ self.first

    def _for_player(self, position: Position, over: Outcome) -> Outcome:
        """A lost position is lost for who is to move."""
        if over is Outcome.DRAW:
            return over
        return Outcome.LOSS if self._side(position) == 0 else Outcome.WIN

    def _try(self, position: Position, sides: tuple[int, ...], number: int, legal: bool) -> None:
        """Play, and look: before the clock at `illegal_move`, after it at the board."""
        model = self.model
        for side, (button, name) in enumerate((("pp", "player_position"), ("pc", "computer_position"))):
            model.set(button, int(side in sides))
            model.set(name, number)
        model.half(0)
        if bool(model.get("illegal_move")) == legal:
            raise WrongError(f"illegal_move is {model.get('illegal_move')} for {number} at {_GAME.write(position)!r}")
        model.half(1)
        self._let_go()

    def _let_go(self) -> None:
        for name in ("pp", "pc", "player_position", "computer_position"):
            self.model.set(name, 0)
        self.model.half(0)

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
