"""A machine played by its own hardware: the chip simulated cycle by cycle from its Verilog.

The chip is in the middle of a game, a position is not: so every state in which the chip waited is kept by its stones.
A position that follows one of them is reached by pressing the place that is new. Any other is set up by hand, where
the chip allows that: all stones but one of the user's, who then plays that one.

Between games the chip stays switched on: what it keeps of a game that is over, as the elements of 2021 do, is there in
the next.

A chip of 1990 that has lost finds no move, and does what is left in its register for the best one: which may look like
a move, and is then taken for one.
"""

from noughts.games import Game, Move, NoughtsError, Position
from noughts.games.points import members
from noughts.players import Choice, NoMoveFoundError, Player, player
from noughts.silicon.design import Design, playing_driver
from noughts.silicon.simulate.compiled import compiled

__all__ = ["Hardware"]


class Hardware(Player):
    """The chip of a machine, behind the face of the machine."""

    def __init__(self, design: Design, seed: int | None = None) -> None:
        super().__init__(seed)
        self._face = player(design.name, seed)
        self._model = compiled(design)
        self._driver = playing_driver(design, self._model)
        self._fresh = self._model.save()
        self._waiting: dict[tuple[int, int], bytes] = {}

    def new_game(self, seed: int | None = None) -> None:
        """The next game on the same chip, which stays switched on."""
        self.random.seed(seed)
        self._fresh = self._model.save()
        self._waiting.clear()

    def conclude(self, own: int, others: int) -> None:
        """Let the chip see how a game has ended, if it was the user who made the last move."""
        before = [(own, others & ~(1 << place)) for place in members(others)]
        if self._driver.stones() != (own, others) and any(waited in self._waiting for waited in before):
            self._press(own, others)

    def history(self) -> list[tuple[int, int]] | None:
        """How games ended, as the chip keeps them: its stones and the user's; None if it keeps none."""
        return self._driver.history() if self._driver.keeps_games else None

    def check(self, wanted: Game) -> None:
        self._face.check(wanted)

    def choose(self, game: Game, position: Position) -> Choice:
        """What the chip does, and its cycles."""
        own, others = position.stones[position.turn], position.stones[1 - position.turn]
        cycles = self._press(own, others) if others else self._begin(own)
        chip, user = self._driver.stones()
        new = chip & ~own
        if user != others or chip & own != own or new.bit_count() != 1 or new & others:
            raise NoMoveFoundError(
                f"the chip finds no move at {game.write(position)!r}: it expects a position that it has not lost"
            )
        self._waiting[chip, user] = self._model.save()
        return Choice(Move(new.bit_length() - 1), cycles=cycles)

    def _begin(self, own: int) -> int:
        if own:
            raise NoughtsError(f"the chip cannot play on from {own:09b} alone: expected stones of both sides or none")
        self._model.restore(self._fresh)
        return self._driver.begin(user_first=False, start=self.random.randrange(self._driver.starts))

    def _press(self, own: int, others: int) -> int:
        for place in members(others):
            before = (own, others & ~(1 << place))
            if before in self._waiting:
                self._model.restore(self._waiting[before])
                return self._driver.press(place)
        self._model.restore(self._fresh)
        last = others.bit_length() - 1
        rest = others & ~(1 << last)
        if own or rest:
            self._driver.set_up(own, rest)
        else:
            self._driver.begin(user_first=True)
        return self._driver.press(last)

    def read_own(self, text: str) -> Move | None:
        return self._face.read_own(text)

    def write_own(self, move: Move) -> str | None:
        return self._face.write_own(move)
