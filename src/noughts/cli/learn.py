"""The command `noughts learn`: the rules of a game one at a time, each with a board and something to find."""

import textwrap

from noughts.cli.arguments import GameName, Json
from noughts.cli.ask import show_board
from noughts.cli.output import console, emit
from noughts.games import game as find_game
from noughts.insight.lessons import Lesson, lessons, reply

__all__ = ["learn"]

WIDEST = 88
"""Characters of a line of text that is easy to read."""


def learn(name: GameName, json: Json = False) -> None:
    """Tell how a game is played, a rule at a time, each with a board and a move to find.

    For example: noughts learn nine-mens-morris, noughts learn achi:blocked=draws
    """
    game = find_game(name)
    if json:
        emit({"game": game.name, "lessons": [_as_json(lesson) for lesson in lessons(game)]})
        return
    out = console()
    for number, lesson in enumerate(lessons(game), 1):
        out.print(f"{number}. {lesson.title}", style="bold")
        _print(" ".join(lesson.words), out.width)
        show_board(lesson.game, lesson.position)
        if lesson.task:
            move = lesson.right[0]
            _print(f"{lesson.task} For example {lesson.game.write_move(move)}: {reply(lesson, move).words}", out.width)
        print()
    _print(f"Now play: noughts play {game.name} --against novice", out.width)


def _print(words: str, width: int) -> None:
    print(textwrap.fill(words, min(width, WIDEST), break_on_hyphens=False))


def _as_json(lesson: Lesson) -> dict[str, object]:
    return {
        "name": lesson.name,
        "title": lesson.title,
        "words": list(lesson.words),
        "game": lesson.game.name,
        "position": lesson.game.write(lesson.position),
        "task": lesson.task or None,
        "right": [lesson.game.write_move(move) for move in lesson.right],
    }
