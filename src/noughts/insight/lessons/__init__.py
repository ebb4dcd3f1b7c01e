"""How a game is played, a rule at a time: a few sentences, a small board, and a move for the reader to make.

Nothing here is about one game. Which lessons there are, what they say and where their stones stand follows from the
values of the rules (`noughts.games.rules`) and from the layout, so another option or a new game has its lessons at
once. `lesson` says what a lesson is, `looking` finds positions for them, `rows` and `mills` are the lessons themselves.

Boards of free size are shown small, with rows as long as theirs: nothing that a lesson says depends on the rest.
"""

from functools import lru_cache

from noughts.games import Game, kind_of
from noughts.games import game as find_game
from noughts.games.numbers import counted
from noughts.insight.lessons.lesson import Lesson, Reply, reply, rows_made
from noughts.insight.lessons.mills import mill_lessons
from noughts.insight.lessons.rows import moving_lessons, place, placing_lessons
from noughts.insight.lessons.words import aim

__all__ = ["Lesson", "Reply", "aim", "counted", "lessons", "reply", "rows_made"]

ROOM = 5
"""Boards of free size are shown with so many columns and rows, or with one more than a row is long."""


@lru_cache(maxsize=128)
def lessons(game: Game) -> tuple[Lesson, ...]:
    """The lessons of a game, in the order in which they are best read.

    Args:
        game: A game of the catalogue.
    """
    shown = _small(game)
    course = mill_lessons if game.rules.captures else placing_lessons if game.placing_only else moving_lessons
    return tuple(lesson for lesson in (place(shown), *course(shown)) if lesson is not None)


def _small(game: Game) -> Game:
    """The game itself, or of a family of boards one that is small enough to be seen at a glance."""
    kind = kind_of(game)
    if not kind.sizes:
        return game
    columns, rows, length = (int(size) for size in game.name.partition(":")[2].split(","))
    most = max(ROOM, length + 1)
    return find_game(f"{kind.base}:{min(columns, most)},{min(rows, most)},{length}")
