"""The pages of puzzles: every right move is taken, every wrong one refuted on the board, and the day has one."""

import re
from collections.abc import Iterator
from datetime import date
from html import unescape
from pathlib import Path

import httpx2
import pytest
from fastapi.testclient import TestClient
from sites import Client, settings_in

from noughts.games import Game, Outcome, Position
from noughts.games import game as find_game
from noughts.insight.puzzles import THEMES, games_with_puzzles, puzzle_of_the_day, puzzles_of
from noughts.solve import knowledge
from noughts.web.app import create_app
from noughts.web.asking.questions import judgement
from noughts.web.pages import puzzles as pages

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("puzzles")
    with Client(create_app(settings_in(folder, thinkers=1, patience=60))) as client:
        yield client


def said(answer: httpx2.Response) -> str:
    """What the page says, in one line."""
    found = re.search(r'id="status".*?>(.*?)</div>', answer.text, re.S)
    assert found
    return " ".join(unescape(re.sub("<[^>]+>", " ", found[1])).split())


def button(answer: httpx2.Response, words: str) -> str | None:
    found = re.search(rf'<a class="button[^"]*" href="([^"]+)"[^>]*>{words}</a>', answer.text)
    return unescape(found[1]) if found else None


@pytest.mark.parametrize("name", ["tictactoe", "three-mens-morris"])
def test_every_first_move_is_answered_as_the_solver_has_it(client: TestClient, name: str) -> None:
    game = find_game(name)
    for puzzle in puzzles_of(game)[::4]:
        for one in knowledge(game).ask(puzzle.position).moves:
            answer = client.get(f"/puzzles/{name}/{puzzle.number}", params={"moves": game.write_move(one.move)})
            right = one.value.outcome is puzzle.value
            assert ("data-solved" in answer.text) == right
            if right:
                assert said(answer).startswith("Right: ")
            else:
                assert said(answer).startswith(f"Not {game.write_move(one.move)}. It gives the ")
                assert '<text class="win note small"' in answer.text, "the answer is drawn on the board"
                reply = judgement(name, game.write(puzzle.position), game.write_move(one.move))["reply"]
                assert reply in said(answer)
                assert knowledge(game).ask(after(game, one.position, [reply])).value.outcome is one.value.outcome
                again = button(answer, "Try again")
                assert again == f"/puzzles/{name}/{puzzle.number}"


def test_a_win_is_played_out_against_the_best_defence_and_then_on(client: TestClient) -> None:
    game, ends = find_game("nine-mens-morris"), set()
    for puzzle in (one for one in puzzles_of(game) if one.won and one.plies == 7):
        moves: list[str] = []
        for turn in (1, 2, 3, 4):
            position = after(game, puzzle.position, moves)
            best = game.write_move(knowledge(game).ask(position).moves[0].move)
            answer = client.get(f"/puzzles/{game.name}/{puzzle.number}", params={"moves": ".".join([*moves, best])})
            assert answer.status_code == 200
            assert "data-solved" in answer.text
            assert ("Solved" in said(answer)) == (turn == 4)
            moves = answer.url.params["moves"].split(".")
            assert len(moves) == (7 if turn == 4 else 2 * turn)
        assert button(answer, "Next puzzle") == f"/puzzles/nine-mens-morris/{puzzle.number + 1}"
        over = game.over(after(game, puzzle.position, moves)) is not None
        assert ("Play on from here" in answer.text) != over
        ends.add(over)
    assert False in ends


def after(game: Game, position: Position, moves: list[str]) -> Position:
    for text in moves:
        position = game.after(position, game.read_move(position, text))
    return position


def test_a_move_that_lets_a_win_go_later_on_is_refuted_too(client: TestClient) -> None:
    game = find_game("tictactoe")
    for puzzle in puzzles_of(game):
        if not puzzle.won or puzzle.plies != 3:
            continue
        first = client.get(f"/puzzles/tictactoe/{puzzle.number}", params={"moves": game.write_move(puzzle.solution[0])})
        moves = first.url.params["moves"]
        position = after(game, puzzle.position, moves.split("."))
        losing = [one for one in knowledge(game).ask(position).moves if one.value.outcome is not Outcome.WIN]
        if losing:
            answer = client.get(first.url.path, params={"moves": f"{moves}.{game.write_move(losing[0].move)}"})
            assert said(answer).startswith("Not ")
            assert button(answer, "Try again") == f"{first.url.path}?moves={moves}"
            return
    pytest.fail("no puzzle whose win can be let go later on")


def test_moves_after_a_wrong_one_lead_back_to_it(client: TestClient) -> None:
    game = find_game("tictactoe")
    puzzle = puzzles_of(game)[-1]
    wrong = next(move for move in game.moves(puzzle.position) if move not in puzzle.solution)
    reply = game.moves(game.after(puzzle.position, wrong))[0]
    moves = f"{game.write_move(wrong)}.{game.write_move(reply)}"
    answer = client.get(f"/puzzles/tictactoe/{puzzle.number}", params={"moves": moves})
    assert answer.url.params["moves"] == game.write_move(wrong)
    assert "data-solved" not in answer.text


def test_hints_tell_the_theme_then_where_and_the_solution_does_not_count(client: TestClient) -> None:
    puzzle = puzzles_of(find_game("six-mens-morris"))[-1]
    address = f"/puzzles/six-mens-morris/{puzzle.number}"
    first = client.get(address)
    theme = THEMES[puzzle.theme].lower()
    assert theme not in said(first)
    second = client.get(str(button(first, "Hint")))
    assert theme in said(second)
    assert "mark-hint" not in second.text
    third = client.get(str(button(second, "Hint")))
    assert third.text.count("mark-hint") == 1
    assert button(third, "Hint") is None
    shown = client.get(str(button(first, "Solution")))
    best = puzzle.game.write_move(puzzle.solution[0])
    assert f"Solution: {best}" in said(shown)
    assert "data-solved" not in client.get(address, params={"moves": best, "show": "1"}).text


def test_a_hint_after_the_first_move_is_a_move_that_keeps_the_win(client: TestClient) -> None:
    game = find_game("achi")
    puzzle = next(one for one in puzzles_of(game) if one.plies == 5)
    first = client.get(f"/puzzles/achi/{puzzle.number}", params={"moves": game.write_move(puzzle.solution[0])})
    hinted = client.get(str(button(first, "Hint")))
    advised = re.search(r"Hint: (\S+) will do\.", said(hinted))
    assert advised
    assert "mark-hint" in hinted.text
    moves = [*hinted.url.params["moves"].split("."), advised[1]]
    assert knowledge(game).ask(after(game, puzzle.position, moves)).value.outcome is Outcome.LOSS


def test_a_move_of_two_clicks_and_a_click_that_leads_nowhere(client: TestClient) -> None:
    game = find_game("three-mens-morris")
    puzzle = next(one for one in puzzles_of(game) if one.solution[0].source is not None)
    source, to = (game.layout.points[point] for point in (puzzle.solution[0].source or 0, puzzle.solution[0].to or 0))
    address = f"/puzzles/three-mens-morris/{puzzle.number}"
    picked = client.get(address, params={"part": f"{source}-"})
    assert f"Where should {source} go?" in said(picked)
    assert f'href="{address}?moves={source}-{to}"' in picked.text
    assert button(picked, "Put it back") == address
    assert "first pick the stone" in said(client.get(address, params={"try": to}))


def test_the_day_has_one_for_everybody_and_tomorrow_another(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    for day in (date(2026, 11, 16), date(2026, 11, 16), date(2026, 11, 17)):
        monkeypatch.setattr(pages, "today", lambda day=day: day)
        answer = client.get("/puzzles/today")
        puzzle = puzzle_of_the_day(day)
        assert answer.url.path == f"/puzzles/{puzzle.game.name}/{puzzle.number}"
        assert f'data-day="{day}"' in answer.text
        assert puzzle.task in unescape(client.get("/puzzles").text)
        seen.append(answer.url.path)
    assert seen[0] == seen[1] != seen[2]


def test_puzzles_are_picked_by_game_and_theme(client: TestClient) -> None:
    everything = client.get("/puzzles").text
    for game in games_with_puzzles():
        assert game.title in unescape(everything)
    of_achi = client.get("/puzzles", params={"game": "achi"}).text
    assert len(set(re.findall(r'href="/puzzles/achi/(\d+)"', of_achi))) == len(puzzles_of(find_game("achi")))
    quiet = client.get("/puzzles", params={"theme": "quiet"}).text
    expected = {
        f"/puzzles/{game.name}/{puzzle.number}"
        for game in games_with_puzzles()
        for puzzle in puzzles_of(game)
        if puzzle.theme == "quiet"
    }
    assert set(re.findall(r'<a class="button" href="(/puzzles/[^"?]+)"', quiet)) == expected


@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        ("/puzzles/tictactoe/999", 404, "999 is not a puzzle of tictactoe: expected a number from 1 to"),
        ("/puzzles/mnk:3,3,2/1", 404, "there are no puzzles of 'mnk:3,3,2'"),
        ("/puzzles/chess/1", 404, "'chess' is not a game"),
        ("/puzzles?theme=sacrifice", 422, "theme='sacrifice' is not a theme: expected one of win, "),
        ("/puzzles?game=mnk:3,3,2", 404, "there are no puzzles of"),
        ("/puzzles/tictactoe/1?moves=z9", 422, "'z9'"),
        ("/puzzles/achi/1?part=z9-", 422, "part='z9-' begins no legal move"),
        ("/puzzles/tictactoe/1?try=z9", 422, "try='z9' is not a point of this board"),
    ],
)
def test_what_is_not_there_is_named(client: TestClient, address: str, status: int, words: str) -> None:
    answer = client.get(address)
    assert answer.status_code == status
    assert f"{words[0].upper()}{words[1:]}" in unescape(answer.text)


def test_the_api_lists_puzzles_by_game_and_theme_and_has_the_day_s(client: TestClient) -> None:
    of_achi = client.get("/api/v1/puzzles", params={"game": "achi", "theme": "quiet", "limit": 2}).json()["puzzles"]
    quiet = [puzzle.as_json() for puzzle in puzzles_of(find_game("achi")) if puzzle.theme == "quiet"]
    assert of_achi == quiet[:2]
    assert client.get("/api/v1/puzzles", params={"game": "mnk:3,3,2"}).status_code == 404
    assert client.get("/api/v1/puzzles", params={"theme": "sacrifice"}).status_code == 422
    daily = client.get("/api/v1/puzzles/today").json()
    day = date.fromisoformat(daily.pop("day"))
    assert daily == puzzle_of_the_day(day).as_json()
