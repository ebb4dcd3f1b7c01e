"""A whole game as a line of text: which game it is, where it began if not at the start, and its moves.

    tictactoe: b2 a1 c1 a3
    mnk:5,5,4: c3 b2
    achi:blocked=passes from XO./OX./... x 2,2: c3 a3

Whatever is read is checked by the rules. A file can hold such lines, a game each, and between them remarks, which begin
with `#`: who played, and how it ended (`noughts.cli.saved`).
"""

from typing import NamedTuple

from noughts.games.catalogue import BASES
from noughts.games.catalogue import game as find_game
from noughts.games.errors import NotationError
from noughts.games.game import Game
from noughts.games.playing import Playing

__all__ = ["MOST_CHARACTERS", "is_record", "read_line", "write_line"]

MOST_CHARACTERS = 20_000
"""Of a line: more than any game has that is not played for the record's sake."""


def write_line(playing: Playing) -> str:
    """A game as a line.

    Args:
        playing: The game, over or not.
    """
    game, start = playing.game, playing.positions[0]
    began = "" if start == game.start() else f" from {game.write(start)}"
    return " ".join([f"{game.name}{began}:", *map(game.write_move, playing.moves)])


class _Parts(NamedTuple):
    """The words of a line, by what they say."""

    game: str
    start: str
    moves: list[str]


def _parts(line: str) -> _Parts | None:
    """The words before the colon and those after it; None if this is no such line.

    A regular expression that allows for spaces everywhere backtracks for hours on a line of nothing but spaces.
    """
    words = line.split()
    end = next((number for number, word in enumerate(words) if word.endswith(":")), None)
    if end is None:
        return None
    head = [word for word in (*words[:end], words[end][:-1]) if word]
    if len(head) == 1 or (len(head) > 2 and head[1] == "from"):
        return _Parts(head[0], " ".join(head[2:]), words[end + 1 :])
    return None


def is_record(text: str) -> bool:
    """Whether a text looks like a line of this kind, right or wrong: it begins with the name of a game and a colon.

    Args:
        text: Any text.
    """
    parts = _parts(text)
    return parts is not None and parts.game.partition(":")[0].lower() in BASES


def read_line(text: str, own: Game | None = None) -> Playing:
    """The game that a line notes.

    Args:
        text: As `write_line` makes it.
        own: The game that is meant where the line has its name, and which the catalogue does not know.

    Raises:
        NoughtsError: If there is no such game, or a move is against the rules; the message names it.
    """
    line = text.strip()
    if len(line) > MOST_CHARACTERS:
        raise NotationError(f"{line[:20]!r}… has {len(line):,} characters: expected at most {MOST_CHARACTERS:,}")
    parts = _parts(line)
    if parts is None:
        raise NotationError(f"{line[:40]!r} is not a game: expected a name, a colon and moves, as tictactoe: b2 a1")
    game = own if own is not None and parts.game == own.name else find_game(parts.game)
    start = game.read(parts.start) if parts.start else None
    return Playing.begin(game, start).replay(parts.moves)
