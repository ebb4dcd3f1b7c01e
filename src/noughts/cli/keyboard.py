"""Questions to whoever is at the other end of standard input, a person or a pipe: a word, yes or no, a position.

A position is asked for stone by stone, as program E of the 1977 article did to go on with an interrupted game.
"""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from noughts.games import SIDES, Game, Position
from noughts.games.legality import fault
from noughts.players.basic1977 import point_of

__all__ = ["LeaveError", "ask_position", "conversation", "question", "yes"]


class LeaveError(Exception):
    """The person, or the input, has gone."""


@contextmanager
def conversation() -> Iterator[None]:
    """What is asked and answered until somebody leaves; it ends with a goodbye, at Ctrl-C as well."""
    try:
        yield
    except LeaveError:
        print()
    except KeyboardInterrupt:
        print("\nGoodbye.")
        raise
    print("Goodbye.")


def question(prompt: str) -> str:
    """What the person answers; a pipe's answers are shown, so that the record reads like a game."""
    try:
        text = input(prompt)
    except EOFError:
        raise LeaveError from None
    if not sys.stdin.isatty():
        print(text)
    return text.strip()


def yes(asked: str, other: Callable[[str], object] | None = None) -> bool:
    """A yes or a no; anything else is handed to `other`, if there is one, and asked again."""
    while True:
        text = question(f"{asked} (y/n) ")
        answer = text.lower()
        if answer in ("y", "yes", "n", "no"):
            return answer.startswith("y")
        if answer in ("q", "quit", "exit"):
            raise LeaveError
        if other is not None:
            other(text)


def ask_position(game: Game) -> Position:
    """Ask for the stones of both sides, and for the side to move where they do not tell."""
    while True:
        stones = [0, 0]
        for side in (0, 1):
            _ask_stones(game, stones, side)
        position = _complete(game, (stones[0], stones[1]))
        wrong = fault(game.layout, game.rules, position)
        if wrong is None:
            return position
        print(f"That is not a legal position: {wrong}. Once more:")


def _ask_stones(game: Game, stones: list[int], side: int) -> None:
    """Points, or on 64 points box numbers as in 1977, one a line or several, until 0 or an empty line."""
    example = f"as {game.layout.points[0]}" + (", or a box from 1 to 64" if len(game.layout) == 64 else "")
    while True:
        words = question(f"{SIDES[side].upper()}'s points ({example}; 0 to stop): ").lower().split()
        for word in words:
            if word == "0":
                return
            point = _point(game, word)
            if point is None:
                print(f"{word!r} is not a point: expected one, {example}")
            elif (stones[0] | stones[1]) >> point & 1:
                print(f"{word!r} is taken")
            else:
                stones[side] |= 1 << point
        if not words:
            return


def _point(game: Game, word: str) -> int | None:
    if len(game.layout) == 64 and re.fullmatch("[0-9]{1,2}", word) and 1 <= int(word) <= 64:
        return point_of(int(word) - 1)
    return game.layout.index.get(word)


def _complete(game: Game, stones: tuple[int, int]) -> Position:
    """What is not on the board is in hand; X moves when as many stones of each side have been placed."""
    rules = game.rules
    counts = [side.bit_count() for side in stones]
    hand = (0, 0) if rules.captures else (rules.stones[0] - counts[0], rules.stones[1] - counts[1])
    if rules.captures or (hand == (0, 0) and not game.placing_only):
        side = question("Who is to move, x or o? ").lower()
        return Position(stones, hand, 1 if side == "o" else 0)
    return Position(stones, hand, 0 if counts[0] == counts[1] else 1)
