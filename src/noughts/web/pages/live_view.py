"""What the page of a live game shows to whoever looks: one of the two who play, or somebody who watches.

The board is that of the page on which games are played alone (`play_view`), and so are its clicks; only the addresses
behind its points are others (`Seated`). A click that begins a move leads to `?part=…`, as there. The click that ends
one leads to `?move=…`, a page with a button that plays the move: a move is a POST, since it cannot be taken back alone.
A script of ours presses the button at once.
"""

from dataclasses import dataclass, field, fields
from typing import Any
from urllib.parse import urlencode

from noughts.games import SIDES
from noughts.games.playing import Result
from noughts.players import Human
from noughts.records import LiveGame
from noughts.web.pages.play_view import play_view, what_is_wrong
from noughts.web.pages.play_words import end_words, turn_words
from noughts.web.sitting import BadAddressError, Sitting, called, name_of, read_sitting

__all__ = ["Seated", "live_view", "name_at", "offer_words", "result_of", "seated", "status_words"]

KEPT = ("part", "view", "rotate", "try", "move")
"""What stands in the address of a live game besides its token."""


@dataclass(frozen=True)
class Seated(Sitting):
    """A live game as somebody sees it who has a token of it."""

    live: LiveGame = field(kw_only=True)
    token: str = field(kw_only=True)

    @property
    def me(self) -> int | None:
        """The side of whoever looks; None for who watches."""
        return self.live.side_of(self.token)

    @property
    def over(self) -> bool:
        """Also by agreement, or because somebody gave up."""
        return self.live.over

    @property
    def turn_name(self) -> str:
        """Who is to move, for the one who looks."""
        return name_at(self.live, self.live.turn, self.me)

    @property
    def machine_to_move(self) -> bool:
        """Whether somebody else is to move, or nobody can."""
        return not self.over and (self.live.waiting or self.live.turn != self.me)

    def url(self, **extra: str) -> str:
        """The address of the game with a part of a move, or another view."""
        cube = self.view == "cube"
        query = {
            "part": self.part,
            "view": self.view if len(self.game.layout.rows) > 1 else "",
            "rotate": str(self.rotation) if cube else "",
            **extra,
        }
        kept = {name: query[name] for name in KEPT if query.get(name)}
        return f"/together/{self.token}" + (f"?{urlencode(kept)}" if kept else "")

    def url_after(self, move: str) -> str:
        """The address at which a move is played by a button."""
        return self.url(part="", move=move)


def seated(live: LiveGame, token: str, query: dict[str, str]) -> Seated:
    """The game as its address has it; a part of a move that is none any more is left out."""
    words = {"moves": ".".join(live.moves), "start": live.start or ""}
    words |= {name: query[name] for name in ("view", "rotate") if name in query}
    part = {"part": query["part"]} if query.get("part") and live.side_of(token) == live.turn and not live.over else {}
    try:
        found = read_sitting(live.game, words | part)
    except BadAddressError:
        if not part:
            raise
        found = read_sitting(live.game, words)
    return Seated(**{one.name: getattr(found, one.name) for one in fields(Sitting)}, live=live, token=token)


def name_at(live: LiveGame, side: int, me: int | None) -> str:
    """What a side is called, for a side or, with None, for who watches."""
    if live.names[side]:
        return live.names[side]
    if live.players[side] != Human.name:
        return name_of(live.players[side])
    if me is None or me == side:
        return SIDES[side].upper()
    return "your friend" if live.classroom is None else "your classmate"


def result_of(live: LiveGame) -> Result | None:
    """How the game ended; None while it goes on."""
    if not live.over:
        return None
    return Result(None if live.result == "draw" else SIDES.index(live.result), live.reason)


def status_words(sitting: Seated) -> str:
    """How things stand, said to whoever looks."""
    live, me = sitting.live, sitting.me
    result = result_of(live)
    if result is not None:
        names = (name_at(live, 0, me), name_at(live, 1, me))
        if live.reason.endswith(" resigned"):
            loser = SIDES.index(live.reason[0].lower())
            if me is None:
                return f"{_capital(names[1 - loser])} won: {names[loser]} resigned."
            return "You resigned." if loser == me else f"You won: {names[loser]} resigned."
        return end_words(sitting.game, result, names, me)
    if live.waiting:
        return "Waiting for somebody to play with: the next who comes sits down here."
    if live.machine_to_move:
        return f"{name_of(live.players[live.turn])} is thinking …"
    if live.turn == me:
        return turn_words(sitting.against(Human.name, ""))
    return f"{_capital(sitting.turn_name)} ({SIDES[live.turn].upper()}) is to move."


def offer_words(live: LiveGame, me: int | None) -> str:
    """What has been offered, said to whoever looks; empty if nothing was."""
    if live.offer is None:
        return ""
    side, what = live.offer
    if side == me:
        mine = {"back": "take back your last move", "draw": "call it a draw", "again": "play again"}
        return f"You asked to {mine[what]}."
    theirs = {"back": "take back the last move", "draw": "call it a draw", "again": "play again, with sides exchanged"}
    return f"{_capital(name_at(live, side, me))} asks to {theirs[what]}."


def live_view(sitting: Seated, tried: str, move: str) -> dict[str, Any]:
    """The values for the template; `tried` is a point that was clicked in vain, `move` waits for its button."""
    live, me = sitting.live, sitting.me
    result = result_of(live)
    board = play_view(sitting, result, None, "")
    wrong = _wrong(sitting, tried) if tried else ""
    mine = not live.over and not live.waiting and live.turn == me
    legal = [sitting.game.write_move(one) for one in sitting.game.moves(sitting.playing.position)] if mine else []
    return {
        "live": live,
        "token": sitting.token,
        "me": me,
        "sitting": sitting,
        "title": sitting.game.title,
        "boards": board["boards"],
        "roomy": board["roomy"],
        "levels": board["levels"],
        "views": board["views"],
        "hand": board["hand"],
        "steps": [button for button in board["buttons"] if mine and button.name in ("cancel", "pass")],
        "names": [name_at(live, side, me) for side in (0, 1)],
        "score": _score(live, me),
        "said": [words for words in (wrong or status_words(sitting), offer_words(live, me)) if words],
        "wrong": bool(wrong),
        "mine": mine,
        "move": move if move in legal else "",
        "here": sitting.url(),
        "person": me is not None and live.players[1 - me] == Human.name,
        "may_take_back": me is not None and not live.over and not live.waiting and live.back_to(me) is not None,
        "moves": [(name if plies else "start") for plies, name in enumerate(("", *live.moves))],
    }


def _wrong(sitting: Seated, point: str) -> str:
    """Why a click on a point leads nowhere."""
    if sitting.over:
        return "The game is over."
    if sitting.me is None:
        return "You are watching: only the two who play can move."
    if sitting.live.waiting:
        return "Nobody sits at the other side yet."
    if sitting.machine_to_move:
        return f"It is the turn of {called(sitting.turn_name)}."
    return what_is_wrong(sitting, point)


def _score(live: LiveGame, me: int | None) -> str:
    """How the two have fared, if there was more than this game."""
    if sum(live.wins) + live.draws <= live.over:
        return ""
    first = 0 if me is None else me
    who = "You" if me is not None else name_at(live, 0, None)
    other = _capital(name_at(live, 1 - first, me))
    return f"{who} {live.wins[first]}, {other} {live.wins[1 - first]}, drawn {live.draws}"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
