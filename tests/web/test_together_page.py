"""Playing together, page by page: who may do what with which link, what is said to whom; and no deed is doubled."""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from fastapi import FastAPI
from httpx2 import Response
from sites import Client, settings_in
from test_hostile import HOSTILE, assert_sound

from noughts.records import DatabaseError, LiveGame
from noughts.web import app as web_app
from noughts.web import listening
from noughts.web.app import create_app
from noughts.web.boards.thumbnails import thumbnail
from noughts.web.limits import Bucket
from noughts.web.listening import Listening, Topic
from noughts.web.pages.together import _empty, _picture

OURS = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> FastAPI:
    folder: Path = tmp_path_factory.mktemp("together")
    return create_app(settings_in(folder, patience=5))


@pytest.fixture(scope="module")
def client(app: FastAPI) -> Iterator[Client]:
    with Client(app, follow_redirects=False) as client:
        yield client


def post(client: Client, path: str, **fields: str) -> Response:
    return client.post(path, data=fields, headers=OURS)


class Pair:
    """A live game, and requests of those who have its links."""

    def __init__(
        self, client: Client, app: FastAPI, game: str = "tictactoe", side: str = "x", name: str = "Ada"
    ) -> None:
        self.client, self.app = client, app
        begun = post(client, "/together", game=game, side=side, name=name)
        assert begun.status_code == 303
        self.host = begun.headers["Location"].removeprefix("/together/")
        self.x, self.o = self.live(self.host).tokens
        self.watch = self.live(self.host).watch_token

    def live(self, token: str) -> LiveGame:
        found: LiveGame = self.app.state.live_games.find(token)
        return found

    def do(self, token: str, deed: str, version: int | None = None) -> Response:
        seen = self.live(token).version if version is None else version
        return post(self.client, f"/together/{token}", version=str(seen), deed=deed)

    def play(self, *moves: str) -> None:
        for move in moves:
            assert self.do((self.x, self.o)[self.live(self.x).turn], f"move {move}").status_code == 303

    def text(self, token: str, query: str = "") -> str:
        answer = self.client.get(f"/together/{token}{query}")
        assert answer.status_code == 200
        assert answer.headers["Cache-Control"] == "no-store"
        return words(answer)


def words(answer: Response) -> str:
    return " ".join(unescape(re.sub("<[^>]*>", " ", answer.text)).split())


@pytest.fixture
def pair(client: Client, app: FastAPI) -> Pair:
    return Pair(client, app)


def test_whoever_begins_gets_a_side_and_the_link_for_the_other(pair: Pair) -> None:
    assert pair.host == pair.x
    mine, theirs = (pair.client.get(f"/together/{token}").text for token in (pair.x, pair.o))
    assert f"/together/{pair.o}" in mine
    assert "Invite your friend" in mine
    assert pair.x not in theirs, "the friend cannot take the place of the one who invited"
    assert pair.watch in mine
    assert pair.watch in theirs
    assert "Your turn, X" in pair.text(pair.x)
    assert "Ada (X) is to move" in pair.text(pair.o)


def test_one_may_begin_with_either_side(client: Client, app: FastAPI) -> None:
    assert Pair(client, app, side="o").host[0] == "o"
    assert {Pair(client, app, side="chance").host[0] for _ in range(12)} == {"x", "o"}


def test_who_watches_sees_all_and_can_do_nothing(pair: Pair) -> None:
    pair.play("b2")
    page = pair.client.get(f"/together/{pair.watch}").text
    assert pair.x not in page
    assert pair.o not in page
    assert "<form" not in page
    assert "move=" not in page
    assert "You are watching" in pair.text(pair.watch, "?try=a1")
    for deed in ("move a1", "resign", "offer back", "accept"):
        assert pair.do(pair.watch, deed).status_code == 422
    assert post(pair.client, f"/together/{pair.watch}", name="Eve").status_code == 422
    assert pair.live(pair.x).moves == ("b2",)
    assert pair.live(pair.x).version == 1


def test_a_move_without_scripts_is_a_link_and_a_button(pair: Pair) -> None:
    page = pair.client.get(f"/together/{pair.x}").text
    (href,) = re.findall(r'href="([^"]*move=b2)"', page)
    asked = pair.client.get(unescape(href)).text
    assert pair.live(pair.x).moves == (), "looking changes nothing"
    button = re.search(r'<form id="move".*?</form>', asked, re.S)
    assert button is not None
    assert "Play b2" in button[0]
    assert "hidden>" not in button[0].partition("\n")[0]
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', button[0]))
    assert post(pair.client, f"/together/{pair.x}", **fields).status_code == 303
    assert pair.live(pair.x).moves == ("b2",)


def test_a_move_of_several_clicks_is_picked_step_by_step(client: Client, app: FastAPI) -> None:
    pair = Pair(client, app, game="three-mens-morris")
    pair.play("b2", "a1", "c1", "a3", "a2", "c2")
    assert "pick one of your stones" in pair.text(pair.x)
    assert "where should b2 go" in pair.text(pair.x, "?part=b2-")
    assert "move=b2-" in client.get(f"/together/{pair.x}?part=b2-").text
    assert "where should" not in pair.text(pair.o, "?part=b2-"), "it is not their turn"
    assert "pick one of your stones" in pair.text(pair.x, "?part=a1-"), "a part that begins no move is left out"


def test_a_deed_that_is_sent_twice_is_done_once_and_answered_the_same(pair: Pair) -> None:
    answers = [pair.do(pair.x, "move b2", 0) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [303] * 3
    assert pair.live(pair.x).version == 1
    late = pair.do(pair.x, "move c3", 0)
    assert late.status_code == 409
    assert "The game has moved on meanwhile" in words(late)
    assert pair.live(pair.x).moves == ("b2",)


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"version": "0", "deed": "move a1"}, 422),
        ({"version": "0", "deed": "move z9"}, 422),
        ({"version": "-1", "deed": "move a1"}, 422),
        ({"version": "x", "deed": "move a1"}, 422),
        ({"deed": "move a1"}, 422),
        ({"version": "0", "deed": "x" * 5_000}, 422),
        ({"version": "9" * 30, "deed": "resign"}, 422),
        ({"version": "7", "deed": "resign"}, 409),
        ({"name": "x" * 31}, 422),
        ({"name": "\0"}, 422),
        ({"name": "<script>alert(1)</script>"}, 303),
        ({}, 422),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(pair: Pair, fields: dict[str, str], status: int) -> None:
    answer = post(pair.client, f"/together/{pair.o}", **fields)
    assert answer.status_code == status
    assert "<script>alert" not in answer.text + pair.client.get(f"/together/{pair.x}").text
    assert pair.live(pair.x).moves == ()


def test_hostile_values_in_the_address_of_a_live_game_are_answered(pair: Pair) -> None:
    for value in HOSTILE:
        for name in ("part", "try", "move", "view", "rotate"):
            assert_sound(pair.client.get(f"/together/{pair.x}", params={name: value}), f"{name}={value[:40]!r}")
    assert pair.live(pair.x).version == 0


def test_hostile_values_in_forms_are_answered(pair: Pair) -> None:
    _, pupils = open_class(pair.client)
    for value in HOSTILE:
        for fields in ({"version": value, "deed": "move b2"}, {"version": "0", "deed": value}):
            assert_sound(post(pair.client, f"/together/{pair.o}", **fields), f"{fields}")
        assert_sound(post(pair.client, pupils, name=value), value[:40])
        assert_sound(post(pair.client, "/together", game=value, side="x"), value[:40])
        assert_sound(post(pair.client, "/together", game="achi", side=value), value[:40])
        assert_sound(post(pair.client, "/together/class", game="achi", opponent=value), value[:40])
    assert pair.live(pair.x).version == 0


def test_only_our_own_pages_may_change_something(pair: Pair) -> None:
    for path in ("/together", "/together/class", f"/together/{pair.x}"):
        for headers in ({}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "http://elsewhere.example"}):
            answer = pair.client.post(path, data={"version": "0", "deed": "move b2"}, headers=headers)
            assert answer.status_code == 403
    assert pair.live(pair.x).version == 0


@pytest.mark.parametrize("body", [b"\xff\xfe=1", b"deed=%ff%fe", b"&".join(b"a=1" for _ in range(50)), b"deed", b"\0"])
def test_a_form_that_is_none_is_answered(pair: Pair, body: bytes) -> None:
    answer = pair.client.post(f"/together/{pair.x}", content=body, headers=OURS)
    assert answer.status_code in (303, 422)
    assert pair.live(pair.x).version == 0


def test_a_move_is_taken_back_with_the_others_consent(pair: Pair) -> None:
    pair.play("b2", "a1")
    assert pair.do(pair.o, "offer back").status_code == 303
    assert "You asked to take back your last move" in pair.text(pair.o)
    assert "asks to take back the last move" in pair.text(pair.x)
    assert "asks to take back the last move" in pair.text(pair.watch)
    assert "Agree" in pair.text(pair.x)
    assert "Agree" not in pair.text(pair.o)
    assert "Agree" not in pair.text(pair.watch)
    pair.do(pair.x, "accept")
    assert pair.live(pair.x).moves == ("b2",)


def test_the_end_is_said_to_each_and_kept_in_the_history(pair: Pair) -> None:
    pair.play("a1", "a2", "b1", "b2", "c1")
    assert "You won: three in a row." in pair.text(pair.x)
    assert "You lost: Ada has three in a row." in pair.text(pair.o)
    assert "Ada won: three in a row." in pair.text(pair.watch)
    number = pair.live(pair.x).record
    assert pair.client.get(f"/history/{number}").status_code == 200
    end = pair.client.get(f"/together/{pair.o}").text
    assert f"/history/{number}" in end
    (review,) = re.findall(r'href="(/review/[^"]*)"', end)
    assert unescape(review) == "/review/tictactoe?x=human&o=human&moves=a1.a2.b1.b2.c1"
    assert pair.client.get(unescape(review)).status_code == 200


def test_who_resigns_has_lost(pair: Pair) -> None:
    pair.play("b2")
    pair.do(pair.x, "resign")
    assert "You resigned." in pair.text(pair.x)
    assert "You won: Ada resigned." in pair.text(pair.o)
    assert "O won: Ada resigned." in pair.text(pair.watch)


def test_a_rematch_is_where_the_old_links_lead(pair: Pair) -> None:
    pair.play("b2")
    pair.do(pair.o, "resign")
    pair.do(pair.o, "offer again")
    assert "asks to play again, with sides exchanged" in pair.text(pair.x)
    accepted = pair.do(pair.x, "accept")
    places = [pair.client.get(f"/together/{token}").headers["Location"] for token in (pair.x, pair.o, pair.watch)]
    assert accepted.headers["Location"] == places[0]
    assert [place.removeprefix("/together/")[0] for place in places] == ["o", "x", "w"]
    assert "You 1, Your friend 0, drawn 0" in words(pair.client.get(places[0]))
    assert "Your turn, X" in words(pair.client.get(places[1]))


def test_names_are_shown_to_the_other_side(pair: Pair) -> None:
    post(pair.client, f"/together/{pair.o}", name="Ben & Co")
    assert "O: Ben & Co" in pair.text(pair.x)
    assert "O: Ben & Co (you)" in pair.text(pair.o)
    assert "Invite your friend" not in pair.text(pair.x), "they have come"


@pytest.mark.parametrize(
    "token", ["nothing", "x" * 23, "t" + "A" * 22, "p" + "A" * 22, "x" * 4_000, "%00", "x%0a" + "A" * 21]
)
def test_a_link_to_nothing_is_not_found(client: Client, token: str) -> None:
    for path in (f"/together/{token}", f"/together/{token}/events"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert answer.headers["Cache-Control"] == "no-store"


def test_on_their_turn_pages_without_scripts_come_again(pair: Pair) -> None:
    refresh = '<noscript><meta http-equiv="refresh"'
    assert refresh in pair.client.get(f"/together/{pair.o}").text
    assert refresh in pair.client.get(f"/together/{pair.watch}").text
    assert refresh not in pair.client.get(f"/together/{pair.x}").text


def test_any_game_can_be_played_together(client: Client, app: FastAPI) -> None:
    for name in ("qubic", "nine-mens-morris", "achi:diagonals=no"):
        pair = Pair(client, app, game=name)
        assert "Your turn, X" in pair.text(pair.x)
    assert client.get("/together?game=mnk:7,6,4").text.count("checked") == 2
    for fields in ({"game": "chess", "side": "x"}, {"game": "achi", "side": "z"}, {"side": "x"}):
        assert post(client, "/together", **fields).status_code in (404, 422)


def test_a_point_of_a_large_board_is_a_button(client: Client, app: FastAPI) -> None:
    pair = Pair(client, app, game="mnk:19,19,5")
    page = client.get(f"/together/{pair.x}").text
    assert '<button name="play" value="k10"' in page
    assert 'method="post"' in page.partition('id="here"')[2][:40]
    played = post(client, f"/together/{pair.x}", version="0", play="k10")
    assert played.status_code == 303
    assert pair.live(pair.x).moves == ("k10",)
    assert "It is the turn of your friend" in words(post(client, f"/together/{pair.x}", version="1", **{"try": "k11"}))
    assert "It is the turn of your friend" in pair.text(pair.x, "?try=k11")
    assert post(client, f"/together/{pair.o}", version="1", play="k10").status_code == 422
    assert "You are watching" in pair.text(pair.watch, "?try=k11")
    assert pair.live(pair.x).version == 1


def open_class(client: Client, opponent: str = "level3", game: str = "tictactoe") -> tuple[str, str]:
    """The paths of the teacher and of the pupils."""
    opened = post(client, "/together/class", game=game, opponent=opponent)
    assert opened.status_code == 303
    teacher = opened.headers["Location"]
    pupils = re.search(r"/together/p[\w-]{22}", client.get(teacher).text)
    assert pupils is not None
    return teacher, pupils[0]


def test_in_a_classroom_everybody_gets_a_board_and_the_teacher_sees_them(client: Client) -> None:
    teacher, pupils = open_class(client)
    assert "Nobody has come yet" in words(client.get(teacher))
    boards = [post(client, pupils, name=name).headers["Location"] for name in ("Ada", "Ben")]
    assert len(set(boards)) == 2
    assert "2 boards, 2 in play" in words(client.get(teacher))
    assert "Ada – Level 3" in words(client.get(teacher))
    post(client, boards[0], version="0", deed="move b2")
    assert "2 moves" in words(client.get(teacher)), "the machine has answered"
    post(client, boards[1], version="0", deed="resign")
    shown = client.get(teacher)
    assert "2 boards, 1 in play" in words(shown)
    assert "Level 3 won: Ben resigned." in words(shown)
    for board in boards:
        assert board.removeprefix("/together/") not in shown.text, "the teacher watches, and does not play"
    assert teacher.removeprefix("/together/") not in client.get(pupils).text
    assert post(client, teacher, name="Eve").status_code == 422


def test_against_a_machine_one_plays_on_at_once(client: Client, app: FastAPI) -> None:
    _, pupils = open_class(client)
    board = post(client, pupils, name="Ada").headers["Location"]
    token = board.removeprefix("/together/")
    post(client, board, version="0", deed="move b2")
    assert len(app.state.live_games.find(token).moves) == 2
    post(client, board, version="2", deed="offer back")
    assert app.state.live_games.find(token).moves == ()
    post(client, board, version="3", deed="resign")
    again = post(client, board, version="4", deed="offer again").headers["Location"]
    assert again.startswith("/together/o")
    client.get(again)
    assert len(app.state.live_games.find(again.removeprefix("/together/")).moves) == 1, "the machine begins now"


def elements(svg: str) -> set[str]:
    """What a picture draws, each with the groups that move it."""
    found = set()

    def walk(element: ElementTree.Element, moved: str) -> None:
        moved += element.get("transform", "")
        for child in element:
            walk(child, moved)
        if element.tag not in ("svg", "g", "use"):
            found.add(f"{moved} {ElementTree.tostring(element).decode().strip()}")

    walk(ElementTree.fromstring(svg), "")
    return found


@pytest.mark.parametrize(
    ("name", "moves"),
    [
        ("tictactoe", "a1.a2.b1.b2.c1"),
        ("qubic", "1a1.4d4.1d1.1b1.4a1.2b2.2b3.3c3"),
        ("nine-mens-morris", "e3.c4.c3.d2.d3xc4.f4"),
        ("achi", ""),
    ],
)
def test_a_small_board_on_its_ground_is_the_whole_picture(app: FastAPI, name: str, moves: str) -> None:
    live = replace(app.state.live_games.begin(name), moves=tuple(filter(None, moves.split("."))))
    game = live.playing.game
    ground = elements(f"<svg>{_empty(game).body}</svg>")
    whole = elements(str(thumbnail(game, live.playing.position)))
    drawn = elements(str(_picture(live)))
    assert whole - ground <= drawn <= whole
    assert bool(drawn) is bool(moves)


def test_a_pupil_without_a_name_is_asked_for_one(client: Client) -> None:
    teacher, pupils = open_class(client)
    assert post(client, pupils, name="  ").status_code == 422
    assert "Nobody has come yet" in words(client.get(teacher))


def test_pupils_can_be_paired(client: Client) -> None:
    teacher, pupils = open_class(client, "human")
    first = post(client, pupils, name="Ada").headers["Location"]
    assert "Waiting for somebody to play with" in words(client.get(first))
    second = post(client, pupils, name="Ben").headers["Location"]
    assert "Your turn, X" in words(client.get(first))
    assert "Ada (X) is to move" in words(client.get(second))
    assert "Ada – Ben" in words(client.get(teacher))
    assert "Invite your friend" not in client.get(first).text


def test_an_opponent_who_does_not_play_the_game_is_refused(client: Client) -> None:
    for opponent in ("nobody", "", "basic3", "x" * 300):
        assert post(client, "/together/class", game="tictactoe", opponent=opponent).status_code in (404, 422)


def test_what_begins_is_bounded_for_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_app, "BEGINNINGS", Bucket(3, 0.001))
    with Client(create_app(settings_in(tmp_path, bounded=True)), follow_redirects=False) as client:
        statuses = [post(client, "/together", game="tictactoe", side="x").status_code for _ in range(2)]
        statuses += [post(client, "/together/class", game="achi", opponent="level1").status_code for _ in range(2)]
    assert statuses == [303, 303, 303, 429]


def told(stream: Any, wanted: int) -> list[str]:
    """So many messages of a stream."""

    async def listen() -> list[str]:
        return [(await anext(stream)).decode() for _ in range(wanted)]

    return asyncio.run(asyncio.wait_for(listen(), 10))


class Versions:
    """Live games of which only the versions are known."""

    def __init__(self) -> None:
        self.looks = 0

    def versions(self, ids: list[int]) -> dict[int, int]:
        self.looks += 1
        return dict.fromkeys(ids, self.looks // 2)

    def stirs(self, ids: list[int]) -> dict[int, int]:
        return dict.fromkeys(ids, 40)


def test_a_stream_says_each_new_version_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "LOOK", 0.01)
    heard = told(Listening(Versions()).stream(Topic("game", 7), 0), 3)  # type: ignore[arg-type]
    assert heard == ["retry: 500\n\n", "id: 1\ndata: 1\n\n", "id: 2\ndata: 2\n\n"]
    heard = told(Listening(Versions()).stream(Topic("classroom", 7), 39), 2)  # type: ignore[arg-type]
    assert heard[1] == "id: 40\ndata: 40\n\n"


def test_a_page_that_is_ahead_of_the_last_look_is_told_nothing_old(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "LOOK", 0.01)
    heard = told(Listening(Versions()).stream(Topic("game", 7), 3), 2)  # type: ignore[arg-type]
    assert heard[1] == "id: 4\ndata: 4\n\n"


def test_a_look_that_fails_is_followed_by_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "REST", 0.01)
    games = Versions()
    whole = games.versions
    looks = iter([DatabaseError("gone for a moment"), DatabaseError("and another")])

    def broken(ids: list[int]) -> dict[int, int]:
        for error in looks:
            raise error
        return whole(ids)

    monkeypatch.setattr(games, "versions", broken)
    assert told(Listening(games).stream(Topic("game", 7), 0), 2)[1] == "id: 1\ndata: 1\n\n"  # type: ignore[arg-type]


def test_a_silent_stream_says_that_it_is_there_and_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "HEARTBEAT", 0.02)
    monkeypatch.setattr(listening, "LONGEST", 0.05)

    async def listen() -> list[bytes]:
        return [one async for one in Listening(Versions()).stream(Topic("classroom", 7), 40)]  # type: ignore[arg-type]

    heard = asyncio.run(asyncio.wait_for(listen(), 10))
    assert b"event: beat\ndata: \n\n" in heard
    assert len(heard) < 6


def test_all_who_listen_share_one_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "LOOK", 0.02)
    games = Versions()

    async def listen() -> None:
        hub = Listening(games)  # type: ignore[arg-type]
        streams = [hub.stream(Topic("game", number), 0) for number in range(50)]
        for _ in range(3):
            await asyncio.gather(*(anext(stream) for stream in streams))
        assert games.looks < 12
        hub.end()
        for stream in streams:
            assert [one async for one in stream] == []

    asyncio.run(asyncio.wait_for(listen(), 10))


def test_too_many_who_listen_are_turned_away(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "MOST_OF_ADDRESS", 0)
    monkeypatch.setattr(pair.app.state.listening, "_bounded", True)
    answer = pair.client.get(f"/together/{pair.x}/events")
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "5"


def test_the_stream_of_a_game_begins_with_what_the_page_does_not_show_yet(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening, "LONGEST", 0.6)
    monkeypatch.setattr(listening, "HEARTBEAT", 0.5)
    pair.play("b2")
    answer = pair.client.get(f"/together/{pair.o}/events?version=0")
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "id: 1\ndata: 1\n\n" in answer.text
