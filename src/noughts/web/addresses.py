"""Addresses of pages about a position.

Rows of a position become parts of the path. A board of one or two columns has rows that browsers would take for steps
up the path, `.` and `..`; there the position goes into the query.
"""

from urllib.parse import quote, urlencode

from noughts.games import NoughtsError
from noughts.games.playing import Playing
from noughts.players import Human, player
from noughts.web.table import Table

__all__ = ["SAFE", "explore_url", "play_on_url"]

SAFE = ":,/.|="
"""What names and positions are written with, and a path may hold."""


def explore_url(game: str, position: str, move: str | None = None) -> str:
    """The page about a position, or about a move in it."""
    base = f"/explore/{quote(game, safe=SAFE)}"
    query = {"move": move} if move else {}
    if {".", ".."} & set(position.replace("|", "/").split(" ")[0].split("/")):
        query = {"position": position, **query}
    else:
        base += f"/{quote(position, safe=SAFE)}"
    return f"{base}?{urlencode(query, safe=SAFE)}" if query else base


def play_on_url(playing: Playing, names: tuple[str, str]) -> str:
    """Where this game can be played on by somebody: by the side to move, if no person sits there yet."""
    known = [name if _plays(name, playing) else Human.name for name in names]
    if Human.name not in known:
        known[playing.position.turn] = Human.name
    return Table(playing.game, (known[0], known[1]), playing, id="").url()


def _plays(name: str, playing: Playing) -> bool:
    try:
        player(name).check(playing.game)
    except NoughtsError:
        return False
    return True
