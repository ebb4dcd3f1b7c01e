"""The review of a game on the web, in a frame, as a picture and as JSON."""

import json
import re
import struct
import zlib
from collections import Counter
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest
from fastapi.testclient import TestClient
from sites import Client, settings_in

from noughts.cli.main import run
from noughts.games import game
from noughts.games.playing import Playing
from noughts.web.app import create_app
from noughts.web.asking.questions import REVIEWING
from noughts.web.boards.raster import HEIGHT, IVORY, LINES, PAPER, SLATE, WIDTH, O, X, png_board

pytestmark = pytest.mark.slow

LOST = "/review/tictactoe?x=human&o=c1990&moves=a1.b2.b1.c1.a2.a3"
LONG = "b2.c1.a2.c2.c3.a1.b1.b3.a2-a3.a1-a2.b2-a1.c2-b2.c3-c2.b3-c3.a3-b3.b2-a3.c2-b2"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    app = create_app(settings_in(tmp_path_factory.mktemp("review"), thinkers=1, patience=60))
    with Client(app, follow_redirects=False) as client:
        yield client


def words(text: str) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text)))


def test_a_mistake_is_told_to_whoever_made_it(client: TestClient) -> None:
    text = words(client.get(f"{LOST}&ply=5").text)
    assert "You lost: the C program of 1990 has three in a row." in text
    assert "Your 3rd move was the one blunder of the game: a draw became a loss in 2. Better was a3." in text
    assert "Your 3rd move: a2 ?? a blunder" in text
    assert "Better was a3 , framed on the board; then it might go on a2 c2 b3 c3" in text
    assert "With best play O wins now with the next move." in text
    assert "5. X a2 ?? a blunder" in text
    others = words(client.get(LOST.replace("x=human&o=c1990", "x=c1990&o=human")).text)
    assert "X's 3rd move was the one blunder of the game" in others
    assert "You won: three in a row." in others


def test_one_can_try_again_play_on_and_explore(client: TestClient) -> None:
    text = unescape(client.get(f"{LOST}&ply=5").text)
    links = re.findall(r'<a class="button[^"]*" href="([^"]+)">(.*?)</a>', text)
    ways = {label: href for href, label in links}
    before = {"x": "human", "o": "c1990", "moves": "a1.b2.b1.c1"}
    assert dict(parse_qsl(urlsplit(ways["Try it again from before"]).query)) == before
    assert ways["Play on from here"].endswith("moves=a1.b2.b1.c1.a2")
    assert ways["Explore this position"] == "/explore/tictactoe/XXO/XO./..."
    end = unescape(client.get(LOST).text)
    assert "Play on from here" not in end
    assert "Explore this position" not in end


def test_every_ply_can_be_pressed_in_the_list_and_on_the_curve(client: TestClient) -> None:
    address = f"/review/achi?x=human&o=novice&moves={LONG}"
    text = unescape(client.get(f"{address}&ply=11").text)
    form = text.split('<form id="plies" action="/review/achi"')[1].split("</form>")[0]
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form))
    assert fields == {"x": "human", "o": "novice", "moves": LONG}
    plies = [str(ply) for ply in range(len(LONG.split(".")) + 1)]
    assert re.findall(r'<button name="ply" value="(\d+)"', form) == plies
    assert re.findall(r'data-press="ply-(\d+)"', text) == plies
    assert text.count(LONG) < 15  # every address has all moves, so there are few
    assert 'data-step="ArrowLeft"' in text
    assert client.get(f"{address}&ply=10", headers={"X-Noughts-Part": "review"}).text.strip().startswith("<section id")


def test_the_page_says_how_far_it_is_and_comes_again(tmp_path: Path) -> None:
    app = create_app(settings_in(tmp_path, thinkers=1, glance=0.0))
    with Client(app) as client:
        answer = client.get(f"/review/achi?moves={LONG}")
        assert answer.status_code == 200
        assert answer.headers["Cache-Control"] == "no-store"
        assert "0 of 17 moves looked at" in words(answer.text)
        assert 'data-wait="500"' in answer.text
        assert '<noscript><meta http-equiv="refresh" content="2"></noscript>' in answer.text
        assert "This move is being looked at" in answer.text


def test_the_api_says_what_the_command_says(client: TestClient, capsys: pytest.CaptureFixture[str]) -> None:
    answer = client.get("/api/v1/review", params={"game": "achi", "moves": LONG})
    assert answer.status_code == 200
    assert run(["review", "achi", *LONG.split("."), "--json", "--nodes", str(REVIEWING.nodes)]) == 0
    assert answer.json() == json.loads(capsys.readouterr().out)
    started = client.get("/api/v1/review", params={"game": "tictactoe", "moves": "c1", "start": "XX./OO./..."}).json()
    assert (started["start"], started["result"], started["curve"]) == ("XX./OO./...", "x", [1.0, 1.0])
    for query, status in ((".", 422), ("a1.a1", 422), ("a1." * 500, 422), ("z9", 422)):
        assert client.get("/api/v1/review", params={"game": "tictactoe", "moves": query}).status_code == status
    assert client.get("/api/v1/review", params={"game": "chess", "moves": "e4"}).status_code == 404


def test_a_pasted_game_is_reviewed_and_what_is_wrong_is_said_in_place(client: TestClient) -> None:
    assert client.get("/review").status_code == 200
    good = client.get("/review", params={"game": "tictactoe", "text": "1. b2 a1 2. c3"})
    assert (good.status_code, good.headers["location"]) == (303, "/review/tictactoe?x=human&o=human&moves=b2.a1.c3")
    address = client.get("/review", params={"text": f"http://testserver{LOST}"})
    assert address.headers["location"] == LOST
    stranger = '{"game": "tictactoe", "x": "somebody", "o": "human", "moves": ["b2"]}'
    there = client.get("/review", params={"text": stranger}).headers["location"]
    assert there == "/review/tictactoe?x=human&o=human&moves=b2"
    bad = client.get("/review", params={"game": "tictactoe", "text": "b2 <b>b2"})
    assert bad.status_code == 422
    assert 'role="alert"' in bad.text
    assert "<b>b2" not in bad.text
    wrong = words(client.get("/review", params={"game": "tictactoe", "text": "b2 b2"}).text)
    assert "Move 2: 'b2' is not a legal move: b2 is occupied" in wrong
    assert client.get("/review", params={"text": '{"game": "tictactoe", "moves": []}'}).status_code == 422
    assert client.get("/review/tictactoe").headers["location"] == "/review"
    assert client.get(f"{LOST}&ply=7").status_code == 404


def test_only_what_is_made_for_it_may_stand_in_frames(client: TestClient) -> None:
    framed = client.get(LOST.replace("/review/", "/embed/") + "&ply=3")
    assert "frame-ancestors *" in framed.headers["Content-Security-Policy"]
    assert framed.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert "3 of 6" in framed.text
    assert 'target="_top"' in framed.text
    assert "<form" not in framed.text
    assert "<script" not in framed.text
    for path in ("/", LOST, "/embedded", "/history"):
        assert "frame-ancestors 'none'" in client.get(path).headers["Content-Security-Policy"]
    picture = client.get("/embed/nine-mens-morris.svg?moves=a1.d1")
    assert picture.headers["Content-Type"] == "image/svg+xml"
    assert (picture.text.count("stone-x"), picture.text.count("stone-o")) == (2, 2)  # one stone, one style each
    assert client.get("/embed/tictactoe.svg?position=XXX/OOO/...").status_code == 422
    assert client.get("/embed/tictactoe?moves=b2&ply=2").status_code == 404


def test_the_snippet_is_the_address_of_the_frame(client: TestClient) -> None:
    text = client.get(f"{LOST}&ply=4").text
    snippet = unescape(re.search(r'id="frame" readonly value="([^"]*)"', text)[1])  # type: ignore[index]
    source = re.fullmatch(r'<iframe src="http://testserver([^"]+)" .*></iframe>', snippet)
    assert source
    assert "4 of 6" in client.get(source[1]).text


@pytest.mark.parametrize(
    "path", [f"{LOST}&ply=5", "/explore/achi", "/play/qubic?x=human&o=human&moves=1a1&id=abc", "/learn/achi"]
)
def test_links_have_previews(client: TestClient, path: str) -> None:
    text = client.get(path).text
    told = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)"', text)
    found = {name: unescape(content) for name, content in told}
    assert found["description"] == found["og:description"] != ""
    assert found["og:title"] == unescape(re.search("<title>(.*?)</title>", text)[1])  # type: ignore[index]
    picture = client.get(found["og:image"])
    assert picture.headers["Content-Type"] == "image/png"
    assert picture.content.startswith(b"\x89PNG")


def pixels(png: bytes) -> np.ndarray:
    """What a reader of PNG sees, read by the book: signature, chunks with their sums, rows without a filter."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, data = 8, b""
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at : at + 8])
        body = png[at + 8 : at + 8 + size]
        assert struct.unpack(">I", png[at + 8 + size : at + 12 + size])[0] == zlib.crc32(kind + body)
        data += body if kind == b"IDAT" else b""
        at += 12 + size
    rows = np.frombuffer(zlib.decompress(data), np.uint8).reshape(HEIGHT, 1 + 3 * WIDTH)
    assert not rows[:, 0].any()
    return rows[:, 1:].reshape(HEIGHT, WIDTH, 3)


def counted(png: bytes) -> Counter[tuple[int, ...]]:
    """How many pixels there are of each colour."""
    red, green, blue = (pixels(png)[..., part].astype(np.int64) for part in range(3))
    codes, times = np.unique(red << 16 | green << 8 | blue, return_counts=True)
    return Counter(
        {
            (int(one) >> 16, int(one) >> 8 & 255, int(one) & 255): int(many)
            for one, many in zip(codes, times, strict=True)
        }
    )


def test_the_picture_has_the_stones_of_the_board() -> None:
    board = game("tictactoe")
    blank = png_board(board, board.start())
    empty, one, two, three = (
        counted(png_board(board, board.play(*moves))) for moves in ((), ("b2",), ("b2", "a1"), ("b2", "a1", "c3"))
    )
    assert empty[X] == empty[O] == 0
    assert tuple(pixels(blank)[0, 0]) == PAPER
    assert one[X] > 500
    assert 1.9 < three[X] / one[X] < 2.1
    assert two[O] == three[O] > 500
    lines = game("nine-mens-morris")
    stones = counted(png_board(lines, lines.play("a1", "d1")))
    assert min(stones[colour] for colour in (SLATE, IVORY, LINES)) > 300
    assert len(png_board(game("mnk:19,19,5"), game("mnk:19,19,5").start())) < 100_000


def test_a_third_time_is_known_to_the_page(client: TestClient) -> None:
    rules = game("three-mens-morris")
    playing = Playing.begin(rules)
    moves = ["b2", "a1", "c3", "a3", "a2", "c2", *["c3-b3", "a1-b1", "b3-c3", "b1-a1"] * 2]
    for move in moves:
        playing = playing.then(rules.read_move(playing.position, move))
    assert playing.result is not None
    text = words(client.get(f"/review/three-mens-morris?moves={'.'.join(moves)}").text)
    assert "It's a draw: the position came up for the third time." in text
    assert "took too long" not in text
