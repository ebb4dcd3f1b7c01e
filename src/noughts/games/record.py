"""A whole game as a line of text: which game it is, where it began if not at the start, and its moves.

    tictactoe: b2 a1 c1 a3
    mnk:5,5,4: c3 b2
    achi:blocked=passes from XO./OX./... x 2,2: c3 a3

A file holds a game a line; lines that begin with `#` are remarks, as who played and how it ended, and empty lines are
nothing. Whatever is read is checked by the rules.
"""

import re
from collections.abc import Iterator

from noughts.games.catalogue import game as find_game
from noughts.games.errors import NotationError, NoughtsError
from noughts.games.playing import Playing

__all__ = ["MOST_CHARACTERS", "is_record", "read_file", "read_line", "write_line"]

MOST_CHARACTERS = 20_000
"""Of a line: more than any game has that is not played for the record's sake."""
MOST_GAMES = 10_000
"""Of a file."""
_LINE = re.compile(
    r"(?P<game>[^\s:]+(?::[^\s:]+)?)(?:\s+from\s+(?P<start>[^:]+?))?\s*:(?:\s+(?P<moves>.*))?", re.DOTALL
)


def write_line(playing: Playing) -> str:
    """A game as a line.

    Args:
        playing: The game, over or not.
    """
    game, start = playing.game, playing.positions[0]
    began = "" if start == game.start() else f" from {game.write(start)}"
    return " ".join([f"{game.name}{began}:", *map(game.write_move, playing.moves)])


def is_record(text: str) -> bool:
    """Whether a text looks like a line of this kind, right or wrong."""
    return bool(_LINE.fullmatch(text.strip()))


def read_line(text: str) -> Playing:
    """The game that a line notes.

    Args:
        text: As `write_line` makes it.

    Raises:
        NoughtsError: If there is no such game, or a move is against the rules; the message names it.
    """
    line = text.strip()
    if len(line) > MOST_CHARACTERS:
        raise NotationError(f"{line[:20]!r}… has {len(line):,} characters: expected at most {MOST_CHARACTERS:,}")
    parts = _LINE.fullmatch(line)
    if parts is None:
        raise NotationError(
            f"{line[:40]!r} is not a game: expected its name, a colon and its moves, as tictactoe: b2 a1"
        )
    game = find_game(parts["game"])
    start = game.read(parts["start"]) if parts["start"] else None
    return Playing.begin(game, start).replay((parts["moves"] or "").split())


def read_file(text: str) -> Iterator[Playing]:
    """The games of a file.

    Args:
        text: The whole file.

    Raises:
        NoughtsError: If a line is not a game; the message says which line.
    """
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip() and line[0] != "#"]
    if len(lines) > MOST_GAMES:
        raise NotationError(f"the file has {len(lines):,} games: expected at most {MOST_GAMES:,}")
    for number, line in lines:
        try:
            yield read_line(line)
        except NoughtsError as error:
            raise type(error)(f"line {number}: {error}") from None
