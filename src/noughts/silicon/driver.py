"""How a person plays at the pins of a chip: begin a game, press a place, look at the board.

The places of a chip are the points of the board that it is made for (`Circuit.game`), in the order of the layout. A
stone is placed by pressing its point; one that moves, by pressing first the point that it leaves.

A chip that plays shows when it waits for the user and when the game is over, each on a pin. So a reply is the cycles
from the one in which it stops waiting to the one in which it waits again or the game is over; and a press that does
not end the waiting was illegal, and has changed nothing (`PlayingDriver`). A chip that does not play, as a referee, is
driven by whoever plays under it, move by move (`Driver` alone).
"""

from abc import ABC, abstractmethod
from typing import ClassVar

from noughts.games import Game, Layout, Move, NoughtsError
from noughts.games import game as find_game
from noughts.games.points import members
from noughts.silicon.circuit import Pins

__all__ = ["CannotSetUpError", "Driver", "IllegalPressError", "PlayingDriver", "SettingDriver", "bits"]

_SOON = 8
"""Cycles after which a press must have shown."""
_LONG = 10_000_000
"""Cycles after which any reply must have come."""


class IllegalPressError(NoughtsError):
    """A press that the chip ignores."""


class CannotSetUpError(NoughtsError):
    """A position in which this chip cannot be put."""


class Driver(ABC):
    """Somebody at the pins of one chip."""

    starts: ClassVar[int] = 1
    """In how many ways the chip can begin a game."""
    first_number: ClassVar[int] = 0
    """The number that the chip's source gives to the first point, as a1; the others follow row by row."""
    presses: ClassVar[bool] = True
    """Whether there is a place to press for somebody at the pins."""
    keeps_games: ClassVar[bool] = False
    """Whether the chip remembers how games ended."""

    def __init__(self, pins: Pins) -> None:
        self.pins = pins

    @property
    def game(self) -> Game:
        """The game whose board the chip is made for."""
        return find_game(self.pins.circuit.game)

    @property
    def layout(self) -> Layout:
        """That board."""
        return self.game.layout

    @abstractmethod
    def begin(self, *, user_first: bool, start: int = 0) -> int:
        """Reset, and begin in one of the ways in which the chip can; the cycles until the user is asked.

        Args:
            user_first: Whether the user makes the first move.
            start: Which of the ways, from 0 on.
        """

    @abstractmethod
    def press(self, place: int) -> int:
        """A stone placed, and the cycles that it takes until the next move is asked for; raise if the chip refuses it.

        Args:
            place: The number of a point, row by row from 0 on.

        Raises:
            IllegalPressError: If the chip refuses it.
        """

    def play(self, move: Move) -> int:
        """A move, and the cycles that it takes until the next one is asked for; raise if the chip refuses it.

        Args:
            move: A stone placed; or moved, on a chip at which stones move.

        Raises:
            IllegalPressError: If the chip refuses it.
        """
        if move.to is None or move.source is not None or move.capture is not None:
            raise IllegalPressError(f"{self.game.write_move(move)!r} is not a move here: stones are placed alone")
        return self.press(move.to)

    @abstractmethod
    def stones(self) -> tuple[int, int]:
        """The places of the chip's stones and of the user's, as sets of bits."""

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """Whether the chip says that the game is over."""

    def history(self) -> list[tuple[int, int]]:
        """The final boards that the chip keeps, each as `stones`; none where it keeps no games."""
        return []

    @classmethod
    @abstractmethod
    def is_working(cls, pins: Pins) -> int:
        """Whether the chip has something to do at this moment: 0 if not; another number is other work.

        Args:
            pins: A running chip.
        """


class PlayingDriver(Driver):
    """Somebody who plays against a chip."""

    waiting: ClassVar[str]
    """The pin that is high while the chip waits for the user."""
    over: ClassVar[str]
    """The pin that is high when the game is over."""
    won: ClassVar[str]
    """The pin that is high when the chip has won."""

    def begin(self, *, user_first: bool, start: int = 0) -> int:
        self._reset(user_first=user_first, start=start)
        return self.pins.run_until(self.waiting, 1, _LONG)

    def press(self, place: int) -> int:
        """The user's stone, and the cycles that the chip's reply takes.

        Args:
            place: The number of a point, row by row from 0 on.

        Raises:
            IllegalPressError: If the game is over, or there is a stone.
        """
        return self._last_press(place, Move(place))

    def play(self, move: Move) -> int:
        """The user's move, and the cycles that the chip's reply takes.

        The point that a stone leaves is pressed for a cycle and let go for a cycle; then the point that it goes to.

        Args:
            move: A stone placed or moved.

        Raises:
            IllegalPressError: If the chip does not take it.
        """
        if move.to is None or move.capture is not None:
            raise IllegalPressError(f"{self.game.write_move(move)!r} cannot be pressed: expected one point, or two")
        if move.source is not None and not self.is_over:
            self._down(move.source)
            self.pins.clock()
            self._up()
            self.pins.clock()
        return self._last_press(move.to, move)

    def _last_press(self, place: int, move: Move) -> int:
        """The press with which a move is made."""
        said = f"{self.game.write_move(move)!r} is not a move for the user"
        if self.is_over:
            raise IllegalPressError(f"{said}: the game is over")
        self._down(place)
        for _ in range(_SOON):
            self.pins.clock()
            self._up()
            if not self.pins.get(self.waiting):
                return self.pins.run_until(self.waiting, 1, _LONG, or_pin=self.over)
        raise IllegalPressError(f"{said}: {self._why_refused(move)}")

    def _why_refused(self, move: Move) -> str:
        """Why the chip took no notice."""
        chip, user = self.stones()
        if move.source is not None and not user >> move.source & 1:
            return f"there is no stone of the user on {self.layout.points[move.source]}"
        if move.to is not None and (chip | user) >> move.to & 1:
            return "there is a stone" if move.source is None else f"there is a stone on {self.layout.points[move.to]}"
        return "the chip does not take it"

    @property
    def is_over(self) -> bool:
        return bool(self.pins.get(self.over))

    @property
    def has_won(self) -> bool:
        """Whether the chip says that it has won."""
        return bool(self.pins.get(self.won))

    @classmethod
    def is_working(cls, pins: Pins) -> bool:
        """A chip works unless it waits for the user or the game is over.

        Args:
            pins: A running chip.
        """
        return not (pins.get(cls.waiting) or pins.get(cls.over))

    @abstractmethod
    def _reset(self, *, user_first: bool, start: int) -> None:
        """Reset with nothing pressed."""

    @abstractmethod
    def _down(self, place: int) -> None:
        """Press a place."""

    @abstractmethod
    def _up(self) -> None:
        """Let it go, if it is to be let go."""

    def set_up(self, chip: int, user: int) -> None:
        """Put the stones of a position on the board, the user to move.

        Args:
            chip: The places of the chip's stones, as a bit mask.
            user: The places of the user's stones, as a bit mask.

        Raises:
            CannotSetUpError: If the chip cannot be brought there.
        """
        wide = len(self.layout)
        asked = f"{chip:0{wide}b} and {user:0{wide}b}"
        raise CannotSetUpError(f"no position can be set up on this chip: asked for {asked}")


class SettingDriver(PlayingDriver):
    """Somebody who plays against a chip on which stones can be set: it has three more switches for that.

    While `quiet` is high, a press sets a stone and gets no reply; `mine` says whether the stone is the chip's. `go`
    gives the chip the turn, whatever is on the board: so it also begins.
    """

    waiting = "waiting"
    over = "over"
    won = "won"

    def begin(self, *, user_first: bool, start: int = 0) -> int:
        self._reset(user_first=user_first, start=start)
        return self.pins.run_until(self.waiting, 1, 1) if user_first else self.let_move()

    def let_move(self) -> int:
        """The chip moves, whatever is on the board; the cycles from the one in which it has the turn."""
        self.pins.set("go", 1)
        self.pins.clock()
        self.pins.set("go", 0)
        return self.pins.run_until(self.waiting, 1, _LONG, or_pin=self.over)

    def set_up(self, chip: int, user: int) -> None:
        self._reset(user_first=True, start=0)
        self.pins.set("quiet", 1)
        # The user's stones first, since a row of the chip's ends the game.
        for mine, stones in enumerate((user, chip)):
            self.pins.set("mine", mine)
            for place in members(stones):
                self._down(place)
                self.pins.clock()
        self._let_go()
        self.pins.half(0)

    def _reset(self, *, user_first: bool, start: int) -> None:  # noqa: ARG002
        self._let_go()
        self.pins.reset()

    def _let_go(self) -> None:
        """Nothing pressed, all switches down."""
        self._up()
        for pin in ("mine", "quiet", "go"):
            self.pins.set(pin, 0)


def bits(board: int, side: int, places: int = 9) -> int:
    """One side's stones on a board of two bits a place, a bit a place.

    Args:
        board: The board, two bits a place.
        side: Which of the two.
        places: How many places the board has.
    """
    return sum((board >> 2 * place + side & 1) << place for place in range(places))
