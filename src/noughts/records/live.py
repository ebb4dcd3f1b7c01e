"""A live game: two people at two devices, or a person and a machine; and what each of them may do in it.

A live game is a value with a **version**, which every change makes one larger. Who does something says which version
they saw: `deed(live, side, text)` is the game after the deed, and whoever keeps live games (`live_games`) puts it in
the place of that version and of no other (compare-and-set). So of two deeds that answer the same version one is done,
and the other is told that the game has moved on.

    move M          the turn of this side; whatever was offered is withdrawn by it
    offer back      may I take back my last move?      the position before it comes back
    offer draw      shall we call it a draw?           the game ends
    offer again     once more?                         a new game, with sides exchanged
    accept          the other's offer
    decline         the other's offer; or withdraw one's own
    resign          the other one has won

An offer stands until it is answered, or until somebody moves. Who offers what the other has offered accepts it. A
machine agrees at once to take back and to play again; it has no opinion on draws. A game that has ended stays as it is:
nothing is taken back in it.

**Tokens.** Whoever knows a token may do what it is for, since there are no accounts: one for each side, one to watch.
They are random, 128 bits, and begin with the letter of what they are for; none follows from another.
"""

import secrets
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from noughts.games import SIDES, NoughtsError
from noughts.games import game as find_game
from noughts.games.playing import Playing, Result
from noughts.records.history import LONGEST_MOVE, MOST_MOVES, MOST_NOTATION, Finished

__all__ = [
    "LONGEST_DEED",
    "LONGEST_NAME",
    "OFFERS",
    "PERSON",
    "PUPIL",
    "TEACHER",
    "WATCHER",
    "DeedError",
    "LiveGame",
    "Offer",
    "deed",
    "new_token",
    "rematch",
]

PERSON = "human"
"""The player that is a person, as finished games have it."""
WATCHER, TEACHER, PUPIL = "w", "t", "p"
"""The letters that tokens begin with, besides those of the two sides."""
OFFERS = ("back", "draw", "again")
LONGEST_DEED = 28
LONGEST_NAME = 30


class DeedError(NoughtsError):
    """Something that this side may not do now."""


class Offer(NamedTuple):
    """What one side has offered the other."""

    side: int
    what: str


@dataclass(frozen=True, kw_only=True)
class LiveGame:
    """A live game, as it is at one version."""

    id: int
    version: int = 0
    tokens: tuple[str, str]
    """Of X and of O."""
    watch_token: str
    game: str
    start: str | None = None
    """The position it began from; None for the usual start."""
    moves: tuple[str, ...] = ()
    players: tuple[str, str] = (PERSON, PERSON)
    """`human`, or the name of a machine."""
    names: tuple[str, str] = ("", "")
    """What they call themselves; empty for who has not said."""
    offer: Offer | None = None
    result: str = ""
    """The side that won, `x` or `o`, or `draw`; empty while the game goes on."""
    reason: str = ""
    record: int | None = None
    """The number of the finished game in the history."""
    next_token: str | None = None
    """The watching token of the game that followed."""
    wins: tuple[int, int] = (0, 0)
    draws: int = 0
    """How the two have fared so far, in this game and those before it."""
    classroom: int | None = None
    host: int | None = None
    """The side that invited the other, and so may know its token."""
    waiting: bool = False
    """Whether O is still free, for the next pupil of a classroom."""
    began_at: datetime
    touched_at: datetime

    @property
    def playing(self) -> Playing:
        """The game by its rules."""
        return _replayed(self.game, self.start, self.moves)

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return bool(self.result)

    @property
    def turn(self) -> int:
        """The side to move."""
        return self.playing.position.turn

    @property
    def machine(self) -> int | None:
        """The side that a machine plays, if one does."""
        return next((side for side in (0, 1) if self.players[side] != PERSON), None)

    @property
    def machine_to_move(self) -> bool:
        """Whether a machine has to answer now."""
        return not self.over and self.machine is not None and self.turn == self.machine

    def side_of(self, token: str) -> int | None:
        """The side that a token plays; None for the one that watches.

        Args:
            token: A token of this game.
        """
        return self.tokens.index(token) if token in self.tokens else None

    def back_to(self, side: int) -> int | None:
        """How many moves are left when a side takes back its last one; None if it has made none.

        Args:
            side: 0 for X, 1 for O.
        """
        plies = range(len(self.moves) - 1, -1, -1)
        return next((ply for ply in plies if self.playing.positions[ply].turn == side), None)

    def finished(self) -> Finished:
        """The game as the history keeps it: without what people call themselves, since everybody may read that.

        The moves of a machine are its own, for nobody else could make them.
        """
        return Finished(
            token=self.watch_token,
            game=self.game,
            x=self.players[0],
            o=self.players[1],
            start=self.start,
            moves=" ".join(self.moves),
            result=self.result,
            reason=self.reason,
            verified=None if self.machine is None else True,
        )


@lru_cache(256)
def _replayed(name: str, start: str | None, moves: tuple[str, ...]) -> Playing:
    """The game after these moves; kept, since both who play and all who watch ask for the same one."""
    game = find_game(name)
    playing = Playing.begin(game, game.read(start) if start else None)
    for text in moves:
        playing = playing.then(game.read_move(playing.position, text))
    return playing


def new_token(kind: str) -> str:
    """A token that nobody can guess: 128 bits after the letter that says what it is for."""
    return kind + secrets.token_urlsafe(16)


def deed(live: LiveGame, side: int, text: str) -> LiveGame:
    """The game after a deed of a side, one version further; an error that says why if it may not do that now.

    A rematch shows in `next_token`, which is new then: the game of that token is to be made by `rematch`.
    """
    verb, _, rest = text.partition(" ")
    if verb == "move" and rest:
        after = _moved(_open(live), side, rest)
    elif text == "resign":
        after = _ended(_open(live), Result(1 - side, f"{SIDES[side].upper()} resigned"))
    elif verb == "offer" and rest in OFFERS:
        after = _offered(live, side, rest)
    elif text == "accept":
        if live.offer is None or live.offer.side == side:
            raise DeedError("there is nothing to accept: expected an offer of the other side")
        after = _agreed(live, live.offer)
    elif text == "decline":
        if live.offer is None:
            raise DeedError("there is nothing to decline: expected an offer")
        after = replace(live, offer=None)
    else:
        expected = "move M, offer back, offer draw, offer again, accept, decline or resign"
        raise DeedError(f"{text[:LONGEST_DEED]!r} is not a deed: expected {expected}")
    return replace(after, version=live.version + 1)


def _open(live: LiveGame) -> LiveGame:
    if live.over:
        raise DeedError("the game is over: expected a game that goes on")
    if live.waiting:
        raise DeedError("nobody sits at the other side yet: expected a game of two")
    return live


def _moved(live: LiveGame, side: int, text: str) -> LiveGame:
    if live.turn != side:
        turn = SIDES[live.turn].upper()
        raise DeedError(f"{text[:LONGEST_DEED]!r} has to wait: it is the turn of {turn}")
    if len(text) > LONGEST_MOVE:
        raise DeedError(f"{text[:LONGEST_DEED]!r} is too long for a move: expected one as b2")
    game = live.playing.game
    playing = live.playing.then(game.read_move(live.playing.position, text))
    moves = (*live.moves, game.write_move(playing.moves[-1]))
    after = replace(live, moves=moves, offer=None)
    result = playing.result
    if result is None and (len(moves) >= MOST_MOVES or len(" ".join(moves)) + LONGEST_MOVE > MOST_NOTATION):
        result = Result(None, f"nobody had won after {len(moves)} moves")
    return after if result is None else _ended(after, result)


def _ended(live: LiveGame, result: Result) -> LiveGame:
    if result.winner is None:
        return replace(live, offer=None, result="draw", reason=result.reason, draws=live.draws + 1)
    wins = (live.wins[0] + (result.winner == 0), live.wins[1] + (result.winner == 1))
    return replace(live, offer=None, result=SIDES[result.winner], reason=result.reason, wins=wins)


def _offered(live: LiveGame, side: int, what: str) -> LiveGame:
    if what != "again":
        _open(live)
    elif not live.over:
        raise DeedError("this game still goes on: expected one that is over, to play again")
    elif live.next_token:
        raise DeedError("the next game has begun: expected to go there")
    if what == "back" and live.back_to(side) is None:
        raise DeedError(f"{SIDES[side].upper()} has made no move: expected one to take back")
    offer = Offer(side, what)
    if live.players[1 - side] != PERSON:
        if what == "draw":
            raise DeedError("a machine takes no draw by agreement: expected to play on, or to resign")
        return _agreed(live, offer)
    if live.offer == Offer(1 - side, what):
        return _agreed(live, live.offer)
    return replace(live, offer=offer)


def _agreed(live: LiveGame, offer: Offer) -> LiveGame:
    if offer.what == "draw":
        return _ended(live, Result(None, "both agreed"))
    if offer.what == "again":
        return replace(live, offer=None, next_token=new_token(WATCHER))
    return replace(live, offer=None, moves=live.moves[: live.back_to(offer.side)])


def rematch(live: LiveGame) -> LiveGame:
    """The next game of the same two, who exchange sides; its id is to be given."""
    assert live.next_token is not None
    return LiveGame(
        id=0,
        tokens=(new_token(SIDES[0]), new_token(SIDES[1])),
        watch_token=live.next_token,
        game=live.game,
        start=live.start,
        players=(live.players[1], live.players[0]),
        names=(live.names[1], live.names[0]),
        wins=(live.wins[1], live.wins[0]),
        draws=live.draws,
        classroom=live.classroom,
        host=None if live.host is None else 1 - live.host,
        began_at=live.touched_at,
        touched_at=live.touched_at,
    )
