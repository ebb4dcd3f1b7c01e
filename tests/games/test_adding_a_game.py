"""A game is one entry of the catalogue: the commands, the players and the pages know it from there."""

import json
from pathlib import Path

import pytest

from package_copy import PackageCopy

pytestmark = pytest.mark.slow

ENTRY = """    Kind(
        "alquerque-of-nine",
        "Alquerque of nine",
        "A mill captures",
        "Nine men’s morris under another name.",
        lambda: _THREE("9", "no", "yes", "no", "loses"),
        "d1 a7",
    ),
"""

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

name = "alquerque-of-nine"
listed = {row["name"]: row for row in json.loads(said("games", "--json"))}
value = json.loads(said("value", name, "--json"))
move = json.loads(said("move", name, "--player", "novice", "--seed", "1", "--json"))
match = json.loads(said("match", name, "random", "random", "--games", "2", "--seed", "1", "--json"))
with TestClient(create_app(), base_url="http://127.0.0.1:8000") as client:
    def page(path):
        for _ in range(60):  # 503: the answer is still being worked out
            answer = client.get(path)
            if answer.status_code != 503:
                break
            time.sleep(1)
        return answer.text

    paths = ("/", f"/?game={name}", f"/play/{name}", f"/learn/{name}", f"/explore/{name}")
    pages = {path: page(path) for path in paths}
    api = client.get("/api/v1/games").json()["games"]
print(json.dumps({
    "about": listed[name]["about"], "start": value["position"], "moves": len(value["moves"]), "moved": move["move"],
    "games": match["games"],
    "titled": {path: "Alquerque of nine" in text for path, text in pages.items()},
    "api": name in [one["name"] for one in api],
}))
"""


def test_one_entry_is_enough(tmp_path: Path) -> None:
    copy = PackageCopy(tmp_path)
    copy.insert("games/catalogue.py", ")\n\nNAMES = tuple(", ENTRY)
    seen = json.loads(copy.python(PROGRAM).splitlines()[-1])
    assert seen["about"] == "three squares, nine stones each; a mill captures"
    assert seen["start"] == ".../.../.../....../.../.../... x 9,9"
    assert seen["moves"] == 24
    assert seen["games"] == 2
    assert seen["api"]
    assert all(seen["titled"].values()), seen["titled"]
