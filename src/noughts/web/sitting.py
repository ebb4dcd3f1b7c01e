"""A game being played, as its URL has it: `/play/achi?x=human&o=casual&moves=b2.a1&id=…`; and addresses of positions.

Everything that the server has to know stands in the URL, so nothing is kept: the browser's back is undo, a link shares
the game, and a server that was killed goes on where it was. What stands there may be anything, so it is read with
care: unknown names and illegal moves are errors that say so.

    x, o      who plays: human, or a player's name
    moves     the moves so far, between dots
    start     the position to begin with, if it is not the usual one
    id        which game this is; a finished game is kept once under it
    future    moves that were taken back, for redo
    part      the beginning of a move that takes several clicks: a stone to slide, a place with a stone to capture
    values, hint      what is shown: worth of all moves, a hint
    view, rotate      `boards` or `cube`, and how far the cube is rotated, in degrees; Qubic is a cube unless told
    play, to  what a button of the page adds, a move or the ply to go to; the answer leads to the address without them
    cost      what the last reply cost: milliseconds.cycles.positions.statements, a dash for what is
              not known; statements may be missing
    spent     how long the machines have thought in all, in milliseconds

In addresses of positions, rows become parts of the path. A board of one or two columns has rows that browsers would
take for steps up the path, `.` and `..`; there the position goes into the query.
"""

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from urllib.parse import quote, quote_plus, urlencode

from noughts.games import KINDS, Game, NoughtsError
from noughts.games import game as find_game
from noughts.games.playing import Playing
from noughts.players import LEVELS, PLAYERS, Human, Player, player
from noughts.records.history import LONGEST_MOVE, MOST_MOVES, MOST_NOTATION
from noughts.web.asking.questions import web_sized
from noughts.web.boards.linked import ROTATION

__all__ = [
    "GAMES",
    "SAFE",
    "BadAddressError",
    "Sitting",
    "embed_url",
    "explore_url",
    "new_id",
    "picture_url",
    "play_on_url",
    "players_of",
    "read_sitting",
    "review_url",
    "usual_opponent",
]

GAMES = {kind.example: kind for kind in KINDS}
"""The games that pages list, by name; of boards of free size one that is neither tiny nor known by heart."""
MOST_TEXT = 4_000
"""Characters in any one part of a URL."""
LONGEST_NAME = 60
"""Characters of a game's or a player's name with its options; a game's may be twice as long."""
FIRST_RUNG = 2
"""Of the ladder, where everybody begins; a browser remembers how far its owner has climbed (`level.js`)."""
_PLAIN = re.compile("[A-Za-z0-9_.:,/|=~-]*")
"""What needs no quoting in an address."""


class BadAddressError(NoughtsError):
    """A part of a URL that means nothing."""


@dataclass(frozen=True)
class Sitting:
    """A game in progress or finished, and how it is looked at."""

    game: Game
    names: tuple[str, str]
    playing: Playing
    id: str
    future: tuple[str, ...] = ()
    part: str = ""
    values: bool = False
    hint: bool = False
    view: str = ""
    """`boards` or `cube`; empty for the view that the game usually has."""
    rotation: int = ROTATION
    cost: str = ""
    spent: int = 0

    @cached_property
    def moves(self) -> tuple[str, ...]:
        """The moves so far, as they are written."""
        return tuple(self.game.write_move(move) for move in self.playing.moves)

    @property
    def start(self) -> str:
        """The position the game began with."""
        return self.game.write(self.playing.positions[0])

    @property
    def usual_start(self) -> bool:
        """Whether it began as the rules have it."""
        return self.playing.positions[0] == self.game.start()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.playing.result is not None

    @property
    def full(self) -> bool:
        """Whether the game has as many moves as an address holds, and so can go no further."""
        return len(self.moves) >= MOST_MOVES or len(".".join(self.moves)) + LONGEST_MOVE > MOST_NOTATION

    @property
    def cube(self) -> bool:
        """Whether the levels stand above each other."""
        return (self.view or usual_view(self.game)) == "cube"

    def seen_as(self, view: str) -> "Sitting":
        """The same game as `boards` or as a `cube`."""
        return replace(self, view="" if view == usual_view(self.game) else view, rotation=ROTATION)

    @property
    def turn_name(self) -> str:
        """Who is to move."""
        return self.names[self.playing.position.turn]

    @property
    def machine_to_move(self) -> bool:
        """Whether a machine has to answer now."""
        return not self.over and self.turn_name != Human.name

    @property
    def answers_by_itself(self) -> bool:
        """Whether the machine answers unasked: to a person, and not while somebody looks back at earlier moves."""
        return self.machine_to_move and Human.name in self.names and not self.future and not self.full

    def question(self, plies: int) -> tuple[str, str, str, tuple[str, ...], int]:
        """What is asked of the machine that is to move after so many moves (the arguments of `questions.reply`).

        The last of them is its seed: the same when the same is asked again, another at every move. So a machine's moves
        can be replayed from an address alone.
        """
        moves = self.moves[:plies]
        seed = int.from_bytes(sha256(f"{self.id} {'.'.join(moves)}".encode()).digest()[:6], "big")
        return self.game.name, self.names[self.playing.positions[plies].turn], self.start, moves, seed

    def then(self, move: str) -> "Sitting":
        """After one more move; what was taken back is gone, unless it was this move."""
        after = self.playing.then(self.game.read_move(self.playing.position, move))
        future = self.future[1:] if self.future[:1] == (move,) else ()
        return replace(self, playing=after, future=future, part="", hint=False, cost="")

    def back(self) -> "Sitting":
        """Before the last move of a person, or before the last move if nobody here is one; itself if there is none."""
        for plies in range(1, len(self.moves) + 1):
            before = self.playing.positions[-1 - plies]
            if Human.name not in self.names or self.names[before.turn] == Human.name:
                return self.at(len(self.moves) - plies)
        return self

    def forth(self) -> "Sitting":
        """Forward again to the next turn of a person, as far as the moves that were taken back reach."""
        sitting = self
        while sitting.future:
            sitting = sitting.then(sitting.future[0])
            if sitting.over or not sitting.machine_to_move:
                break
        return sitting

    def at(self, plies: int) -> "Sitting":
        """As it was after so many moves; the others can be gone through again."""
        before = self.playing.back(len(self.moves) - plies)
        return replace(self, playing=before, future=self.moves[plies:] + self.future, part="", hint=False, cost="")

    def swapped(self) -> "Sitting":
        """The same game with the seats exchanged."""
        return replace(self, names=(self.names[1], self.names[0]), part="", hint=False, cost="")

    def against(self, x: str, o: str) -> "Sitting":
        """The same game between others."""
        return replace(self, names=(x, o))

    def anew(self) -> "Sitting":
        """A new game of the same kind; it gets its id when it is begun."""
        first = self.playing.back(len(self.moves))
        return replace(self, playing=first, id="", future=(), part="", hint=False, cost="", spent=0)

    def query(self, **extra: str) -> dict[str, str]:
        """What the address of this sitting says, by name, with some of it replaced; nothing is empty."""
        said = {
            "x": self.names[0],
            "o": self.names[1],
            "moves": ".".join(self.moves),
            "start": "" if self.usual_start else self.start,
            "id": self.id,
            "future": ".".join(self.future),
            "part": self.part,
            "values": "1" if self.values else "",
            "hint": "1" if self.hint else "",
            "view": self.view,
            "rotate": str(self.rotation) if self.cube and self.rotation != ROTATION else "",
            "cost": self.cost,
            "spent": str(self.spent or ""),
            **extra,
        }
        return {name: value for name, value in said.items() if value}

    @property
    def path(self) -> str:
        """The address of the game that is played, without who plays and how."""
        return f"/play/{quote(self.game.name, safe=':,=')}"

    def url(self, **extra: str) -> str:
        """The address of this sitting, with some of what it says replaced, or left out where it is empty."""
        kept = [f"{name}={_quoted(value)}" for name, value in self.query(**extra).items()]
        return f"{self.path}?{'&'.join(kept)}"

    def url_after(self, move: str) -> str:
        """The address after one more legal move; a move that was taken back is followed by the replies to it."""
        if self.future[:1] == (move,):
            return self.forth().url()
        return self.url(moves=".".join((*self.moves, move)), future="", part="", hint="", cost="")

    def url_at(self, plies: int) -> str:
        """The address after so many of all moves, those that were taken back among them."""
        every = self.moves + self.future
        return self.url(moves=".".join(every[:plies]), future=".".join(every[plies:]), part="", hint="", cost="")

    def form(self) -> dict[str, str]:
        """What a form says besides its button: `play` a point, `try` one, or go `to` a ply of the list of moves."""
        return replace(self, part="", hint=False, cost="").query()

    def url_of_button(self, query: Mapping[str, str]) -> str:
        """The address that a button of that form leads to; empty if none was pressed."""
        if query.get("play"):
            if self.over or self.full or self.machine_to_move:
                raise BadAddressError(f"play={query['play'][:20]!r}: expected a game in which it is a person's turn")
            text = _short("the move", query["play"], LONGEST_MOVE)
            return self.url_after(self.game.write_move(self.game.read_move(self.playing.position, text)))
        if query.get("to"):
            most = len(self.moves + self.future)
            plies = int(_matching(query, "to", "[0-9]{1,4}", "the number of a ply"))
            if plies > most:
                raise BadAddressError(f"to={plies}: expected a ply from 0 to {most}")
            return self.url_at(plies)
        return ""

    def shared(self) -> str:
        """The address to share: the game alone, without what only one person looks at."""
        return replace(self, future=(), part="", values=False, hint=False, cost="", spent=0).url()


def _quoted(value: str) -> str:
    """A value as it stands in an address; hardly any needs quoting, and a page has hundreds of addresses."""
    return value if _PLAIN.fullmatch(value) else quote_plus(value, safe=".:,/|=")


def new_id() -> str:
    """A name for a new game."""
    return secrets.token_urlsafe(9)


def read_sitting(name: str, query: Mapping[str, str]) -> Sitting:
    """The sitting of a URL."""
    for key, text in query.items():
        if len(text) > MOST_TEXT:
            raise BadAddressError(
                f"{key[:20]}={text[:20]!r}… has {len(text):,} characters: expected at most {MOST_TEXT:,}"
            )
    game = find_game(_short("the game", name, 2 * LONGEST_NAME))
    names = (_seat(query, "x", game), _seat(query, "o", game))
    playing = Playing.begin(game, game.read(query["start"]) if query.get("start") else None)
    for text in _moves(query, "moves"):
        if playing.result is not None:
            raise BadAddressError(f"the game is over before {text!r}: expected no more moves")
        playing = playing.then(game.read_move(playing.position, text))
    levels = len(game.layout.rows) > 1
    view = query.get("view", "") if levels and query.get("view") in ("boards", "cube") else usual_view(game)
    degrees = int(_matching(query, "rotate", "[0-9]{0,3}", "degrees from 0 to 359") or ROTATION) % 360
    return Sitting(
        game=game,
        names=names,
        playing=playing,
        id=_matching(query, "id", "[A-Za-z0-9_-]{0,40}", "at most 40 letters, digits, - and _"),
        future=_future(playing, _moves(query, "future")),
        part=_part(playing, query),
        values=query.get("values") == "1",
        hint=query.get("hint") == "1",
        view="" if view == usual_view(game) else view,
        rotation=degrees if view == "cube" else ROTATION,
        cost=_matching(query, "cost", r"([0-9]{1,9}|-)(\.([0-9]{1,12}|-)){2,3}|", "four numbers, as 12.6496.-.-"),
        spent=int(_matching(query, "spent", "[0-9]{0,9}", "milliseconds") or 0),
    )


@lru_cache(64)
def usual_view(game: Game) -> str:
    """How a game is seen if nobody wishes otherwise: as a cube, where lines lead from level to level."""
    places = game.layout.places
    return "cube" if any(places[line[0]].level != places[line[-1]].level for line in game.layout.lines) else "boards"


def players_of(game: Game) -> dict[str, type[Player]]:
    """The machines that play this game, by name."""
    able = {}
    with web_sized():
        for name, kind in PLAYERS.items():
            if name == Human.name:
                continue
            try:
                player(name).check(game)
            except NoughtsError:
                continue
            able[name] = kind
    return able


def usual_opponent() -> str:
    """Whom to meet first: a rung of the ladder that a beginner beats, at every game."""
    return LEVELS[FIRST_RUNG - 1].name


def _short(what: str, text: str, most: int) -> str:
    if len(text) > most:
        raise BadAddressError(f"{what} {text[:40]!r}… has {len(text):,} characters: expected at most {most}")
    return text


def _seat(query: Mapping[str, str], side: str, game: Game) -> str:
    """Who plays this side: somebody who exists and plays this game."""
    name = _short(f"the player {side}", query.get(side) or Human.name, LONGEST_NAME)
    if name != Human.name:
        with web_sized():
            player(name).check(game)
    return name


def _moves(query: Mapping[str, str], key: str) -> tuple[str, ...]:
    """The moves between dots."""
    text = query.get(key, "")
    words = tuple(word for word in text.split(".") if word)
    if len(words) > MOST_MOVES or len(text) > MOST_NOTATION:
        raise BadAddressError(
            f"{key} has {len(words)} moves in {len(text):,} characters: "
            f"expected at most {MOST_MOVES} in {MOST_NOTATION:,}"
        )
    long = next((word for word in words if len(word) > LONGEST_MOVE), None)
    if long:
        raise BadAddressError(f"{long[:20]!r}… in {key} has {len(long)} characters: expected a move, as b2")
    return words


def _future(playing: Playing, words: tuple[str, ...]) -> tuple[str, ...]:
    """The moves that were taken back, each of them legal when its turn comes."""
    for text in words:
        if playing.result is not None:
            raise BadAddressError(f"the game is over before {text!r} in future: expected no more moves")
        playing = playing.then(playing.game.read_move(playing.position, text))
    return tuple(playing.game.write_move(move) for move in playing.moves[len(playing.moves) - len(words) :])


def _part(playing: Playing, query: Mapping[str, str]) -> str:
    """The beginning of a move that is legal here."""
    point = "[a-z][0-9]{1,2}"
    text = _matching(
        query, "part", f"({point}-)?({point}x)?", "a stone to slide, as a1-, or a place before captures, as b2x"
    )
    moves = (playing.game.write_move(move) for move in playing.game.moves(playing.position)) if text else ()
    if text and not any(move.startswith(text) for move in moves):
        raise BadAddressError(f"part={text!r} begins no legal move: expected the beginning of one")
    return text


def _matching(query: Mapping[str, str], key: str, pattern: str, expected: str) -> str:
    text = query.get(key, "")
    if not re.fullmatch(pattern, text):
        raise BadAddressError(f"{key}={text[:40]!r} is not understood: expected {expected}")
    return text


SAFE = ":,/.|="
"""What names and positions are written with, and a path may hold."""


def explore_url(game: str, position: str, move: str | None = None, more: Mapping[str, str] | None = None) -> str:
    """The page about a position, or about a move in it; `more` is what else stands in the query."""
    base = f"/explore/{quote(game, safe=SAFE)}"
    query = {**(more or {}), **({"move": move} if move else {})}
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
    return Sitting(playing.game, (known[0], known[1]), playing, id="").url()


def review_url(playing: Playing, names: tuple[str, str], ply: int | None = None) -> str:
    """The review of a game, at a ply if one is said."""
    address = Sitting(playing.game, names, playing, id="").url(ply="" if ply is None else str(ply))
    return f"/review{address.removeprefix('/play')}"


def embed_url(
    game: str, playing: Playing | None = None, names: tuple[str, str] = ("", ""), ply: int | None = None
) -> str:
    """A game to step through in a frame; without moves, the empty board."""
    if playing is None:
        return f"/embed/{quote(game, safe=':,=')}"
    address = Sitting(playing.game, names, playing, id="").url(ply="" if ply is None else str(ply))
    return f"/embed{address.removeprefix('/play')}"


def picture_url(game: str, position: str, kind: str = "png") -> str:
    """A board as a picture, as PNG or SVG."""
    return f"/embed/{quote(game, safe=':,=')}.{kind}?position={_quoted(position)}"


def _plays(name: str, playing: Playing) -> bool:
    try:
        player(name).check(playing.game)
    except NoughtsError:
        return False
    return True
