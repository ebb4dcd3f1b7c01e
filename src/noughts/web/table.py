"""A game being played, as its URL has it: `/play/achi?x=human&o=casual&moves=b2.a1&id=…`.

Everything that the server has to know stands in the URL, so nothing is kept: the browser's back is undo, a link shares
the game, and a server that was killed goes on where it was. What stands there may be anything, so it is read with care:
unknown names and illegal moves are errors that say so.

    x, o      who plays: human, or a player's name
    moves     the moves so far, between dots
    start     the position to begin with, if it is not the usual one
    id        which game this is; a finished game is kept once under it
    future    moves that were taken back, for redo
    part      the beginning of a move that takes several clicks: a stone to slide, a place with a stone to capture
    values, hint, view      what is shown: worth of all moves, a hint, four boards or a cube
    cost      what the last reply cost: milliseconds.cycles.positions, a dash for what is not known
"""

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote, urlencode

from noughts.games import Game, NoughtsError
from noughts.games import game as find_game
from noughts.games.playing import Playing
from noughts.players import PLAYERS, Human, player

__all__ = ["BadAddressError", "Table", "read_table"]

MOST_TEXT = 4_000
"""Characters in any one part of a URL."""
MOST_MOVES = 400


class BadAddressError(NoughtsError):
    """A part of a URL that means nothing."""


@dataclass(frozen=True)
class Table:
    """A game in progress or finished, and how it is looked at."""

    game: Game
    names: tuple[str, str]
    playing: Playing
    id: str
    future: tuple[str, ...] = ()
    part: str = ""
    values: bool = False
    hint: bool = False
    view: str = "boards"
    cost: str = ""

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves so far, as they are written."""
        return tuple(self.game.write_move(move) for move in self.playing.moves)

    @property
    def start(self) -> str:
        """The position the game began with."""
        return self.game.write(self.playing.positions[0])

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.playing.result is not None

    @property
    def turn_name(self) -> str:
        """Who is to move."""
        return self.names[self.playing.position.turn]

    @property
    def machine_to_move(self) -> bool:
        """Whether a machine has to answer now."""
        return not self.over and self.turn_name != Human.name

    def then(self, move: str) -> "Table":
        """After one more move; what was taken back is gone, unless it was this move."""
        after = self.playing.then(self.game.read_move(self.playing.position, move))
        future = self.future[1:] if self.future[:1] == (move,) else ()
        return replace(self, playing=after, future=future, part="", hint=False, cost="")

    def back(self) -> "Table":
        """Before the last move of a person, or before the last move if nobody here is one; itself if there is none."""
        for plies in range(1, len(self.playing.moves) + 1):
            before = self.playing.back(plies)
            if Human.name not in self.names or self.names[before.position.turn] == Human.name:
                gone = self.moves[len(self.moves) - plies :]
                return replace(self, playing=before, future=gone + self.future, part="", hint=False, cost="")
        return self

    def forth(self) -> "Table":
        """Forward again to the next turn of a person, as far as the moves that were taken back reach."""
        table = self
        while table.future:
            table = table.then(table.future[0])
            if table.over or not table.machine_to_move:
                break
        return table

    def swapped(self) -> "Table":
        """The same game with the seats exchanged."""
        return replace(self, names=(self.names[1], self.names[0]), part="", hint=False, cost="")

    def anew(self) -> "Table":
        """A new game of the same kind."""
        return replace(self, playing=self.playing.back(len(self.moves)), id=new_id(), future=(), part="", cost="")

    def url(self, **extra: str) -> str:
        """The address of this table."""
        usual = self.playing.positions[0] == self.game.start()
        query = {
            "x": self.names[0],
            "o": self.names[1],
            "moves": ".".join(self.moves),
            "start": "" if usual else self.start,
            "id": self.id,
            "future": ".".join(self.future),
            "part": self.part,
            "values": "1" if self.values else "",
            "hint": "1" if self.hint else "",
            "view": "" if self.view == "boards" else self.view,
            "cost": self.cost,
            **extra,
        }
        kept = {name: value for name, value in query.items() if value}
        return f"/play/{quote(self.game.name, safe=':,')}?{urlencode(kept, safe='.:/|')}"

    def shared(self) -> str:
        """The address to share: the game alone, without what only one person looks at."""
        return replace(self, future=(), part="", values=False, hint=False, cost="").url()


def new_id() -> str:
    """A name for a new game."""
    return secrets.token_urlsafe(9)


def read_table(name: str, query: Mapping[str, str]) -> Table:
    """The table of a URL."""
    for key, text in query.items():
        if len(text) > MOST_TEXT:
            raise BadAddressError(f"{key}={text[:20]!r}… has {len(text):,} characters: expected at most {MOST_TEXT:,}")
    rules = find_game(name[:200])
    names = (_seat(query, "x", rules), _seat(query, "o", rules))
    playing = Playing.begin(rules, rules.read(query["start"]) if query.get("start") else None)
    moves = _words(query, "moves")
    for text in moves:
        if playing.result is not None:
            raise BadAddressError(f"the game is over before {text!r}: expected no more moves")
        playing = playing.then(rules.read_move(playing.position, text))
    return Table(
        game=rules,
        names=names,
        playing=playing,
        id=_matching(query, "id", "[A-Za-z0-9_-]{0,40}"),
        future=_words(query, "future"),
        part=_matching(query, "part", "[a-z0-9x-]{0,12}"),
        values=query.get("values") == "1",
        hint=query.get("hint") == "1",
        view="cube" if query.get("view") == "cube" else "boards",
        cost=_matching(query, "cost", r"([0-9]{1,9}|-)(\.([0-9]{1,12}|-)){2}|"),
    )


def _seat(query: Mapping[str, str], side: str, game: Game) -> str:
    """Who plays this side: somebody who exists and plays this game."""
    name = query.get(side) or Human.name
    if name != Human.name:
        player(name).check(game)
    return name


def _words(query: Mapping[str, str], key: str) -> tuple[str, ...]:
    words = tuple(word for word in query.get(key, "").split(".") if word)
    if len(words) > MOST_MOVES:
        raise BadAddressError(f"{key} has {len(words)} moves: expected at most {MOST_MOVES}")
    return words


def _matching(query: Mapping[str, str], key: str, pattern: str) -> str:
    text = query.get(key, "")
    if not re.fullmatch(pattern, text):
        raise BadAddressError(f"{key}={text[:40]!r} is not understood: expected {pattern}")
    return text


def players_of(game: Game) -> dict[str, Any]:
    """The machines that play this game, by name."""
    able = {}
    for name, kind in PLAYERS.items():
        if name == Human.name:
            continue
        try:
            player(name).check(game)
        except NoughtsError:
            continue
        able[name] = kind
    return able
