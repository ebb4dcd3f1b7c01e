"""What every player is: something with a name that chooses a move in a position.

A **machine** is a player with a history; it may have a notation of its own, which it reads and writes
besides the common one. Whatever a player does at random comes from the seed it was made with.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from random import Random
from typing import ClassVar, NamedTuple

from noughts.games import Game, Move, NoughtsError, Outcome, Position, game
from noughts.games.playing import Playing
from noughts.players.chance import NoOddsError, enumerate_odds

__all__ = ["CannotPlayError", "Choice", "Human", "NoMoveFoundError", "Player", "PlayerOptionError"]


class CannotPlayError(NoughtsError):
    """A game this player does not play."""


class PlayerOptionError(NoughtsError):
    """An option the player does not have, or a value it cannot have."""


class NoMoveFoundError(NoughtsError):
    """A position in which the player's own algorithm ends without a move."""


class Choice(NamedTuple):
    """A player's move, and what it cost where the player counts."""

    move: Move
    nodes: int | None = None
    """Positions visited."""
    cycles: int | None = None
    """Clock cycles of a chip."""
    remark: str | None = None
    """What the machine says with it."""
    statements: int | None = None
    """Statements of BASIC that a program of 1977 would have executed."""


class Player(ABC):
    """A player; a fresh one for every game, so that a seed decides the whole game."""

    name: ClassVar[str]
    about: ClassVar[str]
    """One line for the catalogue."""
    title: ClassVar[str]
    """What it is called where people choose an opponent."""
    story: ClassVar[str]
    """A line or two for whoever is about to play against it."""
    strength: ClassVar[str | None] = None
    """How hard it is to beat, in words; None if it never gives value away, so that the game alone decides."""
    machine: ClassVar[bool] = False
    """Whether it has a history."""
    year: ClassVar[int | None] = None
    """When the machine was made, if that is known."""
    design: ClassVar[str | None] = None
    """The chip that plays like it, if there is one."""
    last_words: ClassVar[dict[Outcome, str]] = {}
    """What it prints at the end of a game it has won, drawn or lost, as its source has it."""
    plays_only: ClassVar[tuple[str, ...]] = ()
    """The games the player was made for, its own first, if it plays no others."""
    plays: ClassVar[str] = "all games"
    """The same in words."""
    options: ClassVar[dict[str, str]] = {}
    """What can be set after a colon, as in `basic2:harder=yes`, and the usual values."""

    def __init_subclass__(cls) -> None:
        """A player that plays only some games need not say so twice."""
        if "plays_only" in cls.__dict__ and "plays" not in cls.__dict__:
            cls.plays = " or ".join(cls.plays_only)

    def __init__(self, seed: int | None = None, options: dict[str, str] | None = None) -> None:
        self.random = Random(seed)
        self.chosen = {**self.options, **(options or {})}
        for option in self.chosen:
            if option not in self.options:
                known = ", ".join(self.options) or "no options"
                raise PlayerOptionError(f"{option!r} is not an option of {self.name}: expected {known}")

    def __repr__(self) -> str:
        return f"<Player {self.name}>"

    def number(self, option: str, least: int, most: int) -> int:
        """The value of an option that is a whole number.

        Args:
            option: The name of the option.
            least: The smallest number that it takes.
            most: The largest.

        Raises:
            PlayerOptionError: If what was given is no such number.
        """
        text = self.chosen[option]
        if not re.fullmatch("[0-9]{1,9}", text) or not least <= int(text) <= most:
            raise PlayerOptionError(f"{option}={text!r} of {self.name}: expected a number from {least} to {most}")
        return int(text)

    def truth(self, option: str) -> bool:
        """The value of an option that is yes or no.

        Args:
            option: The name of the option.

        Raises:
            PlayerOptionError: If what was given is neither yes nor no.
        """
        if self.chosen[option] not in ("yes", "no"):
            raise PlayerOptionError(f"{option}={self.chosen[option]!r} of {self.name}: expected yes or no")
        return self.chosen[option] == "yes"

    def word(self, option: str, words: tuple[str, ...]) -> str:
        """The value of an option that is one of some words.

        Args:
            option: The name of the option.
            words: What it takes.

        Raises:
            PlayerOptionError: If what was given is none of them.
        """
        if self.chosen[option] not in words:
            raise PlayerOptionError(f"{option}={self.chosen[option]!r} of {self.name}: expected {', '.join(words)}")
        return self.chosen[option]

    def check(self, wanted: Game) -> None:
        """Raise an error if this player does not play this game.

        Args:
            wanted: The game to be played.

        Raises:
            CannotPlayError: If this player does not play it.
        """
        own = [game(name) for name in self.plays_only]
        if own and (wanted.layout, wanted.rules) not in [(known.layout, known.rules) for known in own]:
            raise CannotPlayError(f"{self.name} plays only {' or '.join(self.plays_only)}, not {wanted.name!r}")

    @abstractmethod
    def choose(self, game: Game, position: Position) -> Choice:
        """A legal move in a position that is not over.

        Args:
            game: The game that is played.
            position: Where the move is to be made; not over.

        Raises:
            NoMoveFoundError: If the player's own algorithm finds none.
        """

    def odds(self, game: Game, position: Position) -> dict[Move, float]:
        """How likely it is to choose which move, exactly: `choose` itself, with all its draws in every way.

        Args:
            game: A game that the player plays.
            position: A position of it that is not over.

        Returns:
            The probability of every move that it may choose; together 1.

        Raises:
            NoOddsError: If its moves can be sampled and not judged exactly (`noughts.players.chance`).
            NoMoveFoundError: As `choose` does.
        """

        def choose(chance: Random) -> Move:
            self.random = chance
            return self.choose(game, position).move

        own = self.random
        try:
            return enumerate_odds(choose)
        except NoOddsError as error:
            raise NoOddsError(f"{self.name} can be sampled at {game.name}, but not judged exactly: {error}") from None
        finally:
            self.random = own

    def reply(self, playing: Playing) -> Choice:
        """A legal move in a game that goes on; where the past matters to a player, it looks at that as well.

        Args:
            playing: The game so far; not over.

        Raises:
            NoMoveFoundError: If the player's own algorithm finds none.
        """
        return self.choose(playing.game, playing.position)

    def read_own(self, text: str) -> Move | None:  # noqa: ARG002
        """The move noted in the player's own notation; None if it has none, or this is not it.

        Args:
            text: A move, as somebody typed it.
        """
        return None

    def write_own(self, move: Move) -> str | None:  # noqa: ARG002
        """The move in the player's own notation; None if it has none.

        Args:
            move: A move of the game that it plays.
        """
        return None


class Human(Player):
    """A person: passes the question on to whoever can ask."""

    name = "human"
    about = "you, at the keyboard"
    title = "a person"
    story = "Somebody at the keyboard."

    def __init__(self, ask: Callable[[Game, Position], Move]) -> None:
        super().__init__()
        self._ask = ask

    def choose(self, game: Game, position: Position) -> Choice:
        """Whatever the person answers; the one who asks sees to it that it is legal.

        Args:
            game: The game that is played.
            position: Where the move is to be made.
        """
        return Choice(self._ask(game, position))
