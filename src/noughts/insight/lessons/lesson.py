"""What a lesson is: a rule in words, a position, and the moves that do what is asked.

The reader is X and to move. A lesson without a task tells a fact.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from noughts.games import Game, Move, Position
from noughts.games.points import members

__all__ = ["Deed", "Lesson", "Reply", "lesson", "reply", "rows_made"]

LONG = 4
"""Of rows longer than this only the ends are named."""

Deed = Callable[[Position, Move], bool]
"""Whether a legal move does a task."""


@dataclass(frozen=True)
class Lesson:
    """One rule, and a position in which to try it."""

    name: str
    """What it is about, in a word or two, for programs."""
    title: str
    words: tuple[str, ...]
    """One to three sentences."""
    game: Game
    """Whose board the position is on: the game's own, or a smaller one with rows of the same length."""
    position: Position
    task: str = ""
    """What the reader is to do; empty where there is nothing to do."""
    right: tuple[Move, ...] = ()
    """The legal moves that do it."""
    praise: str = ""
    """What has happened after one of them; `{row}` stands for the points of the row that it made."""
    missed: str = ""
    """What is missing after any other."""
    traps: Mapping[Move, str] = field(default_factory=dict)
    """The same for some of the others, where more can be said."""


class Reply(NamedTuple):
    """What is said to a move."""

    done: bool
    words: str


def lesson(
    game: Game,
    position: Position | None,
    done: Deed,
    *,
    traps: Mapping[Move, str] | None = None,
    **said: str | tuple[str, ...],
) -> Lesson | None:
    """A lesson with a task; none if there is no position for it. A trap that does the task is none."""
    if position is None:
        return None
    right = tuple(move for move in game.moves(position) if done(position, move))
    wrong = {move: words for move, words in (traps or {}).items() if move not in right}
    return Lesson(game=game, position=position, right=right, traps=wrong, **said)  # type: ignore[arg-type]


def reply(lesson: Lesson, move: Move) -> Reply:
    """What is said to a legal move in the position of a lesson that has a task.

    Args:
        lesson: A lesson with a task.
        move: A legal move in its position.
    """
    if move not in lesson.right:
        written = lesson.game.write_move(move)
        return Reply(False, f"{written} is allowed, but {lesson.traps.get(move, lesson.missed)}")
    rows = " and ".join(_named(lesson.game, row) for row in rows_made(lesson.game, lesson.position, move))
    return Reply(True, lesson.praise.format(row=rows))


def rows_made(game: Game, position: Position, move: Move) -> tuple[int, ...]:
    """The lines that a legal move fills with stones of one side, as sets of points.

    Args:
        game: The game that is played.
        position: Where the move is made.
        move: A legal move.
    """
    if move.to is None:
        return ()
    own = game.after(position, move).stones[position.turn]
    return tuple(line for line in game.layout.lines_through[move.to] if own & line == line)


def _named(game: Game, row: int) -> str:
    names = [game.layout.points[point] for point in members(row)]
    return "–".join(names) if len(names) <= LONG else f"{names[0]} to {names[-1]}"
