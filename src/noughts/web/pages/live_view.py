"""What the page of a live game shows to whoever looks: one of the two who play, or somebody who watches.

The board is the one that games are played on alone, and it is clicked in the same way (`noughts.web.boards.clicking`);
only the addresses behind its points are others. A click that begins a move leads to `?part=…`. The click that ends one
leads to `?move=…`, a page with a button that plays the move: a move is a POST, since it cannot be taken back alone. A
script of ours presses the button at once. The points of large boards are buttons of a form that is a POST itself.
"""

from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from noughts.games import PASS, SIDES
from noughts.games.playing import Result
from noughts.players import Human, called, end_words, name_of
from noughts.records import LiveGame
from noughts.web.boards.clicking import Clicking
from noughts.web.boards.linked import STEP, draw_cube, draw_large, draw_links, is_large
from noughts.web.boards.thumbnails import side_stones
from noughts.web.pages.play_view import Button
from noughts.web.pages.play_words import turn_words
from noughts.web.sitting import BadAddressError, Sitting, read_sitting, review_url

__all__ = ["Seen", "live_view", "name_at", "offer_words", "result_of", "see", "status_words"]


@dataclass(frozen=True)
class Seen:
    """A live game as somebody sees it who has a token of it."""

    live: LiveGame
    token: str
    sitting: Sitting
    """The game by its rules, the part of a move that was clicked, and the view; where one sits there is a person."""

    @property
    def me(self) -> int | None:
        """The side of whoever looks; None for who watches."""
        return self.live.side_of(self.token)

    @property
    def mine(self) -> bool:
        """Whether whoever looks is to move."""
        return not self.live.over and not self.live.waiting and self.live.turn == self.me

    def url(self, **extra: str) -> str:
        """The address of the game, with the part of a move and the view, or others."""
        said = self.sitting.query(**extra)
        kept = [(name, said[name]) for name in ("part", "view", "rotate", "try", "move") if name in said]
        return f"/together/{self.token}" + (f"?{urlencode(kept)}" if kept else "")

    @property
    def clicking(self) -> Clicking:
        """The move that is being made."""
        return Clicking(
            self.sitting.game,
            self.sitting.playing.position,
            self.sitting.part,
            after=lambda move: self.url(part="", move=move),
            picking=lambda part: self.url(part=part),
            trying=lambda name: self.url(**{"try": name}),
            closed=not self.mine,
        )


def see(live: LiveGame, token: str, query: dict[str, str]) -> Seen:
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
    me = live.side_of(token)
    x, o = (Human.name if side == me else "" for side in (0, 1))
    return Seen(live, token, found.against(x, o))


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


def status_words(seen: Seen) -> str:
    """How things stand, said to whoever looks."""
    live, me = seen.live, seen.me
    result = result_of(live)
    if result is not None:
        names = (name_at(live, 0, me), name_at(live, 1, me))
        if live.reason.endswith(" resigned"):
            loser = SIDES.index(live.reason[0].lower())
            if me is None:
                return f"{_capital(names[1 - loser])} won: {names[loser]} resigned."
            return "You resigned." if loser == me else f"You won: {names[loser]} resigned."
        return end_words(seen.sitting.game, result, names, me)
    if live.waiting:
        return "Waiting for somebody to play with: the next who comes sits down here."
    if live.machine_to_move:
        return f"{name_of(live.players[live.turn])} is thinking …"
    if seen.mine:
        return turn_words(seen.sitting)
    name, side = name_at(live, live.turn, me), SIDES[live.turn].upper()
    return f"{_capital(name)} is to move." if name == side else f"{_capital(name)} ({side}) is to move."


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


def live_view(seen: Seen, tried: str, move: str) -> dict[str, Any]:
    """The values for the template; `tried` is a point that was clicked in vain, `move` waits for its button."""
    live, me, sitting = seen.live, seen.me, seen.sitting
    game, position = sitting.game, sitting.playing.position
    wrong = _wrong(seen, tried) if tried else ""
    legal = [game.write_move(one) for one in game.moves(position)] if seen.mine else []
    return {
        "live": live,
        "token": seen.token,
        "me": me,
        "mine": seen.mine,
        "title": game.title,
        "stones": side_stones(game),
        "boards": _boards(seen),
        "cube": sitting.cube,
        "large": is_large(game),
        "levels": len(game.layout.rows) > 1,
        "views": _views(seen),
        "hand": None if game.placing_only else position.hand,
        "steps": _steps(seen),
        "names": [name_at(live, side, me) for side in (0, 1)],
        "score": _score(live, me),
        "said": [words for words in (wrong or status_words(seen), offer_words(live, me)) if words],
        "wrong": bool(wrong),
        "move": move if move in legal else "",
        "here": seen.url(),
        "turn": SIDES[live.turn],
        "ended": "" if me is None or not live.over else {SIDES[me]: "won", "draw": "drawn"}.get(live.result, "lost"),
        "review": review_url(sitting.playing, live.players) if live.over and live.moves else "",
        "person": me is not None and live.players[1 - me] == Human.name,
        "may_take_back": me is not None and not live.over and not live.waiting and live.back_to(me) is not None,
        "moves": ["start", *live.moves],
    }


def _boards(seen: Seen) -> list[Markup]:
    sitting, clicking = seen.sitting, seen.clicking
    won = sitting.game.winning_rows(sitting.playing.position)
    last = sitting.playing.moves[-1] if sitting.moves else None
    marks = clicking.marks()._replace(last=last, won=won)
    game, position, clicks = sitting.game, clicking.shown, clicking.clicks()
    if sitting.cube:
        return [draw_cube(game, position, clicks, {}, marks, sitting.rotation)]
    if is_large(game):
        return [draw_large(game, position, clicks, {}, marks)]
    return draw_links(game, position, clicks, {}, marks)


def _views(seen: Seen) -> list[Button]:
    """The other view, and both ways to rotate the cube."""
    sitting = seen.sitting
    if len(sitting.game.layout.rows) == 1:
        return []
    other = replace(seen, sitting=sitting.seen_as("boards" if sitting.cube else "cube")).url()
    if not sitting.cube:
        return [Button("view", "Cube", other, "c")]
    left, right = (
        replace(seen, sitting=replace(sitting, rotation=(sitting.rotation + step) % 360)).url()
        for step in (STEP, -STEP)
    )
    return [
        Button("left", "Rotate left", left, "["),
        Button("right", "Rotate right", right, "]"),
        Button("view", "Four boards", other, "c"),
    ]


def _steps(seen: Seen) -> list[Button]:
    """What a move may take besides clicks on points."""
    if seen.sitting.part:
        return [Button("cancel", "Put it back", seen.url(part=""), "Escape", main=True)]
    if seen.mine and seen.sitting.game.moves(seen.sitting.playing.position) == [PASS]:
        return [Button("pass", "Pass", seen.url(move="pass"), "p", main=True)]
    return []


def _wrong(seen: Seen, point: str) -> str:
    """Why a click on a point leads nowhere."""
    live, me = seen.live, seen.me
    if point not in seen.sitting.game.layout.index:
        raise BadAddressError(f"try={point[:20]!r} is not a point of this board: expected one, as b2")
    if live.over:
        return "The game is over."
    if me is None:
        return "You are watching: only the two who play can move."
    if live.waiting:
        return "Nobody sits at the other side yet."
    if live.turn != me:
        return f"It is the turn of {called(name_at(live, live.turn, me))}."
    return seen.clicking.what_is_wrong(point)


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
