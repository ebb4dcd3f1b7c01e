"""Playing together: a live game for two devices, and a classroom; `/together/{token}`.

A live game lives in the database (`noughts.records.live_games`); whoever has a token of it may do what it is for. The
first letter says which: `x` and `o` play, `w` watches, `t` is the teacher of a classroom, `p` its pupils. All share one
address, so that a link is all that anybody needs, and whoever has no token learns nothing, not even that there is such
a game.

    GET  /together                  pick a game and a side; POST begins it, and leads to one's own side
    GET  /together/class            the same for a classroom
    GET  /together/{token}          the game, the classroom as the teacher sees it, or a pupil's way in
    POST /together/{token}          version and deed, or play=M for a move; a name: what one is called, or a pupil's who
                                    comes in; or try=POINT, which only says why a click leads nowhere
    GET  /together/{token}/events   a number whenever there is something new (`noughts.web.listening`)

Every POST has to come from one of our own pages, and every answer is `no-store`: it is for one pair of eyes. A deed
says which version it answers; if the game has moved on meanwhile, the page as it is now comes back with 409. After a
rematch the address of the old game leads to the new one.
"""

import asyncio
import re
import secrets
from functools import lru_cache
from typing import Annotated, Any
from urllib.parse import parse_qsl

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response, StreamingResponse
from markupsafe import Markup

from noughts.games import KINDS, SIDES, Game, NoughtsError
from noughts.games import game as find_game
from noughts.games.catalogue import sample_of
from noughts.games.picture import Picture
from noughts.players import LEVELS, Human, name_of, player
from noughts.records import BOARDS, Classroom, DatabaseError, LiveGame, StaleError
from noughts.web.asking.questions import web_sized
from noughts.web.boards.thumbnails import in_words, inline, picture_of, thumbnail
from noughts.web.limits import same_origin
from noughts.web.listening import Topic
from noughts.web.pages.live_view import Seen, live_view, name_at, result_of, see, status_words
from noughts.web.problems import NotThereError
from noughts.web.qr import qr_code
from noughts.web.rendering import page
from noughts.web.sitting import GAMES, BadAddressError, Sitting

__all__ = ["router"]

router = APIRouter()
PRIVATE = {"Cache-Control": "no-store", "X-Robots-Tag": "noindex"}
TOKEN = re.compile("[xowtp][A-Za-z0-9_-]{22}")
MOST_FIELDS = 10
LARGEST = 2**31 - 1
EVENTS = {**PRIVATE, "X-Accel-Buffering": "no"}
"""The last one tells nginx to pass on every event at once."""

Name = Annotated[str, Query(max_length=100)]
Version = Annotated[int, Query(ge=0, le=LARGEST)]


@router.get("/together", include_in_schema=False)
def together(request: Request, game: Name = "tictactoe") -> Response:
    """Pick a game and a side."""
    return page(request, "together.html", classroom=False, **_choice(game))


@router.get("/together/class", include_in_schema=False)
def together_class(request: Request, game: Name = "tictactoe") -> Response:
    """Pick a game and an opponent for a classroom."""
    return page(request, "together.html", classroom=True, **_choice(game))


@router.post("/together", include_in_schema=False)
async def begin(request: Request) -> Response:
    """Begin a live game, and go to one's own side of it."""
    same_origin(request)
    form = await _form(request)
    side = form.get("side", "")
    if side not in (*SIDES, "chance"):
        raise BadAddressError(f"side={side[:20]!r} is not a side: expected x, o or chance")
    host = secrets.randbelow(2) if side == "chance" else SIDES.index(side)
    names = tuple(form.get("name", "") if one == host else "" for one in (0, 1))
    request.app.state.beginnings.pay()
    live = await asyncio.to_thread(
        request.app.state.live_games.begin, form.get("game", ""), names=(names[0], names[1]), host=host
    )
    return _send_to(live.tokens[host])


@router.post("/together/class", include_in_schema=False)
async def begin_class(request: Request) -> Response:
    """Begin a classroom, and go to the teacher's page."""
    same_origin(request)
    form = await _form(request)
    game, opponent = form.get("game", ""), form.get("opponent", "")
    if opponent != Human.name:
        with web_sized():
            player(opponent).check(find_game(game))
    request.app.state.beginnings.pay()
    classroom = await asyncio.to_thread(request.app.state.live_games.begin_classroom, game, opponent)
    return _send_to(classroom.teacher_token)


@router.get("/together/{token}", include_in_schema=False)
async def look(request: Request, token: str) -> Response:
    """What this token is for."""
    found = await _find(request, token)
    if isinstance(found, Classroom):
        return await _show_class(request, found, token)
    live = await _reply(request, found)
    following = await _following(request, live, token)
    return following or _show(request, live, token)


@router.post("/together/{token}", include_in_schema=False)
async def act(request: Request, token: str) -> Response:
    """Do something: a deed, a name, or come in."""
    same_origin(request)
    form, found = await _form(request), await _find(request, token)
    if isinstance(found, Classroom):
        if token != found.pupils_token:
            raise BadAddressError("the teacher does not play here: expected the pupils' link to be sent to the pupils")
        request.app.state.beginnings.pay()
        return _send_to(await asyncio.to_thread(request.app.state.live_games.join, found, form.get("name", "")))
    games = request.app.state.live_games
    if form.get("try"):  # a point of a large board, whose points are buttons
        return _show(request, found, token, tried=form["try"])
    try:
        if "name" in form:
            live = await asyncio.to_thread(games.rename, token, form["name"])
        else:
            version = _number(form.get("version", ""))
            deed = f"move {form['play']}" if "play" in form else form.get("deed", "")
            live = await asyncio.to_thread(games.act, token, version, deed)
    except StaleError:
        now = await _find(request, token)
        assert isinstance(now, LiveGame)
        following = await _following(request, now, token)
        return following or _show(request, now, token, 409, wrong="The game has moved on meanwhile: look again.")
    except DatabaseError:
        raise
    except NoughtsError as error:
        return _show(request, found, token, 422, wrong=f"That cannot be done: {error}.")
    request.app.state.listening.tell(Topic("game", live.id), live.version)
    live = await _reply(request, live)
    return await _following(request, live, token) or _send_to(token)


@router.get("/together/{token}/events", include_in_schema=False)
async def events(request: Request, token: str, version: Version = 0) -> Response:
    """A number whenever there is something new, from the version that is known already."""
    found = await _find(request, token)
    known = request.headers.get("Last-Event-ID", "")
    known = known if re.fullmatch("[0-9]{1,9}", known) else str(version)
    listening = request.app.state.listening
    listening.admit()
    if isinstance(found, Classroom):
        if token != found.teacher_token:
            raise NotThereError("pupils hear of their own board alone: expected its link")
        topic = Topic("classroom", found.id)
    else:
        topic = Topic("game", found.id)
        await _reply(request, found)
    return StreamingResponse(listening.stream(topic, int(known)), headers=EVENTS, media_type="text/event-stream")


async def _form(request: Request) -> dict[str, str]:
    """The fields of a form; the size of the body has been looked at (`limits`)."""
    try:
        text = (await request.body()).decode()
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict"))
    except (ValueError, UnicodeError) as error:
        raise BadAddressError(f"the form is not understood: expected at most {MOST_FIELDS} fields of text") from error


def _number(text: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", text):
        raise BadAddressError(f"version={text[:20]!r} is not a number: expected the version of the game")
    return int(text)


async def _find(request: Request, token: str) -> LiveGame | Classroom:
    games = request.app.state.live_games
    found = None
    if TOKEN.fullmatch(token):
        found = await asyncio.to_thread(games.find_classroom if token[0] in "tp" else games.find, token)
    if found is None:
        raise NotThereError(
            "there is no such game: expected a whole link; games that rest for a month are cleared away"
        )
    return found  # type: ignore[no-any-return]


async def _reply(request: Request, live: LiveGame) -> LiveGame:
    """The game with the machine's reply, if one is due and comes at a glance."""
    state = request.app.state
    replied: LiveGame = await state.replies.after(live, state.settings.glance)
    return replied


async def _following(request: Request, live: LiveGame, token: str) -> Response | None:
    """On to the next game of the same two, if there is one."""
    if live.next_token is None:
        return None
    following = await asyncio.to_thread(request.app.state.live_games.find, live.next_token)
    if following is None:
        return None
    side = live.side_of(token)
    return _send_to(following.watch_token if side is None else following.tokens[1 - side])


def _send_to(token: str) -> Response:
    return RedirectResponse(f"/together/{token}", 303, PRIVATE)


def _show(
    request: Request, live: LiveGame, token: str, status: int = 200, *, wrong: str = "", tried: str = ""
) -> Response:
    """The page of a live game; with what is wrong, or with a point that was tried."""
    query = dict(request.query_params)
    seen = see(live, token, query)
    values = live_view(seen, tried or query.get("try", ""), query.get("move", ""))
    if wrong:
        values |= {"said": [wrong, status_words(seen)], "wrong": True}
    me, origin = seen.me, str(request.base_url).rstrip("/")
    invited = live.host is not None and me == live.host
    values["friend"] = f"{origin}/together/{live.tokens[1 - live.host]}" if invited and live.host is not None else ""
    values["watch"] = f"{origin}/together/{live.watch_token}"
    alone = me is not None and not live.names[1 - me] and live.back_to(1 - me) is None
    values["alone"] = bool(values["friend"]) and alone and not live.over
    values["code"] = qr_code(values["friend"], "The link as a QR code") if values["alone"] else ""
    return page(request, "live.html", status=status, headers=PRIVATE, **values)


async def _show_class(request: Request, classroom: Classroom, token: str) -> Response:
    """The classroom as its teacher sees it, or the way in for a pupil."""
    title = find_game(classroom.game).title
    against = "each other" if classroom.opponent == Human.name else name_of(classroom.opponent)
    values: dict[str, Any] = {"title": title, "against": against, "token": token}
    if token == classroom.pupils_token:
        return page(request, "class_join.html", headers=PRIVATE, **values)
    games = request.app.state.live_games
    # Before the boards: what happens between the two is shown again rather than never.
    stirred = await asyncio.to_thread(games.stirs, [classroom.id])
    boards = [
        await request.app.state.replies.after(one, 0) for one in await asyncio.to_thread(games.boards, classroom.id)
    ]
    shown = [_board(live) for live in boards]
    pupils = f"{str(request.base_url).rstrip('/')}/together/{classroom.pupils_token}"
    values |= {
        "boards": shown,
        "ground": Markup(_empty(find_game(classroom.game)).body),
        "playing": sum(not live.over for live in boards),
        "stirred": stirred.get(classroom.id, 0),
        "pupils": pupils,
        "code": qr_code(pupils, "The link as a QR code"),
    }
    return page(request, "class.html", headers=PRIVATE, **values)


def _board(live: LiveGame) -> dict[str, Any]:
    """One of the boards before the teacher."""
    result = result_of(live)
    state = "waiting" if live.waiting else "over" if result else "playing"
    return {
        "watch": f"/together/{live.watch_token}",
        "names": [name_at(live, 0, None), "nobody yet" if live.waiting else name_at(live, 1, None)],
        "picture": _picture(live),
        "words": status_words(Seen(live, live.watch_token, Sitting(live.playing.game, ("", ""), live.playing, ""))),
        "state": state,
        "plies": len(live.moves),
        "wins": live.wins,
        "draws": live.draws,
    }


@lru_cache(2 * BOARDS)
def _picture(live: LiveGame) -> Markup:
    """A small board without its lines, which are drawn once for all (`ground`); of all boards few have changed."""
    game, position = live.playing.game, live.playing.position
    ground = set(_empty(game).body.split("\n"))
    full = picture_of(game, position, labels=False)
    # What begins or ends a group, as of the levels of Qubic, has to stay.
    stones = "\n".join(line for line in full.body.split("\n") if "<g" in line or "</g" in line or line not in ground)
    drawn = full._replace(body=f'<use href="#ground"/>{stones}')
    return inline(drawn, in_words(game, position), "thumbnail", cropped=True)


def _empty(game: Game) -> Picture:
    return picture_of(game, game.start(), labels=False)


def _choice(name: str) -> dict[str, Any]:
    """What can be picked."""
    chosen = find_game(name)
    rules = [(kind.title, find_game(kind.example)) for kind in KINDS]
    games = [(game.name, title, thumbnail(game, sample_of(game))) for title, game in rules]
    if chosen.name not in GAMES:
        games = [(chosen.name, chosen.title, thumbnail(chosen, chosen.start())), *games]
    return {"games": games, "chosen": chosen.name, "levels": LEVELS}
