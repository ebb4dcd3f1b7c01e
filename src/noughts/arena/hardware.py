"""A machine played by its own hardware: the chip simulated cycle by cycle from its Verilog.

The chip is in the middle of a game, a position is not: so every state in which the chip waited is kept by its
position. A position that follows one of them is reached by playing the move that leads there. Any other is set up by
hand, where the chip allows that: all stones but one of the user's, who then plays that one.

A chip that plays like one of the players shows that player's face. Any other is a player of its own, which plays the
game that it is made for.

Between games the chip stays switched on: what it keeps of a game that is over, as the elements of 2021 do, is there in
the next.

A chip of 1990 that has lost finds no move, and does what is left in its register for the best one: which may look like
a move, and is then taken for one.
"""

from noughts.games import Game, Move, NoughtsError, Position
from noughts.games import game as find_game
from noughts.games.points import members
from noughts.players import PLAYERS, CannotPlayError, Choice, NoMoveFoundError, Player, player
from noughts.silicon.design import Design, playing_driver
from noughts.silicon.simulate.compiled import compiled

__all__ = ["Hardware"]


class Hardware(Player):
    """The chip of a machine, behind the face of the machine."""

    def __init__(self, design: Design, seed: int | None = None) -> None:
        super().__init__(seed)
        self._design = design
        self._face = player(design.name, seed) if design.name.partition(":")[0] in PLAYERS else None
        self._model = compiled(design)
        self._driver = playing_driver(design, self._model)
        self._fresh = self._model.save()
        self._waiting: dict[Position, bytes] = {}

    def new_game(self, seed: int | None = None) -> None:
        """The next game on the same chip, which stays switched on."""
        self.random.seed(seed)
        self._fresh = self._model.save()
        self._waiting.clear()

    def conclude(self, game: Game, position: Position, side: int) -> None:
        """Let the chip, which sat on this side, see how a game has ended, if it was the user who made the last move.

        Args:
            game: The game.
            position: Its last position.
            side: 0 for X, 1 for O.
        """
        own, others = position.stones[side], position.stones[1 - side]
        if self._driver.stones() != (own, others) and self._before(game, position) is not None:
            self._play(game, position)

    def history(self) -> list[tuple[int, int]] | None:
        """How games ended, as the chip keeps them: its stones and the user's; None if it keeps none."""
        return self._driver.history() if self._driver.keeps_games else None

    def check(self, wanted: Game) -> None:
        if self._face:
            self._face.check(wanted)
        elif wanted != find_game(self._design.game):
            raise CannotPlayError(f"{self._design.name} plays only {self._design.game}, not {wanted.name}")

    def choose(self, game: Game, position: Position) -> Choice:
        """What the chip does, and its cycles."""
        own, others = position.stones[position.turn], position.stones[1 - position.turn]
        cycles = self._play(game, position) if others else self._begin(own)
        chip, user = self._driver.stones()
        shown = (user, chip) if position.turn else (chip, user)
        for move in game.moves(position):
            after = game.after(position, move)
            if after.stones == shown:
                self._waiting[after] = self._model.save()
                return Choice(move, cycles=cycles)
        raise NoMoveFoundError(
            f"the chip finds no move at {game.write(position)!r}: it expects a position that it has not lost"
        )

    def _begin(self, own: int) -> int:
        if own:
            wide = len(self._driver.layout)
            expected = "expected stones of both sides or none"
            raise NoughtsError(f"the chip cannot play on from {own:0{wide}b} alone: {expected}")
        self._model.restore(self._fresh)
        return self._driver.begin(user_first=False, start=self.random.randrange(self._driver.starts))

    def _before(self, game: Game, position: Position) -> tuple[bytes, Move] | None:
        """A state in which the chip has waited, and the user's move that leads from there to a position."""
        if game.placing_only:
            turn, others = 1 - position.turn, position.stones[1 - position.turn]
            for place in members(others):
                stones, hand = list(position.stones), list(position.hand)
                stones[turn], hand[turn] = others & ~(1 << place), hand[turn] + 1
                before = Position((stones[0], stones[1]), (hand[0], hand[1]), turn)
                if before in self._waiting:
                    return self._waiting[before], Move(place)
            return None
        # The latest first: that is where the move was made, unless somebody has taken one back.
        for before, state in reversed(self._waiting.items()):
            for move in game.moves(before):
                if game.after(before, move) == position:
                    return state, move
        return None

    def _play(self, game: Game, position: Position) -> int:
        """Bring the chip to a position by the user's last move; the cycles of its reply."""
        found = self._before(game, position)
        if found:
            self._model.restore(found[0])
            return self._driver.play(found[1])
        own, others = position.stones[position.turn], position.stones[1 - position.turn]
        self._model.restore(self._fresh)
        last = others.bit_length() - 1
        rest = others & ~(1 << last)
        if own or rest:
            self._driver.set_up(own, rest)
        else:
            self._driver.begin(user_first=True)
        return self._driver.press(last)

    def read_own(self, text: str) -> Move | None:
        return self._face.read_own(text) if self._face else None

    def write_own(self, move: Move) -> str | None:
        return self._face.write_own(move) if self._face else None
