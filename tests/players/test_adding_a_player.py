"""A player is a class and its line in the catalogue: the commands, the arena and the pages know it from there."""

import json
from pathlib import Path

import pytest

from package_copy import PackageCopy

pytestmark = pytest.mark.slow

CLASS = '''"""Plays on the last free point: a player as short as they come."""

from noughts.games import Game, Position
from noughts.players.player import Choice, Player

__all__ = ["Last"]


class Last(Player):
    """Begins at the end of the board."""

    name = "last"
    about = "the last of the legal moves"
    title = "The last one"
    story = "Reads the board from its end, and plays there."
    strength = "hardly plays at all"
    machine = True
    year = 1899
    plays_only = ("tictactoe", "square4")

    def choose(self, game: Game, position: Position) -> Choice:
        """The last legal move."""
        return Choice(game.moves(position)[-1])
'''

PROGRAM = """
import io, json, time
from contextlib import redirect_stdout
from fastapi.testclient import TestClient
from noughts.cli.main import run
from noughts.web.app import create_app

def said(*words):
    out = io.StringIO()
    with redirect_stdout(out):
        assert run(list(words)) == 0, words
    return out.getvalue()

listed = {row["name"]: row for row in json.loads(said("players", "--json"))}
row = next(line for line in said("players").splitlines() if line.startswith("last "))
move = json.loads(said("move", "tictactoe", "X../.../...", "--player", "last", "--json"))
match = json.loads(said("match", "tictactoe", "last", "random", "--games", "2", "--seed", "1", "--json"))
with TestClient(create_app(), base_url="http://127.0.0.1:8000") as client:
    pages = {path: client.get(path).text for path in ("/", "/?game=square4", "/?game=achi", "/play/tictactoe?x=last")}
    api = [one["name"] for one in client.get("/api/v1/players").json()["players"]]
    for _ in range(60):  # 503: the answer is still being worked out
        answer = client.get("/api/v1/move", params={"game": "tictactoe", "player": "last"})
        if answer.status_code != 503:
            break
        time.sleep(1)
    reply = answer.json().get("move", answer.text)
print(json.dumps({
    "listed": listed["last"], "row": row.split(), "move": move["move"], "games": match["games"], "api": api,
    "reply": reply, "pages": pages,
}))
"""


def test_a_class_and_its_line_are_enough(tmp_path: Path) -> None:
    copy = PackageCopy(tmp_path)
    copy.write("players/last.py", CLASS)
    copy.insert("players/catalogue.py", "from noughts.players.perfect", "from noughts.players.last import Last\n")
    copy.insert("players/catalogue.py", "    Knuth,\n", "    Last,\n")
    seen = json.loads(copy.python(PROGRAM).splitlines()[-1])
    assert seen["listed"]["about"] == "the last of the legal moves"
    assert seen["row"][:5] == ["last", "1899", "tictactoe", "or", "square4"]
    assert (seen["move"], seen["reply"], seen["games"]) == ("c3", "c3", 2)
    assert "last" in seen["api"]
    for path in ("/", "/?game=square4"):
        for words in ("The last one", "1899", "Reads the board from its end", "hardly plays at all"):
            assert words in seen["pages"][path], (path, words)
    as_opponent = '<input type="radio" name="opponent" value="last"'
    assert as_opponent in seen["pages"]["/"]
    assert as_opponent not in seen["pages"]["/?game=achi"]
    assert "The last one" in seen["pages"]["/play/tictactoe?x=last"]
