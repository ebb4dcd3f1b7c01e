"""How to play, on the web: the reader makes the moves of every lesson by following links, as without scripts."""

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from play_page import PlayPage, go
from sites import Client, settings_in
from starlette.testclient import TestClient

from noughts.games import KINDS, PASS, Move, game
from noughts.games.points import members
from noughts.insight.lessons import Lesson, lessons, reply
from noughts.insight.puzzles import games_with_puzzles
from noughts.web.app import create_app

pytestmark = pytest.mark.slow

GAMES = [*(kind.example for kind in KINDS), "square4:boards=4", "achi:diagonals=no,blocked=passes", "mnk:19,19,7"]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with Client(create_app(settings_in(tmp_path_factory.mktemp("learned")))) as made:
        yield made


def clicked(client: TestClient, page: PlayPage, lesson: Lesson, move: Move) -> PlayPage:
    """The page after the clicks that make a move; the last of them are spared where only one move is left."""
    if move == PASS:
        return go(client, page.links["pass"])
    for point in (move.source, move.to, move.capture):
        if point is None:
            continue
        click = page.points[lesson.game.layout.points[point]]
        page = go(client, click["href"])
        if click["class"] == "point play":
            break
    return page


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_learned_by_clicks_alone(client: TestClient, name: str) -> None:
    course = lessons(game(name))
    page = go(client, f"/learn/{name}")
    for lesson in course:
        assert f"<h1>{lesson.title}</h1>" in page.html.replace("&#39;", "’")
        if lesson.task:
            tried = wrong_of(lesson)
            if tried:
                after = clicked(client, page, lesson, tried)
                assert reply(lesson, tried).words in after.said
                assert lesson.task in after.said
                page = after if after.points else page
            right = lesson.right[-1]
            page = clicked(client, page, lesson, right)
            assert f"Well done! {reply(lesson, right).words}" in page.said
            assert not page.points
        assert 'class="button main" href="/learn' in page.html
        page = go(client, page.links["next"])
    assert "<h1>Now play</h1>" in page.html
    assert f'href="/new?game={quote(name, safe=":,")}&amp;opponent=level2&amp;begins=you"' in page.html
    assert ("/puzzles?game=" in page.html) == (game(name) in games_with_puzzles())


def wrong_of(lesson: Lesson) -> Move | None:
    """A legal move that does not do the task, with another point to click than those that do."""
    away = {(move.source, move.to) for move in lesson.right}
    legal = lesson.game.moves(lesson.position)
    return next((move for move in legal if (move.source, move.to) not in away and move.capture is None), None)


def test_after_a_wrong_click_one_is_told_why_and_can_go_on(client: TestClient) -> None:
    course = lessons(game("nine-mens-morris"))
    step, lesson = next((step, lesson) for step, lesson in enumerate(course, 1) if lesson.name == "safe")
    page = go(client, f"/learn/nine-mens-morris?step={step}")
    (mill,) = lesson.game.layout.rows_of(lesson.position.stones[1])
    safe = lesson.game.layout.points[members(mill)[0]]
    told = go(client, page.points[safe]["href"])
    assert f"{safe} is occupied: place your stone on an empty point." in told.said
    page = go(client, page.points[lesson.game.layout.points[lesson.right[0].to or 0]]["href"])
    assert "A mill! Now click the stone of O’s that you capture." in page.said
    assert f"{safe} stands in a mill, and O has stones that do not" in go(client, page.points[safe]["href"]).said


def test_it_can_be_shown(client: TestClient) -> None:
    page = go(client, go(client, "/learn/qubic?step=6").links["show"])
    assert page.said.startswith("Like this, ")
    assert "Well done" not in page.said
    assert page.html.count('class="mark-won"') == 4
    assert go(client, page.links["again"]).points


def test_a_mill_that_was_closed_is_drawn(client: TestClient) -> None:
    lesson = lessons(game("nine-mens-morris"))[1]
    move = lesson.game.write_move(lesson.right[0])
    page = go(client, f"/learn/nine-mens-morris?step=2&done={move}")
    assert page.html.count('class="mark-won"') == 3
    assert page.html.count('class="mark-captured"') == 1


def test_options_have_their_own_lessons_and_lead_to_each_other(client: TestClient) -> None:
    page = go(client, "/learn/achi:blocked=draws?step=7")
    assert "the game is a draw" in page.html
    assert 'href="/learn/achi:diagonals=no,blocked=draws?step=1"' in page.html
    assert 'href="/learn/achi?step=1"' in page.html


def test_a_large_board_is_taught_on_a_smaller_one(client: TestClient) -> None:
    page = go(client, "/learn/mnk:19,19,5")
    assert "Shown on a smaller board" in page.html
    assert len(page.points) == 36
    assert "Shown on a smaller board" not in go(client, "/learn/tictactoe").html


def test_all_games_are_there(client: TestClient) -> None:
    page = client.get("/learn").text
    assert all(f'href="/learn/{kind.example}"' in page and kind.title in page for kind in KINDS)


def test_the_panel_beside_the_board_has_every_rule(client: TestClient) -> None:
    page = client.get("/play/achi:diagonals=no?id=shown").text
    for number, lesson in enumerate(lessons(game("achi:diagonals=no")), 1):
        assert f"<strong>{lesson.title}</strong> {' '.join(lesson.words)}" in page
        picture = client.get(f"/learn/achi:diagonals=no/{number}.svg")
        assert picture.headers["content-type"] == "image/svg+xml"
        assert picture.text.count('class="stone-x"') == lesson.position.stones[0].bit_count()
    assert client.get(f"/learn/achi:diagonals=no/{number + 1}.svg").status_code == 404


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("step=0", "Step"),
        ("step=2&done=z9", "not a point of this board"),
        ("step=2&done=a1", "occupied"),
        ("step=2&part=a1-", "begins no legal move"),
        ("step=2&part=b", "begins no legal move"),
        ("step=2&try=z9", "not a point of this board"),
    ],
)
def test_a_wrong_address_is_answered_in_words(client: TestClient, query: str, said: str) -> None:
    answer = client.get(f"/learn/nine-mens-morris?{query}")
    assert answer.status_code in (400, 422)
    assert said in answer.text


def test_a_step_after_the_last_is_the_last(client: TestClient) -> None:
    assert "<h1>Now play</h1>" in client.get("/learn/tictactoe?step=99").text
