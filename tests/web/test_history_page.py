"""Finished games as the web shows them: none missing, none twice, each as it was saved."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sites import Client, settings_in

from noughts.arena import Pairing, Tournament, play_game, wilson
from noughts.games import game
from noughts.games.playing import Playing
from noughts.players import player
from noughts.records import Finished, Saved, save_tournament
from noughts.web.app import create_app
from noughts.web.sitting import Sitting, read_sitting

pytestmark = pytest.mark.slow

ENTRY = re.compile(r'<a class="card" href="/history/(\d+)">')


def a_game(number: int, name: str = "tictactoe", x: str = "human", o: str = "random") -> Finished:
    rules = game(name)
    other = "random" if name == "nine-mens-morris" else "casual"  # who would search for seconds there
    playing, result = play_game(rules, (player("random", number), player(other, number)))
    return Finished(
        token=f"game {number}",
        game=name,
        x=x,
        o=o,
        moves=" ".join(rules.write_move(move) for move in playing.moves),
        result="draw" if result.winner is None else "xo"[result.winner],
        reason=result.reason,
        seconds=number / 8,
    )


@pytest.fixture
def app(tmp_path: Path) -> FastAPI:
    return create_app(settings_in(tmp_path, thinkers=1, glance=0.0))


@pytest.fixture
def client(app: FastAPI) -> Iterator[TestClient]:
    with Client(app) as client:
        yield client


def save(app: FastAPI, *games: Finished) -> list[Saved]:
    return [app.state.history.save(one) for one in games]


def walk(client: TestClient, address: str) -> list[int]:
    """The games of all pages, following the link to older ones."""
    found: list[int] = []
    while address:
        text = client.get(address).text
        found += [int(number) for number in ENTRY.findall(text)]
        older = re.search(r'href="([^"]+)" rel="next"', text)
        address = unescape(older[1]) if older else ""
    return found


def test_an_empty_history_says_so_kindly(client: TestClient) -> None:
    text = client.get("/history").text
    assert "No game has been finished yet" in text
    assert "noughts tournament tictactoe --games 50 --save" in text
    assert "0 games in all" in text
    assert client.get("/history.jsonl").text == ""


def test_pages_hold_every_game_once_newest_first(app: FastAPI, client: TestClient) -> None:
    saved = save(app, *(a_game(number) for number in range(60)))
    assert walk(client, "/history") == [one.id for one in reversed(saved)]
    assert "60 games in all" in client.get("/history").text


def test_games_and_players_can_be_picked_out(app: FastAPI, client: TestClient) -> None:
    kinds = [("tictactoe", "human", "c1990"), ("achi", "casual", "human"), ("tictactoe", "chip1990", "human")]
    saved = save(app, *(a_game(number, *kinds[number % 3]) for number in range(90)))
    newest = saved[::-1]
    assert walk(client, "/history?game=achi") == [one.id for one in newest if one.game == "achi"]
    assert walk(client, "/history?player=c1990") == [one.id for one in newest if one.o == "c1990"]
    assert walk(client, "/history?player=human") == [one.id for one in newest]
    assert walk(client, "/history?game=tictactoe&player=chip1990") == [one.id for one in newest if one.x == "chip1990"]
    assert walk(client, "/history?game=achi&player=c1990") == []
    assert walk(client, "/history?player=nobody%00") == []


def test_an_entry_says_who_played_and_how_it_ended(app: FastAPI, client: TestClient) -> None:
    game_over = Finished(
        token="t", game="tictactoe", x="human", o="chip1990", moves="a1 b2 b1 c1 a2 a3", result="o", reason="a row"
    )
    save(app, game_over)
    text = re.sub(r"<[^>]+>|\s+", " ", client.get("/history").text)
    text = re.sub(" +", " ", text)
    assert "Tic-tac-toe X a person against O The chip of 1990 O won (a row), 6 plies" in text


@pytest.mark.parametrize("name", ["tictactoe", "achi", "nine-mens-morris", "qubic"])
def test_a_replay_shows_the_board_at_every_ply(app: FastAPI, client: TestClient, name: str) -> None:
    (saved,) = save(app, a_game(3, name))
    rules = game(name)
    playing = Playing.begin(rules)
    moves = saved.moves.split()
    for ply in range(len(moves) + 1):
        text = client.get(f"/history/{saved.id}?ply={ply}").text
        assert f"{ply} of {len(moves)}" in text
        board = text.split('<div class="boards')[1].split("</div>")[0]
        x, o = ('class="stone-x"', 'class="stone-o"') if rules.layout.edges else ('class="x"', 'class="o"')
        assert board.count(x) == playing.position.stones[0].bit_count()
        assert board.count(o) == playing.position.stones[1].bit_count()
        assert read_back(text, rules.name) == playing.position or ply == len(moves)
        if ply < len(moves):
            playing = playing.then(rules.read_move(playing.position, moves[ply]))
    assert client.get(f"/history/{saved.id}").text == text


def read_back(text: str, name: str) -> object:
    """The position from which the link to play on leads on."""
    link = re.search(r'href="(/play/[^"]+)">Play on', text)
    return sitting_of(unescape(link[1])).playing.position if link else name


def sitting_of(address: str) -> Sitting:
    where = urlsplit(address)
    return read_sitting(unquote(where.path.removeprefix("/play/")), dict(parse_qsl(where.query)))


def test_playing_on_keeps_the_seats_and_gives_a_person_one(app: FastAPI, client: TestClient) -> None:
    seats: dict[tuple[str, str], tuple[str, str]] = {}
    for x, o in (("human", "c1990"), ("c1990", "perfect"), ("human", "human"), ("somebody", "c1990")):
        (saved,) = save(app, a_game(len(seats), "tictactoe", x, o))
        text = client.get(f"/history/{saved.id}?ply=3").text
        seats[x, o] = sitting_of(unescape(re.search(r'href="(/play/[^"]+)"', text)[1])).names  # type: ignore[index]
    assert seats == {
        ("human", "c1990"): ("human", "c1990"),
        ("c1990", "perfect"): ("c1990", "human"),
        ("human", "human"): ("human", "human"),
        ("somebody", "c1990"): ("human", "c1990"),
    }


@pytest.mark.parametrize(("result", "words"), [("x", "You won: O resigned."), ("draw", "A draw: O resigned.")])
def test_a_game_that_was_given_up_is_over(app: FastAPI, client: TestClient, result: str, words: str) -> None:
    (saved,) = save(app, replace(a_game(1), moves="b2 a1", result=result, reason="O resigned"))
    text = client.get(f"/history/{saved.id}").text
    assert words in text
    assert "Play on from here" not in text
    assert "Play on from here" in client.get(f"/history/{saved.id}?ply=1").text


def test_a_game_from_another_position_is_replayed_from_there(app: FastAPI, client: TestClient) -> None:
    (saved,) = save(app, replace(a_game(1), start="XX./OO./...", moves="c1", result="x", reason="a row"))
    text = client.get(f"/history/{saved.id}?ply=0").text
    assert 'href="/explore/tictactoe/XX./OO./..."' in text
    assert "start=XX./OO./..." in unescape(text)


def test_steps_lead_to_the_first_previous_next_and_last_ply(app: FastAPI, client: TestClient) -> None:
    (saved,) = save(app, a_game(1))
    last = saved.plies
    text = client.get(f"/history/{saved.id}?ply=2").text
    for name, ply in (("first", 0), ("previous", 1), ("next", 3), ("last", last)):
        assert f'data-focus="{name}" aria-label="{name}" href="/history/{saved.id}?ply={ply}"' in text
    part = client.get(f"/history/{saved.id}?ply=2", headers={"X-Noughts-Part": "review"}).text.strip()
    assert part.startswith('<section id="review"')
    assert part.endswith("</section>")
    assert 'aria-label="next" role="link" aria-disabled="true"' in client.get(f"/history/{saved.id}").text


def test_the_lines_are_json_and_what_was_saved(app: FastAPI, client: TestClient) -> None:
    saved = save(app, *(a_game(number, "achi" if number % 2 else "tictactoe") for number in range(450)))
    answer = client.get("/history.jsonl")
    assert answer.headers["content-disposition"].startswith("attachment")
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert len(lines) == 450
    for line, one in zip(lines, saved, strict=True):
        assert (line["id"], line["game"], line["x"], line["o"]) == (one.id, one.game, one.x, one.o)
        assert (" ".join(line["moves"]), line["result"], line["reason"]) == (one.moves, one.result, one.reason)
        assert (line["plies"], line["seconds"], line["start"]) == (one.plies, one.seconds, one.start)
        assert "token" not in line


def test_one_game_can_be_taken_away_and_pasted_again(app: FastAPI, client: TestClient) -> None:
    for saved in save(app, a_game(1), a_game(2, "achi"), replace(a_game(3), start="XX./OO./...", moves="c1")):
        line = client.get(f"/history/{saved.id}.json")
        assert line.headers["content-disposition"].startswith("attachment")
        assert line.text.strip() in client.get("/history.jsonl").text.splitlines()
        there = client.get("/review", params={"text": line.text}, follow_redirects=False).headers["location"]
        assert there.startswith(f"/review/{saved.game}?")
        assert f"moves={saved.moves.replace(' ', '.')}" in there
        text = client.get(f"/history/{saved.id}.txt").text
        moves = text.splitlines()[-1]
        assert [word for word in moves.split() if not word.endswith(".") and word != "…"] == saved.moves.split()
        assert (f"from {saved.start}" in text) == (saved.start is not None)
    assert client.get("/history/99.json").status_code == 404
    assert client.get("/history/99.txt").status_code == 404


def test_my_games_are_those_whose_numbers_the_browser_sends(app: FastAPI, client: TestClient) -> None:
    saved = save(app, *(a_game(number) for number in range(6)))
    mine = [saved[1].id, saved[4].id]
    text = client.get(f"/history?mine={mine[0]}.{mine[1]}.777").text
    assert [int(number) for number in ENTRY.findall(text)] == [mine[1], mine[0]]
    assert "<h1>My games</h1>" in text
    assert "<h1>Finished games</h1>" in client.get("/history").text
    for bad in ("x", "1,2", "1..2", "-1", "9" * 19, ".".join(["1"] * 101)):
        answer = client.get(f"/history?mine={bad}")
        assert answer.status_code == 422
        assert "expected at most 100 numbers, as 17.12.3" in answer.text


def test_the_leaders_have_wilsons_intervals(app: FastAPI, client: TestClient) -> None:
    pairings = [Pairing("perfect", "novice", 30, 10, 0), Pairing("perfect", "random", 38, 2, 0),
                Pairing("novice", "random", 25, 5, 10)]  # fmt: skip
    save_tournament(app.state.database, Tournament("tictactoe", 7, 40, pairings))
    text = client.get("/history").text
    table = text.split('<table class="leaders">')[1].split("</table>")[0]
    rows = [re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", row)).split() for row in table.split("<tr>")[2:]]
    assert [row[0] for row in rows] == ["Perfect", "Novice", "Dice"]
    low, high = wilson(68, 80)
    assert rows[0] == ["Perfect", "0.925", "68", f"{100 * low:.1f}–{100 * high:.1f}", "0", "0.0–4.6", "12", "80"]
    assert "seed 7" in text
    assert '<table class="leaders">' not in client.get("/history?game=achi").text
    assert "noughts tournament achi --games 50 --save" in client.get("/history?game=achi").text


def test_whatever_was_saved_is_shown_as_text(app: FastAPI, client: TestClient) -> None:
    bad = "<script>alert(1)</script>"
    saved = save(
        app,
        Finished(token="t", game=bad, x=bad, o='"><b>', moves=bad, result="x", reason=bad),
        Finished(token="t", game="tictactoe", x=bad, o=bad, moves="a1 a1", result="draw", reason=""),
    )
    save_tournament(app.state.database, Tournament(bad, 1, 3, [Pairing(bad, '"><b>', 1, 1, 1)]))
    for address in ("/history", f"/history?game={bad}", f"/history?player={bad}"):
        answer = client.get(address)
        assert answer.status_code == 200
        assert "<script>alert" not in answer.text
        assert '"><b>' not in answer.text
    assert client.get(f"/history/{saved[0].id}").status_code == 404
    assert client.get(f"/history/{saved[1].id}").status_code == 422


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/history/1", 404),
        ("/history/0", 422),
        ("/history/-1", 422),
        ("/history/x", 422),
        ("/history/99999999999999999999999999", 422),
        ("/history/9223372036854775807", 404),
        ("/history/1%00", 422),
        ("/history?before=0", 422),
        ("/history?before=x", 422),
        ("/history?game=" + "x" * 101, 422),
        ("/history?player=%FF%00", 200),
    ],
)
def test_numbers_that_no_game_has_are_refused(client: TestClient, address: str, status: int) -> None:
    assert client.get(address).status_code == status


def test_a_ply_that_the_game_has_not_is_not_found(app: FastAPI, client: TestClient) -> None:
    (saved,) = save(app, a_game(1))
    assert client.get(f"/history/{saved.id}?ply={saved.plies}").status_code == 200
    assert client.get(f"/history/{saved.id}?ply={saved.plies + 1}").status_code == 404
    assert client.get(f"/history/{saved.id}?ply=-1").status_code == 422
