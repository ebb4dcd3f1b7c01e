"""Games in files, a line each, as `noughts.games.record` has them: for `noughts play` and `noughts review`.

A game is added to its file with a remark: when it was played, by whom, and how it ended.
"""

import sys
from datetime import date
from pathlib import Path

from noughts.cli.output import append_to_file
from noughts.games import SIDES, NotationError, NoughtsError
from noughts.games.playing import Playing, Result
from noughts.games.record import is_record, read_line, write_line

__all__ = ["add_game", "check_games_file", "last_game", "read_text"]

MOST_BYTES = 20_000_000
"""Of a file of games."""


def add_game(path: Path, playing: Playing, names: tuple[str, str], result: Result | None) -> None:
    """Add a game to the end of a file.

    Raises:
        NoughtsError: If the file holds something else than games, or cannot be written.
    """
    content = check_games_file(path)
    new_line = "\n" if content and not content.endswith("\n") else ""
    seats = ", ".join(f"{side} {name}" for side, name in zip(SIDES, names, strict=True))
    append_to_file(path, f"{new_line}# {date.today().isoformat()}: {seats}; {_end(result)}\n{write_line(playing)}\n")


def check_games_file(path: Path) -> str:
    """What is in a file that games are to be added to; nothing if it is yet to be made.

    Raises:
        NoughtsError: If it holds something else than games.
    """
    content = read_text(path) if path.is_file() else ""
    if content.strip() and not _lines(content):
        raise NoughtsError(f"{str(path)!r} holds no games: expected a file of games, or a new one")
    return content


def last_game(text: str) -> Playing | None:
    """The last game of a file; None if no line of it is a game.

    Raises:
        NoughtsError: If that game is against the rules; the message names the line and the move.
    """
    lines = _lines(text)
    if not lines:
        return None
    number, line = lines[-1]
    try:
        return read_line(line)
    except NoughtsError as error:
        raise type(error)(f"line {number}: {error}") from None


def read_text(path: Path) -> str:
    """What a file holds; `-` is standard input.

    Raises:
        NoughtsError: If it cannot be read, or is larger than a file of games.
    """
    try:
        if str(path) == "-":
            content = sys.stdin.read(MOST_BYTES + 1)
        else:
            with path.open(encoding="utf-8-sig", errors="replace") as opened:  # some editors begin with a mark
                content = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise NoughtsError(f"{str(path)!r} cannot be read: {error.strerror}; expected a file with a game") from error
    if len(content) > MOST_BYTES:
        raise NotationError(f"{str(path)!r} is too large for a file of games: expected at most {MOST_BYTES:,} bytes")
    return content


def _lines(text: str) -> list[tuple[int, str]]:
    """The lines that are games, with their numbers."""
    lines = enumerate(text.splitlines(), 1)
    return [(number, line) for number, line in lines if not line.startswith("#") and is_record(line)]


def _end(result: Result | None) -> str:
    if result is None:
        return "unfinished"
    return f"{'a draw' if result.winner is None else f'{SIDES[result.winner]} wins'}: {result.reason}"
