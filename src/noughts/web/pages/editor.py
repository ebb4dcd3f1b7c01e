"""The board editor of Explore: a position set up click by click, `/explore/{game}/edit?position=…&stone=x`.

The address has the position as far as it is set up, which may be one that no game contains; the page says what is wrong
with it (`noughts.games.legality`), and leads on as soon as nothing is. Every click is a link: a point gets the stone
that is held, or loses the one it has. Where the rules leave no choice of whose turn it is, or of what is in hand, they
follow from the stones: only games with captures have hands to fill, and the turn is free once all stones are placed.
"""

import re
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi import Path as InPath
from fastapi.responses import RedirectResponse, Response
from markupsafe import Markup

from noughts.games import SIDES, Game, NoughtsError, Position
from noughts.games import game as find_game
from noughts.games.legality import fault
from noughts.games.notation import read_position, write_position
from noughts.web.boards.linked import Click, Marks, draw_large, draw_links, is_large
from noughts.web.rendering import page
from noughts.web.sitting import explore_url
from noughts.web.walk import LONGEST_POSITION

__all__ = ["router"]

router = APIRouter()
PART = "editor"
STONES = {"x": "X", "o": "O", "none": "Remove"}

GameName = Annotated[str, InPath(alias="game", max_length=100)]
Typed = Annotated[str, Query(max_length=LONGEST_POSITION)]


@router.get("/explore/{game}/edit", include_in_schema=False)
def edit(
    request: Request,
    name: GameName,
    position: Typed = "",
    stone: Annotated[str, Query(pattern="^(x|o|none)$")] = "x",
    play: Annotated[str, Query(max_length=4)] = "",
) -> Response:
    """A position being set up; a button of a large board sends its point as `play`."""
    game = find_game(name)
    try:
        here = read_position(game.layout, game.rules, position) if position.strip() else game.start()
        unread = ""
    except NoughtsError as error:
        here, unread = game.start(), str(error)
    if play in game.layout.index:
        return RedirectResponse(_address(game, _put(game, here, game.layout.index[play], stone), stone), 303)
    return page(request, "editor.html", **editor_view(game, here, stone, unread))


def editor_view(game: Game, here: Position, stone: str, unread: str) -> dict[str, Any]:
    """The values for the template; `unread` says what is wrong with a position that could not be read."""

    def address(then: Position, held: str = stone) -> str:
        return _address(game, then, held)

    text = write_position(game.layout, game.rules, here)
    wrong = fault(game.layout, game.rules, here)
    clicks = [_click(game, here, point, stone) for point in range(len(game.layout))]
    return {
        "game": game,
        "swap": PART,
        "position": text,
        "unread": unread,
        "wrong": wrong and re.sub(r"\b[xo]\b", lambda side: side[0].upper(), wrong),
        "boards": _boards(game, here, clicks),
        "large": is_large(game),
        "hidden": [("position", text), ("stone", stone)],
        "four": len(game.layout.rows) > 1,
        "stones": [(words, address(here, held), held == stone) for held, words in STONES.items()],
        "turns": [
            (SIDES[side].upper(), address(here._replace(turn=side)), side == here.turn)
            for side in ((0, 1) if _turn_is_free(game, here) else ())
        ],
        "turn": SIDES[here.turn].upper(),
        "hands": [_hand(game, here, side, address) for side in ((0, 1) if game.rules.captures else ())],
        "empty": address(game.start()),
        "explore": None if wrong else explore_url(game.name, text),
        "leave": f"/explore/{game.name}",
    }


def _address(game: Game, then: Position, held: str) -> str:
    """The editor with this position, and this stone to put."""
    text = write_position(game.layout, game.rules, then)
    return explore_url(game.name, "edit", None, {"position": text, "stone": held})


def _boards(game: Game, here: Position, clicks: list[Click]) -> list[Markup]:
    if is_large(game):
        return [draw_large(game, here, clicks, {}, Marks())]
    return draw_links(game, here, clicks, {}, Marks())


def _standing(here: Position, point: int) -> str:
    """The stone on a point: x, o or none."""
    return next((SIDES[side] for side in (0, 1) if here.stones[side] >> point & 1), "none")


def _put(game: Game, here: Position, point: int, stone: str) -> Position:
    """The position with the stone that is held on this point, or without the one that stands there."""
    stones = [here.stones[side] & ~(1 << point) for side in (0, 1)]
    if stone not in ("none", _standing(here, point)):
        stones[SIDES.index(stone)] |= 1 << point
    return _settled(game, here._replace(stones=(stones[0], stones[1])))


def _click(game: Game, here: Position, point: int, stone: str) -> Click:
    """What a click on a point does."""
    name, standing = game.layout.points[point], _standing(here, point)
    does = "take it away" if stone in ("none", standing) else f"put {stone.upper()} here"
    label = f"{name}, {'empty' if standing == 'none' else standing.upper()}: {does}"
    href = "" if is_large(game) else _address(game, _put(game, here, point, stone), stone)
    return Click(point, "play", href, label, swap=PART)


def _settled(game: Game, here: Position) -> Position:
    """A position with the hands and the turn that its stones leave no choice of."""
    left = [game.rules.stones[side] - here.stones[side].bit_count() for side in (0, 1)]
    if game.rules.captures:  # what is on the board is no longer in hand
        left = [min(left[side], here.hand[side]) for side in (0, 1)]
    here = here._replace(hand=(left[0], left[1]))
    told = game.rules.turn_of(here.hand)
    if told is None:
        return here
    x, o = (game.rules.stones[side] - here.hand[side] for side in (0, 1))
    return here._replace(turn=0 if x <= o else told)


def _turn_is_free(game: Game, here: Position) -> bool:
    """Whether either side may be to move: once all stones are placed, where stones move; by Lasker's rule, sooner."""
    return game.rules.turn_of(here.hand) is None


def _hand(game: Game, here: Position, side: int, address: Any) -> dict[str, Any]:
    """A hand of a game with captures, and where it has one stone more or less."""

    now, most = here.hand[side], game.rules.stones[side] - here.stones[side].bit_count()

    def holding(count: int) -> str:
        hand = (count, here.hand[1]) if side == 0 else (here.hand[0], count)
        return str(address(_settled(game, here._replace(hand=hand))))

    return {
        "side": SIDES[side].upper(),
        "count": now,
        "none": holding(0) if now > 0 else None,
        "less": holding(now - 1) if now > 0 else None,
        "more": holding(now + 1) if now < most else None,
    }
